"""Whether two sides of a gutter are columns, or cells of common rows: by their numbers, lines and widths."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from operators.pdf.parser.bands import Part, follows, label_of
from operators.pdf.parser.captions import Figure
from operators.pdf.parser.gutters import BARE
from operators.pdf.parser.runs import Run

#: So many numbers that count on prove the order of two columns.
_COUNT = 3
#: A number before anything, as before a short answer.
_LABELLED = re.compile(r"[（(]?(\d{1,3})(?:[.．、)）:](?!\d)|\s)")
#: What stands in a row with a formula shares so much of the lower one's height.
_LEVEL = 0.6


def count_rows(parts: Sequence[Part]) -> int:
    """The number of text lines; a figure counts for its height."""
    lines = {round(part.base / 4) for part in parts if isinstance(part, Run)}
    figures = sum(1 + int((part.box[3] - part.box[1]) / 40) for part in parts if isinstance(part, Figure) and lines)
    return len(lines) + figures


def are_columns(left: Sequence[Part], right: Sequence[Part], body: float) -> bool:
    """Whether two sides are columns: numbers say so, or each has lines enough, long enough, that are no common rows."""
    if _count_on(left, right):
        return True
    if count_rows(left) < 3 or count_rows(right) < 3:
        return False
    return min(widest(left), widest(right)) >= 5 * body and not are_row_wise(left, right)


def _count_on(left: Sequence[Part], right: Sequence[Part]) -> bool:
    """Whether the numbers at the left edges of two sides count on from one to the other, or on each side by itself.

    What stands higher on the right heads both.
    """
    if not left or not right or min(part.box[3] for part in right) < min(part.box[1] for part in left):
        return False
    if all(isinstance(part, Run) and BARE.fullmatch(part.text) for part in left):
        return False  # what they number stands right of them
    one, two = _numbers(left), _numbers(right)
    if _counts(one) and _counts(two):
        return True
    whole = one + two
    return bool(one and two) and len(whole) >= _COUNT and all(b - a == 1 for a, b in pairwise(whole))


def _numbers(side: Sequence[Part]) -> list[int]:
    """The numbers at the left edge of a side, from top to bottom."""
    runs = sorted((part for part in side if isinstance(part, Run)), key=lambda run: run.base)
    edge = min((run.x0 for run in runs), default=0.0)
    found = (_LABELLED.match(run.text) for run in runs if run.x0 < edge + run.size)
    return [int(number[1]) for number in found if number is not None]


def _counts(numbers: Sequence[int]) -> bool:
    """Whether numbers count on, nearly all one by one or anew from 1, as answers to exercises do."""
    steps = [1 if two == 1 else two - one for one, two in pairwise(numbers)]
    return len(numbers) >= _COUNT and min(steps) > 0 and 3 * steps.count(1) >= 2 * len(steps)


def widest(parts: Sequence[Part]) -> float:
    """The width of the widest run."""
    return max((part.x1 - part.x0 for part in parts if isinstance(part, Run)), default=0.0)


def _formula_beside(run: Run, left: Sequence[Run]) -> Run | None:
    """The last run, if it or the other is a formula, in whose height one stands: in cells they are centred."""
    return next((one for one in reversed(left) if (one.formula or run.formula) and _is_level(one, run)), None)


def _is_level(one: Run, two: Run) -> bool:
    common = min(one.bottom, two.bottom) - max(one.top, two.top)
    return common > _LEVEL * min(one.bottom - one.top, two.bottom - two.top)


def are_row_wise(left: Sequence[Part], right: Sequence[Part]) -> bool:
    """Whether the two sides are cells of common rows (options, short sums) rather than columns."""
    near = sorted((part for part in left if isinstance(part, Run)), key=lambda run: run.x1)
    rows = {round(run.base): run for run in near}
    texts = [part for part in right if isinstance(part, Run)]
    pairs = [(rows.get(round(run.base)) or _formula_beside(run, near), run) for run in texts]
    labels = [(label_of(one.text), label_of(two.text)) for one, two in pairs if one is not None]
    both = [(one, two) for one, two in labels if one is not None and two is not None]
    if len(both) >= 2:
        across = sum(follows(one, two) for one, two in both)
        # Numbers that run on down the left side speak for columns.
        down = [one for one in map(label_of, (run.text for _, run in sorted(rows.items()))) if one]
        return across > sum(follows(one, two) for one, two in pairwise(down))
    if len(labels) < 0.8 * len(pairs):
        return False
    edge = min((run.x0 for run in texts), default=0.0)
    span = edge - min((part.box[0] for part in left), default=0.0)
    ends = Counter(round(run.x1) for run in near if run.x1 - run.x0 > 5 * run.size)
    # Lines set to one width are no cells.
    if ends and 2.5 * ends.most_common(1)[0][1] >= len(rows):
        return False
    # A formula alone in the last column of the left side is no line of text that fills it.
    texts = [part for part in left if isinstance(part, Run) and not (part.formula and part.x1 - part.x0 < 0.5 * span)]
    full = sum(part.x1 > edge - 0.25 * span for part in texts)
    return full < 0.25 * len(rows)
