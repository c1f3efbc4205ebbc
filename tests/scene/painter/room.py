"""A room of 4 by 4 metres to be painted, and what its pictures show where."""

import io
from typing import Any

import numpy as np
from PIL import Image

from operators.scene.painter import picture

#: Pixels of a view's side in most tests; of them 30 at each side lie outside of the room.
SIDE = 256
SCALE = (SIDE - 60) / 4


def room(*objects: dict[str, Any], corners: Any = ((-2, -2), (2, -2), (2, 2), (-2, 2)), height: float = 2.6) -> Any:
    """A room with these objects."""
    floor, ceiling = ([[x, y, z] for x, z in corners] for y in (0.0, height))
    return {"bounds_bottom": floor, "bounds_top": ceiling, "room_type": "bedroom", "room_id": "R",
            "objects": list(objects)}  # fmt: skip


def thing(jid: str, desc: str, x: float, z: float, size: Any = (0.6, 0.6, 0.6), y: float = 0.0, **more: Any) -> Any:
    """An object that looks to the south."""
    made = {"desc": desc, "size": list(size), "pos": [x, y, z], "rot": [0.0, 0.0, 0.0, 1.0], "jid": jid}
    return {**made, **more}


def views(scene: Any, azimuth: int = 135, size: int = SIDE) -> tuple[np.ndarray, np.ndarray]:
    """The view from above and the diagonal view, as numbers that can be subtracted."""
    pixels = decoded(picture(scene, azimuth, size=size))
    return pixels[:, :size], pixels[:, size:]


def decoded(png: bytes) -> np.ndarray:
    """The pixels of a PNG."""
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def place(x: float, z: float) -> tuple[int, int]:
    """Row and column of a point of the floor in the view from above."""
    return round(SIDE / 2 + z * SCALE), round(SIDE / 2 + x * SCALE)
