"""Runs of labels: questions over which numbers run on, and the answers of one section up to the next restart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from operators.pdf.merging.entries import Entry, Section, counted

#: How far a count may go on behind its last number in the next section: an item or two between may be lost.
_LOST = 3


@dataclass
class Run:
    """Entries whose labels count on, by the key of their label, and the sections in which they stand.

    ``doubled`` are the keys that stand in it twice; ``index`` counts the runs that began in its first section.
    """

    index: int
    entries: dict[str, Entry] = field(default_factory=dict)
    homes: dict[str, Section] = field(default_factory=dict)
    doubled: set[str] = field(default_factory=set)
    #: The last number of each kind of label, which is told by its words.
    last: dict[str, int] = field(default_factory=dict)
    #: The keys of questions that have no answer with them.
    open: set[str] = field(default_factory=set)

    @cached_property
    def sections(self) -> list[Section]:
        """The sections, each once, in order."""
        return list({id(section): section for section in self.homes.values()}.values())

    @cached_property
    def keys(self) -> frozenset[str]:
        """The labels, each once."""
        return frozenset(key.partition("#")[0] for key in self.entries)

    @cached_property
    def first(self) -> tuple[int, int]:
        """The file and block at which it begins."""
        entry = next(iter(self.entries.values()))
        return entry.file, entry.position

    @cached_property
    def is_worked(self) -> bool:
        """Whether at least half of its entries have a solution, and not only a short answer."""
        return 2 * sum(bool(e.solution) for e in self.entries.values()) >= len(self.entries)


def runs_of(parts: Iterable[tuple[Section, Sequence[Entry]]], *, across: bool) -> list[Run]:
    """The runs of some sections' entries; ``across`` if a run may go on in the next section.

    A number that falls back begins the next run; so does the next section, unless its first number is the very
    next one of a kind that the run has.
    """
    runs: list[Run] = []
    latest: dict[str, int] = {}  # of each word, the place of the last run that has labels with it
    for section, entries in parts:
        ordered = _ordered(entries)
        on = _resumed(runs, latest, ordered) if across else None
        begun = _read(section, ordered, runs[on] if on is not None else None)
        places = [*([] if on is None else [on]), *range(len(runs), len(runs) + len(begun))]
        runs += begun
        for place in places:
            latest.update({word: max(place, latest.get(word, 0)) for word in runs[place].last})
    return runs


def _ordered(entries: Sequence[Entry]) -> Sequence[Entry]:
    """The entries by number if they are one count without a gap, as where a key or a page has columns."""
    counts = [counted(entry.label) for entry in entries]
    numbers = sorted(number for _, _, number in counts)
    if len({word for _, word, _ in counts}) != 1 or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return entries
    return [entry for _, entry in sorted(zip(counts, entries, strict=True), key=lambda pair: pair[0][2])]


def _resumed(runs: Sequence[Run], latest: Mapping[str, int], entries: Sequence[Entry]) -> int | None:
    """The place of the last run with labels like those of a section, if these go on from its last number.

    Examples may stand between, an item may be lost, and the next label may have a word: Problem 7 after 6.
    """
    first: dict[str, int] = {}
    for entry in entries:
        _, word, number = counted(entry.label)
        first.setdefault(word, number)
    keys = {counted(entry.label)[0] for entry in entries}
    place = max((latest[word] for word in first if word in latest), default=len(runs) - 1)
    if place < 0 or not keys.isdisjoint(runs[place].entries):
        return None
    run = runs[place]
    shared = first.keys() & run.last.keys()
    steps = [first[word] - run.last[word] for word in shared] or [n - max(run.last.values()) for n in first.values()]
    return place if any(0 < step <= (_LOST if shared else 1) for step in steps) else None


def _read(section: Section, entries: Sequence[Entry], run: Run | None) -> list[Run]:
    """The runs that begin in a section; what goes on with the run from before it is added to that."""
    begun: list[Run] = []
    last: dict[str, int] = {}
    earlier: dict[str, int] = {}
    before = ""
    for entry in entries:
        key, word, number = counted(entry.label)
        drop = last.get(word, 0) - number
        again = run is not None and key in run.entries
        stray = drop > 0 and number == earlier.get(word, number) + 1  # 7 between 3 and 4 is misread
        if run is None or (number and drop > -1 and not stray and _starts_anew(number, drop, again, word != before)):
            run = Run(len(begun))
            begun.append(run)
            last.clear()
            earlier.clear()
            again = False
        if again:
            run.doubled.add(key)
            key = f"{key}#{len(run.entries)}"
        run.entries[key] = entry
        run.homes[key] = section
        if word in last:
            earlier[word] = last[word]
        last[word] = run.last[word] = number
        before = word
    return begun


def _starts_anew(number: int, drop: int, again: bool, resumed: bool) -> bool:
    """Whether a number not above its forerunner begins a run; 12, 11 and 5, 5 are mere slips."""
    if drop >= 3 or (resumed and drop >= 1):
        return True
    return (again and (number <= 3 or drop >= 2)) or (number <= 2 <= drop)
