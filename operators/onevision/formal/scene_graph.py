"""Scene graphs: JSON with ``objects`` and the ``relations`` between them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from dataflow_ext.datasets.files import unrepeated
from dataflow_ext.well_formed import short

#: Objects and relations of one picture at most.
_MOST = 2000
#: Pixels by which a box may stand over the picture's edge, as from rounding.
_OVER = 2


def problem(code: str, size: tuple[int, int] | None = None) -> str | None:
    """What keeps the code from being a scene graph; ``size`` is the picture's width and height, if known.

    >>> problem('{"objects": [{"id": "a", "label": "cat"}], "relations": [["a", "on", "b"]]}')
    "relation 1 names 'b', which is no object's id"
    """
    try:
        graph = json.loads(code, object_pairs_hook=unrepeated, parse_constant=_constant)
    except RecursionError:
        return "the JSON is nested too deep"
    except ValueError as error:
        return f"it is no JSON: {error}"
    if not isinstance(graph, Mapping):
        return "it is no JSON object with objects and relations"
    unknown = [key for key in graph if key not in ("objects", "relations")]
    if unknown:
        return f"the key {_short(unknown[0])} is neither objects nor relations"
    objects, relations = graph.get("objects"), graph.get("relations", [])
    if not isinstance(objects, list) or not objects:
        return "there is no list of objects, or nothing in it"
    if not isinstance(relations, list):
        return "relations is no list"
    if len(objects) > _MOST or len(relations) > _MOST:
        return f"there are more than {_MOST:,} objects or relations"
    ids: set[str] = set()
    for number, each in enumerate(objects, 1):
        wrong = _object(each, ids, size)
        if wrong:
            return f"object {number} {wrong}"
    for number, each in enumerate(relations, 1):
        wrong = _relation(each, ids)
        if wrong:
            return f"relation {number} {wrong}"
    return None


def _object(each: Any, ids: set[str], size: tuple[int, int] | None) -> str | None:
    if not isinstance(each, Mapping):
        return "is no JSON object"
    id, label = each.get("id"), each.get("label")
    if isinstance(id, int) and not isinstance(id, bool):
        id = str(id)
    if not isinstance(id, str) or not id.strip():
        return "has no id"
    if id in ids:
        return f"has the id {_short(id)} of another one"
    ids.add(id)
    if not isinstance(label, str) or not label.strip():
        return "has no label"
    unknown = [key for key in each if key not in ("id", "label", "attributes", "box")]
    if unknown:
        return f"has the unknown key {_short(unknown[0])}"
    attributes = each.get("attributes", [])
    values = attributes.values() if isinstance(attributes, Mapping) else attributes
    if not isinstance(attributes, Mapping | list) or not all(
        isinstance(one, str | int | float | bool) for one in values
    ):
        return "has attributes that are no list or map of words and numbers"
    return _box(each["box"], size) if each.get("box") is not None else None


def _box(box: Any, size: tuple[int, int] | None) -> str | None:
    if not isinstance(box, list) or len(box) != 4 or not all(type(each) in (int, float) for each in box):
        return "has a box that is not four numbers x0, y0, x1, y1"
    if not all(-1e9 < each < 1e9 and math.isfinite(each) for each in box):
        return "has a box with a number out of range"
    x0, y0, x1, y1 = box
    if x0 >= x1 or y0 >= y1:
        return "has a box whose corners are not x0 < x1, y0 < y1"
    if min(x0, y0) < -_OVER or (size is not None and (x1 > size[0] + _OVER or y1 > size[1] + _OVER)):
        return "has a box outside of the picture"
    return None


def _relation(each: Any, ids: set[str]) -> str | None:
    if isinstance(each, Mapping):
        unknown = [key for key in each if key not in ("subject", "relation", "predicate", "object")]
        if unknown:
            return f"has the unknown key {_short(unknown[0])}"
        subject, name, other = each.get("subject"), each.get("relation", each.get("predicate")), each.get("object")
    elif isinstance(each, list) and len(each) == 3:
        subject, name, other = each
    else:
        return "is no object with subject, relation and object"
    if not isinstance(name, str) or not name.strip():
        return "has no name"
    for end in (subject, other):
        if not isinstance(end, str | int) or str(end) not in ids:
            return f"names {_short(end)}, which is no object's id"
    return None


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _short(value: Any) -> str:
    return short(repr(value), 40)
