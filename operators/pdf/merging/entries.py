"""Entries of a document, copies from overlapping chunks folded, and the sections that they stand in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from operators.pdf.numbering import label_key
from operators.pdf.numbering.numerals import roman
from operators.pdf.numbering.title_ranks import title_rank
from operators.pdf.numbering.titles import Title, read_title


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


@dataclass(slots=True)
class Section:
    """One occurrence of a heading and what stands under it; ``start`` is its first block, -1 for none."""

    file: int
    start: int
    title: Title
    text: str
    path: tuple[str, ...] = ()
    entries: list[Entry] = field(default_factory=list)


def place(kept: Sequence[Entry], said: Iterable[Entry], headings: Mapping[int, str] | None = None) -> list[Section]:
    """The sections of a document in order, each with its entries.

    A heading that any chunk named holds from its block on to the next heading of its file. Where most
    entries of such a span name an earlier heading, the later one is none. Items that name an earlier heading
    and count on from its last one are its own: a heading may be read before the column that it stands beside.
    A heading that follows its first items, as on a page that it heads, holds for them too.
    """
    texts = _titles(said, headings)
    spans = sorted(texts.keys() | {(f, -1) for f in {e.file for e in kept}})
    index = {span: i for i, span in enumerate(spans)}
    homes: list[int] = []
    given: list[int | None] = []
    ends = [*spans[1:], (1 << 62, 0)]
    home = 0
    for entry in kept:
        here = (entry.file, entry.position)
        while ends[home] <= here:
            home += 1
        homes.append(home)
        # A title may come of a folded copy in another file, where its heading stands.
        given.append(index.get((entry.file, entry.chapter)) if entry.title else None)
    _count_on(kept, homes, given)
    target = _vote(homes, given, spans)
    sections: dict[int, Section] = {}
    for entry, home in zip(kept, _ahead(homes, given, spans), strict=True):
        at = target.get(home, home)
        section = sections.get(at)
        if section is None:
            text, path = texts.get(spans[at], ("", ()))
            section = sections[at] = Section(*spans[at], read_title(text), text, path)
        section.entries.append(entry)
    return [sections[at] for at in sorted(sections)]


def _titles(
    said: Iterable[Entry], headings: Mapping[int, str] | None
) -> dict[tuple[int, int], tuple[str, tuple[str, ...]]]:
    """The headings that any chunk named, by file and block, with their paths; of several readings the last in order."""
    texts: dict[tuple[int, int], tuple[str, tuple[str, ...]]] = {}
    for entry in said:
        if entry.title:
            key = (entry.file, entry.chapter)
            text = entry.title_text if headings is None else _title_text(entry, headings)
            if key not in texts or (text, entry.path) > texts[key]:
                texts[key] = text, entry.path
    return texts


def _title_text(entry: Entry, headings: Mapping[int, str]) -> str:
    if len(entry.title) < 2:
        return entry.title_text or headings.get(entry.title[0], "")
    # A chapter's and a lesson's heading one after the other: the lesson's tells the section.
    lines = [headings.get(i, "") for i in entry.title]
    ranks = [(rank, line) for line in lines if (rank := title_rank(line)) is not None]
    if len(ranks) < 2 or len({rank for rank, _ in ranks}) < 2:
        return entry.title_text or " ".join(lines)
    return max(ranks, key=lambda pair: pair[0])[1]


def _count_on(kept: Sequence[Entry], homes: list[int], given: Sequence[int | None]) -> None:
    """Leave to an earlier heading the entries that name it and whose numbers go on from its last one."""
    last: dict[int, tuple[str, int]] = {}
    for n, entry in enumerate(kept):
        _, word, number = counted(entry.label)
        said = given[n]
        if said is not None and said < homes[n] and last.get(said) == (word, number - 1):
            homes[n] = said
        last[homes[n]] = word, number


def _vote(homes: Sequence[int], given: Sequence[int | None], spans: Sequence[tuple[int, int]]) -> dict[int, int]:
    """For each span that is none, the earlier span to which most of its entries say they belong."""
    votes: dict[int, Counter[int]] = {}
    for home, said in zip(homes, given, strict=True):
        if said is not None and said != home:
            votes.setdefault(home, Counter())[said] += 1
    if not votes:
        return {}
    own = Counter(home for home, said in zip(homes, given, strict=True) if said == home)
    size = Counter(homes)
    target: dict[int, int] = {}
    for home, counts in sorted(votes.items()):
        said, count = max(counts.items(), key=lambda pair: (pair[1], pair[0]))
        if said < home and count > own[home] and count * 2 >= size[home] and spans[said][0] == spans[home][0]:
            target[home] = target.get(said, said)
    return target


def _ahead(homes: Sequence[int], given: Sequence[int | None], spans: Sequence[tuple[int, int]]) -> list[int]:
    """The spans of the entries, with those that name the very next heading moved under it."""
    moved = list(homes)
    for i in range(len(moved) - 1, -1, -1):
        following = moved[i] + 1
        if given[i] != following or spans[following][0] != spans[homes[i]][0]:
            continue
        if i + 1 < len(moved) and moved[i + 1] == homes[i]:
            continue
        moved[i] = following
    return moved
