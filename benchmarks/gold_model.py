"""A model without mistakes on a made book: its gold found again among the blocks, in the reply of any model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Any

from benchmarks.item_scores import CJK, COMMAND, IMAGE, POINTS, TAG, folded, plain_title, worked
from dataflow_ext.models import Request
from operators.pdf.reply import ReplyChapter, ReplyPair, render

Row = dict[str, Any]
_SIGNS = rf"{CJK}\u3040-\u30ff"
_TOKEN = re.compile(rf"[^\W\d_{_SIGNS}]+|\d|[{_SIGNS}]")
_SHOWN = re.compile(r"(?m)^\[(\d+)\]")
#: The share of a block's words that a text must have for the block to be its own, and how many words of it count.
_SHARE, _MOST = 0.55, 40
#: What it costs to go on with another text than the next one, with none, and with the next one.
_JUMP, _LEAVE, _NEXT = 1.5, 0.5, 0.7
#: What it is worth that the next text begins where its label is printed.
_LABEL = 1.0
#: Blocks longer than the answer in them by this hold several answers.
_SEVERAL = 1.6
#: A heading that is a word and a number; items are counted so too, but these are no headings.
_COUNTED = re.compile(r"(?:Chapter|Section|Unit|Lesson|Part|Topic) [\dIVX.]+")
#: Headings are no longer than this.
_LONGEST = 120


def grams(text: str) -> Counter[Any]:
    """The words, digits, ideographs and kana of a text, one by one and in pairs."""
    found = _TOKEN.findall(folded(COMMAND.sub(" ", POINTS.sub(" ", TAG.sub(" ", IMAGE.sub(" ", text or ""))))))
    return Counter(found) + Counter(pairwise(found))


@dataclass
class _Text:
    """A question, or the answer and solution of one; ``pages`` are counted from 1."""

    item: int
    asked: bool
    grams: Counter[Any]
    pages: frozenset[int]
    opening: re.Pattern[str]
    blocks: list[int] = field(default_factory=list)


class GoldModel:
    """A script for ``ScriptedModel``: of the blocks that a request shows, the gold's pairs that begin there.

    ``blocks`` are those of the document, as dicts. Where a text cannot be found, its pair is not told.
    """

    def __init__(self, gold: Row, blocks: Sequence[Row]) -> None:
        self.items: list[Row] = gold["items"]
        self.blocks = blocks
        self.titles = {plain_title(title) for item in self.items for title in _headings(item)}
        self.titles |= {plain_title(one["text"]) for one in gold.get("told", ()) if one["kind"] in ("title", "heading")}
        self.pages = _pages(blocks)
        self.texts = list(self._texts())
        for block, text in zip(blocks, self._aligned(), strict=True):
            if text >= 0 and block["shown"]:
                self.texts[text].blocks.append(block["id"])
        for text in self.texts:
            text.blocks = text.blocks or self._holding(text)
        held = {block for text in self.texts for block in text.blocks}
        openings = {text.opening for text in self.texts}
        self.heads = [
            b["id"]
            for b in blocks
            if b["level"] is not None and b["shown"] and b["id"] not in held
            if plain_title(b["text"]) in self.titles or not _is_numbering(b["text"], openings)
        ]
        self.placed = sorted(self._placed(), key=lambda one: one[0])

    def __call__(self, request: Request) -> str:
        return self.reply(frozenset(map(int, _SHOWN.findall(request.prompt))))

    def reply(self, ids: Collection[int]) -> str:
        """The reply to a request that shows these blocks."""
        seen = [(at, [i for i in title if i in ids], pair) for at, title, pair in self.placed if at in ids]
        chapters = []
        for title, some in groupby(seen, key=lambda one: one[1]):
            pairs = [_part(pair, ids) for _, _, pair in some]
            chapters.append(ReplyChapter(title, pairs))
        return render(chapters)

    def _texts(self) -> Iterator[_Text]:
        for n, item in enumerate(self.items):
            opening = re.compile(rf"\W*(?:[^\W\d_]+[\s.]*)?{re.escape(folded(item['label']))}(?!\w|\.\d)\W*")
            question = f"{item['label']} {item.get('shared', '')} {item['question']}"
            yield _Text(n, True, grams(question), frozenset(item.get("question_pages") or ()), opening)
            if worked(item):
                solution = f"{item['label']} {worked(item)}"
                yield _Text(n, False, grams(solution), frozenset(item.get("solution_pages") or ()), opening)

    def _aligned(self) -> list[int]:
        """For each block the text that it is part of, -1 for none: the likeliest way through the book.

        A place on the way is a text, or ``~text`` behind it, where nothing is part of any.
        """
        score, back = {~0: 0.0}, []
        for block in self.blocks:
            fits, best = self._fits(block), max(score, key=lambda place: score[place])
            if fits is None:
                ways = {at: [(total, at)] for at, total in score.items()}
            else:
                ways = {}
                for text, (_, begins) in fits.items():
                    steps = [(best, _JUMP - begins), (text, 0.0), (~text, _LEAVE - begins)]
                    steps += [(at, _NEXT - begins) for n in (text - 1, text - 2) for at in (n, ~n)]
                    ways[text] = [(score[at] - cost, at) for at, cost in steps if at in score]
                for at, total in score.items():
                    ways.setdefault(min(at, ~at), []).append((total - _LEAVE * (at >= 0), at))
            came = {at: max(some) for at, some in ways.items()}
            score = {at: total + (fits[at][0] if fits and at in fits else 0.0) for at, (total, _) in came.items()}
            back.append({at: before for at, (_, before) in came.items()})
        at = max(score, key=lambda place: score[place])
        found = []
        for before in reversed(back):
            found.append(max(at, -1))
            at = before[at]
        return found[::-1]

    def _fits(self, block: Row) -> dict[int, tuple[float, float]] | None:
        """How well a block fits each text that it shares words with, and what it adds that its label opens it.

        None if it says nothing.
        """
        pictured = block["type"] in ("image", "chart")
        words = block["caption"] if pictured else block["text"]
        if not block["shown"] or not _TOKEN.search(folded(words)):
            return None
        if words.strip().isdecimal():
            return {}  # a page's number
        if self._is_title(block) or (block["level"] is not None and _COUNTED.fullmatch(words.strip())):
            return {}  # a heading, as one that only counts is, like Section 1.2
        page, fits = self.pages[block["id"]], {}
        for n, text in enumerate(self.texts):
            if not text.pages or page & text.pages:
                begins = text.opening.match(folded(words))
                own = grams(words[begins.end() :]) if begins else grams(words)
                size, both = own.total(), (own & text.grams).total()
                if both or (begins and not size):
                    fits[n] = (both / size - _SHARE) * min(size, _MOST) if size else 0.0, _LABEL * bool(begins)
        return fits

    def _holding(self, text: _Text) -> list[int]:
        """The block that holds most of a text, with others."""
        there = [b for b in self.blocks if b["shown"] and (not text.pages or self.pages[b["id"]] & text.pages)]
        held = {block["id"]: (grams(block["text"]) & text.grams).total() for block in there}
        best = max(held, key=lambda block: held[block], default=None)
        return [] if best is None or held[best] < 0.6 * text.grams.total() else [best]

    def _placed(self) -> Iterator[tuple[int, list[int], ReplyPair]]:
        """Each pair with the block it begins at and its title; answers that stand apart are pairs of their own."""
        own = {(text.item, text.asked): text.blocks for text in self.texts}
        firsts = sorted(blocks[0] for (_, asked), blocks in own.items() if asked and blocks)
        for n, item in enumerate(self.items):
            asked, solved = own[n, True], own.get((n, False), [])
            told, blocks = self._told(item, asked, solved)
            following = next((first for first in firsts if asked and first > asked[-1]), len(self.blocks))
            if asked and (not solved or asked[0] <= solved[0] < following):
                yield asked[0], self._title(item, asked[0]), ReplyPair(item["label"], asked, told, blocks, asked[0])
                continue
            if asked:
                yield asked[0], self._title(item, asked[0]), ReplyPair(item["label"], asked, at=asked[0])
            if solved:
                title = self._title(item, solved[0])
                if not title or any(title[0] < first < solved[0] for first in firsts):  # a heading of questions
                    title = [head for head in self.heads if head < solved[0]][-1:]
                yield solved[0], title, ReplyPair(item["label"], [], told, blocks, solved[0])

    def _told(self, item: Row, asked: Sequence[int], solved: list[int]) -> tuple[str, list[int]]:
        """The short answer of an item and the blocks of its solution; what stands with others is told as text."""
        if solved and set(solved) <= set(asked):
            return worked(item), []
        if len(solved) != 1:
            return item.get("answer") or "", solved
        size = grams(self.blocks[solved[0]]["text"]).total()
        if size > _SEVERAL * grams(worked(item)).total():
            return worked(item), []
        return (item["answer"], []) if item.get("answer") and not item.get("solution") else ("", solved)

    def _is_title(self, block: Row) -> bool:
        return len(block["text"]) < _LONGEST and plain_title(block["text"]) in self.titles

    def _title(self, item: Row, at: int) -> list[int]:
        """The blocks of the nearest heading above that the gold names over an item."""
        wanted = {plain_title(title) for title in _headings(item)}
        for n in range(at - 1, -1, -1):
            for some in (self.blocks[n : n + 1], self.blocks[n - 1 : n + 1]):  # a number may stand over its title
                text = "".join(block["text"] for block in some)
                if some and len(text) < _LONGEST and plain_title(text) in wanted:
                    return [block["id"] for block in some if block["shown"]]
        return []


def _is_numbering(heading: str, openings: Collection[re.Pattern[str]]) -> bool:
    """Whether a heading says whose answer follows and no more, as Answer to Exercise 5 does."""
    return any((found := one.search(folded(heading))) and found.end() == len(heading) for one in openings)


def _headings(item: Row) -> list[str]:
    return [title for title in (*item["chapter"], item.get("section") or "") if plain_title(title)]


def _pages(blocks: Sequence[Row]) -> dict[int, set[int]]:
    """The page of each block, counted from 1 in its file and over all files: golds count in either way."""
    pages: dict[int, set[int]] = {}
    before = last = file = 0
    for block in blocks:
        if block["file"] != file:
            before, file = last, block["file"]
        last = before + block["page"] + 1
        pages[block["id"]] = {last, block["page"] + 1}
    return pages


def _part(pair: ReplyPair, ids: Collection[int]) -> ReplyPair:
    """What of a pair these blocks show."""
    question, solution = ([i for i in some if i in ids] for some in (pair.question, pair.solution))
    return ReplyPair(pair.label, question, pair.answer, solution, pair.at)
