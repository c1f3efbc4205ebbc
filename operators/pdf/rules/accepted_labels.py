"""Which numbers at the start of a line are labels: those that count on within their lesson.

A number is judged by the count it stands in. Counts are kept on a stack: a list of steps inside question 5
opens a count of its own, and is forgotten when 6 goes on with the first; a heading lets a new count begin.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from operators.pdf.numbering import ItemLabel, find_labels, item_label
from operators.pdf.numbering.ranges import crowded_labels
from operators.pdf.rules.counts import Run, Start, drop_instructions, drop_parts, drop_theory, numbers_ahead
from operators.pdf.rules.keys import closing_signs, counted_keys, goes_across, key_labels, labelled_keys
from operators.pdf.rules.leads import serves
from operators.pdf.rules.lines import HEADINGS, Kind, Line, Role, Zone, is_paper
from operators.pdf.rules.sections import answers, asks
from operators.pdf.rules.tables import table_answers, worded_answers
from operators.pdf.rules.words import ANSWER_RANGE, NO_ANSWER, READING

#: Counts within counts that are kept open; no book has as many.
_DEEP = 50
_NEAR = 4
_FAR = 12
#: Lines among which a number is looked for again.
_CHAPTER = 400
#: Words that number the steps of one investigation as often as they number exercises.
_INNER = frozenset({"问题", "思考", "探究", "题", "方法", "试一试", "做一做"})
_EXAMPLES = ("例", "典例", "example")
#: In an answer section, "7．6" is question 7 if 7 comes next.
_POINTED = re.compile(r"(?:[一二三四五六七八九十]{1,3}[、.．]\D{0,12})?(?<!\d)(\d{1,3})\s*[.．、]\s*(?=\S)")
#: Parts that are answered one by one: 1(a), 2b).
_PARTED = re.compile(r"\s*(\d{1,3})\s?([(（]?[a-h][)）.．])\s*\S")
_TIGHT = re.compile(r"\d{1,3}[.．]\d")
_MANY = re.compile(r"\d\s*[.．、~～〜∼\-‐–—－−至)）t]")
#: It begins with a digit, which the engine looks for at once; then comes what no digit may stand behind.
_ROW_OF_NUMBERS = re.compile(r"\d(?<!\d\d)\d{0,2}[.．、]?\s+\d{1,3}(?!\d)")
_BRACKETS = (")", "）")
#: Words behind a label: points and signs are none.
_REST = re.compile(r"[^\W\d_]")
#: Stretches without items.
_WITHOUT = frozenset({Zone.FRONT, Zone.CONTENTS})


def accept_labels(lines: Sequence[Line]) -> list[Start]:
    """The labels that open items, in order of line and place, the numbers of inner lists left out."""
    reader = _Reader(lines)
    for index, line in enumerate(lines):
        reader.read(index, line)
    return reader.finish()


def mends_kinds(lines: Sequence[Line]) -> bool:
    """Whether :func:`accept_labels` may change what a line is: a title by its wording alone, or a row of answers."""
    if any(line.kind is Kind.TITLE and line.block.level is None for line in lines):
        return True
    return any(_ROW_OF_NUMBERS.search(line.text) for line in [line for line in lines if line.zone is Zone.ANSWERS])


def _whole_key(text: str, closes: str) -> list[ItemLabel]:
    """The labels of a key, with those behind them that leave a number out or have a word: 11. B 12. 4 14. A."""
    key = key_labels(text, closes)
    marked = find_labels(text) if key else []
    return marked if [label.start for label in marked[: len(key)]] == [label.start for label in key] else key


class _Reader:
    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.ahead = numbers_ahead(lines)
        self.closes = closing_signs(lines)
        self.counted = counted_keys(lines)
        self.labelled = labelled_keys(lines)
        for index in self.labelled:
            lines[index].kind = Kind.TEXT
        #: The titles over questions, which may stand over their answers once more.
        self.titles = {line.text for line in lines if line.kind is Kind.TITLE and line.zone is Zone.BODY}
        self.stack: list[Run] = []
        self.runs: list[Run] = []
        #: The numbers of each count of questions.
        self.asked: set[frozenset[int]] = set()
        self.worded: list[Start] = []
        self.headed = 2
        self.open: Start | None = None

    def finish(self) -> list[Start]:
        self._close(0)
        drop_parts(self.runs, self.worded)
        drop_theory(self.lines, self.runs, self.worded)
        drop_instructions(self.lines, self.runs, self.worded)
        kept = [s for run in self.runs if not run.dropped for s in run.starts]
        return sorted(kept + self.worded, key=lambda s: (s.line, s.label.start))

    def read(self, index: int, line: Line) -> None:
        """Look at the next line."""
        if index and line.block.file != self.lines[index - 1].block.file:
            self.headed, self.open = 2, None  # a new book begins, with or without a title
        if line.kind is not Kind.TEXT and not self._is_text(index, line):
            return
        zone, label = line.zone, line.label
        key = []
        if zone is Zone.ANSWERS and line.block.type != "table" and not self._is_told(index):
            key = self.labelled.get(index) or self.counted.get(index) or _whole_key(line.text, self.closes)
        if key and not key[0].label.isdecimal():
            for label in key:
                self._sure(index, label)
        elif key:
            # What stands before the first number heads it, and so does a new line of keys that begins with 1.
            self.headed = 2 if key[0].start or key[0].number == 1 else self.headed
            self._take_across(index, key) if goes_across(key) else self._take_all(index, line, key)
        elif line.role is not Role.OPEN and label is not None:
            if line.role is Role.ITEM or zone is Zone.ANSWERS:
                self._sure(index, label)
        elif zone is Zone.ANSWERS:
            if line.block.type == "table":
                self._table(index, table_answers(line.text))
                self.worded += [Start(index, label, answer=answer) for label, answer in line.told]
            else:
                told, place = self._worded_table(index, line)
                if not told or place > 0:
                    self._answers(index, line)
                self._table(index, told, place)
        elif (label is None and not line.text[:1].isdecimal()) or zone in _WITHOUT or line.block.type == "table":
            return
        elif ANSWER_RANGE.match(line.text):
            self._answers(index, line)
        elif label is not None and label.prefix:
            if zone is not Zone.SUMMARY:
                self._worded(index, line, label)
        elif zone is Zone.BODY:
            self._plain(index, line)

    def _is_told(self, index: int) -> bool:
        """Whether a line is what answers a label with a word that stands alone above it: Exercise 2, 1. T, 2. F."""
        above = self.lines[max(index - 1, 0)]
        label = above.label if index else None
        return label is not None and bool(label.prefix) and not _REST.search(above.text, label.end)

    def _is_text(self, index: int, line: Line) -> bool:
        """Note a heading; whether a line taken for one is an answer or goes on with a question."""
        kind, zone = line.kind, line.zone
        if kind is Kind.TITLE and line.block.level is None:
            # "7．3或5" where 7 comes next.
            tight = zone is Zone.ANSWERS and _TIGHT.match(line.text) and not is_paper(line.text)
            answer = tight and line.text not in self.titles and self._pointed(line.text)
            if answer or (zone is Zone.BODY and self._counts_over(line, index)):
                line.kind = Kind.TEXT
                return True
        if kind in HEADINGS and not line.running_head:
            self.headed = max(self.headed, 2 if kind in (Kind.TITLE, Kind.ANSWERS) else 1)
            return kind is Kind.PART and zone is Zone.ANSWERS and _MANY.search(line.text) is not None
        return False

    def _counts_over(self, line: Line, index: int) -> bool:
        """Whether a line is a title by its wording alone, inside a count that has its title and goes on."""
        if not line.block.shown or not self.stack or self.headed:
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
        self._take(run, Start(index, label))
        if _MANY.search(line.text, label.end):
            for inner in find_labels(line.text)[1:]:
                if inner.number == run.last + 1 and not inner.prefix and self.ahead[index] != inner.number:
                    self._take(run, Start(index, inner))

    def _doubtful(self, index: int, line: Line) -> ItemLabel | None:
        """A label that only the count can settle: "2.3的平方根" as question 2."""
        wanted = [run.last + 1 for run in reversed(self.stack)]
        if self.headed or not self.stack:
            wanted.append(1)
        for expected in wanted:
            label = item_label(line.text, expected)
            bracket = label is not None and line.text[: label.end].rstrip().endswith(_BRACKETS)
            if label is not None and label.number == expected and not bracket and self.ahead[index] != expected:
                return label
        return None

    def _answers(self, index: int, line: Line) -> None:
        """Labels of answers: several to a line, with gaps, and each line may begin a new count."""
        labels = find_labels(line.text) if _MANY.search(line.text) or line.label else []
        if not labels and line.label is None and (parted := _PARTED.match(line.text)):
            # 1(a), 1(b): the first part has its question's number, and the others go on with it.
            labels = [ItemLabel(parted[1], parted.start(2), int(parted[1]), "", parted.start(1))]
            if self.stack and self.stack[-1].last == labels[0].number and not self.headed:
                return
        if not labels:
            own = line.label or self._pointed(line.text) or self._doubtful(index, line)
            labels = [own] if own else []
        if NO_ANSWER.search(line.text):
            return
        self._take_all(index, line, crowded_labels(line.text, labels, self.ahead[index]))

    def _take_all(self, index: int, line: Line, labels: Sequence[ItemLabel]) -> None:
        """The labels of several answers on one line."""
        for label in labels:
            if label.number is None or label.prefix:
                self._worded(index, line, label)
                continue
            if label.number == self._after_sure:
                self._sure(index, label)
                continue
            run = self._run_for(index, line, label.number)
            if run is not None:
                self._take(run, Start(index, label))

    def _take_across(self, index: int, labels: Sequence[ItemLabel]) -> None:
        """The labels of a line across a key's columns: the lines below fill up the count that the first one begins."""
        numbers = {label.number for label in labels}
        fills = self.stack and not self.headed and numbers.isdisjoint(self.stack[-1].seen)
        run = self.stack[-1] if fills else self._base(labels[0].number or 0)
        for label in labels:
            self._take(run, Start(index, label))

    def _table(self, index: int, told: Sequence[tuple[int, str]], place: int = 0) -> None:
        self.headed = 2 if told and told[0][0] == 1 else self.headed  # each table that begins with 1 counts anew
        for number, answer in told:
            run = self._run_for(index, self.lines[index], number)
            if run is not None:
                self._take(run, Start(index, ItemLabel(str(number), place, number, "", place), answer=answer))

    def _worded_table(self, index: int, line: Line) -> tuple[list[tuple[int, str]], int]:
        """The answers of a table without rules, 题号 1 2 3 and, here or on the next line, 答案 C A B; its place."""
        if not _ROW_OF_NUMBERS.search(line.text):
            return [], 0
        told, place = worded_answers(line.text)
        below = self.lines[index + 1] if index + 1 < len(self.lines) else None
        if not told and below is not None and below.kind is not Kind.PICTURE:
            told, place = worded_answers(f"{line.text}\n{below.text}")
            if told:
                # Its words are told; they belong to no item.
                below.kind = Kind.HIDDEN
        return told, place

    def _pointed(self, text: str) -> ItemLabel | None:
        found = _POINTED.match(text)
        if found is None:
            return None
        number = int(found[1])
        expected = {run.last + 1 for run in self.stack} | ({1} if self.headed or not self.stack else set())
        expected |= {self._after_sure}
        return ItemLabel(str(number), found.end(), number, "", found.start(1)) if number in expected else None

    @property
    def _after_sure(self) -> int:
        """The number behind that of a plain label which needed no count, 0 if the last one did."""
        sure = self.open is not None and self.worded and self.worded[-1] is self.open and not self.open.label.prefix
        return (self.open.label.number or -1) + 1 if sure and self.open is not None else 0

    def _take(self, run: Run, start: Start) -> None:
        start.headed = self.headed > 0
        run.add(start)
        self.open = start
        self.headed = 0

    def _run_for(self, index: int, line: Line, number: int) -> Run | None:
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

    def _first(self, index: int, line: Line, number: int) -> Run | None:
        inside = self.open is not None and not self.headed
        if inside and number != 1 and not self._asks(index):
            return None
        return self._push(number) if inside else self._base(number)

    def _resume(self, at: int, number: int) -> Run:
        top = self.stack[-1]
        near = at < len(self.stack) - 1 and top.last < number <= top.last + 2
        if near and len(top.starts) >= 5 and self._asking(top):
            return top
        self._close(at + 1)
        return self.stack[at]

    def _gap(self, index: int, line: Line, number: int) -> Run | None:
        at = max(range(len(self.stack)), key=lambda a: (self.stack[a].last < number, self.stack[a].last))
        gap = number - self.stack[at].last
        if line.zone is Zone.ANSWERS:
            limit = 99
        elif self.headed == 2:
            return self._base(number) if gap > _NEAR else self._resume(at, number)
        else:
            if self.ahead[index] == self.stack[at].last + 1 and self._stands_again(index, number):
                return None  # "… the mean is / 16. Which was removed?" in question 10
            sure = self.ahead[index] == number + 1 or self._asks(index)
            limit = 0 if not sure else _NEAR if not self._asks(index) else _FAR
        return self._resume(at, number) if gap <= limit else None

    def _stands_again(self, index: int, number: int) -> bool:
        """Whether a plain number opens a line once more below, before the next title."""
        for line in self.lines[index + 1 : index + 1 + _CHAPTER]:
            if line.kind is Kind.TITLE and not line.running_head:
                return False
            if line.label is not None and not line.label.prefix and line.label.number == number:
                return True
        return False

    def _base(self, number: int) -> Run:
        self._close(0)
        return self._push(number, nested=False)

    def _push(self, number: int, nested: bool = True) -> Run:
        if len(self.stack) == _DEEP:
            oldest = self.stack.pop(0)
            oldest.dropped = oldest.nested and not self._asking(oldest)
        inside = nested and (bool(self.stack) or self.open is not None)
        run = Run(len(self.runs), number - 1, nested=inside, within=self.open if inside else None)
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
            if not run.nested and self.lines[run.starts[0].line].zone is Zone.BODY:
                self.asked.add(frozenset(run.seen))

    def _asking(self, run: Run) -> bool:
        """Whether most of a count's items ask something, or answer something in an answer section."""
        if self.lines[run.starts[0].line].zone is Zone.ANSWERS:
            return all(answers(self.lines[s.line]) for s in run.starts) or self._repeats_questions(run)
        if len(run.starts) < 2 or self._is_led(run):
            return len(run.starts) > 1
        return sum(self._asks(s.line) for s in run.starts) * 2 >= len(run.starts)

    def _is_led(self, run: Run) -> bool:
        """Whether a common lead of its first items stands above a count: "In Exercises 1-4, solve the equation"."""
        first = run.starts[0].line
        above = next((line for line in reversed(self.lines[:first][-_NEAR:]) if line.kind is Kind.TEXT), None)
        return above is not None and serves(above.text, [start.label.label for start in run.starts], last=False) > 1

    def _repeats_questions(self, run: Run) -> bool:
        """Whether a count of answers has just the numbers of a count of questions: it answers the next chapter."""
        return len(run.seen) >= _NEAR and frozenset(run.seen) in self.asked

    def _asks(self, index: int) -> bool:
        after = self.lines[index + 1] if index + 1 < len(self.lines) else None
        return asks(self.lines[index], after)

    def _worded(self, index: int, line: Line, label: ItemLabel) -> None:
        if self.open and not self.headed and self._inside(line, label):
            return
        self._sure(index, label)

    def _sure(self, index: int, label: ItemLabel) -> None:
        """A label that needs no count; counts inside the item before are over."""
        if self.lines[index].zone is not Zone.ANSWERS:
            while self.stack and self.stack[-1].nested:
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
