"""RapidOCR, the real one, on pictures drawn here."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from PIL import ImageDraw

from dataflow_ext.errors import OptionError
from dataflow_ext.ocr import OCREngine, RapidOCREngine, engine
from tests.ocr.drawn import drawn, encoded, pixels

ENGINE = RapidOCREngine()

needs_rapidocr = pytest.mark.skipif(engine.installed_version("rapidocr") is None, reason="rapidocr is not installed")


def words(engine: OCREngine, *pictures) -> list[list[str]]:
    return [[line.text.replace(" ", "") for line in lines] for lines in engine.read(pictures)]


@needs_rapidocr
def test_text_is_read_where_it_stands() -> None:
    [[line]] = ENGINE.read([pixels(drawn({(200, 90): "Total 1234"}))])
    assert line.text.replace(" ", "") == "Total1234"
    assert 0.9 < line.score <= 1
    x0, y0, x1, y1 = line.box
    assert 185 <= x0 <= 205 and 75 <= y0 <= 105 and 380 <= x1 <= 430 and 120 <= y1 <= 150


@needs_rapidocr
def test_several_pictures_are_read_at_once_and_keep_their_order_and_a_blank_one_has_no_lines() -> None:
    blank = np.full((200, 300, 3), 255, np.uint8)
    noted = pixels(drawn({(40, 40): "Length 52", (40, 140): "Width 31"}))
    other = pixels(drawn({(60, 20): "B. 907"}, size=(300, 100)))
    assert words(ENGINE, noted, blank, other) == [["Length52", "Width31"], [], ["B.907"]]
    assert ENGINE.read([]) == []


@needs_rapidocr
def test_what_is_read_does_not_depend_on_what_it_is_read_with() -> None:
    texts = ("7.", "Number 310", "Number 452 of all", "C")
    pictures = [pixels(drawn({(30, 60): text}, size=(480, 160))) for text in texts]
    together = ENGINE.read(pictures)
    assert together == [ENGINE.read([picture])[0] for picture in pictures]
    assert together == RapidOCREngine(batch=1).read(pictures)


@needs_rapidocr
def test_bytes_a_file_and_pixels_give_the_same_lines(tmp_path: Path) -> None:
    image = drawn({(30, 60): "Question 18"})
    path = tmp_path / "page.png"
    path.write_bytes(encoded(image))
    as_file, as_bytes, as_pixels = ENGINE.read([path, path.read_bytes(), pixels(image)])
    assert [line.text for line in as_file] == ["Question 18"]
    assert as_file == as_bytes == as_pixels


@needs_rapidocr
def test_digits_of_stacked_fractions_and_lone_labels_are_found_on_a_page() -> None:
    # A page of the size that A4 has at 200 dpi, with letters of 10 points.
    image = drawn(
        {(150, 300): "7. The area of the part is", (640, 282): "9", (640, 322): "24", (700, 300): "of it"},
        size=(1654, 2339),
        letters=28,
    )
    draw = ImageDraw.Draw(image)
    draw.line((632, 318, 682, 318), fill="black", width=2)
    draw.text((150, 900), "8.", fill="black", font_size=28)
    draw.text((800, 1500), "C", fill="black", font_size=28)
    [found] = words(ENGINE, pixels(image))
    assert sorted(found) == sorted(["7.Theareaofthepartis", "9", "24", "ofit", "8.", "C"])


@needs_rapidocr
def test_a_lone_one_is_read_though_it_is_as_narrow_as_text_that_stands_upright() -> None:
    image = drawn({(100, 100): "1", (400, 100): "11", (250, 100): "I"}, letters=48)
    [found] = words(ENGINE, pixels(image))
    assert [text for text in found if text in ("1", "11")] == ["1", "11"]


@needs_rapidocr
def test_the_options_of_one_engine_do_not_stick_to_another() -> None:
    picture = pixels(drawn({(200, 90): "Total 1234"}))
    before = ENGINE.read([picture])
    assert RapidOCREngine(min_score=1.0).read([picture]) == [[]]
    assert ENGINE.read([picture]) == before != [[]]


@needs_rapidocr
def test_threads_may_share_an_engine() -> None:
    pictures = [pixels(drawn({(60, 60): f"Number {n}"}, size=(400, 160))) for n in (310, 457, 628)]
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda picture: words(ENGINE, picture), pictures))
    assert found == [[["Number310"]], [["Number457"]], [["Number628"]]]


def _read_in_child(answers: multiprocessing.SimpleQueue) -> None:
    answers.put(words(ENGINE, pixels(drawn({(60, 60): "Number 310"}, size=(400, 160)))))


@needs_rapidocr
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_fork_loads_models_of_its_own() -> None:
    ENGINE.read([pixels(drawn({(60, 60): "Number 310"}, size=(400, 160)))])
    fork = multiprocessing.get_context("fork")
    answers = fork.SimpleQueue()
    child = fork.Process(target=_read_in_child, args=(answers,))
    child.start()
    child.join(60)
    assert child.exitcode == 0
    assert answers.get() == [["Number310"]]


def test_an_engine_is_a_value_that_can_be_pickled() -> None:
    engine = RapidOCREngine(threads=1, detect_side=960)
    assert pickle.loads(pickle.dumps(engine)) == engine
    assert isinstance(engine, OCREngine)


@needs_rapidocr
def test_the_identity_holds_what_changes_lines_and_nothing_else() -> None:
    assert RapidOCREngine(threads=1, batch=2).identity() == ENGINE.identity()
    others = [RapidOCREngine(detect_side=960), RapidOCREngine(min_score=0.7), ENGINE]
    assert len({str(engine.identity()) for engine in others}) == 3
    assert ENGINE.identity()["version"] == engine.installed_version("rapidocr")


def test_without_rapidocr_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "version", _not_there)
    with pytest.raises(OptionError, match=r"RapidOCR is not installed; .* -m pip install 'rowsmith\[ocr\]'$"):
        RapidOCREngine(detect_side=999).read([pixels(drawn({}))])
    assert RapidOCREngine().identity()["version"] is None


def _not_there(package: str) -> str:
    raise engine.PackageNotFoundError(package)


def test_nothing_heavy_is_loaded_before_the_first_picture() -> None:
    # Arrow loads numpy wherever it is installed.
    code = (
        "import sys; from dataflow_ext.ocr import RapidOCREngine, PaddleOCREngine; RapidOCREngine(); PaddleOCREngine()\n"
        "print(sorted({'cv2', 'onnxruntime', 'rapidocr', 'paddleocr', 'PIL'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
