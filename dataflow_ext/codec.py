"""Values into Arrow arrays and back, column by column: strict on the way in, records on the way out."""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
from collections.abc import Callable, Mapping, Sequence, Set
from functools import lru_cache
from itertools import accumulate, chain
from operator import attrgetter
from pathlib import Path, PurePath
from types import NoneType
from typing import Any, Literal, cast, get_args, get_origin

import pyarrow as pa
from pydantic import TypeAdapter, ValidationError

from dataflow_ext.columns import ColumnType, arrow_type, fields_of, is_record, optional, unwrap
from dataflow_ext.errors import ValueTypeError
from dataflow_ext.selection import chunks_of
from dataflow_ext.well_formed import arrow_array, path_of, path_text

_EXACT: dict[Any, tuple[type, ...]] = {
    str: (str,),
    int: (int,),
    float: (float, int),
    bool: (bool,),
    bytes: (bytes,),
    dt.date: (dt.date,),
}


class _TooLarge(Exception):
    """Values that are more than the 2 GiB of text or binary that one array can hold."""


def encode(values: Sequence[Any], column: ColumnType) -> pa.Array | pa.ChunkedArray:
    """The values as an Arrow array of the column's type; :class:`ValueTypeError` if one does not fit.

    Nothing is converted quietly: ``1.5`` is no int, ``1`` is no string, a naive datetime no instant, and
    a mapping for a model must pass that model's strict validation. Numpy's scalars and arrays are taken as the
    numbers and lists that they are. More text or binary than an array can hold, 2 GiB, is an array in chunks.

    >>> encode([1, 2], int).to_pylist()
    [1, 2]
    >>> encode(["1"], int)
    Traceback (most recent call last):
    dataflow_ext.errors.ValueTypeError: expected int, got str '1'
    """
    try:
        return _encode_column(values, column)
    except _TooLarge:
        if len(values) < 2:
            raise ValueTypeError(f"expected {_name(column)}, got a value of more than 2 GiB") from None
    half = len(values) // 2
    halves = (encode(values[:half], column), encode(values[half:], column))
    return pa.chunked_array([chunk for part in halves for chunk in chunks_of(part)])


def decode(array: pa.Array | pa.ChunkedArray, column: ColumnType) -> list[Any]:
    """The array's values as Python values of the column's annotation; records become their class.

    Raises :class:`ValueTypeError` for a string that is no member of the declared enum or ``Literal``.

    >>> decode(pa.array([[1.0, 2.0]], pa.list_(pa.float64(), 2)), tuple[float, float])
    [(1.0, 2.0)]
    """
    if isinstance(column, pa.DataType):
        return list(array.to_pylist())
    if isinstance(array, pa.ChunkedArray):
        return [value for chunk in array.chunks for value in _decode(chunk, unwrap(column))]
    return _decode(array, unwrap(column))


def _encode_column(values: Sequence[Any], column: ColumnType) -> pa.Array:
    kinds = set(map(type, values))
    if any(kind.__module__ == "numpy" for kind in kinds):
        values = [value.tolist() if type(value).__module__ == "numpy" else value for value in values]
        kinds = set(map(type, values))
    if isinstance(column, pa.DataType):
        _refuse_lossy(values, column)
        return _array(values, column, str(column))
    if not optional(column) and NoneType in kinds:
        raise ValueTypeError(f"expected {_name(unwrap(column))}, got None")
    return _encode(values, unwrap(column), kinds)


def _encode(values: Sequence[Any], bare: Any, kinds: Set[type]) -> pa.Array:
    """The values, which are of these types, as an array."""
    dtype = arrow_type(bare)
    if is_record(bare):
        return _encode_records(values, bare, dtype, kinds)
    origin = get_origin(bare)
    if origin in (list, tuple, Sequence):
        return _encode_lists(values, bare, dtype, kinds)
    if origin is dict:
        return _encode_maps(values, bare, dtype)
    if bare is Path:
        values = [path_text(v) if isinstance(v, PurePath | str) else v for v in values]
        return _leaf(values, str, dtype, set(map(type, values)))
    if isinstance(bare, type) and issubclass(bare, enum.Enum):
        values = [v.value if isinstance(v, bare) else v for v in values]
        return _leaf(values, str, dtype, set(map(type, values)), {m.value for m in bare})
    if origin is Literal:
        return _leaf(values, str, dtype, kinds, set(get_args(bare)))
    return _leaf(values, bare, dtype, kinds)


def _leaf(
    values: Sequence[Any], bare: Any, dtype: pa.DataType, kinds: Set[type], allowed: set[str] | None = None
) -> pa.Array:
    wanted = _EXACT.get(bare, (bare,))
    if not kinds <= {*wanted, NoneType} and (
        bad := [v for v in values if v is not None and not _fits(v, bare, wanted)]
    ):
        raise ValueTypeError(f"expected {_name(bare)}, got {type(bad[0]).__name__} {_short(bad[0])}")
    if allowed is not None:
        _refuse_strangers(values, allowed)
    if bare is dt.datetime and any(v is not None and v.tzinfo is None for v in values):
        raise ValueTypeError("expected a datetime with a time zone, got one without")
    return _array(values, dtype, _name(bare))


