"""The light where colour does not tell it: by the place of the lit lamp, by labels, and by words that name a colour."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import prod
from typing import TYPE_CHECKING, get_args

import cv2
import numpy as np

from dataflow_ext.boxes import middle
from dataflow_ext.ocr import OCREngine, OCRLine, read_pictures
from dataflow_ext.text import rows
from operators.game.boxes import Place, apart, box_of, once, smaller
from operators.game.numbers.card_rows import evenness, threes
from operators.game.rounds import Box, Found, Light, Look

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dataflow_ext.ocr.engine import Pixels

#: What pictures are scaled down to, in pixels, by their shorter side; strips, by their longer one.
_SHORT, _LONG_SIDE = 720.0, 2600.0
#: Levels of grey at which outlines are looked for.
_LEVELS = range(12, 252, 12)
#: A lamp's size, as shares of the picture's shorter side, its longer by its shorter side at most, and the share of its
#: hull that it fills at least.
_LEAST, _MOST, _LONG, _FULL = 0.018, 0.3, 2.5, 0.9
#: How far sides and spacing of the three differ, as shares, and from where to where their middles are apart, in their
#: own widths: letters of a word stand closer.
_ALIKE, _EVEN, _NEAR, _FAR = 0.18, 0.1, 1.06, 6.0
#: The share of a shape's middle that is of one level of grey, within so many levels: cards have digits there.
_PLAIN, _WITHIN = 0.75, 32
#: How much the lit one differs from the others, in levels of 255, and these from each other at most.
_LIT, _OFF = 40.0, 16.0
#: The lamps are above this share of the picture's height, or beside the cards.
_LOW = 0.9
#: Outlines are told at most, the largest.
_KEPT = 200


@dataclass(frozen=True, slots=True)
class Trio:
    """Three shapes by their boxes in pixels of the picture, left to right or from the top, and which one differs."""

    boxes: tuple[Box, Box, Box]
    lit: int
    down: bool

    @property
    def step(self) -> float:
        """How far neighbours are apart, in pixels."""
        along = 1 if self.down else 0
        return (middle(self.boxes[2])[along] - middle(self.boxes[0])[along]) / 2

    @property
    def around(self) -> Box:
        """The shapes with as much around them as their labels may take."""
        (x0, y0, *_), (*_, x1, y1) = self.boxes[0], self.boxes[2]
        more = 2.5 * self.step if self.down else self.step
        return x0 - more, y0 - self.step, x1 + more, y1 + self.step


@dataclass(frozen=True, slots=True)
class _Shape:
    box: Box
    inside: float


def trio_in(pixels: Pixels) -> Trio | None:
    """The largest three equal shapes of a picture (RGB) of which one differs inside."""
    grey, scale = _grey(pixels)
    shapes = _shapes(grey)
    found: list[tuple[float, Trio]] = []
    for down in (False, True):
        turned = [_Shape(_turned(shape.box) if down else shape.box, shape.inside) for shape in shapes]
        for three in threes(turned, lambda shape: shape.box):
            lit = _lit(three, turned)
            if lit is None:
                continue
            boxes = [_turned(shape.box) if down else shape.box for shape in three]
            size = min((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes)
            one, two, last = ((x0 / scale, y0 / scale, x1 / scale, y1 / scale) for x0, y0, x1, y1 in boxes)
            found.append((size, Trio((one, two, last), lit, down)))
    return max(found, key=lambda each: each[0])[1] if found else None


def _grey(pixels: Pixels) -> tuple[NDArray[np.uint8], float]:
    """A picture without its colours, scaled down, and by how much."""
    small, scale = smaller(pixels, _LONG_SIDE, _SHORT)
    return np.asarray(cv2.cvtColor(cv2.GaussianBlur(small, (3, 3), 0), cv2.COLOR_RGB2GRAY), np.uint8), scale


def _lit(three: tuple[_Shape, _Shape, _Shape], shapes: Sequence[_Shape]) -> int | None:
    """Which of three shapes differs from the others, if they stand as lamps do."""
    boxes = [shape.box for shape in three]
    wide, high = [x1 - x0 for x0, _, x1, _ in boxes], [y1 - y0 for _, y0, _, y1 in boxes]
    step = (middle(boxes[2])[0] - middle(boxes[0])[0]) / 2
    alike = max(wide) <= (1 + _ALIKE) * min(wide) and max(high) <= (1 + _ALIKE) * min(high)
    even = evenness(boxes)
    if not alike or max(even.spacing, even.level) > _EVEN or not _NEAR * max(wide) <= step <= _FAR * max(wide):
        return None
    if any(_goes_on(boxes, step, shape.box) for shape in shapes):
        return None
    insides = [shape.inside for shape in three]
    for lit in range(3):
        one, other = (insides[i] for i in range(3) if i != lit)
        if abs(one - other) <= _OFF and min(abs(insides[lit] - one), abs(insides[lit] - other)) >= _LIT:
            return lit
    return None


def _goes_on(boxes: Sequence[Box], step: float, other: Box) -> bool:
    """Whether a shape of the same size is a fourth one of the row."""
    x, y = middle(other)
    high = boxes[1][3] - boxes[1][1]
    for at, away in ((boxes[0], -step), (boxes[2], step)):
        near = abs(x - middle(at)[0] - away) < 0.15 * step and abs(y - middle(at)[1]) < 0.3 * high
        if near and abs(other[3] - other[1] - high) < _ALIKE * high:
            return True
    return False


def _shapes(grey: NDArray[np.uint8]) -> list[_Shape]:
    """Shapes without dents that are plain inside, each once."""
    found = (place for level in _LEVELS for place in _outlines(grey, level))
    kept = once(found, lambda place: place[2] * place[3], lambda place: 0.12 * min(place[2:]) + 1, _KEPT)
    insides = [(box_of(place), _usual_level(grey, place)) for place in kept]
    return [_Shape(box, inside) for box, inside in insides if inside is not None]


def _outlines(grey: NDArray[np.uint8], level: int) -> Iterator[Place]:
    """Boxes of what is lighter, or darker, than a level of grey, and of a lamp's size."""
    least, most = _LEAST * min(grey.shape), _MOST * min(grey.shape)
    _, mask = cv2.threshold(grey, level, 255, cv2.THRESH_BINARY)
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    for contour in contours:
        x, y, w, h = cv2.boundingRect(contour)
        if not least <= min(w, h) or max(w, h) > min(most, _LONG * min(w, h)) or y > _LOW * grey.shape[0]:
            continue
        hull = cv2.contourArea(cv2.convexHull(contour))
        if hull >= 0.7 * (w - 1) * (h - 1) and cv2.contourArea(contour) >= _FULL * hull:
            yield x, y, w, h


