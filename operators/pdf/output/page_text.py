"""A row's text as safe HTML: its pictures, plain tables and formulas shown, all else escaped."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain, pairwise
from urllib.parse import quote

from markupsafe import Markup, escape

from dataflow_ext.report.mathml import mathml
from operators.pdf.output.pieces import Formula, Picture, Piece, Table, Words, pieces
from operators.pdf.pairs import PICTURE_FOLDER

#: Longer texts are cut on the page; the data files have them whole.
MAX_TEXT = 20_000


def text_html(text: str, pictures: Collection[str], root: str = "") -> Markup:
    """The text as HTML in which only these pictures (file names), tables and formulas are elements.

    A formula that cannot be drawn stays as it is, as ``code``. ``root`` leads from the page's folder to the output
    folder.

    >>> print(text_html("Is $a<b$ here? <b>Yes</b>", ()))
    Is <math title="a&lt;b"><mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow></math> here? &lt;b&gt;Yes&lt;/b&gt;
    >>> print(text_html("![a < b](vqa_images/x.png)", ["x.png"]))
    <span class="pic"><img src="vqa_images/x.png" alt="a &lt; b" loading="lazy"><span>a &lt; b</span></span>
    """
    parts = [_html(piece, pictures, root) for piece in _closed_up(pieces(text[:MAX_TEXT], pictures))]
    if len(text) > MAX_TEXT:
        parts.append(
            Markup(' <em class="quiet">… {} more characters in the data files</em>').format(len(text) - MAX_TEXT)
        )
    return Markup("").join(parts)


def picture_html(name: str, caption: str, root: str = "") -> Markup:
    """A picture of the output folder with its caption below it."""
    below = Markup("<span>{}</span>").format(caption) if caption else ""
    return Markup('<span class="pic"><img src="{}" alt="{}" loading="lazy">{}</span>').format(
        f"{root}{PICTURE_FOLDER}/{quote(name)}", caption, below
    )


def _html(piece: Piece, pictures: Collection[str], root: str) -> Markup:
    if isinstance(piece, Table):
        return Markup("").join(_table(piece, pictures, root))
    if isinstance(piece, Picture):
        return picture_html(piece.name, piece.caption, root)
    if isinstance(piece, Formula):
        drawn = mathml(piece.latex, block=piece.is_display)
        return Markup('<code class="tex">{}</code>').format(piece.text) if drawn is None else drawn
    return escape(piece.text)


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


def _table(table: Table, pictures: Collection[str], root: str) -> Iterator[Markup]:
    """Rows and cells built anew, so that tags are balanced whatever the source was."""
    yield escape(table.loose)
    yield Markup('<table class="data">')
    for row in table.rows:
        yield Markup("<tr>")
        for cell in row:
            inside = Markup("").join(
                _html(piece, pictures, root) for piece in pieces(cell.text, pictures, tables=False)
            )
            yield Markup("{}{}</{}>").format(Markup(cell.tag()), inside, cell.kind)  # noqa: S704 - of names and numbers
        yield Markup("</tr>")
    yield Markup("</table>")
