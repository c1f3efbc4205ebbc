"""The fifteen tasks, Task_28 to Task_42, by their names."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping, Sequence

from dataflow_ext import OptionError
from operators.cot.tasks.task import AnchorSteps, Draft, Fields, Skipped, Task

__all__ = ["TASKS", "AnchorSteps", "Draft", "Fields", "Skipped", "Task", "task_names"]


def _all() -> dict[str, Task]:
    found = {}
    for module in ("dependency", "next_step", "prefix", "infill", "next_k", "flawed_plan", "counterfactual", "failure", "after_recovery"):
        try:
            loaded = importlib.import_module(f"operators.cot.tasks.{module}")
        except ImportError:
            continue
        for each in vars(loaded).values():
            if isinstance(each, type) and issubclass(each, Task) and hasattr(each, "number") and each.__module__ == loaded.__name__:
                found[each.number] = each()
    return {found[n].name: found[n] for n in sorted(found)}


#: Every task by its name, in the order of the numbers.
TASKS: Mapping[str, Task] = _all()


def task_names(asked: str | Sequence[str | int]) -> tuple[str, ...]:
    """The names of the asked tasks in their order: of numbers, ranges and names, as text or one by one.

    Raises :class:`~dataflow_ext.OptionError` for what is no task.

    >>> task_names("28,31-32")
    ('Task_28_Inter_Step_Dependency_Analysis', 'Task_31_Prefix_Completed_Steps_MultiSelect')
    """
    words = asked.split(",") if isinstance(asked, str) else [str(each) for each in asked]
    wanted = {name for word in words for name in _named(word.strip())}
    if not wanted:
        raise OptionError("No task is named; use numbers from 28 to 42, such as 28,31-34.")
    return tuple(name for name in TASKS if name in wanted)


def _named(word: str) -> list[str]:
    """The tasks that one word names."""
    if word in TASKS:
        return [word]
    numbers = {task.number: name for name, task in TASKS.items()}
    span = re.fullmatch(r"(?:Task_)?(\d{2})(?:-(\d{2}))?", word)
    if span is not None:
        first, last = int(span[1]), int(span[2] or span[1])
        if first <= last and first in numbers and last in numbers:
            return [numbers[n] for n in range(first, last + 1) if n in numbers]
    raise OptionError(f"{word!r} is no task; use numbers from 28 to 42, such as 28,31-34, or a task's whole name.")
