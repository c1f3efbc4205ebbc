"""The laws of the format that are about a chain, checked from its text alone."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

from operators.scene.model.chain import Chain
from operators.scene.model.scene import PLACEHOLDERS, objects_of, rounded, same_room
from operators.scene.model.simulator import apply, must_be_call, target_of

KEYS = {"position": "pos", "new_position": "pos", "rotation": "rot", "new_rotation": "rot", "size": "size",
        "new_size": "size"}  # fmt: skip


def broken(text: str, final: dict[str, Any], multi: bool) -> list[str]:
    """What is wrong with a chain that is to end in this room."""
    chain = Chain.read(text)
    found = [*_form(chain, multi), *_values(text, chain)]
    state = chain.start
    for turn, calls in enumerate(chain.turns[:-1]):
        there = Counter(each["jid"] for each in objects_of(state))
        if max(there.values(), default=1) > 1:
            found.append(f"(11) turn {turn}: an id stands twice")
        touched: list[str] = []
        for call in calls:
            target = target_of(call)
            if target is not None and there[target] != 1:
                found.append(f"(2) turn {turn}: {target} is not there")
            touched += [jid for jid in (target, chain.retrievals.get(call["id"], {}).get("jid")) if jid is not None]
            after = apply(state, [call], chain.retrievals)
            if same_looks(state, after):
                found.append(f"(10) turn {turn}: {call['id']} has no effect")
            state = after
        if len(set(touched)) < len(touched):
            found.append(f"(10) turn {turn}: two calls on one object")
    if not same_room(state, final):
        found.append("(1) the calls do not give the room")
    return found


def _form(chain: Chain, multi: bool) -> Iterator[str]:
    calls = [call for turn in chain.turns for call in turn]
    there = {each["jid"] for each in objects_of(chain.start)}
    if not multi and not there:
        yield "(3) it begins in the empty room"
    if multi and there and not there & {target_of(call) for call in calls}:
        yield "(3) it begins in a room of which it changes nothing"
    if [len(turn) > 0 for turn in chain.turns] != [True] * len(chain.turns):
        yield "a turn has no calls"
    if [call["name"] for call in chain.turns[-1]] != ["terminate"]:
        yield "(4) the last turn is not terminate alone"
    if sum(call["name"] == "terminate" for call in calls) != 1:
        yield "(4) not one terminate"
    if [call["id"] for call in calls] != [f"tool_{number}" for number in range(1, len(calls) + 1)]:
        yield "calls are not numbered through"
    if set(chain.retrievals) != {call["id"] for call in calls if call["name"] in ("add_object", "replace_object")}:
        yield "(1) retrievals are not those of adds and replacements"
    for call in calls:
        must_be_call(call)
        if set(call) != {"id", "name", "arguments"}:
            yield "(1) a call has more than id, name and arguments"


def _values(text: str, chain: Chain) -> Iterator[str]:
    if any(placeholder in text for placeholder in PLACEHOLDERS):
        yield "(8) a placeholder is left"
    for put in chain.retrievals.values():
        if {"pos", "rot"} & set(put) or not {"jid", "desc", "size"} <= set(put):
            yield "a retrieval has not the keys that it should"
        if rounded(put["size"], "size") != put["size"]:
            yield "(12) the size of a retrieval has too many digits"
        if "__" in put["jid"] and put.get("asset_jid") != put["jid"].split("__")[0]:
            yield "(11) the asset of an instance is lost"
    for turn in chain.turns:
        for call in turn:
            for name, value in call["arguments"].items():
                if name in KEYS and rounded(value, KEYS[name]) != value:
                    yield f"(12) {name} has too many digits"
    if json.loads(chain.text()) != json.loads(text) or chain.text() != text:
        yield "(1) another text after a round trip"


def same_looks(before: Any, after: Any) -> bool:
    """Whether two rooms look alike: a quaternion and its negative are one rotation, and ids are not seen."""
    one, other = (sorted(map(_looks, objects_of(room))) for room in (before, after))
    return one == other


def _looks(each: Any) -> str:
    rot = each["rot"]
    sign = math.copysign(1.0, next((n for n in rot if n), 1.0))
    return repr((each["desc"], each["size"], each["pos"], [n * sign + 0.0 for n in rot]))
