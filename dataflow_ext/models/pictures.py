"""Pictures of a request: as bytes for cache keys, as URLs for the wire, as tokens for estimates."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from dataflow_ext.models.errors import BadPictureError, PictureError
from dataflow_ext.pictures import Malformed, format_of, of_8_bits, without_metadata

if TYPE_CHECKING:
    from PIL.Image import Image

_URL_STARTS = ("http://", "https://", "data:")

#: The formats that servers take.
_TAKEN = ("PNG", "JPEG", "GIF", "WEBP")

#: Tokens of a picture whose size is not known; servers charge from about 100 to 1,600, by size.
UNKNOWN_TOKENS = 1_000
_PIXELS_PER_TOKEN = 750
_MOST_TOKENS = 1_600

_ORIENTATION = 0x0112
_JPEG_QUALITY = 90


def picture_bytes(image: bytes | str) -> bytes:
    """What identifies a picture: its encoded bytes, read from the file for a path; a URL's own text.

    Paths are read as they are: whoever puts one into a request answers for what it names.
    """
    if isinstance(image, bytes):
        return image
    if image.startswith(_URL_STARTS):
        return image.encode()
    try:
        return Path(image).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise PictureError(f"The request's picture {image!r} cannot be read: {reason}.") from error


def is_file(image: bytes | str) -> bool:
    """Whether a picture is named by its file's path."""
    return isinstance(image, str) and not image.startswith(_URL_STARTS)


async def picture_urls(images: Sequence[bytes | str], max_side: int | None = None) -> list[str]:
    """The pictures as URLs that can be sent: a web address itself, all else as a ``data:`` URL.

    Of PNG, JPEG, GIF and WebP the pixels stay as they are, without EXIF data and other remarks; other formats
    become PNG. With ``max_side``,
    pictures that are wider or higher, in pixels, are made smaller and those that lie on their side by their
    EXIF data are turned: to JPEG if they came as photos without transparency, else to PNG. What was made is
    remembered; making it does not hold up the loop. Raises :class:`~dataflow_ext.errors.ModelError` for what is no
    picture.

    >>> from dataflow_ext.background import run_async
    >>> run_async(picture_urls([bytes.fromhex("ffd8ff")]))
    ['data:image/jpeg;base64,/9j/']
    """
    loop = asyncio.get_running_loop()
    urls: list[str] = []
    for image in images:
        url, data = _as_it_is(image, max_side)
        urls.append(url or await loop.run_in_executor(_makers.pool(), _made_url, image, data, max_side))
    return urls


def picture_tokens(image: bytes | str, max_side: int | None = None) -> int:
    """About how many tokens a picture has, by its width and height; 1,000 where these cannot be read.

    Only the head of the file is read, which takes some 0.1 ms.

    >>> picture_tokens("https://example.org/picture.png")
    1000
    """
    if isinstance(image, str) and image.startswith(_URL_STARTS):
        return UNKNOWN_TOKENS
    from PIL import Image

    try:
        with Image.open(BytesIO(image) if isinstance(image, bytes) else image) as opened:
            width, height = opened.size
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return UNKNOWN_TOKENS
    scale = min(1.0, max_side / max(width, height)) if max_side else 1.0
    return max(1, min(_MOST_TOKENS, round(width * height * scale * scale / _PIXELS_PER_TOKEN)))


def _as_it_is(image: bytes | str, max_side: int | None) -> tuple[str, bytes]:
    """The URL of a picture that need not be made anew, else an empty one and the picture's bytes."""
    url = image if isinstance(image, str) and image.startswith(_URL_STARTS) else ""
    if url and (max_side is None or not url.startswith("data:")):
        return url, b""
    data = _content(image)
    media_type = media_type_of(data)
    if media_type is None or (max_side is not None and not _fits(image, data, max_side)):
        return "", data
    bare = _bare(data)
    return url if url and bare == data else _data_url(media_type, bare), data


def _bare(data: bytes) -> bytes:
    """The picture without metadata, which is no server's business; what cannot be taken apart goes as it is."""
    try:
        return without_metadata(data)
    except Malformed:
        return data


def _made_url(image: bytes | str, data: bytes, max_side: int | None) -> str:
    key = hashlib.blake2b(data, digest_size=16, salt=str(max_side or 0).encode()[:16]).digest()
    # Of several calls with one picture the first makes it and the others wait for it.
    with _makers.lock(key):
        url = _makers.get(key)
        if url is None:
            url = _data_url(*_made(image, data, max_side))
            _makers.put(key, url)
        return url


