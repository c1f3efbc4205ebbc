"""What a run tells a person: its figures, and the page that it leaves behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataflow_ext.lazy import lazy_names

if TYPE_CHECKING:
    from dataflow_ext.report.figures import Report, StepReport, Stop, keep_figures, step_report, stops
    from dataflow_ext.report.listing import Facet, Field, Labels, Listing, ShownRow, filter_link, row_link
    from dataflow_ext.report.page import Page, write_report
    from dataflow_ext.report.rejects import rejects_listing

_HOME = {
    **dict.fromkeys(("Report", "StepReport", "Stop", "keep_figures", "step_report", "stops"), "figures"),
    **dict.fromkeys(("Facet", "Field", "Labels", "Listing", "ShownRow", "filter_link", "row_link"), "listing"),
    **dict.fromkeys(("Page", "write_report"), "page"),
    "rejects_listing": "rejects",
}

__all__ = [
    "Facet",
    "Field",
    "Labels",
    "Listing",
    "Page",
    "Report",
    "ShownRow",
    "StepReport",
    "Stop",
    "filter_link",
    "keep_figures",
    "rejects_listing",
    "row_link",
    "step_report",
    "stops",
    "write_report",
]

__getattr__ = lazy_names(__name__, {name: f"{__name__}.{home}" for name, home in _HOME.items()})
