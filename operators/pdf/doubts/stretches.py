"""A book in units: each item, or the items of one block, with all blocks up to the next heading or item.

The stretches that a model should see are packed into requests, each with enough around it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, pairwise
from statistics import median

from operators.pdf.document_text import DocumentText
from operators.pdf.reply import ReplyChapter
from operators.pdf.rules import Reading
from operators.pdf.rules.items import Item
from operators.pdf.rules.lines import HEADINGS, Kind, Line, Zone

#: Kinds of lines below which numbering may begin anew.
TITLES = frozenset({Kind.TITLE, Kind.ANSWERS, Kind.HEADING, Kind.SUMMARY, Kind.CONTENTS, Kind.FRONT})
#: What a sure sign takes of the confidence, what a possible one, and what a faint one.
SURE, POSSIBLE, FAINT = 0.6, 0.35, 0.1
#: Items of units below this confidence are in doubt.
SURE_FROM = 0.7
#: What a reading may leave odd for each item where counting proves it, and the least items that prove anything: of 13
#: made books in other languages 5 were so, and right in all that counting can tell.
_ODD, _ENOUGH = 0.02, 8


@dataclass(slots=True)
class Unit:
    """Blocks ``first`` to ``end`` - 1 with the items that begin there; none where headings stand.

    ``reasons`` are what speaks against the rules' reading, each with the share of confidence it takes (none if
    what is to be looked at stands elsewhere, as the heading of a chapter does);
    ``missing`` are numbers that may be hidden in it, ``asides`` are reasons that concern what stands behind it.
    """

    first: int
    end: int
    items: list[int] = field(default_factory=list)
    reasons: dict[str, float] = field(default_factory=dict)
    missing: set[int] = field(default_factory=set)
    asides: set[str] = field(default_factory=set)

    @property
    def confidence(self) -> float:
        """How sure the rules are, 0 to 1.

        >>> round(Unit(0, 1, reasons={"gap": 0.5, "long": 0.2}).confidence, 2)
        0.4
        """
        sure = 1.0
        for weight in self.reasons.values():
            sure *= 1 - weight
        return sure

    def doubt(self, reason: str, weight: float) -> None:
        """Note a reason; of the same one the heavier counts."""
        self.reasons[reason] = max(weight, self.reasons.get(reason, 0.0))
        self.asides.discard(reason)

    def doubt_with(self, reason: str, weight: float) -> None:
        """Note a reason to doubt what stands behind, which is best looked at together with this unit."""
        if reason not in self.reasons:
            self.asides.add(reason)
        self.reasons[reason] = max(weight, self.reasons.get(reason, 0.0))

    def doubts(self) -> list[str]:
        """The reasons that take something, the heaviest first."""
        return sorted((r for r, weight in self.reasons.items() if weight), key=lambda reason: -self.reasons[reason])

    def told(self, sure_from: float) -> list[str]:
        """What its rows say: what takes nothing, and if it is below ``sure_from`` what is neither faint nor aside."""
        reasons = self.doubts() if self.confidence < sure_from else []
        own = [r for r in reasons if r not in self.asides and self.reasons[r] > FAINT]
        return own + [r for r, weight in self.reasons.items() if not weight]


class Book:
    """A reading of ``size`` blocks cut into units that cover all blocks in order of their ids."""

    def __init__(self, reading: Reading, size: int) -> None:
        self.reading = reading
        self.items: Sequence[Item] = reading.items
        self.lines: Sequence[Line] = reading.lines
        self.units = _units(self, size)
        #: Blocks of titles that may be those of parts.
        self.unsure_titles: set[tuple[int, ...]] = set()
        self._firsts = [unit.first for unit in self.units]
        self.at = {n: k for k, unit in enumerate(self.units) for n in unit.items}

    def reply(self, sure_from: float = SURE_FROM) -> list[ReplyChapter]:
        """The chapters and pairs of the reading, those of units below ``sure_from`` with what makes them so.

        What is odd where no item begins is told of the item behind it, or, among the questions, of the last one.
        """
        chapters = self.reading.reply()
        bearers = [unit for unit in self.units if unit.items]
        doubts: dict[tuple[int, str], list[str]] = defaultdict(list)
        for unit in self.units if bearers else ():
            bearer = self._bearer(unit, bearers)
            labels = list(map(self.label, bearer.items))
            for doubt in unit.told(sure_from):
                # What stands before or behind several items of one block concerns the one next to it.
                near = labels[-1:] if bearer.first < unit.first else labels[:1]
                for label in labels if bearer is unit else near:
                    doubts[bearer.first, label].append(doubt)
        for pair in (pair for chapter in chapters for pair in chapter.pairs):
            if pair.at is not None:
                found = doubts[self.units[self.place(pair.at)].first, pair.label]
                pair.doubts = list(dict.fromkeys(found))
        return chapters

    def _bearer(self, unit: Unit, bearers: Sequence[Unit]) -> Unit:
        """The unit whose items tell what is odd about this one."""
        place = bisect_left(bearers, unit.first, key=lambda bearer: bearer.first)
        if place == len(bearers):
            return bearers[-1]
        asked = place > 0 and self.kind(bearers[place - 1].items[0]) != "answer"
        ends = asked and self.kind(bearers[place].items[0]) == "answer"
        in_answers = self.by_id[unit.first].zone is Zone.ANSWERS
        return bearers[place - 1] if ends and not in_answers else bearers[place]

    def head(self, n: int) -> int:
        """The id of the block that an item begins in."""
        return self.lines[self.items[n].start].block.id

    def place(self, block: int) -> int:
        """The place of the unit that holds a block."""
        return bisect_right(self._firsts, block) - 1

    def unit(self, n: int) -> Unit:
        """The unit of an item."""
        return self.units[self.at[n]]

    def before(self, n: int) -> Unit:
        """The unit before that of an item, or that one itself if it is the first."""
        return self.units[max(0, self.at[n] - 1)]

    def doubt_all(self, among: Iterable[int], reason: str) -> None:
        """Note of items what is to be looked at elsewhere."""
        for n in among:
            self.unit(n).doubt(reason, 0.0)

    def mates(self, n: int) -> list[int]:
        """The items of an item's chapter, in order."""
        return [m for m in self.listed if self.items[m].chapter is self.items[n].chapter]

    def label(self, n: int) -> str:
        """The label of an item."""
        return self.items[n].label.label

    def number(self, n: int) -> int:
        """The number of an item, 0 if it has none."""
        return self.items[n].label.number or 0

    def title(self, n: int) -> str:
        """The words of the heading that an item counts under."""
        return " ".join(self.lines[i].text for i in self.items[n].chapter.title)

    def own(self, n: int) -> list[Line]:
        """The lines that an item claims, in order, each once."""
        item = self.items[n]
        return [self.lines[i] for i in dict.fromkeys([*item.question, *item.solution])]

    def kind(self, n: int) -> str:
        """What sort of item it is: its likes are what it is compared with."""
        item = self.items[n]
        if item.chapter.zone is Zone.ANSWERS:
            return "answer"
        return "example" if item.example else "exercise"

    def answers_again(self, n: int) -> bool:
        """Whether an item is an answer to a question that no other can have, wherever it stands."""
        return self.kind(n) == "answer" and self._asked[self.label(n)] == 1

    @cached_property
    def usual_answer(self) -> float:
        """How many characters the middle one of the answers has."""
        sizes = [sum(len(line.text) for line in self.own(n)) for n in self.listed if self.kind(n) == "answer"]
        return median(sizes) if sizes else 0.0

    @cached_property
    def mirrored(self) -> bool:
        """Whether the chapters of answers have just the labels of those of questions, in the same order."""
        sides: tuple[list[frozenset[str]], list[frozenset[str]]] = ([], [])
        for _, among in groupby(self.listed, key=lambda n: id(self.items[n].chapter)):
            chapter = list(among)
            sides[self.kind(chapter[0]) == "answer"].append(frozenset(map(self.label, chapter)))
        return sides[0] == sides[1]

    @cached_property
    def is_counted_out(self) -> bool:
        """Whether counting proves the reading in any language: nothing is odd, each question has just one answer."""
        open_ = [self.label(n) for n in self.listed if self.kind(n) != "answer" and not self._is_solved(n)]
        told = [self.label(n) for n in self.listed if self.kind(n) == "answer"]
        matched = sorted(open_) == sorted(told) and (self.mirrored or len(set(told)) == len(told))
        fit = self.reading.fit
        odd = fit.odd - fit.misread - fit.passed  # which go by words
        return matched and odd <= _ODD * len(self.listed) and len(self.listed) >= _ENOUGH

    def _is_solved(self, n: int) -> bool:
        return bool(self.items[n].solution or self.items[n].answer)

    @cached_property
    def _asked(self) -> Counter[str]:
        return Counter(self.label(n) for n in self.listed if self.kind(n) != "answer")

    @cached_property
    def listed(self) -> list[int]:
        """The items that have anything, in order of their blocks."""
        return [n for unit in self.units for n in unit.items]

    @cached_property
    def kinds(self) -> dict[str, list[int]]:
        """These items by their kinds."""
        kinds: dict[str, list[int]] = defaultdict(list)
        for n in self.listed:
            kinds[self.kind(n)].append(n)
        return kinds

    @cached_property
    def by_id(self) -> list[Line]:
        """The lines by their blocks' ids."""
        return sorted(self.lines, key=lambda line: line.block.id)


