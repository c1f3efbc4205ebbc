"""Pictures as PNG files, written with fixed settings."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from operators.scene.painter.canvas import Pixels

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: Fast, and on such pictures hardly larger than the best.
_LEVEL = 6


def png(picture: Pixels) -> bytes:
    """The file of a picture of height x width x 3 (RGB).

    The same pixels give the same bytes wherever zlib is the same; its rebuilt versions pack a little differently.
    """
    import numpy as np

    height, width, _ = picture.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    rows[:, 1:] = picture.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), _LEVEL)), (b"IEND", b""))
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )
