"""How high headings stand, and which lines make one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

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
        self.listing = listing
        #: By level, the highest rank of the titles set so; answers repeat those of the book in smaller print.
        self.levels: dict[int, float] = {}
        #: The same of titles alone.
        self.titles: dict[int, float] = {}
        #: The levels of several headings of unknown wording in the book's body.
        places = [n for n, line in enumerate(lines) if line.kind in HEADS]
        heads = [lines[n] for n in places]
        alike = Counter(
            x.block.level for x in heads if x.kind is Kind.HEADING and x.zone is Zone.BODY and not x.running_head
        )
        self.unknown = {level for level, count in alike.items() if level is not None and count > 1}
        self.sections = _SMALLEST
        for index, line in zip(places, heads, strict=True):
            if line.kind not in _WORDED or line.zone is Zone.ANSWERS:
                continue
            bare = line.kind is Kind.PART and BARE_PART.match(line.text)
            rank = title_rank(line.text) if line.kind is Kind.TITLE else GROUP if bare else None
            level = None if rank is None else title_level(lines, index)
            if level is not None and rank is not None:
                self.levels[level] = min(rank, self.levels.get(level, rank))
                if line.kind is Kind.TITLE:
                    self.titles[level] = min(rank, self.titles.get(level, rank))
                if rank == SECTION:
                    self.sections = level if self.sections == _SMALLEST else max(level, self.sections)
        if not self.levels:
            self.levels = _ranks_by_size(lines)
        #: Whether exercises set as sections are stand beside these.
        self.beside = self._are_beside(heads)
        #: Whether exercises stand in the parts of a book that has no titles.
        self.inside = _are_inside(heads)
        self.lines = lines
        #: The words of no table that titles are counted by, the outermost first: Parte I stands above Capítulo 1.
        self.words = list(dict.fromkeys(word for x in heads if x.kind is Kind.TITLE and (word := _counted_by(x))))

    def of(self, index: int, title: Title) -> float:
        """The rank of a heading, 0 the highest but for those that are set larger than all titles."""
        line = self.lines[index]
        entry = self.listing.find(line.text)
        if entry is not None:
            return entry.rank
        if line.kind is Kind.PART:
            if self.beside and line.block.level == self.sections and BARE_PART.match(line.text):
                return SECTION
            return self._of_part(line)
        if line.kind is Kind.ANSWERS and title_rank(line.text) == GROUP:
            return self._of_part(line)  # Part B: Short answers
        if line.kind is Kind.HEADING:
            return self._by_level(title_level(self.lines, index))
        level = line.block.level
        if word := _counted_by(line):
            return self._by_level(title_level(self.lines, index)) + _BELOW * self.words.index(word)
        rank = title_rank(line.text)
        if rank == _EXERCISES and title.kind == "exercise" and (_SMALLEST if level is None else level) <= self.sections:
            return SECTION  # beside the section that they are of, unless they are set smaller, or as text is
        if rank is None:
            return 1 if is_paper(line.text) or (len(title.numbers) == 1 and not title.kind) else 2
        return rank

    def _of_part(self, line: Line) -> float:
        """The rank of a part: set larger than all titles it holds them, as Part A may 1.1, else it is in them."""
        rank, level = _INNER if _INNER_GROUP.match(line.text) else GROUP, line.block.level
        if self.inside and BARE_PART.match(line.text):
            return rank + _INSIDE
        if level is None or (BARE_PART.match(line.text) and self.levels.get(level) == rank):
            return rank  # beside headings of unknown wording that are set alike
        if level in self.unknown and level not in self.titles:
            return self._by_level(level)
        if not BARE_PART.match(line.text) and self.titles and level < min(self.titles):
            return min(self.titles.values()) - 1 + _BELOW * level
        return rank + _BELOW * level

    def _are_beside(self, heads: Sequence[Line]) -> bool:
        """Whether most sections that others follow in their chapter, if any, have no exercises of their own."""
        own: list[bool] = []
        open_section = False
        worded = [line for line in heads if line.kind in _WORDED and line.zone is Zone.BODY]
        for line, before in zip(worded[1:], worded, strict=False):
            level = line.block.level if line.kind is Kind.TITLE and not line.running_head else None
            if level == self.sections and open_section:
                own.append(before.kind is Kind.PART)
            if level is not None:
                open_section = level == self.sections
        return 2 * sum(own) < len(own) or not own

    def _by_level(self, level: int | None) -> float:
        """The rank of a heading of unknown wording: that of titles set alike, or between those larger and smaller."""
        if level in self.levels:
            return self.levels[level]
        above = [rank for other, rank in self.levels.items() if level is not None and other < level]
        below = [rank for other, rank in self.levels.items() if level is not None and other > level]
        if above and below:
            return (max(above) + min(below)) / 2
        return min(below) - 1 if below else GROUP


def _are_inside(heads: Sequence[Line]) -> bool:
    """Whether parts and exercises take turns, two times at least: Part A, Exercises, Part B, Exercises."""
    worded = [x for x in heads if x.kind in _WORDED and x.zone is Zone.BODY and not x.running_head]
    told = "".join("t" if x.kind is Kind.TITLE else "e" if BARE_PART.match(x.text) else "p" for x in worded)
    return _TURNS.fullmatch(told) is not None


def _counted_by(line: Line) -> str:
    """The word of no table by which a title is counted, if there is one."""
    mark = line.mark if line.kind is Kind.TITLE and title_rank(line.text) is None else None
    return mark.dress.word if mark is not None and not mark.dress.role else ""


def _ranks_by_size(lines: Sequence[Line]) -> dict[int, float]:
    """The ranks of levels in a book in which no heading's wording tells one: the smallest that recurs heads groups."""
    heads = (n for n, line in enumerate(lines) if line.kind in (Kind.HEADING, Kind.TITLE) and not line.running_head)
    seen = Counter(title_level(lines, n) for n in heads)
    levels = sorted(level for level, count in seen.items() if level is not None and count > 1)
    return {level: float(GROUP - above) for above, level in enumerate(reversed(levels))}


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
    if _is_number(lines[index], lines[follower]) and title_rank(lines[follower].text) is None:
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
