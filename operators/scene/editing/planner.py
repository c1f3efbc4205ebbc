"""Whole chains, planned backwards from the finished room."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from operators.scene.editing.adding import all_added, reverse_adds, reverse_remove
from operators.scene.editing.changing import reverse_change, reverse_replace
from operators.scene.editing.room import Room, Thing
from operators.scene.editing.state import (
    Draft,
    Odds,
    State,
    calls_of_a_turn,
    changes_of_turns,
    drawn,
    free_calls,
    remaining,
)
from operators.scene.model.simulator import CHANGED

#: How to go back over each tool but add_object, which needs to know how far the chain is.
_BACK: Mapping[str, Callable[[State, random.Random], Draft | None]] = {
    **{tool: partial(reverse_change, tool) for tool in CHANGED},
    "replace_object": reverse_replace,
    "remove_object": reverse_remove,
}


@dataclass(slots=True)
class Turn:
    """The calls of a turn: what is there is put right, then new things come.

    The large ones come first, and what stands on others after all that does not.
    """

    changes: list[Draft] = field(default_factory=list)
    adds: list[Draft] = field(default_factory=list)

    @property
    def calls(self) -> list[Draft]:
        """All calls in forward order."""
        return [*self.changes, *sorted(self.adds, key=_place)]


def change(state: State, turn: Turn, rng: random.Random, tools: Sequence[str], count: int) -> list[str]:
    """Go back over the first so many of these tools that can be; the tools that are left."""
    left: list[str] = []
    cannot: set[str] = set()
    for place, tool in enumerate(tools):
        if count <= 0:
            return [*left, *tools[place:]]
        call = None if tool in cannot else _BACK[tool](state, rng)
        if call is None:
            cannot.add(tool)
            left.append(tool)
        else:
            turn.changes.append(call)
            count -= 1
    return left


def _place(call: Draft) -> tuple[int, float]:
    w, h, d = call.arguments["size"]
    return call.level, -(w * h * d)


class NoPlan(Exception):
    """A chain cannot be planned as it was drawn: tools are ``left`` that could not be used, or turns are ``idle``."""

    def __init__(self, reason: str, left: Collection[str] = (), idle: bool = False) -> None:
        super().__init__(reason)
        self.left = tuple(left)
        self.idle = idle


@dataclass(slots=True)
class Plan:
    """The calls of each turn in forward order, and the things in the room before each turn and at the end.

    ``free`` counts the calls that were drawn by the odds; the other calls are ``forced`` adds.
    """

    turns: list[list[Draft]]
    states: list[dict[str, Thing]]
    free: Counter[str]

    @property
    def forced(self) -> int:
        """Adds that were not drawn, but needed to furnish the empty room."""
        return sum(len(turn) for turn in self.turns) - self.free.total()


@dataclass(slots=True)
class Draws:
    """What is drawn of a chain before it is planned: the number of its turns, and the tools of its free calls.

    ``slack`` is how many more of them than usual may be about one object; without ``slips`` none is.
    """

    turns: int
    tools: list[str]
    slack: int = 0
    slips: bool = True

    @property
    def changes(self) -> list[str]:
        """The tools but adds."""
        return [tool for tool in self.tools if tool != "add_object"]

    @property
    def adds(self) -> int:
        """The number of adds among the tools."""
        return self.tools.count("add_object")


def drawn_for(
    rng: random.Random,
    room: Room,
    odds: Odds,
    turns: tuple[int, int],
    without: Collection[str],
    *,
    single: bool,
    slips: bool,
) -> Draws:
    """Turns and tools by the odds, without tools that the room has no use for."""
    objects = len(room.things)
    cannot = room.impossible.union(without)
    if single:
        draws = Draws(1, drawn(rng, odds, calls_of_a_turn(rng, objects), cannot), slips=slips)
        return _without_surplus(rng, room, odds, cannot, draws, objects - 1)
    count = rng.randint(*turns)
    tools = drawn(rng, odds, free_calls(objects, count), cannot) if count > 1 else []
    draws = _without_surplus(rng, room, odds, cannot, Draws(count, tools, slips=slips), objects)
    if not slips:
        return _one_call_each(rng, room, odds, cannot, draws, turns[0])
    # Each turn needs a thing that comes, or a change.
    lacking = min(turns[0], count) - objects - len(draws.changes) if count > 1 else 0
    draws.tools += drawn(rng, odds, max(0, lacking), {*cannot, "add_object"})
    draws.turns = max(turns[0], min(count, objects + len(draws.changes)))
    draws.slack = len(draws.changes) // (2 * max(1, objects))
    return draws


def _one_call_each(
    rng: random.Random, room: Room, odds: Odds, cannot: Collection[str], draws: Draws, least: int
) -> Draws:
    """The draws with one call at most for each object of the finished room; turns for which there are calls."""
    objects, tools = len(room.things), draws.tools
    passing = tools.count("remove_object")
    while len(tools) - passing > objects:
        tools.remove(rng.choice([tool for tool in tools if tool != "remove_object"]))
    lacking = min(least, draws.turns) - objects - passing
    tools += drawn(rng, {"remove_object": 1.0}, max(0, lacking), cannot)
    draws.turns = max(least, min(draws.turns, objects + tools.count("remove_object")))
    return draws


def _without_surplus(
    rng: random.Random, room: Room, odds: Odds, cannot: Collection[str], draws: Draws, objects: int
) -> Draws:
    """The draws with other tools for adds of more things than there are, and for replacements by nothing."""
    tools = draws.tools
    most = {"add_object": objects + tools.count("remove_object"), "replace_object": room.replaceable}
    for tool, limit in most.items():
        surplus = tools.count(tool) - limit
        others = drawn(rng, odds, surplus, {*cannot, *most}) if surplus > 0 else []
        for _ in range(surplus):
            tools.remove(tool)
        for other in others:
            tools.insert(int(rng.random() * (len(tools) + 1)), other)
    return draws


def plan_multi(rng: random.Random, room: Room, draws: Draws) -> Plan:
    """A chain from the empty room, or without slips from one with all that is to be changed; NoPlan if the tools
    cannot all be used.

    Each turn takes out as many things as keep the room emptying evenly, and has some of the drawn changes; one that
    cannot be done at that time waits for an earlier turn, in whose stead another comes. The drawn adds are some of
    the adds that there are.
    """
    state, turns, objects = _beginning(room, draws), draws.turns, len(room.things)
    changes, slips = draws.changes, draws.slips
    keeps = remaining(rng, objects, turns, 0 if slips else len(changes) - changes.count("remove_object"))
    counts = changes_of_turns(rng, keeps, objects, len(changes))
    owed = adds = 0
    backward, states = [], [dict(state.things)]
    for i, (keep, count) in enumerate(zip(keeps, counts, strict=True)):
        state.touched, state.turn, owed = set(), i, owed + count
        out = len(state.things) - sum(map(state.stays, state.leaves)) - keep
        progress = i / max(1, turns - 1)
        turn = Turn(adds=reverse_adds(state, rng, out, progress) if keep or not slips else all_added(state))
        if keep or not slips:
            least = 0 if turn.adds else 1
            if i == turns - 3 and slips:
                # What passes now is there for two turns; what would pass later, only for one.
                changes.sort(key=lambda tool: tool != "remove_object")
                least = max(least, changes.count("remove_object"))
            changes = change(state, turn, rng, changes, max(owed, least))
            owed -= len(turn.changes)
        if slips and not turn.adds and not turn.changes:
            # Rather than nothing, what passes comes one turn before it goes.
            hasty, state.hasty = state.hasty, True
            turn.adds = reverse_adds(state, rng, max(1, out), progress)
            state.hasty = hasty
        if not turn.adds and not turn.changes:
            raise NoPlan(f"one of {turns} turns has nothing to do", changes, idle=True)
        adds += len(turn.adds)
        backward.append(turn)
        states.append(dict(state.things))
    if changes:
        raise NoPlan("not all of the drawn calls found an object", changes)
    if adds < draws.adds:
        raise NoPlan("more adds were drawn than there are objects", ["add_object"])
    return _planned(backward, states, Counter(draws.tools))


def plan_single(rng: random.Random, room: Room, draws: Draws) -> Plan:
    """One turn from a furnished room; NoPlan if the tools cannot all be used."""
    state = _beginning(room, draws)
    states = [dict(state.things)]
    if draws.adds >= len(state.things):
        raise NoPlan("nothing would be in the room to begin with", ["add_object"])
    turn = Turn(adds=reverse_adds(state, rng, draws.adds, 0.0))
    left = change(state, turn, rng, draws.changes, len(draws.tools))
    if left or len(turn.adds) < draws.adds:
        raise NoPlan("not all of the drawn calls found an object", left or ["add_object"])
    if not draws.tools:
        raise NoPlan("there is nothing that could be done")
    return _planned([turn], [*states, dict(state.things)], Counter(draws.tools))


def _beginning(room: Room, draws: Draws) -> State:
    """The finished room; usually each object is changed twice at most, and by one tool once, without slips once."""
    state = State.at_end(room)
    if not draws.slips:
        state.most, state.slips = 1, False
        return state
    state.most, state.most_of_kind, state.hasty = 2 + draws.slack, 1 + draws.slack, draws.slack > 0
    return state


def _planned(backward: list[Turn], states: list[dict[str, Thing]], free: Mapping[str, int]) -> Plan:
    return Plan([turn.calls for turn in reversed(backward)], states[::-1], Counter(free))
