"""The last turn: what the finished room has, and why nothing more is done."""

from __future__ import annotations

from collections import Counter

from operators.scene.facts import spatial
from operators.scene.reasoning.actions import metres
from operators.scene.reasoning.room import BACKED, State
from operators.scene.reasoning.seen import inventory
from operators.scene.reasoning.turn import Turn
from operators.scene.reasoning.voice import Voice
from operators.scene.reasoning.words import a, listing, number, sentence, the


def ending(turn: Turn, state: State, template: str, voice: Voice) -> list[list[str]]:
    """The reasoning of the last turn, as paragraphs of sentences."""
    has = [inventory(state, voice)] if state.things else []
    good = [*_core(state, voice), *_standing(state, voice)]
    path = _path(turn, voice)
    faults, flawed = _faults(state, voice)
    space = _space(state, voice)
    close = [voice.say("end.close.flawed" if flawed else "end.close")]
    if template == "A":
        return [[voice.say("end.open"), *has], good, [*faults, *space], [*path, *close]]
    if template == "B":
        return [[*good[:2], *has, *path, *faults, *good[2:], *space, *close]]
    if template == "C":
        return [
            [voice.say("q.has"), *has, *good[:2]],
            [voice.say("q.problem"), *faults],
            [voice.say("q.done"), *space, *path, *close],
        ]
    if template == "D":
        return [[voice.say("end.open"), *has, *good, *faults, *path, *space, *close]]
    return [[*has, *good[:2], *faults, *space[:1], *close]]


def finish(state: State, voice: Voice) -> str:
    """The sentence that concludes the last turn."""
    count = len(state.things)
    values = {"room": state.called, "count": number(count), "pieces": "piece" if count == 1 else "pieces"}
    return sentence(voice.say("finish.conclusion", **values))


def _core(state: State, voice: Voice) -> list[str]:
    """What the room needs and has."""
    nouns = Counter(t.kind.noun for t in state.room.things if state.room.room_type in t.kind.core)
    if not nouns:
        return []
    return [
        sentence(
            voice.say(
                "end.core" if len(nouns) > 1 else "end.core.one",
                room=state.called,
                list=listing([a(noun) for noun in nouns]),
            )
        )
    ]


def _standing(state: State, voice: Voice) -> list[str]:
    """Up to three good relations: large pieces at a wall, and companions at their place."""
    told: list[str] = []
    for thing in sorted(state.room.things, key=lambda each: -each.box.volume):
        place = state.place(thing.jid)
        if len(told) >= 3 or place.overlaps or place.outside:
            continue
        if (
            thing.on_floor
            and thing.kind.family in ("bed", "sofa", "storage", "shelf", "desk")
            and 0 <= place.gap < BACKED
            and place.back
        ):
            values = {"name": the(thing.name), "gap": metres(place.gap), "wall": place.wall}
            told.append(sentence(voice.say("end.wall" if place.gap >= 0.005 else "end.wall.flush", **values)))
        elif place.partner and 0.02 <= place.partner[1] <= 0.8 and thing.on_floor:
            other, gap = place.partner
            values = {"name": the(thing.name), "other": the(state.things[other].name), "gap": metres(gap)}
            told.append(sentence(voice.say("end.partner", **values)))
    return told


def _path(turn: Turn, voice: Voice) -> list[str]:
    steps = turn.number - 1
    if steps < 1:
        return []
    return [voice.say("end.path.one") if steps == 1 else sentence(voice.say("end.path", turns=number(steps)))]


def _faults(state: State, voice: Voice) -> tuple[list[str], bool]:
    """What is still wrong, or that nothing is; and whether something is."""
    found = [f"{the(o.one.name)} overlaps {the(o.other.name)} by {metres(o.depth)} m" for o in state.overlaps]
    found += [
        f"{out.share * 100:.0f} % of the base of {the(out.thing.name)} is outside of the room"
        for out in state.outside.values()
    ]
    found += [
        f"{the(up.thing.name)} floats {metres(up.height)} m above the floor"
        for up in state.lifted.values()
        if up.height > 0
    ]
    if not found and not state.lifted:
        return ([voice.say("end.clear")] if len(state.things) > 1 else []), False
    if not found:
        return [], True
    if len(found) == 1:
        return [sentence(voice.say("end.left", problem=found[0]))], True
    return [sentence(voice.say("end.left.many", count=number(len(found)), problem=found[0]))], True


def _space(state: State, voice: Voice) -> list[str]:
    empty = spatial.largest_empty(state.room)
    if not empty or empty.width * empty.depth < 1.0:
        return []
    return [voice.say("end.space", where=empty.place, w=metres(empty.width), d=metres(empty.depth))]
