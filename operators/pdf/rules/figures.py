"""Pictures and footnotes handed to the items that they belong to: by caption, by what the texts ask for, by place."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from operators.pdf.blocks import Block
from operators.pdf.rules.captions import Caption, figures_called
from operators.pdf.rules.items import Item, Picture
from operators.pdf.rules.lines import Kind, Line, Zone
from operators.pdf.rules.words import FIGURE_WORD

#: How many items before and behind its place a picture can belong to.
_BACK, _ON = 3, 2
_NAMED_NEAR = 8
#: An ornament recurs this often, and covers no more than this share of a page (in thousandths squared).
_OFTEN, _SMALL = 3, 8_000


def hand_out(lines: Sequence[Line], items: Sequence[Item], pictures: Sequence[Picture]) -> None:
    """Add every picture's and loose caption's line to the items that it belongs to, ornaments to none."""
    _Desk(lines, items).hand_out(pictures)


class _Desk:
    def __init__(self, lines: Sequence[Line], items: Sequence[Item]) -> None:
        self.lines = lines
        self.items = items
        self.wanted: dict[int, int] = {}
        self.has: Counter[int] = Counter()
        self.by_number: dict[tuple[bool, str, int], list[int]] = defaultdict(list)
        for at, item in enumerate(items):
            if item.label.number is not None:
                self.by_number[self._key(item, item.label.prefix[:1], item.label.number)].append(at)

    def _key(self, item: Item | Line, prefix: str, number: int) -> tuple[bool, str, int]:
        zone = item.zone if isinstance(item, Line) else item.chapter.zone
        return zone is Zone.ANSWERS, prefix, number

    def hand_out(self, pictures: Sequence[Picture]) -> None:
        ornaments = _ornaments(self.lines, pictures)
        captions = self._captions(pictures)
        loose: dict[int, list[Picture]] = defaultdict(list)
        for picture in pictures:
            if picture.line in ornaments:
                continue
            caption = captions.get(picture.line)
            given = caption is not None and self._by_caption(picture, caption)
            if not given and self.lines[picture.line].kind is not Kind.CAPTION:
                loose[picture.item].append(picture)
        for at in sorted(loose):
            self._by_place(at, loose[at])

    def _captions(self, pictures: Sequence[Picture]) -> dict[int, Caption]:
        """The caption of each picture: its own, or one printed on a line next to it, mostly below."""
        found: dict[int, Caption] = {}
        waiting: list[Picture] = []
        last = -9
        for picture in pictures:
            line = self.lines[picture.line]
            if not self._adjacent(last, picture.line):
                waiting = []
            last = picture.line
            if line.kind is Kind.CAPTION:
                found[picture.line] = line.caption or Caption()
                for shown in waiting:
                    if line.caption and (shown.line not in found or not found[shown.line].low):
                        found[shown.line] = line.caption
                waiting = []
            else:
                if line.caption:
                    found[picture.line] = line.caption
                if picture.line not in found or not found[picture.line].low:
                    waiting.append(picture)
        return found

    def _adjacent(self, last: int, index: int) -> bool:
        return index - last <= 8 and all(self.lines[at].kind is Kind.HIDDEN for at in range(last + 1, index))

    def _by_caption(self, picture: Picture, caption: Caption) -> bool:
        if caption.low:
            owners = [
                at
                for number in range(caption.low, min(caption.high, caption.low + 20) + 1)
                if (at := self._nearest(caption.prefix, number, picture)) is not None
            ]
            for at in owners:
                self._give(at, picture.line)
            return bool(owners)
        return bool(caption.name) and self._by_name(picture, caption.name)

    def _nearest(self, prefix: str, number: int, picture: Picture) -> int | None:
        """The nearest item with this number: the one it stands in, or else of the same chapter."""
        if picture.item >= 0 and self.items[picture.item].label.number == number and not prefix:
            return picture.item
        line = self.lines[picture.line]
        among = self.by_number.get(self._key(line, prefix, number))
        if not among and prefix:
            among = self.by_number.get(self._key(line, "E", number))
        if not among:
            return None
        here = self.items[picture.item].chapter if picture.item >= 0 else None
        return min(among, key=lambda at: (self.items[at].chapter is not here, abs(at - picture.item)))

    def _by_name(self, picture: Picture, name: str) -> bool:
        low = max(0, picture.item - _NAMED_NEAR)
        near = range(low, min(len(self.items), picture.item + _NAMED_NEAR + 1))
        asking = [at for at in near if self._calls(self.items[at].question, name)]
        if not asking:
            solving = [at for at in near if self._calls(self.items[at].solution, name)]
            for at in solving:
                _insert(self.items[at].solution, picture.line)
            return bool(solving)
        if name[-1:] in "①②③④⑤⑥⑦⑧⑨" or name in ("图1", "图2", "图3"):
            # Such names are used anew by every question.
            asking = [min(asking, key=lambda at: (abs(at - picture.item), at > picture.item))]
        for at in asking:
            self._give(at, picture.line)
        return True

    def _calls(self, lines: Sequence[int], name: str) -> bool:
        return any(name in figures_called(self.lines[i].text) for i in lines if self.lines[i].text)

    def _by_place(self, at: int, group: list[Picture]) -> None:
        inside = [p for p in group if p.inside]
        if inside and self.items[at].chapter.zone is Zone.ANSWERS:
            for picture in inside:
                _insert(self.items[at].solution, picture.line)
            return
        if len(group) > 1 and self._each_its_own(at, group):
            return
        for picture in group:
            owner = self._owner(at, picture)
            if owner is None:
                continue
            if picture.solving and owner == at and (not self._lacks(at)):
                _insert(self.items[at].solution, picture.line)
            else:
                self._give(owner, picture.line)

    def _each_its_own(self, at: int, group: list[Picture]) -> bool:
        """Give pictures side by side to as many items near by that send their reader to one."""
        if at >= 0 and self._wants(at) >= len(group):
            return False
        low = max(0, at - _BACK)
        lacking = [
            k for k in range(low, min(len(self.items), at + _ON + 1)) if self._lacks(k) and self._near(k, group[0])
        ]
        if len(lacking) != len(group):
            return False
        for owner, picture in zip(lacking, sorted(group, key=self._across), strict=True):
            self._give(owner, picture.line)
        return True

    def _across(self, picture: Picture) -> tuple[int, int, float, int]:
        block = self.lines[picture.line].block
        if block.box is None:
            return (block.page, 0, 0.0, picture.line)
        return (block.page, round(block.box[1] / 120), block.box[0], picture.line)

    def _owner(self, at: int, picture: Picture) -> int | None:
        """Whose a picture without a caption is: where it stands, unless only a neighbour asks for one."""
        if at >= 0 and picture.inside and self._lacks(at):
            return at
        if at >= 0 and (not picture.inside or not self._wants(at)):
            for back in range(at - 1 if picture.inside else at, max(-1, at - _BACK), -1):
                if self._lacks(back) and self._near(back, picture):
                    return back
            following = at + 1
            if following < len(self.items) and self._lacks(following) and self._near(following, picture):
                return following
        if picture.inside:
            return at
        return at + 1 if at + 1 < len(self.items) and self._lacks(at + 1) and self._near(at + 1, picture) else None

    def _near(self, at: int, picture: Picture) -> bool:
        item, line = self.items[at], self.lines[picture.line]
        if item.chapter.zone is Zone.ANSWERS:
            return False
        return abs(self.lines[item.start].block.page - line.block.page) <= 1

    def _lacks(self, at: int) -> bool:
        return self.has[at] < self._wants(at)

    def _wants(self, at: int) -> int:
        """How many pictures an item's question sends its reader to."""
        if at not in self.wanted:
            text = " ".join(self.lines[i].text for i in self.items[at].question)
            named = {name for name in figures_called(text) if name.startswith(("图", "figure"))}
            own = sum(self.lines[i].kind is Kind.PICTURE for i in self.items[at].question)
            wanted = len(named) or bool(FIGURE_WORD.search(text))
            self.wanted[at] = 0 if self.items[at].chapter.zone is Zone.ANSWERS else max(0, int(wanted) - own)
        return self.wanted[at]

    def _give(self, at: int, index: int) -> None:
        """Add a line to an item's question."""
        if self.items[at].chapter.zone is Zone.ANSWERS:
            _insert(self.items[at].solution, index)
            return
        question = self.items[at].question
        if index not in question:
            self.has[at] += self.lines[index].kind is Kind.PICTURE
            _insert(question, index)


