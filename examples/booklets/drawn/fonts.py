"""The fonts that the booklets are set in, and a clear sentence when one of them is missing."""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass
from pathlib import Path

import PIL
import reportlab
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

FONTS = Path("/usr/share/fonts/truetype")
FILES = {
    "Kai": FONTS / "lxgw-wenkai/LXGWWenKai-Regular.ttf",  # OFL; Chinese, Latin and signs in one TrueType font
    "Kai-Bold": FONTS / "lxgw-wenkai/LXGWWenKai-Bold.ttf",
    "Serif": FONTS / "dejavu/DejaVuSerif.ttf",
    "Serif-Bold": FONTS / "dejavu/DejaVuSerif-Bold.ttf",
}
INSTALL = "apt-get install -y fonts-lxgw-wenkai fonts-dejavu-core"


@dataclass(frozen=True, slots=True)
class Face:
    """A text face: its plain and its bold font."""

    plain: str
    bold: str


ENGLISH = Face("Serif", "Serif-Bold")
CHINESE = Face("Kai", "Kai-Bold")


def missing() -> str:
    """What is missing and how to get it, as one sentence; empty when all fonts are there."""
    gone = [str(path) for path in FILES.values() if not path.is_file()]
    return f"The booklets need the fonts {', '.join(gone)}; on Debian: {INSTALL}" if gone else ""


def register() -> None:
    """Makes the fonts known to reportlab."""
    for name, path in FILES.items():
        pdfmetrics.registerFont(TTFont(name, str(path)))


def made_with() -> dict[str, str]:
    """What the bytes of the drawn files depend on besides this code."""
    fonts = b"".join(path.read_bytes() for path in FILES.values())
    return {
        "reportlab": reportlab.__version__,
        "pillow": PIL.__version__,
        "zlib": zlib.ZLIB_RUNTIME_VERSION,
        "fonts": hashlib.sha256(fonts).hexdigest(),
    }
