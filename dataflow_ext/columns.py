"""Column types: annotations on one side, Arrow types on the other, and which of these may serve for which."""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import inspect
import types
import typing
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

import pyarrow as pa
from pydantic import BaseModel

from dataflow_ext.errors import ColumnError, RowError
from dataflow_ext.selection import cut

#: What may stand in ``inputs`` and ``outputs``: a Python annotation, a pydantic model or an Arrow type.
ColumnType = Any
Columns = Mapping[str, ColumnType]

_SCALARS: dict[Any, pa.DataType] = {
    str: pa.string(),
    int: pa.int64(),
    float: pa.float64(),
    bool: pa.bool_(),
    bytes: pa.binary(),
    Path: pa.string(),
    dt.datetime: pa.timestamp("us", tz="UTC"),
    dt.date: pa.date32(),
}


def arrow_type(column: ColumnType) -> pa.DataType:
    """The Arrow type of a column declared as ``column``.

    Models and dataclasses become structs, ``list[X]`` a list, ``Literal`` of strings and string enums a
    string, ``tuple[float, float]`` a fixed-size list, ``dict[str, X]`` a map, ``Path`` a string. Raises
    :class:`ColumnError` for what a column cannot hold: ``Any``, mixed unions, models within themselves.

    >>> str(arrow_type(list[str] | None))
    'list<item: string>'
    """
    return _arrow(column, ())


def optional(column: ColumnType) -> bool:
    """Whether a null may stand in a column declared as ``column``; Arrow types say nothing, so they may."""
    return isinstance(column, pa.DataType) or _strip(column)[1]


def fields_of(model: type) -> dict[str, Any]:
    """Field names and annotations of a pydantic model or a dataclass, in order."""
    hints = _hints(model)
    if dataclasses.is_dataclass(model):
        return {f.name: hints[f.name] for f in dataclasses.fields(model)}
    return {name: hints[name] for name in model.model_fields}  # type: ignore[attr-defined]


def is_record(annotation: Any) -> bool:
    """Whether an annotation is a class of records: a pydantic model or a dataclass."""
    return isinstance(annotation, type) and (issubclass(annotation, BaseModel) or dataclasses.is_dataclass(annotation))


def show_type(dtype: pa.DataType) -> str:
    """A type in few words for messages: ``list<struct<id, type, text, …>>``."""
    if pa.types.is_struct(dtype):
        names = [dtype.field(i).name for i in range(dtype.num_fields)]
        return f"struct<{', '.join(names[:3])}{', …' if len(names) > 3 else ''}>"
    if pa.types.is_list(dtype) or pa.types.is_large_list(dtype):
        return f"list<{show_type(dtype.value_type)}>"
    return str(dtype)


def unwrap(annotation: Any) -> Any:
    """An annotation without ``| None`` and without ``Annotated``."""
    return _strip(annotation)[0]


@lru_cache(maxsize=4096)
def _hints(model: type) -> dict[str, Any]:
    return typing.get_type_hints(model)


def _strip(annotation: Any) -> tuple[Any, bool]:
    while get_origin(annotation) is typing.Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, types.UnionType):
        members = [a for a in get_args(annotation) if a is not type(None)]
        if len(members) == 1 and len(members) < len(get_args(annotation)):
            return _strip(members[0])[0], True
    return annotation, False


