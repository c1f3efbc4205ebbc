"""Pictures of a request, as bytes for cache keys and as URLs for the wire."""

from __future__ import annotations

import base64
from pathlib import Path

from dataflow_ext.errors import ModelError

_URL_STARTS = ("http://", "https://", "data:")

_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"BM", "image/bmp"),
)


def picture_bytes(image: bytes | str) -> bytes:
    """What identifies a picture: its encoded bytes, read from the file for a path; a URL's own text."""
    if isinstance(image, bytes):
        return image
    if image.startswith(_URL_STARTS):
        return image.encode()
    try:
        return Path(image).read_bytes()
    except OSError as error:
        raise ModelError(f"The request's picture {image!r} cannot be read: {error.strerror}.") from error


def picture_url(image: bytes | str) -> str:
    """The picture as a URL that can be sent: itself if it is one, else its bytes as a ``data:`` URL.

    >>> picture_url(bytes.fromhex("ffd8ff"))
    'data:image/jpeg;base64,/9j/'
    """
    if isinstance(image, str) and image.startswith(_URL_STARTS):
        return image
    data = picture_bytes(image)
    return f"data:{_media_type(data)};base64,{base64.b64encode(data).decode('ascii')}"


def _media_type(data: bytes) -> str:
    for start, media_type in _SIGNATURES:
        if data.startswith(start):
            return media_type
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    raise ModelError("A request's picture is neither PNG, JPEG, GIF, BMP nor WebP; convert it first.")
