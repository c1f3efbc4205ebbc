"""Where modules come from, what they import, and what stands for them: content, or a distribution's version."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Literal

from dataflow_ext.fingerprint.content import file_hash
from dataflow_ext.fingerprint.sources import Source, code_id, constant_id, memory, source_of

#: Where a module comes from: Python itself, an installed distribution, this library, or its user.
Origin = Literal["python", "installed", "library", "user"]

_LIBRARY = ("dataflow_ext", "operators", "prompts", "pipelines")
_ROOT = Path(__file__).resolve().parents[2]
#: Files beside a package's modules that are hashed; with more, nobody can say what its modules read.
_MOST_DATA = 5_000


class Unprovable(Exception):
    """Something that a result may depend on cannot be compared with what it was; the text says what."""


def look_anew() -> None:
    """Forget where modules were found: files may have come and gone since."""
    for known in (_found, _listed, _stands_for, patched):
        known.cache_clear()


def origin_of(name: str) -> Origin:
    """Where a module comes from, by its name; whatever cannot be found is its user's.

    >>> origin_of("json"), origin_of("pyarrow.compute"), origin_of("dataflow_ext.rows")
    ('python', 'installed', 'library')
    """
    top = name.partition(".")[0]
    if top in sys.stdlib_module_names or top in sys.builtin_module_names:
        return "python"
    file = file_of(name)
    return _place_of(top, (file,) if file else _folders(name))


@lru_cache(maxsize=16384)
def _place_of(top: str, files: tuple[str, ...]) -> Origin:
    if not files:
        return "user"
    if top in _LIBRARY and all(f"{file}{os.sep}".startswith(f"{_ROOT}{os.sep}{top}{os.sep}") for file in files):
        return "library"
    return "installed" if all(map(_is_installed, files)) else "user"


def closure(starts: Iterable[str]) -> dict[str, str]:
    """What stands for these modules and for all that they reach by imports.

    Modules of this library and of its user stand with what their files say and with the data files of their
    packages, distributions with their versions. Nothing is imported to find out.
    """
    todo, seen, out = list(starts), set[str](), dict[str, str]()
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            stands, further = _stands_for(name)
            out.update(stands)
            todo += further
    return out


@lru_cache(maxsize=16384)
def _stands_for(name: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """What stands for one module, and the modules that it reaches at once."""
    origin = origin_of(name) if name else "python"
    top = name.partition(".")[0]
    version = _distributions().get(top)
    if origin == "python":
        return {}, ()
    if origin == "installed":
        return {f"distribution {top}": version or "no version"}, ()
    out = {} if version is None else {f"distribution {top}": version}
    # A module's packages are run before it is.
    further = [name.rpartition(".")[0]]
    source = source_in(name)
    if source is None:
        out[name] = file_hash(file_of(name) or "")
    elif name != "__main__":  # what a script says of itself is looked at where it is used
        out[name] = source.hash
        further += imported(name, source)
    return out | _package_data(name), tuple(further)


def imported(name: str, source: Source) -> Iterator[str]:
    """The modules that a module imports."""
    spec = _spec(name)
    package = name if spec is not None and spec.submodule_search_locations is not None else name.rpartition(".")[0]
    for level, module, names in source.imports:
        base = _absolute(level, module, package)
        if not base:
            continue
        yield base
        if names and origin_of(base) in ("library", "user"):
            homes = getattr(source_in(base), "homes", {})
            for each in names:
                if each in homes:
                    yield homes[each]
                elif _spec(f"{base}.{each}") is not None:
                    yield f"{base}.{each}"


def _absolute(level: int, module: str, package: str) -> str:
    if not level:
        return module
    try:
        return importlib.util.resolve_name("." * level + module, package)
    except ImportError:
        return ""


@lru_cache(maxsize=16384)
def patched(name: str) -> list[tuple[str, Any]]:
    """What a loaded module binds to something else than its file says: functions, methods and plain constants."""
    module, source = sys.modules.get(name), source_in(name)
    if module is None or source is None:
        return []
    found: list[tuple[str, Any]] = []
    for key, value in list(vars(module).items()):
        if key in source.constants:
            if constant_id(value) != source.constants[key]:
                found.append((key, value))
        elif isinstance(value, type) and value.__module__ == name:
            found += patched_class(value, source)
        elif isinstance(value, FunctionType) and _is_strange(value, name, source):
            found.append((key, value))
    return found


def patched_class(cls: type, source: Source | None = None) -> list[tuple[str, Any]]:
    """The functions and plain constants of a class that its module's file does not have."""
    source = source or source_in(cls.__module__)
    if source is None:
        return []
    found: list[tuple[str, Any]] = []
    for key, held in list(vars(cls).items()):
        value = held.fget if isinstance(held, property) else getattr(held, "__func__", held)
        name = f"{cls.__qualname__}.{key}"
        if isinstance(value, FunctionType):
            changed = _is_strange(value, cls.__module__, source)
        elif name in source.constants and not hasattr(value, "__get__"):  # as slots and named tuples have
            changed = constant_id(value) != source.constants[name]
        else:
            changed = False
        if changed:
            found.append((name, value))
    return found


