"""Backwards, an add takes an object out; large ones stay for the beginning of the chain."""

from __future__ import annotations

import random

from operators.scene.editing.draft import Draft, retrieved
from operators.scene.editing.state import State
from operators.scene.editing.thing import Thing, due_band

#: How often something that was due already goes first, where there is something that is due now.
_OVERDUE_FIRST = 0.75
#: With so few things in the room it is seen after each of them which may be the next.
_FEW = 5


def reverse_adds(state: State, rng: random.Random, count: int, progress: float) -> list[Draft]:
    """Take so many things out of the room, if there are so many, and tell the calls that add them.

    ``progress`` is 0 at the end of the chain and 1 at its beginning: things go that are of the size that is due then,
    or else of the nearest. What carries other things stays as long as they do.
    """
    calls: list[Draft] = []
    due = due_band(progress)
    bands = _by_bands(state)
    while len(calls) < count and (jids := _due(bands, rng, due)):
        jid = jids.pop(int(rng.random() * len(jids)))
        carriers = len(state.load)
        calls.append(_taken(state, jid))
        if len(state.load) < carriers or len(state.things) < _FEW:
            bands = _by_bands(state)
    return calls


def all_added(state: State) -> list[Draft]:
    """Take everything out of the room, and tell the calls that add it."""
    return [_taken(state, jid) for jid in list(state.things)]


def _taken(state: State, jid: str) -> Draft:
    gone = state.taken(jid)
    # What is as it is in the finished room is added by the same call in all chains.
    known = gone is state.room.things.get(jid)
    if known and (draft := state.room.drafts.get(jid)) is not None:
        return draft
    draft = _add_of(gone, state)
    if known:
        state.room.drafts[jid] = draft
    return draft


def _add_of(gone: Thing, state: State) -> Draft:
    obj = gone.obj
    arguments = {"object_description": obj["desc"], "position": obj["pos"], "rotation": obj["rot"], "size": obj["size"]}
    retrieval = retrieved(obj)
    if gone.group is not None:
        arguments["group_name"] = gone.group
        retrieval["group_type"] = state.room.group_types[gone.group]
    return Draft("add_object", arguments, retrieval, state.room.levels.get(gone.root, 0))


def _by_bands(state: State) -> list[list[str]]:
    """The ids of what can go now, by its size; the last thing that stays in the end goes after those that do not."""
    load, touched = state.load, state.touched
    bands: list[list[str]] = [[], [], []]
    lasting = 0
    for jid, each in state.things.items():
        lasting += not each.passing
        if jid in touched or each.root in load or not each.obj["desc"] or (each.passing and state.stays(jid)):
            continue
        if not state.may_come(jid, each):
            continue
        bands[each.band].append(jid)
    if lasting < 2 < 1 + sum(map(len, bands)):
        bands = [[jid for jid in band if state.things[jid].passing] for band in bands]
    return bands


def _due(bands: list[list[str]], rng: random.Random, due: int) -> list[str]:
    """Those of the band that is due, or of the one nearest to it; a smaller one was due before."""
    overdue = next((bands[band] for band in range(due) if bands[band]), None)
    if bands[due]:
        return overdue if overdue and rng.random() < _OVERDUE_FIRST else bands[due]
    return overdue or next((bands[band] for band in range(due + 1, 3) if bands[band]), [])
