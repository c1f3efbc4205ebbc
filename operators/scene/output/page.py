"""The page of a run: figures, conversations turn by turn, rooms as they are in the end, and rejects."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext.report import (
    Facet,
    Listing,
    Page,
    Report,
    ShownRow,
    filter_link,
    rejects_listing,
    row_link,
    write_report,
)
from dataflow_ext.report.parts import (
    Part,
    Pictures,
    badge,
    bullets,
    el,
    facts,
    figure,
    folded,
    grid,
    spoken,
    tally,
    title,
    words,
)
from dataflow_ext.report.rejects import code_of, spelled
from dataflow_ext.tables import records
from dataflow_ext.well_formed import short
from operators.scene.model.chain import Chain
from operators.scene.model.conversation import Conversation, picture_names
from operators.scene.model.records import BY_TABLE, CODES
from operators.scene.model.scene import Scene, objects_of
from operators.scene.output.stats import junk_of
from operators.scene.painter import azimuth_of, picture
from operators.scene.reasoning.turn import DEEDS, deeds, told_calls

if TYPE_CHECKING:
    from operators.scene.replaying import Replayed

_FACETS = (
    Facet("room", "Rooms"),
    Facet("kind", "Room types"),
    Facet("type", "Conversations"),
    Facet("style", "Instructions"),
    Facet("by", "Made by"),
)
_SORTED = [("scene_id", "ascending"), ("score", "descending"), ("chain_id", "ascending"), ("id", "ascending")]
_MADE_BY = {
    "conversation_types": "conversations",
    "instructions_by": "instruction",
    "texts_by": "reasoning",
    "judged_by": "judged by",
}
_DATA = ("conversations.jsonl", "stats.json")


def write_page(table: pa.Table, rejects: pa.Table, figures: Mapping[str, Any], report: Report, out: Path) -> Path:
    """The path of ``out/report.html``, which shows the pictures of the data set in ``out``.

    ``table`` has the finished rows, ``rejects`` and ``report`` are those of the run's result, ``figures`` those of
    :func:`~operators.scene.output.stats.stats`.
    """
    ordered = table.take(pc.sort_indices(table, sort_keys=_SORTED)) if table.num_rows else table
    pictures, junk = Pictures(out, out), junk_of(table)
    nothing = f"There is no conversation{'; the rejects say why' if rejects.num_rows else ''}."
    shown = (_room(room, pictures, junk.get(room.scene_id, ())) for room in rooms(records(ordered)))
    listings = [
        Listing("rows", "Conversations", (_row(row, pictures) for row in records(ordered)), _FACETS, nothing=nothing),
        Listing("rooms", "Rooms", shown, nothing="There is no room."),
    ]
    if rejects.num_rows:
        listings.append(rejects_listing(rejects, reason=_reason))
    files: list[Part] = [part for name in _DATA for part in (", ", el("a", name, href=name))][1:]
    page = Page(
        title=Path(out).absolute().name or "Rooms",
        kind="Scene-editing conversations",
        listings=listings,
        figures=_figures(figures),
        head=_head(figures) if figures["conversations"] else (),
        foot=[el("p", "Data: ", *files, ".")],
    )
    return write_report(page, out, report)


def _reason(reject: Mapping[str, Any]) -> str:
    error, kind = reject["error"], reject["kind"]
    return code_of(reject, CODES) or (kind if kind == "dropped" else error) or kind


def _figures(figures: Mapping[str, Any]) -> list[Part]:
    made, known = figures["conversations"], figures["rooms"]["rooms"]
    counts = {True: 0, False: 0}
    for reason in figures["rejects"]:
        counts[reason["kind"] == "dropped"] += reason["count"]
    shown = [
        figure(made, f"conversation{'' if made == 1 else 's'}", "good", "#list=rows"),
        figure(known, f"room{'' if known == 1 else 's'}", "", "#list=rooms"),
        figure(sum(figures["calls"].values()), "tool calls"),
    ]
    if turns := figures["turns"]:
        shown.append(figure(f"{turns['median']:g}", f"editing turns ({turns['min']} to {turns['max']})"))
    if figures["scores"]:
        total = figures["scores"]["total"]
        spread = f"points of 100 ({_points(total['min'])} to {_points(total['max'])})"
        shown.append(figure(_points(total["median"]), spread))
    shown.append(figure(counts[True], "left out", "", "#list=rejects"))
    return [*shown, figure(counts[False], "rejected", "bad" if counts[False] else "", "#list=rejects")]


def _head(figures: Mapping[str, Any]) -> list[Part]:
    free = f"Calls drawn by the odds, without {figures['forced_adds'] or 0} forced adds"
    tallies = el(
        "div",
        tally("Tool calls", _named(figures["calls"])),
        tally(free, _named(figures["free"] or {})),
        tally("Types of rooms", figures["rooms"]["by_room_type"]),
        tally("Objects in a room", figures["rooms"]["by_objects"]),
        tally("Instructions", figures["instruction_styles"]),
        tally("Templates of reasoning", figures["templates"]),
        el("section", el("h5", "Made by"), grid(("", ""), list(_made_by(figures)), left=2), look="tally"),
        look="tallies",
    )
    return [folded("Figures", tallies, note="calls, rooms, points, who made")]


def _named(calls: Mapping[str, int]) -> dict[str, int]:
    return {DEEDS.get(name, name): count for name, count in calls.items()}


def _made_by(figures: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, what in _MADE_BY.items():
        if figures[key]:
            yield what, ", ".join(f"{spoken(who)} {n:,}" for who, n in figures[key].items())
    for part, points in figures["scores"].items():
        if part != "total":
            spread = f"({_points(points['min'])} to {_points(points['max'])})"
            yield part, f"{_points(points['median'])} points {spread}"
    if passed := figures["filter"]:
        yield "filter", f"{passed['after']['rooms']} of {passed['before']['rooms']} rooms passed"
    if figures["repaired"]:
        yield "repaired", f"{figures['repaired']} of {figures['rooms']['rooms']} rooms"
    if figures["order"] is not None:
        yield "large first", f"{figures['order']:+.2f} (1 always, −1 never)"


def _points(value: float) -> str:
    """Points without a fraction that says nothing."""
    return f"{value:.1f}".removesuffix(".0")


def _row(row: Mapping[str, Any], pictures: Pictures) -> ShownRow:
    """A conversation: what was asked for, a strip of its turns, and each of them in full."""
    turns = shown_turns(row, pictures)
    kind, style = spoken(row["conversation_type"]), row["instruction_style"] or "no style"
    by = {"text": row["text_by"], "judged": row["judged_by"]}
    wording = f"wording {row['wording']}" if row["text_by"] and row["wording"] != BY_TABLE else ""
    told = [kind, style, *(f"{what} by {who}" for what, who in by.items() if who), wording]
    points = {"total": row["score"], **row["scores"]} if row["judged_by"] else {}
    badges = [badge(each) for each in told if each]
    badges += [badge(f"{part} {_points(value)}", "good" if part == "total" else "") for part, value in points.items()]
    strip = [el("figure", each.picture, el("figcaption", f"{each.number + 1}. {each.deeds}")) for each in turns]
    body = [
        el("p", f"{row['scene_id']} · chain {row['chain_id']}", *(p for b in badges for p in (" ", b)), look="facts"),
        el("blockquote", row["instruction"]),
        el("div", *strip, look="strip"),
        folded("Turn by turn", *(each.part() for each in turns)),
        facts(_judged(row["judge_note"]), row["id"]),
    ]
    return ShownRow(
        row["id"],
        body,
        {
            "instruction": row["instruction"],
            "conclusions": "\n".join(each.conclusion for each in turns),
            "reasoning": "\n".join(each.think for each in turns),
            "calls": "\n".join(call for each in turns for call in each.calls),
            "room": f"{row['scene_id']} {row['id']}",
        },
        heading=row["scene_id"],
        values={
            "room": [(row["scene_id"],)],
            "kind": [(row["room_type"] or "room",)],
            "type": [(kind,)],
            "style": [tuple(style.split("/"))],
            "by": [(f"{what}: {who}",) for what, who in by.items() if who],
        },
    )


def _judged(note: str | None) -> str | None:
    """What the judge noted: a model's words, or what was measured."""
    try:
        told = json.loads(note or "")
    except (ValueError, RecursionError):
        told = None
    if isinstance(told, dict):
        note = ", ".join(f"{spoken(what)} {spelled(value)}" for what, value in told.items())
    return f"Judge: {note}" if note else None


