"""The place that tells the light in all rounds of an episode, whatever its shape, and each round's light there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from dataflow_ext import InputError
from operators.game.light.glow import COLOURS, Glow, glow_of, ramp
from operators.game.rounds import Box, Found, Look, screen

if TYPE_CHECKING:
    from operators.game.light.glow import Plane

#: Fewer rounds tell nothing.
FEWEST = 3
#: By how much a pixel glows more than in the round where it is darkest, to count; to be part of a place; and the share
#: of its strongest glow below which it is off (a lamp that is off has a colour, too).
_NOISE, _CHANGES, _OFF = 0.05, 0.15, 0.4
#: A place has so many pixels at least; only so many, the strongest, are looked at.
_LEAST, _MOST = 12, 24
#: The least share of a place's glow that is of one colour in a round, and the least strength there, as a share of the
#: usual one in this colour, and in the strongest.
_PURE, _AS_STRONG, _AS_ANY = 0.45, 0.35, 0.35
#: Lamps of one light differ in size by this factor at most, and stand off their line by this share of it.
_ALIKE, _ALONG = 1.6, 0.3
#: The least worth of a place: how alike its rounds of one colour are, times the share of rounds that are lit and pure.
_WORTH = 0.6
#: A place is sure unless one that tells other colours is this near to it in strength; and how sure then.
_RIVAL, _FREE, _SURE = 0.7, 0.4, 0.97


@dataclass(frozen=True, slots=True)
class Region:
    """A place by its box, and how much more than when it is off it glows: rounds x pixels x colours."""

    box: tuple[int, int, int, int]
    glow: Plane


@dataclass(frozen=True, slots=True)
class Place:
    """One region or up to three like ones, with the colour (or None) that it has in each round, and its strength."""

    regions: tuple[Region, ...]
    colours: tuple[int | None, ...]
    strength: float

    @property
    def box(self) -> tuple[int, int, int, int]:
        """The box around all regions."""
        sides = list(zip(*(region.box for region in self.regions), strict=True))
        return min(sides[0]), min(sides[1]), max(sides[2]), max(sides[3])

    def rivals(self, other: Place) -> bool:
        """Whether two places that have no region in common tell different colours of a round."""
        apart = not {region.box for region in self.regions} & {region.box for region in other.regions}
        return apart and any(
            one is not None and two is not None and one != two
            for one, two in zip(self.colours, other.colours, strict=True)
        )


def lights_of(paths: Sequence[Path], others: Sequence[Path], cards: Sequence[Box] | None) -> list[Found | None]:
    """Each picture's light by the place that they share, None where they share none; ``others`` help to find it.

    Others are asked where the pictures by themselves do not tell, as if they are too few, or all of one light.
    """
    glows = [_glow(path) for path in paths]
    shapes = Counter(glow.shape for glow in glows if glow is not None)
    shape = shapes.most_common(1)[0][0] if shapes else None
    own = {i: glow for i, glow in enumerate(glows) if glow is not None and glow.shape == shape}
    found = lights_by_place(list(own.values()), cards)
    if found is None and own and others:
        more = [glow for glow in map(_glow, others) if glow is not None and glow.shape == shape]
        found = lights_by_place([*own.values(), *more], cards)
    told = dict(zip(own, found or (), strict=False))
    return [told.get(i) for i in range(len(glows))]


def _glow(path: Path) -> Glow | None:
    """The glow of a picture; None where there is none to look at, which is its own round's trouble."""
    try:
        return glow_of(screen(path))
    except InputError:
        return None


def lights_by_place(glows: Sequence[Glow], cards: Sequence[Box] | None = None) -> list[Found] | None:
    """Each round's light at the one place that has the colour of a light in nearly all rounds, and not always the same.

    The rounds are of one screen, three at least. A round in which the place is off, or has two colours, has no light.
    None if there is no such place. What changes on the cards, given by their boxes in the picture, is no light.
    """
    if len(glows) < FEWEST or len({glow.shape for glow in glows}) > 1:
        return None
    regions = _regions(glows, _on_cards(glows[0], cards))
    places = sorted(filter(None, map(_place, _together(regions))), key=lambda place: -place.strength)
    if not places:
        return None
    best = places[0]
    rival = max((place.strength for place in places if place.rivals(best)), default=0.0) / best.strength
    confidence = round(_SURE * ramp(1 - rival, 1 - _RIVAL, 1 - _FREE), 3)
    return [_found(best, colour, glows[0], confidence) for colour in best.colours]


