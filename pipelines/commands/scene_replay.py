"""The command that shows one conversation turn by turn."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dataflow_ext import InputError, cli
from dataflow_ext.cli.flags import positive
from dataflow_ext.report.parts import printable
from operators.scene.conversation_reader import conversation_in, lines_of
from operators.scene.dataset.layout import names_a_folder
from operators.scene.model.conversation import Conversation, ConversationError
from operators.scene.model.json_values import json_value
from operators.scene.model.scene import objects_of
from operators.scene.replaying import replayed

#: Objects of a room that are named at the terminal.
_NAMED = 40


def replay_command(argv: Sequence[str]) -> int:
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
        if _is_for_swift(raw):
            raise InputError(
                f"{path} is a file for ms-swift, which does not tell what objects were put; replay conversations.jsonl."
            ) from None
        raise InputError(f"{where}: this is no conversation: {error}.") from None


def _found(path: Path, id: str | None, number: int) -> tuple[int, bytes]:
    """Number and bytes of a line; number 0 stands for a whole file of one conversation."""
    if path.suffix.lower() == ".json":
        raw = path.read_bytes()
        if id is not None and _id_in(raw) != id:
            raise InputError(f"{path} has no conversation with the id {id!r}.")
        if number > 1:
            raise InputError(f"{path} is one conversation; leave --number away.")
        return 0, raw
    last = 0
    for last, raw in lines_of(path):
        if _id_in(raw) == id if id is not None else last == number:
            return last, raw
    if id is not None:
        raise InputError(f"{path} has no conversation with the id {id!r}.")
    raise InputError(f"{path} has {last} lines; there is no line {number}.")


def _id_in(raw: bytes) -> Any:
    entry = _entry(raw)
    return entry.get("id") if isinstance(entry, dict) else None


def _is_for_swift(raw: bytes) -> bool:
    entry = _entry(raw)
    return isinstance(entry, dict) and "messages" in entry and "metadata" not in entry


def _entry(raw: bytes) -> Any:
    return json_value(raw.decode("utf-8", "replace"))


def _contents(scene: Any) -> str:
    from operators.scene.furniture.names import short_names

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
