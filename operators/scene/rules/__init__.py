"""The rules of a conversation: the one place that judges one, whether it was just made or comes from a file.

A line is judged from itself alone: the rooms that it states, its calls and its retrievals. Laws are numbered as in
:data:`operators.scene.model.problems.CODES`. Law 7 (the same bytes for any number of workers and order) and law 9 (adds
run from large to small) are about a whole run: tests keep the one, :mod:`operators.scene.judging.measures` measures the
other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from operators.scene.model.conversation import Conversation, ConversationError, Entry, picture_names
from operators.scene.model.problems import Problem
from operators.scene.model.scene import objects_of
from operators.scene.model.simulator import CallError
from operators.scene.rules.laws import call_problems, text_problems, value_problems
from operators.scene.rules.replay import replay_problems

__all__ = ["conversation_problems", "entry_problems"]


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
