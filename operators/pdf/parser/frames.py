"""Frames and coloured boxes around text: no figures, whatever they are drawn with."""

from __future__ import annotations

from collections.abc import Sequence

from operators.pdf.parser.boxes import area, corners, group, holds, inside, touching, union
from operators.pdf.parser.ink import Drawing
from operators.pdf.parser.runs import Box, Run

#: Rules of one frame end this near to each other, in points.
_JOINT = 2.0
#: The share of a side that its rules must cover; a frame that the page's end cuts has three such sides.
_SIDE, _SIDES = 0.9, 3
#: So far, in ems, lines of text stand above and below a rule that parts them.
_NEAR = 4.0
#: Sides of frames, and rules, looked at for those that part what stands in frames.
_WALLS = 300
#: A line of text fills this share of its frame's width, or has a run of so many ems.
_FULL, _LONG = 0.5, 9
#: Titles are larger than the text by this at least.
_TITLE = 1.15
#: Words fill this share of a frame that is drawn around them alone; a line goes on from them within so many ems.
_WORDS, _APART = 0.3, 3
#: A coloured band behind a heading is so many ems high at most, and goes over this share of the page.
_BAND, _WIDE = 3.2, 0.5


def text_frames(drawings: Sequence[Drawing], runs: Sequence[Run], body: float, width: float) -> set[int]:
    """The ids of the drawings that only frame or back lines of text; ``width`` is the page's.

    A frame is one path, or level and upright rules that make a rectangle. A figure inside a frame is not part
    of it.
    """
    found = {id(one) for one in drawings if _backs_text(one, runs, body, width)}
    found |= {
        id(one)
        for one in drawings
        if one.box[2] - one.box[0] > _WIDE * width
        and _opens_with_text(one.box, runs, body, width)
        and _is_empty(one.box, drawings, {id(one)}, width)
    }
    rules = [one for one in drawings if id(one) not in found and (one.level_rule or one.upright_rule)]
    for members in group([rule.box for rule in rules], _JOINT):
        sides = _sides([rules[index] for index in members])
        if not sides:
            continue
        own, box = {id(one) for one in sides}, union([one.box for one in sides])
        empty = _is_empty(box, drawings, own, width)
        opens = empty and _opens_with_text(box, runs, body, width)
        if opens or _holds_lines(box, runs, body) or (empty and _is_label(box, runs, body)):
            found |= own
    return found | _partitions(drawings, found, runs, body)


def _partitions(drawings: Sequence[Drawing], frames: set[int], runs: Sequence[Run], body: float) -> set[int]:
    """The ids of the rules that part what stands in frames: they touch a frame's side, or another such rule.

    Lines of text stand above and below, or beside them: squared paper and charts have none there.
    """
    sides = [side for one in drawings if id(one) in frames for side in _edges(one.box)][:_WALLS]
    rules = [one for one in drawings if id(one) not in frames and (one.level_rule or one.upright_rule)][:_WALLS]
    if not sides or not rules:
        return set()
    joined = touching([*sides, *(one.box for one in rules)], _JOINT)
    met = (some for some in joined if some[0] < len(sides))
    found = [rules[at - len(sides)] for some in met for at in some if at >= len(sides)]
    lines = [run for run in runs if run.x1 - run.x0 > _APART * body]
    return {id(one) for one in found if _parts(one, lines, body)}


def _parts(rule: Drawing, lines: Sequence[Run], body: float) -> bool:
    """Whether lines of text stand near both sides of a level rule, or beside an upright one."""
    x0, y0, x1, y1 = rule.box
    if rule.upright_rule:
        return any(y0 < run.base < y1 for run in lines)
    over = [run for run in lines if x0 < run.middle[0] < x1]
    above = any(0 < y0 - run.base < _NEAR * body for run in over)
    return above and any(0 < run.base - y1 < _NEAR * body for run in over)


def _edges(box: Box) -> tuple[Box, ...]:
    x0, y0, x1, y1 = box
    return (x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)


