"""Whether steps prove a yes or no: by values that they compare, or by what they say of what is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from dataflow_ext.text import rows
from operators.verify.options import stem_of
from operators.verify.reaching.steps import PRONOUN, Clause, Steps
from operators.verify.reaching.values import Value, values_in
from operators.verify.reaching.worded import words_of
from operators.verify.vocabulary import NEGATIONS, term_of

#: "Answer yes or no." is no part of what is asked.
_INSTRUCTION = re.compile(
    r"[^.?!。？！]*\b(?:yes\W+(?:or\W+)?no|true\W+(?:or\W+)?false)\b[^.?!。？！]*[.?!]?|请?回答?是[或还]?否。?",
    re.IGNORECASE,
)
#: What every such request holds, and few questions do.
_INSTRUCTS = re.compile(r"yes|true|否", re.IGNORECASE)
#: A question that no yes or no answers.
_ASKS_FOR = re.compile(r"\b(?:what|which|who|whose|where|when|why|how)\b|什么|哪|几|多少|谁|怎|为何", re.IGNORECASE)
#: What a clause says before it goes on: "Yes, both do."
_SAYS = re.compile(r"\A\s*(?:yes|no|是的?|否|不是)[,，.。]\s*", re.IGNORECASE)
#: What a question supposes or where it looks, which it does not ask: "According to the sign, …", "… if it rains?".
_SUPPOSED = re.compile(
    r"\A\s*(?:according|based|judging|in|on|from|at|given)\b[^,?]{1,60},|(?<=\w\s)(?:if|assuming)\b.*",
    re.IGNORECASE,
)
#: Words that speak of what was said before, of their owner too.
_SPOKEN = re.compile(rf"{PRONOUN.pattern}|\b(?:its|their|s?he|him|his|her)\b", re.IGNORECASE)
#: A clause that tells what would have to be.
_POSSIBLE = re.compile(r"\s*(?:for|if|when|whether|to|in order)\b|\s*(?:如果|若|要)", re.IGNORECASE)
_JOINED = re.compile(r"\b(?:and|or|nor)\b|[和或也]", re.IGNORECASE)
_ANY = re.compile(r"(?:any|some|every|no)(body|one|thing|where)")
_PART = re.compile(r"[,，、;；:：]\s*|[.。!?！？\n](?!\d)|\b(?:and|but|while|whereas|than)\b|[和与而]", re.IGNORECASE)
#: Words of a question that name nothing it is about, and words that say the same.
_EMPTY, _LIKE, _AGAINST = (
    {word: base for what, word, base in rows("operators.verify", "data/compared.tsv") if what == kind}
    for kind in ("empty", "like", "against")
)
#: Which way words compare: 1 for more, -1 for less, 0 for as much.
_WAYS = {word: int(way) for what, word, way in rows("operators.verify", "data/compared.tsv") if what == "way"}
_WAY = re.compile(
    "|".join(rf"\b{re.escape(each)}\b" if each.isascii() else each for each in sorted(_WAYS, key=len, reverse=True)),
    re.IGNORECASE,
)


def polar(answer: str) -> bool | None:
    """True for yes, False for no, of an answer that says so first."""
    first = (re.split(r"[\s,，.。;；:：]", answer.strip()) or [""])[0].casefold()
    term = term_of(first)
    if term is None or term.family != "polarity":
        return None
    return term.value in ("yes", "true")


def proven(steps: Steps, question: str) -> bool | None:
    """Whether the steps prove yes (True) or no (False) to a question; None if they prove neither.

    >>> from operators.verify.reaching.steps import steps_of
    >>> proven(steps_of("Tom has 142 cm. His sister has 150 cm.", []), "Is Tom taller than his sister?")
    False
    """
    if _ASKS_FOR.search(question):
        return None
    if _INSTRUCTS.search(question):
        question = _INSTRUCTION.sub(" ", question)
    question = _SUPPOSED.sub(" ", stem_of(question))
    for found in (_compared(steps, question), _said(steps, question), _ordered(steps, question)):
        if found is not None:
            return found
    return None


def _compared(steps: Steps, question: str) -> bool | None:
    """What the values say that the steps tell of the two sides of a question, or of one beside its limit."""
    way = _WAY.search(question)
    if way is None:
        return None
    sign, before, behind = _WAYS[way[0].casefold()], question[: way.start()], question[way.end() :]
    if (than := re.search(r"\b(?:than|as)\b", behind)) is not None:
        before, behind = before + behind[: than.start()], behind[than.end() :]
    elif "比" in before:
        before, behind = before.split("比", 1)
    limits = values_in(behind)
    told = [(set(words_of(part)), found[0]) for part in _parts(steps) if len(found := values_in(part)) == 1]
    if limits:
        beside = [value for _, value in told if value.kind == limits[-1].kind and not value.equals(limits[-1])]
        held = {_holds(value, limits[-1], sign) for value in beside}
        return held.pop() if len(held) == 1 and limits[-1].kind is not None else None
    other = next(([each] for each in words_of(behind) if each not in words_of(before) and each not in _EMPTY), [])
    one = set(words_of(before)) - set(words_of(behind)) - _EMPTY.keys()
    mine, its = _of(told, one, set(other)), _of(told, set(other), one)
    return _holds(mine, its, sign) if mine is not None and its is not None and mine.kind == its.kind else None


def _ordered(steps: Steps, question: str) -> bool | None:
    """True where a clause orders two values in the way in which a question orders its things: "12 is more than 8"."""
    if (asked := _WAY.search(question)) is None:
        return None
    for clause in (each for sentence in steps.analysed for each in sentence.clauses):
        way = _WAY.search(clause.text)
        values = values_in(clause.text) if way is not None else ()
        if way is not None and len(values) == 2 and values[0].end <= way.start() < values[1].start:
            sign = _WAYS[way[0].casefold()]
            if sign == _WAYS[asked[0].casefold()] and _holds(*values, sign):
                return True
    return None


def _of(told: list[tuple[set[str], Value]], own: set[str], rest: set[str]) -> Value | None:
    """The one value that is told of a side, and not of the other."""
    found = [value for said, value in told if said & own and not said & rest]
    return found[-1] if found and all(each.equals(found[-1]) for each in found) else None


def _holds(one: Value, other: Value, sign: int) -> bool:
    return one.equals(other) if sign == 0 else sign * one.amount > sign * other.amount


@lru_cache(maxsize=256)
def _parts_of(text: str) -> tuple[str, ...]:
    return tuple(part for part in _PART.split(text) if part.strip())


def _parts(steps: Steps) -> tuple[str, ...]:
    return _parts_of(steps.text)


def _said(steps: Steps, question: str) -> bool | None:
    """Whether the last clause that speaks of what is asked affirms it: it holds half of its words, and two of them."""
    asked = _meant(words_of(question)) - NEGATIONS
    least = 0.5 if question.isascii() else 0.75  # characters are no words
    denies = _denied(Clause(question))
    mine, its = _sides(question)
    way, given = _WAY.search(question), values_in(question)
    for sentence in reversed(steps.sentences):
        for clause in reversed(Steps((_SAYS.sub("", sentence),), ()).analysed[0].clauses):
            turned = _turned(clause, way[0], mine, its) if way is not None and _WAYS[way[0].casefold()] else False
            if turned is None or _of_others(values_in(clause.text), given) or _POSSIBLE.match(clause.text):
                continue
            said = _meant(clause.said)
            opposed = {_AGAINST[each] for each in said if each in _AGAINST} & asked - said
            told = len(asked & said) + len(opposed)
            shared = told + (told > 0 and _SPOKEN.search(clause.text) is not None)
            if shared >= max(min(2, len(asked)), least * len(asked), 1):
                return (_denied(clause) is denies) is not (turned or bool(opposed))
    return None


def _turned(clause: Clause, way: str, mine: set[str], its: set[str]) -> bool | None:
    """Whether a clause compares the other way round than a question does; None if it compares nothing.

    It does so by a word that says the opposite, or where it speaks first of what the question names last.
    """
    own = _WAY.search(clause.text)
    signs = (_WAYS[way.casefold()], _WAYS[own[0].casefold()]) if own is not None else (0, 1)
    if signs[0] != signs[1] and 0 in signs:
        return None
    first = next((each for each in clause.said if each in mine | its), None)
    return (signs[0] != signs[1]) is not (first in its)


def _sides(question: str) -> tuple[set[str], set[str]]:
    """The words that tell the two sides of a comparison from each other; none where nothing is compared."""
    way = _WAY.search(question)
    than = re.search(r"\b(?:than|as)\b", question[way.end() :]) if way is not None else None
    if way is None or than is None:
        return set(), set()
    one, other = words_of(question[: way.end() + than.start()]), words_of(question[way.end() + than.end() :])
    empty = {*_EMPTY, *_WAYS}
    return set(one) - {*other} - empty, set(other) - {*one} - empty


def _of_others(values: Sequence[Value], given: Sequence[Value]) -> bool:
    """Whether a clause tells values, and none that a question gives, of a kind that it does."""
    return any(
        one.kind is not None and one.kind in {each.kind for each in values} and not any(map(one.equals, values))
        for one in given
    )


def _denied(clause: Clause) -> bool:
    """Whether a clause denies; "no lines and no letters" are not denied twice."""
    return any(Clause(each).negations % 2 for each in _JOINED.split(clause.text))


def _meant(words: list[str] | tuple[str, ...]) -> set[str]:
    """Words by what they mean: "nobody" denies what "anybody" asks, "equal" is "same"."""
    return {_LIKE.get(each, found[1] if (found := _ANY.fullmatch(each)) else each) for each in words} - _EMPTY.keys()
