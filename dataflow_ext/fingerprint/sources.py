"""What source files and byte code say, as hashes that are kept on disk: docstrings and places do not count."""

from __future__ import annotations

import ast
import contextlib
import dis
import json
import os
import sys
import threading
import time
import types
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from dataflow_ext.files import user_folder
from dataflow_ext.fingerprint.content import new_hash

#: Nanoseconds: what was changed less than so long ago may change again without another time of change.
_SETTLED = 2_000_000_000
#: Files whose hashes are kept; the ones that were asked for last stay. A run asks for some 1,400; 20,000 took 130 MB.
_KEPT = 4_000


@dataclass(frozen=True, slots=True)
class Source:
    """What a source file says.

    ``hash`` stands for all of it, ``codes`` for each function and class body in it. ``imports`` are
    ``(level, module, names)``, ``constants`` the hashes of what it binds to plain literals for good, ``homes``
    the modules from which a package fetches names when they are asked for.
    """

    hash: str
    codes: frozenset[str] = frozenset()
    imports: tuple[tuple[int, str, tuple[str, ...]], ...] = ()
    constants: dict[str, str] = field(default_factory=dict)
    homes: dict[str, str] = field(default_factory=dict)


def source_of(path: str) -> Source | None:
    """What a Python file says, or None if there is no such file or it is no Python."""
    try:
        found: Source | None = memory.get(path, _read)
    except (OSError, ValueError, SyntaxError, RecursionError):
        return None
    return found


def code_id(code: types.CodeType) -> str:
    """The hash of what a code object does, wherever it stands."""
    known = _ids.get(id(code))
    if known is None:
        # The code object is kept, so that no other one can get its place in memory.
        known = _ids[id(code)] = (_hash(repr(_plain(code))), code)
    return known[0]


_ids: dict[int, tuple[str, types.CodeType]] = {}


def _plain(code: types.CodeType) -> tuple[Any, ...]:
    """What a function does, without the places in file and memory where it stands."""
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return (code.co_code, code.co_exceptiontable, counts, names, [_plain_const(c) for c in code.co_consts])


def _plain_const(value: Any) -> Any:
    if isinstance(value, types.CodeType):
        return _plain(value)
    if isinstance(value, tuple):
        return tuple(_plain_const(v) for v in value)
    # A set's own order differs from process to process.
    return ("set", sorted(map(repr, value))) if isinstance(value, frozenset) else value


def digest(value: str | bytes) -> str:
    """The hash of a text or of bytes, which of the two it was included."""
    data = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
    return f"{type(value).__name__}:{new_hash(data).hexdigest()}"


def _hash(text: str) -> str:
    return new_hash(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


#: Python 3.11 cannot parse or compile syntax trees in several threads at once.
_parsing = threading.Lock()


def _read(path: str) -> Source:
    text = Path(path).read_bytes()
    with _parsing:
        tree = ast.parse(text)
        whole = compile(tree, "source", "exec", dont_inherit=True)
        changing = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
        constants = {n: v for n, v in _literals(tree) if n not in changing}
        imports = tuple(_imports(tree))
        bare = compile(_without_docstrings(tree), "source", "exec", dont_inherit=True)
    return Source(
        _hash(repr(_plain(bare))),
        frozenset(map(_code_of_source, _inner(whole))),
        imports,
        {n: constant_id(v) for n, v in constants.items() if _is_plain(v)},
        dict(_offered(tree)),
    )


def _code_of_source(code: types.CodeType) -> str:
    """The hash of a code object that nobody holds any longer than this call."""
    return _hash(repr(_plain(code)))


def constant_id(value: Any) -> str:
    """The hash of a plain constant."""
    return _hash(repr((type(value).__name__, _plain_const(value))))


def _inner(code: types.CodeType) -> Iterator[types.CodeType]:
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield const
            yield from _inner(const)


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, (str, int, float, bytes))


def _literals(tree: ast.Module, inside: str = "") -> Iterator[tuple[str, Any]]:
    """The names that are bound once, and to a literal, by the statements of the module and of its classes."""
    bound: dict[str, Any] = {}
    for node in _statements(tree.body):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign)):
            targets = [node.target]
        for name in {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}:
            simple = not isinstance(node, ast.AugAssign) and isinstance(targets[0], ast.Name) and name not in bound
            bound[name] = getattr(node, "value", None) if simple else None
    for node in tree.body if not inside else ():
        if isinstance(node, ast.ClassDef):
            yield from _literals(ast.Module(node.body, []), f"{node.name}.")
    for name, value in bound.items():
        if value is not None:
            with contextlib.suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                yield f"{inside}{name}", ast.literal_eval(value)