def _fits(value: Any, bare: Any, wanted: tuple[type, ...]) -> bool:
    """Whether a value is of a type or a subclass of it (a string enum, a numpy float) that loses nothing."""
    if isinstance(value, bool):
        return bare is bool
    return isinstance(value, wanted) and not (bare is dt.date and isinstance(value, dt.datetime))


def _refuse_strangers(values: Sequence[Any], allowed: set[str]) -> None:
    if strangers := set(values) - allowed - {None}:
        raise ValueTypeError(f"expected one of {', '.join(sorted(allowed))}, got {_short(min(strangers))}")


def _array(values: Sequence[Any], dtype: pa.DataType, name: str) -> pa.Array:
    try:
        array = arrow_array(values, dtype)
    except (pa.ArrowException, OverflowError, UnicodeEncodeError) as error:
        raise ValueTypeError(f"expected {name}: {error}") from None
    if isinstance(array, pa.ChunkedArray):
        raise _TooLarge
    return array


def _refuse_lossy(values: Sequence[Any], dtype: pa.DataType) -> None:
    """Raise for what Arrow would cut to size without a word: fractions, times of day, unknown keys."""
    present = [v for v in values if v is not None]
    if pa.types.is_integer(dtype) or pa.types.is_date(dtype):
        lossy = (float, bool) if pa.types.is_integer(dtype) else (dt.datetime,)
        if bad := [v for v in present if isinstance(v, lossy)]:
            raise ValueTypeError(f"expected {dtype}, got {type(bad[0]).__name__} {_short(bad[0])}")
    elif pa.types.is_struct(dtype):
        names = {f.name for f in dtype}
        if extra := sorted({str(k) for v in present if isinstance(v, Mapping) for k in set(v) - names}):
            raise ValueTypeError(f"expected {dtype}, got the unknown key {extra[0]!r}")
        for f in dtype:
            _refuse_lossy([v.get(f.name) for v in present if isinstance(v, Mapping)], f.type)
    elif pa.types.is_map(dtype):
        maps = [dict(v).values() for v in present if isinstance(v, (Mapping, list))]
        _refuse_lossy([x for v in maps for x in v], dtype.item_type)
    elif hasattr(dtype, "value_type") and not pa.types.is_dictionary(dtype):
        _refuse_lossy([x for v in present if isinstance(v, (list, tuple)) for x in v], dtype.value_type)


def _encode_records(values: Sequence[Any], model: type, dtype: pa.DataType, kinds: Set[type]) -> pa.Array:
    records: Sequence[Any] = values
    if not kinds <= {model, NoneType}:
        records = [v if v is None or type(v) is model else _validate(v, model) for v in values]
    present = records if NoneType not in kinds else [r for r in records if r is not None]
    fields = fields_of(model).items()
    arrays = [_encode_column(list(map(attrgetter(name), present)), annotation) for name, annotation in fields]
    array = pa.StructArray.from_arrays(arrays, fields=list(dtype))
    return array if len(present) == len(records) else _spread(array, records)


def _encode_lists(values: Sequence[Any], bare: Any, dtype: pa.DataType, kinds: Set[type]) -> pa.Array:
    present = values if NoneType not in kinds else [v for v in values if v is not None]
    if not kinds <= {list, tuple, NoneType} and (bad := [v for v in present if not isinstance(v, (list, tuple))]):
        raise ValueTypeError(f"expected a list, got {type(bad[0]).__name__} {_short(bad[0])}")
    inner = _encode_column(list(chain.from_iterable(present)), get_args(bare)[0])
    if pa.types.is_fixed_size_list(dtype):
        if wrong := [v for v in present if len(v) != dtype.list_size]:
            raise ValueTypeError(f"expected {dtype.list_size} values, got {_short(wrong[0])}")
        array = pa.FixedSizeListArray.from_arrays(inner, type=dtype)
    else:
        offsets = _offsets(present) if len(inner) else pa.repeat(pa.scalar(0, pa.int32()), len(present) + 1)
        array = pa.ListArray.from_arrays(offsets, inner, type=dtype)
    return array if len(present) == len(values) else _spread(array, values)


def _encode_maps(values: Sequence[Any], bare: Any, dtype: pa.DataType) -> pa.Array:
    key, item = get_args(bare)
    present = [v for v in values if v is not None]
    if bad := [v for v in present if not isinstance(v, dict)]:
        raise ValueTypeError(f"expected a dict, got {type(bad[0]).__name__} {_short(bad[0])}")
    keys = _encode_column([k for v in present for k in v], key)
    items = _encode_column([x for v in present for x in v.values()], item)
    array = pa.MapArray.from_arrays(_offsets(present), keys, items)
    array = array if array.type == dtype else array.cast(dtype)
    return array if len(present) == len(values) else _spread(array, values)


