"""What a picture file must be to go into a data set, or to a model: whole, of a known format, of bounded size, bare."""

from dataflow_ext.pictures.check import (
    FORMATS,
    MOST_BYTES,
    MOST_PIXELS,
    CheckedPicture,
    UnfitPicture,
    checked_file,
    checked_picture,
    opened_picture,
)
from dataflow_ext.pictures.metadata import Malformed, format_of, without_metadata

__all__ = [
    "FORMATS",
    "MOST_BYTES",
    "MOST_PIXELS",
    "CheckedPicture",
    "Malformed",
    "UnfitPicture",
    "checked_file",
    "checked_picture",
    "format_of",
    "opened_picture",
    "without_metadata",
]
