"""goal_mismatch: a step that changes nothing and serves nothing takes the place of one that does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from dataflow_ext.text import lists, rows, stem, tokens
from operators.cot.plan import Step
from operators.cot.support.facts import Fact, conditions_of, effects_of
from operators.cot.support.names import is_hand, is_stuff, is_wide
from operators.cot.texts import PlanWords, in_latin, normalised, stems_of, tokens_key

#: Of what a step can be said: of any thing, of what is picked up somewhere in the plan, of what opens and closes.
Kind = Literal["any", "carried", "opened"]


@dataclass(frozen=True, slots=True)
class Form:
    """A step that serves nothing: its wording, and what it does, told of "it" in a reason.

    ``{}`` stands for the thing, ``{it}`` for it or them. ``cues`` are stems of words of plans that such a step might
    serve after all.
    """

    kind: Kind
    text: str
    does: str
    cues: frozenset[str]


@lru_cache(maxsize=1)
def forms() -> tuple[Form, ...]:
    """All forms, in a fixed order."""
    table = rows(__package__, "idle.tsv")
    return tuple(
        Form(kind, text, does, frozenset(map(stem, cues.split())))
        for kind in get_args(Kind)
        for of, text, does, cues in table
        if of == kind
    )


# Names of more words are seldom those of one thing.
_LONGEST = 3

_LISTS = lists(__package__, "words.tsv")
#: Relations of a hand to what it picks up, and what such a thing lends itself to.
_PICKED_UP = stems_of(_LISTS["picked up"])
_PORTABLE = stems_of(_LISTS["portable"])

#: Relations by which a thing is part of another or shut up in it: it is not moved about without consequences.
_BOUND = stems_of(_LISTS["bound"])

#: What has hinges, by the last word of its name.
_HINGED = stems_of(_LISTS["hinged"])

#: What is no thing of its own, by the last word of its name.
_NO_THING = stems_of(_LISTS["no thing"])

#: Words for one thing that end like those for several.
_SINGULAR = ("ss", "us", "is")


@dataclass(frozen=True, slots=True)
class Idle:
    """A step that serves nothing: how it is worded and what thing it is about."""

    form: Form
    thing: str

    @property
    def text(self) -> str:
        """Its goal, without a stop."""
        return self.form.text.format(self.thing, it="them" if _several(self.thing) else "it")

    @property
    def reason(self) -> str:
        """What is wrong with it, in one sentence."""
        does = self.form.does.format(self.thing)
        if _several(self.thing):
            does = re.sub(r"\bis\b", "are", re.sub(r"\bit\b", "them", does))
        return f"It only {does}, which changes nothing that a later step requires and does not serve the goal."


@lru_cache(maxsize=1 << 10)
def idle_steps(plan: PlanWords, prefix: int, k: int) -> list[tuple[Form, list[str]]]:
    """The steps that serve nothing among the ``k`` steps after the prefix: forms, each with the things it fits."""
    steps = plan.plan.steps[prefix + 1 : prefix + 1 + k]
    names = dict.fromkeys(name for step in steps for name in _objects(step))
    by_kind: dict[Kind, list[str]] = {"any": [], "carried": [], "opened": []}
    for name in names:
        thing = tokens_key(name)
        for kind in _kinds_by_key(plan).get(thing, ()):
            if thing not in by_kind[kind]:
                by_kind[kind].append(thing)
    return [(form, by_kind[form.kind]) for form in forms() if by_kind[form.kind] and form.cues.isdisjoint(plan.stems)]


def idle_in(text: str, plan: PlanWords) -> Idle | None:
    """The step that serves nothing of which a text is the goal, if the plan knows its thing and does not need it."""
    said = normalised(text)
    for pattern, form in _patterns().get(said.partition(" ")[0], ()):
        if found := pattern.fullmatch(said):
            idle = Idle(form, found[1])
            fits = normalised(idle.text) == said and form.cues.isdisjoint(plan.stems)
            return idle if fits and form.kind in _kinds_by_key(plan).get(idle.thing, ()) else None
    return None


@lru_cache(maxsize=64)
def _kinds_by_key(plan: PlanWords) -> dict[str, frozenset[Kind]]:
    """Of each thing of the plan what kinds of idle steps can be about it."""
    names = dict.fromkeys(name for step in plan.plan.steps for name in _objects(step))
    picked, bound = _picked_up(plan), _bound(plan)
    found: dict[str, set[Kind]] = {}
    for name in names:
        if _is_thing(name, plan):
            key = tokens_key(name)
            kinds = found.setdefault(key, set())
            kinds.add("any")
            if key in picked and key not in bound:
                kinds.add("carried")
            if stem(tokens(name)[-1]) in _HINGED:
                kinds.add("opened")
    return {key: frozenset(kinds) for key, kinds in found.items()}


def _objects(step: Step) -> list[str]:
    return [step.causal_chain.patient, *(name for fact in _facts(step) for name in fact.objects)]


def _facts(step: Step) -> tuple[Fact, ...]:
    return (*conditions_of(step), *effects_of(step))


def _is_thing(name: str, plan: PlanWords) -> bool:
    words = tokens(name)
    if not name.strip() or len(words) > _LONGEST or "and" in words or not in_latin(name):
        return False
    no_thing = is_hand(name) or is_stuff(name) or is_wide(name) or stem(words[-1]) in _NO_THING
    return not no_thing and tokens_key(name) not in plan.agents


def _picked_up(plan: PlanWords) -> frozenset[str]:
    """What the plan tells of that somebody picks it up, or can."""
    return frozenset(key for step in plan.plan.steps for fact in _facts(step) for key in _picked_in(fact))


def _picked_in(fact: Fact) -> Iterator[str]:
    words = _stems_of(fact.name)
    if fact.kind == "affordance":
        if not words.isdisjoint(_PORTABLE):
            yield tokens_key(fact.objects[0])
    elif not words.isdisjoint(_PICKED_UP) and fact.truth:
        yield from (tokens_key(name) for name in fact.objects if not is_hand(name))


def _bound(plan: PlanWords) -> frozenset[str]:
    """What the plan tells of that it is, at any time, in or fixed to something."""
    facts = (fact for step in plan.plan.steps for fact in _facts(step) if fact.kind == "spatial" and fact.truth)
    pairs = (fact for fact in facts if len(fact.objects) > 1 and not _stems_of(fact.name).isdisjoint(_BOUND))
    held = (fact for fact in pairs if not is_hand(fact.objects[-1]))
    return frozenset(tokens_key(name) for fact in held for name in fact.objects[:-1])


@lru_cache(maxsize=1 << 12)
def _stems_of(name: str) -> frozenset[str]:
    return stems_of([name])


def _several(thing: str) -> bool:
    return thing.endswith("s") and not thing.endswith(_SINGULAR)


@lru_cache(maxsize=1)
def _patterns() -> dict[str, list[tuple[re.Pattern[str], Form]]]:
    """By the first word of a step what tells that it is of a form."""
    made: dict[str, list[tuple[re.Pattern[str], Form]]] = {}
    for form in forms():
        parts = re.split(r"\{(?:it)?\}", normalised(form.text))
        pattern = re.escape(parts[0]) + "(.+)" + re.escape(parts[1])
        whole = re.compile("(?:it|them)".join([pattern, *map(re.escape, parts[2:])]))
        made.setdefault(parts[0].partition(" ")[0], []).append((whole, form))
    return made