def _room(room: Room, pictures: Pictures, junk: Sequence[str]) -> ShownRow:
    """A room with its finished picture and links to its conversations."""
    chains = [el("a", told, look="badge", href=row_link(id)) for id, told in room.chains]
    objects = f"{spoken(room.room_type)}, {room.objects} object{'' if room.objects == 1 else 's'}"
    every = el("a", "all of them", href=filter_link("rows", room=room.scene_id))
    parts = [
        title(room.scene_id, note=objects),
        pictures.of(room.picture),
        el("p", *(part for chain in chains for part in (chain, " ")), every),
        el("p", f"junk: {short('; '.join(junk), 300)}", look="problem") if junk else "",
    ]
    text = {"room": f"{room.scene_id} {room.room_type}", "junk": "; ".join(junk)}
    return ShownRow(room.scene_id, [part for part in parts if part], text)


def write_replay(conversation: Conversation, turns: Sequence[Replayed], path: Path) -> Path:
    """The path of a page with every turn: the stated room as the painter draws it, the calls, and what they change."""
    azimuth = _azimuth(conversation)
    known, wrong = conversation.metadata, sum(bool(turn.problem) for turn in turns)
    shown = (_compared(turn, conversation, _drawn(turn.before, azimuth)) for turn in turns)
    page = Page(
        title=conversation.id,
        kind="Replay of a conversation",
        listings=[Listing("rows", "Turns", shown, [Facet("state", "State")])],
        figures=[
            figure(len(turns), "turns"),
            figure(sum(len(turn.calls) for turn in turns), "tool calls"),
            figure(wrong or "no", f"mismatch{'es' if wrong > 1 else ''}", "bad" if wrong else "good"),
        ],
        head=[
            el("p", f"{known['scene_id']} ", badge(spoken(known["conversation_type"])), look="quiet"),
            el("blockquote", known["global_user_instruction"]),
        ],
    )
    return write_report(page, path.parent, name=path.name)