def free_rules(drawings: Sequence[Drawing]) -> list[Box]:
    """The level rules that are no side of a frame, as one around a number: no upright rule ends where they do."""
    ends = {
        (round(x) + right, round(y) + down)
        for upright in (one.box for one in drawings if one.upright_rule)
        for x, y in corners(upright)
        for right in (-1, 0, 1)
        for down in (-1, 0, 1)
    }
    level = [one.box for one in drawings if one.level_rule]
    return [box for box in level if not any((round(x), round(y)) in ends for x, y in corners(box))]


def _backs_text(drawing: Drawing, runs: Sequence[Run], body: float, width: float) -> bool:
    x0, y0, x1, y1 = drawing.box
    if drawing.filled and x1 - x0 > _WIDE * width and y1 - y0 < _BAND * body:
        return not drawing.level_rule
    if x1 - x0 < 4 * body or y1 - y0 < 0.8 * body:
        return False
    return _holds_lines(drawing.box, runs, body)


def _is_empty(box: Box, drawings: Sequence[Drawing], own: set[int], width: float) -> bool:
    """Whether nothing is drawn in a frame but its own sides, what is filled there, rules, and boxes as wide as it."""
    return not any(
        id(one) not in own
        and not one.level_rule
        and not _fills_edge(one, box)
        and one.box[2] - one.box[0] <= _WIDE * width
        and holds(box, one.box)
        for one in drawings
    )


def _fills_edge(one: Drawing, box: Box) -> bool:
    """Whether a drawing is a plain filled piece at the side of a frame, as of the ground of a listing."""
    plain = one.filled and not one.slanted
    return plain and (one.box[0] - box[0] < 2 * _JOINT or box[2] - one.box[2] < 2 * _JOINT)


def _sides(rules: Sequence[Drawing]) -> list[Drawing]:
    """The rules that lie on the edges of the rectangle around them, none if these do not make a frame."""
    x0, y0, x1, y1 = union([rule.box for rule in rules])
    covered = [0.0, 0.0, 0.0, 0.0]
    sides = []
    for rule in rules:
        left, top, right, bottom = rule.box
        level = rule.level_rule
        near = (bottom - y0, y1 - top) if level else (right - x0, x1 - left)
        edge = next((n for n, off in enumerate(near) if off <= 2 * _JOINT), None)
        if edge is not None:
            covered[edge + 2 * (not level)] += right - left if level else bottom - top
            sides.append(rule)
    lengths = (x1 - x0, x1 - x0, y1 - y0, y1 - y0)
    whole = sum(cover >= _SIDE * length for cover, length in zip(covered, lengths, strict=True))
    return sides if whole >= _SIDES else []


def _is_label(box: Box, runs: Sequence[Run], body: float) -> bool:
    """Whether a rectangle is drawn around a word that a line of text goes on from, as an item's number."""
    held = [run for run in runs if inside(*run.middle, box)]
    if sum(area(run.box) for run in held) < _WORDS * area(box):
        return False
    level = [run for run in runs if abs(run.base - held[0].base) < 0.5 * body]
    return any(0 < run.x0 - box[2] < _APART * body and run.x1 - run.x0 > _APART * body for run in level)


def _opens_with_text(box: Box, runs: Sequence[Run], body: float, width: float) -> bool:
    """Whether text in a wide empty frame begins at its left edge, as that of a paragraph does, or is a title's."""
    held = [run for run in runs if inside(*run.middle, box)]
    left = min((run.x0 for run in held), default=box[2])
    opens = left - box[0] < 2.5 * body or any(run.size > _TITLE * body for run in held)
    return box[2] - box[0] > _WIDE * width and opens


def _holds_lines(box: Box, runs: Sequence[Run], body: float) -> bool:
    """Whether lines of text stand in a rectangle: several long ones, or one that fills it."""
    held = [run for run in runs if inside(*run.middle, box)]
    long = [run for run in held if run.x1 - run.x0 > _LONG * body]
    if not long:
        return False
    if len(long) > 1:
        return True
    level = [run for run in held if abs(run.base - long[0].base) < 0.5 * body]
    return sum(run.x1 - run.x0 for run in level) > _FULL * (box[2] - box[0])
