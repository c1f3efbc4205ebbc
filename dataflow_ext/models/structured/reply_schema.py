"""A reply's type as a JSON schema of the strict kind, and back from JSON to a value of the type."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar, cast

from pydantic import TypeAdapter
from pydantic.errors import PydanticUserError

from dataflow_ext.errors import OptionError, RowError

T = TypeVar("T")

#: Keywords that every server with strict schemas takes, of those that stand for themselves.
_KEPT = ("type", "enum", "description")


@dataclass(frozen=True)
class ReplySchema(Generic[T]):
    """A type that replies are to have: its strict ``schema``, the schema's ``name``, and the way from JSON to it.

    Strict schemas are objects, so that another type stands in an object under ``wrapped``.
    """

    adapter: TypeAdapter[T]
    schema: Mapping[str, Any] | None
    name: str
    wrapped: str | None

    def read(self, value: Any) -> T:
        """The value as one of the type, validated strictly; :class:`pydantic.ValidationError` if it is none."""
        if self.wrapped is not None and isinstance(value, dict) and set(value) == {self.wrapped}:
            value = value[self.wrapped]
        # Only from JSON text do strict checks let through what JSON has no type for: enums, dates, tuples.
        try:
            return self.adapter.validate_json(json.dumps(value, allow_nan=False), strict=True)
        except RecursionError:
            raise RowError("lists and objects are nested too deep") from None


def reply_schema(reply: type[T], *, strict: bool = True) -> ReplySchema[T]:
    """The schema of a pydantic class or any other type that pydantic knows, such as ``list[Item]``.

    Every property is required and no other allowed, ``Optional`` is a union with null. Constraints such as
    lengths, ranges and patterns are not in it, as strict servers refuse them; they are checked when the reply
    is read, and a field's description can name them. Docstrings are not in it either: neither a changed
    constraint nor a mended docstring makes another request of it. :class:`OptionError` for what no strict
    schema can say (``Any``, ``dict[str, X]``) unless ``strict`` is false: then ``schema`` is None.

    >>> reply_schema(list[int]).schema["properties"]
    {'items': {'type': 'array', 'items': {'type': 'integer'}}}
    """
    made: Callable[[Any, bool], ReplySchema[Any]] = _made
    try:
        hash(reply)
    except TypeError:  # such as Annotated with a list in it
        made = _made.__wrapped__
    return cast(ReplySchema[T], made(reply, strict))


@lru_cache(maxsize=512)
def _made(reply: Any, strict: bool) -> ReplySchema[Any]:
    name = _name(reply)
    try:
        adapter = TypeAdapter[Any](reply)
        full = adapter.json_schema()
    except PydanticUserError as error:
        raise OptionError(f"No replies can be read as {name}: {str(error).splitlines()[0]}") from None
    root = _resolved(full, full)
    wrapped: str | None = "items" if root.get("type") == "array" else "value"
    if root.get("type", "object") == "object" and "anyOf" not in root:
        wrapped = None
    schema: dict[str, Any] | None = None
    if strict:
        definitions = {
            key: _strict(_undocumented(part), f"{name}.{key}") for key, part in full.get("$defs", {}).items()
        }
        if wrapped is None:
            schema = _strict(_undocumented(root), name)
        else:
            schema = _object({wrapped: _strict(_undocumented(full), name)})
        if definitions:
            schema["$defs"] = definitions
    return ReplySchema(adapter, schema, name, wrapped)


def _name(reply: Any) -> str:
    """A name that servers allow: letters, digits, ``_`` and ``-``, at most 64."""
    name = getattr(reply, "__name__", "") if not getattr(reply, "__args__", ()) else str(reply)
    name = re.sub(r"(?:[A-Za-z_]\w*\.|<locals>\.?)+", "", name)
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_")[:64] or "reply"


def _resolved(part: Mapping[str, Any], full: Mapping[str, Any]) -> Mapping[str, Any]:
    """A root that only points to a definition, as that of a class within itself does, with what it points to."""
    while "$ref" in part:
        part = full["$defs"][part["$ref"].removeprefix("#/$defs/")]
    return part


def _undocumented(part: Mapping[str, Any]) -> dict[str, Any]:
    """A class's schema without the class's docstring."""
    return {key: value for key, value in part.items() if key != "description"}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _strict(part: Mapping[str, Any], where: str) -> dict[str, Any]:
    """A part of a schema with nothing in it that strict servers refuse."""
    if "$ref" in part:
        pointer = {"$ref": part["$ref"]}  # nothing may stand beside it
        return {"anyOf": [pointer], "description": part["description"]} if "description" in part else pointer
    if len(part.get("allOf", ())) == 1:
        return _strict({**part, **part["allOf"][0], "allOf": ()}, where)
    made: dict[str, Any] = {key: part[key] for key in _KEPT if key in part}
    if "const" in part:
        made["enum"] = [part["const"]]
    if choices := part.get("anyOf") or part.get("oneOf"):
        made["anyOf"] = [_strict(choice, where) for choice in choices]
    elif part.get("type") == "object":
        made.update(_strict_object(part, where))
    elif part.get("type") == "array":
        made["items"] = _strict_items(part, where)
    elif "type" not in made and "enum" not in made:
        raise _unsayable(where, "a value of any kind")
    return made


def _strict_object(part: Mapping[str, Any], where: str) -> dict[str, Any]:
    properties = part.get("properties", {})
    if isinstance(part.get("additionalProperties"), dict) or not ("properties" in part or "title" in part):
        raise _unsayable(where, "an object with names of its own choice")
    return _object({name: _strict(inner, f"{where}.{name}") for name, inner in properties.items()})


def _strict_items(part: Mapping[str, Any], where: str) -> dict[str, Any]:
    kinds: list[dict[str, Any]] = []
    for inner in part.get("prefixItems", [part.get("items", {})]):
        kind = _strict(inner, f"{where}[]")
        if kind not in kinds:
            kinds.append(kind)
    return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}


def _unsayable(where: str, what: str) -> OptionError:
    return OptionError(
        f"{where} is {what}, which no strict schema can say; give it a class or a list of pairs, "
        "or do not send the schema (send_schema=False)."
    )
