"""What a run tells a person: its figures, and the page that it leaves behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataflow_ext.lazy import lazy_names, offered

if TYPE_CHECKING:
    from dataflow_ext.report.figures import Report as Report
    from dataflow_ext.report.figures import StepReport as StepReport
    from dataflow_ext.report.figures import Stop as Stop
    from dataflow_ext.report.figures import keep_figures as keep_figures
    from dataflow_ext.report.figures import step_report as step_report
    from dataflow_ext.report.figures import stops as stops
    from dataflow_ext.report.figures import unread_in as unread_in
    from dataflow_ext.report.listing import Facet as Facet
    from dataflow_ext.report.listing import Field as Field
    from dataflow_ext.report.listing import Labels as Labels
    from dataflow_ext.report.listing import Listing as Listing
    from dataflow_ext.report.listing import ShownRow as ShownRow
    from dataflow_ext.report.listing import filter_link as filter_link
    from dataflow_ext.report.listing import row_link as row_link
    from dataflow_ext.report.page import Page as Page
    from dataflow_ext.report.page import write_report as write_report
    from dataflow_ext.report.rejects import rejects_listing as rejects_listing

_HOME = offered(__spec__)

__all__ = [*_HOME]

__getattr__ = lazy_names(__name__, _HOME)
