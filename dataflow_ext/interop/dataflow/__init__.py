"""DataFlow: its operators as steps of our lists, ours as operators of its pipelines, models as its servings."""

from __future__ import annotations

try:
    import dataflow.core  # noqa: F401 - said here in a sentence, if it is missing
except ImportError as error:
    raise ImportError(f"This needs DataFlow (python -m pip install open-dataflow): {error}") from error

from dataflow_ext.interop.dataflow.ours import exact, in_dataflow
from dataflow_ext.interop.dataflow.theirs import DataFlowOperator, Serving

__all__ = ["DataFlowOperator", "Serving", "exact", "in_dataflow"]