def _usual_level(grey: NDArray[np.uint8], place: Place) -> float | None:
    """The usual level of grey in the middle of a shape; None if that is not plain."""
    x, y, w, h = place
    part: NDArray[np.uint8] = grey[y + h // 4 : y + h - h // 4, x + w // 4 : x + w - w // 4]
    if not part.size:
        return None
    usual = float(np.median(part))
    return usual if float((np.abs(part - usual) <= _WITHIN).mean()) >= _PLAIN else None


def _turned(box: Box) -> Box:
    x0, y0, x1, y1 = box
    return y0, x0, y1, x1


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
    trio = trio_in(pixels)
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
    return Found(colour, Look("place", colour, confidence, reason))


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
        return Found(None, Look(found[0].look.by, "", 0.0, why))
    best = speaking[0]
    agree = [each for each in speaking if each.value == best.value]
    against = [each for each in speaking if each.value != best.value]
    sure = min(max(_SURE, best.look.confidence), 1 - prod(1 - each.look.confidence for each in agree))
    sure *= prod(1 - each.look.confidence for each in against)
    also = "".join(f"; {each.look.reason}" for each in agree[1:])
    but = "".join(f"; but {each.value} by {each.look.by}: {each.look.reason}" for each in against)
    look = replace(best.look, confidence=round(sure, 3), reason=f"{best.look.reason}{also}{but}")
    return Found(best.value, look, [each.look for each in found if each is not best])


def _nothing(by: str, reason: str) -> Found:
    return Found(None, Look(by, "", 0.0, reason))


def _inside(box: Box, pixels: Pixels) -> tuple[int, int, int, int]:
    high, wide = pixels.shape[:2]
    return max(0, int(box[0])), max(0, int(box[1])), min(wide, int(box[2])), min(high, int(box[3]))


def _moved(box: Box, x: float, y: float) -> Box:
    return box[0] + x, box[1] + y, box[2] + x, box[3] + y


#: How sure a lone colour word is (it may be part of an instruction), one of several that stands out, and one that
#: stands with a word for the light.
_LONE, _OUT, _LABEL = 0.7, 0.75, 0.85
#: A longer line is a sentence: what it says of colours is no label.
_WORDS, _LETTERS = 4, 24
#: How far a label differs from the others at least, and those from each other at most, in levels of 255.
_DIFFERENT, _LIKE = 40.0, 25.0
_NAMES = frozenset(get_args(Light))
_WORD = re.compile(r"[^\W\d_]+")
#: Letters that have a plain one in place of an accent.
_UNACCENTED = str.maketrans("ıłøđ", "ilod")


@dataclass(frozen=True, slots=True)
class ColourWord:
    """A word for a colour, where it was read, and whether its line names the light, too."""

    colour: Light
    box: Box
    labelled: bool


def look_at_words(pixels: Pixels, words: Sequence[ColourWord]) -> Found:
    """The colour that words on the screen name as the light's; None if they name none, or several alike."""
    named = {word.colour for word in words}
    labelled = [word for word in words if word.labelled]
    if len(named) == 1:
        best = (labelled or list(words))[0]
        return _found(best, _LABEL if labelled else _LONE, "is the only colour that the screen names")
    if len({word.colour for word in labelled}) == 1:
        return _found(labelled[0], _LABEL, "is the colour that the screen names beside a word for the light")
    if len(words) == len(named) > 2 and (best_of_all := _standing_out(pixels, words)):
        return _found(best_of_all, _OUT, "stands out among the words for colours")
    reason = "words name several colours, and none stands out" if words else "words name no colour"
    return Found(None, Look("words", "", 0.0, reason))


def words_in(line: OCRLine) -> Iterator[ColourWord]:
    """The colours that a short line names.

    >>> [word.colour for word in words_in(OCRLine("Ampel: GRÜN", 0.9, (0, 0, 80, 20)))]
    ['GREEN']
    >>> [word.colour for word in words_in(OCRLine("信号灯:绿灯", 0.9, (0, 0, 80, 20)))]
    ['GREEN']
    """
    words = _WORD.findall(_bare(line.text))
    if len(words) > _WORDS or len(line.text) > _LETTERS:
        return
    meanings = [_table().get(word) for word in words]
    for meaning in dict.fromkeys(meanings):
        if meaning in _NAMES:
            yield ColourWord(meaning, line.box, "light" in meanings)  # type: ignore[arg-type]


@cache
def _table() -> Mapping[str, str]:
    """What each word means, GREEN, RED, YELLOW or light; words that mean two things in two languages are left out."""
    meanings: dict[str, set[str]] = {}
    for _, meaning, words in rows(__package__, "words.tsv"):
        for word in words.split():
            meanings.setdefault(_bare(word), set()).add(meaning)
    return {word: meaning.pop() for word, meaning in meanings.items() if len(meaning) == 1}


def _bare(text: str) -> str:
    """The text in small letters without accents, which engines of OCR lose."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", plain).translate(_UNACCENTED)


def _standing_out(pixels: Pixels, words: Sequence[ColourWord]) -> ColourWord | None:
    """The word whose ground or ink is another than that of all others, which are alike."""
    looks = [_looks(pixels, word.box) for word in words]
    out = [i for i, look in enumerate(looks) if _alike([other for j, other in enumerate(looks) if j != i])
           and all(apart(look, other) >= _DIFFERENT for j, other in enumerate(looks) if j != i)]  # fmt: skip
    return words[out[0]] if len(out) == 1 else None


def _alike(looks: Sequence[tuple[float, float]]) -> bool:
    return all(apart(one, other) <= _LIKE for one in looks for other in looks)


def _looks(pixels: Pixels, box: Box) -> tuple[float, float]:
    """The levels of grey of a word's ground and of its ink, which is the rarer."""
    x0, y0, x1, y1 = (max(0, round(side)) for side in box)
    grey = pixels[y0:y1, x0:x1].mean(axis=2)
    if not grey.size:
        return 0.0, 0.0
    low, high = np.percentile(grey, 3), np.percentile(grey, 97)
    ground = float(np.median(grey))
    return ground, float(low if ground - low > high - ground else high)


def _found(word: ColourWord, confidence: float, why: str) -> Found:
    x, y = middle(word.box)
    reason = f"a word for {word.colour} at ({x:.0f}, {y:.0f}) {why}"
    return Found(word.colour, Look("words", word.colour, confidence, reason))
