"""Where formulas stand on a page that a line of words cannot hold."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from operators.pdf.parser.boxes import centre, group, union
from operators.pdf.parser.runs import Box, Run, is_cjk

#: A rule is the bar of a quotient only if its words fill this share of it.
_FILLED = 0.6
#: Brackets this much larger than the page's letters span several lines.
_TALL = 1.7
_SMALL = 0.86
#: Between two cells of a table, in ems: no parts of a quotient stand so far apart.
_COLUMN = 2.0
#: Rules of tables are longer than this, in ems, and end within so many points at the same places.
_LONG, _EVEN = 8.0, 1.0
_INTEGRALS = "∫∬∭∮"
_LARGE = re.compile(r"[∑∏⋃⋂⨁⨂∐∫∬∭∮]")
_OPERATOR = re.compile(rf"{_LARGE.pattern}|(?<![a-zA-Z])(?:lim|max|min|sup|inf)(?![a-zA-Z])")
_ONE = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]")
_ROOT = re.compile(rf"√\s?(?P<one>{_ONE.pattern})?")
_BRACKET = re.compile(r"[{}()\[\]|⎛-⎳｛｝（）［］]+")
_PIECE = re.compile(r"[⎛-⎳]")
#: What pdfium gives for letters without a name; \x02 and \ufffe are hyphens.
_UNKNOWN = re.compile("[\ufffd\ue000-\uf8ff\x01\x03-\x1f]")
_BULLET = re.compile("(?:[\ufffd\ue000-\uf8ff]\\s?){1,3}(?=[^=<>+\\s]|$)")
_SIGN_OF_MATHS = re.compile(r"[=＝+＋×÷√^_<>≤≥≠±·/]|[-−－]\s?\w|\d")


class _Level:
    """The runs of a page by their baselines, for quick looks at a stretch of its height."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs = sorted((run for run in runs if not run.turned), key=lambda run: run.base)
        self._bases = [run.base for run in self.runs]

    def between(self, low: float, high: float) -> list[Run]:
        """The runs whose baselines lie in this stretch."""
        return self.runs[bisect_left(self._bases, low) : bisect_right(self._bases, high)]


def formula_places(runs: Sequence[Run], rules: Sequence[Box], signs: Sequence[Box], body: float) -> list[Box]:
    """The rectangles of everything among a page's runs that a line of words cannot hold.

    ``rules`` are the level rules that no quotient took, ``signs`` what :func:`drawn_signs` gave, ``body``
    the size of the text in points. Places of one formula may overlap.

    >>> formula_places([Run("√", 10, 16, 100, 10), Run("x + 2", 16, 40, 100, 10)], [(16, 90, 40, 90.5)], [], 10)
    [(6.0, 90, 40, 102.0)]
    """
    level = _Level(runs)
    found = list(signs)
    for rule in rules:
        if not _is_of_table(rule, rules, body):
            found += _quotient(rule, level, body)
    for run in level.runs:
        found += _root(run, rules, level, body)
        found += _operator(run, level)
        found += _tall(run, level, body)
        if _UNKNOWN.search(run.text) and not _is_bullet(run, level):
            found.append(run.box)
    return found + _double_scripts(level, body)


def is_large_bracket(run: Run, body: float) -> bool:
    """Whether a run is nothing but a bracket over several lines, or a piece of one."""
    return _BRACKET.fullmatch(run.text) is not None and (run.size > _TALL * body or _PIECE.search(run.text) is not None)


def drawn_signs(shapes: Sequence[tuple[Box, bool]], runs: Sequence[Run], body: float) -> list[Box]:
    """The boxes of roots and braces among drawn things that make no figure, each with what it spans.

    ``shapes`` are boxes, and whether they have a stroke that is neither level nor upright.

    >>> one, two = Run("x + y = 1", 20, 60, 98, 10), Run("x - y = 3", 20, 60, 112, 10)
    >>> drawn_signs([((12, 88, 17, 116), True)], [one, two], 10)
    [(12, 88, 60, 116)]
    """
    rules = [box for box, slanted in shapes if not slanted and box[3] - box[1] < 0.3 * body]
    strokes = [box for box, slanted in shapes if slanted]
    found: list[Box] = []
    for box in (union([strokes[at] for at in members]) for members in group(strokes, 1.0)):
        if not 0.6 * body < box[3] - box[1] < 12 * body:
            continue
        bars = [rule for rule in rules if abs(rule[1] - box[1]) < 0.3 * body and abs(rule[0] - box[2]) < 0.4 * body]
        whole = union([box, *bars])
        under = [run for run in runs if run.x0 < whole[2] and run.x1 > box[2] and box[1] < centre(run.box)[1] < box[3]]
        wide, high = box[2] - box[0], box[3] - box[1]
        if (bars or wide > 1.2 * body) and under and high < 4 * body:
            found.append(whole)
        elif wide < 1.3 * body and high > 1.8 * body:
            beside = _beside(box, _Level(runs), body)
            if _heights(beside, body) > 1:
                found.append(union([box, *(run.box for run in beside)]))
    return found


def _quotient(rule: Box, level: _Level, body: float) -> Iterator[Box]:
    """A level rule with words of a formula right above and right below it, that fill it and are centred."""
    x0, y0, x1, y1 = rule
    middle, wide = (y0 + y1) / 2, x1 - x0
    if wide < 0.5 * body:
        return
    near = level.between(middle - 4 * body, middle + 4 * body)
    within = [run for run in near if run.x0 >= x0 - 0.5 * body and run.x1 <= x1 + 0.5 * body]
    above = [run for run in within if 0 < middle - run.base < 0.9 * run.size]
    below = [run for run in within if 0.4 * run.size < run.base - middle < 1.5 * run.size]
    if not above or not below:
        return
    sides = [union([run.box for run in side]) for side in (above, below)]
    if max(box[2] - box[0] for box in sides) < _FILLED * wide:
        return
    if any(abs((box[0] + box[2]) / 2 - (x0 + x1) / 2) > 0.15 * wide + 0.5 * body for box in sides):
        return
    if _has_columns(above, body) and _has_columns(below, body):
        return
    words = "".join(run.text for run in above + below)
    if _SIGN_OF_MATHS.search(words) and sum(map(is_cjk, words)) <= 0.5 * len(words):
        yield union([rule, *sides])


def _is_of_table(rule: Box, rules: Sequence[Box], body: float) -> bool:
    """Whether a long rule has another one of the same ends above or below it, as those of a table have."""
    if rule[2] - rule[0] < _LONG * body:
        return False
    return any(
        one is not rule and abs(one[0] - rule[0]) < _EVEN and abs(one[2] - rule[2]) < _EVEN and one[1] != rule[1]
        for one in rules
    )


def _has_columns(runs: Sequence[Run], body: float) -> bool:
    """Whether gaps part a line of words as those of a table's cells."""
    ordered = sorted(runs, key=lambda run: run.x0)
    return any(two.x0 - one.x1 > _COLUMN * body for one, two in pairwise(ordered))


def _root(run: Run, rules: Sequence[Box], level: _Level, body: float) -> Iterator[Box]:
    """A root sign whose bar goes on over more than one number or letter."""
    for found in _ROOT.finditer(run.text):
        right = _across(run, found.start() + 1)
        reach = (0.5 if run.text.endswith("√") else 1.2) * body
        for bar in rules:
            # TeX hangs the sign from its top, other programs stand it on the line.
            high = -1.6 * max(run.size, body) < bar[1] - run.base < 0.3 * run.size
            if high and abs(bar[0] - right) < reach and _covers_more(bar, found["one"] or "", level, body):
                yield (right - run.size, min(bar[1], run.top), bar[2], max(run.bottom, bar[1] + 1.2 * body))


def _covers_more(bar: Box, one: str, level: _Level, body: float) -> bool:
    """Whether a bar covers more than one number or letter; ``one`` is what stands in the run of its sign."""
    under = [
        run
        for run in level.between(bar[1], bar[1] + 2 * body)
        if bar[0] - 0.3 * body < run.x0 and run.x1 < bar[2] + 0.3 * body
    ]
    if under:
        return _ONE.fullmatch(one + "".join(run.text for run in under)) is None
    return bar[2] - bar[0] > (0.62 * len(one) + 0.7 if one else 1.2) * body


