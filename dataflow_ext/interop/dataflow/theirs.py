"""DataFlow's operators as steps of a list, and models as the servings that they ask."""

from __future__ import annotations

import copy
import inspect
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, Literal

import pandas as pd
import pyarrow as pa
from dataflow.core import LLMServingABC, OperatorABC
from dataflow.utils.storage import DummyStorage

from dataflow_ext.background import map_async, run_async
from dataflow_ext.columns import Columns, arrow_type, optional
from dataflow_ext.errors import ColumnError, OptionError, RowError
from dataflow_ext.identity import ROW_ID
from dataflow_ext.interop.dataflow.ours import as_json_has_it, frame_of, records_of
from dataflow_ext.models import Model, Reply, Request, complete
from dataflow_ext.models.request import model_named
from dataflow_ext.operator import Made, Operator
from dataflow_ext.rejects import Failure
from dataflow_ext.rows import ROWS_IN_FLIGHT, fitting

#: What DataFlow's own servings say where an operator says nothing.
_SYSTEM = "You are a helpful assistant"

#: What DataFlow's operators call the arguments that name the columns they read.
_INPUT_KEY = re.compile(r"input(_\w+)?_key")

_log = logging.getLogger(__name__)


@dataclass
class Calls:
    """What the servings of a step were asked so far, and the error of the attempt that is being made."""

    outcomes: dict[tuple[int, Request], Reply | Exception] = field(default_factory=dict)
    error: Exception | None = None


_calls: ContextVar[Calls | None] = ContextVar("dataflow_ext_interop_calls", default=None)


@contextmanager
def watched() -> Iterator[Calls]:
    """Servings raise inside when a call fails, and ask nothing twice."""
    token = _calls.set(calls := Calls())
    try:
        yield calls
    finally:
        _calls.reset(token)


class Serving(LLMServingABC):  # type: ignore[misc] # DataFlow has no types
    """A model as DataFlow's operators call it, by way of the current session.

    The model may be given by its name, ``gpt-4o`` or ``NAME @ URL``.

    In a list of ours a call that fails costs the rows that made it; in a pipeline of DataFlow's its reply is None.
    """

    def __init__(self, model: Model | str) -> None:
        self.model = model_named(model) if isinstance(model, str) else model

    def generate_from_input(
        self, user_inputs: Sequence[str], system_prompt: str = _SYSTEM, json_schema: Any = None, **_: Any
    ) -> list[str | None]:
        """The replies to prompts."""
        return self._replies([Request(str(text), system_prompt, json_schema=json_schema) for text in user_inputs])

    def generate_from_input_one_image(
        self,
        image_paths: Sequence[str],
        text_prompts: Sequence[str],
        system_prompt: str = "",
        json_schema: Any = None,
        **_: Any,
    ) -> list[str | None]:
        """The replies to prompts with a picture each."""
        both = zip(image_paths, text_prompts, strict=True)
        return self._replies([Request(text, system_prompt, (str(p),), json_schema=json_schema) for p, text in both])

    def generate_from_conversations(self, conversations: Sequence[Sequence[Mapping[str, Any]]]) -> list[str | None]:
        """The replies to conversations: a system's message perhaps, then a user's and a model's by turns."""
        return self._replies([_request(messages) for messages in conversations])

    def start_serving(self) -> None:
        """Nothing: a session opens connections when it needs them."""

    def cleanup(self) -> None:
        """Nothing: a session closes its connections itself."""

    def _replies(self, requests: Sequence[Request]) -> list[str | None]:
        calls = _calls.get()
        known = Calls().outcomes if calls is None else calls.outcomes
        new = [request for request in dict.fromkeys(requests) if (id(self), request) not in known]
        outcomes = run_async(map_async(partial(complete, self.model), new, ROWS_IN_FLIGHT))
        known.update({(id(self), request): outcome for request, outcome in zip(new, outcomes, strict=True)})
        replies = [known[id(self), request] for request in requests]
        if errors := [reply for reply in replies if isinstance(reply, Exception)]:
            if calls is not None:
                calls.error = errors[0]
                raise errors[0]
            _log.warning("%d of %d calls failed; the first: %s", len(errors), len(replies), errors[0])
        return [reply.text if isinstance(reply, Reply) else None for reply in replies]


