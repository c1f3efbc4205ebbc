"""Answers of several parts: sets, tuples, coordinates and lists in words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Literal

from operators.verify.answer import Compare, Equivalence, Sameness, worst
from operators.verify.questions import Asked
from operators.verify.times import dates_of
from operators.verify.written_numbers import value_of

_LONGEST = 600
_MOST = 40
#: Parts in another order that are compared each with each.
_MOST_MATCHED = 8
_MOST_WORDS = 4

_NAMED = re.compile(r"[A-Z]['′]?\s*(?:=\s*)?(?=\()")
_JOINED = re.compile(r"\s*[,，]\s*(?:and|or)\s+|\s*[;；、，]\s*|\s*,\s*|\s+(?:and|or|&)\s+|\s*(?:以及|和|与|及|或)\s*")
_TUPLES_JOINED = re.compile(r"\) ?,? ?(?:and|or|和|与|或|、) ?\(")
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
_OR = re.compile(r"\bor\b|或", re.IGNORECASE)
_AND = re.compile(r"\band\b|&|和|与|及", re.IGNORECASE)
_SOLUTION = re.compile(r"(?:^|; )([A-Za-z])_?\{?(\d{0,2})\}? ?= ?([^=;]+)(?=;|$)")
_PLUS_MINUS = re.compile(r"((?:[A-Za-z] ?= ?)?)± ?(.+)")

#: Chinese clauses with a comma between them are no list.
_CLAUSES = re.compile(r"[是为在向着了].*,.*[一-鿿]|[一-鿿].*,.*[是为在向着了]")
_MOST_LISTED = 12
_EMPTY = re.compile(r"∅|\\emptyset|\\varnothing|\{\s*\}|空集|the empty set|empty set", re.IGNORECASE)

#: "plain" is joined by commas alone.
Form = Literal["set", "tuple", "square", "and", "or", "plain"]


@dataclass(frozen=True, slots=True)
class Collection:
    """The parts of an answer, and how they are held together."""

    form: Form
    parts: tuple[str, ...]


def collection_of(text: str) -> Collection | None:
    """The parts of a bare answer; None if it has but one.

    >>> collection_of("{1, 2}"), collection_of("red and blue").parts, collection_of("1,234")
    (Collection(form='set', parts=('1', '2')), ('red', 'blue'), None)
    """
    if not 2 < len(text) <= _LONGEST and "±" not in text:
        return None
    both = _PLUS_MINUS.fullmatch(text)
    if both:
        return Collection("set", (both[1] + both[2], both[1] + "-" + both[2])) if value_of(both[2]) else None
    named = _NAMED.match(text)
    text = text[named.end() :] if named else text
    form: Form | None = {"{": "set", "(": "tuple", "[": "square"}.get(text[0])  # type: ignore[assignment]
    if form is not None and _is_bracketed(text):
        parts = _split(text[1:-1])
        if form == "set" or len(parts) > 1:
            return Collection(form, tuple(parts)) if 0 < len(parts) <= _MOST and all(parts) else None
        return None
    return _listed(text)


def is_list(text: str) -> bool:
    """Whether a bare answer is a list, and not clauses of a sentence."""
    return (
        collection_of(text) is not None
        and len(text.split()) <= _MOST_LISTED
        and not (len(text) <= _LONGEST and _CLAUSES.search(text))
    )


def compare_collections(one: str, other: str, about: Asked, compare: Compare) -> Equivalence | None:
    """Whether two texts have the same parts; None unless one of them has several."""
    empty = _EMPTY.fullmatch(one) is not None, _EMPTY.fullmatch(other) is not None
    if all(empty):
        return Equivalence("yes", "Both are the set without parts.", "list")
    first, second = _of_one_name(collection_of(one), collection_of(other))
    if first is None and second is None:
        return None
    if any(empty) and "set" in (first.form if first else "", second.form if second else ""):
        return Equivalence("no", "One of the sets has no parts.", "list")
    if first is None or second is None:
        whole, single = (first, other) if first else (second, one)
        assert whole is not None  # noqa: S101 - one of them has parts
        if _DECIMAL_COMMA.fullmatch(other if second else one):
            return Equivalence("unsure", "A comma may stand between two numbers, or for the point of one.", "list")
        return _with_single(whole, single, compare)
    if "tuple" in (first.form, second.form) or "square" in (first.form, second.form):
        return _ordered(first, second, about, compare)
    return _unordered(first, second, about, compare)


def _of_one_name(one: Collection | None, other: Collection | None) -> tuple[Collection | None, Collection | None]:
    """Solutions of one name as their values: x = 2 or x = 3 as a set, x_1 = 2, x_2 = 3 in their order."""
    if one is None or other is None:
        return one, other
    found = [_SOLUTION.findall("; ".join(each.parts)) for each in (one, other)]
    kinds = [len(pairs) == len(each.parts) for pairs, each in zip(found, (one, other), strict=True)]
    names = {name for pairs, kind in zip(found, kinds, strict=True) if kind for name, _, _ in pairs}
    if len(names) != 1 or (all(kinds) and one.form == other.form and found[0][0][1] and found[1][0][1]):
        return one, other
    return tuple(  # type: ignore[return-value]
        Collection("plain" if pairs[0][1] else "set", tuple(value for _, _, value in pairs)) if kind else each
        for each, pairs, kind in zip((one, other), found, kinds, strict=True)
    )


def depths(text: str) -> list[int]:
    """How many brackets are open behind each letter of a text.

    >>> depths("(a)b")
    [1, 1, 0, 0]
    """
    return list(accumulate((letter in "([{") - (letter in ")]}") for letter in text))


def _is_bracketed(text: str) -> bool:
    """Whether the bracket that a text begins with is closed at its end and not before."""
    return 0 not in (found := depths(text))[:-1] and found[-1] == 0


def _split(text: str) -> list[str]:
    """The parts of a text between commas that stand in no bracket."""
    places = zip(text, depths(text), strict=True)
    cuts = [place for place, (letter, depth) in enumerate(places) if letter in ",;，；、" and depth == 0]
    return [text[start + 1 : end].strip() for start, end in pairwise([-1, *cuts, len(text)])]


def _listed(text: str) -> Collection | None:
    if dates_of(text) or value_of(text) is not None:
        return None
    parts = _split(_TUPLES_JOINED.sub("),(", text)) if any(letter in text for letter in "([{") else _JOINED.split(text)
    parts = [part.strip() for part in parts if part and part.strip()]
    if not 1 < len(parts) <= _MOST or any(len(part.split()) > _MOST_WORDS for part in parts):
        return None
    return Collection("or" if _OR.search(text) else "and" if _AND.search(text) else "plain", tuple(parts))


def _with_single(whole: Collection, single: str, compare: Compare) -> Equivalence:
    if whole.form == "set" and len(whole.parts) == 1:
        return Equivalence(compare(whole.parts[0], single), "One of them is a set of one part.", "list")
    found = {compare(part, single) for part in whole.parts[:_MOST_MATCHED]}
    if whole.form in ("set", "tuple", "square") and "unsure" not in found and value_of(single) is not None:
        return Equivalence("no", "One of them has several parts, the other is a single number.", "list")
    if found == {"no"} and len(whole.parts) <= _MOST_MATCHED:
        return Equivalence("no", "None of the several parts is the other answer.", "list")
    return Equivalence("unsure", "One of them has several parts, the other may be one of these.", "list")


def _ordered(one: Collection, other: Collection, about: Asked, compare: Compare) -> Equivalence:
    """With a tuple among the two."""
    same_form = one.form == other.form
    loose = {one.form, other.form} & {"plain", "and"}
    if same_form or (loose and about.point):
        return _told(_each(one.parts, other.parts, compare), "The parts, in their order, are")
    found = _matched(one.parts, other.parts, compare)
    if found == "no":
        return Equivalence("no", "The parts are not the same.", "list")
    return Equivalence(
        "unsure", "The parts may be the same, but one is ordered and the other written otherwise.", "list"
    )


def _unordered(one: Collection, other: Collection, about: Asked, compare: Compare) -> Equivalence:
    forms = {one.form, other.form}
    mine, its = one.parts, other.parts
    if forms == {"set"}:
        compare = _of_one_depth(compare)
    if "set" in forms:
        mine, its = tuple(dict.fromkeys(mine)), tuple(dict.fromkeys(its))
    in_order = _each(mine, its, compare)
    if in_order == "yes" and forms != {"and", "or"}:
        return _told("yes", "The parts are")
    if (about.order or about.point) and "set" not in forms:
        return _told("unsure" if in_order == "yes" else in_order, "The parts, in their order, are")
    found = _matched(mine, its, compare)
    if found == "yes" and (forms == {"and", "or"} or (forms == {"plain"} and _may_be_sequence(mine))):
        return Equivalence("unsure", "The parts are the same, but in another order or joined otherwise.", "list")
    return _told(found, "The parts, in any order, are")


def _of_one_depth(compare: Compare) -> Compare:
    """The comparison for parts of sets, of which a set is never the same as what it holds."""

    def compared(one: str, other: str) -> Sameness:
        sets = [text.startswith("{") or _EMPTY.fullmatch(text) is not None for text in (one, other)]
        return "no" if sets[0] != sets[1] else compare(one, other)

    return compared


def _may_be_sequence(parts: tuple[str, ...]) -> bool:
    """Whether the order of parts may matter: numbers and letters without a name."""
    return all("=" not in part and (len(part) == 1 or value_of(part) is not None) for part in parts)


def _each(one: tuple[str, ...], other: tuple[str, ...], compare: Compare) -> Sameness:
    if len(one) != len(other):
        return "no"
    return worst("yes" if mine == its else compare(mine, its) for mine, its in zip(one, other, strict=True))


def _matched(one: tuple[str, ...], other: tuple[str, ...], compare: Compare) -> Sameness:
    """Whether parts are the same in some order; each is the partner of one other."""
    if len(one) != len(other):
        return "no"
    mine, its = list(one), list(other)
    for part in one:
        if part in its:
            mine.remove(part)
            its.remove(part)
    if len(mine) > _MOST_MATCHED:
        return "unsure"
    table = [[compare(part, partner) for partner in its] for part in mine]
    for verdict, allowed in (("yes", ("yes",)), ("unsure", ("yes", "unsure"))):
        if _paired([[n for n, each in enumerate(row) if each in allowed] for row in table]):
            return verdict  # type: ignore[return-value]
    return "no"


def _paired(choices: list[list[int]]) -> bool:
    """Whether each row finds a partner of its own among its choices."""
    partner: dict[int, int] = {}

    def finds(row: int, seen: set[int]) -> bool:
        for choice in choices[row]:
            if choice not in seen:
                seen.add(choice)
                if choice not in partner or finds(partner[choice], seen):
                    partner[choice] = row
                    return True
        return False

    return all(finds(row, set()) for row in range(len(choices)))


def _told(verdict: Sameness, subject: str) -> Equivalence:
    ends = {"yes": "the same.", "no": "not the same.", "unsure": "perhaps the same."}
    return Equivalence(verdict, f"{subject} {ends[verdict]}", "list")
