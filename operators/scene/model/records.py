"""The records of columns, the columns of a finished row, the problems of a conversation by their codes, and files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from dataflow_ext.datasets import files
from dataflow_ext.errors import RowError
from dataflow_ext.text import patterns, rows


@dataclass(frozen=True, slots=True)
class Scores:
    """What a judge gives a chain: at most 40, 35, 15 and 10 points."""

    coherence: float
    naturalness: float
    instruction: float
    visual: float


@dataclass(frozen=True, slots=True)
class TurnText:
    """What a turn says beside its calls; ``template`` is the letter of its style, A to E, or empty."""

    think: str
    conclusion: str
    template: str


@dataclass(frozen=True, slots=True)
class Claimed:
    """A claim of a turn's ``part`` (think or conclusion): the expression, its value and verdict, the number that the
    text has for it, and the place in the text behind which it stands."""

    part: str
    expression: str
    value: str
    verdict: str
    said: str
    place: int


@dataclass(frozen=True, slots=True)
class TurnClaims:
    """The claims of a turn, and the share of its reasoning's sentences that they prove."""

    claims: list[Claimed]
    proven: float


#: What is known of words that no claim proves: rules take theirs from a table, those of a model are judged or not.
BY_TABLE, NOT_JUDGED = "by table", "not judged"

#: The columns of a finished row: what the validator judges and the writer writes.
FINISHED: Mapping[str, Any] = {
    "id": Annotated[str, "the conversation's id"],
    "scene_id": Annotated[str, "the room's id"],
    "room_type": Annotated[str, "the kind of room"],
    "chain_id": Annotated[int, "which of its room's chains"],
    "conversation_type": Annotated[str, "how the furnishing goes on"],
    "chain": Annotated[str, "the chain as JSON: rooms, turns and calls"],
    "chain_seed": Annotated[int, "what the chain was drawn with"],
    "repairs": Annotated[list[str], "what was mended in the finished room"],
    "instruction": Annotated[str, "what the user says"],
    "instruction_style": Annotated[str, "how it is said"],
    "instruction_by": Annotated[str, "who wrote it"],
    "images": Annotated[list[Path], "one picture a turn"],
    "camera": Annotated[str, "what took them"],
    "scores": Annotated[Scores, "the points, by measure"],
    "score": Annotated[float, "the points in all"],
    "judged_by": Annotated[str, "who gave them"],
    "judge_note": Annotated[str, "what the judge says"],
    "texts": Annotated[list[TurnText], "what is said in each turn"],
    "claims": Annotated[list[TurnClaims], "the proof of what is said in each turn"],
    "text_by": Annotated[str, "who wrote it"],
    "wording": Annotated[str, "who judged the words that no claim proves"],
}


#: Each code and what it says; the number is the law of the format that it is about.
CODES: Mapping[str, str] = {row[0]: row[1] for row in rows("operators.scene", "data/codes.tsv")}

#: What marks the parts of a message; none may stand inside of a part.
TAGS = re.compile(r"</?(?:image|current_scene|think|conclusion|tool_calls|create_scene)>")

_PATTERNS = patterns("operators.scene", "data/patterns.tsv")


@cache
def pattern(name: str) -> re.Pattern[str]:
    """The expression of this name in ``data/patterns.tsv``, in capitals or not."""
    return re.compile(_PATTERNS[name], re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, under one of :data:`CODES`, in one sentence."""

    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


def first_few(told: Sequence[object], most: int, between: str = "; ") -> str:
    """The first of several things that are told, and how many more there are.

    >>> first_few(["a", "b", "c"], 2), first_few(["a"], 2)
    ('a; b; and 1 more', 'a')
    """
    more = [f"and {len(told) - most:,} more"] if len(told) > most else []
    return between.join([*map(str, told[:most]), *more])


def placeholder_in(text: str) -> str | None:
    """The first placeholder of a text.

    >>> placeholder_in("Move {object_name} to the wall"), placeholder_in("Move the bed to the wall")
    ('{object_name}', None)
    """
    found = pattern("placeholder").search(text)
    return found[0] if found else None


#: The conversations, the same for ms-swift, and turn by turn for reinforcement learning.
CONVERSATIONS, SWIFT, RL = "conversations.jsonl", "swift.jsonl", "rl.parquet"
NAMES = (CONVERSATIONS, SWIFT, RL)

#: Ids that can name a folder on any system.
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,150}(?<!\.)")


def names_a_folder(id: str) -> bool:
    """Whether an id can be the name of a folder.

    >>> names_a_folder("multi_turn_edit_1_0a1b2c3d"), names_a_folder("../x"), names_a_folder("")
    (True, False, False)
    """
    return _ID.fullmatch(id) is not None


class Unwritable(RowError):
    """A row cannot stand in the data set; ``code`` is one of :data:`operators.scene.model.records.CODES`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code

    def __reduce__(self) -> tuple[type[Unwritable], tuple[str, str]]:
        return Unwritable, (self.code, str(self).removeprefix(f"{self.code}: "))


def line_of(entry: Any) -> str:
    """A value as one line of JSON; Unwritable for what no file could hold."""
    try:
        return files.line_of(entry)
    except files.UnwritableLine as error:
        raise Unwritable("row.shape", str(error)) from None
