"""Small PDFs that are hostile, each in its own way: bombs, loops, lies, and files that are no PDFs.

python -m tests.abuse.pdfs.hostile_pdfs FOLDER
"""

import os
import sys
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

LINE = b"BT /F1 12 Tf 72 %d Td (%s) Tj ET\n"
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
QUESTIONS = [b"Exercises", b"1. What is two and three?", b"2. What is two and five?"]
WORDS = b"".join(LINE % (720 - 30 * n, words) for n, words in enumerate(QUESTIONS))


@dataclass(frozen=True)
class Hostile:
    """A hostile file: what makes it, and a word of the reason that its reject has to give."""

    name: str
    make: Callable[[Path], None]
    reason: str


ALL: list[Hostile] = []
BROKEN = r"not a PDF|damaged, cut off or without pages|cannot be loaded"
TOO_MUCH = r"memory|time|seconds|large|long|limit|MB|pages|deep|size|no text|no question|scanned"
NO_WORDS = r"scanned|no text|no question|empty|memory|seconds|limit"


def hostile(reason: str) -> Callable[[Callable[[Path], None]], Callable[[Path], None]]:
    """Register a maker: its name is the file's, and a reject of it gives a reason that has one of these words."""

    def register(make: Callable[[Path], None]) -> Callable[[Path], None]:
        ALL.append(Hostile(make.__name__, make, reason))
        return make

    return register


def stream(body: bytes, entries: bytes = b"", length: bytes | None = None) -> bytes:
    """A stream object."""
    said = length if length is not None else b"%d" % len(body)
    return b"<< %s /Length %s >>\nstream\n" % (entries, said) + body + b"\nendstream"


def flate(body: bytes, entries: bytes = b"") -> bytes:
    """A compressed stream object."""
    return stream(zlib.compress(body, 9), b"/Filter /FlateDecode " + entries)


def bomb(piece: bytes, megabytes: int) -> bytes:
    """So many megabytes of a piece, compressed without ever being whole in memory."""
    machine = zlib.compressobj(1)
    block = piece * (1_000_000 // len(piece))
    return b"".join([*(machine.compress(block) for _ in range(megabytes)), machine.flush()])


def document(objects: Sequence[bytes], trailer: bytes = b"") -> bytes:
    """A PDF of objects 1, 2, … with object 1 as its catalogue."""
    out, places = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    out_of = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    root = b"trailer << /Size %d /Root 1 0 R %s >>\n" % (len(objects) + 1, trailer)
    return out + out_of + root + b"startxref\n%d\n%%%%EOF\n" % len(out)


def page(content: bytes, *more: bytes, resources: bytes = b"", box: bytes = b"0 0 612 792", page: bytes = b"") -> bytes:
    """A PDF of one page: 4 is its content, 5 the font, 6 and on are ``more``."""
    return document(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [%s] /Contents 4 0 R %s /Resources "
            b"<< /Font << /F1 5 0 R >> %s >> >>" % (box, page, resources),
            content,
            FONT,
            *more,
        ]
    )


# -- files that are no PDFs


@hostile(r"is empty")
def empty(path: Path) -> None:
    path.write_bytes(b"")


@hostile(BROKEN)
def words_only(path: Path) -> None:
    path.write_bytes(b"1. What is two and three?\n" * 10)


@hostile(BROKEN)
def web_page(path: Path) -> None:
    path.write_bytes(b"<html><script>alert(1)</script><p>1. What is two and three?</p></html>")


@hostile(BROKEN)
def archive(path: Path) -> None:
    path.write_bytes(b"PK\x03\x04" + bytes(range(256)) * 20)


