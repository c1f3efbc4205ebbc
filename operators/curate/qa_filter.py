"""QAFilter: the rows that can be asked as they stand, and whose answer fits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, get_args

import pyarrow as pa

from dataflow_ext import Failure, Made, Operator
from dataflow_ext.columns import Columns
from dataflow_ext.outcomes import Outcome, Record, made_of_rows
from operators.curate.model import PartReview, QuestionType, columns
from operators.curate.rules.cues import BLANK, PICTURE, asks, cue, pieces_of, says, sentences, speaks_of_picture
from operators.verify.answer import Option
from operators.verify.options import letters_of

#: Letters of a text that is read before it is asked about.
_PASSAGE = 40
_WORD = re.compile(r"[A-Za-z]{2,}|[一-鿿]|\d")


@dataclass(frozen=True, slots=True)
class Unfit:
    """The error of a reject, and the sentence that says why."""

    error: str
    reason: str


def unfit(
    question: str,
    asked: str,
    answer: str,
    solution: str,
    question_type: QuestionType,
    options: Sequence[Option] | None,
    question_images: Sequence[str],
    lost_pictures: Sequence[str],
    review_reasons: Sequence[str] = (),
    *,
    judged: bool = False,
) -> Unfit | None:
    """Why a row is no question to be asked; None if rules see nothing.

    A row that a model ``judged`` is not objected to for what its words may mean, only for what is not there.
    """
    words = PICTURE.sub(" ", question)
    if not _WORD.search(words):
        return Unfit("NotAQuestion", "There is no text in the question.")
    if lost := [link for link in question_images if link in lost_pictures]:
        return Unfit("LostPicture", f"The picture {lost[0]} is not there.")
    if not question_images and speaks_of_picture(words) and not says("table", question):
        return Unfit("LostPicture", "The question speaks of a picture or table, and has none.")
    if not review_reasons and (found := _no_answer(answer, solution, question_type)):
        return found
    letters = letters_of(answer, options) or letters_of(answer) if options else frozenset[str]()
    if not letters <= {option.letter for option in options or ()}:
        return Unfit("AnswerDoesNotFit", f"The answer {answer!r:.40} is none of the options.")
    if judged:
        return None
    if (named := cue("other_text").search(words)) and not _is_there(named[0], words):
        return Unfit("NeedsOtherText", f"It rests on another text: {named[0].strip()!r:.60}.")
    if says("open", asked) or says("open", answer):
        return Unfit("OpenEnded", "It asks for an example or an opinion, which may be any.")
    blanks = len(BLANK.findall(asked))
    if question_type == "fill-in" and blanks > 1 and len(pieces_of(answer)) > blanks + 1:
        return Unfit("AnswerDoesNotFit", f"There are {blanks} blanks and {len(pieces_of(answer))} answers.")
    return None


def _is_there(named: str, words: str) -> bool:
    """Whether a text that a question speaks of, by no number, stands in it: sentences that ask for nothing."""
    told = [said for span in sentences(words) if named not in (said := span.of(words)) and not asks(said)]
    return not re.search(r"\d", named) and sum(map(len, told)) > _PASSAGE


def _no_answer(answer: str, solution: str, kind: QuestionType) -> Unfit | None:
    told = [text for text in (answer, solution) if text.strip() and not says("no_answer", text)]
    if not told:
        given = answer.strip() or solution.strip()
        said = f"The answer is only {given!r:.60}." if given else "There is neither an answer nor a solution."
        return Unfit("NoAnswer", said)
    if not answer.strip() and kind in ("calculation", "choice", "fill-in"):
        return Unfit("NoAnswer", "The solution states no short answer.")
    return None


#: The error and the sentence of what a review objects to.
_OBJECTIONS = {
    "not_a_question": ("NotAQuestion", "It asks for nothing"),
    "needs_other_text": ("NeedsOtherText", "It cannot be understood without another text"),
    "needs_missing_picture": ("LostPicture", "It needs a picture that is not there"),
    "incomplete": ("Incomplete", "Question or answer is not whole"),
    "open_ended": ("OpenEnded", "It has more than one right answer"),
    "answer_missing": ("NoAnswer", "There is no answer"),
    "answer_does_not_fit": ("AnswerDoesNotFit", "The answer belongs to another question"),
}


class QAFilter(Operator):
    """The rows that are questions, can be understood by themselves, and have an answer that fits.

    Rules tell what is plain: no answer, a picture that is spoken of and not there, another exercise or text that is
    needed, an answer that is none of the options. A review tells the rest.

    Reads:
        question, asked, answer, solution: the texts.
        question_type, options: the kind and what there is to choose from.
        question_images: links to pictures.
        lost_pictures: links that lead to no file.
        review_reasons: a row that a person will look at may be without an answer.
        review: what a model says of the row, null if none was asked.

    Options:
        types: the kinds of questions that are kept; all of them if none is named.

    Rejects:
        NoAnswer, AnswerDoesNotFit, NotAQuestion, NeedsOtherText, LostPicture, Incomplete, OpenEnded: what is wrong.
        OtherType: a question of a kind that is not wanted.

    Example:
        >>> row = {"question": "如图，求AB", "asked": "如图，求AB", "answer": "5", "solution": "", "options": None}
        >>> row |= {"question_type": "calculation", "question_images": [], "lost_pictures": [], "review": None}
        >>> row |= {"review_reasons": []}
        >>> QAFilter().apply([row]).rejects["error"].to_pylist()
        ['LostPicture']
    """

    rows: ClassVar[Any] = "filter"
    inputs: ClassVar[Columns] = columns(
        "question asked answer solution question_type options question_images lost_pictures review_reasons review"
    )

    types: tuple[QuestionType, ...] = get_args(QuestionType)

    def batch(self, table: pa.Table) -> Made:
        """Look at each row by itself."""
        return made_of_rows(self, table, lambda rows: map(self._outcome, rows))

    def _outcome(self, row: Record) -> Outcome | Failure:
        why = self._objection(row)
        return Failure(0, why.reason, why.error, kind="dropped") if why else {}

    def _objection(self, row: dict[str, Any]) -> Unfit | None:
        if row["question_type"] not in self.types:
            return Unfit("OtherType", f"It is of the kind {row['question_type']}, which is not wanted.")
        review: PartReview | None = row.pop("review")
        told = [problem for problem in review.problems if problem in _OBJECTIONS] if review else []
        found = unfit(**row, judged=review is not None)
        if found is None and told:
            error, reason = _OBJECTIONS[told[0]]
            return Unfit(error, f"{reason}, as the review finds.")
        return found
