"""What a table, a file or an operator is, as a hash: equal content hashes alike, however it lies there."""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import importlib.util
import inspect
import json
import pickle
import sys
import types
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache, partial
from importlib.abc import InspectLoader
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin

import pyarrow as pa
import pyarrow.compute as pc
from pydantic import BaseModel

from dataflow_ext.columns import fields_of, is_record, unwrap
from dataflow_ext.conform import without_view

if TYPE_CHECKING:
    from dataflow_ext.operator import Operator

_OURS = ("dataflow_ext", "operators", "prompts", "pipelines")

#: BLAKE2b rather than SHA-256: as strong, and twice as fast where the processor has no SHA instructions.
_hash = partial(hashlib.blake2b, digest_size=32)


def table_hash(table: pa.Table) -> str:
    """The hash of names, types and values; the same for any chunking, slicing or order of columns."""
    digest = _hash(str(table.num_rows).encode())
    for name in sorted(table.column_names):
        column = table[name]
        digest.update(f"{len(name)}:{name}:{column.type}".encode())
        digest.update(_column_hash(column.chunks, column.type))
    return digest.hexdigest()


def _column_hash(chunks: list[pa.Array], dtype: pa.DataType) -> bytes:
    """Hash of one column: validity, lengths and values, each as one stream over all chunks."""
    if pa.types.is_dictionary(dtype):
        return _column_hash([c.dictionary_decode() for c in chunks], dtype.value_type)
    if (plain := without_view(dtype)) != dtype:
        return _column_hash([c.cast(plain) for c in chunks], plain)
    validity, lengths, values = _hash(), _hash(), _hash()
    inner: list[list[pa.Array]] = []
    chunks = chunks or [pa.array([], dtype)]  # no chunk and an empty one are the same content
    for chunk in chunks:
        if chunk.null_count:
            validity.update(_bytes(chunk.is_valid().cast(pa.uint8())))
        else:
            validity.update(b"\x01" * len(chunk))
        if pa.types.is_struct(dtype):
            inner.append(chunk.flatten())
        elif pa.types.is_map(dtype) or _is_list(dtype):
            entries = _as_list(chunk) if pa.types.is_map(dtype) else chunk
            if not pa.types.is_fixed_size_list(dtype):
                lengths.update(_bytes(_lengths(entries)))
            inner.append([entries.flatten()])
        elif _is_binary(dtype):
            lengths.update(_bytes(pc.binary_length(chunk).fill_null(0).cast(pa.int64())))
            values.update(_binary_values(chunk))
        else:
            values.update(_fixed_values(chunk, dtype))
    for column in zip(*inner, strict=True):
        values.update(_column_hash(list(column), column[0].type))
    return _hash(validity.digest() + lengths.digest() + values.digest()).digest()


def _lengths(chunk: pa.Array) -> pa.Array:
    return pc.list_value_length(chunk).fill_null(0).cast(pa.int64())


def _as_list(chunk: pa.Array) -> pa.Array:
    """A map as a list of pairs, which can be asked for its lengths and flattened by its slice."""
    return chunk.cast(pa.list_(pa.struct([("key", chunk.type.key_type), ("value", chunk.type.item_type)])))


def _is_list(dtype: pa.DataType) -> bool:
    return bool(pa.types.is_list(dtype) or pa.types.is_large_list(dtype) or pa.types.is_fixed_size_list(dtype))


def _is_binary(dtype: pa.DataType) -> bool:
    kinds = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)
    return any(kind(dtype) for kind in kinds)


def _bytes(array: pa.Array) -> memoryview:
    """The values of a primitive array without nulls and without what lies around the slice."""
    width = array.type.bit_width // 8
    data = array.buffers()[1]
    if data is None:
        return memoryview(b"")
    return memoryview(data)[array.offset * width : (array.offset + len(array)) * width]


def _binary_values(chunk: pa.Array) -> memoryview:
    if chunk.null_count:  # the bytes under a null are not content
        chunk = chunk.drop_null()
    if not len(chunk):
        return memoryview(b"")
    large = pa.types.is_large_string(chunk.type) or pa.types.is_large_binary(chunk.type)
    offsets = memoryview(chunk.buffers()[1]).cast("q" if large else "i")
    data = chunk.buffers()[2]
    view = memoryview(data) if data is not None else memoryview(b"")
    return view[offsets[chunk.offset] : offsets[chunk.offset + len(chunk)]]


def _fixed_values(chunk: pa.Array, dtype: pa.DataType) -> memoryview | bytes:
    if pa.types.is_null(dtype):
        return b""
    if chunk.null_count:
        chunk = chunk.drop_null()
    if pa.types.is_boolean(dtype):
        chunk = chunk.cast(pa.uint8())
    if pa.types.is_primitive(chunk.type) or pa.types.is_decimal(chunk.type) or "fixed" in str(chunk.type):
        return _bytes(chunk)
    return "".join(f"{value!r};" for value in chunk.to_pylist()).encode("utf-8", "surrogatepass")


