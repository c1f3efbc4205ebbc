"""A call that is planned, but has no number yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from operators.scene.model.scene import Object


@dataclass(slots=True)
class Draft:
    """A call without an id, and what it really puts if it puts something.

    ``level`` counts the things below one another on which an added one stands.
    """

    name: str
    arguments: dict[str, Any]
    retrieval: Object | None = None
    level: int = 0

    def call(self, id: str) -> dict[str, Any]:
        """The call."""
        return {"id": id, "name": self.name, "arguments": self.arguments}


def retrieved(obj: Object) -> dict[str, Any]:
    """What a retrieval tells of an object: all but where it stands.

    >>> retrieved({"desc": "chair", "size": [1.0] * 3, "pos": [0.0] * 3, "rot": [0.0] * 4, "jid": "a"})
    {'desc': 'chair', 'size': [1.0, 1.0, 1.0], 'jid': 'a'}
    """
    return {key: value for key, value in obj.items() if key not in ("pos", "rot")}
