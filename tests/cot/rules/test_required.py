"""A required sentence stands as a sentence of its own."""

import pytest

from operators.cot.rules.response import placed

ANCHOR = "Spatially, the cup must be on the tray."


@pytest.mark.parametrize(
    "before",
    ["", " ", "So it is. ", "Is it so? ", "It is! ", "This is so: ", "It is so; ", 'He said "so." ', "(It is so.) ",
     "这是对的。", "这样吗？", "它是“杯子”。", "It is so…  ",
     "- ", "So it is.\n- "],
)  # fmt: skip
def test_it_may_follow_the_beginning_and_the_end_of_a_sentence(before: str) -> None:
    found = placed(f"{before}{ANCHOR} So it holds.", [ANCHOR])
    assert (found.problems, found.between) == ([], [before, " So it holds."])


@pytest.mark.parametrize(
    "before",
    ["It is not true that ", "Not so, ", "Never – ", '"', "The (small) ", 'It is "wrong" ', "So it is. It is false that ",
     "A lie, 12) "],
)  # fmt: skip
def test_within_another_sentence_it_is_missing(before: str) -> None:
    found = placed(f"{before}{ANCHOR} So it holds.", [ANCHOR])
    told = f"anchor.missing: {ANCHOR!r} does not stand as a sentence of its own"
    assert [str(problem) for problem in found.problems] == [told]


def test_a_second_one_that_stands_by_itself_is_taken() -> None:
    text = f"It is not true that {ANCHOR} {ANCHOR} So it holds."
    assert placed(text, [ANCHOR]).between == [f"It is not true that {ANCHOR} ", " So it holds."]


def test_words_that_are_not_there_are_told_as_before() -> None:
    assert [str(each) for each in placed("So it holds.", [ANCHOR]).problems] == [
        f"anchor.missing: {ANCHOR!r} is not in the reasoning word for word"
    ]
