"""SceneFilter: the rooms that are worth chains of edits."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import pyarrow as pa
from pydantic import Field

from dataflow_ext import Failure, Made, Operator, progress
from dataflow_ext.columns import Columns
from dataflow_ext.outcomes import Outcome, Record, made_of_rows
from operators.scene.facts.things import Room, outsides, overlaps
from operators.scene.model.limits import OUTSIDE, OVERLAP
from operators.scene.model.scene import Scene

#: What a collision rate is a share of.
Metric = Literal["objects", "pairs"]


@dataclass(frozen=True, slots=True)
class Clashes:
    """The objects of a room, the pairs that collide, the objects in any of them, and the objects out of bounds."""

    objects: int
    pairs: int
    colliding: int
    outside: int

    def collision_rate(self, metric: Metric) -> float:
        """The share of objects that collide with another, or of pairs that do."""
        if metric == "objects":
            return self.colliding / self.objects if self.objects else 0.0
        return self.pairs / (self.objects * (self.objects - 1) / 2) if self.objects > 1 else 0.0

    @property
    def oob_rate(self) -> float:
        """The share of objects out of bounds."""
        return self.outside / self.objects if self.objects else 0.0


def clashes(scene: Scene, *, tolerance: float = OVERLAP, outside_tolerance: float = OUTSIDE) -> Clashes:
    """What collides in a room, and what is out of bounds, as the fact sheet tells it.

    Two objects collide if one must be pushed ``tolerance`` metres or more, in any direction, to be clear of the other,
    and does not rightly stand there, as a chair under a table or a lamp on it does. An object is out of bounds if the
    share ``outside_tolerance`` of its footprint, or more, is.

    >>> corners = [[0, 0, 0], [4, 0, 0], [4, 0, 3], [0, 0, 3]]
    >>> def cube(x): return {"desc": "cube", "jid": str(x), "pos": [x, 0, 1], "size": [1, 1, 1], "rot": [0, 0, 0, 1]}
    >>> room = {"bounds_bottom": corners, "bounds_top": corners, "objects": [cube(0.25), cube(1.0), cube(3.0)]}
    >>> clashes(room)
    Clashes(objects=3, pairs=1, colliding=2, outside=1)
    """
    room = Room.of(scene)
    pairs = overlaps(room, tolerance)
    colliding = set[str]().union(*(each.ids for each in pairs))
    return Clashes(len(room.things), len(pairs), len(colliding), len(outsides(room, outside_tolerance)))


#: What a condition still lacks, in words, and how much of it: 0 is nothing, 1 is everything.
Lack = tuple[str, float]


class SceneFilter(Operator):
    """The rooms that fulfil one of three conditions, with the rates at which their objects collide and stick out.

    (1) less than ``collisions_below`` collide, less than ``outside_below`` are out of bounds, and they are more than
    ``objects_above``; (2) they are ``many_objects`` or more; (3) none collides, and they are more than
    ``clean_objects_above``. What collides and is outside is what the fact sheet tells.

    Reads:
        scene_id: the room's name, for the reject.
        scene: a room as SceneReader gives it.

    Writes:
        collision_rate: the share of objects, or of pairs, that collide.
        oob_rate: the share of objects out of bounds.
        filter: how the rates were measured.

    Options:
        metric: whether ``collision_rate`` is a share of "objects" that collide with any other, or of "pairs" that do.
        tolerance: metres of penetration from which two objects collide.
        outside_tolerance: the share of a footprint from which an object is out of bounds.
        collisions_below, outside_below: rates of the first condition, as shares.
        objects_above: objects of the first condition.
        many_objects: objects of the second.
        clean_objects_above: objects of the third.
        enabled: False lets all rooms pass, measured all the same.

    Rejects:
        Dropped: no condition holds; with the numbers and the condition that was nearest.

    Example:
        >>> SceneFilter(metric="pairs", tolerance=0.1).measure
        'share of pairs that collide by 0.1 m or more; share of objects with 5 % or more of the footprint outside'
    """

    rows: ClassVar[Any] = "filter"
    inputs: ClassVar[Columns] = {"scene_id": str, "scene": str}
    outputs: ClassVar[Columns] = {"collision_rate": float, "oob_rate": float, "filter": str}
    record: ClassVar[tuple[str, ...]] = ("collision_rate", "oob_rate", "filter")

    metric: Metric = "objects"
    tolerance: float = Field(default=OVERLAP, ge=0, le=10)
    outside_tolerance: float = Field(default=OUTSIDE, ge=0, le=1)
    collisions_below: float = Field(default=0.10, ge=0, le=1)
    outside_below: float = Field(default=0.30, ge=0, le=1)
    objects_above: int = Field(default=4, ge=0)
    many_objects: int = Field(default=20, ge=1)
    clean_objects_above: int = Field(default=5, ge=0)
    enabled: bool = True

    def batch(self, table: pa.Table) -> Made:
        """Measure one room after the other."""
        return made_of_rows(self, table, lambda rows: map(self._measured, rows))

    def _measured(self, row: Record) -> Outcome | Failure:
        """The rates of a room, or why it is dropped."""
        try:
            scene = json.loads(row["scene"])
            found = clashes(scene, tolerance=self.tolerance, outside_tolerance=self.outside_tolerance)
        except Exception as error:
            return error
        finally:
            progress.advance()
        made = {"collision_rate": found.collision_rate(self.metric), "oob_rate": found.oob_rate}
        if not (why := self._why_not(found)) or not self.enabled:
            return {**made, "filter": self.measure}
        told = {"scene_id": row["scene_id"], "room_type": scene.get("room_type"), "objects": found.objects, **made}
        return Failure(0, why, "Dropped", kind="dropped", inputs=json.dumps(told, ensure_ascii=False))

    @property
    def measure(self) -> str:
        """How the rates are measured, for the record.

        >>> SceneFilter(metric="pairs", tolerance=0.1).measure
        'share of pairs that collide by 0.1 m or more; share of objects with 5 % or more of the footprint outside'
        """
        return (
            f"share of {self.metric} that collide by {self.tolerance:g} m or more; "
            f"share of objects with {self.outside_tolerance * 100:g} % or more of the footprint outside"
        )

    def _why_not(self, found: Clashes) -> str | None:
        """Why a room fulfils none of the conditions; None if it fulfils one."""
        collide, outside = found.collision_rate(self.metric), found.oob_rate
        conditions: list[list[Lack]] = [
            [
                *_too_high("colliding", collide, self.collisions_below),
                *_too_high("out of bounds", outside, self.outside_below),
                *_too_few(found.objects, self.objects_above + 1),
            ],
            [*_too_few(found.objects, self.many_objects)],
            [
                *([(f"{_percent(collide)} colliding, none is wanted", collide)] if found.pairs else []),
                *_too_few(found.objects, self.clean_objects_above + 1),
            ],
        ]
        if not all(conditions):
            return None
        nearest = min(range(3), key=lambda n: (sum(lack for _, lack in conditions[n]), n))
        return (
            f"{found.objects} objects, {_percent(collide)} of {self.metric} colliding, {_percent(outside)} of objects "
            f"out of bounds ({self.measure}); nearest was condition {nearest + 1}: "
            f"{', '.join(what for what, _ in conditions[nearest])}"
        )


def _too_high(what: str, rate: float, limit: float) -> list[Lack]:
    if rate < limit:
        return []
    return [(f"{_percent(rate)} {what}, less than {_percent(limit)} is wanted", rate - limit)]


def _too_few(objects: int, wanted: int) -> list[Lack]:
    if objects >= wanted:
        return []
    return [(f"{objects} objects, at least {wanted} are wanted", (wanted - objects) / wanted)]


def _percent(rate: float) -> str:
    return f"{rate * 100:.1f} %"
