"""Words that name the light's colour: a label such as "Light: GREEN", or the one of three that stands out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, get_args

import numpy as np

from dataflow_ext.boxes import middle
from dataflow_ext.ocr import OCRLine
from dataflow_ext.text import rows
from operators.game.boxes import apart
from operators.game.rounds import Box, Found, Light, Look

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

#: How sure a lone colour word is (it may be part of an instruction), one of several that stands out, and one that
#: stands with a word for the light.
_LONE, _OUT, _LABEL = 0.7, 0.75, 0.85
#: A longer line is a sentence: what it says of colours is no label.
_WORDS, _LETTERS = 4, 24
#: How far a label differs from the others at least, and those from each other at most, in levels of 255.
_DIFFERENT, _ALIKE = 40.0, 25.0
_NAMES = frozenset(get_args(Light))
_WORD = re.compile(r"[^\W\d_]+")
#: Letters that have a plain one in place of an accent.
_PLAIN = str.maketrans("ıłøđ", "ilod")


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
    return unicodedata.normalize("NFC", plain).translate(_PLAIN)


def _standing_out(pixels: Pixels, words: Sequence[ColourWord]) -> ColourWord | None:
    """The word whose ground or ink is another than that of all others, which are alike."""
    looks = [_looks(pixels, word.box) for word in words]
    out = [i for i, look in enumerate(looks) if _alike([other for j, other in enumerate(looks) if j != i])
           and all(apart(look, other) >= _DIFFERENT for j, other in enumerate(looks) if j != i)]  # fmt: skip
    return words[out[0]] if len(out) == 1 else None


def _alike(looks: Sequence[tuple[float, float]]) -> bool:
    return all(apart(one, other) <= _ALIKE for one in looks for other in looks)


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
