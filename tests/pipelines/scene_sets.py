"""Rooms for runs of ``scene_edit``, what the runs leave behind as tests look at it, and a model that tells the truth."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from dataflow_ext.claims.marks import Mark, marked
from examples.made_rooms.room import synthetic_room
from examples.made_rooms.writing import room_text
from operators import SceneCoTGenerator
from operators.scene.cot_generator import values_of
from operators.scene.model.conversation import Conversation
from operators.scene.model.scene import objects_of
from operators.scene.reasoning.turn import turns_of
from pipelines.scene_edit import main
from prompts import SceneTurnPrompt

Entry = dict[str, Any]
Room = dict[str, Any]

#: Two small rooms by their ids: one with Chinese descriptions in Groups form, in a file whose name is no ASCII.
STUDY, LIBRARY = "study", "书房 ü"
DATA_FILES = ("conversations.jsonl", "swift.jsonl", "rl.parquet")
#: What a run leaves behind.
LEFT = {*DATA_FILES, "images", ".run", "rejects.jsonl", "report.html", "stats.json", "README.md"}


def study() -> Room:
    """Eight objects; two chairs share an asset id."""
    return dict(synthetic_room(1, 19, room_type="office"))


def library() -> Room:
    """Seven objects in groups, some of them described in Chinese."""
    return dict(synthetic_room(1, 19, room_type="other", form="groups", chinese=True))


def put(root: Path, **rooms: Room | str) -> Path:
    """A folder with rooms, or other texts, by the names of their files without the suffix."""
    root.mkdir(parents=True, exist_ok=True)
    for name, room in rooms.items():
        text = room if isinstance(room, str) else room_text(room)
        (root / f"{name}.json").write_text(text, encoding="utf-8")
    return root


def edit(rooms: Iterable[Path] | Path, out: Path, *flags: object) -> int:
    """Run the command on rooms; its exit code."""
    inputs = [rooms] if isinstance(rooms, Path) else list(rooms)
    return main([*map(str, inputs), "--out", str(out), *map(str, flags)])


def data_of(out: Path) -> dict[str, bytes]:
    """The bytes of the data set: its files and its pictures."""
    paths = [out / name for name in DATA_FILES if (out / name).is_file()]
    paths += sorted(path for path in (out / "images").rglob("*") if path.is_file())
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in paths}


def lines_of(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]


def entries_of(out: Path) -> list[Entry]:
    """The conversations of a data set; none if there is no data set."""
    path = out / "conversations.jsonl"
    return lines_of(path) if path.is_file() else []


def conversations_of(out: Path) -> list[Conversation]:
    return [Conversation.read(entry) for entry in entries_of(out)]


def rejects_of(out: Path) -> list[dict[str, Any]]:
    return lines_of(out / "rejects.jsonl")


def stats_of(out: Path) -> Any:
    return json.loads((out / "stats.json").read_text(encoding="utf-8"))


def steps_of(out: Path) -> dict[str, dict[str, Any]]:
    """What the last run tells of its steps, by operator."""
    report = json.loads((out / ".run" / "report.json").read_text(encoding="utf-8"))
    return {step["operator"]: step for step in report["steps"]}


def lost(out: Path) -> list[dict[str, Any]]:
    """Rejects that are no choice of the best: something failed."""
    return [each for each in rejects_of(out) if each["kind"] != "dropped"]


def chains_in(out: Path) -> list[tuple[str, int]]:
    """Room and number of each chain that was kept, dropped or failed, sorted: each once, if all is well.

    A reject tells its chain by room and number, by id, or by what the chain is.
    """
    kept = [(each["metadata"]["scene_id"], each["metadata"]["chain_id"]) for each in entries_of(out)]
    made = pq.read_table(out / ".run" / "candidates.parquet").to_pylist()
    known = {each[key]: (each["scene_id"], each["chain_id"]) for key in ("chain", "id") for each in made}
    told = [json.loads(each["inputs"]) for each in rejects_of(out)]
    chains = [each for each in told if {"chain_id", "id", "chain"} & set(each)]
    return sorted([*kept, *(_place(each) or known[each.get("id", each.get("chain"))] for each in chains)])


def _place(told: Mapping[str, Any]) -> tuple[str, int] | None:
    return (told["scene_id"], told["chain_id"]) if "chain_id" in told else None


def contents(room: Mapping[str, Any]) -> Counter[str]:
    """What stands in a room, in no order: asset, description, place, size and turn of each object, and its group."""
    groups = room.get("groups") or [{"group_name": "", "objects": room["objects"]}]
    return Counter(
        json.dumps(
            [group["group_name"], each.get("asset_jid", each["jid"]), each["desc"]]
            + [[float(number) + 0.0 for number in each[key]] for key in ("pos", "size", "rot")]
        )
        for group in groups
        for each in group["objects"]
    )


def put_ids(conversation: Conversation) -> set[str]:
    """The assets of what a chain brought, and had brought before it began."""
    put = [*conversation.chain.retrievals.values(), *objects_of(conversation.chain.start)]
    return {str(each.get("asset_jid", each["jid"])) for each in put}


#: What a user may say of any room: it names no piece of furniture, and is neither too short nor too long for a style.
WISH = "I would like a calm and friendly place where I can rest, with soft colors and a mood that feels like home."
#: Points for a chain; their sum is 86.5.
VERDICT = {"comment": "Large things first.", "coherence": 34, "naturalness": 30.5, "instruction": 14, "visual": 8}


def turn_key(prompt: str) -> str:
    """What of the question about a turn is its own, whatever the user wants."""
    return prompt.partition("\n\nTurn ")[2].partition("\n(That was reply")[0]


def true_texts(chains: pa.Table, seed: int) -> dict[str, str]:
    """Good replies to all questions about the turns of chains, by :func:`turn_key`."""
    replies = {}
    written = SceneCoTGenerator(seed=seed).apply(chains.append_column("instruction", pa.array([""] * len(chains))))
    for row in written.table.to_pylist():
        for turn, text, claims in zip(turns_of(row["chain"]), row["texts"], row["claims"], strict=True):
            prompt = SceneTurnPrompt().fill(instruction="", template=text["template"], **values_of(turn))
            marks = [Mark(c["expression"], c["place"]) for c in claims["claims"] if c["part"] == "think"]
            replies[turn_key(prompt)] = marked(text["think"], marks)
    return replies
