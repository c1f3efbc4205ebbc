"""OCR for every pipeline: one protocol, the engines behind it, and a memory of what was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataflow_ext.lazy import lazy_names

if TYPE_CHECKING:
    from dataflow_ext.ocr.choice import engine_of as engine_of
    from dataflow_ext.ocr.choice import must_be_usable as must_be_usable
    from dataflow_ext.ocr.easyocr import EasyOCREngine as EasyOCREngine
    from dataflow_ext.ocr.engine import ENGINES as ENGINES
    from dataflow_ext.ocr.engine import EngineName as EngineName
    from dataflow_ext.ocr.engine import OCREngine as OCREngine
    from dataflow_ext.ocr.engine import OCRLine as OCRLine
    from dataflow_ext.ocr.engine import Picture as Picture
    from dataflow_ext.ocr.memory import read_pictures as read_pictures
    from dataflow_ext.ocr.paddle import PaddleOCREngine as PaddleOCREngine
    from dataflow_ext.ocr.pictures import pixels_of as pixels_of
    from dataflow_ext.ocr.rapid import RapidOCREngine as RapidOCREngine

_HOME = {
    "ENGINES": "dataflow_ext.ocr.engine",
    "EasyOCREngine": "dataflow_ext.ocr.easyocr",
    "EngineName": "dataflow_ext.ocr.engine",
    "OCREngine": "dataflow_ext.ocr.engine",
    "OCRLine": "dataflow_ext.ocr.engine",
    "PaddleOCREngine": "dataflow_ext.ocr.paddle",
    "Picture": "dataflow_ext.ocr.engine",
    "RapidOCREngine": "dataflow_ext.ocr.rapid",
    "engine_of": "dataflow_ext.ocr.choice",
    "must_be_usable": "dataflow_ext.ocr.choice",
    "pixels_of": "dataflow_ext.ocr.pictures",
    "read_pictures": "dataflow_ext.ocr.memory",
}

__all__ = [*_HOME]

__getattr__ = lazy_names(__name__, _HOME)
