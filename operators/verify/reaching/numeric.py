"""Whether steps come to a number: by the last value that they compute or state."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from operators.verify.numbers import Number, numbers_in
from operators.verify.reaching.steps import Steps

#: Numbers that are computed with at one time.
_MOST = 12
#: What an answer may differ by that was rounded from what was computed: half of its last digit, or one in a hundred.
_ROUNDED = Fraction(1, 100)
_ABOUT = re.compile(
    r"\b(?:about|around|approximately|roughly|nearly|close(?:st)?|near(?:est)?)\b|大约|约|接近|近似", re.IGNORECASE
)
_DOUBLED = re.compile(r"\b(?:half|halves|halved|twice|doubl\w+|two|both)\b|半|倍|两", re.IGNORECASE)
Same = Callable[[str], bool]


def number_of(text: str) -> Number | None:
    """The one number of an answer.

    >>> number_of("8 kg").value, number_of("between 2 and 3")
    (Fraction(8, 1), None)
    """
    found = numbers_in(text)
    return found[0] if len(found) == 1 else None


def reaches_number(steps: Steps, answer: str, same: Same, rivals: Sequence[str] = ()) -> tuple[bool | None, str]:
    """Whether the steps end at a number, None if nobody can tell, and the value that they end at ("" if none).

    ``same`` tells whether a text is the answer; ``rivals`` are other values of which the nearest may be meant.
    """
    wanted = number_of(answer)
    if wanted is None:
        return None, ""
    computed = [each.right for each in steps.computed]
    if computed:
        return _computed(steps, computed, wanted, same, rivals)
    return _stated(steps, wanted, same)


def _computed(
    steps: Steps, computed: Sequence[str], wanted: Number, same: Same, rivals: Sequence[str]
) -> tuple[bool | None, str]:
    last = computed[-1]
    value = _value(last)
    if _other_unit(last, steps, wanted, same):
        return False, last
    if steps.concludes and _ends_elsewhere(numbers_in(steps.behind_computed), wanted, same):
        return None, numbers_in(steps.behind_computed)[0].text
    if same(last) or (value is not None and _is_rounded(value, wanted)) or _is_nearest(value, wanted, rivals):
        return True, last
    behind = steps.behind_computed
    if not any(_is(number, wanted, same) for number in numbers_in(behind)):
        return False, last
    if value is not None and _ABOUT.search(behind) and abs(value - wanted.value) <= abs(value) / 10:
        return True, last
    told = [number.value for numbers in steps.numbers for number in numbers]
    results = [each for each in map(_value, computed) if each is not None]
    if any(map(same, computed)) or _follows(wanted.value, results, told, behind):
        return True, wanted.text
    return False, last


def _ends_elsewhere(said: Sequence[Number], wanted: Number, same: Same) -> bool:
    """Whether a conclusion states one number alone, of the answer's unit and far from it."""
    if len(said) != 1 or said[0].unit != wanted.unit or _is(said[0], wanted, same):
        return False
    return abs(said[0].value - wanted.value) > abs(wanted.value) / 10


def _other_unit(last: str, steps: Steps, wanted: Number, same: Same) -> bool:
    """Whether the steps give the answer's number another unit, and nowhere its own.

    Where they compute it without a unit, what they have before that is given, and the unit is the question's.
    """
    if not wanted.unit:
        return False
    computed = numbers_in(last)
    bare = [each.value for each in computed if not each.unit] == [wanted.value]
    told = [computed, numbers_in(steps.behind_computed)] if bare else steps.numbers
    said = [number for numbers in told for number in numbers if number.value == wanted.value and number.unit]
    return bool(said) and not any(_is(number, wanted, same) for number in said)


def _stated(steps: Steps, wanted: Number, same: Same) -> tuple[bool | None, str]:
    said = [(place, number) for place, numbers in enumerate(steps.numbers) for number in numbers]
    if not said:
        return None, ""
    last, final = said[-1]
    if not _is(final, wanted, same):
        spoken = any(_is(number, wanted, same) for _, number in said)
        alone = sum(place == last for place, _ in said) == 1
        return (False if alone and not spoken else None), final.text
    earlier = [number for place, number in said if place < len(steps.sentences) - 1]
    if steps.concludes and last == len(steps.sentences) - 1 and not any(_is(each, wanted, same) for each in earlier):
        before = [number.value for number in earlier]
        # What is counted one by one needs no number before it.
        if before and not _follows(wanted.value, before, before, steps.sentences[-1]):
            return None, earlier[-1].text
    return True, wanted.text


def _is(number: Number, wanted: Number, same: Same) -> bool:
    if number.value == wanted.value and (not number.unit or not wanted.unit or number.unit == wanted.unit):
        return True
    return same(f"{number.text} {number.unit}".strip())


def _value(text: str) -> Fraction | None:
    found = numbers_in(text)
    return found[0].value if len(found) == 1 else None


def _is_rounded(value: Fraction, wanted: Number) -> bool:
    digits = len(wanted.text.partition(".")[2]) if wanted.text.replace(".", "").isdigit() else 0
    half = Fraction(1, 2 * 10**digits)
    return (
        value.denominator > 1
        and abs(value - wanted.value) <= half
        and abs(value - wanted.value) <= _ROUNDED * abs(value)
    )


def _is_nearest(value: Fraction | None, wanted: Number, rivals: Sequence[str]) -> bool:
    """Whether of all options this one is the nearest by far to what was computed, within a tenth."""
    others = [each for each in map(_value, rivals) if each is not None]
    if value is None or not others:
        return False
    gap = abs(value - wanted.value)
    return gap <= abs(value) / 10 and all(abs(value - each) > 2 * gap for each in others)


def _follows(value: Fraction, results: Sequence[Fraction], told: Sequence[Fraction], said: str) -> bool:
    """Whether a value comes of what was computed and told by one operation, or is the sum or mean of all.

    A double or a half is one only where it is ``said`` to be.
    """
    first, others = list(dict.fromkeys(results))[-_MOST:], list(dict.fromkeys(told))[-_MOST:]
    others = [each for each in others if each != value]
    pairs = [(one, other) for one in first for other in others if one not in (value, other)]
    if _DOUBLED.search(said) and any(value in (2 * one, one / 2) for one in others):
        return True
    return value * value in first or any(made == value for made in _made(pairs, others))


def _made(pairs: Sequence[tuple[Fraction, Fraction]], others: Sequence[Fraction]) -> Iterator[Fraction]:
    for one, other in pairs:
        yield from (one + other, abs(one - other), one * other, one * other / 100)
        if one and other:
            yield from (one / other, other / one)
    for count in range(3, len(others) + 1):
        total = sum(others[:count], Fraction(0))
        yield from (total, total / count)
    for one in others:
        yield from (one / 1000, one * 1000, one * 100)
    for one, other in combinations(others, 2):
        yield 180 - one - other
