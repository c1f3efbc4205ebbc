"""Nothing that is said tells a frame's number, a time in the video, a file or a path, in whatever spelling."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from operators.cot.problems import Problem
from operators.cot.rules.folding import folded
from operators.cot.rules.leak_patterns import Hit, hits, may_leak
from operators.cot.rules.vocabulary import Vocabulary

_SHOWN = 3
_OFTEN_SAID = 800  # characters up to which a text is a question, an answer or a required sentence, and comes again
_DURATION = re.compile(r"(\d+(?:[.,]\d+)?)\s*-?\s*([smh])[a-z]*")
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


def leak_problems(text: str, where: str, known: Vocabulary) -> list[Problem]:
    """A problem for each kind of leak in a text, with what was found.

    What the plan's own texts say with the same words is no leak (an object ``picture_frame_2``, "10 minutes"),
    but files, addresses and paths from a root always are.

    >>> known = Vocabulary(["Hang picture_frame_2 on the wall."])
    >>> leak_problems("The picture frame 2 hangs.", "the reasoning", known)
    []
    >>> [str(each) for each in leak_problems("It hangs in Ｆrame‑١٢.", "the reasoning", known)]
    ["leak.frame: the reasoning names a picture or video by its number or place: 'frame-12'"]
    """
    plain = folded(text)
    found: dict[str, list[str]] = {}
    for hit in _hits_of(plain) if len(plain) <= _OFTEN_SAID else hits(plain):
        said = known.says(plain, hit.start, hit.start + len(hit.words)) or _is_a_duration_of(known, hit)
        if said and not hit.always:
            continue
        found.setdefault(hit.code, []).append(f"{hit.words!r}{' (from the plan)' if said else ''}")
    return [
        Problem(code, f"{where} {_WHAT[code]}: {', '.join(list(dict.fromkeys(told))[:_SHOWN])}")
        for code, told in sorted(found.items(), key=lambda item: list(_WHAT).index(item[0]))
    ]


def leak_problems_around(
    text: str, anchors: Sequence[str], outside: str, where: str, known: Vocabulary
) -> list[Problem]:
    """As :func:`leak_problems`, and faster: for a text of sentences that other texts have too, and what is outside."""
    if not may_leak(folded(outside)) and not any(map(leaks, anchors)):
        return []
    return leak_problems(text, where, known)


def disguise_problems(text: str, where: str) -> list[Problem]:
    """``leak.frame`` for a frame's number that is told with letters set apart or changed: "f r a m e 1 2", "fr4me 12".

    For texts that have words which nobody knows: other texts may have such letters by chance.
    """
    hit = _DISGUISED.search(re.sub(r"[\W_]+", "", folded(text)))
    return [Problem("leak.frame", f"{where} {_WHAT['leak.frame']}: {hit.group()!r}")] if hit else []


@lru_cache(maxsize=1 << 14)
def leaks(anchor: str) -> bool:
    """Whether there is a leak in a text that other texts have too, the plan's own words or not."""
    return next(hits(folded(anchor)), None) is not None


@lru_cache(maxsize=1 << 13)
def _hits_of(plain: str) -> tuple[Hit, ...]:
    return tuple(hits(plain))


def _is_a_duration_of(known: Vocabulary, hit: Hit) -> bool:
    duration = _DURATION.fullmatch(hit.words)
    return duration is not None and known.lasts(duration[1], duration[2])
