"""What an operator does, as a hash: class, options and all code and values behind them, so that a changed step is
done again."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from dataflow_ext.errors import OptionError
from dataflow_ext.fingerprint.modules import Unprovable, closure, look_anew, origin_of, patched, source_in
from dataflow_ext.fingerprint.sources import memory
from dataflow_ext.fingerprint.values import OUTPUT, Walk, counts

if TYPE_CHECKING:
    from dataflow_ext.operator import Operator

__all__ = ["OutputPath", "Unprovable", "code_hash", "fingerprint", "fingerprints", "module_hash"]

logger = logging.getLogger(__name__)

#: The type of an option that names a file or folder to write to: its name counts, what lies there does not.
OutputPath = Annotated[Path, OUTPUT]

_said: set[str] = set()


def fingerprint(operator: Operator) -> str:
    """What an operator does, as a hash: equal only if class, options, and all that these reach, are equal.

    Of options those take part whose field does not say ``json_schema_extra={"fingerprint": False}``; paths stand
    with the content of their files, but for those of type :data:`OutputPath`. A member with an ``identity()``
    method (a model, a prompt) is taken at its word. Functions stand with their defaults, closures and the globals
    that they name, modules of the user's and of this library with their content, others with their distribution's
    version. Raises :class:`Unprovable` for what cannot be compared with what it was.
    """
    look_anew()
    return _fingerprint(operator)


def fingerprints(pipeline: Iterable[Operator]) -> list[str | None]:
    """The fingerprint of each step, or None, which is said once, where a result cannot be remembered."""
    out: list[str | None] = []
    look_anew()
    for operator in pipeline:
        try:
            out.append(_fingerprint(operator) if operator.remembered else None)
        except Unprovable as error:
            out.append(None)
            _say(f"{type(operator).__name__} is done anew in each run: what it depends on cannot all be compared, "
                 f"namely {error}.")  # fmt: skip
    memory.keep()
    return out


def code_hash(cls: type) -> str:
    """The hash of all code that a class stands on."""
    walk = Walk()
    return walk.whole([walk.value(cls), _code(walk)])


def module_hash(name: str) -> str:
    """The hash of what a module's source says, comments and docstrings apart."""
    source = source_in(name)
    return name if source is None else source.hash


def _fingerprint(operator: Operator) -> str:
    walk = Walk()
    try:
        return walk.whole([*_told(operator, walk), _code(walk)])
    except RecursionError:
        raise Unprovable("values that are nested too deeply") from None


def _told(operator: Operator, walk: Walk) -> list[Any]:
    cls = type(operator)
    options = [n for n in cls.model_fields if n not in ("reads", "writes", "depends") and counts(cls, n)]
    return [
        f"Python {sys.version_info[0]}.{sys.version_info[1]}",
        walk.value(cls),
        sorted(operator.reads.items()),
        sorted(operator.writes.items()),
        [(n, walk.field(operator, n)) for n in options],
        [(str(what), _dependency(walk, what)) for what in operator.depends],
    ]


def _code(walk: Walk) -> Any:
    """What stands for the modules that were met, and what was put into them since they were loaded."""
    found: dict[str, str] = {}
    done = set[str]()
    while new := walk.modules - done:
        done |= new
        more = closure(new)
        for name in sorted(more.keys() - found.keys()):
            # Of a user's module that was followed, what its functions name was looked at as it is now.
            if origin_of(name) == "library" or name not in walk.followed:
                for key, value in patched(name):
                    walk.nodes[f"patched {name}.{key}"] = walk.value(value)
        found |= more
    return sorted(found.items())


def _dependency(walk: Walk, what: str | Path) -> Any:
    """What a member of ``depends`` is now: a file's content, a variable's value, or that of the environment."""
    if isinstance(what, Path) or Path(what).exists():
        return walk.path(Path(what))
    if what.startswith("$"):
        return os.environ.get(what[1:])
    module, _, name = what.rpartition(".")
    try:
        value: Any = import_module(module)
        return walk.value(getattr(value, name))
    except (ImportError, AttributeError, ValueError):
        raise OptionError(
            f"depends names {what!r}, which is neither a file nor a variable; write a path, 'module.NAME', or '$NAME' "
            "for the environment."
        ) from None


def _say(text: str) -> None:
    if text not in _said:
        _said.add(text)
        logger.warning("%s", text)
