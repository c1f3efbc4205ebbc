"""Options to choose from: drawn so that no letter is more often right than another, and only one answer is right."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from random import Random
from string import ascii_uppercase

from dataflow_ext.text import stem
from operators.cot.problems import Problem
from operators.cot.tasks.task import normalised, shown

#: The letters of options, in the order of the options.
LETTERS = ascii_uppercase

#: From this similarity on, a text is not to stand as a wrong option beside a right one.
TOO_SIMILAR = 0.7

# What makes no difference to what is said; on, off, in, out, not and the like do make one.
_ARTICLES = ("a", "an", "the", "this", "that", "these", "those", "it", "its", "your", "his", "her", "their")
_STOP = frozenset([*_ARTICLES, "and", "then", "to", "of", "for", "with", "by", "is", "are", "be", *"的了把将并"])
_LONGEST_WORD = 40
# Of longer texts the words are told apart anew each time, so that no file can fill the memory.
_REMEMBERED = 1000
_ALIKE = {"into": "in", "onto": "on"}
_CJK = "\u3005\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")


def drawn(gold: str, distractors: Sequence[str], count: int, random: Random) -> tuple[list[str], str]:
    """``count`` options, ``gold`` at an evenly drawn place among drawn distractors, and the letter of that place.

    ValueError if there are too few distractors. Whoever has a preference among the distractors gives only the best.

    >>> options, letter = drawn("yes", ["no", "perhaps", "never"], 4, Random(1))
    >>> sorted(options), options[LETTERS.index(letter)]
    (['never', 'no', 'perhaps', 'yes'], 'yes')
    """
    if len(distractors) < count - 1:
        raise ValueError(f"{count} options need {count - 1} distractors, but there are {len(distractors)}.")
    place = random.randrange(count)
    options = random.sample(distractors, count - 1)
    options.insert(place, gold)
    return options, LETTERS[place]


def distinct(texts: Iterable[str]) -> list[str]:
    """The texts without those that are, normalised, the same as one before them."""
    first: dict[str, str] = {}
    for text in texts:
        first.setdefault(normalised(text), text)
    return list(first.values())


def similarity(a: str, b: str) -> float:
    """How much of what two texts say is the same: 0 nothing, 1 all of it, in the same order.

    Counted are the stems of English words, the letters of Chinese, Japanese and Korean, and which of them follow
    each other; articles and the like do not count.

    >>> similarity("Pour the milk into a mug.", "Pour milk in the mugs")
    1.0
    >>> similarity("Turn the light on.", "Turn the light off.") < TOO_SIMILAR
    True
    """
    ours, theirs = (_remembered(text) if len(text) <= _REMEMBERED else _said(text) for text in (a, b))
    if not ours or not theirs:
        return float(normalised(a) == normalised(b))
    return 2 * len(ours & theirs) / (len(ours) + len(theirs))


def label_problems(options: Sequence[str], label: str, gold: str, count: int = 4) -> Iterator[Problem]:
    """What is wrong with options of which one is to be right: their number, repeats, other right ones, the letter."""
    if len(options) != count:
        yield Problem("fields.options", f"there are {len(options)} options, but there should be {count}")
    yield from repeat_problems(options)
    right = [i for i, option in enumerate(options) if normalised(option) == normalised(gold)]
    if not right:
        yield Problem("fields.options", f"no option is the right answer {shown(gold)}")
    yield from rival_problems([option for i, option in enumerate(options) if i not in right], [gold])
    letters = [LETTERS[i] for i in right if i < len(LETTERS)]
    # Without a right option there is no right letter either; one that stands for no option is wrong in any case.
    if label not in (letters or list(LETTERS[: len(options)])):
        wanted = f"the right option is {letters[0]}" if letters else "there is no such option"
        yield Problem("fields.label", f"label is {shown(label)}, but {wanted}")


def repeat_problems(options: Sequence[str]) -> Iterator[Problem]:
    """``fields.options`` for each option that is, normalised, the same as one before it."""
    seen: dict[str, int] = {}
    for i, option in enumerate(options):
        first = seen.setdefault(normalised(option), i)
        if first != i:
            yield Problem("fields.options", f"options {_named(first)} and {_named(i)} are the same: {shown(option)}")


def rival_problems(wrong: Iterable[str], right: Sequence[str]) -> Iterator[Problem]:
    """``fields.options`` for each option given as wrong that says the same as a right one in nearly the same words."""
    for option in wrong:
        rival = next((gold for gold in right if similarity(option, gold) == 1.0), None)
        if rival is not None:
            yield Problem("fields.options", f"{shown(option)} is as right as {shown(rival)}")


def is_rival(text: str, right: Iterable[str]) -> bool:
    """Whether a text is too similar to a right answer to stand as a wrong one beside it."""
    return any(similarity(text, gold) >= TOO_SIMILAR for gold in right)


def _named(i: int) -> str:
    return LETTERS[i] if i < len(LETTERS) else str(i + 1)


def _said(text: str) -> frozenset[str | tuple[str, str]]:
    words = [word for word in _TOKEN.findall(normalised(text)) if word not in _STOP]
    stems = [stem(_ALIKE.get(word, word)) if len(word) <= _LONGEST_WORD else word for word in words]
    return frozenset(stems) | frozenset(pairwise(stems))


_remembered = lru_cache(maxsize=1 << 12)(_said)
