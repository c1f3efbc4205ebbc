"""SceneReverseEditor: chains of edits that end in a given room."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, ClassVar

import pyarrow as pa
from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from dataflow_ext import Failure, Made, Operator, parallel, progress
from dataflow_ext.columns import Columns
from dataflow_ext.errors import InputError, RowError
from dataflow_ext.rows import decoded, encoded
from operators.scene.editing.adding import reverse_adds
from operators.scene.editing.catalogue import Catalogue, catalogue
from operators.scene.editing.chains import ChainMaker, Wanted
from operators.scene.editing.planner import NoPlan, Turn, change
from operators.scene.editing.room import Room, must_be_built
from operators.scene.editing.state import (
    EDITS,
    MOSTLY_ADDS,
    MULTI_TURN,
    SINGLE_TURN,
    Odds,
    State,
    calls_of_a_turn,
    drawn,
)
from operators.scene.model.chain import ConversationType
from operators.scene.model.json_values import json_value
from operators.scene.model.scene import Scene, digest, same_room, stream, written
from operators.scene.model.simulator import Call, apply

Record = dict[str, Any]


def _turns(value: tuple[int, int]) -> tuple[int, int]:
    """A range that begins with 1 at least."""
    if not 1 <= value[0] <= value[1] <= 100:
        raise ValueError("two numbers, least and most turns, such as (4, 8), between 1 and 100")
    return value


def _odds(value: dict[str, float] | None) -> dict[str, float] | None:
    """Weights of known tools, one above 0."""
    if value is not None and (
        set(value) - set(EDITS) or min(value.values(), default=0) < 0 or sum(value.values()) <= 0
    ):
        raise ValueError(f"weights, none below 0 and one above, of {', '.join(EDITS)}")
    return value


def _assets(value: Any) -> Any:
    """The catalogue in the place of the path of its file."""
    if value is None or isinstance(value, Catalogue):
        return value
    if not isinstance(value, (str, Path)):
        raise PydanticCustomError("assets", "a catalogue, or the path of its file")
    try:
        return catalogue(Path(value))
    except InputError as error:
        raise PydanticCustomError("assets", "{why}", {"why": str(error).removesuffix(".")}) from None


class SceneReverseEditor(Operator):
    """Chains of edits that end in a given room, each with its calls in forward order.

    A chain is planned from its end: objects are taken out, stood elsewhere or were others before. The simulator
    then does its calls from the beginning on, and has to come to the given room. A multi-turn chain begins in an
    untidy room: no call does what a later one undoes, and no turn makes the room worse. All random choices come
    from ``seed``, the room's id and the chain's number.

    Reads:
        scene_id: the room's name.
        scene: the finished room.

    Writes:
        scene_id, scene: as they were, a row a chain.
        id: the conversation's id.
        chain_id: the chain's number in its room, from 1.
        conversation_type: "multi_turn" or "single_turn".
        chain: the chain as JSON: where it begins, its calls turn by turn, what they really put.
        chain_seed: the number that the chain was drawn from.
        free, forced: the calls by tool that were drawn, and how many adds were not.

    Options:
        chains: made of each room.
        turns: least and most editing turns.
        single_turn: chains of one turn of several calls, which begin in a furnished room.
        slips: chains begin in the empty room, and place things that they move, turn, exchange or take away later.
        seed: of all draws.
        max_attempts: plans of a chain that are tried.
        odds: tool to weight, for what is not needed to furnish the room.
        assets: where replacements and pieces too many come from: a catalogue, or the path of its file; None is our own.

    Rejects:
        NoPlan: no chain in so many attempts; the room's others live.
        RowError: this is no room, or calls cannot make it.

    Example:
        >>> SceneReverseEditor(turns=(4, 6), odds={"move_object": 1.0}).chains
        10
    """

    rows: ClassVar[Any] = "explode"
    inputs: ClassVar[Columns] = {"scene_id": str, "scene": str}
    outputs: ClassVar[Columns] = {
        "scene_id": str,
        "scene": str,
        "id": str,
        "chain_id": int,
        "conversation_type": str,
        "chain": str,
        "chain_seed": int,
        "free": dict[str, int],
        "forced": int,
    }
    record: ClassVar[tuple[str, ...]] = ("free", "forced", "chain_seed")

    chains: int = Field(default=10, ge=1)
    turns: Annotated[tuple[int, int], AfterValidator(_turns)] = (4, 8)
    single_turn: bool = False
    slips: bool = False
    seed: int = 0
    max_attempts: int = Field(default=30, ge=1)
    odds: Annotated[dict[str, float] | None, AfterValidator(_odds)] = None
    assets: Annotated[Catalogue | Path | None, BeforeValidator(_assets)] = None

    def batch(self, table: pa.Table) -> Made:
        """All chains of one room after the other; the rooms are spread over the step's processes."""
        columns, wrong = decoded(table, self.inputs)
        failures = [Failure.of(i, error) for i, error in wrong.items()]
        rooms = [i for i in range(table.num_rows) if i not in wrong]
        records: list[Record] = []
        rows: list[int] = []
        progress.expect(len(rooms), "rooms")
        pieces = ((columns["scene_id"][i], columns["scene"][i]) for i in rooms)
        for row, outcomes in zip(rooms, parallel.outcomes(self._chains_of, pieces, total=len(rooms)), strict=True):
            chains = [Failure.of(row, outcomes)] if isinstance(outcomes, Exception) else outcomes
            for made in chains:
                if isinstance(made, Failure):
                    made.row = row
                    failures.append(made)
                else:
                    records.append(made)
                    rows.append(row)
            progress.advance()
        return Made(encoded(records, self.outputs), rows, failures)

    def add_random_variations(
        self,
        final_scene: Scene,
        current_subscene_name: str = "",
        num_operations: int | None = None,
        favor_add: bool = False,
        step_progress: float = 0.0,
    ) -> tuple[Scene, list[Call]]:
        """A room as it may have been one turn before, and the calls that make ``final_scene`` of it.

        At most ``num_operations`` calls (None: as many as fit the number of objects), by the odds, or mostly adds;
        ``step_progress`` runs from 0, the end of a chain, to 1, its beginning, where large objects are added.
        Each add and replacement tells by its ``retrieval`` what it puts. The order of objects may be another after
        the calls. Calls are drawn from seed, name and room alone; RowError if this is no room.
        """
        room = Room.of(final_scene, self._catalogue)
        rng = stream(
            self.seed, current_subscene_name, 0, written([final_scene, num_operations, favor_add, step_progress])
        )
        count = calls_of_a_turn(rng, len(room.things)) if num_operations is None else num_operations
        odds = MOSTLY_ADDS if favor_add else self._odds_used
        state = State.at_end(room)
        turn = Turn()
        left = count
        for _ in range(self.max_attempts):
            tools = Counter(drawn(rng, odds, left, room.impossible))
            turn.adds += reverse_adds(state, rng, tools.pop("add_object", 0), step_progress)
            change(state, turn, rng, list(tools.elements()), left)
            left = count - len(turn.adds) - len(turn.changes)
            if left <= 0:
                break
        before = room.scene_of(state.things)
        calls: list[Call] = []
        for number, draft in enumerate(turn.calls, 1):
            put = {} if draft.retrieval is None else {"retrieval": draft.retrieval}
            calls.append({**draft.call(f"tool_{number}"), **put})
        if not same_room(apply(before, calls), final_scene):
            raise RowError("no calls make this room: it has groups or objects that no call brings")
        return before, calls

    @property
    def _catalogue(self) -> Catalogue:
        return self.assets if isinstance(self.assets, Catalogue) else catalogue(self.assets)

    @property
    def _odds_used(self) -> Odds:
        return self.odds or (SINGLE_TURN if self.single_turn else MULTI_TURN)

    def _chains_of(self, piece: tuple[str, str]) -> list[Record | Failure]:
        """The chains of a room, told by its id and JSON, and a failure for each that cannot be made, or one for all."""
        scene_id, text = piece
        try:
            room = Room.of(json_value(text), self._catalogue)
            if not self.single_turn:
                must_be_built(room.scene)
            if not room.things:
                raise RowError("there is nothing in the room")
        except RowError as error:
            return [Failure.of(0, RowError(f"{scene_id}: {error}"))]
        kind: ConversationType = "single_turn" if self.single_turn else "multi_turn"
        wanted = Wanted(kind, self.turns, self._odds_used, self.max_attempts, self.slips)
        maker = ChainMaker(room, scene_id, self.seed, wanted)
        return [self._chain(maker, text, number) for number in range(1, self.chains + 1)]

    def _chain(self, maker: ChainMaker, text: str, number: int) -> Record | Failure:
        scene_id, kind = maker.scene_id, maker.wanted.kind
        try:
            made = maker.make(number)
        except NoPlan as error:
            told = json.dumps({"scene_id": scene_id, "chain_id": number}, ensure_ascii=False)
            return Failure(0, f"{scene_id}, chain {number}: {error}", "NoPlan", inputs=told)
        drawn_from = digest(self.seed, scene_id, number)
        return {
            "scene_id": scene_id, "scene": text, "id": f"{kind}_edit_{number}_{drawn_from >> 32:08x}",
            "chain_id": number, "conversation_type": kind, "chain": made.text, "chain_seed": drawn_from >> 1,
            "free": made.free, "forced": made.forced,
        }  # fmt: skip
