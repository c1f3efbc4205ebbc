"""Formulas, written large."""

# ruff: noqa: E501 - sentences

from __future__ import annotations

from drawing.page import Page
from drawing.rows import Record, Turn, record


def records() -> list[Record]:
    return [linear()]


def linear() -> Record:
    a, b, c = 3, 5, 20
    x = (c - b) // a
    page = Page(480, 180)
    box = page.text(240, 90, f"{a}x + {b} = {c}", 56)
    page.thing("equation", *box)
    picture = page.done(
        "mathverse/images/image_45.png",
        "formula",
        caption=f"The equation {a}x + {b} = {c}, written in black on white.",
        description=f"The image shows one line with a linear equation in x: {a}x + {b} = {c}. There is nothing else in it.",
        code=f"{a}x + {b} = {c}",
    )
    solve = Turn(
        ask="Solve the equation for x.",
        summary="I will isolate x step by step.",
        caption="There is a linear equation with one unknown in the image.",
        reasoning=f"The equation seems to be {a}x + {b} = {c}. The first step is to get rid of the constant on the left, so {b} is subtracted from both sides: {c} - {b} = {c - b}, which leaves {a}x = {c - b}. "
        f"After that both sides are divided by {a}, and {c - b} / {a} = {x}. So x should be {x}.",
        conclusion=f"x = {x}",
        answer=f"x = {x}",
        think=f"The image shows the equation {a}x + {b} = {c}. Moving {b} to the right side gives {a}x = {c} - {b} = {c - b}, and division by {a} gives x = {c - b} / {a} = {x}. Check: {a} × {x} + {b} = {c}.",
    )
    return record("mathverse_45", picture, solve)
