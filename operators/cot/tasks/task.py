"""What a task is: which samples a plan gives, what is asked and answered, and what makes its fields true."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Literal

from operators.cot.anchors import AnchorSteps as AnchorSteps
from operators.cot.evidence import KeyFrames, Prefix, Wanted
from operators.cot.plan import Plan, Step
from operators.cot.problems import Problem
from operators.cot.tasks.fields import numbered, one_line, plan_problems, position_of, shown, step_of, with_goal

#: What is to be seen of a step: all up to its end, or one of its key frames.
Shows = Literal["prefix", "start", "end"]

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

    ``types`` are the types of its fields, for :func:`operators.cot.tasks.fields.form_problems`; ``optional``
    names those that files made elsewhere need not have. What most tasks have in common is told by class variables:
    ``asked`` is the question, ``gold`` the field that is the answer, ``shows`` what is to be seen of the step that is
    asked about, and ``ahead`` how far behind it the step stands whose entries the required sentences are made of.
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
    def problems(self, plan: Plan, step_index: int, fields: Fields) -> Iterator[Problem]:
        """What in the fields is not true to the plan or to each other, whoever made them.

        It checks, it does not make them again: other seeds draw other options and other K.
        """


class AboutOneStep(Task):
    """Base of tasks that ask about one step of the plan."""

    shows = "start"

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
