"""What a table or a file is, as a hash: equal content hashes alike, however it lies in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.columns import fields_of, is_list, is_record, unwrap, without_view
from dataflow_ext.well_formed import path_of

if TYPE_CHECKING:
    from dataflow_ext.operator import Operator

#: BLAKE2b rather than SHA-256: as strong, and twice as fast where the processor has no SHA instructions.
new_hash = partial(hashlib.blake2b, digest_size=32)


def table_hash(table: pa.Table) -> str:
    """The hash of names, types and values; the same for any chunking, slicing or order of columns."""
    digest = new_hash(str(table.num_rows).encode())
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
    validity, lengths, values = new_hash(), new_hash(), new_hash()
    inner: list[list[pa.Array]] = []
    chunks = chunks or [pa.array([], dtype)]  # no chunk and an empty one are the same content
    for chunk in chunks:
        if chunk.null_count:
            validity.update(_bytes(chunk.is_valid().cast(pa.uint8())))
        else:
            validity.update(b"\x01" * len(chunk))
        if pa.types.is_struct(dtype):
            inner.append(chunk.flatten())
        elif pa.types.is_map(dtype) or is_list(dtype):
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
    return new_hash(validity.digest() + lengths.digest() + values.digest()).digest()


def _lengths(chunk: pa.Array) -> pa.Array:
    return pc.list_value_length(chunk).fill_null(0).cast(pa.int64())


def _as_list(chunk: pa.Array) -> pa.Array:
    """A map as a list of pairs, which can be asked for its lengths and flattened by its slice."""
    return chunk.cast(pa.list_(pa.struct([("key", chunk.type.key_type), ("value", chunk.type.item_type)])))


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
def _file_hash(path: str, size: int, written_ns: int, changed_ns: int) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, new_hash).hexdigest()


def file_hash(path: str | Path) -> str:
    """The hash of a file's bytes, or a mark that there is no such file."""
    try:
        stat = Path(path).stat()
        at = (stat.st_mtime_ns, stat.st_ctime_ns)  # archives and copies set the first of them back
        return _file_hash(str(path), stat.st_size, *at) if Path(path).is_file() else "no file"
    except (OSError, ValueError):
        return "no file"


def input_hash(operator: Operator, table: pa.Table) -> str:
    """The content of an operator's input: the table, and the files that its ``Path`` columns name."""
    return new_hash(table_hash(table).encode() + named_files_hash(operator, table)).hexdigest()


def named_files_hash(operator: Operator, table: pa.Table) -> bytes:
    """The content of the files that an operator's ``Path`` columns name, as far as the table has them."""
    digest = b""
    for name, annotation in file_columns(operator).items():
        if name in table.column_names:
            paths = {p for value in table[name].to_pylist() for p in _paths(value, annotation)}
            digest += b"".join(f"{path}={file_hash(path_of(path))};".encode() for path in sorted(paths))
    return digest


def file_columns(operator: Operator) -> dict[str, Any]:
    """The columns in which an operator is given names of files that it reads, with their declared types."""
    inputs = operator.needed_inputs().items()
    return {operator.reads.get(name, name): declared for name, declared in inputs if _names_files(declared)}


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
