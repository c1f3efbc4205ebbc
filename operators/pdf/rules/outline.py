"""The tree of a book: which heading stands under which, from the contents page, the wording and the levels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from operators.pdf.numbering.title_ranks import title_rank
from operators.pdf.numbering.titles import Title, read_title
from operators.pdf.rules.contents import Listing
from operators.pdf.rules.heading_ranks import GROUP, HEADS, SECTION, HeadingRanks, whole_title
from operators.pdf.rules.lines import BARE_PART, Kind, Line, Zone

#: Lines below a heading in which its first item begins.
_NEAR = 12
#: What a heading of a chapter's number is named if it heads only the end of that chapter.
_OF_A_CHAPTER = re.compile(r"复习|练习|习题|测试|检测|小结|exercise|problem|review|test|practice|questions")


@dataclass(slots=True)
class Node:
    """A heading: its lines' places, its rank (0 the highest), and the node it stands under, if any."""

    lines: list[int]
    rank: float
    title: Title
    parent: Node | None = None
    #: Whether it is the book's own title, which is in no path.
    own: bool = False
    #: Whether numbers run on from it to the next of its kind, as Part A and Part B have them.
    runs_on: bool = False
    #: Whether its words recur under titles, as Exercises do: it tells that items begin, and not which.
    division: bool = False
    #: The only group of its items.
    holds: Node | None = None

    def path(self, lines: Sequence[Line]) -> list[str]:
        """The printed headings from the outermost to this one, under which its items count.

        None for the book's own title; that of the group that holds all of its items, if there is one. What numbers
        run on across is told only above headings at which they begin anew.
        """
        under: Node | None = self.holds or self
        while under is not None and (under.runs_on or under.division):
            under = under.parent
        path: list[str] = []
        while under is not None and not under.own:
            path.append(" ".join(lines[i].text for i in under.lines))
            under = under.parent
        return path[::-1]


def read_outline(lines: Sequence[Line], listing: Listing) -> dict[int, Node]:
    """The node of each line that is a heading, or part of one.

    Every kind of heading is in it, so that an item that counts under 一、填空题 finds where that stands; only
    titles, and groups inside them, have headings below. ``lines`` must have their zones.
    """
    nodes: dict[int, Node] = {}
    above: list[Node] = []
    asked: list[Node] = []
    answers = False
    own_titles = {index for file in _files(lines) for index in _own_titles(lines, file)}
    ranks = HeadingRanks(lines, listing)
    for index, line in enumerate(lines):
        if line.kind not in HEADS or line.running_head or line.zone is Zone.CONTENTS or index in nodes:
            repeated = (line.kind is Kind.HIDDEN and not line.block.shown) or line.kind is Kind.TITLE
            if repeated and line.text and line.zone is not Zone.CONTENTS and index not in nodes:
                _add_silent(nodes, above, index, line)
            continue
        if answers is not (line.zone is Zone.ANSWERS):
            answers = not answers
            above, asked = asked if not answers else [], above
        title = read_title(line.text)
        rank = next((node.rank + 1 for node in above if _is_of(title, node.title)), ranks.of(index, title))
        above = [node for node in above if node.rank < rank and _holds(node.title, title)]
        node = Node(whole_title(lines, index) if line.kind is Kind.TITLE else [index], rank, title)
        node.parent = above[-1] if above else None
        nodes.update(dict.fromkeys(node.lines, node))
        node.own = index in own_titles
        if not node.own:
            above.append(node)
    _mark_divisions(nodes, lines)
    _name_groups(nodes, lines)
    _mark_run_on(nodes, lines)
    _mark_counted_through(nodes, lines)
    return nodes


def _add_silent(nodes: dict[int, Node], above: Sequence[Node], index: int, line: Line) -> None:
    """A running head that reads like a title: a node, but one that nothing stands under."""
    rank, title = title_rank(line.text), read_title(line.text)
    if rank is not None and rank < GROUP:
        over = [node for node in above if node.rank < rank and _holds(node.title, title)]
        nodes[index] = Node([index], rank, title, over[-1] if over else None)


def _is_of(title: Title, chapter: Title) -> bool:
    """Whether a heading is of what another one heads, as Chapter 1 Exercises are of Chapter 1 Lines."""
    same = bool(title.numbers) and title.numbers[:1] == chapter.numbers and title.kind == chapter.kind
    return same and title.name != chapter.name and bool(_OF_A_CHAPTER.search(title.name))


