"""Bad plans drawn from gold: every one of them is proven before it is given out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from operators.cot.flaws.ground import Ground, ground_of
from operators.cot.flaws.idle import Idle, idle_steps
from operators.cot.flaws.proof import FLAW_TYPES, FlawType, Proof, prove, prove_order
from operators.cot.flaws.tools import with_tool
from operators.cot.plan import FEWEST, MOST, TOO_SHORT, Plan
from operators.cot.texts import in_latin, like

#: Why there is no bad plan.
UNCLEAR = "a goal is blank or comes twice among the next three steps"
NO_FLAW: Mapping[FlawType, str] = {
    "precondition_missing": "no exchange of two neighbours breaks exactly one condition",
    "order_violation": "no step moved out of its place breaks exactly one condition",
    "tool_mismatch": "no step needs a tool in place of which the plan has one without the affordance",
    "hallucinated_object": "no step can be made to need an object of which the plan has no word",
    "goal_mismatch": "no step that serves nothing can be put in",
}


_Maker = Callable[[Ground, int, list[str], Random], Iterator[list[str]]]


@dataclass(frozen=True, slots=True)
class BadPlan:
    """A bad plan, the gold plan, and the proof of the flaw."""

    bad: list[str]
    gold: list[str]
    proof: Proof


def drawn_flaw(plan: Plan, prefix: int, flaw_type: FlawType, random: Random) -> BadPlan | str:
    """A bad plan with a flaw of this type for the steps after position ``prefix``, or why there is none.

    K is drawn from those with which there is such a flaw, then the flaw from all that there are with it.
    """
    ground = ground_of(plan)
    most = min(MOST, len(plan.steps) - prefix - 1)
    if most < FEWEST:
        return TOO_SHORT
    sizes = [k for k in range(FEWEST, most + 1) if _clear(ground, prefix, k)]
    if not sizes:
        return UNCLEAR
    random.shuffle(sizes)
    for k in sizes:
        gold = ground.words.goals[prefix + 1 : prefix + 1 + k]
        for bad in _MAKERS[flaw_type](ground, prefix, gold, random):
            proof = prove(plan, prefix, bad)
            if isinstance(proof, Proof) and proof.flaw_type == flaw_type:
                return BadPlan(bad, gold, proof)
    return NO_FLAW[flaw_type]


def _clear(ground: Ground, prefix: int, k: int) -> bool:
    keys = ground.words.keys[prefix + 1 : prefix + 1 + k]
    return all(keys) and len(set(keys)) == k


def _ordered(flaw_type: FlawType) -> _Maker:
    """Gold with one step moved to another place."""

    def made(ground: Ground, prefix: int, gold: list[str], random: Random) -> Iterator[list[str]]:
        found = _proven_orders(ground, prefix, len(gold))[flaw_type]
        for order in random.sample(found, len(found)):
            yield [gold[i] for i in order]

    return made


@lru_cache(maxsize=1 << 10)
def _proven_orders(ground: Ground, prefix: int, k: int) -> Mapping[FlawType, list[list[int]]]:
    """By type the orders that have one flaw, as positions in gold; all moves of one step are tried."""
    gold, _ = ground.gold(prefix, k)
    found: dict[FlawType, list[list[int]]] = {flaw_type: [] for flaw_type in FLAW_TYPES}
    for i, j in ((i, j) for i in range(k) for j in range(k) if j not in (i, i - 1)):
        order = [each for each in range(k) if each != i]
        order.insert(j, i)
        proof = prove_order(ground, prefix, [gold[each] for each in order])
        if isinstance(proof, Proof):
            found[proof.flaw_type].append(order)
    return found


def _retooled(ground: Ground, prefix: int, gold: list[str], random: Random) -> Iterator[list[str]]:
    steps, tools = ground.plan.steps[prefix + 1 : prefix + 1 + len(gold)], ground.tools
    choices = [(i, swap) for i, step in enumerate(steps) if in_latin(gold[i]) for swap in tools.swaps(step)]
    for i, swap in random.sample(choices, len(choices)):
        goal = with_tool(gold[i], swap.need.tool, swap.other, tools)
        if goal is not None:
            yield [*gold[:i], goal, *gold[i + 1 :]]


def _hallucinating(ground: Ground, prefix: int, gold: list[str], random: Random) -> Iterator[list[str]]:
    """First where, then how, then what: a goal with many places for an object is not flawed more often than others."""
    for i in random.sample(range(len(gold)), len(gold)):
        slots = [slot for slot in ground.slots(prefix + 1 + i) if ground.unknown[slot.role]]
        if slots:
            slot = random.choice(slots)
            yield [*gold[:i], slot.filled(random.choice(ground.unknown[slot.role]).name), *gold[i + 1 :]]


def _idling(ground: Ground, prefix: int, gold: list[str], random: Random) -> Iterator[list[str]]:
    """First what is done, then with which thing and when: all forms are drawn evenly."""
    places = [i for i, goal in enumerate(gold) if in_latin(goal)]
    steps = idle_steps(ground.words, prefix, len(gold)) if places else []
    for form, things in random.sample(steps, len(steps)):
        i = random.choice(places)
        yield [*gold[:i], like(gold[i], Idle(form, random.choice(things)).text), *gold[i:-1]]


_MAKERS: Mapping[FlawType, _Maker] = {
    "precondition_missing": _ordered("precondition_missing"),
    "order_violation": _ordered("order_violation"),
    "tool_mismatch": _retooled,
    "hallucinated_object": _hallucinating,
    "goal_mismatch": _idling,
}
