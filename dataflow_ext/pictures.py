"""What a picture file must be to go into a data set, or to a model: whole, of a known format, of bounded size, bare.

Bare are files without what they tell beside the picture: places, cameras, people, comments, small copies. They are
taken apart and put together by their parts; pixels stay encoded as they are. What is kept is what the picture is shown
by: its pixels, palette, transparency, colours (ICC) and density, and which side is up.
"""

from __future__ import annotations

import re
import struct
import warnings
import zlib
from collections.abc import Callable, Collection
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from dataflow_ext.errors import InputError

if TYPE_CHECKING:
    from PIL.Image import Image

#: What may go into a data set: trainers (by Pillow) and browsers open all of them, and metadata can be taken out.
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP")
#: A larger file is no picture of a data set.
MOST_BYTES = 200_000_000
#: With more pixels a picture is not decoded: A3 at 600 dpi has 70 million, and each takes up to 4 bytes of memory.
MOST_PIXELS = 120_000_000

_ENDINGS = {
    "PNG": (".png",),
    "JPEG": (".jpg", ".jpeg", ".jpe", ".jfif"),
    "WEBP": (".webp",),
    "GIF": (".gif",),
    "BMP": (".bmp", ".dib"),
}


class UnfitPicture(InputError):
    """A picture that is not used; its text goes on behind the picture's name: "is an empty file"."""


@dataclass(frozen=True, slots=True)
class CheckedPicture:
    """A picture that may be used: its file without metadata, its format as Pillow names it, its size in pixels."""

    data: bytes
    format: str
    width: int
    height: int

    def name(self, name: str) -> str:
        """A file name for it: the given one, with another ending if a browser would take it for something else.

        >>> CheckedPicture(b"", "PNG", 1, 1).name("fig.html"), CheckedPicture(b"", "PNG", 1, 1).name("fig.JPG")
        ('fig.html.png', 'fig.JPG')
        """
        known = [ending for endings in _ENDINGS.values() for ending in endings]
        return name if Path(name).suffix.lower() in known else name + _ENDINGS[self.format][0]


def checked_file(path: Path, *, decode: bool = True) -> CheckedPicture:
    """The picture in a file, checked as :func:`checked_picture` does; UnfitPicture also if it cannot be read."""
    try:
        if not path.is_file():
            raise UnfitPicture("is not there")
        if (size := path.stat().st_size) > MOST_BYTES:
            raise UnfitPicture(f"has {size:,} bytes, more than the {MOST_BYTES:,} that are read")
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        if isinstance(error, UnfitPicture):
            raise
        raise UnfitPicture(f"cannot be read ({getattr(error, 'strerror', None) or error})") from None
    return checked_picture(data, decode=decode)


def checked_picture(data: bytes, *, decode: bool = True) -> CheckedPicture:
    """The picture in a file's bytes, without its metadata; UnfitPicture if it is none, or may do harm.

    Wanted is a PNG, JPEG, WebP, GIF or BMP file that is whole and has at most ``MOST_PIXELS``. Pixels are never
    encoded anew, so a file without metadata comes back byte for byte; what follows its end is cut off. All of the
    first frame is decoded, unless ``decode`` is off because it was before.

    >>> checked_picture(b"<svg onload='alert(1)'/>")
    Traceback (most recent call last):
    dataflow_ext.pictures.UnfitPicture: is SVG, HTML or other text, which may hold scripts; give PNG or JPEG
    """
    kind = format_of(data)
    if kind is None:
        raise UnfitPicture(_no_picture(data))
    try:
        bare = without_metadata(data)
    except Malformed as error:
        raise UnfitPicture(f"is damaged: {error}") from None
    with opened_picture(bare, (kind,), MOST_PIXELS) as opened:
        if decode:
            _decode(opened)
        size = opened.size
    return CheckedPicture(bare, kind, *size)


