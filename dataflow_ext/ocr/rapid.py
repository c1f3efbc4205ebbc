"""RapidOCR: PP-OCR models in ONNX, inside its wheel, for a CPU and without a network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from dataflow_ext.fingerprint import module_hash
from dataflow_ext.ocr.engine import Loaded, OCRLine, Picture, installed_version, must_be_installed
from dataflow_ext.ocr.pictures import pixels_of
from dataflow_ext.parallel import cores

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels
    from dataflow_ext.ocr.rapid_models import RapidModels

#: Pictures decoded at the same time; the pieces of text of all of them are read together.
_AT_ONCE = 8

_loaded: Loaded[RapidModels] = Loaded()


class RapidOCREngine(BaseModel):
    """Lines read by RapidOCR.

    ``threads`` are the processor threads that it may use; None takes the cores that this process may use,
    shared among the workers of a run. Text is looked for in the picture at ``detect_side`` pixels for its
    longer side; larger finds smaller letters and takes longer. ``batch`` pieces of text are read at once, and lines
    with a score below ``min_score`` are left out, as are, unread, those lower than the share ``least`` of the highest
    line in their picture. The models are loaded on first use in each process, once for all engines.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    threads: int | None = Field(default=None, ge=1)
    detect_side: int = Field(default=1440, ge=320, le=8000)
    batch: int = Field(default=6, ge=1, le=64)
    min_score: float = Field(default=0.5, ge=0.0, le=1.0)
    least: float = Field(default=0.0, ge=0.0, le=1.0)

    @property
    def name(self) -> str:
        """The name that records show."""
        return "rapidocr"

    def identity(self) -> Mapping[str, object]:
        """Engine, version, and the options that change lines."""
        options = self.model_dump(mode="json", exclude={"threads", "batch"})
        return {
            "engine": self.name,
            "version": installed_version("rapidocr"),
            "runtime": installed_version("onnxruntime"),
            "code": module_hash("dataflow_ext.ocr.rapid_models"),
            **options,
        }

    def read(self, pictures: Sequence[Picture]) -> list[list[OCRLine]]:
        """The lines of each picture, row by row; none where there is no text.

        Raises OptionError if RapidOCR is not installed, and InputError for what is no picture.
        """
        must_be_installed("rapidocr")
        found: list[list[OCRLine]] = []
        threads = self.threads or cores()
        with _loaded.use(threads, lambda: _load(threads)) as models:
            for start in range(0, len(pictures), _AT_ONCE):
                pixels = [pixels_of(picture) for picture in pictures[start : start + _AT_ONCE]]
                found += models.read(pixels, self.detect_side, self.batch, self.min_score, self.least)
        return found

    def read_digits(self, pieces: Sequence[Pixels]) -> list[tuple[str, float]]:
        """The digits that fill each piece of a picture, none is "", and how sure; text is not looked for first."""
        must_be_installed("rapidocr")
        threads = self.threads or cores()
        with _loaded.use(threads, lambda: _load(threads)) as models:
            return models.digits(pieces, self.batch)


def _load(threads: int) -> RapidModels:
    from dataflow_ext.ocr.rapid_models import RapidModels

    return RapidModels(threads)
