"""A pipeline's wiring as a drawing: steps below each other, an arrow for what one hands to another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dataflow_ext.report.parts import Part, el, short
from dataflow_ext.wiring import arrows

if TYPE_CHECKING:
    from dataflow_ext.wiring import Names

#: Pixels: a step's box, the room from one to the next, the least bow of an arrow that passes a step, and a letter.
_WIDE, _HIGH, _ROOM, _BOW, _LETTER = 250, 30, 52, 30, 6.6
#: Letters of the columns that a step reads.
_LONG = 120


def drawing(steps: Sequence[Names]) -> Part:
    """The steps as an SVG, each with the columns that it reads beside it; arrows that pass others bow around these."""
    names = ["input", *(f"{number}. {step.operator}" for number, step in enumerate(steps, 1))]
    wide = max(_WIDE, max(map(len, names)) * _LETTER * 1.2 + 24)
    drawn = arrows(steps)
    reach = max([1, *(end - start for start, end in drawn)])
    right = round(wide + (_BOW + 14 * reach if reach > 1 else 0)) + 16
    parts: list[Part] = [_arrow(start, end, wide) for start, end in drawn]
    longest = 0
    for number, name in enumerate(names):
        y = number * _ROOM + 4
        parts.append(
            el("rect", x=2, y=y, width=round(wide), height=_HIGH, rx=6, look="step" if number else "step open")
        )
        parts.append(el("text", name, x=14, y=y + 20))
        read = {start: columns for (start, end), columns in drawn.items() if end == number}
        whole = "; ".join(f"{', '.join(told)} of {start or 'the input'}" for start, told in sorted(read.items()))
        if whole:
            shown = short(f"reads {whole}", _LONG)
            longest = max(longest, len(shown))
            parts.append(el("text", el("title", whole), shown, x=right, y=y + 19, look="columns"))
    width, height = round(right + longest * _LETTER), len(names) * _ROOM - (_ROOM - _HIGH) + 8
    return el("svg", *parts, viewBox=f"0 0 {width} {height}", width=width, height=height, look="wiring")


def _arrow(start: int, end: int, wide: float) -> Part:
    top, bottom = start * _ROOM + 4 + _HIGH, end * _ROOM + 4
    if end - start == 1:
        middle = round(wide / 2)
        return el("path", d=f"M{middle} {top}V{bottom - 1}m-4 -6l4 6l4 -6", look="arrow")
    out, edge = round(wide + _BOW + 14 * (end - start)), round(wide) + 2
    y0, y1 = top - _HIGH / 2 + 4, bottom + _HIGH / 2 - 4
    return el("path", d=f"M{edge} {y0}C{out} {y0} {out} {y1} {edge + 1} {y1}m7 -4l-7 4l7 4", look="arrow")
