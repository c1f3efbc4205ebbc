"""How pictures become files: small ones, with the same bytes each time."""

from __future__ import annotations

from pathlib import Path

from drawing.rows import Picture


def save(picture: Picture, path: Path) -> None:
    """Write the picture in the format that its path names; a drawing's few colours become a palette of 64."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".jpg":
        picture.image.save(path, quality=72, optimize=True)
    elif picture.type == "synthetic_scene":
        picture.image.quantize(96, dither=0).save(path, optimize=True)
    else:
        picture.image.quantize(32, dither=0).convert("RGB").quantize(32, dither=0).save(path, optimize=True)
