"""The heading that each item stands under: the innermost one at which numbering starts anew."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from operators.pdf.numbering.title_ranks import title_rank
from operators.pdf.numbering.titles import read_title
from operators.pdf.rules.counts import Start
from operators.pdf.rules.lines import HEADINGS, Kind, Line, Zone
from operators.pdf.rules.nesting import Node, whole_title
from operators.pdf.rules.words import ANSWER_PASS


@dataclass(slots=True)
class Chapter:
    """A stretch of items with one title; ``title`` holds indices of lines."""

    title: list[int] = field(default_factory=list)
    zone: Zone = Zone.BODY
    labels: set[str] = field(default_factory=set)
    #: The title is a guess that a better heading may replace.
    provisional: bool = False
    #: Headings passed since the chapter began.
    passed: list[int] = field(default_factory=list)
    starts: list[Start] = field(default_factory=list)
    #: The parts, 一、选择题 or Paper A, between its title and its first item.
    opening: list[int] = field(default_factory=list)


def group(lines: Sequence[Line], starts: Sequence[Start], outline: Mapping[int, Node]) -> list[Chapter]:
    """The chapters of these items, in order; every item is in one."""
    grouping = _Grouping(lines, outline)
    headings = [i for i, line in enumerate(lines) if line.kind in HEADINGS or line.kind is Kind.HIDDEN]
    at = 0
    for start in starts:
        end = bisect_left(headings, start.line, at)
        grouping.place(start, headings[at:end])
        at = end
    return grouping.chapters


class _Grouping:
    def __init__(self, lines: Sequence[Line], outline: Mapping[int, Node]) -> None:
        self.lines = lines
        self.outline = outline
        self.chapters: list[Chapter] = []
        self.last_run = -1
        self.heads = _first_heads(lines)
        self.last_heads = {(lines[i].block.file, lines[i].block.page): i for i in sorted(self.heads)}

    def place(self, start: Start, between: Sequence[int]) -> None:
        """Put an item into the chapter in force, or begin the chapter that the headings before it open."""
        zone = self.lines[start.line].zone
        chapter = self.chapters[-1] if self.chapters else None
        titles = self._titles(chapter, between, zone)
        others = [i for i in between if self._is_other(i) and i not in titles]
        plain = not start.label.prefix
        runs_on = plain and start.run == self.last_run
        again = start.label.number is not None and chapter is not None and start.label.label in chapter.labels
        if chapter is None or chapter.zone is not zone:
            chapter = self._begin(zone, titles, others, between)
        elif titles:
            titles = self._late(chapter, titles)
            chapter = self._at_titles(chapter, titles, runs_on, again)
        elif again:
            chapter = self._restart(chapter, others, [*between, *self._heads_of_page(start.line)])
        elif others:
            chapter.passed.append(others[-1])
        if not chapter.starts:
            chapter.opening = [i for i in others if self.lines[i].kind is Kind.PART]
        chapter.labels.add(start.label.label)
        chapter.starts.append(start)
        if plain:
            self.last_run = start.run

    def _titles(self, chapter: Chapter | None, between: Sequence[int], zone: Zone) -> list[int]:
        """The headings that open a chapter: titles, and headings that end one since they are set larger."""
        found: list[int] = []
        for index in between:
            above = [*(chapter.title if chapter is not None else ()), *found]
            opens = self._is_other(index) and self._opens(index, above)
            if opens or self._is_title(index, zone):
                found.append(index)
        return found

    def _opens(self, index: int, titles: Sequence[int]) -> bool:
        """Whether a heading of unknown wording has items of its own, or ends what the last of some titles heads.

        The book's own title and divisions, such as Exercises, have none.
        """
        node = self.outline.get(index)
        if self.lines[index].kind is not Kind.HEADING or node is None or node.own or node.lines[0] != index:
            return False
        last = self.outline.get(titles[-1]) if titles else None
        return not node.division or (last is not None and not node.is_under(last))

    def _is_other(self, index: int) -> bool:
        """Whether a line is a heading that may open a chapter; none of front matter does, and no running head."""
        line = self.lines[index]
        return line.kind in (Kind.PART, Kind.HEADING) and line.zone is not Zone.FRONT and index in self.outline

    def _is_title(self, index: int, zone: Zone) -> bool:
        line = self.lines[index]
        if line.kind is Kind.TITLE:
            return True
        return line.kind is Kind.ANSWERS and zone is Zone.ANSWERS and _names_a_chapter(line.text)

    def _begin(self, zone: Zone, titles: list[int], others: list[int], between: Sequence[int]) -> Chapter:
        """A chapter where nothing or another zone was before."""
        chapter = Chapter(zone=zone)
        named = self._named(others)
        if titles:
            chapter.title = whole_title(self.lines, titles[-1])
        elif zone is Zone.ANSWERS:
            chapter.title = self._answered(between)
        elif named:
            chapter.title, chapter.provisional = named, True
        else:
            chapter.title, chapter.provisional = self._head(between), True
        self.chapters.append(chapter)
        return chapter

    def _named(self, others: Sequence[int]) -> list[int]:
        """The last of some headings of unknown wording, or the title that it divides."""
        last = next((i for i in reversed(others) if self.lines[i].kind is Kind.HEADING), None)
        node = None if last is None else self.outline.get(last)
        if node is not None and node.division and node.parent is not None:
            return list(node.parent.lines)
        return [] if last is None else [last]

    def _answered(self, between: Sequence[int]) -> list[int]:
        """The title of answers without one: the chapter at whose end they stand, or else 参考答案 itself."""
        questions = []
        for chapter in reversed(self.chapters):
            if chapter.zone is Zone.ANSWERS:
                break
            questions.append(chapter)
        if len(questions) == 1 and questions[0].title:
            return list(questions[0].title)
        return [i for i in between if self.lines[i].kind is Kind.ANSWERS][-1:]

    def _late(self, chapter: Chapter, titles: list[int]) -> list[int]:
        """The titles that head what follows: one at the foot of its own page heads the items above it."""
        if chapter.title or len(titles) < 2 or not chapter.starts:
            return titles
        own, page = titles[0], self.lines[chapter.starts[-1].line].block.page
        if self.lines[own].block.page != page or self.lines[titles[1]].block.page == page:
            return titles
        chapter.title, chapter.provisional = [own], False
        return titles[1:]

    def _at_titles(self, chapter: Chapter, titles: list[int], runs_on: bool, again: bool) -> Chapter:
        if runs_on and not again:
            fresh = [i for i in titles if not self.lines[i].running_head]
            if not fresh:
                return chapter
            if not chapter.title or (chapter.provisional and self.lines[fresh[-1]].kind is Kind.TITLE):
                # A title printed below the first of its items.
                chapter.title, chapter.provisional = whole_title(self.lines, fresh[-1]), False
                return chapter
        chapter = Chapter(whole_title(self.lines, titles[-1]), chapter.zone)
        self.chapters.append(chapter)
        return chapter

    def _restart(self, chapter: Chapter, others: list[int], between: Sequence[int]) -> Chapter:
        """A label that the chapter has already: a heading of unknown wording must have opened another."""
        named = self._named(others)
        fresh = Chapter(zone=chapter.zone, provisional=True)
        if chapter.zone is Zone.ANSWERS and any(self.lines[i].kind is Kind.ANSWERS for i in between):
            # Answers in short, then the same ones explained.
            fresh.title = list(chapter.title)
            self.chapters.append(fresh)
            return fresh
        if named:
            fresh.title = named
        elif others:
            fresh.title = self._beside(chapter, others)
        else:
            fresh.title = self._head(between)
        self.chapters.append(fresh)
        return fresh

    def _beside(self, chapter: Chapter, parts: Sequence[int]) -> list[int]:
        """The title of a part at which numbering begins anew; the part with which the chapter began gets its own."""
        base = [i for i in chapter.title if self.lines[i].kind is not Kind.PART]
        rank = min(self.outline[i].rank for i in parts)
        own = [i for i in chapter.opening if self.outline[i].rank == rank]
        since = [i for i in chapter.title if i not in base] + chapter.passed
        if own and not any(self.outline[i].rank == rank for i in since):
            chapter.title = [*base, own[-1]]
        return [*base, next(i for i in reversed(parts) if self.outline[i].rank == rank)]

    def _head(self, between: Sequence[int]) -> list[int]:
        """A title that was taken for page furniture, or is printed nowhere else: a head that reads like one."""
        return [index for index in between if index in self.heads][-1:]

    def _heads_of_page(self, index: int) -> list[int]:
        """The last head that is listed behind an item on its page."""
        block = self.lines[index].block
        last = self.last_heads.get((block.file, block.page), -1)
        return [last] if last > index else []


def _first_heads(lines: Sequence[Line]) -> set[int]:
    """Running heads that read like titles, each where it stands first."""
    seen: set[str] = set()
    found = set()
    for index, line in enumerate(lines):
        if line.kind is Kind.HIDDEN and line.text and len(line.text) <= 60 and line.text not in seen:
            rank = title_rank(line.text)
            if rank is not None and rank < 4:
                found.add(index)
        if line.kind is not Kind.TEXT:
            seen.add(line.text)
    return found


def _names_a_chapter(text: str) -> bool:
    if ANSWER_PASS.match(text):
        return False
    title = read_title(text)
    return bool(title.numbers or title.name)
