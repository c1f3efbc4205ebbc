"""HTML of tables and documents: a few tags, balanced, without scripts and styles, and tables with even rows."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from operators.onevision.formal.plain import Wrong, listed

#: Columns of a table, and places of all its rows, at most.
_WIDEST, _MOST = 1000, 200_000


class Rows:
    """Counts the places of a table's rows; ``start`` a row, give it each ``cell``, and ``end`` it."""

    def __init__(self) -> None:
        self._reach: dict[int, int] = {}  # column -> rows further down that a cell from above takes
        self._taken: set[int] = set()
        self._next = 0
        self._width: int | None = None
        self._number = 0
        self._places = 0
        #: What is wrong with the rows so far.
        self.wrong: str | None = None

    def start(self) -> None:
        """Begin a row; cells from above already stand in it."""
        self._number += 1
        self._taken = set(self._reach)
        self._reach = {column: rows - 1 for column, rows in self._reach.items() if rows > 1}
        self._next = 0

    def cell(self, columns: int, rows: int) -> None:
        """A cell in the row, in the first places that are free."""
        if self.wrong or len(self._taken) + columns > _WIDEST:
            self.wrong = self.wrong or f"row {self._number} of a table has more than {_WIDEST:,} places"
            return
        while self._next in self._taken:
            self._next += 1
        for column in range(self._next, self._next + columns):
            if column in self._taken:
                self.wrong = self.wrong or f"cells of row {self._number} of a table overlap"
            self._taken.add(column)
            if rows > 1:
                self._reach[column] = rows - 1
        self._next += columns

    def end(self) -> None:
        """End a row."""
        width = len(self._taken)
        self._places += width + 1
        if self._places > _MOST:
            self.wrong = self.wrong or f"a table has more than {_MOST:,} places"
        elif not width:
            self.wrong = self.wrong or f"row {self._number} of a table has no cells"
        elif self._width is None:
            self._width = width
        elif width != self._width:
            cells = "cell" if width == 1 else "cells"
            self.wrong = self.wrong or (
                f"row {self._number} of a table is {width} {cells} wide, row 1 is {self._width}"
            )

    def left_over(self) -> str | None:
        """What is wrong with the whole table."""
        if not self._number:
            return "a table has no rows"
        return "a cell reaches below the last row of its table" if self._reach else None


_VOID = listed("html", "void")
_TAGS = _VOID | listed("html", "tags")
_ATTRIBUTES = listed("html", "attributes")
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


def problem(code: str) -> str | None:
    """What keeps the code from being HTML of a table or a document.

    >>> problem("<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>")
    'row 2 of a table is 1 cell wide, row 1 is 2'
    >>> problem("<p onclick='x()'>a</p>")
    "the attribute 'onclick' is not allowed"
    """
    try:
        _check(code)
    except Wrong as error:
        return str(error)
    return None


def _check(code: str) -> None:
    stack: list[str] = []
    tables: list[Rows] = []
    tags = 0
    for piece in _pieces(code):
        if isinstance(piece, str):
            if piece.strip() and stack and stack[-1] in ("table", "thead", "tbody", "tfoot", "tr"):
                raise Wrong(f"there is text in <{stack[-1]}> outside of a cell")
            continue
        tags += 1
        if piece.closes:
            _close(piece.name, stack, tables)
        else:
            _open(piece, stack, tables)
    if stack:
        raise Wrong(f"<{stack[-1]}> is not closed")
    if not tags:
        raise Wrong("there is no tag in it")


def _open(tag: _Tag, stack: list[str], tables: list[Rows]) -> None:
    parents = _PARENT.get(tag.name)
    if parents and (not stack or stack[-1] not in parents):
        raise Wrong(f"<{tag.name}> stands outside of <{parents[0]}>")
    if tag.name == "table":
        tables.append(Rows())
    elif tag.name == "tr":
        tables[-1].start()
    elif tag.name in ("td", "th"):
        tables[-1].cell(*(_span(tag, name) for name in ("colspan", "rowspan")))
    if tag.name not in _VOID:
        stack.append(tag.name)
        if len(stack) > _DEEPEST:
            raise Wrong(f"tags are nested more than {_DEEPEST} deep")


def _close(name: str, stack: list[str], tables: list[Rows]) -> None:
    if name in _VOID:
        raise Wrong(f"<{name}> has no closing tag")
    if not stack or stack[-1] != name:
        raise Wrong(f"</{name}> closes " + (f"<{stack[-1]}>" if stack else "nothing"))
    stack.pop()
    if name == "tr":
        tables[-1].end()
    wrong = tables[-1].wrong if name in ("tr", "table") else None
    if name == "table":
        wrong = wrong or tables[-1].left_over()
        tables.pop()
    if wrong:
        raise Wrong(wrong)


def _span(tag: _Tag, name: str) -> int:
    text = tag.attributes.get(name, "1")
    if not (text.isascii() and text.isdigit() and len(text) <= 3 and int(text) > 0):
        raise Wrong(f"the {name} {text[:20]!r} is no number from 1 to 999")
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
                raise Wrong("a comment is not closed")
            place = end + 3
        elif code[start : start + 9].lower() == "<!doctype":
            place = code.find(">", start, start + 100) + 1
            if not place:
                raise Wrong("<!DOCTYPE is not closed")
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
        raise Wrong(f"the tag {code[start : start + 20]!r} is not allowed")
    closes = code[start + 1] == "/"
    attributes: dict[str, str] = {}
    place = found.end()
    while True:
        rest = _TAG_END.match(code, place)
        if rest:
            return _Tag(name, closes, attributes), rest.end()
        each = _ATTRIBUTE.match(code, place, start + _LONGEST_TAG)
        if not each or closes:
            raise Wrong(f"<{'/' * closes}{name}> is not closed, or has an attribute that cannot be read")
        key, value = each[1].lower(), html.unescape((each[2] or "").strip("\"'"))
        if key not in _ATTRIBUTES:
            raise Wrong(f"the attribute {key!r} is not allowed")
        if _LOADS.match("".join(value.split())):
            raise Wrong(f"the value of {key!r} is not allowed")
        attributes[key] = value
        place = each.end()
