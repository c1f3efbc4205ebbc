"""The figures of a run: ``stats.json``, the same bytes for the same conversations and rejects."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Any

import pyarrow as pa

from dataflow_ext.report.figures import counts_of, spread, values_of
from dataflow_ext.report.rejects import by_reason
from dataflow_ext.tables import records
from operators.scene.judging import size_order
from operators.scene.model.chain import Chain
from operators.scene.model.records import CODES
from operators.scene.model.scene import objects_of
from operators.scene.model.simulator import TOOLS

#: The most objects of each bin, and what it is called; the seed's, with one for rooms of fewer than 5.
BINS = ((4, "0-4"), (10, "5-10"), (15, "11-15"), (20, "16-20"), (25, "21-25"), (30, "26-30"))
_LAST = "31+"


def object_bin(objects: int) -> str:
    """The bin of a room by its number of objects.

    >>> [object_bin(n) for n in (3, 5, 10, 11, 30, 31)]
    ['0-4', '5-10', '5-10', '11-15', '26-30', '31+']
    """
    return next((name for most, name in BINS if objects <= most), _LAST)


def room_statistics(rooms: Iterable[tuple[str, int]]) -> dict[str, Any]:
    """Counts of rooms, each given as type and number of objects, by type and by bin, and the mean number of objects.

    >>> room_statistics([("bedroom", 5), ("bedroom", 8), ("office", 31)])  # doctest: +NORMALIZE_WHITESPACE
    {'rooms': 3, 'mean_objects': 14.67, 'by_room_type': {'bedroom': 2, 'office': 1},
     'by_objects': {'0-4': 0, '5-10': 2, '11-15': 0, '16-20': 0, '21-25': 0, '26-30': 0, '31+': 1}}
    """
    known = list(rooms)
    types = Counter(room_type for room_type, _ in known)
    bins = Counter(object_bin(objects) for _, objects in known)
    return {
        "rooms": len(known),
        "mean_objects": round(sum(objects for _, objects in known) / len(known), 2) if known else 0.0,
        "by_room_type": {name: types[name] for name in sorted(types)},
        "by_objects": {name: bins[name] for name in (*(name for _, name in BINS), _LAST)},
    }


def filter_statistics(rooms: pa.Table, rejects: pa.Table) -> dict[str, Any]:
    """The statistics ``before`` and ``after`` SceneFilter, and how many rooms it ``dropped``.

    ``rooms`` are those that it kept, with ``room_type`` and ``objects``; ``rejects`` the rejects of the run, of which
    those that it dropped count. A room that it could not measure is in neither.
    """
    kept = list(zip(rooms["room_type"].to_pylist(), rooms["objects"].to_pylist(), strict=True))
    dropped = []
    for operator, kind, told in zip(
        *(rejects[name].to_pylist() for name in ("operator", "kind", "inputs")), strict=True
    ):
        if operator == "SceneFilter" and kind == "dropped":
            room = json.loads(told)
            dropped.append((str(room["room_type"] or ""), int(room["objects"])))
    return {
        "before": room_statistics([*kept, *dropped]),
        "after": room_statistics(kept),
        "dropped": len(dropped),
    }


def stats(table: pa.Table, rejects: pa.Table, rooms: pa.Table | None = None) -> dict[str, Any]:
    """The figures as plain values. Nothing in them is a time or an absolute path.

    ``table`` has the finished rows, with ``junk``, ``free`` and ``forced`` if the run read rooms; ``rejects`` is that
    of the run's result. ``conversations`` is the number of rows, ``rooms`` counts the rooms they are of by type and
    number of objects, as they are in the end. With ``rooms``, those that SceneFilter let pass, ``filter`` counts
    them and those that it dropped. ``turns`` and ``calls_a_turn`` leave out the last turn of a conversation,
    ``calls`` counts by tool; of these ``free`` were drawn by the odds, ``forced_adds`` were not. ``order`` is the
    mean of the measure of law 9: 1 if every larger object comes before the smaller ones. ``junk`` names by room
    what is no furniture, ``repaired`` counts rooms; ``rejects`` tells operator, error, code (of the first broken
    rule), kind, count and an example.
    """
    chains = [Chain.read(text) for text in values_of(table, "chain")]
    edits = [calls for chain in chains for calls in chain.turns[:-1]]
    tools = Counter(call["name"] for chain in chains for calls in chain.turns for call in calls)
    orders = [order for chain in chains if (order := size_order(chain)) is not None]
    return {
        "conversations": table.num_rows,
        "rooms": room_statistics(_rooms(table, chains)),
        "filter": None if rooms is None else filter_statistics(rooms, rejects),
        "conversation_types": counts_of(values_of(table, "conversation_type")),
        "turns": spread([chain.edits for chain in chains]),
        "calls": {name: tools[name] for name in TOOLS},
        "free": _drawn(table),
        "forced_adds": sum(values_of(table, "forced")) if "forced" in table.column_names else None,
        "calls_a_turn": spread([len(calls) for calls in edits]),
        "order": round(fmean(orders), 4) if orders else None,
        "instruction_styles": counts_of(values_of(table, "instruction_style")),
        "instructions_by": counts_of(values_of(table, "instruction_by")),
        "templates": counts_of(text["template"] or "none" for texts in values_of(table, "texts") for text in texts),
        "texts_by": counts_of(values_of(table, "text_by")),
        "judged_by": counts_of(each or "nobody" for each in values_of(table, "judged_by")),
        "scores": _scores(table),
        "junk": junk_of(table),
        "repaired": _repaired(table),
        "rejects": by_reason(records(rejects), CODES),
    }


def junk_of(table: pa.Table) -> dict[str, list[str]]:
    """The junk objects by room, as far as the table tells them."""
    if "junk" not in table.column_names:
        return {}
    named = zip(values_of(table, "scene_id"), values_of(table, "junk"), strict=True)
    return dict(sorted({scene_id: list(junk) for scene_id, junk in named if junk}.items()))


def _repaired(table: pa.Table) -> int:
    """How many rooms have repairs."""
    repairs = zip(values_of(table, "scene_id"), values_of(table, "repairs"), strict=True)
    return len({scene_id for scene_id, done in repairs if done})


def _rooms(table: pa.Table, chains: Sequence[Chain]) -> Iterable[tuple[str, int]]:
    """Type and number of objects of each room, as it is in the end."""
    rooms: dict[str, tuple[str, int]] = {}
    for scene_id, room_type, chain in zip(
        values_of(table, "scene_id"), values_of(table, "room_type"), chains, strict=True
    ):
        if scene_id not in rooms:
            rooms[scene_id] = room_type or "not told", len(objects_of(chain.states()[-1]))
    return rooms.values()


def _drawn(table: pa.Table) -> dict[str, int] | None:
    """The calls that were drawn by the odds, by tool; None if the rows do not tell."""
    if "free" not in table.column_names:
        return None
    counts: Counter[str] = Counter()
    for told in values_of(table, "free"):
        counts.update(dict(told))
    return {name: counts[name] for name in TOOLS if name != "terminate"}


def _scores(table: pa.Table) -> dict[str, Any]:
    """Spread of the points in all and by dimension, of what was judged."""
    judged = [(score, parts) for score, parts, by in
              zip(values_of(table, "score"), values_of(table, "scores"), values_of(table, "judged_by"), strict=True)
              if by]  # fmt: skip
    if not judged:
        return {}
    parts = {name: spread([each[name] for _, each in judged]) for name in judged[0][1]}
    return {"total": spread([score for score, _ in judged]), **parts}
