"""An object at one time of a chain, with what is known of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from operators.scene.editing.bands import band_of
from operators.scene.furniture.kinds import Kind
from operators.scene.geometry import Box, box_of
from operators.scene.limits import EXACT, FLAT
from operators.scene.scene import Object


@dataclass(slots=True)
class Thing:
    """An object at one time of a chain.

    ``reach`` is the greatest distance of its footprint from its middle, ``flat`` whether others may stand in its
    place, ``fit`` how fit it is for each tool.
    ``root`` is the id, in the finished room, of the object that it becomes; a thing that is only ``passing`` is gone
    by then, and has its own.
    """

    obj: Object
    kind: Kind
    box: Box
    reach: float
    band: int
    flat: bool
    fit: Mapping[str, float]
    group: str | None
    root: str
    passing: bool = False

    def changed(self, key: str, value: list[float]) -> Thing:
        """The same object with another ``pos`` (of the same height), ``rot`` or ``size``."""
        obj = {**self.obj, key: value}
        box, reach, band = box_of(obj), self.reach, self.band
        if key == "size":
            reach, band = math.hypot(box.wide, box.deep), band_of(value)
        return Thing(obj, self.kind, box, reach, band, self.flat, self.fit, self.group, self.root, self.passing)


def thing(
    obj: Object, kind: Kind, fit: Mapping[str, float], group: str | None, root: str, passing: bool = False
) -> Thing:
    """An object with what its box tells of it."""
    box = box_of(obj)
    flat = kind.family == "rug" or box.high - box.low <= FLAT + EXACT
    return Thing(obj, kind, box, math.hypot(box.wide, box.deep), band_of(obj["size"]), flat, fit, group, root, passing)
