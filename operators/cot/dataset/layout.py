"""Where the files of a data set lie, and which of them a run of this library wrote."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from dataflow_ext.errors import InputError
from dataflow_ext.files import RUN_FOLDER, make_folder, own_list, put, write_text
from operators.cot.tasks import TASKS

#: The one file in a task's folder.
DATA_FILE = "data.jsonl"

#: Where a run keeps the list of its own data files, and what is not finished yet.
STAGE = Path(RUN_FOLDER, "cot")
_LIST = "tasks.json"

#: What a run leaves beside the tasks' folders.
BESIDE = ("stats.json", "rejects.jsonl", "report.html")


def must_be_ours(out: Path) -> None:
    """Raise InputError if ``out`` has a file of a run's names that no run of this library wrote."""
    DataFiles(out)
    if not (out / STAGE.parts[0]).is_dir():
        for name in BESIDE:
            if (out / name).exists():
                raise InputError(f"{out / name} was not written by a run of this pipeline; name another output folder.")


class DataFiles:
    """The data files of a folder, each of which appears whole or not at all.

    Only files in the run's own list are ever replaced or removed. A task is in the list before its file is
    there, so that after a kill the next run still knows which files are its own.
    """

    def __init__(self, out: Path) -> None:
        self._out, self._stage = out, out / STAGE
        listed = _listed(self._stage / _LIST)
        # A run notes a list only in a folder without files of others, so where it is damaged, all of them are ours.
        self._own = listed or {task for task in TASKS if listed is None and (out / task / DATA_FILE).exists()}
        self._damaged = listed is None
        for task in TASKS:
            folder = out / task
            if folder.is_symlink():
                raise InputError(f"{folder} is a link to another place; remove it, or name another output folder.")
            if task not in self._own and (folder / DATA_FILE).exists():
                raise InputError(
                    f"{folder / DATA_FILE} was not written by a run of this pipeline; name another output folder."
                )

    def write(self, task: str, lines: Iterable[str]) -> None:
        """Put these lines in the place of the task's file; InputError if that cannot be done."""
        target = self._out / task / DATA_FILE
        try:
            if self._damaged or task not in self._own:
                self._note(self._own | {task})
            make_folder(target.parent)
            partial = self._stage / f"{task}.part"
            with partial.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(lines)
            put(partial, target)
        except OSError as error:
            raise _cannot_write(target, error) from None

    def remove(self, tasks: Iterable[str]) -> None:
        """Remove the files of these tasks as far as earlier runs wrote them, and folders that this leaves empty."""
        gone = self._own & set(tasks)
        for task in sorted(gone):
            folder = self._out / task
            try:
                (folder / DATA_FILE).unlink(missing_ok=True)
                if folder.is_dir() and not any(folder.iterdir()):
                    folder.rmdir()
            except OSError as error:
                raise _cannot_write(folder / DATA_FILE, error) from None
        if gone:
            self._note(self._own - gone)

    def _note(self, tasks: set[str]) -> None:
        write_text(self._stage / _LIST, json.dumps(sorted(tasks), indent=0) + "\n")
        self._own, self._damaged = tasks, False


def _listed(path: Path) -> set[str] | None:
    """The tasks in a run's list: none without one, and None if it is damaged."""
    listed = own_list(path)
    if listed is None:
        return set()
    return {task for task in TASKS if task in listed} if isinstance(listed, list) else None


def _cannot_write(path: Path, error: OSError) -> InputError:
    return InputError(
        f"Cannot write {path}: {error.strerror or error}; make room or name another output folder, then run again."
    )
