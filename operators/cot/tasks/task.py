"""What a task is, and what all tasks' fields have in common."""

from __future__ import annotations

import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError, create_model

from dataflow_ext.well_formed import short
from operators.cot.anchors import AnchorSteps
from operators.cot.evidence import KeyFrames, Prefix, Wanted
from operators.cot.plan import Plan, Step
from operators.cot.problems import Problem
from operators.cot.texts import one_line

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from operators.cot.tasks.conclusion import Answered, Conclusion

#: Why there is no sample about the last step.
LAST = "no step follows"

#: The field that every task has, before its own.
GOAL = "high_level_goal"

_SHOWN = 60
_REPR = reprlib.Repr()
_REPR.maxstring = _REPR.maxother = _REPR.maxlong = _SHOWN
_Text = Annotated[str, StringConstraints(pattern=r"\S")]
_STRICTER: Mapping[Any, Any] = {str: _Text, list[str]: list[_Text]}
#: The types of fields that are no texts; what a label is differs from task to task.
_NUMBERS, _LISTS = "prefix_end_step K flaw_step", "options middle_steps presented_steps gold_next_k_step_goals"
_TYPES: Mapping[str, Any] = {
    **dict.fromkeys(_NUMBERS.split(), int),
    **dict.fromkeys((*_LISTS.split(), "bad_plan_steps", "gold_plan_steps"), list[str]),
}


def numbered(steps: Sequence[str]) -> str:
    """Steps as an answer lists them.

    >>> print(numbered(["Open the door.", "Go in."]))
    1) Open the door.
    2) Go in.
    """
    return "\n".join(f"{i}) {one_line(step)}" for i, step in enumerate(steps, 1))


def typed(names: str, **others: Any) -> dict[str, Any]:
    """Fields of these names, parted by spaces, with their types, after the plan's goal; ``others`` are of other types.

    >>> typed("options label", label=int)
    {'high_level_goal': <class 'str'>, 'options': list[str], 'label': <class 'int'>}
    """
    return {GOAL: str} | {name: _TYPES.get(name, str) for name in names.split()} | others


def with_goal(plan: Plan, **fields: object) -> dict[str, Any]:
    """A task's fields in their order, after the plan's goal."""
    return {GOAL: one_line(plan.high_level_goal), **fields}


def goals_of(now: Step, after: Step) -> dict[str, str]:
    """The fields of a step's goal and of that of the next one."""
    return {"current_step_goal": one_line(now.step_goal), "next_step_goal": one_line(after.step_goal)}


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
    return short(_REPR.repr(value), _SHOWN)


@lru_cache(maxsize=64)
def _form(task: type[Task]) -> tuple[frozenset[str], Callable[[Mapping[str, Any]], object]]:
    """The names of a task's fields, and what raises ValidationError for some that have not their types."""
    types = {GOAL: str, **{name: _STRICTER.get(each, each) for name, each in task.types.items() if name != GOAL}}
    members: dict[str, Any] = {name: (kind, None if name in task.optional else ...) for name, kind in types.items()}
    form: type[BaseModel] = create_model(task.__name__, __config__=ConfigDict(strict=True, extra="forbid"), **members)
    return frozenset(members), form.__pydantic_validator__.validate_python


def _problem(error: ErrorDetails) -> Problem:
    first, *rest = error["loc"]
    # Between field and entry stands which of several types was tried; it is no name.
    keys = (each for each in rest if isinstance(each, int) or each.isidentifier())
    path = "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in keys)
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


#: What is to be seen of a step: all up to its end, or one of its key frames.
Shows = Literal["prefix", "start", "end"]

#: Where a reasoning may first name the gold: anywhere, in its last required sentence, in its last sentence.
Named = Literal["anywhere", "required", "last"]

#: A sample's fields, as JSON holds them.
Fields = Mapping[str, Any]

#: The random stream of one sample, from the step that it asks about and what tells it from others there.
Stream = Callable[[int, str], Random]


