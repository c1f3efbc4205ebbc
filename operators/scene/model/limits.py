"""What words mean in numbers: one limit for each, for filter, facts, planner, judge, claims and texts alike.

Metres, shares of a footprint, cubic metres, degrees. A word tells no difference below the data's two decimals.
"""

from __future__ import annotations

#: Overlaps from here on are told; below, two pieces touch. Twice the width of a line in the pictures.
OVERLAP = 0.05
#: The share of a footprint outside the floor from which a piece leaves the room.
OUTSIDE = 0.05
#: Metres between a lower side and what is under it up to which it stands there; beyond, it floats or sinks.
TOUCH = 0.05
#: Metres of height up to which a piece lies flat, as a rug does, so that others may stand on it.
FLAT = 0.06
#: Metres above the floor from which a piece is in nobody's way.
ALOFT = 1.2
#: Metres between a side and a wall up to which a piece is at it, and from which core furniture is off it.
AT_WALL, OFF_WALL = 0.15, 0.3
#: Metres between two footprints up to which they are near, and from which they are far from each other.
NEAR, FAR = 0.6, 2.0
#: Metres before a front below which it is blocked.
BLOCKED = 0.4
#: Metres of height from which one sits at a table, so that a chair before it is turned to it.
SAT_AT = 0.6
#: The share of all footprints in one half from which a room is one-sided.
ONE_SIDED = 0.8
#: Cubic metres below which a piece is small, and from which it is large: the bands of the planner.
SMALL, LARGE = 0.5, 2.0
#: Degrees between a front and the way to a thing, or a direction, up to which it is faced, and from which it is
#: faced away from.
FACING, AWAY = 30.0, 110.0
#: Degrees between a front and a wall's normal up to which a back is turned to the wall.
SQUARE = 10.0
#: What two numbers of floats may differ by and still be equal.
EXACT = 1e-6
