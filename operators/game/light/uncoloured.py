"""The light where colour does not tell it: by the place of the lit lamp, by labels, and by words that name a colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from dataflow_ext.ocr import OCREngine, read_pictures
from operators.game.light.planes import planes_of
from operators.game.light.trio import Trio, trio_in
from operators.game.light.words import ColourWord, look_at_words, words_in
from operators.game.numbers.rows import middle
from operators.game.rounds import Box, Found, Light, Look

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

#: The colours from the left or the top, as traffic lights have them.
_ORDER: tuple[Light, Light, Light] = ("RED", "YELLOW", "GREEN")
#: How sure a colour is by its place: with labels at the lamps, and without, where lamps one above the other have one
#: order, while side by side it is only usual.
_LABELLED, _DOWN, _ACROSS = 0.8, 0.6, 0.5
#: The surest that several witnesses make a colour.
_SURE = 0.95
#: How far a label's middle is off its lamp's at most, in distances between lamps.
_ASIDE = 0.35


def look_without_colour(pixels: Pixels, coloured: Found, engine: OCREngine) -> Found:
    """The light by all that tells it, given what its colour told: witnesses that agree are surer together."""
    trio = trio_in(planes_of(pixels))
    window = _inside(trio.around, pixels) if trio else (0, 0, pixels.shape[1], pixels.shape[0])
    x0, y0, x1, y1 = window
    part = np.ascontiguousarray(pixels[y0:y1, x0:x1])
    [lines] = read_pictures(engine, [part])
    here = [replace(line, box=_moved(line.box, x0, y0)) for line in lines]
    words = [word for line in here for word in words_in(line)]
    spoken = look_at_words(pixels, words) if trio is None or len(words) > 1 else _nothing("words", "no labels are read")
    return _together([coloured, by_place(trio, words), spoken])


def by_place(trio: Trio | None, words: Sequence[ColourWord]) -> Found:
    """The colour that the place of the lit lamp stands for: its label's, else by the order of traffic lights."""
    if trio is None:
        return _nothing("place", "no three equal lamps are seen of which one is lit")
    where = ("at the top", "in the middle", "at the bottom") if trio.down else ("left", "in the middle", "right")
    x, y = middle(trio.boxes[trio.lit])
    reason = f"of three equal lamps the one {where[trio.lit]} at ({x:.0f}, {y:.0f}) is lit"
    labels = [_label(trio, lamp, words) for lamp in range(3)]
    named = [label for label in labels if label is not None]
    colour, confidence = _ORDER[trio.lit], _DOWN if trio.down else _ACROSS
    if len(named) > 1 and len(set(named)) == len(named):
        own = labels[trio.lit]
        left = set(_ORDER) - set(named)
        colour = own if own is not None else left.pop()
        confidence, reason = _LABELLED, f"{reason}, where the labels say {colour}"
    return Found(colour, Look("place", colour, confidence, reason), columns={"lamp": trio.boxes[trio.lit]})


def _label(trio: Trio, lamp: int, words: Sequence[ColourWord]) -> Light | None:
    """The colour that the only label of a lamp names."""
    along = 1 if trio.down else 0
    at = middle(trio.boxes[lamp])[along]
    own = {word.colour for word in words if abs(middle(word.box)[along] - at) <= _ASIDE * trio.step}
    return own.pop() if len(own) == 1 else None


def _together(found: Sequence[Found]) -> Found:
    """What witnesses tell together, each wrong by itself: those who agree with the surest add to it, others take."""
    speaking = sorted((each for each in found if each.value is not None), key=lambda each: -each.look.confidence)
    if not speaking:
        why = "; ".join(each.look.reason for each in found)
        return Found(None, Look(found[0].look.by, "", 0.0, why), columns=found[0].columns)
    best = speaking[0]
    agree = [each for each in speaking if each.value == best.value]
    against = [each for each in speaking if each.value != best.value]
    sure = min(max(_SURE, best.look.confidence), 1 - prod(1 - each.look.confidence for each in agree))
    sure *= prod(1 - each.look.confidence for each in against)
    also = "".join(f"; {each.look.reason}" for each in agree[1:])
    but = "".join(f"; but {each.value} by {each.look.by}: {each.look.reason}" for each in against)
    look = replace(best.look, confidence=round(sure, 3), reason=f"{best.look.reason}{also}{but}")
    lamp = next((each.columns["lamp"] for each in agree if "lamp" in each.columns), None)
    return Found(best.value, look, [each.look for each in found if each is not best], {"lamp": lamp})


def _nothing(by: str, reason: str) -> Found:
    return Found(None, Look(by, "", 0.0, reason))


def _inside(box: Box, pixels: Pixels) -> tuple[int, int, int, int]:
    high, wide = pixels.shape[:2]
    return max(0, int(box[0])), max(0, int(box[1])), min(wide, int(box[2])), min(high, int(box[3]))


def _moved(box: Box, x: float, y: float) -> Box:
    return box[0] + x, box[1] + y, box[2] + x, box[3] + y
