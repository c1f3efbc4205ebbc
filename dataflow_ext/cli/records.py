"""What a run leaves beside its data: run.toml, by which it can be done again, its inputs, and its log."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import platform
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from dataflow_ext import __version__
from dataflow_ext.cli.terminal import say
from dataflow_ext.errors import InputError, OptionError
from dataflow_ext.files import RUN_FOLDER, write_text
from dataflow_ext.packages import DISTRIBUTION, put_first
from dataflow_ext.tracebacks import log
from dataflow_ext.well_formed import well_formed

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


FILE = "run.toml"
#: Flags whose values may be secret, or name one.
_SECRET = ("api-key-env", "extra-body")

_BARE = re.compile("[A-Za-z0-9_-]+")

#: The module whose command is running, and its arguments.
called: ContextVar[tuple[str, Sequence[str]]] = ContextVar("dataflow_ext_called", default=("", ()))

#: The row that a pipeline's command is given to look at; None where it is to be run.
traced_row: ContextVar[str | None] = ContextVar("dataflow_ext_traced_row", default=None)


def module_of(work: Any) -> str:
    """The module of a command, under the name by which it can be imported."""
    name = str(work.__module__)
    spec = getattr(sys.modules.get("__main__"), "__spec__", None)
    return str(spec.name).removesuffix(".__main__") if name == "__main__" and spec is not None else name


def write_recipe(folder: Path, inputs: Mapping[str, str], models: Iterable[Any]) -> None:
    """Write ``run.toml`` into a run's folder; neither keys nor names of their variables stand in it."""
    module, arguments = called.get()
    told, left_out = _without_secrets(arguments)
    tables: dict[str, Mapping[str, Any]] = {
        "run": {"module": module, "arguments": told, "left_out": left_out, "folder": str(Path.cwd())},
        "inputs": inputs,
        "versions": {"python": platform.python_version(), DISTRIBUTION: __version__, **_versions()},
    }
    for model in models:
        told_of = dict(model.identity())
        if isinstance(told_of.get("extra_body"), Mapping):  # whose values may be secret
            told_of["extra_body"] = sorted(told_of["extra_body"])
        tables[f"model.{_text(model.name)}"] = told_of
    write_text(folder / FILE, "\n".join(_toml(tables)))


def repeat(arguments: Sequence[str]) -> int:
    """Do the run of a ``run.toml`` again, or of the folder that it left, with further arguments; its exit code.

    A recipe says which module is imported and what it does: who runs one trusts it as a program.
    """
    if not arguments or arguments[0] in ("--help", "-h"):
        say(f"usage: {DISTRIBUTION} run OUT [flags]   does the run again that left the folder OUT, or its {FILE}")
        return 0 if arguments else 2
    path = Path(arguments[0])
    path = path / RUN_FOLDER / FILE if path.is_dir() else path
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
        run, inputs, versions = told["run"], dict(told["inputs"]), dict(told["versions"])
        module, given, folder = str(run["module"]), [str(each) for each in run["arguments"]], Path(run["folder"])
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise InputError(f"{path} is no {FILE} of a run: {error}.") from None
    if folder.is_dir():
        os.chdir(folder)  # what the arguments name lies there, and the module perhaps
        sys.path.append(str(folder))
    for what in _changes(inputs, versions):
        say(f"note: {what}")
    if run.get("left_out"):
        say(f"note: {', '.join(run['left_out'])} was not kept; give it again if it is needed")
    put_first()
    try:
        main = import_module(module).main
    except (ImportError, AttributeError, ValueError):
        raise OptionError(f"{path}: there is no module {module!r} here that has a main().") from None
    code: int = main([*given, *arguments[1:]])
    return code


def _without_secrets(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The arguments, and the flags that were left out with their values."""
    kept: list[str] = []
    gone: list[str] = []
    rest = iter(arguments)
    for each in rest:
        flag, given, _ = each.partition("=")
        if flag.startswith("--") and flag.endswith(_SECRET):
            gone.append(flag)
            if not given:
                next(rest, None)
        else:
            kept.append(each)
    return kept, gone


def _changes(inputs: Mapping[str, str], versions: Mapping[str, str]) -> Iterator[str]:
    now = RunInputs.of(map(Path, inputs)).files
    yield from (f"{path} is not what it was" for path, mark in inputs.items() if mark != now.get(path, ""))
    here = {"python": platform.python_version(), DISTRIBUTION: __version__, **_versions()}
    yield from (
        f"{name} {before} made it, here is {here[name]}"
        for name, before in versions.items()
        if name in here and here[name] != before
    )


def _versions() -> dict[str, str]:
    """The versions of what this library needs."""
    try:
        needed = [each for each in requires(DISTRIBUTION) or () if ";" not in each]
    except PackageNotFoundError:
        return {}
    names = ("".join(c if c.isalnum() or c in "-_." else " " for c in each).split()[0] for each in needed)
    return {name: version(name) for name in sorted(names)}


def _toml(tables: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    for name, values in tables.items():
        yield f"[{name}]"
        told = ((key if _BARE.fullmatch(key) else _text(key), value) for key, value in values.items())
        yield from (f"{key} = {_value(value)}" for key, value in told if value is not None)
        yield ""


def _value(value: Any) -> str:
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return _text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str))


def _text(value: str) -> str:
    """A text as JSON has it, which TOML reads as well."""
    return json.dumps(value.encode("utf-8", "replace").decode(), ensure_ascii=False).replace("\x7f", "\\u007f")


#: The log's name in a run's folder, and the bytes from which on it begins anew; the one before is kept beside it.
NAME, _MOST = "run.log", 1_000_000

#: Variables of the environment whose values stand in no log.
_SECRET_NAME = re.compile(r"(?i)key|token|secret|passw|credential")


@contextmanager
def logged(folder: Path, secrets: tuple[str, ...] = ()) -> Iterator[None]:
    """Write what happens inside into the folder's log: the run's steps, and all warnings of this process.

    The values of variables that are called like secrets, and of those named in ``secrets``, are masked.
    """
    named = {value for name, value in os.environ.items() if _SECRET_NAME.search(name) or name in secrets}
    handler = _Log(folder / NAME, named)
    level, propagate = log.level, log.propagate
    root = logging.getLogger()
    log.setLevel(logging.INFO)
    log.propagate = False
    log.addHandler(handler)
    root.addHandler(handler)
    try:
        yield
    except BaseException:
        log.info("ended by an error", exc_info=True)
        raise
    finally:
        root.removeHandler(handler)
        log.removeHandler(handler)
        log.setLevel(level)
        log.propagate = propagate
        handler.close()


class _Log(RotatingFileHandler):
    """A file that is its owner's alone, without secrets; one that cannot be written is no reason to stop."""

    def __init__(self, path: Path, secrets: set[str]) -> None:
        super().__init__(path, maxBytes=_MOST, backupCount=1, encoding="utf-8", delay=True)
        self._secrets = secrets
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))

    def format(self, record: logging.LogRecord) -> str:
        from dataflow_ext.models.untrusted import masked  # a command's help has no use for models

        text = well_formed(super().format(record))
        for secret in self._secrets:
            text = masked(text, secret)
        return text

    def handleError(self, record: logging.LogRecord) -> None:
        pass

    def _open(self) -> TextIOWrapper:
        file = os.open(self.baseFilename, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        return os.fdopen(file, "a", encoding="utf-8")
