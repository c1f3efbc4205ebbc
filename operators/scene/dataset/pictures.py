"""The pictures of a conversation: each a link to the file of the renderer, or else a copy of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from dataflow_ext.files import put
from operators.scene.dataset.layout import IMAGES, DataFolder, cannot_write
from operators.scene.dataset.lines import Unwritable

_BEGIN, _END = b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82"


def put_pictures(folder: DataFolder, id: str, sources: Sequence[Path]) -> None:
    """Put the pictures of a conversation in their places, as ``images/<id>/step_0.png`` and so on.

    Each appears whole or not at all, and one that is right already stays. A place on another file system than
    the source gets a copy. Unwritable if a source is no PNG, or if the folder is somebody else's.
    """
    if not sources:
        return
    for number, source in enumerate(sources):
        _must_be_png(source, number)
    target = folder.folder_of(id)
    if target.is_symlink() or id not in folder.pictures:
        raise Unwritable(
            "images.names", f"{IMAGES}/{id} has pictures that no run of this pipeline wrote; move them away"
        )
    try:
        target.mkdir(parents=True, exist_ok=True)
        for number, source in enumerate(sources):
            _put(source, target / f"step_{number}.png", folder.partial)
    except OSError as error:
        raise cannot_write(target, error) from None


def _must_be_png(path: Path, number: int) -> None:
    try:
        with path.open("rb") as file:
            begin = file.read(len(_BEGIN))
            file.seek(-len(_END), os.SEEK_END)
            whole = begin == _BEGIN and file.read() == _END
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise Unwritable("image.missing", f"the picture of turn {number}, {path}, cannot be read: {why}") from None
    if not whole:
        raise Unwritable("image.missing", f"the picture of turn {number}, {path}, is no whole PNG")


def _put(source: Path, target: Path, partial: Path) -> None:
    if target.is_file() and not target.is_symlink() and _same(source, target):
        return
    partial.unlink(missing_ok=True)
    try:
        os.link(source.resolve(), partial)
    except OSError:  # another file system, or one without links
        shutil.copyfile(source, partial)
    put(partial, target)


def _same(one: Path, other: Path) -> bool:
    """Whether two files hold the same bytes."""
    if one.samefile(other):
        return True
    return one.stat().st_size == other.stat().st_size and one.read_bytes() == other.read_bytes()
