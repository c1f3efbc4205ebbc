"""AskModel: a model's reply to a prompt that is filled with a row's columns."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, Self

import pyarrow as pa
from pydantic import BaseModel, field_validator, model_validator

from dataflow_ext import Made, Operator, Prompt, RowError
from dataflow_ext.columns import Columns, arrow_type, fields_of
from dataflow_ext.errors import ColumnError
from dataflow_ext.identity import ROW_ID
from dataflow_ext.models import Model, Request, ask, complete
from dataflow_ext.outcomes import made_of_rows, side_by_side

warnings.filterwarnings("ignore", 'Field name "schema" in "AskModel" shadows', UserWarning)  # an old name of pydantic's


class AskModel(Operator):
    """The rows with what a model replies to a prompt that is filled with their columns.

    Without a schema the reply is a text; with one, a class of pydantic's, each of its fields is a column of its type,
    and a reply that is not of that form is asked for once more with what was wrong.

    Reads:
        row_id: the rows' ids; the columns that the prompt's variables and ``images`` name are read too.

    Writes:
        reply: the reply's text, if there is no schema.

    Options:
        model: whom to ask: a model, or its name, ``gpt-4o`` or ``qwen3-8b @ http://localhost:8000/v1``.
        prompt: the prompt, or its text; ``{{ question }}`` stands for the row's column ``question``.
        schema: the class whose fields are asked for.
        system: what is said first, the same for all rows, so that servers can reuse it.
        images: columns of pictures that are sent along: paths, addresses, or pictures themselves.

    Rejects:
        RowError: a column that the prompt names is null.
        ModelError: the model gave no usable reply.

    Example:
        >>> from pydantic import BaseModel
        >>> from dataflow_ext.models import ScriptedModel
        >>> class Grade(BaseModel):
        ...     difficulty: int
        >>> model = ScriptedModel({"1 + 1": '{"difficulty": 1}'})
        >>> grade = AskModel(model=model, prompt="How hard is this: {{ question }}", schema=Grade)
        >>> grade([{"question": "1 + 1"}])["difficulty"].to_pylist()
        [1]
    """

    inputs: ClassVar[Columns] = {ROW_ID: str}
    outputs: ClassVar[Columns] = {"reply": str}

    model: Model
    prompt: Prompt
    schema: type[BaseModel] | None = None  # type: ignore[assignment]
    system: str = ""
    images: tuple[str, ...] = ()

    @field_validator("prompt", mode="before")
    @classmethod
    def _text_is_a_prompt(cls, prompt: Any) -> Any:
        return Prompt(text=prompt) if isinstance(prompt, str) else prompt

    @model_validator(mode="after")
    def _names_columns_of_types_that_there_are(self) -> Self:
        if not self.prompt.variables and not self.images:
            raise ValueError(
                "the prompt names no column; write {{ name }}, with two braces, for the column of that name."
            )
        for name, declared in self.promised_outputs().items():
            try:
                arrow_type(declared)
            except ColumnError as error:
                raise ValueError(f"schema, field '{name}': {error}") from None
        return self

    def needed_inputs(self) -> Columns:
        """The columns that the prompt and ``images`` name, of any type."""
        return {ROW_ID: str, **dict.fromkeys((*self.prompt.variables, *self.images), Any)}

    def promised_outputs(self) -> Columns:
        """The fields of the schema, or the reply."""
        return self.outputs if self.schema is None else fields_of(self.schema)

    def batch(self, table: pa.Table) -> Made:
        """Ask for all rows at the same time."""
        return made_of_rows(self, table, partial(side_by_side, self, self._asked))

    async def _asked(self, row: dict[str, Any]) -> Mapping[str, Any]:
        for name in (*self.prompt.variables, *self.images):
            if row[name] is None:
                raise RowError(f"column '{self.reads.get(name, name)}' is null")
        prompt = self.prompt.fill(**{name: row[name] for name in self.prompt.variables})
        request = Request(prompt, self.system, tuple(_picture(row[name]) for name in self.images))
        if self.schema is None:
            return {"reply": (await complete(self.model, request)).text}
        return dict((await ask(self.model, request, self.schema)).value)


def _picture(value: Any) -> str | bytes:
    if isinstance(value, dict):
        return value.get("bytes") or str(value.get("path"))
    return value if isinstance(value, bytes) else str(value)