def _across(run: Run, place: int) -> float:
    """About where the letter at this place of a run stands."""
    widths = [2 if is_cjk(char) else 1 for char in run.text]
    return run.x0 + (run.x1 - run.x0) * sum(widths[:place]) / max(sum(widths), 1)


def _operator(run: Run, level: _Level) -> Iterator[Box]:
    """A sum, an integral or a limit with small words above or below it, too far to be read as scripts."""
    for found in _OPERATOR.finditer(run.text):
        x0, x1 = _across(run, found.start()), _across(run, found.end())
        behind, far = (0.9, 0.85) if found.group() in _INTEGRALS else (0.3, 0.5)
        limits = [
            other
            for other in level.between(run.base - 2.2 * run.size, run.base + 2.2 * run.size)
            if other.size < _SMALL * run.size
            and x0 - 0.3 * run.size < (other.x0 + other.x1) / 2 < x1 + behind * run.size
            and (
                0.5 * run.size < other.base - run.base < 2.2 * run.size
                or far < (run.base - other.base) / run.size < 2.2
            )
        ]
        if limits:
            yield union([(x0, run.top, x1, run.bottom), *(limit.box for limit in limits)])


def _tall(run: Run, level: _Level, body: float) -> Iterator[Box]:
    """A bracket or an operator that is set larger than the letters beside it."""
    if is_large_bracket(run, body):
        beside = _beside(run.box, level, body)
        if _heights(beside, body) > 1 or _PIECE.search(run.text):
            yield union([run.box, *(one.box for one in beside)])
    elif _LARGE.fullmatch(run.text) and run.size > 1.25 * body and (beside := _beside(run.box, level, body)):
        yield union([run.box, *(one.box for one in beside)])


def _beside(box: Box, level: _Level, body: float) -> list[Run]:
    """The runs right behind or before a tall bracket, each within its height."""
    low, high = box[1] - 0.3 * body, box[3] + 0.3 * body
    beside = [
        run
        for run in level.between(low, high + body)
        if low <= centre(run.box)[1] <= high and run.box != box and run.size < _TALL * body
    ]
    behind = [run for run in beside if -0.5 * body < run.x0 - box[2] < 1.2 * body]
    before = [run for run in beside if -0.5 * body < box[0] - run.x1 < 1.2 * body]
    return max(behind, before, key=lambda side: _heights(side, body))


def _heights(runs: Sequence[Run], body: float) -> int:
    """On how many heights runs stand."""
    return len({round(run.base / (0.5 * body)) for run in runs})


def _is_bullet(run: Run, level: _Level) -> bool:
    """Whether letters without a name open a line or stand among words, as signs of lists and boxes do."""
    if len(_UNKNOWN.findall(run.text)) > 3:
        return False
    if not _SIGN_OF_MATHS.search(_UNKNOWN.sub("", run.text)):
        return True
    if not _BULLET.match(run.text) or _UNKNOWN.search(_BULLET.sub("", run.text, count=1)):
        return False
    line = level.between(run.base - 0.3 * run.size, run.base + 0.3 * run.size)
    return not any(-1 <= run.x0 - one.x1 < run.size for one in line if one is not run)


def _double_scripts(level: _Level, body: float) -> list[Box]:
    """Raised or lowered letters that have one of their own."""
    found = []
    for run in (run for run in level.runs if run.size < _SMALL * body and len(run.text) < 12):
        line = level.between(run.base - 1.5 * body, run.base + 1.5 * body)
        if _script_of(run, line) is not None:
            found += [union([run.box, other.box]) for other in line if _script_of(other, [run]) is not None]
    return found


def _script_of(run: Run, among: Sequence[Run]) -> Run | None:
    """The larger letter right before a small one, on another height."""
    for base in among:
        if (
            run.size < _SMALL * base.size
            and 0.07 * base.size < abs(run.base - base.base) < 0.9 * base.size
            and -0.4 * base.size < run.x0 - base.x1 < 0.3 * base.size
        ):
            return base
    return None
