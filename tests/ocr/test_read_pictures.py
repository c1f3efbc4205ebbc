"""The memory of what engines read."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from dataflow_ext.errors import InputError
from dataflow_ext.models import RequestCache, Session
from dataflow_ext.models.errors import CacheError
from dataflow_ext.models.request import Reply
from dataflow_ext.ocr import OCRLine, Picture, read_pictures
from dataflow_ext.ocr.engine import installed_version
from dataflow_ext.ocr.engines import RapidOCREngine
from tests.ocr.drawn import drawn, encoded, pixels


class Measuring:
    """An engine that reads the size of each picture, and counts how many it was given."""

    name = "measuring"

    def __init__(self, unit: str = "px") -> None:
        self.unit = unit
        self.calls: list[int] = []

    def identity(self) -> dict[str, object]:
        return {"engine": self.name, "unit": self.unit}

    def read(self, pictures: Sequence[Picture]) -> list[list[OCRLine]]:
        self.calls.append(len(pictures))
        return [[self.line(picture)] for picture in pictures]

    def line(self, picture: Picture) -> OCRLine:
        height, width = picture.shape[:2]
        return OCRLine(f"{width} × {height} {self.unit} “宽”\n", 0.12345, (0.1, 2.0, float(width), 33.3))


def read_by(
    cache: RequestCache, engine: Measuring | RapidOCREngine, pictures: Sequence[Picture]
) -> list[list[OCRLine]]:
    with Session(cache):
        return read_pictures(engine, pictures)


def page(width: int, shade: int = 255) -> np.ndarray:
    return np.full((20, width, 3), shade, np.uint8)


def said(lines: list[list[OCRLine]]) -> list[list[str]]:
    return [[line.text.split()[0] for line in each] for each in lines]


def test_what_was_read_once_is_not_read_again_and_is_the_same(tmp_path: Path) -> None:
    cache = RequestCache(tmp_path / "cache.sqlite")
    first = read_by(cache, Measuring(), [page(30), page(40)])
    again = Measuring()
    assert read_by(cache, again, [page(40), page(30), page(50)]) == [
        first[1],
        first[0],
        *read_pictures(Measuring(), [page(50)]),
    ]
    assert again.calls == [1]


def test_the_same_picture_in_one_call_is_read_once_however_it_is_given(tmp_path: Path) -> None:
    path = tmp_path / "page.png"
    path.write_bytes(encoded(drawn({})))
    engine = Measuring()
    found = read_pictures(engine, [page(30), path, page(30), path.read_bytes()])
    assert said(found) == [["30"], ["640"], ["30"], ["640"]]
    assert engine.calls == [2]
    found[0].clear()
    assert said(found)[2] == [["30"]][0]


def test_shape_and_content_tell_pictures_apart() -> None:
    engine = Measuring()
    turned = page(30).reshape(30, 20, 3)
    assert said(read_pictures(engine, [page(30), turned, page(30, shade=0)])) == [["30"], ["20"], ["30"]]
    assert engine.calls == [3]


def test_an_engine_with_other_options_has_lines_of_its_own() -> None:
    cache = RequestCache()
    read_by(cache, Measuring(), [page(30)])
    other = Measuring("mm")
    assert read_by(cache, other, [page(30)])[0][0].text.split()[3] == "mm"
    assert other.calls == [1]


def test_the_current_session_remembers_and_a_fresh_one_only_its_own(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"
    counts = []
    for fresh in (False, False, True):
        engine = Measuring()
        with Session(path, fresh=fresh):
            read_pictures(engine, [page(30)])
            read_pictures(engine, [page(30), page(31)])
        counts.append(engine.calls)
    assert counts == [[1, 1], [], [1, 1]]


def test_without_a_memory_pictures_are_read_each_time() -> None:
    engine = Measuring()
    read_pictures(engine, [page(30)])
    read_pictures(engine, [page(30)])
    assert (engine.calls, read_pictures(engine, [])) == ([1, 1], [])


def test_lines_are_stored_every_few_pictures_so_that_a_stop_loses_little() -> None:
    cache = RequestCache()
    with pytest.raises(InputError, match="no picture of a known format"):
        read_by(cache, Measuring(), [*(page(30 + n) for n in range(20)), b"not a picture"])
    engine = Measuring()
    read_by(cache, engine, [page(30 + n) for n in range(20)])
    assert sum(engine.calls) <= 8


@pytest.mark.parametrize(
    "text", ["", "null", "[[1]]", '[["a",0.5,1,2,3]]', '[["a",0.5,1,2,3,"x"]]', "[[7,0.5,1,2,3,4]]", "{", '["abcdef"]']
)
def test_a_damaged_entry_counts_as_not_there(text: str) -> None:
    cache = RequestCache()
    keys: list[str] = []
    put = cache.put
    cache.put = lambda key, reply: (keys.append(key), put(key, reply))[1]  # type: ignore[method-assign]
    good = read_by(cache, Measuring(), [page(30)])
    assert (cache.get(keys[0]).model, cache.get(keys[0]).origin) == ("measuring", "local")  # type: ignore[union-attr]
    put(keys[0], Reply(text))
    engine = Measuring()
    assert read_by(cache, engine, [page(30)]) == good
    assert engine.calls == [1]
    assert read_by(cache, engine, [page(30)]) == good
    assert engine.calls == [1]


class Full(RequestCache):
    """A cache on a full disk."""

    def put(self, key: str, reply: Reply) -> None:
        raise CacheError("The request cache cannot be used: database or disk is full.")


def test_on_a_full_disk_the_lines_are_given_and_a_warning_comes_once(caplog: pytest.LogCaptureFixture) -> None:
    engine, cache = Measuring(), Full()
    with caplog.at_level(logging.WARNING):
        assert said(read_by(cache, engine, [page(30), page(31)])) == [["30"], ["31"]]
        assert said(read_by(cache, engine, [page(30)])) == [["30"]]
    assert [record.getMessage() for record in caplog.records] == [
        "Lines read by OCR cannot be stored, so they may have to be read again. "
        "The request cache cannot be used: database or disk is full."
    ]


def test_a_record_that_is_no_reply_counts_as_not_there(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"
    cache = RequestCache(path)
    read_by(cache, Measuring(), [page(30)])
    cache.close()
    with sqlite3.connect(path) as database:
        database.execute("""UPDATE replies SET reply = '{"unknown": 1}'""")
    database.close()
    engine = Measuring()
    assert said(read_by(cache, engine, [page(30)])) == [["30"]]
    assert engine.calls == [1]


@pytest.mark.skipif(installed_version("rapidocr") is None, reason="rapidocr is not installed")
def test_what_rapidocr_reads_comes_back_from_memory_to_the_letter(tmp_path: Path) -> None:
    cache = RequestCache(tmp_path / "cache.sqlite")
    picture = pixels(drawn({(60, 60): "Number 310"}, size=(400, 160)))
    engine = RapidOCREngine()
    read = read_by(cache, engine, [picture])
    assert read_by(cache, engine, [picture]) == read == engine.read([picture])
