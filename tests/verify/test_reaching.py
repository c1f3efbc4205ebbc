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
