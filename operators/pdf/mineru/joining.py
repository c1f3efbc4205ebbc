"""Equations that a list has cut out of the middle of a sentence, put back into it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from operators.pdf.blocks import ContentItem

#: What a text ends with that is complete, or that leads up to a formula on a line of its own.
_ENDED = re.compile(r"[.。．!！?？:：;；…][\"'”’)）\]】」』]*$")
#: How a text begins in the middle of a sentence: a small letter that is no label, or a mark that needs words before it.
_GOES_ON = re.compile(r"[a-z]{2,}\b(?![.．、)）])|[,，。、;；)）]|\.(?!\d)")
#: Formulas of several lines, or with a number of their own, stand apart on purpose.
_APART = re.compile(r"\\begin\b|\\\\|\\tag\b|\n\s*\S+.*\n")


def joined(items: Sequence[ContentItem]) -> list[ContentItem]:
    """The items, with every equation that surely interrupts a sentence joined to it, as ``$…$``.

    Sure is: one line of LaTeX between two texts or lists of one page, of which the first does not end a
    sentence and the second begins in the middle of one. The whole takes the first one's place; the
    second's entry of a list stays as "", so that the positions of the others hold.

    >>> parts = [ContentItem("text", "Let"), ContentItem("equation", "$$a^2$$"), ContentItem("text", "be 9.")]
    >>> [item.text for item in joined(parts)]
    ['Let $a^2$ be 9.']
    """
    out: list[ContentItem] = []
    place = 0
    while place < len(items):
        item = items[place]
        after = items[place + 1] if place + 1 < len(items) else None
        if item.type == "equation" and out and after is not None and _interrupts(out[-1], item, after):
            rest = _join(out[-1], _inline(item.text), after)
            # What follows may be interrupted again, so the rest is only passed over if nothing is left of it.
            if rest:
                out.append(after)
            place += 2
        else:
            out.append(item)
            place += 1
    return out


def _interrupts(before: ContentItem, equation: ContentItem, after: ContentItem) -> bool:
    if not before.page == equation.page == after.page or not _inline(equation.text):
        return False
    if _APART.search(_inline(equation.text)) or any(item.captions or item.footnotes for item in (equation, after)):
        return False
    start, end = _last(before).rstrip(), _first(after).lstrip()
    return bool(start) and not _ENDED.search(start) and _GOES_ON.match(end) is not None


def _last(item: ContentItem) -> str:
    """The words that the equation would follow; none if the item takes no equation."""
    if item.type == "list" and item.items:
        return item.items[-1]
    return item.text if _is_prose(item) else ""


def _first(item: ContentItem) -> str:
    if item.type == "list" and item.items:
        return "" if item.text else item.items[0]
    return item.text if _is_prose(item) else ""


def _is_prose(item: ContentItem) -> bool:
    return item.type == "text" and item.level is None and not item.items and item.image is None


def _join(before: ContentItem, equation: str, after: ContentItem) -> bool:
    """Put the equation and the first words of ``after`` to ``before``; whether anything is left of ``after``."""
    words = _first(after).strip()
    gap = "" if re.match(r"[,，。、;；.)）]", words) else " "
    whole = f"{_last(before).rstrip()} ${equation}${gap}{words}"
    if before.type == "list" and before.items:
        before.items[-1] = whole
    else:
        before.text = whole
    if after.type == "list" and after.items:
        after.items[0] = ""
        return any(text.strip() for text in after.items)
    return False


def _inline(text: str) -> str:
    """The LaTeX without the marks of a formula.

    >>> _inline("$$ x+1 $$")
    'x+1'
    """
    text = text.strip()
    for opening, closing in (("$$", "$$"), ("\\[", "\\]"), ("$", "$"), ("\\(", "\\)")):
        if len(text) > len(opening + closing) and text.startswith(opening) and text.endswith(closing):
            return text[len(opening) : -len(closing)].strip()
    return "" if text.strip("$") == "" else text
