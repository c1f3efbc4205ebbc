"""Bad plans: which flaw one has, proven from plan and texts alone, and those drawn from gold, each with its proof."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, Literal, get_args

from operators.cot.flaws.ground import Act, Alteration, Broken, Ground, ground_of
from operators.cot.flaws.idle import Idle, idle_in, idle_steps
from operators.cot.flaws.objects import object_in, unknown_words
from operators.cot.flaws.tools import Need, Tools, stems, with_tool
from operators.cot.plan import FEWEST, MOST, TOO_SHORT, Plan, Step
from operators.cot.support.facts import Fact
from operators.cot.texts import bare, in_latin, like, normalised, one_line, stems_of, tokens_key

# How much of a gold step's words another wording of it shares with it.
_ALIKE = 0.5

#: The condition that a step breaks which serves nothing.
SERVES = "The step contributes to a later step or to the goal"


def read_alteration(ground: Ground, text: str, gold: Act, replaced: bool, stated: str | None) -> Alteration | None:
    """What is wrong with the step, None if nothing tells.

    ``replaced``: it stands in the place of the gold step rather than before it. Wordings other than those made
    here are believed as far as they go: another tool of the plan, a thing of which the plan has no word.
    """
    if (idle := idle_in(text, ground.words)) is not None:
        match = "pointless" if one_line(text) == like(gold.text, idle.text) else "pointless_reworded"
        return Alteration("purpose", SERVES, "goal_mismatch", match, idle.reason)
    if not replaced or gold.step is None:
        return None
    if (read := _unknown_object(ground, text, gold)) is not None:
        return read
    step = ground.plan.steps[gold.step]
    if (read := _other_tool(ground, text, gold.text, step)) is not None:
        return read
    if stated == "hallucinated_object" and _retells(text, gold.text):
        strange = unknown_words(text, ground.words)
        return _hallucinated(" ".join(strange), "unknown_words") if strange else None
    return None


def _unknown_object(ground: Ground, text: str, gold: Act) -> Alteration | None:
    """The gold step made to need an object that the plan does not know, as made here."""
    slots = ground.slots(gold.step) if gold.step is not None else []
    if (name := object_in(text, slots, ground.unknown)) is not None:
        return _hallucinated(name, "unknown")
    name = object_in(text, slots, ground.unknown, normalised)
    return None if name is None else _hallucinated(name, "unknown_reworded")


def _hallucinated(name: str, match: str) -> Alteration:
    condition = f"The plan knows the {name}"
    reason = f"It needs the {name}, an object that this scene does not have, for nothing else in the plan names one."
    return Alteration("object", condition, "hallucinated_object", match, reason)


def _other_tool(ground: Ground, text: str, goal: str, step: Step) -> Alteration | None:
    """The gold step with another tool, as made here, or in other words that still name the tool."""
    tools = ground.tools
    said = normalised(text)
    for swap in tools.swaps(step):
        retold = with_tool(goal, swap.need.tool, swap.other, tools)
        if retold is not None and normalised(retold) == said:
            exact = retold == one_line(text)
            return _mismatch(swap.other, swap.lacked, "no_affordance" if exact else "no_affordance_reworded")
    return _reworded(tools, tools.needs(step), text, goal)


def _reworded(tools: Tools, needs: Sequence[Need], text: str, goal: str) -> Alteration | None:
    spoken, before = stems(text), stems(goal)
    for name in tools.names:
        if tools.mention(name, spoken) is None or tools.mention(name, before) is not None or not _retells(text, goal):
            continue
        for need in needs:
            gone = tools.mention(need.tool, before) is None or tools.mention(need.tool, spoken) is None
            lacked = tools.lacking(name, need)
            if gone and lacked is not None:
                return _mismatch(name, lacked, "no_affordance_reworded")
    return None


def _mismatch(name: str, lacked: Fact, match: str) -> Alteration:
    tool = tokens_key(name)
    reason = f'It uses the {tool}, but it requires "{lacked.text}", and the plan gives the {tool} no such affordance.'
    return Alteration("tool", lacked.text, "tool_mismatch", match, reason)


def _retells(text: str, goal: str) -> bool:
    """Whether a text shares enough words with a goal to be a wording of it."""
    ours, theirs = stems_of([text]), stems_of([bare(goal)])
    return len(ours & theirs) >= _ALIKE * len(theirs) > 0


FlawType = Literal["precondition_missing", "order_violation", "tool_mismatch", "hallucinated_object", "goal_mismatch"]

#: All types, in the order in which they are made.
FLAW_TYPES: tuple[FlawType, ...] = get_args(FlawType)


@dataclass(frozen=True, slots=True)
class Proof:
    """The one condition that a bad plan breaks beside those that gold breaks, and what is told of it.

    ``flaw_step`` is the place in the bad plan, from 1. ``step`` and ``prerequisite`` are ids of steps of the plan:
    the flawed one (for a step that the plan does not have, the one that belongs in its place), and the one that has
    to come before it (for a step that is altered or pushed away, itself). ``reason`` is one sentence. ``also`` is a
    type that the flaw can be called as well: whatever comes too late is missing, and is out of order.
    """

    flaw_type: FlawType
    flaw_step: int
    condition: str
    step: int
    prerequisite: int
    match: str
    strength: float
    reason: str
    also: FlawType | None = None

    @property
    def fields(self) -> dict[str, Any]:
        """What a sample's fields tell of the proof."""
        told = {"condition": self.condition, "step": self.step, "prerequisite": self.prerequisite}
        return {**told, "match": self.match, "strength": self.strength}


@dataclass(frozen=True, slots=True)
class Unproven:
    """Why there is no proof; ``refuted`` if the plan shows that there is none, rather than that none was found."""

    why: str
    refuted: bool = True


