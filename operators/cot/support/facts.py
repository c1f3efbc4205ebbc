"""Facts of a plan: what a step needs and what it brings about, one relation or one affordance each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from operators.cot.plan import Affordance, Plan, Spatial, Step, once

_SPATIAL = re.compile(r"(?P<name>[^()]+?)\((?P<objects>[^()]+)\) => (?P<truth>True|False)")
_AFFORDANCE = re.compile(r"(?P<object>.+?): (?P<name>.+)")


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a plan says: a relation between objects, or an affordance of one object.

    ``name`` is the relation or the affordance type, spelled as in the plan. An affordance's ``truth`` is True.

    >>> Fact("spatial", "inside", ("new_tube", "tire")).text
    'inside(new_tube, tire) => True'
    >>> Fact("affordance", "receptive", ("tire",)).text
    'tire: receptive'
    """

    kind: Literal["spatial", "affordance"]
    name: str
    objects: tuple[str, ...]
    truth: bool = True
    _hash: int = field(default=0, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.kind, self.name, self.objects, self.truth)))

    def __hash__(self) -> int:
        return self._hash  # asked some thirty times a sample

    @property
    def text(self) -> str:
        """The fact on one line, as answers and fields say it."""
        if self.kind == "affordance":
            return f"{self.objects[0]}: {self.name}"
        return f"{self.name}({', '.join(self.objects)}) => {self.truth}"

    @property
    def denied(self) -> Fact:
        """The contrary of the fact."""
        return Fact(self.kind, self.name, self.objects, not self.truth)


def spatial_fact(entry: Spatial) -> Fact | None:
    """The relation as a fact; None where it has no name or no objects."""
    objects = tuple(_named(entry.objects))
    name = _line(entry.relation)
    return Fact("spatial", name, objects, entry.truth) if name and objects else None


def affordance_facts(entry: Affordance) -> tuple[Fact, ...]:
    """One fact for each affordance type; none where the object has no name."""
    name = _line(entry.object_name)
    return tuple(Fact("affordance", each, (name,)) for each in _named(entry.affordance_types)) if name else ()


def conditions_of(step: Step) -> tuple[Fact, ...]:
    """What has to hold before the step: relations, then affordances, in the plan's order, each once."""
    return _facts_of(step)[0]


def effects_of(step: Step) -> tuple[Fact, ...]:
    """What holds after the step: relations, then affordances, in the plan's order, each once."""
    return _facts_of(step)[1]


@once
def things_of(plan: Plan) -> frozenset[str]:
    """The names of all objects that the plan's conditions, effects and patients speak of."""
    facts = (fact for step in plan.steps for fact in (*conditions_of(step), *effects_of(step)))
    patients = _named(step.causal_chain.patient for step in plan.steps)
    return frozenset(name for fact in facts for name in fact.objects) | frozenset(patients)


def fact_of(text: str) -> Fact | None:
    """The fact that a text says; None if it is none.

    >>> fact_of("inside(new_tube, tire) => True")
    Fact(kind='spatial', name='inside', objects=('new_tube', 'tire'), truth=True)
    >>> fact_of("tire: receptive")
    Fact(kind='affordance', name='receptive', objects=('tire',), truth=True)
    """
    line = _line(text)
    if found := _SPATIAL.fullmatch(line):
        objects = tuple(_named(found["objects"].split(",")))
        return Fact("spatial", found["name"].strip(), objects, found["truth"] == "True") if objects else None
    if found := _AFFORDANCE.fullmatch(line):
        return Fact("affordance", found["name"], (found["object"],))
    return None


@once
def _facts_of(step: Step) -> tuple[tuple[Fact, ...], tuple[Fact, ...]]:
    chain = step.causal_chain
    return (
        _facts(chain.causal_precondition_on_spatial, chain.causal_precondition_on_affordance),
        _facts(chain.causal_effect_on_spatial, chain.causal_effect_on_affordance),
    )


def _facts(spatial: Iterable[Spatial], affordances: Iterable[Affordance]) -> tuple[Fact, ...]:
    relations = (fact for entry in spatial if (fact := spatial_fact(entry)))
    types = (fact for entry in affordances for fact in affordance_facts(entry))
    return tuple(dict.fromkeys([*relations, *types]))


def _named(names: Iterable[str]) -> Iterator[str]:
    return (line for name in names if (line := _line(name)))


def _line(text: str) -> str:
    return " ".join(text.split())
