"""SubQuestionSplitter: a row for each part of a question, with what it takes to answer it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from dataflow_ext import RowOperator
from dataflow_ext.columns import Columns
from operators.curate.model.ranges import joined, moved, stripped, text_of, without
from operators.curate.model.records import PartReview, Review, ReviewedPart, Span
from operators.curate.rules.markers import runs_in
from operators.curate.rules.pictures import pictures_of
from operators.curate.rules.splitting import SplitQuestion, dependencies, divided, split_question

#: Signs between parts, which end none of them.
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

    Example:
        >>> row = {"question": "Let x = 2. (a) Find 3x. (b) Find x + 1.", "answer": "(a) 6 (b) 3", "solution": ""}
        >>> row |= {"parent_id": "r", "question_images": [], "solution_images": [], "review": None}
        >>> SubQuestionSplitter()([row]).select(["question", "answer"]).to_pylist()
        [{'question': 'Let x = 2. Find 3x.', 'answer': '6'}, {'question': 'Let x = 2. Find x + 1.', 'answer': '3'}]
    """

    rows: ClassVar[Any] = "explode"
    inputs: ClassVar[Columns] = {
        "parent_id": str,
        "question": str,
        "answer": str,
        "solution": str,
        "question_images": list[str],
        "solution_images": list[str],
        "review": Review | None,
    }
    outputs: ClassVar[Columns] = {
        "parent_id": str,
        "question": str,
        "asked": str,
        "answer": str,
        "solution": str,
        "question_images": list[str],
        "solution_images": list[str],
        "part": str | None,
        "depends_on": list[str],
        "split_from": str | None,
        "shared_solution": bool,
        "review": PartReview | None,
    }

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
        parts = _by_review(question, review) if review else _by_rules(texts)
        several = len(parts) > 1
        ends = _BETWEEN_PARTS if several else ""
        for part in parts:
            made = {side: text_of(texts[side], stripped(texts[side], part[side], ends)) for side in texts}
            yield {
                "parent_id": parent_id,
                **made,
                "asked": _own(made["question"], question, part["asked"], ends),
                "question_images": pictures_of(made["question"], question, question_images),
                "solution_images": pictures_of(made["solution"], solution, solution_images),
                "part": part["label"] if several else None,
                "depends_on": part["depends_on"] if several else [],
                "split_from": parent_id if several else None,
                "shared_solution": part["shared"],
                "review": _part_review(part["reviewed"], texts, part) if part["reviewed"] else None,
            }


def _own(made: str, question: str, asked: Sequence[Span], ends: str) -> str:
    """The end of a part's question that is its own text."""
    own = text_of(question, stripped(question, asked, ends))
    return own if own and made.endswith(own) else made


def _whole(texts: Mapping[str, str]) -> dict[str, Any]:
    everything = {side: [Span(0, len(text))] for side, text in texts.items()}
    return {
        **everything,
        "asked": everything["question"],
        "label": "",
        "depends_on": [],
        "reviewed": None,
        "shared": False,
    }


def _by_rules(texts: Mapping[str, str]) -> list[dict[str, Any]]:
    found = split_question(texts["question"], texts["answer"], texts["solution"])
    if found is None:
        return [_whole(texts)]
    answers = divided(texts["answer"], found.labels, found.run)
    solutions = divided(texts["solution"], found.labels, found.run)
    shared = bool(texts["solution"].strip()) and not any(solutions)
    if shared:
        solutions = [[Span(0, len(texts["solution"]))] for _ in found.labels]
    needs = dependencies(found)
    parts = [_part(found, n, needs[n], answers[n], solutions[n]) for n in range(len(found.labels))]
    return [part | {"shared": shared} for part in parts]


def _part(
    found: SplitQuestion, number: int, needs: Sequence[int], answer: list[Span], solution: list[Span]
) -> dict[str, Any]:
    return {
        "question": found.whole(number, needs),
        "asked": found.own[number],
        "answer": answer,
        "solution": solution,
        "label": found.labels[number],
        "depends_on": [found.labels[n] for n in needs],
        "reviewed": None,
    }


def _by_review(question: str, review: Review) -> list[dict[str, Any]]:
    own = {part.label: part.question for part in review.parts}
    needs: dict[str, list[str]] = {}
    ends = {marker.start: marker.end for run in runs_in(question) for marker in run.markers}
    for part in review.parts:
        far = {each for label in part.depends_on for each in (label, *needs.get(label, ()))}
        needs[part.label] = [each.label for each in review.parts if each.label in far]
    made = []
    for part in review.parts:
        chain = [span for label in needs[part.label] for span in own[label]]
        unmarked = [Span(ends.get(span.start, span.start), span.end) for span in part.question]
        asked = part.question if chain or len(review.parts) == 1 else unmarked
        made.append(
            {
                "question": without(joined([*review.stem, *chain, *asked]), review.furniture),
                "asked": without(unmarked if len(review.parts) > 1 else asked, review.furniture),
                "answer": joined(part.answers),
                "solution": joined(part.solution),
                "label": part.label,
                "depends_on": needs[part.label],
                "reviewed": part,
                "shared": False,
            }
        )
    return made


def _part_review(reviewed: ReviewedPart, texts: Mapping[str, str], part: Mapping[str, Any]) -> PartReview:
    """What a review says of a part, in places of the part's own texts."""
    kept = stripped(texts["question"], part["question"], _BETWEEN_PARTS)
    gaps = [moved(gap.place, kept) for gap in reviewed.gaps]
    answer = "" if reviewed.answer_in == "nothing" else reviewed.answer.of(texts[reviewed.answer_in])
    return PartReview(
        reviewed.question_type, reviewed.answer_in, answer, [gap for gap in gaps if gap is not None], reviewed.problems
    )
