"""How many rooms there are of each type, and by how many objects are in them, before and after they are filtered."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pyarrow as pa

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
