"""Labels of answers that no rule has read: numbers that a count lacks, and that stand in its lines as the others do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from operators.pdf.numbering.numerals import CIRCLED, narrow
from operators.pdf.numbering.numerals import number as value_of
from operators.pdf.rules.chapters import Chapter
from operators.pdf.rules.counts import Start
from operators.pdf.rules.lines import HEADINGS, Line, Zone

#: A label: what stands before its number, the number, and the sign behind it.
_FORM = re.compile(r"(?P<before>.*?)(?P<n>\d{1,3})(?P<sign>\s*[.．、:：)）\]】]?)\s*", re.DOTALL)
#: A circled number that stands apart.
_CIRCLE = re.compile(rf"(?:^|(?<=[\s;；。．，,]))(?P<n>[{CIRCLED}])\s*(?=\S)")
#: What numbers its chapter in a label such as 1.2.
_CHAPTER = re.compile(r"(?:\d{1,3}[.\-–—])+$")
#: Sets of labels of chapters, beyond which none is looked for.
_HOMES = 500
#: Lines that an answer may have, and how many of a label's words are looked at.
_LINES, _WORDS = 40, 60


def hidden_labels(lines: Sequence[Line], chapters: Sequence[Chapter]) -> list[Start]:
    """Where the answers begin that are missing between those of a chapter, or behind the last one.

    A question asks for each, and it is numbered as the answer before it: behind "Es. 1" only "Es. 2" is one.
    Other numbers in that form count steps, so nothing behind them is taken.
    """
    asked = [[start.label.label for start in c.starts] for c in chapters if c.zone is Zone.BODY]
    every = [label for labels in asked for label in labels]
    asked += [every] if len(set(every)) == len(every) else []  # one count through the whole book
    homes = {frozenset(labels): labels for labels in asked}  # most chapters have the same ones
    found: list[Start] = []
    starts = {start.line for chapter in chapters for start in chapter.starts}
    following = dict(pairwise([*sorted(starts | _headings(lines)), len(lines)]))
    for chapter in chapters:
        told = {start.label.label for start in chapter.starts}
        fit = [some for some in homes if told <= some] if chapter.zone is Zone.ANSWERS and len(homes) <= _HOMES else []
        labels = homes[max(fit, key=len)] if fit else []
        for place, start in enumerate(chapter.starts if len(told) < len(labels) else ()):
            behind = chapter.starts[place + 1].label.label if place + 1 < len(chapter.starts) else None
            at = labels.index(start.label.label) + 1
            end = labels.index(behind) if behind is not None else len(labels)
            if labels[at:end] and start.label.number is not None and not start.answer:
                found += _between(lines, start, labels[at:end], following[start.line])
    return found


def _headings(lines: Sequence[Line]) -> set[int]:
    return {index for index, line in enumerate(lines) if line.kind in HEADINGS}


def _between(lines: Sequence[Line], start: Start, missing: Sequence[str], end: int) -> Iterator[Start]:
    """The missing labels that stand between one and line ``end``, in order."""
    own = lines[start.line].text[start.label.start : start.label.end]
    form = _FORM.fullmatch(own)
    if own.strip() in CIRCLED:
        yield from _taken(lines, start, end, _CIRCLE, missing)
        return
    if form is None or not (form["before"].strip() or form["sign"].strip()):
        return
    sign = form["sign"].strip()
    wide = bool(sign) and narrow(sign) != sign
    signs = f"[{re.escape(sign)}{re.escape(narrow(sign))}．]" if narrow(sign) == "." else re.escape(sign)
    words = r"\s*".join(map(re.escape, form["before"][-_WORDS:].split()))
    label = re.compile(rf"(?:^|(?<=[\s;；。，,])){words}\s*(?P<n>\d{{1,3}})(?:{signs}(?!\d)|．)\s*(?=\S)")
    if not sign:
        label = re.compile(rf"(?:^|(?<=[\s;；。，,])){words}\s*(?P<n>\d{{1,3}})(?![\d.．])\s*(?=\S)")
    chapter = "".join(_CHAPTER.findall(narrow(form["before"]))[-1:])
    yield from _taken(lines, start, end, label, missing, chapter, wide=wide)


def _taken(
    lines: Sequence[Line],
    start: Start,
    end: int,
    label: re.Pattern[str],
    missing: Sequence[str],
    chapter: str = "",
    *,
    wide: bool = False,
) -> Iterator[Start]:
    """The missing labels in a form, up to a number that is none of them."""
    left = list(missing)
    for index in range(start.line, min(end, start.line + _LINES)):
        for mark in label.finditer(lines[index].text, start.label.end if index == start.line else 0):
            name = next((one for one in left if one.split()[-1] == chapter + mark["n"]), None)
            if name is None or (wide and "." in mark[0]):
                return
            left = left[left.index(name) + 1 :]
            own = replace(start.label, label=name, start=mark.start(), end=mark.end(), number=value_of(mark["n"]))
            yield Start(index, own)