def _content(image: bytes | str) -> bytes:
    if isinstance(image, bytes) or not image.startswith("data:"):
        return picture_bytes(image)
    head, _, body = image.partition(",")
    try:
        return base64.b64decode(body, validate=True) if head.endswith(";base64") else b""
    except ValueError:
        return b""  # which is no picture, and told as such


def _data_url(media_type: str, data: bytes) -> str:
    return f"data:{media_type};base64,{base64.b64encode(data).decode('ascii')}"


def media_type_of(data: bytes) -> str | None:
    """The media type of a format that servers take, None for others."""
    kind = format_of(data)
    return f"image/{kind.lower()}" if kind in _TAKEN else None


def _fits(image: bytes | str, data: bytes, max_side: int) -> bool:
    """Whether the picture is small enough and upright, by its head alone."""
    with _opened(image, data) as opened:
        # Asking a PNG for its EXIF data reads all of it; what stands before the pixels is in ``info``.
        turned = opened.info.get("exif") and opened.getexif().get(_ORIENTATION, 1) != 1
        return max(opened.size) <= max_side and not turned


def _opened(image: bytes | str, data: bytes) -> Image:
    from PIL import Image

    try:
        return Image.open(BytesIO(data))
    except Image.DecompressionBombError as error:
        raise BadPictureError(f"{_called(image)} has too many pixels: {error}") from None
    except Exception as error:  # whatever a decoder makes of bytes that were never a picture
        raise BadPictureError(f"{_called(image)} is no picture of a known format.") from error


def _made(image: bytes | str, data: bytes, max_side: int | None) -> tuple[str, bytes]:
    """Media type and bytes of the picture in a format that servers take, upright and small enough."""
    from PIL import Image, ImageOps

    opened = _opened(image, data)
    lossy = opened.format in ("JPEG", "MPO") or (opened.format == "WEBP" and b"VP8L" not in data[:64])
    try:
        # A JPEG is read at the nearest size above the wanted one, so this comes before everything else.
        if max_side is not None and opened.mode in ("L", "RGB") and "transparency" not in opened.info:
            opened.thumbnail((max_side, max_side), Image.Resampling.LANCZOS)
        plain = of_8_bits(ImageOps.exif_transpose(opened))
        if max_side is not None:
            plain.thumbnail((max_side, max_side), Image.Resampling.LANCZOS)
        plain.info = {}  # colour profiles and remarks cost bytes and tell the model nothing
        made = BytesIO()
        if lossy and plain.mode in ("L", "RGB"):
            plain.save(made, "JPEG", quality=_JPEG_QUALITY)
            return "image/jpeg", made.getvalue()
        plain.save(made, "PNG")
        return "image/png", made.getvalue()
    except Exception as error:  # decoders raise all kinds of errors on damaged files
        raise BadPictureError(f"{_called(image)} is damaged: {error or type(error).__name__}.") from error


def _called(image: bytes | str) -> str:
    if isinstance(image, str) and not image.startswith("data:"):
        return f"The request's picture {image!r}"
    return f"A picture of the request ({len(image):,} {'bytes' if isinstance(image, bytes) else 'letters'})"


class _Makers:
    """Threads that make pictures, and the URLs made last, ``most`` letters of them."""

    def __init__(self) -> None:
        self.most = 128 * 1024 * 1024
        self.size = 0
        self._urls: OrderedDict[bytes, str] = OrderedDict()
        self._own = threading.Lock()
        self._locks = [threading.Lock() for _ in range(64)]
        self._pool: ThreadPoolExecutor | None = None

    def pool(self) -> ThreadPoolExecutor:
        """Not the loop's own threads, in which host names are looked up."""
        with self._own:
            self._pool = self._pool or ThreadPoolExecutor(min(4, os.cpu_count() or 1), "pictures")
            return self._pool

    def lock(self, key: bytes) -> threading.Lock:
        return self._locks[key[0] % len(self._locks)]

    def get(self, key: bytes) -> str | None:
        with self._own:
            if key in self._urls:
                self._urls.move_to_end(key)
            return self._urls.get(key)

    def put(self, key: bytes, url: str) -> None:
        with self._own:
            self._urls[key] = url
            self.size += len(url)
            while self.size > self.most:
                self.size -= len(self._urls.popitem(last=False)[1])


_makers = _Makers()


def _forget_after_fork() -> None:
    # The parent's threads do not exist in the child, and may have held its locks.
    global _makers
    _makers = _Makers()


os.register_at_fork(after_in_child=_forget_after_fork)
