"""Law 13: a picture shows the room of its turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from operators.scene.conversation import Conversation
from operators.scene.problems import Problem

_PNG = b"\x89PNG\r\n\x1a\n"


def picture_problems(conversation: Conversation, folder: Path, *, redraw: bool = True) -> Iterator[Problem]:
    """Pictures that are missing below ``folder``, or are not the bytes that drawing the stated room again gives.

    Only the painter's pictures are drawn again; of others it is told that they are there and are PNG files.
    """
    camera = conversation.metadata.get("camera")
    base = folder.resolve()
    for number, (name, state) in enumerate(zip(conversation.images, conversation.stated, strict=False)):
        path = (base / name).resolve()
        if not path.is_relative_to(base):
            yield Problem("image.missing", f"turn {number}: {name!r} lies outside of the data set")
            continue
        try:
            held = path.read_bytes()
        except OSError:
            yield Problem("image.missing", f"turn {number}: there is no picture {name!r}")
            continue
        if not held.startswith(_PNG):
            yield Problem("image.missing", f"turn {number}: {name!r} is no PNG file")
        elif redraw and _can_draw(camera) and redrawn_bytes(state, camera) != held:
            yield Problem("image.other", f"turn {number}: {name!r} is not what drawing the stated room gives")


def _can_draw(camera: Any) -> bool:
    return isinstance(camera, Mapping) and camera.get("renderer") == "painter"


def redrawn_bytes(state: Mapping[str, Any], camera: Any) -> bytes:
    """The picture that the camera takes of a room."""
    from operators.scene.scene_renderer import redrawn

    return redrawn(state, camera)
