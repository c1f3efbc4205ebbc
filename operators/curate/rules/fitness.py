"""Why a row cannot be asked as it stands, as far as rules can tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from operators.curate.model.records import QuestionType
from operators.curate.rules.blanks import pieces_of
from operators.curate.rules.pictures import speaks_of_picture
from operators.curate.rules.tables import BLANK, PICTURE, asks, cue, says, sentences
from operators.verify.answer import Option
from operators.verify.letters import letters_of

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
