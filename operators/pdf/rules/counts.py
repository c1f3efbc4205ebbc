"""Labels that were accepted, and the counts that they stand in."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from operators.pdf.numbering import ItemLabel
from operators.pdf.numbering.label_words import roles
from operators.pdf.numbering.titles import read_title
from operators.pdf.rules.lines import BARE_PART, HEADINGS, Kind, Line, Role, Zone

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
