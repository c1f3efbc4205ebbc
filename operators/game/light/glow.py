"""A game's light by its glow: of a single screenshot, the strongest if none comes near, and the place of all rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import cv2
import numpy as np

from dataflow_ext import InputError
from dataflow_ext.boxes import middle, union
from operators.game.boxes import smaller
from operators.game.rounds import Box, Found, Look, screen

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dataflow_ext.ocr.engine import Pixels
    from operators.game.rounds import Light

    Plane: TypeAlias = NDArray[np.float32]

#: From which glow on a place is lit; how large it is at least, as a share of the picture's shorter side, and from
#: which size on size tells nothing; which share of the picture it fills at most.
_LIT, _LEAST, _LARGE, _MOST = 0.3, 0.03, 0.12, 0.25
#: A place is sure from this strength on, if the strongest one of another colour is behind by such a share.
_STRONG, _AHEAD = 0.3, 0.75
#: Places that are fainter are not told.
_FAINT = 0.05

#: The colours in the order of the planes.
COLOURS: tuple[Light, Light, Light] = ("RED", "YELLOW", "GREEN")
#: The hues of each colour in degrees, how far beyond them it fades out, and what makes shades equally strong that
#: people call equally bright: green ones are duller, yellow ones brighter.
_HUES, _FADES, _FAIR = ((-32.0, 18.0), (26.0, 68.0), (78.0, 178.0)), 10.0, (1.0, 0.8, 1.35)
#: What pictures are scaled down to, in pixels, by their shorter side; strips, by their longer one.
_SHORT, _LONG = 360.0, 1300.0


@dataclass(frozen=True, slots=True)
class Lit:
    """A lit place in a picture: its colour, how strong it is as a light (0 to about 1), and its box there."""

    colour: int
    strength: float
    box: Box


def look_at_light(picture: Path | Pixels) -> Found:
    """The colour of the light in a picture (a file, or RGB pixels), as far as one picture tells it.

    The value is None if nothing glows. Raises PictureMissing or PictureDamaged.
    """
    glow = glow_of(screen(picture) if isinstance(picture, Path) else picture)
    found = sorted((lit for lit in _lit_places(glow) if lit.strength > _FAINT), key=lambda lit: -lit.strength)
    if not found:
        return Found(None, Look("colour", "", 0.0, "nothing glows in a light's colour"))
    best = found[0]
    rival = max((lit.strength for lit in found if lit.colour != best.colour), default=0.0) / best.strength
    confidence = 0.99 * ramp(best.strength, _FAINT, _STRONG) * ramp(1 - rival, 0.05, _AHEAD)
    name, (x, y) = COLOURS[best.colour], middle(glow.in_picture(*best.box))
    reason = f"the strongest glow, at ({x:.0f}, {y:.0f}), is {name}; " + (
        f"the strongest of another colour is {rival:.0%} as strong" if rival else "nothing glows in another colour"
    )
    return Found(name, Look("colour", name, round(confidence, 3), reason))


def _lit_places(glow: Glow) -> list[Lit]:
    """All connected places that glow in one colour, but for whole bars and grounds."""
    high, wide = glow.shape
    short, planes = min(high, wide), glow.plane
    found = []
    for colour in range(3):
        plane = np.ascontiguousarray(planes[..., colour])
        mask = cv2.morphologyEx((plane > _LIT).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        for label in range(1, count):
            x, y, w, h, area = stats[label].tolist()
            if w >= 0.98 * wide or w * h > _MOST * wide * high or area < (_LEAST * short) ** 2:
                continue
            part = np.s_[y : y + h, x : x + w]
            mean = float(plane[part][labels[part] == label].mean())
            size = min(1.0, area**0.5 / short / _LARGE) * ramp(area / (w * h), 0.2, 0.6)
            stands = _stands((x + w / 2) / wide, (y + h / 2) / high)
            found.append(Lit(colour, mean * size * stands, (x, y, x + w, y + h)))
    return found


def _stands(across: float, down: float) -> float:
    """How likely a light is at a place: over the cards, not in a bar at the top or a corner of the head."""
    high = (0.3 + 0.7 * ramp(down, 0.03, 0.12)) * (1 - 0.8 * ramp(down, 0.5, 0.75))
    return high * (1 - 0.5 * ramp(abs(2 * across - 1), 0.5, 0.7) * (1 - ramp(down, 0.15, 0.22)))


def ramp(value: float, low: float, high: float) -> float:
    """0 up to ``low``, 1 from ``high`` on, straight between.

    >>> ramp(1.0, 2.0, 6.0), ramp(4.0, 2.0, 6.0), ramp(9.0, 2.0, 6.0)
    (0.0, 0.5, 1.0)
    """
    return min(1.0, max(0.0, (value - low) / (high - low)))


@dataclass(frozen=True, slots=True)
class Glow:
    """Hue (a circle of 256) and chroma (0 to 255) of each pixel; ``scale`` is pixels here a pixel of the picture."""

    hue: NDArray[np.uint8]
    chroma: NDArray[np.uint8]
    scale: float

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width in pixels."""
        return self.hue.shape[0], self.hue.shape[1]

    @property
    def plane(self) -> Plane:
        """Height x width x 3: chroma (0 to 1) in red, yellow and green; made anew, as it takes six times the room."""
        return np.asarray(_shares()[self.hue] * (self.chroma[..., None].astype(np.float32) / 255), np.float32)

    def in_picture(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """A box here in pixels of the picture."""
        return x0 / self.scale, y0 / self.scale, x1 / self.scale, y1 / self.scale


def glow_of(pixels: Pixels) -> Glow:
    """The glow of a picture (height x width x 3, RGB, uint8), scaled down."""
    small, scale = smaller(pixels, _LONG, _SHORT)
    smooth = cv2.GaussianBlur(small, (3, 3), 0)
    hue, saturation, value = cv2.split(cv2.cvtColor(smooth, cv2.COLOR_RGB2HSV_FULL))
    return Glow(np.asarray(hue, np.uint8), np.asarray(cv2.multiply(saturation, value, scale=1 / 255), np.uint8), scale)


def _shares() -> Plane:
    """How much of each of 256 hues is in each colour."""
    degrees = np.arange(256) * (360 / 256)
    shares = []
    for (low, high), fair in zip(_HUES, _FAIR, strict=True):
        away = np.abs((degrees - (low + high) / 2 + 180) % 360 - 180) - (high - low) / 2
        shares.append(fair * np.clip(1 - away / _FADES, 0, 1))
    return np.stack(shares, axis=1).astype(np.float32)


#: Fewer rounds tell nothing.
FEWEST = 3
#: By how much a pixel glows more than in the round where it is darkest, to count; to be part of a place; and the share
#: of its strongest glow below which it is off (a lamp that is off has a colour, too).
_NOISE, _CHANGES, _OFF = 0.05, 0.15, 0.4
#: A place has so many pixels at least; only so many, the strongest, are looked at.
_LEAST_PIXELS, _MOST_REGIONS = 12, 24
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
        return union(region.box for region in self.regions)

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
    x0, y0, x1, y1 = (side * glow.scale for side in union(cards))
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
        if area >= _LEAST_PIXELS:
            found.append(Region((x, y, x + w, y + h), more[:, part[0], part[1]][:, labels[part] == label]))
    return sorted(found, key=lambda region: -float(region.glow.max(axis=(0, 2)).sum()))[:_MOST_REGIONS]


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
    x, y = middle(glow.in_picture(*place.box))
    where = f"({x:.0f}, {y:.0f})"
    rounds = f"{len(place.colours)} rounds"
    if colour is None:
        reason = f"the place at {where}, which tells the light in {rounds}, is off or of two colours here"
        return Found(None, Look("colour", "", 0.0, reason))
    name = COLOURS[colour]
    reason = f"the place at {where}, whose colour changes like a light's in {rounds}, is {name}"
    return Found(name, Look("colour", name, confidence, reason))
