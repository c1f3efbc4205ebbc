"""Which paragraphs are titles, and their levels over the whole document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from operators.pdf.parser.lines import BLANK
from operators.pdf.parser.marks import ITEM, is_named_title, title_rank

_LARGER = 1.13
_LEADERS = re.compile(r"(?:[.．·…]\s?){4,}\s*\S{1,6}$")
_MAX_TITLE = 90
_FORMULA = re.compile(r"\$[^$]*\$")


@dataclass(slots=True, frozen=True)
class Look:
    """What a paragraph looks like: words, size in points, weight, place, number of lines.

    ``aside`` says that it stands at the right end of its page, as badges and notes do.
    """

    text: str
    size: float
    bold: bool
    centred: bool
    lines: int
    aside: bool = False


@dataclass(slots=True, frozen=True)
class Title:
    """A title's rank by its wording (None if only its look tells), its size and its words."""

    rank: int | None
    size: float
    text: str = ""


def find_title(look: Look, body: float) -> Title | None:
    """The title that a paragraph is, or None; ``body`` is the size of the document's text.

    >>> find_title(Look("Chapter 3 Limits", 18, True, False, 1), 10.5)
    Title(rank=1, size=18, text='Chapter 3 Limits')
    >>> find_title(Look("1. Find the limit.", 10.5, True, False, 1), 10.5) is None
    True
    """
    text, size = look.text, round(look.size, 1)
    if not text or look.lines > 3 or len(text) > _MAX_TITLE:
        return None
    larger = look.size > _LARGER * body
    strong = larger or look.bold or (look.centred and look.size > 1.05 * body)
    rank = title_rank(text, strong=strong) if look.lines <= 2 else None
    if rank is not None:
        return Title(rank, size, text)
    if _LEADERS.search(text) or (look.aside and not larger):
        return None
    if is_named_title(text) and look.lines == 1 and (strong or look.centred):
        return Title(None, size, text)
    item = ITEM.match(text) is not None
    if larger and _has_words(text) and not text.endswith(tuple("。．；，.,;")) and BLANK not in text:
        # "1. Limits" in a large size heads a section; an example in a large size is still an example.
        return Title(None, size, text) if not item or _is_section(text, look, body) else None
    set_off = look.bold or (look.centred and strong and not larger)
    if set_off and not item and look.lines == 1 and len(text) <= 60 and _is_name(text):
        return Title(None, size, text)
    return None


def _is_section(text: str, look: Look, body: float) -> bool:
    return text[0].isdigit() and (look.bold or look.size > 1.25 * body) and not text.endswith(("?", "？", "."))


def _has_words(text: str) -> bool:
    """Whether there are letters outside formulas: "1.1 $5\\mathrm{g}$" is no title."""
    return any(map(str.isalpha, _FORMULA.sub("", text)))


def _is_name(text: str) -> bool:
    return _has_words(text) and not text.endswith(tuple("。；，,;.:：?？!！=)）"))


def levels(titles: Sequence[Title]) -> list[int]:
    """The level of each title, from 1: by rank where the wording gives one, by size for the rest.

    >>> levels([Title(1, 18), Title(2, 14), Title(None, 14), Title(5, 10.5), Title(2, 14)])
    [1, 2, 2, 3, 2]
    """
    sizes: dict[int, float] = {}
    for title in titles:
        if title.rank is not None:
            sizes[title.rank] = max(sizes.get(title.rank, 0.0), title.size)
    places = [_place(title, sizes) for title in titles]
    # The same words (an exercise, and its answers set smaller at the end) have one level.
    highest: dict[str, tuple[float, float]] = {}
    for title, place in zip(titles, places, strict=True):
        highest[title.text] = min(place, highest.get(title.text, place))
    places = [highest[title.text] if title.text else place for title, place in zip(titles, places, strict=True)]
    order = {place: level for level, place in enumerate(sorted(set(places)), start=1)}
    return [order[place] for place in places]


def _place(title: Title, sizes: dict[int, float]) -> tuple[float, float]:
    """A sort key: the rank, and for titles without one the rank of the nearest size."""
    if title.rank is not None:
        return (title.rank, 0.0)
    if not sizes:
        return (0.0, -title.size)
    if title.size > 1.06 * max(sizes.values()):
        return (0.0, -title.size)
    rank = min(sizes, key=lambda rank: (abs(sizes[rank] - title.size), rank))
    if title.size < 0.94 * min(sizes.values()):
        return (max(sizes) + 0.5, -title.size)
    return (rank, 0.0)
