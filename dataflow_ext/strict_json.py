"""JSON as its standard has it: no key twice in an object, no NaN and no Infinity."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any


class RepeatedKey(ValueError):
    """An object has a key twice; the key is :attr:`key`."""

    def __init__(self, key: str) -> None:
        super().__init__("a key stands twice in one object")
        self.key = key


def strict_value(text: str) -> Any:
    """The value of a JSON text; ValueError for what is none, RepeatedKey for an object that has a key twice.

    >>> strict_value('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    dataflow_ext.strict_json.RepeatedKey: a key stands twice in one object
    """
    return json.loads(text, object_pairs_hook=unrepeated, parse_constant=no_constant)


def unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these keys and values; RepeatedKey for a key that comes twice."""
    made = dict(pairs)
    if len(made) < len(pairs):
        raise RepeatedKey(first_repeated(key for key, _ in pairs))
    return made


def first_repeated(keys: Iterable[str]) -> str:
    """The first key that came before; there must be one."""
    seen: set[str] = set()
    return next(key for key in keys if key in seen or seen.add(key))  # type: ignore[func-returns-value]


def no_constant(name: str) -> Any:
    """ValueError: neither NaN nor Infinity is JSON."""
    raise ValueError(f"{name} is no JSON value")
