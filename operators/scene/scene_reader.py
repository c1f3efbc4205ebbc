"""SceneReader: rooms out of their files."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Literal

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Failure, InputError, Made, Operator
from dataflow_ext.columns import Columns
from dataflow_ext.datasets.files import bounded_lines
from dataflow_ext.outcomes import Record, made_by_reading
from operators.scene.model.json_values import MOST_BYTES, SceneError
from operators.scene.model.records import first_few
from operators.scene.model.scene import objects_of, written
from operators.scene.reading.room_file import read_room

logger = logging.getLogger(__name__)

#: The most bytes of a line that are kept with its reject.
_KEPT = 2_000
#: What was put right in a room is told so often.
_TOLD = 5


class SceneReader(Operator):
    """The rooms of each file, checked and normalised, as JSON; a file ``.jsonl`` has a room on each line.

    What a room is made as is told by :func:`~operators.scene.reading.room_file.read_room`, what is put right in the
    log. A bad line costs itself alone; an object without a usable size or position is always left out.

    Reads:
        scene_id: the file's name, as ``rooms`` gives it; rooms of lines get ``#`` and the line's number behind it.
        scene_file: the file.

    Writes:
        scene_id: the room's name.
        scene: the room as JSON, in its form, SSR or Groups.
        room_type: what it is for.
        objects: how many it has.
        junk: objects that do not belong to it: too large, or far outside, each with the reason.

    Options:
        junk: "drop" leaves junk out, "keep" keeps it.
        far: metres outside of the room from which an object is junk.

    Rejects:
        SceneError: the room cannot be used, or has no object left; up to five problems by their JSON paths.
        InputError: the file cannot be read.

    Example:
        >>> SceneReader(junk="keep").far
        1.0
    """

    rows: ClassVar[Any] = "explode"
    inputs: ClassVar[Columns] = {"scene_id": str, "scene_file": Path}
    outputs: ClassVar[Columns] = {"scene_id": str, "scene": str, "room_type": str, "objects": int, "junk": list[str]}
    record: ClassVar[tuple[str, ...]] = ("room_type", "objects", "junk")

    junk: Literal["drop", "keep"] = "drop"
    far: float = Field(default=1.0, ge=0, le=1e6)

    def batch(self, table: pa.Table) -> Made:
        """Read one file after the other."""
        return made_by_reading(self, table, self._rooms)

    def _rooms(self, record: Record) -> Iterator[Record | Failure]:
        """The rooms of a file, and a failure for each line that is none."""
        scene_id, file = record["scene_id"], record["scene_file"]
        if file.suffix.lower() != ".jsonl":
            yield self._room(scene_id, _read(file), str(file))
            return
        rooms = 0
        for number, line in _lines(file):
            rooms += 1
            where = f"{file}, line {number}"
            try:
                yield self._room(f"{scene_id}#{number}", line, where)
            except Exception as error:
                failure = Failure.of(0, error)
                text = line[:_KEPT].decode("utf-8", "replace")
                failure.inputs = json.dumps({"scene_file": str(file), "line": number, "text": text}, ensure_ascii=False)
                yield failure
        if not rooms:
            raise SceneError(f"{file}: the file is empty; each of its lines is to be a room.")

    def _room(self, scene_id: str, data: bytes, where: str) -> dict[str, Any]:
        try:
            read = read_room(data, keep_junk=self.junk == "keep", far=self.far)
        except SceneError as error:
            raise SceneError(f"{where}: {error}") from None
        if read.told:
            logger.warning("%s: %s", where, first_few(read.told, _TOLD))
        return {
            "scene_id": scene_id,
            "scene": written(read.scene),
            "room_type": read.scene["room_type"],
            "objects": len(objects_of(read.scene)),
            "junk": read.junk,
        }


def _read(file: Path) -> bytes:
    """A file's bytes, one more than is allowed at most."""
    try:
        with file.open("rb") as opened:
            return opened.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise _unread(file, error) from None


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not blank, with their numbers; the rest of a line that is too long is passed by."""
    try:
        for number, line in bounded_lines(file, MOST_BYTES):
            if line := line[: MOST_BYTES + 1].strip():
                yield number, line
    except (OSError, ValueError) as error:
        raise _unread(file, error) from None


def _unread(file: Path, error: Exception) -> InputError:
    return InputError(f"{file}: it cannot be read ({getattr(error, 'strerror', None) or error}).")
