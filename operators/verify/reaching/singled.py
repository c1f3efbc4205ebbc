"""Which of several things that steps tell of side by side they single out before they conclude."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from dataflow_ext.text.nouns import singular
from operators.verify.reaching.numeric import is_extreme
from operators.verify.reaching.steps import FORMULA, PRONOUN, Steps
from operators.verify.reaching.values import Value, sources_of, values_in
from operators.verify.vocabulary import ARTICLES, FILLER, term_of

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
        ways = {term_of(each) or each for part in body for each in _told(part)}
        named = (
            bool(values_in(answer))
            or any(map(str.isdigit, answer))
            or not ways.isdisjoint(term_of(each) or each for each in wanted)
        )
        if concludes and not named and _told(steps.sentences[-1]) <= wanted | _told(question):
            return body[-1]  # a sentence of the question's words alone reads nothing
        return _not_asked([part for _, part in parts], steps, answer, question) if concludes else None
    mine = [part for _, part in own]
    last_place = own[-1][0]
    labels = not answer[:1].isdigit() or ("=" not in steps.text and _reads(steps.sentences[-1], wanted, mine, question))
    if labels and all(_told(part) != wanted for part in mine):
        if concludes:
            beside = [part for at, part in parts if at == last_place and part not in mine]
            rest = _told(steps.sentences[-1]) - wanted
            general = frozenset[str]().union(*(_told(part) for at, part in parts if at < last_place)) - wanted
            rivals = _rivals(beside, mine, answer, question)
            found = _taken_up(steps.sentences[-1], mine, rivals, wanted, general)
            found = found or _opposed(rest, mine, wanted)
            found = found or _spoken_of(steps, rest, own, parts)
            if found is not None:
                return found
        last = len(body) - 1
        before = [part for at, part in parts if at == last_place and part not in mine]
        named = concludes and _of_its_own(steps.sentences[-1], mine, before, wanted)
        if last_place < last and not named and _tells_nothing_new(body[last], [*mine, *before], question):
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


def _tells_nothing_new(sentence: str, parts: Sequence[str], question: str) -> bool:
    """Whether all names and values of a sentence are told before, so that it goes on about what was told."""
    known = "\n".join((*parts, question))
    values = [value.value for value in values_in(known)]
    return all(value.value in values for value in values_in(sentence)) and all(
        found[0] in known for found in _NAME.finditer(sentence)
    )


def _taken_up(
    sentence: str,
    mine: Sequence[str],
    others: Sequence[str],
    wanted: frozenset[str],
    general: frozenset[str] = frozenset(),
) -> str | None:
    """The part of another thing that a sentence takes up by a word of its own, if it takes up none of the answer's.

    What was told in ``general`` before all of them is no part's own.
    """
    if _of_its_own(sentence, mine, others, wanted | general):
        return None
    said = _told(sentence) - wanted - general
    own = frozenset[str]().union(*map(_told, mine))
    numbers = frozenset(each for each in said if each[0].isdigit())
    for words in (numbers, said):
        taken = [part for part in others if words & (_told(part) - own)]
        if len(taken) == 1:
            return taken[0]
    return None


def _of_its_own(sentence: str, mine: Sequence[str], others: Sequence[str], wanted: frozenset[str]) -> bool:
    """Whether a sentence takes up a word or value that only the answer's parts have."""
    own = frozenset[str]().union(*map(_told, mine))
    known = frozenset[str]().union(*map(_told, others))
    values = values_in(sentence)
    return bool((_told(sentence) - wanted) & (own - known)) or any(
        value.equals(each)
        for part in mine
        for value in [_only(part)]
        if value and ("=" in part or value.text not in wanted)
        for each in values
    )


def _not_asked(parts: Sequence[str], steps: Steps, answer: str, question: str) -> str | None:
    """The part of a thing that the question does not name, if the answer is only computed with its value.

    That tells where the values of two things are read that the question names, and nothing is computed in signs.
    """
    aim = values_in(answer)
    if len(aim) != 1 or steps.computed:
        return None
    # A label that is a value alone names nothing.
    named = (part for part in parts if any(each[0].isalpha() for each in _told(part)))
    values = {part: value for part in named if (value := _only(part)) is not None}
    said = _told(question)
    names = {part: _told(part) & said for part in values}
    asked = [part for part in values if names[part].difference(*(names[each] for each in values if each != part))]
    used = [
        {part for part, value in values.items() if value in found}
        for found in sources_of(aim[0], list(values.values()), steps.text)
    ]
    if len(asked) < 2 or not used or any(each <= set(asked) for each in used):
        return None
    return next((part for part in values if part in used[0] and part not in asked), None)


def _reads(sentence: str, wanted: frozenset[str], mine: Sequence[str], question: str) -> bool:
    """Whether a sentence that states a number only reads it: it holds no other than the question's."""
    given = {value.text for value in values_in(question)}
    return all(len(values_in(part)) > 1 for part in mine) or all(
        value.text in wanted or value.text in given for value in values_in(sentence)
    )


def _spoken_of(
    steps: Steps, said: frozenset[str], own: Sequence[tuple[int, str]], parts: Sequence[tuple[int, str]]
) -> str | None:
    """The one part that speaks of what the conclusion speaks of, where none of the answer's does or leads to it.

    The part that tells of a thing first only brings it in, and another goes on about it: "There is a box. A cat lies on
    the box." From one sentence another leads on that shares a word with it or speaks of what was told before.
    """
    if any(said & _told(part) for _, part in own):
        return None
    taken = set[tuple[int, str]]()
    for word in said:
        taken.update([each for each in parts if word in _told(each[1])][1:])
    if len(taken) != 1:
        return None
    [(at, other)] = taken
    words: dict[int, frozenset[str]] = {}
    for place, part in parts:
        words[place] = words.get(place, frozenset()) | _told(part)
    linked = {place for place, _ in own}
    while more := {
        place
        for place in words.keys() - linked
        for each in linked
        if words[place] & words[each] or any(PRONOUN.search(steps.sentences[of]) for of in (place, each))
    }:
        linked |= more
    return None if at in linked else other


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
