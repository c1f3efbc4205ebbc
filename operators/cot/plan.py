"""A causal plan as its annotators wrote it: names and shapes are those of ``causal_plan_with_keyframes.json``."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, TypeVar, TypeVarTuple

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Kept:
    """Base of what is read once and never changed: what is worked out of it is kept with it, and goes with it."""

    __slots__ = ("kept",)

    kept: dict[tuple[Callable[..., Any], tuple[Any, ...]], Any]


K = TypeVar("K", bound=Kept)
_NOTHING = object()


def once(work: Callable[[K, *Ts], T]) -> Callable[[K, *Ts], T]:
    """``work`` done once for each plan, step or item, and what else it is given, however many samples ask for it."""

    @wraps(work)
    def found(of: K, *more: *Ts) -> T:
        try:
            kept = of.kept
        except AttributeError:
            kept = {}
            object.__setattr__(of, "kept", kept)
        key = work, more
        if (made := kept.get(key, _NOTHING)) is _NOTHING:
            made = kept[key] = work(of, *more)
        return made  # type: ignore[no-any-return]

    return found


@dataclass(frozen=True, slots=True)
class Spatial:
    """A relation that holds between objects, or with ``truth`` False does not: ``inside(tube, tire)``."""

    relation: str
    objects: list[str]
    truth: bool = True


@dataclass(frozen=True, slots=True)
class Affordance:
    """What an object lends itself to, most telling type first: ``tire_lever: rigid``."""

    object_name: str
    affordance_types: list[str]
    reasons: str = ""


@dataclass(frozen=True, slots=True)
class CausalChain:
    """Who does what to what, what has to hold before, and what holds after it."""

    agent: str = ""
    action: str = ""
    patient: str = ""
    causal_precondition_on_spatial: list[Spatial] = field(default_factory=list)
    causal_precondition_on_affordance: list[Affordance] = field(default_factory=list)
    causal_effect_on_spatial: list[Spatial] = field(default_factory=list)
    causal_effect_on_affordance: list[Affordance] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Failure:
    """A way in which a step may fail, and what to do then; either may be empty."""

    reason: str = ""
    recovery_strategy: str = ""


@dataclass(frozen=True, slots=True)
class Hotspot:
    """Where an interaction takes place, and how it works."""

    description: str = ""
    affordance_type: str = ""
    mechanism: str = ""


@dataclass(frozen=True, slots=True)
class Interaction:
    """What is used on what in a key frame."""

    tools: list[str] = field(default_factory=list)
    materials: list[str] = field(default_factory=list)
    hotspot: Hotspot = field(default_factory=Hotspot)


@dataclass(frozen=True, slots=True)
class KeyFrame:
    """A key frame of a step: ``frame_index`` counts from 1 in the step's own clip."""

    frame_index: int
    action_state_change_description: str = ""
    causal_chain: CausalChain = field(default_factory=CausalChain)
    interaction: Interaction = field(default_factory=Interaction)


@dataclass(frozen=True, slots=True)
class Step(Kept):
    """A step of a plan; ``critical_frames`` are its start and its end, or empty."""

    step_id: int
    step_goal: str
    rationale: str = ""
    causal_chain: CausalChain = field(default_factory=CausalChain)
    counterfactual_challenge_question: str = ""
    expected_challenge_outcome: str = ""
    failure_reflecting: Failure = field(default_factory=Failure)
    critical_frames: list[KeyFrame] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Plan(Kept):
    """A goal and the steps that lead to it, in the order in which they are done."""

    high_level_goal: str
    steps: list[Step]

    def position(self, step_id: int) -> int | None:
        """Where the step stands in ``steps``, counted from 0; None if the plan has no such step."""
        for i, step in enumerate(self.steps):  # asked several times a sample: a loop is the cheapest way
            if step.step_id == step_id:
                return i
        return None


#: The bounds of K, the number of steps after a prefix that a sample asks about, and why there is none.
FEWEST, MOST = 3, 6
TOO_SHORT = "fewer than three steps follow"


@once
def texts_of(plan: Plan) -> Collection[str]:
    """All texts of a plan, each once."""
    found: dict[str, None] = {}
    _collect(plan, found)
    return found.keys()


def _collect(part: object, found: dict[str, None]) -> None:
    if isinstance(part, str):
        found[part] = None
    elif isinstance(part, list):
        for each in part:
            _collect(each, found)
    elif not isinstance(part, int):
        for name in part.__slots__:  # type: ignore[attr-defined] # every other part is a record
            _collect(getattr(part, name), found)


def chains_of(step: Step) -> list[CausalChain]:
    """The step's causal chain, and those of its key frames."""
    return [step.causal_chain, *(frame.causal_chain for frame in step.critical_frames)]
