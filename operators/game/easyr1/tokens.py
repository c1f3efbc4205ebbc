"""How many tokens a picture costs in the prompt of Qwen2.5-VL, as EasyR1 prepares it."""

from __future__ import annotations

from math import ceil, floor, sqrt

from operators.game.easyr1.form import MAX_PIXELS, MIN_PIXELS

#: A token stands for a square of this many pixels a side.
_SIDE = 28
#: Limits of the model's own image processor.
_LEAST, _MOST = 3_136, 12_845_056
#: A picture that is longer than this many times its width is refused by the image processor.
MOST_STRETCHED = 200


def image_tokens(width: int, height: int, max_pixels: int = MAX_PIXELS, min_pixels: int = MIN_PIXELS) -> int:
    """The image tokens of a picture of this size (pixels), with EasyR1's ``max_pixels`` and ``min_pixels``.

    >>> image_tokens(1080, 2340), image_tokens(1080, 2340, max_pixels=1_048_576)
    (3276, 1350)
    """
    width, height = max(width, 1), max(height, 1)
    if width * height > max_pixels:
        width, height = _scaled(width, height, sqrt(max_pixels / (width * height)))
    if width * height < min_pixels:
        width, height = _scaled(width, height, sqrt(min_pixels / (width * height)))
    return _columns_and_rows(width, height)


def _scaled(width: int, height: int, factor: float) -> tuple[int, int]:
    return max(int(width * factor), 1), max(int(height * factor), 1)


def _columns_and_rows(width: int, height: int) -> int:
    """Tokens of a picture whose sides the model rounds to whole squares."""
    columns, rows = (max(round(side / _SIDE), 1) for side in (width, height))
    pixels = columns * rows * _SIDE * _SIDE
    if pixels > _MOST:
        shrink = sqrt(width * height / _MOST)
        columns, rows = (max(floor(side / shrink / _SIDE), 1) for side in (width, height))
    elif pixels < _LEAST:
        grow = sqrt(_LEAST / (width * height))
        columns, rows = (ceil(side * grow / _SIDE) for side in (width, height))
    return columns * rows