def _compared(turn: Replayed, conversation: Conversation, place: str) -> ShownRow:
    """A turn, what it changes, and what does not agree."""
    text, calls = conversation.texts[turn.number], conversation.chain.turns[turn.number]
    done: list[Any] = [call.get("name") if isinstance(call, dict) else None for call in calls]
    shown = ShownTurn(
        number=turn.number,
        picture=el("figure", el("img", src=place, alt=f"the room before turn {turn.number + 1}")),
        objects=len(objects_of(turn.before)),
        deeds=deeds(done),
        calls=turn.calls,
        think=text.think.strip(),
        conclusion=text.conclusion,
        template=text.template,
    )
    state = "mismatch" if turn.problem else "agrees"
    changes = [folded("What changes", bullets(turn.changes))] if turn.changes else []
    told = [badge(state, "bad" if turn.problem else "good")]
    if turn.problem:
        told.append(el("p", turn.problem, look="problem"))
    return ShownRow(
        str(turn.number + 1),
        [shown.part(*told, *changes)],
        {"calls": "\n".join([*turn.calls, *turn.changes]), "reasoning": f"{text.conclusion}\n{text.think}"},
        look="bad" if turn.problem else "good",
        values={"state": [(state,)]},
    )


def _azimuth(conversation: Conversation) -> int:
    """Where the chain was looked at from, as its line tells; the best place for the last room if it does not."""
    camera = conversation.metadata.get("camera")
    told = camera.get("azimuth") if isinstance(camera, dict) else None
    return told % 360 if type(told) is int else azimuth_of(conversation.stated[-1])


def _drawn(scene: Scene, azimuth: int) -> str:
    return "data:image/png;base64," + base64.b64encode(picture(scene, azimuth)).decode()


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """A turn: its picture as a part of a page, what is done in short and call by call, and what is said."""

    number: int
    picture: Part
    objects: int
    deeds: str
    calls: Sequence[str]
    think: str
    conclusion: str
    template: str

    def part(self, *more: Part) -> Part:
        """The turn with its picture beside it; ``more`` stands below the calls."""
        template = f" · template {self.template}" if self.template else ""
        note = f"Turn {self.number + 1}: {self.objects} object{'' if self.objects == 1 else 's'}{template}"
        calls = el("ol", *(el("li", call) for call in self.calls))
        done = el("div", el("p", self.conclusion, look="strong"), calls, *more, words(self.think), look="said")
        return el("div", el("div", self.picture, el("p", note, look="facts")), done, look="turn-row")


def shown_turns(row: Mapping[str, Any], pictures: Pictures) -> list[ShownTurn]:
    """The turns of a finished row; pictures are those of the data set."""
    chain = Chain.read(row["chain"])
    states = chain.states()
    names = picture_names(row["id"], len(states))
    turns = []
    for number, (calls, text) in enumerate(zip(chain.turns, row["texts"], strict=True)):
        after = states[min(number + 1, len(states) - 1)]
        turns.append(
            ShownTurn(
                number=number,
                picture=pictures.of(names[number]),
                objects=len(objects_of(states[number])),
                deeds=deeds(call["name"] for call in calls),
                calls=told_calls(states[number], calls, after, chain.retrievals),
                think=text["think"].strip(),
                conclusion=text["conclusion"],
                template=text["template"],
            )
        )
    return turns


@dataclass(slots=True)
class Room:
    """A room of the data set: its finished picture and its conversations with their points."""

    scene_id: str
    room_type: str
    objects: int
    picture: str
    chains: list[tuple[str, str]]


def rooms(rows: Iterable[Mapping[str, Any]]) -> list[Room]:
    """The rooms of the rows, which come sorted by room, each with all its conversations."""
    found: dict[str, Room] = {}
    for row in rows:
        told = row["id"], f"{row['score']:.0f} points" if row["judged_by"] else "not judged"
        if room := found.get(row["scene_id"]):
            room.chains.append(told)
            continue
        states = Chain.read(row["chain"]).states()
        last = picture_names(row["id"], len(states))[-1]
        kind, objects = row["room_type"] or "room", len(objects_of(states[-1]))
        found[row["scene_id"]] = Room(row["scene_id"], kind, objects, last, [told])
    return list(found.values())
