"""A square of pixels that knows at each of them what is seen there and how near it is."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pixels: TypeAlias = NDArray[np.uint8]

from operators.scene.painter.camera import Point

Colour = tuple[int, int, int]
#: How nearness falls over a picture: its value at the corner, its change a pixel to the right and a pixel down.
Plane = tuple[float, float, float]

EDGE: Colour = (58, 56, 62)
#: The owner of what belongs to no object.
NOBODY = -1
#: A picture is drawn twice as large, so that four pixels become one.
FINE = 2

_FIELDS = 0xFF | 0xFF << 10 | 0xFF << 20


class Canvas:
    """Drawing in inks: a pixel holds the number of its ink; an ink has a colour, an owner and a face.

    Where two faces meet there is an edge. Numbers of 10 bits hold the three colours of a pixel, so that four
    pixels can be added up at once.
    """

    def __init__(self, side: int, backdrop: Canvas | None = None) -> None:
        import numpy as np

        self.side = side
        self._colours: list[int] = [] if backdrop is None else list(backdrop._colours)
        self._faces: list[int] = [] if backdrop is None else list(backdrop._faces)
        self._owners: list[int] = [] if backdrop is None else list(backdrop._owners)
        self.inks: NDArray[np.int32] = np.zeros((side, side), np.int32) if backdrop is None else backdrop.inks.copy()
        self._near = np.full((side, side), -np.inf, np.float32)
        self._middles = np.arange(side) + 0.5
        self._middles32 = self._middles.astype(np.float32)

    def ink(self, colour: Colour, owner: int = NOBODY, face: int = 0) -> int:
        """A new ink; face 0 is that of all that has no edges."""
        self._colours.append(_packed(colour))
        self._owners.append(owner)
        self._faces.append(face)
        return len(self._colours) - 1

    def fill(self, corners: Sequence[Point], plane: Plane, ink: int) -> None:
        """A convex polygon, in front of what is farther away than its plane."""
        import numpy as np

        found = self._inside(corners)
        if found is None:
            return
        rows, columns, inside = found
        start, right, down = plane
        near = (self._middles32[columns] * np.float32(right))[None, :] + (
            (self._middles[rows] * down + start).astype(np.float32)
        )[:, None]
        before = self._near[rows, columns]
        inside &= near > before
        np.copyto(before, near, where=inside)
        np.copyto(self.inks[rows, columns], ink, where=inside)

    def paint(self, corners: Sequence[Point], ink: int) -> None:
        """A convex polygon over everything that is there."""
        found = self._inside(corners)
        if found is not None:
            self.inks[found[0], found[1]][found[2]] = ink

    def paint_floor(self, corners: Sequence[Point], ink: int) -> None:
        """A polygon of any form, by the even-odd rule, over everything that is there."""
        import numpy as np

        crossed = np.zeros((self.side, self.side + 1), np.uint8)
        for (x0, y0), (x1, y1) in zip(corners, [*corners[1:], corners[0]], strict=True):
            top, bottom = self._span(min(y0, y1), max(y0, y1))
            if top < bottom:
                rows = self._middles[top:bottom]
                at = np.ceil(x0 + (rows - y0) * ((x1 - x0) / (y1 - y0)) - 0.5)
                crossed[np.arange(top, bottom), np.clip(at, 0, self.side).astype(np.int64)] ^= 1
        self.inks[np.bitwise_xor.accumulate(crossed, axis=1)[:, :-1].astype(bool)] = ink

    def line(self, start: Point, end: Point, ink: int, *, over: int | None = None, dash: int = 0) -> None:
        """A line of one pixel's width in the finished picture; ``over`` one ink only; with gaps of ``dash`` pixels."""
        import numpy as np

        steps = int(min(4 * self.side, max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1.0)))
        along = np.arange(steps + 1)
        if dash:
            along = along[along // dash % 2 == 0]
        xs = np.floor(start[0] + along * ((end[0] - start[0]) / steps) - 0.5).astype(np.int64)
        ys = np.floor(start[1] + along * ((end[1] - start[1]) / steps) - 0.5).astype(np.int64)
        for i in range(FINE * FINE):
            x, y = xs + i % FINE, ys + i // FINE
            there = (x >= 0) & (x < self.side) & (y >= 0) & (y < self.side)
            x, y = x[there], y[there]
            if over is not None:
                there = self.inks[y, x] == over
                x, y = x[there], y[there]
            self.inks[y, x] = ink

    def owners(self) -> Any:
        """Whose each pixel of the finished picture is, as an array; :data:`NOBODY` is -1."""
        import numpy as np

        return np.take(np.array(self._owners, np.int32), self.inks[::FINE, ::FINE])

    def finished(self, ghosts: Sequence[tuple[Sequence[Point], Colour]] = ()) -> Pixels:
        """The picture in its final size, with edges, and with see-through polygons over it."""
        import numpy as np

        packed = np.take(np.array(self._colours, np.uint32), self.inks)
        faces = np.take(np.array(self._faces, np.int32), self.inks)
        aside, below = faces[:, 1:] != faces[:, :-1], faces[1:] != faces[:-1]
        edge = np.zeros(packed.shape, bool)
        edge[:, :-1] |= aside
        edge[:, 1:] |= aside
        edge[:-1] |= below
        edge[1:] |= below
        np.copyto(packed, np.uint32(_packed(EDGE)), where=edge)
        for corners, colour in ghosts:
            if (found := self._inside(corners)) is not None:
                rows, columns, inside = found
                under = packed[rows, columns]
                mixed = (under * np.uint32(3) + np.uint32(_packed(colour))) >> np.uint32(2) & np.uint32(_FIELDS)
                np.copyto(under, mixed, where=inside)
        added = packed[::2, ::2] + packed[::2, 1::2] + packed[1::2, ::2] + packed[1::2, 1::2]
        picture = np.empty((*added.shape, 3), np.uint8)
        for i in range(3):
            picture[..., i] = (added >> np.uint32(22 - 10 * i)) & np.uint32(0xFF)
        return picture

    def _span(self, low: float, high: float) -> tuple[int, int]:
        """The first pixel whose middle is not before ``low``, and the first whose middle is not before ``high``."""
        side = self.side
        return (max(0, min(side, ceil(max(-1.0, min(low, side + 1.0)) - 0.5))),
                max(0, min(side, ceil(max(-1.0, min(high, side + 1.0)) - 0.5))))  # fmt: skip

    def _inside(self, corners: Sequence[Point]) -> tuple[slice, slice, NDArray[np.bool_]] | None:
        """The rows and columns that a convex polygon spans, and which of their pixels' middles are inside."""
        import numpy as np

        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        (top, bottom), (west, east) = self._span(min(ys), max(ys)), self._span(min(xs), max(xs))
        if top >= bottom or west >= east:
            return None
        rows, columns = self._middles[top:bottom], self._middles[west:east]
        twice = sum(x0 * y1 - x1 * y0 for x0, y0, x1, y1 in zip(xs, ys, [*xs[1:], xs[0]], [*ys[1:], ys[0]], strict=True))
        left: Any = None
        right: Any = None
        for x0, y0, x1, y1 in zip(xs, ys, [*xs[1:], xs[0]], [*ys[1:], ys[0]], strict=True):
            if y0 == y1:
                continue
            at = x0 + (rows - y0) * ((x1 - x0) / (y1 - y0))
            if (y1 > y0) == (twice > 0):
                right = at if right is None else np.minimum(right, at)
            else:
                left = at if left is None else np.maximum(left, at)
        if left is None or right is None:
            return None
        inside = (columns >= left[:, None]) & (columns < right[:, None])
        return slice(top, bottom), slice(west, east), inside


def _packed(colour: Colour) -> int:
    red, green, blue = colour
    return red << 20 | green << 10 | blue
