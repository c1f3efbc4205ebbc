"""What stands in, over and beside the formulas of a page: pieces of one are one picture, what is left out a doubt."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from dataflow_ext.boxes import union
from operators.pdf.formulas.glyphs import Box, Formula, Glyph, Rule
from operators.pdf.formulas.signs import lone_signs

#: Lines of text are at least an em apart; what stands closer, one over the other, is of one line.
_OVER = 0.8
_NEAR = 0.15
_INSIDE = 0.08
#: Parts of one display are at most so far apart, share so much of their height, and differ by more than rounding.
_ASIDE = 0.5
_COMMON = 0.3
_LEVEL = 0.1
#: No space around a relation is wider, in ems, unless a line is very loose.
_RELATED = 1.0
#: How far, in ems, the bar over a letter or a large sign is from its ink: TeX leaves 0.12 over a letter's box.
_BAR = 0.45
#: Letters of one word are so near to each other, in ems.
_TOUCHING = 0.05
#: An accent is at most so far, in ems, from what it stands over, and so high; lines of text are further apart.
_ACCENT, _FLAT = 0.15, 0.35
#: Marks of the line above may reach down so far.
_MARKS = frozenset(".,;:!?'\"()[]-\u2010\u2013\u2014\u2018\u2019\u201c\u201d\u201e、，。；：")
#: How far, in ems, a line under a letter is from its ink.
_LINE = 0.35


def settled(formulas: Sequence[Formula], glyphs: Sequence[Glyph], rules: Sequence[Rule]) -> list[Formula]:
    """The formulas of a page, those that are pieces of one as one picture.

    What TeX sets as one formula has its own letters in its rectangle and no others; a letter or a rule that should
    be part of it but is in no formula makes it a picture as well.
    """
    found = [*formulas, *_left_over(formulas, glyphs)]
    found = [_joined(group, glyphs) if len(group) > 1 else group[0] for group in _groups(found)]
    letters = _Letters(found, glyphs)
    drawn = {at for formula in found for at in formula.rules}
    left = sorted((rule for rule in rules if rule.at not in drawn), key=lambda rule: rule.y)
    heights = [rule.y for rule in left]
    for formula in found:
        letters.check(formula)
        low, high = formula.box[1] - _BAR * formula.size, formula.box[3] + _LINE * formula.size
        near = left[bisect_left(heights, low) : bisect_right(heights, high)]
        if any(formula.box[0] - 2 < rule.x0 and rule.x1 < formula.box[2] + 2 for rule in near):
            _doubt(formula, "a rule over or under it is in no formula")
    letters.check_joints()
    _check_words(found, glyphs)
    return found


def _left_over(formulas: Sequence[Formula], glyphs: Sequence[Glyph]) -> Iterator[Formula]:
    """The signs of formulas that are in none: no text has them."""
    used = {index for formula in formulas for index in formula.glyphs}
    for glyph in glyphs:
        if _is_of_formula(glyph) and glyph.kind != "punct" and used.isdisjoint(glyph.ids):
            reason = "a sign of formulas stands by itself"
            yield Formula("", glyph.ink, glyph.base, glyph.size, False, reason, glyph.ids)


def _check_words(formulas: Sequence[Formula], glyphs: Sequence[Glyph]) -> None:
    """Doubt formulas that hold one part of a word and leave the other."""
    owners = {index: formula for formula in formulas for index in formula.glyphs}
    held = [owners.get(glyph.ids[0]) for glyph in glyphs]
    for (one, first), (two, second) in pairwise(zip(glyphs, held, strict=True)):
        if (first is None) == (second is None) or not (one.char.isalpha() and two.char.isalpha()):
            continue
        near = abs(two.x0 - one.x1) < _TOUCHING * one.size and abs(two.base - one.base) < _TOUCHING * one.size
        if near and one.family == two.family and abs(one.size - two.size) < _TOUCHING:
            _doubt(first or second, "it ends within a word")


class _Letters:
    """The letters of a page by height, and those that formulas have."""

    def __init__(self, formulas: Sequence[Formula], glyphs: Sequence[Glyph]) -> None:
        self._used = {index for formula in formulas for index in formula.glyphs}
        ordered = sorted(glyphs, key=lambda glyph: glyph.ink[1])
        self._tops = [glyph.ink[1] for glyph in ordered]
        # Each with where it begins and ends, its ink and its advance.
        self._ordered = [(min(one.x0, one.ink[0]), max(one.x1, one.ink[2]), one) for one in ordered]
        self._joints: dict[int, list[Formula]] = {}

    def check(self, formula: Formula) -> None:
        """Doubt a formula that has a letter of others in it, or a sign beside it that is in none."""
        own, size = set(formula.glyphs), formula.size
        high, low = formula.box[1] - 2 * size, formula.box[3] + _NEAR * size
        left, right = formula.box[0] - _RELATED * size, formula.box[2] + _RELATED * size
        for x0, x1, glyph in self._ordered[bisect_left(self._tops, high) : bisect_right(self._tops, low)]:
            if x0 >= right or x1 <= left:
                continue
            if not own.isdisjoint(glyph.ids):
                continue
            if _holds(formula.box, glyph):
                _doubt(formula, "a letter in it is no part of it")
            elif not self._used.isdisjoint(glyph.ids):
                continue
            elif _is_of_formula(glyph) and _is_beside(formula, glyph):
                _doubt(formula, "a sign beside it is in no formula")
            elif _is_accent(formula, glyph):
                _doubt(formula, "an accent over it is in no formula")
            elif _adjoins(formula, glyph):
                self._joints.setdefault(glyph.ids[0], []).append(formula)

    def check_joints(self) -> None:
        """Doubt formulas on both sides of a relation that is in neither."""
        for formula in (formula for sides in self._joints.values() if len(sides) > 1 for formula in sides):
            _doubt(formula, "a sign between it and another one is in neither")


def _groups(formulas: Sequence[Formula]) -> Iterator[list[Formula]]:
    """The formulas in their order, each with the others that are pieces of the same."""
    root = list(range(len(formulas)))

    def first(at: int) -> int:
        while root[at] != at:
            root[at] = root[root[at]]
            at = root[at]
        return at

    by_top = sorted(range(len(formulas)), key=lambda at: formulas[at].box[1])
    for place, at in enumerate(by_top):
        formula = formulas[at]
        for other in by_top[place + 1 :]:
            if formulas[other].box[1] > formula.box[3] + _NEAR * formula.size:
                break
            if _is_over(formula, formulas[other]) or _is_aside(formula, formulas[other]):
                one, two = sorted((first(at), first(other)))
                root[two] = one
    groups: dict[int, list[Formula]] = {}
    for at, formula in enumerate(formulas):
        groups.setdefault(first(at), []).append(formula)
    return iter(groups.values())


def _joined(pieces: Sequence[Formula], glyphs: Sequence[Glyph]) -> Formula:
    """Pieces of one formula as its picture, with the letters of the text within it."""
    box = union(piece.box for piece in pieces)
    taken = {index for piece in pieces for index in piece.glyphs}
    taken.update(index for glyph in glyphs if _holds(box, glyph) for index in glyph.ids)
    rules = [at for piece in pieces for at in piece.rules]
    largest = max(pieces, key=lambda piece: piece.size)
    return replace(largest, latex="", box=box, reason="it was found in pieces", glyphs=sorted(taken),
                   rules=sorted(set(rules)), display=any(piece.display for piece in pieces), goes_on=False)  # fmt: skip


def _holds(box: Box, glyph: Glyph) -> bool:
    """Whether the middle of a letter's ink stands in a rectangle, not at its edge."""
    x, y = (glyph.ink[0] + glyph.ink[2]) / 2, (glyph.ink[1] + glyph.ink[3]) / 2
    edge = _INSIDE * glyph.size
    return box[0] + edge < x < box[2] - edge and box[1] + edge < y < box[3] - edge


