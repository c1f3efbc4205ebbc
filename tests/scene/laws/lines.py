"""The lines that tests damage, made by the steps of the pipeline from small synthetic rooms, once a session."""

import copy
import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from dataflow_ext import Operator, run
from examples.made_rooms import synthetic_room
from operators import (
    ChainJudge,
    InstructionWriter,
    SceneCoTGenerator,
    SceneReader,
    SceneRenderer,
    SceneRepair,
    SceneReverseEditor,
    SceneWriter,
    TopKChains,
)
from operators.scene.model.conversation import Conversation
from tests.scene.laws.edits import said
from tests.scene.rooms_on_disk import files, wrote

SHORT = "This comes next."

#: Seeds with which the chains of one and of several turns have calls of all tools together.
SEEDS = {False: 5, True: 2}


class Made(NamedTuple):
    """A data set in a folder, where its pictures were drawn, the finished rows that it has, and its lines."""

    folder: Path
    drawn: Path
    rows: pa.Table
    lines: list[Any]


def small_room(number: int, form: str) -> Any:
    """A synthetic room with its first objects alone."""
    room = copy.deepcopy(synthetic_room(1, number, form=form))  # type: ignore[arg-type]
    if form == "ssr":
        room["objects"] = room["objects"][:6]  # type: ignore[index]
    else:
        room["groups"] = [{**each, "objects": each["objects"][:2]} for each in room["groups"][:3]]  # type: ignore[index]
    return room


def room_files(folder: Path) -> pa.Table:
    """Two small rooms, one in each form, as files."""
    return files(
        wrote(folder / "bed.json", small_room(1, "ssr")), wrote(folder / "office.json", small_room(0, "groups"))
    )


def steps(drawn: Path, *, single: bool) -> list[Operator]:
    """The steps of the pipeline from files of rooms to finished rows."""
    return [
        SceneReader(),
        SceneRepair(enabled=False),
        SceneReverseEditor(chains=1, turns=(2, 2), single_turn=single, slips=not single, seed=SEEDS[single]),
        InstructionWriter(seed=1),
        ChainJudge(),
        TopKChains(best=1),
        SceneRenderer(folder=drawn),
        SceneCoTGenerator(seed=1),
    ]


@cache
def kept_folder() -> tempfile.TemporaryDirectory[str]:
    """A folder that goes when the session ends."""
    return tempfile.TemporaryDirectory(prefix="scene-laws-")


@cache
def made(single: bool) -> Made:
    """Two conversations with pictures, an SSR and a Groups room, of two editing turns or of one."""
    root = Path(kept_folder().name) / ("single" if single else "multi")
    table = run(steps(root / "drawn", single=single), room_files(root / "rooms")).table
    SceneWriter(out=root / "out")(table)
    text = (root / "out" / "conversations.jsonl").read_text(encoding="utf-8")
    return Made(root / "out", root / "drawn", table, [json.loads(line) for line in text.splitlines()])


@cache
def full_lines() -> dict[str, Any]:
    """The lines as the pipeline writes them, by what they are."""
    found = {}
    for line in [*made(False).lines, *made(True).lines]:
        form = "groups" if "groups" in line["metadata"]["final_scene"] else "ssr"
        found[f"{line['metadata']['conversation_type']}/{form}"] = line
    return found


@cache
def lines() -> dict[str, Any]:
    """The same lines with a short reasoning, which is faster to check."""
    short = copy.deepcopy(full_lines())
    for line in short.values():
        for turn in range(len(line["messages"]) // 2):
            said(turn, think=SHORT)(line)
        Conversation.read(line)
    return short
