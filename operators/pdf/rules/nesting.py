"""Which heading can hold which: by their numbers, by what counts anew below what, by how they are set, by words."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from operators.pdf.numbering.dress import read_letter
from operators.pdf.numbering.numerals import CHINESE
from operators.pdf.numbering.titles import Title, read_title
from operators.pdf.rules.heading_ranks import HEADS
from operators.pdf.rules.lines import Line, Zone

#: What a heading of a chapter's number is named if it heads only the end of that chapter.
_OF_A_CHAPTER = re.compile(r"复习|练习|习题|测试|检测|小结|exercise|problem|review|test|practice|questions")
#: A group's heading, and what it says of the group behind its name.
_GROUP = re.compile(rf"(?P<name>[{CHINESE}]{{1,3}}[、.．]\s?[^：:（(。]{{2,12}})[：:].{{8,}}")
#: So many headings of a kind tell how they count.
_FEWEST = 2


class Style(NamedTuple):
    """What headings of one kind have in common: how they are counted, or their words."""

    word: str
    shape: str


#: That of headings without numbers whose words stand once.
PLAIN = Style("", "")


def _name(text: str) -> str:
    """A heading without what is said of its group behind its name: 一、选择题：本题共 8 小题，每小题 5 分."""
    found = _GROUP.fullmatch(text)
    return found["name"].strip() if found else text


@dataclass(slots=True)
class Node:
    """A heading: its lines' places, its rank (0 the highest), and the node it stands under, if any."""

    lines: list[int]
    rank: float
    title: Title
    style: Style = PLAIN
    #: How large it is set, 1 the largest.
    level: int | None = None
    parent: Node | None = None
    #: Whether it is the book's own title, which is in no path.
    own: bool = False
    #: Whether it only tells that items begin, and not which: Exercises, or what recurs so under titles.
    division: bool = False

    def path(self, lines: Sequence[Line]) -> list[str]:
        """The printed headings from the outermost to this one, but for the book's own title and divisions."""
        path: list[str] = []
        under: Node | None = self
        while under is not None:
            if not under.own and not under.division:
                path.append(_name(" ".join(lines[i].text for i in under.lines)))
            under = under.parent
        return path[::-1]

    def is_under(self, other: Node) -> bool:
        """Whether it stands below another heading."""
        node = self.parent
        while node is not None and node is not other:
            node = node.parent
        return node is not None


