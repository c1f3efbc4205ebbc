"""Laws about rooms and pictures: what the calls give, and what is drawn of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from dataflow_ext import InputError
from operators.scene.model.conversation import Conversation
from operators.scene.model.records import Problem
from operators.scene.model.scene import NEED_RETRIEVAL, PLACEHOLDERS, Object, Scene, objects_of, with_objects
from operators.scene.model.simulator import Call, CallError, apply

#: How far two numbers that describe the same rotation may differ.
_NEAR = 1e-4


def replay_problems(conversation: Conversation) -> Iterator[Problem]:
    """Where the replayed rooms are not the stated ones; it goes on from the room that the calls give."""
    state, chain = conversation.stated[0], conversation.chain
    for number, calls in enumerate(chain.turns):
        for call in calls:
            try:
                after = apply(state, [call], chain.retrievals)
            except CallError as error:
                yield Problem(error.code, f"turn {number}: {error}")
                return
            if call["name"] != "terminate" and not has_effect(state, after, call):
                yield Problem("call.no_effect", f"turn {number}: {call['id']} leaves the room as it was")
            state = after
        stated = conversation.stated[number + 1 : number + 2]
        if stated and stated[0] != state:
            yield Problem("replay.state", f"turn {number + 1}: {first_difference(stated[0], state)}")
    told = _one_spelling(conversation.metadata["final_scene"])
    if (made := chain.unretrieved(state)) != told:
        yield Problem("replay.final", f"the final scene: {first_difference(told, made)}")


def has_effect(before: Scene, after: Scene, call: Call) -> bool:
    """Whether a call changed anything that can be seen: a rotation told with other signs is the same one."""
    if before == after:
        return False
    if call["name"] == "replace_object":
        return _told(before) != _told(after)
    if call["name"] != "rotate_object":
        return True
    jid = call["arguments"]["jid"]
    old, new = (next(o["rot"] for o in objects_of(scene) if o["jid"] == jid) for scene in (before, after))
    length = sum(n * n for n in old) ** 0.5 * sum(n * n for n in new) ** 0.5
    cosine = abs(sum(a * b for a, b in zip(old, new, strict=True))) / length if length else 0.0
    return cosine < 1 - _NEAR**2


def _told(scene: Scene) -> list[tuple[str, tuple[float, ...]]]:
    """What a replacement may change: descriptions and sizes."""
    return [(each["desc"], tuple(each["size"])) for each in objects_of(scene)]


def first_difference(stated: Scene, replayed: Scene) -> str:
    """The first object, or else the first key, in which two rooms differ, in words."""
    one, other = objects_of(stated), objects_of(replayed)
    if len(one) != len(other):
        return f"it is told with {len(one)} objects, the calls give {len(other)}"
    for told, made in zip(one, other, strict=True):
        if told != made:
            key = next(k for k in [*told, *made] if told.get(k) != made.get(k))
            return f"{told.get('jid')!r} is told with {key} {told.get(key)!r}, the calls give {made.get(key)!r}"
    differing = [key for key in {**stated, **replayed} if stated.get(key) != replayed.get(key)]
    return f"{differing[0]} differs" if differing else "they differ"


def _one_spelling(final: Mapping[str, Any]) -> Scene:
    """The final scene with the format's own spelling of ids that have to be found; as it is if it is no room."""

    def spelled(each: Object) -> Object:
        return {**each, "jid": NEED_RETRIEVAL} if each.get("jid") in PLACEHOLDERS else each

    try:
        return with_objects(final, lambda objects: list(map(spelled, objects)))
    except (AttributeError, KeyError, TypeError):
        return final


def is_png(data: bytes) -> bool:
    """Whether a file begins and ends as a PNG does."""
    return data.startswith(b"\x89PNG\r\n\x1a\n") and data.endswith(b"IEND\xaeB`\x82")


def picture_problems(conversation: Conversation, folder: Path, *, redraw: bool = True) -> Iterator[Problem]:
    """Pictures that are missing below ``folder``, or do not show what drawing the stated room again gives.

    Only the painter's pictures are drawn again; of others it is told that they are there and are PNG files.
    """
    camera = conversation.metadata.get("camera")
    base = folder.resolve()
    for number, (name, state) in enumerate(zip(conversation.images, conversation.stated, strict=False)):
        try:
            path = (base / name).resolve()
            held = path.read_bytes() if path.is_relative_to(base) else None
        # A loop of links, a name that no file can have.
        except (OSError, RuntimeError, ValueError):
            yield Problem("image.missing", f"turn {number}: there is no picture {name!r}")
            continue
        if held is None:
            yield Problem("image.missing", f"turn {number}: {name!r} lies outside of the data set")
        elif not is_png(held):
            yield Problem("image.missing", f"turn {number}: {name!r} is no whole PNG file")
        elif redraw and (wrong := difference(held, state, camera)):
            yield Problem("image.other", f"turn {number}: {name!r} {wrong}")


def difference(held: bytes, state: Scene, camera: Any) -> str | None:
    """What a picture has to do with another room than this one; None for the painter's picture of it.

    Bytes are compared, then, as PNG files of the same picture may be packed in several ways, pixels.
    """
    from operators.scene.scene_renderer import redrawn

    if not isinstance(camera, dict) or camera.get("renderer") != "painter":
        return None
    try:
        drawn = redrawn(state, camera)
    except InputError as error:
        return f"cannot be drawn again: {error}"
    same = drawn == held or _pixels(held, drawn)
    return None if same else "is not what drawing the stated room gives"


def _pixels(held: bytes, drawn: bytes) -> bool:
    """Whether two PNG files have the same pixels; a file that cannot be read has none."""
    from PIL import Image

    with Image.open(BytesIO(drawn)) as wanted:
        try:
            with Image.open(BytesIO(held), formats=("PNG",)) as found:
                # The size is told before a pixel is unpacked.
                return found.size == wanted.size and found.convert("RGB").tobytes() == wanted.convert("RGB").tobytes()
        except Exception:
            # A damaged file may raise whatever its damage leads to.
            return False
