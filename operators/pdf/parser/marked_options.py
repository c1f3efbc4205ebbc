"""Options that are set apart from the others of their question, as a teacher's copy marks the right one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from operators.pdf.blocks import ContentItem
from operators.pdf.numbering import option_place

#: How a text is set: whether it is heavy, and its colour.
Look = tuple[bool, int]
#: Options of a question, and questions with one that is set apart, at least; their share of all that have options.
_OPTIONS, _FEWEST, _SHARE = 3, 3, 0.8


def mark_options(looks: Sequence[tuple[ContentItem, Look]]) -> None:
    """Mark the one option of each question that is set otherwise than all others of it, if most questions have one.

    Bold words may stand in any option; but not in one of each question, and in none of the others.

    >>> items = [ContentItem("text", f"{letter}) {n}") for n in range(3) for letter in "abc"]
    >>> mark_options([(item, (item.text in ("a) 0", "c) 1", "b) 2"), 0)) for item in items])
    >>> [item.text for item in items if item.marked]
    ['a) 0', 'c) 1', 'b) 2']
    """
    questions = list(_questions(looks))
    marked = [one for some in questions if (one := _set_apart(some)) is not None]
    if len(marked) >= max(_FEWEST, _SHARE * len(questions)):
        for item in marked:
            item.marked = True


def _questions(looks: Sequence[tuple[ContentItem, Look]]) -> Iterator[list[tuple[ContentItem, Look]]]:
    """The options that follow each other from A on."""
    found: list[tuple[ContentItem, Look]] = []
    places = [option_place(item.text) if item.type == "text" else 0 for item, _ in looks]
    for (before, place), one in zip(pairwise([0, *places]), looks, strict=True):
        if place != before + 1 or place == 1:
            if len(found) >= _OPTIONS:
                yield found
            found = []
        if place == len(found) + 1:
            found.append(one)
    if len(found) >= _OPTIONS:
        yield found


def _set_apart(options: Sequence[tuple[ContentItem, Look]]) -> ContentItem | None:
    """The one option that looks otherwise than all the others, None if none or more do."""
    looks = Counter(look for _, look in options)
    usual, count = looks.most_common(1)[0]
    if count != len(options) - 1:
        return None
    return next(item for item, look in options if look != usual)
