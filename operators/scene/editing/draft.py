"""A call that is planned, but has no number yet."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from operators.scene.model.scene import Object

#: Writes what :func:`operators.scene.model.scene.written` does, without being made anew each time.
_written = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


@dataclass(slots=True)
class Draft:
    """A call without an id, and what it really puts if it puts something.

    ``level`` counts the things below one another on which an added one stands. Many are the same in all chains of a
    room, so that their texts are kept.

    >>> Draft("remove_object", {"jid": "a"}).text("tool_1")
    '{"id":"tool_1","name":"remove_object","arguments":{"jid":"a"}}'
    """

    name: str
    arguments: dict[str, Any]
    retrieval: Object | None = None
    level: int = 0
    _text: str = field(default="", compare=False)
    _retrieval_text: str = field(default="", compare=False)

    def call(self, id: str) -> dict[str, Any]:
        """The call."""
        return {"id": id, "name": self.name, "arguments": self.arguments}

    def text(self, id: str) -> str:
        """The call as JSON text."""
        if not self._text:
            told = ",".join([f'"{name}":{_argument(value)}' for name, value in self.arguments.items()])
            self._text = f'","name":"{self.name}","arguments":{{{told}}}}}'
        return f'{{"id":"{id}{self._text}'

    def retrieval_text(self) -> str:
        """What the call puts, as JSON text."""
        if not self._retrieval_text:
            self._retrieval_text = _written(self.retrieval)
        return self._retrieval_text


def _argument(value: str | list[float]) -> str:
    # An encoder is made anew for each list, which takes longer than the list; a number's repr is its JSON.
    return _written(value) if isinstance(value, str) else f"[{','.join(map(repr, value))}]"


def retrieved(obj: Object) -> dict[str, Any]:
    """What a retrieval tells of an object: all but where it stands.

    >>> retrieved({"desc": "chair", "size": [1.0] * 3, "pos": [0.0] * 3, "rot": [0.0] * 4, "jid": "a"})
    {'desc': 'chair', 'size': [1.0, 1.0, 1.0], 'jid': 'a'}
    """
    return {key: value for key, value in obj.items() if key not in ("pos", "rot")}