class Nesting:
    """What a book's headings tell about which of them stand under which."""

    def __init__(self, lines: Sequence[Line]) -> None:
        heads = [
            index
            for index, line in enumerate(lines)
            if line.kind in HEADS and line.zone is not Zone.CONTENTS and not line.running_head
        ]
        texts = Counter(lines[index].text for index in heads)
        #: Where the headings of each style stand, and their last numbers, 0 for none; those of answers left out.
        self._places: dict[Style, list[tuple[int, int]]] = defaultdict(list)
        self.styles: dict[int, Style] = {}
        for index in heads:
            line = lines[index]
            style, number = _style(line, read_title(line.text), texts[line.text])
            self.styles[index] = style
            if style != PLAIN and line.zone is not Zone.ANSWERS:
                self._places[style].append((index, number))
        self._told: dict[tuple[Callable[..., bool], Style, Style], bool] = {}

    def style(self, index: int) -> Style:
        """The style of the heading that begins at a line."""
        return self.styles.get(index, PLAIN)

    def over(self, node: Node, above: Sequence[Node]) -> list[Node]:
        """Those of the headings above a new one, from the outermost on, under which it stands."""
        own = [
            place
            for place, outer in enumerate(above, 1)
            if is_of(node.title, outer.title) or self._in_each(outer, node)
        ]
        if own:
            held = own[-1]
            while held < len(above) and self._is_only_section(above[held - 1], above[held], node):
                held += 1
            return list(above[:held])
        held = 0
        while held < len(above) and self._holds(above[held], node):
            held += 1
        return list(above[:held])

    def _is_only_section(self, chapter: Node, section: Node, inner: Node) -> bool:
        """Whether chapters have one counted section each, which is set larger than what stands once in each chapter."""
        alone = bool(section.style.shape) and len(self._places[chapter.style]) == len(self._places[section.style])
        return alone and section.level is not None and (inner.level is None or section.level < inner.level)

    def _in_each(self, outer: Node, inner: Node) -> bool:
        return self._tells(Nesting._stands_in_each, outer, inner)

    def _holds(self, outer: Node, inner: Node) -> bool:
        """Whether one heading can stand above another that comes later, and is not of it by its words."""
        as_large = outer.level is None or inner.level is None or outer.level == inner.level
        if outer.style == inner.style and outer.style != PLAIN and as_large:
            return False
        if contradict(outer.title, inner.title):
            return False
        if _counts_in(inner.title, outer.title) or self._tells(Nesting._counts_under, outer, inner):
            return True
        if self._tells(Nesting._counts_under, inner, outer):
            return False
        if outer.level is not None and inner.level is not None and not as_large:
            return outer.level < inner.level
        return outer.rank < inner.rank or (
            outer.rank == inner.rank and self._tells(Nesting._recurs_under, outer, inner)
        )

    def _tells(self, question: Callable[[Nesting, Style, Style], bool], outer: Node, inner: Node) -> bool:
        """What is found of two styles, which are looked at once."""
        key = question, outer.style, inner.style
        if key not in self._told:
            self._told[key] = question(self, outer.style, inner.style)
        return self._told[key]

    def _counts_under(self, outer: Style, inner: Style) -> bool:
        """Whether the headings of one style begin to count anew below those of another, and nowhere else."""
        over, below = self._places[outer], self._places[inner]
        if not outer.shape or not inner.shape or len(over) < _FEWEST or len(below) < _FEWEST:
            return False
        if any(two <= one for (_, one), (_, two) in pairwise(over)):
            return False
        anew = [(one, two) for one, two in pairwise(below) if two[1] <= one[1]]
        return bool(anew) and all(bisect_left(over, one) < bisect_left(over, two) for one, two in anew)

    def _recurs_under(self, outer: Style, inner: Style) -> bool:
        """Whether below each heading of one style some of another stand, and none before the first."""
        over, below = ([index for index, _ in self._places[style]] for style in (outer, inner))
        if not outer.shape or len(over) < _FEWEST or not below or below[0] < over[0]:
            return False
        ends = [*over, below[-1] + 1]
        return all(bisect_left(below, one) < bisect_left(below, two) for one, two in pairwise(ends))

    def _stands_in_each(self, outer: Style, inner: Style) -> bool:
        """Whether the same words stand once below each heading that counts on: they are of these, however large."""
        over, below = self._places[outer], [index for index, _ in self._places[inner]]
        rises = all(one < two for (_, one), (_, two) in pairwise(over))
        return not inner.shape and rises and len(below) == len(over) and self._recurs_under(outer, inner)


def _style(line: Line, title: Title, times: int) -> tuple[Style, int]:
    """A heading's style, and its last number, 0 for none."""
    if title.numbers and title.part is None:
        word = title.kind
        if line.mark is not None and line.mark.dress.word:
            word = line.mark.dress.word
        return Style(word, ".".join("1" * len(title.numbers))), title.numbers[-1]
    if line.mark is not None and len(line.mark.numbers) == 1 and title.part is None:
        return Style(line.mark.dress.word, line.mark.dress.shape + line.mark.dress.signs), line.mark.numbers[0]
    if letter := read_letter(line.text):
        return Style(letter.word, "A" + letter.sign), letter.numbers[-1]
    if times > 1:
        return Style(line.text, ""), 0
    return PLAIN, 0


def _counts_in(inner: Title, outer: Title) -> bool:
    """Whether a heading's numbers begin with those of another one: 1.1 in Lesson 1."""
    theirs, ours = outer.numbers, inner.numbers
    longer = len(ours) > len(theirs) > 0 and ours[: len(theirs)] == theirs
    return longer and outer.kind not in ("exercise", "test") and outer.part is None


def contradict(outer: Title, inner: Title) -> bool:
    """Whether a heading cannot hold another by their numbers: 3.1 holds 3.1(2) and its exercises, but not 3.2(1).

    Sections that are counted in each chapter, as 第一节 is, hold what has the chapter's number before theirs.
    """
    theirs, ours = outer.numbers, inner.numbers
    counted = len(theirs) > 1 or outer.kind in ("", "section")
    within = len(theirs) == 1 and ours[1:2] == theirs
    return bool(counted and theirs and len(ours) > 1 and not within and ours[: len(theirs)] != theirs)


def is_of(title: Title, chapter: Title) -> bool:
    """Whether a heading is of what another one heads, as Chapter 1 Exercises are of Chapter 1 Lines."""
    if title.kind == "exercise" and len(title.numbers) > 1 and title.numbers == chapter.numbers:
        return chapter.kind != "exercise"  # Exercises 4.1 of 4.1 Powers
    same = bool(title.numbers) and title.numbers[:1] == chapter.numbers and title.kind == chapter.kind
    return same and title.name != chapter.name and bool(_OF_A_CHAPTER.search(title.name))
