"""What a model is told about a turn."""

from __future__ import annotations

from typing import Any

from operators.scene.facts import fact_sheet
from operators.scene.reasoning.actions import asked
from operators.scene.reasoning.turn import Turn
from operators.scene.scene import objects_of

#: Letters of a description that are told.
_LETTERS = 240


def values_of(turn: Turn) -> dict[str, Any]:
    """What fills the prompt of a turn, beside the instruction and the letter of the style."""
    sheet = fact_sheet(turn.before)
    # The sheet numbers what is there before the turn; what comes has its name among all.
    names = {**turn.names, **{thing.jid: thing.name for thing in sheet.room.things}}
    puts = [turn.retrievals.get(call["id"], {}) for call in turn.calls]
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
        "calls": [
            f"{call['id']}: {asked(call, names, subject, names.get(str(put.get('jid'))))}"
            for call, subject, put in zip(turn.calls, turn.subjects, puts, strict=True)
        ],
        "changes": [] if turn.ends else _after(turn),
    }


def _after(turn: Turn) -> list[str]:
    """The facts that are others after the turn than before."""
    before = set(fact_sheet(turn.before).lines())
    return [line for line in fact_sheet(turn.after).lines() if line not in before]
