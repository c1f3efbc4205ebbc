"""The tree of a book: which heading stands under which, from the contents page, the wording and the levels."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import compress, pairwise, starmap, zip_longest
from operator import ne

from operators.pdf.numbering import ItemLabel
from operators.pdf.numbering.title_ranks import title_rank
from operators.pdf.numbering.titles import read_title
from operators.pdf.rules.contents import Listing
from operators.pdf.rules.lines import Kind, Line, Zone, is_bare_part
from operators.pdf.rules.nesting import GROUP, HEADS, HeadingRanks, Nesting, Node, contradict, title_level, whole_title

_TITLES = frozenset({Kind.HEADING, Kind.TITLE})
#: The lines that may be nodes: headings, and furniture that repeats them.
_TOLD = HEADS | {Kind.HIDDEN}


def read_outline(lines: Sequence[Line], listing: Listing) -> dict[int, Node]:
    """The node of each line that is a heading, or part of one.

    Every kind of heading is in it, so that an item that counts under 一、填空题 finds where that stands; only
    titles, and groups inside them, have headings below. ``lines`` must have their zones.
    """
    nodes: dict[int, Node] = {}
    above: list[Node] = []
    asked: list[Node] = []
    answers = False
    items = [index for index, line in enumerate(lines) if (label := line.label) is not None and _counts(line, label)]
    own_titles = {index for file in _files(lines) for index in _own_titles(lines, file, items)}
    ranks = HeadingRanks(lines, listing)
    nesting = Nesting(lines)
    as_headings = _set_as_headings(lines, items)
    told = [index for index, line in enumerate(lines) if line.kind in _TOLD]
    for index in sorted({*told, *as_headings}) if as_headings else told:
        line = lines[index]
        if index in as_headings:
            above = [node for node in above if not _ends(line, node, lines[node.lines[0]])]
            nodes[index] = Node([index], GROUP, read_title(""), parent=above[-1] if above else None, division=True)
            continue
        # A group may stand at the top of many pages: 三、解答题.
        repeats = line.running_head and (line.kind is not Kind.PART or line.block.level is None)
        if line.kind not in HEADS or repeats or line.zone is Zone.CONTENTS or index in nodes:
            repeated = (line.kind is Kind.HIDDEN and not line.block.shown) or line.kind is Kind.TITLE
            if repeated and line.text and line.zone is not Zone.CONTENTS and index not in nodes:
                _add_silent(nodes, above, index, line)
            continue
        whole = whole_title(lines, index)
        if answers is not (lines[whole[-1]].zone is Zone.ANSWERS):
            answers = not answers
            above, asked = asked if not answers else [], above
        title = read_title(line.text)
        node = Node(whole, ranks.of(index, title), title, nesting.style(index), title_level(lines, index))
        above = nesting.over(node, above)
        node.parent = above[-1] if above else None
        nodes.update(dict.fromkeys(node.lines, node))
        # "With answers" below a book's title tells nothing of whose they are.
        tells = line.zone is Zone.BODY and title.is_answers and not title.numbers
        node.own = index in own_titles or (tells and bool(items) and index < items[0])
        if not node.own:
            above.append(node)
    _mark_divisions(nodes, lines, items)
    return nodes


def _set_as_headings(lines: Sequence[Line], items: Sequence[int]) -> frozenset[int]:
    """The first lines of items that are headings, as on slides, where most are, and by their words."""
    found = [index for index in items if lines[index].block.level is not None]
    most = 2 * len(found) > len(items)
    return frozenset(index for index in found if most or title_rank(lines[index].text) == GROUP)


def _ends(item: Line, node: Node, head: Line) -> bool:
    """Whether an item that is a heading ends another one: what is set alike, or a group, as 思维与拓展1 does."""
    own, other = item.block.level, head.block.level
    alike = own is not None and other is not None and own <= other
    return node.rank >= GROUP if title_rank(item.text) == GROUP else alike


def _add_silent(nodes: dict[int, Node], above: Sequence[Node], index: int, line: Line) -> None:
    """A running head that reads like a title: a node, but one that nothing stands under."""
    rank, title = title_rank(line.text), read_title(line.text)
    if rank is not None and rank < GROUP:
        over = [node for node in above if node.rank < rank and not contradict(node.title, title)]
        nodes[index] = Node([index], rank, title, parent=over[-1] if over else None)


def _files(lines: Sequence[Line]) -> Iterator[range]:
    """The places of each file's lines."""
    files = [line.block.file for line in lines]
    turns = compress(range(1, len(files)), map(ne, files, files[1:]))
    return starmap(range, pairwise([0, *turns, len(lines)] if lines else []))


def _own_titles(lines: Sequence[Line], file: range, items: Sequence[int]) -> frozenset[int]:
    """The lines of a file's own title: headings of no lesson's wording before the first item, which head all items.

    Where parsers tell no levels, that is the first heading at most.
    """
    own = lines[file.start : file.stop]
    heads = [i for i, line in enumerate(own, file.start) if line.kind in HEADS and not line.running_head]
    first = next((i for i in items[bisect_left(items, file.start) :][:1] if i in file), -1)
    cover = _on_cover(lines, heads, first)
    if cover:
        return frozenset(cover)
    titles = [i for i in heads if lines[i].kind is Kind.TITLE and lines[i].zone is Zone.BODY]
    if len(titles) == 1 and titles[0] < first and not read_title(lines[titles[0]].text).numbers:
        return frozenset(i for i in heads if i <= titles[0])  # a paper's
    if not heads or (lines[heads[0]].kind is not Kind.HEADING and not _is_largest(lines, heads, first)):
        return frozenset()
    if all(lines[i].block.level == lines[heads[0]].block.level for i in heads):
        # Quiz 1 and Quiz 2 are alike, and none is the book's title.
        word = _first_word(lines[heads[0]])
        alike = any(_first_word(lines[i]) == word for i in heads[1:] if lines[i].kind is Kind.HEADING)
        together = heads[-1] < first and all(two - one == 1 for one, two in pairwise(heads))
        titled = heads if together else heads[:1]
        return frozenset(() if alike or -1 < first < titled[0] else titled)
    sizes = Counter(lines[i].block.level for i in heads if lines[i].zone is Zone.BODY)
    title = next((i for i in heads if lines[i].kind is Kind.TITLE and not _is_alone(lines[i], sizes)), len(lines))
    front = [i for i in heads if i < min(first, title) and lines[i].kind in _TITLES] or heads[:1]
    later = [lines[i] for i in heads if i > first and lines[i].zone is Zone.BODY]
    return frozenset(i for i in front if not any(_is_beside(lines[i], line) for line in later))


