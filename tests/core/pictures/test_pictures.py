"""A picture goes on bare and whole, or not at all."""

import warnings
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageOps

from dataflow_ext.pictures import Malformed, UnfitPicture, checked_file, checked_picture, without_metadata
from tests.core.pictures.hostile import SECRET, bare, drawn, exif, full, hostile, saved

BARE, FULL, HOSTILE = bare(), full(), hostile()


def shown(data):
    """The pixels as they are shown, turned upright, with transparency; of all frames."""
    frames = []
    with warnings.catch_warnings(), Image.open(BytesIO(data)) as opened:
        warnings.simplefilter("ignore")
        for number in range(getattr(opened, "n_frames", 1) if opened.format != "MPO" else 1):
            opened.seek(number)
            upright = ImageOps.exif_transpose(opened)
            frames.append((upright.size, upright.convert("RGBA").tobytes()))
    return frames


@pytest.mark.parametrize("name", BARE)
def test_a_picture_without_metadata_is_what_it_was_byte_for_byte(name):
    assert checked_picture(BARE[name]).data == BARE[name]


@pytest.mark.parametrize("name", FULL)
def test_what_a_picture_tells_goes_and_what_it_shows_stays(name):
    told = checked_picture(FULL[name])
    assert SECRET[:8] in FULL[name]
    assert not any(part in told.data for part in (SECRET, SECRET[:8], b"<script", b"PK\3\4", b"%PDF"))
    assert shown(told.data) == shown(FULL[name])
    with Image.open(BytesIO(told.data)) as opened:
        assert dict(opened.getexif()).keys() <= {0x0112}
        assert not opened.getexif().get_ifd(0x8825)
    assert without_metadata(told.data) == told.data


def test_colours_and_density_stay():
    from PIL import ImageCms

    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for kind in ("PNG", "JPEG", "WEBP"):
        data = saved(kind, icc_profile=profile, exif=exif(), dpi=(300, 300))
        with Image.open(BytesIO(without_metadata(data))) as opened:
            assert opened.info["icc_profile"] == profile
            if kind != "WEBP":
                assert round(opened.info["dpi"][0]) == 300


def test_format_and_size_are_told_and_the_name_fits_what_it_is():
    told = checked_picture(saved("PNG", drawn(size=(7, 5))))
    assert (told.format, told.width, told.height) == ("PNG", 7, 5)
    names = ["a.png", "a.JPEG", "a.svg", "a.html", "a", "a.png.php"]
    assert [told.name(name) for name in names] == [
        "a.png",
        "a.JPEG",
        "a.svg.png",
        "a.html.png",
        "a.png",
        "a.png.php.png",
    ]


@pytest.mark.parametrize("name", HOSTILE)
def test_what_would_do_harm_or_cannot_be_shown_is_refused_with_its_reason(tmp_path, name):
    data, said = HOSTILE[name]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(UnfitPicture) as caught:
        checked_file(tmp_path / name)
    assert str(caught.value) == said


def test_what_is_no_file_and_what_is_too_large_are_refused_without_being_read(tmp_path):
    for path, said in ((tmp_path / "gone.png", "is not there"), (tmp_path, "is not there")):
        with pytest.raises(UnfitPicture, match=said):
            checked_file(path)
    with (tmp_path / "huge.png").open("wb") as file:
        file.truncate(200_000_001)
    with pytest.raises(UnfitPicture, match="has 200,000,001 bytes, more than the 200,000,000 that are read"):
        checked_file(tmp_path / "huge.png")


def test_a_picture_that_was_decoded_before_is_only_taken_apart():
    import struct
    import zlib

    from tests.core.pictures.hostile import chunk

    png = saved("PNG")
    short = png[:33] + chunk(b"IDAT", zlib.compress(b"x")) + chunk(b"IEND", b"")
    assert struct.unpack(">II", checked_picture(short, decode=False).data[16:24]) == (40, 24)
    with pytest.raises(UnfitPicture):
        checked_picture(short)


@given(st.sampled_from(sorted({**BARE, **FULL})), st.data())
def test_a_damaged_picture_is_refused_or_bare_and_never_an_accident(name, data):
    whole = {**BARE, **FULL}[name]
    place = data.draw(st.integers(0, len(whole) - 1))
    changed = whole[:place] + data.draw(st.binary(max_size=6)) + whole[place + data.draw(st.integers(0, 4)) :]
    try:
        made = without_metadata(changed)
    except Malformed:
        return
    assert without_metadata(made) == made
    assert len(made) <= len(changed) + 64
