"""Answers told by structure alone: counts of labels that stand once more, behind the first ones, and ask nothing."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate, pairwise
from statistics import median

from operators.pdf.numbering import option_letter, solution_marker
from operators.pdf.numbering.dress import Dress, read_letter
from operators.pdf.numbering.titles import begins_title, heading_key
from operators.pdf.rules.keys import counted_keys, key_labels
from operators.pdf.rules.lines import HEADINGS, Kind, Line, Zone
from operators.pdf.rules.tables import marked_answers, table_answers
from operators.pdf.rules.words import BLANK

# These limits were chosen on books that are open: a book of another kind may need others.
#: Numbers of all runs that are mirrored together at least, and of those of one chapter.
_FEWEST, _RUN = 4, 2
#: Numbers that a run may leave out, and the share of the questions that is answered at least.
_STEP, _ANSWERED = 4, 0.5
#: The share of questions that ask by a sign, and the most that answers may; what answers are shorter by otherwise.
_ASKING, _SELDOM, _SHORTER = 0.25, 0.1, 0.8
#: The chance, at most, that so many more questions of the same kind would ask by no sign.
_CHANCE = 0.01
#: Chapters whose answers need no heading, and the share of their questions that has one.
_CHAPTERS, _WHOLE = 3, 0.8
#: The longest line that may give an answer in a word before it explains it.
_WORDS = 20
#: Lines above a run among which its heading is looked for.
_SECTION = 400
#: Runs of one dress, beyond which a book is not compared with itself.
_RUNS = 400
_HIDDEN = frozenset({Kind.HIDDEN, Kind.CAPTION, Kind.PICTURE})
_SIGNS = ("?", "？")


@dataclass(slots=True)
class Run:
    """Numbers that count on from line to line; several may stand in one."""

    numbers: list[tuple[int, ...]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    def goes_on(self, numbers: tuple[int, ...]) -> bool:
        """Whether a number is one of the next ones."""
        last = self.numbers[-1]
        return numbers[:-1] == last[:-1] and 0 < numbers[-1] - last[-1] <= _STEP


_Numbers = frozenset[tuple[int, ...]]
_Square = tuple[Sequence[Run], Sequence[Run]]
#: The places of runs and of those that answer them.
_Pairs = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Mirror:
    """Runs of questions, those of their answers, one each, and the dresses that both are numbered in."""

    asked: Sequence[Run]
    told: Sequence[Run]
    dresses: frozenset[tuple[Dress, bool]]

    @property
    def first(self) -> int:
        """Its first line."""
        return self.asked[0].lines[0]

    @property
    def last(self) -> int:
        """The line that its last number stands in."""
        return self.told[-1].lines[-1]


def mirrors(lines: Sequence[Line]) -> list[Mirror]:
    """The runs of labels of which others, behind them and under headings of their own, have the same numbers.

    They are answers if none of them asks, by a sign, a blank or options, where the others do, or if they are shorter
    and stand under the same titles. Words do not matter. Of two that overlap, as parts of questions do with these, the
    one of more numbers counts.
    """
    runs, keys = _runs(lines)
    found = []
    for some in runs:
        for asked, told in _squares(lines, some) if len(some) <= _RUNS else ():
            sides = ((asked, False), (told, True))
            own = {(n, answers) for some, answers in sides for run in some for n in run.lines if n not in keys}
            known = frozenset((mark.dress, answers) for n, answers in own if (mark := lines[n].mark) is not None)
            found.append(Mirror(asked, told, known))
    kept: list[Mirror] = []
    for mirror in sorted(found, key=lambda mirror: -sum(len(run.numbers) for run in mirror.told)):
        if all(mirror.last < other.first or other.last < mirror.first for other in kept):
            kept.append(mirror)
    return kept


def _runs(lines: Sequence[Line]) -> tuple[list[list[Run]], Set[int]]:
    """The runs of each word and shape of number, and the lines of keys.

    Keys, several answers to a line or in a table, go with any.
    """
    counted = counted_keys(lines)
    marks: dict[tuple[str, str, bool], list[tuple[int, list[tuple[int, ...]]]]] = defaultdict(list)
    keys: dict[str, list[tuple[int, list[tuple[int, ...]]]]] = defaultdict(list)
    for index in _not_below_labels(lines):
        line = lines[index]
        if line.kind in _HIDDEN or line.zone is Zone.CONTENTS:
            continue
        if line.block.type == "table":
            several: list[tuple[int, ...]] = [(number,) for number, _ in table_answers(line.text)]
            told = [mark for mark, _ in marked_answers(line.text)]
            if told:
                keys[told[0].dress.shape].append((index, [mark.numbers for mark in told]))
        else:
            labels = counted.get(index) or key_labels(line.text)
            several = [(label.number,) for label in labels if label.number is not None] if labels else []
        if several:
            keys["1"].append((index, several))
        elif line.mark is not None:
            dress, numbers, *_ = line.mark
            word, role, _, shape, signs = dress
            if role not in ("told", "heading"):
                marks[word, shape, signs[:1] in ("(", "[")].append((index, [numbers]))
    heads = [index for index, line in enumerate(lines) if line.kind in HEADINGS]
    runs = [_chained(sorted(some + keys[shape]), heads) for (_, shape, _), some in marks.items()]
    return runs, {index for several in keys.values() for index, _ in several}


def _not_below_labels(lines: Sequence[Line]) -> list[int]:
    """The lines but for those between a label that is sure and the next one or a heading, which count its parts.

    What counts up in the dress of other lines, that stand below no label, is no part.
    """
    found: list[int] = []
    parts: list[tuple[int, Dress]] = []
    below = False
    free: Counter[Dress] = Counter()
    for index, line in enumerate(lines):
        mark = line.mark
        if line.label is not None:
            below = True
        elif line.kind in HEADINGS:
            below = False
        elif below:
            if mark is not None:
                parts.append((index, mark.dress))
            continue
        found.append(index)
        if mark is not None and line.label is None:
            free[mark.dress] += 1
    counted = [index for index, dress in parts if free[dress] >= _FEWEST]
    return sorted(found + counted) if counted else found


def _chained(marks: Sequence[tuple[int, Sequence[tuple[int, ...]]]], heads: Sequence[int]) -> list[Run]:
    """The runs of some marks; below another heading one may leave out its first numbers."""
    runs: list[Run] = []
    for index, several in marks:
        for numbers in several:
            if not runs or numbers[-1] == 1 or numbers[:-1] > runs[-1].numbers[-1][:-1]:
                runs.append(Run())
            elif not runs[-1].goes_on(numbers):
                if numbers[-1] > _STEP or bisect_left(heads, runs[-1].lines[-1]) == bisect_left(heads, index):
                    continue
                runs.append(Run())
            run = runs[-1]
            run.numbers.append(numbers)
            run.lines.append(index)
    return [run for run in runs if len(run.numbers) >= _RUN]


def _squares(lines: Sequence[Line], runs: Sequence[Run]) -> list[_Square]:
    """Neighbouring stretches of as many runs each, of which the second answers the first: the most numbers in all.

    Of as many, those with most headings between them that name answers. If the runs behind such a heading answer some
    before it, in their order, that is one stretch, whatever runs alike are beside each other in it.
    """
    fits = _fits(runs)
    if not any(fits):
        return []
    items = [_items(lines, run, following) for run, following in pairwise([*runs, None]) if run is not None]
    asking = list(accumulate((sum(map(_asks, some)) for some in items), initial=0))
    sizes = list(accumulate(map(len, items), initial=0))
    first = _answering(lines, runs)
    if first and asking[-1] - asking[first] <= _SELDOM * (sizes[-1] - sizes[first]):
        return [(runs[:first], runs[first:])]
    headings = list(accumulate((line.kind in HEADINGS for line in lines), initial=0))
    among = cache(lambda place: _stands_among_questions(lines, runs[place]))
    best: list[tuple[int, int, int]] = [(0, 0, 0)] * (len(runs) + 1)
    for at in range(len(runs) - 1, -1, -1):
        best[at] = (*best[at + 1][:2], 0)
        for size in fits[at]:
            first, end = at + size, at + 2 * size
            headed = headings[runs[first].lines[0]] > headings[runs[first - 1].lines[-1]]
            if _are_beside(lines, runs[first - 1], runs[first]):
                continue
            seldom = asking[end] - asking[first] <= _SELDOM * (sizes[end] - sizes[first])
            if seldom and (headed or size == 1) and not any(map(among, range(first, end))):
                count = sum(len(run.numbers) for run in runs[first:end]) + best[end][0]
                named = _named_between(lines, runs[first - 1], runs[first]) + best[end][1]
                best[at] = max(best[at], (count, named, size))
    at, found = 0, []
    while at < len(runs):
        size = best[at][2]
        found += [range(at, at + size)] if size else []
        at += 2 * size or 1
    pairs = [(n, n + len(some)) for some in found for n in some]
    bare = any(headings[runs[some.stop].lines[0]] == headings[runs[some.stop - 1].lines[-1]] for some in found)
    named = all(_named_between(lines, runs[some.stop - 1], runs[some.stop]) for some in found)
    if best[0][0] < _FEWEST or not (named or _tell(lines, runs, items, pairs, bare)):
        return []
    return [(runs[some.start : some.stop], runs[some.stop : some.stop + len(some)]) for some in found]


def _answering(lines: Sequence[Line], runs: Sequence[Run]) -> int:
    """The place of the first run behind a book's first heading of answers if all from it on answer, else 0."""
    named = next((index for index, line in enumerate(lines) if line.kind is Kind.ANSWERS), len(lines))
    first = bisect_left([run.lines[0] for run in runs], named)
    sets = [frozenset(run.numbers) for run in runs]
    enough = len(runs) - first > 1 and sum(map(len, sets[first:])) >= _ANSWERED * sum(map(len, sets[:first]))
    return first if enough and _unmatched(sets[:first], sets[first:]) <= _SELDOM * (len(runs) - first) else 0


