"""The world of a plan: what its steps need, leave and undo, what is done up to a cut, and what can be said of that."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from dataflow_ext.claims import Sort, Term, Vocabulary
from operators.cot.plan import Plan, Step, once
from operators.cot.support.facts import Fact, conditions_of, effects_of, things_of
from operators.cot.support.matching import contradicts, establishes
from operators.cot.texts import spoken

#: What is claimed of a plan up to its cut.
_AT_CUT = frozenset(("done", "holds", "untouched", "missing", "left"))


class PlanWorld:
    """A plan whose steps up to ``cut``, a position counted from 0, are done; -1 if none is.

    >>> from operators.cot.plan import CausalChain, Plan, Spatial, Step
    >>> left = CausalChain(causal_effect_on_spatial=[Spatial("inside", ["tea", "pot"])])
    >>> needed = CausalChain(causal_precondition_on_spatial=[Spatial("inside", ["tea", "pot"])])
    >>> world = PlanWorld(Plan("Make tea.", [Step(1, "Fill the pot.", "", left), Step(2, "Pour.", "", needed)]), 0)
    >>> from dataflow_ext.claims import check
    >>> check("The tea in the pot is there [holds(condition_2_1)], so pouring can begin [supports(1, 2)].", world).false
    []
    >>> check("Pouring the tea has to wait [missing(condition_2_1)].", world).false
    ['[missing(condition_2_1)] is false']
    """

    def __init__(self, plan: Plan, cut: int) -> None:
        self.plan, self.cut = plan, cut
        self._named = _named(plan)

    @property
    def vocabulary(self) -> Vocabulary:
        """What may be claimed of it."""
        return PLAN

    def find(self, sort: str, name: str, state: str) -> Sequence[Any]:
        """A step's position by its id, a fact by its name, a thing as the plan names it."""
        if sort != "thing":
            found = self._named.get(name)
            return [found] if isinstance(found, int if sort == "step" else Fact) else []
        wanted = spoken(name).casefold()
        return [wanted] if wanted in self._things else []

    def view(self, state: str) -> PlanWorld:
        """The world itself: it has one state."""
        return self

    def spoken(self, sort: str, found: Any) -> Collection[str]:
        """The words by which a text may speak of a thing: its name, or the last word of it."""
        return {found, found.split(" ")[-1]} if sort == "thing" else set()

    def nouns(self) -> Mapping[str, bool]:
        """No kinds of things: a plan tells all that it has by name."""
        return {}

    def names(self) -> Collection[str]:
        """The names of all things."""
        return self._things

    def proves(self, word: str, names: Sequence[str]) -> bool:
        """Whether a statement about steps and facts of these names is so; each is asked about once.

        Where the cut makes no difference, that is once a plan.
        """
        return _proves(self.plan, word, tuple(names), self.cut if word in _AT_CUT else -1)

    def fact(self, name: str) -> Fact | None:
        """The condition or effect of a name such as ``condition_3_1``."""
        found = self._named.get(name)
        return found if isinstance(found, Fact) else None

    def leaves(self, step: int, fact: Fact) -> bool:
        """Whether a step's effects make a fact so."""
        return _made_so(self.plan, step, fact)

    def undoes(self, step: int, fact: Fact) -> bool:
        """Whether an effect of a step makes a fact false."""
        return _made_false(self.plan, step, fact)

    def holds(self, fact: Fact) -> bool:
        """Whether a step that is done has left a fact so, and none has undone it since."""
        for step in range(self.cut, -1, -1):
            if self.undoes(step, fact):
                return False
            if self.leaves(step, fact):
                return True
        return False

    def untouched(self, fact: Fact) -> bool:
        """Whether nothing that is done has to do with a fact."""
        return not any(self.leaves(step, fact) or self.undoes(step, fact) for step in range(self.cut + 1))

    def missing(self, fact: Fact) -> bool:
        """Whether a fact is not left so by what is done, and a step to come leaves it so.

        What a step needs before that one, and nothing done has to do with, was so from the beginning.
        """
        coming = range(self.cut + 1, len(self.plan.steps))
        first = next((step for step in coming if self.leaves(step, fact)), None)
        if first is None or self.holds(fact):
            return False
        needed = any(fact in conditions_of(self.plan.steps[step]) for step in range(self.cut + 1, first + 1))
        return not (needed and self.untouched(fact))

    def supports(self, one: int, other: int) -> bool:
        """Whether the one step leaves a condition of the other so."""
        return any(self.leaves(one, fact) for fact in conditions_of(self.plan.steps[other]))

    @cached_property
    def _things(self) -> frozenset[str]:
        return frozenset(spoken(name).casefold() for name in things_of(self.plan))


