"""Two readings of a book made one: the model's where it was asked and answered soundly, else the rules'.

A few units that the rules are sure of are shown to the model all the same: their answers prove how it reads.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Literal

from operators.pdf.doubts.stretches import Book, Core, Unit
from operators.pdf.numbering import label_key, letters_of
from operators.pdf.reply import ReplyChapter, ReplyPair

#: A unit in so many is a probe, up to as many as are wanted.
_ONE_IN = 8
#: So large a share of probes may be read otherwise by a model, which errs at times: beyond it the book was misread.
_MAY_DIFFER = 0.25


def probes(book: Book, sure: Sequence[int], most: int) -> list[int]:
    """Places of units spread evenly over those that the rules are ``sure`` of, which hold items.

    >>> from operators.pdf.blocks import Block
    >>> from operators.pdf.doubts.judge import judge
    >>> book = judge([Block(n, "text", f"{n + 1}. Find {n}.") for n in range(40)])
    >>> probes(book, range(40), 4)
    [5, 15, 25, 35]
    """
    held = [place for place in sure if book.units[place].items]
    count = min(most, len(held) // _ONE_IN)
    return [held[(2 * n + 1) * len(held) // (2 * count)] for n in range(count)]


def differs(unit: Unit, rules: Iterable[Placed], model: Iterable[Placed]) -> bool:
    """Whether a model reads a unit otherwise: other labels, or mostly other blocks, or another answer or none.

    Under which title it reads them is not compared, nor whether it gives an answer as words or as blocks.
    """
    ours, theirs = (
        {_name(placed): placed.pair for placed in pairs if unit.first <= placed.at < unit.end}
        for pairs in (rules, model)
    )
    return ours.keys() != theirs.keys() or any(_contradict(pair, theirs[name]) for name, pair in ours.items())


def is_misread(different: int, count: int) -> bool:
    """Whether so many probes of some that were read otherwise tell that a whole book was misread."""
    return different > _MAY_DIFFER * count


def _name(placed: Placed) -> str:
    """A label without its word."""
    return label_key((placed.pair.label.split() or [""])[-1])


def _contradict(one: ReplyPair, two: ReplyPair) -> bool:
    told = bool(one.answer or one.solution), bool(two.answer or two.solution)
    return (
        told[0] != told[1]
        or _apart(one.question, two.question)
        or _apart(one.solution, two.solution)
        or not _within(letters_of(one.answer), letters_of(two.answer))
    )


def _apart(one: Sequence[int], two: Sequence[int]) -> bool:
    """Whether two lists of blocks have less than half of what is in either in common."""
    return bool(one and two) and 2 * len({*one} & {*two}) < len({*one, *two})


def _within(one: str, two: str) -> bool:
    return one in two or two in one


#: What stands behind the word of a label.
_WORD = re.compile(r"\d.*")
#: No heading of a textbook is longer.
_LONGEST_HEADING = 80

Kind = Literal["sure", "settled", "kept"]

#: What rows say that hold what the rules found.
RULES = "rules"


@dataclass(slots=True)
class Placed:
    """A pair with the block it starts at, the blocks of its title, and who said so."""

    at: int
    title: list[int]
    pair: ReplyPair
    by_rules: bool = True
    by_model: bool = False


@dataclass(slots=True)
class Segment:
    """A stretch of the result, block ``first`` to ``end`` - 1, with its pairs and what each side said of it.

    It is ``sure`` if no model was asked, ``settled`` if a model's answer stands, ``kept`` if there was none.
    """

    first: int
    end: int
    kind: Kind = "sure"
    pairs: list[Placed] = field(default_factory=list)
    rules: list[Placed] = field(default_factory=list)
    model: list[Placed] = field(default_factory=list)


def place(chapters: Sequence[ReplyChapter]) -> list[Placed]:
    """The pairs of a reply in order, each with its place; one without any goes with the pair before it."""
    placed: list[Placed] = []
    for chapter in chapters:
        for pair in chapter.pairs:
            first = next(iter(pair.question or pair.solution), None)
            at = pair.at if pair.at is not None else first
            if at is None:
                at = placed[-1].at if placed else -1
            placed.append(Placed(at, list(chapter.title), pair))
    return placed


def chapters_of(pairs: Sequence[Placed]) -> list[ReplyChapter]:
    """The pairs as a reply: neighbours with one title are one chapter."""
    chapters: list[ReplyChapter] = []
    for placed in pairs:
        if not chapters or chapters[-1].title != placed.title:
            chapters.append(ReplyChapter(list(placed.title)))
        chapters[-1].pairs.append(replace(placed.pair, at=placed.at))
    return chapters


def headings_told(said: Sequence[Placed], rules: Sequence[Placed], texts: Sequence[str]) -> dict[int, bool]:
    """Blocks that a model takes for a chapter's heading and the rules do not: true if its items are answers."""
    known = {(p.title[0], not p.pair.question) for p in rules if p.title}
    told: dict[int, bool] = {}
    for placed in said:
        if placed.title and len(texts[placed.title[0]]) <= _LONGEST_HEADING:
            heading = placed.title[0]
            told[heading] = told.get(heading, True) and not placed.pair.question
    return {heading: answers for heading, answers in told.items() if (heading, answers) not in known}


