"""ShortAnswerExtractor: the short answer of each row, the printed one or the piece of its solution that states it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from dataflow_ext import RowOperator
from dataflow_ext.columns import Columns
from dataflow_ext.text import UNITS
from operators.curate.model import PartReview, QuestionType, Span, columns, place_in, stripped, without
from operators.curate.rules.cues import BLANK, PICTURE, cue, cues, says, sentences
from operators.curate.rules.furniture import furniture_of_answer
from operators.verify.answer import Option
from operators.verify.equivalence import equivalent, type_of
from operators.verify.extraction import answer_in
from operators.verify.lists import depths
from operators.verify.worded_answers import said_term

#: Brackets with none in them, signs of equality, and what makes of a text with these more than one chain of them.
_INNERMOST = re.compile(r"[(（\[{][^()（）\[\]{}]*[)）\]}]")
_EQUALS = re.compile(r"(?<![<>!:=])[=＝](?![=＝])")
_RELATED = re.compile(r"[,，、;；<>≤≥≠\n&]|\\(?:[lg]eq?|neq?)\b|\b(?:and|or)\b|[和或与]")
#: The left side of an equation that says what a variable or a function is, and what may stand before it.
_NAME = re.compile(r"(?:[∠△]?\\?(?![dt]?frac|sqrt)[A-Za-zΑ-ω][\w'′~^]*)(?:\s+[∠△]?\\?[A-Za-zΑ-ω][\w'′~^]*)*")
_CALLED = re.compile(r"\b(?:is|are)\b|[为是:：$]|\\[(\[]")
#: A question that asks for an equation; one to be solved has been there before.
_EQUATION = re.compile(
    r"(?<!解)(?<!解下列)方程|解析式|关系式|函数式|公式|(?<!solve )(?<!solve the )\b(?:equation|formula)", re.IGNORECASE
)
#: A printed answer of more characters is a solution.
_SHORT = 160
#: Types of which it can be told that two answers differ.
_COMPARED = {"number", "quantity", "letter", "expression", "list"}
#: Words that are longer are a sentence.
_TERSE = 24
#: Characters of a sentence's end that are looked at.
_LONGEST = 240
#: Where a word or a formula begins.
_WORD = re.compile(r"(?<![A-Za-z0-9\\$.])[$A-Za-z0-9\\(√∠{\[-]|(?<=[=≈是为得])\s*\S")
#: What a value does not begin behind: it would be part of an expression, a relation or a list.
_WITHIN = re.compile(r"(?:[-+−×÷*/^_<>≤≥≠({\[,，、|;；]|\bper|\\(?!approx|Rightarrow|therefore|quad|text)[A-Za-z]+)\Z")
_AND = re.compile(r"\s*(?:[;；,，、]|\band\b|\bor\b|[和或与])\s*")
#: A line of its own behind a sentence, as pages have their numbers.
_LONE = re.compile(r"\d{1,4}")
_PAIR = re.compile(r"\([^()]+,[^()]+\)")
_BRACKETED = re.compile(rf"\s*[(（]\s*({'|'.join(map(re.escape, sorted(UNITS, key=len, reverse=True)))})\s*[)）]\Z")
#: What follows the last figure of a number: its unit, of which one of two answers may say nothing.
_UNIT = re.compile(r"(?<=[\d)}])[^\d)}]*\Z")
#: What says that something is a value.
_SAID = re.compile(r"(?:[=≈:：是为选]|\b(?:is|are))[\s$(（]*\Z")
_MARKUP = re.compile(r"\\[A-Za-z]|[\^_{]")
_WIDE_STOP = re.compile(r"．(?=\D|\Z)")
_ENDS = " \t\r\n.。．$;；,，!！"
_COMMAND = re.compile(r"\\[A-Za-z]+\Z")
#: Words that are a sentence, whatever numbers are among them.
_PROSE = re.compile(r"[一-鿿]{4,}|[A-Za-z]{3,}\s+[A-Za-z]{2,}\s+[A-Za-z]{2,}|\b(?:is|are)\b")
_DIGITS = re.compile(r"-?\d+(?:\.\d+)?")
#: What a question has that asks for more than one thing.
_SEVERAL = re.compile(r"各|分别|[与和及]|\b(?:and|each|respectively|both)\b")
#: Sentences from the end of a solution that may state its value; comments may follow it.
_BACK = 3
#: Characters beside a blank that a solution repeats: so many at most, and at least in all.
_CONTEXT, _LEAST = 12, 4
_SIGNS = re.compile(r"[,，.。．;；、:：\n]")


@dataclass(frozen=True, slots=True)
class ShortAnswer:
    """A short answer, where it is from, its place in the solution, and whether printed one and solution disagree."""

    text: str
    source: str
    place: Span | None = None
    disagrees: str = ""


def short_answer(
    question: str, answer: str, solution: str, options: Sequence[Option], kind: QuestionType
) -> ShortAnswer:
    """The short answer: the printed one if it is short, else what the solution states; empty if neither has one.

    >>> short_answer("解方程 2x+3=9", "", "解：2x=6，∴ x=3．", (), "calculation").text
    '3'
    >>> short_answer("Find x.", "4", "2x = 6, so x = 3.", (), "calculation").disagrees
    "The printed answer is '4', the solution says '3'."
    """
    printed = "" if says("no_answer", answer.strip()) else answer.strip().rstrip(".。．") or answer.strip()
    body = _concluded(solution)
    stated = None if kind in ("proof", "explanation", "drawing") else _stated_in(body, question, options, kind)
    if printed and len(printed) <= _SHORT and not (printed.count("\n") > 2):
        if stated is None:
            return ShortAnswer(printed, "printed")
        told = _disagreement(printed, stated[0], question, options) if _is_end(stated[1], body, printed) else ""
        return ShortAnswer(printed, "printed", None if told else stated[1], told)
    if printed and stated is None and kind not in ("proof", "explanation", "drawing"):
        inside = _stated_in(_concluded(printed), question, options, kind)
        if inside is not None:
            return ShortAnswer(inside[0], "printed")
    if stated is not None:
        return ShortAnswer(stated[0], "solution", stated[1])
    return ShortAnswer(printed, "printed" if printed else "none")


def _concluded(solution: str) -> str:
    """A solution up to the comments that follow it.

    >>> _concluded("x = 3.\\n【点评】本题考查方程")
    'x = 3.\\n'
    """
    found = cue("after").search(solution)
    return solution[: found.start()] if found and solution[: found.start()].strip() else solution


def _stated_in(
    solution: str, question: str, options: Sequence[Option], kind: QuestionType
) -> tuple[str, Span | None] | None:
    """What a solution states as the answer, with its place in it."""
    if not solution.strip() or says("no_answer", solution):
        return None
    for pattern in cues("answer_marked"):
        for marked in pattern.finditer(solution):
            if marked["said"].strip() and not says("no_answer", marked["said"]):
                return _cleared(marked["said"], solution)
    if kind == "fill-in" and (filled := _filled_in(question, solution)):
        return filled, None if len(BLANK.findall(question)) > 1 else _place(filled, solution)
    text = PICTURE.sub("", solution).strip()
    if options and (chosen := cue("answer_chosen").search(text)):
        return chosen["said"], _place(chosen["said"], solution)
    if kind in ("calculation", "fill-in"):
        value = _value_in(solution, question)
        if value is not None or kind == "calculation":
            return value
    # A wide stop ends a sentence as 。 does, but between digits.
    found = answer_in(_WIDE_STOP.sub("。", text), question=question, options=options)
    # A whole sentence is no short answer.
    if found is None or (found.type == "words" and len(found.text) > _TERSE):
        return None
    return _cited(found.text, solution, question)


def _value_in(solution: str, question: str) -> tuple[str, Span] | None:
    """The value that one of the last sentences ends with, or else states."""
    for sentence in reversed(sentences(solution)[-_BACK:]):
        text = PICTURE.sub("", sentence.of(solution)).strip()
        if _LONE.fullmatch(text) and solution[: sentence.start].rstrip()[-1:] in tuple(".。．"):
            continue
        if several := cue("answer_several").search(text.rstrip(".．。")):
            return _cited(several[0].strip(), solution, question)
        if (place := _ending_in(solution, sentence, question)) is not None:
            return _shown(place, solution), place
        found = answer_in(_WIDE_STOP.sub("。", text), question=question)
        valued = found is not None and found.type != "words" and _is_value(found.text)
        if found and valued and (cited := _cited(found.text, solution, question)):
            return cited
        if says("number", text):
            break  # what came before is on the way to it
    return None


def _ending_in(text: str, sentence: Span, question: str) -> Span | None:
    """The longest end of a sentence that is a value: a number with its unit; several where several are asked for."""
    several = len(BLANK.findall(question)) > 1 or _SEVERAL.search(question) is not None
    said = text[sentence.start : sentence.end].rstrip(_ENDS)
    said = said[: -len(closed[0])].rstrip(_ENDS) if (closed := re.search(r"\\[\])]\Z", said)) else said
    for begin in _WORD.finditer(said, max(0, len(said) - _LONGEST)):
        start = begin.end() - 1
        before, piece = said[:start].rstrip(" $\t"), said[start:]
        plain_piece = _plainly(piece)
        if _WITHIN.search(before) or "=" in piece or not _is_closed(plain_piece):
            continue
        pieces = [each for each in _AND.split(plain_piece) if each.strip()]
        single = type_of(plain_piece) in ("number", "quantity") or _PAIR.fullmatch(plain_piece)
        apart = several or ";" in piece or "；" in piece
        listed = apart and len(pieces) > 1 and all(type_of(each) in ("number", "quantity") for each in pieces)
        if single or listed:
            return Span(sentence.start + start, sentence.start + len(said))
    return None


def _plainly(piece: str) -> str:
    """A piece without the marks of formulas, and with its unit out of brackets: 520（千米） is 520 千米."""
    return _BRACKETED.sub(r" \1", piece.replace("$", "")).strip()


def _is_closed(piece: str) -> bool:
    found = [0, *depths(piece)]
    return min(found) == found[-1] == 0


def _shown(place: Span, solution: str) -> str:
    """A value as it is read by itself: formulas as formulas, plain numbers and units as text."""
    piece = place.of(solution)
    return _balanced(piece, solution, place) if _MARKUP.search(piece) else _plainly(piece).replace("  ", " ")


def _result_in(said: str, question: str) -> int:
    """Where the value of a calculation begins, behind its last sign of equality; 0 for an equation that is asked for.

    >>> [said[_result_in(said, "") :] for said in ("2x + 3x + 1 = 5x + 1", "S＝ah＝6a", "y = 2x + 6", "x = 1, y = 2")]
    [' 5x + 1', '6a', 'y = 2x + 6', 'x = 1, y = 2']
    """
    flat = said
    while flat != (flat := _INNERMOST.sub(lambda found: "~" * len(found[0]), flat)):
        pass  # what is in brackets is no side of this equation
    signs = list(_EQUALS.finditer(flat))
    if not signs or _RELATED.search(flat) or _EQUATION.search(question):
        return 0
    left = _CALLED.split(flat[: signs[0].start()])[-1].strip()
    return signs[-1].end() if len(signs) > 1 or not _NAME.fullmatch(left) else 0


def _cited(said: str, solution: str, question: str) -> tuple[str, Span] | None:
    """A short answer as the solution has it, with its place there; None if it is long or not there."""
    if not said or len(said) > _SHORT or says("no_answer", said):
        return None
    place = _place(said, solution) or place_in(solution, Span(0, len(solution)), said, last=True)
    if place is None:
        return None
    place = Span(place.start + _result_in(place.of(solution), question), place.end)
    # A name of LaTeX is taken whole, and no white space around it.
    if command := _COMMAND.search(solution[: place.start]):
        place = Span(command.start(), place.end)
    lead = furniture_of_answer(place.of(solution))
    place = Span(place.start + lead[0].end, place.end) if lead and not lead[0].start else place
    piece = place.of(solution)
    place = Span(place.start + len(piece) - len(piece.lstrip()), place.start + len(piece.rstrip()))
    return _shown(place, solution), place


def _is_value(said: str) -> bool:
    """Whether this is what a calculation ends in: a number with or without a unit, an expression, yes or no."""
    if not said:
        return False
    kind = type_of(said)
    if kind in ("number", "quantity") or _PROSE.search(said):
        return kind in ("number", "quantity")
    return kind != "words" or said_term(said) is not None or (len(said) <= _TERSE and says("number", said))


def _balanced(said: str, solution: str, place: Span | None) -> str:
    """An answer that begins or ends within a formula, as a formula of its own."""
    if said.count("$") % 2 and said.endswith("$"):
        return f"${said}" if place and solution[: place.start].count("$") % 2 else said.rstrip("$")
    if said.count("$") and place and solution[: place.start].count("$") % 2:
        return f"${said}" if said.count("$") % 2 else f"${said}$"
    said = said.strip("$") if said.count("$") % 2 else said
    return re.sub(r"[.\s]*\\[\])]\s*\Z", "", said) if said.count("\\[") + said.count("\\(") == 0 else said


def _filled_in(question: str, solution: str) -> str:
    """What a solution that repeats the question has in the place of its blanks; empty if it does not repeat it.

    >>> _filled_in("The symbol of sodium is ____.", "The symbol of sodium is Na, from natrium.")
    'Na'
    """
    pieces = []
    for blank in BLANK.finditer(question):
        before = _SIGNS.split(question[: blank.start()])[-1][-_CONTEXT:].strip()
        after = _SIGNS.split(question[blank.end() :])[0][:_CONTEXT].strip()
        end = re.escape(after) if after else r"[,，.。．;；、]|\Z"
        pattern = rf"{re.escape(before)}\s*(?P<said>[^.。;；\n]{{1,40}}?)\s*(?:{end})"
        found = re.search(pattern, solution) if len(before) + len(after) >= _LEAST else None
        if found is None:
            return ""
        pieces.append(found["said"])
    return "；".join(pieces)


def _cleared(said: str, solution: str) -> tuple[str, Span | None]:
    kept = stripped(said, without([Span(0, len(said))], furniture_of_answer(said)))
    text = "".join(span.of(said) for span in kept) or said.strip()
    text = text.rstrip("．。.") if not re.fullmatch(r"[\d.]+", text) else text.rstrip(".")
    return text, _place(text, solution)


def _place(said: str, solution: str) -> Span | None:
    start = solution.rfind(said)
    return Span(start, start + len(said)) if said and start >= 0 else None


def _is_end(place: Span | None, solution: str, printed: str) -> bool:
    """Whether a value is what a solution comes to: said to be so in its last sentence, or without the printed one."""
    last = sentences(solution)[-1]
    if place is None or place.start < last.start:
        return False
    numbers = set(_DIGITS.findall(printed))
    return (
        not numbers
        or not numbers <= set(_DIGITS.findall(last.of(solution)))
        or bool(_SAID.search(solution[: place.start]))
    )


def _disagreement(printed: str, stated: str, question: str, options: Sequence[Option]) -> str:
    """Why the printed answer and what the solution states cannot both be right; empty if they can.

    Of a number without a unit the unit is not known.
    """
    kinds = type_of(printed, options=options), type_of(stated, options=options)
    if not set(kinds) <= _COMPARED or ("letter" in kinds and kinds[0] != kinds[1]):
        return ""
    if not {"letter", "expression", "list"} & set(kinds):
        numbers = [_DIGITS.findall(each.replace(",", "")) for each in (printed, stated)]
        if numbers[0] == numbers[1]:
            return ""  # what is counted may be called otherwise
    one, other = printed, stated
    if len(set(kinds)) > 1:
        one, other = (_UNIT.sub("", each) for each in (printed, stated))
    if equivalent(one, other, question=question, options=options).verdict != "no":
        return ""
    return f"The printed answer is {printed!r:.80}, the solution says {stated!r:.80}."


class ShortAnswerExtractor(RowOperator):
    """The short answer of each row: the printed one if there is one, else the piece of the solution that states it.

    If both are there and mean different things, the row says so among its doubts and goes to a person. Proofs,
    explanations and drawings have the printed answer or none. A review's answer is a piece of the row's own text too.

    Reads:
        question, answer, solution: the texts.
        shared_solution: whether the solution answers other parts too; then nothing is taken from it.
        options: the options of a choice.
        question_type: its kind.
        review: what a model says of the row, null if none was asked.

    Writes:
        answer: the short answer, empty if there is none.
        answer_from: ``printed``, ``solution`` or ``none``.
        answer_place: where it stands in the solution, null if it is not there.
        review_reasons: why a person should look at the row.

    Rejects: none of its own.

    Example:
        >>> row = {"question": "Find x if 2x = 6.", "answer": "", "solution": "2x = 6, so x = 3.", "options": None}
        >>> row |= {"question_type": "calculation", "shared_solution": False, "review": None}
        >>> ShortAnswerExtractor()([row])["answer"].to_pylist()
        ['3']
    """

    inputs: ClassVar[Columns] = columns("question answer solution shared_solution options question_type review")
    outputs: ClassVar[Columns] = {
        "answer": str,
        "answer_from": Literal["printed", "solution", "none"],
        "answer_place": Span | None,
        "review_reasons": list[str],
    }
    record: ClassVar[tuple[str, ...]] = ("answer_from", "answer_place")

    def row(
        self,
        question: str,
        answer: str,
        solution: str,
        shared_solution: bool,
        options: list[Option] | None,
        question_type: QuestionType,
        review: PartReview | None,
    ) -> dict[str, Any]:
        """The answer, where it is from, and whether the two sources disagree."""
        own = "" if shared_solution else solution
        found = short_answer(question, answer, own, options or (), question_type)
        if review is not None and not review.answer and found.source == "solution":
            found = ShortAnswer("", "none")  # the review finds none there
        if review is not None and review.answer:
            start = solution.rfind(review.answer) if review.answer_in == "solution" else -1
            place = Span(start, start + len(review.answer)) if start >= 0 else None
            source = "solution" if review.answer_in == "solution" else "printed"
            found = ShortAnswer(review.answer, source, place, found.disagrees if found.source == "printed" else "")
        reasons = [found.disagrees] if found.disagrees else []
        if shared_solution and not found.text:
            reasons.append("The solution answers several parts, and nothing tells which piece of it is whose.")
        if review is not None and "answers_disagree" in review.problems and not reasons:
            reasons.append("The review finds that answer and solution disagree.")
        return {
            "answer": found.text,
            "answer_from": found.source,
            "answer_place": found.place,
            "review_reasons": reasons,
        }
