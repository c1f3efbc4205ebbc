"""Rectangles on a page: around others, near others, and in clusters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dataflow_ext import boxes as any_boxes
from operators.pdf.parser.runs import Box

#: With more rectangles than this, those that share a cell of a raster are joined first.
_MANY = 300
_MAX_CELLS = 64

_Cluster = tuple[Box, list[int]]

union, centre = any_boxes.union, any_boxes.middle


def corners(box: Box) -> tuple[tuple[float, float], ...]:
    """The four corners of a rectangle."""
    x0, y0, x1, y1 = box
    return (x0, y0), (x1, y0), (x0, y1), (x1, y1)


def area(box: Box) -> float:
    """What a rectangle covers."""
    return (box[2] - box[0]) * (box[3] - box[1])


def common(one: Box, two: Box) -> float:
    """What two rectangles both cover."""
    wide, high = min(one[2], two[2]) - max(one[0], two[0]), min(one[3], two[3]) - max(one[1], two[1])
    return max(wide, 0.0) * max(high, 0.0)


def scaled(box: Box, scale: float) -> Box:
    """A rectangle in units of which ``scale`` make one of its own."""
    return (box[0] * scale, box[1] * scale, box[2] * scale, box[3] * scale)


def widened(box: Box, by: float) -> Box:
    """A rectangle larger by so much on each side."""
    return (box[0] - by, box[1] - by, box[2] + by, box[3] + by)


def holds(outer: Box, inner: Box, margin: float = 0.0) -> bool:
    """Whether the middle of a rectangle lies in another one widened by ``margin``."""
    return inside(*centre(inner), outer, margin)


def near(one: Box, two: Box, gap: float) -> bool:
    """Whether two rectangles overlap or lie within ``gap`` points of each other."""
    return one[0] - gap <= two[2] and two[0] - gap <= one[2] and one[1] - gap <= two[3] and two[1] - gap <= one[3]


def inside(x: float, y: float, box: Box, margin: float = 0.0) -> bool:
    """Whether a point lies in a rectangle widened by ``margin`` points."""
    return box[0] - margin <= x <= box[2] + margin and box[1] - margin <= y <= box[3] + margin


def touching(boxes: Sequence[Box], gap: float) -> Iterator[list[int]]:
    """Indices of rectangles in groups that are nearer than ``gap`` to one another: what a ring holds is not of it.

    >>> list(touching([(0, 0, 9, 1), (8, 1, 9, 9), (3, 3, 4, 4)], 0.5))
    [[0, 1], [2]]
    """
    left = set(range(len(boxes)))
    while left:
        members = [left.pop()]
        for at in members:
            beside = [other for other in left if near(boxes[at], boxes[other], gap)]
            left.difference_update(beside)
            members += beside
        yield sorted(members)


def group(boxes: Sequence[Box], gap: float) -> list[list[int]]:
    """Indices of rectangles by clusters: those nearer than ``gap``, and what these reach in turn.

    Where there are hundreds, up to twice the gap may be bridged: plots with thousands of strokes must
    not take seconds.

    >>> group([(0, 0, 1, 1), (9, 9, 10, 10), (1, 1, 2, 2)], 0.5)
    [[0, 2], [1]]
    """
    parts: list[_Cluster] = [(box, [index]) for index, box in enumerate(boxes)]
    if len(boxes) > _MANY:
        parts = _coarse(parts, max(gap, 2.0))
    clusters: list[_Cluster] = []
    for box, members in parts:
        while True:
            touching = [one for one in clusters if near(one[0], box, gap)]
            if not touching:
                break
            clusters = [one for one in clusters if not near(one[0], box, gap)]
            box = union([box, *(one[0] for one in touching)])
            members = members + [member for one in touching for member in one[1]]
        clusters.append((box, members))
    return sorted(sorted(members) for _, members in clusters)


def _coarse(parts: Sequence[_Cluster], cell: float) -> list[_Cluster]:
    """Small rectangles joined over cells of a raster that they share or that adjoin; large ones as before."""
    large: list[_Cluster] = []
    cells: dict[tuple[int, int], list[int]] = {}
    for number, (box, _) in enumerate(parts):
        x0, y0, x1, y1 = (int(side // cell) for side in box)
        if (x1 - x0 + 1) * (y1 - y0 + 1) > _MAX_CELLS:
            large.append(parts[number])
            continue
        for x in range(x0, x1 + 1):
            for y in range(y0, y1 + 1):
                cells.setdefault((x, y), []).append(number)
    joined: list[_Cluster] = []
    taken: set[int] = set()
    while cells:
        place, held = cells.popitem()
        edge, found = [place], set(held)
        while edge:
            x, y = edge.pop()
            for beside in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if beside in cells:
                    found.update(cells.pop(beside))
                    edge.append(beside)
        fresh = found - taken
        taken |= found
        if fresh:
            members = [member for number in sorted(fresh) for member in parts[number][1]]
            joined.append((union([parts[number][0] for number in fresh]), members))
    return joined + large
