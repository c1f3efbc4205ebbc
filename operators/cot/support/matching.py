"""Whether an effect establishes a condition, or makes it false; and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations
from typing import Literal

from operators.cot.support.facts import Fact
from operators.cot.support.forms import Form, form_of
from operators.cot.support.names import DOOR, PLURAL, SAME, door_of, is_stuff, is_wide, overlap, sameness

Kind = Literal["same", "spelling", "order", "object", "opposite", "state", "synonym", "implied", "elsewhere"]

#: Matches that are less sure are none.
THRESHOLD = 0.7

#: How sure each step of a match is, beside those that the tables of words and names give.
INFLECTED, TURNED, OF_LIST, AS_STATE, OPPOSITE, LESS_SAID, ELSEWHERE = 0.95, 0.95, 0.95, 0.9, 0.9, 0.95, 0.75

_NOTHING: frozenset[str] = frozenset()
_Steps = list[tuple[float, Kind]]


@dataclass(frozen=True, slots=True)
class Match:
    """How an effect meets a condition: ``kind`` names the least sure step, ``strength`` is the product of all.

    1 is word for word; about 0.95 another spelling, inflection, argument order or number; 0.9 an opposite word
    with the opposite truth; 0.85 a synonym; 0.8 what the one implies of the other, or a shorter name of a thing;
    0.75 what holds unless a plan is odd.
    """

    kind: Kind
    strength: float


def support_of(effect: Fact, condition: Fact, things: frozenset[str] = _NOTHING) -> Match | None:
    """How the effect establishes the condition, None if it does not.

    ``things`` are the names of all objects of the plan; with them a name may be shortened ("lid" of "blue_lid")
    where no other thing of the plan could be meant.

    >>> support_of(Fact("spatial", "inside", ("tube", "tire")), Fact("spatial", "contains", ("tire", "tube")))
    Match(kind='order', strength=0.95)
    >>> support_of(Fact("affordance", "sealable", ("jar",)), Fact("affordance", "sealed", ("jar",)))
    """
    return _strong(_meeting(form_of(effect), form_of(condition), True, things))


def contradicts(effect: Fact, condition: Fact, things: frozenset[str] = _NOTHING) -> Match | None:
    """How the effect makes the condition false, None if it does not.

    The kind "elsewhere" is the least sure: a thing that is put into or onto one place has left another.
    """
    one, other = form_of(effect), form_of(condition)
    found = _strong(_meeting(one, other, False, things)) or _elsewhere(one, other, things)
    return None if found is None or support_of(effect, condition, things) is not None else found


def establishes(effects: Iterable[Fact], condition: Fact, things: frozenset[str] = _NOTHING) -> Match | None:
    """The surest way in which one of the effects establishes the condition, None if none does."""
    found = (support_of(effect, condition, things) for effect in effects)
    return max(filter(None, found), key=lambda match: match.strength, default=None)


def _strong(match: Match | None) -> Match | None:
    return match if match is not None and match.strength >= THRESHOLD - 1e-9 else None


def _meeting(effect: Form, condition: Form, holds: bool, things: frozenset[str]) -> Match | None:
    """Whether the effect makes what the condition tells of so (``holds``), or makes it not so."""
    target = (condition.word.predicate, condition.positive is holds)
    if effect.told == target:
        words, objects, symmetric = _worded(effect, condition), effect.objects, effect.word.symmetric
    else:
        way = effect.follows.get(target)
        if way is None or way[0] < THRESHOLD:
            return None
        words, symmetric = _implied(effect, condition, way[0]), condition.word.symmetric
        objects = effect.objects[::-1] if way[1] else effect.objects
        if condition.state and not effect.state:
            objects = objects[:1]
        # "A above B" excludes "B above A", unless A and B are one thing to us
        if effect.told[0] == target[0] and _named(effect, effect.objects, condition, symmetric, not holds, things):
            return None
    if words is None or effect.state > condition.state:
        return None
    named = _named(effect, objects, condition, symmetric, holds, things)
    if named is None:
        return None
    if effect.fact.kind != condition.fact.kind:
        words.append((AS_STATE, "state"))
    return _match([*words, *named], effect.fact, condition.fact)


def _match(steps: _Steps, effect: Fact, condition: Fact) -> Match:
    strength = 1.0
    for each, _ in steps:
        strength *= each
    alike = effect.name == condition.name and effect.objects == condition.objects and effect.kind == condition.kind
    weakest = min(steps, default=(SAME, "same"), key=lambda step: step[0])
    kind: Kind = weakest[1] if weakest[0] < SAME else "same" if alike else "spelling"
    return Match(kind, round(strength, 4))


def _worded(effect: Form, condition: Form) -> _Steps | None:
    """How the two words of one group differ; None where the condition says more than the effect does."""
    one, other = effect.word, condition.word
    steps: _Steps = []
    if effect.from_place != condition.from_place:
        steps.append((min(one.strength, other.strength), "synonym"))
    elif one.opposite != other.opposite:
        steps.append((OPPOSITE, "opposite"))
    elif one.converse == other.converse and one.phrase != other.phrase:
        inflected = one.key == other.key
        steps.append((INFLECTED, "spelling") if inflected else (min(one.strength, other.strength), "synonym"))
    if _is_turned(effect) != _is_turned(condition) and not effect.from_place and not condition.from_place:
        steps.append((TURNED, "order"))
    if effect.posture != condition.posture and not steps:
        steps.append((INFLECTED, "synonym"))
    if effect.told_by_name != condition.told_by_name:
        steps.append((INFLECTED, "spelling"))
    if effect.adverbs != condition.adverbs:
        if one.opposite == other.opposite:
            stronger, weaker = (effect, condition) if effect.fact.truth else (condition, effect)
            if not weaker.adverbs <= stronger.adverbs:
                return None
        elif not effect.fact.truth and (effect.adverbs or condition.adverbs):
            return None
        steps.append((LESS_SAID, "synonym"))
    return steps


def _is_turned(form: Form) -> bool:
    """Whether its relation's name has the objects the other way round."""
    return form.objects[0] != form.fact.objects[0]


