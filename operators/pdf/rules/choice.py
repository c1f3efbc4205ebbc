"""The likeliest reading of a book: where the first one is odd, others are tried, and the book tells which fits."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from operators.pdf.rules.counters import label_dresses
from operators.pdf.rules.fit import Fit
from operators.pdf.rules.lines import HEADINGS, Kind, Line, Zone
from operators.pdf.rules.reading import Assumptions, Reading
from operators.pdf.rules.sections import counts_on, first_counted

#: What a stretch leaves odd, in items, for others to be tried; and what one has to save.
_ODD, _SAVES = 2.5, 2.0
#: The share of a stretch's labels that are odd: in a book that is read well single ones are.
_SHARE = 0.3
#: Stretches looked at in a round, the oddest first; readings tried of one book, and lines read in all of them.
_STRETCHES, _READINGS, _LINES = 5, 48, 10_000
_TITLES = frozenset({Kind.TITLE, Kind.HEADING, Kind.ANSWERS})
_OTHER = {Zone.BODY: Zone.ANSWERS, Zone.ANSWERS: Zone.BODY, Zone.SUMMARY: Zone.BODY, Zone.FRONT: Zone.BODY}


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Lines ``first`` to ``end`` - 1, from one heading to the next; ``odd`` is the first one that is odd."""

    first: int
    end: int
    odd: int
    weight: float


def choose(read: Callable[[Assumptions], Reading], given: Assumptions) -> Reading:
    """The reading that fits best of the first one and of what is tried where it is odd; of equals the first."""
    best = read(given)
    left = min(_READINGS, _LINES // max(1, best.size))
    tried: list[Assumptions] = []
    while left > 0:
        stretches = _odd_stretches(best.lines, best.fit)[:_STRETCHES]
        told = [Assumptions(dresses=some) for some in label_dresses(best.lines)] if best.fit.cost >= _SAVES else []
        told += [other for stretch in stretches for other in _zones(best.lines, stretch)]
        others = list(map(best.given.also, told))
        fresh = [other for n, other in enumerate(others) if other not in tried and other not in others[:n]][:left]
        left -= len(fresh)
        tried += fresh
        found = [reading for reading in map(read, fresh) if not _answers_alone(reading)]
        likeliest = min(found, key=lambda reading: reading.fit.cost, default=best)
        if likeliest.fit.cost > best.fit.cost - _SAVES:
            break
        best = likeliest
    return best


def _answers_alone(reading: Reading) -> bool:
    """Whether all items are answers, though no heading says so: where nobody asks nothing can be odd."""
    named = any(line.kind is Kind.ANSWERS for line in reading.lines)
    return not named and all(item.chapter.zone is Zone.ANSWERS for item in reading.items)


def _odd_stretches(lines: Sequence[Line], fit: Fit) -> list[_Stretch]:
    heads = [0, *(n for n, line in enumerate(lines) if n and line.kind in HEADINGS and not line.running_head)]
    weights: dict[int, float] = defaultdict(float)
    first: dict[int, int] = {}
    for line, weight in sorted(fit.places.items()):
        at = bisect_right(heads, line) - 1
        weights[at] += weight
        first.setdefault(at, line)
    ends = [*heads[1:], len(lines)]
    found = [_Stretch(heads[at], ends[at], first[at], weight) for at, weight in weights.items()]
    odd = [stretch for stretch in found if stretch.weight >= max(_ODD, _SHARE * _labels(lines, stretch))]
    return sorted(odd, key=lambda stretch: -stretch.weight)


def _labels(lines: Sequence[Line], stretch: _Stretch) -> int:
    return sum(line.label is not None for line in lines[stretch.first : stretch.end])


def _zones(lines: Sequence[Line], stretch: _Stretch) -> Iterator[Assumptions]:
    """The stretch, or its end from where it is odd, stands in another zone, alone or with others."""
    zone = lines[stretch.odd].zone
    counted = first_counted(lines)
    named = next((n for n, line in enumerate(lines) if line.kind is Kind.ANSWERS and line.zone is Zone.ANSWERS), 0)
    for start in _starts(lines, stretch) if zone in _OTHER else ():
        if zone is Zone.BODY and (counts_on(lines, start, counted) or start < named):
            continue  # Part B after Part A asks, too, and what stands before the first answers that a heading names
        for heads in ([], _alike(lines, stretch, start)):
            blocks = dict.fromkeys((lines[n].block.id for n in (start, *heads)), _OTHER[zone])
            yield Assumptions(zones=blocks)
            if stretch.end not in heads and stretch.end < len(lines) and lines[stretch.end].zone is zone:
                yield Assumptions(zones={**blocks, lines[stretch.end].block.id: zone})


def _starts(lines: Sequence[Line], stretch: _Stretch) -> list[int]:
    """Where another zone may begin: at the heading, at the title above a part, or where the stretch is odd."""
    starts = [stretch.first]
    if lines[stretch.first].kind is Kind.PART:
        titles = (n for n in range(stretch.first - 1, -1, -1) if lines[n].kind in _TITLES and not lines[n].running_head)
        starts += [n for n in islice(titles, 1) if lines[n].zone is lines[stretch.odd].zone]
    before = lines[stretch.first : stretch.odd]
    if any(line.label is not None or line.zone is not lines[stretch.odd].zone for line in before):
        starts.append(stretch.odd)
    return starts


def _alike(lines: Sequence[Line], stretch: _Stretch, start: int) -> list[int]:
    """The headings that a stretch shares its zone with: all up to the end of a key, or of questions those so named."""
    first, zone = lines[start], lines[stretch.odd].zone
    heads = [n for n, line in enumerate(lines) if line.kind in HEADINGS and not line.running_head and n != start]
    if zone is Zone.BODY:
        return [n for n in heads if n >= stretch.end and lines[n].block.file == first.block.file]
    return [n for n in heads if (lines[n].text, lines[n].kind, lines[n].zone) == (first.text, first.kind, zone)]
