"""The ink of a scanned page as a mask, whatever the colour of its paper and the evenness of its light."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import cv2
import numpy as np

from dataflow_ext.ocr import OCRLine
from operators.pdf.scan.picture import PagePicture

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The light is judged on a picture this many times smaller.
_COARSE = 8
#: Dark areas narrower than this, in ems, are ink on paper and no darker paper.
_PAPER_REACH = 24.0
#: Paper is nowhere darker than this share of the page's usual paper.
_DARKEST_PAPER = 0.4
#: A pixel is ink from this share of the darkness of the page's letters on; watermarks stay below it.
_INK = 0.26
_FAINTEST = 0.14
#: Letters of a box are about this share of its height.
_LETTERS = 0.8
#: The size of text where nothing was read, in points.
_USUAL_SIZE = 10.5


def text_size(picture: PagePicture, lines: Sequence[OCRLine]) -> float:
    """The em of a page's text in pixels, from the heights of its lines; 10.5 points if there are none."""
    heights = [(line.box[3] - line.box[1], len(line.text)) for line in lines if len(line.text) > 3]
    heights = heights or [(line.box[3] - line.box[1], len(line.text)) for line in lines]
    half = sum(count for _, count in heights) / 2
    for height, count in sorted(heights):
        half -= count
        if half <= 0:
            return max(_LETTERS * height, 0.5 * _USUAL_SIZE * picture.scale)
    return _USUAL_SIZE * picture.scale


def ink_mask(picture: PagePicture, lines: Sequence[OCRLine], em: float) -> NDArray[np.uint8]:
    """1 where a page has ink, else 0: height x width of uint8, pale watermarks left out."""
    # Coloured ink is dark in one channel at least.
    red, green, blue = cv2.split(picture.pixels)
    darkest = np.asarray(cv2.min(cv2.min(red, green), blue), np.uint8)
    light = np.asarray(cv2.divide(darkest, _paper(darkest, em), scale=255), np.uint8)
    level = round(255 * (1 - max(_INK * _letter_darkness(light, lines), _FAINTEST)))
    return np.asarray(cv2.threshold(light, level, 1, cv2.THRESH_BINARY_INV)[1], np.uint8)


def _paper(darkest: NDArray[np.uint8], em: float) -> NDArray[np.uint8]:
    """The lightness of the paper at each pixel, as if nothing were printed on it."""
    height, width = darkest.shape
    small = cv2.resize(darkest, (max(width // _COARSE, 1), max(height // _COARSE, 1)), interpolation=cv2.INTER_AREA)
    reach = max(int(_PAPER_REACH * em / _COARSE), 3) | 1
    # Light goes on falling beyond the border: the closing must not take it for ink there.
    rim = min(reach, *(side - 1 for side in small.shape))
    wide = np.pad(small.astype(np.int16), rim, mode="reflect", reflect_type="odd") if rim > 0 else small
    closed = cv2.morphologyEx(
        np.clip(wide, 0, 255).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8)
    )
    paper = closed[rim : closed.shape[0] - rim, rim : closed.shape[1] - rim]
    usual = float(np.percentile(paper, 75))
    paper = np.maximum(cv2.blur(paper, (5, 5)), np.uint8(_DARKEST_PAPER * usual))
    return np.asarray(cv2.resize(paper, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def _letter_darkness(light: NDArray[np.uint8], lines: Sequence[OCRLine]) -> float:
    """How dark the page's letters are, from 0 to 1."""
    samples = []
    for line in lines[:: max(len(lines) // 40, 1)]:
        x0, y0, x1, y1 = (max(int(side), 0) for side in line.box)
        part = light[y0:y1:2, x0:x1:2]
        if part.size:
            samples.append(float(np.percentile(part, 3)))
    return 1 - float(np.median(samples)) / 255 if samples else 0.8