def _is_largest(lines: Sequence[Line], heads: Sequence[int], first: int) -> bool:
    """Whether the first heading is set larger than all others, above the first item, without a number of its own."""
    title, levels = lines[heads[0]], [lines[i].block.level for i in heads]
    largest = all(level is not None and level > (levels[0] or 0) for level in levels[1:]) and levels[0] is not None
    return largest and len(heads) > 1 and heads[0] < first and not read_title(title.text).numbers


def _is_alone(title: Line, sizes: Mapping[int | None, int]) -> bool:
    """Whether a title has no number and is the only heading of its size, those of answers left out."""
    return title.block.level is not None and sizes[title.block.level] == 1 and not read_title(title.text).numbers


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
    """Whether a later heading is set as high as another, as Paper B is beside Paper A, or neither as one."""
    if one.block.level is None or two.block.level is None:
        alike = one.block.level is two.block.level or _first_word(one) == _first_word(two)
        return alike and one.kind is two.kind
    return two.block.level < one.block.level or (two.kind is Kind.HEADING and two.block.level == one.block.level)


def _first_word(line: Line) -> str:
    return re.sub(r"[\d.]+", "#", line.text.split(maxsplit=1)[0])


def _mark_divisions(nodes: Mapping[int, Node], lines: Sequence[Line], items: Sequence[int]) -> None:
    """Note headings that only tell that items begin: Exercises, and words that recur so under titles.

    Such words are the only heading above items under each of their titles. Where each stands in the last section of its
    chapter, and there alone, it is the chapter's.
    """
    under: dict[int, set[str]] = {}
    words: dict[str, list[Node]] = {}
    each = list({id(node): node for _, node in sorted(nodes.items())}.values())
    for node, following in zip_longest(each, each[1:]):
        first, end = lines[node.lines[0]], following.lines[0] if following is not None else len(lines)
        bare = is_bare_part(first.text) or (node.title.is_answers and not node.title.name and not node.title.numbers)
        # "Exercises 3.1" under "3.1 Powers" tells no more.
        above = node.parent.title.numbers if node.parent is not None else ()
        repeats = (
            node.title.kind == "exercise" and not node.title.name and len(above) > 1 and above == node.title.numbers
        )
        node.division = node.division or bool(bare) or repeats
        above_items = bisect_left(items, node.lines[0]) < bisect_left(items, end)
        counted = bool(node.style.shape)
        if first.kind in (Kind.HEADING, Kind.PART) and node.parent is not None and above_items and not counted:
            words.setdefault(first.text, []).append(node)
            under.setdefault(id(node.parent), set()).add(first.text)
    for text, same in words.items():
        if len({id(node.parent) for node in same}) > 1 and all(under[id(node.parent)] == {text} for node in same):
            for node in same:
                node.division = node.division or lines[node.lines[0]].kind is Kind.HEADING
        if all(node.division for node in same):
            _lift(same, each)
    _keep_what_tells_apart(each, lines)


def _keep_what_tells_apart(each: Sequence[Node], lines: Sequence[Line]) -> None:
    """Let divisions of one chapter stand in paths if numbers begin anew in each: 课堂练习 and 课后作业."""
    under: dict[int, list[tuple[Node, set[str]]]] = {}
    for node, following in zip_longest(each, each[1:]):
        end = following.lines[0] if following is not None else len(lines)
        if node.division and node.parent is not None:
            below = (lines[i] for i in range(node.lines[-1] + 1, end))
            labels = {line.label.label for line in below if line.kind is Kind.TEXT and line.label is not None}
            under.setdefault(id(node.parent), []).append((node, labels))
    for held in under.values():
        for node, labels in held:
            rivals = [other for other, theirs in held if labels & theirs and other is not node]
            if any(lines[other.lines[0]].text != lines[node.lines[0]].text for other in rivals):
                node.division = False


def _lift(divisions: Sequence[Node], each: Sequence[Node]) -> None:
    """Put divisions under the chapters that they end, if no section but the last of most chapters has its own."""
    chapters = [node.parent.parent for node in divisions if node.parent is not None]
    last = {id(node.parent): node for node in each if node.parent is not None and not node.division}
    sections = Counter(id(node.parent) for node in each if not node.division)
    ends = [
        over is not None and last.get(id(over)) is node.parent for node, over in zip(divisions, chapters, strict=True)
    ]
    held = Counter(map(id, chapters))
    if all(ends) and max(held.values()) == 1 and 2 * sum(sections[id(over)] > 1 for over in chapters) > len(chapters):
        for node, over in zip(divisions, chapters, strict=True):
            node.parent = over


def _counts(line: Line, label: ItemLabel) -> bool:
    """Whether a line opens an item with a number that is no answer."""
    return line.kind is Kind.TEXT and label.number is not None and line.zone is Zone.BODY
