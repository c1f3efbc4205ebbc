"""Whether the answer is one of the options, the source's, the gold one, and what the reasoning ends at."""

from __future__ import annotations

import re
from fractions import Fraction

from operators.onevision.checking.material import Material
from operators.onevision.checking.words import folded, quoted, sentences
from operators.onevision.records import Check
from operators.verify.answer import Equivalence
from operators.verify.equivalence import equivalent
from operators.verify.extraction import answer_in
from operators.verify.numbers import Number, numbers_in

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
#: The letter that a last sentence concludes: "which is A.", "so it is option C", "故选B。"
_CONCLUDED = re.compile(
    r"(?:\b(?:which|that|this|it|it['’]s|that['’]s|answer|choice|so|hence|thus|therefore|choose|pick|select)\s*(?:(?:is|gives|makes|means|be|matches|leaves)\s+|['’]s\s+)?"
    r"(?:option\s+|choice\s+|answer\s+)?|[选是为即]|选项|答案[是为]?)[:：]?\s*\(?(?P<letter>[A-H])\)?(?=\s*[.。!！]?\s*\Z)"
)
#: A letter behind words: "The weather is rainy, B."
_BEHIND = re.compile(r"[,，;；:：(（]\s*(?:option\s+|选项|选)?([A-H])[)）]?[.。]?\s*\Z")
#: Where the last clause of a sentence begins, which tells what the others lead to.
_LAST_CLAUSE = re.compile(r"[,，;；:：]\s|[，；：]|\b(?:so|hence|thus|therefore)\b|所以|因此|故", re.IGNORECASE)
_SO = re.compile(r"\b(?:so|hence|thus|therefore)\b|所以|因此", re.IGNORECASE)
#: A closing sentence that states the answer and nothing else.
_FORMULA = re.compile(
    r"\s*(?:(?:so|thus|hence|therefore|in short|altogether|综上|所以|因此)[,，]?\s*)?(?:the\s+)?"
    r"(?:final\s+|correct\s+)?(?:answer\s+(?:is|must be)\b|answer:|(?:正确)?答案[是为：])",
    re.IGNORECASE,
)
_YES_NO = {"yes", "no", "true", "false", "是", "否", "对", "错", "不"}
#: How far apart the same number may be when it is rounded.
_ROUNDED = Fraction(1, 50)
#: Characters of a text's end in which an answer is looked for.
_TAIL = 2000


def answer_checks(row: Material) -> list[Check]:
    """The four checks of the answer."""
    return [_option(row), _source(row), _gold(row), _reasoning(row)]


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


def _reasoning(row: Material) -> Check:
    """What the reasoning states at its end; where that cannot be compared, the answer has to stand there."""
    code = "rewrite.answer"
    if row.thinking is None:
        return Check(code, "not run", "there is no reasoning")
    ending = _ending(row.thinking)
    stated = answer_in(" ".join(ending), question=row.question, options=row.options)
    end = " ".join(ending[-_END:])
    if stated is None:
        return Check(code, "passed") if _told(row, end) else Check(code, "unsure", "it states no answer")
    found = _compared(row, stated.text, row.answer)
    if found.verdict != "no" and (other := _closing(row, ending[-1], agreed=found.verdict == "yes")) is not None:
        return other
    if (other := _unsupported(row, ending)) is not None:
        return other
    if found.verdict == "yes":
        return Check(code, "passed")
    if (found.verdict == "unsure" or stated.type == "words") and (_told(row, end) or _within(stated.text, row.answer)):
        return Check(code, "passed")
    note = f"it ends at {quoted(stated.text)}, the answer is {quoted(row.answer)}"
    return Check(code, "failed" if found.verdict == "no" else "unsure", note)


def _closing(row: Material, last: str, *, agreed: bool) -> Check | None:
    """The check of a last sentence that holds exactly one thing of the answer's kind, and another one; else None.

    A letter that is concluded is the answer; a number need not be, whatever the verb says of it. Where the sentence
    seems to have ``agreed`` with the answer, only what follows "so" can tell otherwise.
    """
    note = f"it ends at {{}}, the answer is {quoted(row.answer)}"
    if row.answer_type == "letter":
        letter = _CONCLUDED.search(last)
        if letter and letter["letter"] != row.answer and len(set(_LETTER.findall(last)) - {"A", letter["letter"]}) == 0:
            return Check("rewrite.answer", "failed", note.format(quoted(letter["letter"])))
        return None
    if row.answer_type not in ("number", "quantity"):
        return None
    wanted = numbers_in(row.answer)
    clauses = _SO.split(last) if agreed else _LAST_CLAUSE.split(last)
    if agreed and len(clauses) < 2:
        return None
    have = numbers_in(clauses[-1]) or ([] if agreed else numbers_in(last))
    if len(wanted) == len(have) == 1 and abs(_value(have[0]) - _value(wanted[0])) > _ROUNDED * abs(_value(wanted[0])):
        return Check("rewrite.answer", "unsure", note.format(quoted(have[0].text)))
    return None


def _unsupported(row: Material, ending: list[str]) -> Check | None:
    """The check of an answer that only the closing formula states, while the steps lead elsewhere; else None."""
    last, body = ending[-1], (row.thinking or "")
    if not _FORMULA.match(last) or len(ending) < 2 or len(numbers_in(last)) > 1 or row.answer_type == "letter":
        return None
    body = body[: body.rfind(last)]
    values = [_value(number) for number in numbers_in(row.answer)]
    if row.answer_type in ("number", "quantity") and len(values) == 1:
        near = _ROUNDED * abs(values[0])
        if all(abs(_value(number) - values[0]) > near for number in numbers_in(body[-_TAIL:])):
            note = f"only its last sentence speaks of {quoted(row.answer)}"
            return Check("rewrite.answer", "unsure", note)
        return None
    words = set(folded(row.answer)) - _YES_NO
    steps = numbers_in(_LAST_CLAUSE.split(ending[-2])[-1])
    if words and len(steps) == 1 and _SO.search(ending[-2]) and not words & set(folded(body)):
        note = f"its steps end at {quoted(steps[0].text)}, and none speaks of {quoted(row.answer)}"
        return Check("rewrite.answer", "unsure", note)
    return None


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
    values = [_value(number) for number in numbers_in(row.answer)]
    return len(values) == 1 and values[0] in [_value(number) for number in numbers_in(end)]


def _value(number: Number) -> Fraction:
    return number.value / 100 if number.unit in ("%", "percent") else number.value


def _within(stated: str, answer: str) -> bool:
    """Whether what was stated is a part of a longer answer that denies nothing."""
    return _stands_in(stated, answer) and not _DENIED.search(answer)


def _compared(row: Material, answer: str, reference: str) -> Equivalence:
    return equivalent(answer, reference, question=row.question, options=row.options)


def _stands_in(answer: str, text: str) -> bool:
    """Whether the words of an answer stand in a text, in a row.

    >>> _stands_in("red ball", "It is a Red ball."), _stands_in("5", "It is 15.")
    (True, False)
    """
    wanted, words = folded(answer), folded(text)
    return bool(wanted) and any(words[n : n + len(wanted)] == wanted for n in range(len(words) - len(wanted) + 1))
