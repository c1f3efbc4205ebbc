"""How a new piece stands in words: at which wall, by which other piece, and how that gives its coordinates."""

from __future__ import annotations

from operators.scene.reasoning.actions import metres
from operators.scene.reasoning.changes import Change
from operators.scene.reasoning.room import AGAINST, BACKED
from operators.scene.reasoning.voice import Voice

#: Metres from the floor above which something is up, not standing.
UP = 0.3
#: Metres within which two pieces are used together.
TOGETHER = 1.0


def place_of(change: Change) -> tuple[str, dict[str, str]]:
    """How it stands: the topic, and what fills it."""
    now, thing = change.now, change.now.thing
    lift = change.room_after.room.lift(thing)
    values = {"name": change.name, "wall": now.wall, "gap": metres(now.gap), "where": now.where, "y": metres(lift),
              "facing": now.facing}  # fmt: skip
    if thing.kind.stands == "ceiling" and lift > UP:
        return "place.ceiling", values
    if now.on:
        return "place.on", {**values, "other": change.called(now.on)}
    if lift > UP:
        return "place.high", values
    flush = "" if now.gap >= 0.005 else ".flush"
    if 0 <= now.gap <= UP and now.wall:
        if thing.kind.faces and now.back and now.gap < BACKED:
            return f"place.back{flush}", values
        if now.back and now.gap <= AGAINST and thing.kind.family not in ("seat", "rug"):
            return f"place.wall{flush}", values
        return f"place.near{flush}", values
    if now.partner and now.partner[1] <= TOGETHER:
        topic = "place.partner" if now.partner[1] >= 0.02 else "place.touch"
        return topic, {**values, "gap": metres(now.partner[1]), "other": change.called(now.partner[0])}
    return "place.free" if now.wall and now.gap > AGAINST else "place.plain", values


def derived(change: Change) -> dict[str, str] | None:
    """How the coordinate across a wall follows from the wall, for one that is a side of the floor's bounds."""
    now, thing = change.now, change.now.thing
    axis = "z" if now.wall in ("north", "south") else "x"
    if not now.straight or now.wall not in _SIDES or now.gap < 0.005:
        return None
    x0, z0, x1, z1 = change.room_after.room.floor.bounds
    wall = {"west": x0, "east": x1, "north": z0, "south": z1}[now.wall]
    across = (abs(thing.box.front[0]) > 0.5) == (axis == "x")
    extent = 2 * (thing.box.deep if across else thing.box.wide)
    middle = thing.box.x if axis == "x" else thing.box.z
    # A wall inside of the bounds has another coordinate, a leaning object another middle.
    if abs(abs(wall - middle) - extent / 2 - now.gap) > 0.006 or middle not in (thing.pos[0], thing.pos[2]):
        return None
    return {
        "wall": now.wall, "axis": axis, "at": metres(wall), "extent": metres(extent), "middle": metres(middle),
        "kind": "depth" if across else "width", "gap": metres(now.gap),
    }  # fmt: skip


_SIDES = ("north", "south", "west", "east")


def stance(change: Change, voice: Voice) -> str:
    """How a new piece stands, as the end of a sentence."""
    now, lift = change.now, change.room_after.room.lift(change.now.thing)
    if now.thing.kind.stands == "ceiling" and lift > UP:
        return voice.say("stance.ceiling", y=metres(lift))
    if now.on:
        return voice.say("stance.on", other=change.called(now.on))
    if now.partner and 0.02 <= now.partner[1] <= TOGETHER:
        return voice.say("stance.partner", gap=metres(now.partner[1]), other=change.called(now.partner[0]))
    if now.wall and 0 <= now.gap <= UP:
        if now.gap < 0.005:
            return voice.say("stance.flush" if now.back else "stance.touch", wall=now.wall)
        return voice.say("stance.wall", gap=metres(now.gap), wall=now.wall)
    return voice.say("stance.where", where=now.where)
