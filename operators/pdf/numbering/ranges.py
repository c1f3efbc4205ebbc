"""Answers printed close together: of a range of questions, ``1~5 CACCC``, and many to a line, ``6.20% 7.4``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from operators.pdf.numbering.labels import SPACE, ItemLabel
from operators.pdf.numbering.numerals import narrow

_N = r"[0-9０-９]{1,3}"
_DASH = r"(?:[~～〜∼\-‐–—－−至]{1,2}|to)"
#: Letters of options, and the signs and words of true and false.
_SIGN = "A-HTＡ-ＨＴ√✓✔×✗✘╳对错正误"
RANGE = (
    rf"(?<![\d.])[(（]?(?P<low>{_N})(?:{SPACE}[)）.．、])?{SPACE}{_DASH}{SPACE}[(（]?(?P<high>{_N}){SPACE}[)）]?"
    rf"{SPACE}[:：.．、题]{{0,2}}{SPACE}(?P<told>[{_SIGN}](?:[\s,，、;；]*[{_SIGN}])*)(?![A-Za-z])"
)
_RANGE = re.compile(RANGE)
#: What is in every range, quick to look for.
_MAY_RANGE = re.compile(rf"[0-9０-９](?:{SPACE}[)）.．、])?{SPACE}{_DASH}")
_ONE = re.compile(rf"[{_SIGN}]")
_SEVERAL = re.compile(rf"[{_SIGN}]+")
#: A line has to hold as many answers before numbers that touch the next digit are taken for labels.
_CROWDED = 3
#: Between two labels on such a line stands no more than this.
_WIDEST = 24


def may_hold_range(text: str) -> bool:
    """Whether a text has a number with a dash behind it: no other can have answers of a range.

    >>> may_hold_range("1~3 CAB"), may_hold_range("x-3 = 1")
    (True, False)
    """
    return _MAY_RANGE.search(text) is not None


def answer_ranges(text: str) -> list[list[ItemLabel]]:
    """For each range of answers in a text, the label of each answer; ranges that do not come out even are left.

    The words of an answer begin at its label's ``end``. Questions with several right options are told
    apart by the spaces or commas between them.

    >>> [(m.label, m.start, m.end) for m in answer_ranges("1~3 CAB")[0]]
    [('1', 0, 4), ('2', 5, 5), ('3', 6, 6)]
    >>> [[m.label for m in found] for found in answer_ranges("4--5√× 6~7：AB，C")]
    [['4', '5'], ['6', '7']]
    """
    return [labels for found in _RANGE.finditer(text) if (labels := _labels(found))]


def _labels(found: re.Match[str]) -> list[ItemLabel]:
    low, high = int(narrow(found["low"])), int(narrow(found["high"]))
    for pattern in (_ONE, _SEVERAL):
        places = [sign.start() for sign in pattern.finditer(found.string, *found.span("told"))]
        if len(places) == high - low + 1:
            labels = [ItemLabel(str(low + i), at, low + i, "", at) for i, at in enumerate(places)]
            labels[0].start = found.start()
            return labels
    return []


def crowded_labels(text: str, sure: Sequence[ItemLabel], before: int | None) -> list[ItemLabel]:
    """The labels on a line of answers, those included that touch a digit or the answer before.

    ``sure`` are the labels that are certain, ``before`` the number that opens a later line, which this
    line does not reach.

    >>> [(m.label, m.end) for m in crowded_labels("6.20% 7.4 8．3.5", [ItemLabel("6", 2, 6, "")], None)]
    [('6', 2), ('7', 8), ('8', 12)]
    """
    found: list[ItemLabel] = []
    for place, label in enumerate(sure):
        following = sure[place + 1] if place + 1 < len(sure) else None
        stop = following.start if following else len(text)
        limit = following.number if following else before
        found.append(label)
        while not found[-1].prefix and found[-1].number is not None:
            number = found[-1].number + 1
            mark = _crowded(text, found[-1].end, stop, number) if limit is None or number < limit else None
            if mark is None:
                break
            found.append(mark)
    return found if len(found) >= _CROWDED else list(sure)


def _crowded(text: str, at: int, stop: int, number: int) -> ItemLabel | None:
    """The label of this number in a stretch of a text, if a short answer stands before it."""
    digits = "".join(f"[{digit}{chr(ord(digit) + 0xFEE0)}]" for digit in str(number))
    mark = re.compile(rf"(?<=[\s;；,，。{_SIGN}%])({digits})[.．、](?=\S)")
    found = mark.search(text, at, min(stop, at + _WIDEST))
    if found is None or not text[at : found.start()].strip():
        return None
    return ItemLabel(str(number), found.end(), number, "", found.start())
