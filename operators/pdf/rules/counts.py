"""What counts through a book: dresses in which lines are numbered, labels that were accepted, their counts."""

from __future__ import annotations

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, permutations

from operators.pdf.numbering import ItemLabel
from operators.pdf.numbering.dress import Dress
from operators.pdf.numbering.label_words import roles
from operators.pdf.numbering.titles import read_title
from operators.pdf.rules.lines import BARE_PART, HEADINGS, Kind, Line, Role, Zone

#: So many numbers of one dress, and so large a share of them that counts on, make a counter.
_FEWEST, _SURE = 3, 0.8
#: The share of a counter's numbers that another one has to answer, as every other one may be.
_ANSWERED = 0.5
#: The share of questions that ask by their last sign, where nothing else tells them from what answers them.
_ASKING = 0.25
#: The share of items that have a line opened by the same word.
_SAME = 0.6
#: Counters looked at, those of most lines first.
_COUNTERS = 6
_HIDDEN = frozenset({Kind.HIDDEN, Kind.CAPTION, Kind.PICTURE})

#: Numbers, and how often they stood before, with their lines.
_Count = Mapping[tuple[tuple[int, ...], int], int]


def label_dresses(lines: Sequence[Line]) -> Iterator[frozenset[tuple[Dress, bool]]]:
    """Dresses that may be those of labels, two together first: of questions, and of what answers them behind.

    Words do not matter, nor how a line is set: what counts on is numbered, and answers count as questions do.
    """
    counts = _counts(lines)
    for asked, told in _pairs(lines, counts):
        yield frozenset({(asked, False), (told, True)})
    for dress, count in counts.items():
        if any(lines[index].label is None for index in count.values()):
            for answers in sorted({lines[index].zone is Zone.ANSWERS for index in count.values()}):
                yield frozenset({(dress, answers)})


def passed_lines(lines: Sequence[Line], homes: Mapping[int, set[str]]) -> set[int]:
    """The lines with a word and a number that count on, of which a reading makes nothing.

    Those in no item, and those that answer an item and stand in others. ``homes`` are the labels of each line's items;
    words of which a table tells what they number are left out.
    """
    counts = {dress: count for dress, count in _counts(lines).items() if dress.word and not dress.role}
    loose = {index for count in counts.values() for index in count.values() if index not in homes}
    for _, told in _pairs(lines, counts):
        names = {index: ".".join(map(str, numbers)) for (numbers, _), index in counts[told].items()}
        loose |= {i for i, name in names.items() if not any(label.endswith(name) for label in homes.get(i, ()))}
    return loose


def answered_dresses(lines: Sequence[Line]) -> set[Dress]:
    """Those of words that no table has, and whose numbers another counter answers."""
    return {asked for asked, _ in _pairs(lines, _counts(lines, worded=True)) if not asked.role}


def answering_lines(lines: Sequence[Line]) -> Iterator[tuple[set[int], set[int]]]:
    """The lines of questions with a word and a number, and those of the numbers without one that surely answer them.

    Exercises may count as examples do; but they stand in all chapters, and some ask.
    """
    counts = _counts(lines, worded=True)
    for a, b in _pairs(lines, counts):
        if b.word or a.role not in ("", "question"):
            continue
        asked, told = set(counts[a].values()), set(counts[b].values())
        pieces = list(pairwise([*sorted(asked | told), len(lines)]))
        headed = all(_is_heading(lines[end - 1]) for at, end in pieces if at in asked and end in told)
        behind = max(asked) < min(told) and any(line.kind is Kind.TITLE for line in lines[min(asked) : max(asked)])
        asking = {at for at, end in pieces if any(line.text.endswith(("?", "？")) for line in lines[at:end])}
        if headed and not asking & told and (behind or len(asking) >= _ASKING * len(asked)):
            yield asked, told


def _is_heading(line: Line) -> bool:
    return line.kind in HEADINGS or line.kind is Kind.HIDDEN


def _pairs(lines: Sequence[Line], counts: Mapping[Dress, _Count]) -> Iterator[tuple[Dress, Dress]]:
    """Counters of which the second answers the first, wherever it stands behind it."""
    for asked, told in permutations(counts, 2):
        one, two = counts[asked], counts[told]
        if asked.word and _answers(two, one) and not _asks(lines, two) and not _have_the_same(lines, one, two):
            yield asked, told