def _is_beside(formula: Formula, glyph: Glyph) -> bool:
    x0, y0, x1, y1 = formula.box
    ink, near = glyph.ink, _NEAR * formula.size
    return ink[0] < x1 and x0 < ink[2] and y0 - near < ink[3] and ink[1] < y1 + near


def _is_accent(formula: Formula, glyph: Glyph) -> bool:
    """Whether a small sign stands right over a formula: what is no letter there is an accent, whatever it is called."""
    x0, y0, x1, y1 = formula.box
    ink, near = glyph.ink, _ACCENT * formula.size
    if not (x0 < (ink[0] + ink[2]) / 2 < x1 and y0 - near < ink[3]):
        return False
    if glyph.kind == "accent" and ink[1] + ink[3] < y0 + y1:
        return True  # over a letter that is lower than others
    over = ink[3] < y0 + near and ink[1] < y0 - near / 2
    return over and not (glyph.char.isalnum() or glyph.char in _MARKS) and 0 < ink[3] - ink[1] < _FLAT * formula.size


def _adjoins(formula: Formula, glyph: Glyph) -> bool:
    """Whether a relation or an operator stands right before or behind a formula, on its line."""
    if glyph.kind not in ("rel", "bin") or abs(glyph.base - formula.base) > _LEVEL * formula.size:
        return False
    if not glyph.maths and glyph.char not in "=+":
        return False
    return max(glyph.x0 - formula.box[2], formula.box[0] - glyph.x1) < _RELATED * formula.size


def _is_over(formula: Formula, other: Formula) -> bool:
    across = other.box[0] < formula.box[2] - 1 and formula.box[0] < other.box[2] - 1
    return across and abs(other.base - formula.base) < _OVER * max(formula.size, other.size)


def _is_aside(formula: Formula, other: Formula) -> bool:
    """Whether two formulas that stand side by side have different baselines, as parts of one have."""
    size = max(formula.size, other.size)
    gap = max(formula.box[0], other.box[0]) - min(formula.box[2], other.box[2])
    common = min(formula.box[3], other.box[3]) - max(formula.box[1], other.box[1])
    high = min(formula.box[3] - formula.box[1], other.box[3] - other.box[1])
    return gap < _ASIDE * size and common > _COMMON * high and abs(other.base - formula.base) > _LEVEL * size


def _is_of_formula(glyph: Glyph) -> bool:
    if glyph.sign is None or not (glyph.maths or "\u20d0" <= glyph.char <= "\u20ff"):
        return False
    return glyph.sign.latex not in lone_signs() or glyph.family.extension


def _doubt(formula: Formula | None, reason: str) -> None:
    if formula is not None and not formula.reason:
        formula.latex, formula.reason, formula.goes_on = "", reason, False
