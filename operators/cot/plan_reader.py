"""CoTPlanReader: the plan of an item, and what there is to see of it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from dataflow_ext import RowOperator
from operators.cot.items import load_plan
from operators.cot.media import Media, media_of
from operators.cot.plan import Plan
from operators.cot.plan_files import PlanError
from operators.cot.sample import columns

logger = logging.getLogger(__name__)

__all__ = ["CoTPlanReader", "PlanError"]


class CoTPlanReader(RowOperator):
    """The plan of each item, checked and cleaned, and its pictures and videos, matched with the plan's steps.

    Reads ``root``, ``source_path``, ``plan_file``, ``manifests`` and ``files``, as
    :func:`operators.cot.items.items` finds them. A plan that cannot be used is a reject, :class:`PlanError`, whose
    message names up to five problems by their JSON paths. A manifest that cannot be read costs its times alone.

    Reads:
        manifests: the JSON files beside the plan that tell steps and times.
        files: the item's pictures and videos, relative to the root.

    Writes:
        plan: the plan.
        media: what there is to see of it.

    Rejects:
        PlanError: a plan that cannot be used, and up to five problems by their JSON paths.

    Example:
        >>> from operators.cot.items import items
        >>> table = CoTPlanReader()(items(Path("examples/causal_plans")))
        >>> [len(plan["steps"]) for plan in table["plan"].to_pylist()]
        [6, 5]
    """

    inputs: ClassVar[Any] = {
        **columns("root source_path plan_file"),
        "manifests": list[Path],
        "files": list[str],
    }
    outputs: ClassVar[Any] = {**columns("root source_path plan_file"), "plan": Plan, "media": Media}
    # One row each; exploding lets go of the lists of files, which would else go along with every sample.
    rows: ClassVar[Any] = "explode"

    def row(
        self, root: str, source_path: str, plan_file: Path, manifests: list[Path], files: list[str]
    ) -> Iterator[dict[str, Any]]:
        """Read the plan, then what its manifests tell of the files."""
        plan = load_plan(plan_file)
        ids = [step.step_id for step in plan.steps]
        if ids != sorted(ids):
            logger.warning(
                "%s: its steps are not in the order of their step_id; the order in the file counts", plan_file
            )
        media = media_of(plan, source_path, files, manifests)
        yield {"root": root, "source_path": source_path, "plan_file": plan_file, "plan": plan, "media": media}
