"""LLMOutputParser: a chunk's reply becomes a row for each pair, filled from the chunk's own blocks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from dataflow_ext import RowOperator
from operators.pdf.blocks import Block
from operators.pdf.pairs import (
    Evidence,
    evidence,
    part_of,
    picture_link,
    split_solution,
    text_of,
)
from operators.pdf.reply import ReplyChapter, ReplyPair
from operators.pdf.reply_reader import read_reply


class LLMOutputParser(RowOperator):
    """A row for each pair that a reply names: label, ids, texts and pictures, pages and boxes.

    Replies are read leniently and safely (see ``reply_reader``); ids may be lists or ranges, ids that do
    not exist, run backwards or leave gaps are told in ``notes``. Texts are Markdown, pictures stand in
    them as ``![caption](vqa_images/NAME)``. A block that several items share is split where their labels
    stand in it, one that a question and its solution share at a sure marker; if there is none, each gets
    it whole. ``in_core`` is false for items of the look-ahead, which are the next chunk's to settle.
    """

    rows: ClassVar[Any] = "explode"
    inputs: ClassVar[Any] = {"reply": str, "blocks": list[Block], "core": tuple[int, int]}
    outputs: ClassVar[Any] = {
        "item": int,
        "at": int,
        "in_core": bool,
        "label": str,
        "title_ids": list[int],
        "title": str,
        "question_ids": list[int],
        "solution_ids": list[int],
        "question": str,
        "answer": str,
        "solution": str,
        "question_images": list[str],
        "solution_images": list[str],
        "evidence": list[Evidence],
        "notes": list[str],
    }

    def row(self, reply: str, blocks: list[Block], core: tuple[int, int]) -> Iterable[Mapping[str, Any]]:
        """The pairs of one chunk."""
        table = {b.id: b for b in blocks}
        chapters = read_reply(reply, table.keys())
        shared = _shared(chapters)
        place, item = core[0], 0
        for chapter in chapters:
            title = " ".join(table[i].text.strip() for i in chapter.title)
            for pair in chapter.pairs:
                first = next(iter(pair.question or pair.solution), None)
                place = pair.at if pair.at is not None else place if first is None else first
                record = _fill(pair, table, shared)
                yield {
                    **record,
                    "item": item,
                    "at": place,
                    "in_core": core[0] <= place <= core[1],
                    "label": pair.label,
                    "title_ids": chapter.title,
                    "title": title,
                }
                item += 1


def _shared(chapters: Sequence[ReplyChapter]) -> dict[int, list[str]]:
    """For each block that several pairs name, the labels of these pairs."""
    named: dict[int, list[str]] = defaultdict(list)
    for chapter in chapters:
        for pair in chapter.pairs:
            for i in dict.fromkeys([*pair.question, *pair.solution]):
                named[i].append(pair.label)
    return {i: labels for i, labels in named.items() if len(labels) > 1}


def _fill(pair: ReplyPair, table: Mapping[int, Block], shared: Mapping[int, Sequence[str]]) -> dict[str, Any]:
    notes = [*pair.notes, *_order(pair.question, table, "question"), *_order(pair.solution, table, "solution")]
    texts: dict[int, str] = {}
    for i in dict.fromkeys([*pair.question, *pair.solution]):
        texts[i] = text_of(table[i])
        if i in shared and table[i].image is None:
            part = part_of(texts[i], pair.label, [x for x in shared[i] if x != pair.label])
            if part is not None and part != texts[i]:
                texts[i] = part
                notes.append(f"block {i} is shared with other items and was split at their labels")
    question, solution = dict(texts), dict(texts)
    for i in set(pair.question) & set(pair.solution):
        halves = split_solution(texts[i])
        if halves is not None:
            question[i], solution[i] = halves
            notes.append(f"block {i} holds question and solution and was split at the solution's marker")
    where = evidence("question", pair.question, table) + evidence("solution", pair.solution, table)
    if not pair.question and not pair.solution and pair.at is not None:
        where += evidence("answer", [pair.at], table)
    return {
        "question_ids": pair.question,
        "solution_ids": pair.solution,
        "question": "\n".join(question[i] for i in pair.question if question[i]),
        "answer": pair.answer,
        "solution": "\n".join(solution[i] for i in pair.solution if solution[i]),
        "question_images": _images(pair.question, table),
        "solution_images": _images(pair.solution, table),
        "evidence": where,
        "notes": notes,
    }


def _images(ids: Sequence[int], table: Mapping[int, Block]) -> list[str]:
    return [link for i in ids if (link := picture_link(table[i])) is not None]


def _order(ids: Sequence[int], table: Mapping[int, Block], tag: str) -> Iterable[str]:
    """What is odd about the ids' order; none of it is mended, as a book's order can be odd itself."""
    for before, after in zip(ids, ids[1:], strict=False):
        if after < before:
            yield f"{tag} ids run backwards: {before}, {after}"
        elif after > before + 1:
            left = [i for i in range(before + 1, after) if i in table and table[i].shown]
            if left:
                yield f"{tag} ids leave out {left[0]}{f' to {left[-1]}' if len(left) > 1 else ''}"
