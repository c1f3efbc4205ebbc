"""JSON of files: read strictly, and what a value has to be before anything is done with it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from dataflow_ext import InputError
from dataflow_ext.datasets.files import first_repeated, strict_value
from dataflow_ext.errors import Problems
from dataflow_ext.well_formed import is_well_formed, short
from operators.scene.model.records import TAGS, placeholder_in
from operators.scene.model.scene import PLACEHOLDERS

#: A longer text is no room.
MOST_BYTES = 32 * 2**20
_DEEPEST = 50
#: Numbers that may be none: an object without a usable size or place costs itself alone.
_MEASURES = re.compile(r"\$(\.groups\[\d+\])?\.objects\[\d+\]\.(size|pos)\[\d+\]")


class SceneError(InputError):
    """A room cannot be used; the message names up to five problems by their JSON paths."""


class RoomProblems(Problems):
    """What is wrong with a room, by JSON paths, and what was put right in it."""

    def __init__(self) -> None:
        super().__init__(SceneError)
        self.told: list[str] = []


def strict_json(data: bytes, problems: RoomProblems) -> Any:
    """The value of JSON text in UTF-8; SceneError if it is none.

    Noted as problems: repeated keys, numbers that are none, half characters, marks of conversations (such as
    ``<image>``) and placeholders in texts. Numbers of an object's ``size`` and ``pos`` may be none.

    >>> problems = RoomProblems()
    >>> strict_json(b'{"room_id": "R", "room_id": NaN}', problems)
    {'room_id': nan}
    >>> problems.close()
    Traceback (most recent call last):
    ...
    operators.scene.model.json_values.SceneError: $: the key 'room_id' is there twice; keep one; \
$.room_id: a number is wanted, this is NaN.
    """
    if len(data) > MOST_BYTES:
        raise SceneError(f"{len(data):,} bytes are no room; the most is {MOST_BYTES:,}.")
    try:
        value = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        raise SceneError(f"It is not UTF-8 (byte {error.start}); save it as UTF-8.") from None
    except RecursionError:
        raise SceneError("It is no JSON that can be read: it is nested too deep.") from None
    except ValueError as error:
        raise SceneError(f"It is no JSON ({error}); write it again.") from None
    for path, what in _strange(value):
        problems.wrong(path, what)
    return value


def shown(value: object) -> str:
    """A value from outside as messages show it: short, on one line.

    >>> shown([1, 2]), shown("a" * 100)[:8], shown(None)
    ('a list of 2', '"aaaaaaa', 'null')
    """
    if isinstance(value, list):
        return f"a list of {len(value):,}"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, int) and abs(value) > 10**20:
        return "a huge number"
    return short(json.dumps(value), 60)


class _Repeated(dict[str, Any]):
    """An object of JSON that has keys twice."""

    key_twice: str


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    repeated = _Repeated(made)
    repeated.key_twice = first_repeated(key for key, _ in pairs)
    return repeated


def _strange(whole: Any) -> Iterator[tuple[str, str]]:
    """What may stand nowhere in a room, with its path, from the first to the last."""
    todo: list[tuple[str, Any, int]] = [("$", whole, 0)]
    while todo:
        path, value, depth = todo.pop()
        if depth > _DEEPEST:
            yield path[:80] + "…", f"it is nested deeper than {_DEEPEST} times; leave it out"
        elif isinstance(value, dict):
            if isinstance(value, _Repeated):
                yield path, f"the key {_key(value.key_twice)} is there twice; keep one"
            for key in value:
                if what := _of_text(key):
                    yield path, f"a key {what}"
            todo += [(_within(path, key), each, depth + 1) for key, each in reversed(value.items())]
        elif isinstance(value, list):
            todo += [(f"{path}[{i}]", value[i], depth + 1) for i in reversed(range(len(value)))]
        elif isinstance(value, str):
            if (what := _of_text(value)) and not (path.endswith(".jid") and value in PLACEHOLDERS):
                yield path, f"it {what}"
        elif isinstance(value, float) and not math.isfinite(value) and not _MEASURES.fullmatch(path):
            yield path, f"a number is wanted, this is {shown(value)}"


def _of_text(text: str) -> str | None:
    """Why a text, or a key, may not stand in a room."""
    if not is_well_formed(text):
        return "holds half of a surrogate pair, which is no character"
    if mark := TAGS.search(text):
        return f"holds {mark[0]}, which marks parts of conversations; take it out"
    if left := placeholder_in(text):
        return f"holds {left}, which is a placeholder; take it out"
    return None


def _within(path: str, key: str) -> str:
    return f"{path}.{key}" if key.isidentifier() and len(key) <= 40 else f"{path}[{_key(key)}]"


def _key(key: str) -> str:
    """A key as messages show it; what cannot be printed as its escape."""
    return short(ascii(key) if not key.isprintable() else repr(key), 40)


def json_value(text: str) -> Any:
    """The value of JSON text; None if it is none, or tells a key twice or a number that is none."""
    try:
        return strict_value(text)
    except (ValueError, RecursionError):
        return None


def is_scene(value: Any) -> bool:
    """Whether a value has the parts of a room that everything rests on."""
    objects = held_objects(value)
    if objects is None or not all(isinstance(value.get(name), str) for name in ("room_type", "room_id")):
        return False
    envelope = value.get("room_envelope") if "groups" in value else value
    bounded = isinstance(envelope, Mapping) and all(
        _is_corners(envelope.get(name)) for name in ("bounds_top", "bounds_bottom")
    )
    return bounded and all(map(_is_object, objects))


def held_objects(value: Any) -> list[Any] | None:
    """The objects of a room in either form, each a mapping; None if the value holds none in this way."""
    if not isinstance(value, Mapping):
        return None
    lists = [value.get("objects")]
    if "groups" in value:
        groups = value["groups"]
        if not isinstance(groups, list):
            return None
        if not all(isinstance(each, Mapping) and isinstance(each.get("group_name"), str) for each in groups):
            return None
        lists = [each.get("objects") for each in groups]
    if not all(isinstance(each, list) for each in lists):
        return None
    objects = [each for held in lists for each in held or ()]
    return objects if all(isinstance(each, Mapping) for each in objects) else None


def _is_object(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and isinstance(value.get("jid"), str)
        and isinstance(value.get("desc"), str)
        and all(is_numbers(value.get(key), length) for key, length in (("pos", 3), ("size", 3), ("rot", 4)))
        and min(value["size"]) > 0
        and any(value["rot"])
    )


def _is_corners(value: Any) -> bool:
    return isinstance(value, list) and len(value) >= 3 and all(is_numbers(each, 3) for each in value)


def is_numbers(value: Any, length: int) -> bool:
    """Whether a value is a list of so many numbers, none of them nan or out of all bounds."""
    return (
        isinstance(value, list)
        and len(value) == length
        and all(isinstance(n, (int, float)) and not isinstance(n, bool) and abs(n) < 1e6 for n in value)
    )
