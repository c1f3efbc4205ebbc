"""Why a call is made, with which values, and what comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from operators.scene.facts.things import Thing
from operators.scene.furniture.qualities import qualities
from operators.scene.reasoning.actions import metres
from operators.scene.reasoning.changes import Change, degrees, percent, way
from operators.scene.reasoning.deeds import replacement
from operators.scene.reasoning.placing import TOGETHER, UP, derived, place_of
from operators.scene.reasoning.voice import Voice
from operators.scene.reasoning.words import a, listing, sentence, several, whose

#: What a new piece is for, by its family.
_USES = {
    "lamp": "light", "plant": "green", "storage": "store", "shelf": "store", "seat": "sit", "sofa": "sit",
    "table": "surface", "desk": "surface",
}  # fmt: skip
_STYLES = (
    "industrial", "rustic", "vintage", "scandinavian", "traditional", "classic", "victorian", "mid-century",
    "minimalist", "contemporary", "modern",
)  # fmt: skip
#: Cubic metres from which a piece is large.
_LARGE = 0.5
#: The turn that a rotation has to make at least to be a new direction, degrees.
_TURN = 20


def why(change: Change, voice: Voice) -> str:
    """The reason for a call, in one sentence."""
    if change.kind == "add":
        return _why_add(change, voice)
    if change.kind in ("remove", "replace") and change.jid in change.turn.brought:
        return _why_own(change, voice)
    return _why_else(change, voice)


def _why_own(change: Change, voice: Voice) -> str:
    """The reason for taking back what an earlier turn brought in: what is wrong with it, or what came after it."""
    if change.gains and not change.gains[0].topic.startswith("removed.s"):
        return f"{sentence(voice.say('own.gain', name=change.name))} {_why_else(change, voice)}"
    brought, state = change.turn.brought, change.room_before
    later = [thing for jid, thing in state.things.items() if brought.get(jid, 0) > brought[change.jid]]
    if change.kind == "remove" and later:
        other = max(later, key=lambda thing: thing.box.volume)
        return sentence(voice.say("own.since", name=change.name, other=change.called(other.jid)))
    return sentence(voice.say(f"own.{change.kind}", name=change.name))


def _why_else(change: Change, voice: Voice) -> str:
    if change.gains:
        gain = change.gains[0]
        stay = "stays" if gain.values.get("left") == "one" else "stay"
        return sentence(voice.say(f"why.{gain.topic}", **{**gain.values, "stay": stay}))
    topic = {"scale": "why.scale.plain", "replace": "why.replace.plain", "move": "why.move.plain"}.get(change.kind)
    if change.kind == "rotate":
        topic = "why.rotate.plain" if change.was.thing.kind.faces else "why.rotate.round"
    elif change.kind == "remove":
        topic = "why.remove.plain" if change.was.thing.on_floor else "why.remove.high"
    elif change.kind == "move" and way(change)[1] in ("up", "down"):
        topic = "why.lift.plain"
    return sentence(voice.say(topic or "", **_old_values(change)))


def _old_values(change: Change) -> dict[str, str]:
    w, h, d = change.was.thing.size
    values = {"name": change.name, "was": change.was.facing, "ow": metres(w), "oh": metres(h), "od": metres(d)}
    if change.kind == "move":
        values["way"] = way(change)[1]
    return values


def _why_add(change: Change, voice: Voice) -> str:
    state, now = change.room_before, change.now
    kind, name = now.thing.kind, change.turn.names[change.jid]
    same = Counter(each.kind.noun for each in state.room.things)[kind.noun]
    values = {"a_name": a(name), "room": state.called, "noun": kind.noun}
    if not state.room.things and now.thing.box.volume == max(t.box.volume for t in change.room_after.room.things):
        return sentence(voice.say("add.first", **values))
    if same and kind.noun != "object":
        has = a(kind.noun) if same == 1 else several(same, kind.noun, kind.plural)
        one = next(t for t in state.room.things if t.kind.noun == kind.noun)
        more = {"has": has, "name": change.name, "other": change.called(one.jid)}
        return sentence(voice.say("add.pair" if same == 1 else "add.more", **values, **more))
    if state.room.room_type in kind.core:
        return sentence(voice.say("add.core", **values))
    if now.partner and now.partner[1] <= TOGETHER and now.partner[0] in state.things:
        return sentence(voice.say("add.partner", **values, other=change.called(now.partner[0])))
    rest = "large" if now.thing.box.volume >= _LARGE and now.thing.on_floor else "rest"
    return sentence(voice.say(f"add.{_USES.get(kind.family, rest)}", **values))


def how(change: Change, voice: Voice) -> list[str]:
    """What the call does, with its numbers, in full."""
    return [sentence(each) for each in _HOW[change.kind](change, voice)]


def _add(change: Change, voice: Voice) -> list[str]:
    thing, now = change.now.thing, change.now
    x, y, z = (metres(value) for value in thing.pos)
    w, h, d = (metres(value) for value in change.call["arguments"]["size"])
    topic, values = place_of(change)
    looks = _looks(thing)
    told = [voice.say("add.looks", looks=a(looks))] if looks and voice.chance(0.6) else []
    told.append(voice.say(topic, **values))
    faced = now.facing in told[-1]
    hung = change.room_after.room.lift(thing) > UP
    if voice.chance(0.5):
        told.append(voice.say("size.hung" if hung else "size.full", w=w, d=d, h=h))
    follows = derived(change) if topic in ("place.wall", "place.back", "place.near") and voice.chance(0.6) else None
    if follows:
        told.append(voice.say("spot.wall", **follows))
    elif voice.chance(0.4):
        told.append(voice.say("spot.full", x=x, y=y, z=z))
    if thing.kind.faces and not faced:
        other = change.called(now.ahead) if now.ahead else ""
        told.append(
            voice.say("face.ahead" if other else "face.plain", name=change.name, facing=now.facing, other=other)
        )
    apart = not topic.startswith(("place.partner", "place.touch", "place.on"))
    if now.partner and now.partner[1] <= TOGETHER and apart and voice.chance(0.4):
        topic = "place.partner" if now.partner[1] >= 0.02 else "place.touch"
        gap, other = metres(now.partner[1]), change.called(now.partner[0])
        told.append(voice.say(topic, name=change.name, other=other, gap=gap))
    return told


def _looks(thing: Thing) -> str:
    """What a thing looks like, with its noun: a style and a colour or material; empty if nothing is told."""
    noun = thing.kind.noun
    found = [each for each in qualities(str(thing.obj["desc"])) if each not in noun]
    style = next((each for each in reversed(found) if each in _STYLES), "")
    rest = next((each for each in found if each not in _STYLES), "")
    return " ".join(filter(None, (style, rest, noun))) if found and noun != "object" else ""


def _move(change: Change, voice: Voice) -> list[str]:
    x, y, z = (metres(value) for value in change.now.thing.pos)
    far, direction = way(change)
    topic = "do.lift" if direction in ("up", "down") else "do.move"
    return [voice.say(topic, name=change.name, far=far, way=direction, x=x, y=y, z=z)]


def _rotate(change: Change, voice: Voice) -> list[str]:
    angle = degrees(change)
    sense = "" if abs(angle) in (0, 180) else " counterclockwise" if angle > 0 else " clockwise"
    was, now = change.was.facing, change.now.facing
    fronted = change.now.thing.kind.faces and was != now and abs(angle) >= _TURN
    topic = "do.rotate" if fronted else "do.rotate.slight"
    return [voice.say(topic, name=change.name, angle=abs(angle), sense=sense, was=was, now=now)]


def _scale(change: Change, voice: Voice) -> list[str]:
    w, h, d = (metres(value) for value in change.now.thing.size)
    parts = [
        f"{abs(part)} % {more if part > 0 else less}"
        for part, more, less in zip(
            percent(change), ("wider", "higher", "deeper"), ("narrower", "lower", "less deep"), strict=True
        )
        if part
    ]
    by = f", which makes it {listing(parts)}" if parts else ""
    if len({*percent(change)}) == 1 and parts:
        each = percent(change)[0]
        by = f", which makes it {abs(each)} % {'larger' if each > 0 else 'smaller'} in each dimension"
    return [voice.say("do.scale", name=change.name, w=w, h=h, d=d, by=by)]


def _replace(change: Change, voice: Voice) -> list[str]:
    old, new = change.was.thing, change.now.thing
    told = [voice.say("do.replace", name=change.name, new=replacement(change))]
    before, after = _looks(old), _looks(new)
    if before and after and before != after:
        told.append(voice.say("do.replace.looks", new=a(after), old=a(before)))
    if max(abs(one - other) for one, other in zip(old.size, new.size, strict=True)) >= 0.03:
        w, h, d = (metres(value) for value in new.size)
        values = {**_old_values(change), "put": change.called(change.put), "w": w, "h": h, "d": d}
        told.append(voice.say("do.replace.size", **values))
    return told


def _remove(change: Change, voice: Voice) -> list[str]:
    w, _, d = change.was.thing.size
    topic = "do.remove" if change.was.thing.on_floor else "do.remove.high"
    return [voice.say(topic, name=change.name, w=metres(w), d=metres(d))]


_HOW = {"add": _add, "move": _move, "rotate": _rotate, "scale": _scale, "replace": _replace, "remove": _remove}


def effects(change: Change, voice: Voice, most: int = 2, *, named: bool = True) -> list[str]:
    """What is measured after it, good or bad: what got better, and overlaps that are new.

    Unless it has to be ``named``, the object was named in the sentence before.
    """
    topics = [(f"then.{gain.topic}", gain.values) for gain in change.gains[:most]]
    if change.kind == "remove":
        told = topics or [("then.honest.remove", {})]
    else:
        told = [*topics, *_drawbacks(change)]
        if not told and change.kind == "add":
            told = [("clear.one", {"name": change.name})] if not change.now.overlaps and voice.chance(0.5) else []
        elif not told:
            told = _plain_move(change, voice) if change.kind == "move" else [(f"then.honest.{change.kind}", {})]
    put = change.called(change.put) if change.put else change.name
    said = []
    for place, (topic, values) in enumerate(told):
        # After a sentence that names another object, "it" could be that one.
        again = "other" in told[place - 1][1] if place else named
        it = {"it": put, "its": whose(put)} if again else {"it": "it", "its": "its"}
        said.append(sentence(voice.say(topic, **{**values, **it})))
    return said


def _drawbacks(change: Change) -> Iterator[tuple[str, dict[str, str]]]:
    """Overlaps that are new or deeper, and what is newly outside."""
    subjects = list(change.turn.subjects)
    told = set(subjects[: subjects.index(change.jid)])  # an overlap of two of them is told once
    clashes = [(o, depth) for o, depth in change.now.overlaps if o not in told and _is_new(change, o, depth)]
    if clashes:
        other, depth = clashes[0]
        yield (
            "clash.kept" if change.keeps_overlap(other) else "clash.new",
            {"other": change.called(other), "depth": metres(depth)},
        )
    if change.now.outside >= 0.01 and (change.kind == "add" or change.now.outside > change.was.outside + 0.01):
        yield "out.kept" if change.keeps_outside else "out.new", {"share": f"{change.now.outside * 100:.0f}"}


def _is_new(change: Change, other: str, depth: float) -> bool:
    if change.kind in ("add", "remove"):
        return True
    return depth > change.was.depth_to(other) + 0.02


def _plain_move(change: Change, voice: Voice) -> list[tuple[str, dict[str, str]]]:
    """Where a move ends that mends nothing."""
    now, told = change.now, []
    near = now.partner or now.neighbour
    if near and near[1] >= 0.02:
        told.append(("then.near", {"gap": metres(near[1]), "other": change.called(near[0])}))
    elif now.wall and now.gap >= 0.005:
        told.append(("then.wall", {"gap": metres(now.gap), "wall": now.wall}))
    if not told or voice.chance(0.6):
        told.append(("then.honest.move", {}))
    return told
