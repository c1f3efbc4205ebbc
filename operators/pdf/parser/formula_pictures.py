"""Formulas that the words of a page do not carry: the lines that hold one, and the picture that is kept of it.

A simple formula is written in its line: ``x^2``, ``a_{n+1}``, ``9/2``. What has parts above each other that
a line cannot hold comes as a picture as well: quotients that were not stacked, roots with a bar over more
than one sign, sums and limits with words below, braces and brackets over several lines, scripts of
scripts, and letters without a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from operators.pdf.blocks import KEPT
from operators.pdf.formulas import Formula
from operators.pdf.parser.boxes import centre, holds, inside, near, union
from operators.pdf.parser.captions import Figure
from operators.pdf.parser.formula_places import formula_places, is_large_bracket
from operators.pdf.parser.looks import START
from operators.pdf.parser.paragraphs import Paragraph
from operators.pdf.parser.runs import Box, Run, is_cjk, picture_sign
from operators.pdf.parser.text_lines import Line, make_lines

#: A formula over more lines than this is none.
_MOST_LINES = 12
#: What stands in a sentence for a formula whose picture follows it.
PICTURE = "[formula]"
_WORDS = re.compile(r"[A-Za-z]{3,}")
_NAMES = frozenset({"sin", "cos", "tan", "cot", "log", "lim", "max", "min", "exp", "sup", "inf", "mod", "det", "gcd"})


@dataclass(slots=True)
class _Formula:
    """The place of a formula and, as indices, the lines that it covers or stands in."""

    box: Box
    lines: list[int]


def with_formulas(
    parts: Sequence[Paragraph | Figure],
    runs: Sequence[Run],
    rules: Sequence[Box],
    signs: Sequence[Box],
    body: float,
) -> list[Paragraph | Figure]:
    """The parts of a page, with a figure of kind ``equation`` for every formula that its words do not carry.

    A formula that is a paragraph by itself is replaced by its figure, whose caption has the words; one in
    a sentence stands behind its paragraph, and lines that are only pieces of it become the caption.
    ``runs`` are those that the parts were made of, ``rules`` the level rules that no quotient took,
    ``signs`` the boxes of drawn roots and braces, ``body`` the size of the text in points.
    """
    figures = [part.box for part in parts if isinstance(part, Figure)]
    places = formula_places([run for run in runs if not run.formula], rules, signs, body)
    places = [place for place in places if not any(holds(box, place) for box in figures)]
    if not places:
        return list(parts)
    owners = [(at, line) for at, part in enumerate(parts) if isinstance(part, Paragraph) for line in part.lines]
    lines = [line for _, line in owners]
    found: dict[int, list[Figure]] = {}
    gone: set[int] = set()
    for formula in _gathered(places, lines, body):
        own = [lines[at] for at in formula.lines]
        if _is_alone(formula, owners):
            pieces, owner = own, owners[formula.lines[0]][0]
        else:
            pieces = [line for line in own if _is_piece(line, formula.box, own)]
            hosts = [at for at in formula.lines if lines[at] not in pieces]
            owner = owners[min(hosts, key=lambda at: abs(centre(lines[at].box)[1] - centre(formula.box)[1]))][0]
        gone.update(id(line) for line in pieces)
        found.setdefault(owner, []).append(_figure(formula.box, pieces, runs, body))
    return list(_put_together(parts, found, gone))


def with_pictures(parts: Sequence[Paragraph | Figure], formulas: Sequence[Formula]) -> list[Paragraph | Figure]:
    """The parts, with pictures of formulas that were not read: in place of a display, else behind their sentence.

    Those in the cells of a table or in a caption stand behind it.
    """
    doubtful = doubtful_signs(formulas)
    placed: list[Paragraph | Figure] = []
    for part in parts:
        if isinstance(part, Figure):
            part.html, pictures = without_signs(part.html, doubtful)
            for at, caption in enumerate(part.captions):
                part.captions[at], own = without_signs(caption, doubtful)
                pictures += own
            placed += [part, *pictures]
            continue
        told = [without_signs(line.text, doubtful) for line in part.lines]
        for line, (text, _) in zip(part.lines, told, strict=True):
            line.text = text
        pictures = [picture for _, own in told for picture in own]
        if not pictures or part.text.replace(PICTURE, "").strip(" .,;"):
            placed.append(part)
        placed += pictures
    return placed


def doubtful_signs(formulas: Sequence[Formula]) -> dict[str, Formula]:
    """The formulas of a page that were not read, by the signs that stand for them in its texts."""
    return {picture_sign(at): formula for at, formula in enumerate(formulas) if formula.reason}


def without_signs(text: str, doubtful: Mapping[str, Formula]) -> tuple[str, list[Figure]]:
    """A text with :data:`PICTURE` where signs of formulas stand that were not read, and their pictures.

    >>> without_signs("If x > 0.", {})
    ('If x > 0.', [])
    """
    signs = [char for char in text if char in doubtful] if doubtful else []
    for sign in signs:
        text = text.replace(sign, PICTURE)
    return text, [Figure("equation", doubtful[sign].box, 0, [f"{KEPT}{doubtful[sign].reason}."]) for sign in signs]


def _is_alone(formula: _Formula, owners: Sequence[tuple[int, Line]]) -> bool:
    """Whether a formula fills its paragraphs, without words beside it."""
    held = {owners[at][0] for at in formula.lines}
    whole = sum(at in held for at, _ in owners) == len(formula.lines)
    return whole and not any(_is_sentence(owners[at][1].text) for at in formula.lines)


def _gathered(places: Sequence[Box], lines: Sequence[Line], body: float) -> list[_Formula]:
    """Formulas with their lines; those that share a line, or touch, are one."""
    formulas: list[_Formula] = []
    for place in places:
        touched = [at for at, line in enumerate(lines) if _touches(line, place, body)]
        new = _Formula(place, touched + _before(touched, place, lines, body))
        for old in [one for one in formulas if near(one.box, place, 0) or set(one.lines) & set(new.lines)]:
            formulas.remove(old)
            new = _Formula(union([old.box, new.box]), sorted({*old.lines, *new.lines}))
        formulas.append(new)
    for formula in formulas:
        formula.box = union([formula.box, *(lines[at].box for at in formula.lines)])
        formula.lines.sort()
    return [one for one in formulas if 0 < len(one.lines) <= _MOST_LINES]


def _touches(line: Line, place: Box, body: float) -> bool:
    common = min(line.bottom, place[3]) - max(line.top, place[1])
    if common < 0.5 * min(line.bottom - line.top, place[3] - place[1]):
        return False
    return line.x0 - 1.5 * body < place[2] and place[0] < line.x1 + 1.5 * body


def _before(touched: Sequence[int], place: Box, lines: Sequence[Line], body: float) -> list[int]:
    """The line that leads to a formula on its left, if none that it stands in was found: 3. 解方程组 {."""
    if any(_is_sentence(lines[at].text) for at in touched):
        return []
    left = [
        at
        for at, line in enumerate(lines)
        if place[1] < centre(line.box)[1] < place[3]
        and 0 <= place[0] - line.x1 < 4 * body
        and at not in touched
        and any(abs(at - other) <= 2 for other in touched)
    ]
    return left if len(left) == 1 else []


def _is_sentence(text: str) -> bool:
    """Whether a line has words, or a label, that a text must keep."""
    if START.match(text) or any(is_cjk(char) and char > "\u3000" and char < "\uff00" for char in text):
        return True
    return any(word.group().lower() not in _NAMES for word in _WORDS.finditer(text))


def _is_piece(line: Line, box: Box, own: Sequence[Line]) -> bool:
    """Whether a line is only a part of the formula, above or below the line that it stands in."""
    if _is_sentence(line.text):
        return False
    return any(_is_sentence(other.text) and abs(other.base - line.base) < box[3] - box[1] for other in own)


def _figure(box: Box, lines: Sequence[Line], runs: Sequence[Run], body: float) -> Figure:
    """The picture of a formula, with the words of these lines; large brackets are left out of them."""
    plain = [
        run for run in runs if not is_large_bracket(run, body) and any(holds(line.box, run.box, 0.5) for line in lines)
    ]
    words = " ".join(line.text for line in make_lines(plain))
    return Figure("equation", box, 0, [words] if words else [])


def _put_together(
    parts: Sequence[Paragraph | Figure], found: dict[int, list[Figure]], gone: set[int]
) -> Iterator[Paragraph | Figure]:
    for at, part in enumerate(parts):
        if isinstance(part, Paragraph):
            left = [line for line in part.lines if id(line) not in gone]
            if left:
                yield Paragraph(left, part.centred)
        else:
            yield part
        yield from found.get(at, [])


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
