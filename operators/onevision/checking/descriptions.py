"""Whether the description is one, tells no answer and fits what was read; whether its code parses; whose it is."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from dataflow_ext.text import stem
from operators.onevision.checking.material import Material, folded, is_chinese, listed, quoted, size
from operators.onevision.describing.leaks import answers_question, leaks_in
from operators.onevision.model.records import BY_RULES, NOT_RUN, Check, CheckState
from operators.verify.units import unit_of

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
    if leaks := leaks_in(row.description):
        return Check(code, "failed", f"it speaks of the question or an answer: {quoted(leaks[0])}")
    read = None if row.read_by in ("", NOT_RUN) else row.read
    if told := answers_question(row.description, row.question, row.answer, read, row.answer_type):  # type: ignore[arg-type]
        return Check(code, "failed", f"it gives the answer: {quoted(told)}")
    if row.description_leaks:
        # The source wrote its caption for a question; a model was told not to, and was asked again.
        state: CheckState = "unsure" if row.description_by == BY_RULES else "failed"
        return Check(code, state, f"taken out of it: {quoted(row.description_leaks[0])}")
    return Check(code, "passed")


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


#: So much has to be read; a source that knows less than this share of it, and less than so much, is of another picture.
#: Of 134 rows whose own picture has as much none is below, of 1,545 rows with another's picture 1,443 are.
_LEAST, _KNOWN, _FEW = 2.0, 0.15, 2.0
#: Of what weighs less, as do short numbers and units, so many have to be read and none to be known.
_WORDS = 3
#: Words that any text may have.
_SMALL = listed("the and for with from that this are was not yes off one two per total")
#: What a word weighs by which a picture is known: numbers by their digits, pairs of Chinese characters, other words.
_DIGITS_WEIGH, _PAIR_WEIGHS, _WORD_WEIGHS = {1: 0.0, 2: 0.5}, 0.5, 1.0
#: The longest word that may be a unit, which many pictures have.
_UNIT = 3


def picture_check(row: Material) -> Check:
    """Compare what OCR read with caption, question, options and reasoning of the source."""
    code = "source.picture"
    if row.read_by in ("", NOT_RUN):
        return Check(code, "not run", "nothing was read in the picture")
    texts = (row.question, *(option.text for option in row.options), row.own_caption, row.reasoning, row.conclusion)
    known = frozenset().union(*map(_words, texts))
    # Words of a script that the source does not use are none that it could know.
    chinese = any(is_chinese(word[0]) for word in known)
    every = frozenset().union(*map(_words, row.read))
    read = {word for word in every if len(word) > 1 and (chinese or not is_chinese(word[0]))}
    both = read & known
    whole, shared = sum(map(_weight, read)), sum(map(_weight, both))
    if whole < _LEAST and len(read) < _WORDS:
        return Check(code, "not run", "too few words were read in the picture")
    if (shared < min(_FEW, _KNOWN * whole)) if whole >= _LEAST else not both:
        return Check(code, "failed", f"of {len(read)} words that were read in the picture the source knows {len(both)}")
    return Check(code, "passed")


@lru_cache(maxsize=512)
def _words(text: str) -> frozenset[str]:
    """The stems of a text's words, its numbers, and pairs of Chinese characters.

    >>> sorted(_words("Tanks of 1,400kg, 滑轮组"))
    ['1400', 'kg', 'of', 'tank', '滑轮', '轮组']
    """
    every = folded(text)
    pairs = (one + other for one, other in pairwise(every) if is_chinese(one) and is_chinese(other))
    words = (word.replace(",", "") if word[0].isdigit() else stem(word) for word in every if not is_chinese(word))
    return frozenset((*pairs, *words))


@lru_cache(maxsize=1 << 14)
def _weight(word: str) -> float:
    """How much a word tells of which picture it is: small words, letters, digits and units tell nothing."""
    if word[0].isdigit():
        return _DIGITS_WEIGH.get(sum(map(str.isdigit, word)), 1.0)
    if is_chinese(word[0]):
        return _PAIR_WEIGHS
    small = len(word) == 1 or word in _SMALL or (len(word) <= _UNIT and unit_of(word) is not None)
    return 0.0 if small else _WORD_WEIGHS
