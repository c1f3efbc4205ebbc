"""The short answer of a question: the printed one, or the piece of the solution that states it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from operators.curate.model.ranges import stripped, without
from operators.curate.model.records import QuestionType, Span
from operators.curate.reviewing.sentences import place_in
from operators.curate.rules.furniture import furniture_of_answer
from operators.curate.rules.tables import BLANK, PICTURE, cue, cues, says
from operators.verify.answer import Option
from operators.verify.equivalence import equivalent, type_of
from operators.verify.extraction import answer_in
from operators.verify.normalising import bare
from operators.verify.words import said_term

#: A printed answer of more characters is a solution.
SHORT = 160
_VALUES = ("number", "quantity", "expression", "letter", "list")
#: A longer answer of a calculation is looked at twice.
_TERSE = 24
#: Characters of a sentence's end that are cut at its commas.
_LONGEST = 400
#: A comma outside of formulas.
_COMMA = r"[,，]\s*(?![^$]*\$[^$]*(?:\$[^$]*\$[^$]*)*$)"
#: Where a word or a formula begins.
_WORD = re.compile(r"(?<![A-Za-z0-9\\$])[$A-Za-z0-9\\(√∠{\[-]|(?<=[=≈是为得])\s*\S")
_WIDE_STOP = re.compile(r"．(?=\D|\Z)")
_STOPS = " \t\r\n.。．"
_COMMAND = re.compile(r"\\[A-Za-z]+\Z")
#: Words that are a sentence, whatever numbers are among them.
_PROSE = re.compile(r"[一-鿿]{4,}|[A-Za-z]{3,}\s+[A-Za-z]{2,}\s+[A-Za-z]{2,}|\b(?:is|are)\b")
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
#: What a question has that asks for more than one thing.
_SEVERAL = re.compile(r"各|分别|[与和及]|\b(?:and|each|respectively|both)\b")
#: Sentences from the end of a solution that may state its value; comments may follow it.
_BACK = 3
_STOP = re.compile(r"(?<=[。！？\n])\s*|(?<=．)(?=\D)|(?<=[^\d\s]\.)\s+|(?<=\.)\s+(?=[A-Z\\$])")
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
        told = "" if stated is None else _disagreement(printed, stated[0], _last_sentence(body), question, options)
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
    # A wide stop ends a sentence as 。 does, but between digits.
    text = _WIDE_STOP.sub("。", PICTURE.sub("", solution)).strip()
    if options and (chosen := cue("answer_chosen").search(text)):
        return chosen["said"], _place(chosen["said"], solution)
    if kind == "calculation":
        return _value_in(text, solution, question)
    found = answer_in(text, question=question, options=options)
    return None if found is None else _cited(found.text, solution)


def _last_sentence(text: str) -> str:
    sentences = [sentence for sentence in _STOP.split(PICTURE.sub("", text)) if sentence.strip()]
    return sentences[-1] if sentences else ""


def _value_in(text: str, solution: str, question: str) -> tuple[str, Span] | None:
    """The value that the last sentence which states one states, of the last few."""
    sentences = [sentence for sentence in _STOP.split(text) if sentence.strip()]
    for count in range(1, min(_BACK, len(sentences)) + 1):
        end = len(sentences) - count + 1
        part = text if count == 1 else sentences[end - 1]
        found = answer_in(part, question=question)
        said = "" if found is None else found.text
        if several := cue("answer_several").search(sentences[end - 1].strip().rstrip(".．。")):
            return _cited(several[0].strip(), solution)
        if "，" in said and not _SEVERAL.search(question):
            said = said.rpartition("，")[2]
        if len(said) > _TERSE or "=" in said or not _is_value(said) or (found is not None and found.type == "words"):
            said = _right_side(sentences[end - 1], said)
        if not _is_value(said):
            said = _last_clause(said, question)
        if _is_value(said) and (cited := _cited(said, solution)) is not None:
            return cited
        if says("number", sentences[end - 1]):
            break  # what came before is on the way to it
    return None


def _cited(said: str, solution: str) -> tuple[str, Span] | None:
    """A short answer as the solution has it, with its place there; None if it is long or not there."""
    if not said or len(said) > SHORT or says("no_answer", said):
        return None
    place = _place(said, solution) or place_in(solution, Span(0, len(solution)), said, last=True)
    place = place or _written(said, solution)
    if place is None:
        return None
    # A name of LaTeX is taken whole, and no white space around it.
    if command := _COMMAND.search(solution[: place.start]):
        place = Span(command.start(), place.end)
    lead = furniture_of_answer(place.of(solution))
    place = Span(place.start + lead[0].end, place.end) if lead and not lead[0].start else place
    piece = place.of(solution)
    place = Span(place.start + len(piece) - len(piece.lstrip()), place.start + len(piece.rstrip()))
    return _balanced(place.of(solution), solution, place), place


def _written(said: str, solution: str) -> Span | None:
    """Where the last sentence ends in an answer that was read in plain letters, as 25π of ``$25\\pi$``."""
    sought = bare(said)
    for signs in (_STOPS, f"{_STOPS}$\\])"):
        end = len(solution.rstrip(signs))
        for found in reversed([*_WORD.finditer(solution, max(0, end - SHORT), end)]):
            if bare(solution[found.start() : end]) == sought:
                return Span(found.start(), end)
    return None


def _is_value(said: str) -> bool:
    """Whether this is what a calculation ends in: a number with or without a unit, an expression, yes or no."""
    if not said:
        return False
    kind = type_of(said)
    if kind in ("number", "quantity") or _PROSE.search(said):
        return kind in ("number", "quantity")
    return kind != "words" or said_term(said) is not None or (len(said) <= _TERSE and says("number", said))


def _last_clause(said: str, question: str) -> str:
    """The value that the last clause of a sentence states; empty if it states none."""
    clause = re.split(rf"{_COMMA}|[;；]\s*|\b(?:so|that is|which is)\b", said[-_LONGEST:])[-1].strip()
    found = answer_in(clause, question=question) if clause and clause != said else None
    if found is not None and _is_value(found.text):
        return found.text
    amount = cue("answer_amount").search(clause)
    return amount["said"] if amount else ""


def _balanced(said: str, solution: str, place: Span | None) -> str:
    """An answer that begins or ends within a formula, as a formula of its own."""
    if said.count("$") % 2 and said.endswith("$"):
        return f"${said}" if place and solution[: place.start].count("$") % 2 else said.rstrip("$")
    if said.count("$") and place and solution[: place.start].count("$") % 2:
        return f"${said}" if said.count("$") % 2 else f"${said}$"
    said = said.strip("$") if said.count("$") % 2 else said
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


def _right_side(solution: str, said: str) -> str:
    """The value at the end of a chain of equations, where the whole chain was taken for the answer."""
    last = [line for line in re.split(r"[\n。；;]", solution.strip()) if line.strip(" .．$")]
    clause = re.split(_COMMA, last[-1].strip()[-_LONGEST:])[-1] if last else ""
    found = cue("answer_right_side").search(clause)
    if not found or (said.count("=") == 1 and len(said) <= _TERSE):
        return said
    value = (found["said"] + (found["unit"] or "")).strip().strip("$").strip()
    return value if value and len(value) <= 60 and type_of(value) in _VALUES else said


def _place(said: str, solution: str) -> Span | None:
    start = solution.rfind(said)
    return Span(start, start + len(said)) if said and start >= 0 else None


def _disagreement(printed: str, stated: str, last: str, question: str, options: Sequence[Option]) -> str:
    """Why the printed answer and what the solution states cannot both be right; empty if they can."""
    kinds = type_of(printed, question=question, options=options), type_of(stated, question=question, options=options)
    sure = {"number", "quantity", "letter"}
    if not set(kinds) <= sure or ("letter" in kinds and kinds[0] != kinds[1]):
        return ""
    if "letter" not in kinds and set(_DIGITS.findall(printed)) <= set(_DIGITS.findall(last)):
        return ""  # what is printed is said at the end, whatever was taken from there
    if equivalent(printed, stated, question=question, options=options).verdict != "no":
        return ""
    return f"The printed answer is {printed!r:.80}, the solution says {stated!r:.80}."
