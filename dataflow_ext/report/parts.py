"""What a page shows, as plain values: elements are lists, and all that data hold is text in them."""

from __future__ import annotations

import base64
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import quote
from xml.etree import ElementTree

from dataflow_ext.pictures import of_8_bits, on_white
from dataflow_ext.report.mathml import mathml

if TYPE_CHECKING:
    from PIL.Image import Image

#: A text, or an element: ``[tag, attributes, *parts]``. The page's script makes nodes of known tags and attributes.
Part: TypeAlias = "str | list[Any]"

#: A box on a picture in its pixels, and what it is, which is told by its colour and title.
Box: TypeAlias = "tuple[Sequence[float], str, str]"

#: Characters of a text that a page shows; the data have it whole.
MAX_TEXT = 20_000

#: Endings of files that browsers show as pictures.
SHOWN_AS_PICTURES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".avif"})


def el(tag: str, *parts: Part, **attributes: str | int | float | None) -> list[Any]:
    """An element; ``look`` is its class, attributes that are None are left out.

    >>> el("p", "a < b", look="quiet")
    ['p', {'class': 'quiet'}, 'a < b']
    """
    named = {
        "class" if name == "look" else name: value for name, value in attributes.items() if value not in (None, "")
    }
    return [tag, named, *parts]


def badge(text: str, look: str = "") -> Part:
    """A short fact; ``look`` is ``good``, ``open``, ``check`` or ``bad``."""
    return el("span", text, look=f"badge {look}".strip())


def title(text: str, *badges: Part, note: str = "") -> Part:
    """The first line of a row."""
    small = [el("small", note)] if note else []
    return el("h4", el("span", text), *(part for each in [*badges, *small] for part in (" ", each)))


def words(text: Any, look: str = "text", most: int = MAX_TEXT) -> Part:
    """A text with its line breaks, cut where it is too long to be looked at."""
    whole = text if isinstance(text, str) else str(text)
    return el("div", *cut(whole, most), look=look)


def cut(text: str, most: int = MAX_TEXT) -> list[Part]:
    """The beginning of a text, and how much more of it the data have.

    >>> cut("abc", 2)
    ['ab', ['em', {'class': 'quiet'}, ' … 1 more characters in the data files']]
    """
    if len(text) <= most:
        return [text]
    return [text[:most], el("em", f" … {len(text) - most:,} more characters in the data files", look="quiet")]


