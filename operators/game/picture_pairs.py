"""Question and result pictures without metadata: paired by what is left of their names without these words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from operators.game.metadata import Round, RoundError, shown

#: What counts as a picture.
SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp"})

_WORDS = re.compile("question|result", re.IGNORECASE)
_EPISODE = re.compile(r".*?episode[ _-]?\d+", re.IGNORECASE)
_ROUND = re.compile(r"round[ _-]?(\d{1,18})(?!\d)", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class _Named:
    """A picture by its name: what it shows, what is left of the name without that word, the numbers in it."""

    path: str
    shows: Literal["question", "result"]
    rest: str
    numbers: tuple[int, ...]
    number: int | None
    #: The episode and the round that the name tells in so many words.
    told: tuple[str | None, int] | None


def episode_in(name: str) -> str | None:
    """The episode that a picture's name begins with.

    >>> episode_in("episode_001_round_02_question.png")
    'episode_001'
    """
    found = _EPISODE.match(name)
    return found[0] if found else None


def says_what_it_shows(name: str) -> bool:
    """Whether a picture's name has the word question or result in it."""
    return _WORDS.search(PurePosixPath(name).stem) is not None


def paired(paths: Sequence[str]) -> tuple[list[Round], list[tuple[str, RoundError]]]:
    """The rounds that pictures make, in the order of their numbers, and the pictures that make none.

    Names are compared first; pictures left over are paired by all the numbers in their names, then by the one
    after "round" alone, each time if these fit one question and one result only. A round's number is the one
    after "round", else the last one in the question's name; where these do not tell all rounds apart, the
    rounds are counted from 1.

    >>> paired(["a/question_2.png", "a/result_2.png"])[0]
    [Round(number=2, question='a/question_2.png', result='a/result_2.png', selected=None, clicked=None)]
    """
    named, alone = [], []
    for path in sorted(paths):
        read = _read(path)
        if read is None:
            alone.append((path, RoundError(f"{shown(path)} has neither 'question' nor 'result' in its name")))
        else:
            named.append(read)
    pairs: list[tuple[_Named, _Named]] = []
    keys: list[Callable[[_Named], Hashable]] = [lambda p: p.rest, lambda p: p.numbers or None, lambda p: p.told]
    for key in keys:
        found = _matched(named, key)
        pairs += found
        used = {picture.path for pair in found for picture in pair}
        named = [picture for picture in named if picture.path not in used]
    alone += [(picture.path, _lonely(picture)) for picture in named]
    return _numbered(pairs), alone


def _read(path: str) -> _Named | None:
    stem = PurePosixPath(path).stem
    words = _WORDS.findall(stem)
    if not words:
        return None
    rest = " ".join(re.split(r"[\W_]+", _WORDS.sub(" ", stem).casefold())).strip()
    digits = _DIGITS.findall(stem)
    numbers = tuple(int(each) for each in digits if len(each) <= 18)
    after_round = _ROUND.search(stem)
    told = (episode_in(stem), int(after_round[1])) if after_round else None
    number = told[1] if told else numbers[-1] if numbers else None
    # The last word counts: question_01_result is the result that goes with question_01.
    return _Named(path, "question" if words[-1].lower() == "question" else "result", rest, numbers, number, told)


def _matched(named: Sequence[_Named], key: Callable[[_Named], Hashable]) -> list[tuple[_Named, _Named]]:
    """One question and one result with the same key; where there are more of either, none."""
    groups: dict[Hashable, list[_Named]] = defaultdict(list)
    for picture in named:
        groups[key(picture)].append(picture)
    pairs = []
    for value, group in groups.items():
        questions = [picture for picture in group if picture.shows == "question"]
        results = [picture for picture in group if picture.shows == "result"]
        if value is not None and len(questions) == len(results) == 1:
            pairs.append((questions[0], results[0]))
    return pairs


def _lonely(picture: _Named) -> RoundError:
    other = "result" if picture.shows == "question" else "question"
    return RoundError(f"{shown(picture.path)} has no partner: not exactly one {other} picture is named like it")


def _numbered(pairs: Sequence[tuple[_Named, _Named]]) -> list[Round]:
    pairs = sorted(pairs, key=lambda pair: (pair[0].number is None, pair[0].number or 0, pair[0].path))
    numbers = [question.number for question, _ in pairs]
    distinct = None not in numbers and len(set(numbers)) == len(numbers)
    return [
        Round(question.number if distinct else place, question.path, result.path)
        for place, (question, result) in enumerate(pairs, 1)
    ]
