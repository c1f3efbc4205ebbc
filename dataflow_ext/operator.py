"""The operator: a small frozen object that is called with an Arrow table and returns an Arrow table."""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, get_args

import pyarrow as pa
import pyarrow.compute as pc
from pydantic import BaseModel, ConfigDict, PydanticUserError, ValidationError, field_validator

from dataflow_ext.codec import encode
from dataflow_ext.columns import Columns, arrow_type, compatible, conform, conform_rows, optional
from dataflow_ext.errors import (
    AllRowsFailed,
    ColumnError,
    OptionError,
    RowError,
    RowLawError,
    ValueTypeError,
    WiringError,
)
from dataflow_ext.garbage_collection import seldom_collecting
from dataflow_ext.identity import PARENTS, ROW_ID, check_range, check_rows, exploded_ids, short_hash, with_row_ids
from dataflow_ext.models.request import model_named, takes_model
from dataflow_ext.rejects import Failure, dead_rows, join, show, split
from dataflow_ext.selection import take
from dataflow_ext.tables import TableLike, to_table
from dataflow_ext.wiring import Names, flow

logger = logging.getLogger(__name__)

RowsKind = Literal["same", "filter", "explode", "whole"]


class ReadOnly(dict[str, str]):
    """A map that cannot be changed after it was made, and can be pickled."""

    def _refuse(self, *_: object, **__: object) -> None:
        raise TypeError("This map belongs to a frozen operator; make a new operator instead.")

    __setitem__ = __delitem__ = __ior__ = update = _refuse  # type: ignore[assignment]
    pop = popitem = clear = setdefault = _refuse  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[ReadOnly], tuple[dict[str, str]]]:
        return ReadOnly, (dict(self),)


#: A column that an operator made.
Column: TypeAlias = pa.Array | pa.ChunkedArray | Collection[Any]


@dataclass(slots=True)
class Made:
    """What an operator made of a batch: output columns, and the input row behind each output row.

    A column is one of Arrow's, or a list, a numpy array or a series of values that fit the declared type.
    ``rows`` None means that every input row gave one output row, in order. An operator of kind
    ``whole`` gives ``members`` instead: the input rows that were merged into each output row.
    """

    columns: Mapping[str, Column]
    rows: Sequence[int] | None = None
    failures: list[Failure] = field(default_factory=list)
    members: Sequence[Sequence[int]] | None = None


@dataclass(frozen=True, slots=True)
class Applied:
    """The rows that an operator made, and the rows that it rejected with their causes."""

    table: pa.Table
    rejects: pa.Table


if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass
else:
    ModelMetaclass = type(BaseModel)


class OperatorType(ModelMetaclass):
    """The type of operator classes: ``help`` and ``dir`` tell what an operator adds, not the 500 lines of its bases."""

    def __new__(mcs, name: str, *args: Any, **options: Any) -> Any:
        """The class; ColumnError for a value in its body that is neither an option nor shared by all."""
        try:
            return super().__new__(mcs, name, *args, **options)
        except PydanticUserError as error:
            if error.code != "model-field-missing-annotation":
                raise
            what = error.message.partition("`")[2].partition("`")[0]
            option, _, value = what.partition(" = ")
            raise ColumnError(
                f"{name}: '{what}' has no type; write '{option}: TYPE = {value}' for an option, "
                f"'{option}: ClassVar[TYPE] = {value}' for what all have in common."
            ) from None

    def __dir__(cls) -> list[str]:
        own = [name for name, value in vars(cls).items() if callable(value) and not name.startswith("_")]
        return [name for name in own if name != "preflight" and not any(hasattr(base, name) for base in cls.__bases__)]


def _manual(operator: type[Operator]) -> str | None:
    from dataflow_ext.description import manual  # which knows operators

    return None if operator.__dict__.get("__doc__") is None else manual(operator)


#: ``help`` and all others that read a class's docstring get it with all columns and options. It can be set as any
#: class's can: that is how classes of a script get to other processes.
OperatorType.__doc__ = property(_manual, type.__dict__["__doc__"].__set__)  # type: ignore[assignment]


