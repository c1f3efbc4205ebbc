"""Doubts about numbers and what they count under: a gap, a repeat, a count that begins anew, a missing heading."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from operators.pdf.doubts.stretches import FAINT, POSSIBLE, SURE, TITLES, Book, Unit
from operators.pdf.numbering.dress import read_mark
from operators.pdf.rules.lines import HEADINGS, Kind, Zone


@dataclass(slots=True)
class Segment:
    """Items of one zone between two titles, or places where one must have been; places of items by word."""

    zone: Zone
    counts: dict[str, list[int]] = field(default_factory=dict)
    #: What is odd about its beginning.
    anew: str = ""


def doubt_counts(book: Book) -> list[Segment]:
    """Note what is odd about the numbers of all items; the segments in which they count."""
    segments = _segments(book)
    ends: dict[tuple[Zone, str], int] = {}
    shared = _shared_counts(book, segments)
    for segment in segments:
        for word, count in segment.counts.items():
            if segment.anew:
                book.doubt_all(count, segment.anew)
            _doubt_count(book, count, segment.zone, ends.get((segment.zone, word), 0), (segment.zone, word) in shared)
            ends[segment.zone, word] = max(book.number(n) for n in count)
    return segments


def is_tight(book: Book, unit: Unit) -> bool:
    """Whether answers are so short that no other can be hidden in them: one block, one value each."""
    shown = [line for line in book.by_id[unit.first : unit.end] if line.kind not in _BESIDE]
    if len(shown) == 1 and shown[0].block.type == "table":
        return True  # each cell has its number beside it
    if shown and not is_roomy(book, unit):
        return True
    if len(shown) > min(1, len(unit.items)):
        return False
    answers = [book.items[n].answer for n in unit.items]
    return all(a and len(a.split()) == 1 for a in answers) if len(answers) > 1 else all(map(_is_single, answers))


def is_roomy(book: Book, unit: Unit) -> bool:
    """Whether answers are so much longer than most that another one may be hidden in them."""
    usual = book.usual_answer
    return sum(len(line.text) for line in book.by_id[unit.first : unit.end]) > _ROOMY * usual * max(1, len(unit.items))


#: Up to one chapter in so many that is headed by a part alone is odd.
_FEW_PARTS = 4
#: Blocks before an item in which statements that count with it are looked for.
_REACH = 60
#: Numbers that a key in columns has at least.
_COLUMNS = 6
#: So many times as long as most answers.
_ROOMY = 1.5
_BESIDE = HEADINGS | {Kind.HIDDEN}


def _is_single(answer: str) -> bool:
    return bool(answer) and "\u3000" not in answer and "  " not in answer


def _segments(book: Book) -> list[Segment]:
    """Cut where a title stands, and where a count begins anew without one, which is doubted."""
    segments: list[Segment] = []
    counted: dict[str, list[int]] = {}
    passed = -1
    for place, n in enumerate(book.listed):
        item = book.items[n]
        kinds = {line.kind for line in book.lines[passed + 1 : item.start] if not line.running_head}
        passed = max(passed, item.start)
        word = item.label.prefix
        if not segments or segments[-1].zone is not item.chapter.zone or kinds & TITLES:
            segments.append(Segment(item.chapter.zone))
            counted = {}
        elif item.label.number is not None and _anew(book, place, counted.get(word, [])):
            mirrored = book.mirrored and book.kind(n) == "answer"
            parted = Kind.PART in kinds or _names_chapter(book, place) or book.answers_again(n) or mirrored
            why = f"numbering begins anew at {book.label(n)} and no heading stands before it"
            book.before(n).doubt_with(why, FAINT if parted else SURE)
            book.unit(n).doubt(why, FAINT if parted else SURE)
            segments.append(Segment(item.chapter.zone, anew="" if parted else why))
            # Below a part's heading exercises may begin anew, and the examples need not.
            counted = {w: c for w, c in counted.items() if w != word} if parted else {}
        if item.label.number is None:
            book.unit(n).doubt("its label has no number", POSSIBLE)
            continue
        segments[-1].counts.setdefault(word, []).append(n)
        counted.setdefault(word, []).append(item.label.number)
    return segments


def _names_chapter(book: Book, place: int) -> bool:
    """Whether a label names its chapter, as 5.1 does behind 4.9, and needs no heading."""
    before, own = (book.label(n).rpartition(".")[0] for n in book.listed[place - 1 : place + 1])
    return bool(own) and own != before


def _opens_chapter(book: Book, before: int, n: int) -> bool:
    """Whether an item is the first of its chapter."""
    return before < 0 or book.items[before].chapter is not book.items[n].chapter


def _anew(book: Book, place: int, counted: Sequence[int]) -> bool:
    """Whether a number that goes back opens a new count, and is not behind a single wrong number.

    It does if the next one of its kind goes on from it.
    """
    item = book.items[book.listed[place]]
    number = item.label.number or 0
    if not counted or number > counted[-1] or number == len(counted) + 1 or number > max(counted[:-1], default=number):
        return False
    for n in book.listed[place + 1 : place + 40]:
        other = book.items[n]
        if other.chapter.zone is not item.chapter.zone:
            break
        if other.label.prefix == item.label.prefix and other.label.number is not None:
            return 0 <= other.label.number - number <= 2
    return True


def _shared_counts(book: Book, segments: Sequence[Segment]) -> set[tuple[Zone, str]]:
    """Words whose numbers leave gaps more often than not, by zone: the odd ones are answered, theorems count with
    them, or they were picked; of questions only compound ones, as a plain number is one that was lost."""
    steps: dict[tuple[Zone, str], list[bool]] = defaultdict(list)
    for segment in segments:
        for word, count in segment.counts.items():
            numbers = [0, *(book.number(n) for n in count)]
            picked = segment.zone is Zone.ANSWERS or (word and all("." in book.label(n) for n in count))
            steps[segment.zone, word] += [not picked or b == a + 1 for a, b in pairwise(numbers)]
    return {key for key, found in steps.items() if 2 * sum(found) < len(found)}


def _doubt_count(book: Book, count: Sequence[int], zone: Zone, earlier: int, gaps: bool) -> None:
    """Note labels out of order, and gaps unless the count has ``gaps`` anyway."""
    numbers = [book.number(n) for n in count]
    if _in_columns(numbers):
        return
    rising = _rising(numbers)
    fits = set(rising)
    for at, n in enumerate(count):
        if at not in fits:
            sides = [book.label(m) for m in (*count[:at][-1:], *count[at + 1 :][:1])]
            book.unit(n).doubt(f"label out of order: {book.label(n)} stands beside {' and '.join(sides)}", SURE)
    before = -1
    for at in rising:
        start = numbers[before] if before >= 0 else earlier if numbers[at] == earlier + 1 else 0
        missing = numbers[at] - start - 1 - (at - before - 1)
        among = range(start + 1, numbers[at]) if missing > 0 and not gaps else ()
        if lost := [number for number in among if not _is_told(book, book.head(count[at]), number)]:
            _doubt_gap(book, count, before, at, lost, zone)
            if at == rising[-1]:
                why = f"its label leaves a gap behind {book.label(count[before]) if before >= 0 else 'the heading'}"
                book.unit(count[at]).doubt(why, SURE if zone is not Zone.ANSWERS else FAINT)
        before = at


def _in_columns(numbers: Sequence[int]) -> bool:
    """Whether numbers were read across the columns of a key that lacks none: 1, 7, 13, then 2, 8, 14.

    >>> _in_columns([1, 3, 5, 2, 4, 6]), _in_columns([1, 3, 2, 4, 5, 6])
    (True, False)
    """
    steps = {after - before for before, after in pairwise(numbers)}
    whole = sorted(numbers) == list(range(min(numbers, default=0), max(numbers, default=0) + 1))
    return len(numbers) >= _COLUMNS and whole and len(steps) == 2 and max(steps) > 1


def _doubt_gap(book: Book, count: Sequence[int], before: int, at: int, missing: Sequence[int], zone: Zone) -> None:
    """What was lost stands in the units between, most likely in the one right before."""
    here = count[at]
    ends = f"between {book.label(count[before])} and" if before >= 0 else "before"
    lost = f"{missing[0]} to {missing[-1]}" if len(missing) > 1 else str(missing[0])
    suspects = {book.at[here] - 1}
    if before >= 0 and book.at[here] - book.at[count[before]] <= 3:
        first = book.at[count[before]]
        # Of items in one block that of the lost one is the same.
        suspects = {first} if first == book.at[here] else suspects | set(range(first, book.at[here]))
    elif before >= 0:
        suspects.add(book.at[count[before]])
    for k in suspects:
        unit = book.units[max(0, k)]
        tight = zone is Zone.ANSWERS and is_tight(book, unit)
        unit.doubt(f"number missing {ends} {book.label(here)}: {lost}", FAINT if tight else SURE)
        unit.missing.update(missing)


def _is_told(book: Book, end: int, number: int) -> bool:
    """Whether a theorem or remark shortly before a block has a number, counted with the items."""
    marks = (read_mark(line.text) for line in book.by_id[max(0, end - _REACH) : end])
    return any(mark is not None and mark.dress.role == "told" and mark.numbers[-1] == number for mark in marks)


def _rising(numbers: Sequence[int]) -> list[int]:
    """Places of the longest run of numbers that only rise; of equal ones that with the smallest numbers.

    >>> _rising([11, 17, 13, 14]), _rising([4, 2, 3])
    ([0, 2, 3], [1, 2])
    """
    tails: list[int] = []
    ends: list[int] = []
    back: list[int] = []
    for place, value in enumerate(numbers):
        at = bisect_left(tails, value)
        back.append(ends[at - 1] if at else -1)
        tails[at : at + 1] = [value]
        ends[at : at + 1] = [place]
    chain: list[int] = []
    place = ends[-1] if ends else -1
    while place >= 0:
        chain.append(place)
        place = back[place]
    return chain[::-1]


def doubt_titles(book: Book) -> None:
    """Chapters without a title, in a book that has titles, or that begin at a part's heading as few do."""
    opening = [n for m, n in zip([-1, *book.listed], book.listed, strict=False) if _opens_chapter(book, m, n)]
    titled = sum(bool(book.items[n].chapter.title) for n in opening)
    parts = [any(book.lines[i].kind is Kind.PART for i in book.items[n].chapter.title) for n in opening]
    for n, part in zip(opening, parts, strict=True):
        if book.answers_again(n) or (book.mirrored and book.kind(n) == "answer"):
            continue
        if not book.items[n].chapter.title and 2 * titled > len(opening):
            book.before(n).doubt_with(f"no heading was found for {book.label(n)} and what follows", SURE)
            book.unit(n).doubt("no heading was found for it", SURE)
            book.doubt_all(book.mates(n), "no heading was found for it")
        elif part and sum(parts) * _FEW_PARTS <= len(opening):
            book.before(n).doubt_with("a part's heading was taken for that of a chapter", SURE)
            book.unit(n).doubt("it stands under a part's heading, as few do in this book", SURE)
            book.doubt_all(book.mates(n), "it stands under a part's heading, as few do in this book")
            book.unsure_titles.add(tuple(book.lines[i].block.id for i in book.items[n].chapter.title))
