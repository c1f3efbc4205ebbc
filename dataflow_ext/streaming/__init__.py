"""A run that holds a part of its rows at a time: stretch by stretch, part by part, each part remembered in a file."""

from __future__ import annotations

import shutil
import time
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import accumulate, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from dataflow_ext import progress
from dataflow_ext.checking import check
from dataflow_ext.datasets.folder import must_be_ours, writing
from dataflow_ext.engine import Given
from dataflow_ext.errors import OptionError
from dataflow_ext.files import RUN_FOLDER, forget_unfinished, make_folder, only_run_in
from dataflow_ext.fingerprint import fingerprints
from dataflow_ext.fingerprint.content import file_columns, named_files_hash, table_hash
from dataflow_ext.identity import ROW_ID, short_hash
from dataflow_ext.models import in_step
from dataflow_ext.operator import Operator
from dataflow_ext.rejects import REJECT, Failure, dead_rows, join, split
from dataflow_ext.report import Report, StepReport, Stop, step_report, stops, unread_in
from dataflow_ext.selection import take
from dataflow_ext.store import passing
from dataflow_ext.streaming.parts import Engine, Load, Makers, Part, PartFolder, PartJob, Stretch, stretches, write_part
from dataflow_ext.streaming.result import StreamResult, must_be_writable, write_rows
from dataflow_ext.streaming.shuffle import FirstSeen, Moves, RowIds, Spread, columns_of
from dataflow_ext.streaming.source import Source, source_of
from dataflow_ext.tracebacks import at_step, raising
from dataflow_ext.writer import Writer

if TYPE_CHECKING:
    from dataflow_ext.engine import RunSettings
    from dataflow_ext.models import Session
    from dataflow_ext.tracebacks import Tracebacks

_COUNTS = ("rows_in", "rows_out", "failed", "dropped", "empty")

#: A part that may have to be made: what went into it, and, if it has to, what reads that.
_Work = tuple[str, Callable[[], Load]]


