"""Idle steps: edits that bring a room no further than fewer edits would."""

from __future__ import annotations

from collections.abc import Sequence

from operators.scene.chain import Chain
from operators.scene.scene import Object, Scene, objects_of
from operators.scene.simulator import target_of

#: The calls that give an object another value, and where that value stands.
_VALUES = {"move_object": ("pos", "new_position"), "rotate_object": ("rot", "new_rotation"),
           "scale_object": ("size", "new_size")}  # fmt: skip


def idle_steps(chain: Chain, states: Sequence[Scene]) -> float:
    """The edits that a shorter way would not have.

    Each counts 1: an object that is moved, turned or scaled once more; one that is moved, turned or scaled to where
    it was before; one that is touched again after its second edit. What is taken away or replaced after the chain put
    it counts 1 if it was put in the turn before, less (a half, a third …) if it stood for longer.
    """
    lives: dict[str, _Life] = {}
    idle = 0.0
    for turn, calls in enumerate(chain.turns[:-1]):
        jids = {target_of(call) for call in calls}
        before = {each["jid"]: each for each in objects_of(states[turn]) if each["jid"] in jids}
        for call in calls:
            jid, name = target_of(call), call["name"]
            if jid is not None:
                life = lives.setdefault(jid, _Life())
                idle += life.touched(name, call["arguments"], before.get(jid), turn)
            if name in ("add_object", "replace_object"):
                put = call.get("retrieval") or chain.retrievals[call["id"]]
                lives[str(put["jid"])] = _Life(turn)
    return idle


class _Life:
    """What was done to one object so far; ``put`` is the turn that put it, None if it was there from the start."""

    def __init__(self, put: int | None = None) -> None:
        self.put = put
        self.tools: list[str] = []
        self.seen: dict[str, list[list[float]]] = {}

    def touched(self, name: str, arguments: dict[str, list[float]], before: Object | None, turn: int) -> float:
        """How idle one more edit is."""
        idle = 0.0
        if name in _VALUES:
            key, argument = _VALUES[name]
            seen = self.seen.setdefault(key, [] if before is None else [before[key]])
            idle += (arguments[argument] in seen) + (name in self.tools)
            seen.append(arguments[argument])
        elif self.put is not None and turn > self.put:
            idle += 1 / (turn - self.put)
        idle += len(self.tools) >= 2
        self.tools.append(name)
        return idle
