"""LaTeX that texts bring along as MathML to show: within bounds, of known commands alone, and checked."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from dataflow_ext.text import rows

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

#: Longer formulas, and formulas nested deeper, are left as they are: the longest of 1,733 in a real workbook has 300
#: signs, and at 2,000 the slowest that could be thought of takes 0.1 s.
MAX_LENGTH = 2_000
_MAX_NESTING = 20
#: Signs that fit into a phone's width, beside a label.
_SHORT = 20
#: An element may lie in so many others; each brace makes two or three.
_MAX_DEPTH = 100

_COMMAND = re.compile(r"\\(?:(?P<name>[A-Za-z]+)|(?P<sign>.)|$)", re.DOTALL)
_NAME = re.compile(r"\\([A-Za-z]+)")
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{\s*([A-Za-z]+\*?)\s*\}")
_NESTING = re.compile(r"\\(?:begin|end|left|right)(?![A-Za-z])|\\.|[{}]", re.DOTALL)
# The converter ends a text at its first brace, and takes what is behind a percent sign for a comment.
_WORDS = re.compile(r"\\(?:text[a-z]*+|mbox|tag)\s*+(?!\{[^{}$\\]*\})")
_PERCENT = re.compile(r"(?<!\\)%")
# Lengths and columns are not shown; all other digits of a formula have to be.
_UNSHOWN = re.compile(r"\\hspace\s*\{[^{}]*\}|\\begin\s*\{array\}\s*\{[^{}]*\}|\[\s*-?[\d.\s]+[a-z]{2}\s*\]")
_CODE = re.compile(r"&#x([0-9A-Fa-f]{1,6});")

_ELEMENTS = frozenset(
    {
        *("math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "mroot", "mstyle", "mpadded"),
        *("mphantom", "menclose", "msub", "msup", "msubsup", "munder", "mover", "munderover", "mtable", "mtr", "mtd"),
    }
)
_FLAGS = ("stretchy", "fence", "separator", "accent", "accentunder", "movablelimits", "largeop", "displaystyle")
_LENGTHS = ("width", "height", "depth", "lspace", "rspace", "voffset", "linethickness", "minsize", "maxsize")
_VALUES = {
    **dict.fromkeys(_FLAGS, re.compile("true|false")),
    # A space of hundreds of letters would push the text out of sight.
    **dict.fromkeys(_LENGTHS, re.compile(r"0|[+-]?\d?(\.\d{1,4})?(em|ex|px)|[+-]?\d\d?(\.\d{1,4})?(pt|px|mu)")),
    "scriptlevel": re.compile(r"[+-]?[0-3]"),
    "form": re.compile("prefix|infix|postfix"),
    "columnalign": re.compile("left|right|center"),
    "notation": re.compile("box"),
}

_VARIANTS = {"double-struck": "DOUBLE-STRUCK", "bold": "BOLD", "script": "SCRIPT", "fraktur": "FRAKTUR"}
_VARIANTS |= {"bold-italic": "BOLD ITALIC", "sans-serif": "SANS-SERIF", "monospace": "MONOSPACE"}
#: Letters of these alphabets that Unicode had before it had the alphabets.
_EARLIER = {"DOUBLE-STRUCK": "DOUBLE-STRUCK", "SCRIPT": "SCRIPT", "FRAKTUR": "BLACK-LETTER"}


class _UnfitError(Exception):
    """This formula is not shown as one."""


@lru_cache(maxsize=20_000)
def mathml(latex: str, *, block: bool = False) -> Markup | None:
    r"""A formula, without the signs around it, as a ``math`` element; None for what is better left as it stands.

    That is LaTeX with a command that is not known, with unbalanced braces, that is longer than ``MAX_LENGTH``, nested
    too deep, or of which a digit or a letter would be lost. A ``math`` element holds elements and attributes of
    presentation alone: no link, no style, no class. Its title is the LaTeX. One that may be wider than a phone is in a
    ``span`` of class ``long``, to be scrolled. ``block`` is for formulas that stand alone.

    >>> print(mathml(r"\frac{1}{x}"))
    <math title="\frac{1}{x}"><mfrac><mn>1</mn><mi>x</mi></mfrac></math>
    >>> mathml(r"\href{javascript:alert(1)}{x}") is None
    True
    """
    source = latex.strip()
    if not source or len(source) > MAX_LENGTH:
        return None
    from latex2mathml.converter import convert_to_element

    try:
        made = convert_to_element(_prepared(source), display="block" if block else "inline")
        inside = "".join(_markup(child, 0) for child in made)
    except Exception:  # the converter raises all kinds of errors on LaTeX that is none
        return None
    shown = "".join(map(_shown, made.itertext()))
    if _counted(_UNSHOWN.sub("", source)) != _counted(shown):
        return None
    kind = Markup(' display="block"') if block else ""
    drawn = Markup('<math{} title="{}">{}</math>').format(kind, source, Markup(inside))  # noqa: S704 - checked
    # Operators have spaces around them, roots a sign before.
    width = len(shown) + sum(inside.count(part) for part in ("<mo", "<mspace", "sqrt>"))
    return Markup('<span class="long">{}</span>').format(drawn) if width > _SHORT else drawn


def _prepared(source: str) -> str:
    """The source with environments under names that the converter knows; raises for what must not come to it."""
    if _WORDS.search(source) or any(unicodedata.category(c) == "Cc" and not c.isspace() for c in source):
        raise _UnfitError
    _check_nesting(source)
    bare = _ENVIRONMENT.sub(" ", source)
    for command in _COMMAND.finditer(bare):
        if command["sign"] is None and command["name"] is None:
            raise _UnfitError
        if command["name"] is not None:
            _check_command(command["name"])
        elif not command["sign"].isspace() and command["sign"] not in _known("sign"):
            raise _UnfitError
    return _PERCENT.sub(r"\\%", _NAME.sub(_spelled, _ENVIRONMENT.sub(_environment, source)))


def _spelled(found: re.Match[str]) -> str:
    return _known("name").get(found[1], found[0])


def _environment(found: re.Match[str]) -> str:
    name = _known("environment").get(found[2])
    if name is None:
        raise _UnfitError
    return f"\\{found[1]}{{{name}}}" if name else " "


def _check_command(name: str) -> None:
    from latex2mathml.symbols_parser import convert_symbol

    # What is no structure is a sign; among the signs are none that define, repeat or include anything.
    if name not in _known("command") and name not in _known("name") and convert_symbol(f"\\{name}") is None:
        raise _UnfitError


def _check_nesting(source: str) -> None:
    open_now: list[str] = []
    pairs = {"}": "{", "\\end": "\\begin", "\\right": "\\left"}
    for found in _NESTING.finditer(source):
        if found[0] in pairs:
            if not open_now or open_now.pop() != pairs[found[0]]:
                raise _UnfitError
        elif found[0] in pairs.values():
            open_now.append(found[0])
            if len(open_now) > _MAX_NESTING:
                raise _UnfitError
    if open_now:
        raise _UnfitError


@cache
def _known(kind: str) -> dict[str, str]:
    """The signs, commands, names or environments that may stand in a formula, each as the converter is given it."""
    return {name: written for found, name, written in rows(__package__, "latex.tsv") if found == kind}


def _markup(element: Element, depth: int) -> str:
    if element.tag not in _ELEMENTS or depth > _MAX_DEPTH:
        raise _UnfitError
    children = list(element)
    if element.tag == "mrow" and len(children) == 1 and not element.attrib:
        return _markup(children[0], depth + 1)
    text = _shown(element.text or "")
    attributes = {name: value for name, value in element.attrib.items() if _is_fit(name, value)}
    variant = element.get("mathvariant")
    if variant == "normal" and element.tag == "mi" and len(text) == 1:
        attributes["mathvariant"] = variant
    elif variant in _VARIANTS and element.tag != "mtext":
        text = "".join(_letter(letter, _VARIANTS[variant]) for letter in text)
    start = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    inside = "".join(_markup(child, depth + 1) for child in children)
    return f"<{element.tag}{start}>{escape(text)}{inside}</{element.tag}>"


def _is_fit(name: str, value: str) -> bool:
    wanted = _VALUES.get(name)
    return wanted is not None and wanted.fullmatch(value) is not None


def _shown(text: str) -> str:
    """A text of the converter's, which writes letters as codes and commands that it does not know as they stand."""
    if "\\" in text:
        raise _UnfitError
    shown = _CODE.sub(lambda code: chr(int(code[1], 16)), text)
    # Invisible operators (U+2061 to U+2064) are the only signs of their kind that formulas have.
    if any(unicodedata.category(c)[0] == "C" and not "\u2061" <= c <= "\u2064" for c in shown):
        raise _UnfitError
    return shown


def _letter(letter: str, alphabet: str) -> str:
    """The letter or digit of another alphabet, as browsers draw it; itself if that has none."""
    if not letter.isascii() or not letter.isalnum():
        return letter
    name = unicodedata.name(letter).replace("LATIN ", "").replace(" LETTER", "")
    for there in (f"MATHEMATICAL {alphabet} {name}", f"{_EARLIER.get(alphabet, alphabet)} {name}"):
        try:
            return unicodedata.lookup(there)
        except KeyError:
            continue
    return letter


def _counted(text: str) -> Counter[str]:
    """How often each digit and each letter beyond ASCII that stands in both LaTeX and MathML is there."""
    return Counter(_kept(text))


def _kept(text: str) -> Iterator[str]:
    for letter in text:
        if letter in "0123456789" or "\u2e80" <= letter <= "\uffef":
            yield letter
