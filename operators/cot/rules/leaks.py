"""Nothing that is said tells a frame's number, a time in the video, a file or a path, in whatever spelling."""

from __future__ import annotations

import re

from operators.cot.problems import Problem
from operators.cot.rules.folding import folded
from operators.cot.rules.leak_patterns import Hit, hits
from operators.cot.rules.vocabulary import Vocabulary

_SHOWN = 3
_DURATION = re.compile(r"(\d+(?:[.,]\d+)?)\s*-?\s*([smh])[a-z]*")
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
    for hit in hits(plain):
        said = known.says(plain, hit.start, hit.start + len(hit.words)) or _is_a_duration_of(known, hit)
        if said and not hit.always:
            continue
        found.setdefault(hit.code, []).append(f"{hit.words!r}{' (from the plan)' if said else ''}")
    return [
        Problem(code, f"{where} {_WHAT[code]}: {', '.join(list(dict.fromkeys(told))[:_SHOWN])}")
        for code, told in found.items()
    ]


def _is_a_duration_of(known: Vocabulary, hit: Hit) -> bool:
    duration = _DURATION.fullmatch(hit.words)
    return duration is not None and known.lasts(duration[1], duration[2])