def _on_cards(glow: Glow, cards: Sequence[Box] | None) -> tuple[slice, slice] | None:
    """The part of the picture that the cards take, with what lies between them."""
    if cards is None:
        return None
    x0, y0 = (min(box[side] for box in cards) * glow.scale for side in (0, 1))
    x1, y1 = (max(box[side] for box in cards) * glow.scale for side in (2, 3))
    return slice(max(0, int(y0)), int(y1) + 1), slice(max(0, int(x0)), int(x1) + 1)


def _regions(glows: Sequence[Glow], cards: tuple[slice, slice] | None) -> list[Region]:
    """The places that glow more in some rounds than in others."""
    # The rounds of an episode fill 40 MB here: nothing is to be in memory twice.
    more = np.empty((len(glows), *glows[0].shape, 3), np.float32)
    for each, glow in zip(more, glows, strict=True):
        each[:] = glow.plane
    more -= more.min(axis=0)
    more -= _NOISE
    np.maximum(more, 0.0, out=more)
    most = more.max(axis=(0, 3))
    for each in more:
        each[each < _OFF * most[:, :, None]] = 0.0
    mask = (most > _CHANGES).astype(np.uint8)
    if cards is not None:
        mask[cards] = 0
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    found = []
    for label in range(1, count):
        x, y, w, h, area = stats[label].tolist()
        part = np.s_[y : y + h, x : x + w]
        if area >= _LEAST:
            found.append(Region((x, y, x + w, y + h), more[:, part[0], part[1]][:, labels[part] == label]))
    return sorted(found, key=lambda region: -float(region.glow.max(axis=(0, 2)).sum()))[:_MOST]


def _together(regions: Sequence[Region]) -> list[tuple[Region, ...]]:
    """The regions alone, and two or three that stand in a line and are as wide, or as high."""
    sets: list[tuple[Region, ...]] = [(region,) for region in regions]
    for number in (2, 3):
        sets += [
            each
            for each in combinations(regions, number)
            if any(all(_in_line(a, b, axis) for a, b in combinations(each, 2)) for axis in (0, 1))
        ]
    return sets


def _in_line(one: Region, other: Region, axis: int) -> bool:
    """Whether two regions stand beside each other (axis 1, their heights count) or one above the other (axis 0)."""
    a, b = one.box[axis + 2] - one.box[axis], other.box[axis + 2] - other.box[axis]
    off = abs(one.box[axis] + one.box[axis + 2] - other.box[axis] - other.box[axis + 2]) / 2
    return max(a, b) <= _ALIKE * min(a, b) + 3 and off <= _ALONG * min(a, b) + 2


def _place(regions: tuple[Region, ...]) -> Place | None:
    """The regions as a light, if they can be one: one colour in each round but one at most, two in all."""
    glow = np.concatenate([region.glow for region in regions], axis=1)
    sums = glow.sum(axis=1)
    colour, strength = sums.argmax(axis=1), sums.max(axis=1)
    pure = strength / np.maximum(sums.sum(axis=1), 1e-6)
    usual = np.array([np.median(strength[colour == c]) if (colour == c).any() else 0.0 for c in range(3)])
    lit = (pure > _PURE) & (strength > np.maximum(_AS_STRONG * usual[colour], _AS_ANY * usual.max()))
    if lit.sum() < max(FEWEST, len(lit) - 1) or len(set(colour[lit].tolist())) < 2:
        return None
    worth = _likeness(glow, colour, lit) * float(lit.mean()) * float(pure.mean())
    if worth < _WORTH:
        return None
    colours = tuple(int(c) if on else None for c, on in zip(colour, lit, strict=True))
    return Place(regions, colours, worth * float(strength.mean()))


def _likeness(glow: Plane, colour: np.ndarray, lit: np.ndarray) -> float:
    """How much the rounds of one colour glow at the same pixels; where no two are of one colour, as much as needed."""
    alike = []
    for a, b in combinations(np.flatnonzero(lit).tolist(), 2):
        if colour[a] == colour[b]:
            one, other = glow[a, :, colour[a]], glow[b, :, colour[a]]
            alike.append(float(np.minimum(one, other).sum() / max(1e-6, float(np.maximum(one, other).sum()))))
    return sum(alike) / len(alike) if alike else 0.8


def _found(place: Place, colour: int | None, glow: Glow, confidence: float) -> Found:
    """What a place tells of one round."""
    x0, y0, x1, y1 = glow.in_picture(*place.box)
    where = f"({(x0 + x1) / 2:.0f}, {(y0 + y1) / 2:.0f})"
    rounds = f"{len(place.colours)} rounds"
    if colour is None:
        reason = f"the place at {where}, which tells the light in {rounds}, is off or of two colours here"
        return Found(None, Look("colour", "", 0.0, reason))
    name = COLOURS[colour]
    reason = f"the place at {where}, whose colour changes like a light's in {rounds}, is {name}"
    return Found(name, Look("colour", name, confidence, reason))
