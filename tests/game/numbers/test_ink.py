"""Numbers read by the ink of cards whose places are known, and rows found by what changes between rounds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from dataflow_ext.ocr import OCRLine, engine
from dataflow_ext.ocr.memory import read_digits
from operators.game.cards.episode import changing_row
from operators.game.number_extractor import default_engine
from operators.game.numbers.digits import numbers_by_ink
from operators.game.rounds import Box

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

needs_rapidocr = pytest.mark.skipif(engine.installed_version("rapidocr") is None, reason="rapidocr is not installed")

CARDS: list[Box] = [(20.0, 400.0, 150.0, 530.0), (170.0, 400.0, 300.0, 530.0), (320.0, 400.0, 450.0, 530.0)]


def screen_of(texts: Sequence[str], lamp: str = "red", outlines: bool = True) -> Pixels:
    """A screen with three cards, a lamp beside them, of their size, and a score."""
    image = Image.new("RGB", (640, 854), (30, 40, 60))
    draw = ImageDraw.Draw(image)
    draw.ellipse((480, 400, 610, 530), fill=lamp)
    draw.text((20, 30), "Score 120", fill="white", font=ImageFont.load_default(size=24))
    for (x0, y0, x1, y1), text in zip(CARDS, texts, strict=True):
        if outlines:
            draw.rectangle((x0, y0, x1, y1), outline=(240, 200, 40), width=3)
        middle = ((x0 + x1) / 2, (y0 + y1) / 2)
        draw.text(middle, text, fill="white", font=ImageFont.load_default(size=46), anchor="mm")
    return np.asarray(image)


def numbers(pixels: Pixels) -> list[int | None]:
    [found] = numbers_by_ink([(pixels, CARDS)], default_engine())
    return [None if piece is None else piece.number for piece in found]


@needs_rapidocr
@pytest.mark.parametrize("outlines", [True, False])
def test_numbers_of_any_length_are_read_by_their_ink(outlines: bool) -> None:
    assert numbers(screen_of(["5", "1234", "80"], outlines=outlines)) == [5, 1234, 80]
    assert numbers(screen_of(["1", "", "077"], outlines=outlines)) == [1, None, None]


def saved(folder: Path, screens: Sequence[Pixels]) -> list[Path]:
    paths = [folder / f"{number}.png" for number in range(len(screens))]
    for path, pixels in zip(paths, screens, strict=True):
        Image.fromarray(pixels).save(path)
    return paths


@needs_rapidocr
def test_the_row_of_cards_is_what_changes_and_holds_numbers(tmp_path: Path) -> None:
    rounds = [["12", "5", "31"], ["7", "408", "22"], ["90", "61", "3"], ["44", "2", "518"]]
    screens = [screen_of(texts, lamp) for texts, lamp in zip(rounds, ("red", "lime", "gold", "red"), strict=True)]
    found = changing_row([tmp_path / "gone.png", *saved(tmp_path, screens)], default_engine())
    assert found is not None
    middles = [((x0 + x1) / 2, (y0 + y1) / 2) for x0, y0, x1, y1 in found]
    assert all(abs(x - (85, 235, 385)[i]) < 12 and abs(y - 465) < 12 for i, (x, y) in enumerate(middles))


def test_where_nothing_changes_or_nothing_is_read_there_is_no_row(tmp_path: Path) -> None:
    class Blind:
        name = "blind"

        def read(self, pictures: Sequence[object]) -> list[list[OCRLine]]:
            return [[] for _ in pictures]

        def identity(self) -> dict[str, object]:
            return {}

    assert changing_row(saved(tmp_path, [screen_of(["1", "2", "3"])] * 3), Blind()) is None
    others = [screen_of(["1", "2", "3"]), screen_of(["4", "5", "6"]), screen_of(["7", "8", "9"])]
    assert changing_row(saved(tmp_path, others), Blind()) is None
    assert changing_row([tmp_path / "gone.png"], Blind()) is None


def test_an_engine_that_looks_for_text_reads_digits_in_pieces_with_a_border() -> None:
    class Lines:
        name = "lines"

        def read(self, pictures: Sequence[Pixels]) -> list[list[OCRLine]]:
            assert all(min(picture.shape[:2]) > 40 for picture in pictures)
            lines = [OCRLine("7", 0.9, (30, 0, 40, 9)), OCRLine("4", 0.8, (0, 0, 9, 9))]
            return [lines, [OCRLine("7A", 0.9, (0, 0, 9, 9))], []]

        def identity(self) -> dict[str, object]:
            return {}

    pieces = [np.full((30, 40, 3), level, np.uint8) for level in (0, 90, 180, 90)]
    read = read_digits(Lines(), pieces)
    assert read == [("47", 0.8), ("", 0.0), ("", 0.0), ("", 0.0)], "the same piece is read once"
