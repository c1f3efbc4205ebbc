"""What the operators of this family share: kinds of questions, pieces of texts, and what a review says of a row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from dataflow_ext.columns import Columns
from operators.verify.answer import Option

QuestionType = Literal["calculation", "choice", "fill-in", "proof", "explanation", "drawing", "other"]

#: What a review may object to, and the error of the reject that it becomes; an answer in doubt goes to a person.
Problem = Literal[
    "not_a_question",
    "needs_other_text",
    "needs_missing_picture",
    "incomplete",
    "open_ended",
    "answer_missing",
    "answer_does_not_fit",
    "answers_disagree",
]


@dataclass(slots=True)
class Span:
    """A piece of a text, from its first character to the one behind its last."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The piece itself."""
        return text[self.start : self.end]


@dataclass(slots=True)
class ReviewedPart:
    """One part of a reviewed question: its places in question, answer and solution, and what is said of it.

    ``answer`` is a piece of the text that ``answer_in`` names, ``gaps`` are places where a blank is missing.
    """

    label: str
    question: list[Span]
    answers: list[Span]
    solution: list[Span]
    depends_on: list[str]
    question_type: QuestionType
    answer_in: Literal["answer", "solution", "nothing"]
    answer: Span
    gaps: list[int]
    problems: list[str]


@dataclass(slots=True)
class Review:
    """What a model found in a row: its parts, the text that all of them share, and what is no part of the question."""

    stem: list[Span]
    furniture: list[Span]
    parts: list[ReviewedPart] = field(default_factory=list)


@dataclass(slots=True)
class PartReview:
    """What a review says of one part, with places in that part's own texts."""

    question_type: QuestionType
    answer_in: Literal["answer", "solution", "nothing"]
    answer: str
    gaps: list[int]
    problems: list[str]


def joined(spans: Iterable[Span]) -> list[Span]:
    """The spans in the order of the text, those that touch or overlap as one.

    >>> joined([Span(4, 6), Span(0, 2), Span(2, 3)])
    [Span(start=0, end=3), Span(start=4, end=6)]
    """
    made: list[Span] = []
    for span in sorted((s for s in spans if s.end > s.start), key=lambda s: (s.start, s.end)):
        if made and span.start <= made[-1].end:
            made[-1] = Span(made[-1].start, max(made[-1].end, span.end))
        else:
            made.append(Span(span.start, span.end))
    return made


def without(spans: Iterable[Span], cuts: Iterable[Span]) -> list[Span]:
    """The spans without what lies in ``cuts``.

    >>> without([Span(0, 10)], [Span(2, 4), Span(9, 12)])
    [Span(start=0, end=2), Span(start=4, end=9)]
    """
    left = joined(spans)
    for cut in joined(cuts):
        left = [
            piece
            for span in left
            for piece in (Span(span.start, min(span.end, cut.start)), Span(max(span.start, cut.end), span.end))
            if piece.end > piece.start
        ]
    return left


def stripped(text: str, spans: Sequence[Span], also: str = "") -> list[Span]:
    """The spans without white space at the ends of what they make, nor the signs of ``also`` at its end."""
    left = joined(spans)
    while left and not left[0].of(text).strip():
        left = left[1:]
    while left and not left[-1].of(text).strip():
        left = left[:-1]
    if left:
        first, last = left[0].of(text), left[-1].of(text)
        left[0] = Span(left[0].start + len(first) - len(first.lstrip()), left[0].end)
        signs = f"{also} \t\r\n\u3000" if also else None
        left[-1] = Span(left[-1].start, left[-1].end - len(last) + len(last.rstrip(signs)))
    return left


def text_of(text: str, spans: Iterable[Span]) -> str:
    """What the spans make, one behind the other."""
    return "".join(span.of(text) for span in spans)


def moved(place: int, spans: Sequence[Span]) -> int | None:
    """Where a place of the source is in what the spans make; None if it was cut off.

    >>> moved(5, [Span(0, 2), Span(4, 9)]), moved(3, [Span(0, 2), Span(4, 9)])
    (3, None)
    """
    before = 0
    for span in spans:
        if span.start <= place <= span.end:
            return before + place - span.start
        before += span.end - span.start
    return None


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


#: The types of the rows' columns, but for texts.
_TYPES: Columns = {
    **dict.fromkeys(("question_images", "solution_images", "lost_pictures"), list[str]),
    **dict.fromkeys(("depends_on", "review_reasons", "cut"), list[str]),
    "place": int,
    "question_type": QuestionType,
    "options": list[Option] | None,
    "part": str | None,
    "split_from": str | None,
    "shared_solution": bool,
    "review": PartReview | None,
}


def columns(names: str) -> Columns:
    """The columns of some names, parted by spaces, with their types: ``review`` is that of a part."""
    return {name: _TYPES.get(name, str) for name in names.split()}
