"""What a live value is, as nested tuples: functions with what they name, classes with their bases, files by content."""

from __future__ import annotations

import builtins
import collections
import contextlib
import contextvars
import copyreg
import enum
import functools
import logging
import os
import sys
import threading
import types
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import resolve_name
from pathlib import Path, PurePath
from typing import Any

import pyarrow as pa
from pydantic import BaseModel

from dataflow_ext.fingerprint.content import file_hash, table_hash
from dataflow_ext.fingerprint.modules import Unprovable, origin_of, patched_class
from dataflow_ext.fingerprint.sources import code_id, digest, instructions, named

_PLAIN = {type(None), bool, int, float, complex, str, bytes, type(Ellipsis), type(NotImplemented)}
#: What keeps threads apart decides no result, and a log takes none.
_NEUTRAL = (
    *(type(threading.Lock()), type(threading.RLock()), threading.Event, threading.Condition),
    *(threading.Semaphore, logging.Logger),
)
_MAPS = {dict, types.MappingProxyType, collections.OrderedDict, collections.defaultdict, collections.Counter}
_BUILTIN = (
    *(types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, types.MethodWrapperType),
    *(types.ClassMethodDescriptorType, types.GetSetDescriptorType, types.MemberDescriptorType),
)
#: With these a function reaches what its text does not name.
_ANYTHING = {"eval", "exec", "globals", "__import__"}
#: What Python, pickle and pydantic note in a class for themselves.
_NOTES = {
    *("__module__", "__qualname__", "__doc__", "__dict__", "__weakref__", "__abstractmethods__", "_abc_impl"),
    *("__dataclass_fields__", "__signature__", "__class_vars__", "__private_attributes__", "__parameters__"),
    *("model_fields", "model_computed_fields", "__firstlineno__", "__static_attributes__", "__annotate__", "__hash__"),
    *("__annotations_cache__", "__annotate_func__", "__conditional_annotations__", "__slotnames__"),
}
_FIELD = ("annotation", "default", "default_factory", "metadata", "alias", "validation_alias", "validate_default")
#: How many files of a folder are read to know what it holds.
_MOST_FILES = 20_000