@once
def world_of(plan: Plan, cut: int) -> PlanWorld:
    """The world of a plan up to a cut, made once."""
    return PlanWorld(plan, cut)


@once
def conditions(step: Step) -> Sequence[tuple[str, Fact]]:
    """A step's conditions with their names."""
    return [(f"condition_{step.step_id}_{n}", fact) for n, fact in enumerate(conditions_of(step), 1)]


@once
def effects(step: Step) -> Sequence[tuple[str, Fact]]:
    """A step's effects with their names."""
    return [(f"effect_{step.step_id}_{n}", fact) for n, fact in enumerate(effects_of(step), 1)]


@once
def _named(plan: Plan) -> Mapping[str, int | Fact]:
    """Steps and facts by their names."""
    named = {str(step.step_id): i for i, step in enumerate(plan.steps)}
    facts = {name: fact for step in plan.steps for name, fact in (*conditions(step), *effects(step))}
    return {**named, **facts}


@once
def _proves(plan: Plan, word: str, names: Sequence[str], cut: int) -> bool:
    things = [_named(plan)[name] for name in names]
    return bool(PLAN.by_word[word].answer(world_of(plan, cut), *things))


@once
def _made_so(plan: Plan, step: int, fact: Fact) -> bool:
    return establishes(effects_of(plan.steps[step]), fact, things_of(plan)) is not None


@once
def _made_false(plan: Plan, step: int, fact: Fact) -> bool:
    effects, things = effects_of(plan.steps[step]), things_of(plan)
    return any(contradicts(each, fact, things) is not None for each in effects)


def _of(facts: Callable[[Step], Sequence[Fact]], world: PlanWorld, step: int, about: Fact | str) -> bool:
    """Whether a fact is among those of a step, or one of them speaks of a thing."""
    own = facts(world.plan.steps[step])
    return about in own if isinstance(about, Fact) else any(about in _spoken(fact) for fact in own)


def _spoken(fact: Fact) -> Collection[str]:
    return {spoken(name).casefold() for name in fact.objects}


def _leaves(world: PlanWorld, step: int, about: Fact | str) -> bool:
    return world.leaves(step, about) if isinstance(about, Fact) else _of(effects_of, world, step, about)


_TERMS = [
    Term("steps", (), "how many steps the plan has", lambda w: len(w.plan.steps), "1", places=0),
    Term("left", (), "how many steps are still to be done", lambda w: len(w.plan.steps) - w.cut - 1, "1", places=0),
    Term("done", ("step",), "the step is done", lambda w, a: a <= w.cut),
    Term("before", ("step", "step"), "the first comes before the second in the plan", lambda _, a, b: a < b),
    Term("next", ("step", "step"), "the second comes right after the first", lambda _, a, b: b == a + 1),
    Term("needs", ("step", "fact|thing"), "the fact is a condition of the step, or one speaks of the thing",
         lambda w, a, f: _of(conditions_of, w, a, f)),
    Term("leaves", ("step", "fact|thing"), "the step's effects make the fact so, or one speaks of the thing", _leaves),
    Term("undoes", ("step", "fact"), "an effect of the step makes the fact false", lambda w, a, f: w.undoes(a, f)),
    Term("supports", ("step", "step"), "an effect of the first makes a condition of the second so",
         lambda w, a, b: w.supports(a, b)),
    Term("conflicts", ("step", "step"), "an effect of the first makes a condition of the second false",
         lambda w, a, b: any(w.undoes(a, fact) for fact in conditions_of(w.plan.steps[b]))),
    Term("holds", ("fact",), "a step that is done left it so, and none undid it since", lambda w, f: w.holds(f)),
    Term("untouched", ("fact",), "nothing that is done has to do with it", lambda w, f: w.untouched(f)),
    Term("missing", ("fact",), "it does not hold, and a step to come makes it so", lambda w, f: w.missing(f)),
]  # fmt: skip

