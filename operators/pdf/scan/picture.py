"""The picture of a scanned page, rendered and turned straight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(slots=True)
class PagePicture:
    """A page as pixels, turned straight: height x width x 3 (RGB) of uint8.

    ``scale`` is pixels a point of the page; ``angle`` tells by how many degrees, counter-clockwise, the
    page was turned to make its lines level. Places in points are those of the straight picture divided by
    ``scale``, from its upper left corner, y downwards.
    """

    pixels: NDArray[np.uint8]
    scale: float
    angle: float = 0.0
