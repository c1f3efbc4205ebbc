"""What a call changes, as measured: the object before and after it, and in what it is better off."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from operators.scene.facts.things import angle_to
from operators.scene.geometry import box_of, direction_name, floor_of, outside_share, overlap_depth, plan_gap, yaw_of
from operators.scene.reasoning.actions import metres
from operators.scene.reasoning.room import AGAINST, Place, State
from operators.scene.reasoning.turn import Turn
from operators.scene.reasoning.words import number, the
from operators.scene.scene import Object
from operators.scene.simulator import Call

#: What a difference must be at least to be called better: metres of overlap and of gaps, share outside.
_LESS, _CLOSER, _IN = 0.03, 0.05, 0.02
#: Metres from which an overlap of the finished room counts as one.
_KEPT = 0.01
#: What is better off closer to a wall.
_WALLED = ("bed", "sofa", "storage", "shelf", "desk", "appliance", "plant", "decor")


@dataclass(frozen=True, slots=True)
class Gain:
    """Something that is measurably better after the call: a topic of the phrases, and what fills it."""

    topic: str
    values: dict[str, str]


@dataclass(frozen=True)
class Change:
    """A call with its object: ``jid`` is what it is about, ``put`` what a replacement puts there.

    ``kind`` is the first word of the tool's name; ``was`` and ``now`` are how the object stands before and after the
    whole turn.
    """

    turn: Turn
    call: Call
    kind: str
    jid: str
    put: str
    room_before: State
    room_after: State

    @property
    def name(self) -> str:
        """The object's name, with its article."""
        return the(self.turn.names[self.jid])

    @property
    def old(self) -> Object:
        """The object before."""
        return self.turn.old[self.jid]

    @property
    def new(self) -> Object:
        """The object after; of a replacement the new one."""
        return self.turn.new[self.put or self.jid]

    @cached_property
    def was(self) -> Place:
        """How it stands before."""
        return self.room_before.place(self.jid)

    @cached_property
    def now(self) -> Place:
        """How it, or what replaces it, stands after."""
        return self.room_after.place(self.put or self.jid)

    def called(self, jid: str) -> str:
        """The name of any object of the turn, with its article."""
        return the(self.turn.names[jid])

    def keeps_overlap(self, other: str) -> bool:
        """Whether it overlaps another object in the finished room as well."""
        things = self.turn.finished_things
        one, two = things.get(self.put or self.jid), things.get(other)
        return bool(one and two) and overlap_depth(box_of(one), box_of(two)) >= _KEPT  # type: ignore[arg-type]

    @property
    def keeps_outside(self) -> bool:
        """Whether it is partly outside of the floor in the finished room as well."""
        one = self.turn.finished_things.get(self.put or self.jid)
        return bool(one) and outside_share(box_of(one), floor_of(self.turn.finished)) >= _IN  # type: ignore[arg-type]

    @cached_property
    def gains(self) -> list[Gain]:
        """What is better after it, the most telling first."""
        if self.kind in ("add", "terminate"):
            return []
        found = _GAINS[self.kind](self)
        return [Gain(topic, {"name": self.name, **values}) for topic, values in found]


def changes_of(turn: Turn, before: State, after: State) -> list[Change]:
    """The changes of a turn, in the order of its calls."""
    found = []
    for call, jid in zip(turn.calls, turn.subjects, strict=True):
        kind = str(call["name"]).partition("_")[0]
        put = ""
        if kind == "replace":
            put = str((call.get("retrieval") or turn.retrievals[call["id"]])["jid"])
        found.append(Change(turn, call, kind, jid or "", put, before, after))
    return found


def way(change: Change) -> tuple[str, str]:
    """How far and in which direction a move goes, on the plan.

    A move straight up or down goes "up" or "down".
    """
    (ax, ay, az), (bx, by, bz) = change.old["pos"], change.new["pos"]
    flat = math.hypot(bx - ax, bz - az)
    if flat < 0.005:
        return metres(abs(by - ay)), "up" if by > ay else "down"
    return metres(flat), direction_name(bx - ax, bz - az)


def degrees(change: Change) -> int:
    """The degrees that a rotation turns by, seen from above: positive against the clock."""
    return round((yaw_of(change.new) - yaw_of(change.old) + 180) % 360 - 180)


def percent(change: Change) -> list[int]:
    """How much wider, higher and deeper an object becomes, in hundredths."""
    return [round(100 * (n / o - 1)) if o else 0 for o, n in zip(change.old["size"], change.new["size"], strict=True)]


def _cleared(change: Change) -> Iterator[tuple[str, dict[str, str]]]:
    """Overlaps that are gone or less."""
    subjects = list(change.turn.subjects)
    told = set(subjects[: subjects.index(change.jid)])  # an overlap of two that are both changed is told once
    for other, depth in change.was.overlaps:
        there = other if other in change.turn.new and other not in told else ""
        left = change.now.depth_to(there) if there else 0.0
        if there and depth - left >= _LESS:
            values = {"other": change.called(other), "depth": metres(depth), "left": metres(left)}
            yield ("overlap.gone" if not left else "overlap.less"), values


