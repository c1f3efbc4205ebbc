"""Numbers on drawn screens, read by the real engine; the rule of fixed places; what a model's reply must be."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from PIL import Image, ImageDraw, ImageFont

from dataflow_ext.ocr import OCRLine, engine
from dataflow_ext.testing import check_operator
from operators.game.number_extractor import OCRNumberExtractor, absolute_numbers
from operators.game.numbers.digits import numbers_in_cells
from operators.game.rounds import Box, Found, Look

needs_rapidocr = pytest.mark.skipif(engine.installed_version("rapidocr") is None, reason="rapidocr is not installed")


def screen_with(
    texts: list[str], outlines: bool = True, counters: bool = True, size: tuple[int, int] = (480, 854)
) -> tuple[Image.Image, list[Box]]:
    """A screen with cards in its lower part, and the cards' boxes."""
    width, height = size
    image = Image.new("RGB", size, (24, 28, 44))
    draw = ImageDraw.Draw(image)
    draw.text((20, 30), "Score 120", fill="white", font=ImageFont.load_default(size=24))
    if counters:
        for place, text in enumerate(("508", "79", "3")):
            draw.text(
                (width * (place + 0.5) / 3, 110), text, fill="white", font=ImageFont.load_default(size=22), anchor="mm"
            )
    side = width / len(texts) * 0.8
    boxes = []
    for place, text in enumerate(texts):
        x, y = width * (place + 0.5) / len(texts), height * 0.7
        boxes.append((x - side / 2, y - side / 2, x + side / 2, y + side / 2))
        if outlines:
            draw.rounded_rectangle(boxes[-1], 12, fill=(240, 240, 250))
        ink = "black" if outlines else "white"
        draw.text((x, y), text, fill=ink, font=ImageFont.load_default(size=side * 0.45), anchor="mm")
    return image, boxes


def applied(tmp_path: Path, image: Image.Image, **options) -> list[dict]:
    image.save(tmp_path / "question.png")
    done = OCRNumberExtractor(unsure="reject", **options).apply(
        pa.table({"question": [str(tmp_path / "question.png")]})
    )
    return done.table.to_pylist() or done.rejects.to_pylist()


@needs_rapidocr
def test_numbers_and_cards_are_found_below_counters(tmp_path: Path) -> None:
    image, boxes = screen_with(["5", "12", "5"])
    [row] = applied(tmp_path, image)
    assert row["numbers"] == [5, 12, 5]
    assert all(
        abs(a - b) < 6
        for found, true in zip(row["cards"], boxes, strict=True)
        for a, b in zip(found, true, strict=True)
    )
    assert row["numbers_read"]["confidence"] >= 0.8


@needs_rapidocr
def test_numbers_without_outlines_have_squares_around_them_for_cards(tmp_path: Path) -> None:
    image, _ = screen_with(["35", "67", "44"], outlines=False)
    [row] = applied(tmp_path, image)
    assert row["numbers"] == [35, 67, 44]
    assert [round((box[0] + box[2]) / 2 / 160, 1) for box in row["cards"]] == [0.5, 1.5, 2.5]


@needs_rapidocr
@pytest.mark.parametrize("texts", [["5", "8"], ["5", "8", "3", "1"], ["5", "8", "3", "1", "9"]])
def test_two_four_and_five_cards_are_unsure(tmp_path: Path, texts: list[str]) -> None:
    [reject] = applied(tmp_path, screen_with(texts)[0])
    assert reject["error"] == "NumbersUnsure"


@needs_rapidocr
def test_small_numbers_in_a_row_of_five_are_no_cards(tmp_path: Path) -> None:
    image, _ = screen_with([""], outlines=False, counters=False)
    draw = ImageDraw.Draw(image)
    for place in range(5):
        x = 120 + 60 * place
        draw.rectangle((x - 18, 762, x + 18, 798), fill=(200, 60, 60))
        draw.text((x, 780), str(place + 3), fill="white", font=ImageFont.load_default(size=16), anchor="mm")
    [reject] = applied(tmp_path, image)
    assert "no row of three cards or numbers was found" in reject["message"]


@needs_rapidocr
def test_counters_alone_are_unsure(tmp_path: Path) -> None:
    image, _ = screen_with([""], outlines=False)
    [reject] = applied(tmp_path, image)
    assert reject["error"] == "NumbersUnsure"


@needs_rapidocr
def test_each_card_is_read_in_its_whole_part_of_the_row() -> None:
    import numpy as np

    image, boxes = screen_with(["90", "107", ""])
    assert numbers_in_cells(np.asarray(image), boxes, OCRNumberExtractor().engine) == [90, 107, None]


@needs_rapidocr
def test_the_operator_keeps_the_laws(tmp_path: Path) -> None:
    screen_with(["5", "8", "3"])[0].save(tmp_path / "a.png")
    screen_with(["2", "2", "9"], outlines=False)[0].save(tmp_path / "b.png")
    (tmp_path / "torn.png").write_bytes((tmp_path / "a.png").read_bytes()[:900])
    paths = [str(tmp_path / name) for name in ("a.png", "b.png", "torn.png", "missing.png")]
    kept = check_operator(OCRNumberExtractor(), pa.table({"question": paths}))
    assert kept["numbers"].to_pylist() == [[5, 8, 3], [2, 2, 9]]


LINES = [
    OCRLine("120", 1.0, (10, 10, 60, 40)),
    OCRLine("5", 0.9, (100, 700, 140, 760)),
    OCRLine("8", 0.8, (300, 700, 340, 760)),
    OCRLine("3", 0.7, (500, 700, 540, 760)),
    OCRLine("Home", 1.0, (10, 900, 60, 930)),
    OCRLine("7", 0.5, (10, 800, 60, 830)),
]


def test_the_absolute_rule_takes_the_three_surest_below_its_line_from_left_to_right() -> None:
    found = absolute_numbers(LINES, min_score=0.5, below=600)
    assert (found.value, found.parts) == ([5, 8, 3], (5, 8, 3))
    assert found.look.reason == "the surest three of 3 numbers below y 600; scores 0.9 0.8 0.7"


def test_the_absolute_rule_finds_nothing_with_fewer_than_three() -> None:
    found = absolute_numbers(LINES, min_score=0.75, below=600)
    assert (found.value, found.look.value) == (None, "5 8")
    assert found.look.reason == "2 of three numbers read below y 600 with a score above 0.75"


@needs_rapidocr
def test_the_absolute_layout_is_right_only_where_cards_are_low_enough(tmp_path: Path) -> None:
    [row] = applied(tmp_path, screen_with(["5", "8", "3"], size=(720, 1280))[0], layout="absolute")
    assert (row["numbers"], row["cards"]) == ([5, 8, 3], None)
    [reject] = applied(tmp_path, screen_with(["5", "8", "3"])[0], layout="absolute")
    assert "below y 600" in reject["message"]


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
