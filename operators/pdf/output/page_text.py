"""A row's text as safe HTML: its pictures and plain tables shown, its LaTeX set apart, all else escaped."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from urllib.parse import quote

from markupsafe import Markup, escape

from operators.pdf.output.pieces import Formula, Picture, Piece, Table, pieces
from operators.pdf.pairs import PICTURE_FOLDER

#: Longer texts are cut on the page; the data files have them whole.
MAX_TEXT = 20_000


def text_html(text: str, pictures: Collection[str]) -> Markup:
    """The text as HTML in which only these pictures (file names), tables, and ``code`` for LaTeX are tags.

    >>> print(text_html("Is $a<b$ here? <b>Yes</b>", ()))
    Is <code class="tex">$a&lt;b$</code> here? &lt;b&gt;Yes&lt;/b&gt;
    >>> print(text_html("![a < b](vqa_images/x.png)", ["x.png"]))
    <span class="pic"><img src="vqa_images/x.png" alt="a &lt; b" loading="lazy"><span>a &lt; b</span></span>
    """
    parts = [_html(piece, pictures) for piece in pieces(text[:MAX_TEXT], pictures)]
    if len(text) > MAX_TEXT:
        parts.append(
            Markup(' <em class="quiet">… {} more characters in the data files</em>').format(len(text) - MAX_TEXT)
        )
    return Markup("").join(parts)


def picture_html(name: str, caption: str) -> Markup:
    """A picture of the output folder with its caption below it."""
    below = Markup("<span>{}</span>").format(caption) if caption else ""
    return Markup('<span class="pic"><img src="{}" alt="{}" loading="lazy">{}</span>').format(
        f"{PICTURE_FOLDER}/{quote(name)}", caption, below
    )


def _html(piece: Piece, pictures: Collection[str]) -> Markup:
    if isinstance(piece, Table):
        return Markup("").join(_table(piece, pictures))
    if isinstance(piece, Picture):
        return picture_html(piece.name, piece.caption)
    if isinstance(piece, Formula):
        return Markup('<code class="tex">{}</code>').format(piece.text)
    return escape(piece.text)


def _table(table: Table, pictures: Collection[str]) -> Iterator[Markup]:
    """Rows and cells built anew, so that tags are balanced whatever the source was."""
    yield escape(table.loose)
    yield Markup('<table class="data">')
    for row in table.rows:
        yield Markup("<tr>")
        for cell in row:
            inside = Markup("").join(_html(piece, pictures) for piece in pieces(cell.text, pictures, tables=False))
            yield Markup("{}{}</{}>").format(Markup(cell.tag()), inside, cell.kind)  # noqa: S704 - of names and numbers
        yield Markup("</tr>")
    yield Markup("</table>")
