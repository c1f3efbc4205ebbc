"""A conversation as ms-swift takes it for Qwen2.5-VL: a line of its standard format, ``messages`` and ``images``.

Roles are system, user and assistant; every ``<image>`` stands for the next of ``images``, whose paths are relative to
the data set. ms-swift looks for a relative path below the folder in the environment variable ``ROOT_IMAGE_DIR``.
"""

from __future__ import annotations

from typing import Any

from operators.scene.conversation import Entry
from operators.scene.dataset.lines import Unwritable
from operators.scene.scene import Scene, objects_of, written

#: What ms-swift and verl take for a picture, a film or a sound, wherever it stands in a message.
PLACES = ("<image>", "<video>", "<audio>")


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
    # No description can be taken for a tag, as in the turns.
    return f"<create_scene>\n```json\n{written(start).replace('<', chr(92) + 'u003c')}\n```\n</create_scene>"


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
