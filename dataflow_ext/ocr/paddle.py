"""PaddleOCR: the real one, by its own ``predict``, on PaddlePaddle or on onnxruntime."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from dataflow_ext.errors import OCRError, OptionError
from dataflow_ext.ocr.engine import Loaded, OCRLine, Picture, installed_version, must_be_installed
from dataflow_ext.ocr.pictures import pixels_of

_loaded: Loaded[Any] = Loaded()


class PaddleOCREngine(BaseModel):
    """Lines read by PaddleOCR.

    Without options it is ``PaddleOCR()``, which fetches its models from a hub when it is first used.
    ``runtime`` is what runs them, such as "onnxruntime"; ``detection_model`` and ``recognition_model`` are
    the models' names, and ``detection_dir`` and ``recognition_dir`` the folders that hold them: give both folders
    to stay off the network. ``detect_side`` bounds the longer side, in pixels, at which text is looked for.
    Lines with a score below ``min_score`` are left out. The models are loaded on first use in each process.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    runtime: str | None = None
    detection_model: str | None = None
    detection_dir: Path | None = None
    recognition_model: str | None = None
    recognition_dir: Path | None = None
    language: str | None = None
    detect_side: int | None = Field(default=None, ge=32)
    threads: int | None = Field(default=None, ge=1)
    min_score: float = Field(default=0.5, ge=0.0, le=1.0)

    @model_validator(mode="after")
    def _folders_are_there(self) -> PaddleOCREngine:
        for option in ("detection_dir", "recognition_dir"):
            folder = getattr(self, option)
            if folder is not None and not folder.is_dir():
                raise OptionError(f"{option} is {folder}, which is no folder; give the one that holds the model.")
        return self

    @property
    def name(self) -> str:
        """The name that records show."""
        return "paddleocr"

    def identity(self) -> Mapping[str, object]:
        """Engine, version, and the options that change lines; models in folders count by their content."""
        options = self.model_dump(mode="json", exclude={"threads", "detection_dir", "recognition_dir"})
        contents = [_content(folder) for folder in (self.detection_dir, self.recognition_dir)]
        return {"engine": self.name, "version": installed_version("paddleocr"), **options, "models": contents}

    def read(self, pictures: Sequence[Picture]) -> list[list[OCRLine]]:
        """The lines of each picture, in PaddleOCR's order; none where there is no text.

        Raises OptionError if PaddleOCR is not installed, OCRError if it cannot start, and InputError for what is no
        picture.
        """
        found: list[list[OCRLine]] = []
        with _loaded.use(self, self._load) as reader:
            for picture in pictures:
                bgr = pixels_of(picture)[:, :, ::-1].copy()
                results = reader.predict(
                    bgr, use_doc_orientation_classify=False, use_doc_unwarping=False, use_textline_orientation=False
                )
                found.append(lines_of(results, self.min_score))
        return found

    def _load(self) -> Any:
        must_be_installed("paddleocr")
        try:
            from paddleocr import PaddleOCR

            return PaddleOCR(**self._options())
        except Exception as error:  # its own checks of options, packages and the network raise all kinds
            raise OCRError(
                f"PaddleOCR cannot start ({str(error).strip() or type(error).__name__}); without a network give "
                "the models' folders, and without PaddlePaddle runtime='onnxruntime'."
            ) from error

    def _options(self) -> dict[str, object]:
        options: dict[str, object] = {
            "engine": self.runtime,
            "text_detection_model_name": self.detection_model,
            "text_detection_model_dir": _text(self.detection_dir),
            "text_recognition_model_name": self.recognition_model,
            "text_recognition_model_dir": _text(self.recognition_dir),
            "lang": self.language,
            "text_det_limit_side_len": self.detect_side,
            "text_det_limit_type": None if self.detect_side is None else "max",
            "cpu_threads": self.threads,
        }
        given = {name: value for name, value in options.items() if value is not None}
        unused = ("use_doc_orientation_classify", "use_doc_unwarping", "use_textline_orientation")
        return given | dict.fromkeys(unused, False)


def lines_of(results: Iterable[Mapping[str, Any]], min_score: float = 0.0) -> list[OCRLine]:
    """The lines in what PaddleOCR's ``predict`` gives for one picture: a list of results.

    >>> lines_of([{"rec_texts": ["A"], "rec_scores": [0.98], "rec_boxes": [[1, 2, 30, 40]]}])
    [OCRLine(text='A', score=0.98, box=(1.0, 2.0, 30.0, 40.0))]
    """
    lines = []
    for result in results:
        for text, score, box in zip(result["rec_texts"], result["rec_scores"], result["rec_boxes"], strict=True):
            if text.strip() and score >= min_score:
                x0, y0, x1, y1 = map(float, box)
                lines.append(OCRLine(text, round(float(score), 4), (x0, y0, x1, y1)))
    return lines


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)


def _content(folder: Path | None) -> str | None:
    """What a model's folder holds, as SHA-256 in hex."""
    if folder is None:
        return None
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return _digest(tuple((path, path.stat().st_size, path.stat().st_mtime_ns) for path in files))


@lru_cache
def _digest(files: tuple[tuple[Path, int, int], ...]) -> str:
    whole = hashlib.sha256()
    for path, size, _ in files:
        whole.update(f"{path.name}:{size}:".encode())
        whole.update(path.read_bytes())
    return whole.hexdigest()
