"""Calls in themselves: their form, ids, digits, and what each needs to be replayed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from operators.scene.conversation import Conversation
from operators.scene.problems import Problem
from operators.scene.scene import Object, rounded
from operators.scene.shapes import is_numbers
from operators.scene.simulator import Call, CallError, must_be_call, target_of

#: Which digits an argument has.
_KEYS = {"position": "pos", "new_position": "pos", "rotation": "rot", "new_rotation": "rot", "size": "size",
         "new_size": "size"}  # fmt: skip
#: The tools that put an object whose id nobody knows beforehand.
PUTTING = ("add_object", "replace_object")


def call_problems(conversation: Conversation) -> Iterator[Problem]:
    """What is wrong with the calls, before any of them is done."""
    chain, seen = conversation.chain, Counter[str]()
    putting: set[str] = set()
    for number, calls in enumerate(chain.turns):
        touched = Counter[str]()
        for call in calls:
            try:
                must_be_call(call)
            except CallError as error:
                yield Problem(error.code, f"turn {number}: {error}")
                if isinstance(call, dict) and call.get("name") in PUTTING and isinstance(call.get("id"), str):
                    putting.add(call["id"])
                continue
            seen[call["id"]] += 1
            if "retrieval" in call or set(call) - {"id", "name", "arguments"}:
                yield Problem("call.shape", f"turn {number}: {call['id']} has more than id, name and arguments")
            if (target := target_of(call)) is not None:
                touched[target] += 1
            if call["name"] in PUTTING:
                putting.add(call["id"])
                if put := chain.retrievals.get(call["id"]):
                    touched[str(put.get("jid"))] += 1
                    yield from _other_object(number, call, put)
            yield from _digits(number, call)
        for jid, times in touched.items():
            if times > 1:
                yield Problem("call.twice", f"turn {number}: {times} calls are about {jid!r}")
    for name, times in seen.items():
        if times > 1:
            yield Problem("call.shape", f"the id {name} stands for {times} calls")
    yield from _retrieval_problems(chain.retrievals, putting)


def _other_object(number: int, call: Call, put: Object) -> Iterator[Problem]:
    """A retrieval that is not what its call asks for: then the call's words and numbers are not those of the room."""
    asked = call["arguments"]
    added = call["name"] == "add_object"
    if put.get("desc") != asked["object_description" if added else "new_object_description"]:
        yield Problem("call.no_retrieval", f"turn {number}: the retrieval {call['id']} has another description")
    if added and put.get("size") != asked["size"]:
        yield Problem("call.no_retrieval", f"turn {number}: the retrieval {call['id']} has another size")


def _retrieval_problems(retrievals: Mapping[str, Mapping[str, object]], putting: set[str]) -> Iterator[Problem]:
    if odd := sorted(set(retrievals) - putting):
        yield Problem("call.no_retrieval", f"the retrieval {odd[0]} belongs to no add_object or replace_object")
    for name in sorted(putting & set(retrievals)):
        put = retrievals[name]
        named = all(isinstance(put.get(key), str) and put[key] for key in ("jid", "desc"))
        if not named or not is_numbers(put.get("size"), 3):
            yield Problem("call.no_retrieval", f"the retrieval {name} lacks jid, desc or size")


def _digits(number: int, call: Mapping[str, Mapping[str, object]]) -> Iterator[Problem]:
    for name, value in call["arguments"].items():
        if name in _KEYS and isinstance(value, list) and rounded(value, _KEYS[name]) != value:
            yield Problem("rounding", f"turn {number}: {call['id']} has {name} {value}")
