"""A state of a turn as measures and predicates take it: the room then, the one on the other side, and the calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from operators.scene.facts.things import Room, Thing


@dataclass(frozen=True, slots=True)
class Act:
    """What a call does: its id, its tool, and the ids of the objects that it is about."""

    call: str
    tool: str
    jids: frozenset[str]


@dataclass(frozen=True)
class View:
    """The room in a state, the rooms before and after the turn, and what the turn does."""

    room: Room
    before: Room
    after: Room
    acts: Sequence[Act]
    ends: bool

    def thing(self, jid: str) -> Thing:
        """The thing of an id, in this state if it is there, else in the other one."""
        return self.room.by_id.get(jid) or self.before.by_id.get(jid) or self.after.by_id[jid]

    def both(self, jid: str) -> tuple[Thing, Thing] | None:
        """A thing before and after the turn; None if one of them has it not."""
        old, new = self.before.by_id.get(jid), self.after.by_id.get(jid)
        return (old, new) if old and new else None

    def does(self, tool: str, jid: str, call: str | None) -> bool:
        """Whether a call of that tool, or that very call, is about a thing."""
        return any(a.tool == tool and jid in a.jids and call in (None, a.call) for a in self.acts)
