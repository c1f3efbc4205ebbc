"""What tool calls make of a room: the one place where a call changes a scene.

Pure: rooms go in and come out as plain JSON values (:mod:`operators.scene.model.scene`), in either form; nothing is
changed in place and nothing is drawn. A call is ``{"id", "name", "arguments"}``; new values are absolute.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from operators.scene.model.json_values import is_numbers
from operators.scene.model.scene import DEFAULT_GROUP, Object, Scene, object_lists

#: A tool call; a mapping from the ids of calls to the objects that were really put.
Call = Mapping[str, Any]
Retrievals = Mapping[str, Object]

#: Each tool's arguments, and whether they are required.
TOOLS: Mapping[str, Mapping[str, bool]] = {
    "add_object": {"object_description": True, "position": True, "rotation": True, "size": True, "group_name": False},
    "remove_object": {"jid": True},
    "move_object": {"jid": True, "new_position": True},
    "rotate_object": {"jid": True, "new_rotation": True},
    "scale_object": {"jid": True, "new_size": True},
    "replace_object": {"jid_to_replace": True, "new_object_description": True},
    "terminate": {"reason": True},
}

#: Arguments that are lists of numbers, and how long.
LENGTHS = {"position": 3, "new_position": 3, "rotation": 4, "new_rotation": 4, "size": 3, "new_size": 3}

#: What the tools that change an object's values change, and the argument that tells the new value.
CHANGED = {
    "move_object": ("pos", "new_position"),
    "rotate_object": ("rot", "new_rotation"),
    "scale_object": ("size", "new_size"),
}


class CallError(ValueError):
    """A call that cannot be done; ``code`` is one of :data:`operators.scene.model.records.CODES`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def apply(scene: Scene, calls: Sequence[Call], retrievals: Retrievals | None = None) -> Scene:
    """The room after the calls, one after the other; CallError for one that cannot be done.

    An added object stands last in its list; a replacement keeps place, position and rotation. What object was put
    is told by the call's own ``retrieval``, or by ``retrievals`` under the call's id: its ``jid``, ``desc``, ``size``
    and what else it has; ``group_type`` there is the type of the group that an add begins. A group that becomes
    empty goes.

    >>> room = {"objects": [{"desc": "chair", "size": [1.0] * 3, "pos": [0.0] * 3, "rot": [0.0] * 4, "jid": "c"}]}
    >>> call = {"id": "tool_1", "name": "move_object", "arguments": {"jid": "c", "new_position": [1.0, 0.0, 0.5]}}
    >>> apply(room, [call])["objects"][0]["pos"]
    [1.0, 0.0, 0.5]
    """
    for call in calls:
        scene = _apply(scene, call, retrievals or {})
    return scene


def target_of(call: Call) -> str | None:
    """The id of the object that a call is about; None for add_object and terminate."""
    arguments = call["arguments"]
    jid = arguments.get("jid_to_replace" if call["name"] == "replace_object" else "jid")
    return None if jid is None else str(jid)


def must_be_call(call: Any) -> None:
    """CallError if this is no call: an unknown tool, or arguments that are missing, unknown or of another type."""
    if not isinstance(call, Mapping) or not isinstance(call.get("id"), str) or not call["id"]:
        raise CallError("call.shape", "a call is an object with id, name and arguments, its id a text")
    label, arguments = f"{call['id']} ({call.get('name')})", call.get("arguments")
    known = TOOLS.get(call["name"]) if isinstance(call.get("name"), str) else None
    if known is None:
        raise CallError("call.unknown_tool", f"{label}: there is no such tool; they are {', '.join(TOOLS)}")
    if not isinstance(arguments, Mapping):
        raise CallError("call.arguments", f"{label}: its arguments are no JSON object")
    if missing := [name for name, required in known.items() if required and name not in arguments]:
        raise CallError("call.arguments", f"{label}: {missing[0]} is missing")
    if unknown := [name for name in arguments if name not in known]:
        raise CallError("call.arguments", f"{label}: {unknown[0]!r} is no argument of it")
    for name, value in arguments.items():
        if not _fits(name, value):
            wanted = f"a list of {LENGTHS[name]} numbers" if name in LENGTHS else "a text"
            raise CallError("call.arguments", f"{label}: {name} is to be {wanted}, not {value!r}")


