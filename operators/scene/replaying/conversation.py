"""A conversation turn by turn: what each changes, and what does not agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from operators.scene.model.conversation import Conversation
from operators.scene.model.scene import Scene
from operators.scene.model.simulator import CallError, apply
from operators.scene.reasoning.turn import changes, told_calls
from operators.scene.rules.replay import first_difference, replay_problems


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
    if not any(turn.problem for turn in turns) and (final := _final(conversation)):
        end = turns[-1]
        turns[-1] = Replayed(end.number, end.before, end.calls, end.changes, final)
    return turns


def _final(conversation: Conversation) -> str:
    """How the final scene of the metadata differs from what the calls give; nothing if it does not."""
    return next((each.message for each in replay_problems(conversation) if each.code == "replay.final"), "")