@dataclass(frozen=True, slots=True)
class Draft:
    """A sample as a plan gives it: the step that it asks about, and its fields in the format's order.

    ``variant`` tells samples apart that one task asks about one step, and goes into the sample's id.
    """

    step_index: int
    fields: Fields
    variant: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """Why a task has no sample about a step; the sentence has no names in it, so that it can be counted."""

    step_index: int
    reason: str


class Task(ABC):
    """A task: it has no state, and every answer rests on its arguments alone.

    ``types`` are the types of its fields, for :func:`operators.cot.tasks.task.form_problems`; ``optional``
    names those that files made elsewhere need not have. What most tasks have in common is told by class variables:
    ``asked`` is the question, ``gold`` the field that is the answer, ``shows`` what is to be seen of the step that is
    asked about, and ``ahead`` how far behind it the step stands whose entries the required sentences are made of;
    ``undone`` says that this step is still to be done, ``named`` where the gold may first be named, and ``flow`` what a
    reasoning says before the conditions, between effects and failure, and at the end, by the names of
    :data:`operators.cot.reasoning.writer.PARTS`. The sentences that close it are in ``tasks/closings.tsv``, by the
    task's number.
    All methods may rely on fields of the right types, and raise ``LookupError`` where the plan has no such step.
    """

    number: ClassVar[int]
    name: ClassVar[str]
    types: ClassVar[Mapping[str, Any]]
    optional: ClassVar[frozenset[str]] = frozenset()
    asked: ClassVar[str] = ""
    gold: ClassVar[str] = "label"
    shows: ClassVar[Shows] = "prefix"
    ahead: ClassVar[int] = 0
    undone: ClassVar[bool] = False
    named: ClassVar[Named] = "anywhere"
    flow: ClassVar[tuple[str, str, str]] = ("state", "chained", "delayed")

    @abstractmethod
    def drafts(self, plan: Plan, stream: Stream) -> Iterator[Draft | Skipped]:
        """The samples that the plan gives, and the steps about which it gives none, with the reason."""

    def question(self, fields: Fields) -> str:
        """The human turn: one line."""
        return self.asked

    def answer(self, fields: Fields) -> str:
        """What follows the reasoning, without the line break at its end; of several steps a numbered list."""
        value = fields[self.gold]
        return numbered(value) if isinstance(value, list) else one_line(str(value))

    def wanted(self, plan: Plan, step_index: int, fields: Fields) -> Wanted:
        """What the sample shows."""
        step_id = step_of(plan, step_index).step_id
        return Prefix(step_id) if self.shows == "prefix" else KeyFrames(((step_id, self.shows),))

    def anchor_steps(self, plan: Plan, step_index: int, fields: Fields) -> AnchorSteps:
        """Whose entries the required sentences are made of."""
        return AnchorSteps.of(plan.steps[position_of(plan, step_index) + self.ahead])

    @abstractmethod
    def conclusion(self, of: Answered) -> Conclusion:
        """The words that name the gold, and those that name a rival."""

    @abstractmethod
    def problems(self, plan: Plan, step_index: int, fields: Fields) -> Iterator[Problem]:
        """What in the fields is not true to the plan or to each other, whoever made them.

        It checks, it does not make them again: other seeds draw other options and other K.
        """


class AboutOneStep(Task):
    """Base of tasks that ask about one step of the plan."""

    shows, undone = "start", True

    @abstractmethod
    def lack(self, step: Step) -> str | None:
        """Why the step cannot be asked about; None where it can."""

    @abstractmethod
    def told(self, step: Step) -> dict[str, str]:
        """The fields that the plan's words on the step alone decide."""

    def drafts(self, plan: Plan, stream: Stream) -> Iterator[Draft | Skipped]:
        """One for each step that lacks nothing."""
        for step in plan.steps:
            lack = self.lack(step)
            yield Skipped(step.step_id, lack) if lack else Draft(step.step_id, with_goal(plan, **self.told(step)))

    def problems(self, plan: Plan, step_index: int, fields: Fields) -> Iterator[Problem]:
        """Fields that are not what the plan says of the step."""
        if plan.position(step_index) is None:
            yield Problem("step.unknown", f"the plan has no step {shown(step_index)}")
        else:
            yield from plan_problems(fields, self.told(step_of(plan, step_index)))
