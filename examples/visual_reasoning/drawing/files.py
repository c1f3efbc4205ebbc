"""How pictures become files: small ones, with the same bytes each time, some of them in odd forms."""

from __future__ import annotations

import zlib
from pathlib import Path

from PIL import Image

from drawing.rows import Picture

#: The colours of a PNG by the type of its picture; the others have 32.
SHADED = {"synthetic_scene": 160}
_TURNED = 6  # EXIF: turn by 90 degrees clockwise to see it upright
_ORIENTATION = 0x0112


def save(picture: Picture, path: Path) -> None:
    """Write the picture in the format that its path names, and in its form if that is an odd one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    image = picture.image
    if picture.form == "exif":
        exif = Image.Exif()
        exif[_ORIENTATION] = _TURNED
        image.transpose(Image.Transpose.ROTATE_90).save(path, quality=80, optimize=True, exif=exif)
    elif picture.form == "cmyk":
        image.convert("CMYK").save(path, quality=75, optimize=True)
    elif picture.form == "deep":
        deep = image.convert("L").convert("I").point(lambda value: value * 257)
        deep.convert("I;16").save(path, optimize=True)
    elif picture.form == "clear":
        few = image.quantize(8, dither=Image.Dither.NONE)
        few.save(path, optimize=True, transparency=few.getpixel((0, 0)))
    elif picture.form == "animated":
        later = Image.new("RGB", image.size, "black")
        image.save(path, save_all=True, append_images=[later], duration=400, loop=0)
    elif path.suffix == ".jpg":
        image.save(path, quality=72, optimize=True)
    else:
        image.quantize(SHADED.get(picture.type, 32), dither=Image.Dither.NONE).save(path, optimize=True)


def broken(images: Path, half: Path) -> None:
    """Write what looks like a picture and is none: cut, empty, no picture at all, and one far too large."""
    for name, data in {
        "sqa/train/666/image.png": half.read_bytes()[:1500],
        "sqa/train/667/image.png": b"",
        "sqa/train/668/image.png": b"<html><body>404 Not Found</body></html>\n",
        "sqa/train/669/image.png": _huge(15_000),
    }.items():
        path = images / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _huge(side: int) -> bytes:
    """A true PNG of one bit a pixel, all black: some kilobytes that would become hundreds of megabytes."""
    deflate = zlib.compressobj(9)
    row = bytes(1 + (side + 7) // 8)
    data = b"".join([*(deflate.compress(row * 100) for _ in range(side // 100)), deflate.flush()])
    head = side.to_bytes(4) * 2 + bytes([1, 0, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def _chunk(name: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4) + name + data + zlib.crc32(name + data).to_bytes(4)
