"""An engine by its name, for command lines."""

from __future__ import annotations

from typing import Any, TypeAlias

from pydantic import ValidationError

from dataflow_ext.errors import OptionError
from dataflow_ext.ocr.easyocr import EasyOCREngine
from dataflow_ext.ocr.engine import ENGINES, OCREngine, must_be_installed
from dataflow_ext.ocr.paddle import PaddleOCREngine
from dataflow_ext.ocr.rapid import RapidOCREngine
from dataflow_ext.operator import explain

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
