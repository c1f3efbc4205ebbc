"""The chains of one room: planned, written as calls, and proved by the simulator."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from operators.scene.editing.planner import Draws, NoPlan, Plan, drawn_for, plan_multi, plan_single
from operators.scene.editing.room import Room
from operators.scene.editing.state import Draft, Odds
from operators.scene.facts.things import Room as MeasuredRoom
from operators.scene.facts.things import badness, faults_of, without
from operators.scene.instructions.contents import room_name, wordings
from operators.scene.model.chain import Chain, ConversationType
from operators.scene.model.limits import EXACT
from operators.scene.model.scene import Scene, same_room, stream
from operators.scene.model.simulator import CallError, apply
from operators.scene.reasoning.english import a


def first_slip(states: Sequence[Scene]) -> int | None:
    """The number, from 1, of the first turn after which more overlaps, is outside or floats than before it.

    ``states`` are the rooms before each turn, the finished one last, whose own faults do not count. None if no turn
    does so.
    """
    faults = [faults_of(MeasuredRoom.of(state)) for state in states]
    worst = [badness(without(each, faults[-1])) for each in faults]
    return next((n for n, (a, b) in enumerate(itertools.pairwise(worst), 1) if b > a + EXACT), None)


def reason(rng: random.Random, room: Room, main: str | None, turns: int) -> str:
    """A true sentence about the finished room; ``main`` is its :func:`main_kind`."""
    objects = len(room.things)
    known = {
        "room": room_name(room.scene.get("room_type")),
        "said": "1 object" if objects == 1 else f"{objects} objects",
        "placed": "its only object has found its" if objects == 1 else f"all of its {objects} objects have found their",
        "done": "one turn" if turns == 1 else f"{turns} turns",
        "main": main,
    }
    sentences = [*wordings()["reasons"], *(wordings()["reasons.main"] if main else ())]
    return rng.choice(sentences).format(**known)


def main_kind(room: Room) -> str | None:
    """The kind of the largest object whose kind is known, with its number: "2 wardrobes"; None if none is known."""
    known = [each for each in room.things.values() if each.kind.noun != "object"]
    if not known:
        return None
    kind = max(known, key=lambda each: each.box.volume).kind
    number = Counter(each.kind.noun for each in known)[kind.noun]
    return f"{number} {kind.plural}" if number > 1 else a(kind.noun)


#: After so many attempts that failed, more calls may be about one object, or a turn is left out.
_PATIENCE = 3
#: After so many such reliefs, tools are drawn anew, without what could not be used, and for as few turns as may be.
_RELIEFS = 3
#: Plans of an attempt, of which the first that makes the room worse in no turn is taken; nearly all do.
_UNSLIPPED = 4


@dataclass(frozen=True, slots=True)
class Wanted:
    """What kind of chains are made, and how often it is tried; ``slips`` lets them begin in the empty room."""

    kind: ConversationType
    turns: tuple[int, int]
    odds: Odds
    max_attempts: int
    slips: bool = False


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
    _main: str | None = None

    def __post_init__(self) -> None:
        self._main = main_kind(self.room)

    def make(self, number: int) -> Made:
        """The chain of this number; NoPlan with the reason if all attempts failed."""
        rng = stream(self.seed, self.scene_id, number)
        draws = self._drawn(rng, ())
        why, idle, stuck, left = "", False, set(draws.tools), tuple[str, ...]()
        for attempt in range(1, self.wanted.max_attempts + 1):
            try:
                made = self._attempt(rng, draws)
                if (earlier := self._made.setdefault(made.text, number)) == number:
                    return made
                why, stuck = f"it is the same as chain {earlier}", set()
            except NoPlan as error:
                why, idle, stuck, left = str(error), error.idle, stuck & set(error.left), error.left
            except CallError as error:
                why, stuck = f"the simulator refuses a call: {error}", set()
            rng.shuffle(draws.tools)
            if attempt % (_PATIENCE * (1 + _RELIEFS)) == 0:
                draws = self._drawn(rng, stuck, again=True)
                stuck = set(draws.tools)
            elif attempt % _PATIENCE == 0:
                draws.slack += 1
                if not draws.slips:
                    # Where each object has one call at most, what finds none is left out.
                    draws.tools = list((Counter(draws.tools) - Counter(left)).elements())
                    rng.shuffle(draws.tools)
                # A turn less, if each of the others has still an object for each change.
                room_for_changes = (draws.turns - 2) * len(self.room.things) >= len(draws.changes)
                draws.turns -= idle and draws.turns > self.wanted.turns[0] and room_for_changes
        raise NoPlan(f"no chain in {self.wanted.max_attempts} attempts; the last one failed: {why}")

    def _drawn(self, rng: random.Random, cannot: Collection[str], again: bool = False) -> Draws:
        """Turns and tools; ``again`` with as few turns as may be, as more seem to be too many for the room."""
        room, wanted = self.room, self.wanted
        turns = (wanted.turns[0], wanted.turns[0]) if again else wanted.turns
        single = wanted.kind == "single_turn"
        return drawn_for(rng, room, wanted.odds, turns, cannot, single=single, slips=wanted.slips)

    def _attempt(self, rng: random.Random, draws: Draws) -> Made:
        planned = plan_single if self.wanted.kind == "single_turn" else plan_multi
        for _ in range(1 if self.wanted.slips else _UNSLIPPED):
            plan = planned(rng, self.room, draws)
            slip = None if self.wanted.slips else first_slip([self.room.scene_of(each) for each in plan.states])
            if slip is None:
                break
        else:
            raise NoPlan(f"turn {slip} makes the room worse")
        start = self.room.scene_of(plan.states[0])
        end = Draft("terminate", {"reason": reason(rng, self.room, self._main, len(plan.turns))})
        chain = written_out(start, [*plan.turns, [end]])
        must_replay(self.room, plan, chain)
        return Made(chain, chain.text(), dict(plan.free), plan.forced)


def written_out(start: Scene, turns: Sequence[Sequence[Draft]]) -> Chain:
    """The turns as a chain, its calls numbered through, with retrievals under their ids."""
    numbers = itertools.count(1)
    numbered = [[(f"tool_{next(numbers)}", draft) for draft in drafts] for drafts in turns]
    put = {id: draft.retrieval for drafts in numbered for id, draft in drafts if draft.retrieval is not None}
    return Chain(start, [[draft.call(id) for id, draft in drafts] for drafts in numbered], put)


def must_replay(room: Room, plan: Plan, chain: Chain) -> None:
    """NoPlan if the calls of a turn do not make of the room what was planned; the simulator decides."""
    scene = chain.start
    for turn, things in enumerate(plan.states[1:]):
        scene = apply(scene, chain.turns[turn], chain.retrievals)
        planned = room.scene if turn == len(plan.states) - 2 else room.scene_of(things)
        if not same_room(scene, planned):
            raise NoPlan(f"the calls of turn {turn + 1} do not give the room that was planned")