#: What may be claimed of a plan.
PLAN = Vocabulary(
    sorts=[
        Sort("step", "a step by its id: 3"),
        Sort("fact", "condition_3_1, the first condition of step 3, relations before affordances; effect_3_1"),
        Sort("thing", "an object of the plan by its name", thing=True),
    ],
    terms=_TERMS,
)


#: The names that fill a phrase's slots: ids of steps and names of facts.
Slots = Mapping[str, str]

_KEPT = 1 << 12


@lru_cache(maxsize=_KEPT)
def results(world: PlanWorld, place: int, slot: str = "t") -> Sequence[Slots]:
    """The effects of the step at a position, which is named by ``slot``."""
    step = world.plan.steps[place]
    return [{slot: str(step.step_id), "f": name} for name, _ in effects(step)]


@lru_cache(maxsize=_KEPT)
def demands(world: PlanWorld, place: int) -> Sequence[Slots]:
    """The conditions of the step at a position."""
    step = world.plan.steps[place]
    return [{"t": str(step.step_id), "f": name} for name, _ in conditions(step)]


@lru_cache(maxsize=_KEPT)
def kept(world: PlanWorld, place: int) -> Sequence[Slots]:
    """The conditions of a step that hold, each with the step that left it so."""
    found = []
    for name, fact in conditions(world.plan.steps[place]):
        if world.holds(fact):
            by = next(step for step in range(world.cut, -1, -1) if world.leaves(step, fact))
            found.append({"a": str(world.plan.steps[by].step_id), "f": name})
    return found


@lru_cache(maxsize=_KEPT)
def from_start(world: PlanWorld, place: int) -> Sequence[Slots]:
    """The conditions of a step with which nothing that is done has to do."""
    if world.cut < 0:
        return []
    last = str(world.plan.steps[world.cut].step_id)
    return [{"a": last, "f": name} for name, fact in conditions(world.plan.steps[place]) if world.untouched(fact)]


@lru_cache(maxsize=_KEPT)
def uses(world: PlanWorld, place: int, slot: str = "t") -> Sequence[Slots]:
    """Later steps that need what the step at a position leaves, each with the condition."""
    step, found = world.plan.steps[place], []
    for later in world.plan.steps[place + 1 :]:
        for name, fact in conditions(later):
            if world.leaves(place, fact):
                found.append({slot: str(step.step_id), "c": str(later.step_id), "f": name})
    return found


@lru_cache(maxsize=_KEPT)
def waiting(world: PlanWorld) -> Sequence[Slots]:
    """Steps to come that need what is missing, each with the condition."""
    return [
        {"c": str(step.step_id), "f": name}
        for step in world.plan.steps[world.cut + 1 :]
        for name, fact in conditions(step)
        if world.missing(fact)
    ]


@lru_cache(maxsize=_KEPT)
def finished(world: PlanWorld) -> Sequence[Slots]:
    """The steps that are done, but for the last of them."""
    return [{"d": str(step.step_id)} for step in world.plan.steps[: max(world.cut, 0)]]


@lru_cache(maxsize=_KEPT)
def further(world: PlanWorld, place: int) -> Sequence[Slots]:
    """The steps behind the one at a position."""
    steps = world.plan.steps
    return [{"t": str(steps[place].step_id), "c": str(step.step_id)} for step in steps[place + 1 :]]
