"""The commands about claims: the facts of a room, the verdicts on marked texts, labelled steps."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dataflow_ext import InputError, cli
from dataflow_ext.claims import Checked, check
from dataflow_ext.files import write_text
from operators.scene.claims.world import RoomWorld, turn_names
from operators.scene.conversation_reader import conversation_in, lines_of
from operators.scene.dataset.exports import step_problems, step_rows
from operators.scene.dataset.layout import CONVERSATIONS
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


def steps_command(argv: Sequence[str]) -> int:
    """Write the labelled steps; 1 if a label of the file is not proven."""
    parser = cli.CommandParser(
        prog="python -m pipelines.scene_edit steps",
        description="Write the steps of a data set's reasonings with labels, for process reward models: sentences "
        "whose claims are proven, and ones that were changed and proven to be false. Each label is proven again from "
        "the file.",
        epilog="exit code 0: every label is proven, 1: one is not, 2: the folder cannot be used\n\nexample:\n"
        "  python -m pipelines.scene_edit steps scenes --out steps.jsonl --seed 1",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder with conversations.jsonl")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="a .jsonl file to write")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of what is made false (default: %(default)s)")
    args = parser.parse_args(argv)
    path = args.folder / CONVERSATIONS
    if not path.is_file():
        raise InputError(f"{args.folder} has no data set: there is no {CONVERSATIONS} in it.")
    write_text(args.out, "".join(_written(path, args.seed)))
    wrong, true, false = _proven(path, args.out)
    cli.say(f"{true} true steps, {false} false ones; {wrong or 'no'} label{'' if wrong == 1 else 's'} not proven.")
    return 1 if wrong else 0


def _written(path: Path, seed: int) -> Iterator[str]:
    for _, raw in lines_of(path):
        conversation_in(raw)  # tells what is wrong with a line
        for row in step_rows(json.loads(raw), seed):
            yield json.dumps(row, ensure_ascii=False) + "\n"


def _proven(path: Path, steps: Path) -> tuple[int, int, int]:
    """Labels of a file that are not proven, and the true and false ones; read back from it."""
    known = {each.id: each for each in (conversation_in(raw) for _, raw in lines_of(path))}
    wrong = true = false = 0
    for line in steps.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        wrong += len(step_problems(row, known[row["id"]]))
        true, false = true + sum(row["labels"]), false + row["labels"].count(False)
    return wrong, true, false
