"""What runs of ``cot_planning`` leave behind, as tests look at it, and roots of annotated videos for them."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from operators.cot.sample import PLAN_FILE
from operators.cot.tasks import TASKS

#: The two items that come with the project.
EXAMPLES = Path(__file__).parents[2] / "examples" / "causal_plans"
BIKE, LAB = "bike_workshop_tube", "wet_lab_dilution"
NAMES: Mapping[int, str] = {task.number: name for name, task in TASKS.items()}

_TIME = re.compile(r"_ts_(\d+\.\d+)s")

Entry = dict[str, Any]


def data_of(out: Path) -> dict[str, bytes]:
    """The data files of a data set by their tasks."""
    return {path.parent.name: path.read_bytes() for path in sorted(out.glob("*/data.jsonl"))}


def lines_of(out: Path) -> list[bytes]:
    return [line for data in data_of(out).values() for line in data.splitlines()]


def entries_of(out: Path) -> list[Entry]:
    return [json.loads(line) for line in lines_of(out)]


def rejects_of(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "rejects.jsonl").read_text(encoding="utf-8").splitlines()]


def stats_of(out: Path) -> Any:
    return json.loads((out / "stats.json").read_text(encoding="utf-8"))


def number_of(task_name: str) -> int:
    return int(task_name.split("_")[1])


def copied(root: Path, item: str = BIKE, *, name: str = "", without: tuple[str, ...] = ("stage2",)) -> Path:
    """A copy of an item below another root, without some of its files and folders."""
    made = root / (name or item)
    shutil.copytree(EXAMPLES / item, made, ignore=shutil.ignore_patterns(*without))
    return made


def rewritten(item: Path, change: Callable[[Any], None]) -> None:
    """Change an item's plan in place."""
    plan = json.loads((item / PLAN_FILE).read_text(encoding="utf-8"))
    change(plan)
    (item / PLAN_FILE).write_text(json.dumps(plan, ensure_ascii=False), encoding="utf-8")


def steps_of(root: Path, source_path: str) -> list[int]:
    plan = json.loads((root / source_path).read_text(encoding="utf-8"))
    return [step["step_id"] for step in plan["steps"]]


def ends_of(item: Path) -> dict[int, float]:
    """When the clip of each step ends, in seconds of the video."""
    metas = [json.loads(path.read_text(encoding="utf-8")) for path in item.glob("*/step_meta.json")]
    return {meta["step_id"]: meta["clip_end_sec"] for meta in metas}


def time_of(picture: str) -> float:
    """The time that a picture's name tells, in seconds of the video."""
    found = _TIME.search(picture)
    assert found is not None, picture
    return float(found[1])
