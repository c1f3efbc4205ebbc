"""Which heading can hold which: by rank, by numbers, by what counts anew below what, by how they are set, by words."""

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
from operators.pdf.numbering.title_ranks import title_rank
from operators.pdf.numbering.titles import Title, read_title
from operators.pdf.rules.contents import Listing
from operators.pdf.rules.lines import BARE_PART, Kind, Line, Zone, is_paper

#: The ranks of headings below a lesson's: those of unknown wording and Part A, then 一、选择题 inside them.
GROUP, _INNER = 4, 5
#: The ranks, by their wording, of 3.1 and of 习题3.1.
SECTION, _EXERCISES = 2, 3
#: How far below parts their exercises stand, and titles, parts and exercises where these take turns.
_INSIDE, _TURNS = 0.5, re.compile(r"t?(?:pe){2,}")
#: How far below each other words of one size stand.
_BELOW = 0.01
#: The level of what is set as text is, and of sections in books without levels.
_SMALLEST = 99
_INNER_GROUP = re.compile(
    r"[一二三四五六七八九十]{1,3}\s*[、.．]|[-—–－−ー]、|(?:Section|Group)\b"
    r"|[（(【\[]?\D{0,4}(?:选择|填空|解答|判断|计算|证明)题?",
    re.IGNORECASE,
)
#: A word and what it counts by: Modulo A.
_COUNTER = re.compile(r"[^\W\d_]+ (?:\d{1,2}|[A-Z]|[IVXL]+)[.:]?")
#: The headings by their wording.
_WORDED = frozenset({Kind.TITLE, Kind.PART})
#: The lines that are headings, whatever they head.
HEADS = frozenset({Kind.TITLE, Kind.HEADING, Kind.PART, Kind.ANSWERS})


class HeadingRanks:
    """How high headings stand: as the contents list them, by their words, and by levels where parsers tell several."""

    def __init__(self, lines: Sequence[Line], listing: Listing) -> None:
        self.lines, self.listing = lines, listing
        #: By level, the highest rank of what is set so and tells its own; answers repeat those in smaller print.
        self.levels: dict[int, float] = {}
        for index, line in [(n, line) for n, line in enumerate(lines) if line.kind in _WORDED]:
            rank = title_rank(line.text) if line.kind is Kind.TITLE else GROUP if BARE_PART.match(line.text) else None
            level = title_level(lines, index) if rank is not None and line.zone is not Zone.ANSWERS else None
            if level is not None and rank is not None:
                self.levels[level] = min(rank, self.levels.get(level, rank))
        #: The words of no table that titles are counted by, the outermost first: Parte I stands above Capítulo 1.
        self.words = list(dict.fromkeys(word for x in lines if x.kind is Kind.TITLE and (word := _counted_by(x))))

    def of(self, index: int, title: Title) -> float:
        """The rank of a heading, 0 the highest: of unknown wording it is that of titles which are set alike."""
        line = self.lines[index]
        entry = self.listing.find(line.text)
        if entry is not None:
            return entry.rank
        rank = title_rank(line.text)
        if line.kind is Kind.PART or (line.kind is Kind.ANSWERS and rank == GROUP):  # Part B: Short answers
            return _INNER if _INNER_GROUP.match(line.text) else GROUP
        word = _counted_by(line)
        if line.kind is Kind.HEADING or word:
            level = title_level(self.lines, index)
            alike = GROUP if level is None else self.levels.get(level, GROUP)
            return alike + _BELOW * self.words.index(word) if word else alike
        if rank == _EXERCISES and title.kind == "exercise":
            return SECTION  # beside the section that they are of, unless they are set smaller
        if rank is None:
            return 1 if is_paper(line.text) or (len(title.numbers) == 1 and not title.kind) else 2
        return rank


def _counted_by(line: Line) -> str:
    """The word of no table by which a title is counted, if there is one."""
    mark = line.mark if line.kind is Kind.TITLE and title_rank(line.text) is None else None
    return mark.dress.word if mark is not None and not mark.dress.role else ""


def title_level(lines: Sequence[Line], index: int) -> int | None:
    """How large a heading is set, 1 the largest: for "Chapter 1" over "Sets" that of the larger line."""
    levels = [lines[i].block.level for i in {index, *whole_title(lines, index)} if lines[i].kind in HEADS]
    return min((level for level in levels if level is not None), default=None)


def whole_title(lines: Sequence[Line], index: int) -> list[int]:
    """The lines of a title: with the one behind it, if it is only a number, or that one alone, if it lost its point."""
    follower = _next_shown(lines, index) if lines[index].kind in (Kind.HEADING, Kind.TITLE) else None
    if follower is None or lines[follower].kind not in (Kind.HEADING, Kind.TITLE):
        return [index]
    if lines[index].kind is Kind.HEADING:
        return [index, follower] if _COUNTER.fullmatch(lines[index].text) and _is_larger(lines, follower) else [index]
    letter = read_letter(lines[follower].text)
    counts = letter is not None and (letter.sign or letter.end == len(lines[follower].text))  # Part A: Sets, no name
    if _is_number(lines[index], lines[follower]) and not counts:
        return [index, follower]
    if lines[follower].kind is Kind.TITLE:
        return [index]
    # A number that lost its point, "21 整式(1)" for 2.1, is no title by its wording.
    return [follower] if read_title(lines[follower].text).numbers else [index]


def _is_larger(lines: Sequence[Line], follower: int) -> bool:
    """Whether a heading of unknown wording is set larger than the one right above it."""
    own, above = lines[follower].block.level, lines[follower - 1].block.level
    return lines[follower].kind is Kind.HEADING and own is not None and above is not None and own < above


def _is_number(line: Line, following: Line) -> bool:
    """Whether a title is only a number: by its word, or by what follows, set as large or larger."""
    if not read_title(line.text).name:
        return True
    mark = line.mark if _counted_by(line) else None
    alone = mark is not None and mark.end == len(line.text)
    own, other = line.block.level, following.block.level
    return alone and (other is None or own is None or other <= own)


def _next_shown(lines: Sequence[Line], index: int) -> int | None:
    for at in range(index + 1, min(index + 4, len(lines))):
        if lines[at].kind is not Kind.HIDDEN:
            return at
    return None


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