class Operator(BaseModel, metaclass=OperatorType):
    """Base of all operators: declares columns, keeps rows' identity, and loses none of them.

    A subclass sets ``inputs``, ``outputs`` and ``rows`` and implements :meth:`batch`, or derives from
    :class:`~dataflow_ext.RowOperator` or :class:`~dataflow_ext.GroupOperator` and writes one method.
    ``reads`` and ``writes`` rename its columns for one instance; ``keep`` names consumed columns that
    an exploding operator passes on all the same.
    """

    # Options' checks are built when the first instance is made: of all operators a job makes a handful.
    model_config = ConfigDict(
        frozen=True, extra="forbid", arbitrary_types_allowed=True, protected_namespaces=(), defer_build=True
    )

    inputs: ClassVar[Columns] = {}
    outputs: ClassVar[Columns] = {}
    rows: ClassVar[RowsKind] = "same"
    key: ClassVar[tuple[str, ...]] = ()
    #: Outputs that are for the record: no later step need read them.
    record: ClassVar[tuple[str, ...]] = ()
    #: Whether a row is so much work that spreading rows over processes pays; or ``"if it pays"``, as first rows tell.
    spread: ClassVar[bool | Literal["if it pays"]] = False
    #: Whether what becomes of a row depends on the others: then a retry does all of them again.
    together: ClassVar[bool] = False
    #: Whether the step memory may stand in for it: not if it leaves files behind, which have to be there.
    remembered: ClassVar[bool] = True

    reads: Mapping[str, str] = ReadOnly()
    writes: Mapping[str, str] = ReadOnly()
    keep: tuple[str, ...] = ()
    #: What a result depends on beside code and options: files, variables as "module.NAME", the environment as "$NAME".
    depends: tuple[str | Path, ...] = ()

    @field_validator("reads", "writes")
    @classmethod
    def _read_only(cls, names: Mapping[str, str]) -> ReadOnly:
        return ReadOnly(names)

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Check that every declared column has a type that a table can hold."""
        super().__pydantic_init_subclass__(**kwargs)
        kinds = get_args(RowsKind)
        if isinstance(cls.rows, str) and cls.rows not in kinds:
            known = ", ".join(map(repr, kinds))
            raise ColumnError(f"{cls.__name__}: rows is {cls.rows!r}; {_meant(cls.rows, kinds)}There are {known}.")
        for side, columns in (("inputs", cls.inputs), ("outputs", cls.outputs)):
            for name, column in columns.items():
                try:
                    arrow_type(column)
                except ColumnError as error:
                    raise ColumnError(f"{cls.__name__}, {side} '{name}': {error}") from None
                except NameError:  # a record that names a class defined further down
                    continue
        if not cls.inputs and not getattr(cls, "__abstractmethods__", ()):
            raise ColumnError(f"{cls.__name__} declares no inputs; an operator reads one column at least.")

    def __init__(self, **options: Any) -> None:
        fields = type(self).model_fields
        for name, value in options.items():
            if isinstance(value, str) and name in fields and takes_model(fields[name].annotation):
                options[name] = model_named(value)
        try:
            super().__init__(**options)
        except ValidationError as error:
            raise OptionError(explain(type(self), error)) from None
        self._must_have("reads", self.reads, self.inputs, self.needed_inputs)
        self._must_have("writes", self.writes, self.outputs, self.promised_outputs)
        consumed = [self.reads.get(n, n) for n in self.inputs] if self.rows == "explode" else []
        if unknown := sorted(set(self.keep) - set(consumed)):
            raise OptionError(
                f"{self.step_name}: keep names {', '.join(unknown)}, but the columns that "
                f"it consumes are {', '.join(consumed) or 'none'}."
            )

    def _must_have(
        self, option: str, given: Mapping[str, str], declared: Columns, of_instance: Callable[[], Columns]
    ) -> None:
        if set(given) <= set(declared):
            return
        known = {**declared, **of_instance()}
        if unknown := sorted(set(given) - set(known)):
            raise OptionError(
                f"{self.step_name}: {option} renames {', '.join(unknown)}, but its columns are "
                f"{', '.join(known) or 'none'}."
            )

    def __setattr__(self, name: str, value: Any) -> None:
        """Raise :class:`OptionError`: an operator stays as it was made, as other processes have it."""
        try:
            super().__setattr__(name, value)
        except ValidationError:
            raise OptionError(
                f"{type(self).__name__}.{name} cannot be set: operators do not change. Declare options in the class "
                f"('{name}: TYPE'), without an __init__; what is counted or kept over rows belongs into a column."
            ) from None

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        """What was chosen for this instance; what is as it always is says nothing."""
        fields = type(self).model_fields
        for name, value in super().__repr_args__():
            if name is None or name not in fields or value != fields[name].get_default(call_default_factory=True):
                yield name, value

    def __str__(self) -> str:
        return repr(self)

    @property
    def step_name(self) -> str:
        """What checks, reports and rejects call the step: its class."""
        return type(self).__name__

    def needed_inputs(self) -> Columns:
        """The inputs that this instance reads: all that are declared, unless its options make one needless.

        Options may name further ones; what is declared as ``Any`` comes as it is in the table, nulls included.
        """
        return self.inputs

    def promised_outputs(self) -> Columns:
        """The outputs that this instance delivers: all that are declared, unless its options decide."""
        return self.outputs

    def with_tables(self, tables: Mapping[str, pa.Table]) -> Operator:
        """The operator with those of a run's inputs that it names; most name none."""
        return self

    @abstractmethod
    def batch(self, table: pa.Table) -> Made:
        """Make the output columns for a table that holds exactly the needed inputs, without rejects."""

    def __call__(self, table: TableLike) -> pa.Table:
        """The operator's output for this table; rejected rows are counted in one warning of the log.

        What :func:`~dataflow_ext.to_table` takes is made a table first: a data frame, a list of dicts, a file.
        """
        table = to_table(table)
        done = self.apply(table)
        failed = pc.sum(pc.equal(done.rejects["kind"], "failed")).as_py() or 0
        if failed and failed == table.num_rows and not done.table.num_rows:
            first = done.rejects["message"][0].as_py()
            error = AllRowsFailed(f"{self.step_name}: every row failed ({failed}); the first: {first}")
            error.rejects = done.rejects
            raise error
        if done.rejects.num_rows:
            rejects = f"{done.rejects.num_rows} reject{'' if done.rejects.num_rows == 1 else 's'}"
            logger.warning("%s: %s of %d rows; use apply() to see why", self.step_name, rejects, table.num_rows)
        return done.table

    def apply(self, table: TableLike) -> Applied:
        """The operator's output for this table, and the rows it rejected."""
        alive, dead = split(self.step(to_table(table)))
        return Applied(alive, show(dead))

    def step(self, table: pa.Table, number: int = 0, *, unique: bool = False) -> pa.Table:
        """Output rows and rejected rows in one table, as they travel through a pipeline.

        ``unique`` says that the rows' ids are known to be: those that a step gives are, if those that it took were.
        """
        with seldom_collecting():
            living, dead = split(table)
            return self._step(living if unique else with_row_ids(living), dead, number)

    def _step(self, living: pa.Table, dead: pa.Table | None, number: int) -> pa.Table:
        if errors := flow(self.names(number), living.schema)[1]:
            raise WiringError(errors)
        whole = range(living.num_rows)
        part, usable, failures = self.given(living)
        made = self._batch_made(part, number) if part.num_rows else self._nothing()
        check_rows(self.step_name, self.rows, len(usable), made.rows, made.members)
        check_range(self.step_name, len(usable), [f.row for f in made.failures])
        each = made.rows is None or (isinstance(made.rows, range) and made.rows == range(len(usable)))
        rows = usable if each else [usable[i] for i in made.rows or ()]
        failures += [_moved(f, usable[f.row]) for f in made.failures]
        members = None if made.members is None else [[usable[i] for i in m] for m in made.members]
        failures += _unaccounted(len(whole), rows, members, failures)
        out = self._assemble(living, rows, members, made.columns)
        failures.sort(key=lambda f: f.row)
        mine = dead_rows(living, failures, self.step_name, number, self.columns_read())
        return join(out, [dead, mine])

    def _batch_made(self, part: pa.Table, number: int) -> Made:
        """What :meth:`batch` makes; an error that ends the run tells where it arose."""
        try:
            made: object = self.batch(part)
        except Exception as error:
            step = f"step {number}, " if number else ""
            read = ", ".join(part.column_names)
            error.add_note(f"in {step}{self.step_name}.batch, with {part.num_rows} rows of {read}")
            raise
        if isinstance(made, Made):
            return made
        first = next(iter(self.promised_outputs()), "column")
        raise RowLawError(
            f"{self.step_name}.batch returned a {type(made).__name__}; return its columns: Made({{'{first}': array}})."
        )

    def rejected(self, table: pa.Table, failures: list[Failure], number: int = 0) -> pa.Table:
        """The step's output for living rows of which none got as far as :meth:`batch`."""
        dead = dead_rows(table, failures, self.step_name, number, self.columns_read())
        return join(self.step(table.slice(0, 0), number, unique=True), [dead])

    def names(self, number: int = 0) -> Names:
        """The columns of this instance under their real names, for wiring checks."""
        return Names(
            number,
            self.step_name,
            {n: (self.reads.get(n, n), None if t is Any else arrow_type(t)) for n, t in self.needed_inputs().items()},
            {n: (self.writes.get(n, n), arrow_type(t)) for n, t in self.promised_outputs().items()},
            self.rows,
            self.keep,
            tuple(self.reads.get(k, k) for k in self.key),
            self.record,
            type(self).__module__,
        )

    def columns_read(self) -> list[str]:
        """The real names of the columns that are read."""
        return [self.reads.get(n, n) for n in self.needed_inputs()]

    def given(self, living: pa.Table) -> tuple[pa.Table, Sequence[int], list[Failure]]:
        """What :meth:`batch` is given of these rows, which of them that are, and why the others are not."""
        taken, unread = self._taken(living)
        usable, failures = self._without_nulls(taken, range(living.num_rows), unread)
        return taken if len(usable) == living.num_rows else take(taken, usable), usable, failures

    def _nothing(self) -> Made:
        columns = {name: pa.array([], arrow_type(t)) for name, t in self.promised_outputs().items()}
        return Made(columns, rows=(), members=() if self.rows == "whole" else None)

    def _taken(self, living: pa.Table) -> tuple[pa.Table, dict[int, Failure]]:
        """The declared inputs in their declared types, and a failure for each row that has no such value."""
        columns: dict[str, pa.ChunkedArray] = {}
        failures: dict[int, Failure] = {}
        for name, declared in self.needed_inputs().items():
            real = self.reads.get(name, name)
            if declared is Any:
                columns[name] = living[real]
                continue
            columns[name], wrong = conform_rows(living[real], arrow_type(declared))
            for i, error in wrong.items():
                failures.setdefault(i, Failure.of(i, RowError(f"column '{real}': {error}")))
        return pa.table(columns), failures

    def _without_nulls(
        self, taken: pa.Table, rows: range, failures: dict[int, Failure]
    ) -> tuple[Sequence[int], list[Failure]]:
        """Rows whose required inputs are all there, and a failure for each of the others."""
        for name, column in self.needed_inputs().items():
            if column is Any or optional(column) or not taken[name].null_count:
                continue
            for i in pc.indices_nonzero(taken[name].is_null()).to_pylist():
                failures.setdefault(i, Failure(i, f"column '{self.reads.get(name, name)}' is null"))
        return [i for i in rows if i not in failures] if failures else rows, list(failures.values())

    def _assemble(
        self,
        living: pa.Table,
        rows: Sequence[int],
        members: Sequence[Sequence[int]] | None,
        columns: Mapping[str, Column],
    ) -> pa.Table:
        """Pass the unknown columns through and put the made ones beside them."""
        if members is not None:
            rows = [m[0] for m in members]
        consumed = set(self.columns_read()) - set(self.keep)
        if self.rows == "whole":
            passed = living.select(list(dict.fromkeys([ROW_ID, *(self.reads.get(k, k) for k in self.key)])))
        elif self.rows == "explode":
            passed = living.drop_columns([c for c in living.column_names if c in consumed])
        else:
            passed = living
        once = isinstance(rows, range) or self.rows in ("same", "filter")  # then as many rows are the same rows
        in_place = len(rows) == living.num_rows and (once or list(rows) == list(range(living.num_rows)))
        out = passed if in_place else take(passed, rows)
        ids = living[ROW_ID].to_pylist() if self.rows in ("explode", "whole") else []
        if self.rows == "explode":
            out = put_column(out, ROW_ID, pa.array(exploded_ids(ids, rows), pa.string()))
        elif members is not None:
            parents = [[ids[i] for i in m] for m in members]
            out = put_column(out, ROW_ID, pa.array(_merged_ids(parents), pa.string()))
            out = put_column(out, PARENTS, pa.array(parents, pa.list_(pa.string())))
        for name, column in self._delivered(columns, out.num_rows).items():
            out = put_column(out, self.writes.get(name, name), column)
        return out

    def _delivered(self, columns: Mapping[str, Column], rows: int) -> dict[str, Any]:
        """The made columns in their declared types; :class:`ColumnError` for any that was not promised."""
        outputs = self.promised_outputs()
        if set(columns) != set(outputs):
            raise ColumnError(
                f"{self.step_name} delivered the columns {', '.join(columns) or 'none'}, "
                f"but declares {', '.join(outputs) or 'none'}."
            )
        made = {name: self._as_arrow(name, column) for name, column in columns.items()}
        for name, declared in outputs.items():
            got, wanted = made[name].type, arrow_type(declared)
            if len(made[name]) != rows or not compatible(got, wanted):
                raise ColumnError(
                    f"{self.step_name} delivered column '{name}' as {len(made[name])} values of "
                    f"{got}, but declares {wanted} and made {rows} rows."
                )
        return {name: conform(made[name], arrow_type(t)) for name, t in outputs.items()}

    def _as_arrow(self, name: str, column: Column) -> pa.Array | pa.ChunkedArray:
        """A column as Arrow has it; other values than Arrow's have to be of the declared type."""
        if isinstance(column, (pa.Array, pa.ChunkedArray)):
            return column
        declared = self.promised_outputs()[name]
        try:
            return encode(list(column), declared)
        except (ValueTypeError, TypeError) as error:
            raise ColumnError(f"{self.step_name} delivered column '{name}' with another value: {error}.") from None