def _holds(outer: Title, inner: Title) -> bool:
    """Whether a heading can hold another by their numbers: 3.1 holds 3.1(2) and its exercises, but not 3.2(1).

    Sections that are counted in each chapter, as 第一节 is, hold what has the chapter's number before theirs.
    """
    theirs, ours = outer.numbers, inner.numbers
    counted = len(theirs) > 1 or outer.kind in ("", "section")
    within = len(theirs) == 1 and ours[1:2] == theirs
    return not counted or not theirs or not ours or within or ours[: len(theirs)] == theirs


def _files(lines: Sequence[Line]) -> Iterator[range]:
    """The places of each file's lines."""
    start = 0
    for _, some in groupby(lines, key=lambda line: line.block.file):
        end = start + sum(1 for _ in some)
        yield range(start, end)
        start = end


def _own_titles(lines: Sequence[Line], file: range) -> frozenset[int]:
    """The lines of a file's own title: headings of no lesson's wording before the first item, which head all items.

    Where parsers tell no levels, that is the first heading at most.
    """
    heads = [i for i in file if lines[i].kind in HEADS and not lines[i].running_head]
    first = next((i for i in file if _count(lines[i]) is not None), -1)
    cover = _on_cover(lines, heads, first)
    if cover:
        return frozenset(cover)
    if not heads or lines[heads[0]].kind is not Kind.HEADING:
        return frozenset()
    if all(lines[i].block.level == lines[heads[0]].block.level for i in heads):
        # Quiz 1 and Quiz 2 are alike, and none is the book's title.
        word = _first_word(lines[heads[0]])
        alike = any(_first_word(lines[i]) == word for i in heads[1:] if lines[i].kind is Kind.HEADING)
        return frozenset(() if alike else heads[:1])
    title = next((i for i in heads if lines[i].kind is Kind.TITLE), len(lines))
    front = [i for i in heads if i < min(first, title) and lines[i].kind is Kind.HEADING] or heads[:1]
    later = [lines[i] for i in heads if i > first and lines[i].zone is Zone.BODY]
    return frozenset(i for i in front if not any(_is_beside(lines[i], line) for line in later))


def _on_cover(lines: Sequence[Line], heads: Sequence[int], first: int) -> list[int]:
    """The headings above the contents page, if none of them has a number, and all behind it are set smaller."""
    contents = next((i for i, line in enumerate(lines) if line.kind is Kind.CONTENTS), -1)
    cover = [i for i in heads if i < contents]
    levels = [lines[i].block.level for i in heads]
    if not cover or -1 < first < contents or None in levels or any(read_title(lines[i].text).numbers for i in cover):
        return []
    top = min(level for level in levels[: len(cover)] if level is not None)
    return cover if all(level is not None and level > top for level in levels[len(cover) :]) else []


def _is_beside(one: Line, two: Line) -> bool:
    """Whether a later heading is set as high as another, as Paper B is beside Paper A."""
    if one.block.level is None or two.block.level is None:
        return False
    return two.block.level < one.block.level or (two.kind is Kind.HEADING and two.block.level == one.block.level)


def _first_word(line: Line) -> str:
    return re.sub(r"[\d.]+", "#", line.text.split(maxsplit=1)[0])


def _mark_divisions(nodes: Mapping[int, Node], lines: Sequence[Line]) -> None:
    """Note headings whose words recur under one title after the other, each the only such above items of its title."""
    under: dict[int, set[str]] = {}
    words: dict[str, list[Node]] = {}
    for index, end in pairwise([*sorted(nodes), len(lines)]):
        node, text = nodes[index], lines[index].text
        above_items = any(_count(line) is not None for line in lines[index:end])
        if lines[index].kind is Kind.HEADING and node.parent is not None and above_items:
            words.setdefault(text, []).append(node)
            under.setdefault(id(node.parent), set()).add(text)
    for text, same in words.items():
        if len({id(node.parent) for node in same}) > 1 and all(under[id(node.parent)] == {text} for node in same):
            for node in same:
                node.division = True


