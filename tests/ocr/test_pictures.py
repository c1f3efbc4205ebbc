"""What becomes of pictures before an engine sees them."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from dataflow_ext.errors import InputError
from dataflow_ext.ocr import pixels_of
from tests.ocr.drawn import drawn, encoded, pixels


def square(mode: str, colour) -> bytes:
    return encoded(Image.new(mode, (2, 1), colour))


@pytest.mark.parametrize(
    ("data", "first"),
    [
        (square("RGB", (10, 20, 30)), [10, 20, 30]),
        (square("L", 77), [77, 77, 77]),
        (square("1", 1), [255, 255, 255]),
        (square("LA", (0, 0)), [255, 255, 255]),
        (square("RGBA", (0, 0, 0, 0)), [255, 255, 255]),
        (square("RGBA", (0, 0, 0, 255)), [0, 0, 0]),
        (square("I;16", 0x8000), [128, 128, 128]),
        (encoded(Image.new("CMYK", (2, 1), (0, 0, 0, 0)), "TIFF"), [255, 255, 255]),
    ],
    ids=["colour", "grey", "one bit", "clear grey", "clear", "opaque", "16 bits", "cmyk"],
)
def test_every_kind_of_picture_becomes_colour_on_white(data: bytes, first: list[int]) -> None:
    found = pixels_of(data)
    assert (found.shape, found.dtype, found[0, 0].tolist()) == ((1, 2, 3), np.uint8, first)


def test_a_palette_with_a_clear_colour_is_white_there() -> None:
    image = Image.new("P", (2, 1), 0)
    image.putpalette([9, 9, 9, 200, 0, 0])
    image.putpixel((1, 0), 1)
    assert pixels_of(encoded(image, transparency=0)).tolist() == [[[255, 255, 255], [200, 0, 0]]]


def test_a_photo_that_lies_on_its_side_is_turned_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned by 90 degrees clockwise
    image = Image.new("RGB", (4, 2), "white")
    image.putpixel((0, 1), (0, 0, 0))
    found = pixels_of(encoded(image, "PNG", exif=exif))
    assert found.shape == (4, 2, 3)
    assert np.argwhere(found[:, :, 0] == 0).tolist() == [[0, 0]]


def bomb(width: int, height: int) -> bytes:
    """A PNG that says it has so many pixels, with hardly a byte of them."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", r"^A picture of 0 bytes is no picture of a known format"),
        (b"%PDF-1.7 and so on", r"^A picture of 18 bytes is no picture of a known format"),
        (encoded(drawn({(20, 20): "cut off"}))[:600], r"^A picture of 600 bytes is damaged \("),
        (encoded(drawn({(20, 20): "cut off"}), "JPEG")[:2000], r"^A picture of 2,000 bytes is damaged \("),
        (bomb(12_000, 11_000), r"has 12000 x 11000 pixels, more than the 120,000,000 that are read"),
        (bomb(60_000, 60_000), r"has more than 120,000,000 pixels"),
        (bomb(50, 50), r"is damaged"),
    ],
    ids=["nothing", "no picture", "cut PNG", "cut JPEG", "large", "huge", "without pixels"],
)
def test_hostile_pictures_are_refused_by_one_sentence(data: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        pixels_of(data)
    assert "\n" not in str(caught.value)


def test_a_refusal_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "shot.png"
    with pytest.raises(InputError, match=rf"^The picture {path} cannot be read: No such file or directory\.$"):
        pixels_of(path)
    path.write_text("words", encoding="utf-8")
    with pytest.raises(InputError, match=rf"^The picture {path} is no picture of a known format"):
        pixels_of(path)


@pytest.mark.parametrize(
    "array", [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 3), np.float32), np.zeros((0, 4, 3), np.uint8), "page.png"]
)
def test_what_is_not_pixels_is_refused(array) -> None:
    with pytest.raises(InputError, match=r"^A picture is .*; give "):
        pixels_of(array)


def test_pixels_are_taken_as_they_are_even_from_a_slice() -> None:
    image = pixels(Image.open(io.BytesIO(encoded(drawn({(5, 5): "slice"})))))
    part = pixels_of(image[::2, 10:50, ::-1])
    assert part.flags["C_CONTIGUOUS"]
    assert np.array_equal(part, image[::2, 10:50, ::-1])
