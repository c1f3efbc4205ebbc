"""Which of several things that steps tell of side by side they single out before they conclude."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from operators.verify.reaching.numeric import is_extreme
from operators.verify.reaching.steps import FORMULA, Steps
from operators.verify.reaching.values import Value, values_in
from operators.verify.vocabulary import ARTICLES, FILLER, singular, term_of

#: What goes on about the part before it: "a sign, which reads Porto, and it is red".
_GOES_ON = r"(?!\s*(?:which|who|whose|where|with|it|its|they|them)\b)"
_PART = re.compile(
    rf"[,，、]{_GOES_ON}(?!\d)|[;；。.!?！？\n](?!\d)|\band\b{_GOES_ON}"
    r"|\b(?:but|while|whereas|though|although|because|since)\b|[和与及但而]",
    re.IGNORECASE,
)
_WORD = re.compile(
    r"[A-Za-zÀ-ɏ]+\d*|[㐀-鿿]|\d+(?:[.,:]\d+)*"
)  #: A name, or what is written in capitals, not at the start.
_NAME = re.compile(r"(?<=\S )[A-Z]\w*|\b[A-Z]{2,}\b")
#: Words that single nothing out.
_SMALL = ARTICLES | FILLER | {each for each in FORMULA if term_of(each) is None}


@lru_cache(maxsize=8192)
def _told(text: str) -> frozenset[str]:
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
def _parts(sentence: str) -> tuple[str, ...]:
    return tuple(part for part in _PART.split(sentence) if part.strip())


def another_singled_out(steps: Steps, answer: str, question: str) -> str | None:
    """A part of the steps that tells of another thing than the answer, and that the last steps single out; else None.

    That is so where the step before the conclusion, or the conclusion itself but for the answer, takes up a word or
    number that only another part has, and none that only the answer's own parts have; and where a question asks for the
    most or the least, and of the values side by side the answer's is not it.

    >>> from operators.verify.reaching.steps import steps_of
    >>> text = "Earth has 1, Mars 2, Jupiter 95. 95 is the largest entry. So it is {}."
    >>> [another_singled_out(steps_of(text.format(each), []), each, "") for each in ("Mars", "Jupiter")]
    [' Jupiter 95', None]
    """
    wanted = _told(f"the {answer}")
    if not wanted or len(_parts(answer)) > 1:
        return None
    concludes = len(steps.sentences) > 1 and wanted <= _told(steps.sentences[-1])
    body = steps.sentences[:-1] if concludes else steps.sentences
    parts = [(place, part) for place, each in enumerate(body) for part in _parts(each)]
    own = [(place, part) for place, part in parts if wanted <= _told(part)]
    if not own:
        return None
    mine = [part for _, part in own]
    last_place = own[-1][0]
    labels = not answer[:1].isdigit() or ("=" not in steps.text and all(len(values_in(part)) > 1 for part in mine))
    if labels and all(_told(part) != wanted for part in mine):
        if concludes:
            beside = [part for at, part in parts if at == last_place and part not in mine]
            rest = _told(steps.sentences[-1]) - wanted
            said = _told(steps.sentences[-1])
            beside += [
                part
                for at, part in parts
                if at != last_place and part not in mine and _alike(part, answer) and len(said & _told(part)) > 1
            ]
            found = _taken_up(steps.sentences[-1], mine, _rivals(beside, mine, answer, question), wanted)
            found = found or _opposed(rest, mine, wanted)
            if found is not None:
                return found
        last = len(body) - 1
        before = [part for at, part in parts if at == last_place and part not in mine]
        if last_place < last and _tells_nothing_new(body[last], [*mine, *before], question):
            found = _taken_up(body[last], mine, _rivals(before, mine, answer, question), wanted)
            if found is not None:
                return found
    return _not_extreme(own, [each for each in parts if each not in own], question)


def _rivals(parts: Sequence[str], mine: Sequence[str], answer: str, question: str) -> list[str]:
    """The parts that could have given another answer: a word of the same family, a name, a value of the same kind."""
    values = [value for part in mine for value in values_in(part)]
    families = {term.family for part in mine for each in _told(part) if (term := term_of(each)) is not None}
    names = answer[:1].isupper()
    return [
        part
        for part in parts
        if any(value.comparable(each) for value in values_in(part) for each in values)
        or any(term.family in families for each in _told(part) if (term := term_of(each)) is not None)
        or (names and any(found[0] not in question for found in _NAME.finditer(part)))
    ]


def _alike(part: str, answer: str) -> bool:
    """Whether a part names something of the answer's family: another colour."""
    families = {term.family for each in _told(answer) if (term := term_of(each)) is not None}
    return any(term.family in families for each in _told(part) if (term := term_of(each)) is not None)


def _tells_nothing_new(sentence: str, parts: Sequence[str], question: str) -> bool:
    """Whether all names and values of a sentence are told before, so that it goes on about what was told."""
    known = "\n".join((*parts, question))
    values = [value.value for value in values_in(known)]
    return all(value.value in values for value in values_in(sentence)) and all(
        found[0] in known for found in _NAME.finditer(sentence)
    )


def _taken_up(sentence: str, mine: Sequence[str], others: Sequence[str], wanted: frozenset[str]) -> str | None:
    """The part of another thing that a sentence takes up by a word of its own, if it takes up none of the answer's."""
    said = _told(sentence) - wanted
    own = frozenset[str]().union(*map(_told, mine))
    known = frozenset[str]().union(*map(_told, others))
    values = values_in(sentence)
    if said & (own - known) or any(
        value.equals(each) for part in mine for value in [_only(part)] if value for each in values
    ):
        return None
    numbers = frozenset(each for each in said if each[0].isdigit())
    for words in (numbers, said):
        taken = [part for part in others if words & (_told(part) - own)]
        if len(taken) == 1:
            return taken[0]
    return None


def _opposed(said: Iterable[str], mine: Sequence[str], wanted: frozenset[str]) -> str | None:
    """The answer's part, if it speaks of the left where the conclusion speaks of the right."""
    terms = {(term.family, term.value) for each in said if (term := term_of(each)) is not None}
    for part in mine:
        own = {(term.family, term.value) for each in _told(part) - wanted if (term := term_of(each)) is not None}
        families = {family for family, _ in own}
        if not any(family in families for family, _ in terms) or terms & own:
            return None
    return mine[0] if terms else None


def _not_extreme(own: Sequence[tuple[int, str]], others: Sequence[tuple[int, str]], question: str) -> str | None:
    for place, mine in own:
        value = _only(mine)
        for at, part in others if value is not None else ():
            # Numbers without a unit are only compared in one sentence, results only with results.
            beside = value is not None and (at == place or value.kind is not None) and ("=" in part) == ("=" in mine)
            if beside and (other := _only(part)) and value and is_extreme(value, [other], question) is False:
                return part
    return None


def _only(part: str) -> Value | None:
    """The value of a part that ends at it: "Mars 2", "Route A: 4 + 5 = 9 km"."""
    found = values_in(part)
    return found[-1] if found and (len(found) == 1 or "=" in part) else None
