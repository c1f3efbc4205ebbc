"""What an operator does, as a hash: class, options and code, so that a changed step is done again."""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import importlib.util
import inspect
import json
import pickle
import sys
import threading
import types
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from importlib.abc import InspectLoader
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from dataflow_ext.content import new_hash

if TYPE_CHECKING:
    from dataflow_ext.operator import Operator

_OURS = ("dataflow_ext", "operators", "prompts", "pipelines")


def fingerprint(operator: Operator) -> str:
    """What an operator does, as a hash: class, options, column maps, library version and code.

    Options that take part are those whose field does not say ``json_schema_extra={"fingerprint": False}``.
    A member with an ``identity()`` method (a model, a prompt) is taken at its word.
    """
    cls = type(operator)
    parts = {
        "class": f"{cls.__module__}.{cls.__qualname__}",
        "options": {n: _identity(getattr(operator, n)) for n in cls.model_fields if _counts(cls, n)},
        "version": _version(),
        "code": code_hash(cls),
    }
    return new_hash(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def code_hash(cls: type) -> str:
    """The hash of what a class's module says, of its bases', and of those of ours or of its package they import.

    Of a class without source, as in a notebook, its methods' byte code counts.
    """
    ours = (*_OURS, cls.__module__.partition(".")[0])
    names = _imports([base.__module__ for base in cls.__mro__], ours)
    parts = [f"{n}={module_hash(n)}" for n in sorted(names)]
    if _tree(cls.__module__) is None:
        parts.append(repr(_class_code(cls)))
    return new_hash("".join(parts).encode()).hexdigest()


def _imports(starts: Sequence[str], ours: Sequence[str]) -> set[str]:
    """Those of these modules, and of the modules that they reach by imports, that are ours."""
    todo, found = list(starts), set[str]()
    while todo:
        current = todo.pop()
        if current not in found and current.partition(".")[0] in ours:
            found.add(current)
            todo += _direct_imports(current)
    return found


#: Python 3.11 cannot parse or compile syntax trees in several threads at once.
_parsing = threading.Lock()


@lru_cache(maxsize=1024)
def _tree(name: str) -> ast.Module | None:
    """A module's syntax tree, whether it was imported already or not, or None if it has no source."""
    try:
        if isinstance(loader := getattr(_spec(name), "loader", None), InspectLoader):
            source = loader.get_source(name)
        else:
            source = inspect.getsource(sys.modules[name])
        if source is None:
            return None
        with _parsing:
            return ast.parse(source)
    except (ImportError, KeyError, OSError, TypeError, SyntaxError):
        return None


@lru_cache(maxsize=4096)
def _spec(name: str) -> ModuleSpec | None:
    try:
        return importlib.util.find_spec(name)
    except (ImportError, ValueError):  # no such package, or a script that is run
        return None


@lru_cache(maxsize=1024)
def module_hash(name: str) -> str:
    """The hash of what a module's source says, comments and docstrings apart."""
    tree = _tree(name)
    if tree is None:
        return name
    # Compiled and without places the tree is told four times as fast as by ast.dump.
    with _parsing:
        code = compile(tree, name, "exec", dont_inherit=True, optimize=2)
    return new_hash(repr(_plain_code(code)).encode("utf-8", "surrogatepass")).hexdigest()


@lru_cache(maxsize=1024)
def _direct_imports(name: str) -> tuple[str, ...]:
    tree, spec = _tree(name), _spec(name)
    ours = (*_OURS, name.partition(".")[0])
    out: list[str] = []
    for node in _statements(tree) if tree is not None else ():
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level and spec is not None:
                module = importlib.util.resolve_name("." * node.level + module, spec.parent)
            out.append(module)
            # Looking a name up imports what is above it: foreign packages, and modules that are no packages, shall
            # not be for this.
            if module.partition(".")[0] in ours and _is_package(module):
                out += [n for a in node.names if _spec(n := f"{module}.{a.name}") is not None]
        elif isinstance(node, ast.Import):
            out += [a.name for a in node.names]
    return tuple(out)


def _is_package(name: str) -> bool:
    spec = _spec(name)
    return spec is not None and spec.submodule_search_locations is not None


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Every statement, inner ones too; expressions, the bulk of a tree, are passed over."""
    todo: list[Any] = list(tree.body)
    while todo:
        node = todo.pop()
        yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, part, ())
            todo += inner if isinstance(inner, list) else ()


def _counts(cls: type[BaseModel], name: str) -> bool:
    extra = cls.model_fields[name].json_schema_extra
    return not (isinstance(extra, dict) and extra.get("fingerprint") is False)


def _identity(value: Any) -> Any:
    if hasattr(value, "identity") and callable(value.identity):
        # What a local model replies is decided by its code, not by a server.
        code = code_hash(type(value)) if getattr(value, "local", False) else None
        told = value.identity()
        return [type(value).__qualname__, dict(told) if isinstance(told, Mapping) else told, code]
    if isinstance(value, BaseModel):
        # By its fields: a prompt, a model or an engine in it is taken at its word there, too.
        fields = type(value).model_fields
        return [type(value).__qualname__, {n: _identity(getattr(value, n)) for n in fields if _counts(type(value), n)}]
    if isinstance(value, Mapping):
        return {str(k): _identity(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_identity(v) for v in value]
    if isinstance(value, Set):  # a set's own order differs from process to process
        return sorted((_identity(v) for v in value), key=repr)
    if isinstance(value, type):
        return f"{value.__module__}.{value.__qualname__}"
    if code := getattr(value, "__code__", None):
        return [value.__module__, value.__qualname__, repr(_plain_code(code)), repr(value.__defaults__)]
    if value is None or isinstance(value, (str, int, float, Path)):
        return value
    return [type(value).__qualname__, hashlib.sha256(pickle.dumps(value)).hexdigest()]


def _plain_code(code: types.CodeType) -> tuple[Any, ...]:
    """What a function does, without the places in file and memory where it stands."""
    return (code.co_code, code.co_names, code.co_varnames, [_plain_const(c) for c in code.co_consts])


def _plain_const(value: Any) -> Any:
    if isinstance(value, types.CodeType):
        return _plain_code(value)
    if isinstance(value, tuple):
        return tuple(_plain_const(v) for v in value)
    # A set's own order differs from process to process.
    return sorted(map(repr, value)) if isinstance(value, frozenset) else value


def _class_code(cls: type) -> list[Any]:
    functions = {n: getattr(f, "__func__", f) for n, f in sorted(vars(cls).items())}
    codes = [(n, _plain_code(f.__code__)) for n, f in functions.items() if hasattr(f, "__code__")]
    return [codes, [str(getattr(cls, name, None)) for name in ("inputs", "outputs", "rows", "key", "order")]]


@lru_cache(maxsize=1)
def _version() -> str:
    try:
        return importlib.metadata.version("dataflow-ext")
    except importlib.metadata.PackageNotFoundError:
        return "source"