def reconcile(
    size: int,
    first: Sequence[Placed],
    rules: Sequence[Placed],
    said: Mapping[Core, Sequence[Placed]],
    failed: Sequence[Core],
    unsure: Set[tuple[int, ...]] = frozenset(),
) -> list[Segment]:
    """The book in segments: stretches that the model settled, that it failed on, and the sure ones between.

    ``first`` is what the rules found by themselves, ``rules`` what they find with the headings that the
    model told. Blocks that the model gave to its pairs are taken from the rules' pairs elsewhere. Titles of which
    the rules are ``unsure`` are dropped where the model gives none: then the order of chapters tells more.
    """
    everything = [placed for pairs in said.values() for placed in pairs]
    unseen = _without_title(rules, everything, unsure)
    rules = [Placed(p.at, [], p.pair) if p.at in unseen else p for p in _renamed(rules, everything)]
    rules = _relabelled(rules, everything)
    segments = _segments(size, sorted([*said, *failed], key=lambda core: core.first))
    starts = [segment.first for segment in segments]
    for name, pairs in (("rules", first), ("pairs", rules)):
        for placed in pairs:
            getattr(segments[max(0, bisect_right(starts, placed.at) - 1)], name).append(placed)
    titles = {placed.at: placed.title for placed in rules}
    claims = Counter(i for p in rules for i in {*p.pair.question, *p.pair.solution})
    settled = {core.first: pairs for core, pairs in said.items()}
    taken: set[int] = set()
    in_force: list[int] = []
    for segment in segments:
        if segment.first in settled:
            segment.kind = "settled"
            for placed in settled[segment.first]:
                segment.model.append(_own(placed, titles, [] if placed.at in unseen else in_force))
                in_force = segment.model[-1].title
            segment.pairs = [_agreed(p, segment.rules) for p in segment.model]
            for placed in segment.pairs:
                taken.update(i for i in (*placed.pair.question, *placed.pair.solution) if claims[i] < 2)
        else:
            named = [p if p.at in unseen else _titled(p, in_force) for p in segment.pairs]
            segment.pairs = [_agreed_with(p, segment.rules) for p in named]
        in_force = segment.pairs[-1].title if segment.pairs else in_force
    for segment in segments:
        if segment.kind != "settled":
            segment.pairs = [_without(p, taken, segment) for p in segment.pairs]
    return segments


def _segments(size: int, cores: Sequence[Core]) -> list[Segment]:
    segments: list[Segment] = []
    at = 0
    for core in cores:
        if core.first > at:
            segments.append(Segment(at, core.first))
        segments.append(Segment(core.first, core.end, "kept"))
        at = core.end
    if at < size or not segments:
        segments.append(Segment(at, size))
    return segments


