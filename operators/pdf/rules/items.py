"""Items with the lines that belong to them: question first, then the solution that stands with it."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise, takewhile

from operators.pdf.numbering import ItemLabel, find_solution_start, option_letter, solution_marker, sub_label
from operators.pdf.numbering.label_words import roles
from operators.pdf.numbering.numerals import number as value_of
from operators.pdf.rules.chapters import Chapter
from operators.pdf.rules.counts import Start
from operators.pdf.rules.leads import MOST, may_serve, serves
from operators.pdf.rules.lines import HEADINGS, Kind, Line, Role, Zone
from operators.pdf.rules.openers import learn_openers, opens_solution
from operators.pdf.rules.words import ASKS, BLANK, QED, QUESTION, READING, SOLVING, TOLD

#: Words that number parts of an item, as often as what stands beside items.
_STEPS = frozenset({"step", "case", "stage", "phase", "method", "way", "fig", "figure", "table"})
_PART_LEAD = re.compile(r"[一二三四五六七八九十]{1,3}\s*[、.．].{0,12}")
_GOES_ON = re.compile(r"请|仿照|类似|根据|按照|问题|上述|Now\b|Use (?:the|this) method|In the same way")
#: What is to be proved, not a proof, where nothing has been asked before.
_PROVED = re.compile(r"证明?\s+\$[^$]+\$\s*[。．.]?")
#: What explains an answer that stands above, by its number.
_EXPLAINED = re.compile(r"[【\[〖]?解[析答][】\]〗]?\s*[:：]?\s*第\s*(\d{1,3}|[一二三四五六七八九十]{1,3})\s*题")
#: Lines of a part's question, up to its own solution.
_PART_LINES = 12
#: Answers of a line each from which on what stands behind the last one is none of it.
_FEWEST = 5
_WORD, _FORMULA = re.compile(r"[^\W\d_]{3}|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"), re.compile(r"\$[^$]*\$")
_PARTS = ("abcdefgh", "123456789", ("i", "ii", "iii", "iv", "v", "vi"))
_NEXT_PART = {f"({one})": f"({two})" for parts in _PARTS for one, two in pairwise(parts)}


@dataclass(slots=True)
class Item:
    """An item while it is read; ``question`` and ``solution`` hold indices of lines."""

    label: ItemLabel
    start: int
    chapter: Chapter
    question: list[int] = field(default_factory=list)
    solution: list[int] = field(default_factory=list)
    answer: str = ""
    #: Where in its first line the item's own words end.
    end: int = 0
    #: The line that states the answer and nothing else.
    stated: int | None = None
    solving: bool = False
    done: bool = False

    @property
    def lines(self) -> set[int]:
        """All lines that it is read from."""
        return {self.start, *self.question, *self.solution} | ({self.stated} if self.stated is not None else set())

    @property
    def example(self) -> bool:
        """Whether the item is a worked example by its word."""
        return roles().get(self.label.prefix.casefold()) == "example"


@dataclass(slots=True)
class Picture:
    """A picture or caption on its own, and where it was met: ``item`` is the place of the last item begun."""

    line: int
    item: int
    inside: bool
    solving: bool


def read_items(lines: Sequence[Line], chapters: Sequence[Chapter]) -> tuple[list[Item], list[Picture]]:
    """The items of all chapters in book order with the lines of each, and the pictures still to hand out."""
    pending = [(start, chapter) for chapter in chapters for start in chapter.starts]
    pending.sort(key=lambda pair: (pair[0].line, pair[0].label.start))
    opening = {start.line for start, _ in pending}
    told = {start.label.label for start, chapter in pending if chapter.zone is Zone.ANSWERS}
    reader = _Reader(lines, opening, told, pending)
    reader.openers = learn_openers(lines, [start for start, _ in pending])
    at = 0
    for index, line in enumerate(lines):
        first = at
        while at < len(pending) and pending[at][0].line == index:
            at += 1
        if at > first:
            reader.begin(index, line, pending[first:at])
        else:
            reader.go_on(index, line, at)
    _mend(lines, reader.items)
    _explain(lines, reader.items)
    _end(lines, reader.items)
    asked = [item for item in reader.items if item.chapter.zone is not Zone.ANSWERS]
    if 2 * sum(any(ASKS.search(lines[i].text) for i in item.question) for item in asked) >= len(asked):
        _leave_out(reader, [n for n, item in enumerate(reader.items) if _is_statement(lines, item, told)])
    return reader.items, reader.pictures


def _explain(lines: Sequence[Line], items: Sequence[Item]) -> None:
    """Give explanations behind several answers, 【解析】第3题：, to the last answer before them with their number."""
    told: dict[str, Item] = {}
    for item in items:
        if item.chapter.zone is Zone.ANSWERS:
            told[item.label.label] = item
            owner = item
            for index in [i for i in item.solution if i != item.start]:
                found = _EXPLAINED.match(lines[index].text)
                owner = told.get(str(value_of(found[1])), owner) if found else owner
                if owner is not item:
                    item.solution.remove(index)
                    owner.solution.append(index)


def _end(lines: Sequence[Line], items: Sequence[Item]) -> None:
    """Leave what stands behind the last answer out of it where all others are a line each: "Well done!"."""
    told = [item for item in items if item.chapter.zone is Zone.ANSWERS and item.solution]
    if len(told) < _FEWEST or any(len(item.solution) > 1 for item in told[:-1]):
        return
    last = told[-1]
    for index in [i for i in last.solution if i != last.start]:
        line = lines[index]
        if line.kind is Kind.TEXT and line.text and not sub_label(line.text) and not option_letter(line.text):
            last.solution.remove(index)
            line.aside = True


def _is_statement(lines: Sequence[Line], item: Item, told: Set[str]) -> bool:
    """Whether an example asks nothing and has no solution, as those of a theory."""
    worked = item.solution or item.answer or item.label.label in told or item.chapter.zone is Zone.ANSWERS
    return item.example and not worked and not any(ASKS.search(lines[i].text) for i in item.question)


def _leave_out(reader: _Reader, left_out: Sequence[int]) -> None:
    """Take the items at these places for text that stands beside the others."""
    for n in reversed(left_out):
        for index in reader.items.pop(n).question:
            reader.lines[index].label, reader.lines[index].aside = None, True
        for picture in reader.pictures:
            picture.inside = picture.inside and picture.item != n
            picture.item -= picture.item >= n


class _Reader:
    def __init__(
        self, lines: Sequence[Line], opening: set[int], told: set[str], pending: Sequence[tuple[Start, Chapter]]
    ) -> None:
        self.lines = lines
        #: All items that begin anywhere, in order.
        self.pending = pending
        #: The labels of answers that stand apart.
        self.told = told
        self.opening = opening
        self.items: list[Item] = []
        self.item: Item | None = None
        self.pictures: list[Picture] = []
        self.stray: list[int] = []
        self.solves: bool | None = None
        self.file = lines[0].block.file if lines else 0
        #: Lines that serve several questions, and the labels of those questions that are still to come.
        self.common: list[int] = []
        self.served: list[Start] = []
        #: What opens solutions in this book alone.
        self.openers: frozenset[str] = frozenset()

    def begin(self, index: int, line: Line, opening: Sequence[tuple[Start, Chapter]]) -> None:
        """A line with one label or more; words before the first one end the item before."""
        first = opening[0][0].label.start
        before = line.text[:first].strip()
        if before and self.item is not None and not opening[0][0].headed and not _PART_LEAD.fullmatch(before):
            self._add(self.item, index)
        for number, (start, chapter) in enumerate(opening):
            item = Item(start.label, index, chapter, answer=start.answer)
            item.end = opening[number + 1][0].label.start if number + 1 < len(opening) else len(line.text)
            self.items.append(item)
            self.item = item
            if chapter.zone is Zone.ANSWERS:
                item.solution.append(index)
                item.solving = True
            else:
                item.question += self.stray if number == 0 else []
                if start in self.served:
                    item.question += self.common
                    self.served = self.served[self.served.index(start) + 1 :]
                item.question.append(index)
                self._solution_inside(item, index, line.text[start.label.end : item.end])
            self.stray = []

    def go_on(self, index: int, line: Line, coming: int) -> None:
        """A line without a label: more of the item that is open, or its end; ``coming`` is the place of the next."""
        kind = line.kind
        if line.block.file != self.file:
            self.item, self.file = None, line.block.file
        if kind is Kind.HIDDEN:
            return
        if kind in HEADINGS and not (line.running_head and kind is Kind.TITLE):
            self.item = None
            self.stray, self.common, self.served = [], [], []
            return
        if kind is Kind.TITLE:
            return
        item = self.item
        if kind is Kind.TEXT and (served := self._served_by(index, line, coming)):
            self.item, self.common, self.served = None, [index], served
        elif self.served and item is None and self.served[0] is self.pending[coming][0]:
            self.common.append(index)
        elif item is None or item.done:
            if kind is Kind.TEXT and line.zone is Zone.BODY and _later_part(line.text):
                self.stray.append(index)
            elif kind in (Kind.PICTURE, Kind.CAPTION):
                self.pictures.append(Picture(index, len(self.items) - 1, False, False))
        elif kind in (Kind.PICTURE, Kind.CAPTION):
            self.pictures.append(Picture(index, len(self.items) - 1, True, item.solving))
        elif (item.solving or item.example) and TOLD.match(line.text):
            item.done = True
        elif not item.solving and self._tells(line):
            item.done = line.aside = True
        else:
            self._solution_inside(item, index, line.text, whole=True)

    def _tells(self, line: Line) -> bool:
        """Whether a line is a remark or theorem whose number counts on with those of the items around it."""
        mark = line.mark
        if mark is None or mark.dress.role != "told" or self.item is None or mark.dress.word in _STEPS:
            return False
        own = self.lines[self.item.start].mark
        return own is not None and mark.numbers == (*own.numbers[:-1], own.numbers[-1] + 1)

    def _served_by(self, index: int, line: Line, coming: int) -> list[Start]:
        """The labels of the items that come next, if a line is their common lead."""
        if line.zone is not Zone.BODY or coming + 1 >= len(self.pending) or self._is_asked(index):
            return []
        start, chapter = self.pending[coming]
        if self._says_what_to_do(index, line, start):
            starts = [start for start, other in self.pending[coming : coming + MOST] if other is chapter]
            return list(takewhile(lambda start: _wordless(self.lines[start.line].text[start.label.end :]), starts))
        if not may_serve(line.text, start.label.number) or sub_label(line.text) or option_letter(line.text):
            return []
        starts = [start for start, other in self.pending[coming : coming + MOST] if other is chapter]
        between = self.lines[index + 1 : start.line]
        last = all(other.kind in (Kind.PICTURE, Kind.CAPTION, Kind.HIDDEN) for other in between)
        return starts[: serves(line.text, [start.label.label for start in starts], last)]

    def _is_asked(self, index: int) -> bool:
        """Whether a line stands right below a label alone: it is what that asks."""
        item = self.item
        if item is None or item.solving or item.question[-1:] != [item.start] or index != item.start + 1:
            return False
        return not self.lines[item.start].text[item.label.end : item.end].strip(" .:：")

    def _says_what_to_do(self, index: int, line: Line, start: Start) -> bool:
        """Whether a line says what to do with the formulas that come next, behind others: "Solve each inequality."."""
        item = self.item
        if item is None or index + 1 != start.line or not _wordless(self.lines[start.line].text[start.label.end :]):
            return False
        own = self.lines[item.start].text[item.label.end : item.end]
        return QUESTION.match(line.text) is not None and not item.solving and _wordless(own)

    def _add(self, item: Item, index: int) -> None:
        (item.solution if item.solving else item.question).append(index)

    def _solution_inside(self, item: Item, index: int, text: str, whole: bool = False) -> None:
        """Add a line to its item; from a sure marker on, the item's solution has begun."""
        if self.lines[index].role is Role.ANSWER:
            item.solving = True
        if item.solving and whole and self._asks_on(item, index):
            item.solving = False
        if item.solving:
            if whole and not item.solution and self._repeats_label(item, self.lines[index]):
                line = self.lines[index]  # Exercice 5 – corrigé
                line.kind, line.label, line.mark = Kind.HEADING, None, None
            elif whole:
                item.solution.append(index)
                item.done = text.endswith(QED)
            return
        if whole and opens_solution(self.lines[index], self.openers):
            item.solving = True
            item.solution.append(index)
            return
        at = find_solution_start(text)
        if not whole and at is not None and not text[:at].strip():
            # No question begins with its own solution: 1. 证明：… asks for a proof.
            at = None
        if at is None and whole and (item.example or text[:1] in "解证") and SOLVING.match(text):
            at = 0
        if at is None or not self._solves(item, index, text[at:]):
            if whole:
                item.question.append(index)
            return
        item.solving = True
        if whole and text[:at].strip():
            item.question.append(index)
        item.solution.append(index)
        item.done = whole and text.endswith(QED)

    def _repeats_label(self, item: Item, line: Line) -> bool:
        """Whether a heading names once more the item whose solution stands below it."""
        headed = line.role is Role.ANSWER and line.block.level is not None and self.lines[item.start].block.level
        return bool(headed) and line.mark is not None and line.mark.numbers[-1:] == (item.label.number,)

    def _asks_on(self, item: Item, index: int) -> bool:
        """Whether a line behind the solution of part (a) is part (b), with a solution of its own below it."""
        part = sub_label(self.lines[index].text)
        if part is None or item.chapter.zone is Zone.ANSWERS:
            return False
        starts = (
            line.text[item.label.end if i == item.start else 0 :] for i in item.question for line in [self.lines[i]]
        )
        asked = [label for label in map(sub_label, starts) if label]
        if not asked or _NEXT_PART.get(asked[-1]) != part:
            return False
        solved = [label for label in (sub_label(self.lines[i].text) for i in item.solution) if label]
        if (
            len(asked) > 1
            and item.question[-1] < item.solution[0]
            and _NEXT_PART.get(solved[-1] if solved else "") == part
        ):
            return False  # all was asked at once, and the solution counts its steps
        for at in range(index + 1, min(index + _PART_LINES, len(self.lines))):
            line = self.lines[at]
            if at in self.opening or line.kind in HEADINGS or sub_label(line.text):
                return False
            if solution_marker(line.text):
                return True
        return False

    def _solves(self, item: Item, index: int, solution: str) -> bool:
        """Whether words opened by 解 or Solution solve the item, and are no part of what it asks."""
        if item.example:
            return True
        if BLANK.search(solution) or (_PROVED.fullmatch(solution) and not self._asks(item)):
            return False
        if solution.startswith("证明") and item.label.label in self.told and not self._book_solves():
            return False  # what is proven elsewhere is asked here
        asked = " ".join(self.lines[i].text for i in item.question[:3])
        if READING.search(asked):
            return self._book_solves() and not self._resumes(item, index)
        return True

    def _asks(self, item: Item) -> bool:
        return any(ASKS.search(self.lines[i].text) for i in item.question)

    def _book_solves(self) -> bool:
        """Whether most exercises of the book are followed by a solution where they stand."""
        if self.solves is None:
            exercises = solved = 0
            inside = False
            for index, line in enumerate(self.lines):
                if index in self.opening:
                    word = roles().get(line.label.prefix.casefold()) if line.label is not None else "example"
                    inside = word not in ("example", "task") and line.zone is Zone.BODY
                    exercises += inside
                elif inside and line.kind is Kind.TEXT and solution_marker(line.text):
                    solved += 1
                    inside = False
            self.solves = solved * 2 > exercises
        return self.solves

    def _resumes(self, item: Item, index: int) -> bool:
        """Whether the question goes on behind a solution printed inside it."""
        parted = any(sub_label(self.lines[i].text) for i in item.question[1:])
        for at in range(index + 1, len(self.lines)):
            line = self.lines[at]
            if line.kind in HEADINGS or at in self.opening:
                return False
            if line.kind is Kind.TEXT and not parted and sub_label(line.text) == "(1)":
                return True
            if BLANK.search(line.text) or _GOES_ON.match(line.text):
                return True
        return False


def _wordless(text: str) -> bool:
    """Whether a text holds formulas and no word."""
    return _WORD.search(_FORMULA.sub("", text)) is None and any(map(str.isalnum, text))


def _later_part(text: str) -> bool:
    """Whether a line is a sub-question (2) or later, or an option after A: part of an item read too early."""
    letter = option_letter(text)
    if letter:
        return letter != "A"
    sub = sub_label(text)
    return sub is not None and sub.strip("()") not in ("1", "a", "i", "①") and not solution_marker(text)


def _mend(lines: Sequence[Line], items: Sequence[Item]) -> None:
    """Put sub-questions that were read ahead of their item behind its others, or leave them out."""
    for item in items:
        early = [i for i in item.question if i < item.start and _later_part(lines[i].text)]
        if not early:
            continue
        rest = [i for i in item.question if i not in early]
        there = {sub_label(lines[i].text) for i in rest if i > item.start}
        fits = there & {_before(sub_label(lines[i].text)) for i in early}
        item.question = rest + early if fits else rest


def _before(sub: str | None) -> str | None:
    digits = sub.strip("()") if sub else ""
    return f"({int(digits) - 1})" if digits.isdecimal() else None
