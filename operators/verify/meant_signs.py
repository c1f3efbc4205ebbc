"""Signs that mean something where other texts use them as dress: a minus, a prime, a factorial, a ratio."""

from __future__ import annotations

import re

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
