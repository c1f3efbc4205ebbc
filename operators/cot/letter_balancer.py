"""LetterBalancer: right options under each letter equally often, over all samples of a task."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Failure, Made, Operator, RowError
from dataflow_ext.columns import Columns
from operators.cot.sample import columns, read_fields, written_fields
from operators.cot.tasks.options import LETTERS, right_place


class LetterBalancer(Operator):
    """The samples, those with one right option so that each letter is right as often as another, give or take one.

    The right option changes places with the one that stands under the letter wanted; ``label`` and ``answer`` follow.
    Which letter that is rests on the order of the task's ids, which is as good as random, not on that of the rows.
    Other samples stay as they are; one whose ``fields`` are no JSON object is a reject.

    Rejects:
        RowError: ``fields`` that are no JSON object.

    Example:
        >>> fields = '{"options": ["Pour.", "Stir."], "label": "B"}'
        >>> LetterBalancer()([{"id": "7", "task_name": "t", "fields": fields, "answer": "B"}])["answer"].to_pylist()
        ['A']
    """

    together = True
    inputs: ClassVar[Columns] = columns("id task_name fields answer")
    outputs: ClassVar[Columns] = columns("fields answer")

    def batch(self, table: pa.Table) -> Made:
        """Deal the letters out in the order of the ids, task by task."""
        columns = {name: table[name].to_pylist() for name in self.inputs}
        choices: dict[str, list[tuple[str, int, dict[str, Any]]]] = defaultdict(list)
        failures: dict[int, Failure] = {}
        for i, text in enumerate(columns["fields"]):
            try:
                fields = read_fields(text)
            except RowError as error:
                failures[i] = Failure.of(i, error)
                continue
            if right_place(fields.get("options"), fields.get("label")) is not None:
                choices[columns["task_name"][i]].append((columns["id"][i], i, fields))
        for samples in choices.values():
            for turn, (_, i, fields) in enumerate(sorted(samples, key=lambda sample: sample[:2])):
                columns["fields"][i], columns["answer"][i] = _dealt(fields, turn)
        rows = [i for i in range(table.num_rows) if i not in failures]
        made = {name: pa.array([columns[name][i] for i in rows], pa.string()) for name in self.outputs}
        return Made(made, rows, list(failures.values()))


def _dealt(fields: dict[str, Any], turn: int) -> tuple[str, str]:
    """The fields with the right option under the letter whose turn it is, and that letter."""
    options = list(fields["options"])
    now, wanted = LETTERS.index(fields["label"]), turn % len(options)
    options[now], options[wanted] = options[wanted], options[now]
    return written_fields({**fields, "options": options, "label": LETTERS[wanted]}), LETTERS[wanted]
