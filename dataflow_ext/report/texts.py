"""A text as a page shows it: its formulas drawn, its plain tables and own pictures shown, all else text."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TypeAlias
from urllib.parse import quote

from dataflow_ext.report.parts import MAX_TEXT, Part, Pictures, el, formula

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


def rich(text: str | None, pictures: Collection[str] = (), folder: str = "", look: str = "text") -> Part:
    """The text with its lines, in which only links to these files of a folder, tables and formulas are elements.

    A formula that cannot be drawn stays as it is, as ``code``.

    >>> rich("Is $a$ here? <b>Yes</b>")[2:]
    ['Is ', ['math', {'title': 'a'}, ['mi', {}, 'a']], ' here? <b>Yes</b>']
    """
    text = text or ""
    parts = [_part(piece, pictures, folder) for piece in _closed_up(pieces(text[:MAX_TEXT], pictures, folder))]
    if len(text) > MAX_TEXT:
        parts.append(el("em", f" … {len(text) - MAX_TEXT:,} more characters in the data files", look="quiet"))
    return el("div", *(part for part in parts if part != ""), look=look)


def illustrated(text: str | None, links: Sequence[str] | None, pictures: Pictures) -> list[Part]:
    """The text with its pictures where they stand in it, and behind it those that have no place there."""
    every = dict.fromkeys(links or ())
    placed = [link for link in every if f"]({link})" in (text or "") and pictures.place(link)[0]]
    folder = placed[0].rpartition("/")[0] if placed else ""
    inside = {link: link.rpartition("/")[2] for link in placed if folder and link.rpartition("/")[0] == folder}
    behind = {link: "" if pictures.place(link)[0] else link.rpartition("/")[2] for link in every if link not in inside}
    return [rich(text, list(inside.values()), folder), *(pictures.of(link, name) for link, name in behind.items())]


def _part(piece: Piece, pictures: Collection[str], folder: str) -> Part:
    if isinstance(piece, Table):
        return _table(piece, pictures, folder)
    if isinstance(piece, Picture):
        below = [el("span", piece.caption)] if piece.caption else []
        return el("span", el("img", src=f"{folder}/{quote(piece.name)}", alt=piece.caption), *below, look="pic")
    if isinstance(piece, Formula):
        return formula(piece.latex, block=piece.is_display) or el("code", piece.text, look="tex")
    return piece.text


def _closed_up(parts: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces without the line breaks around what stands on lines of its own in any case."""
    after_display = False
    for part, following in pairwise(chain(parts, [Words("")])):
        text = part.text if isinstance(part, Words) else ""
        if after_display:
            text = text.lstrip("\n")
        if isinstance(following, Formula) and following.is_display:
            text = text.rstrip("\n")
        yield Words(text) if isinstance(part, Words) else part
        after_display = isinstance(part, Formula) and part.is_display


def _table(table: Table, pictures: Collection[str], folder: str) -> Part:
    """Rows and cells built anew, whatever the source was."""

    def inside(text: str) -> list[Part]:
        parts = (_part(piece, pictures, folder) for piece in pieces(text, pictures, folder, tables=False))
        return [part for part in parts if part != ""]

    rows = [el("tr", *(el(cell.kind, *inside(cell.text), **cell.spans) for cell in row)) for row in table.rows]
    return el("span", table.loose, el("table", *rows, look="data"))


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
                yield _table_read(text[place : end.start()])
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


def _table_read(source: str) -> Table:
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


_HEADING = re.compile(r"^([ \t]*)#", re.MULTILINE)
#: What makes a link, a picture, or a link's definition of the words in brackets before it.
_LINK = re.compile(r"\](?=[(:])(.)")
#: What would begin a block of code, which hides all formulas, tables and pictures behind it.
_FENCE = re.compile(r"`(?=``)|~(?=~~)")
#: In LaTeX a less-than sign has a name, which viewers that show formulas know; a letter behind it needs a space.
_LESS = re.compile(r"<(?=([A-Za-z])?)")


def markdown_text(text: str, pictures: Collection[str] = (), folder: str = "") -> str:
    """The text with its lines kept: these pictures (file names in ``folder``), tables and formulas are shown.

    Every ``<`` is ``&lt;``, or in a formula ``\\\\lt``, as viewers hand formulas on as they stand. Links and pictures
    from elsewhere stay readable, but lead nowhere: ``&#40;`` is a bracket that no viewer takes for a link's.

    >>> print(markdown_text("If $a<b$ <i>then</i>  [see](javascript:x)", ()))
    If $a\\lt b$ &lt;i>then&lt;/i>  [see]&#40;javascript:x)
    """
    made = "".join(_markdown(piece, pictures, folder) for piece in pieces(text.strip(), pictures, folder))
    return _HEADING.sub(r"\1\\#", made).replace("\n", "  \n")


def markdown_line(text: str) -> str:
    """A text as part of one line, with no picture, table or formula in it.

    >>> markdown_line("1 <i>Lines</i>\\n*a*")
    '1 &lt;i>Lines&lt;/i> \\\\*a\\\\*'
    """
    return _inert(" ".join(text.split())).replace("*", "\\*")


def _markdown(piece: Piece, pictures: Collection[str], folder: str) -> str:
    if isinstance(piece, Table):
        return _markdown_table(piece, pictures, folder)
    if isinstance(piece, Picture):
        return f"![{_inert(piece.caption)}]({folder}/{quote(piece.name)})"
    if isinstance(piece, Formula):
        less = _LESS.sub(lambda found: "\\lt " if found[1] else "\\lt", piece.text)
        return _LINK.sub(r"]{}\1", less)  # an empty group shows nothing
    # Before a picture a backslash would make a link of it.
    return _inert(piece.text.removesuffix("\\") + "&#92;" if piece.text.endswith("\\") else piece.text)


def _markdown_table(table: Table, pictures: Collection[str], folder: str) -> str:
    """Rows and cells built anew, in one line: a viewer takes an empty one for the end of the table."""
    rows = "".join(
        f"<tr>{''.join(f'{cell.tag()}{_told_cell(cell.text, pictures, folder)}</{cell.kind}>' for cell in row)}</tr>"
        for row in table.rows
    )
    return f"{_inert(table.loose)}<table>{rows}</table>"


def _told_cell(text: str, pictures: Collection[str], folder: str) -> str:
    parts = pieces(text.replace("&", "&amp;"), pictures, folder, tables=False)
    inside = "".join(_markdown(piece, pictures, folder) for piece in parts)
    return inside.replace("\n", "<br>")


def _inert(text: str) -> str:
    made = _LINK.sub(lambda found: f"]&#{ord(found[1])};", text.replace("<", "&lt;"))
    return _FENCE.sub(lambda found: f"&#{ord(found[0])};", made)
