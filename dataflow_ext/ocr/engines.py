"""The engines: RapidOCR, PaddleOCR and EasyOCR, the real ones by their own calls, and each by its name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from dataflow_ext.errors import OCRError, OptionError
from dataflow_ext.fingerprint import module_hash
from dataflow_ext.fingerprint.content import file_hash
from dataflow_ext.identity import short_hash
from dataflow_ext.ocr.engine import (
    ENGINES,
    Loaded,
    OCREngine,
    OCRLine,
    Picture,
    installed_version,
    must_be_installed,
    pixels_of,
)
from dataflow_ext.operator import explain
from dataflow_ext.parallel import cores

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels
    from dataflow_ext.ocr.rapid_models import RapidModels

#: Pictures decoded at the same time; the pieces of text of all of them are read together.
_AT_ONCE = 8

_rapid: Loaded[RapidModels] = Loaded()


class RapidOCREngine(BaseModel):
    """Lines read by RapidOCR.

    ``threads`` are the processor threads that it may use; None takes the cores that this process may use,
    shared among the workers of a run. Text is looked for in the picture at ``detect_side`` pixels for its
    longer side; larger finds smaller letters and takes longer. ``batch`` pieces of text are read at once, and lines
    with a score below ``min_score`` are left out, as are, unread, those lower than the share ``least`` of the highest
    line in their picture. The models are loaded on first use in each process, once for all engines.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    #: The name that records show.
    name: ClassVar[str] = "rapidocr"

    threads: int | None = Field(default=None, ge=1)
    detect_side: int = Field(default=1440, ge=320, le=8000)
    batch: int = Field(default=6, ge=1, le=64)
    min_score: float = Field(default=0.5, ge=0.0, le=1.0)
    least: float = Field(default=0.0, ge=0.0, le=1.0)

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
        with _rapid.use(threads, lambda: _load(threads)) as models:
            for start in range(0, len(pictures), _AT_ONCE):
                pixels = [pixels_of(picture) for picture in pictures[start : start + _AT_ONCE]]
                found += models.read(pixels, self.detect_side, self.batch, self.min_score, self.least)
        return found

    def read_digits(self, pieces: Sequence[Pixels]) -> list[tuple[str, float]]:
        """The digits that fill each piece of a picture, none is "", and how sure; text is not looked for first."""
        must_be_installed("rapidocr")
        threads = self.threads or cores()
        with _rapid.use(threads, lambda: _load(threads)) as models:
            return models.digits(pieces, self.batch)


def _load(threads: int) -> RapidModels:
    from dataflow_ext.ocr.rapid_models import RapidModels

    return RapidModels(threads)


_paddle: Loaded[Any] = Loaded()
#: What PaddleOCR would do beside, to each picture.
_UNUSED = {"use_doc_orientation_classify": False, "use_doc_unwarping": False, "use_textline_orientation": False}


class PaddleOCREngine(BaseModel):
    """Lines read by PaddleOCR.

    Without options it is ``PaddleOCR()``, which fetches its models from a hub when it is first used.
    ``runtime`` is what runs them, such as "onnxruntime"; ``detection_model`` and ``recognition_model`` are
    the models' names, and ``detection_dir`` and ``recognition_dir`` the folders that hold them: give both folders
    to stay off the network. ``detect_side`` bounds the longer side, in pixels, at which text is looked for.
    Lines with a score below ``min_score`` are left out. The models are loaded on first use in each process.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: ClassVar[str] = "paddleocr"

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
        with _paddle.use(self, self._load) as reader:
            return [paddle_lines(reader.predict(_bgr(each), **_UNUSED), self.min_score) for each in pictures]

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
        return {name: value for name, value in options.items() if value is not None} | _UNUSED


def paddle_lines(results: Iterable[Mapping[str, Any]], min_score: float = 0.0) -> list[OCRLine]:
    """The lines in what PaddleOCR's ``predict`` gives for one picture: a list of results.

    >>> paddle_lines([{"rec_texts": ["A"], "rec_scores": [0.98], "rec_boxes": [[1, 2, 30, 40]]}])
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
    """What a model's folder holds, as a hash."""
    if folder is None:
        return None
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return short_hash(*(part for path in files for part in (path.name, file_hash(path))))


