"""The painter of rooms: a picture of a scene from above and at an angle, without any program beside NumPy."""

from __future__ import annotations

from importlib.util import find_spec

from dataflow_ext import OptionError
from dataflow_ext.packages import install_hint
from operators.scene.model.scene import Scene

__all__ = ["SIZE", "VERSION", "azimuth_of", "must_have_numpy", "picture"]

#: Raised whenever the same scene comes to look different.
VERSION = "1"
#: Pixels of a side of one of the two views.
SIZE = 512


def picture(scene: Scene, azimuth: int, *, size: int = SIZE) -> bytes:
    """A PNG with the view from above at the left, framed blue, and the diagonal view at the right, framed red.

    ``azimuth`` is where the viewer of the diagonal view stands, in degrees from north by east; ``size`` the pixels of
    one view's side. The bytes rest on the scene, the azimuth and the size alone; with another build of zlib they may
    be packed differently, the pixels stay. OptionError if NumPy is missing, or for a size that cannot be drawn.
    """
    must_have_numpy()
    if not 128 <= size <= 4096:
        raise OptionError(f"A view has 128 to 4096 pixels a side, not {size}.")
    import numpy as np

    from operators.scene.painter.canvas import png
    from operators.scene.painter.views import views

    return png(np.concatenate(views(scene, azimuth % 360, size), axis=1))


def azimuth_of(scene: Scene) -> int:
    """The azimuth from which most of a room's objects is seen; OptionError if NumPy is missing."""
    must_have_numpy()
    from operators.scene.painter.views import azimuth_of

    return azimuth_of(scene)


def must_have_numpy() -> None:
    """Raise OptionError if the package that pictures are drawn with is not installed."""
    if find_spec("numpy") is None:
        raise OptionError(f"Pictures of rooms are drawn with NumPy; install it with: {install_hint('scene')}")
