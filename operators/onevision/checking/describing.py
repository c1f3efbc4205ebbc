"""Whether the description is one, tells no answer, and quotes what stands in the picture; whether its code parses."""

from __future__ import annotations

import re
from functools import lru_cache

from operators.onevision.checking.material import Material
from operators.onevision.checking.words import quoted, size
from operators.onevision.leaks import answers_question, leaks_in
from operators.onevision.records import BY_RULES, NOT_RUN, Check, CheckState

#: The shortest description, in letters.
_SHORTEST = 12
_QUOTED = re.compile(r"[\"“「『]([^\"”」』]{1,40})[\"”」』]")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")


def description_checks(row: Material) -> list[Check]:
    """The checks of the description and its formal code."""
    return [_empty(row), _leak(row), _number(row), _parses(row)]


def _empty(row: Material) -> Check:
    code = "description.empty"
    if size(row.description.strip()) < _SHORTEST:
        return Check(code, "failed", f"it has {len(row.description.strip())} characters")
    return Check(code, "passed")


def _leak(row: Material) -> Check:
    code = "description.leak"
    if leaks := _leaks(row.description):
        return Check(code, "failed", f"it speaks of the question or an answer: {quoted(leaks[0])}")
    read = None if row.read_by in ("", NOT_RUN) else row.read
    if told := answers_question(row.description, row.question, row.answer, read, row.answer_type):  # type: ignore[arg-type]
        return Check(code, "failed", f"it gives the answer: {quoted(told)}")
    if row.description_leaks:
        # The source wrote its caption for a question; a model was told not to, and was asked again.
        state: CheckState = "unsure" if row.description_by == BY_RULES else "failed"
        return Check(code, state, f"taken out of it: {quoted(row.description_leaks[0])}")
    return Check(code, "passed")


@lru_cache(maxsize=64)
def _leaks(description: str) -> tuple[str, ...]:
    return tuple(leaks_in(description))


def _number(row: Material) -> Check:
    """Compare the digits that are quoted as written with those that OCR read, whatever stands around them."""
    code = "description.number"
    if row.read_by in ("", NOT_RUN):
        return Check(code, "not run", "nothing was read in the picture")
    read = {number for text in row.read for number in _DIGITS.findall(text)}
    packed = "".join("".join(text.split()) for text in row.read)
    for piece in _QUOTED.findall(row.description):
        for number in _DIGITS.findall(piece):
            if number not in read and number not in packed:
                return Check(code, "failed", f"{quoted(piece)} was not read in the picture")
    return Check(code, "passed")


def _parses(row: Material) -> Check:
    code = "code.parses"
    if row.code_state == "parsed":
        return Check(code, "passed")
    if row.code_state in ("", NOT_RUN):
        return Check(code, "not run", "there is no formal code")
    return Check(code, "failed", row.code_state)