def _arrow(annotation: Any, inside: tuple[type, ...]) -> pa.DataType:
    if isinstance(annotation, pa.DataType):
        return annotation
    bare, _ = _strip(annotation)
    if isinstance(bare, Hashable) and bare in _SCALARS:
        return _SCALARS[bare]
    origin, args = get_origin(bare), get_args(bare)
    if origin in (list, Sequence):
        return pa.list_(_arrow(args[0], inside))
    if origin is tuple:
        return _tuple(bare, args, inside)
    if origin is dict and args[0] is str:
        return pa.map_(pa.string(), _arrow(args[1], inside))
    if origin is Literal and all(isinstance(a, str) for a in args):
        return pa.string()
    if isinstance(bare, type) and issubclass(bare, enum.Enum) and all(isinstance(m.value, str) for m in bare):
        return pa.string()
    if is_record(bare):
        if bare in inside:
            raise ColumnError(f"{bare.__name__} contains itself; a table's column cannot hold that.")
        members = fields_of(bare).items()
        if not members:
            raise ColumnError(f"{bare.__name__} has no fields; a table's column cannot hold that.")
        return pa.struct([pa.field(n, _arrow(a, (*inside, bare))) for n, a in members])
    raise ColumnError(
        f"A column cannot be declared as {annotation!r}; use str, int, float, bool, bytes, a date, "
        "a list, dict or tuple of these, a pydantic model, a dataclass or a pyarrow type."
    )


def _tuple(bare: Any, args: tuple[Any, ...], inside: tuple[type, ...]) -> pa.DataType:
    if len(args) == 2 and args[1] is Ellipsis:
        return pa.list_(_arrow(args[0], inside))
    if args and all(a == args[0] for a in args):
        return pa.list_(_arrow(args[0], inside), len(args))
    raise ColumnError(f"A column cannot be declared as {bare!r}: a tuple's members must be of one type.")


_T = pa.types


def compatible(actual: pa.DataType, wanted: pa.DataType) -> bool:
    """Whether every value of ``actual`` is a value of ``wanted``, whatever the two are called.

    ``large_string``, dictionaries of strings and string views count as strings, narrow integers as wide
    ones, integers as floats, and a struct with more fields as one with fewer.

    >>> compatible(pa.large_string(), pa.string()), compatible(pa.float64(), pa.int64())
    (True, False)
    """
    if actual == wanted or _T.is_null(actual):
        return True
    if _T.is_dictionary(actual):
        return compatible(actual.value_type, wanted)
    if _T.is_string(wanted) or _T.is_large_string(wanted):
        return is_text(actual)
    if _T.is_binary(wanted) or _T.is_large_binary(wanted):
        return _is_bytes(actual)
    if _T.is_integer(wanted):
        return _narrower(actual, wanted)
    if _T.is_floating(wanted):
        return bool(_T.is_integer(actual) or (_T.is_floating(actual) and actual.bit_width <= wanted.bit_width))
    if _T.is_timestamp(wanted):
        return bool(_T.is_timestamp(actual) and (actual.tz is None) == (wanted.tz is None))
    if is_list(wanted):
        fixed = _T.is_fixed_size_list(wanted)
        same_size = not fixed or (_T.is_fixed_size_list(actual) and actual.list_size == wanted.list_size)
        return is_list(actual) and same_size and compatible(actual.value_type, wanted.value_type)
    if _T.is_map(wanted):
        return bool(
            _T.is_map(actual)
            and compatible(actual.key_type, wanted.key_type)
            and compatible(actual.item_type, wanted.item_type)
        )
    if _T.is_struct(wanted):
        return bool(_T.is_struct(actual)) and all(
            actual.get_field_index(f.name) >= 0 and compatible(actual.field(f.name).type, f.type) for f in wanted
        )
    return False


def conform(array: pa.ChunkedArray | pa.Array, wanted: pa.DataType) -> pa.ChunkedArray | pa.Array:
    """The array as ``wanted``; its own type must be :func:`compatible`. Equal types cost nothing."""
    if array.type == wanted:
        return array
    if isinstance(array, pa.ChunkedArray):
        parts = [part for chunk in array.chunks for part in cut(chunk)]
        return pa.chunked_array([_conform(part, wanted) for part in parts], type=wanted)
    return _conform(array, wanted)


def without_view(dtype: pa.DataType) -> pa.DataType:
    """The type for a string or binary view, for which Arrow has few kernels; any other type as it is."""
    return {"string_view": pa.large_string(), "binary_view": pa.large_binary()}.get(str(dtype), dtype)


def is_text(dtype: pa.DataType) -> bool:
    """Whether a type is one of strings, however they lie in memory."""
    return bool(_T.is_string(dtype) or _T.is_large_string(dtype) or str(dtype) == "string_view")


