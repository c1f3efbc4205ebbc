"""PDFs that are made to do harm, small on disk: bombs, circles, depths, damage."""

import zlib
from pathlib import Path

_CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"
_PAGES = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
_FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
_WORDS = b"BT /F1 12 Tf 72 700 Td (1. What is the sum of 1 and 2, and why is it so?) Tj ET\n"


def written(path: Path, *objects: bytes) -> Path:
    """A PDF of these objects, numbered from 1; the first is the catalogue."""
    out, places = bytearray(b"%PDF-1.7\n"), []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    path.write_bytes(out)
    return path


def stream(data: bytes, more: bytes = b"") -> bytes:
    """A stream object of these bytes, compressed."""
    packed = zlib.compress(data, 9)
    return b"<< /Length %d /Filter /FlateDecode %s >>\nstream\n%s\nendstream" % (len(packed), more, packed)


def page(resources: bytes = b"") -> bytes:
    """A page whose content is object 4 and whose font is object 5."""
    return (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> %s >> >>" % resources
    )


def good(path: Path) -> Path:
    """A page with one question."""
    return written(path, _CATALOG, _PAGES, page(), stream(_WORDS), _FONT)


def flate_bomb(path: Path, size: int = 300_000_000) -> Path:
    """Much content of almost nothing: paths that draw nothing, 300 MB in 300 kB."""
    packed = zlib.compressobj(9)
    block = b"0 0 m 1 1 l S\n" * 70_000
    data = packed.compress(_WORDS) + b"".join(packed.compress(block) for _ in range(size // len(block)))
    data += packed.flush()
    body = b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(data), data)
    return written(path, _CATALOG, _PAGES, page(), body, _FONT)


def flate_bomb_twice(path: Path, size: int = 300_000_000) -> Path:
    """The same packed twice."""
    packed = zlib.compressobj(9)
    block = b"q Q 0 0 m 1 1 l S\n" * 70_000
    data = b"".join(packed.compress(block) for _ in range(size // len(block))) + packed.flush()
    data = zlib.compress(data, 9)
    body = b"<< /Length %d /Filter [/FlateDecode /FlateDecode] >>\nstream\n%s\nendstream" % (len(data), data)
    return written(path, _CATALOG, _PAGES, page(), body, _FONT)


def nested_forms(path: Path, depth: int = 12, width: int = 10) -> Path:
    """Forms that draw each other, ten times each, to a depth of twelve: 10^12 words."""
    first = 6
    forms = []
    for level in range(depth):
        last = level == depth - 1
        inner = _WORDS if last else b"/X Do\n" * width
        resources = b"/Font << /F1 5 0 R >>" + (b"" if last else b" /XObject << /X %d 0 R >>" % (first + level + 1))
        forms.append(
            stream(inner, b"/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << %s >>" % resources)
        )
    content = stream(_WORDS + b"/X Do\n" * width)
    return written(path, _CATALOG, _PAGES, page(b"/XObject << /X %d 0 R >>" % first), content, _FONT, *forms)


def form_of_itself(path: Path) -> Path:
    """A form that draws itself, many times."""
    resources = b"/Font << /F1 5 0 R >> /XObject << /X 6 0 R >>"
    form = stream(b"/X Do\n" * 50, b"/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << %s >>" % resources)
    return written(
        path, _CATALOG, _PAGES, page(b"/XObject << /X 6 0 R >>"), stream(_WORDS + b"/X Do\n" * 50), _FONT, form
    )


def forms_of_each_other(path: Path, count: int = 8) -> Path:
    """Forms each of which draws all the others."""
    names = b" ".join(b"/X%d %d 0 R" % (n, 6 + n) for n in range(count))
    resources = b"/XObject << %s >>" % names
    inner = b"".join(b"/X%d Do\n" % n for n in range(count))
    form = stream(inner, b"/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << %s >>" % resources)
    return written(path, _CATALOG, _PAGES, page(resources), stream(_WORDS + inner), _FONT, *[form] * count)


def tree_of_itself(path: Path) -> Path:
    """A tree of pages that has itself for a branch."""
    pages = b"<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 1000000 >>"
    return written(path, _CATALOG, pages, page(), stream(_WORDS), _FONT)


def many_pages(path: Path) -> Path:
    """One page that is said to be there a million times."""
    pages = b"<< /Type /Pages /Kids [%s] /Count 1000000 >>" % (b"3 0 R " * 100_000)
    return written(path, _CATALOG, pages, page(), stream(_WORDS), _FONT)


def picture_bomb(path: Path, side: int = 30_000, points: int = 800) -> Path:
    """A picture of 900 million pixels of one colour over a square page."""
    rows = zlib.compressobj(9)
    data = b"".join(rows.compress(bytes(side)) for _ in range(side)) + rows.flush()
    picture = (
        b"<< /Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent 8 /ColorSpace /DeviceGray "
        b"/Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (side, side, len(data), data)
    )
    content = stream(b"q %d 0 0 %d 0 0 cm /X Do Q\n" % (points, points))
    sheet = page(b"/XObject << /X 6 0 R >>").replace(b"[0 0 595 842]", b"[0 0 %d %d]" % (points, points))
    return written(path, _CATALOG, _PAGES, sheet, content, _FONT, picture)


def truncated(path: Path) -> Path:
    """A PDF that ends in its middle."""
    data = good(path).read_bytes()
    path.write_bytes(data[: len(data) // 3])
    return path