def _insert(among: list[int], index: int) -> None:
    """Put a line in its place in the reading order, never before an item's first."""
    place = len(among)
    while place > 1 and among[place - 1] > index:
        place -= 1
    if index not in among:
        among.insert(place, index)


def _ornaments(lines: Sequence[Line], pictures: Sequence[Picture]) -> set[int]:
    """Pictures without a caption that recur: the same file, or small ones of one size at one edge."""
    files: Counter[str] = Counter()
    places: Counter[tuple[int, int, int]] = Counter()
    plain = [p.line for p in pictures if lines[p.line].kind is Kind.PICTURE and lines[p.line].caption is None]
    for index in plain:
        block = lines[index].block
        files[block.image or ""] += 1
        for key in _places(block):
            places[key] += 1
    del files[""]
    return {
        index
        for index in plain
        if files[lines[index].block.image or ""] >= _OFTEN
        or any(places[key] >= _OFTEN for key in _places(lines[index].block))
    }


def _places(block: Block) -> list[tuple[int, int, int]]:
    """Rough left edge and size of a small picture, none for a large one."""
    if block.box is None:
        return []
    x0, y0, x1, y1 = block.box
    if (x1 - x0) * (y1 - y0) > _SMALL:
        return []
    return [(round(x0 / 24), round((x1 - x0) / 12), round((y1 - y0) / 12))]


_MARK = r"\^?\{?\s*(\d{1,2}|[*∗†‡§¶]{1,3}|[①-⑳])\}?"
_OPENS = re.compile(rf"\$?{_MARK}")
#: A mark stands behind a stop or a word: behind a letter it is an exponent.
_MARKED = re.compile(
    r"(?:(?<=[.?!,;:。，；？！”’\")）])|(?<=[A-Za-z]{3})|(?<=[\u4e00-\u9fff]))\s?\$?" rf"(?=[\^①-⑳∗†‡§¶]){_MARK}"
)


def add_footnotes(lines: Sequence[Line], items: Sequence[Item]) -> None:
    """Put each footnote behind the question or solution that its page marks with its sign."""
    notes = [index for index, line in enumerate(lines) if line.block.type == "page_footnote"]
    if not notes:
        return
    marked: dict[tuple[int, int, str], list[int]] = {}
    parts = [part for item in items for part in (item.question, item.solution)]
    for part in parts:
        for index in part:
            block = lines[index].block
            for found in _MARKED.finditer(lines[index].text):
                marked.setdefault((block.file, block.page, found[1]), part)
    for index in notes:
        block, mark = lines[index].block, _OPENS.match(lines[index].text)
        owner = marked.get((block.file, block.page, mark[1])) if mark else None
        if owner is not None and index not in owner:
            owner.append(index)
