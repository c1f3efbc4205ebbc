r"""The backslashes of LaTeX in JSON strings: models forget to double them, and strict parsers then eat them.

``"\frac"`` is valid JSON for a form feed and ``rac``, ``"\times"`` for a tab and ``imes``, and ``"\("`` is
no JSON at all. What is taken for LaTeX, and what is not:

* ``\f`` and ``\b`` before a letter always: nobody writes form feeds and backspaces;
* ``\n``, ``\t`` and ``\r`` if the letters that follow are just a known command (``\nabla``, ``\times``,
  ``\rho``) and the rest of it (``abla``) starts no line of text;
* commands whose rest is a word (``\to``, ``\tan``, ``\ne``, ``\not``, ``\nu``) only between ``$`` signs or
  behind ``\(`` or ``\[``; elsewhere they stay a line break or a tab;
* an escape that JSON does not know (``\(``, ``\alpha``, ``\%``) is a backslash; ``\'`` is an apostrophe;
* ``\\`` stays two backslashes, a row's end, in a string whose other commands were not doubled either.
"""

from __future__ import annotations

import re

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
