"""What a model is told about a turn, and what its reply holds."""

from __future__ import annotations

import re
from typing import Any

from dataflow_ext.errors import RowError
from operators.scene.facts import fact_sheet
from operators.scene.model.scene import objects_of
from operators.scene.reasoning.calls import told_calls
from operators.scene.reasoning.turn import Turn

#: Letters of a description that are told.
_LETTERS = 240


def values_of(turn: Turn) -> dict[str, Any]:
    """What fills the prompt of a turn, beside the instruction and the letter of the style."""
    sheet = fact_sheet(turn.before)
    # The sheet numbers what is there before the turn; what comes has its name among all.
    names = {**turn.names, **{thing.jid: thing.name for thing in sheet.room.things}}
    told = told_calls(turn.before, turn.calls, turn.after, turn.retrievals)
    return {
        "number": turn.number,
        "total": turn.total,
        "room_type": str(turn.before.get("room_type") or "room"),
        "objects": [
            f"{names[str(each['jid'])]}: {' '.join(str(each['desc']).split())[:_LETTERS]}"
            for each in objects_of(turn.before)
        ],
        "facts": sheet.lines(),
        "earlier": turn.earlier,
        "calls": [f"{call['id']}: {said}" for call, said in zip(turn.calls, told, strict=True)],
        "changes": [] if turn.ends else _after(turn),
    }


def _after(turn: Turn) -> list[str]:
    """The facts that are others after the turn than before."""
    before = set(fact_sheet(turn.before).lines())
    return [line for line in fact_sheet(turn.after).lines() if line not in before]


#: What servers and models put around a text: their own thoughts, and fences.
_THOUGHTS = re.compile(r"^\s*<think(?:ing)?>.*</think(?:ing)?>(?=\s*\S)", re.DOTALL)
_FENCE = re.compile(r"^\s*```\w*\n(.*)\n```\s*$", re.DOTALL)


def read_reply(text: str) -> str:
    """The reasoning in a reply, without a fence around it or thoughts before it; RowError if there is none.

    >>> read_reply("```text\\nThe room is empty [count() = 0].\\n```")
    'The room is empty [count() = 0].'
    """
    text = _THOUGHTS.sub("", text)
    fenced = _FENCE.match(text)
    said = (fenced[1] if fenced else text).strip()
    if not said:
        raise RowError("the reply is empty")
    return said
