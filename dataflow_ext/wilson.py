"""How far a share that was counted in a sample can be trusted."""

from __future__ import annotations

import math

#: The standard normal's 97.5 % point.
_Z = 1.959964


def wilson(right: int, of: int) -> tuple[float, float]:
    """Wilson's 95 % bounds of a share: Wilson (1927), the score interval without a correction.

    >>> [round(bound, 4) for bound in wilson(0, 10)]
    [0.0, 0.2775]
    """
    if not of:
        return 0.0, 1.0
    share, z2 = right / of, _Z * _Z
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    half = _Z / (1 + z2 / of) * math.sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    # The ends of nothing and everything are exact; rounding must not tell otherwise.
    return (0.0 if right == 0 else middle - half), (1.0 if right == of else middle + half)
