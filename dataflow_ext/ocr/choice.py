"""An engine by its name, for command lines."""

from __future__ import annotations

from typing import Any, Literal, get_args

from pydantic import ValidationError

from dataflow_ext.errors import OptionError
from dataflow_ext.ocr.paddle import PaddleOCREngine
from dataflow_ext.ocr.rapid import RapidOCREngine
from dataflow_ext.operator import explain

EngineName = Literal["rapidocr", "paddleocr"]

ENGINES: tuple[EngineName, ...] = get_args(EngineName)


def engine_of(name: str, **options: Any) -> RapidOCREngine | PaddleOCREngine:
    """The engine of that name with those options; nothing is loaded yet.

    Raises OptionError for another name, an option that it does not have, or a value that it cannot use.

    >>> engine_of("rapidocr", min_score=0.8).min_score
    0.8
    """
    if name not in ENGINES:
        raise OptionError(f"There is no OCR engine {name!r}; there are {' and '.join(ENGINES)}.")
    chosen = RapidOCREngine if name == "rapidocr" else PaddleOCREngine
    try:
        return chosen(**options)
    except ValidationError as error:
        raise OptionError(explain(chosen, error)) from None
