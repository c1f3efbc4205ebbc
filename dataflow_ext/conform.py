"""Whether an Arrow type can serve where another was declared, and the array brought to that type."""

from __future__ import annotations

import pyarrow as pa

from dataflow_ext.errors import RowError
from dataflow_ext.selection import cut

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
    if _is_list(wanted):
        fixed = _T.is_fixed_size_list(wanted)
        same_size = not fixed or (_T.is_fixed_size_list(actual) and actual.list_size == wanted.list_size)
        return _is_list(actual) and same_size and compatible(actual.value_type, wanted.value_type)
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
        lengths = array.value_lengths().fill_null(0).to_pylist()
        offsets = [0]
        for n in lengths:
            offsets.append(offsets[-1] + n)
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


def _is_list(t: pa.DataType) -> bool:
    return bool(_T.is_list(t) or _T.is_large_list(t) or _T.is_fixed_size_list(t))
