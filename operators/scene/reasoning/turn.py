"""A turn of a chain: the room before and after it, its calls, and what was done before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dataflow_ext import RowError
from operators.scene.claims.world import turn_names
from operators.scene.model.chain import Chain
from operators.scene.model.scene import Object, Scene, objects_of
from operators.scene.model.simulator import Call, CallError, Retrievals, apply, target_of
from operators.scene.reasoning.calls import DEEDS


@dataclass(frozen=True)
class Turn:
    """One turn of ``total``, counted from 1; ``names`` has each object of the room before or after it.

    ``old`` and ``new`` are the objects before and after, by their ids; ``subjects`` are those that the calls are
    about, call by call (None for terminate); ``earlier`` says what the turns before it did, a line each.
    """

    number: int
    total: int
    before: Scene
    after: Scene
    calls: Sequence[Call]
    retrievals: Retrievals
    names: Mapping[str, str]
    old: Mapping[str, Object]
    new: Mapping[str, Object]
    subjects: Sequence[str | None]
    earlier: Sequence[str]

    @property
    def ends(self) -> bool:
        """Whether this is the turn that says that the room is finished."""
        return [call["name"] for call in self.calls] == ["terminate"]


def turns_of(text: str) -> list[Turn]:
    """The turns of a chain as it travels in a column; RowError if the text holds none, or a call cannot be done."""
    try:
        chain = Chain.read(text)
        turns: list[Turn] = []
        state = chain.start
        earlier: list[str] = []
        for number, calls in enumerate(chain.turns, 1):
            turn = _turn(number, len(chain.turns), state, calls, chain.retrievals, list(earlier))
            turns.append(turn)
            done = zip(calls, turn.subjects, strict=True)
            said = (f"{DEEDS[call['name']]} {turn.names.get(str(jid), 'the room')}" for call, jid in done)
            earlier.append(f"Turn {number}: {', '.join(said)}")
            state = turn.after
    except CallError as error:
        raise RowError(f"The chain cannot be replayed: {error}.") from None
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise RowError(f"The column 'chain' holds no chain of edits: {type(error).__name__}: {error}.") from None
    if not turns:
        raise RowError("The chain has no turns.")
    return turns


def _turn(
    number: int, total: int, before: Scene, calls: Sequence[Call], retrievals: Retrievals, earlier: list[str]
) -> Turn:
    after = apply(before, calls, retrievals)
    old = {str(each["jid"]): each for each in objects_of(before)}
    new = {str(each["jid"]): each for each in objects_of(after)}
    names = turn_names(before, after)
    subjects = [_subject(call, retrievals) for call in calls]
    return Turn(number, total, before, after, calls, retrievals, names, old, new, subjects, earlier)


def _subject(call: Call, retrievals: Retrievals) -> str | None:
    """The object that a call is about: of an add the new one, of a replacement the old one."""
    if call["name"] == "add_object":
        return str((call.get("retrieval") or retrievals[call["id"]])["jid"])
    return target_of(call)