def conform_rows(column: pa.ChunkedArray, wanted: pa.DataType) -> tuple[pa.ChunkedArray, dict[int, RowError]]:
    """The column as :func:`conform` makes it, with nulls and their causes where a value cannot be had."""
    try:
        return conform(column, wanted), {}
    except RowError:
        parts: list[pa.Array] = []
    wrong: dict[int, RowError] = {}
    for i in range(len(column)):
        try:
            parts += conform(column.slice(i, 1), wanted).chunks
        except RowError as error:
            parts.append(pa.nulls(1, wanted))
            wrong[i] = error
    return pa.chunked_array(parts, type=wanted), wrong


def _conform(array: pa.Array, wanted: pa.DataType) -> pa.Array:
    if array.type == wanted:
        return array
    if _T.is_struct(wanted) and _T.is_struct(array.type):
        flat = array.flatten()
        parts = [_conform(flat[array.type.get_field_index(f.name)], f.type) for f in wanted]
        mask = array.is_null() if array.null_count else None
        return pa.StructArray.from_arrays(parts, fields=list(wanted), mask=mask)
    if _T.is_list(wanted) and (_T.is_list(array.type) or _T.is_large_list(array.type)):
        offsets = list(accumulate(array.value_lengths().fill_null(0).to_pylist(), initial=0))
        mask = array.is_null() if array.null_count else None
        inner = _conform(array.flatten(), wanted.value_type)
        return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), inner, type=wanted, mask=mask)
    try:
        return array.cast(wanted)
    except pa.ArrowException as error:
        if len(array) and array.offset:  # wide offsets count from the start of the whole, of which this is a slice
            return _conform(array.take(pa.array(range(len(array)))), wanted)
        raise RowError(f"values of type {array.type} cannot be read as {wanted}: {error}") from None


def _narrower(actual: pa.DataType, wanted: pa.DataType) -> bool:
    """Whether every integer of one type is one of the other: an unsigned one needs a wider signed one."""
    if not _T.is_integer(actual) or (_T.is_signed_integer(actual) and not _T.is_signed_integer(wanted)):
        return False
    sign = int(_T.is_unsigned_integer(actual) and _T.is_signed_integer(wanted))
    return bool(actual.bit_width + sign <= wanted.bit_width)


def _is_bytes(t: pa.DataType) -> bool:
    return bool(_T.is_binary(t) or _T.is_large_binary(t) or _T.is_fixed_size_binary(t) or str(t) == "binary_view")


def is_list(t: pa.DataType) -> bool:
    """Whether a type is one of lists, of whatever offsets or of one size."""
    return bool(_T.is_list(t) or _T.is_large_list(t) or _T.is_fixed_size_list(t))


def check_signature(cls: type, method: Any, inputs: Columns) -> None:
    """Raise if the method's parameters are not the inputs, or annotated otherwise where these have a type."""
    if getattr(method, "__isabstractmethod__", False):
        return
    parameters = list(inspect.signature(method).parameters.values())[1:]
    if any(p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL) for p in parameters):
        return
    names = [p.name for p in parameters]
    where = f"{cls.__name__}.{method.__name__}"
    if set(names) != set(inputs):
        raise ColumnError(
            f"{where} takes {', '.join(names) or 'nothing'}, but inputs declares "
            f"{', '.join(inputs) or 'nothing'}; make the two agree."
        )
    try:
        hints = typing.get_type_hints(method, include_extras=True)
    except NameError:  # a name that is only known where the class was written; nothing to compare with
        return
    for name, column in inputs.items():
        if column is None or isinstance(column, pa.DataType) or name not in hints:
            continue
        # Annotated says more about a type, it makes no other type.
        if unwrap(hints[name]) != unwrap(column) or optional(hints[name]) != optional(column):
            raise ColumnError(
                f"{where} takes '{name}' as {hints[name]}, but inputs declares {column}; make them agree."
            )
