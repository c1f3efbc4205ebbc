"""What all tasks' fields have in common: how texts are compared, which types they have, and what the plan says."""

from __future__ import annotations

import reprlib
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError, create_model

from operators.cot.problems import Problem

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from operators.cot.plan import Plan, Step
    from operators.cot.tasks.task import Fields, Task

#: The field that every task has, before its own.
GOAL = "high_level_goal"

#: Longer texts are worked out anew each time, so that no file can fill the memory.
REMEMBERED = 1000

_STOPS = ".!?。！？ "
_SHOWN = 60
_REPR = reprlib.Repr()
_REPR.maxstring = _REPR.maxother = _REPR.maxlong = _SHOWN
_Text = Annotated[str, StringConstraints(pattern=r"\S")]
_STRICTER: list[tuple[Any, Any]] = [(str, _Text), (list[str], list[_Text])]


def normalised(text: str) -> str:
    """A text as it is compared with others: case, width, spaces and the stop at its end make no difference.

    >>> normalised("  Open the\\u2028ＤＯＯＲ. ") == normalised("open the door")
    True
    """
    return _remembered(text) if len(text) <= REMEMBERED else _normalised(text)


def one_line(text: str) -> str:
    """A text with one space for every run of spaces and line breaks of any kind, and none at its ends."""
    return " ".join(text.split())


def numbered(steps: Sequence[str]) -> str:
    """Steps as an answer lists them.

    >>> print(numbered(["Open the door.", "Go in."]))
    1) Open the door.
    2) Go in.
    """
    return "\n".join(f"{i}) {one_line(step)}" for i, step in enumerate(steps, 1))


def with_goal(plan: Plan, **fields: object) -> dict[str, Any]:
    """A task's fields in their order, after the plan's goal."""
    return {GOAL: one_line(plan.high_level_goal), **fields}


def position_of(plan: Plan, step_id: int) -> int:
    """Where the step stands in the plan, counted from 0; LookupError if the plan has no such step."""
    position = plan.position(step_id)
    if position is None:
        raise LookupError(f"The plan has no step {step_id}.")
    return position


def step_of(plan: Plan, step_id: int) -> Step:
    """The step of the plan; LookupError if the plan has no such step."""
    return plan.steps[position_of(plan, step_id)]


def form_problems(task: Task, fields: Fields) -> Iterator[Problem]:
    """Fields that are missing, unknown (a warning) or of the wrong type; without one, the task's methods may be called.

    A type is meant strictly: True is no int, ``str`` and ``list[str]`` hold no blank texts (the plan's goal may be
    blank). A TypedDict (of typing_extensions) as type tells the shape of an object; its keys are checked like fields.
    """
    names, check = _form(type(task))
    try:
        check({name: value for name, value in fields.items() if name in names})
    except ValidationError as error:
        told: set[tuple[str, int | str]] = set()
        for each in error.errors(include_url=False, include_context=False):
            problem = _problem(each)
            # A field that may be of several types has an error for each of them: one is enough.
            if (key := (problem.code, each["loc"][0])) not in told:
                told.add(key)
                yield problem
    if not names >= fields.keys():
        for name in fields:
            if name not in names:
                yield _unknown(name)


def common_problems(plan: Plan, fields: Fields) -> Iterator[Problem]:
    """What is to be true of every task's fields: the goal is that of the plan."""
    return plan_problems(fields, {GOAL: plan.high_level_goal})


def plan_problems(fields: Fields, expected: Mapping[str, str | int | Sequence[str]]) -> Iterator[Problem]:
    """``fields.plan`` for each of the named fields that is not what the plan says, word for word but for whitespace.

    A field that is not there is not compared: whether it may be absent is a question of form.
    """
    for name, value in expected.items():
        if name in fields and not same(fields[name], value):
            yield Problem("fields.plan", f"{name} is {shown(fields[name])}, but the plan says {shown(value)}")


def same(a: object, b: object) -> bool:
    """Whether two values of fields are the same: numbers, texts or lists of texts."""
    if isinstance(a, str) and isinstance(b, str):
        return a == b or one_line(a) == one_line(b)
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def shown(value: object) -> str:
    """A value as a message quotes it: on one line, and not long."""
    text = _REPR.repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _normalised(text: str) -> str:
    if text.isascii():
        folded = text.lower()
    else:
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return one_line(folded).rstrip(_STOPS)


_remembered = lru_cache(maxsize=1 << 14)(_normalised)


@lru_cache(maxsize=64)
def _form(task: type[Task]) -> tuple[frozenset[str], Callable[[Mapping[str, Any]], object]]:
    """The names of a task's fields, and what raises ValidationError for some that have not their types."""
    types = {GOAL: str, **{name: _stricter(each) for name, each in task.types.items() if name != GOAL}}
    members: dict[str, Any] = {name: (kind, None if name in task.optional else ...) for name, kind in types.items()}
    form: type[BaseModel] = create_model(task.__name__, __config__=ConfigDict(strict=True, extra="forbid"), **members)
    return frozenset(members), form.__pydantic_validator__.validate_python


def _stricter(kind: Any) -> Any:
    return next((stricter for plain, stricter in _STRICTER if kind == plain), kind)


def _problem(error: ErrorDetails) -> Problem:
    first, *rest = error["loc"]
    # Between field and entry stands which of several types was tried; it is no name.
    path = "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in rest if _is_key(each))
    where = f"{first}{path}"
    if error["type"] == "missing":
        return Problem("fields.missing", f"{where} is missing")
    if error["type"] == "extra_forbidden":
        return _unknown(where)
    if error["type"] == "string_pattern_mismatch":
        return Problem("fields.type", f"{where} is blank")
    wanted = error["msg"].removeprefix("Input ")
    return Problem("fields.type", f"{where} {wanted}, but is {shown(error['input'])}")


def _unknown(name: str) -> Problem:
    return Problem("fields.unknown", f"the task has no field {shown(name)}", "warning")


def _is_key(part: int | str) -> bool:
    return isinstance(part, int) or part.isidentifier()
