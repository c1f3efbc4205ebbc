"""Runs with several inputs: the steps begin with the first table, and name the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.errors import OptionError
from dataflow_ext.operator import Operator
from dataflow_ext.tables import to_table


def one_input(pipeline: Sequence[Operator], data: Any) -> tuple[Sequence[Operator], Any]:
    """The steps, and the table that they begin with: the first of several, of which steps have taken the others.

    :class:`OptionError` for an input that no step names.
    """
    if not isinstance(data, Mapping) or not data or not all(map(_is_table, data.values())):
        return pipeline, data
    first, *others = data
    tables = {name: to_table(data[name]) for name in others}
    for name, table in tables.items():
        if all(step.with_tables({name: table}) is step for step in pipeline):
            raise OptionError(f"No step names the input '{name}', as Join(other='{name}', …) would.")
    return [step.with_tables(tables) for step in pipeline], data[first]


def _is_table(value: Any) -> bool:
    """Whether a value is data, rather than the type or the values of a column."""
    if isinstance(value, (pa.Table, pa.RecordBatch, str, Path)):
        return True
    if isinstance(value, (list, tuple)):
        return all(isinstance(row, dict) for row in value)
    return not isinstance(value, type) and (hasattr(value, "iloc") or hasattr(value, "__arrow_c_stream__"))
