"""run.toml: what a run was called with, of which inputs, models and versions, so that it can be done again."""

from __future__ import annotations

import json
import os
import platform
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

from dataflow_ext import __version__
from dataflow_ext.errors import InputError, OptionError
from dataflow_ext.files import RUN_FOLDER, write_text
from dataflow_ext.installing import DISTRIBUTION
from dataflow_ext.own_packages import put_first
from dataflow_ext.terminal import say

FILE = "run.toml"
#: Flags whose values may be secret, or name one.
_SECRET = ("api-key-env", "extra-body")

_BARE = re.compile("[A-Za-z0-9_-]+")

#: The module whose command is running, and its arguments.
called: ContextVar[tuple[str, Sequence[str]]] = ContextVar("dataflow_ext_called", default=("", ()))


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
    from dataflow_ext.run_inputs import RunInputs

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
