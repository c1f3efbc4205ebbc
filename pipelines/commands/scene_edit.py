"""The commands beside the run: validate, replay, the facts of a room and the verdicts on marked texts."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dataflow_ext import InputError, claims, cli
from dataflow_ext.claims import Checked
from dataflow_ext.cli.flags import positive
from dataflow_ext.report.parts import printable
from operators.scene.claims.world import RoomWorld, turn_names
from operators.scene.conversation_reader import conversation_in, lines_of
from operators.scene.facts import fact_sheet
from operators.scene.model.conversation import Conversation, ConversationError
from operators.scene.model.json_values import SceneError, json_value
from operators.scene.model.records import names_a_folder
from operators.scene.model.scene import Scene, objects_of
from operators.scene.model.simulator import Call, CallError, must_be_call
from operators.scene.reading.room_file import read_room
from operators.scene.replaying import Summary, check, replayed

#: Problems that are told one by one.
_SHOWN = 20


def _validate(argv: Sequence[str]) -> int:
    """Tell what is wrong with a data set; 0 if nothing is, 1 if something is."""
    parser = cli.CommandParser(
        prog="python -m pipelines.scene_edit validate",
        description="Replay every conversation of a data set from its file alone, test it against the format's laws, "
        "and draw its pictures again.",
        epilog="exit code 0: nothing is wrong, 1: something is, 2: the folder cannot be used\n\nexamples:\n"
        "  python -m pipelines.scene_edit validate out\n"
        "  python -m pipelines.scene_edit validate out --no-redraw --json > found.json",
    )
    parser.add_argument("out", type=Path, metavar="DIR", help="the folder with conversations.jsonl")
    parser.add_argument("--no-redraw", action="store_true", help="only see that the pictures are there (faster)")
    parser.add_argument("--workers", type=positive, default=1, metavar="N", help="processes (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="tell it as JSON on standard output, for scripts")
    args = parser.parse_args(argv)
    found = check(args.out, redraw=not args.no_redraw, processes=args.workers)
    if args.json:
        told = {"lines": found.lines, "turns": found.turns, "pictures": found.pictures, "drawn": found.drawn,
                "order": found.order, "counts": found.counts(), "problems": [
                    {"line": each.line, "id": each.id, "code": each.problem.code, "message": each.problem.message}
                    for each in found.problems]}  # fmt: skip
        sys.stdout.write(json.dumps(told, ensure_ascii=False, indent=2) + "\n")
    else:
        _tell(found)
    return 1 if found.problems else 0


def _tell(found: Summary) -> None:
    for each in found.problems[:_SHOWN]:
        cli.say(str(each))
    for code, count in found.counts().items():
        cli.say(f"{code}: {count}")
    pictures = f"{found.pictures} pictures, {found.drawn} of them drawn again"
    cli.say(f"{found.lines} conversations with {found.turns} editing turns replayed, {pictures}.")
    if found.order is not None:
        cli.say(f"Adds run from large to small: {found.order:+.2f} (+1: always, -1: never).")
    cli.say(f"{len(found.problems) or 'no'} problem{'' if len(found.problems) == 1 else 's'}")


#: Objects of a room that are named at the terminal.
_NAMED = 40


def _replay(argv: Sequence[str]) -> int:
    """Replay a conversation and leave a page with its pictures; 0 if all agrees, 1 if something does not."""
    from operators.scene.output.page import write_replay

    args = _arguments(argv)
    conversation = chosen(args.file, args.id, args.number)
    cli.writable(args.out)
    turns = replayed(conversation)
    known = conversation.metadata
    cli.say(printable(f"{conversation.id}: {known['conversation_type']}, room {known['scene_id']}"))
    cli.say(printable(f"asked for: {known['global_user_instruction']}"))
    for turn in turns:
        cli.say(f"\nTurn {turn.number + 1} of {len(turns)}: {_contents(turn.before)}")
        for call in turn.calls:
            cli.say(printable(f"  - {call}"))
        for change in turn.changes:
            cli.say(printable(f"    {change}"))
        cli.say(printable(f"  MISMATCH: {turn.problem}") if turn.problem else "  agrees")
    page = write_replay(conversation, turns, args.out / f"replay_{_file_name(conversation.id)}.html")
    wrong = sum(bool(turn.problem) for turn in turns)
    cli.say(f"\n{len(turns)} turns, {wrong or 'no'} mismatch{'es' if wrong > 1 else ''}   page: {page.resolve()}")
    return 1 if wrong else 0


def chosen(path: Path, id: str | None = None, number: int | None = None) -> Conversation:
    """The conversation of a file: the one with this id, or on this line, or the first; InputError if there is none."""
    if not path.is_file():
        raise InputError(f"There is no file {path}.")
    try:
        line, raw = _found(path, id, number or 1)
        where = f"{path}, line {line}" if line else str(path)
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror or error}.") from None
    try:
        return conversation_in(raw)
    except ConversationError as error:
        if "messages" in (entry := _entry(raw)) and "metadata" not in entry:
            raise InputError(
                f"{path} is a file for ms-swift, which does not tell what objects were put; replay conversations.jsonl."
            ) from None
        raise InputError(f"{where}: this is no conversation: {error}.") from None


def _found(path: Path, id: str | None, number: int) -> tuple[int, bytes]:
    """Number and bytes of a line; number 0 stands for a whole file of one conversation."""
    if path.suffix.lower() == ".json":
        raw = path.read_bytes()
        if id is not None and _entry(raw).get("id") != id:
            raise InputError(f"{path} has no conversation with the id {id!r}.")
        if number > 1:
            raise InputError(f"{path} is one conversation; leave --number away.")
        return 0, raw
    last = 0
    for last, raw in lines_of(path):
        if _entry(raw).get("id") == id if id is not None else last == number:
            return last, raw
    if id is not None:
        raise InputError(f"{path} has no conversation with the id {id!r}.")
    raise InputError(f"{path} has {last} lines; there is no line {number}.")


def _entry(raw: bytes) -> Mapping[str, Any]:
    """The object of a line; an empty one for anything else."""
    entry = json_value(raw.decode("utf-8", "replace"))
    return entry if isinstance(entry, dict) else {}


def _contents(scene: Any) -> str:
    from operators.scene.model.kinds import short_names

    names = list(short_names(scene).values())
    if not names:
        return "the room is empty"
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    count = len(objects_of(scene))
    return printable(f"{count} object{'' if count == 1 else 's'}: {', '.join(names[:_NAMED])}{more}")


def _file_name(id: str) -> str:
    return id if names_a_folder(id) else re.sub(r"[^A-Za-z0-9_-]+", "_", id)[:80] or "conversation"


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = cli.CommandParser(
        prog="python -m pipelines.scene_edit replay",
        description="Do a conversation's calls again, from its line alone: tell turn by turn what is in the room, what "
        "is done and what changes, whether the next stated room agrees, and draw every room.",
        epilog="exit code 0: all agrees, 1: something does not, 2: the file cannot be used\n\nexamples:\n"
        "  python -m pipelines.scene_edit replay scenes/conversations.jsonl\n"
        "  python -m pipelines.scene_edit replay scenes/conversations.jsonl --number 3 --out shown\n"
        "  python -m pipelines.scene_edit replay one.json",
    )
    parser.add_argument("file", type=Path, metavar="FILE",
                        help="conversations.jsonl, or a .json file of one conversation")  # fmt: skip
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--id", metavar="ID", help="the conversation with this id")
    which.add_argument("--number", type=positive, metavar="N", help="the conversation on line N (default: 1)")
    parser.add_argument("--out", type=Path, default=Path("replay"), metavar="DIR",
                        help="folder for the page (default: %(default)s)")  # fmt: skip
    return parser.parse_args(argv)


def _facts(argv: Sequence[str]) -> int:
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


def _claims(argv: Sequence[str]) -> int:
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
        yield number, entry, claims.check(entry["text"], _world(scene, entry.get("calls") or [], where))


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


#: The first word of the command line, and what it does with the rest.
COMMANDS: Mapping[str, Callable[[Sequence[str]], int]] = {
    "validate": _validate, "replay": _replay, "facts": _facts, "claims": _claims,
}  # fmt: skip
