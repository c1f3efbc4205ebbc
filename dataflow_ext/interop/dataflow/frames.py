"""Rows as data frames and back, exact: texts, integers, lists and nulls stay what they are, pictures go as paths."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from dataflow_ext.codec import is_plain
from dataflow_ext.columns import ColumnType, arrow_type
from dataflow_ext.images import IMAGE
from dataflow_ext.models.pictures import media_type_of
from dataflow_ext.tables import json_records


def frame_of(table: pa.Table, pictures: Path) -> pd.DataFrame:
    """A table as a frame; a picture that is no file yet becomes one in the folder ``pictures``."""
    columns = {name: table[name].to_pylist(maps_as_pydicts="strict") for name in table.column_names}
    return _frame({name: [_as_path(value, pictures) for value in values] for name, values in columns.items()})


def as_json_has_it(declared: ColumnType) -> ColumnType:
    """The type by which values are tested that were JSON: records are maps there; nulls are looked at elsewhere."""
    return declared | None if is_plain(declared) else arrow_type(declared)


def records_of(frame: pd.DataFrame, types: Mapping[str, pa.DataType | None]) -> list[dict[str, Any]]:
    """A frame's rows in these columns, as values of these types; what pandas made of nulls and integers is undone."""
    values = {name: [_as_typed(value, dtype) for value in frame[name].tolist()] for name, dtype in types.items()}
    return [{name: values[name][row] for name in types} for row in range(len(frame))]


def read_json(path: Path) -> pd.DataFrame:
    """The frame in a JSON or JSONL file as it stands there."""
    rows = json.loads(path.read_text(encoding="utf-8")) if path.suffix == ".json" else list(json_records(path))
    return _frame(
        {name: [row.get(name) for row in rows] for name in dict.fromkeys(name for row in rows for name in row)}
    )


def _frame(columns: Mapping[str, Sequence[Any]]) -> pd.DataFrame:
    """The columns as a frame; only those that are numbers or truths throughout get a type of pandas' own."""
    return pd.DataFrame({name: _series(values) for name, values in columns.items()})


def _series(values: Sequence[Any]) -> pd.Series[Any]:
    kinds = set(map(type, values))
    number = len(kinds) == 1 and kinds <= {int, float, bool}
    return pd.Series(values, dtype=None if number else object)


def _as_path(value: Any, pictures: Path) -> Any:
    if isinstance(value, list):
        return [_as_path(each, pictures) for each in value]
    if not isinstance(value, dict) or value.keys() != {"bytes", "path"}:
        return value
    if value["path"] is not None or value["bytes"] is None:
        return value["path"]
    ending = (media_type_of(value["bytes"]) or "image/bin").partition("/")[2]
    file = pictures / f"{hashlib.sha256(value['bytes']).hexdigest()[:20]}.{ending}"
    pictures.mkdir(parents=True, exist_ok=True)
    file.write_bytes(value["bytes"])
    return str(file)


def _as_typed(value: Any, dtype: pa.DataType | None) -> Any:
    value = value.tolist() if type(value).__module__ == "numpy" else value
    if value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and value != value):
        return None
    if isinstance(value, list):
        return [_as_typed(each, getattr(dtype, "value_type", None)) for each in value]
    if dtype == IMAGE and isinstance(value, str):
        return {"bytes": None, "path": value}
    if isinstance(value, dict) and dtype is not None and pa.types.is_map(dtype):
        return [(key, _as_typed(each, dtype.item_type)) for key, each in value.items()]
    if isinstance(value, dict):
        inner = {} if dtype is None or not pa.types.is_struct(dtype) else {field.name: field.type for field in dtype}
        return {key: _as_typed(each, inner.get(key)) for key, each in value.items()}
    whole = isinstance(value, float) and value.is_integer() and dtype is not None and pa.types.is_integer(dtype)
    return int(value) if whole else value
