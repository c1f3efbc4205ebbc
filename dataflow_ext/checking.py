"""The proof that the steps of a pipeline fit together, before any of them runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dataflow_ext.errors import OptionError, WiringError
from dataflow_ext.operator import Operator
from dataflow_ext.several_inputs import one_input
from dataflow_ext.wiring import Wiring, as_schema, prove


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
