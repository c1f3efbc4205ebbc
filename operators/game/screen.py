"""Screenshots as pixels, with errors that say what is wrong with the file."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from dataflow_ext import InputError, OptionError
from dataflow_ext.packages import install_hint

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels


class PictureMissing(InputError):
    """A picture that a round names is not there."""


class PictureDamaged(InputError):
    """A picture cannot be decoded as a whole."""


def screen(path: Path) -> Pixels:
    """The screenshot as an array of height x width x 3 (RGB) of uint8.

    Raises PictureMissing, or PictureDamaged for what is no picture or not a whole one.
    """
    from dataflow_ext.ocr import pixels_of

    if not path.is_file():
        raise PictureMissing(f"The picture {path} is not there; collect the round again, or take it out.")
    try:
        return pixels_of(path)
    except InputError as error:
        raise PictureDamaged(str(error)) from None


def must_have_numpy() -> None:
    """Raise OptionError if the packages that look at pictures are not installed."""
    if any(find_spec(package) is None for package in ("numpy", "cv2")):
        hint = install_hint("ocr")
        raise OptionError(f"Screenshots are looked at with NumPy and OpenCV; install them with: {hint}")
