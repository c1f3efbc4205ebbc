"""SubQuestionSplitter: a row for each part of a question, with what it takes to answer it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from dataflow_ext import RowOperator
from dataflow_ext.columns import Columns
from operators.curate.model import (
    PartReview,
    Review,
    ReviewedPart,
    Span,
    columns,
    joined,
    moved,
    stripped,
    text_of,
    without,
)
from operators.curate.rules.cues import pictures_of
from operators.curate.rules.question_parts import dependencies, divided, marks_in, split_question

#: Signs between the answers of parts, which end none of them.
_BETWEEN_PARTS = ";；,，、"


class SubQuestionSplitter(RowOperator):
    """A row for each part of a question, in their order; a question without parts is one row.

    A part's question is the stem and its own text; a part that rests on earlier ones has their text between the two,
    so that the chain stays whole. Answer and solution are cut at their own markers, pictures follow the text that links
    to them, and those of the stem, or of no place, belong to all parts. All texts are pieces of their sources.

    Parts are those of a review if there is one, else what rules find. A solution that nothing divides is that of all
    parts.

    Reads:
        parent_id: what the row is called in the input.
        question, answer, solution: the texts.
        question_images, solution_images: links to pictures.
        review: what a model says of the row, null if none was asked.

    Writes:
        parent_id: the same.
        question, answer, solution, question_images, solution_images: those of the part.
        asked: the end of the question that is the part's own text.
        part: the part's label; null for a question without parts.
        depends_on: the labels of the parts that it rests on.
        split_from: the row that it was split from; null for a question without parts.
        shared_solution: whether the solution is that of all parts, as nothing in it tells them apart.
        review: what a model says of the part.

    Rejects: none of its own.

    Example:
        >>> row = {"question": "Let x = 2. (a) Find 3x. (b) Find x + 1.", "answer": "(a) 6 (b) 3", "solution": ""}
        >>> row |= {"parent_id": "r", "question_images": [], "solution_images": [], "review": None}
        >>> SubQuestionSplitter()([row]).select(["question", "answer"]).to_pylist()
        [{'question': 'Let x = 2. Find 3x.', 'answer': '6'}, {'question': 'Let x = 2. Find x + 1.', 'answer': '3'}]
    """

    rows: ClassVar[Any] = "explode"
    inputs: ClassVar[Columns] = {
        **columns("parent_id question answer solution question_images solution_images"),
        "review": Review | None,
    }
    outputs: ClassVar[Columns] = columns(
        "parent_id question asked answer solution question_images solution_images "
        "part depends_on split_from shared_solution review"
    )

    def row(
        self,
        parent_id: str,
        question: str,
        answer: str,
        solution: str,
        question_images: list[str],
        solution_images: list[str],
        review: Review | None,
    ) -> Iterator[Mapping[str, Any]]:
        """The parts, or the question as it is."""
        texts = {"question": question, "answer": answer, "solution": solution}
        parts = _by_review(texts, review) if review else _by_rules(texts)
        several = len(parts) > 1
        for part in parts:
            kept = stripped(question, part.question)
            asked = text_of(question, [Span(max(s.start, part.begin), s.end) for s in kept if s.end > part.begin])
            made = {"question": text_of(question, kept), "asked": asked.lstrip()}
            for side, spans in (("answer", part.answer), ("solution", part.solution)):
                made[side] = text_of(texts[side], stripped(texts[side], spans, _BETWEEN_PARTS if several else ""))
            yield {
                "parent_id": parent_id,
                **made,
                "question_images": pictures_of(made["question"], question, question_images),
                "solution_images": pictures_of(made["solution"], solution, solution_images),
                "part": part.label if several else None,
                "depends_on": part.needs if several else [],
                "split_from": parent_id if several else None,
                "shared_solution": part.shared,
                "review": _part_review(part.reviewed, texts, kept) if part.reviewed else None,
            }


@dataclass(slots=True)
class _Part:
    """A part as pieces of the row's texts, and the place of the question where its own text begins."""

    label: str
    question: list[Span]
    begin: int
    answer: list[Span]
    solution: list[Span]
    needs: list[str] = field(default_factory=list)
    shared: bool = False
    reviewed: ReviewedPart | None = None


def _by_rules(texts: Mapping[str, str]) -> list[_Part]:
    found = split_question(texts["question"], texts["answer"], texts["solution"])
    whole = {side: [Span(0, len(text))] for side, text in texts.items()}
    if found is None:
        return [_Part("", whole["question"], 0, whole["answer"], whole["solution"])]
    answers = divided(texts["answer"], found)
    solutions = divided(texts["solution"], found)
    shared = bool(texts["solution"].strip()) and not any(solutions)
    return [
        _Part(
            label,
            found.whole(n, needs),
            found.own[n][0].start,
            answers[n],
            whole["solution"] if shared else solutions[n],
            [found.labels[each] for each in needs],
            shared,
        )
        for n, (label, needs) in enumerate(zip(found.labels, dependencies(found), strict=True))
    ]


def _by_review(texts: Mapping[str, str], review: Review) -> list[_Part]:
    own = {part.label: part.question for part in review.parts}
    needs: dict[str, list[str]] = {}
    ends = {mark.start: mark.end for mark in marks_in(texts["question"])}
    made = []
    for part in review.parts:
        far = {each for label in part.depends_on for each in (label, *needs.get(label, ()))}
        needs[part.label] = [each.label for each in review.parts if each.label in far]
        chain = [span for label in needs[part.label] for span in own[label]]
        begin = ends.get(part.question[0].start, part.question[0].start) if len(review.parts) > 1 else 0
        asked = part.question if chain else [Span(max(begin, s.start), s.end) for s in part.question if s.end > begin]
        spans = without(joined([*review.stem, *chain, *asked]), review.furniture)
        made.append(
            _Part(
                part.label, spans, begin, joined(part.answers), joined(part.solution), needs[part.label], reviewed=part
            )
        )
    return made


def _part_review(reviewed: ReviewedPart, texts: Mapping[str, str], kept: Sequence[Span]) -> PartReview:
    """What a review says of a part, in places of the part's own question."""
    gaps = [moved(place, kept) for place in reviewed.gaps]
    answer = "" if reviewed.answer_in == "nothing" else reviewed.answer.of(texts[reviewed.answer_in])
    return PartReview(
        reviewed.question_type, reviewed.answer_in, answer, [gap for gap in gaps if gap is not None], reviewed.problems
    )
