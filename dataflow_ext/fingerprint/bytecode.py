"""What a function's byte code says: what it does, and what it names."""

from __future__ import annotations

import dis
import types
from functools import lru_cache
from typing import Any

from dataflow_ext.fingerprint.sources import digest

#: A flag of code in Python 3.13 and later.
_HAS_DOCSTRING = 0x4000000


@lru_cache(maxsize=8192)
def instructions(code: types.CodeType) -> tuple[Any, ...]:
    """What a function does, whatever its docstring says and wherever it stands."""
    steps = [(i.opname, _argument(i)) for i in dis.get_instructions(code)]
    given = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_varnames)
    return (digest(repr(steps)), code.co_exceptiontable, given, code.co_flags & ~_HAS_DOCSTRING)


def _argument(step: dis.Instruction) -> Any:
    if isinstance(step.argval, types.CodeType):
        return instructions(step.argval)
    if isinstance(step.argval, frozenset):
        return sorted(map(repr, step.argval))
    return step.arg if step.opname in ("MAKE_FUNCTION", "RESUME") else step.argval


@lru_cache(maxsize=8192)
def named(code: types.CodeType) -> tuple[tuple[str, ...], ...]:
    """The globals that a function names, each with the attributes that it takes of it at once, and its imports."""
    found: dict[tuple[str, ...], None] = {}
    steps = list(dis.get_instructions(code))
    for i, step in enumerate(steps):
        if isinstance(step.argval, types.CodeType):
            found.update(dict.fromkeys(named(step.argval)))
        elif step.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"):
            rest = []
            for after in steps[i + 1 :]:
                if after.opname not in ("LOAD_ATTR", "LOAD_METHOD"):
                    break
                rest.append(str(after.argval))
            found[step.argval, *rest] = None
        elif step.opname == "IMPORT_NAME":
            taken = [str(after.argval) for after in steps[i + 1 : i + 40] if after.opname == "IMPORT_FROM"]
            level = steps[i - 2].argval if i > 1 else 0
            found["import", str(level if isinstance(level, int) else 0), str(step.argval), *taken] = None
    return tuple(found)