def _unmatched(asked: Sequence[_Numbers], told: Sequence[_Numbers]) -> int:
    """How many runs have no other that they answer, each behind that of the one before."""
    lost = at = 0
    for numbers in told:
        found = next((n for n in range(at, len(asked)) if numbers <= asked[n]), None)
        lost, at = (lost + 1, at) if found is None else (lost, found + 1)
    return lost


def _are_beside(lines: Sequence[Line], asked: Run, told: Run) -> bool:
    """Whether both stand below headings of one count, 二、选择题 and 三、解答题: no answers begin between them."""
    one, two = (next(_above(lines, run.lines[0]), None) for run in (asked, told))
    if one is None or two is None or one is two:
        return False
    before, behind = _counted(one), _counted(two)
    return before is not None and behind is not None and before[0] == behind[0] and before[1] < behind[1]


def _stands_among_questions(lines: Sequence[Line], told: Run) -> bool:
    """Whether other labels stand between a run and the heading above it, and what they open asks."""
    first = told.lines[0]
    near = range(first - 1, max(-1, first - _SECTION), -1)
    above = next((at for at in near if lines[at].kind in HEADINGS), near.stop + 1)
    starts = [at for at in range(above, first) if lines[at].label is not None]
    asking = sum(_asks(lines[start:end]) for start, end in pairwise([*starts, first]))
    return asking > _SELDOM * len(starts)


