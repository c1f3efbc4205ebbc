"""Geometry: triangles, a circle, a parallelogram, a rectangle, with their lengths and angles."""

# ruff: noqa: E501 - sentences

from __future__ import annotations

import math

from drawing.page import Page
from drawing.rows import Record, Turn, record


def records() -> list[Record]:
    return [*right_triangle()]


def right_triangle() -> list[Record]:
    a, b = 6, 8
    c = math.isqrt(a * a + b * b)
    page = Page(480, 380)
    at_c, at_a, at_b = (90, 310), (90, 85), (390, 310)
    page.polygon([at_c, at_a, at_b])
    page.thing("triangle", 90, 85, 390, 310)
    page.line((90, 290), (110, 290), (110, 310), width=2)
    for name, (x, y) in {"C": (68, 328), "A": (72, 68), "B": (408, 326)}.items():
        page.text(x, y, name, 24)
    page.text(62, 200, str(a), 22)
    page.text(240, 334, str(b), 22)
    picture = page.done(
        "geoqa+/images/1022.png",
        "geometry",
        caption=f"A right triangle ABC with the right angle at C; the side AC is marked {a} and the side BC is marked {b}.",
        description=f"The image shows a triangle ABC. The angle at C is marked as a right angle. The vertical side AC has the length {a}, the horizontal side BC has the length {b}. "
        "The side AB has no length written at it.",
        code=f"triangle(A, B, C)\nright_angle(C)\nlength(AC, {a})\nlength(BC, {b})",
    )
    long = Turn(
        ask=f"如图，在直角三角形 ABC 中，∠C=90°，AC={a}，BC={b}，则 AB 的长为（　　）\nA. 9\nB. {c}\nC. 12\nD. 14",
        summary="我将用勾股定理来求斜边的长度。",
        caption=f"图中是一个直角三角形，直角在C处，两条直角边分别为{a}和{b}。",
        reasoning=f"题目要求的是斜边AB。由于∠C是直角，可以使用勾股定理，即两条直角边的平方和等于斜边的平方。{a}的平方是{a * a}，{b}的平方是{b * b}，"
        f"它们的和是{a * a}+{b * b}={c * c}。开平方之后应该是{c}，所以AB的长大概为{c}，选B。",
        conclusion="所以选B。",
        answer="B",
        think=f"图中三角形 ABC 在 C 处标有直角，AC = {a}，BC = {b}，AB 是斜边。由勾股定理 AB² = {a}² + {b}² = {a * a} + {b * b} = {c * c}，"
        f"所以 AB = √{c * c} = {c}，对应选项 B。",
    )
    area = Turn(
        ask="三角形 ABC 的面积是多少？",
        summary="我将用两条直角边计算面积。",
        caption="一个直角三角形，标有两条边的长度。",
        reasoning=f"直角三角形的面积可以看成两条直角边乘积的一半。图上左边的边长似乎是{a}，下面的边长是{b}，乘积为{a}×{b}={a * b}，"
        f"再除以2，{a * b}÷2={a * b // 2}，因此面积是{a * b // 2}。",
        conclusion=f"面积为{a * b // 2}。",
        answer=f"{a * b // 2}",
        think=f"从图中看到直角边 AC = {a}、BC = {b}，它们互相垂直，可以分别作为高和底。面积 S = {a} × {b} ÷ 2 = {a * b // 2}。",
    )
    around = a + b + c
    walk = Turn(
        ask="What is the perimeter of the triangle?",
        summary="I need all three sides, so I compute the missing one and add them.",
        caption=f"The figure shows the right triangle ABC with legs of {a} and {b}.",
        reasoning=f"Two sides are given in the figure, {a} and {b}. The third side seems to be the hypotenuse, as the right angle is at C. By the Pythagorean theorem it is √({a * a} + {b * b}) = "
        f"√{c * c} = {c}. The perimeter is then {a} + {b} + {c} = {around}.",
        conclusion=f"{around}",
        answer=f"{around}",
        think=f"The image marks a right angle at C with AC = {a} and BC = {b}. Hence AB = √({a}² + {b}²) = √{c * c} = {c}, and going once around the triangle makes "
        f"{a} + {b} + {c} = {around}.",
    )
    return [record("geoqa_1022", picture, long, area), record("geoqa_1022_en", picture, walk)]
