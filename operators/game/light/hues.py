"""Hues and the three names a lamp's colour can have."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from operators.game.rounds import Light

#: Where each colour surely lies, in degrees; between two of them a hue has no sure name.
_SURE: dict[Light, tuple[float, float]] = {"RED": (-30.0, 16.0), "YELLOW": (29.0, 66.0), "GREEN": (80.0, 178.0)}
#: How far outside a colour's hues may lie and still have its name, ever less surely.
_SLACK = 12.0
#: Where the pixels of one lamp may lie: wider, as a lamp shades off, and a camera or a JPEG shifts its hue.
WINDOWS: dict[Light, tuple[float, float]] = {"RED": (-45.0, 27.0), "YELLOW": (17.0, 78.0), "GREEN": (68.0, 188.0)}
#: What makes chroma times value the same for lamps that people call equally bright: green shades are duller.
FAIR: dict[Light | None, float] = {"RED": 1.0, "YELLOW": 0.75, "GREEN": 1.35, None: 1.0}
#: The rest of the circle; no lamp has these hues, but coins, badges and buttons have, and stand in rows.
OTHER = (188.0, 315.0)


def named(hue: float) -> tuple[Light | None, float]:
    """A hue's name (None for no lamp's colour) and how sure that is, 0 to 1.

    >>> named(120.0), named(355.0), named(41.0), named(240.0)
    (('GREEN', 1.0), ('RED', 1.0), ('YELLOW', 1.0), (None, 0.0))
    >>> named(19.0)
    ('RED', 0.75)
    """
    best: tuple[Light | None, float] = (None, 0.0)
    for name, (low, high) in _SURE.items():
        turned = (hue - low) % 360.0 + low  # at or above the low end
        outside = min(max(0.0, turned - high), low + 360.0 - turned)
        sure = max(0.0, 1.0 - outside / _SLACK)
        if sure > best[1]:
            best = (name, round(sure, 3))
    return best


def mean_hue(hues: NDArray[np.float32], weights: NDArray[np.float32]) -> float:
    """The weighted mean of hues in degrees (0 to 360), on the circle, so that 359 and 1 give 0."""
    import numpy as np

    angles = np.deg2rad(hues)
    x, y = float((np.cos(angles) * weights).sum()), float((np.sin(angles) * weights).sum())
    return float(np.rad2deg(np.arctan2(y, x)) % 360.0)
