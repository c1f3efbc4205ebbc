"""How tests change a line of the data set: one place of it, or its chain with all that follows from it."""

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

from operators.scene.model.conversation import Conversation, conversation_of
from operators.scene.model.scene import written

#: A line, which is changed in place; a part of one.
Line = Any
Change = Callable[[Any], object]


class NotHere(Exception):
    """The line has nothing that could be changed so."""


def changed(line: Line, change: Change) -> Line:
    """A copy of the line with the change."""
    made = copy.deepcopy(line)
    change(made)
    return made


def turns_of(line: Line) -> int:
    """How many turns a line has, terminate included."""
    return len(line["messages"]) // 2


def first(found: Iterator[Any]) -> Any:
    """The first of what there is to be changed."""
    for each in found:
        return each
    raise NotHere


def replaced(text: str, old: str, new: str, count: int = 1) -> str:
    """The text with something put in place of what must be in it."""
    if old not in text:
        raise NotHere
    return text.replace(old, new, count)


def in_message(number: int, old: str, new: str) -> Change:
    """Another text in a message: 1 is the first user's, 2 the first answer, -1 the last answer."""

    def change(line: Line) -> None:
        line["messages"][number]["content"] = replaced(line["messages"][number]["content"], old, new)

    return change


def known(**values: Any) -> Change:
    """Other values in the metadata."""
    return lambda line: line["metadata"].update(values)


def lost(*names: str) -> Change:
    """The metadata, or the line itself, without some values."""

    def change(line: Line) -> None:
        for name in names:
            del (line if name in line else line["metadata"])[name]

    return change


def scene_in(line: Line, turn: int) -> Any:
    """The room that a user's message states."""
    text = line["messages"][1 + 2 * turn]["content"]
    return json.loads(text.partition("```json\n")[2].partition("\n```")[0])


def put_scene(line: Line, turn: int, told: str) -> None:
    """State another room, as this text."""
    message = line["messages"][1 + 2 * turn]
    before, _, rest = message["content"].partition("```json\n")
    message["content"] = f"{before}```json\n{told}\n```{rest.partition(chr(10) + '```')[2]}"


def last_state(change: Change) -> Change:
    """Change the room that the last user's message states, and nothing else."""

    def made(line: Line) -> None:
        turn = turns_of(line) - 1
        scene = scene_in(line, turn)
        scene = change(scene) or scene
        put_scene(line, turn, written(scene))

    return made


def final(change: Change) -> Change:
    """Change the final scene of the metadata, and nothing else."""
    return lambda line: change(line["metadata"]["final_scene"])


def things(scene: Any) -> list[Any]:
    """The lists of objects in a room: one, or one a group."""
    return [group["objects"] for group in scene["groups"]] if "groups" in scene else [scene["objects"]]


def thing(change: Change, where: int = 0) -> Change:
    """Change an object of a room."""
    return lambda scene: change([each for objects in things(scene) for each in objects][where]) and None


def shifted(key: str, place: int, by: float) -> Change:
    """An object with one number changed."""

    def change(each: Any) -> None:
        each[key][place] = round(each[key][place] + by, 7)

    return change


def calls_in(line: Line, turn: int) -> list[Any]:
    """The calls of an answer."""
    text = line["messages"][2 + 2 * turn]["content"]
    return json.loads(text.partition("<tool_calls>\n")[2].partition("\n</tool_calls>")[0])


def put_calls(line: Line, turn: int, told: str) -> None:
    """Let an answer have other calls, as this text."""
    message = line["messages"][2 + 2 * turn]
    message["content"] = f"{message['content'].partition('<tool_calls>')[0]}<tool_calls>\n{told}\n</tool_calls>"


def calls(change: Change, turn: int = 0) -> Change:
    """Change the calls of an answer, and nothing else."""

    def made(line: Line) -> None:
        at = turn % turns_of(line)
        listed = calls_in(line, at)
        put_calls(line, at, written(change(listed) or listed))

    return made


def call(change: Change, *tools: str) -> Change:
    """Change the first call of one of these tools (any, if none is named), and nothing else."""

    def made(line: Line) -> None:
        for turn in range(turns_of(line)):
            listed = calls_in(line, turn)
            for number, each in enumerate(listed):
                if not tools or each["name"] in tools:
                    listed[number] = change(each) or each
                    return put_calls(line, turn, written(listed))
        raise NotHere

    return made


def arguments(tool: str, **values: Any) -> Change:
    """Other arguments of the first call of a tool; None leaves one out."""

    def change(each: Any) -> None:
        told = {**each["arguments"], **values}
        each["arguments"] = {name: value for name, value in told.items() if value is not None}

    return call(change, tool)


def said(turn: int, think: str | None = None, conclusion: str | None = None) -> Change:
    """Another reasoning or conclusion in a turn, without claims."""

    def change(line: Line) -> None:
        message = line["messages"][2 + 2 * (turn % turns_of(line))]
        for tag, text in (("think", think), ("conclusion", conclusion)):
            if text is not None:
                before, _, rest = message["content"].partition(f"<{tag}>\n")
                message["content"] = f"{before}<{tag}>\n{text}\n</{tag}>{rest.partition(f'</{tag}>')[2]}"
                if stated := line["metadata"].get("claims"):
                    told = stated[turn % turns_of(line)]
                    told["claims"] = [each for each in told["claims"] if each["part"] != tag]

    return change


def asked(instruction: str) -> Change:
    """Another instruction, in all turns and in the metadata."""

    def change(line: Line) -> None:
        old = line["metadata"]["global_user_instruction"]
        for message in line["messages"][1::2]:
            message["content"] = replaced(message["content"], old, instruction)
        line["metadata"]["global_user_instruction"] = instruction

    return change


def chain(change: Change) -> Change:
    """Change the chain (``start``, ``turns``, ``retrievals``, ``texts``) and tell all that follows from it anew.

    All states and the final scene fit the changed calls, so that replaying shows no fault.
    """

    def made(line: Line) -> None:
        read = Conversation.read(line)
        row = read.row()
        parts = {**json.loads(row["chain"]), "texts": list(row["texts"])}
        change(parts)
        row |= {"texts": parts.pop("texts"), "claims": [], "chain": written(parts)}
        told = json.loads(json.dumps(conversation_of(row)))
        line |= {**told, "images": [f"images/{line['id']}/step_{n}.png" for n in range(len(parts["turns"]))]}

    return made


def drafted(parts: Any, *tools: str) -> tuple[list[Any], Any]:
    """The turn and the first call of one of these tools in a chain."""
    return first((turn, each) for turn in parts["turns"] for each in turn if each["name"] in tools)
