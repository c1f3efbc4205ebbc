"""The command line that a run was: kept in its folder, and given again to look at a row of it."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path

from dataflow_ext.errors import InputError
from dataflow_ext.files import RUN_FOLDER, write_text

#: Where a run keeps its command, below its folder.
NAME = "command.json"

#: Flags whose value may be a key, given by mistake.
_KEYS = re.compile(r"--[a-z-]*key-env(=.*)?")
_PIPELINE = re.compile(r"pipelines\.[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class RunCommand:
    """A pipeline's module, its arguments without names of keys, and the folder in which it was given."""

    module: str
    arguments: list[str]
    folder: str


_given: ContextVar[RunCommand | None] = ContextVar("dataflow_run_command", default=None)
_traced: ContextVar[str | None] = ContextVar("dataflow_traced_row", default=None)


def given(work: Callable[..., int], arguments: Sequence[str]) -> None:
    """Note what the command of this process is, of which ``work`` is the body."""
    module = work.__module__
    if module == "__main__":
        module = getattr(getattr(sys.modules["__main__"], "__spec__", None), "name", "")
    if _PIPELINE.fullmatch(module):
        _given.set(RunCommand(module, list(_without_keys(arguments)), str(Path.cwd())))


def _without_keys(arguments: Sequence[str]) -> Iterator[str]:
    rest = iter(arguments)
    for each in rest:
        if (flag := _KEYS.fullmatch(each)) is None:
            yield each
        elif flag[1] is None:
            next(rest, None)


def keep_command(folder: Path) -> None:
    """Write the command into a run's folder, if it is a pipeline's."""
    command = _given.get()
    if command is not None:
        write_text(folder / NAME, json.dumps(asdict(command), ensure_ascii=False, indent=2) + "\n")


def traced_row() -> str | None:
    """The row that this command is given to look at; None if it is to be run."""
    return _traced.get()


def look_at(out: Path, row_id: str) -> int:
    """Give a run's command again to look at one of its rows; its exit code."""
    path = out / RUN_FOLDER / NAME
    try:
        told = RunCommand(**json.loads(path.read_text(encoding="utf-8")))
        arguments = [str(each) for each in told.arguments]
        sound = _PIPELINE.fullmatch(told.module) is not None and Path(told.folder).is_dir()
    except FileNotFoundError:
        raise InputError(f"There is no {path}; name the folder of a run of a pipeline.") from None
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"{path} cannot be read ({error}); run the pipeline again.") from None
    if not sound:
        raise InputError(f"{path} tells of no pipeline of ours in a folder that is there; run the pipeline again.")
    with _tracing(row_id), chdir(told.folder):
        code: int = import_module(told.module).main(arguments)
    return code


@contextmanager
def _tracing(row_id: str) -> Iterator[None]:
    before = _traced.set(row_id)
    try:
        yield
    finally:
        _traced.reset(before)
