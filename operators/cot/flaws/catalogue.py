"""Everyday objects by the places where they are found, each far from what most plans are about."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from dataflow_ext.text.tokens import stem
from operators.cot.tables import rows_of

#: What a step can do with an object: put things into it, put them onto it, do something with it.
Role = Literal["into", "onto", "tool"]


@dataclass(frozen=True, slots=True)
class Object:
    """An everyday object: its name, what a step can do with it, and the stems of its name's words."""

    name: str
    role: Role
    stems: frozenset[str]


@dataclass(frozen=True, slots=True)
class Domain:
    """A place, the stems of the words that tell of it or of places like it, and the objects that are found there."""

    cues: frozenset[str]
    objects: tuple[Object, ...]


#: All roles, in the order of the columns of ``objects.tsv``.
ROLES: tuple[Role, ...] = ("into", "onto", "tool")


@lru_cache(maxsize=1)
def domains() -> tuple[Domain, ...]:
    """All places with their objects."""
    return tuple(
        Domain(
            frozenset(map(stem, cues.split())),
            tuple(_object(name, role) for role, line in zip(ROLES, named, strict=True) for name in line.split(", ")),
        )
        for cues, *named in rows_of(Path(__file__).with_name("objects.tsv"))
    )


@lru_cache(maxsize=1)
def objects_by_name() -> dict[str, Object]:
    """All objects by their names."""
    return {each.name: each for domain in domains() for each in domain.objects}


def _object(name: str, role: Role) -> Object:
    return Object(name, role, frozenset(map(stem, name.split())))
