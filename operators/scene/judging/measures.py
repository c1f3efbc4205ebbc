"""What is measured of a chain: how its rooms look on the way, and how its edits follow each other.

Only what the chain itself brings about is measured. The finished room may have overlaps of its own, and the room
that a chain begins with is given: neither counts against the chain.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from operators.scene.chain import Chain
from operators.scene.geometry import Box, box_of, floor_of, outside_share, overlap_depth
from operators.scene.judging.idle import idle_steps
from operators.scene.rules.order import size_order
from operators.scene.scene import Object, Scene, objects_of

#: Overlaps up to this many metres are rounding: what stands on a table may sink into it by half a centimetre each.
_TOUCHING = 0.01


@dataclass(frozen=True, slots=True)
class Measures:
    """Measured quantities of a chain.

    ``overlap`` are metres of overlap, summed over pairs of objects, that a room on the way has beyond the finished
    one, on average over the rooms after each turn; ``outside`` are objects out of the room, in the same way (a half
    object outside is 0.5). ``unclear`` is the share of those rooms that have such an overlap or object. ``order`` is
    how well adds run from large to small, 1 to -1, None where nothing can be compared. ``idle`` are the edits that
    bring the room no further, a turn; ``travel`` the metres that objects are moved, a turn; ``uneven`` the spread of
    the number of calls a turn around their mean, as a share of it.
    """

    overlap: float
    outside: float
    unclear: float
    order: float | None
    idle: float
    travel: float
    uneven: float

    def note(self) -> dict[str, float | None]:
        """The measures with as many digits as a person reads."""
        return {name: None if (value := getattr(self, name)) is None else round(value, 3) for name in self.__slots__}


def measured(chain: Chain, states: Sequence[Scene]) -> Measures:
    """What is measured of a chain whose rooms are ``states``, the one before each turn."""
    turns = max(1, chain.edits)
    counts = [len(calls) for calls in chain.turns[:-1]] or [1]
    overlaps, outsides = _on_the_way(chain, states)
    unclear = sum(overlap + outside > 0 for overlap, outside in zip(overlaps, outsides, strict=True))
    return Measures(
        overlap=sum(overlaps) / turns,
        outside=sum(outsides) / turns,
        unclear=unclear / turns,
        order=size_order(chain),
        idle=idle_steps(chain, states) / turns,
        travel=_travel(chain, states) / turns,
        uneven=pstdev(counts) / fmean(counts),
    )


def _on_the_way(chain: Chain, states: Sequence[Scene]) -> tuple[list[float], list[float]]:
    """Metres of overlap and objects outside, beyond those of the finished room, after each turn but the last."""
    final = {each["jid"]: each for each in objects_of(states[-1])}
    floor = floor_of(states[-1])
    heirs = _heirs(chain)
    boxes = _Boxes()
    overlaps, outsides = [], []
    for state in states[1:]:
        objects = objects_of(state)
        passing = [each for each in objects if final.get(each["jid"]) is not each]
        overlap = outside = 0.0
        done: set[int] = set()
        for one in passing:
            done.add(id(one))  # so that no pair comes twice
            end = final.get(_heir(one["jid"], heirs))
            share = outside_share(boxes.of(one), floor)
            outside += max(0.0, share - (outside_share(boxes.of(end), floor) if share and end else 0.0))
            for other in objects:
                if id(other) not in done:
                    overlap += boxes.beyond(one, other, end, final.get(_heir(other["jid"], heirs)))
        overlaps.append(overlap)
        outsides.append(outside)
    return overlaps, outsides


class _Boxes:
    """The boxes of a chain's objects, made once each; the objects outlive it, so that their identity names them."""

    def __init__(self) -> None:
        self._made: dict[int, Box] = {}
        self._depths: dict[tuple[int, int], float] = {}

    def of(self, obj: Object) -> Box:
        """The box of an object."""
        made = self._made.get(id(obj))
        if made is None:
            made = self._made[id(obj)] = box_of(obj)
        return made

    def depth(self, one: Object, other: Object) -> float:
        """The depth by which two objects overlap; 0 for objects that only touch."""
        key = (id(one), id(other))
        depth = self._depths.get(key)
        if depth is None:
            depth = overlap_depth(self.of(one), self.of(other))
            depth = self._depths[key] = depth if depth > _TOUCHING else 0.0
        return depth

    def beyond(self, one: Object, other: Object, one_end: Object | None, other_end: Object | None) -> float:
        """The depth of two objects' overlap less that of what they are in the finished room."""
        depth = self.depth(one, other)
        if depth and one_end is not None and other_end is not None:
            depth = max(0.0, depth - self.depth(one_end, other_end))
        return depth


def _heirs(chain: Chain) -> dict[str, str]:
    """For each object that is replaced, the one that comes in its place."""
    return {
        call["arguments"]["jid_to_replace"]: str((call.get("retrieval") or chain.retrievals[call["id"]])["jid"])
        for calls in chain.turns
        for call in calls
        if call["name"] == "replace_object"
    }


def _heir(jid: str, heirs: dict[str, str]) -> str:
    """What an object becomes in the end."""
    seen = {jid}
    while (heir := heirs.get(jid)) is not None and heir not in seen:
        seen.add(heir)
        jid = heir
    return jid


def _travel(chain: Chain, states: Sequence[Scene]) -> float:
    """The metres over the floor that calls move objects."""
    metres = 0.0
    for state, calls in zip(states, chain.turns[:-1], strict=False):
        moves = [call["arguments"] for call in calls if call["name"] == "move_object"]
        places = {each["jid"]: each["pos"] for each in objects_of(state)} if moves else {}
        for move in moves:
            x, _, z = places.get(move["jid"], move["new_position"])
            metres += math.hypot(move["new_position"][0] - x, move["new_position"][2] - z)
    return metres
