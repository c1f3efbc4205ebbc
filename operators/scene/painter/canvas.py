"""A square of pixels that knows at each of them what is seen there and how near it is."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING, Any, TypeAlias

from operators.scene.painter.camera import Point

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pixels: TypeAlias = NDArray[np.uint8]

Colour = tuple[int, int, int]
#: How nearness falls over a picture: its value at the corner, its change a pixel to the right and a pixel down.
Plane = tuple[float, float, float]

EDGE: Colour = (58, 56, 62)
#: Faces of one owner.
FACES = 64
#: A picture is drawn twice as large, so that four pixels become one.
FINE = 2

_FIELDS = 0xFF | 0xFF << 10 | 0xFF << 20


class Canvas:
    """A picture under way, twice as large as it will be: of each pixel the colour, the face that is seen, its nearness.

    A face is a number; :data:`FACES` of them in a row belong to one owner, and 0 is all that has no edges and no
    owner. Where two faces meet there is an edge. A number of three times 10 bits holds a pixel's colour, so that four
    pixels can be added up at once.
    """

    def __init__(self, side: int, ground: Colour | NDArray[np.uint32]) -> None:
        """A canvas of one colour, or on top of what another one shows."""
        import numpy as np

        self.side = side
        self.colours: NDArray[np.uint32] = (
            np.full((side, side), _packed(ground), np.uint32) if isinstance(ground, tuple) else ground.copy()
        )
        self._faces = np.zeros((side, side), np.int32)
        self._near = np.full((side, side), -np.inf, np.float32)
        self._middles = np.arange(side) + 0.5
        self._middles32 = self._middles.astype(np.float32)

    def fill(self, corners: Sequence[Point], plane: Plane, colour: Colour, owner: int, number: int) -> None:
        """A convex polygon, one face of an owner, in front of what is farther away than its plane."""
        import numpy as np

        found = self._inside(corners)
        if found is None:
            return
        place, inside = found
        rows, columns = place
        start, right, down = plane
        near = np.add.outer(
            (self._middles[rows] * down + start).astype(np.float32), self._middles32[columns] * np.float32(right)
        )
        before = self._near[place]
        inside &= near > before
        np.copyto(before, near, where=inside)
        np.copyto(self.colours[place], np.uint32(_packed(colour)), where=inside)
        np.copyto(self._faces[place], np.int32(FACES * owner + number + 1), where=inside)

    def paint(self, corners: Sequence[Point], colour: Colour) -> None:
        """A convex polygon over everything that is there."""
        import numpy as np

        if (found := self._inside(corners)) is not None:
            np.copyto(self.colours[found[0]], np.uint32(_packed(colour)), where=found[1])

    def paint_floor(self, corners: Sequence[Point], colour: Colour) -> None:
        """A polygon of any form, by the even-odd rule, over everything that is there."""
        import numpy as np

        crossed = np.zeros((self.side, self.side + 1), np.uint8)
        for (x0, y0), (x1, y1) in zip(corners, [*corners[1:], corners[0]], strict=True):
            top, bottom = self._span(min(y0, y1), max(y0, y1))
            if top < bottom:
                rows = self._middles[top:bottom]
                at = np.ceil(x0 + (rows - y0) * ((x1 - x0) / (y1 - y0)) - 0.5)
                crossed[np.arange(top, bottom), np.clip(at, 0, self.side).astype(np.int64)] ^= 1
        self.colours[np.bitwise_xor.accumulate(crossed, axis=1)[:, :-1].astype(bool)] = _packed(colour)

    def line(self, start: Point, end: Point, colour: Colour, *, over: Colour | None = None) -> None:
        """A line of one pixel's width in the finished picture, if need be over one colour only."""
        import numpy as np

        steps = int(min(4 * self.side, max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1.0)))
        along = np.arange(steps + 1)
        xs = np.floor(start[0] + along * ((end[0] - start[0]) / steps) - 0.5).astype(np.int64)
        ys = np.floor(start[1] + along * ((end[1] - start[1]) / steps) - 0.5).astype(np.int64)
        for i in range(FINE * FINE):
            x, y = xs + i % FINE, ys + i // FINE
            there = (x >= 0) & (x < self.side) & (y >= 0) & (y < self.side)
            x, y = x[there], y[there]
            if over is not None:
                there = self.colours[y, x] == _packed(over)
                x, y = x[there], y[there]
            self.colours[y, x] = _packed(colour)

    def owners(self) -> NDArray[np.int32]:
        """Whose each pixel of the finished picture is; -1 is nobody."""
        owners: NDArray[np.int32] = (self._faces[::FINE, ::FINE] - 1) // FACES
        return owners

    def draw_edges(self) -> None:
        """Draw the edges between faces; what is painted afterwards lies over them."""
        import numpy as np

        faces = self._faces
        aside, below = faces[:, 1:] != faces[:, :-1], faces[1:] != faces[:-1]
        edge = np.zeros(faces.shape, bool)
        edge[:, :-1] |= aside
        edge[:, 1:] |= aside
        edge[:-1] |= below
        edge[1:] |= below
        np.copyto(self.colours, np.uint32(_packed(EDGE)), where=edge)

    def tint(self, corners: Sequence[Point], colour: Colour) -> None:
        """A see-through convex polygon over everything that is there."""
        import numpy as np

        if (found := self._inside(corners)) is not None:
            under = self.colours[found[0]]
            # An eighth of the colour, in two steps that 10 bits can hold.
            mixed = (under * np.uint32(3) + np.uint32(_packed(colour))) >> np.uint32(2) & np.uint32(_FIELDS)
            mixed = (under + mixed) >> np.uint32(1) & np.uint32(_FIELDS)
            np.copyto(under, mixed, where=found[1])

    def finished(self) -> Pixels:
        """The picture in its final size."""
        import numpy as np

        fine = self.colours
        added = fine[::2, ::2] + fine[::2, 1::2] + fine[1::2, ::2] + fine[1::2, 1::2]
        picture = np.empty((*added.shape, 3), np.uint8)
        for i in range(3):
            picture[..., i] = (added >> np.uint32(22 - 10 * i)) & np.uint32(0xFF)
        return picture

    def _span(self, low: float, high: float) -> tuple[int, int]:
        """The first pixel whose middle is not before ``low``, and the first whose middle is not before ``high``."""
        side = self.side
        first = 0 if low <= 0.5 else ceil(low - 0.5) if low < side else side
        return first, 0 if high <= 0.5 else ceil(high - 0.5) if high < side else side

    def _inside(self, corners: Sequence[Point]) -> tuple[tuple[slice, slice], NDArray[np.bool_]] | None:
        """The rows and columns that a convex polygon spans, and which of their pixels' middles are inside."""
        import numpy as np

        xs, ys = zip(*corners, strict=True)
        (top, bottom), (west, east) = self._span(min(ys), max(ys)), self._span(min(xs), max(xs))
        if top >= bottom or west >= east:
            return None
        rows, columns = self._middles[top:bottom], self._middles[west:east]
        x0, y0 = corners[0]
        # Twice the area, told from the first corner so that nothing is lost to far corners; its sign is the sense.
        twice = sum((xs[i - 1] - x0) * (ys[i] - y0) - (xs[i] - x0) * (ys[i - 1] - y0) for i in range(2, len(xs)))
        left: Any = None
        right: Any = None
        x0, y0 = corners[-1]
        for x1, y1 in corners:
            if y0 != y1:
                at = rows - y0
                at *= (x1 - x0) / (y1 - y0)
                at += x0
                if (y1 > y0) == (twice > 0):
                    right = at if right is None else np.minimum(right, at, out=right)
                else:
                    left = at if left is None else np.maximum(left, at, out=left)
            x0, y0 = x1, y1
        if left is None or right is None:
            return None
        inside = np.greater_equal(columns, left[:, None])
        inside &= columns < right[:, None]
        return (slice(top, bottom), slice(west, east)), inside


def _packed(colour: Colour) -> int:
    red, green, blue = colour
    return red << 20 | green << 10 | blue


_SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: Fast, and on such pictures hardly larger than the best.
_LEVEL = 6


def png(picture: Pixels) -> bytes:
    """The file of a picture of height x width x 3 (RGB).

    The same pixels give the same bytes wherever zlib is the same; its rebuilt versions pack a little differently.
    """
    import numpy as np

    height, width, _ = picture.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    rows[:, 1:] = picture.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), _LEVEL)), (b"IEND", b""))
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )
