"""What a question asks for: a unit, a thing to count, a share, an angle, a ratio, a point, an order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from dataflow_ext.text import patterns
from operators.verify.normalising import plain
from operators.verify.units import Unit, unit_of

_LONGEST = 2000
_LETTER = r"[^\s,.;:?!，。；：？！()（）\d]"
_UNIT = rf"({_LETTER}{{1,20}}(?:[/ ·](?:per )?{_LETTER}{{1,12}}(?:\^\d|\^\{{-?\d\}})?)?)"
_ASKED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bin (?:units? of |the unit )?{_UNIT}(?=\s*[,.;:?!)]|\s*$|\s+(?:of|is|are|does|do|did|to|and round)\b)",
        rf"\bhow many {_UNIT}",
        rf"\bunits?\s*(?:is|are|[:=])\s*{_UNIT}",
        r"[(（]\s*(?:in |unit:? |单位[:：是为]? ?)?([^\s()（）\d=]{1,16})\s*[)）]\s*(?:[?？.。]|$|is\b)",
        rf"(?:多少|几)\s*{_UNIT}",
        rf"单位\s*[:：是为]\s*{_UNIT}",
        rf"_{{2,}}\s*{_UNIT}",
    )
)
_SHARE = re.compile(r"percent|%|百分", re.IGNORECASE)
_PATTERNS = patterns(__package__, "data/asked.tsv")
_ANGLE = re.compile(_PATTERNS["angle"], re.IGNORECASE)
_RADIAN = re.compile(r"radian|弧度", re.IGNORECASE)
_RATIO = re.compile(_PATTERNS["ratio"], re.IGNORECASE)
_POINT = re.compile(_PATTERNS["point"], re.IGNORECASE)
_ORDER = re.compile(_PATTERNS["order"], re.IGNORECASE)
_COUNTED = re.compile(_PATTERNS["counted"], re.IGNORECASE)
_HOW_MANY = re.compile(_PATTERNS["how many"], re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks for; ``units`` are all that it names as wanted, ``counted`` the words after "how many"."""

    units: tuple[Unit, ...] = ()
    counted: tuple[str, ...] = ()
    share: bool = False
    ratio: bool = False
    point: bool = False
    order: bool = False
    count: bool = False
    words: frozenset[str] = frozenset()
    text: str = ""

    @property
    def unit(self) -> Unit | None:
        """The one unit that is asked for; None if there is none, or more than one."""
        return self.units[0] if len(self.units) == 1 else None


@lru_cache(maxsize=4096)
def asked(question: str) -> Asked:
    """What a question asks for.

    >>> asked("A ball of 6 kg hangs on a string. What is the tension in N?").unit
    (('newton', 1),)
    """
    text = plain(question[:_LONGEST])
    if not text:
        return Asked()
    counted = _COUNTED.search(text)
    units = _units(text)
    share = bool(_SHARE.search(text))
    angle = not units and not share and bool(_ANGLE.search(text)) and not _RADIAN.search(text)
    return Asked(
        units=((("degree", 1),),) if angle else units,
        counted=tuple(counted[1].lower().split()) if counted else (),
        share=share,
        ratio=bool(_RATIO.search(text)),
        point=bool(_POINT.search(text)),
        order=bool(_ORDER.search(text)),
        count=bool(_HOW_MANY.search(text)),
        words=frozenset(_WORD.findall(text.lower())),
        text=text.lower(),
    )


def _units(text: str) -> tuple[Unit, ...]:
    found: dict[Unit, None] = {}
    for pattern in _ASKED:
        for match in pattern.finditer(text):
            unit = _first_unit(match[1])
            if unit is not None and unit != (("percent", 1),):
                found[unit] = None
    return tuple(found)


def _first_unit(text: str) -> Unit | None:
    """The unit at the start of what stands behind "in", "how many", 多少; the longest that is one."""
    whole = unit_of(text)
    if whole is not None:
        return whole
    words = text.split(" ")
    if len(words) > 1:
        return unit_of(words[0])
    if not text.isascii():
        return next((unit for end in range(len(text) - 1, 0, -1) if (unit := unit_of(text[:end]))), None)
    return None