@dataclass(frozen=True, slots=True)
class StreamRun:
    """What one streamed run works with."""

    folder: Path
    rows_per_part: int
    settings: RunSettings
    makers: Makers

    def go(self, source: Source, plan: Sequence[Stretch]) -> tuple[list[list[Part]], list[StepReport]]:
        """The parts after each stretch, and the figures of each step."""
        made: list[list[Part]] = []
        reports: list[StepReport] = []
        for number, stretch in enumerate(plan):
            folder = self.folder / f"{number + 1:02}"
            if stretch.steps and isinstance(stretch.steps[0], Writer):
                made.append(self._written(stretch.steps[0], stretch.first, made[-1], PartFolder(folder)))
                reports += _summed([part.figures for part in made[-1]])
                continue
            with closing(FirstSeen(self.folder / "ids.sqlite")) as seen:
                skipped = 0
                if not made:
                    work = self._from_source(source, stretch, RowIds(seen))
                elif stretch.head == "merge":
                    work = self._merged(stretch, made[-1])
                elif stretch.head == "together":
                    figures, work = self._together(stretch, made[-1], PartFolder(folder / "all"))
                    reports.append(figures)
                    skipped = 1
                else:
                    work = ((self._content(stretch, part), partial(_reader, part)) for part in made[-1])
                parts = self._stretch(stretch, skipped, work, PartFolder(folder))
            made.append(parts)
            reports += _summed([part.figures for part in parts])
        self._forget_others(plan, made)
        return made, reports

    def _forget_others(self, plan: Sequence[Stretch], made: Sequence[Sequence[Part]]) -> None:
        """Remove what runs with other steps left, and pieces of work that is whole."""
        mine = {f"{number:02}": stretch for number, stretch in enumerate(plan, 1)}
        gone = [folder for folder in self.folder.glob("[0-9]*") if folder.name not in mine]
        gone += [self.folder / name / "all" for name, stretch in mine.items() if stretch.head != "together"]
        gone.append(self.folder / "moved")
        if not any(part.passing for parts in made for part in parts):
            gone.append(self.folder / "pieces")
        for folder in gone:
            shutil.rmtree(folder, ignore_errors=True)

    def _stretch(self, stretch: Stretch, skipped: int, work: Iterator[_Work], folder: PartFolder) -> list[Part]:
        names = ", ".join(f"{n}. {type(op).__name__}" for n, op in zip(stretch.numbers, stretch.steps, strict=True))
        names = names or "the source"
        parts: list[Part] = []

        def todo(number: int, work: _Work) -> Part | PartJob:
            return self._todo(stretch, skipped, number, *work, folder)

        heard = progress.OfParts(self.settings.listener) if self.settings.listener is not None else None
        # Of several steps the parts are counted, of one its rows.
        one = len(stretch.steps) - skipped == 1
        with self.settings.telling(names, 0) as notes, progress.listening(heard if one else None):
            # Not in a loop, whose variables would hold a part while the next one is read.
            for part in self.makers.parts(map(todo, count(), work)):
                folder.took(len(parts), part)
                parts.append(part)
                rows = part.figures[0].rows_in if part.figures else 0
                if heard is not None and one and part.figures[0].remembered:
                    heard.expect(rows, "rows")
                if heard is not None and (not one or part.figures[0].remembered):
                    heard.advance(rows)
            folder.forget_from(len(parts))
            told = [_summed([part.figures for part in parts])[-1].note()] if one else []
            notes.append(
                ", ".join([*told, *([f"{len(parts)} part{'s' * (len(parts) != 1)}"] * (not one or len(parts) > 1))])
            )
        return parts

    def _todo(
        self, stretch: Stretch, skipped: int, number: int, content: str, load: Callable[[], Load],
        folder: PartFolder, workers: int | None = None,
    ) -> Part | PartJob:  # fmt: skip
        """The part, if it is remembered, else what is to be done for it."""
        key = short_hash(content, str(stretch.first), *map(str, stretch.marks)) if stretch.remembered else ""
        if not self.settings.fresh and (found := folder.find(number, key)) is not None and not self._again(found):
            for figures in found.figures:
                figures.remembered = True
            return found
        for step in stretch.numbers[skipped:]:
            self.settings.before(step)
        pieces = self.folder / "pieces"
        workers = workers or self.settings.workers
        return PartJob(number, key, stretch, skipped, load(), folder.path, pieces, workers, self.settings.fresh)

    def _again(self, part: Part) -> bool:
        """Whether a remembered part is done once more: its failures may pass, or are to be raised."""
        return part.passing or (raising() and any(f.failed for f in part.figures))

    def _from_source(self, source: Source, stretch: Stretch, ids: RowIds) -> Iterator[_Work]:
        def work(part: pa.Table, number: int) -> _Work:
            table = ids.give(part, number)
            table = table if number else join(table, [source.dead])
            return _content_of(table, stretch), partial(Given, table)

        return map(work, source.parts(self.rows_per_part, self.settings.limit), count())

    def _content(self, stretch: Stretch, part: Part) -> str:
        """What a finished part holds, and the files that the stretch reads by the names in it."""
        columns = sorted({name for step in stretch.steps for name in file_columns(step)})
        named = part.living(columns) if columns else None
        files = [] if named is None else [named_files_hash(step, named) for step in stretch.steps]
        return short_hash(part.content.rpartition("-")[2], *files)

    def _merged(self, stretch: Stretch, before: Sequence[Part]) -> Iterator[_Work]:
        content = short_hash(*(self._content(stretch, part) for part in before))
        scratch = self.folder / "moved"
        moves = cache(lambda: Moves(stretch.steps[0], before, scratch))  # where all is remembered, nothing moves
        return self._works(content, len(before), lambda number: moves().into(number))

    def _together(
        self, stretch: Stretch, before: Sequence[Part], folder: PartFolder
    ) -> tuple[StepReport, Iterator[_Work]]:
        """The first step is done here and now, for all parts."""
        content = short_hash(*(self._content(stretch, part) for part in before))
        head = Stretch("parts", stretch.first, stretch.steps[:1], stretch.marks[:1])
        step = stretch.steps[0]
        todo = self._todo(head, 0, 0, content, lambda: partial(columns_of, step, before), folder, self.makers.workers)
        all_rows = todo if isinstance(todo, Part) else todo.make()
        folder.took(0, all_rows)
        spread = cache(lambda: Spread(step, all_rows.read(), before))
        content = short_hash(content, all_rows.content)
        return all_rows.figures[0], self._works(content, len(before), lambda number: Given(spread().table(number)))

    def _written(self, step: Writer, number: int, before: Sequence[Part], folder: PartFolder) -> list[Part]:
        """The parts behind a step that writes files; those of which it rejects nothing are as before."""
        name = f"{number}. {step.step_name}"
        folder.forget_from(0)
        at_step(name)
        self.settings.before(number)
        work = WrittenParts(step, number, before)
        rows = sum(part.figures[-1].rows_out for part in before if part.figures)
        with self.settings.telling(name, rows) as notes, in_step(name):
            began = time.perf_counter()
            work.write()
            parts: list[Part] = []
            for place, part in enumerate(before):
                table = work.table(place)
                ids = part.read([ROW_ID, REJECT])
                took = time.perf_counter() - began if not place else 0.0
                figures = [step_report(number, step.step_name, ids, ids if table is None else table, took, False)]
                if table is None:
                    parts.append(replace(part, figures=tuple(figures)))
                else:
                    passes = part.passing or passing(table, number)
                    parts.append(write_part(folder.path, place, "", table, figures, passes))
                    folder.took(place, parts[-1])
            notes.append(_summed([part.figures for part in parts])[0].note())
        return parts

    def _works(self, content: str, parts: int, load: Callable[[int], Load]) -> Iterator[_Work]:
        """Parts that rows of all others may come into, so that all of these tell what went in."""
        for number in range(parts):
            yield short_hash(content, str(number)), partial(load, number)


def _reader(part: Part) -> Load:
    return part.read


