"""Stacked fractions, a rule with words above and below, turned into quotients that fit in a line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from operators.pdf.parser.boxes import inside, union
from operators.pdf.parser.lines import make_lines
from operators.pdf.parser.runs import Box, Run

#: In ems. The bar of a quotient inside another may be as short as one small letter.
_MIN_WIDTH, _MAX_WIDTH = 0.2, 14.0
_SINGLE = re.compile(r"[+\-−±]?(?:\d+(?:\.\d+)?|[^\W\d_]\w{0,3}|\d+[^\W\d_])$")
_SUM = re.compile(r"[+＋×÷]\s?\d")


def stack_fractions(runs: Sequence[Run], rules: Sequence[Box], body: float) -> tuple[list[Run], list[Box]]:
    """The runs with fractions as single runs (``3/4``, ``(x + 1)/2``), and the rules that are left.

    ``rules`` are level rules, ``body`` the size of the page's text in points.

    >>> one, two = Run("1", 10, 15, 93, 10), Run("x + 2", 5, 20, 106, 10)
    >>> [run.text for run in stack_fractions([one, two], [(4, 95, 21, 95.5)], 10)[0]]
    ['1/(x + 2)']
    """
    left: list[Box] = []
    kept = list(runs)
    # Short rules first: a fraction inside a fraction is done before the one around it.
    for rule in sorted(rules, key=lambda rule: rule[2] - rule[0]):
        above, below = _parts(kept, rule, rules, body)
        if not above or not below or _holds_any(above + below, rule, left):
            left.append(rule)
            continue
        gone = {id(run) for run in above + below}
        kept = [run for run in kept if id(run) not in gone]
        kept.append(_quotient(above, below, rule, body))
    return kept, left


def _parts(runs: Sequence[Run], rule: Box, rules: Sequence[Box], body: float) -> tuple[list[Run], list[Run]]:
    """The runs right above and right below a rule; none if it is too long or they reach beyond it."""
    x0, y0, x1, y1 = rule
    if not _MIN_WIDTH * body < x1 - x0 < _MAX_WIDTH * body:
        return [], []
    reach = 0.35 * body
    within = [run for run in runs if run.x0 >= x0 - reach and run.x1 <= x1 + reach and not run.formula]
    middle = (y0 + y1) / 2
    above = [run for run in within if 0 < middle - run.base < 0.75 * run.size]
    below = [run for run in within if 0.5 * run.size < run.base - middle < 1.4 * run.size]
    above = [run for run in above if not _parted(run, middle, rules)]
    below = [run for run in below if not _parted(run, middle, rules)]
    # An underlined word has its rule at its foot and its own width; a written sum has a sign before.
    if any(_SUM.match(run.text) for run in above) or not _is_centred(above, below, rule):
        return [], []
    return above, below


def _parted(run: Run, middle: float, rules: Sequence[Box]) -> bool:
    """Whether another rule lies between a run and a height: then the run belongs to that one."""
    x, y = run.middle
    low, high = min(y, middle) + 1, max(y, middle) - 1
    return any(rule[0] <= x <= rule[2] and low < rule[1] < high for rule in rules)


def _holds_any(runs: Sequence[Run], bar: Box, rules: Sequence[Box]) -> bool:
    """Whether a rule over or under a quotient's bar was not understood: then its words are not either."""
    _, top, _, bottom = union([run.box for run in runs])
    return any(inside((rule[0] + rule[2]) / 2, rule[1], (bar[0], top, bar[2], bottom)) for rule in rules)


def _is_centred(above: Sequence[Run], below: Sequence[Run], rule: Box) -> bool:
    middle, wide = (rule[0] + rule[2]) / 2, rule[2] - rule[0]
    for side in (above, below):
        if not side:
            return False
        x0, x1 = min(run.x0 for run in side), max(run.x1 for run in side)
        if abs((x0 + x1) / 2 - middle) > 0.2 * wide + 1:
            return False
    return True


def _quotient(above: Sequence[Run], below: Sequence[Run], rule: Box, body: float) -> Run:
    text = f"{_operand(above)}/{_operand(below)}"
    size = max(body, *(run.size for run in [*above, *below]))
    # The rule of a fraction stands a quarter of an em above the baseline of its line.
    run = Run(text, rule[0], rule[2], (rule[1] + rule[3]) / 2 + 0.28 * size, size, bold=above[0].bold)
    run.rise = max(0.0, run.top - min(one.top for one in above))
    run.drop = max(0.0, max(one.bottom for one in below) - run.bottom)
    return run


def _operand(runs: Sequence[Run]) -> str:
    text = " ".join(line.text for line in make_lines(runs))
    return text if _SINGLE.match(text) else f"({text})"
