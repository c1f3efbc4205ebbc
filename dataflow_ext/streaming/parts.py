"""The parts of a streamed run on disk, and the stretches of steps that each flows through at once."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

import pyarrow as pa

from dataflow_ext.engine import do_step
from dataflow_ext.errors import InputError
from dataflow_ext.files import make_folder, put
from dataflow_ext.fingerprint.content import file_columns
from dataflow_ext.identity import ROW_ID, short_hash
from dataflow_ext.models import in_step
from dataflow_ext.models.request import FullModel, models_in
from dataflow_ext.operator import Operator
from dataflow_ext.parallel.journal import journaling
from dataflow_ext.rejects import REJECT, split
from dataflow_ext.report import StepReport, step_report
from dataflow_ext.selection import whole
from dataflow_ext.store import StepStore, checksum, passing
from dataflow_ext.tables import write_table
from dataflow_ext.tracebacks import at_step
from dataflow_ext.writer import Writer

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from dataflow_ext.models import Session

#: What has to be there before a stretch begins: a part; the rows of all parts by key; or some columns of all parts.
Head = Literal["parts", "merge", "together"]

_RECORD = b"dataflow_ext.part"


@dataclass(frozen=True, slots=True)
class Stretch:
    """Steps that a part goes through without a stop; the first may need more than its part."""

    head: Head
    first: int
    steps: tuple[Operator, ...]
    marks: tuple[str | None, ...]

    @property
    def numbers(self) -> range:
        """The numbers of its steps, counted from 1 in the pipeline."""
        return range(self.first, self.first + len(self.steps))

    @property
    def last(self) -> tuple[int, str]:
        """The step after which its parts are: its number and its operator's name; 0 for the source."""
        return self.numbers.stop - 1, type(self.steps[-1]).__name__ if self.steps else "source"

    @property
    def remembered(self) -> bool:
        """Whether its parts may be taken from an earlier run."""
        return None not in self.marks


def stretches(
    pipeline: Sequence[Operator], marks: Sequence[str | None], schemas: Sequence[pa.Schema], ends: Sequence[int] = ()
) -> list[Stretch]:
    """The pipeline in stretches: as few as may be, since each end is a file a part.

    A stretch ends before a step that merges rows or looks at all of them, around one that writes files, where one that
    is remembered meets one that is not, before one that reads files which a step named, and after the steps numbered in
    ``ends``; 0 is what goes in.
    """
    # What merges, or looks at all rows, needs the source's in parts.
    out = [Stretch("parts", 1, (), ())] if pipeline and (0 in ends or head_of(pipeline[0]) != "parts") else []
    for number, (operator, mark) in enumerate(zip(pipeline, marks, strict=True), 1):
        head = head_of(operator)
        last = out[-1] if out else None
        if (
            last is not None
            and head == "parts"
            and last.steps
            and not isinstance(last.steps[-1], Writer)
            and (mark is None) == (last.marks[-1] is None)
            and number - 1 not in ends
            and not _reads_named_files(operator, last.steps, schemas[last.first - 1])
        ):
            out[-1] = Stretch(last.head, last.first, (*last.steps, operator), (*last.marks, mark))
        else:
            out.append(Stretch(head, number, (operator,), (mark,)))
    return out


def head_of(operator: Operator) -> Head:
    """What a step needs of other parts: none, those with its keys, or all.

    A step whose model gathers calls is given all rows too, so that they make one batch.
    """
    if operator.rows == "whole" and operator.key:
        return "merge"
    queued = any(FullModel(model).queued for model in models_in(operator))
    return "together" if queued or operator.together or operator.rows == "whole" else "parts"


def _reads_named_files(operator: Operator, earlier: Sequence[Operator], before: pa.Schema) -> bool:
    """Whether it opens files that are not named by what its stretch begins with, or no longer by that."""
    made = {step.writes.get(name, name) for step in earlier for name in step.promised_outputs()}
    return not file_columns(operator).keys() <= set(before.names) - made


@dataclass(frozen=True, slots=True)
class Part:
    """A finished part: its file, the figures of its steps, and whether rows in it are to be tried again."""

    path: Path
    figures: tuple[StepReport, ...]
    passing: bool

    @property
    def content(self) -> str:
        """What tells this part from others: its name holds the checksum of its bytes."""
        return self.path.stem

    def read(self, columns: Sequence[str] | None = None) -> pa.Table:
        """Its rows, the rejected ones included; only these columns, and those that it has of them."""
        if not self.path.is_file():
            raise InputError(f"{self.path} is no longer there: a later run in its folder made other parts.")
        with pa.OSFile(str(self.path), "rb") as source:
            options = pa.ipc.IpcReadOptions()
            if columns is not None:
                names = pa.ipc.open_file(source).schema.names
                options.included_fields = [n for n, name in enumerate(names) if name in columns]
            table = pa.ipc.open_file(source, options=options).read_all()
        own = {key: value for key, value in (table.schema.metadata or {}).items() if key != _RECORD}
        return table.replace_schema_metadata(own or None)

    def living(self, columns: Sequence[str] | None = None) -> pa.Table:
        """Its rows that were not rejected."""
        if columns is None:
            return split(self.read())[0]
        return split(self.read([ROW_ID, *columns, REJECT]))[0].select(list(dict.fromkeys(columns)))


