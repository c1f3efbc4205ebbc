"""Which steps of a source's reasoning stay: all that the answer rests on, with a guess as a guess."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from operators.onevision.rewriting.facts import Facts, words_of
from operators.onevision.rewriting.meta import without_talk
from operators.onevision.rewriting.reading import Described
from operators.onevision.rewriting.vague import is_careful, is_vague, plain, without_asides

#: Characters of a question or code that are read.
READ = 8_000
STATES = re.compile(
    r"\b(?:answer|option|choice|therefore|thus|hence|so|correct)\b|答案|所以|因此|于是|故|综上|选", re.IGNORECASE
)
COMPUTES = re.compile(r"[=≈]\s*[-+]?\s*[\d\\(√π.]|\d\s*[+×*/÷]\s*\d")
#: "Comparing these, …": how a conclusion was come to, in words of its own.
_LEAD = re.compile(
    r"\A(?:comparing|looking at|considering|given|based on|from|among|of)\s[^,.]{1,80},\s", re.IGNORECASE
)
#: Types of answers that a sentence states as they are, without further claims.
_COMPUTED = ("letter", "number", "quantity", "expression")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_ONE_TO_TWELVE = "one two three four five six seven eight nine ten eleven twelve"
_NUMBER_WORDS = {word: str(number) for number, word in enumerate(_ONE_TO_TWELVE.split(), 1)} | {
    "两个": "2",
    "三个": "3",
    "四个": "4",
    "五个": "5",
    "六个": "6",
}
_NUMBER_WORD = re.compile(rf"\b(?:{_ONE_TO_TWELVE.replace(' ', '|')})\b|[两三四五六]个")
#: Clauses of a sentence; only what the guess is about has to be borne out, the others are said plainly already.
_CLAUSES = re.compile(r",\s(?=(?:so|and|but|thus|hence|which|because|since|as)\b)|，|；|;\s")
#: What speaks of the sentence before; "So it is" speaks of what the whole is about.
_LEANS = re.compile(
    r"(?!(?:so|thus|hence|therefore),?\s(?:it|they)\b)"
    r"(?:(?:so|and|but|thus|hence|then|therefore),?\s)?(?:(?:[A-Za-z]+\s){0,4}(?:it|its|them|their|this|that|these|those)\b|"
    r"(?:both|the (?:other|second|third|next|same|former|latter)|another|one)\b)|"
    r"(?:因此|所以|那么)?[，,]?(?:它|其|这|该|两者|另)",
    re.IGNORECASE,
)
_CONCLUDING = words_of("what is asked for, the correct answer, option or choice")
_YES_OR_NO = frozenset({"yes", "no", "not", "true", "fals", "是", "否", "不"})


def steps_of(source: Sequence[str], row: Mapping[str, Any], told: Described, opening: Sequence[str]) -> list[str]:
    """The source's steps without talk; nothing where they, and the facts of the opening, do not argue for the answer.

    A guess is said plainly where it is borne out. One that is not stays a guess if it holds the answer, if the step
    behind it or the last one builds on it, or if little would be left without it; the others go.
    """
    facts = Facts([*told.sentences, *told.labels, (row["formal_code"] or "")[:READ]])
    said = [each for each in map(without_talk, source) if each is not None]
    certain: list[str | None] = []
    for number, sentence in enumerate(said, 1):
        step = _as_certain(sentence, facts, row, told, last=number == len(said))
        certain.append(step)
        facts.add(step or "")
    aim, asked = _aim(row), words_of(row["question"][:READ])
    if not all(map(is_vague, said)):
        _keep_needed(said, certain, aim, asked)
    steps = list(dict.fromkeys(told.exactly(step) for step in certain if step is not None))
    return steps if _argues(steps, [*source, *opening], opening, row, aim, asked) else []


def holds(sentence: str, text: str) -> bool:
    """Whether a text stands in a sentence, not within a longer word or number.

    >>> holds("So it is 3.", "3"), holds("So it is 3.5.", "3")
    (True, False)
    """
    bare, where = text.strip().casefold(), sentence.casefold()
    at = where.find(bare) if bare else -1
    while at >= 0:
        end = at + len(bare)
        goes_on = where[end : end + 1] in _WITHIN or (
            where[end : end + 1] == "." and where[end + 1 : end + 2].isdigit()
        )
        if not goes_on and (at == 0 or where[at - 1] not in _BEFORE):
            return True
        at = where.find(bare, at + 1)
    return False


_WITHIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_BEFORE = _WITHIN | {"."}


def _chosen(row: Mapping[str, Any]) -> str:
    answer: str = row["answer"].strip()
    return " ".join(option.text for option in row["options"] if option.letter == answer) or answer


def _aim(row: Mapping[str, Any]) -> frozenset[str]:
    """The words and numbers of the answer, or of the option that it names; none of a bare yes or no."""
    return words_of(_chosen(row)[:READ]) - _YES_OR_NO


def _as_certain(sentence: str, facts: Facts, row: Mapping[str, Any], told: Described, *, last: bool) -> str | None:
    """A sentence that states a fact, or a guess as a fact if it is borne out; None for other guesses."""
    vague = is_vague(sentence)
    if not vague and not is_careful(sentence):
        return sentence
    certain = _certain(sentence, facts, row, told) or (_concluded(sentence, row) if last else None)
    return certain if vague else certain or sentence


def _certain(sentence: str, facts: Facts, row: Mapping[str, Any], told: Described) -> str | None:
    """A guess as a fact, if facts, labels or the answer bear it out; a computation in any case; else None."""
    said = plain(sentence)
    guessed = [clause for clause in _CLAUSES.split(sentence) if is_vague(clause) or is_careful(clause)]
    claim = plain(guessed[0]) if len(guessed) == 1 else said
    if said is not None and claim is not None:
        read = told.measures(claim) or (_LEANS.match(claim) is not None and told.measures(said))
        if read or facts.bear_out(claim) or _is_answered(claim, row) or _is_answered(said, row):
            return said
    bare = without_asides(sentence)
    if bare != sentence and not is_vague(bare):
        return bare
    # What is computed is checked by itself; that it was called likely adds nothing.
    return said if COMPUTES.search(sentence) else None


def _concluded(sentence: str, row: Mapping[str, Any]) -> str | None:
    """The source's last sentence as a fact, if what it guesses is the answer: that one is given."""
    said = plain(sentence)
    guessed = [clause for clause in _CLAUSES.split(sentence) if is_vague(clause) or is_careful(clause)]
    chosen = _chosen(row)
    stated = set(_NUMBER.findall(chosen)) or _aim(row)
    return said if guessed and stated and stated <= words_of(plain(guessed[-1]) or "") else None


