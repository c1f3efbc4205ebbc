"""Entries of a document, and copies of one item from overlapping chunks folded into the fullest."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from operators.pdf.numbering import label_key
from operators.pdf.numbering.numerals import roman


@dataclass(slots=True)
class Entry:
    """One thing that a model found: a question, a question with its answer, or an answer alone.

    ``position`` is the block at which it starts, ``title`` the blocks of its heading as the model gave
    them, ``()`` if the heading was not in sight. ``order`` is its place in the reply; it settles which
    of several entries that start at the same block comes first. ``heading`` is the block at which the
    innermost of its headings begins in the book's tree, ``path`` those from the outermost to it.
    """

    position: int
    label: str
    title: tuple[int, ...]
    title_text: str
    has_question: bool
    question: tuple[int, ...]
    answer: str
    solution: tuple[int, ...]
    chunk: int
    file: int
    order: int = 0
    heading: int = -1
    path: tuple[str, ...] = ()

    @property
    def chapter(self) -> int:
        """The block that tells its chapter from all others, -1 if its heading was not in sight."""
        return self.heading if self.heading >= 0 or not self.title else self.title[0]


def fold(entries: Iterable[Entry]) -> tuple[list[Entry], list[tuple[Entry, Entry]]]:
    """The entries in reading order, copies from overlapping chunks folded, and pairs (kept, dropped).

    Entries are copies if they start at the same block, or hold the same question, under the same label.
    Of copies the fuller is kept; a title, an answer or a solution that only the other has is added.
    """
    places: dict[int, list[Entry]] = {}
    for entry in entries:
        where = (entry.file << 40) + entry.position
        if where in places:
            places[where].append(entry)
        else:
            places[where] = [entry]
    kept: list[Entry] = []
    folded: list[tuple[Entry, Entry]] = []
    for where in sorted(places):
        here = places[where]
        if len(here) == 1:
            kept.append(here[0])
            continue
        kept += [_fullest(copies, folded) for copies in _slots(here)]
    return _fold_questions(kept, folded), folded


_NUMBER = re.compile(r"\d+$")
_COUNTED = re.compile(r"(.*?)(\d+)\D*$")
_ROMAN = re.compile(r"(.*?)(?<![a-z])([ivxl]{1,7})$")


@lru_cache(maxsize=1 << 16)
def counted(label: str) -> tuple[str, str, int]:
    """A label's key, the word before its last number, and that number, 0 if it has none.

    >>> counted("Exercise 1.12"), counted("A"), counted("IX")
    (('exercise1.12', 'exercise1.', 12), ('a', 'a', 0), ('ix', '', 9))
    """
    key = label_key(label)
    found = _COUNTED.match(key)
    if found is None and (told := _ROMAN.match(key)) is not None and (value := roman(told[2])):
        return key, told[1], value
    return (key, found[1], int(found[2])) if found else (key, key, 0)


def _order(entry: Entry) -> tuple[object, ...]:
    key = label_key(entry.label)
    digits = _NUMBER.search(key)
    value = int(digits[0]) if digits else 0
    content = (entry.question, entry.solution, entry.answer, entry.title, entry.title_text, entry.label)
    return (entry.chunk, entry.order, value, key, entry.has_question, *content)


def _slots(here: list[Entry]) -> list[list[Entry]]:
    """The entries that start at one block, sorted into lists of copies of the same item, in order.

    Only another chunk makes copies: one reply that lists a label twice at one block means two items.
    """
    slots: dict[tuple[str, int], list[Entry]] = {}
    rank: dict[tuple[str, int], int] = {}
    seen: Counter[tuple[int, str]] = Counter()
    places: Counter[int] = Counter()
    said: dict[tuple[object, ...], tuple[str, int]] = {}
    for entry in sorted(here, key=_order):
        key = label_key(entry.label)
        same = (entry.chunk, key, entry.question, entry.solution, entry.answer)
        slot = said.get(same)
        if slot is None:
            slot = (key, seen[entry.chunk, key])
            seen[entry.chunk, key] += 1
            said[same] = slot
        slots.setdefault(slot, []).append(entry)
        rank[slot] = min(rank.get(slot, places[entry.chunk]), places[entry.chunk])
        places[entry.chunk] += 1
    # A copy that has lost its label belongs to the only item that starts here.
    if len(slots) == 2 and ("", 0) in slots:
        other = next(s for s in slots if s != ("", 0))
        if {e.chunk for e in slots["", 0]}.isdisjoint(e.chunk for e in slots[other]):
            slots[other] += slots.pop(("", 0))
    return [slots[s] for s in sorted(slots, key=lambda s: (rank[s], s[1]))]


def _fullness(entry: Entry) -> tuple[object, ...]:
    size = len(entry.question) + len(entry.solution)
    return (entry.has_question, entry.label != "", size, len(entry.question), len(entry.answer), -entry.chunk)


def _fullest(copies: Sequence[Entry], folded: list[tuple[Entry, Entry]]) -> Entry:
    best = max(copies, key=_fullness)
    rest = [c for c in copies if c is not best]
    if not rest:
        return best
    kept = best
    for other in rest:
        if not kept.title and other.title:
            kept = replace(kept, title=other.title, title_text=other.title_text)
            kept.heading, kept.path = other.heading, other.path
        if not kept.answer and other.answer:
            kept = replace(kept, answer=other.answer)
        if not kept.solution and other.solution and not set(other.solution) & set(kept.question):
            kept = replace(kept, solution=other.solution)
    folded += [(kept, other) for other in rest]
    return kept


def _fold_questions(kept: list[Entry], folded: list[tuple[Entry, Entry]]) -> list[Entry]:
    """Folds what holds the same question but was said to start at another block."""
    first: dict[tuple[int, ...], int] = {}
    out: list[Entry] = []
    for entry in kept:
        if entry.question:
            at = first.setdefault(entry.question, len(out))
            if at < len(out):
                earlier = out[at]
                if earlier.chunk != entry.chunk and label_key(earlier.label) == label_key(entry.label):
                    out[at] = _fullest((earlier, entry), folded)
                    continue
        out.append(entry)
    return out
