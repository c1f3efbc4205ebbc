"""Conversations done again from their files: one turn by turn, and all of a data set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import fmean

from dataflow_ext import progress
from dataflow_ext.parallel import each, workers
from operators.scene.conversation_reader import data_file, entry_in, lines_of
from operators.scene.judging import size_order
from operators.scene.model.conversation import Conversation, ConversationError
from operators.scene.model.records import Problem
from operators.scene.model.scene import Scene
from operators.scene.model.simulator import CallError, apply
from operators.scene.reasoning.turn import changes, told_calls
from operators.scene.redrawing import picture_problems
from operators.scene.rules import conversation_problems, first_difference, replay_problems


@dataclass(frozen=True, slots=True)
class Replayed:
    """A turn: the stated room before it, its calls and what they change in words, and what does not agree.

    ``problem`` is empty if the calls can be done and give the room that the next turn states.
    """

    number: int
    before: Scene
    calls: Sequence[str]
    changes: Sequence[str]
    problem: str


def replayed(conversation: Conversation) -> list[Replayed]:
    """Every turn of a conversation, each from the room that it states, so that one fault does not hide others.

    The last one is compared with the final scene that the metadata tells.
    """
    chain, stated = conversation.chain, conversation.stated
    turns = []
    for number, calls in enumerate(chain.turns):
        before, last = stated[number], number == len(stated) - 1
        try:
            after = apply(before, calls, chain.retrievals)
        except CallError as error:
            told = [f"{call.get('id')}: {call.get('name')}" if isinstance(call, dict) else str(call) for call in calls]
            turns.append(Replayed(number, before, told, [], f"a call cannot be done: {error}"))
            continue
        problem = ""
        if not last and after != stated[number + 1]:
            problem = f"the next turn states another room: {first_difference(stated[number + 1], after)}"
        told = told_calls(before, calls, after, chain.retrievals)
        turns.append(Replayed(number, before, told, changes(before, after), problem))
    if not any(turn.problem for turn in turns):
        final = [each.message for each in replay_problems(conversation) if each.code == "replay.final"]
        turns[-1] = replace(turns[-1], problem=final[0] if final else "")
    return turns


@dataclass(frozen=True, slots=True)
class Found:
    """A problem, and where it is: the line's number from 1, and its id if it tells one."""

    line: int
    id: str
    problem: Problem

    def __str__(self) -> str:
        return f"line {self.line}{f' ({self.id})' if self.id else ''}: {self.problem}"


@dataclass(slots=True)
class Summary:
    """What was found in a data set, of whose ``pictures`` so many were ``drawn`` again.

    ``order`` is the mean of law 9's measure: 1 if all adds run from large to small.
    """

    lines: int = 0
    turns: int = 0
    pictures: int = 0
    drawn: int = 0
    order: float | None = None
    problems: list[Found] = field(default_factory=list)

    def counts(self) -> dict[str, int]:
        """How often each problem was found, the most frequent first."""
        return dict(Counter(found.problem.code for found in self.problems).most_common())


def check(folder: Path, *, redraw: bool = True, processes: int = 1) -> Summary:
    """What is wrong with the data set in ``folder``; InputError if there is none.

    With ``redraw`` every picture of the painter is drawn again from the stated room and compared byte for byte.
    """
    lines = (raw for _, raw in lines_of(data_file(folder)))
    summary, orders, ids = Summary(), list[float](), Counter[str]()
    with workers(processes):
        for judged in each(partial(_judge, folder=folder, redraw=redraw), lines):
            summary.lines += 1
            summary.turns += judged.turns
            summary.pictures += judged.pictures
            summary.drawn += judged.drawn
            orders += [] if judged.order is None else [judged.order]
            ids[judged.id] += 1
            found = judged.problems
            if judged.id and ids[judged.id] > 1:
                found = [*found, Problem("row.shape", f"the id {judged.id!r} stands on an earlier line too")]
            summary.problems += [Found(summary.lines, judged.id, problem) for problem in found]
            progress.advance()
    summary.order = fmean(orders) if orders else None
    return summary


@dataclass(frozen=True, slots=True)
class _Judged:
    id: str
    problems: list[Problem]
    turns: int = 0
    pictures: int = 0
    drawn: int = 0
    order: float | None = None


def _judge(line: bytes, folder: Path, redraw: bool) -> _Judged:
    """One line; what the rules cannot cope with costs no other line its check."""
    id = ""
    try:
        entry = entry_in(line)
        if isinstance(entry, dict) and isinstance(entry.get("id"), str):
            id = entry["id"]
        conversation = Conversation.read(entry)
        problems = conversation_problems(conversation, entry)
        problems += picture_problems(conversation, folder, redraw=redraw)
    except ConversationError as error:
        return _Judged(id, error.problems)
    except Exception as error:
        told = f"the rules cannot be applied to the line ({type(error).__name__}: {error})"
        return _Judged(id, [Problem("row.shape", told)])
    order = None if problems else size_order(conversation.chain)
    pictures = len(conversation.images)
    painted = (conversation.metadata.get("camera") or {}).get("renderer") == "painter"
    return _Judged(id, problems, conversation.chain.edits, pictures, pictures if redraw and painted else 0, order)