def _fits(name: str, value: Any) -> bool:
    return is_numbers(value, LENGTHS[name]) if name in LENGTHS else isinstance(value, str) and bool(value)


def _apply(scene: Scene, call: Call, retrievals: Retrievals) -> Scene:
    must_be_call(call)
    name, arguments = call["name"], call["arguments"]
    if name == "terminate":
        return scene
    if name == "add_object":
        put = _retrieved(scene, call, retrievals)
        extra = {key: value for key, value in put.items() if key != "group_type"}
        added = {"desc": arguments["object_description"], "size": arguments["size"], "pos": arguments["position"],
                 "rot": arguments["rotation"], "jid": "", **extra}  # fmt: skip
        return _added(scene, added, arguments.get("group_name") or DEFAULT_GROUP, put.get("group_type", ""))
    jid = str(target_of(call))
    if name == "remove_object":
        return _with(scene, jid, call, lambda _: None)
    if name == "replace_object":
        put = _retrieved(scene, call, retrievals)
        extra = {key: value for key, value in put.items() if key != "group_type"}
        return _with(scene, jid, call, lambda old: {
            "desc": arguments["new_object_description"], "size": old["size"], "pos": old["pos"], "rot": old["rot"],
            "jid": "", **extra})  # fmt: skip
    key, argument = CHANGED[name]
    return _with(scene, jid, call, lambda old: {**old, key: arguments[argument]})


def _retrieved(scene: Scene, call: Call, retrievals: Retrievals) -> Object:
    """The object that a call really put; CallError if nobody says which, or if the room has that id already."""
    put = call.get("retrieval") or retrievals.get(call["id"])
    if not isinstance(put, Mapping) or not isinstance(put.get("jid"), str):
        raise CallError("call.no_retrieval", f"{call['id']}: no retrieval tells which object was put")
    if "pos" in put or "rot" in put:
        raise CallError("call.no_retrieval", f"{call['id']}: a retrieval tells no position and no rotation")
    jid = put["jid"]
    for objects in object_lists(scene):
        for each in objects:
            if each["jid"] == jid:
                raise CallError("jid.repeated", f"{call['id']}: the room has an object {jid!r} already")
    return put


def _added(scene: Scene, added: Object, group_name: str, group_type: str) -> Scene:
    if "groups" not in scene:
        return {**scene, "objects": [*scene["objects"], added]}
    groups = list(scene["groups"])
    for i, group in enumerate(groups):
        if group["group_name"] == group_name:
            groups[i] = {**group, "objects": [*group["objects"], added]}
            break
    else:
        groups.append({"group_name": group_name, "group_type": group_type, "objects": [added]})
    return {**scene, "groups": groups}


def _with(scene: Scene, jid: str, call: Call, change: Callable[[Object], Object | None]) -> Scene:
    """The room with one object changed, or without it if ``change`` gives None."""
    found = [(i, j) for i, each in enumerate(object_lists(scene)) for j, o in enumerate(each) if o["jid"] == jid]
    if len(found) != 1:
        what = "no object" if not found else f"{len(found)} objects"
        raise CallError("call.no_such_object", f"{call['id']} ({call['name']}): the room has {what} {jid!r}")
    (i, j) = found[0]
    objects = list(object_lists(scene)[i])
    changed = change(objects[j])
    objects[j : j + 1] = [] if changed is None else [changed]
    if "groups" not in scene:
        return {**scene, "objects": objects}
    groups = list(scene["groups"])
    groups[i : i + 1] = [{**groups[i], "objects": objects}] if objects else []
    return {**scene, "groups": groups}
