"""Whether steps reach an answer: reached, contradicted, or nobody can tell."""

import pytest

from operators.verify.answer import Option
from operators.verify.reaching import Reach, reach
from operators.verify.reaching.values import values_in

SIZES = (Option("A", "40 N"), Option("B", "60 N"), Option("C", "200 N"))
ANIMALS = (Option("A", "cat"), Option("B", "horse"), Option("C", "dog"))
CURRENT = "The battery gives 24 V and the lamp has 12 Ω, so 24 / 12 = 2 A."
WEIGHT = "The block of 6 kg hangs still. 6 × 9.8 = 58.8 N pull on it. The nearest option is taken."
SNOUT = "A horse is larger, so it can be excluded. The snout is that of a dog and not of a cat."


@pytest.mark.parametrize(
    ("text", "answer", "verdict"),
    [
        (CURRENT, "2 A", "reached"),
        (CURRENT + " So the answer is 4 A.", "4 A", "contradicted"),
        (CURRENT + " So the answer is 4 A.", "2 A", "contradicted"),
        ("The sum of all five is 78. Dividing it by 5 gives 15.6.", "15.6", "reached"),
        ("5² + 12² = 25 + 144 = 169. So the side is 13.", "13", "reached"),
        ("900 / 1800 = 0.5, which is a half.", "50%", "reached"),
        ("两者相减，60-25=35，所以相差35万元。", "35万元", "reached"),
        ("The sign reads 7 km.", "7 km", "reached"),
        ("The sign reads 7 km.", "9 km", "contradicted"),
        ("There is one lamp at the left and another one at the right.", "4", "cannot tell"),
        ("Of both angles 50 + 60 = 110 degrees. What remains is 70 degrees.", "70 degrees", "reached"),
        ("Half of the area of 84 m² is left: 84 / 2 = 42.", "42 kg", "reached"),
        ("Each sheet costs 3 m, so 4 × 3 = 12 m.", "12 kg", "contradicted"),
        ("The ball is green, the umbrella red.", "red", "reached"),
        ("The ball is green.", "red", "contradicted"),
        ("Its body is of a strong red.", "purple", "contradicted"),
        ("The arrow leads from sea to vapour and on to the clouds.", "sea, vapour, clouds", "reached"),
        ("The arrow leads from sea to vapour.", "sea, vapour, clouds", "cannot tell"),
        ("", "4", "cannot tell"),
        ("The lamp is on.", " ", "cannot tell"),
        # What stands before a result without a unit is given; behind it, it is what the result is of.
        ("3 kg hang at 2 m, m at 3 m. So m = 3 * 2 / 3 = 2.", "2 kg", "reached"),
        ("At 24 V it has 12 Ω. So 24 / 12 = 2, which makes 2 A.", "2 V", "contradicted"),
    ],
)
def test_numbers_and_words_are_reached_by_what_is_computed_or_stated_last(text, answer, verdict):
    assert reach(text, answer).verdict == verdict


@pytest.mark.parametrize(
    ("steps", "right", "wrong"),
    [
        ("One leg is 45 km, the other 30 km, so 45 + 30 = 75. The whole way has {}.", "75 km", "60 km"),
        ("Nine cups stood there. Four of nine are broken, which leaves five. There are {} cups left.", "5", "6"),
        (
            "From 10:20 to 11:00 it is 40 minutes, plus 15 minutes makes 55. She walks for {}.",
            "55 minutes",
            "65 minutes",
        ),
        ("It opens at 9:00 and closes at 20:30. So it is open for {}.", "11 hours 30 minutes", "10 hours 30 minutes"),
        ("两个角分别是40°和75°，和是115°。所以第三个角是{}。", "65°", "75°"),
        ("门9:00开，20:30关，共十一个半小时。开放时间是{}。", "11小时30分钟", "12小时30分钟"),
        (
            "The seats 1, 2 and 6 are taken. Free are the other four, namely 3, 4, 5 and 7. This leaves {} seats.",
            "4",
            "5",
        ),
        ("Ann has 31 points, Bo 28, Cy 40. 40 is the most of all. So {} wins.", "Cy", "Ann"),
        ("A red collar with a bell is told of. The collar is therefore {}.", "red", "white"),
        ("The first has a cup, the second a fan. The second one holds {}.", "a fan", "a cup"),
        ("There are 6 red and 9 blue balls. The ratio is {}.", "2:3", "3:4"),
    ],
)
def test_an_answer_that_only_the_last_sentence_states_is_not_reached_where_steps_come_to_another(steps, right, wrong):
    assert reach(steps.format(right), right).verdict == "reached"
    assert reach(steps.format(wrong), wrong).verdict in ("contradicted", "cannot tell")
    assert reach(steps.format(right), wrong).verdict in ("contradicted", "cannot tell")