def _inside(change: Change) -> Iterator[tuple[str, dict[str, str]]]:
    was, now = change.was.outside, change.now.outside
    if was - now >= _IN:
        yield (
            "outside.gone" if not now else "outside.less",
            {"share": f"{round(100 * was)}", "left": f"{round(100 * now)}"},
        )


def _to_wall(change: Change) -> Iterator[tuple[str, dict[str, str]]]:
    was, now = change.was, change.now
    at_home = now.thing.kind.family in _WALLED
    if at_home and was.wall == now.wall and was.gap - now.gap >= _CLOSER and 0.005 <= now.gap <= AGAINST:
        yield "wall.reached", {"wall": now.wall, "gap": metres(was.gap), "left": metres(now.gap)}
    elif was.wall == now.wall and was.gap < -0.01 and now.gap > 0.005:
        yield "wall.freed", {"wall": now.wall, "left": metres(now.gap)}


def _to_partner(change: Change) -> Iterator[tuple[str, dict[str, str]]]:
    was, now = change.was.partner, change.now.partner
    if was and now and was[0] == now[0] and was[1] - now[1] >= _CLOSER and now[1] <= 0.8:
        topic = "partner.nearer" if now[1] >= 0.005 else "partner.touch"
        yield topic, {"other": change.called(now[0]), "gap": metres(was[1]), "left": metres(now[1])}


def _roomier(change: Change) -> Iterator[tuple[str, dict[str, str]]]:
    was = change.was.neighbour
    if not was or was[0] not in change.turn.new or not 0.005 <= was[1] < 0.3 or change.was.overlaps:
        return
    left = round(plan_gap(change.now.thing.box, change.room_after.things[was[0]].box), 2)
    partner = change.was.partner
    if left - was[1] >= 0.1 and not (partner and partner[0] == was[0]):
        yield "room.wider", {"other": change.called(was[0]), "gap": metres(was[1]), "left": metres(left)}


def _moved(change: Change) -> Iterator[tuple[str, dict[str, str]]]:
    for look in (_cleared, _inside, _to_wall, _to_partner, _roomier):
        yield from look(change)


def _turned(change: Change) -> Iterator[tuple[str, dict[str, str]]]:
    was, now, kind = change.was, change.now, change.now.thing.kind
    yield from _cleared(change)
    yield from _inside(change)
    if kind.family in ("seat", "sofa") and now.ahead and now.ahead != was.ahead and _looked_at(change, now.ahead):
        yield "faces.now", {"other": change.called(now.ahead), "facing": now.facing}
    if kind.faces and now.back and not was.back and 0.005 <= now.gap <= 0.3:
        yield "back.now", {"wall": now.wall, "facing": now.facing, "left": metres(now.gap)}
    elif kind.faces and _off_middle(change.room_before, was) > 90 > 60 > _off_middle(change.room_after, now):
        yield "inward.now", {"facing": now.facing, "was": was.facing}
    if now.straight and not was.straight:
        yield "straight.now", {"facing": now.facing}


def _looked_at(change: Change, jid: str) -> bool:
    """Whether one would turn a seat towards an object."""
    kind = change.room_after.things[jid].kind
    return kind.family in ("table", "desk", "sofa", "appliance") or kind.noun in ("tv stand", "tv")


def _off_middle(state: State, place: Place) -> float:
    """Degrees between a front and the middle of the room."""
    x0, z0, x1, z1 = state.room.floor.bounds
    return angle_to(place.thing, (x0 + x1) / 2, (z0 + z1) / 2)


def _scaled(change: Change) -> Iterator[tuple[str, dict[str, str]]]:
    yield from _cleared(change)
    yield from _inside(change)
    yield from _to_wall(change)


def _replaced(change: Change) -> Iterator[tuple[str, dict[str, str]]]:
    yield from _cleared(change)
    yield from _inside(change)


def _removed(change: Change) -> Iterator[tuple[str, dict[str, str]]]:
    for other, depth in change.was.overlaps:
        if other in change.turn.new:
            yield "removed.overlap", {"other": change.called(other), "depth": metres(depth)}
    if change.was.outside >= _IN:
        yield "removed.outside", {"share": f"{round(100 * change.was.outside)}"}
    kind = change.was.thing.kind
    room_type = change.room_before.room.room_type
    same = Counter(each.kind.noun for each in change.room_after.room.things)[kind.noun]
    if kind.rooms and room_type in _KNOWN and room_type not in kind.rooms:
        yield "removed.stranger", {"noun": kind.noun, "room": change.room_before.called}
    elif same and kind.noun != "object":
        yield "removed.spare", {"noun": kind.noun if same == 1 else kind.plural, "left": number(same)}


_KNOWN = frozenset({"bedroom", "livingroom", "diningroom", "office", "kitchen", "bathroom"})
_GAINS = {"move": _moved, "rotate": _turned, "scale": _scaled, "replace": _replaced, "remove": _removed}
