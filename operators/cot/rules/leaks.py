"""Nothing that is said tells a frame's number, a time in the video, a file or a path, in whatever spelling."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from operators.cot.problems import Problem
from operators.cot.rules.folding import folded
from operators.cot.rules.leak_patterns import hits, may_leak
from operators.cot.rules.leak_words import Hit
from operators.cot.rules.vocabulary import Vocabulary

_SHOWN = 3
_OFTEN_SAID = 800  # characters up to which a text is a question, an answer or a required sentence, and comes again
_DURATION = re.compile(r"(\d+(?:[.,]\d+)?)\s*-?\s*([a-z]+)")
_DISGUISED = re.compile(
    r"(?:fr[a4]m[e3]|[i1l]m[a4]g[e3]|p[i1l]c(?:tur[e3])?|ph[o0]t[o0]|v[i1l]d[e3][o0]|cl[i1l]p)[s5]?"
    r"(?:n[o0]|nr|number|index)?\d+"
)
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


def leak_problems(text: str, where: str, known: Vocabulary, place: str = "") -> list[Problem]:
    """A problem for each kind of leak in a text, with what was found.

    What lies within the name of an object or agent is no number of a frame (an object ``picture_frame_2``), and a
    duration or clock time that the plan's own texts tell is no time of the video. All else is a leak even where the
    plan says it. ``place`` is the path of the plan: the names of its folders are leaks, too.

    >>> known = Vocabulary(["Hang picture_frame_2 on the wall."], names=["picture_frame_2"])
    >>> leak_problems("The picture frame 2 hangs.", "the reasoning", known)
    []
    >>> [str(each) for each in leak_problems("It hangs in Ｆrame‑١٢.", "the reasoning", known)]
    ["leak.frame: the reasoning names a picture or video by its number or place: 'frame-12'"]
    """
    found = leaks_in(text, known, place)
    return problems_of(found, where) if found else []


def leaks_in(text: str, known: Vocabulary, place: str = "") -> list[Leak]:
    """Every leak in a text; the same words may be there several times."""
    plain = folded(text)
    found = []
    for hit in _hits_of(plain) if len(plain) <= _OFTEN_SAID else hits(plain):
        end = hit.start + len(hit.words)
        if not _is_spared(known, hit, plain, end):
            found.append(Leak(hit.code, hit.words, known.tells(hit.words)))
    return found + _folders_in(plain, known, place)


def leaks_around(text: str, anchors: Sequence[str], outside: str, known: Vocabulary, place: str = "") -> list[Leak]:
    """As :func:`leaks_in`, and faster: for a text of sentences that other texts have too, and what is outside."""
    plain = folded(outside)
    if not may_leak(plain) and not any(map(leaks, anchors)):
        return _folders_in(plain, known, place)
    return leaks_in(text, known, place)


def problems_of(found: Sequence[Leak], where: str) -> list[Problem]:
    """A problem for each kind of the leaks."""
    told: dict[str, list[str]] = {}
    for leak in found:
        told.setdefault(leak.code, []).append(f"{leak.words!r}{' (from the plan)' if leak.by_plan else ''}")
    return [
        Problem(code, f"{where} {what}: {', '.join(list(dict.fromkeys(told[code]))[:_SHOWN])}")
        for code, what in _WHAT.items()
        if code in told
    ]


def disguised(text: str) -> list[Leak]:
    """A frame's number that is told with letters set apart or changed: "f r a m e 1 2", "fr4me 12"."""
    plain = folded(text)
    letters = [(i, each) for i, each in enumerate(plain) if each.isalnum()]
    hit = _DISGUISED.search("".join(each for _, each in letters))
    if hit is None:
        return []
    return [Leak("leak.frame", plain[letters[hit.start()][0] : letters[hit.end() - 1][0] + 1])]


@lru_cache(maxsize=1 << 14)
def leaks(anchor: str) -> bool:
    """Whether there is a leak in a text that other texts have too, the plan's own words or not."""
    return next(hits(folded(anchor)), None) is not None


@lru_cache(maxsize=1 << 13)
def _hits_of(plain: str) -> tuple[Hit, ...]:
    return tuple(hits(plain))


def _is_spared(known: Vocabulary, hit: Hit, plain: str, end: int) -> bool:
    """Whether words are no leak because of what the plan says."""
    if hit.spared == "amount":
        duration = _DURATION.fullmatch(hit.words)
        return known.says(plain, hit.start, end) or (duration is not None and known.lasts(duration[1], duration[2]))
    return hit.spared != "" and known.names(plain, hit.start, end, terms=hit.spared == "term")


def _folders_in(plain: str, known: Vocabulary, place: str) -> list[Leak]:
    """The folders of the plan's path that a folded text tells, but for those that are called as a thing is."""
    found = []
    for name in known.folders(place) if place else ():
        start = plain.find(name)
        while start >= 0:
            end = start + len(name)
            alone = not plain[max(0, start - 1) : start].isalnum() and not plain[end : end + 1].isalnum()
            if alone and not known.names(plain, start, end, terms=True):
                found.append(Leak("leak.path", name))
                break
            start = plain.find(name, end)
    return found