class PartFolder:
    """The parts of one stretch; a file appears whole, by a rename, and is all that a later run needs to know of it."""

    def __init__(self, folder: Path) -> None:
        #: Where they are.
        self.path = make_folder(folder, private=True)
        self._known: dict[int, list[str]] = {}
        for path in sorted(self.path.glob("*.arrow")):
            if path.name.startswith("."):  # a run was killed while it wrote this
                path.unlink()
            else:
                self._known.setdefault(int(path.name.partition("-")[0]), []).append(path.name)

    def find(self, number: int, key: str) -> Part | None:
        """The part that was made of this, if its file is what was written."""
        for name in self._known.get(number, ()):
            path = self.path / name
            _, made_of, crc = path.stem.split("-")
            with suppress(OSError, ValueError, KeyError, TypeError, pa.ArrowException):
                if key and made_of == key and checksum(path) == crc:
                    with pa.OSFile(str(path), "rb") as source:
                        record = json.loads(pa.ipc.open_file(source).schema.metadata[_RECORD])
                    return Part(path, tuple(StepReport(**f) for f in record["figures"]), record["passing"])
        return None

    def took(self, number: int, part: Part) -> None:
        """A part was written, in place of what was there under its number."""
        for old in self._known.pop(number, ()):
            if old != part.path.name:
                (self.path / old).unlink(missing_ok=True)
        self._known[number] = [part.path.name]

    def forget_from(self, number: int) -> None:
        """Remove parts that an earlier run had and this one has not."""
        for later in [n for n in self._known if n >= number]:
            for name in self._known.pop(later):
                (self.path / name).unlink(missing_ok=True)


def write_part(
    folder: Path, number: int, key: str, table: pa.Table, figures: Sequence[StepReport], passing: bool
) -> Part:
    """Keep a part in the folder, from whichever process; its name tells what went in and what it holds."""
    # Seconds differ from run to run, and the bytes shall not.
    record = {"figures": [asdict(f) | {"seconds": 0.0} for f in figures], "passing": passing}
    metadata = {**(table.schema.metadata or {}), _RECORD: json.dumps(record).encode()}
    partial = folder / f".{number}.{secrets.token_hex(4)}.arrow"  # processes of two machines may have one number
    write_table(whole(table).replace_schema_metadata(metadata), partial, private=True)
    path = put(partial, folder / f"{number:06}-{key or 'new'}-{checksum(partial)}.arrow")
    return Part(path, tuple(figures), passing)


#: Reads what goes into a part, in whichever process makes it.
Load = Callable[[], pa.Table]


@dataclass(frozen=True, slots=True)
class PartJob:
    """A part that has to be made: what goes in, the steps, and where its file comes to stand.

    Of the stretch's steps, ``skipped`` are done already.
    """

    number: int
    key: str
    stretch: Stretch
    skipped: int
    load: Load
    folder: Path
    pieces: Path
    workers: int
    fresh: bool

    @property
    def steps(self) -> Sequence[Operator]:
        """The steps that are to be done."""
        return self.stretch.steps[self.skipped :]

    def make(self) -> Part:
        """Do the steps, and write the part."""
        table, reports = self.load(), []
        store = StepStore(self.pieces)
        for step, operator in zip(self.stretch.numbers[self.skipped :], self.steps, strict=True):
            name = f"{step}. {operator.step_name}"
            at_step(name)
            began, before = time.perf_counter(), table
            with in_step(name), journaling(store.journal(self._piece(step), self.fresh)):
                table = do_step(operator, table, step, self.workers)
            took = time.perf_counter() - began
            reports.append(step_report(step, operator.step_name, before, table, took, False))
        may_pass = any(passing(table, step) for step in self.stretch.numbers)
        part = write_part(self.folder, self.number, self.key, table, reports, may_pass)
        if not part.passing:
            for step in self.stretch.numbers:
                store.forget_journal(self._piece(step))
        return part

    def _piece(self, step: int) -> str:
        return short_hash(self.key, str(step)) if self.key else ""


class Makers(Protocol):
    """Whoever makes parts in a run."""

    @property
    def workers(self) -> int:
        """The processes that a step may have which looks at all rows."""

    def parts(self, todo: Iterable[Part | PartJob]) -> Iterator[Part]:
        """The parts in their order, those that are to be made being made."""


class Engine(Protocol):
    """What runs pipelines: given a run's session, steps and folder, it has somebody make the parts."""

    def opened(
        self, session: Session, pipeline: Sequence[Operator], folder: Path, workers: int
    ) -> AbstractContextManager[Makers]:
        """Makers of parts for as long as the run lasts."""


@dataclass(frozen=True, slots=True)
class Here:
    """Parts are made in this process, one after the other."""

    workers: int = 1

    @contextmanager
    def opened(self, session: Session, pipeline: Sequence[Operator], folder: Path, workers: int) -> Iterator[Here]:
        """This process, with so many others for costly rows."""
        yield Here(workers)

    def parts(self, todo: Iterable[Part | PartJob]) -> Iterator[Part]:
        """One after the other."""
        # Not in a loop, whose variable would hold a part's rows while the next ones are read.
        return map(_made, todo)


def _made(each: Part | PartJob) -> Part:
    return each if isinstance(each, Part) else each.make()