def _counts(lines: Sequence[Line], *, worded: bool = False) -> dict[Dress, _Count]:
    """The dresses whose numbers count on from one line to the next, or begin anew, those of most lines first.

    None if one with a word is wanted, which alone is answered by others, and there is none.
    """
    seen: dict[Dress, list[tuple[tuple[int, ...], int]]] = defaultdict(list)
    marked = [(n, line, mark) for n, line in enumerate(lines) if (mark := line.mark) is not None]
    if worded and not any(mark.dress.word for _, _, mark in marked):
        return {}
    for index, line, mark in marked:
        shown = line.kind not in _HIDDEN and line.zone is not Zone.CONTENTS
        if shown and not (line.zone is Zone.SUMMARY and mark.dress.lettered):
            seen[mark.dress].append((mark.numbers, index))
    if worded and not any(dress.word for dress in seen):
        return {}
    found = {dress: _counted(marks) for dress, marks in seen.items()}
    good = [dress for dress, count in found.items() if len(count) >= _FEWEST and not _holds(lines, count)]
    return {dress: found[dress] for dress in sorted(good, key=lambda d: -len(found[d]))[:_COUNTERS]}


def _counted(marks: Sequence[tuple[tuple[int, ...], int]]) -> _Count:
    """The lines of a chain of numbers, each one more than that before or the first of a new count."""
    times: dict[tuple[int, ...], int] = defaultdict(int)
    found: dict[tuple[tuple[int, ...], int], int] = {}
    last: tuple[int, ...] = ()
    for numbers, line in marks:
        if numbers[-1] == 1 or (last and numbers == (*last[:-1], last[-1] + 1)):
            found[numbers, times[numbers]] = line
            times[numbers] += 1
            last = numbers
    return found


def _asks(lines: Sequence[Line], count: _Count) -> bool:
    """Whether most of a counter's lines are questions by their last sign."""
    return 2 * sum(lines[index].text.endswith(("?", "？")) for index in count.values()) >= len(count)


def _have_the_same(lines: Sequence[Line], one: _Count, two: _Count) -> bool:
    """Whether most items of both counters have a line that opens with the same word, as solutions of questions do."""
    ends = dict(pairwise([*sorted({*one.values(), *two.values()}), len(lines)]))
    shares: list[dict[str, float]] = []
    for count in (one, two):
        opened = Counter(
            word
            for at in count.values()
            for word in {line.text.split(maxsplit=1)[0].strip(".:：") for line in lines[at + 1 : ends[at]] if line.text}
        )
        shares.append({word: found / len(count) for word, found in opened.items() if word.isalpha() and len(word) > 1})
    return any(min(share, shares[1].get(word, 0.0)) >= _SAME for word, share in shares[0].items())


def _holds(lines: Sequence[Line], count: _Count) -> bool:
    """Whether plain labels stand below most of a counter's lines, as below the headings of chapters and of groups."""
    places = sorted(count.values())
    below = [lines[one + 1 : two] for one, two in pairwise([*places, len(lines)])]
    return 2 * sum(any(map(_is_labelled, some)) for some in below) >= len(below)


def _is_labelled(line: Line) -> bool:
    return line.kind is Kind.TEXT and line.label is not None and not line.label.prefix


def _answers(told: _Count, asked: _Count) -> bool:
    """Whether one counter answers another: it has its numbers, as often, and each stands behind its question."""
    both = told.keys() & asked.keys()
    many = len(both) >= max(_FEWEST, _SURE * len(told), _ANSWERED * len(asked))
    return many and all(asked[number] < told[number] for number in both)


#: Headings that say that exercises begin, from which on a book has them everywhere.
_DIVISIONS = 2


@dataclass(slots=True)
class Start:
    """A label that was accepted: where an item begins."""

    line: int
    label: ItemLabel
    run: int = -1
    #: The answer, where a table gives it.
    answer: str = ""
    #: Whether a heading of any kind stands between the item before and this one.
    headed: bool = False


@dataclass(slots=True)
class Run:
    """A count that is open, or was: the labels that were taken into it."""

    id: int
    last: int
    starts: list[Start] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)
    nested: bool = False
    dropped: bool = False
    #: The item that it stands in.
    within: Start | None = None

    def add(self, start: Start) -> None:
        """Take a label into the count."""
        number = start.label.number or 0
        start.run = self.id
        self.starts.append(start)
        self.seen.add(number)
        self.last = max(self.last, number)


