"""What steps read: their parts with the words and values of each, the most of some, and what a question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from operators.verify.reaching.steps import FORMULA, Steps
from operators.verify.reaching.values import Value, values_in
from operators.verify.vocabulary import ARTICLES, FILLER, singular, term_of

#: What a question asks for that wants the most or the least of some values.
_EXTREME = re.compile(
    r"(?P<most>(?<!at )\bmost\b"
    r"|\b(?:larg|bigg|high|great|tall|long|heavi|lat|old|wid|deep|warm|hott|thick|dens)e(?:r|st)\b"
    r"|最[高大多长重晚宽深热厚]|更[高大多长重])"
    r"|(?P<least>(?<!at )\bleast\b|\bfewest\b"
    r"|\b(?:small|low|short|light|earli|cheap|young|near|narrow|cold|thin)e(?:r|st)\b"
    r"|最[低小少短轻早近窄便冷薄]|更[低小少短轻近])",
    re.IGNORECASE,
)
_RANKED = re.compile(r"\b(?:second|third|fourth|2nd|3rd|4th|not|than)\b|第[二三四]|[不比]", re.IGNORECASE)
#: What goes on about the part before it: "a sign, which reads Porto, and it is red".
_GOES_ON = r"(?!\s*(?:which|who|whose|where|with|it|its|they|them)\b)"
_PART = re.compile(
    rf"[,，、]{_GOES_ON}(?!\d)|[;；。.!?！？\n](?!\d)|\band\b{_GOES_ON}"
    r"|\b(?:but|while|whereas|though|although|because|since)\b|[和与及但而]",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-zÀ-ɏ]+\d*|[㐀-鿿]|\d+(?:[.,:]\d+)*")
#: How a sentence begins that goes on about what was said before.
_GOES_BACK = re.compile(r"\s*(?:it|its|they|their|this|that|these|he|she|his|her|here|there)\b|它|这|其", re.IGNORECASE)
#: How a part begins that tells more of the one before it.
_BESIDE = re.compile(r"\s*(?:at|in|on|with|between|by|from|to)\b", re.IGNORECASE)
#: Words that single nothing out.
_SMALL = ARTICLES | FILLER | {each for each in FORMULA if term_of(each) is None}


@lru_cache(maxsize=8192)
def told_in(text: str) -> frozenset[str]:
    """The words of a part that may tell it from another; a capital that stands alone is a name."""
    words = _WORD.findall(text)
    return (
        frozenset(
            each if len(each) == 1 and "A" <= each <= "Z" and place else singular(each.casefold())
            for place, each in enumerate(words)
        )
        - _SMALL
    )


@lru_cache(maxsize=8192)
def parts_of(sentence: str) -> tuple[str, ...]:
    """The parts of a sentence that tell of one thing each."""
    return tuple(part for part in _PART.split(sentence) if part.strip())


def is_extreme(value: Value, others: Sequence[Value], question: str) -> bool | None:
    """Whether a value is the most or the least of some, as a question wants it; None if it asks for neither."""
    asked = {found.lastgroup for found in _EXTREME.finditer(question)}
    if len(asked) != 1 or _RANKED.search(question):
        return None
    sign = 1 if asked == {"most"} else -1
    return all(sign * value.amount >= sign * each.amount for each in others if each.kind == value.kind)


def another_asked_for(steps: Steps, wanted: Value, question: str) -> str | None:
    """A value that the steps read off what a question asks for, where the wanted one is read off something else.

    That is so where what is said of it holds all words of the question that are said of the wanted one, and more.

    >>> from operators.verify.reaching.steps import steps_of
    >>> steps = steps_of("The sign says 15 kg. The scale below the parcel reads 3 kg.", [])
    >>> [another_asked_for(steps, *values_in(each), "What does the parcel weigh?") for each in ("15 kg", "3 kg")]
    ['3 kg', None]
    """
    asked = told_in(question)
    said = [(value, words & asked) for value, words in _readings(steps) if value.kind == wanted.kind]
    mine = [words for value, words in said if value.equals(wanted)]
    own = frozenset[str]().union(*mine)
    others = [value for value, words in said if mine and own < words and not value.equals(wanted)]
    return others[-1].shown if others and is_extreme(wanted, others, question) is None else None


def _readings(steps: Steps) -> list[tuple[Value, frozenset[str]]]:
    """The values that parts of the steps hold alone, with the words around them up to those of other values.

    What goes on about what was said before has its words, too.
    """
    found, before = list[tuple[Value, frozenset[str]]](), frozenset[str]()
    for sentence in steps.sentences:
        said = before if _GOES_BACK.match(sentence) else frozenset[str]()
        own: list[tuple[Value, frozenset[str]]] = []
        for part in parts_of(sentence):
            values = values_in(part)
            if len(values) == 1:
                beside = own[-1][1] if own and _BESIDE.match(part) else frozenset[str]()
                own.append((values[0], said | beside | told_in(part)))
                said = frozenset()
            elif own and not values:
                own[-1] = (own[-1][0], own[-1][1] | told_in(part))
            else:
                said |= told_in(part)
        found += own
        before = told_in(sentence)
    return found
