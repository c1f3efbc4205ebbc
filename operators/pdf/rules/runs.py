"""Which numbers at the start of a line are labels: those that count on within their lesson.

A number is judged by the count it stands in. Counts are kept on a stack: a list of steps inside question 5
opens a count of its own, and is forgotten when 6 goes on with the first; a heading lets a new count begin.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from operators.pdf.numbering import ItemLabel, find_labels, item_label
from operators.pdf.rules.lines import HEADINGS, Kind, Line, Zone
from operators.pdf.rules.sections import answers, asks
from operators.pdf.rules.tables import table_answers
from operators.pdf.rules.words import ANSWER_RANGE, READING

_NEAR = 4
_FAR = 12
#: Words that number the steps of one investigation as often as they number exercises.
_INNER = frozenset({"问题", "思考", "探究", "题", "方法", "试一试", "做一做"})
_EXAMPLES = ("例", "典例", "example")
#: In an answer section, "7．6" is question 7 if 7 comes next.
_POINTED = re.compile(r"(?:[一二三四五六七八九十]{1,3}[、.．]\s*)?(\d{1,3})\s*[.．、]\s*(?=[\d.．])")
_MANY = re.compile(r"\d\s*[.．、~～\-–—－至]")
_BRACKETS = (")", "）")


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
class _Run:
    id: int
    last: int
    starts: list[Start] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)
    nested: bool = False
    bracket: bool = False
    dropped: bool = False

    def add(self, start: Start) -> None:
        number = start.label.number or 0
        start.run = self.id
        self.starts.append(start)
        self.seen.add(number)
        self.last = max(self.last, number)


def accept_labels(lines: Sequence[Line]) -> list[Start]:
    """The labels that open items, in order of line and place, the numbers of inner lists left out."""
    reader = _Reader(lines)
    for index, line in enumerate(lines):
        reader.read(index, line)
    return reader.finish()


class _Reader:
    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.ahead = _numbers_ahead(lines)
        self.stack: list[_Run] = []
        self.runs: list[_Run] = []
        self.worded: list[Start] = []
        self.headed = 2
        self.open: Start | None = None

    def finish(self) -> list[Start]:
        self._close(0)
        kept = [s for run in self.runs if not run.dropped for s in run.starts]
        return sorted(kept + self.worded, key=lambda s: (s.line, s.label.start))

    def read(self, index: int, line: Line) -> None:
        titled = line.kind is Kind.TITLE and line.zone is Zone.ANSWERS and line.block.level is None
        if titled and self._pointed(line.text):
            # "7．3或5" where 7 comes next.
            line.kind = Kind.TEXT
        elif line.kind is Kind.TITLE and line.zone is Zone.BODY and self._counts_over(index, line):
            line.kind = Kind.TEXT
        kind = line.kind
        if kind in HEADINGS:
            if not line.running_head:
                self.headed = max(self.headed, 2 if kind in (Kind.TITLE, Kind.ANSWERS) else 1)
            return
        if kind is not Kind.TEXT or line.zone is Zone.FRONT:
            return
        label = line.label
        if line.block.type == "table":
            if line.zone is Zone.ANSWERS:
                self._table(index, line)
        elif line.zone is Zone.ANSWERS or (line.text[:1].isdecimal() and ANSWER_RANGE.match(line.text)):
            self._answers(index, line)
        elif label is not None and label.prefix:
            if line.zone is not Zone.SUMMARY:
                self._worded(index, line, label)
        elif line.zone is Zone.BODY and (label is not None or line.text[:1].isdecimal()):
            self._plain(index, line)

    def _counts_over(self, index: int, line: Line) -> bool:
        """Whether a line is a title by its wording alone, inside a count that has its title and goes on."""
        if line.block.level is not None or not line.block.shown or not self.stack or self.headed:
            return False
        run = self.stack[-1]
        return not run.nested and self.ahead[index] == run.last + 1

    def _plain(self, index: int, line: Line) -> None:
        label = line.label or self._doubtful(index, line)
        if label is None or label.number is None:
            return
        run = self._run_for(index, line, label.number)
        if run is None:
            return
        run.bracket = run.bracket if run.starts else _bracket(line.text, label)
        self._take(run, Start(index, label))
        if _MANY.search(line.text, label.end):
            for inner in find_labels(line.text)[1:]:
                if inner.number == run.last + 1 and not inner.prefix and self.ahead[index] != inner.number:
                    self._take(run, Start(index, inner))

    def _doubtful(self, index: int, line: Line) -> ItemLabel | None:
        """A label that only the count can settle: "2.3的平方根" as question 2, or "2)" after "1)"."""
        wanted = [run.last + 1 for run in reversed(self.stack)]
        if self.headed or not self.stack:
            wanted.append(1)
        for expected in wanted:
            label = item_label(line.text, expected)
            if label is None or label.number != expected:
                continue
            if _bracket(line.text, label):
                counting = self.stack and self.stack[-1].bracket and expected == self.stack[-1].last + 1
                fresh = expected == 1 and self.headed and self.ahead[index] is None
                if not counting and not fresh:
                    continue
            elif self.ahead[index] == expected:
                continue
            return label
        return None

    def _answers(self, index: int, line: Line) -> None:
        """Labels of answers: several to a line, with gaps, and each line may begin a new count."""
        labels = find_labels(line.text) if _MANY.search(line.text) or line.label else []
        if not labels:
            own = line.label or self._pointed(line.text)
            labels = [own] if own else []
        for label in labels:
            if label.number is None or label.prefix:
                self._worded(index, line, label)
                continue
            run = self._run_for(index, line, label.number)
            if run is not None:
                self._take(run, Start(index, label))

    def _table(self, index: int, line: Line) -> None:
        for number, answer in table_answers(line.text):
            run = self._run_for(index, line, number)
            if run is not None:
                self._take(run, Start(index, ItemLabel(str(number), 0, number, ""), answer=answer))

    def _pointed(self, text: str) -> ItemLabel | None:
        found = _POINTED.match(text)
        if found is None:
            return None
        number = int(found[1])
        expected = {run.last + 1 for run in self.stack} | ({1} if self.headed or not self.stack else set())
        return ItemLabel(str(number), found.end(), number, "", found.start(1)) if number in expected else None

    def _take(self, run: _Run, start: Start) -> None:
        start.headed = self.headed > 0
        run.add(start)
        self.open = start
        self.headed = 0

    def _run_for(self, index: int, line: Line, number: int) -> _Run | None:
        """The count that a number goes on with or begins; None if it is no label."""
        exact = next((at for at in range(len(self.stack) - 1, -1, -1) if self.stack[at].last + 1 == number), None)
        if self.headed and number == 1:
            return self._base(0)
        if exact is not None and not (self.headed == 2 and self.ahead[index] == 1):
            return self._resume(exact, number)
        if not self.stack:
            return self._first(index, line, number)
        top = self.stack[-1]
        if number > top.last:
            return self._gap(index, line, number)
        answered = self.headed == 2 and line.zone is Zone.ANSWERS
        if answered or (self.headed and number <= _NEAR and self.ahead[index] == number + 1):
            return self._base(number)
        if number == 1:
            return self._push(number)
        if number not in top.seen and number > min(top.seen) and self._asks(index):
            return top
        return None

    def _first(self, index: int, line: Line, number: int) -> _Run | None:
        inside = self.open is not None and not self.headed
        if inside and number != 1 and not self._asks(index):
            return None
        return self._push(number) if inside else self._base(number)

    def _resume(self, at: int, number: int) -> _Run:
        top = self.stack[-1]
        near = at < len(self.stack) - 1 and top.last < number <= top.last + 2
        if near and len(top.starts) >= 5 and self._asking(top):
            return top
        self._close(at + 1)
        return self.stack[at]

    def _gap(self, index: int, line: Line, number: int) -> _Run | None:
        at = max(range(len(self.stack)), key=lambda a: (self.stack[a].last < number, self.stack[a].last))
        gap = number - self.stack[at].last
        if line.zone is Zone.ANSWERS:
            limit = 99
        elif self.headed == 2:
            return self._base(number) if gap > _NEAR else self._resume(at, number)
        else:
            sure = self.ahead[index] == number + 1 or self._asks(index)
            limit = 0 if not sure else _NEAR if not self._asks(index) else _FAR
        return self._resume(at, number) if gap <= limit else None

    def _base(self, number: int) -> _Run:
        self._close(0)
        return self._push(number, nested=False)

    def _push(self, number: int, nested: bool = True) -> _Run:
        run = _Run(len(self.runs), number - 1, nested=nested and (bool(self.stack) or self.open is not None))
        self.runs.append(run)
        self.stack.append(run)
        return run

    def _close(self, down_to: int) -> None:
        """Take counts off the stack; one that began without a heading stays only if it asks questions.

        A count that the one below goes on after (``down_to`` > 0) was a list inside an item.
        """
        while len(self.stack) > down_to:
            run = self.stack.pop()
            run.dropped = run.nested and (down_to > 0 or not self._asking(run))

    def _asking(self, run: _Run) -> bool:
        """Whether most of a count's items ask something, or answer something in an answer section."""
        if self.lines[run.starts[0].line].zone is Zone.ANSWERS:
            return all(answers(self.lines[s.line]) for s in run.starts)
        return len(run.starts) > 1 and sum(self._asks(s.line) for s in run.starts) * 2 >= len(run.starts)

    def _asks(self, index: int) -> bool:
        after = self.lines[index + 1] if index + 1 < len(self.lines) else None
        return asks(self.lines[index], after)

    def _worded(self, index: int, line: Line, label: ItemLabel) -> None:
        if self.open and not self.headed and self._inside(line, label):
            return
        if line.zone is not Zone.ANSWERS:
            while self.stack and self.stack[-1].nested and len(self.stack) > 0:
                run = self.stack.pop()
                run.dropped = not self._asking(run)
        if self.headed == 2:
            self._close(0)
        start = Start(index, label, headed=self.headed > 0)
        self.worded.append(start)
        self.open = start
        self.headed = 0

    def _inside(self, line: Line, label: ItemLabel) -> bool:
        """Whether a worded label belongs to the question that is open, such as 例题 in a reading task."""
        if self.open is None or self.open.label.prefix:
            return False
        if label.prefix in _INNER:
            return True
        if line.block.level is not None or not label.prefix.lower().startswith(_EXAMPLES):
            return False
        return label.number is None or bool(READING.search(self.lines[self.open.line].text))


def _bracket(text: str, label: ItemLabel) -> bool:
    return not label.prefix and text[: label.end].rstrip().endswith(_BRACKETS)


def _numbers_ahead(lines: Sequence[Line]) -> list[int | None]:
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
