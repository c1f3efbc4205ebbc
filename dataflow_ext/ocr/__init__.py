"""OCR for every pipeline: one protocol, the engines behind it, and a memory of what was read."""

from dataflow_ext.ocr.engine import OCREngine, OCRLine, Picture

__all__ = ["OCREngine", "OCRLine", "Picture"]
