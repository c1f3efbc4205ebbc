"""Whether the answer is one of the options, the source's, the gold one, and what the reasoning ends at."""

from __future__ import annotations

import re

from operators.onevision.checking.material import Material, folded, quoted
from operators.onevision.model.language import sentences
from operators.onevision.model.records import Check
from operators.verify.answer import Equivalence
from operators.verify.equivalence import equivalent
from operators.verify.extraction import answer_in
from operators.verify.numbers_in_text import numbers_in
from operators.verify.reaching import reach
from operators.verify.reaching.numeric import value_of
from operators.verify.reaching.values import values_in

#: The last sentences in which a reasoning states its answer.
_END = 2
#: As many are looked at in all.
_LAST = 6
#: How a sentence begins that only tries the answer.
_TRIED = re.compile(
    r"\s*(?:(?:as|for|to|a)\s+)?(?:check|verif|substitut|plugging|indeed)|\s*(?:代入|检验|验证|验算)", re.IGNORECASE
)
_LETTER = re.compile(r"(?<![A-Za-z'’])[A-H](?![A-Za-z'’])")
_LISTED = re.compile(r"[,，、;；]|\band\b|和")
_DENIED = re.compile(r"\b(?:no|not|never|neither)\b|n't\b|不|没|非|否", re.IGNORECASE)
#: A letter behind words: "The weather is rainy, B."
_BEHIND = re.compile(r"[,，;；:：(（]\s*(?:option\s+|选项|选)?([A-H])[)）]?[.。]?\s*\Z")
#: Characters of a text's end in which an answer is looked for.
_TAIL = 2000


def answer_checks(row: Material) -> list[Check]:
    """The checks of the answer, and of whether the source's steps reach it."""
    return [_option(row), _source(row), _gold(row), reached_check("source.reached", row, row.reasoning)]


def reached_check(code: str, row: Material, text: str) -> Check:
    """What the steps of a text come to, beside the answer."""
    if not text:
        return Check(code, "not run", "there is no reasoning")
    found = reach(text, row.answer, question=row.question, options=row.options)
    if found.verdict == "reached":
        return Check(code, "passed")
    end = f"its steps end at {quoted(found.value)}" if found.value else "its steps come to nothing comparable"
    return Check(
        code, "failed" if found.verdict == "contradicted" else "unsure", f"{end}, the answer is {quoted(row.answer)}"
    )


def _option(row: Material) -> Check:
    code = "answer.option"
    if not row.options:
        return Check(code, "not run", "the question has no options")
    letters = [option.letter for option in row.options]
    if row.answer in letters:
        return Check(code, "passed")
    if row.answer_type == "letter":
        return Check(code, "failed", f"the answer is {quoted(row.answer)}, the options are {', '.join(letters)}")
    if any(_compared(row, row.answer, option.letter).verdict == "yes" for option in row.options):
        return Check(code, "passed")
    return Check(code, "unsure", f"the answer {quoted(row.answer)} is the text of none of the options")


def _source(row: Material) -> Check:
    code = "answer.source"
    if not row.answer.strip():
        return Check(code, "failed", "there is no answer")
    if " ".join(row.final.split()) != " ".join(row.answer.split()):
        return Check(code, "failed", f"the final answer is {quoted(row.final)}, the answer {quoted(row.answer)}")
    stated = answer_in(row.conclusion, question=row.question, options=row.options)
    if stated is None:
        return Check(code, "unsure", f"the source's conclusion states no answer: {quoted(row.conclusion)}")
    found = _compared(row, row.answer, stated.text)
    if found.verdict == "no":
        note = f"the answer is {quoted(row.answer)}, the source concluded {quoted(stated.text)}"
        return Check(code, "failed", f"{note}: {found.reason}" if found.reason else note)
    open_ = found.verdict == "unsure" and not _letter_behind(row, stated.text)
    if open_ and not _holds_all(row.answer, stated.text, row.conclusion):
        return Check(code, "unsure", f"{quoted(row.answer)} may not be {quoted(stated.text)}: {found.reason}")
    return Check(code, "passed")


def _letter_behind(row: Material, stated: str) -> bool:
    """Whether a conclusion ends at the answer's letter behind words that are no other option's."""
    behind = _BEHIND.search(stated)
    if not behind or behind[1] != row.answer or all(option.letter != row.answer for option in row.options):
        return False
    words = stated[: behind.start()]
    return not any(_stands_in(option.text, words) for option in row.options if option.letter != row.answer)


def _holds_all(answer: str, stated: str, conclusion: str) -> bool:
    """Whether an answer stands in the conclusion, with every number and without half of a list."""
    numbers = {number.value for number in numbers_in(stated)}
    if numbers != {number.value for number in numbers_in(answer)}:
        return False
    return _stands_in(answer, conclusion) and (bool(numbers) or not _LISTED.search(stated))


def _gold(row: Material) -> Check:
    code = "answer.gold"
    if not row.gold:
        return Check(code, "not run", "no gold answer came with the row")
    found = _compared(row, row.answer, row.gold)
    if found.verdict == "yes":
        return Check(code, "passed")
    note = f"the answer is {quoted(row.answer)}, the gold one {quoted(row.gold)}: {found.reason}"
    return Check(code, "failed" if found.verdict == "no" else "unsure", note)


def ending_check(row: Material, thinking: str) -> Check:
    """What the reasoning states at its end; where that cannot be compared, the answer has to stand there."""
    code = "rewrite.answer"
    ending = _ending(thinking)
    stated = answer_in(" ".join(ending), question=row.question, options=row.options)
    end = " ".join(ending[-_END:])
    if stated is None:
        return Check(code, "passed") if _told(row, end) else Check(code, "unsure", "it states no answer")
    found = _compared(row, stated.text, row.answer)
    if found.verdict == "yes":
        return Check(code, "passed")
    # What was stated may be a part of a longer answer that denies nothing.
    within = _stands_in(stated.text, row.answer) and not _DENIED.search(row.answer)
    if (found.verdict == "unsure" or stated.type == "words") and (within or _told(row, end)):
        return Check(code, "passed")
    note = f"it ends at {quoted(stated.text)}, the answer is {quoted(row.answer)}"
    return Check(code, "failed" if found.verdict == "no" else "unsure", note)


def _ending(text: str) -> list[str]:
    """The last sentences of a reasoning, without those that only try the answer."""
    last = list(sentences(text[-_TAIL:]))
    while len(last) > 1 and _TRIED.match(last[-1]):
        last.pop()
    return last[-_LAST:]


def _told(row: Material, end: str) -> bool:
    """Whether the answer, its option's text or letter, or a number of its value stands at the end of the reasoning."""
    texts = [option.text for option in row.options if option.letter == row.answer] or [row.answer]
    if any(_stands_in(text, end) for text in texts):
        return True
    if row.answer_type == "letter":
        return [each for each in _LETTER.findall(end) if each != "A" or row.answer == "A"][-1:] == [row.answer]
    wanted = value_of(row.answer)
    return wanted is not None and any(map(wanted.equals, values_in(end)))


def _compared(row: Material, answer: str, reference: str) -> Equivalence:
    return equivalent(answer, reference, question=row.question, options=row.options)


def _stands_in(answer: str, text: str) -> bool:
    """Whether the words of an answer stand in a text, in a row.

    >>> _stands_in("red ball", "It is a Red ball."), _stands_in("5", "It is 15.")
    (True, False)
    """
    wanted, words = folded(answer), folded(text)
    return bool(wanted) and any(words[n : n + len(wanted)] == wanted for n in range(len(words) - len(wanted) + 1))
