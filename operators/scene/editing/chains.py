"""The chains of one room: planned, written as calls, and proved by the simulator."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from operators.scene.chain import Chain, ConversationType
from operators.scene.editing.odds import Odds
from operators.scene.editing.planner import Draws, NoPlan, Plan, drawn_for, plan_multi, plan_single
from operators.scene.editing.reasons import reason
from operators.scene.editing.room import Room
from operators.scene.scene import Object, same_room, stream, written
from operators.scene.simulator import Call, CallError, apply

#: After so many attempts that failed, turns and tools are drawn anew, without what could not be used.
_PATIENCE = 5


@dataclass(frozen=True, slots=True)
class Wanted:
    """What kind of chains are made, and how often it is tried."""

    kind: ConversationType
    turns: tuple[int, int]
    odds: Odds
    max_attempts: int


@dataclass(frozen=True, slots=True)
class Made:
    """A chain, as JSON text too; the calls that were drawn by the odds, and the adds that were not."""

    chain: Chain
    text: str
    free: Mapping[str, int]
    forced: int


@dataclass(slots=True)
class ChainMaker:
    """Makes the chains of a room one after the other, each another than those before."""

    room: Room
    scene_id: str
    seed: int
    wanted: Wanted
    _made: dict[str, int] = field(default_factory=dict)
    _start: str = ""

    def make(self, number: int) -> Made:
        """The chain of this number; NoPlan with the reason if all attempts failed."""
        rng = stream(self.seed, self.scene_id, number)
        draws = self._drawn(rng, ())
        why, stuck = "", set(draws.tools)
        for attempt in range(1, self.wanted.max_attempts + 1):
            try:
                made = self._attempt(rng, draws)
                if (earlier := self._made.setdefault(made.text, number)) == number:
                    return made
                why, stuck = f"it is the same as chain {earlier}", set()
            except NoPlan as error:
                why, stuck = str(error), stuck & set(error.left)
            except CallError as error:
                why, stuck = f"the simulator refuses a call: {error}", set()
            if attempt % _PATIENCE == 0:
                draws = self._drawn(rng, stuck)
                stuck = set(draws.tools)
        raise NoPlan(f"no chain in {self.wanted.max_attempts} attempts; the last one failed: {why}")

    def _drawn(self, rng: random.Random, cannot: Collection[str]) -> Draws:
        single = self.wanted.kind == "single_turn"
        return drawn_for(rng, self.room, self.wanted.odds, self.wanted.turns, single, cannot)

    def _attempt(self, rng: random.Random, draws: Draws) -> Made:
        plan = (plan_single if self.wanted.kind == "single_turn" else plan_multi)(rng, self.room, draws)
        chain = written_out(self.room, plan, reason(rng, self.room, len(plan.turns)))
        must_replay(self.room, plan, chain)
        return Made(chain, self._text(chain), dict(plan.free), plan.forced)

    def _text(self, chain: Chain) -> str:
        """The chain as :meth:`Chain.text` writes it; the empty room is the same in all chains, and written once."""
        if self.wanted.kind == "single_turn":
            return chain.text()
        self._start = self._start or written(chain.start)
        rest = written({"turns": chain.turns, "retrievals": chain.retrievals})
        return f'{{"start":{self._start},{rest[1:]}'


def written_out(room: Room, plan: Plan, why: str) -> Chain:
    """The plan as a chain: calls numbered through, retrievals under their ids, and the end."""
    turns: list[Sequence[Call]] = []
    retrievals: dict[str, Object] = {}
    number = 0
    for drafts in plan.turns:
        calls: list[Call] = []
        for draft in drafts:
            number += 1
            calls.append({"id": f"tool_{number}", "name": draft.name, "arguments": draft.arguments})
            if draft.retrieval is not None:
                retrievals[f"tool_{number}"] = draft.retrieval
        turns.append(calls)
    end = {"id": f"tool_{number + 1}", "name": "terminate", "arguments": {"reason": why}}
    return Chain(room.scene_of(plan.states[0]), [*turns, [end]], retrievals)


def must_replay(room: Room, plan: Plan, chain: Chain) -> None:
    """NoPlan if the calls of a turn do not make of the room what was planned; the simulator decides."""
    scene = chain.start
    for turn, things in enumerate(plan.states[1:]):
        scene = apply(scene, chain.turns[turn], chain.retrievals)
        planned = room.scene if turn == len(plan.states) - 2 else room.scene_of(things)
        if not same_room(scene, planned):
            raise NoPlan(f"the calls of turn {turn + 1} do not give the room that was planned")
