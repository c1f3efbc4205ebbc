"""A book as the rules understand it, and of several such readings the likeliest."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from operators.pdf.numbering.dress import Dress
from operators.pdf.reply import ReplyChapter, ReplyPair
from operators.pdf.rules.chapters import Chapter
from operators.pdf.rules.counts import label_dresses
from operators.pdf.rules.fit import Fit, fit_of
from operators.pdf.rules.items import Item
from operators.pdf.rules.lines import HEADINGS, Kind, Line, Zone
from operators.pdf.rules.nesting import Node
from operators.pdf.rules.sections import counts_on, first_counted


@dataclass(frozen=True, slots=True)
class Assumptions:
    """Places are ids of blocks.

    ``titles`` are headings of chapters, true where answers stand under them. ``zones`` begin at blocks, whatever
    these are; ``dresses`` are those of labels, of answers if true.
    """

    titles: Mapping[int, bool] = field(default_factory=dict)
    zones: Mapping[int, Zone] = field(default_factory=dict)
    dresses: Set[tuple[Dress, bool]] = frozenset()

    def also(self, other: Assumptions) -> Assumptions:
        """Both; where they contradict each other, the other's."""
        return Assumptions(
            {**self.titles, **other.titles},
            {**self.zones, **other.zones},
            self.dresses | other.dresses,
        )


#: What a book is read with at first.
NOTHING = Assumptions()


class Reading:
    """Lines, headings, chapters and items, which refer to lines by their places.

    ``given`` is what was taken for granted. Items are looked for by ``find_items`` when they are first asked for, or
    the lines, some of which they mark: who wants the headings alone does without.
    """

    def __init__(
        self,
        lines: list[Line],
        outline: dict[int, Node],
        given: Assumptions,
        find_items: Callable[[], tuple[list[Chapter], list[Item]]],
    ) -> None:
        self.outline, self.given = outline, given
        self._lines, self._find_items = lines, find_items

    @cached_property
    def _found(self) -> tuple[list[Chapter], list[Item]]:
        return self._find_items()

    @property
    def size(self) -> int:
        """How many lines there are."""
        return len(self._lines)

    @property
    def lines(self) -> list[Line]:
        """All lines, with what items say of them."""
        self._found  # noqa: B018 - marks them
        return self._lines

    @property
    def chapters(self) -> list[Chapter]:
        """The chapters of items."""
        return self._found[0]

    @property
    def items(self) -> list[Item]:
        """The questions, worked examples and answers."""
        return self._found[1]

    def headings(self) -> dict[int, list[str]]:
        """The headings by their blocks' ids, each with those it stands under; also items that are set as headings."""
        return {self._lines[i].block.id: node.path(self._lines) for i, node in self.outline.items()}

    @cached_property
    def fit(self) -> Fit:
        """How well it accounts for the book."""
        return fit_of(self.lines, self.items, self.outline)

    def reply(self) -> list[ReplyChapter]:
        """The chapters and pairs, as a model would name them."""
        return _reply(self.lines, self.items)


def _reply(lines: Sequence[Line], items: Sequence[Item]) -> list[ReplyChapter]:
    replies: list[ReplyChapter] = []
    current = None
    told: dict[str, ReplyPair] = {}
    for item in items:
        if not item.question and not item.solution and not item.answer:
            continue
        pair = ReplyPair(
            item.label.label,
            [lines[i].block.id for i in item.question],
            item.answer,
            [lines[i].block.id for i in item.solution],
            lines[item.start].block.id,
        )
        if item.chapter is not current:
            again = _told_again(current, item)
            current = item.chapter
            if not again:
                replies.append(ReplyChapter([lines[i].block.id for i in current.title]))
                told = {}
        earlier = told.get(pair.label) if not pair.question else None
        if earlier is None:
            replies[-1].pairs.append(pair)
            told[pair.label] = pair
        else:
            earlier.answer = earlier.answer or pair.answer
            earlier.solution += pair.solution
    return replies


def _told_again(before: Chapter | None, item: Item) -> bool:
    """Whether an item opens a second pass over the answers of one chapter: first in short, then explained."""
    if before is None or item.chapter.zone is not Zone.ANSWERS or before.zone is not Zone.ANSWERS:
        return False
    return bool(before.title) and before.title == item.chapter.title


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