@hostile(BROKEN)
def head_only(path: Path) -> None:
    path.write_bytes(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")


@hostile(BROKEN)
def noise(path: Path) -> None:
    import random

    path.write_bytes(b"%PDF-1.7\n" + random.Random(1).randbytes(50_000) + b"\n%%EOF")


@hostile(BROKEN + r"|large|memory|MB|GB")
def eight_gigabytes_of_nothing(path: Path) -> None:
    path.write_bytes(b"%PDF-1.7\n")
    os.truncate(path, 8 << 30)  # a hole: it takes no room on the disk


@hostile(r"no such file|pipe")
def pipe(path: Path) -> None:
    os.mkfifo(path)


@hostile(r"no such file|link")
def link_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


# -- structure


@hostile(r"password")
def locked(path: Path) -> None:
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path), encrypt=StandardEncryption("a secret", "another"))
    canvas.drawString(72, 720, "1. What is two and three?")
    canvas.save()


@hostile(BROKEN)
def pages_that_are_their_own_children(path: Path) -> None:
    path.write_bytes(
        document([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>"])
    )


@hostile(BROKEN)
def no_pages(path: Path) -> None:
    path.write_bytes(document([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [] /Count 0 >>"]))


@hostile(BROKEN)
def two_billion_pages_claimed(path: Path) -> None:
    path.write_bytes(document([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [] /Count 2147483647 >>"]))


@hostile(BROKEN)
def table_that_points_to_itself(path: Path) -> None:
    body = b"%PDF-1.7\n"
    place = len(body)
    body += b"xref\n0 1\n0000000000 65535 f \ntrailer << /Size 1 /Prev %d /Root 9 0 R >>\n" % place
    path.write_bytes(body + b"startxref\n%d\n%%%%EOF\n" % place)


@hostile(TOO_MUCH + "|" + BROKEN)
def hundred_thousand_brackets(path: Path) -> None:
    path.write_bytes(page(stream(b""), page=b"/Deep " + b"[" * 100_000 + b"]" * 100_000))


@hostile(NO_WORDS)
def length_that_refers_to_itself(path: Path) -> None:
    path.write_bytes(page(stream(b"", length=b"4 0 R")))


# -- bombs


@hostile(TOO_MUCH)
def three_hundred_megabytes_of_words(path: Path) -> None:
    path.write_bytes(page(stream(bomb(LINE % (700, b"1. What is two and three?"), 300), b"/Filter /FlateDecode")))


@hostile(TOO_MUCH)
def three_hundred_megabytes_of_lines(path: Path) -> None:
    path.write_bytes(page(stream(bomb(b"0 0 m 600 700 l S\n", 300), b"/Filter /FlateDecode")))


@hostile(TOO_MUCH)
def three_hundred_megabytes_of_saved_states(path: Path) -> None:
    path.write_bytes(page(stream(bomb(b"q\n", 300), b"/Filter /FlateDecode")))


@hostile(TOO_MUCH)
def flate_in_flate(path: Path) -> None:
    inner = zlib.compress(bomb(b"0 0 m 600 700 l S\n", 1_000), 9)
    path.write_bytes(page(stream(inner, b"/Filter [/FlateDecode /FlateDecode]")))


@hostile(TOO_MUCH)
def nested_forms(path: Path) -> None:
    depth, each = 9, 10
    forms = [
        stream(
            b"/X%d Do " % (n + 1) * each if n < depth else WORDS,
            b"/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> "
            b"/XObject << /X%d %d 0 R >> >>" % (n + 1, 6 + min(n, depth - 1)),
        )
        for n in range(1, depth + 1)
    ]
    path.write_bytes(page(stream(b"/X1 Do"), *forms, resources=b"/XObject << /X1 6 0 R >>"))


@hostile(TOO_MUCH)
def form_that_draws_itself(path: Path) -> None:
    form = stream(
        b"/X1 Do /X1 Do", b"/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /X1 6 0 R >> >>"
    )
    path.write_bytes(page(stream(b"/X1 Do /X1 Do"), form, resources=b"/XObject << /X1 6 0 R >>"))


@hostile(TOO_MUCH)
def mask_of_itself(path: Path) -> None:
    group = stream(
        b"/G1 gs 0 0 612 792 re f",
        b"/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Group << /S /Transparency /CS /DeviceGray >> "
        b"/Resources << /ExtGState << /G1 7 0 R >> >>",
    )
    state = b"<< /Type /ExtGState /SMask << /S /Luminosity /G 6 0 R >> >>"
    path.write_bytes(page(stream(b"/G1 gs 0 0 612 792 re f"), group, state, resources=b"/ExtGState << /G1 7 0 R >>"))


@hostile(TOO_MUCH)
def letter_that_writes_itself(path: Path) -> None:
    font = (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 97 "
        b"/LastChar 97 /Widths [1000] /Encoding << /Differences [97 /a] >> /CharProcs << /a 7 0 R >> "
        b"/Resources << /Font << /T 6 0 R >> >> >>"
    )
    drawn = stream(b"1000 0 d0 BT /T 12 Tf (aa) Tj ET")
    path.write_bytes(page(stream(b"BT /T 12 Tf 72 700 Td (aa) Tj ET"), font, drawn, resources=b"/Font << /T 6 0 R >>"))


def picture(entries: bytes, body: bytes) -> bytes:
    """A PDF of one page that is a picture."""
    image = stream(body, b"/Type /XObject /Subtype /Image " + entries)
    return page(stream(b"612 0 0 792 0 0 cm /I Do"), image, resources=b"/XObject << /I 6 0 R >>")


@hostile(TOO_MUCH)
def picture_of_a_billion_dots(path: Path) -> None:
    entries = b"/Width 32000 /Height 32000 /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /FlateDecode"
    path.write_bytes(picture(entries, bomb(bytes(1_000_000), 1_024)))


@hostile(TOO_MUCH)
def picture_that_claims_more_than_there_is(path: Path) -> None:
    entries = b"/Width 2000000000 /Height 2000000000 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /FlateDecode"
    path.write_bytes(picture(entries, zlib.compress(b"\xff" * 1_000)))


@hostile(TOO_MUCH + "|" + BROKEN)
def picture_of_noise_as_jpeg_2000(path: Path) -> None:
    head = b"\x00\x00\x00\x0cjP  \r\n\x87\n\x00\x00\x00\x14ftypjp2 \x00\x00\x00\x00jp2 "
    entries = b"/Width 60000 /Height 60000 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /JPXDecode"
    path.write_bytes(picture(entries, head + b"\xff\x4f\xff\x51" + b"\x7f" * 4_000))


@hostile(TOO_MUCH)
def pattern_of_dust(path: Path) -> None:
    pattern = stream(
        b"0 0 0.001 0.001 re f",
        b"/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 0.002 0.002] /XStep 0.002 /YStep 0.002 "
        b"/Resources << >>",
    )
    content = stream(b"/Pattern cs /P scn 0 0 612 792 re f")
    path.write_bytes(page(content, pattern, resources=b"/Pattern << /P 6 0 R >>"))


# -- sizes that are none


@hostile(TOO_MUCH + "|size")
def page_as_large_as_the_earth(path: Path) -> None:
    path.write_bytes(page(stream(b"0 0 100 100 re f"), box=b"0 0 1e13 1e13"))


@hostile(TOO_MUCH + "|size")
def page_of_no_size(path: Path) -> None:
    path.write_bytes(page(stream(b""), box=b"0 0 0 0"))


@hostile(TOO_MUCH)
def a_hundred_thousand_pages(path: Path) -> None:
    kids = b"3 0 R " * 100_000
    path.write_bytes(
        document(
            [
                b"<< /Type /Catalog /Pages 2 0 R >>",
                b"<< /Type /Pages /Kids [%s] /Count 100000 >>" % kids,
                b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>",
                stream(b"0 0 m 600 700 l S"),
            ]
        )
    )


def make_all(folder: Path, names: Sequence[str] | None = None) -> list[Hostile]:
    """Write the hostile files, or those of ``names``, into a folder; those that were written."""
    chosen = [one for one in ALL if names is None or one.name in names]
    for one in chosen:
        one.make(folder / f"{one.name}.pdf")
    return chosen


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for one in make_all(target):
        place = target / f"{one.name}.pdf"
        size = place.stat().st_blocks * 512 if place.exists() else 0
        print(f"{size:>10} {one.name}")
