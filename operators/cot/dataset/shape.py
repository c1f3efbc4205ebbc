"""A sample's two shapes: the object of a line, and the row of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from operators.cot.problems import Problem
from operators.cot.rules.form import form_of
from operators.cot.sample import AssistantGenerator, entry_of, written_fields
from operators.cot.tasks import TASKS


class Unfit(Exception):
    """A sample cannot have the other shape; ``problem`` tells why."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(str(problem))


def written_entry(row: Mapping[str, Any], base: str = "") -> dict[str, Any]:
    """The object that is written for a finished sample, its keys in the format's order.

    ``base`` is put before every path: a root that ends in a slash, or nothing. Raises :class:`Unfit` for an
    unknown task, fields that are no JSON object, and a path that leaves the root.
    """
    if row["task_name"] not in TASKS:
        raise Unfit(Problem("task.unknown", f"there is no task {row['task_name'][:80]!r}"))
    placed = {
        "image": [base + _inside(path, "evidence.path") for path in row["image"]],
        "video": None if row["video"] is None else base + _inside(row["video"], "evidence.path"),
        "source_path": base + _inside(row["source_path"], "source.path"),
    }
    try:
        entry = entry_of({**row, **placed})
    except (ValueError, RecursionError):
        entry = None
    if entry is None or not isinstance(entry["meta"]["fields"], dict):
        raise Unfit(Problem("schema.type", "fields is no JSON object"))
    return entry


def sample_of(entry: object, root: str) -> dict[str, Any]:
    """The finished sample in a parsed line, its paths relative to ``root``, an absolute posix path.

    Raises :class:`Unfit` for an object that is not of the format's shape, and for what no row could hold:
    paths out of the root, other ``evidence_files`` than what is shown.
    """
    found = next((problem for problem in form_of(entry) if problem.level == "error"), None)
    if found is not None or not isinstance(entry, dict):
        raise Unfit(found or Problem("schema.type", "the sample is no object"))
    meta = entry["meta"]
    image, video = entry["image"], entry.get("video")
    shown = image if video is None else [*image, video]
    if sorted(meta.get("evidence_files", shown)) != sorted(shown):
        raise Unfit(Problem("evidence.files", "meta.evidence_files is not image and video together"))
    question, response = (turn["value"] for turn in entry["conversations"])
    return {
        "id": entry["id"],
        "image": [_below(root, path, "evidence.path") for path in image],
        "video": None if video is None else _below(root, video, "evidence.path"),
        "question": question,
        "response": response,
        "task_name": meta["task_name"],
        "evidence_type": meta["evidence_type"],
        "source_path": _below(root, meta["source_path"], "source.path"),
        "step_index": meta["step_index"],
        "fields": written_fields(meta["fields"]),
        "assistant_generator": AssistantGenerator(**meta["assistant_generator"]),
    }


def _below(root: str, path: str, code: str) -> str:
    """A path relative to the root."""
    if path.startswith("/"):
        start = f"{root.rstrip('/')}/"
        if not path.startswith(start):
            raise Unfit(Problem(code, f"{path[:200]!r} is absolute and not below {root}; was the data set moved?"))
        path = path.removeprefix(start)
    return _inside(path, code)


def _inside(path: str, code: str) -> str:
    if not path or path.startswith("/") or "\\" in path or "\0" in path or ".." in path.split("/"):
        raise Unfit(Problem(code, f"{path[:200]!r} is no path below the root"))
    return path
