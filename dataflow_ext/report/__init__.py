"""What a run tells a person: its figures, and the page that it leaves behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataflow_ext.lazy import lazy_names

if TYPE_CHECKING:
    from dataflow_ext.report.figures import Report, StepReport, Stop, keep_figures, step_report, stops

_FIGURES = "dataflow_ext.report.figures"
_HOME = dict.fromkeys(("Report", "StepReport", "Stop", "keep_figures", "step_report", "stops"), _FIGURES)

__all__ = ["Report", "StepReport", "Stop", "keep_figures", "step_report", "stops"]

__getattr__ = lazy_names(__name__, _HOME)
