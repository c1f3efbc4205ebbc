"""What lies where in an output folder, whose it is, and its rows."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

import pyarrow as pa

from dataflow_ext.errors import InputError
from dataflow_ext.files import RUN_FOLDER, make_folder, own_list, put, write_text
from dataflow_ext.tables import read_table

#: All rows with all columns, for going on from: calibrating, sampling, one's own work.
ROWS = "rows.parquet"
#: The rows of each verdict, a line each.
BY_VERDICT = {"kept": "onevision.jsonl", "review": "review.jsonl", "dropped": "dropped.jsonl"}
#: Kept rows in the forms that trainers read.
MESSAGES, DATASET_INFO, SHAREGPT, GRPO, PARQUET = (
    "messages.jsonl",
    "dataset_info.json",
    "sharegpt.jsonl",
    "grpo.jsonl",
    "onevision.parquet",
)
DATA_FILES = (ROWS, *BY_VERDICT.values(), MESSAGES, DATASET_INFO, SHAREGPT, GRPO, PARQUET)

#: The folder of the pictures, each of which is there once.
IMAGES = "images"

#: Where a run keeps the list of its own files, and what is not finished yet.
STAGE = Path(RUN_FOLDER, "onevision")
_LIST = "files.json"

#: What a run leaves beside the data files.
BESIDE = ("stats.json", "rejects.jsonl", "report.html")

_PICTURE = re.compile(r"[0-9a-f]{16}\.(png|jpg)")
_ENDINGS = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpg"}


def must_be_ours(out: Path) -> None:
    """Raise InputError if ``out`` has a file of a run's names that no run of this library wrote."""
    DataFolder(out)
    if not (out / STAGE.parts[0]).is_dir():
        for name in BESIDE:
            if (out / name).exists():
                raise _foreign(out / name)


class DataFolder:
    """The files of a data set, of which only those in the run's own list are ever replaced or removed.

    What is coming is in the list before it is there, so that after a kill the next run still knows its own.
    """

    def __init__(self, out: Path) -> None:
        self.out, self.stage = out, out / STAGE
        files, self._pictures = _listed(self.stage / _LIST)
        if (out / IMAGES).is_symlink():
            raise InputError(f"{out / IMAGES} is a link to another place; remove it, or name another output folder.")
        for name in DATA_FILES:
            if (out / name).is_symlink() or (name not in files and (out / name).exists()):
                raise _foreign(out / name)

    def expect(self, pictures: Iterable[str]) -> None:
        """Note the pictures that will be put there, beside those of earlier runs."""
        try:
            make_folder(self.stage)
            (self.out / IMAGES).mkdir(exist_ok=True)
            self._pictures |= set(pictures)
            self._note()
        except OSError as error:
            raise cannot_write(self.stage, error) from None

    def put_picture(self, source: Path, name: str) -> None:
        """Put a picture in its place, whole or not at all: a link to the source, on another file system a copy."""
        target, partial = self.out / IMAGES / name, self.stage / "picture.part"
        if target.is_file() and not target.is_symlink() and target.stat().st_size == source.stat().st_size:
            return  # its name is its content
        partial.unlink(missing_ok=True)
        try:
            os.link(source.resolve(), partial)
        except OSError:
            shutil.copyfile(source, partial)
        put(partial, target)

    def place(self, staged: Mapping[str, Path]) -> None:
        """Put finished data files in their places, one right after the other."""
        for name, partial in staged.items():
            try:
                put(partial, self.out / name)
            except OSError as error:
                raise cannot_write(self.out / name, error) from None

    def keep_only(self, pictures: Iterable[str]) -> None:
        """Remove the pictures that earlier runs put there and no row shows."""
        kept = set(pictures)
        for name in sorted(self._pictures - kept):
            try:
                (self.out / IMAGES / name).unlink(missing_ok=True)
            except OSError as error:
                raise cannot_write(self.out / IMAGES / name, error) from None
        self._pictures = kept
        self._note()

    def _note(self) -> None:
        told = {"files": list(DATA_FILES), "pictures": sorted(self._pictures)}
        write_text(self.stage / _LIST, json.dumps(told, indent=0) + "\n")


def picture_name(key: str, source: Path) -> str:
    """The name of a picture in the data set: the beginning of its content's hash, and what it is.

    Raises InputError for what is neither PNG nor JPEG.
    """
    with source.open("rb") as file:
        head = file.read(4)
    for start, ending in _ENDINGS.items():
        if head.startswith(start):
            return f"{key[:16]}.{ending}"
    raise InputError(f"The picture {source} is neither PNG nor JPEG; ImageNormalizer makes it one.")


def cannot_write(path: Path, error: OSError) -> InputError:
    """The sentence for a file that cannot be written."""
    return InputError(
        f"Cannot write {path}: {error.strerror or error}; make room or name another output folder, then run again."
    )


def _foreign(path: Path) -> InputError:
    return InputError(f"{path} was not written by a run of this pipeline; name another output folder.")


def _listed(path: Path) -> tuple[set[str], set[str]]:
    """The files and pictures in a run's list. Without one nothing is ours; with one that is damaged the data files
    are, as a run notes a list only in a folder without such files of others, and no picture is removed.
    """
    told = own_list(path)
    if told is None:
        return set(), set()
    try:
        pictures = {name for name in told["pictures"] if isinstance(name, str) and _PICTURE.fullmatch(name)}
        return {name for name in told["files"] if isinstance(name, str)}, pictures
    except (KeyError, TypeError):
        return set(DATA_FILES), set()


def rows_in(out: Path) -> pa.Table:
    """All rows of a run's folder with all their columns, ``picture`` as a path from here.

    In the file it is a path from the folder, so that the folder can be moved. Raises InputError if there are none.
    """
    path = out / ROWS
    if not path.is_file():
        raise InputError(f"There is no file {path}; name the folder of a run of this pipeline.")
    rows = read_table(path)
    if "picture" not in rows.column_names:
        return rows
    place = rows.column_names.index("picture")
    pictures = pa.array([None if p is None else str(out / p) for p in rows["picture"].to_pylist()], pa.string())
    return rows.set_column(place, "picture", pictures)
