"""The page to look at after a run: figures, rooms, conversations turn by turn, and rejects by reason."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
from jinja2 import Environment

from dataflow_ext.report import Report
from dataflow_ext.report.pages import page_templates
from dataflow_ext.report.rejects import shown_reasons
from dataflow_ext.tables import write_text
from operators.scene.model.conversation import Conversation
from operators.scene.model.scene import Scene, objects_of
from operators.scene.output.shown import DEEDS, Picture, ShownTurn, deeds, rooms, shown
from operators.scene.output.stats import junk_of, reason_of, rows_of
from operators.scene.painter import azimuth_of, picture

NAME = "report.html"

#: Rooms with a picture, conversations in full, and those of them that are open.
ROOMS, IN_FULL, OPEN = 120, 24, 2
#: Characters of a line of a reject's inputs.
_LINE = 400

_SORTED = [("scene_id", "ascending"), ("score", "descending"), ("chain_id", "ascending"), ("id", "ascending")]


def write_page(table: pa.Table, rejects: pa.Table, figures: Mapping[str, Any], report: Report, out: Path) -> Path:
    """The path of ``out/report.html``, a file without scripts that shows the pictures of the data set in ``out``.

    ``table`` has the finished rows, ``rejects`` and ``report`` are those of the run's result, ``figures`` those of
    :func:`~operators.scene.output.stats.stats`. Pictures are named by relative paths, so the folder can be moved
    as a whole. Whatever texts hold is shown, never run; a picture that is not there leaves an empty frame.
    """
    ordered = table.take(pc.sort_indices(table, sort_keys=_SORTED)).to_pylist() if table.num_rows else []
    chosen = _chosen(ordered)
    text = (
        environment()
        .get_template("report.html")
        .render(
            name=Path(out).absolute().name,
            figures=figures,
            report=report,
            calls=[(step, model, used) for (step, model), used in report.calls.items()],
            deeds=DEEDS,
            rooms=(listed := rooms(ordered, junk_of(table), Path(out)))[:ROOMS],
            rooms_left=max(0, len(listed) - ROOMS),
            conversations=[shown(row, Path(out)) for row in chosen],
            in_full={row["id"] for row in chosen},
            open=OPEN,
            reasons=shown_reasons(figures["rejects"], rows_of(rejects), reason_of, _LINE),
            failed=_count(figures, dropped=False),
            dropped=_count(figures, dropped=True),
        )
    )
    # Names may hold half a character, which no file can.
    return write_text(Path(out) / NAME, text)


@cache
def environment() -> Environment:
    """The page's templates."""
    spoken = {"spoken": lambda name: str(name).replace("_", " ")}
    return page_templates(Path(__file__).parent / "templates", points=_points, **spoken)


def _chosen(ordered: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The conversations that are shown in full: the best one of each room first, then each one's second."""
    by_room: dict[str, list[Mapping[str, Any]]] = {}
    for row in ordered:
        by_room.setdefault(row["scene_id"], []).append(row)
    return [row for row in chain.from_iterable(zip_longest(*by_room.values())) if row is not None][:IN_FULL]


def _count(figures: Mapping[str, Any], *, dropped: bool) -> int:
    return sum(reason["count"] for reason in figures["rejects"] if (reason["kind"] == "dropped") is dropped)


def _points(value: float) -> str:
    """Points without a fraction that says nothing."""
    return f"{value:.1f}".removesuffix(".0")


if TYPE_CHECKING:
    from operators.scene.commands.replay import Replayed


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
