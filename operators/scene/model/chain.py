"""A chain of edits: where it begins, its calls turn by turn, and what was really put."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from dataflow_ext import RowError
from operators.scene.model.scene import NEED_RETRIEVAL, Object, Scene, with_objects, written
from operators.scene.model.simulator import Call, CallError, apply, target_of

ConversationType = Literal["multi_turn", "single_turn"]


@dataclass(frozen=True, slots=True)
class Chain:
    """A room to begin with, and the calls of each turn, the last of which is ``terminate`` alone.

    Ids of calls, ``tool_1``, ``tool_2`` and so on, are unique in the chain. The states are not kept: replaying
    the calls gives them.
    """

    start: Scene
    turns: Sequence[Sequence[Call]]
    retrievals: Mapping[str, Object] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str) -> Chain:
        """The chain that :meth:`text` wrote."""
        return cls(**json.loads(text))

    def text(self) -> str:
        """The chain as JSON, which is how it travels in a column."""
        return written({"start": self.start, "turns": self.turns, "retrievals": self.retrievals})

    def states(self) -> list[Scene]:
        """The room before each turn; CallError if a call cannot be done. The last one is the finished room.

        >>> put = {"jid": "a", "desc": "chair", "size": [1.0, 1.0, 1.0]}
        >>> arguments = {"object_description": "chair", "position": [0.0] * 3, "rotation": [0.0] * 4, "size": [1.0] * 3}
        >>> add = {"id": "tool_1", "name": "add_object", "arguments": arguments}
        >>> end = {"id": "tool_2", "name": "terminate", "arguments": {"reason": "done"}}
        >>> [len(room["objects"]) for room in Chain({"objects": []}, [[add], [end]], {"tool_1": put}).states()]
        [0, 1]
        """
        states = [self.start]
        for calls in self.turns[:-1]:
            states.append(apply(states[-1], calls, self.retrievals))
        return states

    def revised(self) -> list[str]:
        """The ids of calls whose object a later turn changes, replaces or removes, in the order of the calls.

        What they do is not what the finished room has, so that their turns are kept out of the loss.
        """
        last: dict[str, str] = {}
        found = set[str]()
        for call in (call for calls in self.turns for call in calls):
            target = target_of(call)
            if target in last:
                found.add(last.pop(target))
            put = self.retrievals.get(call["id"])
            if (jid := target if put is None else str(put["jid"])) is not None:
                last[jid] = call["id"]
        return [call["id"] for calls in self.turns for call in calls if call["id"] in found]

    def slipped(self) -> set[int]:
        """The turns, from 0, with such a call: what they teach is mended later."""
        revised = set(self.revised())
        return {turn for turn, calls in enumerate(self.turns) if any(call["id"] in revised for call in calls)}

    @property
    def edits(self) -> int:
        """The number of turns that edit: all but the last."""
        return len(self.turns) - 1

    def put(self) -> set[str]:
        """The ids of all objects that the chain added or put in place of others."""
        return {str(each["jid"]) for each in self.retrievals.values()}

    def unretrieved(self, final: Scene) -> Scene:
        """The finished room as a conversation tells it: what the chain put has no id yet."""
        put = self.put()

        def hidden(each: Object) -> dict[str, Any]:
            if each["jid"] not in put:
                return dict(each)
            return {k: NEED_RETRIEVAL if k == "jid" else v for k, v in each.items() if k != ASSET}

        return with_objects(final, lambda objects: list(map(hidden, objects)))


def replayed(text: str) -> tuple[Chain, list[Scene]]:
    """The chain of a column, and its rooms; RowError if the text holds none, or if a call cannot be done."""
    try:
        chain = Chain.read(text)
        return chain, chain.states()
    except CallError as error:
        raise RowError(f"The chain cannot be replayed: {error}.") from None
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        why = f"{type(error).__name__}: {error}"
        raise RowError(f"The column 'chain' holds no chain of edits ({why}); SceneReverseEditor makes one.") from None


#: Where an object with an id of its own keeps the id of its asset, which others in the room have as well.
ASSET = "asset_jid"
