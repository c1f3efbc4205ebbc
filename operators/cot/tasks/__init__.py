"""The fifteen tasks, Task_28 to Task_42, by their names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from dataflow_ext import OptionError, RowError
from operators.cot.tasks.challenges import (
    CounterfactualOutcome,
    CounterfactualPrediction,
    FailureRecovery,
    RecoveryChoice,
)
from operators.cot.tasks.dependency import InterStepDependency
from operators.cot.tasks.flawed_plan import FlawPointing, PlanRepair
from operators.cot.tasks.next_k import NextKOrder, NextKSteps
from operators.cot.tasks.next_step import CompletedSteps, MiddleSteps, NextAction, NextStepGoal
from operators.cot.tasks.recovery import RetryOrContinue, StepAfterRecovery
from operators.cot.tasks.task import Task

#: Every task by its name, in the order of the numbers.
TASKS: Mapping[str, Task] = {
    task.name: task
    for task in (
        InterStepDependency(),
        NextAction(),
        NextStepGoal(),
        CompletedSteps(),
        MiddleSteps(),
        NextKSteps(),
        NextKOrder(),
        FlawPointing(),
        PlanRepair(),
        CounterfactualPrediction(),
        CounterfactualOutcome(),
        FailureRecovery(),
        RecoveryChoice(),
        RetryOrContinue(),
        StepAfterRecovery(),
    )
}


def task_named(name: str) -> Task:
    """The task of a name; RowError if there is none."""
    if name not in TASKS:
        raise RowError(f"There is no task {name!r}.")
    return TASKS[name]


def task_names(asked: str | Sequence[str | int]) -> tuple[str, ...]:
    """The names of the asked tasks in their order: of numbers, ranges and names, as text or one by one.

    Raises :class:`~dataflow_ext.OptionError` for what is no task.

    >>> task_names("30,28-29")[1:]
    ('Task_29_Next_Action_Prediction', 'Task_30_Next_Step_Goal_Prediction_From_Prefix')
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
            return [numbers[n] for n in range(first, last + 1)]
    raise OptionError(f"{word!r} is no task; use numbers from 28 to 42, such as 28,31-34, or a task's whole name.")
