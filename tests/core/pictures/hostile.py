"""Pictures as strangers send them: full of metadata, damaged, of no picture's format, or made to do harm."""

import struct
import zlib
from io import BytesIO

from PIL import Image, PngImagePlugin

SECRET = b"52.5163N 13.3777E"
_TURNED, _GPS, _MAKER = 0x0112, 0x8825, 0x010F


def drawn(mode="RGB", size=(40, 24)):
    """A picture in which no two sides are alike."""
    picture = Image.new("RGB", size, "white")
    for x in range(size[0]):
        for y in range(size[1]):
            picture.putpixel((x, y), (6 * x % 256, 10 * y % 256, (x * y) % 256))
    return picture.convert(mode)


def saved(kind, picture=None, **options):
    out = BytesIO()
    (picture or drawn()).save(out, kind, **options)
    return out.getvalue()


def exif(turned=1, place=True):
    """EXIF data with the place, the camera's maker, and which side is up."""
    told = Image.Exif()
    told[_MAKER] = SECRET.decode()
    if turned != 1:
        told[_TURNED] = turned
    if place:
        told[_GPS] = {1: "N", 2: (52.0, 31.0, 0.0), 3: "E", 4: (13.0, 22.0, 0.0)}
    return told.tobytes()


def texts():
    told = PngImagePlugin.PngInfo()
    told.add_text("Comment", SECRET.decode())
    told.add_itxt("XML:com.adobe.xmp", f"<x:xmpmeta>{SECRET.decode()}</x:xmpmeta>")
    return told


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def segment(marker, body):
    return bytes((0xFF, marker)) + struct.pack(">H", len(body) + 2) + body


def with_segments(jpeg, *segments):
    return jpeg[:2] + b"".join(segments) + jpeg[2:]


def bare():
    """Pictures without any metadata, by name."""
    return {
        "grey.png": saved("PNG", drawn("L")),
        "palette.png": saved("PNG", drawn("P"), transparency=0, dpi=(300, 300)),
        "deep.png": saved("PNG", drawn("L").convert("I;16")),
        "photo.jpg": saved("JPEG", quality=80, dpi=(72, 72)),
        "progressive.jpg": saved("JPEG", progressive=True),
        "cmyk.jpg": saved("JPEG", drawn("CMYK")),
        "restarts.jpg": saved("JPEG", restart_marker_blocks=1),
        "lossy.webp": saved("WEBP"),
        "lossless.webp": saved("WEBP", drawn("RGBA"), lossless=True),
        "odd.webp": saved("WEBP", drawn(size=(3, 3)), lossless=True),
        "moving.webp": saved("WEBP", save_all=True, append_images=[drawn("L")]),
        "still.gif": saved("GIF"),
        "moving.gif": saved("GIF", save_all=True, append_images=[drawn("L")], loop=0, duration=80),
        "plain.bmp": saved("BMP"),
    }


def full():
    """Pictures that tell more than they show, by name."""
    jpeg, gif = saved("JPEG"), saved("GIF")
    thumbnail = b"JFIF\0\1\1\0\0\1\0\1\2\2" + SECRET[:12]
    return {
        "gps.jpg": saved("JPEG", exif=exif()),
        "turned.jpg": saved("JPEG", exif=exif(6)),
        "turned.png": saved("PNG", exif=exif(8)),
        "turned.webp": saved("WEBP", exif=exif(3)),
        "odd_turned.webp": saved("WEBP", drawn(size=(3, 3)), lossless=True, exif=exif(6)),
        "gps.png": saved("PNG", exif=exif(), pnginfo=texts()),
        "gps.webp": saved("WEBP", exif=exif(), xmp=SECRET),
        "xmp.jpg": saved("JPEG", xmp=SECRET),
        "comment.jpg": saved("JPEG", comment=SECRET),
        "iptc.jpg": with_segments(jpeg, segment(0xED, b"Photoshop 3.0\0" + SECRET)),
        "thumbnail.jpg": jpeg[:2] + segment(0xE0, thumbnail) + jpeg[20:],
        "jfxx.jpg": with_segments(jpeg, segment(0xE0, b"JFXX\0\x10" + SECRET)),
        "comment.gif": saved("GIF", comment=SECRET),
        "xmp.gif": gif[:-1] + b"!\xff\x0bXMP DataXMP" + bytes([len(SECRET)]) + SECRET + b"\0;",
        "date.png": saved("PNG").replace(saved("PNG")[33:], chunk(b"tIME", SECRET) + saved("PNG")[33:]),
        "zip_behind.jpg": jpeg + b"PK\3\4" + SECRET,
        "html_behind.png": saved("PNG") + b"<script>alert(1)</script>" + SECRET,
        "pdf_behind.gif": gif + b"%PDF-1.7 " + SECRET,
        "html_behind.webp": saved("WEBP") + b"<script>" + SECRET,
        "zip_behind.bmp": saved("BMP") + b"PK\3\4" + SECRET,
        "second.jpg": saved("MPO", save_all=True, append_images=[drawn("L")]) + SECRET,
    }


def bomb(width=60_000, height=60_000):
    """A PNG of a few hundred bytes that says it has 3.6 thousand million pixels."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(bytes(10_000))) + chunk(b"IEND", b"")


def hostile():
    """What must go nowhere, by name, with what is said of it."""
    png, jpeg, webp, gif = saved("PNG"), saved("JPEG"), saved("WEBP"), saved("GIF")
    script = "is SVG, HTML or other text, which may hold scripts; give PNG or JPEG"
    unknown = "is no PNG, JPEG, WebP, GIF or BMP file"
    flipped = bytearray(png)
    flipped[60] ^= 0xFF
    return {
        "empty.png": (b"", "is an empty file"),
        "picture.svg": (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", script),
        "declared.svg": (b"\xef\xbb\xbf<?xml version='1.0'?><svg/>", script),
        "page.png": (b"\n <html><script>alert(1)</script></html>", script),
        "book.jpg": (b"%PDF-1.7", unknown),
        "page.eps": (b"%!PS-Adobe-3.0 EPSF-3.0\n", unknown),
        "scan.tif": (saved("TIFF"), unknown),
        "bomb.png": (bomb(), "has more than 120,000,000 pixels; make it smaller"),
        "large.png": (bomb(11_000, 11_000), "has 11,000 x 11,000 pixels, more than the 120,000,000 that are read"),
        "cut.png": (png[:-20], "is damaged: it ends too early"),
        "cut.jpg": (jpeg[: len(jpeg) // 2], "is damaged: it ends too early"),
        "cut.webp": (webp[:-20], "is damaged: it ends too early"),
        "cut.gif": (gif[:-20], "is damaged: it ends too early"),
        "cut.bmp": (saved("BMP")[:-20], "is damaged: it ends too early"),
        "flipped.png": (bytes(flipped), "is damaged: a checksum is wrong"),
        "head.png": (png[:33] + chunk(b"IEND", b""), "is damaged: it has no pixels"),
        "short.png": (
            png[:33] + chunk(b"IDAT", zlib.compress(b"x")) + chunk(b"IEND", b""),
            "is damaged (image file is truncated (0 bytes not processed))",
        ),
        "head.jpg": (jpeg[:2] + b"\xff\xe0\0\2\xff\xd9", "is damaged: it has no pixels"),
        "script.gif": (b"GIF89a=1;alert(1)//" + bytes(20), "is damaged: its parts cannot be told apart"),
    }
