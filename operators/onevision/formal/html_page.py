"""HTML of tables and documents: a few tags, balanced, without scripts and styles, and tables with even rows."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from operators.onevision.formal.html_table import Rows

_VOID = frozenset(("br", "hr", "img", "input", "col"))
_TAGS = _VOID | frozenset(
    [
        "table",
        "thead",
        "tbody",
        "tfoot",
        "tr",
        "th",
        "td",
        "caption",
        "colgroup",
        "html",
        "head",
        "title",
        "body",
        "main",
        "header",
        "footer",
        "nav",
        "section",
        "article",
        "aside",
        "div",
        "span",
        "p",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "ul",
        "ol",
        "li",
        "dl",
        "dt",
        "dd",
        "a",
        "b",
        "strong",
        "i",
        "em",
        "u",
        "s",
        "small",
        "sub",
        "sup",
        "mark",
        "code",
        "pre",
        "blockquote",
        "form",
        "label",
        "button",
        "select",
        "option",
        "textarea",
        "fieldset",
        "legend",
        "figure",
        "figcaption",
    ]
)
_ATTRIBUTES = frozenset(
    [
        "colspan",
        "rowspan",
        "scope",
        "align",
        "border",
        "id",
        "class",
        "lang",
        "title",
        "name",
        "type",
        "value",
        "placeholder",
        "for",
        "alt",
        "href",
        "checked",
        "selected",
        "disabled",
        "readonly",
        "required",
        "width",
        "height",
    ]
)
_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]{0,15})(?=[\s/>])")
_ATTRIBUTE = re.compile(r"""\s*([a-zA-Z_:@][\w:.@-]{0,40})(?:\s{0,9}=\s{0,9}("[^"<>]*"|'[^'<>]*'|[^\s"'<>=`]+))?""")
_TAG_END = re.compile(r"\s*/?>")
_LOADS = re.compile(r"(?:javascript|data|vbscript|file):", re.IGNORECASE)
_PARENT = {
    "tr": ("table", "thead", "tbody", "tfoot"), "td": ("tr",), "th": ("tr",), "li": ("ul", "ol"),
    "thead": ("table",), "tbody": ("table",), "tfoot": ("table",), "caption": ("table",), "option": ("select",),
}  # fmt: skip
_DEEPEST = 100
_LONGEST_TAG = 2000


@dataclass(slots=True)
class _Tag:
    name: str
    closes: bool
    attributes: dict[str, str]


class _Wrong(ValueError):
    """The code is no such HTML; the text says why."""


def problem(code: str) -> str | None:
    """What keeps the code from being HTML of a table or a document.

    >>> problem("<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>")
    'row 2 of a table is 1 cell wide, row 1 is 2'
    >>> problem("<p onclick='x()'>a</p>")
    "the attribute 'onclick' is not allowed"
    """
    try:
        _check(code)
    except _Wrong as error:
        return str(error)
    return None


def said(code: str) -> str:
    """The text between the tags, and what stands in fields and for pictures."""
    parts = []
    try:
        for piece in _pieces(code):
            if isinstance(piece, str):
                parts.append(html.unescape(piece))
            else:
                parts += [value for name, value in piece.attributes.items() if name in _SPOKEN]
    except _Wrong:
        parts.append(re.sub(r"<[^<>]{0,200}>", " ", code))
    return " ".join(parts)


_SPOKEN = ("alt", "value", "placeholder", "title")


def _check(code: str) -> None:
    stack: list[str] = []
    tables: list[Rows] = []
    tags = 0
    for piece in _pieces(code):
        if isinstance(piece, str):
            if piece.strip() and stack and stack[-1] in ("table", "thead", "tbody", "tfoot", "tr"):
                raise _Wrong(f"there is text in <{stack[-1]}> outside of a cell")
            continue
        tags += 1
        if piece.closes:
            _close(piece.name, stack, tables)
        else:
            _open(piece, stack, tables)
    if stack:
        raise _Wrong(f"<{stack[-1]}> is not closed")
    if not tags:
        raise _Wrong("there is no tag in it")


def _open(tag: _Tag, stack: list[str], tables: list[Rows]) -> None:
    parents = _PARENT.get(tag.name)
    if parents and (not stack or stack[-1] not in parents):
        raise _Wrong(f"<{tag.name}> stands outside of <{parents[0]}>")
    if tag.name == "table":
        tables.append(Rows())
    elif tag.name == "tr":
        tables[-1].start()
    elif tag.name in ("td", "th"):
        tables[-1].cell(*(_span(tag, name) for name in ("colspan", "rowspan")))
    if tag.name not in _VOID:
        stack.append(tag.name)
        if len(stack) > _DEEPEST:
            raise _Wrong(f"tags are nested more than {_DEEPEST} deep")


def _close(name: str, stack: list[str], tables: list[Rows]) -> None:
    if name in _VOID:
        raise _Wrong(f"<{name}> has no closing tag")
    if not stack or stack[-1] != name:
        raise _Wrong(f"</{name}> closes " + (f"<{stack[-1]}>" if stack else "nothing"))
    stack.pop()
    if name == "tr":
        tables[-1].end()
    wrong = tables[-1].problem() if name in ("tr", "table") else None
    if name == "table":
        wrong = wrong or tables[-1].left_over()
        tables.pop()
    if wrong:
        raise _Wrong(wrong)


def _span(tag: _Tag, name: str) -> int:
    text = tag.attributes.get(name, "1")
    if not (text.isascii() and text.isdigit() and len(text) <= 3 and int(text) > 0):
        raise _Wrong(f"the {name} {text[:20]!r} is no number from 1 to 999")
    return int(text)


def _pieces(code: str) -> Iterator[str | _Tag]:
    """Tags, and the texts between them; a ``<`` that opens no tag is text."""
    place = 0
    while place < len(code):
        start = code.find("<", place)
        if start < 0:
            start = len(code)
        if start > place:
            yield code[place:start]
        if start == len(code):
            return
        if code.startswith("<!--", start):
            end = code.find("-->", start + 4)
            if end < 0:
                raise _Wrong("a comment is not closed")
            place = end + 3
        elif code[start : start + 9].lower() == "<!doctype":
            place = code.find(">", start, start + 100) + 1
            if not place:
                raise _Wrong("<!DOCTYPE is not closed")
        elif start + 1 < len(code) and (code[start + 1].isalpha() or code[start + 1] in "/!?"):
            tag, place = _tag(code, start)
            yield tag
        else:
            yield "<"
            place = start + 1


def _tag(code: str, start: int) -> tuple[_Tag, int]:
    found = _TAG.match(code, start)
    name = found[1].lower() if found else ""
    if not found or name not in _TAGS:
        raise _Wrong(f"the tag {code[start : start + 20]!r} is not allowed")
    closes = code[start + 1] == "/"
    attributes: dict[str, str] = {}
    place = found.end()
    while True:
        rest = _TAG_END.match(code, place)
        if rest:
            return _Tag(name, closes, attributes), rest.end()
        each = _ATTRIBUTE.match(code, place, start + _LONGEST_TAG)
        if not each or closes:
            raise _Wrong(f"<{'/' * closes}{name}> is not closed, or has an attribute that cannot be read")
        key, value = each[1].lower(), html.unescape((each[2] or "").strip("\"'"))
        if key not in _ATTRIBUTES:
            raise _Wrong(f"the attribute {key!r} is not allowed")
        if _LOADS.match("".join(value.split())):
            raise _Wrong(f"the value of {key!r} is not allowed")
        attributes[key] = value
        place = each.end()
