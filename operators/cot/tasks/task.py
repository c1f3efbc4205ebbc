"""What a task is: which samples a plan gives, what is asked and answered, and what makes its fields true."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from operators.cot.anchors import AnchorSteps as AnchorSteps
from operators.cot.evidence import Wanted
from operators.cot.plan import Plan
from operators.cot.problems import Problem

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
    names those that files made elsewhere need not have. ``question``, ``answer``, ``wanted`` and ``anchor_steps``
    may rely on fields of the right types, and raise ``LookupError`` where the plan has no such step.
    """

    number: ClassVar[int]
    name: ClassVar[str]
    types: ClassVar[Mapping[str, Any]]
    optional: ClassVar[frozenset[str]] = frozenset()

    @abstractmethod
    def drafts(self, plan: Plan, stream: Stream) -> Iterator[Draft | Skipped]:
        """The samples that the plan gives, and the steps about which it gives none, with the reason."""

    @abstractmethod
    def question(self, fields: Fields) -> str:
        """The human turn: one line."""

    @abstractmethod
    def answer(self, fields: Fields) -> str:
        """What follows the reasoning, without the line break at its end."""

    @abstractmethod
    def wanted(self, plan: Plan, step_index: int, fields: Fields) -> Wanted:
        """What the sample shows."""

    @abstractmethod
    def anchor_steps(self, plan: Plan, step_index: int, fields: Fields) -> AnchorSteps:
        """Whose entries the required sentences are made of."""

    @abstractmethod
    def problems(self, plan: Plan, step_index: int, fields: Fields) -> Iterator[Problem]:
        """What in the fields is not true to the plan or to each other, whoever made them.

        It checks, it does not make them again: other seeds draw other options and other K.
        """
