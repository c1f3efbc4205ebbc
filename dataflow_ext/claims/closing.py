"""The closing sentence of a reasoning: put by code, or the writer's own if it names the gold and no rival."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dataflow_ext.claims.sentences import sentences


@dataclass(frozen=True, slots=True)
class Closing:
    """How a reasoning ends: the sentence for it, the words of which one names the gold, and those that name a rival."""

    sentence: str
    gold: Sequence[str]
    rivals: Sequence[str] = ()

    def errors(self, last: str) -> list[str]:
        """What contradicts the gold in a last sentence.

        >>> Closing("So it is B.", ["B", "the red lamp"], ["A", "C"]).errors("Hence A.")
        ["the last sentence names 'A', which is not the answer"]
        """
        return [
            f"the last sentence names '{word}', which is not the answer" for word in self.rivals if _names(last, word)
        ]

    def warnings(self, last: str) -> list[str]:
        """What leaves open whether a last sentence means the gold."""
        if any(_names(last, word) for word in self.gold):
            return []
        return [f"the last sentence does not name '{self.gold[0]}' word for word"] if self.gold else []


def closed(text: str, closing: Closing) -> str:
    """The text with its closing sentence: its own last one if that will do, else the one of code behind it.

    >>> closed("The lamp is lit.", Closing("So it is B.", ["B"], ["A"]))
    'The lamp is lit. So it is B.'
    >>> closed("The lamp is lit. Hence B.", Closing("So it is B.", ["B"], ["A"]))
    'The lamp is lit. Hence B.'
    """
    places = list(sentences(text))
    last = text[slice(*places[-1])] if places else ""
    if last and not closing.errors(last) and not closing.warnings(last):
        return text
    wide = bool(text) and not text.rstrip()[-1:].isascii()
    return f"{text.rstrip()}{'' if wide or not text.strip() else ' '}{closing.sentence}"


def _names(text: str, word: str) -> bool:
    if not word.isascii():
        return word in text
    # A letter of an option counts only as a capital: "a" is an article.
    flags = re.NOFLAG if len(word) == 1 else re.IGNORECASE
    return re.search(rf"(?<![\w]){re.escape(word)}(?![\w])", text, flags) is not None
