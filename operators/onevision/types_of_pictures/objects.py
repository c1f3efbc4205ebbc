"""The things that a caption names, as labels for a detector."""

from __future__ import annotations

import re
from functools import cache

from operators.onevision.types_of_pictures.things import CHINESE, ENGLISH, NOT_THINGS

#: Labels of one picture at most.
MOST = 20
_CAPTION = 4000
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")


def objects_by_rules(caption: str) -> list[str]:
    """English labels of the things that a caption names, in its order, each once.

    >>> objects_by_rules("Two men stand beside a dining table; a dog lies under the table.")
    ['person', 'table', 'dog']
    >>> objects_by_rules("一个木块放在斜面上，用细绳绕过滑轮与小球相连。")
    ['block', 'inclined plane', 'string', 'pulley', 'ball']
    """
    text = caption[:_CAPTION].lower()
    found = sorted([*_english(text), *_chinese(text)])
    return list(dict.fromkeys(label for _, label in found))[:MOST]


def _english(text: str) -> list[tuple[int, str]]:
    """Places and labels; of words that overlap the longest run counts."""
    words = [(word.start(), word[0]) for word in _WORD.finditer(text)]
    labels = _labels()
    found = []
    place = 0
    while place < len(words):
        for length in (3, 2, 1):
            run = " ".join(word for _, word in words[place : place + length])
            if run in labels:
                found.append((words[place][0], labels[run]))
                place += length - 1
                break
        place += 1
    return found


def _chinese(text: str) -> list[tuple[int, str]]:
    return [(each.start(), CHINESE[each[0]]) for each in _chinese_words().finditer(text) if each[0] in CHINESE]


@cache
def _labels() -> dict[str, str]:
    made = {}
    for label, others in ENGLISH.items():
        for word in (label, *others):
            made[word] = label
            made.setdefault(plural(word), label)
    return made


@cache
def _chinese_words() -> re.Pattern[str]:
    return re.compile("|".join(sorted((*CHINESE, *NOT_THINGS), key=len, reverse=True)))


def plural(word: str) -> str:
    """A noun's regular plural.

    >>> [plural(word) for word in ("dog", "glass", "pulley", "butterfly", "rhombus")]
    ['dogs', 'glasses', 'pulleys', 'butterflies', 'rhombuses']
    """
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"
