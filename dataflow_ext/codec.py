"""Values into Arrow arrays and back, column by column: strict on the way in, records on the way out."""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pyarrow as pa
from pydantic import TypeAdapter, ValidationError

from dataflow_ext.columns import ColumnType, arrow_type, fields_of, is_record, optional, unwrap
from dataflow_ext.errors import ValueTypeError

_EXACT: dict[Any, tuple[type, ...]] = {
    str: (str,),
    int: (int,),
    float: (float, int),
    bool: (bool,),
    bytes: (bytes,),
    dt.date: (dt.date,),
}


def encode(values: Sequence[Any], column: ColumnType) -> pa.Array:
    """The values as one Arrow array of the column's type; :class:`ValueTypeError` if one does not fit.

    Nothing is converted quietly: ``1.5`` is no int, ``1`` is no string, a naive datetime no instant, and
    a mapping for a model must pass that model's strict validation.

    >>> encode([1, 2], int).to_pylist()
    [1, 2]
    >>> encode(["1"], int)
    Traceback (most recent call last):
    dataflow_ext.errors.ValueTypeError: expected int, got str '1'
    """
    if isinstance(column, pa.DataType):
        try:
            return pa.array(values, type=column)
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as error:
            raise ValueTypeError(f"expected {column}: {error}") from None
    if not optional(column) and any(v is None for v in values):
        raise ValueTypeError(f"expected {_name(unwrap(column))}, got None")
    return _encode(values, unwrap(column))


def decode(array: pa.Array | pa.ChunkedArray, column: ColumnType) -> list[Any]:
    """The array's values as Python values of the column's annotation; records become their class.

    >>> decode(pa.array([[1.0, 2.0]], pa.list_(pa.float64(), 2)), tuple[float, float])
    [(1.0, 2.0)]
    """
    if isinstance(column, pa.DataType):
        return list(array.to_pylist())
    if isinstance(array, pa.ChunkedArray):
        return [value for chunk in array.chunks for value in _decode(chunk, unwrap(column))]
    return _decode(array, unwrap(column))


def _encode(values: Sequence[Any], bare: Any) -> pa.Array:
    dtype = arrow_type(bare)
    if is_record(bare):
        return _encode_records(values, bare, dtype)
    origin = get_origin(bare)
    if origin in (list, tuple, Sequence):
        return _encode_lists(values, bare, dtype)
    if origin is dict:
        return _encode_maps(values, bare, dtype)
    if bare is Path:
        return pa.array([None if v is None else str(v) for v in values], dtype)
    if isinstance(bare, type) and issubclass(bare, enum.Enum):
        values = [v.value if isinstance(v, bare) else v for v in values]
        return _leaf(values, str, dtype, {m.value for m in bare})
    if origin is Literal:
        return _leaf(values, str, dtype, set(get_args(bare)))
    return _leaf(values, bare, dtype)


def _leaf(values: Sequence[Any], bare: Any, dtype: pa.DataType, allowed: set[str] | None = None) -> pa.Array:
    wanted = _EXACT.get(bare, (bare,))
    if not set(map(type, values)) <= {*wanted, type(None)}:
        # Subclasses (str enums, numpy floats) are welcome, except bool, which is a subclass of int.
        odd = (v for v in values if v is not None and (isinstance(v, bool) or not isinstance(v, wanted)))
        bad = next((v for v in odd if not (bare is bool and isinstance(v, bool))), None)
        if bad is not None:
            raise ValueTypeError(f"expected {_name(bare)}, got {type(bad).__name__} {_short(bad)}")
    if allowed is not None and (wrong := next((v for v in values if v is not None and v not in allowed), None)):
        raise ValueTypeError(f"expected one of {', '.join(sorted(allowed))}, got {_short(wrong)}")
    if bare is dt.datetime and any(v is not None and v.tzinfo is None for v in values):
        raise ValueTypeError("expected a datetime with a time zone, got one without")
    try:
        return pa.array(values, dtype)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError, UnicodeEncodeError) as error:
        raise ValueTypeError(f"expected {_name(bare)}: {error}") from None


def _encode_records(values: Sequence[Any], model: type, dtype: pa.DataType) -> pa.Array:
    records = [v if v is None or type(v) is model else _validate(v, model) for v in values]
    present = [r for r in records if r is not None]
    arrays = [
        encode(list(map(attrgetter(name), present)), annotation)
        for name, annotation in fields_of(model).items()
    ]
    array = pa.StructArray.from_arrays(arrays, fields=list(dtype))
    return array if len(present) == len(records) else _spread(array, records)