def _name_groups(nodes: Mapping[int, Node], lines: Sequence[Line]) -> None:
    """Where a title has one group, and no numbered line before it, its items count under that.

    So do those of a book whose only heading is named Exercises, and those of Paper A if Paper B has the same title.
    """
    each = list({id(node): node for node in nodes.values() if lines[node.lines[0]].zone is Zone.BODY}.values())
    book = next((node for node in each if node.own), None)
    groups: dict[int, list[Node]] = {}
    for node in each:
        above = node.parent or book
        if above is not None and not node.own and lines[node.lines[0]].block.shown:
            groups.setdefault(id(above), []).append(node)
    titles = Counter(_place(node, lines) for node in each)
    for above in each:
        below = groups.get(id(above), [])
        named = [node for node in below if above.own and BARE_PART.match(lines[node.lines[0]].text)]
        counted = [node for node in below if _heads_a_count(lines, node) and not node.division]
        # Of several sets each but the first is told by its numbers, which begin anew.
        named = named or (counted[:1] if len(counted) in (1, len(below)) else [])
        if titles[_place(above, lines)] > 1 and len(below) == 1:
            named = [node for node in below if node.rank == GROUP]
        if len(named) != 1 or (len(below) > 1 if above.own else above.rank >= GROUP):
            continue
        between = lines[above.lines[-1] + 1 : named[0].lines[0]]
        if not any(line.label is not None or line.kind is Kind.TITLE for line in between):
            above.holds = named[0]


def _heads_a_count(lines: Sequence[Line], node: Node) -> bool:
    """Whether a heading of unknown wording stands right above a number 1."""
    if lines[node.lines[0]].kind is not Kind.HEADING or node.rank != GROUP:
        return False
    following = next((line for line in lines[node.lines[-1] + 1 :] if line.kind is not Kind.HIDDEN), None)
    count = _count(following) if following is not None else None
    return count is not None and count[1] == 1


def _place(node: Node, lines: Sequence[Line]) -> tuple[int, str]:
    """What tells two shown titles apart: where they stand, and their words."""
    first = lines[node.lines[0]]
    shown = first.block.shown and not first.running_head
    return id(node.parent) if shown else id(node), first.text


def _mark_run_on(nodes: Mapping[int, Node], lines: Sequence[Line]) -> None:
    """Note headings of no title's wording across which numbers run on: sections, which are in no path."""
    heads = sorted(index for index, node in nodes.items() if lines[index].kind is Kind.HEADING)
    for one, two in pairwise(heads):
        before, after = nodes[one], nodes[two]
        alike = before.parent is after.parent is not None and lines[one].block.level == lines[two].block.level
        if alike and not before.own and _counts_on(lines[one:two], lines[two : two + _NEAR]):
            before.runs_on = after.runs_on = True


def _mark_counted_through(nodes: Mapping[int, Node], lines: Sequence[Line]) -> None:
    """Note the sections of a chapter if numbers run on across all of them, as 1.1 to 1.13 do, and what is in them."""
    each = list({id(node): node for index, node in sorted(nodes.items()) if lines[index].zone is Zone.BODY}.values())
    ends = {one.lines[0]: two.lines[0] for one, two in pairwise(each)} | {each[-1].lines[0]: len(lines)} if each else {}
    sections: dict[int, list[tuple[Node, Sequence[Line]]]] = {}
    for at, node in enumerate(each):
        start = node.lines[0]
        if node.parent is not None and node.rank == SECTION and lines[start].kind is Kind.TITLE:
            end = next((other.lines[0] for other in each[at + 1 :] if other.rank <= node.rank), len(lines))
            if any(_count(line) is not None for line in lines[start:end]):
                sections.setdefault(id(node.parent), []).append((node, lines[start:end]))
    for group in sections.values():
        if len(group) > 1 and all(_counts_on(one, two) for (_, one), (_, two) in pairwise(group)):
            through = {id(node) for node, _ in group}
            inside = [node for node in each if id(node.parent) in through]
            begin = group[0][0].lines[0]
            on = any(_counts_on(lines[begin:at], lines[at : ends[at]]) for node in inside for at in node.lines[:1])
            for node in [*(node for node, _ in group), *(inside if on else ())]:
                node.runs_on = True


def _counts_on(one: Sequence[Line], two: Sequence[Line]) -> bool:
    """Whether numbers of one kind run on from some lines to those behind them, and those of none begin anew."""
    last = dict(count for line in one if (count := _count(line)) is not None)
    first = dict(count for line in reversed(two) if (count := _count(line)) is not None)
    both = [(number, first[kind]) for kind, number in last.items() if kind in first]
    return any(begin == end + 1 for end, begin in both) and not any(begin == 1 for _, begin in both)


def _count(line: Line) -> tuple[str, int] | None:
    """What comes before the number of a line's label, and the number."""
    if line.kind is not Kind.TEXT or line.label is None or line.label.number is None or line.zone is not Zone.BODY:
        return None
    return line.label.label.rstrip("0123456789"), line.label.number
