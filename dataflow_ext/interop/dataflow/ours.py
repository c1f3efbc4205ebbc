"""Operators of ours in DataFlow's pipelines, its storages without guesses, and rows as data frames and back, exact."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from inspect import Parameter, Signature
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import pandas as pd
import pyarrow as pa
from dataflow.core import OperatorABC
from dataflow.utils.registry import OPERATOR_REGISTRY

from dataflow_ext.codec import is_plain
from dataflow_ext.columns import Columns, ColumnType, arrow_type
from dataflow_ext.datasets.rejects_and_stats import write_rejects
from dataflow_ext.identity import ROW_ID, parent_of, with_row_ids
from dataflow_ext.images import IMAGE
from dataflow_ext.models import in_step
from dataflow_ext.models.pictures import media_type_of
from dataflow_ext.operator import Operator
from dataflow_ext.rejects import Failure, dead_rows, show, split
from dataflow_ext.rows import fitting
from dataflow_ext.tables import json_records
from dataflow_ext.well_formed import arrow_array


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


S = TypeVar("S")

_log = logging.getLogger(__name__)


def in_dataflow(operator: type[Operator] | Operator) -> Any:
    """An operator of ours for DataFlow's pipelines: for a class a class that takes its options, in the registry too.

    It is called ``Rowsmith`` and its name. Its ``run`` takes, beside the storage, what columns are called there, as
    ``input_X_key`` and ``output_X_key``; else they have their own names. Rejects are no rows of the storage: they are
    in ``rejects``, and in a file beside the step's that ends in ``.rejects.jsonl``.
    """
    if isinstance(operator, Operator):
        return _class_of(type(operator))(**{name: getattr(operator, name) for name in operator.model_fields_set})
    return _class_of(operator)


@cache
def _class_of(kind: type[Operator]) -> type[Any]:
    made = type(f"Rowsmith{kind.__name__}", (_Ours,), {"kind": kind, "__doc__": kind.__doc__})
    OPERATOR_REGISTRY.register(made)
    return made


def exact(storage: S, **types: Any) -> S:
    """The storage, which reads its JSON files as they are: ``"001"`` is no number, and a null leaves integers alone.

    Columns of CSV files are of the ``types`` that are given here by name, else guessed as always.
    """
    load = getattr(storage, "_load_local_file", None)
    if load is not None and not isinstance(load, partial):
        vars(storage)["_load_local_file"] = partial(_load, load, types)
    return storage


class _Ours(OperatorABC):  # type: ignore[misc] # DataFlow has no types
    kind: ClassVar[type[Operator]]

    def __init__(self, **options: Any) -> None:
        super().__init__()
        self.options, self.ours, self.rejects = options, self.kind(**options), show(None)
        keys = {f"input_{name}_key": name for name in self.ours.needed_inputs()}
        keys |= {f"output_{name}_key": name for name in self.ours.promised_outputs()}
        named = [Parameter(k, Parameter.KEYWORD_ONLY, default=name) for k, name in keys.items() if k.isidentifier()]
        run: Any = partial(type(self).run, self)
        run.__signature__ = Signature([Parameter("storage", Parameter.POSITIONAL_OR_KEYWORD), *named])
        self.__dict__["run"] = run  # `compile()` asks for names and defaults

    def run(self, storage: Any, **keys: str) -> list[str]:
        """Do the storage's rows; the names of the columns that are written."""
        reads = {name: keys.get(f"input_{name}_key", name) for name in self.ours.needed_inputs()}
        writes = {name: keys.get(f"output_{name}_key", name) for name in self.ours.promised_outputs()}
        ours = self.kind(**{**self.options, "reads": reads, "writes": writes})
        frame = exact(storage).read("dataframe")
        if frame.empty:  # a file without rows tells no columns
            frame = frame.reindex(columns=list(dict.fromkeys([*frame.columns, *reads.values()])))
        declared = {reads[name]: t for name, t in ours.needed_inputs().items() if reads[name] in frame.columns}
        ids, table, wrong = _table(frame, declared)
        with in_step(type(self).__name__):
            alive, dead = split(ours.step(table))
        refused = dead_rows(pa.table({ROW_ID: ids}), wrong, self.kind.__name__, 0, ())
        pictures = Path(getattr(storage, "cache_path", None) or ".", "pictures")
        made = frame_of(alive if ours.rows == "whole" else alive.select([ROW_ID, *writes.values()]), pictures)
        storage.write(_beside(made, frame, ids, ours, set(reads.values()) - set(alive.column_names)))
        self._keep(pa.concat_tables([show(refused), show(dead)]), storage)
        return list(writes.values())

    def _keep(self, rejects: pa.Table, storage: Any) -> None:
        if getattr(storage, "batch_step", 0):
            rejects = pa.concat_tables([self.rejects, rejects])
        self.rejects = rejects
        if hasattr(storage, "_get_cache_file_path"):
            path = Path(storage._get_cache_file_path(storage.operator_step + 1)).with_suffix(".rejects.jsonl")
            path.unlink(missing_ok=True)
            if rejects.num_rows:
                write_rejects(rejects, path.parent, path.name)
        if rejects.num_rows:
            _log.warning("%s: %d rejects; .rejects tells why", type(self).__name__, rejects.num_rows)


def _table(frame: pd.DataFrame, declared: Columns) -> tuple[list[str], pa.Table, list[Failure]]:
    """The rows' ids, the rows whose values are what is declared, and why the others are not among them."""
    types = {name: None if t is Any else arrow_type(t) for name, t in declared.items() if name != ROW_ID}
    records = records_of(frame, types)
    texts = [json.dumps(record, ensure_ascii=False, default=str) for record in records]
    known = ROW_ID in frame.columns and frame[ROW_ID].is_unique and frame[ROW_ID].notna().all()
    ids = frame[ROW_ID].astype(str).tolist() if known else with_row_ids(pa.table({"": texts}))[ROW_ID].to_pylist()
    loose = {name: arrow_array([record[name] for record in records]).type for name, t in types.items() if t is None}
    typed = {name: as_json_has_it(declared[name]) for name in types if name not in loose}
    made = fitting(records, range(len(ids)), [], typed | loose)
    for failure in made.failures:
        failure.inputs = texts[failure.row]
    return (
        ids,
        pa.table({ROW_ID: pa.array([ids[row] for row in made.rows or ()], pa.string()), **made.columns}),
        made.failures,
    )


def _beside(
    made: pd.DataFrame, frame: pd.DataFrame, ids: list[str], ours: Operator, consumed: set[str]
) -> pd.DataFrame:
    """What was made, beside the columns that the operator knows nothing of."""
    if ours.rows == "whole":
        return made
    places = {row_id: place for place, row_id in enumerate(ids)}
    rows = [places[parent_of(row_id) if ours.rows == "explode" else row_id] for row_id in made[ROW_ID]]
    whole = frame.iloc[rows].reset_index(drop=True).drop(columns=list(consumed & set(frame.columns)))
    return whole.assign(**{str(name): made[name] for name in made.columns})


def _load(guess: Callable[..., Any], types: Mapping[str, Any], path: str, kind: str, size: int | None = None) -> Any:
    if kind not in ("csv", "json", "jsonl"):  # the others have types of their own
        return guess(path, kind)
    frame = pd.read_csv(path, dtype=dict(types)) if kind == "csv" else read_json(Path(path))
    if size is None:
        return frame
    return (frame[start : start + size].reset_index(drop=True) for start in range(0, len(frame), size))
