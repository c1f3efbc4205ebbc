"""Backwards, a replacement finds what may have stood in an object's place before."""

from __future__ import annotations

import random

from operators.scene.editing.draft import Draft, retrieved
from operators.scene.editing.room import Thing, thing
from operators.scene.editing.state import State
from operators.scene.furniture.kinds import kind_of
from operators.scene.scene import rounded


def reverse_replace(state: State, rng: random.Random) -> Draft | None:
    """Put something like it in one thing's place, and tell the call that brings the thing itself."""
    room = state.room

    def may(each: Thing) -> bool:
        return bool(room.likenesses.get(each.root)) and (each.root, "desc") not in state.past

    for jid, each in state.chosen(rng, "replace_object", may, tries=1):
        obj, assets = each.obj, room.likenesses[each.root]
        asset = assets[int(rng.random() * len(assets))]
        size = rounded(asset.size, "size")
        other = {"desc": asset.desc, "size": size, "pos": obj["pos"], "rot": obj["rot"], **state.new_id(asset.jid)}
        if "type" in obj:
            other["type"] = obj["type"]
        call = Draft(
            "replace_object", {"jid_to_replace": other["jid"], "new_object_description": obj["desc"]}, retrieved(obj)
        )
        del state.things[jid]
        state.things[other["jid"]] = thing(other, kind_of(asset.desc), room.floor, each.group, each.root)
        state.past.setdefault((each.root, "desc"), []).append(obj["desc"])
        state.touched.add(jid)
        state.counted(other["jid"], each.root, "replace_object")
        return call
    return None
