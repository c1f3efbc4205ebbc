"""A row's text as safe HTML: its pictures and plain tables shown, its LaTeX set apart, all else escaped."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator
from urllib.parse import quote

from markupsafe import Markup, escape

from operators.pdf.pairs import PICTURE_FOLDER

#: Longer texts are cut on the page; the data files have them whole.
MAX_TEXT = 20_000

_OPEN_TABLE = r"(?P<table><table\b[^<>]{0,500}>)"
_PICTURE = rf"!\[(?P<caption>[^\]\n]{{0,500}})\]\({PICTURE_FOLDER}/"
# A dollar sign before a space, or after one, is money.
_TEX = r"(?P<tex>\$(?![\s$])[^$\n]{0,1000}(?<!\s)\$(?!\d))|(?P<open>\$\$|\\\(|\\\[)"
_CLOSE = {"$$": "$$", "\\(": "\\)", "\\[": "\\]"}
_MAX_TEX = 4_000
_SPECIAL = re.compile(f"{_PICTURE}|{_OPEN_TABLE}|{_TEX}", re.IGNORECASE | re.DOTALL)
_END_TABLE = re.compile(r"</table\s*>", re.IGNORECASE)
_PART = re.compile(r"(</?(?:table|thead|tbody|tfoot|tr|td|th)\b[^<>]{0,500}>)", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_SPAN = re.compile(r"\b(colspan|rowspan)\s*=\s*[\"']?\s*(\d{1,2})(?!\d)", re.IGNORECASE)


def text_html(text: str, pictures: Collection[str]) -> Markup:
    """The text as HTML in which only these pictures (file names), tables, and ``code`` for LaTeX are tags.

    >>> print(text_html("Is $a<b$ here? <b>Yes</b>", ()))
    Is <code class="tex">$a&lt;b$</code> here? &lt;b&gt;Yes&lt;/b&gt;
    >>> print(text_html("![a < b](vqa_images/x.png)", ["x.png"]))
    <span class="pic"><img src="vqa_images/x.png" alt="a &lt; b" loading="lazy"><span>a &lt; b</span></span>
    """
    cut = text[:MAX_TEXT]
    parts = list(_parts(cut, sorted(pictures, key=len, reverse=True), tables=True))
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


def _parts(text: str, pictures: list[str], *, tables: bool) -> Iterator[Markup]:
    place = 0
    while match := _SPECIAL.search(text, place):
        yield escape(text[place : match.start()])
        place = match.end()
        if match["caption"] is not None:
            name = next((n for n in pictures if text.startswith(f"{n})", place)), None)
            if name is None:
                yield escape(match[0])
            else:
                yield picture_html(name, match["caption"])
                place += len(name) + 1
        elif match["table"] is not None:
            end = _END_TABLE.search(text, place) if tables else None
            if end is None:
                yield escape(match[0])
                tables = False  # no end further on either
            else:
                yield from _table(text[place : end.start()], pictures)
                place = end.end()
        else:
            place = _tex_end(text, match)
            tex = Markup('<code class="tex">{}</code>') if place > match.end() or match["tex"] else Markup("{}")
            yield tex.format(text[match.start() : place])
    yield escape(text[place:])


def _tex_end(text: str, match: re.Match[str]) -> int:
    """Where the formula that opens here ends; just behind its sign if it never does."""
    if match["open"] is None:
        return match.end()
    close = _CLOSE[match["open"]]
    end = text.find(close, match.end(), match.end() + _MAX_TEX)
    return match.end() if end < 0 else end + len(close)


def _table(source: str, pictures: list[str]) -> Iterator[Markup]:
    """Rows and cells built anew from what was found, so that tags are balanced whatever the source was."""
    rows: list[list[tuple[str, Markup, str]]] = []
    loose: list[str] = []
    for part in _PART.split(source):
        tag = _PART.fullmatch(part)
        name = part.strip("</> ").split()[0].rstrip("/").casefold() if tag else ""
        if tag and name == "tr" and not part.startswith("</"):
            rows.append([])
        elif tag and name in ("td", "th") and not part.startswith("</"):
            rows = rows or [[]]
            rows[-1].append((name, _spans(part), ""))
        elif not tag and part.strip():
            if rows and rows[-1]:
                cell = rows[-1][-1]
                rows[-1][-1] = (cell[0], cell[1], cell[2] + part)
            else:
                loose.append(part)
    if loose:
        yield escape(" ".join(loose))
    yield Markup('<table class="data">')
    for row in rows:
        yield Markup("<tr>")
        for name, spans, content in row:
            # "&lt;" in a table's source is a letter, not a tag: it is read before the text is escaped.
            words = html.unescape(_BREAK.sub("\n", content)).strip()
            inside = Markup("").join(_parts(words, pictures, tables=False))
            yield Markup("<{0}{1}>{2}</{0}>").format(Markup(name), spans, inside)  # noqa: S704 - "td" or "th"
        yield Markup("</tr>")
    yield Markup("</table>")


def _spans(tag: str) -> Markup:
    found = {name.casefold(): int(number) for name, number in _SPAN.findall(tag)}
    return Markup("").join(Markup(' {}="{}"').format(name, n) for name, n in found.items() if n > 1)
