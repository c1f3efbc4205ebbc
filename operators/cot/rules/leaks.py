"""Nothing that is said tells a frame's number, a time in the video, a file or a path."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from dataflow_ext.text import rows
from operators.cot.problems import Problem
from operators.cot.rules.vocabulary import Vocabulary, folded

_SHOWN = 3
#: Not the sentences of other texts: these have small letters on one line, and a number goes with what is before it, as
#: "frame. 12" is a leak.
_SENTENCE = re.compile(r" (?<=[.!?] )(?<! no\. )(?=[a-zA-Z\"])")  # begins with the space, which is found fast
_DURATION = re.compile(r"(\d+(?:[.,]\d+)?)\s*-?\s*([a-z])[a-z]*")
_WHAT = {
    "leak.frame": "names a picture or video by its number or place",
    "leak.time": "tells a time",
    "leak.file": "names a file or its ending",
    "leak.path": "tells a path or an address",
}


class Leak(NamedTuple):
    """Words that leak, folded, with their code; ``by_plan`` if the plan's own texts say them."""

    code: str
    words: str
    by_plan: bool = False


@dataclass(frozen=True, slots=True)
class _Rule:
    """A pattern of leaks; without a word that has what is ``near`` there is none.

    ``spared`` tells what makes such words innocent: that they lie within a ``name`` of an object or agent, or within
    any ``term`` of the plan; that they are an ``amount`` which the plan's texts tell; nothing if it is empty.
    """

    code: str
    spared: str
    near: re.Pattern[str]
    pattern: re.Pattern[str]


class _Hit(NamedTuple):
    rule: _Rule
    words: str
    start: int


def leak_problems(text: str, where: str, known: Vocabulary, place: str = "", *, plain: bool = False) -> list[Problem]:
    """A problem for each kind of leak in a text, with what was found.

    What lies within the name of an object or agent is no number of a frame (an object ``picture_frame_2``), and a
    duration or clock time that the plan's own texts tell is no time of the video. All else is a leak even where the
    plan says it. ``place`` is the path of the plan: the names of its folders are leaks, too, if they have digits or
    underscores. In a ``plain`` text nothing else is looked for: its sentences have no leaks.

    >>> known = Vocabulary(["Hang picture_frame_2 on the wall."], names=["picture_frame_2"])
    >>> leak_problems("The picture frame 2 hangs.", "the reasoning", known)
    []
    >>> [str(each) for each in leak_problems("It hangs in Ｆrame-１２.", "the reasoning", known)]
    ["leak.frame: the reasoning names a picture or video by its number or place: 'frame-12'"]
    """
    told: dict[str, list[str]] = {}
    for leak in () if plain else leaks_in(text, known):
        told.setdefault(leak.code, []).append(f"{leak.words!r}{' (from the plan)' if leak.by_plan else ''}")
    for name in known.folders(place):
        if _stands(name, folded(text)):
            told.setdefault("leak.path", []).append(repr(name))
    return [
        Problem(code, f"{where} {what}: {', '.join(list(dict.fromkeys(told[code]))[:_SHOWN])}")
        for code, what in _WHAT.items()
        if code in told
    ]


def leaks_in(text: str, known: Vocabulary) -> list[Leak]:
    """Every leak in a text; the same words may be there several times."""
    return [
        Leak(hit.rule.code, hit.words, hit.words in known.folded)
        for sentence in sentences_of(folded(text))
        for hit in _found(sentence)
        if not _is_spared(known, hit, sentence)
    ]


def sentences_of(text: str) -> list[str]:
    """The sentences of a text; no leak reaches from one into another."""
    return _SENTENCE.split(text)


def _found(plain: str) -> list[_Hit]:
    """What every rule finds in a folded sentence; the same words may be found by several rules."""
    near = set().union(*map(rules_near, plain.split(" ")))
    found = []
    for rule in (_rules()[place] for place in sorted(near)):
        for match in rule.pattern.finditer(plain):
            words = match.group()
            found.append(_Hit(rule, words.strip(), match.start() + len(words) - len(words.lstrip())))
    return found


def _is_spared(known: Vocabulary, hit: _Hit, plain: str) -> bool:
    """Whether words are no leak because of what the plan says."""
    if hit.rule.spared != "amount":
        return hit.rule.spared != "" and known.names(
            plain, hit.start, hit.start + len(hit.words), terms=hit.rule.spared == "term"
        )
    if _stands(hit.words, known.folded):
        return True
    duration = _DURATION.fullmatch(hit.words)  # in another spelling of its unit
    return duration is not None and bool(
        re.search(rf"(?<![\d.,]){re.escape(duration[1])}[\s-]*{duration[2]}", known.folded)
    )


def _stands(words: str, text: str) -> bool:
    """Whether words stand in a folded text, not as a part of longer ones."""
    return words in text and re.search(rf"(?<![^\W_]){re.escape(words)}(?![^\W_])", text) is not None


@lru_cache(maxsize=1 << 15)
def rules_near(word: str) -> Sequence[int]:
    """The rules that find nothing without what a word in small letters has."""
    return [place for place, rule in enumerate(_rules()) if rule.near.search(word)] if _near().search(word) else ()


@lru_cache(maxsize=1)
def _near() -> re.Pattern[str]:
    """What a word has to which any rule is near: hardly one in twenty."""
    return re.compile("|".join(dict.fromkeys(rule.near.pattern for rule in _rules())))


@lru_cache(maxsize=1)
def _rules() -> tuple[_Rule, ...]:
    """The rules of ``leaks.tsv``; in it, names in angle brackets stand for the patterns above them."""
    parts: dict[str, str] = {}
    found = []
    for code, spared, near, pattern in rows(__package__, "leaks.tsv"):
        near, pattern = (re.sub(r"<([A-Z]+)>", lambda name: parts[name[1]], each) for each in (near, pattern))
        if code.startswith("leak."):
            found.append(_Rule(code, spared, re.compile(pattern if near == "=" else near), re.compile(pattern)))
        else:
            parts[code] = f"(?:{pattern})"
    return tuple(found)