def _units(book: Book, size: int) -> list[Unit]:
    heads: dict[int, list[int]] = {}
    for n, item in enumerate(book.items):
        if item.question or item.solution or item.answer:
            heads.setdefault(book.head(n), []).append(n)
    # A block that ends one item and begins the next cannot be cut, so neither can the two.
    tied = {
        line.block.id
        for first, items in heads.items()
        for n in items
        for line in book.own(n)
        if line.block.id > first and line.block.id in heads
    }
    units = [] if 0 in heads else [Unit(0, size)]
    for first in sorted(heads):
        if units and first in tied:
            units[-1].items += heads[first]
        else:
            units.append(Unit(first, size, list(heads[first])))
    for unit, following in pairwise(units):
        unit.end = following.first
    return [part for unit in units for part in _parted(book, unit)]


def _parted(book: Book, unit: Unit) -> list[Unit]:
    """The unit, and its end by itself from the first heading on that stands behind all of its items."""
    own = {line.block.id for n in unit.items for line in book.own(n)}
    last = max((i for i in own if unit.first <= i < unit.end), default=unit.first)
    for line in book.by_id[last + 1 : unit.end] if unit.items else ():
        if line.kind in HEADINGS and not line.running_head:
            return [Unit(unit.first, line.block.id, unit.items), Unit(line.block.id, unit.end)]
    return [unit]


