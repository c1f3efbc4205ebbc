"""The rules of a conversation: the one place that judges one, whether it was just made or comes from a file.

A line is judged from itself alone: the rooms that it states, its calls and its retrievals. Laws are numbered as in
:data:`operators.scene.model.records.CODES`. Law 7 (the same bytes for any number of workers and order) and law 9 (adds
run from large to small) are about a whole run: tests keep the one, :mod:`operators.scene.judging` measures the
other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from dataflow_ext.text import rows
from operators.scene.claims.world import RoomWorld
from operators.scene.instructions.check import instruction_problems
from operators.scene.model.chain import ASSET
from operators.scene.model.conversation import Conversation, ConversationError, Entry, picture_names
from operators.scene.model.geometry import degrees_between
from operators.scene.model.json_values import is_numbers
from operators.scene.model.records import Problem, TurnClaims, TurnText, placeholder_in
from operators.scene.model.scene import (
    NEED_RETRIEVAL,
    PLACEHOLDERS,
    PLACES,
    Object,
    Scene,
    bounds_of,
    by_id,
    objects_of,
    rounded,
    to_groups,
    to_ssr,
    with_objects,
    written,
)
from operators.scene.model.simulator import Call, CallError, apply, must_be_call, target_of
from operators.scene.reasoning.english import proven_again

#: Which digits an argument has.
_KEYS = {"position": "pos", "new_position": "pos", "rotation": "rot", "new_rotation": "rot", "size": "size",
         "new_size": "size"}  # fmt: skip
#: The tools that put an object whose id nobody knows beforehand.
PUTTING = ("add_object", "replace_object")


def entry_problems(entry: Any) -> list[Problem]:
    """What is wrong with a line of the data set, its pictures aside.

    >>> [problem.code for problem in entry_problems({"id": "x"})]
    ['row.shape', 'row.shape', 'row.shape']
    """
    try:
        conversation = Conversation.read(entry)
    except ConversationError as error:
        return error.problems
    return conversation_problems(conversation, entry)


def conversation_problems(conversation: Conversation, entry: Entry) -> list[Problem]:
    """What is wrong with a conversation; texts are judged only where the calls can be replayed."""
    found = [*_length_problems(conversation), *_image_problems(conversation, entry), *value_problems(conversation)]
    calls = list(call_problems(conversation))
    replay = [] if calls else list(replay_problems(conversation))
    texts: list[Problem] = []
    if not calls and not replay:
        try:
            texts = list(text_problems(conversation))
        except CallError as error:
            texts = [Problem(error.code, str(error))]
    return [*found, *calls, *replay, *texts]


def _length_problems(conversation: Conversation) -> Iterator[Problem]:
    """Laws 3 and 4, and the number of turns."""
    known, turns = conversation.metadata, conversation.chain.turns
    kind, start = known["conversation_type"], conversation.stated[0]
    empty = not (start["groups"] if "groups" in start else start["objects"])
    if kind not in ("multi_turn", "single_turn"):
        yield Problem("row.shape", f"conversation_type is {kind!r}, neither multi_turn nor single_turn")
    elif kind == "single_turn" and empty:
        yield Problem("chain.start", "a single_turn chain begins in a room that is empty")
    elif kind == "multi_turn" and not empty and not _changes_its_start(conversation):
        yield Problem("chain.start", "a multi_turn chain begins in a furnished room and changes nothing of it")
    if kind == "single_turn" and known["total_turns"] != 1:
        yield Problem("chain.turns", f"a single-turn chain has {known['total_turns']} turns")
    if known["total_turns"] != conversation.chain.edits or conversation.chain.edits < 1:
        yield Problem("chain.turns", f"total_turns is {known['total_turns']}, there are {conversation.chain.edits}")
    ends = [number for number, calls in enumerate(turns) for call in calls if _name(call) == "terminate"]
    if ends != [len(turns) - 1] or len(turns[-1]) != 1:
        yield Problem("chain.terminate", "terminate is not alone in the last turn, and nowhere else")
    if len(set(conversation.instructions)) > 1 or conversation.instructions[0] != known["global_user_instruction"]:
        yield Problem("row.shape", "the user's turns do not all repeat the instruction that the metadata tells")


def _changes_its_start(conversation: Conversation) -> bool:
    """Whether a call is about something that the first room has."""
    there = {str(each.get("jid")) for each in objects_of(conversation.stated[0])}
    values = [call.get("arguments") for calls in conversation.chain.turns for call in calls if isinstance(call, dict)]
    about = [each.get(name) for each in values if isinstance(each, dict) for name in ("jid", "jid_to_replace")]
    return any(isinstance(jid, str) and jid in there for jid in about)


def _name(call: Any) -> Any:
    return call.get("name") if isinstance(call, dict) else None


def _image_problems(conversation: Conversation, entry: Entry) -> Iterator[Problem]:
    """Law 5: pictures by number and name."""
    images, users = conversation.images, len(conversation.stated)
    marks = sum(str(message["content"]).count("<image>") for message in entry["messages"])
    if not len(images) == marks == (users if conversation.pictured else 0):
        yield Problem("images.count", f"{len(images)} images, {marks} <image>, {users} user turns")
    wanted = picture_names(conversation.id, len(images))
    if images != wanted:
        odd = next(each for each, name in zip(images, wanted, strict=True) if each != name)
        yield Problem("images.names", f"the image {odd!r} is not as the format names it")


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


#: What programs write for no text at all.
_NOTHING = ("null", "none", "undefined", "n/a", "nan", "%s")
_INSTANCE = re.compile(r"(.+)__\d+")


def value_problems(conversation: Conversation) -> Iterator[Problem]:
    """What is wrong with the rooms as values, and what was left in a text."""
    for number, state in enumerate(conversation.stated):
        for problem in _scene_problems(state):
            yield Problem(problem.code, f"turn {number}: {problem.message}")
    for name, put in conversation.chain.retrievals.items():
        size = put.get("size")
        if isinstance(size, list) and is_numbers(size, 3) and not _is_rounded(size, "size"):
            yield Problem("rounding", f"the retrieval {name} has size {size}")
        if left := placeholder_in(f"{put.get('jid')} {put.get('desc')}"):
            yield Problem("text.placeholder", f"the retrieval {name} has {left!r}")
    for number, text in enumerate(conversation.texts):
        for what, said in (("think", text.think), ("conclusion", text.conclusion)):
            if left := placeholder_in(said):
                yield Problem("text.placeholder", f"turn {number}: {what} has {left!r}")
            elif said.strip().casefold() in _NOTHING:
                yield Problem("text.empty", f"turn {number}: {what} is {said.strip()!r}")
    for calls in conversation.chain.turns:
        for call in calls:
            arguments = call.get("arguments") if isinstance(call, dict) else None
            reason = arguments.get("reason") if isinstance(arguments, dict) else None
            if isinstance(reason, str) and (left := placeholder_in(reason)):
                yield Problem("text.placeholder", f"the reason to terminate has {left!r}")
    if left := placeholder_in(conversation.metadata["global_user_instruction"]):
        yield Problem("text.placeholder", f"the instruction has {left!r}")


def _scene_problems(scene: Scene) -> Iterator[Problem]:
    if left := placeholder_in(f"{scene['room_type']} {scene['room_id']}"):
        yield Problem("text.placeholder", f"the room has {left!r}")
    objects = objects_of(scene)
    jids = Counter(each["jid"] for each in objects)
    for jid, times in jids.items():
        if times > 1:
            yield Problem("jid.repeated", f"{times} objects have the id {jid!r}")
    for each in objects:
        if left := placeholder_in(f"{each['jid']} {each['desc']}"):
            yield Problem("text.placeholder", f"{each['jid']!r} has {left!r}")
        if (made := _INSTANCE.fullmatch(each["jid"])) and made[1] in jids and each.get(ASSET) != made[1]:
            yield Problem("asset.lost", f"{each['jid']!r} does not tell its asset {made[1]!r}")
        for key in PLACES:
            if not _is_rounded(each[key], key):
                yield Problem("rounding", f"{each['jid']!r} has {key} {each[key]}")
    for corners in bounds_of(scene):
        for corner in corners:
            if not _is_rounded(corner, "pos"):
                yield Problem("rounding", f"the room has the corner {corner}")
    if not _converts(scene):
        yield Problem("forms.exact", "the room does not come back the same from its other form")


def _is_rounded(values: Sequence[float], key: str) -> bool:
    return rounded(values, key) == values


def _converts(scene: Scene) -> bool:
    """Whether a room comes back exactly from its other form, as JSON text too."""
    try:
        back = to_groups(to_ssr(scene)) if "groups" in scene else to_ssr(to_groups(scene))
    except (KeyError, TypeError, ValueError):
        return False
    return written(back) == written(scene) if list(back) == list(scene) else back == scene


_BRACKETS = re.compile(r"\[[^\[\]]*\]")


def text_problems(conversation: Conversation) -> Iterator[Problem]:
    """What is untrue in reasonings, conclusions and the instruction, as far as it can be known.

    Claims are proven again. A text without claims is not read for what it tells: only its conclusion, which must not
    name an act that no call does.
    """
    chain = conversation.chain
    claims: Sequence[TurnClaims] = conversation.claims or [TurnClaims([], 0.0)] * len(conversation.texts)
    states = [*conversation.stated, conversation.stated[-1]]
    for number, (text, calls) in enumerate(zip(conversation.texts, chain.turns, strict=True)):
        if not re.search(r"\w", text.think) or not re.search(r"\w", text.conclusion):
            what = "conclusion" if re.search(r"\w", text.think) else "reasoning"
            yield Problem("text.empty", f"turn {number} has no {what}")
            continue
        if not re.search(r"\w", _BRACKETS.sub("", text.conclusion)):
            yield Problem("text.placeholder", f"turn {number}: the conclusion is {text.conclusion[:40]!r}")
        yield from _rivals(number, text.conclusion, calls)
        if claims[number].claims:
            world = RoomWorld.of(states[number], calls, chain.retrievals)
            yield from _claims(number, text, claims[number], world)
    start = states[0] if conversation.metadata["conversation_type"] == "single_turn" else None
    yield from instruction_problems(conversation.metadata["global_user_instruction"], states[-1], start)


def _claims(number: int, text: TurnText, stated: TurnClaims, world: RoomWorld) -> Iterator[Problem]:
    """Claims that are false, or that are not what the row states of them."""
    for part, checked in proven_again(text, stated.claims, world):
        for reason in [*checked.false, *checked.unmet]:
            yield Problem("claim.false", f"turn {number}: {reason}")
        own = [each for each in stated.claims if each.part == part]
        found = [(each.expression, each.value, each.verdict, each.said, each.at) for each in checked.claims]
        told = [(each.expression, each.value, each.verdict, each.said, each.place) for each in own]
        for one, other in zip(told, found, strict=False):
            if one != other:
                yield Problem("claim.other", f"turn {number}: [{one[0]}] is stated as {one[1:]}, and is {other[1:]}")
        if len(told) != len(found):
            yield Problem("claim.other", f"turn {number}: {len(told)} claims are stated, {len(found)} are there")


def _rivals(number: int, conclusion: str, calls: Sequence[Call]) -> Iterator[Problem]:
    """Acts that a conclusion names and no call does."""
    tools = {call["name"] for call in calls}
    for tool, pattern in _acts().items():
        if tool not in tools and (found := pattern.search(conclusion)):
            yield Problem("text.conclusion", f"turn {number}: the conclusion tells '{found[0]}', which no call does")


@cache
def _acts() -> Mapping[str, re.Pattern[str]]:
    """What the one who speaks says to do, by the tool."""
    return {
        tool: re.compile(rf"\bI (?:now |then |also |will )?(?:{words.replace(', ', '|')})\b")
        for tool, words in rows("operators.scene", "data/acts.tsv")
    }


#: Degrees that two rotations may be apart whose numbers are rounded and which are the same.
_SAME = 0.0162057


def replay_problems(conversation: Conversation) -> Iterator[Problem]:
    """Where the replayed rooms are not the stated ones; it goes on from the room that the calls give."""
    state, chain = conversation.stated[0], conversation.chain
    for number, calls in enumerate(chain.turns):
        for call in calls:
            try:
                after = apply(state, [call], chain.retrievals)
            except CallError as error:
                yield Problem(error.code, f"turn {number}: {error}")
                return
            if call["name"] != "terminate" and not has_effect(state, after, call):
                yield Problem("call.no_effect", f"turn {number}: {call['id']} leaves the room as it was")
            state = after
        stated = conversation.stated[number + 1 : number + 2]
        if stated and stated[0] != state:
            yield Problem("replay.state", f"turn {number + 1}: {first_difference(stated[0], state)}")
    told = _one_spelling(conversation.metadata["final_scene"])
    if (made := chain.unretrieved(state)) != told:
        yield Problem("replay.final", f"the final scene: {first_difference(told, made)}")


def has_effect(before: Scene, after: Scene, call: Call) -> bool:
    """Whether a call changed anything that can be seen: a rotation told with other signs is the same one."""
    if before == after:
        return False
    if call["name"] == "replace_object":
        return _told(before) != _told(after)
    if call["name"] != "rotate_object":
        return True
    jid = call["arguments"]["jid"]
    old, new = (by_id(scene)[jid]["rot"] for scene in (before, after))
    # Rotations of no length are none that could be compared.
    return not any(old) or not any(new) or degrees_between(old, new) > _SAME


def _told(scene: Scene) -> list[tuple[str, tuple[float, ...]]]:
    """What a replacement may change: descriptions and sizes."""
    return [(each["desc"], tuple(each["size"])) for each in objects_of(scene)]


def first_difference(stated: Scene, replayed: Scene) -> str:
    """The first object, or else the first key, in which two rooms differ, in words."""
    one, other = objects_of(stated), objects_of(replayed)
    if len(one) != len(other):
        return f"it is told with {len(one)} objects, the calls give {len(other)}"
    for told, made in zip(one, other, strict=True):
        if told != made:
            key = next(k for k in [*told, *made] if told.get(k) != made.get(k))
            return f"{told.get('jid')!r} is told with {key} {told.get(key)!r}, the calls give {made.get(key)!r}"
    differing = [key for key in {**stated, **replayed} if stated.get(key) != replayed.get(key)]
    return f"{differing[0]} differs" if differing else "they differ"


def _one_spelling(final: Mapping[str, Any]) -> Scene:
    """The final scene with the format's own spelling of ids that have to be found; as it is if it is no room."""

    def spelled(each: Object) -> Object:
        return {**each, "jid": NEED_RETRIEVAL} if each.get("jid") in PLACEHOLDERS else each

    try:
        return with_objects(final, lambda objects: list(map(spelled, objects)))
    except (AttributeError, KeyError, TypeError):
        return final
