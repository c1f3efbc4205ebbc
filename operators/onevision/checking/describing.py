"""Whether the description is one, tells no answer and fits what was read; whether its code parses; whose it is."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from operators.onevision.checking.material import Material
from operators.onevision.checking.words import folded, is_chinese, quoted, size
from operators.onevision.describing.leaks import answers_question, leaks_in
from operators.onevision.model.records import BY_RULES, NOT_RUN, Check, CheckState

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


#: So many different words have to be read, and below this share of them a source knows the picture is another one.
#: Of a prototype's 47 own pictures none was below it, of 153 pictures of others 121.
_LEAST, _KNOWN = 3, 0.1


def picture_check(row: Material) -> Check:
    """Compare what OCR read with caption, question, options and reasoning of the source."""
    code = "source.picture"
    if row.read_by in ("", NOT_RUN):
        return Check(code, "not run", "nothing was read in the picture")
    texts = (row.question, *(option.text for option in row.options), row.own_caption, row.reasoning, row.conclusion)
    known = _words("\n".join(texts))
    # Words of a script that the source does not use are none that it could know.
    chinese = any(is_chinese(word[0]) for word in known)
    read = {word for word in _words("\n".join(row.read)) if chinese or not is_chinese(word[0])}
    if len(read) < _LEAST:
        return Check(code, "not run", "too few words were read in the picture")
    shared = len(read & known)
    if shared < _KNOWN * len(read):
        return Check(code, "failed", f"of {len(read)} words that were read in the picture the source knows {shared}")
    return Check(code, "passed")


def _words(text: str) -> frozenset[str]:
    """The words and numbers of two signs and more, and pairs of Chinese characters.

    >>> sorted(_words("M=14kg, 滑轮组 7"))
    ['14', 'kg', '滑轮', '轮组']
    """
    every = folded(text)
    pairs = (one + other for one, other in pairwise(every) if is_chinese(one) and is_chinese(other))
    return frozenset([*pairs, *(word for word in every if len(word) > 1)])
