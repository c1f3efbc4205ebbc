"""Whether the machine has fonts: pdfium measures the letters of PDFs that embed none by them."""

from pathlib import Path

import pytest

_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "C:/Windows/Fonts")
_KINDS = {".ttf", ".ttc", ".otf", ".pfb"}

needs_fonts = pytest.mark.skipif(
    not any(path.suffix.lower() in _KINDS for folder in _FOLDERS for path in Path(folder).rglob("*")),
    reason="the machine has no fonts, by which a PDF that embeds none would be measured",
)