def numbers_ahead(lines: Sequence[Line]) -> list[int | None]:
    """For every line the next plain number below it that opens a line, None where a title comes first."""
    found: list[int | None] = [None] * len(lines)
    following: int | None = None
    for index in range(len(lines) - 1, -1, -1):
        found[index] = following
        line = lines[index]
        if line.kind is Kind.TITLE and not line.running_head:
            following = None
        elif line.kind is Kind.TEXT and line.label is not None and not line.label.prefix:
            following = line.label.number
    return found


#: Questions with a word that a paper has at least, if numbers without one are none.
_FEWEST_WORDED = 4


def drop_parts(runs: Sequence[Run], worded: Sequence[Start]) -> None:
    """Leave out counts inside questions with a word, Exercise 2, if most such questions have none."""
    asked = {id(start) for start in worded if roles().get(start.label.prefix.casefold()) == "question"}
    inner = [run for run in runs if not run.dropped and id(run.within) in asked]
    if 2 * len({id(run.within) for run in inner}) < len(asked):
        for run in inner:
            run.dropped = True


def drop_theory(lines: Sequence[Line], runs: Sequence[Run], worded: Sequence[Start]) -> None:
    """Leave out counts right below a lesson's title and above its Exercises, if all other questions stand below such.

    They count the steps of a method or what is to be learnt.
    """
    heads = [n for n, line in enumerate(lines) if line.kind in HEADINGS and not line.running_head]
    if sum(lines[n].zone is Zone.BODY and _heads_exercises(lines[n]) for n in heads) < _DIVISIONS:
        return
    told: list[Run] = []
    homes = list(_homes(lines, worded))
    for run in runs:
        if run.dropped or lines[run.starts[0].line].zone is not Zone.BODY:
            continue
        first, last = (bisect(heads, start.line) for start in (run.starts[0], run.starts[-1]))
        above = lines[heads[first - 1]] if first else None
        over = last < len(heads) and _heads_exercises(lines[heads[last]])
        if first == last and over and above is not None and above.kind is Kind.TITLE and not _heads_exercises(above):
            told.append(run)
        else:
            homes += [start.line for start in run.starts]
    if homes and all((at := bisect(heads, line)) and _heads_exercises(lines[heads[at - 1]]) for line in homes):
        for run in told:
            run.dropped = True
            for start in run.starts:
                lines[start.line].label, lines[start.line].aside = None, True


def drop_instructions(lines: Sequence[Line], runs: Sequence[Run], worded: Sequence[Start]) -> None:
    """Leave out counts before the first question with a word, below a heading that is no title, which ask nothing.

    They say how to fill in the paper: all its questions have the word.
    """
    homes = list(_homes(lines, worded))
    plain = [run for run in runs if not run.dropped and lines[run.starts[0].line].zone is Zone.BODY]
    ahead = [run for run in plain if run.starts[-1].line < min(homes, default=0)]
    if len(homes) < _FEWEST_WORDED or len(ahead) != len(plain):
        return
    told = [run.seen for run in runs if not run.dropped and lines[run.starts[0].line].zone is Zone.ANSWERS]
    for run in ahead:
        above = next((x for x in reversed(lines[: run.starts[0].line]) if x.kind in HEADINGS), None)
        asks = any(lines[start.line].text.endswith(("?", "？")) for start in run.starts) or run.seen in told
        if above is not None and above.kind is Kind.HEADING and not asks:
            run.dropped = True
            for start in run.starts:
                lines[start.line].label, lines[start.line].aside = None, True


def _homes(lines: Sequence[Line], worded: Sequence[Start]) -> Iterator[int]:
    """The lines of questions whose labels needed no count; worked examples stand in the theory."""
    for start in worded:
        if lines[start.line].zone is Zone.BODY and roles().get(start.label.prefix.casefold()) != "example":
            yield start.line


def _heads_exercises(line: Line) -> bool:
    return BARE_PART.match(line.text) is not None or read_title(line.text).kind == "exercise"


def noted(lines: Sequence[Line]) -> list[tuple[int, Line]]:
    """The lines that count anything or head it, with their places: most do not."""
    each = enumerate(lines)
    return [(n, x) for n, x in each if x.mark is not None or x.label is not None or x.kind in HEADINGS]


def set_label(line: Line, role: Role, label: ItemLabel) -> None:
    """Give a line a label that is sure, whatever it was taken for."""
    line.kind, line.role, line.label, line.running_head = Kind.TEXT, role, label, False
