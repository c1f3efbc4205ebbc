"""Headings of unknown wording that count up, by numbers or letters: one alone might be an item."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from operators.pdf.numbering.titles import read_title
from operators.pdf.rules.lines import SENTENCE_END, Kind, Line, Zone

_COUNTED = re.compile(r"(?:§\s*)?\d")
#: A letter and words, without another option's letter in them.
_LETTERED = re.compile(r"([A-H])[.．、]\s*[^\W\d_](?:(?!\s[B-H][.．、)）]).){2,50}")


def count_sections(lines: Sequence[Line]) -> None:
    """Make titles of headings of one level that count up from 1: "1 Sets", "2 Maps", or 1.1 behind "1 Sets"."""
    last: dict[tuple[int, int | None], tuple[int, Line]] = {}
    latest: tuple[int, Line] | None = None
    for line in lines:
        if line.kind not in (Kind.HEADING, Kind.TITLE) or line.running_head or not _COUNTED.match(line.text):
            continue
        title = read_title(line.text)
        if line.kind is Kind.TITLE and latest is not None and title.numbers[:2] == (latest[0], 1):
            latest[1].kind = Kind.TITLE
        if line.kind is Kind.TITLE:
            continue
        if len(title.numbers) != 1 or title.part is not None or not title.name:
            continue
        key = line.block.file, line.block.level
        before = last.get(key)
        if before is not None and title.numbers[0] == before[0] + 1:
            before[1].kind = line.kind = Kind.TITLE
        latest = title.numbers[0], line
        if title.numbers[0] == 1 or (before is not None and line.kind is Kind.TITLE):
            last[key] = latest


def count_letters(lines: Sequence[Line]) -> None:
    """Make parts of lines "A. Sets", "B. Maps" that count up, each right above a label: options never do both.

    The last option in its question stands above a label as well, but the next such is the same letter again.
    """
    chain: list[Line] = []
    shown = [line for line in lines if line.kind is not Kind.HIDDEN and line.zone is not Zone.CONTENTS]
    for line, following in pairwise(shown):
        found = _LETTERED.fullmatch(line.text) if following.label is not None and line.label is None else None
        if found is None or line.text.endswith((*SENTENCE_END, ".")):
            continue
        chain = chain if found[1] == chr(ord("A") + len(chain)) else []
        if found[1] != chr(ord("A") + len(chain)):
            continue
        chain.append(line)
        for heading in chain if len(chain) > 1 else ():
            heading.kind = Kind.PART
