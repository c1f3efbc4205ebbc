"""What is checked before work begins: that the steps fit together, and that servers, keys and packages are there."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext.background import map_async, run_async
from dataflow_ext.errors import DataflowError, NotReadyError, OptionError, WiringError
from dataflow_ext.models.errors import ServerDownError
from dataflow_ext.models.request import FullModel, models_in
from dataflow_ext.operator import Operator
from dataflow_ext.tables import to_table
from dataflow_ext.wiring import Wiring, as_schema, prove


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


def check(pipeline: Sequence[Operator], schema: Any) -> Wiring:
    """Prove that the steps fit together and fit a table of this schema, before anything runs.

    ``schema`` is a schema, a map of column names to types, or what :func:`run` takes. Raises
    :class:`WiringError` with every problem: a missing column, a wrong type, an overwritten column, each
    with step, operator, column, both types and the remedy. Outputs that are
    dropped unread are the result's ``warnings``.
    """
    if isinstance(pipeline, Operator):
        raise OptionError(f"A pipeline is a list of operators; put the {type(pipeline).__name__} into one.")
    for number, step in enumerate(pipeline, 1):
        if isinstance(step, type) and issubclass(step, Operator):
            raise OptionError(f"Step {number} is the class {step.__name__}; call it: {step.__name__}(…).")
        if not isinstance(step, Operator):
            raise OptionError(f"Step {number} is no operator but a {type(step).__name__}: {step!r}.")
    pipeline, schema = one_input(pipeline, schema)
    wiring, errors = prove([op.names(n) for n, op in enumerate(pipeline, 1)], as_schema(schema))
    if errors:
        raise WiringError(errors)
    return wiring


_log = logging.getLogger(__name__)


class Preflight:
    """The checks of a run, made once: before the first step that has to be done, for it and all steps behind it.

    Steps that are remembered need nothing, so a run of which everything is remembered works without a network.

    An operator that cannot work without a package says so in ``preflight(self)``, a model whose key or server may be
    missing in ``async preflight(self)``: each raises a :class:`~dataflow_ext.errors.DataflowError`, takes a few
    seconds at most, and costs nothing. Both methods may be absent.
    """

    def __init__(self, pipeline: Sequence[Operator]) -> None:
        self._pipeline = pipeline
        self._told: set[str] = set()
        self._passed = False

    def before(self, number: int) -> None:
        """Raise :class:`NotReadyError` if the step cannot be done, or, if it is one that counts, one behind it.

        A step that is done each time and left nothing to remember says nothing about those behind it, which may
        all be remembered: for these a warning has to do.
        """
        if self._passed:
            return
        step, ahead = self._pipeline[number - 1], self._pipeline[number:]
        if step.remembered:
            must_be_ready([step, *ahead], number)
            self._passed = True
            return
        must_be_ready([step], number)
        for problem in map(str, _problems(ahead, number + 1)):
            if problem not in self._told:
                self._told.add(problem)
                _log.warning("%s", problem)


def must_be_ready(pipeline: Sequence[Operator], first: int = 1) -> None:
    """Raise :class:`NotReadyError` with all that is missing for these steps, of which one has the number ``first``.

    >>> from dataflow_ext import RowOperator
    >>> class Draw(RowOperator):
    ...     inputs, outputs = {"text": str}, {}
    ...     def preflight(self) -> None:
    ...         raise DataflowError("Drawing needs a pen.")
    ...     def row(self, text: str) -> dict[str, str]:
    ...         return {}
    >>> must_be_ready([Draw()])
    Traceback (most recent call last):
    dataflow_ext.errors.NotReadyError: Step 1 (Draw): Drawing needs a pen.
    """
    if problems := _problems(pipeline, first):
        raise NotReadyError(problems)


def _problems(pipeline: Sequence[Operator], first: int) -> list[DataflowError]:
    """What is missing, each thing once, under the first step that misses it; servers are asked side by side."""
    steps = [f"Step {n} ({operator.step_name})" for n, operator in enumerate(pipeline, first)]
    found: dict[str, DataflowError] = {}
    for step, operator in zip(steps, pipeline, strict=True):
        try:
            getattr(operator, "preflight", lambda: None)()
        except DataflowError as error:
            found.setdefault(str(error), _under(step, error))
    models = ((step, model) for step, op in zip(steps, pipeline, strict=True) for model in models_in(op))
    checks = [(step, FullModel(model).preflight) for step, model in models]
    outcomes = run_async(map_async(lambda check: check[1](), checks)) if checks else []
    for (step, _), outcome in zip(checks, outcomes, strict=True):
        if isinstance(outcome, DataflowError):
            found.setdefault(str(outcome), _under(step, outcome))
        elif isinstance(outcome, Exception):
            raise outcome
    return list(found.values())


def _under(step: str, error: DataflowError) -> DataflowError:
    told = DataflowError(f"{step}: {error}")
    told.transient = isinstance(error, ServerDownError)
    return told
