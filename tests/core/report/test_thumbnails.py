"""Thumbnails are small, and never cost a page its life, whatever the file is."""

import base64
import io
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

from dataflow_ext.report.parts import Thumbnail, thumbnail


def saved(path: Path, size: tuple[int, int], mode: str = "RGB", colour: object = "gray", **options: object) -> Path:
    Image.new(mode, size, colour).save(path, **options)  # type: ignore[arg-type]
    return path


def opened(made: Thumbnail) -> Image.Image:
    head, _, data = made.uri.partition(",")
    assert head == "data:image/jpeg;base64"
    return Image.open(io.BytesIO(base64.b64decode(data)))


def bomb(path: Path, width: int, height: int) -> Path:
    """A PNG of a few bytes that says it is enormous."""
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(b"")),
        (b"IEND", b""),
    ]
    body = b"".join(struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in chunks)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + body)
    return path


@pytest.mark.parametrize(
    ("size", "small"),
    [
        ((1080, 2340), (220, 477)),
        ((1080, 1920), (220, 391)),
        ((2400, 1080), (374, 168)),
        ((100, 100), (100, 100)),
        ((10, 30_000), (1, 484)),
        ((30_000, 10), (374, 1)),
    ],
)
def test_pictures_become_small_and_none_larger(tmp_path: Path, size: tuple[int, int], small: tuple[int, int]) -> None:
    made = thumbnail(saved(tmp_path / "a.png", size), 220)
    assert ((made.width, made.height), opened(made).size) == (size, small)


@pytest.mark.parametrize("mode", ["L", "P", "RGBA", "LA", "1", "CMYK", "I;16"])
def test_pictures_of_any_kind_are_shown(tmp_path: Path, mode: str) -> None:
    made = thumbnail(saved(tmp_path / "a.tif", (60, 90), mode, 0))
    assert opened(made).size == (60, 90)


def test_what_is_transparent_is_white(tmp_path: Path) -> None:
    made = opened(thumbnail(saved(tmp_path / "a.png", (60, 90), "RGBA", (0, 0, 0, 0))))
    assert min(made.getpixel((30, 45))) > 250  # type: ignore[type-var, arg-type]


def test_a_turned_picture_is_shown_upright(tmp_path: Path) -> None:
    turned = Image.Exif()
    turned[0x0112] = 6
    assert opened(thumbnail(saved(tmp_path / "a.jpg", (60, 90), exif=turned))).size == (90, 60)


def test_files_that_are_no_whole_picture_leave_a_reason(tmp_path: Path) -> None:
    whole = saved(tmp_path / "a.png", (400, 400)).read_bytes()
    (tmp_path / "cut.png").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "text.png").write_text("no picture")
    (tmp_path / "folder.png").mkdir()
    told = {name: thumbnail(tmp_path / f"{name}.png").problem for name in ("cut", "text", "folder", "none", "x" * 999)}
    assert told == {
        "cut": "cannot be decoded", "text": "cannot be decoded", "folder": "not there", "none": "not there",
        "x" * 999: "cannot be decoded",
    }  # fmt: skip


@pytest.mark.parametrize("size", [(60_000, 60_000), (2_000_000_000, 2_000_000_000), (8_000, 8_000)])
def test_a_picture_that_says_it_is_enormous_is_not_decoded(tmp_path: Path, size: tuple[int, int]) -> None:
    assert thumbnail(bomb(tmp_path / "a.png", *size)).problem == "too large to show"
