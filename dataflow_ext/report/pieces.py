"""A row's text taken apart: its pictures, tables and formulas, and the words between them."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

_OPEN_TABLE = r"(?P<table><table\b[^<>]{0,500}>)"
_PICTURE = r"!\[(?P<caption>[^\]\n]{0,500})\]\("
# A dollar sign before a space, or after one, is money, but not with spaces inside of both and a sign of LaTeX's.
_TEX = (
    r"(?P<tex>\$(?![\s$])[^$\n]{0,1000}(?<!\s)\$(?!\d)|\$ (?=[^$\n]*[\\^_=])[^$\n]{0,1000} \$)"
    r"|(?P<open>\$\$|\\\(|\\\[)"
)
_CLOSE = {"$$": "$$", "\\(": "\\)", "\\[": "\\]"}
_MAX_TEX = 4_000
_SPECIAL = re.compile(f"{_PICTURE}|{_OPEN_TABLE}|{_TEX}", re.IGNORECASE | re.DOTALL)
_END_TABLE = re.compile(r"</table\s*>", re.IGNORECASE)
_PART = re.compile(r"(</?(?:table|thead|tbody|tfoot|tr|td|th)\b[^<>]{0,500}>)", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_SPAN = re.compile(r"\b(colspan|rowspan)\s*=\s*[\"']?\s*(\d{1,2})(?!\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Words:
    """Text that is nothing else."""

    text: str


@dataclass(frozen=True, slots=True)
class Formula:
    """LaTeX with the signs that it stands between."""

    text: str

    @property
    def latex(self) -> str:
        r"""The formula without these signs.

        >>> Formula("$x^2$").latex, Formula(r"\[x^2\]").latex
        ('x^2', 'x^2')
        """
        width = 1 if self.text.startswith("$") and not self.text.startswith("$$") else 2
        return self.text[width:-width]

    @property
    def is_display(self) -> bool:
        """Whether it stands on lines of its own."""
        return self.text.startswith(("$$", "\\["))


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of the folder, by its file's name."""

    name: str
    caption: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: ``td`` or ``th``, its spans above 1 by name, and its text, in which nothing is a tag."""

    kind: str
    spans: dict[str, int]
    text: str

    def tag(self) -> str:
        """Its start tag, which holds nothing but the spans.

        >>> Cell("td", {"colspan": 2}, "x").tag()
        '<td colspan="2">'
        """
        spans = "".join(f' {name}="{number}"' for name, number in self.spans.items())
        return f"<{self.kind}{spans}>"


@dataclass(frozen=True, slots=True)
class Table:
    """A table's cells by rows, and what stood outside of them."""

    rows: Sequence[Sequence[Cell]]
    loose: str


Piece: TypeAlias = Words | Formula | Picture | Table


def pieces(text: str, pictures: Collection[str], folder: str = "", *, tables: bool = True) -> Iterator[Piece]:
    """The pieces of a text in order; only links to these file names of a folder are pictures, and all else is words.

    Of a table's source only the tags of rows and cells count, and of these only the spans: ``a<b`` in a cell is
    text, as are tags of other kinds.

    >>> [type(piece).__name__ for piece in pieces("So $a<b$: <table><tr><td>1</table>.", ())]
    ['Words', 'Formula', 'Words', 'Table', 'Words']
    """
    names = sorted(pictures, key=len, reverse=True)
    place = 0
    while match := _SPECIAL.search(text, place):
        yield Words(text[place : match.start()])
        place = match.end()
        if match["caption"] is not None:
            name = next((n for n in names if text.startswith(f"{folder}/{n})", place)), None)
            if name is None:
                yield Words(match[0])
            else:
                yield Picture(name, match["caption"])
                place += len(folder) + len(name) + 2
        elif match["table"] is not None:
            end = _END_TABLE.search(text, place) if tables else None
            if end is None:
                yield Words(match[0])
                tables = False  # no end further on either
            else:
                yield _table(text[place : end.start()])
                place = end.end()
        else:
            place = _tex_end(text, match)
            piece = Formula if place > match.end() or match["tex"] else Words
            yield piece(text[match.start() : place])
    yield Words(text[place:])


def _tex_end(text: str, match: re.Match[str]) -> int:
    """Where the formula that opens here ends; just behind its sign if it never does."""
    if match["open"] is None:
        return match.end()
    close = _CLOSE[match["open"]]
    end = text.find(close, match.end(), match.end() + _MAX_TEX)
    return match.end() if end < 0 else end + len(close)


def _table(source: str) -> Table:
    rows: list[list[Cell]] = []
    loose: list[str] = []
    for part in _PART.split(source):
        tag = _PART.fullmatch(part)
        name = part.strip("</> ").split()[0].rstrip("/").casefold() if tag else ""
        if tag and name == "tr" and not part.startswith("</"):
            rows.append([])
        elif tag and name in ("td", "th") and not part.startswith("</"):
            rows = rows or [[]]
            rows[-1].append(Cell(name, _spans(part), ""))
        elif not tag and part.strip():
            if rows and rows[-1]:
                cell = rows[-1][-1]
                rows[-1][-1] = Cell(cell.kind, cell.spans, cell.text + part)
            else:
                loose.append(part)
    # "&lt;" in a table's source is a letter, not a tag.
    read = [[Cell(c.kind, c.spans, html.unescape(_BREAK.sub("\n", c.text)).strip()) for c in row] for row in rows]
    return Table(read, " ".join(loose))


def _spans(tag: str) -> dict[str, int]:
    found = {name.casefold(): int(number) for name, number in _SPAN.findall(tag)}
    return {name: number for name, number in found.items() if number > 1}