def _is_strange(function: FunctionType, module: str, source: Source) -> bool:
    """Whether a function in a module comes neither from its file nor from one that it imports."""
    wrapped = getattr(function, "__wrapped__", None)
    if isinstance(wrapped, FunctionType) and wrapped is not function and _is_strange(wrapped, module, source):
        return True
    code: CodeType = function.__code__
    if code.co_filename == file_of(module):
        return code_id(code) not in source.codes
    # What others make at run time, as dataclasses do, is decided by what the module's file says.
    if code.co_filename.startswith("<") or origin_of(function.__module__ or "") != "user":
        return False
    return not _is_installed(code.co_filename) and function.__module__ not in imported(module, source)


def file_of(name: str) -> str | None:
    """The file of a module, imported or not."""
    spec = _spec(name)
    if spec is not None and spec.origin and spec.has_location:
        return spec.origin
    loaded = sys.modules.get(name)
    return getattr(loaded, "__file__", None) if isinstance(loaded, ModuleType) else None


def source_in(name: str) -> Source | None:
    """What a module's file says, or None if it has none of Python."""
    file = file_of(name)
    return source_of(file) if file is not None and file.endswith((".py", ".pyw")) else None


def _folders(name: str) -> tuple[str, ...]:
    """The folders of a package that has no file."""
    spec = _spec(name)
    return tuple(spec.submodule_search_locations or ()) if spec is not None else ()


def _spec(name: str) -> ModuleSpec | None:
    """Where a module is, found without importing the packages above it."""
    loaded = sys.modules.get(name)
    if loaded is not None and (spec := getattr(loaded, "__spec__", None)) is not None:
        return spec if isinstance(spec, ModuleSpec) else None
    if loaded is not None or not name or name == "__main__":
        return None
    return _found(name, tuple(sys.path))


@lru_cache(maxsize=8192)
def _found(name: str, _: tuple[str, ...]) -> ModuleSpec | None:
    above, _dot, _last = name.rpartition(".")
    path = None
    if above:
        parent = _spec(above)
        if parent is None or parent.submodule_search_locations is None:
            return None
        path = list(parent.submodule_search_locations)
    for finder in sys.meta_path:
        try:
            spec = finder.find_spec(name, path)
        except (ImportError, AttributeError, ValueError, TypeError):
            continue
        if spec is not None:
            return spec
    return None


@lru_cache(maxsize=1)
def _site_folders() -> tuple[str, ...]:
    known = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *site.getsitepackages()]
    known.append(site.getusersitepackages())
    return tuple({os.path.realpath(folder) + os.sep for folder in known} | {folder + os.sep for folder in known})


def _is_installed(file: str) -> bool:
    return file.startswith(_site_folders()) or os.path.realpath(file).startswith(_site_folders())


def _package_data(name: str) -> dict[str, str]:
    """The files beside a package's modules, which these may read, by content."""
    spec = _spec(name)
    if spec is None or spec.submodule_search_locations is None or not file_of(name):
        return {}
    out: dict[str, str] = {}
    for folder in spec.submodule_search_locations:
        for path in _data_files(Path(folder)):
            out[f"{name}: {path.relative_to(folder).as_posix()}"] = memory.get(str(path), file_hash)
            if len(out) > _MOST_DATA:
                raise Unprovable(f"the package {name} holds more than {_MOST_DATA:,} files that are no code")
    return out


def _data_files(folder: Path) -> Iterator[Path]:
    """Files that are no code, in a package's folder and in those below it that are no packages themselves."""
    for entry in sorted(os.scandir(folder), key=lambda e: e.name):
        if entry.name.startswith(".") or entry.name == "__pycache__":
            continue
        if entry.is_dir():
            if not Path(entry.path, "__init__.py").exists():
                yield from _data_files(Path(entry.path))
        elif entry.is_file() and not entry.name.endswith((".py", ".pyc", ".pyi", ".typed")):
            yield Path(entry.path)


def _distributions() -> dict[str, str]:
    """The installed distributions' names and versions, by the modules that they bring."""
    return _listed(tuple(sys.path))


@lru_cache(maxsize=4)
def _listed(folders: tuple[str, ...]) -> dict[str, str]:
    out: dict[str, list[str]] = {}
    for folder in folders:
        try:
            entries = [e.path for e in os.scandir(folder or ".") if e.name.endswith((".dist-info", ".egg-info"))]
        except OSError:
            continue
        for entry in entries:
            told = Path(entry, "METADATA" if entry.endswith(".dist-info") else "PKG-INFO")
            try:
                made = memory.get(str(told), _told_of)
            except OSError:
                continue
            for top in made["tops"]:
                out.setdefault(top, []).append(made["version"])
    return {top: "; ".join(sorted(set(versions))) for top, versions in out.items()}


def _told_of(metadata: str) -> dict[str, Any]:
    """A distribution's name and version, and the modules at its top."""
    found = importlib.metadata.Distribution.at(Path(metadata).parent)
    tops = set((found.read_text("top_level.txt") or "").split())
    if not tops:
        parts = [file.parts for file in found.files or ()]
        tops = {p[0] if len(p) > 1 else p[0].partition(".")[0] for p in parts if p}
    return {"version": f"{found.name} {found.version}", "tops": sorted(t for t in tops if t.isidentifier())}