def _request(messages: Sequence[Mapping[str, Any]]) -> Request:
    system = "\n".join(message["content"] for message in messages if message["role"] == "system")
    prompt, *turns = [message["content"] for message in messages if message["role"] != "system"]
    return Request(prompt, system, follow_up=tuple(turns))


class DataFlowOperator(Operator):
    """What an operator of DataFlow's makes of the rows.

    It is given the columns ``takes`` and ``row_id``, by which its rows are known; one that gives a row for each row,
    in their order, may leave that out. If it fails, it is tried with halves of the rows, down to those that it fails
    for.

    Options:
        operator: the operator as its class makes it; its serving may be a ``Serving``.
        takes: the columns that it reads, with their types.
        gives: the columns that it writes, with their types.
        run: what its method ``run`` is called with beside the storage.
        kind: ``same`` for a row for each row, ``filter``, or ``explode`` for more rows than before.
        all_rows: whether it must see all rows at one time, as one that drops repeats; all fail then if it fails.
        models: those of its servings, which are found.
    """

    inputs: ClassVar[Columns] = {ROW_ID: str}

    operator: Any
    takes: Mapping[str, Any]
    gives: Mapping[str, Any] = {}
    run: Mapping[str, Any] = {}
    kind: Literal["same", "filter", "explode"] = "same"
    all_rows: bool = False
    models: tuple[Model, ...] = ()

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"models": tuple(_models(options.get("operator"))), **options})
        self._must_be_callable()

    def _must_be_callable(self) -> None:
        """Raise OptionError for an operator that is none, and for what its ``run`` would not take."""
        name = self.step_name
        if not isinstance(self.operator, OperatorABC):
            what = f"the class {self.operator.__name__}" if isinstance(self.operator, type) else repr(self.operator)
            raise OptionError(
                f"DataFlowOperator: operator is {what}; give an operator of DataFlow's as its class makes it."
            )
        takes = inspect.signature(self.operator.run)
        try:
            takes.bind(storage=None, **self.run)
        except TypeError as error:
            told = ", ".join(each for each in takes.parameters if each != "storage")
            raise OptionError(f"{name}.run: {error}; beside the storage it takes {told or 'nothing'}.") from None
        for key, column in self.run.items():
            if _INPUT_KEY.fullmatch(key) and isinstance(column, str) and column not in ("", ROW_ID, *self.takes):
                near = get_close_matches(column, self.takes, n=1)
                meant = f" (did you mean '{near[0]}'?)" if near else ""
                known = ", ".join(self.takes) or "none"
                raise OptionError(f"{name}.run: {key} names the column '{column}', but `takes` has {known}{meant}.")

    @property
    def step_name(self) -> str:
        """The class of theirs."""
        return type(self.operator).__name__

    @property
    def rows(self) -> Literal["same", "filter", "explode"]:  # type: ignore[override]
        """The kind of rows, an option here."""
        return self.kind

    @property
    def together(self) -> bool:  # type: ignore[override]
        """Whether what becomes of a row depends on the others, an option here."""
        return self.all_rows

    def needed_inputs(self) -> Columns:
        """The columns that it takes."""
        return self.takes

    def promised_outputs(self) -> Columns:
        """The columns that it gives."""
        return self.gives

    def batch(self, table: pa.Table) -> Made:
        """Let it run on the rows, and find out which of them came out, and why the others did not."""
        with TemporaryDirectory() as folder, watched() as calls:
            numbered = table.append_column(ROW_ID, pa.array(range(table.num_rows)))
            outcomes = list(self._outcomes(frame_of(numbered, Path(folder)), calls))
        failures = [Failure.of(row, outcome) for row, outcome in outcomes if isinstance(outcome, Exception)]
        if self.kind == "filter":
            why, seen = f"{type(self.operator).__name__} left it out", {row for row, _ in outcomes}
            gone = [row for row in range(table.num_rows) if row not in seen]
            failures += [Failure(row, why, "Dropped", kind="dropped") for row in gone]
        made = sorted((row, n) for n, (row, outcome) in enumerate(outcomes) if not isinstance(outcome, Exception))
        records: Any = [outcomes[n][1] for _, n in made]
        types = {name: as_json_has_it(t) for name, t in self.gives.items()}
        return fitting(records, [row for row, _ in made], failures, types)

    def _outcomes(self, frame: pd.DataFrame, calls: Calls) -> Iterator[tuple[int, dict[str, Any] | Exception]]:
        """The records that were made, each with its row's number, and for other rows the error."""
        try:
            made = self._written(frame, calls)
        except Exception as error:
            if self.all_rows or len(frame) == 1:
                yield from ((row, error) for row in frame[ROW_ID].tolist())
                return
            for half in (frame[: len(frame) // 2], frame[len(frame) // 2 :]):
                yield from self._outcomes(half.reset_index(drop=True), calls)
        else:
            yield from self._records(made, frame)

    def _written(self, frame: pd.DataFrame, calls: Calls) -> pd.DataFrame:
        storage, calls.error = _Frame(frame), None
        copy.copy(self.operator).run(storage=storage, **self.run)  # it notes in itself what it is called with
        if calls.error is not None:  # some log the error of their serving, and go on
            raise calls.error
        if storage.written is None:
            raise RowError(f"{type(self.operator).__name__} wrote nothing; what it logged may tell why")
        return storage.written

    def _records(self, made: pd.DataFrame, frame: pd.DataFrame) -> Iterator[tuple[int, dict[str, Any] | Exception]]:
        name, columns = type(self.operator).__name__, [str(column) for column in made.columns]
        if missing := ", ".join(set(self.gives) - set(columns)):
            raise ColumnError(f"{name} wrote no column {missing}, which `gives` names, but {', '.join(columns)}.")
        if ROW_ID not in columns and (self.kind != "same" or len(made) != len(frame)):
            raise ColumnError(f"{name} made {len(made)} rows of {len(frame)} without {ROW_ID}: nobody knows of which.")
        rows = (made if ROW_ID in columns else frame)[ROW_ID].tolist()
        records = records_of(made, {column: arrow_type(t) for column, t in self.gives.items()})
        needed = [column for column, t in self.gives.items() if not optional(t)]
        for row, record in zip(rows, records, strict=True):
            nothing = [column for column in needed if record[column] is None]
            yield int(row), RowError(f"{name} gave no value for {', '.join(nothing)}") if nothing else record


class _Frame(DummyStorage):  # type: ignore[misc] # DataFlow has no types
    """A storage in memory, which knows whether anything was written."""

    def __init__(self, frame: pd.DataFrame) -> None:
        super().__init__(cache_path=".", file_name_prefix="step")
        self.frame = frame
        self.written: pd.DataFrame | None = None

    def read(self, output_type: str = "dataframe") -> Any:
        """The rows as they came."""
        return self.frame.to_dict(orient="records") if output_type == "dict" else self.frame.copy()

    def write(self, data: Any) -> None:
        """Keep what was made."""
        self.written = pd.DataFrame(data)

    def get_keys_from_dataframe(self) -> list[str]:
        """The columns' names."""
        return list(self.frame.columns)


def _models(operator: Any) -> Iterator[Model]:
    for value in vars(operator).values() if isinstance(operator, OperatorABC) else ():
        if isinstance(value, Serving):
            yield value.model
        yield from _models(value)
