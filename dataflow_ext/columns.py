"""Column types: a Python annotation on one side, an Arrow type on the other, and the way between them."""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import types
import typing
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

import pyarrow as pa
from pydantic import BaseModel

from dataflow_ext.errors import ColumnError

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


def show_type(dtype: pa.DataType, depth: int = 0) -> str:
    """A type in few words for messages: ``list<struct<id, type, text, …>>``."""
    if pa.types.is_struct(dtype):
        names = [dtype.field(i).name for i in range(dtype.num_fields)]
        return f"struct<{', '.join(names[:3])}{', …' if len(names) > 3 else ''}>"
    if pa.types.is_list(dtype) or pa.types.is_large_list(dtype):
        return f"list<{show_type(dtype.value_type, depth + 1)}>"
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
