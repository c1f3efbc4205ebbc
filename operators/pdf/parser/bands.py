"""Bands of a page: what is read across, then left and right of a gutter; the labels in them tell which way is right."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from operators.pdf.parser.captions import Figure
from operators.pdf.parser.runs import Run

Part = Run | Figure
#: What puts the runs of one side in the order in which they are read.
Reader = Callable[[list[Part]], list[Run]]
#: The kind of a label, and its number or the place of its letter.
Place = tuple[str, int]
#: Pages of more labels are lists of another kind; ways to read them are too many.
_MAX_LABELS = 120
_FIRST_LETTER = ord("A")
#: Ems between what stands above and below a cut, more than between the lines of a paragraph.
_PARTED = 0.7
#: A number with its sign, or the letter of an option, which may have none.
_LABEL = re.compile(r"[（(]?\s?(?:(\d{1,3})\s?[.．、)）](?!\d)|([A-H])(?:\s?[.．、)）]|\s(?=\S))|([a-h])[)）])")


@dataclass(slots=True)
class Band:
    """What crosses a gutter, then what stands left and right of it below that."""

    across: list[Part] = field(default_factory=list)
    left: list[Part] = field(default_factory=list)
    right: list[Part] = field(default_factory=list)
    columns: bool = False


def by_labels(bands: list[Band], read: Reader) -> list[Band]:
    """The bands cut where a label stands, or read the other way, as long as more of their labels then run on.

    ``read`` puts what stands on one side in order, which may have columns of its own.
    """
    sides = (part for band in bands for side in (band.across, band.left, band.right) for part in side)
    found = [(part, label_of(part.text)) for part in sides if isinstance(part, Run)]
    labels = {id(run): label for run, label in found if label is not None}
    if len(labels) > _MAX_LABELS:
        return bands
    most = _run_on(bands, labels)
    if most < len(labels):
        most = max(most, _run_on(bands, labels, read))
    while most < len(labels):
        ways = (
            [*bands[:at], *other, *bands[at + 1 :]]
            for at, band in enumerate(bands)
            if band.left and band.right
            for other in _other_ways(band, labels)
        )
        best = max(((_run_on(way, labels), way) for way in ways), key=lambda way: way[0], default=(0, bands))
        if best[0] <= most:
            break
        most, bands = best
    return bands


def _other_ways(band: Band, labels: Mapping[int, Place]) -> Iterator[list[Band]]:
    """A band cut above each of its labels that no part reaches across, and read the other way."""
    parts = band.left + band.right
    for part in parts:
        if not (isinstance(part, Run) and id(part) in labels):
            continue
        cut = part.top - 0.1 * part.size
        if any(other.box[1] + 1 < cut < other.box[3] - 1 for other in parts):
            continue
        beside = band.right if part in band.left else band.left
        if _is_torn(beside, cut, part.size):
            continue
        above, below = Band(band.across), Band()
        for side in ("left", "right"):
            for one in getattr(band, side):
                getattr(above if one.box[1] + one.box[3] <= 2 * cut else below, side).append(one)
        if (above.left or above.right) and (below.left or below.right):
            for half in (above, below):
                half.columns = band.columns and bool(half.left and half.right)
            yield [above, below]
    yield [replace(band, columns=not band.columns)]


def _is_torn(side: Sequence[Part], cut: float, size: float) -> bool:
    """Whether lines of one paragraph may stand above and below a cut."""
    above = max((part.box[3] for part in side if part.box[1] + part.box[3] <= 2 * cut), default=-math.inf)
    below = min((part.box[1] for part in side if part.box[1] + part.box[3] > 2 * cut), default=math.inf)
    return below - above < _PARTED * size


def downwards(parts: Iterable[Part]) -> list[Run]:
    """The runs among parts line by line."""
    return sorted((p for p in parts if isinstance(p, Run)), key=lambda run: (round(run.base / 3), run.x0))


def _run_on(bands: Sequence[Band], labels: Mapping[int, Place], read: Reader = downwards) -> int:
    """How many labels follow the one before them of their kind, or begin a count, as bands are read.

    A count begins anew inside each place of one that began before it, and letters inside all numbers.
    """
    counts: dict[str, int] = {}
    good = 0
    for kind, place in _in_order(bands, labels, read):
        good += place in (1, _FIRST_LETTER, counts.get(kind, 0) + 1)
        kinds = list(counts)
        later = kinds[kinds.index(kind) + 1 :] if kind in counts else []
        numbered = kind.endswith("n")
        for other in kinds:
            lettered = other.endswith("l")
            if (other in later and (numbered or lettered)) or (numbered and lettered):
                del counts[other]
        counts[kind] = place
    return good


def _in_order(bands: Sequence[Band], labels: Mapping[int, Place], read: Reader) -> Iterator[Place]:
    runs: list[Run] = []
    row_wise: list[Part] = []
    for band in bands:
        row_wise += band.across
        if band.columns:
            runs += downwards(row_wise) + read(band.left) + read(band.right)
            row_wise = []
        else:
            row_wise += band.left + band.right
    runs += downwards(row_wise)
    yield from (labels[id(run)] for run in runs if id(run) in labels)


def label_of(text: str) -> Place | None:
    """The kind and the place of a label: ``(2)`` is of another kind than ``2.``."""
    found = _LABEL.match(text)
    if found is None:
        return None
    kind = found.group()[-1] + ("n" if found[1] else "l")
    return (kind, int(found[1]) if found[1] else ord((found[2] or found[3]).upper()))


def follows(one: Place, two: Place) -> bool:
    """Whether a label is the next one of its kind: ``(3)`` after ``(2)``."""
    return one[0] == two[0] and two[1] == one[1] + 1
