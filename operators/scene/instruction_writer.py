"""InstructionWriter: what a user says who wants the finished room, or the changes that a chain makes."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Made, Operator, Prompt, RowError, progress
from dataflow_ext.columns import Columns
from dataflow_ext.models import Model, Request, ask, numbered
from dataflow_ext.outcomes import Outcome, Record, made_of_rows, side_by_side, spread
from dataflow_ext.text import patterns
from operators.scene.instructions.check import instruction_problems, mentions
from operators.scene.instructions.contents import (
    Change,
    Contents,
    Piece,
    changes_of,
    changes_text,
    contents_of,
    wordings,
)
from operators.scene.instructions.room_text import WANTED, WORDS, drawn_style, layout_wishes, room_text
from operators.scene.model.chain import Chain, ConversationType, replayed
from operators.scene.model.kinds import OBJECT
from operators.scene.model.records import Problem, first_few, pattern
from operators.scene.model.scene import Scene, digest, stream
from operators.scene.reasoning.english import capitals
from prompts import SceneInstructionPrompt

#: Who wrote where no model did.
RULES = "rules"
#: Tokens that a reply will about have, and rows that are written together in one process.
_EXPECTED, _AT_ONCE = 80, 256

#: Letters of a description that are told, and how many of the layout's notes.
_DESCRIPTION, _NOTES = 140, 8
#: Of so many main pieces, so many are what the user cares about.
_MAIN, _FOCUS = 6, 2


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
        chain = replayed(row["chain"])[0] if furnished else None
        try:
            final, contents = _room(row["scene"])
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            why = f"{type(error).__name__}: {error}"
            raise RowError(f"The column 'scene' holds no room ({why}); SceneReverseEditor keeps it.") from None
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


def question_of(prompt: Prompt, final: Scene, style: str, changes: Sequence[Change], rng: random.Random) -> str:
    """The question for one instruction: rules first, then the style, and the room's furniture or its changes.

    What the user cares most about is drawn, so that chains of one room are not all asked for in the same words.
    """
    contents = contents_of(final)
    words = [*contents.styles[:3], *contents.colours[:3], *contents.materials[:3]]
    layout = layout_wishes(final, contents)[:_NOTES] if style == "detailed/layout" else []
    main = [] if changes else [capitals(piece.kind.noun) for piece in contents.main[:_MAIN]]
    focus = rng.sample(main, min(_FOCUS, len(main)))
    return prompt.fill(
        wanted=WANTED[style],
        room=contents.room,
        changes="\n".join(f"- {_told(change)}" for change in changes),
        pieces="\n".join(f"- {_listed(piece)}" for piece in contents.pieces) or "- nothing that has a name",
        focus=" and ".join(focus),
        words=", ".join(words) if not changes else "",
        layout="; ".join(layout),
    )


def _listed(piece: Piece) -> str:
    """A piece with its number, its looks and one description."""
    desc = " ".join(str(piece.objects[0]["desc"]).split())
    more = "…" if len(desc) > _DESCRIPTION else ""
    looks = f" ({', '.join(piece.look())})" if piece.look() else ""
    first = "" if piece.count == 1 else "the first: "
    return f"{piece.count} {piece.noun}{looks}; {first}{desc[:_DESCRIPTION]}{more}"


def _told(change: Change) -> str:
    """A change in plain words."""
    return wordings()[f"verbs.{change.tool}"][0].format(**change.words)


#: Problems that the model is told at once.
_TOLD = 5
_LABEL = re.compile(r"^\s*(?:instruction|request|user|prompt|answer)\s*:\s*", re.IGNORECASE)
_FENCE = re.compile(r"^```\w*\n(.*)\n```$", re.DOTALL)
_QUOTES = ('""', "“”", "''", "「」", "«»")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
#: Chinese letters that say about as much as a word.
_LETTERS_A_WORD = 1.6

#: What tells of each tool in a user's words; "add" and "want" can mean anything.
_VERBS = {tool: re.compile(verbs) for tool, verbs in patterns("operators.scene", "data/asks.tsv").items()}


def read_instruction(text: str) -> str:
    """The instruction in a reply: without quotes, label or fence around it, in one paragraph.

    >>> read_instruction('Instruction: "I want a bed."')
    'I want a bed.'
    """
    said = text.strip()
    if fenced := _FENCE.match(said):
        said = fenced[1].strip()
    said = _LABEL.sub("", said)
    while len(said) > 1 and said[0] + said[-1] in _QUOTES:
        said = said[1:-1].strip()
    return " ".join(said.split())


def checked(text: str, style: str, final: Scene, start: Scene | None, changes: Sequence[Change]) -> str:
    """The instruction of a reply; RowError with all that is wrong with it.

    ``start`` and ``changes`` are of a chain that begins in a furnished room.
    """
    said = read_instruction(text)
    found = [*_form_problems(said, style), *instruction_problems(said, final, start), *_change_problems(said, changes)]
    if found:
        raise RowError(first_few(found, _TOLD, "\n"))
    return said


def _form_problems(said: str, style: str) -> Iterator[Problem]:
    """Length, and what does not belong into a user's words."""
    least, most = WORDS[style.partition("/")[0]]
    letters = len(_CHINESE.findall(said))
    count = len(said.split()) + round(letters / _LETTERS_A_WORD)
    if not least <= count <= most:
        yield Problem("text.empty", f"the instruction has about {count} words, it is to have {least} to {most}")
    if foreign := pattern("foreign").search(said):
        yield Problem("text.placeholder", f"{foreign[0]!r} is no word of a user who wants a room")
    if measure := pattern("measure").search(said):
        yield Problem("instruction.object", f"{measure[0]!r} is a measure; the only numbers are those of the pieces")


def _change_problems(said: str, changes: Sequence[Change]) -> Iterator[Problem]:
    """What the instruction leaves out of the changes, and what it asks for beyond them."""
    if not changes:
        return
    named = [mention.kind for mention in mentions(said)]
    lowered = said.casefold().replace("\u2019", "'")
    tools = [change.tool for change in changes]
    for change in changes:
        for kind in (change.kind, change.new_kind):
            if kind is None or kind is OBJECT or not kind.firm:
                continue
            if not any(kind.is_a(each.noun) or each.is_a(kind.noun) for each in named):
                yield Problem("instruction.object", f"the {kind.noun} of a change ({change.tool}) is not named")
    for tool, verbs in _VERBS.items():
        verb = verbs.search(lowered)
        if verb is None and tool in tools:
            yield Problem("instruction.object", f"nothing asks for {tool}, which is one of the changes")
        if verb is not None and tool not in tools and not (tool == "remove_object" and "replace_object" in tools):
            yield Problem("instruction.object", f"{verb[0]!r} asks for a change that is not listed")