def _counted(heading: Line) -> tuple[object, tuple[int, ...]] | None:
    """By what a heading is counted, a word or a dress, and its numbers: Worksheet 1A, 二、选择题."""
    if letter := read_letter(heading.text):
        return (letter.word, letter.sign), letter.numbers
    if heading.mark is None or not (heading.kind is Kind.PART or heading.mark.dress.word):
        return None
    return heading.mark.dress, heading.mark.numbers


def _fits(runs: Sequence[Run]) -> list[list[int]]:
    """By the first of them, how many neighbouring runs have the numbers of as many behind them."""
    fits: list[list[int]] = [[] for _ in runs]
    sets = [frozenset(run.numbers) for run in runs]
    for size in range(1, len(runs) // 2 + 1):
        alike = 0
        for at in range(len(runs) - size - 1, -1, -1):
            told, asked = sets[at + size], sets[at]
            alike = alike + 1 if len(told) >= _ANSWERED * len(asked) and told <= asked else 0
            if alike >= size:
                fits[at].append(size)
    return fits


def _items(lines: Sequence[Line], run: Run, following: Run | None) -> list[Sequence[Line]]:
    """The lines of each item of a run, up to the next one or to a heading."""
    end = following.lines[0] if following is not None else len(lines)
    found: list[Sequence[Line]] = []
    for start, behind in pairwise([*dict.fromkeys(run.lines), end]):
        headings = (n for n in range(start + 1, behind) if lines[n].kind in HEADINGS)
        found.append(lines[start : next(headings, behind)])
    return found


def _tell(
    lines: Sequence[Line], runs: Sequence[Run], items: Sequence[Sequence[Sequence[Line]]], pairs: _Pairs, bare: bool
) -> bool:
    """Whether the first runs of pairs ask, or are longer than the others and stand under the same titles.

    Where ``bare`` answers have no heading, lists in questions count alike, but not in chapter after chapter.
    """
    asked, told = ([item for pair in pairs for item in items[pair[side]]] for side in (0, 1))
    if bare and (len(pairs) < _CHAPTERS or len(told) < _WHOLE * len(asked)):
        return False
    if all(
        lines[n].block.type == "table" and len(runs[told_by].numbers[0]) > 1
        for _, told_by in pairs
        for n in runs[told_by].lines
    ):
        return True  # a table counts 1.1, 1.2, 2.1 to answer what is numbered so
    share = sum(map(_asks, asked)) / len(asked)
    if share >= _ASKING and (1 - share) ** len(told) <= _CHANCE:
        return True
    shorter = median(map(_letters, told)) <= _SHORTER * median(map(_letters, asked))
    return not bare and shorter and len(pairs) > 1 and all(_same_title(lines, runs[a], runs[b]) for a, b in pairs)


def _named_between(lines: Sequence[Line], asked: Run, told: Run) -> bool:
    """Whether a heading that names answers stands between two runs."""
    return any(line.kind is Kind.ANSWERS for line in lines[asked.lines[-1] : told.lines[0]])


def _asks(item: Sequence[Line]) -> bool:
    if any(
        any(sign in line.text for sign in _SIGNS) or BLANK.search(line.text) or option_letter(line.text)
        for line in item
    ):
        return True
    # What has a solution of its own behind more than a word or two was asked.
    return len(item) > 1 and len(item[0].text) > _WORDS and any(solution_marker(line.text) for line in item[1:])


def _letters(item: Sequence[Line]) -> int:
    return sum(len(line.text) for line in item)


def _same_title(lines: Sequence[Line], asked: Run, told: Run) -> bool:
    """Whether the heading over answers is one over their questions, or its beginning, or ends with one."""
    above = {heading_key(line.text) for line in _above(lines, asked.lines[0])} - {""}
    own = next((heading_key(line.text) for line in _above(lines, told.lines[0])), "")
    return any(own.endswith(title) or begins_title(own, title) for title in above)


def _above(lines: Sequence[Line], index: int) -> Iterator[Line]:
    """The headings above a line, the nearest first, up to where items stand between two of them."""
    near = False
    for line in reversed(lines[:index]):
        if line.kind in HEADINGS:
            near = True
            yield line
        elif near and line.kind is Kind.TEXT and line.mark is not None:
            return
