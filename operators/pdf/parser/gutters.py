"""Where a page is parted into left and right, whether these are columns, and in what order its bands are read."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from operators.pdf.parser.captions import Figure
from operators.pdf.parser.runs import Run

Part = Run | Figure
#: What puts the runs of one side in the order in which they are read.
Reader = Callable[[list[Part]], list[Run]]
#: The kind of a label, and its number or the place of its letter.
Place = tuple[str, int]
#: Pages of more labels are lists of another kind; ways to read them are too many.
_MAX_LABELS = 120
_FIRST_LETTER = ord("A")
#: Ems between what stands above and below a cut, more than between the lines of a paragraph.
_PARTED = 0.7
#: A number with its sign, or the letter of an option, which may have none.
_LABEL = re.compile(r"[（(]?\s?(?:(\d{1,3})\s?[.．、)）](?!\d)|([A-H])(?:\s?[.．、)）]|\s(?=\S))|([a-h])[)）])")


@dataclass(slots=True)
class Band:
    """What crosses a gutter, then what stands left and right of it below that."""

    across: list[Part] = field(default_factory=list)
    left: list[Part] = field(default_factory=list)
    right: list[Part] = field(default_factory=list)
    columns: bool = False


def by_labels(bands: list[Band], read: Reader) -> list[Band]:
    """The bands cut where a label stands, or read the other way, as long as more of their labels then run on.

    ``read`` puts what stands on one side in order, which may have columns of its own.
    """
    sides = (part for band in bands for side in (band.across, band.left, band.right) for part in side)
    found = [(part, label_of(part.text)) for part in sides if isinstance(part, Run)]
    labels = {id(run): label for run, label in found if label is not None}
    if len(labels) > _MAX_LABELS:
        return bands
    most = _run_on(bands, labels)
    if most < len(labels):
        most = max(most, _run_on(bands, labels, read))
    while most < len(labels):
        ways = (
            [*bands[:at], *other, *bands[at + 1 :]]
            for at, band in enumerate(bands)
            if band.left and band.right
            for other in _other_ways(band, labels)
        )
        best = max(((_run_on(way, labels), way) for way in ways), key=lambda way: way[0], default=(0, bands))
        if best[0] <= most:
            break
        most, bands = best
    return bands


def _other_ways(band: Band, labels: Mapping[int, Place]) -> Iterator[list[Band]]:
    """A band cut above each of its labels that no part reaches across, and read the other way."""
    parts = band.left + band.right
    for part in parts:
        if not (isinstance(part, Run) and id(part) in labels):
            continue
        cut = part.top - 0.1 * part.size
        if any(other.box[1] + 1 < cut < other.box[3] - 1 for other in parts):
            continue
        beside = band.right if part in band.left else band.left
        if _is_torn(beside, cut, part.size):
            continue
        above, below = Band(band.across), Band()
        for side in ("left", "right"):
            for one in getattr(band, side):
                getattr(above if one.box[1] + one.box[3] <= 2 * cut else below, side).append(one)
        if (above.left or above.right) and (below.left or below.right):
            for half in (above, below):
                half.columns = band.columns and bool(half.left and half.right)
            yield [above, below]
    yield [replace(band, columns=not band.columns)]


def _is_torn(side: Sequence[Part], cut: float, size: float) -> bool:
    """Whether lines of one paragraph may stand above and below a cut."""
    above = max((part.box[3] for part in side if part.box[1] + part.box[3] <= 2 * cut), default=-math.inf)
    below = min((part.box[1] for part in side if part.box[1] + part.box[3] > 2 * cut), default=math.inf)
    return below - above < _PARTED * size


def downwards(parts: Iterable[Part]) -> list[Run]:
    """The runs among parts line by line."""
    return sorted((p for p in parts if isinstance(p, Run)), key=lambda run: (round(run.base / 3), run.x0))


def _run_on(bands: Sequence[Band], labels: Mapping[int, Place], read: Reader = downwards) -> int:
    """How many labels follow the one before them of their kind, or begin a count, as bands are read.

    A count begins anew inside each place of one that began before it, and letters inside all numbers.
    """
    counts: dict[str, int] = {}
    good = 0
    for kind, place in _in_order(bands, labels, read):
        good += place in (1, _FIRST_LETTER, counts.get(kind, 0) + 1)
        kinds = list(counts)
        later = kinds[kinds.index(kind) + 1 :] if kind in counts else []
        numbered = kind.endswith("n")
        for other in kinds:
            lettered = other.endswith("l")
            if (other in later and (numbered or lettered)) or (numbered and lettered):
                del counts[other]
        counts[kind] = place
    return good


def _in_order(bands: Sequence[Band], labels: Mapping[int, Place], read: Reader) -> Iterator[Place]:
    runs: list[Run] = []
    row_wise: list[Part] = []
    for band in bands:
        row_wise += band.across
        if band.columns:
            runs += downwards(row_wise) + read(band.left) + read(band.right)
            row_wise = []
        else:
            row_wise += band.left + band.right
    runs += downwards(row_wise)
    yield from (labels[id(run)] for run in runs if id(run) in labels)


def label_of(text: str) -> Place | None:
    """The kind and the place of a label: ``(2)`` is of another kind than ``2.``."""
    found = _LABEL.match(text)
    if found is None:
        return None
    kind = found.group()[-1] + ("n" if found[1] else "l")
    return (kind, int(found[1]) if found[1] else ord((found[2] or found[3]).upper()))


def follows(one: Place, two: Place) -> bool:
    """Whether a label is the next one of its kind: ``(3)`` after ``(2)``."""
    return one[0] == two[0] and two[1] == one[1] + 1


#: Gutters of a page that are tried at most.
_MAX_GUTTERS = 8
#: How far before the edge that lines share a gutter is, in ems.
_OFF = 0.4
#: Between columns there is more room than between words, in ems.
WORDS_APART = 0.7
#: A label and nothing else, with a word or without.
BARE = re.compile(r"(?:[^\W\d_]{2,14}\.?\s)?[（(]?\d{1,3}\s?[.．、:)）]?")
#: A number of a question; those in brackets may be of equations, at the right end of a column.
_NUMBER = re.compile(r"\d{1,3}\s?[.．、)）](?!\d)")
#: A number before words.
_COUNTED = re.compile(r"[（(]?(\d{1,3})\s?(?:[.．、)）](?!\d)|(?=\s[^\d\s]))")


def gutters_of(parts: Sequence[Part], body: float) -> list[float]:
    """Where a right column may begin, the likeliest first: no room behind numbers, nor that between two words."""
    return [
        gutter
        for gutter in _edges(parts, body)
        if not _behind_numbers(parts, gutter, body) and not _in_lines(parts, gutter, body)
    ]


def _behind_numbers(parts: Sequence[Part], gutter: float, body: float) -> bool:
    """Whether what stands right of a gutter are mostly the words of numbers, or of heavy labels, left of it."""
    texts = [part for part in parts if isinstance(part, Run)]
    near = [run for run in texts if run.x1 <= gutter + 1 and gutter - run.x1 < 3 * body]
    beyond = [run for run in texts if gutter <= run.x0 < gutter + 2 * body]
    levels = {round(run.base) for run in near if BARE.fullmatch(run.text)}
    levels |= {round(run.base) for run in near if run.bold} - {round(run.base) for run in beyond if run.bold}
    right = {round(run.base) for run in beyond}
    return len(levels) >= 2 and 2 * len(levels & right) >= len(right)


def _in_lines(parts: Sequence[Part], gutter: float, body: float) -> bool:
    """Whether the room at a gutter is no wider than that between words, in most lines that go on behind it."""
    lines: dict[int, list[Run]] = defaultdict(list)
    for part in parts:
        if isinstance(part, Run):
            lines[round(part.base)].append(part)
    gaps: list[float] = []
    for runs in lines.values():
        ends = [run.x1 for run in runs if run.x1 <= gutter + 1]
        begins = [run.x0 for run in runs if run.x0 >= gutter - 1]
        if ends and begins:
            gaps.append(min(begins) - max(ends))
    return 2 * sum(gap < WORDS_APART * body for gap in gaps) > len(gaps)


def _edges(parts: Sequence[Part], body: float) -> list[float]:
    """The room before left edges in the middle that lines share, or where a count goes on."""
    going_on = [run.x0 - _OFF * body for run in _going_on(parts)]
    if len(parts) < 6:
        return going_on
    left, right = min(part.box[0] for part in parts), max(part.box[2] for part in parts)
    wide = right - left
    if wide < 20 * body:
        return going_on
    # Displays are centred, or set in from the edge: they are no lines of a column.
    edges = sorted(part.x0 for part in parts if isinstance(part, Run) and not part.text.startswith("$$"))
    found: list[tuple[int, float]] = []
    for edge in edges:
        if not left + 0.2 * wide < edge < right - 0.2 * wide or (found and edge - found[-1][1] < 4):
            continue
        # Numbers hang to the left of their lines, so the edge need not be that of every line.
        shared = bisect_left(edges, edge + 4 * body) - bisect_left(edges, edge)
        if shared >= 3:
            found.append((shared, edge))
    # What stands behind hanging numbers is no left edge of a column.
    numbered = [part.x0 for part in parts if isinstance(part, Run) and _NUMBER.match(part.text)]
    numbers = [edge for _, edge in found if any(0 <= left - edge < 4 for left in numbered)]
    found = [one for one in found if not any(0 < one[1] - number < 4 * body for number in numbers)]
    found.sort(reverse=True)
    before = [edge - _OFF * body for _, edge in found[:_MAX_GUTTERS]]
    narrow = [_middle(edge, parts) for _, edge in found[:_MAX_GUTTERS]]
    # In wide room its middle parts what the place before the edge does.
    return [
        *dict.fromkeys(before + going_on + [middle for middle, at in zip(narrow, before, strict=True) if middle > at])
    ]


def _middle(edge: float, parts: Sequence[Part]) -> float:
    """The middle of the room before a left edge."""
    end = max((part.box[2] for part in parts if part.box[2] <= edge), default=edge)
    return (end + edge) / 2


def _going_on(parts: Sequence[Part]) -> list[Run]:
    """The runs whose numbers follow those of runs that stand lower on the page, left of them."""
    numbers: dict[int, list[Run]] = defaultdict(list)
    for part in parts:
        if isinstance(part, Run) and (found := _COUNTED.match(part.text)):
            numbers[int(found[1])].append(part)
    return [
        run
        for number, runs in list(numbers.items())
        for run in runs
        if any(one.x1 < run.x0 and one.base > run.base + run.size for one in numbers.get(number - 1, ()))
    ]


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
