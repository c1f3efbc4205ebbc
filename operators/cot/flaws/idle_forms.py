"""Steps that leave everything as it is: how they are worded, and of which things they can be said."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, get_args

from dataflow_ext.text.tokens import stem
from operators.cot.tables import rows_of

#: Of what a step can be said: of any thing, of what is picked up somewhere in the plan, of what opens and closes.
Kind = Literal["any", "carried", "opened"]


@dataclass(frozen=True, slots=True)
class Form:
    """A step that serves nothing: its wording, and what it does, told of "it" in a reason.

    ``{}`` stands for the thing, ``{it}`` for it or them. ``cues`` are stems of words of plans that such a step might
    serve after all.
    """

    kind: Kind
    text: str
    does: str
    cues: frozenset[str]


@lru_cache(maxsize=1)
def forms() -> tuple[Form, ...]:
    """All forms, in a fixed order."""
    rows = rows_of(Path(__file__).with_name("idle_forms.tsv"))
    return tuple(
        Form(kind, text, does, frozenset(map(stem, cues.split())))
        for kind in get_args(Kind)
        for of, text, does, cues in rows
        if of == kind
    )
