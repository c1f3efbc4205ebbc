"""Laws 6, 8, 11 and 12: both forms of a room, placeholders, ids and digits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from operators.scene.chain import ASSET
from operators.scene.conversation import Conversation
from operators.scene.forms import to_groups, to_ssr
from operators.scene.placeholders import placeholder_in
from operators.scene.problems import Problem
from operators.scene.scene import PLACES, Scene, bounds_of, objects_of, rounded, written
from operators.scene.shapes import is_numbers

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