def _content_of(table: pa.Table, stretch: Stretch) -> str:
    return short_hash(table_hash(table), *(named_files_hash(step, table) for step in stretch.steps))


def _summed(parts: Sequence[Sequence[StepReport]]) -> list[StepReport]:
    """The figures of a stretch's steps over its parts."""
    out = []
    for same in zip(*parts, strict=True):
        rows = {name: sum(getattr(f, name) for f in same) for name in _COUNTS}
        seconds, remembered = round(sum(f.seconds for f in same), 3), all(f.remembered for f in same)
        out.append(StepReport(same[0].step, same[0].operator, **rows, seconds=seconds, remembered=remembered))
    return out


#: The file with all rows.
ROWS = "rows.parquet"
#: Rows of a part: enough that a model's calls are seldom waited for, and of plain rows a few megabytes.
ROWS_PER_PART = 20_000


def run_by_parts(
    pipeline: Sequence[Operator],
    data: Any,
    out: Path,
    session: Session,
    settings: RunSettings,
    tracebacks: Tracebacks,
    engine: Engine,
    *,
    rows_per_part: int,
    keep_steps: Sequence[int | str],
) -> StreamResult:
    """Do what is not remembered in the folder ``out``, and write the rows there as ``rows.parquet``."""
    if not isinstance(rows_per_part, int) or rows_per_part < 1:
        raise OptionError(f"run needs rows_per_part ≥ 1, got {rows_per_part}.")
    if out.exists() and not out.is_dir():
        raise OptionError(f"out is the folder of a streamed run, but {out} is a file; name a folder.")
    source = source_of(data)
    wiring = check(pipeline, source.schema)
    if not pipeline:
        raise OptionError("A streamed run needs a step; write_table copies rows.")
    must_be_writable(wiring.schemas[-1])
    # A folder's tables are read as one, so that its rows.parquet is an input too.
    must_be_ours(out, [ROWS], [Path(data), Path(data) / ROWS] if isinstance(data, (str, Path)) else ())
    plan = stretches(pipeline, fingerprints(pipeline), wiring.schemas, _ends(pipeline, keep_steps))
    own = out / RUN_FOLDER
    folder = make_folder(own / "stream", private=True)
    with (
        only_run_in(folder),
        writing(out, [ROWS]),
        engine.opened(session, pipeline, folder, settings.workers) as makers,
    ):
        forget_unfinished(out, [ROWS])
        parts, steps = StreamRun(folder, rows_per_part, settings, makers).go(source, plan)
        report = Report(steps, warnings=list(wiring.warnings), tracebacks=tracebacks.kept, wiring=wiring.steps)
        report.unread = unread_in(source.dead)
        report.models, report.calls = session.usage, session.ledger.entries()
        if any(part.passing for each in parts for part in each):
            report.stopped = _stops(parts[-1])
        write_rows(parts[-1], out / ROWS, own / "rejects.parquet")
    return StreamResult(out / ROWS, plan, parts, report, session)


def _ends(pipeline: Sequence[Operator], keep_steps: Sequence[int | str]) -> list[int]:
    """The numbers of the steps whose rows are to be kept."""
    names = [step.step_name for step in pipeline]
    ends = []
    for step in keep_steps:
        if step in names:
            ends += [n for n, name in enumerate(names, 1) if name == step]
        elif isinstance(step, int) and 0 <= step <= len(names):
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


class WrittenParts:
    """What the step was given of each part, and which of its rows it could not write."""

    def __init__(self, step: Writer, number: int, parts: Sequence[Part]) -> None:
        self._step, self._number, self._parts = step, number, parts
        self._usable: dict[int, Sequence[int]] = {}
        self._failures: defaultdict[int, list[Failure]] = defaultdict(list)

    def write(self) -> None:
        """Have it write all rows that it can be given; nothing where there are none."""
        for place, part in enumerate(self._parts):
            _, self._usable[place], self._failures[place] = self._step.given(part.living(self._step.columns_read()))
        if not any(map(len, self._usable.values())):
            return
        starts = list(accumulate(map(len, self._usable.values()), initial=0))
        readers: list[Callable[[], pa.Table]] = [partial(self._given, place) for place in range(len(self._parts))]
        for failure in self._step.write(readers):
            place = bisect_right(starts, failure.row) - 1
            row = self._usable[place][failure.row - starts[place]]
            self._failures[place].append(replace(failure, row=row))

    def table(self, place: int) -> pa.Table | None:
        """A part's rows and rejects behind the step; None where it took all of them."""
        failures = sorted(self._failures[place], key=lambda failure: failure.row)
        if not failures:
            return None
        living, dead = split(self._parts[place].read())
        gone = {failure.row for failure in failures}
        kept = [row for row in range(living.num_rows) if row not in gone]
        mine = dead_rows(living, failures, self._step.step_name, self._number, self._step.columns_read())
        return join(take(living, kept), [dead, mine])

    def _given(self, place: int) -> pa.Table:
        return self._step.given(self._parts[place].living(self._step.columns_read()))[0]
