"""Steps with labels of a data set, for process reward models: from its conversations alone, each label proven."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from dataflow_ext.claims.marks import Mark, marked
from dataflow_ext.claims.steps import labelled, problems_of
from operators.scene.claims.world import RoomWorld
from operators.scene.conversation import Conversation
from operators.scene.scene import stream


def step_rows(entry: Mapping[str, Any], seed: int = 0) -> Iterator[dict[str, Any]]:
    """Two rows for each turn with claims: its proven steps, all true, and the same up to one that is made false.

    Turns that later ones undo have none.

    ``prompt``, ``completions`` and ``labels`` as TRL's stepwise format has them; ``marked`` are the steps with their
    claims, ``id`` and ``turn`` say where they come from.
    """
    conversation = Conversation.read(entry)
    slipped = conversation.chain.slipped()
    for number, (text, stated) in enumerate(zip(conversation.texts, conversation.claims, strict=False)):
        if number in slipped:
            continue
        marks = [Mark(each.expression, each.place) for each in stated.claims if each.part == "think"]
        draw = stream(seed, conversation.id, number, "steps")
        prompt = str(entry["messages"][1 + 2 * number]["content"])
        for row in labelled(prompt, marked(text.think, marks), world_of(conversation, number), draw):
            yield {"id": conversation.id, "turn": number, **row}


def step_problems(row: Mapping[str, Any], conversation: Conversation) -> list[str]:
    """What is wrong with a row of steps: a true one that is not proven, a false one that is not disproved."""
    plain = json.loads(json.dumps({name: row[name] for name in ("marked", "completions", "labels")}))
    return list(problems_of(plain, world_of(conversation, row["turn"])))


def world_of(conversation: Conversation, turn: int) -> RoomWorld:
    """The world of a turn, counted from 0, as the conversation states it."""
    return RoomWorld.of(conversation.stated[turn], conversation.chain.turns[turn], conversation.chain.retrievals)
