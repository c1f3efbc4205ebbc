"""What a data set of scene-editing conversations has for trainers: ms-swift, reinforcement learning, labelled steps."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.claims.marks import Mark, marked
from dataflow_ext.claims.steps import labelled
from dataflow_ext.datasets.files import ParquetRows
from dataflow_ext.datasets.source import Row, Source, pairs_of
from dataflow_ext.images import IMAGE, with_image_features
from dataflow_ext.tables import json_records, read_table
from operators.scene.claims.world import RoomWorld
from operators.scene.conversation_reader import conversation_in, lines_of
from operators.scene.model.chain import Chain
from operators.scene.model.conversation import Conversation, Entry, untagged
from operators.scene.model.records import CONVERSATIONS, RL, SWIFT, Unwritable
from operators.scene.model.scene import Scene, objects_of, stream, written

#: What ms-swift and verl take for a picture, a film or a sound, wherever it stands in a message.
PLACES = ("<image>", "<video>", "<audio>")


def source(out: Path, inputs: Path | None = None) -> Source | None:
    """The conversations in a folder; None if there are none.

    A problem is a turn, its answer the room and the calls that a reward replays, as JSON.
    """
    if not (out / CONVERSATIONS).is_file():
        return None
    nothing = "no turn's reasoning has claims that are proven"
    return Source(
        "scene_edit",
        out,
        lambda: {"train": pa.Table.from_pylist([_flat(entry) for entry in _entries(out)])},
        conversations=partial(_conversations, out),
        problems=partial(_turns, out),
        pairs=lambda: pairs_of(_steps(out)),
        steps=partial(_steps, out),
        missing={"pairs": nothing, "steps": nothing},
    )


def _entries(out: Path) -> Iterator[dict[str, Any]]:
    for _, raw in lines_of(out / CONVERSATIONS):
        conversation_in(raw)  # tells what is wrong with a line
        yield json.loads(raw)


def _conversations(out: Path) -> Iterator[Row]:
    for entry, row in zip(_entries(out), json_records(out / SWIFT), strict=True):
        yield {"id": entry["id"], **row}


def _turns(out: Path) -> Iterator[Row]:
    for row in read_table(out / RL).to_pylist():
        extra = row["extra_info"]
        images = [each.get("image") or each["path"] for each in row["images"]]
        system, asked = (message["content"] for message in row["prompt"])
        yield {"id": f"{extra['id']}-{extra['turn']}", "system": system, "problem": asked, "images": images,
               "answer": row["reward_model"]["ground_truth"]}  # fmt: skip


def _steps(out: Path) -> Iterator[Row]:
    for entry in _entries(out):
        for row in step_rows(entry):
            yield {**row, "images": entry["images"][row["turn"] : row["turn"] + 1]}


def _flat(entry: dict[str, Any]) -> dict[str, Any]:
    """The conversation in columns, with what the format tells of it as JSON."""
    told = json.dumps(entry["metadata"], ensure_ascii=False)
    return {"id": entry["id"], "messages": entry["messages"], "images": entry["images"], "metadata": told}


def swift_entry(entry: Entry, start: Scene, instruction: str) -> dict[str, Any]:
    """The line of a conversation that begins in the room ``start``.

    The first turn has no picture: the user says what is wanted, and the answer is the room to begin with, in
    ``<create_scene>``; where anything is in it already, nobody is to learn to make it: its ``loss`` is false. All
    turns of the conversation follow as they are.
    """
    system, *turns = entry["messages"]
    answer = {"role": "assistant", "content": create_scene(start), **({"loss": False} if objects_of(start) else {})}
    return {"messages": [system, {"role": "user", "content": instruction}, answer, *turns], "images": entry["images"]}


def create_scene(start: Scene) -> str:
    """The answer that makes a room.

    >>> print(create_scene({"objects": []}))
    <create_scene>
    ```json
    {"objects":[]}
    ```
    </create_scene>
    """
    return f"<create_scene>\n```json\n{untagged(start)}\n```\n</create_scene>"


def must_pair(line: dict[str, Any]) -> None:
    """Unwritable unless each ``<image>`` has its picture: one a user turn but the first, and none elsewhere.

    A line without pictures has no ``<image>`` at all.
    """
    for number, message in enumerate(line["messages"]):
        wanted = 1 if line["images"] and message["role"] == "user" and number > 1 else 0
        found = {place: message["content"].count(place) for place in PLACES}
        if found != {"<image>": wanted, "<video>": 0, "<audio>": 0}:
            odd = next(place for place in PLACES if found[place] != (wanted if place == "<image>" else 0))
            raise Unwritable("images.count", f"message {number} ({message['role']}) has {odd} {found[odd]} times")
    if line["images"] and len(line["images"]) != (len(line["messages"]) - 3) // 2:
        raise Unwritable("images.count", f"{len(line['images'])} images for {(len(line['messages']) - 3) // 2} turns")


SOURCE, ABILITY, STYLE = "scene_editing", "scene_editing", "rule"

_MESSAGE = pa.struct([("role", pa.string()), ("content", pa.string())])
_EXTRA = pa.struct(
    [
        ("split", pa.string()),
        ("index", pa.int64()),
        ("id", pa.string()),
        ("scene_id", pa.string()),
        ("chain_id", pa.int64()),
        ("conversation_type", pa.string()),
        ("turn", pa.int64()),
        ("turns", pa.int64()),
    ]
)


def rl_rows(entry: Entry, chain: Chain, states: Sequence[Scene]) -> Iterator[dict[str, Any]]:
    """A row for each turn of a conversation, the last one included, but for turns that later ones undo.

    ``states`` are the rooms before the turns.
    """
    system, *turns = entry["messages"]
    told, slipped = entry["metadata"], chain.slipped()
    for turn, calls in enumerate(chain.turns):
        if turn in slipped:
            continue
        put = {call["id"]: chain.retrievals[call["id"]] for call in calls if call["id"] in chain.retrievals}
        truth = {"scene": states[turn], "calls": calls, "retrievals": put,
                 "scene_after": states[min(turn + 1, len(states) - 1)]}  # fmt: skip
        yield {
            "data_source": SOURCE,
            "prompt": [system, turns[2 * turn]],
            "images": entry["images"][turn : turn + 1],
            "ability": ABILITY,
            "reward_model": {"style": STYLE, "ground_truth": written(truth)},
            "extra_info": {
                "split": "train",
                "id": entry["id"],
                "scene_id": told["scene_id"],
                "chain_id": told["chain_id"],
                "conversation_type": told["conversation_type"],
                "turn": turn,
                "turns": len(chain.turns),
            },
        }


class RLFile(ParquetRows):
    """A Parquet file of rows by turn.

    Pictures are named by paths relative to ``out``, so that each is stored once: ``images`` are structs of one
    field ``image``. With ``embed`` they are in the file, as ``bytes`` and ``path``, which ``datasets`` opens as
    pictures wherever the file lies.
    """

    def __init__(self, path: Path, out: Path, *, embed: bool) -> None:
        super().__init__(path, schema(embed), dictionary=not embed)
        self._out, self._embed, self._index = out, embed, 0

    def write(self, row: Mapping[str, Any], size: int = 0) -> None:
        """Add a row; ``extra_info.index`` is its place in the file."""
        images: list[dict[str, Any]] = [{"image": name} for name in row["images"]]
        if self._embed:
            images = [{"bytes": (self._out / name).read_bytes(), "path": name} for name in row["images"]]
            size = sum(len(image["bytes"]) for image in images)
        super().write({**row, "images": images, "extra_info": {**row["extra_info"], "index": self._index}}, size)
        self._index += 1


def schema(embed: bool) -> pa.Schema:
    """The columns of the file."""
    fields: list[tuple[str, pa.DataType]] = [
        ("data_source", pa.string()),
        ("prompt", pa.list_(_MESSAGE)),
        ("images", pa.list_(IMAGE if embed else pa.struct([("image", pa.string())]))),
        ("ability", pa.string()),
        ("reward_model", pa.struct([("style", pa.string()), ("ground_truth", pa.string())])),
        ("extra_info", _EXTRA),
    ]
    empty = pa.schema(fields).empty_table()
    return (with_image_features(empty) if embed else empty).schema


def step_rows(entry: Mapping[str, Any], seed: int = 0) -> Iterator[dict[str, Any]]:
    """Two rows for each turn with claims: its proven steps, all true, and the same up to one that is made false.

    Turns that later ones undo have none.

    ``prompt``, ``completions`` and ``labels`` as TRL's stepwise format has them; ``marked`` are the steps with their
    claims, ``id`` and ``turn`` say where they come from.
    """
    conversation = Conversation.read(entry)
    slipped = conversation.chain.slipped()
    for number, (text, stated) in enumerate(zip(conversation.texts, conversation.claims, strict=False)):
        if number in slipped:
            continue
        marks = [Mark(each.expression, each.place) for each in stated.claims if each.part == "think"]
        draw = stream(seed, conversation.id, number, "steps")
        prompt = str(entry["messages"][1 + 2 * number]["content"])
        for row in labelled(prompt, marked(text.think, marks), world_of(conversation, number), draw):
            yield {"id": conversation.id, "turn": number, **row}


def world_of(conversation: Conversation, turn: int) -> RoomWorld:
    """The world of a turn, counted from 0, as the conversation states it."""
    return RoomWorld.of(conversation.stated[turn], conversation.chain.turns[turn], conversation.chain.retrievals)
