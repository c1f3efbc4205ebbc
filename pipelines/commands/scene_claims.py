"""The commands about claims: the facts of a room, the verdicts on marked texts."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dataflow_ext import InputError, cli
from dataflow_ext.claims import Checked, check
from operators.scene.claims.world import RoomWorld, turn_names
from operators.scene.facts.sheet import fact_sheet
from operators.scene.model.json_values import SceneError
from operators.scene.model.scene import Scene
from operators.scene.model.simulator import Call, CallError, must_be_call
from operators.scene.reading.room_file import read_room


def facts_command(argv: Sequence[str]) -> int:
    """Tell the facts of a room, and those after some calls."""
    parser = cli.CommandParser(
        prog="python -m pipelines.scene_edit facts",
        description="Tell what is in a room: names, kinds, sizes, places, what is wrong with it; with calls, the same "
        "after them. Texts with claims use these names.",
        epilog="examples:\n  python -m pipelines.scene_edit facts examples/rooms/room_0001.json\n"
        "  python -m pipelines.scene_edit facts room.json --calls calls.json",
    )
    parser.add_argument("room", type=Path, metavar="ROOM", help="a .json file with a room")
    parser.add_argument("--calls", type=Path, metavar="FILE", help="a .json file with the list of a turn's calls")
    args = parser.parse_args(argv)
    scene = _room(args.room)
    world = RoomWorld.of(scene, [])
    sys.stdout.write("\n".join(fact_sheet(scene).lines()) + "\n")
    if args.calls:
        world = _world(scene, _json(args.calls), str(args.calls))
        names = turn_names(world.before, world.after)
        sheet = fact_sheet(world.after)
        sys.stdout.write("\nAfter the calls\n" + "\n".join(sheet.lines()) + "\n")
        other = [(t.name, names[t.jid]) for t in sheet.room.things if names.get(t.jid, t.name) != t.name]
        for shown, name in other:
            sys.stdout.write(f"In texts about this turn the {shown} is the {name}.\n")
    return 0


def claims_command(argv: Sequence[str]) -> int:
    """Tell the verdict on each sentence of texts with marks; 1 if one is false."""
    parser = cli.CommandParser(
        prog="python -m pipelines.scene_edit claims",
        description="Prove the claims of texts with marks, and tell each sentence's verdict: proven, false, unclaimed "
        "or unproven. A line of FILE is JSON with room (a file's path, from FILE's folder, or the room itself), calls "
        "(a list, maybe empty) and text; an id and whatever else it has are passed on.",
        epilog="exit code 0: nothing is false, 1: something is, 2: the file cannot be used\n\nexample:\n"
        "  python -m pipelines.scene_edit claims texts.jsonl --json > verdicts.jsonl",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a .jsonl file")
    parser.add_argument("--json", action="store_true", help="a line of JSON a sentence, on standard output")
    args = parser.parse_args(argv)
    counts = Counter[str]()
    for number, entry, checked in _checked(args.file):
        for sentence in checked.sentences:
            counts[sentence.verdict] += 1
            made = {"line": number, "id": entry.get("id"), "verdict": sentence.verdict, "sentence": sentence.text,
                    "reasons": list(sentence.reasons),
                    "claims": [{"expression": c.expression, "value": c.value, "said": c.said, "verdict": c.verdict}
                               for c in sentence.claims]}  # fmt: skip
            if args.json:
                sys.stdout.write(json.dumps(made, ensure_ascii=False) + "\n")
            else:
                why = f"  ({'; '.join(sentence.reasons)})" if sentence.reasons else ""
                sys.stdout.write(f"{number}\t{sentence.verdict}\t{sentence.text}{why}\n")
    cli.say(", ".join(f"{counts[verdict]} {verdict}" for verdict in ("proven", "false", "unclaimed", "unproven")))
    return 1 if counts["false"] else 0


def _checked(file: Path) -> Iterator[tuple[int, Mapping[str, Any], Checked]]:
    for number, line in enumerate(_read(file).decode("utf-8", "replace").splitlines(), 1):
        if not line.strip():
            continue
        where = f"{file}, line {number}"
        try:
            entry = json.loads(line)
        except ValueError:
            raise InputError(f"{where}: this is no JSON.") from None
        if not isinstance(entry, dict) or not isinstance(entry.get("text"), str) or "room" not in entry:
            raise InputError(f"{where}: an object with room, calls and text is expected.")
        room = entry["room"]
        scene = _room(file.parent / room) if isinstance(room, str) else _scene(json.dumps(room).encode(), where)
        yield number, entry, check(entry["text"], _world(scene, entry.get("calls") or [], where))


def _world(scene: Scene, calls: Any, where: str) -> RoomWorld:
    """The world of a turn; what an add or a replacement puts is made of the call if the call does not say it."""
    if not isinstance(calls, list):
        raise InputError(f"{where}: the calls are a list.")
    whole: list[Call] = []
    try:
        for number, call in enumerate(calls, 1):
            given = {"id": f"tool_{number}", **call} if isinstance(call, dict) else call
            must_be_call(given)
            if given["name"] in ("add_object", "replace_object") and "retrieval" not in given:
                given["retrieval"] = {"jid": f"new-{given['id']}"}
            whole.append(given)
        return RoomWorld.of(scene, whole)
    except CallError as error:
        raise InputError(f"{where}: {error}.") from None


def _room(path: Path) -> Scene:
    return _scene(_read(path), str(path))


def _scene(data: bytes, where: str) -> Scene:
    try:
        return read_room(data).scene
    except SceneError as error:
        raise InputError(f"{where}: {error}") from None


def _json(path: Path) -> Any:
    try:
        return json.loads(_read(path))
    except ValueError:
        raise InputError(f"{path}: this is no JSON.") from None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: it cannot be read ({error.strerror or error}).") from None
