"""QA_Merger: the pairs of a document become one row a question, with the answer that is surely its own."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, ClassVar, Literal

from dataflow_ext import Failure, GroupOperator, Merged
from operators.pdf.merging import Entry, MergedRow, merge
from operators.pdf.pairs import PAIR_COLUMNS, Evidence

#: Signs of the shortest question that is known again: shorter ones may open any answer.
_FEWEST = 12


def beyond_question(question: str, told: str, label: str = "") -> str:
    """What an answer says behind its question, all of it if its first lines are not that question, sign for sign.

    Either may open with the label. What follows may be nothing.

    >>> beyond_question("4. Find the area of a square.", "Find the area of a square.\\nSolution: it is 9.", "4")
    'Solution: it is 9.'
    >>> beyond_question("4. Find the area of a square.", "The area of a square is 9.", "4")
    'The area of a square is 9.'
    """
    if len(told) < _FEWEST:
        return told
    words, answer = _own_words(question, label), _own_words(told, label)
    if words.lstrip()[:1] != answer.lstrip()[:1]:
        return told
    asked, lines = "".join(words.split()), answer.split("\n")
    seen = ""
    for place, line in enumerate(lines if len(asked) >= _FEWEST else ()):
        seen += "".join(line.split())
        if seen == asked:
            return "\n".join(lines[place + 1 :])
        if not asked.startswith(seen):
            break
    return told


def _own_words(text: str, label: str) -> str:
    """A text without the label that it opens with."""
    found = _opening(label).match(text) if label else None
    return text[found.end() :] if found else text


@lru_cache(maxsize=1024)
def _opening(label: str) -> re.Pattern[str]:
    return re.compile(rf"\W*{re.escape(label)}\s*[.．、:：)）]?\s*")


@dataclass(slots=True)
class _Pair:
    """A pair as it came from its chunk, and the rows of the group that are in it by now."""

    chunk: int
    item: int
    at: int
    in_core: bool
    label: str
    file: int
    title_ids: list[int]
    title: str
    chapter_block: int
    title_path: list[str]
    chapter_path: list[str]
    question_ids: list[int]
    solution_ids: list[int]
    question: str
    answer: str
    solution: str
    question_images: list[str]
    solution_images: list[str]
    notes: list[str]
    doubts: list[str]
    extracted_by: str
    rows: list[int]
    carry: list[int]


#: The columns of a pair, in the order of its fields.
_COLUMNS = [f.name for f in fields(_Pair)][:-2]


class QA_Merger(GroupOperator):
    """A row for each question of a document, in reading order; its answer found by chapter and label.

    Chapters are told by the blocks of their headings, so labels that restart never collide. Answers printed apart are
    joined by runs of labels: under a heading of the same title, or where labels and order leave one possibility.

    Reads:
        document, name, chunk: which document a pair is of, and which chunk named it.
        extracted_by: who named it.

    Writes:
        question_chapter_title, answer_chapter_title: the titles over the question and over its answer.
        status: ``answered`` or ``unanswered``.
        match: how the answer was found.
        confidence: how sure that is, 0 to 1.
        extracted_by: who named the question.

    Options:
        strict_title_match: join chapters of equal titles only.

    Rejects:
        AnswerWithoutQuestion: an answer that no question, or more than one, can have; dropped.
        NotAnItem: a piece that continues nothing in sight, or that its own chunk does not list; dropped.

    Example:
        >>> from dataclasses import asdict
        >>> from operators import ChunkedPromptedGenerator, LLMOutputParser, PDFRules
        >>> from operators.pdf.blocks import Block
        >>> texts = ["1. What is 2 + 2?", "2. What is 3 + 3?", "Answers", "1. 4", "2. 6"]
        >>> blocks = [asdict(Block(n, "text", text)) for n, text in enumerate(texts)]
        >>> table = [{"document": "a", "name": "a", "blocks": blocks}]
        >>> for step in (ChunkedPromptedGenerator(model=PDFRules()), LLMOutputParser(), QA_Merger()):
        ...     table = step(table)
        >>> table.select(["label", "answer"]).to_pylist()
        [{'label': '1', 'answer': '4'}, {'label': '2', 'answer': '6'}]
    """

    key: ClassVar[tuple[str, ...]] = ("document", "name")
    order: ClassVar[tuple[str, ...]] = ("chunk", "item")
    carried: ClassVar[tuple[str, ...]] = ("evidence",)
    inputs: ClassVar[Any] = {"document": str, "name": str, "chunk": int, **PAIR_COLUMNS, "extracted_by": str}
    outputs: ClassVar[Any] = {
        "label": str,
        "question": str,
        "answer": str,
        "solution": str,
        "question_chapter_title": str,
        "answer_chapter_title": str,
        "chapter_path": list[str],
        "chapter_block": int,
        "status": Literal["answered", "unanswered"],
        "question_images": list[str],
        "solution_images": list[str],
        "question_ids": list[int],
        "solution_ids": list[int],
        "evidence": list[Evidence],
        "match": str,
        "confidence": float,
        "notes": list[str],
        "doubts": list[str],
        "extracted_by": str,
    }

    strict_title_match: bool = False

    def group(self, document: list[str], name: list[str], **columns: list[Any]) -> Iterable[Merged | Failure]:
        """The rows of one document, and the answers and copies that are in none."""
        rows, carry = ([[n] for n in range(len(columns["item"]))] for _ in range(2))
        pairs = list(map(_Pair, *(columns[name] for name in _COLUMNS), rows, carry))
        pairs, left = _settle_look_ahead(pairs)
        yield from left
        pairs, left = _join_continued(pairs)
        yield from left
        pairs.sort(key=lambda p: (p.chunk, p.item))
        merged = merge([_entry(p, n) for n, p in enumerate(pairs)], strict_title_match=self.strict_title_match)
        for kept, copy in merged.folded:
            _absorb(pairs[kept.order], pairs[copy.order])
        for row in merged.rows:
            yield _row(row, pairs)
        for entry, reason in merged.orphans:
            for n in pairs[entry.order].rows:
                yield Failure(n, f"answer '{entry.label}': {reason}", "AnswerWithoutQuestion", kind="dropped")


def _entry(pair: _Pair, order: int) -> Entry:
    return Entry(
        pair.at,
        pair.label,
        tuple(pair.title_ids),
        pair.title,
        bool(pair.question_ids),
        tuple(pair.question_ids),
        pair.answer,
        tuple(pair.solution_ids),
        pair.chunk,
        pair.file,
        order,
        pair.chapter_block,
        tuple(pair.title_path),
    )


def _settle_look_ahead(pairs: list[_Pair]) -> tuple[list[_Pair], list[Failure]]:
    """Leave each item to the chunk whose core it begins in; a copy counts only if that chunk is missing.

    An item said to begin before its chunk's core is the rest of one that an earlier chunk has.
    """
    ahead = {p.at for p in pairs if not p.in_core}
    own = {(p.at, p.label): p for p in pairs if p.in_core and p.at in ahead}
    alive = {p.chunk for p in pairs if p.in_core}
    kept, left = [], []
    for pair in pairs:
        owner = None if pair.in_core else own.get((pair.at, pair.label))
        if owner is not None and owner.chunk < pair.chunk:
            owner.rows += pair.rows
            _extend(owner, pair)
        elif pair.in_core or pair.chunk + 1 not in alive:
            kept.append(pair)
        elif owner is not None:
            owner.rows += pair.rows
        else:
            left += [_dropped(n, "seen in a look-ahead, not listed by the chunk it begins in") for n in pair.rows]
    return kept, left


def _join_continued(pairs: list[_Pair]) -> tuple[list[_Pair], list[Failure]]:
    """Join pieces without a label, with which a chunk begins, to the item that they continue.

    An item without a label that stands elsewhere is an item. If the chunk before is missing, nobody knows
    what a piece continues: a wrong item is worse than none.
    """
    if all(p.label for p in pairs):
        return pairs, []
    first: dict[int, int] = {}  # where each chunk's own items begin
    for pair in pairs:
        if pair.label:
            first[pair.chunk] = min(pair.item, first.get(pair.chunk, pair.item))
    chunks = {p.chunk for p in pairs}
    is_piece = [not p.label and p.chunk > 0 and p.item < first.get(p.chunk, p.item + 1) for p in pairs]
    if True not in is_piece:
        return pairs, []
    kept = [p for p, piece in zip(pairs, is_piece, strict=True) if not piece]
    starts = sorted(((p.at, p.chunk, n) for n, p in enumerate(kept) if p.label))
    left: list[Failure] = []
    for pair in (p for p, piece in zip(pairs, is_piece, strict=True) if piece):
        place = bisect_left(starts, (pair.at,)) - 1
        before = kept[starts[place][2]] if place >= 0 else None
        if before is None or before.file != pair.file or pair.chunk - 1 not in chunks:
            left += [_dropped(n, "a piece without a label that continues no item in sight") for n in pair.rows]
            continue
        before.rows += pair.rows
        _extend(before, pair)
    return kept, left


def _extend(item: _Pair, piece: _Pair) -> None:
    """Add what a piece has and the item has not; blocks that both saw are in the item already.

    They also tell what the piece is: a model that sees the middle of a solution may take it for a question.
    """
    seen = {*item.question_ids, *item.solution_ids}
    for part in ("question", "solution"):
        theirs: list[int] = getattr(piece, f"{part}_ids")
        new = [i for i in theirs if i not in seen]
        if not new:
            continue
        to = "solution" if not set(item.solution_ids).isdisjoint(theirs) else part
        text, more = getattr(item, to), getattr(piece, part)
        if len(new) < len(theirs):
            more = _without_overlap(text, more)
        setattr(item, to, "\n".join(filter(None, (text, more))))
        getattr(item, f"{to}_ids").extend(new)
        images = getattr(item, f"{to}_images")
        images.extend(i for i in getattr(piece, f"{part}_images") if i not in images)
        item.carry = item.carry + [n for n in piece.carry if n not in item.carry]
    item.answer = item.answer or piece.answer
    item.doubts += piece.doubts
    item.notes += [*piece.notes, f"continued in chunk {piece.chunk}"]


def _without_overlap(text: str, more: str) -> str:
    """``more`` without the lines with which ``text`` ends already; all of it if there are none."""
    lines, new = text.split("\n"), more.split("\n")
    for size in range(1, min(len(lines), len(new)) + 1):
        if lines[-size:] == new[:size]:
            return "\n".join(new[size:])
    return more


def _absorb(kept: _Pair, copy: _Pair) -> None:
    """Fold a copy into the fuller one; an answer or solution that only the copy has comes along."""
    kept.rows += copy.rows
    kept.answer = kept.answer or copy.answer
    if copy.solution_ids and not kept.solution_ids and not set(copy.solution_ids) & set(kept.question_ids):
        kept.solution, kept.solution_ids, kept.solution_images = copy.solution, copy.solution_ids, copy.solution_images
        kept.carry = kept.carry + copy.carry


def _row(row: MergedRow, pairs: list[_Pair]) -> Merged:
    question = pairs[row.question.order]
    parts = [pairs[a.order] for a in row.answers if a.order != row.question.order]
    for part in parts:
        _leave_question_out(part, question)
        question.solution_images += part.solution_images
        question.solution_ids += part.solution_ids
        question.notes += part.notes
        question.rows += part.rows
        question.carry += part.carry
        question.doubts += [f"its answer: {doubt}" for doubt in part.doubts]
    both = [question, *parts]
    answer = next((p.answer for p in both if p.answer), "")
    solved = [text for p in both for text in (p.answer if p.answer != answer else "", p.solution) if text]
    values = {
        "label": question.label,
        "question": question.question,
        "answer": answer,
        "solution": "\n".join(solved),
        "question_chapter_title": row.question_title,
        "answer_chapter_title": row.answer_title,
        "chapter_path": question.chapter_path if question.title_ids else question.chapter_path or list(row.path),
        "chapter_block": row.chapter,
        "status": "answered" if answer or solved else "unanswered",
        "question_images": question.question_images,
        "solution_images": question.solution_images,
        "question_ids": question.question_ids,
        "solution_ids": question.solution_ids,
        "match": row.how,
        "confidence": round(row.confidence, 3),
        "notes": question.notes,
        "doubts": list(dict.fromkeys([*question.doubts, *row.doubts])),
        "extracted_by": question.extracted_by,
    }
    return Merged(question.rows, values, question.carry)


def _leave_question_out(answer: _Pair, question: _Pair) -> None:
    """Take from an answer printed apart the question that it repeats."""
    for name in ("answer", "solution"):
        told = getattr(answer, name)
        beyond = beyond_question(question.question, told, question.label)
        if beyond != told:
            setattr(answer, name, beyond)
            answer.notes.append("its answer prints the question once more, which was left out")


def _dropped(row: int, why: str) -> Failure:
    return Failure(row, why, "NotAnItem", kind="dropped")