@dataclass(frozen=True, slots=True)
class Core:
    """Blocks ``first`` to ``end`` - 1 that the model is to settle, and blocks outside that it is shown with them.

    ``around`` are ids of headings in force, of the opening of the item before, and of the one behind.
    """

    first: int
    end: int
    around: tuple[int, ...] = ()


def stretches(book: Book, text: DocumentText, wanted: Set[int], max_tokens: int) -> list[Core]:
    """The stretches of neighbouring units at the ``wanted`` places, none longer than ``max_tokens``."""
    cores: list[Core] = []
    place = 0
    while place < len(book.units):
        end = place
        tokens = 0
        while end < len(book.units) and end in wanted:
            cost = text.cost(text.shown(book.units[end].first, book.units[end].end))
            if end > place and tokens + cost > max_tokens:
                break
            tokens += cost
            end += 1
        if end == place:
            place += 1
            continue
        cores += _pieces(book, text, place, end, max_tokens)
        place = end
    return [core for core in cores if text.shown(core.first, core.end)]


def pack(cores: Sequence[Core], text: DocumentText, max_tokens: int) -> list[list[Core]]:
    """The stretches in requests of at most ``max_tokens`` each, in order; one larger than that goes alone."""
    packs: list[list[Core]] = []
    for core in cores:
        if packs and text.cost(visible([*packs[-1], core], text)) <= max_tokens:
            packs[-1].append(core)
        else:
            packs.append([core])
    return packs


def visible(cores: Iterable[Core], text: DocumentText) -> list[int]:
    """The ids of all blocks that a model sees with these stretches, in order."""
    ids: set[int] = set()
    for core in cores:
        ids.update(text.shown(core.first, core.end), core.around)
    return sorted(ids)


def halves(cores: Sequence[Core], text: DocumentText) -> list[list[Core]]:
    """The stretches in two lots, a single one cut in the middle; none if it is one block."""
    if len(cores) > 1:
        return [list(cores[: len(cores) // 2]), list(cores[len(cores) // 2 :])]
    (core,) = cores
    shown = text.shown(core.first, core.end)
    if len(shown) < 2:
        return []
    middle = text.cut(shown[1], shown[len(shown) // 2])
    return [[Core(core.first, middle, (*core.around, middle))], [Core(middle, core.end, core.around)]]


def _pieces(book: Book, text: DocumentText, place: int, end: int, max_tokens: int) -> list[Core]:
    """One stretch, or several if a single unit is larger than a request."""
    first, last = book.units[place].first, book.units[end - 1].end
    around = _around(book, text, place, end)
    shown = text.shown(first, last)
    pieces: list[Core] = []
    while shown and text.cost(shown) > max_tokens and len(shown) > 1:
        size, tokens = 0, 0
        while size < len(shown) - 1 and (not size or tokens + text.cost(shown[size : size + 1]) <= max_tokens):
            tokens += text.cost(shown[size : size + 1])
            size += 1
        at = text.cut(shown[max(1, size // 2)], shown[size])
        pieces.append(Core(first, at, (*around, at)))
        first, shown = at, text.shown(at, last)
    return [*pieces, Core(first, last, around)]


def _around(book: Book, text: DocumentText, place: int, end: int) -> tuple[int, ...]:
    """Headings that the rules see in force, and the first shown block of the units before and behind."""
    ids: list[int] = []
    for unit in book.units[max(0, place - 1) : end]:
        for n in unit.items:
            ids += [book.lines[i].block.id for i in book.items[n].chapter.title]
    if not ids:
        ids += text.above(book.units[place].first)
    if place:
        ids += text.shown(book.units[place - 1].first, book.units[place - 1].end)[:1]
    if end < len(book.units):
        ids += text.shown(book.units[end].first, book.units[end].end)[:1]
    return tuple(sorted({i for i in ids if text.is_shown(i)}))