def put_column(table: pa.Table, name: str, column: pa.Array | pa.ChunkedArray) -> pa.Table:
    """The table with this column, in the place of the one of its name if there is one."""
    if name in table.column_names:
        return table.set_column(table.column_names.index(name), name, column)
    return table.append_column(name, column)


def _merged_ids(parents: Iterable[Sequence[str]]) -> list[str]:
    """One id a merged row; rows that share all their members are told apart by a counter."""
    seen: dict[str, int] = {}
    out = []
    for members in parents:
        base = short_hash(*members)
        out.append(f"{base}#{seen[base]}" if base in seen else base)
        seen[base] = seen.get(base, 0) + 1
    return out


def _moved(failure: Failure, row: int) -> Failure:
    failure.row = row
    return failure


def _unaccounted(
    total: int, rows: Sequence[int], members: Sequence[Sequence[int]] | None, failures: Sequence[Failure]
) -> list[Failure]:
    """Rows that came out neither as a row nor as a failure: they are kept as ``empty`` rejects."""
    if isinstance(rows, range) and members is None:  # every input row gave a row
        return []
    seen = {f.row for f in failures}
    seen.update(rows if members is None else (i for m in members for i in m))
    if len(seen) == total:
        return []
    return [Failure(i, "gave no row", "Empty", kind="empty") for i in range(total) if i not in seen]


def _meant(word: str, known: Sequence[str]) -> str:
    near = get_close_matches(word, known, n=1)
    return f"did you mean {near[0]!r}? " if near else ""


def explain(cls: type, error: ValidationError) -> str:
    """The first problem of a pydantic error in one sentence that names the class and the option."""
    first = error.errors(include_url=False)[0]
    where = ".".join(map(str, first["loc"])) or "options"
    names = [field.alias or name for name, field in cls.model_fields.items()]  # type: ignore[attr-defined]
    known = ", ".join(names)
    if first["type"] == "value_error" and not first["loc"]:  # options that do not go together, told by the class itself
        return f"{cls.__name__}: {first['msg'].removeprefix('Value error, ')}"
    if first["type"] == "extra_forbidden":
        near = get_close_matches(where, names, n=1)
        meant = f"did you mean '{near[0]}'? It" if near else "it"
        return f"{cls.__name__} has no option '{where}'; {meant} has {known}."
    return f"{cls.__name__}: option '{where}': {first['msg']} (got {str(first['input'])[:80]!r})."
