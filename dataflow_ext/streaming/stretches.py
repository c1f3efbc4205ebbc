"""How a streamed run goes through its steps: stretches that parts flow through one by one, and what lies between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import pyarrow as pa

from dataflow_ext.fingerprint.content import file_columns
from dataflow_ext.models.full import FullModel, models_in
from dataflow_ext.operator import Operator
from dataflow_ext.writer import Writer

#: What has to be there before a stretch begins: a part; the rows of all parts by key; or some columns of all parts.
Head = Literal["parts", "merge", "together"]


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
    made = {step.writes.get(name, name) for step in earlier for name in step.outputs}
    return not file_columns(operator).keys() <= set(before.names) - made
