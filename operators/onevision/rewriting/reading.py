"""What is written in a picture, as its description says: which of these labels a row uses, and what they bear out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from operators.onevision.language import language_of
from operators.onevision.rewriting.facts import words_of
from operators.onevision.rewriting.meta import without_talk
from operators.onevision.rewriting.sentences import sentences_of
from operators.onevision.rewriting.vague import is_vague

#: Labels that a reasoning cites at most, and the characters of one.
MOST, LONGEST = 6, 40

#: The line of a description that lists all texts of the picture; it is never told as it is.
_LIST = re.compile(r"^[ \t]{0,8}(?:Text in the picture, from top to bottom:|图中文字，自上而下：)(.*)$", re.MULTILINE)
#: The list of what a detector found; nobody sees numbers of pixels.
_BOXES = ("Objects with boxes (", "物体及其边界框（")
#: Texts and quantities that can be read off a picture: "m = 6 kg", 'the text "STOP"', 30°.
_QUOTED = re.compile(r"[\"“「]([^\"”」\n]{1,200})[\"”」]")
_LABEL = re.compile(r"[\"“「]([^\"”」\n]{1,24})[\"”」]|(?<!\w)([A-Za-z]{1,2}\s?=\s?\d[\d.,]*\s?[A-Za-zΩ°%]{0,5})")
_CHINESE = re.compile(r"[\u3400-\u9fff]+")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
#: What a computation comes to is not what was read.
_RESULT = re.compile(r"(?<=[\d)])\s{0,2}[=≈]\s{0,2}\d[\d.,]*")
_LETTER = re.compile(r"(?<![A-Za-z0-9])[B-HJ-Zb-z](?![A-Za-z0-9])")


@dataclass(frozen=True, slots=True)
class Described:
    """A description: its sentences, those that can be told in each language, and the labels."""

    sentences: tuple[str, ...]
    tellable: tuple[tuple[str | None, str], ...]
    listed: tuple[str, ...]
    labels: tuple[str, ...]

    @property
    def known(self) -> bool:
        """Whether anything is described at all."""
        return bool(self.sentences or self.labels)

    def tellable_in(self, tongue: str) -> list[str]:
        """The sentences that somebody who writes in this language can tell as seen."""
        return [text for language, text in self.tellable if language in (None, tongue)]


@lru_cache(maxsize=512)
def described(text: str) -> Described:
    """A description, taken apart once for all rows of its picture.

    >>> described('A jar.\\nText in the picture, from top to bottom: "Jam"; "250 g".').labels
    ('Jam', '250 g')
    """
    listed = tuple(dict.fromkeys(label.strip() for line in _LIST.findall(text) for label in _QUOTED.findall(line)))
    sentences = tuple(dict.fromkeys(sentences_of(_LIST.sub("", text))))
    seen = [(each, without_talk(each)) for each in sentences if not is_vague(each) and not each.startswith(_BOXES)]
    tellable = tuple((language_of(each), told) for each, told in seen if told is not None)
    quoted = [(found[1] or found[2]).strip() for each in sentences for found in _LABEL.finditer(each)]
    labels = tuple(dict.fromkeys([*quoted, *listed]))
    return Described(sentences, tellable, listed, labels)


def used(labels: tuple[str, ...], asked: str, steps: str) -> list[str]:
    """The labels that a row's question or steps use, in the picture's order; those of the question, if too many.

    >>> used(("0", "Pears", "30", "15"), "What is half of the pears?", "The bar of pears shows 30. 30 / 2 = 15.")
    ['Pears', '30']
    """
    need = f"{asked}\n{_RESULT.sub(' ', steps)}"
    known, first = words_of(need), words_of(asked)
    letters = frozenset(_LETTER.findall(need))
    results = {number for found in _RESULT.findall(steps) for number in _NUMBER.findall(found)}
    shared = [each for each in labels if each not in results and _is_used(each, known, letters, need)]
    if len(shared) > MOST:
        ranked = sorted(shared, key=lambda each: (not words_of(each) <= first, len(each) < 2))
        shared = sorted(ranked[:MOST], key=labels.index)
    return shared


def _is_used(label: str, known: frozenset[str], letters: frozenset[str], need: str) -> bool:
    if len(label) > LONGEST:
        return False
    if len(label) == 1 and not label.isdigit():
        return label in letters
    numbers = [number for number in _NUMBER.findall(label) if number != "0"]
    if numbers:
        return known.issuperset(numbers)
    words = {word for word in words_of(label) if word[0] <= "\u33ff"}
    runs = _CHINESE.findall(label)
    return bool(words or runs) and words <= known and all(run in need for run in runs)