class Walk:
    """The values that a result may depend on, followed as far as their users wrote them.

    ``modules`` collects the modules that were met, ``followed`` those of which functions or classes were followed.
    These stand in ``nodes``, each once, so that they may name each other.
    """

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self.followed: set[str] = set()
        self.nodes: dict[str, Any] = {}
        self._names: dict[int, str] = {}
        self._counts: collections.Counter[str] = collections.Counter()
        self._held: list[Any] = []
        self._inside: dict[int, int] = {}
        self._coding = 0

    def value(self, value: Any) -> Any:
        """The value as nested tuples of plain values; :class:`Unprovable` for what has no lasting form."""
        if type(value) in _PLAIN:
            return value if not isinstance(value, (str, bytes)) or len(value) < 200 else ("long", digest(value))
        if isinstance(value, (types.FunctionType, type)):
            return self._node(value)
        if id(value) in self._inside:
            return ("again", len(self._inside) - self._inside[id(value)])
        self._inside[id(value)] = len(self._inside)
        try:
            return self._parts(value)
        finally:
            del self._inside[id(value)]

    def whole(self, root: Any) -> str:
        """The hash of a value's tuples and of all that was met on the way."""
        return digest(repr((root, sorted(self.nodes.items())))).partition(":")[2]

    def _parts(self, value: Any) -> Any:
        kind = type(value)
        if kind in (list, tuple):
            if set(map(type, value)) <= _PLAIN:
                return (kind.__name__, digest(repr(value)))
            return (kind.__name__, *map(self.value, value))
        if kind in _MAPS:
            factory = getattr(value, "default_factory", None)
            return ("map", kind.__name__, factory and self.value(factory), *self._pairs(value))
        if isinstance(value, (set, frozenset)):
            more = self.value(getattr(value, "__dict__", None))
            return ("set", self.value(kind), more, *self._unordered(value))
        if isinstance(value, PurePath):
            # A file that code names by itself is its user's affair; one that is given as an option is an input.
            return ("path", str(value)) if self._coding else self.path(value)
        if isinstance(value, BaseModel) or callable(getattr(value, "identity", None)):
            return self._told(value)
        for form in (self._callable, self._of_library, self._by_reduction):
            if (made := form(value)) is not None:
                return made
        raise Unprovable(f"a value of type {kind.__qualname__}")

    def _pairs(self, value: Mapping[Any, Any]) -> Iterator[Any]:
        for key, item in list(value.items()):
            yield (self.value(key), self.value(item))

    def _unordered(self, values: Iterable[Any]) -> list[Any]:
        """A set's members in an order that is the same in every process."""
        plain = [v for v in values if type(v) in _PLAIN]
        others = [v for v in values if type(v) not in _PLAIN]
        return [*sorted(map(repr, plain)), *sorted(map(repr, map(self.value, sorted(others, key=_name))))]

    def path(self, path: PurePath) -> Any:
        """A path, with the content of the file or folder that it leads to."""
        try:
            if not os.path.isdir(path):  # noqa: PTH112 - unlike Path's, it takes a name too long for the disk
                return ("path", str(path), file_hash(str(path)))
            files = sorted(p for p in Path(path).rglob("*") if p.is_file())
        except (OSError, ValueError):
            return ("path", str(path), "no file")
        if len(files) > _MOST_FILES:
            raise Unprovable(f"the folder {path} holds more than {_MOST_FILES:,} files")
        return ("path", str(path), *((str(p.relative_to(path)), file_hash(p)) for p in files))

    def _told(self, value: Any) -> Any:
        """A record by its fields; a model, a prompt or an engine by what it says of itself."""
        if callable(getattr(value, "identity", None)):
            told = value.identity()
            return ("told", self.value(type(value)), self.value(dict(told) if isinstance(told, Mapping) else told))
        fields = [(n, self.field(value, n)) for n in type(value).model_fields if counts(type(value), n)]
        return ("record", self.value(type(value)), fields, self.value(value.model_extra))

    def field(self, record: BaseModel, name: str) -> Any:
        """One option: of a path that is written to, the name alone."""
        value = getattr(record, name)
        if value is not None and OUTPUT in _metadata(type(record).model_fields[name]):
            return ("written", str(value) if isinstance(value, PurePath) else tuple(map(str, value)))
        return self.value(value)

    def _callable(self, value: Any) -> Any:
        if isinstance(value, types.MethodType):
            return ("method", self.value(value.__func__), self.value(value.__self__))
        if isinstance(value, (classmethod, staticmethod)):
            return (type(value).__name__, self.value(value.__func__))
        if isinstance(value, property):
            return ("property", *(self.value(f) for f in (value.fget, value.fset, value.fdel)))
        if isinstance(value, functools.cached_property):
            return ("cached", self.value(value.func))
        if isinstance(value, functools.partial):
            return ("partial", *map(self.value, (value.func, value.args, value.keywords)))
        if isinstance(value, functools.partialmethod):
            return ("partial", *map(self.value, (value.func, value.args, value.keywords)))
        if isinstance(value, functools._lru_cache_wrapper):
            return ("cached", self.value(value.__wrapped__))
        if isinstance(value, _BUILTIN):
            owner = getattr(value, "__self__", None)
            bound = None if owner is None or isinstance(owner, types.ModuleType) else self.value(owner)
            return ("builtin", getattr(value, "__module__", None) or "", value.__qualname__, bound)
        return None

    def _of_library(self, value: Any) -> Any:
        if isinstance(value, types.ModuleType):
            return self._module(value)
        if isinstance(value, _NEUTRAL):
            return ("neutral", type(value).__name__, getattr(value, "name", ""))
        if isinstance(value, pa.Table):
            return ("table", table_hash(value))
        if isinstance(value, (pa.Array, pa.ChunkedArray)):
            return ("array", table_hash(pa.table({"": value})))
        if isinstance(value, threading.local):
            return ("local", self.value(vars(value)))
        if isinstance(value, contextvars.ContextVar):
            return ("context", value.name, self.value(value.get(None)))
        if isinstance(value, types.CellType):
            return ("cell", self.value(value.cell_contents) if _filled(value) else "empty")
        if isinstance(value, types.CodeType):
            return ("code", code_id(value))
        return None

    def _by_reduction(self, value: Any) -> Any:
        """Any other object as pickle takes it apart: what makes it, and its state."""
        try:
            reducer = copyreg.dispatch_table.get(type(value))
            made = reducer(value) if reducer is not None else value.__reduce_ex__(4)
        except Exception:
            raise Unprovable(f"a value of type {type(value).__qualname__}") from None
        if isinstance(made, str):
            return ("global", type(value).__module__, made)
        make, given, *rest = made
        state = rest[0] if rest else None
        items = [list(part) for part in rest[1:3] if part is not None]
        if isinstance(make, types.BuiltinFunctionType) and make.__name__ == "__newobj__":
            make = "new"
        return ("object", *map(self.value, (type(value), make, tuple(given), state, *items)))

    def _module(self, module: types.ModuleType) -> Any:
        """A module that is handed on as a value: of a user's, all that it holds may matter."""
        name = module.__name__
        self.modules.add(name)
        if origin_of(name) != "user" or f"module {name}" in self.nodes:
            return ("module", name)
        self.nodes[f"module {name}"] = None
        held = {k: v for k, v in vars(module).items() if not k.startswith("__")}
        self.nodes[f"module {name}"] = [(k, self._of("name", k, v)) for k, v in held.items()]
        return ("module", name)

    def _of(self, what: str, name: str, value: Any) -> Any:
        try:
            return self.value(value)
        except Unprovable as error:
            raise Unprovable(f"{error} ({what} {name})" if " (" not in str(error) else str(error)) from None

    def _node(self, value: Any) -> Any:
        """A function or a class: of a user's what it does, of others its name, for which their module stands."""
        module = getattr(value, "__module__", None) or ""
        self.modules.add(module)
        origin = origin_of(module)
        if origin != "user" and not _made_at_run_time(value):
            if isinstance(value, type):
                self._patches(value)
            return (type(value).__name__, f"{module}.{value.__qualname__}")
        if id(value) in self._names:
            return ("node", self._names[id(value)])
        self._held.append(value)  # so that no other object can get its place in memory
        self.followed.add(module)
        name = f"{module}.{value.__qualname__}"
        self._counts[name] += 1
        name = self._names[id(value)] = f"{name}/{self._counts[name]}"
        self.nodes[name] = None
        self._coding += 1
        try:
            self.nodes[name] = self._class(value) if isinstance(value, type) else self._function(value)
        finally:
            self._coding -= 1
        return ("node", name)

    def _patches(self, cls: type) -> None:
        """What was put into a class of this library, or into one that it derives from."""
        for each in cls.__mro__:
            if origin_of(each.__module__) == "library":
                self.modules.add(each.__module__)
                for name, strange in patched_class(each):
                    if f"patched {each.__module__}.{name}" not in self.nodes:
                        self.nodes[f"patched {each.__module__}.{name}"] = None
                        self.nodes[f"patched {each.__module__}.{name}"] = self.value(strange)

    def _class(self, cls: type) -> Any:
        bases = [self.value(base) for base in cls.__bases__]
        held = [(n, self._of("attribute", n, v)) for n, v in sorted(vars(cls).items()) if _is_content(cls, n)]
        told: list[Any] = [self.value(type(cls))]
        if issubclass(cls, BaseModel):
            for name, info in cls.model_fields.items():
                told.append((name, *(self.value(getattr(info, part, None)) for part in _FIELD)))
            for kind in ("validators", "field_validators", "root_validators", "model_validators"):
                told += [(kind, n, self.value(d.info)) for n, d in getattr(cls.__pydantic_decorators__, kind).items()]
        if issubclass(cls, enum.Enum):
            told += [(name, self.value(member._value_)) for name, member in cls.__members__.items()]
        return ("class", bases, held, told)

    def _function(self, function: types.FunctionType) -> Any:
        dispatched = getattr(function, "registry", None)
        if isinstance(dispatched, types.MappingProxyType) and hasattr(function, "dispatch"):
            return ("dispatch", *sorted((_name(cls), self.value(cls), self.value(f)) for cls, f in dispatched.items()))
        own = origin_of(function.__module__ or "") == "user"
        closed = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        held = {k: v for k, v in vars(function).items() if k != "__wrapped__"}
        return (
            "function",
            instructions(function.__code__),
            *map(self.value, (function.__defaults__, function.__kwdefaults__, held)),
            [(n, self._of("variable", n, cell)) for n, cell in closed],
            # For what a function of others names, its module stands.
            [(n, self._of("global", n, v)) for n, v in self._globals(function)] if own else [],
        )

    def _globals(self, function: types.FunctionType) -> Iterator[tuple[str, Any]]:
        """The globals that a function names, and what it takes from modules, with their values."""
        space, seen = function.__globals__, set[str]()
        for names in named(function.__code__):
            if names[0] == "import":
                self._imports(names, space)
                continue
            first, *rest = names
            if first not in space:
                if first in _ANYTHING and hasattr(builtins, first):
                    raise Unprovable(f"what {function.__qualname__} reaches by {first}()")
                continue
            value, path = space[first], first
            while isinstance(value, types.ModuleType) and rest and hasattr(value, rest[0]):
                self.modules.add(value.__name__)
                name = rest.pop(0)
                value, path = getattr(value, name), f"{path}.{name}"
            if path == "importlib.import_module" or getattr(value, "__qualname__", "") == "import_module":
                raise Unprovable(f"what {function.__qualname__} reaches by import_module()")
            if path not in seen:
                seen.add(path)
                yield path, value

    def _imports(self, names: tuple[str, ...], space: Mapping[str, Any]) -> None:
        """Note a module that a function imports when it is called."""
        _, level, module, *parts = names
        package = space.get("__package__") or str(space.get("__name__", "")).rpartition(".")[0]
        try:
            module = resolve_name("." * int(level) + module, package) if int(level) else module
        except ImportError:
            return
        self.modules.add(module)
        self.modules.update(f"{module}.{part}" for part in parts if f"{module}.{part}" in sys.modules)


