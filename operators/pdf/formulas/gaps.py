"""The spaces between the words and signs of a line, and what they say about formulas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from operators.pdf.formulas.tokens import Token

#: Gaps in ems. TeX's relations have 0.28 around them, or up to twice that in a loose line, its operators
#: 0.22, names of functions 0.17; words have 0.33.
TIGHT = 0.1
THIN = 0.26
_THIN_SPACE = 0.185
_COMMA = 0.21
_DIFFERENTIAL = 0.29
_WIDE = 0.6
#: Two parts of a formula without a sign between them are at most a word's space apart.
APART = 0.45
#: Between a large sign or a name and a quotient, which has a little space of its own.
SPACED = 0.42
#: Space that scripts and quotients bring.
_SCRIPT_SPACE = 0.07
_NULL_SPACE = 0.13


@dataclass(slots=True, frozen=True)
class Gaps:
    """The spaces of a line whose letters have this size.

    Up to which gap, in ems, a space is thin, around a relation, before a differential, behind a name, behind a comma;
    ``word`` is the usual space between its words, 0 if they are too few, ``words`` are all of them. A loose line has
    wider ones: TeX's spaces between words grow by 0.12 to 0.17 when those of relations grow by 0.28.
    """

    size: float
    thin: float = THIN
    wide: float = _WIDE
    product: float = _DIFFERENTIAL
    name: float = _THIN_SPACE
    comma: float = _COMMA
    word: float = 0.0
    words: tuple[float, ...] = ()

    @classmethod
    def of(cls, tokens: Sequence[Token], size: float) -> Gaps:
        """The spaces of a line, from those between its words."""
        words = sorted(
            gap_before(tokens, at, size)
            for at in range(1, len(tokens))
            if "word" in (tokens[at - 1].kind, tokens[at].kind)
            and "maths" not in (tokens[at - 1].kind, tokens[at].kind)
            and 0.18 < gap_before(tokens, at, size) < 1.5
        )
        if not words:
            return cls(size, thin=_COMMA)
        loose = max(0.0, words[len(words) // 2] - 0.25) / 0.125
        return cls(
            size,
            min(THIN, 0.78 * words[0]),
            max(_WIDE, 0.278 * (1 + loose) + 0.15),
            min(_DIFFERENTIAL, 0.92 * words[0]),
            min(THIN, 0.86 * words[0]),
            min(_COMMA, 0.92 * words[0]),
            words[(len(words) - 1) // 2] if len(words) > 2 else 0.0,
            tuple(
                gap_before(tokens, at, size)
                for at in range(1, len(tokens))
                if tokens[at - 1].kind == tokens[at].kind == "word"
            ),
        )


def gap_before(tokens: Sequence[Token], at: int, size: float) -> float:
    """The space before a token, in ems."""
    return (tokens[at].x0 - tokens[at - 1].x1) / size


def thin_space(tokens: Sequence[Token], at: int) -> float:
    """Up to which gap, in ems, a space before a token is a thin one: scripts and quotients bring some of their own."""
    wide = _THIN_SPACE
    for token, end in ((tokens[at - 1], -1), (tokens[at], 0)):
        if token.kind == "maths" and not token.text:
            wide += _NULL_SPACE
        elif end and len(token.ink) > 1:
            wide += _SCRIPT_SPACE
    return wide


def is_even(tokens: Sequence[Token], at: int, size: float) -> bool:
    """Whether the spaces on both sides of a sign are the same, as those of a relation are."""
    return 0 < at < len(tokens) - 1 and abs(gap_before(tokens, at, size) - gap_before(tokens, at + 1, size)) < 0.15
