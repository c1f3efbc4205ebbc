"""Whether the method that an author writes takes what the operator declares."""

from __future__ import annotations

import inspect
import typing
from typing import Any

import pyarrow as pa

from dataflow_ext.columns import Columns, optional, unwrap
from dataflow_ext.errors import ColumnError
from dataflow_ext.operator import Operator


def check_signature(cls: type[Operator], method: Any, inputs: Columns) -> None:
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
