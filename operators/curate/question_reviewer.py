"""QuestionReviewer: what a model that sees the pictures says of each row, in one call.

The row's texts are shown in numbered sentences, and the reply is checked against them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Literal

import pyarrow as pa
from pydantic import BaseModel, ConfigDict, Field

from dataflow_ext import Made, Operator, Prompt, RowError, progress
from dataflow_ext.columns import Columns
from dataflow_ext.models import Model, Request, ask
from dataflow_ext.models.structured.extract import extract_all
from dataflow_ext.models.structured.reply_schema import reply_schema
from dataflow_ext.outcomes import Record, made_of_rows, side_by_side
from operators.curate.model import Problem, QuestionType, Review, ReviewedPart, Span, columns, joined, place_in
from operators.curate.rules.cues import says
from operators.curate.rules.question_parts import marks_in
from prompts import CurateReviewPrompt, CurateRowPrompt

#: Tokens that a reply about has, for estimates.
_EXPECTED = 160
_END = re.compile(r"(?<=[。？！；?!;\n])[ \t\u3000\n]*(?=\S)|(?<=[A-Za-z0-9)}$])\.[ \t]+(?=[A-Z(\[$\\①-⑳])")
#: The number of an item, which is no sentence.
_NUMBER = re.compile(r"\s*\W?\d{1,3}\W*")
_SIDES = ("question", "answer", "solution")


class QuestionReviewer(Operator):
    """What one call of a model finds in each row: its parts and their kinds, answers, lost blanks, problems.

    The model is shown the row in numbered sentences, and its pictures. It names sentences and quotes words; the places
    that it means are looked up in the row's own text, so that no letter of its reply gets into a row. A reply that
    names what is not there is asked for once more, with what is wrong; then the row is a reject. Rows without any
    answer are not asked about, and without a model none is: rules do the work then, which ``curated_by`` says.

    Reads:
        question, answer, solution: the texts.
        picture_files: the question's pictures.

    Writes:
        review: what was found, null where nobody was asked.
        curated_by: the model's name, or ``rules``.
        review_tokens: what the replies took, prompts included.

    Options:
        model: whom to ask; without one, nobody.
        prompt: says what is asked, and how to reply; the same for all rows.
        row_prompt: one row in numbered sentences.
        seed: is sent with each request.

    Rejects:
        UnreadableReplyError: two replies that name what is not there.
        ModelError: a reply that did not come; the row is done again by another run.

    Example:
        >>> row = {"question": "Find 2 + 2.", "answer": "4", "solution": "", "picture_files": []}
        >>> QuestionReviewer()([row])["curated_by"].to_pylist()
        ['rules']
    """

    inputs: ClassVar[Columns] = {**columns("question answer solution"), "picture_files": list[Path]}
    outputs: ClassVar[Columns] = {"review": Review | None, "curated_by": str, "review_tokens": int}
    record: ClassVar[tuple[str, ...]] = ("curated_by", "review_tokens")

    model: Model | None = None
    prompt: Prompt = CurateReviewPrompt()
    row_prompt: Prompt = CurateRowPrompt()
    seed: int | None = None

    def batch(self, table: pa.Table) -> Made:
        """Ask about all rows at once."""
        progress.expect(table.num_rows, "rows")
        together = 4096 if self.model is None else None
        return made_of_rows(self, table, lambda rows: side_by_side(self, self._reviewed, rows), together)

    async def _reviewed(self, row: Record) -> Mapping[str, Any]:
        texts = {side: row[side] for side in ("question", "answer", "solution")}
        told = any(texts[side].strip() and not says("no_answer", texts[side]) for side in ("answer", "solution"))
        if self.model is None or not told or not texts["question"].strip():
            return {"review": None, "curated_by": "rules", "review_tokens": 0}
        sentences = sentences_of(**texts)
        lines = {side: [(s.name, s.span.of(texts[side]).strip()) for s in sentences.values() if s.side == side]
                 for side in texts}  # fmt: skip
        request = Request(
            self.row_prompt.fill(**lines),
            system=self.prompt.text,
            images=tuple(str(path) for path in row["picture_files"]),
            json_schema=SCHEMA.schema,
            schema_name=SCHEMA.name,
            seed=self.seed,
            expect=_EXPECTED,
        )
        answer = await ask(self.model, request, lambda text: read_reply(text, sentences, texts))
        return {"review": answer.value, "curated_by": self.model.name, "review_tokens": answer.reply.tokens}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: its name, such as q3, the text that it is of, and its place there."""

    name: str
    side: str
    span: Span


def sentences_of(question: str, answer: str, solution: str) -> dict[str, Sentence]:
    """The sentences of a row by their names; those of a text follow each other without a gap.

    >>> [s.span.of("Let x = 2. (a) Find 3x.") for s in sentences_of("Let x = 2. (a) Find 3x.", "", "").values()]
    ['Let x = 2. ', '(a) Find 3x.']
    """
    made: dict[str, Sentence] = {}
    for side, text in zip(_SIDES, (question, answer, solution), strict=True):
        ends = {found.end() for found in _END.finditer(text) if not _NUMBER.fullmatch(text[: found.end()])}
        marks = marks_in(text)
        within = {place for mark in marks for place in range(mark.start + 1, mark.end + 1)}
        borders = sorted({0, len(text), *ends - within, *(mark.start for mark in marks)})
        for number, (start, end) in enumerate(pairwise(borders), 1):
            name = f"{side[0]}{number}"
            made[name] = Sentence(name, side, Span(start, end))
    return made


class Quote(BaseModel):
    """Some words of a sentence."""

    model_config = ConfigDict(extra="forbid")

    at: str
    words: str


