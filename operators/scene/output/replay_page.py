"""The page of a conversation that was done again: one file that holds its pictures."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataflow_ext.tables import write_text
from operators.scene.conversation import Conversation
from operators.scene.output.page import environment
from operators.scene.output.shown import Picture, ShownTurn, deeds
from operators.scene.painter import azimuth_of, picture
from operators.scene.scene import Scene, objects_of

if TYPE_CHECKING:
    from operators.scene.replaying import Replayed


@dataclass(frozen=True, slots=True)
class Compared:
    """A turn as the page shows it, what it changes, and what does not agree."""

    shown: ShownTurn
    changes: Sequence[str]
    problem: str


def write_replay(conversation: Conversation, turns: Sequence[Replayed], path: Path) -> Path:
    """The path of a page with every turn: the stated room as the painter draws it, the calls, and what they change."""
    azimuth = _azimuth(conversation)
    compared = [_compared(turn, conversation, _drawn(turn.before, azimuth)) for turn in turns]
    known = conversation.metadata
    text = (
        environment()
        .get_template("replay.html")
        .render(
            id=conversation.id,
            scene_id=known["scene_id"],
            kind=known["conversation_type"],
            instruction=known["global_user_instruction"],
            turns=compared,
            wrong=sum(bool(turn.problem) for turn in turns),
            calls=sum(len(turn.calls) for turn in turns),
        )
    )
    return write_text(path, text)


def _compared(turn: Replayed, conversation: Conversation, place: str) -> Compared:
    text, calls = conversation.texts[turn.number], conversation.chain.turns[turn.number]
    done: list[Any] = [call.get("name") if isinstance(call, dict) else None for call in calls]
    shown = ShownTurn(
        number=turn.number,
        picture=Picture(place, f"the room before turn {turn.number + 1}"),
        objects=len(objects_of(turn.before)),
        deeds=deeds(done),
        calls=turn.calls,
        think=[part.strip() for part in text.think.split("\n\n") if part.strip()],
        conclusion=text.conclusion,
        template=text.template,
    )
    return Compared(shown, turn.changes, turn.problem)


def _azimuth(conversation: Conversation) -> int:
    """Where the chain was looked at from, as its line tells; the best place for the last room if it does not."""
    camera = conversation.metadata.get("camera")
    told = camera.get("azimuth") if isinstance(camera, dict) else None
    return told % 360 if type(told) is int else azimuth_of(conversation.stated[-1])


def _drawn(scene: Scene, azimuth: int) -> str:
    return "data:image/png;base64," + base64.b64encode(picture(scene, azimuth)).decode()