@lru_cache(maxsize=65536)
def _file_hash(path: str, size: int, mtime_ns: int) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, _hash).hexdigest()


def file_hash(path: str | Path) -> str:
    """The hash of a file's bytes, or a mark that there is no such file."""
    try:
        stat = Path(path).stat()
        return _file_hash(str(path), stat.st_size, stat.st_mtime_ns) if Path(path).is_file() else "no file"
    except (OSError, ValueError):
        return "no file"


def input_hash(operator: Operator, table: pa.Table) -> str:
    """The content of an operator's input: the table, and the files that its ``Path`` columns name."""
    digest = _hash(table_hash(table).encode())
    for declared, annotation in operator.inputs.items():
        name = operator.reads.get(declared, declared)
        if name in table.column_names and _names_files(annotation):
            paths = {p for value in table[name].to_pylist() for p in _paths(value, annotation)}
            for path in sorted(paths):
                digest.update(f"{path}={file_hash(path)};".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


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
    return _hash(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def code_hash(cls: type) -> str:
    """The hash of what a class's module says, of its bases', and of those of ours or of its package they import.

    Of a class without source, as in a notebook, its methods' byte code counts.
    """
    ours = (*_OURS, cls.__module__.partition(".")[0])
    names = _imports([base.__module__ for base in cls.__mro__], ours)
    parts = [f"{n}={_module_hash(n)}" for n in sorted(names)]
    if _tree(cls.__module__) is None:
        parts.append(repr(_class_code(cls)))
    return _hash("".join(parts).encode()).hexdigest()


def _imports(starts: Sequence[str], ours: Sequence[str]) -> set[str]:
    """Those of these modules, and of the modules that they reach by imports, that are ours."""
    todo, found = list(starts), set[str]()
    while todo:
        current = todo.pop()
        if current not in found and current.partition(".")[0] in ours:
            found.add(current)
            todo += _direct_imports(current)
    return found


@lru_cache(maxsize=1024)
def _tree(name: str) -> ast.Module | None:
    """A module's syntax tree, whether it was imported already or not, or None if it has no source."""
    try:
        if isinstance(loader := getattr(_spec(name), "loader", None), InspectLoader):
            source = loader.get_source(name)
        else:
            source = inspect.getsource(sys.modules[name])
        return None if source is None else ast.parse(source)
    except (ImportError, KeyError, OSError, TypeError, SyntaxError):
        return None


@lru_cache(maxsize=4096)
def _spec(name: str) -> ModuleSpec | None:
    try:
        return importlib.util.find_spec(name)
    except (ImportError, ValueError):  # no such package, or a script that is run
        return None


@lru_cache(maxsize=1024)
def _module_hash(name: str) -> str:
    """The hash of what a module's source says, comments and docstrings apart."""
    tree = _tree(name)
    if tree is None:
        return name
    # Compiled and without places the tree is told four times as fast as by ast.dump.
    code = compile(tree, name, "exec", dont_inherit=True, optimize=2)
    return _hash(repr(_plain_code(code)).encode("utf-8", "surrogatepass")).hexdigest()


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
            # Looking a name up imports the packages above it, which foreign ones shall not be for this.
            if module.partition(".")[0] in ours:
                out += [n for a in node.names if _spec(n := f"{module}.{a.name}") is not None]
        elif isinstance(node, ast.Import):
            out += [a.name for a in node.names]
    return tuple(out)


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
        return [type(value).__qualname__, dict(value.identity()), code]
    if isinstance(value, BaseModel):
        return [type(value).__qualname__, value.model_dump(mode="json", serialize_as_any=True)]
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


def _names_files(annotation: Any) -> bool:
    """Whether a ``Path`` stands anywhere in a declared type, fields of records included."""
    bare = unwrap(annotation)
    inner = fields_of(bare).values() if is_record(bare) else get_args(bare)
    return bare is Path or any(_names_files(a) for a in inner)


def _paths(value: Any, annotation: Any) -> Iterator[str]:
    """The strings in a value that its declared type says are paths."""
    bare, args = unwrap(annotation), get_args(unwrap(annotation))
    if value is None or not _names_files(bare):
        return
    if bare is Path:
        yield str(value)
    elif is_record(bare):
        for name, hint in fields_of(bare).items():
            yield from _paths(value.get(name), hint)
    else:  # lists and tuples, and maps as lists of pairs
        for item in value:
            yield from _paths(item[1], args[1]) if get_origin(bare) is dict else _paths(item, args[0])


@lru_cache(maxsize=1)
def _version() -> str:
    try:
        return importlib.metadata.version("dataflow-ext")
    except importlib.metadata.PackageNotFoundError:
        return "source"
