"""EasyOCR: what is asked of it and what is made of its results, with a stand-in for the package, which needs PyTorch."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from dataflow_ext.errors import OCRError, OptionError
from dataflow_ext.ocr import EasyOCREngine, OCREngine, OCRLine, engine, engine_of, must_be_usable
from dataflow_ext.ocr.engines import easyocr_lines
from tests.ocr.drawn import drawn, pixels

#: As ``readtext`` gives them: corners clockwise from the top left, of ints or, for slanting text, floats.
RESULTS = [
    ([[np.int32(40), np.int32(31)], [np.int32(150), np.int32(31)], [150, 70], [40, 70]], "m=6kg", np.float64(0.98761)),
    ([[10.5, 100.0], [60.0, 90.25], [65.0, 110.0], [12.0, 120.5]], "滑轮", 0.71),
    ([[1, 1], [9, 1], [9, 9], [1, 9]], "~", 0.04),
    ([[1, 1], [9, 1], [9, 9], [1, 9]], " ", 0.99),
]


class Reader:
    """Stands in for ``easyocr.Reader``; notes what it is given."""

    made: list[Reader]
    missing: Exception | None = None

    def __init__(self, languages: list[str], **options: Any) -> None:
        if self.missing is not None:
            raise self.missing
        self.languages, self.options, self.pictures = languages, options, []
        type(self).made.append(self)

    def readtext(self, image: np.ndarray, **options: Any) -> list[Any]:
        self.pictures.append((image.shape, tuple(int(n) for n in image[0, 0]), options))
        return RESULTS if image.min() < image.max() else []


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> type[Reader]:
    package = ModuleType("easyocr")
    kind = type("Reader", (Reader,), {"made": []})
    package.Reader = kind  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "easyocr", package)
    monkeypatch.setattr(engine, "version", lambda package: "1.7.2")
    return kind


def test_results_become_lines_and_weak_or_blank_ones_are_left_out() -> None:
    found = easyocr_lines(RESULTS, 0.5)
    assert found == [
        OCRLine("m=6kg", 0.9876, (40.0, 31.0, 150.0, 70.0)),
        OCRLine("滑轮", 0.71, (10.5, 90.25, 65.0, 120.5)),
    ]
    assert {type(value) for line in found for value in (line.score, *line.box)} == {float}
    assert easyocr_lines([]) == []


def test_models_are_loaded_once_without_a_network_and_pictures_are_given_blue_first(
    reader: type[Reader], tmp_path: Path
) -> None:
    engine = EasyOCREngine(languages=("en",), models=tmp_path, detect_side=1000)
    red = pixels(drawn({(20, 20): "m=6kg"})).copy()
    red[0, 0] = (255, 0, 0)
    lined, blank = engine.read([red, np.full((20, 30, 3), 255, np.uint8)])
    engine.read([red])
    assert ([line.text for line in lined], blank) == (["m=6kg", "滑轮"], [])
    [made] = reader.made
    assert made.languages == ["en"] and made.options == {
        "gpu": False,
        "model_storage_directory": str(tmp_path),
        "download_enabled": False,
        "verbose": False,
    }
    assert made.pictures[0] == ((240, 640, 3), (0, 0, 255), {"canvas_size": 1000})


def test_models_that_are_missing_are_told_with_where_they_must_lie(reader: type[Reader], tmp_path: Path) -> None:
    reader.missing = FileNotFoundError("Missing craft_mlt_25k.pth and downloads disabled")
    with pytest.raises(
        OCRError, match=r"no models for ch_sim, en \(Missing craft.*into ~/\.EasyOCR/model, .*download=tr"
    ):
        EasyOCREngine(min_score=0.11).read([pixels(drawn({}))])
    reader.missing = ValueError({"xx"}, "is not supported")
    with pytest.raises(OCRError, match=r"EasyOCR cannot start: .*is not supported"):
        EasyOCREngine(languages=("xx",)).read([pixels(drawn({}))])


def test_a_folder_that_is_not_there_is_refused_at_once_unless_models_may_be_fetched_into_it(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"models is .*, which is no folder"):
        engine_of("easyocr", models=tmp_path / "none")
    assert engine_of("easyocr", models=tmp_path / "none", download=True).models == tmp_path / "none"


def test_an_engine_is_a_value_that_is_chosen_by_name_and_can_be_pickled() -> None:
    engine = engine_of("easyocr", languages=["en"], min_score=0.2)
    assert engine == EasyOCREngine(languages=("en",), min_score=0.2) == pickle.loads(pickle.dumps(engine))
    assert isinstance(engine, OCREngine)
    assert engine_of("easyocr", languages="ch_sim, en", download="true", gpu="false") == EasyOCREngine(download=True)
    same = [EasyOCREngine(), EasyOCREngine(gpu=True), EasyOCREngine(download=True)]
    assert len({str(each.identity()) for each in same}) == 1
    assert EasyOCREngine(languages=("en",)).identity() != EasyOCREngine().identity()


def test_without_easyocr_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def not_there(package: str) -> str:
        raise engine.PackageNotFoundError(package)

    monkeypatch.setattr(engine, "version", not_there)
    told = r"EasyOCR is not installed; .* -m pip install 'rowsmith\[easyocr\]'$"
    with pytest.raises(OptionError, match=told):
        EasyOCREngine(detect_side=999).read([pixels(drawn({}))])
    for name, words in (("easyocr", told), ("rapidocr", r"'rowsmith\[ocr\]'$"), ("paddleocr", r"\[paddleocr\]'$")):
        with pytest.raises(OptionError, match=words):
            must_be_usable(engine_of(name))