def _imports(tree: ast.Module) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """What is imported anywhere in the module, functions included, but not for type checkers alone."""
    for node in _statements(tree.body, deep=True):
        if isinstance(node, ast.ImportFrom):
            yield node.level, node.module or "", tuple(a.name for a in node.names)
        elif isinstance(node, ast.Import):
            yield from ((0, a.name, ()) for a in node.names)


def _offered(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names that a package imports ``X as X`` for type checkers alone, and fetches when they are used."""
    for node in tree.body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            for inner in node.body:
                if isinstance(inner, ast.ImportFrom) and inner.module:
                    yield from ((each.name, inner.module) for each in inner.names if each.asname == each.name)


def _statements(body: list[ast.stmt], deep: bool = False) -> Iterator[ast.stmt]:
    """The statements and those inside them; ``deep``, those of functions and classes too. Expressions, the bulk of
    a tree, are passed over."""
    todo: list[Any] = list(reversed(body))
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and not deep:
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            todo += reversed(node.orelse)
            continue
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, part, ())
            todo += reversed(inner) if isinstance(inner, list) else ()


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            # What stood second must not become a docstring in its turn.
            while node.body and _is_text(node.body[0]):
                del node.body[0]
            if not node.body and not isinstance(node, ast.Module):
                node.body.append(ast.Pass(lineno=node.lineno, col_offset=0, end_lineno=node.lineno, end_col_offset=0))
    return tree


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


class HashMemory:
    """Results about files, kept by path, size and times of change: in this process, and in a file for the next ones."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[list[int], Any]] | None = None
        self._new = False

    def get(self, path: str, make: Any) -> Any:
        """What ``make`` says of the file, which is asked only if the file changed since it was."""
        stat = os.stat(path)  # noqa: PTH116 - asked for hundreds of files at each start
        stamp = [stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns]
        with self._lock:
            kept = self._load()
            known = kept.pop(path, None)
            if known is not None and known[0] == stamp:
                kept[path] = known  # behind all that were asked for earlier: the first ones are forgotten first
                return known[1]
        made = make(path)
        if time.time_ns() - max(stamp[1:]) > _SETTLED:
            with self._lock:
                kept[path] = (stamp, made)
                self._new = True
        return made

    def keep(self) -> None:
        """Write what is new for the processes to come; where that cannot be, they find out for themselves."""
        with self._lock:
            if not self._new or self._kept is None:
                return
            self._new = False
            last = list(self._kept.items())[-_KEPT:]
            kept = {path: known for path, known in last if os.path.exists(path)}  # noqa: PTH110 - asked for thousands
        told = {path: [stamp, _told(made)] for path, (stamp, made) in kept.items()}
        with contextlib.suppress(OSError, ValueError):
            target = self._file()
            target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            partial = target.with_name(f".{target.name}.{os.getpid()}-{threading.get_ident()}")
            partial.write_text(json.dumps(told), encoding="utf-8")
            partial.replace(target)

    def _load(self) -> dict[str, tuple[list[int], Any]]:
        if self._kept is None:
            self._kept = {}
            with contextlib.suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
                told = json.loads(self._file().read_text(encoding="utf-8"))
                self._kept = {path: (stamp, _untold(made)) for path, (stamp, made) in told.items()}
        return self._kept

    def _file(self) -> Path:
        tag = f"{sys.implementation.cache_tag}-{sys.flags.optimize}"
        return user_folder() / f"{self._name}-{tag}.json"


def _told(made: Any) -> Any:
    if not isinstance(made, Source):
        return made
    # Not asdict, which copies all that is in it: that took seconds for the sources of a machine.
    return {each.name: getattr(made, each.name) for each in fields(made)} | {"codes": sorted(made.codes)}


def _untold(told: Any) -> Any:
    if not isinstance(told, dict) or "codes" not in told:
        return told
    imports = tuple((level, module, tuple(names)) for level, module, names in told["imports"])
    return Source(told["hash"], frozenset(told["codes"]), imports, told["constants"], told["homes"])


#: What is known of files of this machine.
memory = HashMemory("sources-2")


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