def opened_picture(data: bytes, formats: Collection[str], most_pixels: int) -> Image:
    """The picture, opened and not yet decoded; UnfitPicture if it is of another format or has more pixels."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # on many pixels, which have a limit of ours, and on damaged remarks
            opened = Image.open(BytesIO(data), formats=tuple(formats))
    except Image.DecompressionBombError:
        raise UnfitPicture(f"has more than {most_pixels:,} pixels; make it smaller") from None
    except Exception as error:  # decoders raise all kinds of errors
        raise UnfitPicture(f"is damaged or no picture ({error or type(error).__name__})") from None
    width, height = opened.size
    if width * height > most_pixels:
        opened.close()
        raise UnfitPicture(f"has {width:,} x {height:,} pixels, more than the {most_pixels:,} that are read")
    return opened


def of_8_bits(image: Image) -> Image:
    """The picture in grey or colour of 8 bits, with transparency if it has any."""
    if "transparency" in image.info or image.mode in ("PA", "La", "RGBa"):
        return image.convert("RGBA")
    if image.mode.startswith("I"):  # 16 bits of grey
        return image.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    if image.mode in ("1", "F"):
        return image.convert("L")
    return image if image.mode in ("L", "LA", "RGB", "RGBA") else image.convert("RGB")


def on_white(image: Image) -> Image:
    """A picture of 8 bits in colour, on white where it is transparent."""
    from PIL import Image as images

    if image.mode == "RGB":
        return image  # as it is: converting would copy it
    if image.mode == "L":
        return image.convert("RGB")
    clear = image.convert("RGBA")
    return images.alpha_composite(images.new("RGBA", clear.size, "white"), clear).convert("RGB")


def _decode(opened: Image) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # For that the pixels of a JPEG need not be made in full.
            opened.draft(opened.mode, (1, 1))
            opened.load()
    except Exception as error:
        raise UnfitPicture(f"is damaged ({error or type(error).__name__})") from None


def _no_picture(data: bytes) -> str:
    if not data:
        return "is an empty file"
    head = data[:1024].lstrip(b"\xef\xbb\xbf\x00\t\n\r ")
    if head.startswith(b"<") or b"<svg" in head or b"<html" in head:
        return "is SVG, HTML or other text, which may hold scripts; give PNG or JPEG"
    return "is no PNG, JPEG, WebP, GIF or BMP file"


#: How files begin, by the format as Pillow names it.
_STARTS = {"PNG": b"\x89PNG\r\n\x1a\n", "JPEG": b"\xff\xd8\xff", "GIF": b"GIF8", "BMP": b"BM"}

#: Parts of PNG that are kept, by their names.
_PNG = frozenset(b"IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT bKGD hIST pHYs".split())
_WEBP = frozenset([b"VP8 ", b"VP8L", b"VP8X", b"ANIM", b"ANMF", b"ALPH", b"ICCP"])
#: Where the entropy-coded data of a JPEG scan end: at a marker that is no restart.
_MARKER = re.compile(rb"\xff(?=[^\x00\xff\xd0-\xd7])")
_HAS_EXIF, _HAS_XMP = 0x08, 0x04
_TURNED = 0x0112


class Malformed(ValueError):
    """A file is not built as its format wants; its text says how."""


def format_of(data: bytes) -> str | None:
    """The format that a file begins as, of those that can be taken apart.

    >>> format_of(b"GIF89a"), format_of(b"<svg/>")
    ('GIF', None)
    """
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WEBP"
    return next((name for name, start in _STARTS.items() if data.startswith(start)), None)


def without_metadata(data: bytes) -> bytes:
    """The picture's file without its metadata; the same bytes if it has none.

    EXIF, XMP, IPTC, comments, texts, dates, thumbnails, further pictures and whatever follows the end are left
    out. If the EXIF data turn the picture, an EXIF block that says this and nothing else is put in their place.
    Raises Malformed for a file that is cut off or built in another way.

    >>> without_metadata(b"GIF89a" + bytes(7) + b"!\\xfe\\x02hi\\x00" + b";" + b"<script>")
    b'GIF89a\\x00\\x00\\x00\\x00\\x00\\x00\\x00;'
    """
    kind = format_of(data)
    if kind is None:
        raise Malformed("it is of no known format")
    try:
        return _TAKEN_APART[kind](data)
    except (IndexError, struct.error):
        raise Malformed("it ends too early") from None


def _part(data: bytes, start: int, end: int) -> bytes:
    if end > len(data):
        raise Malformed("it ends too early")
    return data[start:end]


def _png(data: bytes) -> bytes:
    kept, place, turned, pixels = [data[:8]], 8, 1, 0
    kind = b""
    while kind != b"IEND":
        length, kind = struct.unpack_from(">I4s", data, place)
        part = _part(data, place, place + 12 + length)
        place += len(part)
        if kind == b"eXIf":
            turned = _orientation(part[8:-4])
        elif kind not in _PNG:
            if not kind[0] & 0x20:  # in upper case: nobody can show the picture without it
                raise Malformed("it has parts that no PNG has")
            continue
        else:
            if struct.unpack(">I", part[-4:])[0] != zlib.crc32(part[4:-4]):
                raise Malformed("a checksum is wrong")
            pixels = pixels or (len(kept) if kind == b"IDAT" else 0)
            kept.append(part)
    if not pixels:
        raise Malformed("it has no pixels")
    if turned != 1:
        exif = b"eXIf" + _exif(turned)
        kept.insert(pixels, struct.pack(">I", len(exif) - 4) + exif + struct.pack(">I", zlib.crc32(exif)))
    return b"".join(kept)


def _jpeg(data: bytes) -> bytes:
    kept, place, turned, scans, marker = [data[:2]], 2, 1, 0, 0
    while marker != 0xD9:
        start = place
        if data[place] != 0xFF:
            raise Malformed("a part has no marker")
        while data[place] == 0xFF:
            place += 1
        marker, place = data[place], place + 1
        if marker == 0xD9 or 0xD0 <= marker <= 0xD7 or marker == 0x01:
            kept.append(data[start:place])
            continue
        length = struct.unpack_from(">H", data, place)[0]
        if length < 2 or marker in (0x00, 0xD8):
            raise Malformed("its parts cannot be told apart")
        body = _part(data, place + 2, place + length)
        place += length
        if marker == 0xE1 and body.startswith(b"Exif\0\0"):
            turned = _orientation(body[6:])
        elif (said := _jpeg_part(marker, body)) is not None:
            kept.append(data[start:place] if said == body else bytes((0xFF, marker)) + _sized(said))
        if marker == 0xDA:
            scans += 1
            if (end := _MARKER.search(data, place)) is None:
                raise Malformed("it ends too early")
            kept.append(data[place : end.start()])
            place = end.start()
    if not scans:
        raise Malformed("it has no pixels")
    if turned != 1:
        exif = b"\xff\xe1" + _sized(b"Exif\0\0" + _exif(turned))
        kept.insert(2 if kept[1][1] == 0xE0 else 1, exif)
    return b"".join(kept)


def _jpeg_part(marker: int, body: bytes) -> bytes | None:
    """What is kept of the part of a JPEG, None if nothing is."""
    if marker == 0xE0:  # JFIF: version and density, behind which a small copy may be
        return body[:12] + b"\0\0" if body.startswith(b"JFIF\0") and len(body) >= 14 else None
    if marker == 0xE2:
        return body if body.startswith(b"ICC_PROFILE\0") else None
    if marker == 0xEE:  # how the colours are meant
        return body[:12] if body.startswith(b"Adobe") else None
    return None if 0xE0 <= marker <= 0xEF or marker == 0xFE else body


def _sized(body: bytes) -> bytes:
    return struct.pack(">H", len(body) + 2) + body


def _webp(data: bytes) -> bytes:
    end = 8 + int(struct.unpack_from("<I", data, 4)[0])
    if end > len(data):
        raise Malformed("it ends too early")
    kept, place, turned = list[bytes](), 12, 1
    while place < end:
        kind, length = struct.unpack_from("<4sI", data, place)
        if place + 8 + length > end:
            raise Malformed("it ends too early")
        part = data[place : min(place + 8 + length + length % 2, end)]
        place += len(part)
        if kind == b"EXIF":
            turned = _orientation(part[8:].removeprefix(b"Exif\0\0"))
        elif kind in _WEBP:
            kept.append(part)
    if not kept:
        raise Malformed("it has no pixels")
    if kept[0][:4] == b"VP8X":
        flags = kept[0][8] & ~(_HAS_EXIF | _HAS_XMP) | (_HAS_EXIF if turned != 1 else 0)
        kept[0] = kept[0][:8] + bytes([flags]) + kept[0][9:]
        if turned != 1:
            exif = _exif(turned)
            kept.append(b"\0" * (len(kept[-1]) % 2) + b"EXIF" + struct.pack("<I", len(exif)) + exif)
    body = b"WEBP" + b"".join(kept)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _gif(data: bytes) -> bytes:
    place = 13 + _palette(data[10])
    kept = [_part(data, 0, place)]
    while True:
        start, kind = place, data[place]
        if kind == 0x3B:
            return b"".join([*kept, b";"])
        if kind == 0x2C:
            place += 10
            place += _palette(data[place - 1]) + 1
        elif kind == 0x21:
            place += 2
        else:
            raise Malformed("its parts cannot be told apart")
        first = place
        while length := data[place]:
            place += 1 + length
        place += 1
        # Of extensions, how long a frame stands, and that frames are shown over and over.
        again = data[first : first + 12] in (b"\x0bNETSCAPE2.0", b"\x0bANIMEXTS1.0")
        if kind == 0x2C or data[start + 1] == 0xF9 or (data[start + 1] == 0xFF and again):
            kept.append(_part(data, start, place))


def _palette(flags: int) -> int:
    """Bytes of the palette that these flags tell of."""
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _bmp(data: bytes) -> bytes:
    # Some programs leave the size out.
    size = struct.unpack_from("<I", data, 2)[0] or len(data)
    return _part(data, 0, size)


_TAKEN_APART: dict[str, Callable[[bytes], bytes]] = {
    "PNG": _png,
    "JPEG": _jpeg,
    "WEBP": _webp,
    "GIF": _gif,
    "BMP": _bmp,
}


def _exif(turned: int) -> bytes:
    """EXIF data that say which side is up, and nothing else."""
    return struct.pack(">2sHIHHHIHHI", b"MM", 42, 8, 1, _TURNED, 3, 1, turned, 0, 0)


def _orientation(exif: bytes) -> int:
    """Which side is up by EXIF data, from 1 (as it lies) to 8; 1 if they cannot be read."""
    order = {b"II": "<", b"MM": ">"}.get(exif[:2])
    try:
        if order is None:
            return 1
        start = struct.unpack_from(f"{order}I", exif, 4)[0]
        for entry in range(struct.unpack_from(f"{order}H", exif, start)[0]):
            tag, kind, _, value = struct.unpack_from(f"{order}HHIH", exif, start + 2 + 12 * entry)
            if (tag, kind) == (_TURNED, 3):
                return int(value) if 1 <= value <= 8 else 1
    except struct.error:  # cut off, or no EXIF data
        return 1
    return 1