def _offsets(present: Sequence[Any]) -> pa.Array:
    return pa.array(list(accumulate(map(len, present), initial=0)), pa.int32())


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
        records = list(map(_maker(bare), *columns))
        return records if not array.null_count else _masked(records, array)
    origin = get_origin(bare)
    if origin is dict:
        return _decode_maps(array, get_args(bare)[1])
    if origin is tuple or (origin in (list, Sequence) and not is_plain(get_args(bare)[0])):
        return _decode_lists(array, bare, tuple if origin is tuple else list)
    values = list(array.to_pylist())
    if bare is Path:
        paths = {v: path_of(v) for v in set(values) if v is not None}  # the rows of one file have one path
        return list(map(paths.get, values))
    if origin is Literal:
        _refuse_strangers(values, set(get_args(bare)))
    elif isinstance(bare, type) and issubclass(bare, enum.Enum):
        _refuse_strangers(values, {m.value for m in bare})
        return [None if v is None else bare(v) for v in values]
    return values


def _decode_lists(array: pa.Array, bare: Any, container: type) -> list[Any]:
    item = get_args(bare)[0]
    if container is tuple and pa.types.is_fixed_size_list(array.type) and array.type.list_size:
        several = zip(*[iter(decode(array.flatten(), item))] * array.type.list_size, strict=True)
        return [next(several) if valid else None for valid in array.is_valid().to_pylist()]
    return [None if v is None else container(v) for v in _cut(decode(array.flatten(), item), _sizes(array))]


def _decode_maps(array: pa.Array, item: Any) -> list[Any]:
    # As a list of pairs, because a map's own keys and items are those of the whole parent of a slice.
    pairs = array.cast(pa.list_(pa.struct([("key", pa.string()), ("value", array.type.item_type)])))
    keys, items = pairs.flatten().flatten()
    both = list(zip(keys.to_pylist(), decode(items, item), strict=True))
    return [None if v is None else dict(v) for v in _cut(both, _sizes(pairs))]


def _cut(items: list[Any], sizes: Sequence[int | None]) -> list[list[Any] | None]:
    """The items dealt out again to the lists that they came from."""
    out: list[list[Any] | None] = []
    start = 0
    for size in sizes:
        out.append(None if size is None else items[start : start + size])
        start += size or 0
    return out


def _sizes(array: pa.Array) -> list[int | None]:
    if not pa.types.is_fixed_size_list(array.type):
        return list(array.value_lengths().to_pylist())
    return [array.type.list_size if valid else None for valid in array.is_valid().to_pylist()]


def is_plain(annotation: Any) -> bool:
    """Whether Arrow's own Python values serve as they are."""
    bare = unwrap(annotation)
    return bare in _EXACT or bare is dt.datetime


def _maker(model: Any) -> Callable[..., Any]:
    """What makes a record of its fields' values; those of a table were validated when they were written."""
    names = list(fields_of(model))
    if hasattr(model, "model_construct"):
        return lambda *values: model.model_construct(**dict(zip(names, values, strict=True)))
    fields = dataclasses.fields(model)
    if all(f.init and not f.kw_only for f in fields):
        return cast(Callable[..., Any], model)
    given = [(i, f.name) for i, f in enumerate(fields) if f.init]
    return lambda *values: model(**{name: values[i] for i, name in given})


def _masked(records: list[Any], array: pa.Array) -> list[Any]:
    return [r if valid else None for r, valid in zip(records, array.is_valid().to_pylist(), strict=True)]


@lru_cache(maxsize=512)
def _adapter(model: type) -> TypeAdapter[Any]:
    return TypeAdapter(model)


def _validate(value: Any, model: type) -> Any:
    try:
        made = _adapter(model).validate_python(value, strict=not isinstance(value, model))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        field = f", field {where}" if where else ""
        raise ValueTypeError(f"expected {model.__name__}{field}: {first['msg']}") from None
    if stranger := _unknown_key(value, model):
        raise ValueTypeError(f"expected {model.__name__}, got the unknown key '{stranger}'")
    return made


def _unknown_key(value: Any, annotation: Any) -> str | None:
    """The path of a key that no field of the declared model takes: pydantic would leave it out quietly."""
    bare = unwrap(annotation)
    inner: dict[Any, Any] = {}
    if isinstance(value, (list, tuple)):
        inner = {str(i): (v, get_args(bare)[0]) for i, v in enumerate(value)}
    elif isinstance(value, dict) and get_origin(bare) is dict:
        inner = {k: (v, get_args(bare)[1]) for k, v in value.items()}
    elif isinstance(value, dict) and is_record(bare) and bare.model_config.get("extra") != "ignore":
        known = {k: hint for n, hint in fields_of(bare).items() for k in (n, bare.model_fields[n].alias)}
        if strangers := [str(k) for k in value if k not in known]:
            return strangers[0]
        inner = {k: (v, known[k]) for k, v in value.items()}
    found = ((k, _unknown_key(v, hint)) for k, (v, hint) in inner.items())
    return next((f"{k}.{deeper}" for k, deeper in found if deeper), None)


def _name(annotation: Any) -> str:
    return getattr(annotation, "__name__", str(annotation))


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "…"
