"""Facts of a geometry or physics picture, one predicate a line: ``name(arg, …)``, which may have ``= value``."""

from __future__ import annotations

import re

from operators.onevision.formal.plain import Wrong

_DEEPEST = 8
_NAME = re.compile(r"[^\W\d]\w{0,60}")
#: A number with its unit, a word, a point, a name with primes or an index.
_ATOM = re.compile(
    r"[+-]?\d{1,15}(?:\.\d{1,15})?(?:e[+-]?\d{1,3})?(?:[ \t]{0,2}(?:[^\W\d_]{1,12}|[°%Ω℃])(?:[\^²³]?-?\d?)"
    r"(?:[/·*][^\W\d_]{1,12}[\^²³]?-?\d?){0,3})?"
    r"|[^\W\d]\w{0,60}'{0,3}(?:[ \t]\w{1,30}){0,5}|\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'"
)
#: What may stand behind ``=``: values, and expressions of them.
_VALUE = re.compile(r"[\w \t.,+*/^°%²³√πθαβγΩμµ℃∠·×'\"-]{1,200}$")
#: Between two terms of a sum or product.
_SIGN = re.compile(r"[-+*/^·×]")
_BLANKS = re.compile(r"[ \t]*")


def problem(code: str) -> str | None:
    """What keeps the code from being predicates; ``%`` begins a comment.

    >>> problem("triangle(A, B, C)\\nangle(A, B, C) = 60°\\nlength(A, B) = 5 cm  % as labelled") is None
    True
    >>> problem("AB = 5")
    "line 1: there is no predicate such as name(A, B) at 'AB = 5'"
    """
    found = 0
    for number, line in enumerate(code.split("\n"), 1):
        text = _without_comment(line)
        if not text:
            continue
        found += 1
        try:
            _fact(text)
        except Wrong as error:
            return f"line {number}: {error}"
    return None if found else "there is no predicate in it"


def _fact(text: str) -> None:
    place = _term(text, 0, 1)
    rest = text[place:].strip()
    if rest in ("", "."):
        return
    if not rest.startswith("=") or rest.startswith(("==", "=>")):
        raise Wrong(f"{rest[:30]!r} stands behind the predicate; there is one a line, with '= value' if it has one")
    value = rest[1:].strip().removesuffix(".").strip()
    if not _VALUE.match(value.replace("(", " ").replace(")", " ")) or not _balanced(value):
        raise Wrong(f"{value[:30]!r} is no value")


def _term(text: str, place: int, depth: int) -> int:
    """The place behind ``name(arg, …)`` at a place."""
    name = _NAME.match(text, place)
    if not name or not text.startswith("(", name.end()):
        raise Wrong(f"there is no predicate such as name(A, B) at {text[place : place + 30]!r}")
    return _arguments(text, name.end() + 1, depth)


def _arguments(text: str, place: int, depth: int) -> int:
    """The place behind the bracket that closes a list of arguments."""
    if depth > _DEEPEST:
        raise Wrong(f"brackets are nested more than {_DEEPEST} deep")
    while True:
        place = _skip(text, _argument(text, _skip(text, place), depth))
        if _SIGN.match(text, place):
            place += 1
            continue
        if text.startswith(")", place):
            return place + 1
        if not text.startswith(",", place):
            raise Wrong(f"there is neither ',' nor ')' at {text[place : place + 30]!r}")
        place += 1


def _argument(text: str, place: int, depth: int) -> int:
    if _call(text, place):
        return _term(text, place, depth + 1)
    if text.startswith("(", place):
        return _arguments(text, place + 1, depth + 1)
    found = _ATOM.match(text, place)
    if not found:
        raise Wrong(f"there is no argument at {text[place : place + 30]!r}")
    return found.end()


def _call(text: str, place: int = 0) -> bool:
    name = _NAME.match(text, place)
    return name is not None and text.startswith("(", name.end())


def _skip(text: str, place: int) -> int:
    found = _BLANKS.match(text, place)
    return found.end() if found else place


def _balanced(text: str) -> bool:
    depth = 0
    for each in text:
        depth += (each == "(") - (each == ")")
        if depth < 0:
            return False
    return depth == 0


def _without_comment(line: str) -> str:
    """The line without what stands behind ``%``; one that follows a number is a percent sign."""
    place = line.find("%")
    while place > 0 and line[place - 1].isdigit() and line[place + 1 : place + 2] in ("", ")", ",", " ", "."):
        place = line.find("%", place + 1)
    return (line if place < 0 else line[:place]).strip()
