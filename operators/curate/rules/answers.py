"""The short answer of a question: the printed one, or the piece of the solution that states it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from operators.curate.model.ranges import stripped, without
from operators.curate.model.records import QuestionType, Span
from operators.curate.rules.furniture import furniture_of_answer
from operators.curate.rules.tables import BLANK, PICTURE, cue, cues, says
from operators.verify.answer import Option
from operators.verify.equivalence import equivalent, type_of
from operators.verify.extraction import answer_in

#: A printed answer of more characters is a solution.
SHORT = 160
_VALUES = ("number", "quantity", "expression", "letter", "list")
#: A longer answer of a calculation is looked at twice.
_TERSE = 24
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
    printed = answer.strip()
    if says("no_answer", printed):
        printed = ""
    body = concluded(solution)
    stated = None if kind in ("proof", "explanation", "drawing") else stated_in(body, question, options, kind)
    if printed and len(printed) <= SHORT and not (printed.count("\n") > 2):
        place = None if stated is None else stated[1]
        told = "" if stated is None else _disagreement(printed, stated[0], question, options)
        return ShortAnswer(printed, "printed", None if told else place, told)
    if printed and stated is None and kind not in ("proof", "explanation", "drawing"):
        inside = stated_in(concluded(printed), question, options, kind)
        if inside is not None:
            return ShortAnswer(inside[0], "printed")
    if stated is not None:
        return ShortAnswer(stated[0], "solution", stated[1])
    return ShortAnswer(printed, "printed" if printed else "none")


def concluded(solution: str) -> str:
    """A solution up to the comments that follow it.

    >>> concluded("x = 3.\\n【点评】本题考查方程")
    'x = 3.\\n'
    """
    found = cue("after").search(solution)
    return solution[: found.start()] if found and solution[: found.start()].strip() else solution


def stated_in(
    solution: str, question: str, options: Sequence[Option], kind: QuestionType
) -> tuple[str, Span | None] | None:
    """What a solution states as the answer, with its place in it."""
    if not solution.strip() or says("no_answer", solution):
        return None
    for pattern in cues("answer_marked"):
        for marked in pattern.finditer(solution):
            if marked["said"].strip() and not says("no_answer", marked["said"]):
                return _cleared(marked["said"], solution)
    if kind == "fill-in" and (filled := filled_in(question, solution)):
        return filled, None if len(BLANK.findall(question)) > 1 else _place(filled, solution)
    text = PICTURE.sub("", solution).strip()
    if options and (chosen := cue("answer_chosen").search(text)):
        return chosen["said"], _place(chosen["said"], solution)
    found = answer_in(text, question=question, options=options)
    if found is None:
        return None
    said = found.text
    if len(said) > _TERSE or found.type == "words" or "=" in said:
        said = _right_side(text, said, kind)
    if kind == "calculation" and _is_sentence(said):
        said = _last_clause(said, question)
    if not said or len(said) > SHORT or says("no_answer", said):
        return None
    place = _place(said, solution)
    return _balanced(said, solution, place), place


def _is_sentence(said: str) -> bool:
    """Whether words were taken for the answer of a calculation that are a sentence, and no value."""
    return len(said) > _TERSE and type_of(said) == "words"


def _last_clause(said: str, question: str) -> str:
    """The value that the last clause of a sentence states; empty if it states none."""
    clause = re.split(r"[,，;；]\s*|\b(?:so|that is|which is|and)\b", said)[-1].strip()
    found = answer_in(clause, question=question) if clause and clause != said else None
    return found.text if found is not None and not _is_sentence(found.text) else ""


def _balanced(said: str, solution: str, place: Span | None) -> str:
    """An answer that begins or ends within a formula, as a formula of its own."""
    if said.count("$") % 2 and said.endswith("$"):
        return f"${said}" if place and solution[: place.start].count("$") % 2 else said.rstrip("$")
    if said.count("$") and place and solution[: place.start].count("$") % 2:
        return f"${said}" if said.count("$") % 2 else f"${said}$"
    return re.sub(r"[.\s]*\\[\])]\s*\Z", "", said) if said.count("\\[") + said.count("\\(") == 0 else said


def filled_in(question: str, solution: str) -> str:
    """What a solution that repeats the question has in the place of its blanks; empty if it does not repeat it.

    >>> filled_in("The symbol of sodium is ____.", "The symbol of sodium is Na, from natrium.")
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


def _right_side(solution: str, said: str, kind: QuestionType) -> str:
    """The value at the end of a chain of equations, where the whole chain was taken for the answer."""
    last = [line for line in re.split(r"[\n。；;]", solution.strip()) if line.strip(" .．$")]
    if kind != "calculation" or not last:
        return said
    clause = re.split(r"[,，]\s*(?![^$]*\$[^$]*(?:\$[^$]*\$[^$]*)*$)", last[-1].strip())[-1]
    found = cue("answer_right_side").search(clause)
    if not found or (said.count("=") == 1 and len(said) <= 24):
        return said
    value = (found["said"] + (found["unit"] or "")).strip().strip("$").strip()
    return value if value and len(value) <= 60 and type_of(value) in _VALUES else said


def _place(said: str, solution: str) -> Span | None:
    start = solution.rfind(said)
    return Span(start, start + len(said)) if said and start >= 0 else None


def _disagreement(printed: str, stated: str, question: str, options: Sequence[Option]) -> str:
    """Why the printed answer and what the solution states cannot both be right; empty if they can."""
    kinds = type_of(printed, question=question, options=options), type_of(stated, question=question, options=options)
    sure = {"number", "quantity", "letter"}
    if not set(kinds) <= sure or ("letter" in kinds and kinds[0] != kinds[1]):
        return ""
    if equivalent(printed, stated, question=question, options=options).verdict != "no":
        return ""
    return f"The printed answer is {printed!r:.80}, the solution says {stated!r:.80}."
