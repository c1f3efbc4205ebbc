"""ImageTextReader: real OCR on drawn pictures, once a picture, and "not run" where nobody read."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pytest
from PIL import Image, ImageDraw, ImageFont

import examples.game_screens
from dataflow_ext.errors import OptionError
from dataflow_ext.models import Session
from dataflow_ext.ocr import OCRLine, RapidOCREngine, engine
from dataflow_ext.testing import check_operator
from operators import ImageTextReader
from operators.onevision.image_text_reader import in_reading_order

needs_rapidocr = pytest.mark.skipif(engine.installed_version("rapidocr") is None, reason="rapidocr is not installed")

#: A face with the Chinese characters of our own game screens.
CHINESE = Path(examples.game_screens.__file__).parent / "fonts" / "hei.ttf"


class Corner:
    """An engine that reads the colour of each picture's corner."""

    name = "corner"

    def __init__(self) -> None:
        self.read_so_far = 0

    def identity(self) -> dict[str, object]:
        return {"engine": self.name}

    def read(self, pictures: Sequence[object]) -> list[list[OCRLine]]:
        self.read_so_far += len(pictures)
        return [[OCRLine(str(picture[0, 0, 0]), 0.9, (0.0, 0.0, 9.0, 9.0))] for picture in pictures]


def saved(folder: Path, name: str, *texts: tuple[tuple[int, int], str], shade: int = 255) -> Path:
    image = Image.new("RGB", (400, 200), (shade, 255, 255))
    for place, text in texts:
        font = ImageFont.load_default(size=36) if text.isascii() else ImageFont.truetype(CHINESE, 36)
        ImageDraw.Draw(image).text(place, text, fill="black", font=font)
    image.save(folder / name)
    return folder / name


def rows(*paths: Path) -> pa.Table:
    keys = [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]
    return pa.table({"picture": [str(path) for path in paths], "picture_key": keys})


@needs_rapidocr
def test_what_stands_in_pictures_is_read_with_its_place_and_a_blank_picture_has_no_lines(tmp_path: Path) -> None:
    noted = saved(tmp_path, "noted.png", ((40, 30), "m=6kg"), ((220, 130), "M=14kg"))
    chinese = saved(tmp_path, "chinese.png", ((60, 70), "请选择数字"))
    blank = saved(tmp_path, "blank.png")
    made = ImageTextReader()(rows(noted, chinese, blank))
    assert made["ocr_by"].to_pylist() == ["rapidocr"] * 3
    first, second, third = made["ocr"].to_pylist()
    assert [line["text"].replace(" ", "") for line in first] == ["m=6kg", "M=14kg"]
    assert ([line["text"] for line in second], third) == (["请选择数字"], [])
    for line, (left, top) in zip([*first, *second], ((40, 30), (220, 130), (60, 70)), strict=True):
        x0, y0, x1, y1 = line["box"]
        assert abs(x0 - left) < 20 and abs(y0 - top) < 25 and 80 < x1 - x0 < 260 and 20 < y1 - y0 < 60


def test_without_an_engine_rows_say_not_run() -> None:
    table = check_operator(ImageTextReader(engine=None), pa.table({"picture_key": ["a", "b", None]}))
    assert table.select(["ocr", "ocr_by"]).to_pylist() == [{"ocr": [], "ocr_by": "not run"}] * 2


def test_each_picture_is_read_once_and_remembered_across_sessions(tmp_path: Path) -> None:
    one, other = saved(tmp_path, "one.png", shade=1), saved(tmp_path, "other.png", shade=2)
    again = saved(tmp_path, "again.png", shade=1)
    engine = Corner()
    for _ in range(2):
        with Session(tmp_path / "cache.sqlite"):
            made = ImageTextReader(engine=engine)(rows(one, other, one, again))
        assert [lines[0]["text"] for lines in made["ocr"].to_pylist()] == ["1", "2", "1", "1"]
    assert engine.read_so_far == 2


def test_the_laws_of_operators_hold_and_a_broken_picture_is_a_reject_of_its_rows_alone(tmp_path: Path) -> None:
    paths = [saved(tmp_path, f"{shade}.png", shade=shade) for shade in (1, 2, 3)]
    (tmp_path / "broken.png").write_bytes(b"no picture")
    table = rows(paths[0], tmp_path / "broken.png", paths[1], paths[0], paths[2])
    made = check_operator(ImageTextReader(engine=Corner()), table)
    assert [lines[0]["text"] for lines in made["ocr"].to_pylist()] == ["1", "2", "1", "3"]
    [reject] = ImageTextReader(engine=Corner()).apply(table).rejects.to_pylist()
    assert "broken.png is no picture of a known format" in reject["message"]


def test_an_engine_that_is_not_installed_is_refused_when_the_operator_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def not_there(package: str) -> str:
        raise engine.PackageNotFoundError(package)

    monkeypatch.setattr(engine, "version", not_there)
    for options in ({}, {"engine": RapidOCREngine()}):
        with pytest.raises(OptionError, match=r"RapidOCR is not installed; .* -m pip install 'rowsmith\[ocr\]'"):
            ImageTextReader(**options)
    assert ImageTextReader(engine=None).engine is None


def test_an_engine_that_cannot_be_used_fails_the_step_and_not_its_rows(tmp_path: Path) -> None:
    class Absent(Corner):
        def read(self, pictures: Sequence[object]) -> list[list[OCRLine]]:
            raise ImportError("libGL.so.1: cannot open shared object file")

    with pytest.raises(OptionError, match="A package that reads pictures cannot be used: libGL"):
        ImageTextReader(engine=Absent())(rows(saved(tmp_path, "one.png")))


def test_lines_come_row_by_row_whatever_order_the_engine_has() -> None:
    places = {"a": (10, 10, 60, 30), "b": (70, 14, 120, 34), "c": (5, 40, 60, 60), "d": (62, 36, 99, 56)}
    lines = [OCRLine(text, 0.9, box) for text, box in places.items()]
    for turned in (lines, lines[::-1], [lines[2], lines[0], lines[3], lines[1]]):
        assert "".join(line.text for line in in_reading_order(turned)) == "abcd"
