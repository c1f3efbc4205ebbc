"""What is seen before a turn: what the room holds, and which problems of the three classes it really has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from operators.scene.facts import layout, spatial
from operators.scene.reasoning.actions import metres
from operators.scene.reasoning.room import State
from operators.scene.reasoning.voice import Voice
from operators.scene.reasoning.words import a, counted, listing, number, sentence, the

#: Kinds that are listed one by one; of a fuller room only the largest objects are.
_LISTED = 7
#: The share of the footprints from which a room leans to one side, and how much floor is worth a word.
_LEANS, _OPEN = 0.8, 1.5


def inventory(state: State, voice: Voice) -> str:
    """One sentence on what the room holds."""
    things = sorted(state.room.things, key=lambda each: (not each.on_floor, -each.box.volume))
    if not things:
        w, d = state.sides
        return voice.say("seen.empty", room=state.called, w=metres(w), d=metres(d))
    counts = Counter(thing.kind.noun for thing in things)
    if len(counts) > _LISTED:
        main = listing([the(thing.name) for thing in things[: 3 + voice.chance(0.5)]])
        return sentence(voice.say("seen.main", room=state.called, count=len(things), list=main))
    plurals = {thing.kind.noun: thing.kind.plural for thing in things}
    told = counted(counts, plurals)
    if len(things) == 1:
        return sentence(voice.say("seen.one", room=state.called, list=told[0]))
    return sentence(
        voice.say(
            "seen.all",
            room=state.called,
            list=listing(told),
            count=number(len(things)),
            pieces="pieces",
            stand="stand",
            is_are="is" if next(iter(counts.values())) == 1 else "are",
        )
    )


def problems(state: State, voice: Voice, subjects: Collection[str], coming: Collection[str]) -> list[str]:
    """Sentences on problems: physical ones, then those of the layout.

    Those that the turn's ``subjects`` have are left to the reasons of its calls. ``coming`` are the nouns that the
    turn adds, which may be said to be missing.
    """
    found = []
    for each in state.overlaps:
        if each.one.jid not in subjects and each.other.jid not in subjects:
            values = {"one": the(each.one.name), "other": the(each.other.name), "depth": metres(each.depth)}
            found.append(sentence(voice.say("problem.overlap", **values)))
    for jid, out in state.outside.items():
        if jid not in subjects:
            share = f"{out.share * 100:.0f}"
            found.append(sentence(voice.say("problem.outside", name=the(out.thing.name), share=share)))
    for jid, up in state.lifted.items():
        if jid not in subjects:
            topic = "problem.floats" if up.height > 0 else "problem.sinks"
            found.append(sentence(voice.say(topic, name=the(up.thing.name), height=metres(abs(up.height)))))
    found += _of_layout(state, voice, subjects)
    missing = [noun for noun in layout.missing(state.room) if noun in coming]
    if missing and state.room.things:
        found.append(sentence(voice.say("problem.lacks", room=state.called, thing=a(missing[0]))))
    return found


def _of_layout(state: State, voice: Voice, subjects: Collection[str]) -> list[str]:
    found = []
    for thing, gap in layout.off_wall(state.room):
        nearest = state.room.nearest_wall(thing)
        if thing.jid not in subjects and nearest:
            values = {"name": the(thing.name), "wall": nearest.wall.name, "gap": metres(gap)}
            found.append(sentence(voice.say("problem.wall", **values)))
    told = [("problem.turned", each) for each in layout.misturned(state.room)]
    told += [("problem.astray", each) for each in layout.astray(state.room)]
    for topic, text in told:
        begins = [thing for thing in state.room.things if text.startswith(f"{thing.name} ")]
        if begins and not any(thing.jid in subjects for thing in begins):
            # How near the wall is that it faces is left out: the words of a fact sheet are no sentence.
            told_plainly = _with_articles(text.partition(", ")[0], state)
            found.append(sentence(voice.say(topic, text=told_plainly)))
    return found


def _with_articles(text: str, state: State) -> str:
    """A fact in which names stand at the beginning and at the end, as a clause."""
    for thing in sorted(state.room.things, key=lambda each: -len(each.name)):
        if text.startswith(f"{thing.name} "):
            text = the(thing.name) + text[len(thing.name) :]
            break
    for thing in sorted(state.room.things, key=lambda each: -len(each.name)):
        if text.endswith(f"away from {thing.name}"):
            return text[: -len(thing.name)] + the(thing.name)
    return text


def space(state: State, voice: Voice) -> list[str]:
    """Sentences on how the room is filled: the largest empty area, a side that has nearly all, a cluster."""
    found = []
    empty = spatial.largest_empty(state.room)
    if empty and empty.width * empty.depth >= _OPEN and state.room.things:
        values = {"w": metres(empty.width), "d": metres(empty.depth), "where": empty.place}
        found.append(sentence(voice.say("space.empty", **values)))
    halves = spatial.halves(state.room)
    if halves and sum(thing.on_floor for thing in state.room.things) >= 3:
        half, share = max(halves.items(), key=lambda each: each[1])
        if share >= _LEANS:
            found.append(sentence(voice.say("space.lopsided", half=half, share=f"{share * 100:.0f}")))
    groups = spatial.clusters(state.room)
    if groups:
        found.append(sentence(voice.say("problem.cluster", list=listing([the(thing.name) for thing in groups[0]]))))
    return found


def sound(state: State, voice: Voice) -> list[str]:
    """That nothing overlaps, floats or leaves the room, if it is so."""
    if state.overlaps or state.outside or state.lifted or len(state.room.things) < 2:
        return []
    return [voice.say("problem.none")]
