"""The one call of a model for a row: its texts in numbered sentences, and the reply checked against them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from dataflow_ext.errors import RowError
from dataflow_ext.models.structured.extract import extract_all
from dataflow_ext.models.structured.reply_schema import reply_schema
from operators.curate.model import Problem, QuestionType, Review, ReviewedPart, Span, joined
from operators.curate.rules.markers import runs_in

_END = re.compile(r"(?<=[。？！；?!;\n])[ \t\u3000\n]*(?=\S)|(?<=[A-Za-z0-9)}$])\.[ \t]+(?=[A-Z(\[$\\①-⑳])")
#: What may mark a part, if nobody knows whether it does: a piece too many costs a model nothing.
_MARK = re.compile(r"(?:(?<=[\s。；;，,?？])|\A)(?:[ivx]{1,4}[.)）]|[a-h][.)）]|\d{1,2}[)）])(?=[\s$一-鿿])\s*")
#: The number of an item, which is no sentence.
_NUMBER = re.compile(r"\s*\W?\d{1,3}\W*")
_SIDES = ("question", "answer", "solution")


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


def marks_in(text: str) -> list[Span]:
    """Whatever may mark the beginning of a part."""
    found = [Span(*mark.span()) for mark in _MARK.finditer(text)]
    return [*(Span(mark.start, mark.end) for run in runs_in(text) for mark in run.markers), *found]


def place_in(text: str, span: Span, quote: str, *, last: bool = False) -> Span | None:
    """Where a quoted piece stands within a span, whatever its white space and backslashes; None if nowhere.

    >>> place_in("so x = \\\\frac{1}{2} cm", Span(0, 22), "x=\\x0crac{1}{2}") is None
    True
    >>> place_in("so x = \\\\frac{1}{2} cm", Span(0, 22), "x=frac{1}{2}").of("so x = \\\\frac{1}{2} cm")
    'x = \\\\frac{1}{2}'
    """
    letters = [(c, n) for n, c in enumerate(text[span.start : span.end], span.start) if not c.isspace() and c != "\\"]
    sought = "".join(c for c in quote if not c.isspace() and c != "\\")
    solid = "".join(c for c, _ in letters)
    start = (solid.rfind if last else solid.find)(sought) if sought else -1
    if start < 0:
        return None
    first, final = letters[start][1], letters[start + len(sought) - 1][1]
    while first > span.start and text[first - 1] == "\\":
        first -= 1
    return Span(first, final + 1)


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
