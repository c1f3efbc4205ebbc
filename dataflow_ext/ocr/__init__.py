"""OCR for every pipeline: one protocol, the engines behind it, and a memory of what was read."""

from dataflow_ext.ocr.choice import ENGINES, EngineName, engine_of, must_be_usable
from dataflow_ext.ocr.easyocr import EasyOCREngine
from dataflow_ext.ocr.engine import OCREngine, OCRLine, Picture
from dataflow_ext.ocr.memory import read_pictures
from dataflow_ext.ocr.paddle import PaddleOCREngine
from dataflow_ext.ocr.pictures import pixels_of
from dataflow_ext.ocr.rapid import RapidOCREngine

__all__ = [
    "ENGINES",
    "EasyOCREngine",
    "EngineName",
    "OCREngine",
    "OCRLine",
    "PaddleOCREngine",
    "Picture",
    "RapidOCREngine",
    "engine_of",
    "must_be_usable",
    "pixels_of",
    "read_pictures",
]
