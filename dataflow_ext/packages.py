"""The packages of this library: found before others of their names, and what its extras are installed by."""

from __future__ import annotations

import shlex
import sys
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from pathlib import Path

from dataflow_ext.errors import HiddenPackageError

#: The distribution on the package index; what is imported has names of its own.
DISTRIBUTION = "rowsmith"

#: The folder that all our packages lie in, and those of them whose names a user's folder may have: they are common.
HOME = Path(__file__).resolve().parents[1]
NAMES = ("operators", "pipelines", "prompts")


def install_hint(extra: str, python: str | None = None) -> str:
    """The command that installs an extra into the environment that runs this.

    ``python`` stands for the interpreter in texts that are kept in data: a path of this machine has no place there.

    >>> install_hint("ocr", python="python")
    "python -m pip install 'rowsmith[ocr]'"
    """
    return f"{python or shlex.quote(sys.executable or 'python')} -m pip install '{DISTRIBUTION}[{extra}]'"


def put_first() -> None:
    """Let our packages be found before others of their names: folders that hide them move behind ours on sys.path."""
    if HOME not in map(_resolved, sys.path):
        sys.path.append(str(HOME))
    place = [_resolved(entry) for entry in sys.path].index(HOME)
    hiding = [entry for entry in sys.path[:place] if any(_is_regular(_found(name, entry)) for name in NAMES)]
    others = [entry for entry in sys.path if entry not in hiding]
    place -= len(hiding)
    sys.path[:] = [*others[: place + 1], *hiding, *others[place + 1 :]]


def must_not_be_hidden() -> None:
    """Raise HiddenPackageError if one of our packages is not what an import of its name would give."""
    for name in NAMES:
        spec = find_spec(name)
        if spec is None or spec.origin is None or not (HOME / name).is_dir():
            continue
        if not Path(spec.origin).parent.samefile(HOME / name):
            raise HiddenPackageError(
                f"Rowsmith's own package '{name}' is hidden by yours, {spec.origin}; rename yours, or use the command "
                "`rowsmith`, which finds its own."
            )


def _found(name: str, folder: str) -> ModuleSpec | None:
    return PathFinder.find_spec(name, [folder])


def _is_regular(spec: ModuleSpec | None) -> bool:
    """Whether it is a module or a package; a folder without ``__init__.py`` hides nothing."""
    return spec is not None and spec.has_location


def _resolved(path: str) -> Path:
    return Path(path).resolve()
