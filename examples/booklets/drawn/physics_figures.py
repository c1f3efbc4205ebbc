"""The figures of the physics booklet."""

from __future__ import annotations

import math

from drawn.pen import Pen


def mirror(pen: Pen) -> None:
    """A ray that meets a mirror at 35° to its surface."""
    pen.line((0, 0), (150, 0))
    for k in range(16):
        pen.line((10 * k, 0), (10 * k - 6, -6))
    rise = math.tan(math.radians(35))
    pen.arrow((0, 75 * rise), (75, 0))
    pen.arrow((75, 0), (150, 75 * rise))
    pen.line((75, 0), (75, 58), dash=True)
    pen.text(44, 6, "35°")


def thermometer(pen: Pen) -> None:
    """A thermometer lying on its side; the column ends at 28."""
    left, unit = 24.0, 3.2
    pen.rect(left - 8, 0, 50 * unit + 22, 24)
    pen.circle(left - 16, 6, 8, fill=0.35)
    pen.rect(left - 8, 4, 8 + 28 * unit, 4, fill=0.35)
    for k in range(0, 51, 2):
        pen.line((left + k * unit, 8), (left + k * unit, 14 if k % 10 == 0 else 11))
    for k in range(0, 51, 10):
        pen.text(left + k * unit, 16, str(k))
    pen.text(left + 50 * unit + 24, 8, "℃")


def melting(pen: Pen) -> None:
    """Temperature over time: up to 80 ℃ at 4 min, level until 10 min, up again."""
    pen.arrow((0, 0), (150, 0))
    pen.arrow((0, 0), (0, 92))
    pen.line((0, 20), (40, 60), (100, 60), (124, 84))
    pen.line((0, 60), (40, 60), dash=True)
    for minute in (4, 10):
        pen.line((minute * 10, 0), (minute * 10, 60), dash=True)
        pen.text(minute * 10, -11, str(minute))
    pen.text(-10, 57, "80")
    pen.text(-10, 17, "40")
    pen.text(-14, 84, "t/℃")
    pen.text(152, -13, "时间/min")


def cube(pen: Pen) -> None:
    """A cube on a table."""
    pen.rect(35, 0, 50, 50, fill=0.85)
    pen.line((0, 0), (120, 0))
    for k in range(13):
        pen.line((10 * k, 0), (10 * k - 5, -6))


def balances(pen: Pen) -> None:
    """A block on a spring balance in air, and the same in a beaker of water."""
    for x, reading in ((30.0, "5 N"), (130.0, "3 N")):
        pen.rect(x - 7, 70, 14, 34, fill=0.92)
        pen.line((x, 104), (x, 112))
        pen.line((x, 70), (x, 40))
        pen.rect(x - 10, 20, 20, 20, fill=0.5)
        pen.text(x + 20, 84, reading)
    pen.line((102, 60), (102, 0), (158, 0), (158, 60))
    pen.line((102, 50), (158, 50))


def circuit(pen: Pen) -> None:
    """Two lamps in parallel, each with its switch, and a common switch S beside the terminals."""
    for y, lamp, switch in ((82.0, "L1", "S1"), (40.0, "L2", "S2")):
        pen.line((0, y), (34, y))
        pen.circle(44, y, 10)
        pen.line((37, y - 7), (51, y + 7))
        pen.line((37, y + 7), (51, y - 7))
        pen.line((54, y), (90, y), (106, y + 9))
        pen.line((110, y), (140, y))
        pen.text(44, y + 14, lamp)
        pen.text(96, y + 12, switch)
    pen.line((0, 82), (0, 0), (44, 0))
    pen.circle(46, 0, 2)
    pen.circle(60, 0, 2)
    pen.text(53, -13, "电源")
    pen.line((62, 0), (92, 0), (108, 9))
    pen.line((112, 0), (140, 0), (140, 82))
    pen.text(98, 12, "S")
