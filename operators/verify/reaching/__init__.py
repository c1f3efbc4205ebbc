"""Whether the steps of a text without marks reach the answer that it is given: reached, contradicted or cannot tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Literal

from dataflow_ext.text.nouns import singular
from operators.verify.answer import Option
from operators.verify.equivalence import equivalent, type_of
from operators.verify.extraction import answer_in
from operators.verify.options import letters_of
from operators.verify.quantities import may_be, same_dimensions
from operators.verify.questions import asked
from operators.verify.reaching.numeric import reaches_number, value_of
from operators.verify.reaching.singled import another_singled_out
from operators.verify.reaching.steps import (
    FORMULA,
    Steps,
    all_spoken,
    last_named,
    polarity_of,
    rivals_of,
    speaks,
    steps_of,
    tokens,
)
from operators.verify.reaching.values import CLOCK, COUNT, values_in
from operators.verify.units import unit_of
from operators.verify.vocabulary import APART, Term, term_of

__all__ = ["Reach", "reach"]

_PARTS = re.compile(r"\s*(?:[,，、;；]|\band\b|\bor\b|和|与|或)\s*")
_ANSWER = re.compile(r"\banswer\s+(?:is|must|should)\b|\banswer:|答案(?:是|为|：)", re.IGNORECASE)
_OPPOSITE = re.compile(r"\bopposite|\bother\b|\brevers|\bnot\b|\bagainst\b|\bturn|[反另对不]", re.IGNORECASE)
_POLAR = re.compile(r"\A\s*(?:yes|no|是的?|否|不是)[,，.。]\s*", re.IGNORECASE)
_SCALE = re.compile(r"(?<=[\d ])(?:thousand|million|billion|[万亿千百])+(?=\W*$)", re.IGNORECASE)
_BRACKETS = re.compile(r"[()（）]")
#: A question that no yes or no answers.
_ASKS_FOR = re.compile(r"\b(?:what|which|who|whose|where|when|why|how)\b|什么|哪|几|多少|谁|怎|为何", re.IGNORECASE)
#: Answers of signs: ratios, roots, multiples of π.
_RATIO = re.compile(r"\s*(\d+(?:\.\d+)?)\s*[:：]\s*(\d+(?:\.\d+)?)\s*")
_SYMBOLIC = re.compile(r"\d\s*[:：]\s*\d|[π√^]|\\(?:pi|sqrt)")
#: The number of an option that a question counts, and what an answer by it begins with.
_ITEM_AMONG = re.compile(r"\s\(?([1-9])[.)]\s")
_ITEM = re.compile(r"\(?([1-9])(?:[.)]|\Z)")
_ITEM_NAMED = re.compile(r"\b(?:option|choice|number)\s([1-9])\b", re.IGNORECASE)
#: The letter that ends a step.
_CONCLUDED = re.compile(r"(?:\b(?i:option|choice|answer|is|be)|选项?|答案\w?)\s*[(（]?([A-H])[)）]?\W*\Z")
_LETTER = re.compile(r"(?<![A-Za-z'’])[A-H](?![A-Za-z'’])")


@dataclass(frozen=True, slots=True)
class Reach:
    """Whether steps reach an answer, and the ``value`` that they end at, "" if none could be read."""

    verdict: Literal["reached", "contradicted", "cannot tell"]
    value: str = ""


def reach(text: str, answer: str, *, question: str = "", options: Sequence[Option] = ()) -> Reach:
    """Whether the steps of a text reach an answer to a question.

    Sentences that only say the answer are no steps. Of a number the last value counts that is computed or stated; of
    an option its text, and a letter that is named has to be its own; of words what the last step speaks of and none
    denies; of a yes or no whether the last step that speaks of what is asked affirms it. A yes or no that nothing
    bears, and an answer that nothing can be compared with, is "cannot tell".

    >>> reach("24 / 12 = 2 A. Thus, the answer is 4 A.", "4 A")
    Reach(verdict='contradicted', value='2 A')
    >>> reach("The box holds 6 apples and 2 are eaten, so 6 - 2 = 4 are left. The answer is 4.", "4")
    Reach(verdict='reached', value='4')
    >>> reach("The lamp hangs from the ceiling. So the answer is yes.", "yes", question="Does it light?").verdict
    'cannot tell'
    """
    return _reached(text, answer, question, tuple(options or _numbered(question)))


@lru_cache(maxsize=4096)
def _reached(text: str, answer: str, question: str, options: tuple[Option, ...]) -> Reach:
    if not answer.strip():
        return Reach("cannot tell")
    chosen = _chosen(answer, options)
    said = [answer, *((chosen.letter, chosen.text) if chosen else ())]
    steps = steps_of(text, said)
    if (other := _other_said(steps, answer, question, options)) is not None:
        return Reach("contradicted", other)
    if chosen is None and not steps.sentences:
        return Reach("cannot tell")
    found = _option(steps, chosen, question, options) if chosen else _plain(steps, answer, question)
    if found.verdict == "reached" and steps.sentences and _polar(answer) is None:
        if not options and not values_in(answer) and not speaks(steps.sentences[-1], answer):
            return Reach("cannot tell", found.value)
        other = another_singled_out(steps, chosen.text if chosen else answer, question)
        return found if other is None else Reach("cannot tell", other.strip())
    return found


def _other_said(steps: Steps, answer: str, question: str, options: Sequence[Option]) -> str | None:
    """Another answer that a step calls the answer."""
    for sentence in steps.sentences:
        if ("nswer" in sentence or "答案" in sentence or "NSWER" in sentence) and _ANSWER.search(sentence):
            found = answer_in(sentence, question=question, options=options)
            if found is not None and equivalent(found.text, answer, question=question, options=options).verdict == "no":
                return found.text
    return None


def _chosen(answer: str, options: Sequence[Option]) -> Option | None:
    """The option that an answer names by its letter or its text."""
    letters = letters_of(answer, options) if options else frozenset()
    said = answer.strip().casefold()
    number = _ITEM.match(said)
    for option in options:
        if (
            letters == {option.letter}
            or option.text.strip().casefold() == said
            or (number and number[1] == option.letter)
        ):
            return option
    return None


@lru_cache(maxsize=1024)
def _numbered(question: str) -> tuple[Option, ...]:
    """The options of a question that counts them from 1 in lines or in a row: "1) 3 m 2) 5 m"."""
    if "2" not in question:
        return ()
    _, *items = _ITEM_AMONG.split(question)
    numbers = items[::2]
    if len(numbers) < 2 or numbers != [str(each) for each in range(1, len(numbers) + 1)]:
        return ()
    return tuple(Option(number, text.strip()) for number, text in zip(numbers, items[1::2], strict=True))


def _option(steps: Steps, chosen: Option, question: str, options: Sequence[Option]) -> Reach:
    others = [option for option in options if option.letter != chosen.letter]
    if (named := _letter_named(steps, chosen, options)) is not None:
        return Reach("contradicted", named)
    if not steps.sentences:
        return Reach("cannot tell")
    if value_of(chosen.text) is not None and all(value_of(each.text) is not None for each in others):
        return _numeric(steps, chosen.text, question, [each.text for each in others])
    if _polar(chosen.text) is not None:
        return _plain(steps, chosen.text, question)
    own = last_named(steps, chosen.text, [each.text for each in others])
    rivals = {
        each.text: last_named(steps, each.text, [other.text for other in options if other is not each])
        for each in others
        if not set(tokens(each.text)) <= set(tokens(chosen.text))
    }
    best = max(rivals, key=lambda each: rivals[each], default="")
    last = (_LETTER if chosen.letter.isalpha() else _ITEM_NAMED).findall(steps.sentences[-1])[-1:]
    if own >= 0 and (own >= rivals.get(best, -1) or last == [chosen.letter]):
        return Reach("reached", chosen.text)
    if rivals.get(best, -1) >= 0:
        # A clause that lists both chooses none: "behind the square comes the triangle"; nor does one behind which the
        # option itself is called the answer.
        listed = own < last_named(steps, chosen.text) > rivals[best]
        closed = last_named(Steps(steps.closings, ()), chosen.text) >= 0 and not steps.concludes(-1)
        return Reach("contradicted" if own < 0 and not listed and not closed else "cannot tell", best)
    return Reach("cannot tell")


def _letter_named(steps: Steps, chosen: Option, options: Sequence[Option]) -> str | None:
    """A letter of another option that the last step or a closing concludes."""
    known = {option.letter for option in options} - {chosen.letter}
    found = [_CONCLUDED.search(each) for each in (*steps.sentences[-1:], *steps.closings)]
    return next((each[1] for each in found if each and each[1] in known), None)


def _plain(steps: Steps, answer: str, question: str) -> Reach:
    polar = _polar(answer)
    if polar is not None:
        affirmed = None if _ASKS_FOR.search(question) else _affirmed(steps, question)
        if affirmed is None:
            return Reach("cannot tell")
        value = "yes" if affirmed else "no"
        return Reach("reached" if affirmed is polar else "contradicted", value)
    kind = type_of(answer)
    if _is_value(answer, kind):
        return _numeric(steps, answer, question)
    if (ratio := _RATIO.fullmatch(answer)) is not None:
        return _ratio(steps, float(ratio[1]), float(ratio[2]), answer)
    if _SYMBOLIC.search(answer):
        return Reach("reached", answer) if _verbatim(answer, steps) else Reach("cannot tell")
    parts = [each for each in _PARTS.split(answer) if each.strip()]
    if kind == "list" or len(parts) > 1:
        return Reach("reached", answer) if parts and all_spoken(steps, parts) else Reach("cannot tell")
    return _worded(steps, answer)


def _affirmed(steps: Steps, question: str) -> bool | None:
    """What the steps say to a question, without their own "yes" and "no" where that tells."""
    bare = [_POLAR.sub("", each) for each in steps.sentences]
    told = polarity_of(Steps(tuple(each for each in bare if each), steps.closings), question)
    return polarity_of(steps, question) if told is None else told


def _is_value(answer: str, kind: str) -> bool:
    """Whether an answer is one number, with a unit or what is counted behind it: "7 cats", not "bus 7"."""
    value = value_of(answer)
    if value is None or answer[: value.start].isalpha():
        return False
    counts = value.start < 2 and FORMULA.isdisjoint(tokens(answer[value.end :]))
    return counts or kind in ("number", "quantity")


def _ratio(steps: Steps, one: float, other: float, answer: str) -> Reach:
    """Whether two numbers in a row stand in a ratio, and none of them the other way round, before the last sentence."""
    found = [value for sentence in steps.sentences for value in values_in(sentence)]
    # "18:12" reads like a time of day.
    values = [each for value in found for each in (divmod(value.value, 60) if value.kind == CLOCK else (value.value,))]
    if values[-2:] == [one, other] and len(values) > 2:
        values = values[:-2]
    pairs = set(pairwise(values))
    if (other, one) in pairs and (one, other) not in pairs and one != other:
        return Reach("cannot tell", f"{other:g}:{one:g}")
    stands = any(first * other == second * one for first, second in combinations(values, 2))
    return Reach("reached" if stands else "cannot tell", answer)


def _verbatim(answer: str, steps: Steps) -> bool:
    """Whether the signs of an answer stand in the steps as they are written, blanks apart."""
    signs = re.findall(r"[\d(][^\s,，、]*[π√^:：]\S*|\S*[π√^]\S*", re.sub(r"\s*[:：]\s*", ":", answer.casefold()))
    told = "".join(steps.text.casefold().split())
    return all(re.search(rf"(?<![\d.]){re.escape(each)}(?!\.?\d)", told) for each in signs or [answer])


def _worded(steps: Steps, answer: str) -> Reach:
    said = {value.value for sentence in steps.sentences for value in values_in(sentence)}
    if any(value.value not in said for value in values_in(answer)):
        return Reach("cannot tell")
    term, others = rivals_of(answer, steps)
    mine = term_of(term)
    if others and mine is not None and _named_last(steps, mine):
        if mine.family in APART and steps.concludes(-1):  # a colour is not inferred from another one
            steps = Steps(steps.sentences[:-1], steps.closings)
        elif mine.family not in APART and len(set(map(term_of, others))) == 1 and not _OPPOSITE.search(steps.text):
            return Reach("cannot tell", others[0])
    # "the station (Station)": either name will do.
    own = max(last_named(steps, term or each) for each in (answer, *_BRACKETS.split(answer)) if term or each.strip())
    rivals = {each: last_named(steps, each) for each in others}
    best = max(rivals, key=lambda each: rivals[each], default="")
    if own >= 0:
        return Reach("reached" if own >= rivals.get(best, -1) else "cannot tell", best or answer)
    if rivals.get(best, -1) >= 0:
        return Reach("contradicted", best)
    return Reach("reached", answer) if all_spoken(steps, [answer]) else Reach("cannot tell")


def _named_last(steps: Steps, term: Term) -> bool:
    """Whether of several steps the last one alone names something, and once."""
    last = [term_of(singular(each)) for each in tokens(steps.sentences[-1])]
    before = Steps(steps.sentences[:-1], steps.closings)
    return bool(before.sentences) and last.count(term) == 1 and term not in map(term_of, before.said)


def _numeric(steps: Steps, answer: str, question: str, rivals: Sequence[str] = ()) -> Reach:
    wanted = value_of(answer)
    if wanted is None or (wanted.unit and _measures_another(wanted.unit, question)):
        return Reach("cannot tell", answer)

    def same(text: str) -> bool:
        found = equivalent(text, answer, question=question)
        scaled = _SCALE.search(text) is not None or _SCALE.search(answer) is not None
        return found.verdict == "yes" or ((scaled or found.verdict == "unsure") and _same_digits(text, answer))

    if wanted.kind is None and not FORMULA.issuperset(tokens(answer[wanted.end :])):
        wanted = replace(wanted, kind=COUNT)
    reached, value = reaches_number(steps, wanted, same, question, rivals)
    if reached is None:
        return Reach("cannot tell", value)
    return Reach("reached" if reached else "contradicted", value)


@lru_cache(maxsize=1024)
def _measures_another(unit: str, question: str) -> bool:
    """Whether a unit measures something else than the one that the question asks for."""
    wanted, found = asked(question).unit, unit_of(unit)
    if wanted is None or found is None or wanted == found:
        return False
    return not (same_dimensions(wanted, found) or may_be(wanted, found))


def _same_digits(text: str, answer: str) -> bool:
    """Whether two texts hold one number each and these are the same, per cent and 万 left out of account."""
    one, other = value_of(text), value_of(answer)
    if one is None or other is None:
        return False
    if one.value == other.value or one.value * 100 == other.value:
        return True
    # "Thousand" and 万 may be told by the question, or the axis.
    return _SCALE.sub("", one.text).strip() == _SCALE.sub("", other.text).strip()


def _polar(answer: str) -> bool | None:
    """True for yes, False for no, of an answer that says so first."""
    first = (re.split(r"[\s,，.。;；:：]", answer.strip()) or [""])[0].casefold()
    term = term_of(first)
    if term is None or term.family != "polarity":
        return None
    return term.value in ("yes", "true")
