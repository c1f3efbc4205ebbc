"""What can be known before work begins: that servers answer, keys are there, and packages are installed.

An operator that cannot work without a package says so in ``preflight(self)``, a model whose key or server may
be missing in ``async preflight(self)``: each raises a :class:`~dataflow_ext.errors.DataflowError`, takes a few
seconds at most, and costs nothing. Both methods may be absent.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from dataflow_ext.background import map_async, run_async
from dataflow_ext.errors import DataflowError, NotReadyError
from dataflow_ext.models.errors import ServerDownError
from dataflow_ext.models.full import FullModel
from dataflow_ext.models.held import models_in
from dataflow_ext.operator import Operator

_log = logging.getLogger(__name__)


class Preflight:
    """The checks of a run, made once: before the first step that has to be done, for it and all steps behind it.

    Steps that are remembered need nothing, so a run of which everything is remembered works without a network.
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
            getattr(operator, "preflight", _nothing)()
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


def _nothing() -> None:
    """An operator that needs nothing."""
