"""EasyOCR: the real one, by its own ``readtext``, on PyTorch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from dataflow_ext.errors import OCRError, OptionError
from dataflow_ext.ocr.engine import Loaded, OCRLine, Picture, installed_version, must_be_installed
from dataflow_ext.ocr.pictures import pixels_of

_loaded: Loaded[Any] = Loaded()


class EasyOCREngine(BaseModel):
    """Lines read by EasyOCR.

    ``languages`` are EasyOCR's own names, as a list or parted by commas; most combine with English alone. Its models
    are files that lie in the folder ``models``, or without one where EasyOCR looks (``~/.EasyOCR/model``);
    ``download`` lets it fetch those that are missing. ``detect_side`` bounds the longer side, in pixels, at which text
    is looked for. ``gpu`` lets it use one. Lines with a score below ``min_score`` are left out. The models are loaded
    on first use in each process.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    languages: tuple[str, ...] = Field(default=("ch_sim", "en"), min_length=1)
    models: Path | None = None
    download: bool = False
    gpu: bool = False
    detect_side: int = Field(default=2560, ge=32)
    min_score: float = Field(default=0.5, ge=0.0, le=1.0)

    @field_validator("languages", mode="before")
    @classmethod
    def _names(cls, languages: Any) -> Any:
        """A command line gives one text, such as "ch_sim,en"."""
        return tuple(filter(None, languages.replace(" ", "").split(","))) if isinstance(languages, str) else languages

    @model_validator(mode="after")
    def _folder_is_there(self) -> EasyOCREngine:
        # Without this EasyOCR makes an empty folder and then misses its models there.
        if self.models is not None and not self.download and not self.models.is_dir():
            raise OptionError(f"models is {self.models}, which is no folder; give the one that holds EasyOCR's models.")
        return self

    @property
    def name(self) -> str:
        """The name that records show."""
        return "easyocr"

    def identity(self) -> Mapping[str, object]:
        """Engine, version and the options that change lines; of models EasyOCR itself takes only its version's own."""
        options = self.model_dump(mode="json", exclude={"models", "download", "gpu"})
        return {"engine": self.name, "version": installed_version("easyocr"), **options}

    def read(self, pictures: Sequence[Picture]) -> list[list[OCRLine]]:
        """The lines of each picture, in EasyOCR's order; none where there is no text.

        Raises OptionError if EasyOCR is not installed, OCRError if it cannot start, and InputError for what is no
        picture.
        """
        found: list[list[OCRLine]] = []
        with _loaded.use(self, self._load) as reader:
            for picture in pictures:
                # It takes arrays as OpenCV's, blue first.
                bgr = pixels_of(picture)[:, :, ::-1].copy()
                found.append(lines_of(reader.readtext(bgr, canvas_size=self.detect_side), self.min_score))
        return found

    def _load(self) -> Any:
        must_be_installed("easyocr")
        try:
            import easyocr

            return easyocr.Reader(
                list(self.languages),
                gpu=self.gpu,
                model_storage_directory=None if self.models is None else str(self.models),
                download_enabled=self.download,
                verbose=False,
            )
        except FileNotFoundError as error:
            where = "~/.EasyOCR/model" if self.models is None else self.models
            raise OCRError(
                f"EasyOCR has no models for {', '.join(self.languages)} ({error}); put their files into {where}, name "
                "their folder with models=…, or let it fetch them once with download=true."
            ) from error
        except Exception as error:  # its checks of languages, files and the network raise all kinds
            raise OCRError(f"EasyOCR cannot start: {str(error).strip() or type(error).__name__}.") from error


def lines_of(results: Iterable[Sequence[Any]], min_score: float = 0.0) -> list[OCRLine]:
    """The lines in what EasyOCR's ``readtext`` gives for one picture: four corners, text and score of each.

    >>> lines_of([([[1, 2], [30, 4], [29, 40], [0, 38]], "A", 0.98)])
    [OCRLine(text='A', score=0.98, box=(0.0, 2.0, 30.0, 40.0))]
    """
    lines = []
    for corners, text, score in results:
        if text.strip() and score >= min_score:
            across, down = [float(x) for x, _ in corners], [float(y) for _, y in corners]
            lines.append(OCRLine(text, round(float(score), 4), (min(across), min(down), max(across), max(down))))
    return lines
