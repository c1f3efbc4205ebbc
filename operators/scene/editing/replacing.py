"""Backwards, a replacement finds what may have stood in an object's place before."""

from __future__ import annotations

import random
from collections.abc import Iterator

from operators.scene.editing.draft import Draft, retrieved
from operators.scene.editing.state import State
from operators.scene.editing.thing import Thing, thing
from operators.scene.furniture.kinds import kind_of
from operators.scene.scene import rounded

#: Objects that are looked at, and pieces for each of them.
_OBJECTS, _PIECES = 4, 2


def reverse_replace(state: State, rng: random.Random) -> Draft | None:
    """Put something like it in one thing's place, and tell the call that brings the thing itself."""
    found = state.best(rng, _options(state, rng))
    if found is None:
        return None
    jid, before = found
    after, root = state.things.pop(jid), before.root
    other = {**before.obj, **state.new_id(before.obj["jid"])}
    if "type" in after.obj:
        other["type"] = after.obj["type"]
    before.obj = other
    state.things[other["jid"]] = before
    state.past.setdefault((root, "desc"), []).append(after.obj["desc"])
    state.touched.add(jid)
    state.counted(other["jid"], root, "replace_object")
    arguments = {"jid_to_replace": other["jid"], "new_object_description": after.obj["desc"]}
    return Draft("replace_object", arguments, retrieved(after.obj))


def _options(state: State, rng: random.Random) -> Iterator[tuple[str, Thing]]:
    """Some pieces of the catalogue in the places of things that they are like."""
    likenesses = state.room.likenesses

    def weigh(each: Thing) -> float:
        return float(bool(likenesses.get(each.root)) and (each.root, "desc") not in state.past)

    for jid, each in state.chosen(rng, "replace_object", weigh, _OBJECTS):
        obj, assets = each.obj, likenesses[each.root]
        for _ in range(_PIECES):
            asset = assets[int(rng.random() * len(assets))]
            other = {"desc": asset.desc, "size": rounded(asset.size, "size"), "pos": obj["pos"], "rot": obj["rot"],
                     "jid": asset.jid}  # fmt: skip
            yield jid, thing(other, kind_of(asset.desc), each.fit, each.group, each.root)
