"""Pictures on their way to a server: what stays, what is made smaller, what is told of broken ones."""

import asyncio
import base64
import os
import random
import struct
import threading
import zlib
from io import BytesIO

import pytest
from PIL import Image

from dataflow_ext.background import run_async
from dataflow_ext.errors import ModelError
from dataflow_ext.models import pictures
from dataflow_ext.models.pictures import picture_bytes, picture_tokens, picture_urls


@pytest.fixture(autouse=True)
def makers(monkeypatch):
    own = pictures._Makers()
    monkeypatch.setattr(pictures, "_makers", own)
    return own


def picture_url(image, max_side=None):
    [url] = run_async(picture_urls([image], max_side))
    return url


def encoded(image, kind, **options):
    made = BytesIO()
    image.save(made, kind, **options)
    return made.getvalue()


def photo(width=400, height=200, kind="JPEG", **options):
    left, right = Image.new("RGB", (width // 2, height), "red"), Image.new("RGB", (width - width // 2, height), "blue")
    image = Image.new("RGB", (width, height))
    image.paste(left, (0, 0))
    image.paste(right, (width // 2, 0))
    return encoded(image, kind, **options)


def sent(url):
    """Media type, format, mode and size of what a data URL holds."""
    head, body = url.split(",")
    with Image.open(BytesIO(base64.b64decode(body))) as image:
        image.load()
        return head, image.format, image.mode, image.size


def pixel(url, where):
    return Image.open(BytesIO(base64.b64decode(url.split(",")[1]))).convert("RGBA").getpixel(where)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
@pytest.mark.parametrize("max_side", [None, 400, 1000])
def test_a_picture_that_is_small_enough_stays_as_it_is(kind, max_side):
    data = photo(kind=kind)
    wanted = f"data:image/{kind.lower()};base64," + base64.b64encode(data).decode()
    assert picture_url(data, max_side) == wanted


def test_a_path_is_read_and_sent_like_its_bytes(tmp_path):
    path = tmp_path / "图 1.jpg"
    path.write_bytes(photo())
    assert picture_url(str(path), 100) == picture_url(photo(), 100)
    assert picture_bytes(str(path)) == photo()


@pytest.mark.parametrize("url", ["https://example.org/a.png", "http://x/y", "data:image/png;base64,AAAA"])
def test_an_address_is_sent_as_it_is(url):
    assert (picture_url(url), picture_bytes(url)) == (url, url.encode())
    if url.startswith("http"):
        assert picture_url(url, 10) == url


def test_a_data_url_is_made_smaller_like_the_picture_in_it():
    url = picture_url(photo())
    assert picture_url(url, 400) == url
    assert picture_url(url, 100) == picture_url(photo(), 100)


@pytest.mark.parametrize(
    ("data", "max_side", "wanted"),
    [
        (photo(), 100, ("data:image/jpeg;base64", "JPEG", "RGB", (100, 50))),
        (photo(200, 400), 100, ("data:image/jpeg;base64", "JPEG", "RGB", (50, 100))),
        (photo(4000, 2), 100, ("data:image/jpeg;base64", "JPEG", "RGB", (100, 1))),
        (photo(kind="PNG"), 100, ("data:image/png;base64", "PNG", "RGB", (100, 50))),
        (photo(kind="GIF"), 100, ("data:image/png;base64", "PNG", "RGB", (100, 50))),
        (photo(kind="WEBP"), 100, ("data:image/jpeg;base64", "JPEG", "RGB", (100, 50))),
        (photo(kind="WEBP", lossless=True), 100, ("data:image/png;base64", "PNG", "RGB", (100, 50))),
        (photo(kind="BMP"), None, ("data:image/png;base64", "PNG", "RGB", (400, 200))),
        (photo(kind="TIFF"), None, ("data:image/png;base64", "PNG", "RGB", (400, 200))),
        (photo(kind="TIFF"), 100, ("data:image/png;base64", "PNG", "RGB", (100, 50))),
        (
            encoded(Image.new("RGBA", (400, 200), (255, 0, 0, 128)), "WEBP"),
            100,
            ("data:image/png;base64", "PNG", "RGBA", (100, 50)),
        ),
        (encoded(Image.new("1", (400, 200)), "PNG"), 100, ("data:image/png;base64", "PNG", "L", (100, 50))),
        (encoded(Image.new("LA", (400, 200)), "PNG"), 100, ("data:image/png;base64", "PNG", "LA", (100, 50))),
        (encoded(Image.new("CMYK", (400, 200)), "JPEG"), 100, ("data:image/jpeg;base64", "JPEG", "RGB", (100, 50))),
        (encoded(Image.new("CMYK", (400, 200)), "TIFF"), None, ("data:image/png;base64", "PNG", "RGB", (400, 200))),
        (encoded(Image.new("F", (40, 20)), "TIFF"), None, ("data:image/png;base64", "PNG", "L", (40, 20))),
    ],
)
def test_what_is_made_has_the_format_and_size_that_servers_take(data, max_side, wanted):
    assert sent(picture_url(data, max_side)) == wanted


def test_grey_of_16_bits_keeps_its_brightness():
    data = encoded(Image.new("I;16", (40, 20), 0x8000), "PNG")
    url = picture_url(data, 10)
    assert (sent(url)[1:], pixel(url, (5, 2))) == (("PNG", "L", (10, 5)), (128, 128, 128, 255))


def test_transparency_survives_whether_as_a_channel_or_as_a_colour():
    clear = Image.new("RGBA", (40, 20), (255, 0, 0, 0))
    palette = Image.new("P", (40, 20), 3)
    palette.putpalette([9, 9, 9] * 4)
    for data in (
        encoded(clear, "PNG"),
        encoded(palette, "PNG", transparency=3),
        encoded(palette, "GIF", transparency=3),
        encoded(Image.new("RGB", (40, 20), (9, 9, 9)), "PNG", transparency=(9, 9, 9)),
    ):
        url = picture_url(data, 10)
        assert (sent(url)[2:], pixel(url, (5, 2))[3]) == (("RGBA", (10, 5)), 0)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_picture_lying_on_its_side_is_turned_even_if_it_is_small(kind):
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned right by a quarter for looking at
    url = picture_url(photo(kind=kind, exif=exif), 1000)
    assert sent(url)[3] == (200, 400)
    (r, _, b, _), (r2, _, b2, _) = pixel(url, (100, 20)), pixel(url, (100, 380))
    assert (r > 200, b < 60, r2 < 60, b2 > 200) == (True, True, True, True)
    assert picture_url(photo(kind=kind, exif=exif)) == picture_url(photo(kind=kind, exif=exif), None)


def test_the_bytes_are_the_same_each_time_and_hold_no_remarks(makers):
    data = photo(comment=b"taken at home", icc_profile=b"a profile", exif=b"Exif\0\0 nothing")
    first = picture_url(data, 100)
    makers._urls.clear()
    assert picture_url(data, 100) == first
    body = base64.b64decode(first.split(",")[1])
    assert [word in body for word in (b"taken at home", b"a profile", b"Exif")] == [False] * 3


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_server_is_not_told_where_a_picture_was_taken(kind):
    exif = Image.Exif()
    exif[0x010F] = "52.5163N 13.3777E"
    data, bare = photo(kind=kind, exif=exif), photo(kind=kind)
    for image in (data, f"data:image/{kind.lower()};base64,{base64.b64encode(data).decode()}"):
        url = picture_url(image, 1000)
        assert b"52.5163N" not in base64.b64decode(url.split(",")[1])
    assert picture_url(data) == picture_url(data, 1000)
    assert base64.b64decode(picture_url(bare).split(",")[1]) == bare
    assert picture_bytes(data) == data  # by which replies are remembered


def test_a_picture_is_made_once_for_all_calls_that_need_it(monkeypatch):
    made = []
    plain = pictures._made

    def noting(image, data, max_side):
        made.append(max_side)
        return plain(image, data, max_side)

    monkeypatch.setattr(pictures, "_made", noting)
    data = photo(1200, 900)

    async def all_at_once():
        return await asyncio.gather(*(picture_urls([data, data], 100) for _ in range(20)))

    urls = {url for pair in run_async(all_at_once()) for url in pair}
    assert (len(urls), made) == (1, [100])
    assert (picture_url(data, 100), made) == (urls.pop(), [100])
    picture_url(data, 50)
    assert made == [100, 50]


def test_what_is_remembered_is_bounded_and_the_oldest_goes_first(makers):
    urls = [picture_url(photo(400 + n), 100) for n in range(3)]
    assert makers.size == sum(map(len, urls))
    makers.most = len(urls[0]) + len(urls[2]) + 1
    picture_url(photo(400), 100)  # used again, so the second is the oldest
    picture_url(photo(403), 100)
    assert (makers.size <= makers.most, urls[1] in makers._urls.values()) == (True, False)
    makers.most = 10
    assert (picture_url(photo(400), 50)[:10], makers.size, makers._urls) == ("data:image", 0, {})


def test_the_loop_goes_on_while_pictures_are_made(monkeypatch):
    entered, go_on = threading.Event(), threading.Event()
    plain = pictures._made

    def slow(image, data, max_side):
        entered.set()
        assert go_on.wait(5)
        return plain(image, data, max_side)

    monkeypatch.setattr(pictures, "_made", slow)

    async def both():
        making = asyncio.ensure_future(picture_urls([photo()], 100))
        while not entered.is_set():
            await asyncio.sleep(0.001)
        go_on.set()
        return await making

    assert sent(run_async(both())[0])[3] == (100, 50)


def test_a_child_process_makes_pictures_although_its_parent_was_at_it(makers):
    with makers._own:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = 0 if sent(picture_url(photo(), 100))[3] == (100, 50) else 2
            finally:
                os._exit(code)
    assert os.waitpid(child, 0)[1] == 0


def bomb():
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (bomb(), r"^A picture of the request \(\d+ bytes\) has too many pixels: .*3600000000 pixels"),
        (photo(1000, 1000)[:3000], r"^A picture of the request \(3,000 bytes\) is damaged: .*truncated"),
        (photo(1000, 1000, "PNG")[:1000], r"^A picture of the request \(1,000 bytes\) is damaged: "),
        (b"<html>404</html>", r"^A picture of the request \(16 bytes\) is no picture of a known format\.$"),
        (b"\xff\xd8\xff", r"^A picture of the request \(3 bytes\) is no picture of a known format\.$"),
        (b"", r"^A picture of the request \(0 bytes\) is no picture of a known format\.$"),
        ("data:image/png;base64,????", r"^A picture of the request \(26 letters\) is no picture of a known format\.$"),
        ("data:text/plain,hello", r"^A picture of the request \(21 letters\) is no picture of a known format\.$"),
    ],
    ids=["bomb", "cut-jpeg", "cut-png", "html", "stub", "empty", "bad-base64", "text"],
)
def test_what_is_no_picture_is_told_as_such(data, told):
    with pytest.raises(ModelError, match=told):
        picture_url(data, 100)


@pytest.mark.parametrize("max_side", [None, 100])
def test_a_file_that_cannot_be_read_is_named(tmp_path, max_side):
    (tmp_path / "note.txt").write_text("no picture")
    for path, told in (
        (tmp_path / "gone.png", r"gone\.png' cannot be read: No such file or directory\.$"),
        (tmp_path, r"' cannot be read: Is a directory\.$"),
        (tmp_path / "note.txt", r"The request's picture '.*note\.txt' is no picture of a known format\.$"),
        ("a\0b", r"cannot be read: embedded null byte\.$"),
    ):
        with pytest.raises(ModelError, match=told):
            picture_url(str(path), max_side)


@pytest.mark.filterwarnings("ignore::UserWarning:PIL")
def test_damage_anywhere_gives_a_picture_or_a_model_error():
    chance = random.Random(5)
    kinds = [photo(60, 40, kind) for kind in ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF")]
    outcomes = {"made": 0, "told": 0}
    for _ in range(300):
        data = bytearray(chance.choice(kinds))
        for _ in range(chance.choice((1, 3, 20))):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            assert picture_url(bytes(data[: chance.choice((20, len(data), len(data)))]), 30).startswith("data:image/")
            outcomes["made"] += 1
        except ModelError:
            outcomes["told"] += 1
    assert min(outcomes.values()) > 20


@pytest.mark.parametrize(
    ("image", "max_side", "tokens"),
    [
        (photo(750, 1000), None, 1000),
        (photo(1500, 1000, "PNG"), None, 1600),
        (photo(1500, 750, "PNG"), 300, 60),
        (photo(3, 3), None, 1),
        (photo(30, 40), 1000, 2),
        (bomb(), None, 1000),
        (b"no picture", None, 1000),
        ("gone.png", 100, 1000),
        ("https://example.org/a.png", 100, 1000),
        ("data:image/png;base64,AAAA", None, 1000),
    ],
)
def test_tokens_follow_from_width_and_height(image, max_side, tokens):
    assert picture_tokens(image, max_side) == tokens


def test_tokens_of_a_file_are_those_of_its_bytes(tmp_path):
    path = tmp_path / "a.jpg"
    path.write_bytes(photo(750, 100))
    assert picture_tokens(str(path)) == picture_tokens(photo(750, 100)) == 100
