"""OCR for every pipeline: one protocol, the engines behind it, and a memory of what was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataflow_ext.lazy import lazy_names, offered

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import ENGINES as ENGINES
    from dataflow_ext.ocr.engine import EngineName as EngineName
    from dataflow_ext.ocr.engine import OCREngine as OCREngine
    from dataflow_ext.ocr.engine import OCRLine as OCRLine
    from dataflow_ext.ocr.engine import Picture as Picture
    from dataflow_ext.ocr.engine import pixels_of as pixels_of
    from dataflow_ext.ocr.engines import EasyOCREngine as EasyOCREngine
    from dataflow_ext.ocr.engines import PaddleOCREngine as PaddleOCREngine
    from dataflow_ext.ocr.engines import RapidOCREngine as RapidOCREngine
    from dataflow_ext.ocr.engines import engine_of as engine_of
    from dataflow_ext.ocr.engines import must_be_usable as must_be_usable
    from dataflow_ext.ocr.memory import read_pictures as read_pictures

_HOME = offered(__spec__)

__all__ = [*_HOME]

__getattr__ = lazy_names(__name__, _HOME)
