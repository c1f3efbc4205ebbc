"""InstructionWriter: what a user says who wants the finished room, or the changes that a chain makes."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Made, Operator, Prompt, RowError, progress
from dataflow_ext.columns import Columns
from dataflow_ext.models import Model, Request, ask, numbered
from dataflow_ext.outcomes import Outcome, Record, made_of_rows, side_by_side, spread
from operators.scene.instructions.asking import checked, question_of
from operators.scene.instructions.changes import Change, changes_of, changes_text
from operators.scene.instructions.contents import Contents, contents_of
from operators.scene.instructions.room_text import room_text
from operators.scene.instructions.styles import drawn_style
from operators.scene.model.chain import Chain, ConversationType
from operators.scene.model.scene import Scene, digest, stream
from operators.scene.model.simulator import CallError
from prompts import SceneInstructionPrompt

#: Who wrote where no model did.
RULES = "rules"
#: Tokens that a reply will about have, and rows that are written together in one process.
_EXPECTED, _AT_ONCE = 80, 256


class InstructionWriter(Operator):
    """The instruction of each chain: what a user says who wants the finished room, or the changes of a single turn.

    Half of the instructions for rooms are brief ("brief/A" to "brief/C"), half detailed ("detailed/specific",
    "detailed/layout" and so on), those for changes "edit/brief" or "edit/detailed". What a chain takes away again
    is never asked for. Without a model rules write from the room's own descriptions. A model's reply is checked
    against the room: furniture that is not there, wrong numbers or looks, measures, ids and odd lengths are told to
    it.

    Reads:
        scene_id, chain_id: what the style is drawn by, with the seed.
        scene: the finished room.
        conversation_type: "single_turn" asks for changes.
        chain: the changes.

    Writes:
        instruction: what the user says.
        instruction_style: its style.
        instruction_by: "rules", or the model's name.

    Options:
        seed: of styles and words.
        model: who writes; None is rules.
        prompt: what it is asked.
        max_attempts: how often it is asked, in all.

    Rejects:
        UnreadableReplyError: the replies were wrong each time; the last one is kept.
        RowError: room or chain cannot be used.

    Example:
        >>> InstructionWriter(seed=3).max_attempts
        3
    """

    inputs: ClassVar[Columns] = {
        "scene_id": str,
        "scene": str,
        "chain_id": int,
        "conversation_type": ConversationType,
        "chain": str,
    }
    outputs: ClassVar[Columns] = {"instruction": str, "instruction_style": str, "instruction_by": str}
    record: ClassVar[tuple[str, ...]] = ("instruction_style", "instruction_by")

    seed: int = 0
    model: Model | None = None
    prompt: Prompt = SceneInstructionPrompt()
    max_attempts: int = Field(default=3, ge=1)

    def batch(self, table: pa.Table) -> Made:
        """Write all instructions: by rules spread over the run's processes, by a model all at once."""
        progress.expect(table.num_rows, "instructions")
        return made_of_rows(self, table, self._written)

    def _written(self, rows: Sequence[Record]) -> list[Outcome]:
        return (
            spread(self._by_rules, rows, _AT_ONCE) if self.model is None else side_by_side(self, self._by_model, rows)
        )

    def _by_rules(self, row: Record) -> Record:
        task = self._task(row)
        return _record(task.text(), task.style, RULES)

    async def _by_model(self, row: Record) -> Record:
        assert self.model is not None  # noqa: S101 - only called with one
        task = self._task(row)
        # Each chain has a seed of its own, or chains of one style would share one remembered reply.
        request = Request(
            question_of(self.prompt, task.final, task.style, task.changes(), task.rng),
            seed=digest(self.seed, row["scene_id"], row["chain_id"], "request") >> 33,
            expect=_EXPECTED,
        )
        read = numbered(task.read, self.max_attempts)
        said = (await ask(self.model, request, read, repairs=self.max_attempts - 1)).value
        return _record(said, task.style, self.model.name)

    def _task(self, row: Record) -> _Task:
        """What is to be written for a row; RowError if its room or its chain cannot be used."""
        furnished = row["conversation_type"] == "single_turn"
        rng = stream(self.seed, row["scene_id"], row["chain_id"], "instruction")
        try:
            final, contents = _room(row["scene"])
            chain = Chain.read(row["chain"]) if furnished else None
            if chain is not None:
                chain.states()
        except CallError as error:
            raise RowError(f"The chain cannot be replayed: {error}") from None
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise RowError(
                f"The columns 'scene' and 'chain' hold no room with its chain ({type(error).__name__}: {error}); "
                "SceneReverseEditor makes them."
            ) from None
        return _Task(final, contents, chain, drawn_style(rng, furnished), rng)


@lru_cache(maxsize=16)
def _room(text: str) -> tuple[Scene, Contents]:
    """A finished room and what it holds; the chains of a room come one after the other."""
    scene = json.loads(text)
    return scene, contents_of(scene)


@dataclass(frozen=True, slots=True)
class _Task:
    """One instruction to be written: of a finished room, or of the changes of a chain that begins furnished."""

    final: Scene
    contents: Contents
    chain: Chain | None
    style: str
    rng: random.Random

    def changes(self) -> list[Change]:
        """The changes to be asked for; none where the whole room is."""
        return [] if self.chain is None else changes_of(self.chain, looks=True)

    def text(self) -> str:
        """The instruction by rules."""
        if self.chain is not None:
            return changes_text(self.chain, self.contents.room, self.style, self.rng)
        return room_text(self.final, self.contents, self.style, self.rng)

    def read(self, text: str) -> str:
        """The instruction that a reply holds; RowError, with what is wrong, if it is of no use."""
        return checked(text, self.style, self.final, self.chain.start if self.chain else None, self.changes())


def _record(text: str, style: str, by: str) -> Record:
    return {"instruction": text, "instruction_style": style, "instruction_by": by}
