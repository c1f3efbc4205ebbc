"""The figures of the geometry booklet."""

from __future__ import annotations

import math

from drawn.pen import Pen, Point, polygon


def bisector(pen: Pen) -> None:
    """△ABC with ∠B = 50°, ∠C = 70° and the bisector AD."""
    a, b, c = (62.0, 74.0), (0.0, 0.0), (89.0, 0.0)
    polygon(pen, {"A": a, "B": b, "C": c, "D": (49.5, 0)}, "ABC", ["AD"])


def exterior(pen: Pen) -> None:
    """△ABC with BC produced to D."""
    places: dict[str, Point] = {"A": (52, 52), "B": (0, 0), "C": (62, 0), "D": (108, 0)}
    polygon(pen, places, "ABC", ["CD"])


def median(pen: Pen) -> None:
    """△ABC with its median AD."""
    polygon(pen, {"A": (34, 56), "B": (0, 0), "C": (100, 0), "D": (50, 0)}, "ABC", ["AD"])


def grid(pen: Pen) -> None:
    """A right triangle with legs 4 and 3 on squared paper."""
    for k in range(7):
        pen.line((13 * k, 0), (13 * k, 65), dash=True)
    for k in range(6):
        pen.line((0, 13 * k), (78, 13 * k), dash=True)
    polygon(pen, {"A": (13, 13), "B": (65, 13), "C": (13, 52)}, "ABC")


def heights(pen: Pen) -> None:
    """△ABC with ∠A = 62° and the heights BD and CE that meet at H."""
    b, c = (0.0, 0.0), (120.0, 0.0)
    a = (52.0, 104.0)
    d, e = _foot(b, a, c), _foot(c, a, b)
    h = _meet(b, d, c, e)
    polygon(pen, {"A": a, "B": b, "C": c, "D": d, "E": e}, "ABC", ["BD", "CE"])
    pen.text(h[0] + 1, h[1] - 14, "H")


def _foot(p: Point, a: Point, b: Point) -> Point:
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)
    return a[0] + t * dx, a[1] + t * dy


def _meet(p: Point, q: Point, r: Point, s: Point) -> Point:
    d = (q[0] - p[0]) * (s[1] - r[1]) - (q[1] - p[1]) * (s[0] - r[0])
    t = ((r[0] - p[0]) * (s[1] - r[1]) - (r[1] - p[1]) * (s[0] - r[0])) / d
    return p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])


def folded(pen: Pen) -> None:
    """A rectangle ABCD folded along EF so that ∠EFB = 65°; D and C go to D′ and C′."""
    width, height, foot = 156.0, 60.0, 70.0
    crease = math.radians(65)
    f: Point = (foot, 0)
    e: Point = (foot - height / math.tan(crease), height)
    mirrored = [_mirror(p, e, f) for p in ((width, height), (width, 0.0))]
    pen.line((0, 0), (0, height), e, f, (0, 0))
    pen.line(e, (width, height), (width, 0), f, dash=True)
    pen.line(e, mirrored[0], mirrored[1], f)
    places = {"A": (0.0, height), "C": (width, 0.0), "D": (width, height), "E": e}
    pen.names(places | {"D′": mirrored[0], "C′": mirrored[1]}, (75, 28))
    pen.text(8, 4, "B")
    pen.text(foot + 8, -10, "F")


def _mirror(p: Point, a: Point, b: Point) -> Point:
    foot = _foot(p, a, b)
    return 2 * foot[0] - p[0], 2 * foot[1] - p[1]


def congruent(pen: Pen) -> None:
    """Two triangles that share the side AC, on either side of it."""
    polygon(pen, {"A": (0, 0), "B": (52, 44), "C": (110, 0), "D": (52, -44)}, "ABCD", ["AC"])


def bridge(pen: Pen) -> None:
    """A pond with the points A and B beyond reach, C outside and D, E on the produced lines."""
    a, b, c = (0.0, 70.0), (110.0, 70.0), (55.0, 35.0)
    pen.line((18, 62), (40, 80), (76, 80), (94, 62), (60, 52), close=True, fill=0.88)
    pen.line(a, (110, 0), (0, 0), b)
    pen.line(a, b, dash=True)
    pen.names({"A": a, "B": b, "C": (c[0], c[1]), "D": (110, 0), "E": (0, 0)}, (55, 30))


def ladder(pen: Pen) -> None:
    """A ladder against a wall."""
    pen.rect(60, 0, 9, 108, fill=0.8)
    pen.line((-14, 0), (69, 0))
    pen.line((0, 0), (60, 80))
    pen.text(53, 84, "A")
    pen.text(0, -11, "B")
    pen.text(60, -11, "C")


def box(pen: Pen) -> None:
    """A box of 4 by 3 by 12 with its diagonal."""
    w, h, dx, dy = 40.0, 84.0, 20.0, 14.0
    pen.line((0, 0), (w, 0), (w, h), (0, h), close=True)
    pen.line((w, 0), (w + dx, dy), (w + dx, h + dy), (dx, h + dy), (0, h))
    pen.line((w, h), (w + dx, h + dy))
    pen.line((0, 0), (dx, dy), (dx, h + dy), dash=True)
    pen.line((dx, dy), (w + dx, dy), dash=True)
    pen.line((0, 0), (w + dx, h + dy), dash=True)
    pen.text(20, -11, "4")
    pen.text(56, 0, "3")
    pen.text(68, 50, "12")


def parallelogram(pen: Pen) -> None:
    """▱ABCD with its diagonals meeting at O."""
    places: dict[str, Point] = {"A": (28, 56), "B": (0, 0), "C": (100, 0), "D": (128, 56)}
    polygon(pen, places, "ABCD", ["AC", "BD"])
    pen.text(64, 14, "O")


def kite(pen: Pen) -> None:
    """A rhombus with its diagonals."""
    polygon(pen, {"A": (0, 0), "B": (48, 36), "C": (96, 0), "D": (48, -36)}, "ABCD", ["AC", "BD"])
