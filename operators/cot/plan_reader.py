"""CoTPlanReader: the plan of an item, and what there is to see of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from dataflow_ext import RowOperator
from operators.cot.load import load_plan
from operators.cot.media import Media
from operators.cot.media_files import media_of
from operators.cot.plan import Plan
from operators.cot.plan_files import PlanError

__all__ = ["CoTPlanReader", "PlanError"]


class CoTPlanReader(RowOperator):
    """The plan of each item, checked and cleaned, and its pictures and videos, matched with the plan's steps.

    Reads ``root``, ``source_path``, ``plan_file``, ``manifests`` and ``files``, as
    :func:`operators.cot.items.items` finds them. A plan that cannot be used is a reject, :class:`PlanError`, whose
    message names up to five problems by their JSON paths. A manifest that cannot be read costs its times alone.
    """

    inputs: ClassVar[Any] = {
        "root": str,
        "source_path": str,
        "plan_file": Path,
        "manifests": list[Path],
        "files": list[str],
    }
    outputs: ClassVar[Any] = {"plan": Plan, "media": Media}

    def row(
        self, root: str, source_path: str, plan_file: Path, manifests: list[Path], files: list[str]
    ) -> dict[str, Plan | Media]:
        """Read the plan, then what its manifests tell of the files."""
        plan = load_plan(plan_file)
        return {"plan": plan, "media": media_of(plan, source_path, files, manifests)}
