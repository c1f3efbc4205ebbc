"""The tree of a book: which heading stands under which, from the contents page, the wording and the levels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from operators.pdf.numbering.titles import Title, read_title, title_rank
from operators.pdf.rules.contents import Listing
from operators.pdf.rules.lines import Kind, Line, Zone, is_paper

#: The ranks of headings below a lesson's: those of unknown wording and Part A, then 一、选择题 inside them.
_GROUP, _INNER = 4, 5
_INNER_GROUP = re.compile(
    r"[一二三四五六七八九十]{1,3}\s*[、.．]|[-—–－−ー]、|[（(【\[]?\D{0,4}(?:选择|填空|解答|判断|计算|证明)题?"
)
#: What a heading of a chapter's number is named if it heads only the end of that chapter.
_OF_A_CHAPTER = re.compile(r"复习|练习|习题|测试|检测|小结|exercise|problem|review|test|practice|questions")
_HEADS = frozenset({Kind.TITLE, Kind.HEADING, Kind.PART, Kind.ANSWERS})


@dataclass(slots=True)
class Node:
    """A heading: its lines' places, its rank (0 the highest), and the node it stands under, if any."""

    lines: list[int]
    rank: int
    title: Title
    parent: Node | None = None
    #: Whether it is the book's own title, which is in no path.
    own: bool = False

    def path(self, lines: Sequence[Line]) -> list[str]:
        """The printed headings from the outermost to this one; none for the book's own title."""
        if self.own:
            return []
        above = [] if self.parent is None else self.parent.path(lines)
        return [*above, " ".join(lines[i].text for i in self.lines)]


def read_outline(lines: Sequence[Line], listing: Listing) -> dict[int, Node]:
    """The node of each line that is a heading, or part of one.

    Every kind of heading is in it, so that an item that counts under 一、填空题 finds where that stands; only
    titles, and groups inside them, have headings below. ``lines`` must have their zones.
    """
    nodes: dict[int, Node] = {}
    above: list[Node] = []
    asked: list[Node] = []
    answers = False
    own_title = _own_title(lines)
    for index, line in enumerate(lines):
        if line.kind not in _HEADS or line.running_head or line.zone is Zone.CONTENTS or index in nodes:
            if line.kind is Kind.HIDDEN and index not in nodes and line.text and not line.block.shown:
                _add_silent(nodes, above, index, line)
            continue
        if answers is not (line.zone is Zone.ANSWERS):
            answers = not answers
            above, asked = asked if not answers else [], above
        title = read_title(line.text)
        rank = next((node.rank + 1 for node in above if _is_of(title, node.title)), _rank(line, listing))
        above = [node for node in above if node.rank < rank and _holds(node.title, title)]
        node = Node(whole_title(lines, index) if line.kind is Kind.TITLE else [index], rank, title)
        node.parent = above[-1] if above else None
        nodes.update(dict.fromkeys(node.lines, node))
        node.own = index == own_title
        if not node.own:
            above.append(node)
    return nodes


def _add_silent(nodes: dict[int, Node], above: Sequence[Node], index: int, line: Line) -> None:
    """A running head that reads like a title: a node, but one that nothing stands under."""
    rank, title = title_rank(line.text), read_title(line.text)
    if rank is not None and rank < _GROUP:
        over = [node for node in above if node.rank < rank and _holds(node.title, title)]
        nodes[index] = Node([index], rank, title, over[-1] if over else None)


def _is_of(title: Title, chapter: Title) -> bool:
    """Whether a heading is of what another one heads, as Chapter 1 Exercises are of Chapter 1 Lines."""
    same = bool(title.numbers) and title.numbers[:1] == chapter.numbers and title.kind == chapter.kind
    return same and title.name != chapter.name and bool(_OF_A_CHAPTER.search(title.name))


def _holds(outer: Title, inner: Title) -> bool:
    """Whether a heading can hold another by their numbers: 3.1 holds 3.1(2) and its exercises, but not 3.2(1)."""
    theirs, ours = outer.numbers, inner.numbers
    return len(theirs) < 2 or not ours or (ours[: len(theirs)] == theirs)


def _own_title(lines: Sequence[Line]) -> int:
    """The line of the book's own title: a heading of no lesson's wording, before all others; -1 for none."""
    for index, line in enumerate(lines):
        if line.kind in _HEADS and not line.running_head:
            return index if line.kind is Kind.HEADING else -1
    return -1


def _rank(line: Line, listing: Listing) -> int:
    if line.kind is Kind.PART:
        return _INNER if _INNER_GROUP.match(line.text) else _GROUP
    entry = listing.find(line.text)
    if entry is not None:
        return entry.rank
    if line.kind is Kind.HEADING:
        return _GROUP
    rank = title_rank(line.text)
    if rank is None:
        return 1 if is_paper(line.text) else 2
    return rank


def whole_title(lines: Sequence[Line], index: int) -> list[int]:
    """The lines of a title: with the one behind it, if it is only a number, or that one alone, if it lost its point."""
    follower = _next_shown(lines, index)
    if follower is None or lines[follower].kind is not Kind.HEADING:
        return [index]
    if not read_title(lines[index].text).name:
        return [index, follower]
    # A number that lost its point, "21 整式(1)" for 2.1, is no title by its wording.
    return [follower] if read_title(lines[follower].text).numbers else [index]


def _next_shown(lines: Sequence[Line], index: int) -> int | None:
    for at in range(index + 1, min(index + 4, len(lines))):
        if lines[at].kind is not Kind.HIDDEN:
            return at
    return None
