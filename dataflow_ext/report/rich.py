"""A text as a page shows it: its formulas drawn, its plain tables and own pictures shown, all else text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from urllib.parse import quote

from dataflow_ext.report.parts import MAX_TEXT, Part, Pictures, el, formula
from dataflow_ext.report.pieces import Formula, Picture, Piece, Table, Words, pieces


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
