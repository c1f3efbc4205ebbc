"""The fonts that the pictures are lettered in, and a clear sentence when one of them is missing."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

import PIL
from PIL import ImageFont

FONTS = Path("/usr/share/fonts/truetype")
CHINESE = FONTS / "lxgw-wenkai/LXGWWenKai-Regular.ttf"
LATIN = FONTS / "dejavu/DejaVuSans.ttf"
INSTALL = "apt-get install -y fonts-lxgw-wenkai fonts-dejavu-core"


def missing() -> str:
    """What is missing and how to get it, as one sentence; empty when all fonts are there."""
    gone = [str(path) for path in (CHINESE, LATIN) if not path.is_file()]
    return f"The pictures need the fonts {', '.join(gone)}; on Debian: {INSTALL}" if gone else ""


def is_chinese(text: str) -> bool:
    """Whether a text holds a Chinese character."""
    return any("\u4e00" <= letter <= "\u9fff" for letter in text)


@lru_cache(64)
def font(chinese: bool, size: int) -> ImageFont.FreeTypeFont:
    """The font of that size in pixels."""
    return ImageFont.truetype(CHINESE if chinese else LATIN, size, layout_engine=ImageFont.Layout.BASIC)


def made_with() -> dict[str, str]:
    """What the bytes of the pictures depend on besides this code."""
    both = CHINESE.read_bytes() + LATIN.read_bytes()
    return {"pillow": PIL.__version__, "fonts": hashlib.sha256(both).hexdigest()}
