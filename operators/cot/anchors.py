"""The sentences that a reasoning has to contain word for word, made from a plan's annotations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from operators.cot.plan import Affordance, Spatial, Step, once
from operators.cot.texts import one_line, spoken


@dataclass(frozen=True, slots=True)
class AnchorSteps:
    """The steps whose entries the required sentences are made of."""

    conditions: Step
    effects: Step
    failure: Step

    @staticmethod
    @once
    def of(step: Step) -> AnchorSteps:
        """All of one step."""
        return AnchorSteps(step, step, step)


def anchors_of(steps: AnchorSteps) -> list[str]:
    """The required sentences in their order, each from the first usable entry of its kind, if there is one.

    >>> from operators.cot.plan import CausalChain, Failure, Step
    >>> from operators.cot.anchors import AnchorSteps
    >>> chain = CausalChain(
    ...     causal_precondition_on_spatial=[Spatial("on_top_of", ["cup", "kitchen_table"])],
    ...     causal_effect_on_affordance=[Affordance("cup", ["clean"])],
    ... )
    >>> step = Step(1, "Wash the cup.", causal_chain=chain, failure_reflecting=Failure("The cup slips."))
    >>> for sentence in anchors_of(AnchorSteps.of(step)):
    ...     print(sentence)
    Spatially, the cup must be on top of the kitchen table.
    After the action, functionally, the cup will be clean.
    A likely failure is that The cup slips.
    """
    conditions, effects, failure = (_sentences(each) for each in (steps.conditions, steps.effects, steps.failure))
    return [*conditions[0], *effects[1], *failure[2]]


@once
def _sentences(step: Step) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """A step's sentences of conditions, effects and failure, worked out once for its dozens of samples."""
    chain, failure = step.causal_chain, step.failure_reflecting
    conditions = (
        _spatial(chain.causal_precondition_on_spatial, "Spatially", "must"),
        _functional(chain.causal_precondition_on_affordance, "Functionally", "must"),
    )
    effects = (
        _spatial(chain.causal_effect_on_spatial, "After the action, spatially", "will"),
        _functional(chain.causal_effect_on_affordance, "After the action, functionally", "will"),
    )
    fails = (
        _said("A likely failure is that", failure.reason),
        _said("If that happens,", failure.recovery_strategy),
    )
    return _given(conditions), _given(effects), _given(fails)


def _given(sentences: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(sentence for sentence in sentences if sentence is not None)


def _spatial(entries: Sequence[Spatial], opening: str, verb: str) -> str | None:
    usable = ((spoken(e.relation), [o for o in map(spoken, e.objects) if o], e.truth) for e in entries)
    relation, objects, truth = next(((r, o, t) for r, o, t in usable if r and o), ("", [], True))
    if not objects:
        return None
    negated = verb if truth else f"{verb} not"
    first, *others = objects
    if not others:
        return f"{opening}, the {first} {negated} be {relation}."
    if len(others) == 1:
        return f"{opening}, the {first} {negated} be {relation} the {others[0]}."
    return f"{opening}, the relation {relation} {negated} hold among {', '.join(f'the {each}' for each in objects)}."


def _functional(entries: Sequence[Affordance], opening: str, verb: str) -> str | None:
    usable = ((spoken(e.object_name), [t for t in map(spoken, e.affordance_types) if t]) for e in entries)
    name, types = next(((n, t) for n, t in usable if n and t), ("", []))
    return f"{opening}, the {name} {verb} be {types[0]}." if types else None


def _said(opening: str, text: str) -> str | None:
    told = one_line(text).rstrip(".!? ")  # no other stop than those of English
    return f"{opening} {told}." if told else None
