"""A row's text as Markdown to read, in which nothing that the text brings is a tag, a link or a strange picture."""

from __future__ import annotations

import re
from collections.abc import Collection
from urllib.parse import quote

from dataflow_ext.report.texts import Formula, Picture, Piece, Table, pieces

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
        return _table(piece, pictures, folder)
    if isinstance(piece, Picture):
        return f"![{_inert(piece.caption)}]({folder}/{quote(piece.name)})"
    if isinstance(piece, Formula):
        less = _LESS.sub(lambda found: "\\lt " if found[1] else "\\lt", piece.text)
        return _LINK.sub(r"]{}\1", less)  # an empty group shows nothing
    # Before a picture a backslash would make a link of it.
    return _inert(piece.text.removesuffix("\\") + "&#92;" if piece.text.endswith("\\") else piece.text)


def _table(table: Table, pictures: Collection[str], folder: str) -> str:
    """Rows and cells built anew, in one line: a viewer takes an empty one for the end of the table."""
    rows = "".join(
        f"<tr>{''.join(f'{cell.tag()}{_cell(cell.text, pictures, folder)}</{cell.kind}>' for cell in row)}</tr>"
        for row in table.rows
    )
    return f"{_inert(table.loose)}<table>{rows}</table>"


def _cell(text: str, pictures: Collection[str], folder: str) -> str:
    parts = pieces(text.replace("&", "&amp;"), pictures, folder, tables=False)
    inside = "".join(_markdown(piece, pictures, folder) for piece in parts)
    return inside.replace("\n", "<br>")


def _inert(text: str) -> str:
    made = _LINK.sub(lambda found: f"]&#{ord(found[1])};", text.replace("<", "&lt;"))
    return _FENCE.sub(lambda found: f"&#{ord(found[0])};", made)
