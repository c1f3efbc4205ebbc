"""What is measured of a chain: how its rooms look on the way, and how its edits follow each other.

Only what the chain itself brings about is measured. The finished room may have overlaps of its own, and the room
that a chain begins with is given: neither counts against the chain.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from operators.scene.chain import Chain
from operators.scene.geometry import Box, Floor, box_of, floor_of, outside_share, overlap_depth
from operators.scene.judging.idle import idle_steps
from operators.scene.scene import Object, Scene, objects_of
from operators.scene.size_order import size_order

#: Overlaps up to this many metres are rounding: what stands on a table may sink into it by half a centimetre each.
_TOUCHING = 0.01
#: Metres of overlap, and objects outside, that one sees in a picture.
_SEEN_OVERLAP, _SEEN_OUTSIDE = 0.05, 0.1


@dataclass(frozen=True, slots=True)
class Measures:
    """Measured quantities of a chain.

    ``overlap`` are metres of overlap, summed over pairs of objects, that a room on the way has beyond the finished
    one, on average over the rooms after each turn; ``outside`` are objects out of the room, in the same way (a half
    object outside is 0.5). ``unclear`` is the share of those rooms in which one sees it. ``order`` is
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
    unclear = sum(a > _SEEN_OVERLAP or b > _SEEN_OUTSIDE for a, b in zip(overlaps, outsides, strict=True))
    return Measures(
        overlap=sum(overlaps) / turns,
        outside=sum(outsides) / turns,
        unclear=unclear / turns,
        order=size_order(chain),
        idle=idle_steps(chain, states) / turns,
        travel=_travel(chain, states) / turns,
        uneven=_spread(counts),
    )


def _spread(counts: Sequence[int]) -> float:
    """The standard deviation of some numbers as a share of their mean; 0 where that is 0."""
    mean = sum(counts) / len(counts)
    return math.sqrt(sum((count - mean) ** 2 for count in counts) / len(counts)) / mean if mean else 0.0


def _on_the_way(chain: Chain, states: Sequence[Scene]) -> tuple[list[float], list[float]]:
    """Metres of overlap and objects outside, beyond those of the finished room, after each turn but the last."""
    final = {each["jid"]: each for each in objects_of(states[-1])}
    room = _Room(final, _heirs(chain), floor_of(states[-1]))
    overlaps, outsides = [], []
    for state in states[1:]:
        objects = objects_of(state)
        overlap = outside = 0.0
        done: set[int] = set()
        for one in objects:
            if final.get(one["jid"]) is one:
                continue
            done.add(id(one))  # so that no pair comes twice
            outside += room.outside(one)
            overlap += sum(room.overlap(one, other) for other in objects if id(other) not in done)
        overlaps.append(overlap)
        outsides.append(outside)
    return overlaps, outsides


class _Room:
    """How objects on the way stand in the room; each is worked out once, as its identity names it."""

    def __init__(self, final: Mapping[str, Object], heirs: Mapping[str, str], floor: Floor) -> None:
        self._final, self._heirs, self._floor = final, heirs, floor
        self._boxes: dict[int, Box] = {}
        self._outside: dict[int, float] = {}
        self._overlaps: dict[tuple[int, int], float] = {}

    def outside(self, one: Object) -> float:
        """The share of an object outside of the room, less that of what it is in the finished room."""
        share = self._outside.get(id(one))
        if share is None:
            share = outside_share(self._box(one), self._floor)
            end = self._end(one) if share else None
            if end is not None:
                share = max(0.0, share - outside_share(self._box(end), self._floor))
            self._outside[id(one)] = share
        return share

    def overlap(self, one: Object, other: Object) -> float:
        """The depth of two objects' overlap, less that of what they are in the finished room."""
        key = (id(one), id(other))
        depth = self._overlaps.get(key)
        if depth is None:
            depth = self._depth(one, other)
            one_end, other_end = (self._end(one), self._end(other)) if depth else (None, None)
            if one_end is not None and other_end is not None:
                depth = max(0.0, depth - self._depth(one_end, other_end))
            self._overlaps[key] = depth
        return depth

    def _depth(self, one: Object, other: Object) -> float:
        """The depth by which two objects overlap; 0 for objects that only touch."""
        a, b = self._box(one), self._box(other)
        if a.low >= b.high or b.low >= a.high:
            return 0.0
        reach = a.wide + a.deep + b.wide + b.deep
        if abs(a.x - b.x) > reach or abs(a.z - b.z) > reach:
            return 0.0
        depth = overlap_depth(a, b)
        return depth if depth > _TOUCHING else 0.0

    def _box(self, obj: Object) -> Box:
        made = self._boxes.get(id(obj))
        if made is None:
            made = self._boxes[id(obj)] = box_of(obj)
        return made

    def _end(self, obj: Object) -> Object | None:
        """What an object becomes in the finished room; None if it is taken away."""
        jid, seen = str(obj["jid"]), set[str]()
        while jid in self._heirs and jid not in seen:
            seen.add(jid)
            jid = self._heirs[jid]
        return self._final.get(jid)


def _heirs(chain: Chain) -> dict[str, str]:
    """For each object that is replaced, the one that comes in its place."""
    return {
        call["arguments"]["jid_to_replace"]: str((call.get("retrieval") or chain.retrievals[call["id"]])["jid"])
        for calls in chain.turns
        for call in calls
        if call["name"] == "replace_object"
    }


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