class Output:
    """The mark of a path that an operator writes to: its content is no input. Use :data:`OutputPath`."""


OUTPUT = Output()


def counts(cls: type[BaseModel], name: str) -> bool:
    """Whether a field takes part in what its record is."""
    extra = cls.model_fields[name].json_schema_extra
    return not (isinstance(extra, dict) and extra.get("fingerprint") is False)


def _metadata(info: Any) -> list[Any]:
    """The marks of a field, also where they stand inside of its annotation."""
    found, todo = list(info.metadata), [info.annotation]
    while todo:
        annotation = todo.pop()
        found += getattr(annotation, "__metadata__", ())
        todo += getattr(annotation, "__args__", ())
    return found


def _name(value: Any) -> str:
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value).__qualname__)}"


def _filled(cell: types.CellType) -> bool:
    with contextlib.suppress(ValueError):
        return cell.cell_contents is not cell
    return False


def _made_at_run_time(value: Any) -> bool:
    """Whether a function comes from nobody's file: then its module's file does not stand for it."""
    return isinstance(value, types.FunctionType) and (value.__closure__ is not None or "<locals>" in value.__qualname__)


def _is_content(cls: type, name: str) -> bool:
    if name in _NOTES or name.startswith("__pydantic_"):
        return False
    return not (issubclass(cls, enum.Enum) and (name in cls.__members__ or name.startswith("_")))
