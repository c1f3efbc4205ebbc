"""Calls in words: what each does, with the numbers that it names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from operators.scene.model.simulator import Call

#: What was done, by the tool.
_DONE = {
    "add_object": "added",
    "remove_object": "removed",
    "move_object": "moved",
    "rotate_object": "turned",
    "scale_object": "resized",
    "replace_object": "replaced",
}


def metres(value: float) -> str:
    """A length with at most two decimals.

    >>> metres(1.5), metres(2.0), metres(-0.001)
    ('1.5', '2', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def point(values: Sequence[float]) -> str:
    """Coordinates or sizes as the calls have them, between brackets.

    >>> point([1.0, 0.0, -2.35])
    '(1, 0, -2.35)'
    """
    return f"({', '.join(metres(value) for value in values)})"


def told(call: Call, names: Mapping[str, str], subject: str | None) -> str:
    """What an earlier turn did by a call.

    >>> told({"name": "remove_object", "arguments": {"jid": "a"}}, {"a": "gray sofa"}, "a")
    'removed the gray sofa'
    """
    if call["name"] == "terminate":
        return "finished the room"
    return f"{_DONE[call['name']]} the {names.get(str(subject), 'object')}"


def asked(call: Call, names: Mapping[str, str], subject: str | None, put: str | None) -> str:
    """A call of the turn for a model that is to argue for it; ``put`` is the name of a replacement's new object."""
    arguments, name = call["arguments"], names.get(str(subject), "object")
    kind = call["name"]
    if kind == "terminate":
        return "finish: the room is done"
    if kind == "add_object":
        return (
            f"add the {name} ({arguments['object_description']}) at {point(arguments['position'])}, "
            f"size {point(arguments['size'])}, rotation {list(arguments['rotation'])}"
        )
    if kind == "remove_object":
        return f"remove the {name}"
    if kind == "move_object":
        return f"move the {name} to {point(arguments['new_position'])}"
    if kind == "rotate_object":
        return f"rotate the {name} to {list(arguments['new_rotation'])}"
    if kind == "scale_object":
        return f"resize the {name} to {point(arguments['new_size'])}"
    return f"replace the {name} by the {put or 'new object'} ({arguments['new_object_description']})"
