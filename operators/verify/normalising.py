"""Answers without what is only their dress: LaTeX, markdown, tags, widths of letters, "the answer is", a last stop."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from dataflow_ext.text import FULL_WIDTH, patterns, rows

#: Characters of an answer that are read; a longer one is compared letter by letter.
LONGEST = 2000

_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺"
_SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉"
#: Signs that look alike, and what stands for all of them: in pairs, then by groups.
_ALIKE: dict[int, str] = {
    **{wide: chr(plain) for wide, plain in FULL_WIDTH.items()},
    **{0x24B6 + n: f"({chr(0x41 + n)})" for n in range(26)},
    **{0x24D0 + n: f"({chr(0x61 + n)})" for n in range(26)},
    **{ord(one): other for one, other in zip("。⁄≦≧⩽⩾∼⋅∙µΩ〈【】", "./≤≥≤≥~··μΩ<[]", strict=True)},
    **{ord(each): str(n) for n, each in enumerate(_SUBSCRIPTS)},
    **dict.fromkeys(map(ord, "\u00a0\u2002\u2003\u2009\u202f\u3000\t\r\n"), " "),
    **dict.fromkeys(map(ord, "−–—‒﹣"), "-"),
    **dict.fromkeys(map(ord, "‘’´`"), "'"),
    **dict.fromkeys(map(ord, "“”„«»「」『』"), '"'),
    **dict.fromkeys(map(ord, "\u200b\u200c\u200d\ufeff\u00ad"), ""),
    ord("…"): "...",
}

#: LaTeX that stands for one sign, or for none.
_SIGNS: Mapping[str, str] = {
    **dict.fromkeys(("quad", "qquad"), " "),
    **dict.fromkeys(("left", "right", "displaystyle"), ""),
    **{row[0]: row[1] for row in rows(__package__, "data/latex.tsv")},
}
_SIGN = re.compile(r"\\([A-Za-z]+)")
_WRAPPER = re.compile(
    r"\\(?:boxed|fbox|text|textbf|textit|textrm|mathrm|mathbf|mathit|mathsf|mbox|operatorname|bm|underline)\s*\{"
    r"|\\[{}]|[{}]|\\?[^\\{}]+|\\"
)
_SPACE = re.compile(r"\\[,;:! ]|~(?=\\)")
_TAG = re.compile(r"</?\s*(?:answer|conclusion|think|b|strong|i|em|p|sub|sup)\s*/?>", re.IGNORECASE)
_CIRC = re.compile(r"\^\s*(?:\{\s*°\s*\}|°)")
_RAISED = re.compile(f"[{_SUPERSCRIPTS}]+")
_RAISED_DIGITS = str.maketrans(_SUPERSCRIPTS, "0123456789-+")
_LEAD = re.compile(patterns(__package__, "data/patterns.tsv")["lead"], re.IGNORECASE)
_QUOTES = (('"', '"'), ("'", "'"), ("$", "$"), ("**", "**"), ("__", "__"), ("*", "*"), ("\\(", "\\)"), ("\\[", "\\]"))
#: An endless number or list: 0.333..., 1, 2, 3, ...
_GOES_ON = re.compile(r"[\d,] ?\.{3,4}$")
_HEADING = re.compile(r"#{2,6}\s+(?=\S)")
_FIRST = frozenset("\"'$*_\\")

_MOST_TRIED = 8

#: What the signs become: none of these is ever dress.
MINUS, PRIME, FACTORIAL, RATIO = "−", "′", "¡", "∶"
MEANT = frozenset((MINUS, PRIME, FACTORIAL, RATIO))

_SYMBOL = r"(?:[A-Za-zα-ωΑ-Ω]|[A-Z]{2}|\d+)"
_ALONE = rf"(?<![^\W_]){_SYMBOL}"
_QUOTED = re.compile(r"(?<![\w')\]}])'([^']{1,200})'(?![\w'])")
_PRIMES = re.compile(
    r"(?<=[\w)\]}])(?<![a-z]{2}s)(?<![A-Z]{2}S)'+(?![a-z])(?!(?<=[A-Za-z]{2}')(?:T|S|RE|VE|LL|D|M)(?![A-Za-z]))"
)
#: Behind one letter, or two that are no word, "!" is a factorial; before a letter it says "not".
_FACTORIAL_END = re.compile(r"((?<![^\W\d_])(?:[A-Za-zα-ω]|[b-df-hj-np-tv-xz]{2})|[\d)\]}'′])(!+)")
_NEGATION = re.compile(r"(?<!\w)!(?=[\w(])")
_MINUSES = re.compile(
    r"(?<![\w)\]}.'!%°-])-(?=[^\s-])"
    r"|^\s*-(?=\s+(?![A-Za-z]{4}|[㐀-鿿]))"
    r"|(?<=[\w)\]}^+])-(?=\s*(?:$|[),;.\]}])|\s+[^\s\w])"
)
_BETWEEN = re.compile(rf"({_ALONE}\s?)([-:])(?=\s?{_SYMBOL}(?![^\W_]))")
_ANY = re.compile(r"[-'!:]")
_SYMBOLIC = re.compile(r"[A-Za-z]{4,}")
_FUNCTIONS = frozenset(("sqrt", "frac", "arcsin", "arccos", "arctan", "infty", "theta", "alpha", "beta", "gamma"))


@lru_cache(maxsize=4096)
def bare(text: str) -> str:
    r"""An answer's text without its dress; what it says stays as it is.

    >>> bare(r"The answer is $\boxed{60\,\text{N}}$."), bare("**答案：B**"), bare(r"30^{\circ}"), bare("５ m²")
    ('60 N', 'B', '30°', '5 m^2')
    """
    text = _HEADING.sub("", plain(text))
    for _ in range(8):
        shorter = _unquoted(_ended(text))
        lead = _LEAD.match(shorter)
        if lead and lead.end() < len(shorter):
            shorter = shorter[lead.end() :].strip()
        if shorter == text:
            break
        text = shorter
    return text


def plain(text: str) -> str:
    """A text with LaTeX, tags and unusual letters written plainly; its words and stops stay."""
    text = text[: LONGEST * 4].translate(_ALIKE)
    if "\\" in text:
        text = _unwrapped(_SPACE.sub(" ", text))
        text = _SIGN.sub(lambda found: _SIGNS.get(found[1], found[0]), text)
        text = text.replace("\\%", "%").replace("\\$", "$").replace("\\#", "#").replace("\\&", "&")
    if "^" in text:
        text = _CIRC.sub("°", text)
    if "<" in text:
        text = _TAG.sub(" ", text)
    if not text.isascii():
        text = _RAISED.sub(lambda found: "^" + found[0].translate(_RAISED_DIGITS), text)
    if "**" in text:
        text = text.replace("**", "") if text.count("**") % 2 == 0 and not re.search(r"\w\*\*\s*[\d(]", text) else text
    return " ".join(text.split())[:LONGEST]


def folded_letter(letter: str) -> str:
    """One letter in its plain form, without spaces and signs of powers; "" for what is only dress."""
    folded = letter.translate(_ALIKE).translate(_RAISED_DIGITS)
    return "" if folded in (" ", "^") else folded


def too_long(text: str) -> bool:
    """Whether a text has more letters than are read."""
    return len(text) > LONGEST


def _unwrapped(text: str) -> str:
    r"""Without ``\boxed{…}``, ``\text{…}`` and the like around what they hold; ``\{`` becomes a brace."""
    parts: list[str] = []
    dropped: list[bool] = []
    for found in _WRAPPER.finditer(text):
        part = found[0]
        if part == "{":
            dropped.append(False)
        elif part == "}":
            if dropped and dropped.pop():
                continue
        elif part.startswith("\\") and part.endswith("{") and len(part) > 2:
            dropped.append(True)
            continue
        parts.append(part[1:] if part in ("\\{", "\\}") else part)
    return "".join(parts)


def _ended(text: str) -> str:
    """Without stops at its end; a "!" may be a factorial, and dots behind a digit say that it goes on."""
    text = text.strip()
    while text and (text[-1] in ".,;:?，；：、？" or (text[-1] == "!" and not ends_in_factorial(text))):
        if text.endswith((".m.", ".M.")) or _GOES_ON.search(text[-8:]):
            break
        text = text[:-1].rstrip()
    return text


def _unquoted(text: str) -> str:
    """Without the quotes, dollars or stars around the whole."""
    if text[:1] not in _FIRST:
        return text
    for start, end in _QUOTES:
        inner = text[len(start) : len(text) - len(end)]
        if len(text) > len(start) + len(end) and text.startswith(start) and text.endswith(end):
            if start[0] in inner and start[0] != "\\":
                continue
            return inner.strip()
    return text


def as_written(text: str, source: str) -> str:
    """The last piece of a source that is the normalised text; the text itself if there is none.

    >>> as_written("42 m^2", "The area is 42 m²."), as_written("60 N", r"60\\text{ N}")
    ('42 m²', '60 N')
    """
    if text in source:
        return text
    places = [(folded, place) for place, letter in enumerate(source) for folded in folded_letter(letter)]
    letters = "".join(folded for folded, _ in places)
    sought = "".join(folded for letter in text for folded in folded_letter(letter))
    start = letters.rfind(sought) if sought else -1
    for _ in range(_MOST_TRIED):
        if start < 0:
            break
        piece = source[places[start][1] : places[start + len(sought) - 1][1] + 1]
        if plain(piece) == text:
            return " ".join(piece.split())
        start = letters.rfind(sought, 0, start + len(sought) - 1)
    return text


def with_meant_signs(text: str) -> str:
    """A bare text in which a minus, prime, factorial or ratio can be told from a hyphen, quote, stop or colon.

    >>> with_meant_signs("-x"), with_meant_signs("f'(n!)"), with_meant_signs("it's a T-shirt!")
    ('−x', 'f′(n¡)', "it's a T-shirt!")
    """
    if not _ANY.search(text):
        return text
    if "'" in text:
        text = _QUOTED.sub(r" \1 ", text)
        text = _PRIMES.sub(lambda found: PRIME * len(found[0]), text)
    if "!" in text:
        text = _FACTORIAL_END.sub(lambda found: found[1] + FACTORIAL * len(found[2]), text)
        text = _NEGATION.sub(FACTORIAL, text)
    if "-" in text or ":" in text:
        text = _MINUSES.sub(lambda found: found[0].replace("-", MINUS), text)
        text = _BETWEEN.sub(lambda found: found[1] + (MINUS if found[2] == "-" else RATIO), text)
    return text


def ends_in_factorial(text: str) -> bool:
    """Whether the "!" at the end of a text is a factorial and no stop.

    >>> ends_in_factorial("2n!"), ends_in_factorial("Go!"), ends_in_factorial("Stop!")
    (True, False, False)
    """
    tail = text[-12:]
    return any(found.end() == len(tail) for found in _FACTORIAL_END.finditer(tail))


def is_symbolic(text: str) -> bool:
    """Whether a text has no word in it, only names, signs and functions."""
    return len(text) < 3 or (text.isascii() and all(word.lower() in _FUNCTIONS for word in _SYMBOLIC.findall(text)))
