"""CoTSampleBuilder: the samples that a plan gives, task by task."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated, Any, ClassVar

import pyarrow as pa
from pydantic import AfterValidator

from dataflow_ext import Failure, Made, Operator
from dataflow_ext.columns import Columns
from dataflow_ext.outcomes import Record, made_by_reading
from dataflow_ext.rows import joined
from operators.cot.evidence import Evidence, Wanted, choose
from operators.cot.items import load_plan
from operators.cot.media import Media
from operators.cot.plan import Plan
from operators.cot.plan_files import PlanError
from operators.cot.sample import columns, sample_id, stream_of, written_fields
from operators.cot.tasks import TASKS, task_names
from operators.cot.tasks.task import Draft, Skipped, Task

#: Items that are Python objects at one time.
_SLICE = 64

_NOTHING_TO_SEE = "the item has no pictures"


class CoTSampleBuilder(Operator):
    """Every sample of the ``tasks`` that a plan and its pictures support: question, gold answer, evidence.

    Reads a plan and its media, as CoTPlanReader gives them. ``fields`` is JSON text with the task's fields in
    the format's order; ``image`` and ``video`` are relative to ``root``. ``id`` and every random choice come
    from ``seed``, the item's path, the task and the step alone. Tasks are named by number or by name. Where a
    task has no sample about a step, a dropped reject tells task, step and reason.

    Reads:
        plan_file: the absolute path of the plan.
        plan, media: as CoTPlanReader gives them.

    Writes:
        plan_file: the same.

    Options:
        tasks: which tasks, by number or by name.
        seed: of every random choice.

    Rejects:
        Skipped: a task has no sample about a step; dropped.

    Example:
        >>> from pathlib import Path
        >>> from operators import CoTPlanReader
        >>> from operators.cot.items import items
        >>> plans = CoTPlanReader()(items(Path("examples/causal_plans")))
        >>> CoTSampleBuilder(tasks=(29,))(plans).select(["step_index", "answer"]).to_pylist()[0]
        {'step_index': 1, 'answer': 'Pry the tire bead over the rim with two levers.'}
    """

    rows: ClassVar[Any] = "explode"
    inputs: ClassVar[Columns] = {
        **columns("root source_path"),
        "plan_file": str,
        "plan": Plan,
        "media": Media,
    }
    outputs: ClassVar[Columns] = {
        **columns("root source_path"),
        "plan_file": str,
        **columns("id task_name step_index evidence_type image video fields question answer"),
    }

    tasks: Annotated[tuple[str | int, ...], AfterValidator(task_names)] = tuple(TASKS)
    seed: int = 0

    def batch(self, table: pa.Table) -> Made:
        """Build one item after the other; what is wrong with one task of one costs no other its samples."""
        parts = []
        for start in range(0, table.num_rows, _SLICE):
            part = made_by_reading(self, table.slice(start, _SLICE), self._samples)
            rows = [start + row for row in part.rows or ()]
            parts.append(Made(part.columns, rows, [replace(each, row=start + each.row) for each in part.failures]))
        return joined(parts, self.outputs)

    def _samples(self, row: Record) -> Iterator[Record | Failure]:
        """The samples of an item, and a failure for each that there is not."""
        item = _Item(**{**row, "plan": _shared(row["plan"], row["plan_file"])}, seed=self.seed)
        for name in self.tasks:
            yield from item.samples(TASKS[str(name)])


def _shared(plan: Plan, plan_file: str) -> Plan:
    """The plan as the steps to come read it, if its file says the same: what is worked out of it serves them too."""
    try:
        read = load_plan(plan_file)
    except PlanError:
        return plan
    return read if read == plan else plan


@dataclass(frozen=True, slots=True)
class _Item:
    """One annotated video, as its row tells."""

    root: str
    source_path: str
    plan_file: str
    plan: Plan
    media: Media
    seed: int
    #: What was chosen to be shown, by what was wanted: most tasks want the same of a step.
    shown: dict[Wanted, Evidence | str] = field(default_factory=dict)

    def samples(self, task: Task) -> Iterator[Record | Failure]:
        """The task's samples, and a failure for each that there is not."""
        nothing = not self.media.scenes and not any(each.start_frame or each.end_frame for each in self.media.steps)
        try:
            for draft in task.drafts(self.plan, partial(stream_of, self.seed, self.source_path, task.name)):
                if nothing:
                    yield self._skipped(task, Skipped(draft.step_index, _NOTHING_TO_SEE))
                else:
                    yield self._skipped(task, draft) if isinstance(draft, Skipped) else self._tried(task, draft)
        except Exception as error:
            yield self._failed(task, None, error)

    def _tried(self, task: Task, draft: Draft) -> Record | Failure:
        try:
            return self._sample(task, draft)
        except Exception as error:
            return self._failed(task, draft.step_index, error)

    def _sample(self, task: Task, draft: Draft) -> Record | Failure:
        wanted = task.wanted(self.plan, draft.step_index, draft.fields)
        shown = self.shown.get(wanted)
        if shown is None:
            shown = self.shown[wanted] = choose(wanted, self.media)
        if isinstance(shown, str):
            return self._skipped(task, Skipped(draft.step_index, shown))
        return {
            "root": self.root,
            "source_path": self.source_path,
            "plan_file": self.plan_file,
            "id": sample_id(self.seed, self.source_path, task.name, draft.step_index, draft.variant),
            "task_name": task.name,
            "step_index": draft.step_index,
            "evidence_type": shown.evidence_type,
            "image": shown.image,
            "video": shown.video,
            "fields": written_fields(draft.fields),
            "question": task.question(draft.fields),
            "answer": task.answer(draft.fields),
        }

    def _skipped(self, task: Task, skipped: Skipped) -> Failure:
        return Failure(0, skipped.reason, "Skipped", kind="dropped", inputs=self._told(task, skipped.step_index))

    def _failed(self, task: Task, step_index: int | None, error: Exception) -> Failure:
        failure = Failure.of(0, error)
        failure.message = f"{self.source_path}, {task.name}: {failure.message}"
        failure.inputs = self._told(task, step_index)
        return failure

    def _told(self, task: Task, step_index: int | None) -> str:
        return written_fields({"source_path": self.source_path, "task_name": task.name, "step_index": step_index})
