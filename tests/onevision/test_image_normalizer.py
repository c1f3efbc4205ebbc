"""Pictures that are used as they lie, pictures that are made, and images that are none."""

from __future__ import annotations

import hashlib
import os
import zlib
from io import BytesIO
from pathlib import Path

import pyarrow as pa
import pytest
from PIL import Image

from dataflow_ext import InputError, OptionError, run
from dataflow_ext.pictures import without_metadata
from dataflow_ext.testing import check_operator
from operators.onevision.image_normalizer import ImageNormalizer
from tests.core.pictures.hostile import full

NOISE = Image.effect_noise((120, 90), 80).convert("RGB")
RED, BLUE, WHITE = (255, 0, 0), (0, 0, 255), (255, 255, 255)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "images" / "sub").mkdir(parents=True)
    return tmp_path / "images"


def halves(mode: str = "RGB", size: tuple[int, int] = (40, 20)) -> Image.Image:
    """Left half red, right half blue."""
    image = Image.new("RGB", size, RED)
    image.paste(BLUE, (size[0] // 2, 0, *size))
    return image.convert(mode)


def normalizer(root: Path, **options: object) -> ImageNormalizer:
    return ImageNormalizer(roots=(root,), folder=root.parent / "made", **options)


def only(root: Path, image: str, **options: object) -> dict[str, object]:
    [row] = normalizer(root, **options)(pa.table({"image": [image]})).to_pylist()
    return row


def why(root: Path, image: str, **options: object) -> str:
    done = normalizer(root, **options).apply(pa.table({"image": [image]}))
    assert done.table.num_rows == 0
    [message] = done.rejects["message"].to_pylist()
    return message


@pytest.mark.parametrize(("name", "mode"), [("sub/a.png", "RGB"), ("a.jpg", "RGB"), ("b.png", "L"), ("b.jpg", "L")])
def test_a_plain_picture_is_used_where_it_lies(root: Path, name: str, mode: str) -> None:
    halves(mode).save(root / name)
    row = only(root, name)
    assert row["picture"] == str(root / name)
    assert row["picture_key"] == hashlib.sha256((root / name).read_bytes()).hexdigest()
    assert (row["width"], row["height"]) == (40, 20)
    assert [path.suffix for path in (root.parent / "made").rglob("*")] == [".txt"]


@pytest.mark.parametrize("name", ["gps.jpg", "gps.png"])
def test_a_picture_that_tells_where_it_was_taken_is_used_without_that_and_not_encoded_anew(
    root: Path, name: str
) -> None:
    (root / name).write_bytes(full()[name])
    first, again = only(root, name), only(root, name)
    made = Path(str(first["picture"]))
    assert made.is_relative_to(root.parent / "made")
    assert made.read_bytes() == without_metadata(full()[name])
    assert first["picture_key"] == hashlib.sha256(made.read_bytes()).hexdigest()
    assert again == first
    assert (root / name).read_bytes() == full()[name]


@pytest.mark.parametrize("name", ["a.png", "a.jpg"])
def test_a_turned_picture_is_made_upright(root: Path, name: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was held upright: the first column is the top row
    halves().save(root / name, exif=exif)
    row = only(root, name)
    assert Path(str(row["picture"])).parent.parent == root.parent / "made"
    assert (row["width"], row["height"]) == (20, 40)
    with Image.open(str(row["picture"])) as made:
        assert [near(made.convert("RGB").getpixel((10, y))) for y in (5, 35)] == [RED, BLUE]


def near(pixel: object) -> tuple[int, ...]:
    """A colour without what a lossy format makes of it."""
    assert isinstance(pixel, tuple)
    return tuple(255 if value > 200 else 0 if value < 60 else value for value in pixel)


def with_hole() -> Image.Image:
    image = halves("RGBA")
    image.paste((0, 0, 0, 0), (0, 0, 20, 20))
    return image


@pytest.mark.parametrize(
    ("name", "image", "options", "left"),
    [
        ("palette.png", halves("P"), {}, RED),
        ("alpha.png", with_hole(), {}, WHITE),
        ("cmyk.jpg", halves("CMYK"), {}, RED),
        ("bits.png", Image.new("1", (40, 20)), {}, (0, 0, 0)),
        ("deep.png", Image.new("I;16", (40, 20), 255 << 8), {}, WHITE),
        ("first.gif", Image.new("RGB", (40, 20), RED), {"save_all": True, "append_images": [halves()]}, RED),
        ("lossless.webp", halves(), {"lossless": True}, RED),
        ("lossy.webp", halves(), {}, RED),
        ("a.bmp", halves(), {}, RED),
        ("a.tif", halves(), {}, RED),
    ],
)  # fmt: skip
def test_any_other_picture_is_made_plain(
    root: Path, name: str, image: Image.Image, options: dict[str, object], left: tuple[int, int, int]
) -> None:
    image.save(root / name, **options)
    row = only(root, name)
    picture = Path(str(row["picture"]))
    assert (row["width"], row["height"]) == (40, 20)
    assert row["picture_key"] == hashlib.sha256(picture.read_bytes()).hexdigest()
    with Image.open(picture) as made:
        assert made.format in ("PNG", "JPEG")
        assert made.mode in ("RGB", "L")
        assert near(made.convert("RGB").getpixel((5, 10))) == left


def test_a_large_picture_is_made_smaller(root: Path) -> None:
    halves(size=(400, 100)).save(root / "a.png")
    row = only(root, "a.png", max_side=64)
    assert (row["width"], row["height"]) == (64, 16)
    assert only(root, "a.png", max_side=400)["picture"] == str(root / "a.png")


def test_a_made_picture_is_not_made_again_unless_it_was_damaged(root: Path) -> None:
    halves("P").save(root / "a.png")
    first = only(root, "a.png")
    made = Path(str(first["picture"]))
    content = made.read_bytes()
    os.utime(made, (1, 1))
    assert only(root, "a.png") == first
    assert made.stat().st_mtime == 1
    made.write_bytes(content[:60])
    assert only(root, "a.png") == first
    assert made.read_bytes() == content


def test_a_picture_that_was_found_whole_is_not_read_in_full_again(root: Path) -> None:
    NOISE.save(root / "a.png")
    NOISE.save(root / "b.png", compress_level=1)
    table = pa.table({"image": ["a.png", "b.png"]})
    first = normalizer(root)(table)
    [noted] = (root.parent / "made").iterdir()
    assert noted.read_text().split() == sorted(first["picture_key"].to_pylist())
    assert normalizer(root)(table).equals(first)
    cut = (root / "a.png").read_bytes()[:-3000]
    (root / "a.png").write_bytes(cut)
    assert "is damaged" in why(root, "a.png")
    # Only what is noted tells that this one was whole: nothing else could.
    noted.write_text(f"{hashlib.sha256(cut).hexdigest()}\n")
    assert only(root, "a.png")["width"] == 120


def png(image: Image.Image) -> bytes:
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def jpeg(image: Image.Image) -> bytes:
    file = BytesIO()
    image.save(file, "JPEG")
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is an empty file"),
        (b"<html>404</html>", "is no picture"),
        (png(NOISE)[:-3000], "is damaged"),
        (jpeg(NOISE)[:-1000], "is damaged"),
        (png(NOISE.convert("P"))[:-3000], "is damaged"),
        (png(NOISE)[:20], "is damaged|is no picture"),
        (png(Image.new("RGB", (1, 50))), "1 x 50 pixels: too few"),
        (png(Image.new("L", (60_000, 2))), "60,000 x 2 pixels: too few"),
        (png(Image.new("1", (9_000, 6_000))), "9,000 x 6,000 pixels, more than the 50,000,000"),
    ],
    ids=["empty", "html", "cut png", "cut jpeg", "cut palette", "head", "line", "band", "bomb"],
)
def test_what_is_no_picture_is_a_reject_with_the_reason(root: Path, content: bytes, told: str) -> None:
    (root / "a.png").write_bytes(content)
    message = why(root, "a.png")
    assert any(part in message for part in told.split("|")), message


def test_a_bomb_is_refused_by_its_head_alone(root: Path) -> None:
    head = bytearray(png(Image.new("L", (8, 8))))
    head[16:24] = (60_000).to_bytes(4, "big") * 2  # 3,600 million pixels
    head[29:33] = zlib.crc32(bytes(head[12:29])).to_bytes(4, "big")
    (root / "a.png").write_bytes(bytes(head))
    assert "too many pixels" in why(root, "a.png")


@pytest.mark.parametrize(
    ("image", "told"),
    [
        ("../secret.png", "leads out of its folder"),
        ("sub/../../secret.png", "leads out of its folder"),
        ("sub/../a.png", "leads out of its folder"),
        ("/etc/passwd", "absolute path"),
        ("C:\\a.png", "absolute path"),
        ("http://example.org/a.png", "is an address"),
        ("data:image/png;base64,AAAA", "is an address"),
        ("sub\\a.png", "holds a backslash"),
        ("%2e%2e/secret.png", "holds an encoded '.'"),
        ("a\x00.png", "U+0000"),
        ("a\u202egnp.png", "U+202E"),
        ("", "is no path"),
        (" \t", "is no path"),
        ("sub", "is no file"),
        ("gone.png", "is missing"),
        ("x" * 5000, "is missing"),
        ("link.png", "is a link that leads out of its folder"),
        ("linked/secret.png", "is a link that leads out of its folder"),
        ("loop.png", "cannot be found"),
        ("dangling.png", "cannot be found"),
        ("pipe", "is no file"),
    ],
)
def test_no_path_leads_out_of_the_folder(root: Path, image: str, told: str) -> None:
    halves().save(root.parent / "secret.png")
    halves().save(root / "a.png")
    (root / "link.png").symlink_to(root.parent / "secret.png")
    (root / "linked").symlink_to(root.parent)
    (root / "loop.png").symlink_to(root / "loop.png")
    (root / "dangling.png").symlink_to(root / "nowhere.png")
    os.mkfifo(root / "pipe")
    message = why(root, image)
    assert told in message
    assert "\n" not in message


def test_the_first_folder_that_has_an_image_counts_and_links_within_one_are_fine(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    halves().save(other / "50%.png")
    halves().save(root / "a.png")
    halves(size=(10, 10)).save(other / "a.png")
    (root / "same.png").symlink_to("a.png")
    operator = ImageNormalizer(roots=(root, other), folder=tmp_path / "made")
    table = operator(pa.table({"image": ["50%.png", "a.png", "same.png"]}))
    assert table["picture"].to_pylist() == [str(other / "50%.png"), str(root / "a.png"), str(root / "a.png")]


def test_it_keeps_the_laws_and_workers_make_no_difference(root: Path) -> None:
    for number in range(35):
        halves(size=(8 + number, 8)).save(root / f"{number}.png")
        halves("P", size=(8 + number, 8)).save(root / f"{number}.gif")
    names = [f"{number}.{ending}" for number in range(35) for ending in ("png", "gif")]
    table = pa.table({"image": [*names, "gone.png", "1.png", "1.gif", None]})
    made = check_operator(normalizer(root), table)
    assert (made.num_rows, made["width"].to_pylist()[-2:]) == (72, [9, 9])
    folder = root.parent / "made"
    files = {path.name: path.read_bytes() for path in folder.rglob("*.png")}
    assert len(files) == 35
    for path in folder.rglob("*.png"):
        path.unlink()
    again = run([normalizer(root)], table, workers=2)
    assert again.table["picture_key"].to_pylist() == made["picture_key"].to_pylist()
    assert {path.name: path.read_bytes() for path in folder.rglob("*.png")} == files


def test_a_folder_that_is_not_there_and_options_that_cannot_be_are_named(root: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"There is no folder .*nowhere with images"):
        ImageNormalizer(roots=(root, tmp_path / "nowhere"))(pa.table({"image": ["a.png"]}))
    with pytest.raises(OptionError, match="max_side"):
        ImageNormalizer(roots=(root,), max_side=0)
    with pytest.raises(OptionError, match="roots"):
        ImageNormalizer(roots=())
    assert ImageNormalizer(roots=str(root)).roots == (root,)


def test_a_folder_that_cannot_be_written_fails_the_step(root: Path, tmp_path: Path) -> None:
    halves("P").save(root / "a.png")
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(InputError, match="Cannot write pictures to"):
        ImageNormalizer(roots=(root,), folder=tmp_path / "file").apply(pa.table({"image": ["a.png"]}))
