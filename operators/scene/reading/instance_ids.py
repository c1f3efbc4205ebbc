"""Ids that are unique in a room: of objects that share an asset, of objects that have none, of groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any

from operators.scene.model.chain import ASSET
from operators.scene.model.scene import Object, written


def made_id(obj: Object) -> str:
    """The id of an object that has none: made from what it is, so that two of a kind share it as they do an asset's.

    >>> made_id({"desc": "chair", "size": [0.5, 0.9, 0.5], "pos": [1.0, 0.0, 0.0]})
    'object-91e73bc5407d'
    """
    return f"object-{sha256(written([obj['desc'], obj['size']]).encode()).hexdigest()[:12]}"


def with_instance_ids(objects: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The objects, each with a ``jid`` of its own; those that shared one have it as ``asset_jid`` as well.

    The first keeps its id, the others get ``jid__2``, ``jid__3`` and so on, never one that is there already.

    >>> with_instance_ids([{"jid": "a"}, {"jid": "b"}, {"jid": "a"}])
    [{'jid': 'a', 'asset_jid': 'a'}, {'jid': 'b'}, {'jid': 'a__2', 'asset_jid': 'a'}]
    """
    given = [each["jid"] for each in objects]
    shared = _repeated(given)
    return [
        {**each, "jid": new, ASSET: each.get(ASSET, old)} if old in shared else each
        for each, old, new in zip(objects, given, told_apart(given), strict=True)
    ]


def told_apart(names: Sequence[str]) -> list[str]:
    """The names, with ``__2``, ``__3`` and so on behind those that are there before.

    >>> told_apart(["a", "a", "a__2", "a"])
    ['a', 'a__3', 'a__2', 'a__4']
    """
    taken, used, numbers = set(names), set[str](), dict[str, int]()
    out = []
    for name in names:
        new = name
        if name in used:
            number = numbers.get(name, 1) + 1
            while (new := f"{name}__{number}") in taken:
                number += 1
            numbers[name] = number
            taken.add(new)
        used.add(name)
        out.append(new)
    return out


def _repeated(names: Iterable[str]) -> set[str]:
    seen, repeated = set[str](), set[str]()
    for name in names:
        (repeated if name in seen else seen).add(name)
    return repeated