def prove(plan: Plan, prefix: int, bad: Sequence[str], stated: str | None = None) -> Proof | Unproven:
    """Proves that ``bad`` has exactly one flaw as a plan for the steps after position ``prefix`` (counted from 0).

    Gold are the plan's steps in that place, as many as ``bad`` has; there have to be that many. ``stated`` is a type
    of flaw that somebody says it is: of texts that are not worded as here, no more is told than that it may be so.
    """
    ground, texts = ground_of(plan), tuple(bad)
    found = _prove(ground, prefix, texts, None)
    # One type alone makes a difference, and only where nothing else tells: so whoever asks about a plan shares a proof.
    unknown = isinstance(found, Unproven) and stated == "hallucinated_object"
    return _prove(ground, prefix, texts, stated) if unknown else found


@lru_cache(maxsize=1 << 14)
def _prove(ground: Ground, prefix: int, bad: tuple[str, ...], stated: str | None) -> Proof | Unproven:
    gold, _ = ground.gold(prefix, len(bad))
    places = {ground.words.keys[act.step]: act for act in gold if act.step is not None}
    if len(places) < len(gold):
        return Unproven("two of the gold steps have the same goal", refuted=False)
    acts = [places.get(normalised(text)) for text in bad]
    strange = [place for place, act in enumerate(acts) if act is None]
    kept = [act for act in acts if act is not None]
    if len({act.step for act in kept}) < len(kept):
        return Unproven("the bad plan has a step twice")
    if not strange:
        return prove_order(ground, prefix, kept)
    if len(strange) > 1:
        return Unproven("more than one step of the bad plan is not of the gold plan")
    return _prove_altered(ground, prefix, kept, (strange[0], bad[strange[0]]), stated)


def prove_order(ground: Ground, prefix: int, bad: Sequence[Act]) -> Proof | Unproven:
    """Proves that gold steps in another order break exactly one condition more."""
    gold, _ = ground.gold(prefix, len(bad))
    if list(bad) == gold:
        return Unproven("the bad plan is the gold plan")
    broken = _extra(ground, prefix, bad)
    if isinstance(broken, Unproven):
        return broken
    if broken.how == "undone" and broken.cause < broken.step:
        return Unproven("a step undoes too late what it undoes before in the gold plan", refuted=False)
    late = broken.how == "late"
    flawed, first = (broken.step, broken.cause) if late else (broken.cause, broken.step)
    goal = bare(ground.words.goals[first])
    kind, also, reason = _named(broken.condition, goal, late, _is_exchange(gold, bad))
    place = next(place for place, act in enumerate(bad, 1) if act.step == flawed)
    ids = ground.plan.steps[flawed].step_id, ground.plan.steps[first].step_id
    return Proof(kind, place, broken.condition, *ids, broken.match, broken.strength, reason, also)


def _extra(ground: Ground, prefix: int, bad: Sequence[Act]) -> Broken | Unproven:
    """The one condition that the bad plan breaks and gold does not, if it breaks all others that gold breaks."""
    _, before = ground.gold(prefix, len(bad))
    after = ground.conditions.broken(prefix, bad)
    more = [broken for broken in after if broken.key not in before]
    if len(after) != len(before) + len(more):
        return Unproven("the bad plan breaks a condition less than the gold plan")
    if len(more) != 1:
        return Unproven(f"the bad plan breaks {len(more)} conditions more than the gold plan, not 1")
    return more[0]


def _named(condition: str, goal: str, late: bool, exchange: bool) -> tuple[FlawType, FlawType | None, str]:
    """The type of wrong order, what it may be called as well, and the reason; ``goal`` is what has to come first."""
    if not late:
        reason = f'It comes too early, for it undoes "{condition}", which "{goal}" still requires.'
        return "order_violation", None, reason
    if exchange:
        return "precondition_missing", "order_violation", missing(condition)
    reason = f'It comes too early, for it must follow "{goal}", which establishes "{condition}".'
    return "order_violation", "precondition_missing", reason


def _is_exchange(gold: Sequence[Act], bad: Sequence[Act]) -> bool:
    """Whether two neighbours have changed places, and nothing else."""
    moved = [place for place, (one, other) in enumerate(zip(gold, bad, strict=True)) if one != other]
    return len(moved) == 2 and moved[1] == moved[0] + 1


def missing(condition: str) -> str:
    """The reason of a missing precondition, as the format has it."""
    return f'It requires "{condition}" as a causal precondition, but this bad plan only establishes it later.'


def _prove_altered(
    ground: Ground, prefix: int, kept: list[Act], strange: tuple[int, str], stated: str | None
) -> Proof | Unproven:
    """A step that gold does not have: read as a gold step that was altered, or as one that serves nothing."""
    place, text = strange
    gold, _ = ground.gold(prefix, len(kept) + 1)
    replaced = kept == gold[:place] + gold[place + 1 :]
    if not replaced and kept != gold[:-1]:
        return Unproven("beside one step that gold does not have, the others are not in their order")
    if normalised(text) in ground.words.keys:
        return Unproven("a step of the bad plan is one of the plan, but not of the gold steps")
    read = read_alteration(ground, text, gold[place], replaced, stated)
    if read is None:
        return Unproven(f"nothing tells what is wrong with the step at {place + 1}: it cannot be proven", refuted=False)
    step = None if read.how == "purpose" else gold[place].step
    act = Act(text, step, read)
    broken = _extra(ground, prefix, [*kept[:place], act, *kept[place:]])
    if isinstance(broken, Unproven):
        return broken
    own = ground.plan.steps[prefix + 1 + place].step_id
    return Proof(read.flaw_type, place + 1, read.condition, own, own, read.match, 1.0, read.reason)


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
