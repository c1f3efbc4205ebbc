"""Digits in fonts without names (Type 3) that prove themselves: numbers of notes and of lines, which count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from operators.pdf.formulas import Family, Glyph, sign_of

#: A font without a name.
STRANGE = Family("STRANGE")
#: Digits of one number are nearer to each other, in ems; a note's mark is no further from the word before it.
_NEAR = 0.3
#: How far, in ems of the words, the mark of a note is raised, and how large it is at most against them.
_RAISED, _SMALL = (0.2, 0.6), 0.86
#: The text of a note begins so near to its number, in ems.
_NOTE = 1.0
#: So many numbers of lines at least show that they count.
_COUNTING = 3


@dataclass(slots=True)
class _Number:
    value: int
    first: int
    last: int


def with_counted(glyphs: Sequence[Glyph], fonts: Sequence[int], worded: Collection[int]) -> list[Glyph]:
    """The letters of a page, digits of fonts without names as digits where these can be nothing else.

    A font of digits alone numbers notes if each of its numbers is raised behind a word and another font of digits
    alone has the same ones in the same order, each below its mark and before the words of a note; it numbers lines if
    all its numbers open lines and count one by one. ``fonts`` are the fonts of the letters, ``worded`` those of words:
    one that such notes are set in has words alone.
    """
    own: defaultdict[int, list[int]] = defaultdict(list)
    for at, (glyph, font) in enumerate(zip(glyphs, fonts, strict=True)):
        if glyph.family is STRANGE:
            own[font].append(at)
    numbers = {
        font: _numbers(glyphs, places)
        for font, places in own.items()
        if all(glyphs[at].char in "0123456789" for at in places)
    }
    known: set[int] = set()
    for font, marks in numbers.items():
        if len(marks) >= _COUNTING and _counts(marks) and all(_opens_line(glyphs, one, _NEAR) for one in marks):
            known.add(font)
        elif marks and _counts(marks) and all(_is_raised(glyphs, one) for one in marks):
            for other, notes in numbers.items():
                if other != font and _are_notes(glyphs, marks, notes):
                    known |= {font, other, *(fonts[one.last + 1] for one in notes if fonts[one.last + 1] in worded)}
    found = list(glyphs)
    for at in (at for font in known for at in own[font]):
        char = glyphs[at].char
        sign = sign_of(char, False, Family(), False) if char.isalnum() and char.isascii() else None
        found[at] = replace(glyphs[at], sign=sign, family=Family())
    return found


def _numbers(glyphs: Sequence[Glyph], places: Sequence[int]) -> list[_Number]:
    found: list[_Number] = []
    for at in places:
        one = glyphs[at]
        if found and found[-1].last == at - 1 and _goes_on(glyphs[at - 1], one):
            found[-1].value, found[-1].last = 10 * found[-1].value + int(one.char), at
        else:
            found.append(_Number(int(one.char), at, at))
    return found


def _goes_on(one: Glyph, two: Glyph) -> bool:
    return abs(one.base - two.base) < 0.1 and abs(two.x0 - one.x1) < _NEAR * two.size


def _counts(numbers: Sequence[_Number]) -> bool:
    """Whether each number is one more than the one before it, or the first of another count."""
    return all(two.value in (one.value + 1, 1) for one, two in pairwise(numbers))


def _is_raised(glyphs: Sequence[Glyph], number: _Number) -> bool:
    """Whether a number is the mark of a note: small and raised right behind a word or its mark."""
    if not number.first:
        return False
    word, digit = glyphs[number.first - 1], glyphs[number.first]
    raised = _RAISED[0] * word.size < word.base - digit.base < _RAISED[1] * word.size
    near = abs(digit.x0 - word.x1) < _NEAR * word.size
    return raised and near and not word.maths and digit.size < _SMALL * word.size


def _are_notes(glyphs: Sequence[Glyph], marks: Sequence[_Number], notes: Sequence[_Number]) -> bool:
    """Whether numbers are those of marks, and each opens a line of words below its own, in columns too."""
    if [one.value for one in marks] != [one.value for one in notes]:
        return False
    below = all(glyphs[mark.first].base < glyphs[note.first].base for mark, note in zip(marks, notes, strict=True))
    return below and all(_opens_line(glyphs, one) for one in notes)


def _opens_line(glyphs: Sequence[Glyph], number: _Number, apart: float | None = None) -> bool:
    """Whether a number opens a line whose words begin right behind it, or at least so far ``apart``."""
    digit = glyphs[number.first]
    before = glyphs[number.first - 1] if number.first else None
    if before is not None and abs(before.base - digit.base) < digit.size and before.x1 < digit.x0 + digit.size:
        return False
    after = glyphs[number.last + 1] if number.last + 1 < len(glyphs) else None
    if apart is not None:
        level = after is not None and abs(after.base - digit.base) < digit.size
        return after is None or not level or after.x0 - glyphs[number.last].x1 > apart * digit.size
    return (
        after is not None
        and 0 < after.base - digit.base < after.size
        and -_NEAR * after.size < after.x0 - glyphs[number.last].x1 < _NOTE * after.size
    )
