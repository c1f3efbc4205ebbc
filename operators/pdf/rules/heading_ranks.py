"""How high headings stand, and which lines make one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from operators.pdf.numbering.dress import read_letter
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
