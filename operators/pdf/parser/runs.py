"""Runs of characters on one baseline, and how a page's characters are joined to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from operators.pdf.formulas import Family, Formula

#: x0, y0, x1, y1 in points, y downwards.
Box = tuple[float, float, float, float]

_NO_FAMILY = Family()

#: What pdfium returns for a hyphen at the end of a line.
SOFT_HYPHEN = "\ufffe"

#: Before the closing dollar sign of a formula whose rest stands on the next line.
GOES_ON = "\u2060"

#: A dollar sign of the text itself on a page with formulas, until its item is known.
DOLLAR = "\U0010fffd"

#: Between two CJK characters a gap narrower than this (in ems) is only letter spacing.
_CJK_GAP = 0.4

#: From this gap on (in ems) a space is read beside a formula: pdfium gives blanks around scripts too.
_FORMULA_GAP = 0.13


@dataclass(slots=True)
class Run:
    """Characters that stand on one baseline in one size without a wide gap between them.

    ``base`` is the y of the baseline, ``size`` the height of the font in points; ``turned`` marks
    text that does not run from left to right. A fraction reaches by ``rise`` and ``drop`` points
    beyond where letters do. ``lead`` is how many of its first signs are heavy; ``colour`` is that of its last ones.
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
    formula: bool = False
    colour: int = 0

    @property
    def top(self) -> float:
        """Upper edge of the letters, taken from the size so that fonts do not matter."""
        return self.base - 0.8 * self.size - self.rise

    @property
    def bottom(self) -> float:
        """Lower edge of the letters."""
        return self.base + 0.2 * self.size + self.drop

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the letters, whatever fractions stand in it."""
        return (self.x0 + self.x1) / 2, self.base - 0.3 * self.size

    @property
    def box(self) -> Box:
        """The run's rectangle."""
        return (self.x0, self.top, self.x1, self.bottom)


def body_size(runs: Iterable[Run]) -> float:
    """The size in which most letters are set; 10 if there are none."""
    letters: Counter[float] = Counter()
    for run in runs:
        letters[round(run.size, 1)] += len(run.text)
    return max(letters, key=lambda size: (letters[size], size), default=10.0)


@dataclass(slots=True)
class Style:
    """What all characters of one text object share."""

    size: float
    base: float
    bold: bool
    turned: bool
    hidden: bool
    family: Family = _NO_FAMILY
    named: bool = True
    #: The address of its font, and how far the private values of its letters are from those of ASCII.
    font: int = 0
    private: int = 0
    #: Turned round wholly.
    upside_down: bool = False
    #: Red, green and blue in one number, 0 for black.
    colour: int = 0


def formula_run(formula: Formula, number: int) -> Run:
    """A formula as a run: its LaTeX between dollar signs, or for its picture the sign with this number."""
    x0, y0, x1, y1 = formula.box
    edge = "$$" if formula.display else "$"
    text = f"{edge}{formula.latex}{edge}" if not formula.reason else picture_sign(number)
    if formula.goes_on:
        text = text[:-1] + GOES_ON + "$"
    run = Run(text, x0, x1, formula.base, formula.size, formula=True)
    run.rise, run.drop = max(0.0, run.top - y0), max(0.0, y1 - run.bottom)
    return run


def picture_sign(number: int) -> str:
    """What stands in a text for the picture of a page's formula with this number, until it is put in its place."""
    return chr(0xF0000 + number % 0xFFFD)


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
        self._placed: set[int] = set()
        self._behind = False

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
        elif self._follows(run, x0) if self._behind else self._blank and self._is_space(run, char, x0):
            self._text.append(" ")
        self._blank = self._typed = self._behind = False
        if self._lead is None and not style.bold:
            self._lead = len(self._text)
        self._text.append(char)
        self._heavy += style.bold
        self._left = x0
        run.x1 = max(run.x1, x1)
        run.x0 = min(run.x0, x0)
        run.colour = style.colour

    def place(self, formula: Run) -> None:
        """Append a formula, to the open run or as a new one; once, however often it is given."""
        if id(formula) in self._placed:
            return
        self._placed.add(id(formula))
        run, style = self._run, Style(formula.size, formula.base, False, False, False)
        if run is None or formula.text.startswith("$$") or not self._continues(run, style, formula.x0):
            self.close()
            self._run, self._text, self._behind, self._lead = formula, [formula.text], True, 0
            if formula.text.startswith("$$"):
                self.close()
            return
        if self._follows(run, formula.x0):
            self._text.append(" ")
        self._behind = True
        self._blank = self._typed = False
        self._lead = len(self._text) if self._lead is None else self._lead
        self._text.append(formula.text)
        self._style, self._left = None, formula.x0
        run.x1, run.formula = max(run.x1, formula.x1), True
        run.rise, run.drop = max(run.rise, formula.rise), max(run.drop, formula.drop)

    def _follows(self, run: Run, x0: float) -> bool:
        """Whether a space stands between the open run and a formula or what comes behind one."""
        return x0 - run.x1 > _FORMULA_GAP * run.size

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
        self._blank = self._typed = self._behind = False
