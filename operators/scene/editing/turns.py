"""One turn of a chain, planned backwards: some things go out of the room, and some were otherwise before."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from operators.scene.editing.draft import Draft
from operators.scene.editing.moving import reverse_move
from operators.scene.editing.removing import reverse_remove
from operators.scene.editing.replacing import reverse_replace
from operators.scene.editing.rotating import reverse_rotate
from operators.scene.editing.scaling import reverse_scale
from operators.scene.editing.state import State

#: How to go back over each tool but add_object, which needs to know how far the chain is.
_BACK: Mapping[str, Callable[[State, random.Random], Draft | None]] = MappingProxyType({
    "move_object": reverse_move,
    "rotate_object": reverse_rotate,
    "scale_object": reverse_scale,
    "replace_object": reverse_replace,
    "remove_object": reverse_remove,
})  # fmt: skip


@dataclass(slots=True)
class Turn:
    """The calls of a turn: what is there is put right, then new things come.

    The large ones come first, and what stands on others after all that does not.
    """

    changes: list[Draft] = field(default_factory=list)
    adds: list[Draft] = field(default_factory=list)

    @property
    def calls(self) -> list[Draft]:
        """All calls in forward order."""
        return [*self.changes, *sorted(self.adds, key=_place)]


def change(state: State, turn: Turn, rng: random.Random, tools: Sequence[str], count: int) -> list[str]:
    """Go back over the first so many of these tools that can be; the tools that are left."""
    left: list[str] = []
    cannot: set[str] = set()
    for place, tool in enumerate(tools):
        if count <= 0:
            return [*left, *tools[place:]]
        call = None if tool in cannot else _BACK[tool](state, rng)
        if call is None:
            cannot.add(tool)
            left.append(tool)
        else:
            turn.changes.append(call)
            count -= 1
    return left


def _place(call: Draft) -> tuple[int, float]:
    w, h, d = call.arguments["size"]
    return call.level, -(w * h * d)
