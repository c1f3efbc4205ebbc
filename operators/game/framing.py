"""The other framing of a question to a model: its cards alone, or, for the light, the screen without them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from operators.game.memory.second_look import scaled
from operators.game.rounds import Box
from operators.game.screen import screen

#: What stands around the cards is shown with them, as a share of their height: marks, and digits beyond an outline.
_AROUND = 0.35


def other_framing(field: str, question: Path, result: Path, cards: Sequence[Box] | None) -> bytes:
    """The picture that tells a field, framed otherwise than as the whole screen, as PNG.

    Where the cards are not known it is the whole screen at half its size.
    """
    pixels = screen(result if field == "card" else question)
    if cards is None:
        return _png(cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    there = scaled(cards, screen(question), pixels) if field == "card" else cards
    height, width = pixels.shape[:2]
    margin = _AROUND * max(box[3] - box[1] for box in there)
    x0, y0 = (max(0, round(min(box[side] for box in there) - margin)) for side in (0, 1))
    x1, y1 = (round(max(box[side] for box in there) + margin) for side in (2, 3))
    if field != "light":
        return _png(pixels[y0 : min(y1, height), x0 : min(x1, width)])
    without = pixels.copy()
    without[y0:y1, x0:x1] = np.median(pixels[y0:y1, x0:x1], axis=(0, 1))
    return _png(without)


def _png(pixels: Any) -> bytes:
    return cv2.imencode(".png", np.ascontiguousarray(pixels[:, :, ::-1]))[1].tobytes()
