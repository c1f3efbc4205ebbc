"""Formulas in LaTeX: only mathematics, balanced, and no command that reads, writes or defines."""

from __future__ import annotations

import re

from operators.onevision.formal.plain import Wrong, listed

_TOKEN = re.compile(r"\\(?:[A-Za-z]{1,40}\*?|.|$)|[{}$&%#^_]|[^\\{}$&%#^_\s]+", re.DOTALL)
_ENVIRONMENT = re.compile(r"\s*\{([A-Za-z]{1,30}\*?)\}")
_FORBIDDEN = listed("latex", "forbidden")
_ENVIRONMENTS = listed("latex", "environments")
#: Commands and how many arguments must follow.
_ARGUMENTS = {"frac": 2, "dfrac": 2, "tfrac": 2, "binom": 2, "sqrt": 1, "text": 1, "mathrm": 1, "overline": 1, "vec": 1,
              "hat": 1, "bar": 1, "overrightarrow": 1, "boxed": 1}  # fmt: skip
_DELIMITERS = (("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$"))
_TEXT = re.compile(r"\\(?:text|mathrm|textbf|textit|operatorname|mbox|mathbf)\*?\s*\{[^{}]*\}|\\[A-Za-z]+\*?")
#: A root with its index.
_INDEX = re.compile(r"\\sqrt\s{0,9}\[[^\[\]]{0,40}\]")
_PROSE = re.compile(r"[A-Za-z]{3,}")
#: Words of three letters or more, outside of \text, from which on it is a sentence.
_SENTENCE = 4


def problem(code: str) -> str | None:
    r"""What keeps the code from being a formula; signs of mathematics around it are left out.

    >>> problem(r"\[ \frac{a}{b} = \left( x^2 \right) \]") is None
    True
    >>> problem(r"\frac{1}{2")
    'a brace is not closed'
    """
    text = _inside(code)
    if not text:
        return "there is no formula in it"
    try:
        _commands(_tokens(text))
        _nesting(text)
        _arguments(_tokens(_INDEX.sub(r"\\sqrt ", text)))
    except Wrong as error:
        return str(error)
    if len(_PROSE.findall(_TEXT.sub(" ", text))) >= _SENTENCE:
        return "it is running text; put words into \\text{…}, or leave them out"
    return None if any(each.isalnum() for each in text) else "there is no number and no name in it"


def _inside(code: str) -> str:
    text = code.strip()
    for opening, closing in _DELIMITERS:
        if text.startswith(opening) and text.endswith(closing) and len(text) >= len(opening) + len(closing):
            return text[len(opening) : -len(closing)].strip()
    return text


def _tokens(text: str) -> list[str]:
    return [found[0] for found in _TOKEN.finditer(text)]


def _commands(tokens: list[str]) -> None:
    for piece in tokens:
        name = piece[1:].rstrip("*") if piece.startswith("\\") else ""
        if name in _FORBIDDEN:
            raise Wrong(f"the command \\{name} is not allowed")
        if piece in ("%", "#"):
            raise Wrong(f"there is a bare {piece}; write \\{piece}")
        if piece == "\\":
            raise Wrong("it ends with a bare backslash")
    if sum(piece == "$" for piece in tokens) % 2:
        raise Wrong("a $ is not closed")


def _nesting(text: str) -> None:
    """Braces, environments, and ``\\left`` with ``\\right``, each closed by its own and inside the others."""
    stack: list[str] = []
    for found in _TOKEN.finditer(text):
        piece = found[0]
        if piece == "{":
            stack.append("{")
        elif piece == "\\left":
            stack.append("\\left")
        elif piece in ("}", "\\right"):
            wanted = "{" if piece == "}" else "\\left"
            if not stack or stack.pop() != wanted:
                raise Wrong("a brace closes nothing" if piece == "}" else "\\right has no \\left")
        elif piece in ("\\begin", "\\end"):
            _environment(text, found.end(), piece, stack)
        elif piece == "&" and not any(each not in ("{", "\\left") for each in stack):
            raise Wrong("there is an & outside of an environment")
    if stack:
        open_ = stack[-1]
        said_ = {"{": "a brace", "\\left": "\\left"}.get(open_, f"\\begin{{{open_}}}")
        raise Wrong(f"{said_} is not closed")


def _environment(text: str, place: int, piece: str, stack: list[str]) -> None:
    found = _ENVIRONMENT.match(text, place)
    if not found:
        raise Wrong(f"{piece} names no environment")
    name = found[1]
    if name not in _ENVIRONMENTS:
        raise Wrong(f"the environment {name!r} is not one of mathematics")
    if piece == "\\begin":
        stack.append(name)
    elif not stack or stack.pop() != name:
        raise Wrong(f"\\end{{{name}}} closes nothing, or something else")


def _arguments(tokens: list[str]) -> None:
    """Enough arguments behind each fraction and root, and no power upon a power."""
    ends = _closings(tokens)
    for place, piece in enumerate(tokens):
        wanted = _ARGUMENTS.get(piece[1:], 0) if piece.startswith("\\") else int(piece in "^_")
        at = place + 1
        letters = 0
        for _ in range(wanted):
            if letters:
                letters -= 1
                continue
            if at >= len(tokens) or tokens[at] in ("}", "&", "^", "_", "$"):
                raise Wrong(f"{piece} lacks what belongs to it")
            if tokens[at] == "{":
                at = ends[at] + 1
            else:
                letters = len(tokens[at]) - 1 if not tokens[at].startswith("\\") else 0
                at += 1
        if piece in "^_" and not letters and at < len(tokens) and tokens[at] == piece:
            raise Wrong(f"there is a second {piece} upon a first; use braces")


def _closings(tokens: list[str]) -> dict[int, int]:
    """For each opening brace the place of its closing one."""
    stack: list[int] = []
    ends = {}
    for place, piece in enumerate(tokens):
        if piece == "{":
            stack.append(place)
        elif piece == "}" and stack:
            ends[stack.pop()] = place
    return ends
