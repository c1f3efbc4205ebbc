"""Whether steps reach an answer: reached, contradicted, or nobody can tell."""

import pytest

from operators.verify.answer import Option
from operators.verify.reaching import Reach, reach

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