class PartReply(BaseModel):
    """One part of the question, by the names of its sentences."""

    model_config = ConfigDict(extra="forbid")

    label: str
    sentences: list[str]
    depends_on: list[str]
    type: QuestionType
    answer: Quote | None
    blanks_behind: list[Quote]
    problems: list[Problem]


class ReviewReply(BaseModel):
    """The reply as a whole."""

    model_config = ConfigDict(extra="forbid")

    furniture: list[Quote]
    parts: list[PartReply] = Field(min_length=1)


SCHEMA = reply_schema(ReviewReply)


def read_reply(text: str, sentences: Mapping[str, Sentence], texts: Mapping[str, str]) -> Review:
    """The review in a reply; ValueError says what in it cannot be used. A bare list is one of parts."""
    problem: ValueError = RowError("it holds no object with furniture and parts")
    found = extract_all(text)
    for one in [*(f for f in reversed(found) if f.fenced), *(f for f in reversed(found) if not f.fenced)]:
        if one.cut:
            raise RowError("it is cut off, its JSON has no end")
        value = {"furniture": [], "parts": one.value} if isinstance(one.value, list) else one.value
        try:
            return _Checked(sentences, texts).review(SCHEMA.read(value))
        except ValueError as error:
            problem = error
    raise problem


class _Checked:
    """Turns names and quotes into places, and refuses what is not in the row."""

    def __init__(self, sentences: Mapping[str, Sentence], texts: Mapping[str, str]) -> None:
        self.sentences, self.texts = sentences, texts

    def review(self, reply: ReviewReply) -> Review:
        labels = [part.label for part in reply.parts]
        if len(set(labels)) != len(labels):
            raise RowError("two parts have the same label")
        parts = [self._part(part, labels[:n]) for n, part in enumerate(reply.parts)]
        if len(parts) == 1:
            parts[0].question = self._all("question")
            parts[0].answers, parts[0].solution = self._all("answer"), self._all("solution")
            stem: list[Span] = []
        else:
            stem = self._stem(reply, parts)
        return Review(stem, joined(self._cut(quote) for quote in reply.furniture), parts)

    def _stem(self, reply: ReviewReply, parts: list[ReviewedPart]) -> list[Span]:
        """The sentences of the question that no part has."""
        named = [name for part in reply.parts for name in part.sentences if self._sentence(name).side == "question"]
        if twice := sorted({name for name in named if named.count(name) > 1}):
            raise RowError(f"sentence {twice[0]} is in two parts; leave out what all parts share")
        for part, told in zip(parts, reply.parts, strict=True):
            if not part.question:
                raise RowError(f"part {told.label!r} has no sentence of the question")
        return joined(s.span for s in self.sentences.values() if s.side == "question" and s.name not in named)

    def _part(self, told: PartReply, before: list[str]) -> ReviewedPart:
        if unknown := [label for label in told.depends_on if label not in before]:
            raise RowError(f"part {told.label!r} depends on {unknown[0]!r}, which is no earlier part")
        spans: dict[str, list[Span]] = {side: [] for side in self.texts}
        for name in told.sentences:
            sentence = self._sentence(name)
            spans[sentence.side].append(sentence.span)
        side: Literal["answer", "solution", "nothing"] = "nothing"
        place = Span(0, 0)
        if told.answer is not None:
            sentence, place = self._quoted(told.answer, last=True)
            if sentence.side == "question":
                raise RowError(f"the answer of part {told.label!r} is quoted from the question")
            side = "answer" if sentence.side == "answer" else "solution"
        return ReviewedPart(
            label=told.label,
            question=joined(spans["question"]),
            answers=joined(spans["answer"]),
            solution=joined(spans["solution"]),
            depends_on=told.depends_on,
            question_type=told.type,
            answer_in=side,
            answer=place,
            gaps=[self._gap(quote) for quote in told.blanks_behind],
            problems=list(told.problems),
        )

    def _gap(self, quote: Quote) -> int:
        if not quote.words.strip():
            sentence = self._sentence(quote.at)
        else:
            sentence, place = self._quoted(quote)
        if sentence.side != "question":
            raise RowError(f"a blank is set in {quote.at}, which is not of the question")
        return place.end if quote.words.strip() else sentence.span.start

    def _cut(self, quote: Quote) -> Span:
        sentence, place = self._quoted(quote)
        if sentence.side != "question":
            raise RowError(f"furniture is quoted from {quote.at}, which is not of the question")
        text = self.texts["question"]
        if place_in(text, Span(place.end, sentence.span.end), quote.words) is not None:
            raise RowError(f"{quote.words!r:.60} stands in {quote.at} more than once; leave it out")
        return place

    def _quoted(self, quote: Quote, *, last: bool = False) -> tuple[Sentence, Span]:
        sentence = self._sentence(quote.at)
        text = self.texts[sentence.side]
        place = place_in(text, sentence.span, quote.words, last=last)
        if place is None:  # it may go on beyond the sentence
            place = place_in(text, Span(sentence.span.start, len(text)), quote.words)
        if place is None or place.start >= sentence.span.end:
            raise RowError(f"{quote.words!r:.60} does not stand in sentence {quote.at}; quote it letter by letter")
        return sentence, place

    def _sentence(self, name: str) -> Sentence:
        found = self.sentences.get(name.strip().strip("[]"))
        if found is None:
            raise RowError(f"there is no sentence {name!r:.40}")
        return found

    def _all(self, side: str) -> list[Span]:
        return [Span(0, len(self.texts[side]))] if self.texts[side] else []