def _implied(effect: Form, condition: Form, strength: float) -> _Steps | None:
    if condition.adverbs or (effect.adverbs and not effect.fact.truth):
        return None
    if len(effect.objects) > 2 and not effect.state:
        return None
    steps: _Steps = [(strength, "implied")]
    if effect.from_place or condition.from_place:
        steps.append((min(effect.word.strength, condition.word.strength), "synonym"))
    return steps


def _named(
    effect: Form, objects: tuple[str, ...], condition: Form, symmetric: bool, holds: bool, things: frozenset[str]
) -> _Steps | None:
    """How the objects' names differ; None where they are not the same things."""
    wanted = condition.objects
    if condition.state:
        return _listed(effect, objects, wanted, condition.word.predicate == "state open", holds, things)
    if condition.subjects and effect.subjects:
        place = _all_same(objects[-1:], wanted[-1:], things)
        subjects = _listed(effect, objects[:-1], wanted[:-1], False, holds, things)
        return None if place is None or subjects is None else [*subjects, *place]
    if len(objects) != len(wanted):
        return None
    found = _all_same(objects, wanted, things)
    if found is None and symmetric and len(objects) <= 4:
        ways = (_all_same(each, wanted, things) for each in permutations(objects))
        found = max(filter(None, ways), key=lambda steps: min(steps)[0], default=None)
        return None if found is None else [(TURNED, "order"), *found]
    return found


def _all_same(objects: tuple[str, ...], wanted: tuple[str, ...], things: frozenset[str]) -> _Steps | None:
    steps: _Steps = []
    for one, other in zip(objects, wanted, strict=True):
        sure = sameness(one, other, things)
        if not sure:
            return None
        steps.append((sure, "object"))
    return steps


def _listed(
    effect: Form, objects: tuple[str, ...], wanted: tuple[str, ...], doors: bool, holds: bool, things: frozenset[str]
) -> _Steps | None:
    """How the things wanted are among the objects, each of which has the state or place on its own.

    All have to be there for the condition to hold; one is enough to make it false.
    """
    best = [max(_thing(each, want, doors, things) for each in objects) for want in wanted]
    denied = not effect.fact.truth and len(objects) > 1  # of all together, so nothing is told of each
    sure = min(best) if holds or denied else max(best)
    if not sure or (denied and len(objects) != len(wanted)):
        return None
    steps: _Steps = [(sure, "object")]
    if len(objects) != len(wanted):
        steps.append((OF_LIST, "object"))
    return steps


def _thing(one: str, other: str, doors: bool, things: frozenset[str]) -> float:
    sure = sameness(one, other, things)
    return DOOR if not sure and doors and door_of(one, other) else sure


def _elsewhere(effect: Form, condition: Form, things: frozenset[str]) -> Match | None:
    """A thing that is put into or onto one place is no longer in or on another, unless some of it stays behind."""
    if not (effect.subjects and condition.subjects and effect.positive and condition.positive):
        return None
    if effect.state or condition.state or effect.told_by_name or condition.told_by_name or not effect.fact.truth:
        return None
    place, other = effect.objects[-1], condition.objects[-1]
    if sameness(place, other, things) or overlap(place, other) or is_wide(place) or is_wide(other):
        return None
    subjects = [each for each in effect.objects[:-1] if not is_stuff(each)]
    sure = max((sameness(each, want, things) for each in subjects for want in condition.objects[:-1]), default=0.0)
    return Match("elsewhere", ELSEWHERE) if sure >= PLURAL else None