def _own(placed: Placed, titles: Mapping[int, list[int]], in_force: list[int]) -> Placed:
    """A model's pair with its title: one that it did not see is that in force."""
    theirs = titles.get(placed.at)
    title = placed.title or theirs or in_force
    if theirs and not set(theirs).isdisjoint(title):
        title = theirs
    return Placed(placed.at, title, placed.pair, by_rules=False, by_model=True)


def _titled(placed: Placed, in_force: list[int]) -> Placed:
    """A rules' pair; without a title it stands under the heading in force."""
    return placed if placed.title or not in_force else Placed(placed.at, in_force, placed.pair)


def _agreed(placed: Placed, rules: Sequence[Placed]) -> Placed:
    if any(is_same(placed, other) for other in rules):
        placed.by_rules = True
    return placed


def _agreed_with(placed: Placed, first: Sequence[Placed]) -> Placed:
    """A rules' pair, marked if only what the model told let the rules find it so."""
    if not any(is_same(placed, other) for other in first):
        return Placed(placed.at, placed.title, placed.pair, by_model=True)
    return placed


def is_same(one: Placed, other: Placed) -> bool:
    """Whether two pairs say the same of the same item."""
    a, b = one.pair, other.pair
    return (
        one.at == other.at
        and one.title == other.title
        and (a.label, a.question, a.answer, a.solution) == (b.label, b.question, b.answer, b.solution)
    )


def _without_title(rules: Sequence[Placed], said: Sequence[Placed], unsure: Set[tuple[int, ...]]) -> set[int]:
    """Where pairs of chapters begin of whose title the rules are unsure, and for which the model gives none at all."""
    given = {placed.at: bool(placed.title) for placed in said}
    seen: dict[tuple[int, ...], list[bool]] = {title: [] for title in unsure}
    for placed in rules:
        if tuple(placed.title) in unsure and placed.at in given:
            seen[tuple(placed.title)].append(given[placed.at])
    denied = {title for title, titled in seen.items() if titled and not any(titled)}
    return {placed.at for placed in rules if tuple(placed.title) in denied}


def _renamed(rules: Sequence[Placed], said: Sequence[Placed]) -> list[Placed]:
    """The rules' pairs, those of a chapter under the title that the model gives all of it that it saw.

    Only a title that shares a block with the rules' is the same heading, seen otherwise.
    """
    theirs = {placed.at: tuple(placed.title) for placed in said if placed.title}
    names: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
    for placed in rules:
        if placed.at in theirs and not set(placed.title).isdisjoint(theirs[placed.at]):
            names.setdefault(tuple(placed.title), set()).add(theirs[placed.at])
    sure = {title: list(next(iter(found))) for title, found in names.items() if len(found) == 1}
    return [Placed(p.at, sure.get(tuple(p.title), p.title), p.pair) for p in rules]


def _relabelled(rules: Sequence[Placed], said: Sequence[Placed]) -> list[Placed]:
    """The rules' pairs, labels without the word that the model leaves out where both saw an item: Exercise 3 is 3."""
    theirs = {placed.at: placed.pair.label for placed in said}
    both = [(placed.pair.label, theirs[placed.at]) for placed in rules if theirs.get(placed.at)]
    printed = {_WORD.sub("", own) for own, other in both if own == other}
    words = {own.removesuffix(other) for own, other in both if own.endswith(other)} - printed

    def bare(label: str) -> str:
        word = _WORD.sub("", label)
        return label.removeprefix(word) if word in words else label

    return [Placed(p.at, p.title, replace(p.pair, label=bare(p.pair.label))) for p in rules]


def _without(placed: Placed, taken: Set[int], segment: Segment) -> Placed:
    """The pair without blocks from elsewhere that the model gave to another, and the rules to it alone."""

    def is_lost(block: int) -> bool:
        return block in taken and not segment.first <= block < segment.end

    pair = placed.pair
    if not any(map(is_lost, (*pair.question, *pair.solution))):
        return placed
    question, solution = ([i for i in side if not is_lost(i)] for side in (pair.question, pair.solution))
    return Placed(placed.at, placed.title, replace(pair, question=question, solution=solution), by_model=True)
