"""What a model's reply must be to count as three numbers."""

from __future__ import annotations

import pytest

from operators.game.number_extractor import OCRNumberExtractor
from operators.game.rounds import Found, Look

STRICT, SEED = OCRNumberExtractor(), OCRNumberExtractor(parser="seed")


@pytest.mark.parametrize(
    "text",
    ["[5, 8, 3]", "[5,8,3]", " [5, 8,\n3]\n", "[5, 8, 3].", "**[5, 8, 3]**", "`[5, 8, 3]`", '"[5, 8, 3]"',
     "```json\n[5, 8, 3]\n```", "```\n[5, 8, 3]\n```"],
)  # fmt: skip
def test_a_list_of_three_and_nothing_else_is_read(text: str) -> None:
    assert (STRICT.read_reply(text), SEED.read_reply(text)) == ([5, 8, 3], [5, 8, 3])


@pytest.mark.parametrize(
    "text",
    ["", "3", "5, 8, 3", "[5, 8]", "[5, 8, 3, 1]", "[5, -8, 3]", "[5, 8.0, 3]", '["5", "8", "3"]', "[5, 8, null]",
     "(5, 8, 3)", "I see three cards.", "[left, middle, right]", "[123456789, 1, 2]", "[" + "9" * 5000 + ", 1, 2]"],
)  # fmt: skip
@pytest.mark.parametrize("reader", [STRICT, SEED])
def test_anything_else_is_refused_and_told(reader: OCRNumberExtractor, text: str) -> None:
    with pytest.raises(ValueError, match=r"such as \[5, 8, 3\]") as caught:
        reader.read_reply(text)
    assert len(str(caught.value)) < 200


def test_prose_around_the_list_is_read_by_the_seeds_parser_only() -> None:
    text = "The numbers are [5, 8, 3], I think."
    assert SEED.read_reply(text) == [5, 8, 3]
    with pytest.raises(ValueError, match="nothing else"):
        STRICT.read_reply(text)


def test_digits_of_other_scripts_are_no_strict_reply() -> None:
    with pytest.raises(ValueError, match="nothing else"):
        STRICT.read_reply("[５, ８, ３]")


@pytest.mark.parametrize(
    ("parts", "answer", "contradicts"),
    [((5, None, 3), [5, 8, 3], False), ((5, None, 3), [5, 8, 2], True), ((None, None, None), [1, 2, 3], False), ((), [1, 2, 3], False)],
)  # fmt: skip
def test_a_model_contradicts_where_a_card_is_sure_by_itself(
    parts: tuple[int | None, ...], answer: list[int], contradicts: bool
) -> None:
    found = Found(None, Look("ocr crop", "", 0.0, "a number is missing"), parts=parts)
    assert STRICT.contradicts(found, answer) is contradicts
