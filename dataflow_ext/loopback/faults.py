"""How one reply of the loopback server goes wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal[
    "status",
    "drop",
    "reset",
    "cut",
    "stall",
    "hang",
    "slow",
    "length",
    "refusal",
    "empty",
    "garbage",
    "expire",
]


@dataclass(frozen=True)
class Fault:
    """How one call is to go wrong; each kind first waits ``seconds``.

    Kinds for any call:

    * ``status``: that HTTP status with ``headers``, error ``code`` and ``message``;
    * ``drop``: the connection closes without a word;
    * ``reset``: ``part`` of the reply's content goes out, then the connection is reset (TCP RST);
    * ``cut``: ``part`` of the content goes out, then the connection closes;
    * ``stall``: ``part`` of the content goes out, then nothing more until the client leaves;
    * ``hang``: nothing goes out until the client leaves;
    * ``slow``: nothing but the wait of ``seconds``;
    * ``garbage``: status 200 with something that is no JSON.

    With a ``part`` of 0 the headers stay at home too. What a reply that is cut, reset or stalled on its way
    tells of has happened: a batch was made, a file was stored.

    Kinds for chat completions only: ``length`` is half of the text with that finish reason, ``refusal`` a
    refusal in place of content, ``empty`` a completion without choices. ``expire`` is for batches and their
    lines only, see :class:`dataflow_ext.loopback.BatchApi`.
    """

    kind: Kind
    status: int = 500
    code: str = "injected"
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    part: float = 0.5
    message: str = "injected by the test"


def limited(retry_after: float | None = None) -> Fault:
    """A 429, with a ``Retry-After`` if one is given.

    >>> limited(2).status, dict(limited(2).headers)
    (429, {'Retry-After': '2'})
    """
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return Fault("status", 429, "rate_limit_exceeded", headers)
