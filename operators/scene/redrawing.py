"""Pictures of a data set, drawn again: whether they are there and show the rooms that they are said to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from dataflow_ext import InputError
from operators.scene.model.conversation import Conversation
from operators.scene.model.records import Problem
from operators.scene.model.scene import Scene
from operators.scene.painter import VERSION, picture


def redrawn(scene: Scene, camera: Mapping[str, Any]) -> bytes:
    """The picture that the painter's camera takes of a room, drawn again; InputError for another camera."""
    azimuth = camera.get("azimuth")
    if camera.get("renderer") != "painter" or type(azimuth) is not int or not 0 <= azimuth < 360:
        raise InputError(f"The camera {dict(camera)!r} is none of the painter's; its pictures cannot be drawn again.")
    if camera.get("version") != VERSION:
        raise InputError(
            f"The picture was drawn by version {camera.get('version')} of the painter, this is {VERSION}; "
            "draw the chain's pictures anew, or compare them with the version that drew them."
        )
    return picture(scene, azimuth)


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
