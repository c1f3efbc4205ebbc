r"""A reader of nearly-JSON, as models write it: strict in what it makes up, which is nothing.

It reads one object or list in time that grows with the text's length and without recursion, takes what is
certainly meant (see the notes below), and stops at anything else. Where the text ends too early it says so.

Models forget to double the backslashes of LaTeX in JSON strings, and strict parsers then eat them: ``"\frac"`` is valid
JSON for a form feed and ``rac``, ``"\times"`` for a tab and ``imes``, and ``"\("`` is no JSON at all. What is taken for
LaTeX, and what is not:

* ``\f`` and ``\b`` before a letter always: nobody writes form feeds and backspaces;
* ``\n``, ``\t`` and ``\r`` if the letters that follow are just a known command (``\nabla``, ``\times``,
  ``\rho``) and the rest of it (``abla``) starts no line of text;
* commands whose rest is a word (``\to``, ``\tan``, ``\ne``, ``\not``, ``\nu``) only between ``$`` signs or
  behind ``\(`` or ``\[``; elsewhere they stay a line break or a tab;
* an escape that JSON does not know (``\(``, ``\alpha``, ``\%``) is a backslash; ``\'`` is an apostrophe;
* ``\\`` stays two backslashes, a row's end, in a string whose other commands were not doubled either.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from dataflow_ext.errors import RowError

#: Lists and objects within each other.
MAX_DEPTH = 100

CUT = "cut off"
TRAILING_COMMA, COMMENT, QUOTES, PUNCTUATION = "trailing comma", "comment", "quotes", "full-width punctuation"
BARE_KEY, PYTHON, NO_NUMBER = "bare key", "Python literal", "NaN or infinity read as null"
NO_COMMA = "missing comma"

_TOKEN = re.compile(
    r"""(?P<space>[\s\ufeff\u200b]+)
      | "(?P<string>(?:[^"\\]++|\\.)*+)"
      | '(?P<single>(?:[^'\\]++|\\.)*+)'
      | “(?P<curly>(?:[^”\\]++|\\.)*+)”
      | ‘(?P<curly1>(?:[^’\\]++|\\.)*+)’
      | ＂(?P<wide>(?:[^＂\\]++|\\.)*+)＂
      | (?P<mark>[\[\]{}:,［］｛｝：，])
      | (?P<comment>//[^\n]*|\#[^\n]*|/\*.*?\*/)
      | (?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.]))
      | (?P<nan>[+-]?(?:NaN|nan|Infinity|inf)\b)
      | (?P<word>[A-Za-z_]\w*(?:-\w+)*)
      | (?P<open>["'“‘＂]|/\*|/$)
      | (?P<broken>[-+.\d][\w.+-]*$)
    """,
    re.DOTALL | re.VERBOSE,
)
_WIDE = dict(zip("［］｛｝：，", "[]{}:,", strict=True))
_WORDS = {"true": "true", "false": "false", "null": "null", "True": "true", "False": "false", "None": "null"}
_QUOTED = {"string", "single", "curly", "curly1", "wide"}
_CLOSES = {"]": "[", "}": "{"}


class NotJSON(RowError):
    """The text is no JSON from here on; ``position`` is where, ``serious`` that it was JSON until then."""

    def __init__(self, message: str, position: int, serious: bool) -> None:
        super().__init__(message)
        self.position, self.serious = position, serious


@dataclass(slots=True)
class Mended:
    """A value, where its text ends, what was mended, and whether its end is missing."""

    value: Any
    end: int
    notes: tuple[str, ...] = ()
    cut: bool = False


def read_value(text: str, start: int) -> Mended:
    """The object or list that begins at ``start``; :class:`NotJSON` if there is none.

    Of a value that is cut off, what there is: an open string as far as it goes, no half numbers or names.

    >>> read_value("{'a': [1, True,], // so\\n}", 0).value
    {'a': [1, True]}
    >>> read_value('{"a": "some te', 0)
    Mended(value={'a': 'some te'}, end=14, notes=('cut off',), cut=True)
    """
    return _Reading(text, start).run()


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object, unless a name stands in it with two values: one of the two values would be lost without a word."""
    made = dict(pairs)
    if len(made) < len(pairs):
        for key, value in pairs:
            if value != made[key]:
                raise RowError(f"the name {key!r} stands twice in one object")
    return made


@dataclass(slots=True)
class _Reading:
    """One reading: ``out`` is the strict JSON so far, ``wants`` what may come next."""

    text: str
    place: int
    out: list[str] = field(default_factory=list)
    stack: list[str] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)
    wants: str = "value"
    comma: bool = False
    serious: bool = False
    line_break: bool = False
    safe: int = 0

    def run(self) -> Mended:
        text, match_at = self.text, _TOKEN.match
        while True:
            match = match_at(text, self.place)
            if match is None:
                if self.place >= len(text):
                    return self._cut()
                raise self._wrong()
            kind = match.lastgroup
            if kind == "comment":
                self.notes[COMMENT] = None
            elif kind in _QUOTED:
                self._string(kind, match[kind])
            elif kind == "mark":
                if self._mark(match[0]):
                    return self._whole(match.end())
            elif kind == "open":
                return self._open(match)
            elif kind == "broken" or (kind in ("number", "nan", "word") and match.end() == len(text)):
                return self._cut()
            elif kind != "space":
                self._atom(str(kind), match[0])
            self.line_break = kind == "space" and "\n" in match[0]
            self.place = match.end()

    def _string(self, kind: str, body: str) -> None:
        if kind != "string":
            self.notes[QUOTES] = None
            body = re.sub(r'\\.|"', lambda match: match[0] if match[0] != '"' else r"\"", body, flags=re.DOTALL)
        self.serious = True
        self._new_line("{", "key")
        self._add(f'"{self._escaped(body)}"')

    def _new_line(self, inside: str, wants: str) -> None:
        """A name that begins a line, or an object in a list, needs no comma before it."""
        if self.wants == "comma" and self.line_break and self.stack[-1] == inside:
            self.notes[NO_COMMA] = None
            self.comma, self.wants = True, wants

    def _escaped(self, body: str) -> str:
        if "\\" not in body and body.isprintable():
            return body
        mended, notes = mend_escapes(body)
        self.notes.update(dict.fromkeys(notes))
        return mended

    def _atom(self, kind: str, word: str) -> None:
        if self.wants == "key" and kind == "word":
            self.notes[BARE_KEY] = None
            return self._add(f'"{word}"')
        if self.wants != "value":
            raise self._wrong()
        if kind == "nan":
            self.notes[NO_NUMBER] = None
            return self._add("null")
        if kind == "word":
            if word not in _WORDS:
                raise self._wrong()
            if word != _WORDS[word]:
                self.notes[PYTHON] = None
            return self._add(_WORDS[word])
        return self._add(word)

    def _add(self, piece: str) -> None:
        """Take a value or a name, behind the comma that was read before it."""
        if self.wants not in ("value", "key"):
            raise self._wrong()
        if self.comma:
            self.out.append(",")
            self.comma = False
        self.out.append(piece)
        if self.wants == "key":
            self.wants = "colon"
        else:
            self._done()

    def _done(self) -> None:
        self.wants, self.safe = "comma", len(self.out)

    def _mark(self, mark: str) -> bool:
        """Take a bracket, colon or comma; True if it ends the whole value."""
        if mark in _WIDE:
            self.notes[PUNCTUATION] = None
            mark = _WIDE[mark]
        if mark in "[{":
            self._enter(mark)
        elif mark == ":" and self.wants == "colon":
            self.out.append(":")
            self.wants = "value"
        elif mark == "," and self.wants == "comma":
            self.comma = True
            self.wants = "value" if self.stack[-1] == "[" else "key"
        elif mark in _CLOSES and self.stack[-1] == _CLOSES[mark] and self._may_close():
            if self.comma:
                self.notes[TRAILING_COMMA] = None
                self.comma = False
            self.stack.pop()
            self.out.append(mark)
            self._done()
        else:
            raise self._wrong()
        return not self.stack

    def _may_close(self) -> bool:
        """Whether a closing bracket may come: not where a value is missing behind its name."""
        return self.wants in ("comma", "key") or (self.wants == "value" and self.stack[-1] == "[")

    def _enter(self, mark: str) -> None:
        if mark == "{":
            self._new_line("[", "value")
        if self.wants != "value":
            raise self._wrong()
        if len(self.stack) >= MAX_DEPTH:
            raise RowError(f"lists and objects are nested more than {MAX_DEPTH} deep")
        if self.comma:
            self.out.append(",")
            self.comma = False
        self.stack.append(mark)
        self.out.append(mark)
        self.wants, self.safe = ("value" if mark == "[" else "key"), len(self.out)

    def _open(self, match: re.Match[str]) -> Mended:
        """A string or a comment that does not end."""
        if match[0][0] != "/":
            if self.wants == "value":
                body = self.text[match.end() :]
                # Half an escape at the end is none.
                body = re.sub(r"(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$", r"\1", body)
                self._string("string" if match[0] == '"' else "single", body)
            elif self.wants != "key":
                raise self._wrong()
        return self._cut()

    def _cut(self) -> Mended:
        """What there is of a value whose end is missing."""
        del self.out[self.safe :]
        self.out += ["]" if mark == "[" else "}" for mark in reversed(self.stack)]
        self.notes[CUT] = None
        return Mended(self._value(), len(self.text), tuple(self.notes), cut=True)

    def _whole(self, end: int) -> Mended:
        return Mended(self._value(), end, tuple(self.notes))

    def _value(self) -> Any:
        try:
            return json.loads("".join(self.out), object_pairs_hook=unique_keys)
        except RowError:
            raise
        except ValueError as error:  # a number of thousands of digits
            raise NotJSON(f"the JSON cannot be read: {error}", self.place, True) from None

    def _wrong(self) -> NotJSON:
        wanted = {"value": "a value", "key": "a name in quotes", "colon": "':'", "comma": "',' or the closing bracket"}
        line = self.text.count("\n", 0, self.place) + 1
        column = self.place - self.text.rfind("\n", 0, self.place)
        near = self.text[max(0, self.place - 30) : self.place + 20]
        message = f"not JSON at line {line}, column {column}: expected {wanted[self.wants]} (near {near!r})"
        return NotJSON(message, self.place, self.serious)


#: Commands whose first letter is an escape of JSON and whose rest is no word.
_CLEAR = (
    "nabla|natural|nearrow|neq|newcommand|newline|newpage|ngeq|ngtr|nleftarrow|nleq|noindent|nolimits|nonumber|"
    "normalsize|notin|nrightarrow|nsubseteq|nsupseteq|nwarrow|tag|tan|tanh|to|top|triangleq|tt|tau|tbinom|text|textbf|textit|textnormal|"
    "textrm|textsf|textstyle|texttt|tfrac|therefore|theta|thickapprox|thinspace|tilde|times|triangle|"
    "triangleleft|triangleright|twoheadrightarrow|raisebox|rangle|rbrace|rbrack|rceil|ref|renewcommand|rfloor|"
    "rho|right|rightarrow|rightharpoonup|rightleftharpoons|rlap|rm|root|rule|rvert|rVert"
)
#: Commands whose rest is a word or a name that may well start a line.
_IN_MATHS = "ncong|ne|neg|nexists|ni|nless|nmid|not|nparallel|nsim|nu"

_CLEAR_NAMES, _MATHS_NAMES = frozenset(_CLEAR.split("|")), frozenset(_IN_MATHS.split("|"))
_SUSPECTS = _CLEAR_NAMES | _MATHS_NAMES
_ESCAPED = re.compile(r"\\(?:\\|([bfnrt][A-Za-z]+))")
_PIECE = re.compile(
    r"""(?:[^\\$]++|\\(?:["/]|u[0-9a-fA-F]{4}|[bfnrt](?![A-Za-z])))++
      | (?P<pairs>(?:\\\\)+)(?=(?P<next>.?))
      | \\(?P<name>[A-Za-z]+)
      | \\(?P<sign>.?)
      | (?P<dollar>\$)
    """,
    re.DOTALL | re.VERBOSE,
)
_RAW = re.compile(r"[\x00-\x1f]")
_AS_ESCAPES = {code: f"\\u{code:04x}" for code in range(32)}
_ROW_END = re.compile(r"[\s\d&\\-]|$")

LATEX = "control character read as LaTeX"
INVALID = "single backslash"
LINE_BREAK = "line break in a string"


def has_latex(text: str) -> bool:
    r"""Whether exact JSON has an escape that may be the start of a LaTeX command.

    >>> has_latex(r'{"a": "\frac{1}{2}"}'), has_latex(r'{"a": "\\frac{1}{2}\nNow"}')
    (True, False)
    """
    names = _ESCAPED.findall(text)
    return any(name and (name[0] in "bf" or name in _SUSPECTS) for name in names)


def mend_escapes(body: str) -> tuple[str, tuple[str, ...]]:
    r"""The inside of a JSON string with escapes that a strict parser reads rightly, and what was mended.

    >>> mend_escapes(r"\frac{\alpha}{2}\nNow")
    ('\\\\frac{\\\\alpha}{2}\\nNow', ('control character read as LaTeX', 'single backslash'))
    """
    return _Mending().run(body)


class _Mending:
    """One string's way through: whether maths is open, and what was found."""

    def __init__(self) -> None:
        self.maths = False
        self.notes: set[str] = set()
        self.latex = False
        self.row_ends: list[int] = []

    def run(self, body: str) -> tuple[str, tuple[str, ...]]:
        out: list[str] = []
        last = 0
        for match in _PIECE.finditer(body):
            out += (body[last : match.start()], self._piece(match, len(out) + 1))
            last = match.end()
        out.append(body[last:])
        if self.latex:
            for place in self.row_ends:
                out[place] = r"\\" + out[place]
        mended = "".join(out)
        if _RAW.search(mended):
            self.notes.add(LINE_BREAK)
            mended = mended.translate(_AS_ESCAPES)
        return mended, tuple(sorted(self.notes))

    def _piece(self, match: re.Match[str], place: int) -> str:
        kind, text = match.lastgroup, match[0]
        if kind == "next":
            return self._pairs(match, place)
        if kind == "name":
            return self._name(match["name"])
        if kind == "dollar":
            self.maths = not self.maths
        elif kind == "sign":
            return self._sign(match["sign"])
        return text

    def _pairs(self, match: re.Match[str], place: int) -> str:
        following = match["next"]
        if following in "([" and following:
            self.maths = True
        elif following in ")]" and following:
            self.maths = False
        elif len(match["pairs"]) == 2 and _ROW_END.match(following):
            self.row_ends.append(place)
        return match[0]

    def _name(self, name: str) -> str:
        escape = name[0] in "bfnrtu" and name[0] != "u"
        if not escape or (name[0] in "bf" and len(name) > 1) or name in _CLEAR_NAMES:
            self.notes.add(LATEX if escape else INVALID)
            self.latex = True
            return rf"\\{name}"
        if name in _MATHS_NAMES and self.maths:
            self.notes.add(LATEX)
            self.latex = True
            return rf"\\{name}"
        return rf"\{name}"

    def _sign(self, sign: str) -> str:
        self.notes.add(INVALID)
        if sign == "'":
            return sign
        if sign == "\n":
            return r"\n"
        if sign in tuple("([)]"):
            self.maths = sign in "(["
        self.latex = True
        return rf"\\{sign}"
