"""The OCR engines' names, which are those of their packages."""

from __future__ import annotations

from typing import Literal, get_args

EngineName = Literal["rapidocr", "paddleocr", "easyocr"]

ENGINES: tuple[EngineName, ...] = get_args(EngineName)
