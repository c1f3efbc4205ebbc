"""Which inputs the data in a folder were made of: another book is not written over the one before."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dataflow_ext.errors import InputError
from dataflow_ext.files import write_text

#: Bytes at a file's start and at its end that tell it from others of its size.
_SAMPLE = 65_536
#: Names that a sentence holds.
_SHOWN = 3

_FILE = "inputs.json"


@dataclass(frozen=True)
class RunInputs:
    """The files that a folder's data were made of, each with a mark of its content, and how many rows came of them."""

    files: Mapping[str, str] = field(default_factory=dict)
    rows: int = 0

    @classmethod
    def of(cls, paths: Iterable[Path], rows: int = 0) -> RunInputs:
        """Those of a run on these files."""
        return cls({os.path.abspath(path): _mark(path) for path in paths}, rows)  # noqa: PTH100 - links stay links

    @classmethod
    def kept_in(cls, folder: Path) -> RunInputs:
        """Those of the last run that left data behind; none if it is not known."""
        try:
            known = json.loads((folder / _FILE).read_text(encoding="utf-8"))
            return cls({str(path): str(mark) for path, mark in known["files"].items()}, int(known["rows"]))
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return cls()

    def keep_in(self, folder: Path) -> None:
        """Note them for the next run."""
        told = {"rows": self.rows, "files": dict(self.files)}
        write_text(folder / _FILE, json.dumps(told, ensure_ascii=False, indent=1) + "\n")

    def without(self, others: RunInputs) -> list[str]:
        """The files that are not among the others, neither by their path nor, moved or copied, by their content."""
        marks = set(others.files.values()) - {""}
        return [path for path, mark in self.files.items() if path not in others.files and mark not in marks]


def must_be_its_inputs(out: Path, before: RunInputs, now: RunInputs) -> None:
    """Raise :class:`InputError` if the folder's data were made of other inputs, which a run would throw away.

    More inputs than before are fine, and so are fewer: what is refused is a run that lacks some of those the data
    were made of and brings others in their place.
    """
    gone, new = before.without(now), now.without(before)
    if gone and new:
        raise InputError(
            f"The data in {out} were made of other inputs ({_listed(gone)}), and would be replaced by those of "
            f"{_listed(new)}. Give another folder with --out, or replace them with --fresh."
        )


def _listed(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
    return ", ".join(paths[:_SHOWN]) + more


def _mark(path: Path) -> str:
    """A file's size with a hash of its start and end; nothing of what cannot be read, or never ends, as a pipe."""
    try:
        if not path.is_file():
            return ""
        size = path.stat().st_size
        with path.open("rb") as file:
            start = file.read(_SAMPLE)
            file.seek(max(0, size - _SAMPLE))
            return f"{size}-{hashlib.sha256(start + file.read(_SAMPLE)).hexdigest()[:24]}"
    except OSError:
        return ""
