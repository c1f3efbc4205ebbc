"""What a model replies about a row, and how it is checked against the row's own sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from dataflow_ext.errors import RowError
from dataflow_ext.models.structured.extract import extract_all
from dataflow_ext.models.structured.reply_schema import reply_schema
from operators.curate.model.ranges import joined
from operators.curate.model.records import Problem, QuestionType, Review, ReviewedPart, Span
from operators.curate.reviewing.sentences import Sentence, place_in


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
