"""Sample rows as the generator reads them, from plans on disk, without the operators that come before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from operators.cot.anchors import anchors_of
from operators.cot.items import load_plan
from operators.cot.sample import PLAN_FILE, sample_id, stream_of, written_fields
from operators.cot.tasks import TASKS
from operators.cot.tasks.task import Draft

EXAMPLES = Path(__file__).parents[2] / "examples" / "causal_plans"


def drafted(root: Path = EXAMPLES, seed: int = 1) -> Iterator[Mapping[str, Any]]:
    """A row for every sample that the plans below the root give, with the pictures of its item's first folder."""
    for plan_file in sorted(root.glob(f"*/{PLAN_FILE}")):
        plan = load_plan(plan_file)
        source = plan_file.relative_to(root).as_posix()
        shown = sorted(path.relative_to(root).as_posix() for path in plan_file.parent.glob("01_*/*.jpg"))
        for name, task in TASKS.items():
            for draft in task.drafts(plan, partial(stream_of, seed, source, name)):
                if isinstance(draft, Draft):
                    yield {
                        "row_id": f"{source} {name} {draft.step_index} {draft.variant}",
                        "plan_file": str(plan_file),
                        "root": str(root),
                        "task_name": name,
                        "step_index": draft.step_index,
                        "fields": written_fields(draft.fields),
                        "question": task.question(draft.fields),
                        "answer": task.answer(draft.fields),
                        "anchors": anchors_of(task.anchor_steps(plan, draft.step_index, draft.fields)),
                        "image": shown,
                        "id": sample_id(seed, source, name, draft.step_index, draft.variant),
                    }
