"""Stretches of a book that hold nothing but keys, ``1 B, 2 C, 3 D``: answers, whatever heads them."""

from __future__ import annotations

from collections.abc import Sequence

from operators.pdf.numbering.keys import key_labels
from operators.pdf.rules.lines import HEADINGS, Kind, Line, Zone

_CLOSES = ".．、:-–—="


def closing_signs(lines: Sequence[Line]) -> str:
    """The signs that may stand behind the numbers of this book's keys: a bracket only if its labels have one."""
    bracket = any(line.label is None and line.text[1:3].strip().startswith((")", "）")) for line in lines)
    return _CLOSES + ")）" if bracket else _CLOSES


def find_keys(lines: Sequence[Line]) -> dict[int, Zone]:
    """Where keys begin: at the first of the headings above a stretch that holds keys alone, behind other text.

    A line with as many answers as there are items above it is their key; behind it the book goes on.
    """
    zones = _below_their_items(lines)
    heads = [i for i, line in enumerate(lines) if line.kind in HEADINGS and not line.running_head]
    closes = closing_signs(lines)
    for place, head in enumerate(heads):
        end = heads[place + 1] if place + 1 < len(heads) else len(lines)
        told = [line for line in lines[head + 1 : end] if line.kind is not Kind.HIDDEN]
        if not told or not all(line.kind is Kind.TEXT and key_labels(line.text, closes) for line in told):
            continue
        first = place
        while first and all(line.kind is Kind.HIDDEN for line in lines[heads[first - 1] + 1 : heads[first]]):
            first -= 1
        if any(line.kind is Kind.TEXT and line.zone is not Zone.CONTENTS for line in lines[: heads[first]]):
            zones[heads[first]] = Zone.ANSWERS
    return zones


def _below_their_items(lines: Sequence[Line]) -> dict[int, Zone]:
    zones: dict[int, Zone] = {}
    closes = closing_signs(lines)
    above: list[int] = []
    for index, line in enumerate(lines):
        if line.kind in HEADINGS and not line.running_head:
            above = []
        elif line.label is not None and not line.label.prefix and line.label.number is not None:
            above.append(line.label.number)
        elif line.kind is Kind.TEXT and above and [key.number for key in key_labels(line.text, closes)] == above:
            zones[index] = Zone.ANSWERS
            if index + 1 < len(lines):
                zones[index + 1] = Zone.BODY
            above = []
    return zones