def _is_answered(said: str, row: Mapping[str, Any]) -> bool:
    """Whether a sentence states the row's answer in words of its question and says nothing besides."""
    answer, chosen = row["answer"].strip(), _chosen(row)
    if row["answer_type"] in _COMPUTED and STATES.search(said) and holds(said, answer):
        return True
    stated, words = words_of(chosen), words_of(_LEAD.sub("", said, count=1))
    known = f"{row['question'][:READ]} {answer} {chosen}"
    missing = words - words_of(known) - _CONCLUDING
    # A pair of Chinese characters may only stand across a seam.
    return bool(stated) and stated <= words and all(word[0] > "\u33ff" and set(word) <= set(known) for word in missing)


def _keep_needed(said: Sequence[str], certain: list[str | None], aim: frozenset[str], asked: frozenset[str]) -> None:
    """Keep of the guesses, from the last on, those that are needed, and as many more as make half of the source."""
    while True:
        later: list[str] = []
        for number in reversed(range(len(said))):
            if certain[number] is None and (words_of(said[number]) & aim or _is_needed(said[number], later, asked)):
                certain[number] = said[number]
            later += [step for step in (certain[number],) if step is not None]
        if 2 * len(later) >= len(said):
            return
        last = max(number for number, step in enumerate(certain) if step is None)
        certain[last] = said[last]


def _is_needed(sentence: str, later: Sequence[str], asked: frozenset[str]) -> bool:
    """Whether the next or the last of the later steps (last one first) builds on a sentence, or any on its numbers.

    The last one of all is needed if it speaks of what is asked.
    """
    words = words_of(sentence)
    if not later:
        return bool(words & asked)
    if _LEANS.match(later[-1]) or words_of(later[-1]) <= asked | _CONCLUDING | _YES_OR_NO:
        return True
    numbers = _numbers(sentence)
    if numbers and any(numbers & _numbers(each) for each in later):
        return True
    shared = [words & words_of(each) for each in (later[-1], later[0])]
    return any(each - asked or len(each) > 1 for each in shared)


def _numbers(sentence: str) -> set[str]:
    """The numbers of a sentence as digits, small ones in words, too."""
    words = _NUMBER_WORD.findall(sentence.lower())
    return {*_NUMBER.findall(sentence), *(_NUMBER_WORDS[word] for word in words)}


def _argues(
    steps: Sequence[str],
    every: Sequence[str],
    opening: Sequence[str],
    row: Mapping[str, Any],
    aim: frozenset[str],
    asked: frozenset[str],
) -> bool:
    """Whether anything besides the conclusion bears on the answer.

    That is a computation, or a sentence with words of the answer; only where the whole source has none, as for a yes
    or a count, one with words of the question does.
    """

    def bears(sentence: str, words: frozenset[str]) -> bool:
        if COMPUTES.search(sentence):
            return True
        return bool(words_of(sentence) & words) and not _is_answered(sentence, row)

    if any(bears(each, aim) for each in [*steps, *opening]):
        return True
    return not any(bears(each, aim) for each in every) and any(bears(each, asked) for each in steps)
