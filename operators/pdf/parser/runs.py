"""Runs of characters on one baseline, and how a page's characters are joined to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: x0, y0, x1, y1 in points, y downwards.
Box = tuple[float, float, float, float]

#: What pdfium returns for a hyphen at the end of a line.
SOFT_HYPHEN = "\ufffe"

#: Between two CJK characters a gap narrower than this (in ems) is only letter spacing.
_CJK_GAP = 0.4


@dataclass(slots=True)
class Run:
    """Characters that stand on one baseline in one size without a wide gap between them.

    ``base`` is the y of the baseline, ``size`` the height of the font in points; ``turned`` marks
    text that does not run from left to right. A fraction reaches by ``rise`` and ``drop`` points
    beyond where letters do. ``lead`` is how many of its first signs are heavy.
    """

    text: str
    x0: float
    x1: float
    base: float
    size: float
    bold: bool = False
    turned: bool = False
    rise: float = 0.0
    drop: float = 0.0
    lead: int = 0

    @property
    def top(self) -> float:
        """Upper edge of the letters, taken from the size so that fonts do not matter."""
        return self.base - 0.8 * self.size - self.rise

    @property
    def bottom(self) -> float:
        """Lower edge of the letters."""
        return self.base + 0.2 * self.size + self.drop

    @property
    def box(self) -> Box:
        """The run's rectangle."""
        return (self.x0, self.top, self.x1, self.bottom)


@dataclass(slots=True)
class Style:
    """What all characters of one text object share."""

    size: float
    base: float
    bold: bool
    turned: bool
    hidden: bool


def is_cjk(char: str) -> bool:
    """Whether a character is set without word spaces: ideographs, kana, full-width forms.

    >>> [is_cjk(char) for char in "题，x1"]
    [True, True, False, False]
    """
    return "\u2e80" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" or "\uff00" <= char <= "\uffef"


class RunBuilder:
    """Joins characters to runs."""

    def __init__(self, runs: list[Run], walls: Sequence[Box]) -> None:
        self.runs = runs
        self.walls = walls
        self._blank = self._typed = False
        self._text: list[str] = []
        self._heavy = 0
        self._lead: int | None = None
        self._left = 0.0
        self._run: Run | None = None
        self._style: Style | None = None

    def blank(self, *, typed: bool) -> None:
        """Note a blank before the next character; ``typed`` if it stands in the file itself."""
        self._blank = True
        self._typed = self._typed or typed

    def add(self, char: str, style: Style, x0: float, x1: float) -> None:
        """Append a character, to the open run or to a new one."""
        run = self._run
        if (
            run is not None
            and style is self._style
            and not self._blank
            and -0.5 * run.size < x0 - run.x1 < 0.1 * run.size
            and not run.turned
        ):
            # The next letter of the same text object, as most are.
            self._text.append(char)
            self._heavy += style.bold
            self._left = x0
            if x1 > run.x1:
                run.x1 = x1
            return
        self._style = style
        if run is not None and not self._continues(run, style, x0):
            self.close()
            run = None
        if run is None:
            run = self._run = Run("", x0, x1, style.base, style.size, turned=style.turned)
        elif self._blank and self._is_space(run, char, x0):
            self._text.append(" ")
        self._blank = self._typed = False
        if self._lead is None and not style.bold:
            self._lead = len(self._text)
        self._text.append(char)
        self._heavy += style.bold
        self._left = x0
        run.x1 = max(run.x1, x1)
        run.x0 = min(run.x0, x0)

    def _is_space(self, run: Run, char: str, x0: float) -> bool:
        gap = x0 - run.x1
        if is_cjk(char) and is_cjk(self._text[-1]):
            return self._typed or gap > _CJK_GAP * run.size
        return gap > -0.1 * run.size

    def _continues(self, run: Run, style: Style, x0: float) -> bool:
        if run.turned or style.turned:
            return run.turned and style.turned and abs(x0 - run.x0) < 2 * style.size
        gap = x0 - run.x1
        if not (
            abs(style.base - run.base) < 0.12 * run.size
            and abs(style.size - run.size) < 0.06 * run.size
            # The letters of a ligature all have the ligature's box.
            and (-0.5 * run.size < gap < 0.9 * run.size or abs(x0 - self._left) < 0.1)
        ):
            return False
        if gap < 0.1 * run.size:
            return True
        return not any(
            run.x1 - 1 <= wall[0] <= x0 + 1 and wall[1] < run.base and run.top < wall[3] for wall in self.walls
        )

    def close(self) -> None:
        """Finish the open run."""
        run = self._run
        if run is not None:
            run.text = "".join(self._text)
            run.bold = 2 * self._heavy > len(self._text)
            run.lead = len(self._text) if self._lead is None else self._lead
            self.runs.append(run)
        self._run = None
        self._text.clear()
        self._heavy = 0
        self._lead = None
        self._blank = self._typed = False