def printable(text: str) -> str:
    """A text without signs that would steer a terminal.

    >>> printable("a\\x1b[31mb")
    'a�[31mb'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def box(name: str, *parts: Part, look: str = "") -> Part:
    """Parts under a small heading, set off from the others."""
    return el("div", el("b", name), *parts, look=f"part {look}".strip())


def folded(name: Part, *parts: Part, note: str = "", is_open: bool = False) -> Part:
    """Parts that show when one asks for them."""
    head = [name, *([el("span", f" {note}", look="quiet")] if note else [])]
    return el("details", el("summary", *head), *parts, open=1 if is_open else None)


def fields(values: Iterable[tuple[Part, Part]]) -> Part:
    """Names with their values, below each other."""
    rows = [el("tr", el("th", name), el("td", value)) for name, value in values]
    return el("table", el("tbody", *rows), look="fields")


def facts(*values: str | None) -> Part:
    """Small facts in one line; empty ones are left out."""
    return el("p", " · ".join(value for value in values if value), look="facts")


def bullets(items: Iterable[Part], look: str = "notes") -> Part:
    """A list."""
    return el("ul", *(el("li", item) for item in items), look=look)


def figure(number: Any, what: str, look: str = "", href: str | None = None) -> Part:
    """A number of the run with what it counts, which may lead to the rows."""
    shown = f"{number:,}" if isinstance(number, int) else str(number)
    look = f"figure {look}".strip()
    return el("a" if href else "div", el("b", shown), f" {what}", look=look, href=href)


def grid(head: Sequence[str], rows: Iterable[Sequence[Any]], left: int = 1) -> Part:
    """A table of numbers, of which the first columns are words; nothing is shown as a dash."""

    def cells(tag: str, values: Sequence[Any]) -> list[Any]:
        return [el(tag, _cell(v), look="left" if at < left else "") for at, v in enumerate(values)]

    body = [el("tr", *cells("td", row)) for row in rows]
    table = el("table", el("thead", el("tr", *cells("th", head))), el("tbody", *body), look="numbers")
    return el("div", table, look="wide")


def _cell(value: Any) -> Part:
    if isinstance(value, (str, list)):
        return value
    return "–" if not value else f"{value:,}" if isinstance(value, int) else f"{value:g}"


def tally(name: str, counts: Mapping[str, int | float]) -> Part:
    """How often there is what, as bars; an empty text if there is nothing."""
    if not counts:
        return ""
    most = max(counts.values()) or 1
    rows = [
        el("tr", el("td", spoken(what)), el("td", el("progress", max=most, value=n), look="share"),
           el("td", f"{n:,}", look="count"))
        for what, n in counts.items()
    ]  # fmt: skip
    return el("section", el("h5", name), el("table", el("tbody", *rows)), look="tally")


def spoken(name: object) -> str:
    """A name of code as words."""
    return str(name).replace("_", " ")


class Pictures:
    """How the page below ``out`` finds picture files: by relative paths, and only those in ``folders`` (none: any).

    Nothing is opened; the browser loads a picture when its row is looked at.
    """

    def __init__(self, out: Path, *folders: Path) -> None:
        self._out = Path(os.path.realpath(out))
        self._folders = [Path(os.path.realpath(folder)) for folder in folders]
        self._places: dict[str | Path, tuple[str, str]] = {}

    def place(self, path: str | Path) -> tuple[str, str]:
        """The address of a file for the page, or an empty one and why it has none."""
        if path not in self._places:
            self._places[path] = self._looked_up(path)
        return self._places[path]

    def _looked_up(self, path: str | Path) -> tuple[str, str]:
        try:
            real = Path(os.path.realpath(self._out / path))
            if self._folders and not any(real.is_relative_to(folder) for folder in self._folders):
                return "", "outside of the folder"
            if real.suffix.lower() not in SHOWN_AS_PICTURES:
                return "", "not a picture"
            if not real.is_file():
                return "", "not there"
            return quote(Path(os.path.relpath(real, self._out)).as_posix()), ""
        except (OSError, ValueError):  # names that no file can have, and files of another drive
            return "", "not there"

    def of(self, path: str | Path | None, caption: str = "", boxes: Iterable[Box] = (), look: str = "") -> Part:
        """The picture with its caption and boxes on it, or an empty frame that says why there is none."""
        place, problem = self.place(path) if path else ("", "no picture")
        below = [el("figcaption", caption)] if caption else []
        if not place:
            return el("figure", el("div", problem, look="lost"), *below, look=look)
        marks = [el("i", kind, *map(str, edges), title=name) for edges, kind, name in boxes]
        return el("figure", el("img", *marks, src=place, alt=caption), *below, look=look)


def formula(latex: str, *, block: bool = False) -> Part | None:
    """A formula as MathML, or None for what is better left as it stands."""
    made = mathml(latex, block=block)
    return None if made is None else _tree(str(made))


@lru_cache(maxsize=20_000)
def _tree(markup: str) -> list[Any]:
    def built(node: ElementTree.Element) -> list[Any]:
        inside: list[Any] = [node.text] if node.text else []
        for child in node:
            inside += [built(child), *([child.tail] if child.tail else [])]
        return [node.tag, dict(node.attrib), *inside]

    return built(ElementTree.fromstring(markup))  # noqa: S314 - MathML of our own


_FORMATS = ("PNG", "JPEG", "WEBP", "BMP", "GIF", "TIFF")
#: Larger pictures and files are not opened.
_MOST_PIXELS = 40_000_000
_MOST_BYTES = 64 << 20
_QUALITY = 80


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A picture as a data URI with the size that it has in full; without one, ``problem`` says in a few words why."""

    uri: str = ""
    width: int = 0
    height: int = 0
    problem: str = ""


def thumbnail(source: Path | bytes, width: int = 480) -> Thumbnail:
    """The picture of a file, or of its bytes, upright, on white, and fitted into so many pixels and 2.2 times as many.

    A picture that is wider than high is fitted into 1.7 times as many and as many.
    """
    from PIL import Image

    try:
        if isinstance(source, Path) and not source.is_file():
            return Thumbnail(problem="not there")
        if (source.stat().st_size if isinstance(source, Path) else len(source)) > _MOST_BYTES:
            return Thumbnail(problem="too large to show")
        with Image.open(source if isinstance(source, Path) else BytesIO(source), formats=_FORMATS) as picture:
            if math.prod(picture.size) > _MOST_PIXELS:
                return Thumbnail(problem="too large to show")
            return _encoded(picture, width)
    except Image.DecompressionBombError:
        return Thumbnail(problem="too large to show")
    except Exception:  # decoders raise all kinds of errors on damaged files
        return Thumbnail(problem="cannot be decoded")


def _encoded(picture: Image, width: int) -> Thumbnail:
    from PIL import Image, ImageOps

    upright = of_8_bits(ImageOps.exif_transpose(picture))
    high = upright.height >= upright.width
    scale = min((width if high else 1.7 * width) / upright.width, (2.2 if high else 1) * width / upright.height, 1.0)
    size = (max(1, round(upright.width * scale)), max(1, round(upright.height * scale)))
    small = upright.resize(size, Image.Resampling.BOX if scale < 0.5 else Image.Resampling.LANCZOS)
    out = BytesIO()
    on_white(small).save(out, "JPEG", quality=_QUALITY, optimize=True)
    data = base64.b64encode(out.getvalue()).decode()
    return Thumbnail(f"data:image/jpeg;base64,{data}", upright.width, upright.height)
