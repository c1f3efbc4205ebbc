"""A streamed run as it was asked for: its plan, its folder, and what is written there when all parts are done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataflow_ext.checking import check
from dataflow_ext.errors import OptionError
from dataflow_ext.files import RUN_FOLDER, make_folder
from dataflow_ext.fingerprint import fingerprints
from dataflow_ext.folder_lock import only_run_in
from dataflow_ext.identity import ROW_ID
from dataflow_ext.operator import Operator
from dataflow_ext.rejects import REJECT
from dataflow_ext.report import Report, Stop, stops
from dataflow_ext.streaming.job import Engine
from dataflow_ext.streaming.parts import Part
from dataflow_ext.streaming.result import StreamResult, must_be_writable, write_rows
from dataflow_ext.streaming.running import StreamRun
from dataflow_ext.streaming.source import source_of
from dataflow_ext.streaming.stretches import stretches

if TYPE_CHECKING:
    from dataflow_ext.models import Session
    from dataflow_ext.run_settings import RunSettings
    from dataflow_ext.tracebacks import Tracebacks

#: Rows of a part: enough that a model's calls are seldom waited for, and of plain rows a few megabytes.
ROWS_PER_PART = 20_000


@dataclass(frozen=True, slots=True)
class Plan:
    """How to run a pipeline part by part, and where."""

    out: Path
    rows_per_part: int
    keep_steps: tuple[int | str, ...]
    settings: RunSettings
    tracebacks: Tracebacks
    engine: Engine

    def run(self, pipeline: Sequence[Operator], data: Any, session: Session) -> StreamResult:
        """Do what is not remembered in the folder, and write the rows there as ``rows.parquet``."""
        if not isinstance(self.rows_per_part, int) or self.rows_per_part < 1:
            raise OptionError(f"run needs rows_per_part ≥ 1, got {self.rows_per_part}.")
        if self.out.exists() and not self.out.is_dir():
            raise OptionError(f"out is the folder of a streamed run, but {self.out} is a file; name a folder.")
        source = source_of(data)
        wiring = check(pipeline, source.schema)
        if not pipeline:
            raise OptionError("A streamed run needs a step; write_table copies rows.")
        must_be_writable(wiring.schemas[-1])
        plan = stretches(pipeline, fingerprints(pipeline), wiring.schemas, self._ends(pipeline))
        own = self.out / RUN_FOLDER
        folder = own / "stream"
        make_folder(folder, private=True)
        with only_run_in(folder), self.engine.opened(session, pipeline, folder, self.settings.workers) as makers:
            parts, steps = StreamRun(folder, self.rows_per_part, self.settings, makers).go(source, plan)
            report = Report(steps, warnings=list(wiring.warnings), tracebacks=self.tracebacks.kept, wiring=wiring.steps)
            report.models, report.calls = session.usage, session.ledger.entries()
            if any(part.passing for each in parts for part in each):
                report.stopped = _stops(parts[-1])
            path = self.out / "rows.parquet"
            write_rows(parts[-1], path, own / "rejects.parquet")
        return StreamResult(path, plan, parts, report)

    def _ends(self, pipeline: Sequence[Operator]) -> list[int]:
        """The numbers of the steps whose rows are to be kept."""
        names = [step.step_name for step in pipeline]
        ends = []
        for step in self.keep_steps:
            if step in names:
                ends += [n for n, name in enumerate(names, 1) if name == step]
            elif isinstance(step, int) and 1 <= step <= len(names):
                ends.append(step)
            else:
                raise OptionError(f"keep_steps names {step!r}; the steps are {', '.join(names)} (1 to {len(names)}).")
        return ends


def _stops(parts: Sequence[Part]) -> list[Stop]:
    rows: Counter[str] = Counter()
    first: dict[str, str] = {}
    for part in parts:
        for stop in stops(part.read([ROW_ID, REJECT])):
            rows[stop.error] += stop.rows
            first.setdefault(stop.error, stop.message)
    return [Stop(error, count, first[error]) for error, count in rows.most_common()]