def _encode_lists(values: Sequence[Any], bare: Any, dtype: pa.DataType) -> pa.Array:
    present = [v for v in values if v is not None]
    if bad := next((v for v in present if not isinstance(v, (list, tuple))), None):
        raise ValueTypeError(f"expected a list, got {type(bad).__name__} {_short(bad)}")
    inner = encode([item for v in present for item in v], get_args(bare)[0])
    if pa.types.is_fixed_size_list(dtype):
        if wrong := next((v for v in present if len(v) != dtype.list_size), None):
            raise ValueTypeError(f"expected {dtype.list_size} values, got {_short(wrong)}")
        array = pa.FixedSizeListArray.from_arrays(inner, type=dtype)
    else:
        offsets = [0]
        for v in present:
            offsets.append(offsets[-1] + len(v))
        array = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), inner, type=dtype)
    return array if len(present) == len(values) else _spread(array, values)


def _encode_maps(values: Sequence[Any], bare: Any, dtype: pa.DataType) -> pa.Array:
    key, item = get_args(bare)
    present = [v for v in values if v is not None]
    if bad := next((v for v in present if not isinstance(v, dict)), None):
        raise ValueTypeError(f"expected a dict, got {type(bad).__name__} {_short(bad)}")
    encode([k for v in present for k in v], key)
    encode([x for v in present for x in v.values()], item)
    return pa.array([None if v is None else list(v.items()) for v in values], dtype)


def _spread(array: pa.Array, values: Sequence[Any]) -> pa.Array:
    """Put nulls back between the values that are there."""
    position = iter(range(len(array)))
    return array.take(pa.array([None if v is None else next(position) for v in values], pa.int64()))


def _decode(array: pa.Array, bare: Any) -> list[Any]:
    if is_record(bare):
        flat = array.flatten()
        names = [array.type.field(i).name for i in range(array.type.num_fields)]
        fields = fields_of(bare)
        columns = [decode(flat[names.index(name)], annotation) for name, annotation in fields.items()]
        make = bare if not hasattr(bare, "model_construct") else _construct(bare, list(fields))
        records = list(map(make, *columns))
        return records if not array.null_count else _masked(records, array)
    origin = get_origin(bare)
    if origin in (list, tuple, Sequence) and not (origin is list and _plain(get_args(bare)[0])):
        return _decode_lists(array, bare, tuple if origin is tuple else list)
    values = array.to_pylist()
    if origin is dict:
        return [None if v is None else dict(v) for v in values]
    if bare is Path:
        return [None if v is None else Path(v) for v in values]
    if isinstance(bare, type) and issubclass(bare, enum.Enum):
        return [None if v is None else bare(v) for v in values]
    return list(values)


def _decode_lists(array: pa.Array, bare: Any, container: type) -> list[Any]:
    item = get_args(bare)[0]
    if _plain(item):
        return [None if v is None else container(v) for v in array.to_pylist()]
    inner = decode(array.flatten(), item)
    out: list[Any] = []
    start = 0
    for length in _sizes(array):
        end = start + (length or 0)
        out.append(None if length is None else container(inner[start:end]))
        start = end
    return out


def _sizes(array: pa.Array) -> list[int | None]:
    if not pa.types.is_fixed_size_list(array.type):
        return list(array.value_lengths().to_pylist())
    return [array.type.list_size if valid else None for valid in array.is_valid().to_pylist()]


def _plain(annotation: Any) -> bool:
    """Whether Arrow's own Python values serve as they are."""
    bare = unwrap(annotation)
    return bare in _EXACT or bare is dt.datetime or get_origin(bare) is Literal


def _construct(model: Any, names: list[str]) -> Any:
    """Rows in a table were validated when they were written, so they are not validated again."""
    return lambda *values: model.model_construct(**dict(zip(names, values, strict=True)))


def _masked(records: list[Any], array: pa.Array) -> list[Any]:
    return [r if valid else None for r, valid in zip(records, array.is_valid().to_pylist(), strict=True)]


@lru_cache(maxsize=512)
def _adapter(model: type) -> TypeAdapter[Any]:
    return TypeAdapter(model)


def _validate(value: Any, model: type) -> Any:
    try:
        return _adapter(model).validate_python(value, strict=not isinstance(value, model))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise ValueTypeError(f"expected {model.__name__}{f', field {where}' if where else ''}: {first['msg']}") from None


def _name(annotation: Any) -> str:
    return getattr(annotation, "__name__", str(annotation))


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "…"
