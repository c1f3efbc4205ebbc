"""Pictures in files, and the rows that show them."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pyarrow as pa
from PIL import Image

SIZE = (320, 200)


def picture(folder: Path, name: str = "a.png", colour: str = "white", size: tuple[int, int] = SIZE) -> Path:
    path = folder / name
    Image.new("RGB", size, colour).save(path)
    return path


def rows(
    *paths: Path,
    image_type: str = "physics_setup",
    objects: tuple[str, ...] = ("block", "pulley"),
    size: tuple[int, int] = SIZE,
) -> pa.Table:
    """A row for each path, as the steps before make them."""
    return pa.table(
        {
            "picture": [str(path) for path in paths],
            "picture_key": [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths],
            "width": [size[0]] * len(paths),
            "height": [size[1]] * len(paths),
            "image_type": [image_type] * len(paths),
            "objects": pa.array([list(objects)] * len(paths), pa.list_(pa.string())),
        }
    )