_easyocr: Loaded[Any] = Loaded()


class EasyOCREngine(BaseModel):
    """Lines read by EasyOCR.

    ``languages`` are EasyOCR's own names, as a list or parted by commas; most combine with English alone. Its models
    are files that lie in the folder ``models``, or without one where EasyOCR looks (``~/.EasyOCR/model``);
    ``download`` lets it fetch those that are missing. ``detect_side`` bounds the longer side, in pixels, at which text
    is looked for. ``gpu`` lets it use one. Lines with a score below ``min_score`` are left out. The models are loaded
    on first use in each process.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: ClassVar[str] = "easyocr"

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

    def identity(self) -> Mapping[str, object]:
        """Engine, version and the options that change lines; of models EasyOCR itself takes only its version's own."""
        options = self.model_dump(mode="json", exclude={"models", "download", "gpu"})
        return {"engine": self.name, "version": installed_version("easyocr"), **options}

    def read(self, pictures: Sequence[Picture]) -> list[list[OCRLine]]:
        """The lines of each picture, in EasyOCR's order; none where there is no text.

        Raises OptionError if EasyOCR is not installed, OCRError if it cannot start, and InputError for what is no
        picture.
        """
        with _easyocr.use(self, self._load) as reader:
            read = (reader.readtext(_bgr(each), canvas_size=self.detect_side) for each in pictures)
            return [easyocr_lines(lines, self.min_score) for lines in read]

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


def easyocr_lines(results: Iterable[Sequence[Any]], min_score: float = 0.0) -> list[OCRLine]:
    """The lines in what EasyOCR's ``readtext`` gives for one picture: four corners, text and score of each.

    >>> easyocr_lines([([[1, 2], [30, 4], [29, 40], [0, 38]], "A", 0.98)])
    [OCRLine(text='A', score=0.98, box=(0.0, 2.0, 30.0, 40.0))]
    """
    lines = []
    for corners, text, score in results:
        if text.strip() and score >= min_score:
            across, down = [float(x) for x, _ in corners], [float(y) for _, y in corners]
            lines.append(OCRLine(text, round(float(score), 4), (min(across), min(down), max(across), max(down))))
    return lines


def _bgr(picture: Picture) -> Pixels:
    """A picture as OpenCV has it, blue first."""
    return pixels_of(picture)[:, :, ::-1].copy()


Engine: TypeAlias = RapidOCREngine | PaddleOCREngine | EasyOCREngine

#: By their names, which are those of their packages.
_KINDS: dict[str, type[Engine]] = {
    "rapidocr": RapidOCREngine,
    "paddleocr": PaddleOCREngine,
    "easyocr": EasyOCREngine,
}


def engine_of(name: str, **options: Any) -> Engine:
    """The engine of that name with those options; nothing is loaded yet.

    Raises OptionError for another name, an option that it does not have, or a value that it cannot use.

    >>> engine_of("rapidocr", min_score=0.8).min_score
    0.8
    """
    if name not in ENGINES:
        raise OptionError(f"There is no OCR engine {name!r}; there are {', '.join(ENGINES[:-1])} and {ENGINES[-1]}.")
    chosen = _KINDS[name]
    try:
        return chosen(**options)
    except ValidationError as error:
        raise OptionError(explain(chosen, error)) from None


def must_be_usable(engine: OCREngine) -> None:
    """Raise OptionError, with what to install, for an engine of ours whose package is not there.

    This is known before anything is loaded or paid for; engines of others pass.
    """
    for package, kind in _KINDS.items():
        if isinstance(engine, kind):
            must_be_installed(package)