@pytest.mark.parametrize(
    "text",
    [
        "The sectors have 45 + 30 + 15 = 90 m², and 60 m² more make 150 m². 60 divided by 150 is 0.4, which is 40 %.",
        "Two of five pieces are left. 2/5 of all makes 40%.",
        "All but 60 of 100 have gone. That leaves 40%.",
    ],
)
def test_an_answer_is_reached_however_its_arithmetic_is_written(text):
    assert reach(text, "40%").verdict == "reached"


@pytest.mark.parametrize(
    ("question", "verdict"),
    [("Which river is the longest?", "cannot tell"), ("Which river runs through the town?", "reached")],
)
def test_the_most_of_some_values_is_the_most(question, verdict):
    assert (
        reach("The Aar has 320 km, the Bem 410 km. So it is the Aar.", "the Aar", question=question).verdict == verdict
    )


@pytest.mark.parametrize(
    ("text", "answer", "options", "verdict"),
    [
        (WEIGHT, "B", SIZES, "reached"),
        (WEIGHT, "C", SIZES, "contradicted"),
        (WEIGHT, "60 N", SIZES, "reached"),
        (WEIGHT + " That is option A.", "B", SIZES, "contradicted"),
        (SNOUT, "C", ANIMALS, "reached"),
        (SNOUT, "A", ANIMALS, "contradicted"),
        (SNOUT, "B", ANIMALS, "contradicted"),
        ("It has four legs and a tail.", "C", ANIMALS, "cannot tell"),
        ("So the answer is C.", "C", ANIMALS, "cannot tell"),
    ],
)
def test_an_option_is_reached_by_its_text_and_no_other_letter_may_be_named(text, answer, options, verdict):
    assert reach(text, answer, options=options).verdict == verdict


@pytest.mark.parametrize(
    ("text", "question", "yes", "no"),
    [
        ("The switch is open, so the lamps do not light.", "Do the lamps light?", "contradicted", "reached"),
        ("The lamps light as the switch is closed.", "Do the lamps light?", "reached", "contradicted"),
        ("The switch is open.", "Do the lamps light?", "cannot tell", "cannot tell"),
        (
            "There is no text in the picture.",
            "Is there any text in it? Answer yes or no.",
            "cannot tell",
            "cannot tell",
        ),
        ("The lamps light.", "Which lamps light?", "cannot tell", "cannot tell"),
    ],
)
def test_a_yes_or_no_is_reached_where_a_step_speaks_of_what_is_asked(text, question, yes, no):
    assert [reach(text, answer, question=question).verdict for answer in ("yes", "no")] == [yes, no]


def test_the_value_that_steps_end_at_is_told():
    assert reach(CURRENT, "4 A") == Reach("contradicted", "2 A")
    assert reach(SNOUT, "A", options=ANIMALS) == Reach("contradicted", "dog")


@pytest.mark.parametrize(
    ("steps", "question", "right", "wrong"),
    [
        # What a value is computed from does not follow from it.
        ("It starts at 19:40. One hour later it is 20:40, and 35 minutes after that it is 21:15.", "", "21:15", "20:40"),
        ("Eight chairs stand there. On five of them people sit. That leaves three. So {} are free.", "", "3", "5"),
        # What the steps are tried with stands before the answer.
        ("It covers 6 by 4, that is 24 cm². The white part is 12 cm². What remains is 24 - 12 = 12 cm².", "", "12 cm²",
         "24 cm²"),
        # Nothing says another operation behind the last one, nor that a mean was taken.
        ("C = 180° - 90° - 35° = 55°.", "", "55°", "125°"),
        ("The rise is 8 and the run is 4. So 8 / 4 = 2.", "", "2", "0.5"),
        ("It is 6 cm by 4 cm, so it covers 24 cm². The other part has 12 cm². {} are shaded.", "", "12 cm²", "18 cm²"),
        # A mass in grams is none in kilograms, dollars are no per cent.
        ("The difference is 3.1 kg - 1.9 kg = 1.2 kg.", "", "1.2 kg", "1.2 g"),
        ("The tag says $60. A label says 25% off. A quarter of $60 is $15. So the discount is {}.", "", "$15", "$25"),
        # What the question names, and what the conclusion speaks of.
        ("Football: 14. Tennis: 9. Swimming: 6. Football was chosen by {} more than tennis.",
         "How many more chose football than tennis?", "5", "8"),
        ("The stops are Depot 7:05, Hospital 7:18, Market Square 7:31. So bus 12 reaches Market Square at {}.",
         "When does bus 12 reach Market Square?", "7:31", "7:18"),
        ("A box stands there. A parrot sits in its cage. A cat lies on the box. So the animal on the box is a {}.",
         "Which animal is on the box?", "cat", "parrot"),
        ("There are three boats. The green boat is far out, the red one is beside the lighthouse. Beside the lighthouse "
         "is the {} boat.", "What colour is the boat beside the lighthouse?", "red", "green"),
        ("Bergen has 4 °C, Oslo -1 °C, Bodø -6 °C. So it was coldest in {}.", "Where was it coldest?", "Bodø", "Oslo"),
    ],
)  # fmt: skip
def test_an_answer_of_another_kind_thing_or_place_in_the_chain_is_not_reached(steps, question, right, wrong):
    assert reach(steps.format(right), right, question=question).verdict == "reached"
    assert reach(steps.format(wrong), wrong, question=question).verdict != "reached"


def test_a_clause_that_lists_two_options_contradicts_none():
    options = [Option("A", "circle"), Option("B", "square"), Option("C", "triangle")]
    steps = "The row stops at a square, and behind a square comes the triangle. The answer is {}."
    assert reach(steps.format("C"), "C", options=options).verdict == "cannot tell"
    assert reach(steps.format("A"), "A", options=options).verdict == "contradicted"


def test_a_conclusion_that_takes_up_the_answer_outweighs_the_step_before_it():
    steps = "Kip has 58.2 s, Lena 57.9 s, Nia 58.0 s. First of all is Lena. Behind her comes 58.0 s, which is Nia."
    assert reach(steps, "Nia", question="Who came in second?").verdict == "reached"


def test_in_before_a_word_is_no_inch():
    assert [value.unit for value in values_in("50 million in 2022, 5 in the box, 7 in.")] == ["", "", "", "in"]


@pytest.mark.parametrize(
    ("steps", "question", "right", "wrong"),
    [
        ("Both pages are 40 cents and 60 cents. Together that is 40 + 60 = 100 cents. This is what {} shows.",
         "What do both cost? 1) 60 cents 2) 100 cents 3) 24 cents", "option 2", "option 3"),
        ("It starts at 8:20 and ends at 9:35. A whole hour and a half would last until 9:50, 15 minutes more. "
         "The lesson takes {}.", "How long does it take?", "1 hour 15 minutes", "1 hour 25 minutes"),
        ("The bag has 3 kg, which is more than the 800 g of the box. So {} is the heaviest here.",
         "What does the heaviest of them weigh?", "3 kg", "800 g"),
        ("Vera sits beside Omar. The one behind her is Lukas. {} sits behind Vera.",
         "Who sits behind Vera?", "Lukas", "Petra"),
        ("Three such corners of 60° make 3 × 60° = 180°. One of them is {} of it.",
         "What fraction of the straight angle is it?", "one third", "one half"),
        ("The flour weighs 90 + 150 = 240 g. These 240 g go evenly into two bowls, so each holds {}.",
         "What is in one bowl?", "120 g", "150 g"),
        ("The box says Rest 30 min. So it rests {}.", "How long does it rest?", "half an hour", "a quarter of an hour"),
    ],
)  # fmt: skip
def test_what_the_steps_compute_read_or_name_before_the_last_sentence_decides(steps, question, right, wrong):
    assert reach(steps.format(right), right.removeprefix("option "), question=question).verdict == "reached"
    assert reach(steps.format(wrong), wrong.removeprefix("option "), question=question).verdict != "reached"


def test_an_option_that_only_the_closing_names_is_not_contradicted_by_one_told_in_passing():
    options = [Option("A", "Tea"), Option("B", "Milk"), Option("C", "Juice")]
    steps = "Half of 40 is 20, the share of water. Juice is the least anyway. So it is tea, option A."
    assert reach(steps, "A", options=options).verdict == "cannot tell"


def test_one_in_the_middle_is_a_pronoun():
    assert values_in("one at the top, one in the middle") == ()
