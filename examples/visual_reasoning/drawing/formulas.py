"""Formulas, written large."""

# ruff: noqa: E501 - sentences

from __future__ import annotations

from drawing.page import Page
from drawing.rows import Record, Turn, record


def records() -> list[Record]:
    return [linear(), quadratic(), fractions(), triangle_sum()]


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
    return record("mathverse_45", picture, solve, gold=f"{x}")


def quadratic() -> Record:
    p, q = 2, 3
    page = Page(520, 170)
    box = page.text(260, 85, f"x² - {p + q}x + {p * q} = 0", 50)
    page.thing("equation", *box)
    picture = page.done(
        "mathverse/images/image_77.png",
        "formula",
        caption=f"The quadratic equation x² - {p + q}x + {p * q} = 0.",
        description=f"The image shows one line with a quadratic equation in x: x² - {p + q}x + {p * q} = 0.",
        code=f"x^2 - {p + q}x + {p * q} = 0",
    )
    roots = Turn(
        ask="求图中方程的所有解。",
        summary="我将用因式分解法解这个方程。",
        caption="图中写着一个一元二次方程。",
        reasoning=f"这个方程看起来可以因式分解。需要找两个数，它们的乘积是{p * q}，和是{p + q}。容易想到{p}和{q}，因为{p}×{q}={p * q}，{p}+{q}={p + q}。"
        f"于是方程化为(x-{p})(x-{q})=0，解应该是x={p}或x={q}。",
        conclusion=f"x = {p} 或 x = {q}",
        answer=f"x = {p} 或 x = {q}",
        think=f"图中的方程是 x² - {p + q}x + {p * q} = 0。由于 {p} × {q} = {p * q} 且 {p} + {q} = {p + q}，左边分解为 (x - {p})(x - {q})，每个因式取零，得到 x = {p} 或 x = {q}。",
    )
    return record("mathverse_77", picture, roots)


def fractions() -> Record:
    page = Page(480, 240)
    for x, top, low in ((130, "1", "2"), (270, "1", "3")):
        page.text(x, 78, top, 52)
        page.line((x - 34, 118), (x + 34, 118), width=5)
        page.text(x, 160, low, 52)
    page.text(200, 118, "+", 48)
    page.text(350, 118, "= ?", 48)
    page.thing("expression", 90, 45, 400, 195)
    picture = page.done(
        "misc/b/0004.png",
        "formula",
        caption="The sum of two fractions, 1/2 + 1/3, followed by an equals sign and a question mark.",
        description="The image shows the expression 1/2 + 1/3 = ?, with each fraction written as a numerator over a line over a denominator.",
        code=r"\frac{1}{2} + \frac{1}{3} = ?",
    )
    add = Turn(
        ask="What fraction has to stand in place of the question mark?",
        summary="I will bring both fractions to a common denominator.",
        caption="Two fractions are to be added.",
        reasoning="The two fractions seem to be one half and one third. They need a common denominator, and the smallest one is 2 × 3 = 6. One half is 3/6 and one third is 2/6. The sum of them is 3/6 + 2/6 = 5/6, so the missing value would be 5/6.",
        conclusion="5/6",
        answer="5/6",
        think="As seen in the image, 1/2 and 1/3 are added. Over the common denominator 2 × 3 = 6 they read 3/6 and 2/6, and 3/6 + 2/6 = 5/6. In place of the question mark stands 5/6.",
    )
    bigger = Turn(
        ask="Which of the two fractions is larger?",
        summary="I compare the denominators, as the numerators are equal.",
        caption="The image shows 1/2 and 1/3 with a plus sign between them.",
        reasoning="Both of the fractions apparently have the numerator 1. When the numerators are the same, the fraction with the smaller denominator is larger, because the whole is divided into fewer parts. Since 2 is less than 3, it follows that 1/2 is larger.",
        conclusion="1/2 is larger.",
        answer="1/2",
        think="The image shows 1/2 on the left and 1/3 on the right. With equal numerators the smaller denominator gives the bigger part, and 2 < 3. The larger fraction is 1/2.",
    )
    return record("misc_b_4", picture, add, bigger)


def triangle_sum() -> Record:
    n = 10
    page = Page(560, 220)
    page.text(90, 40, str(n), 24)
    page.text(90, 108, "Σ", 84)
    page.text(90, 186, "k = 1", 24)
    page.text(150, 112, "k", 56)
    page.text(330, 112, "= n(n+1)/2", 44)
    page.thing("formula", 40, 25, 460, 200)
    whole = n * (n + 1) // 2
    picture = page.done(
        "mathverse/images/image_102.png",
        "formula",
        caption=f"A sum sign with k = 1 below and {n} above, the term k, and = n(n+1)/2 beside it.",
        description=f"The image shows a formula: the sum of k, with k from 1 to {n}, and to the right of it the closed form = n(n+1)/2.",
        code=rf"\sum_{{k=1}}^{{{n}}} k = \frac{{n(n+1)}}{{2}}",
    )
    value = Turn(
        ask=f"这个和的值是多少？\nA．45\nB．50\nC．{whole}\nD．100",
        summary="我把上限代入右边的公式求值。",
        caption=f"图中是一个求和公式，从1加到{n}。",
        reasoning=f"求和符号表示把k从1加到{n}，右边给出的好像是求和的公式。这里的n应该就是上限{n}，代入得到{n}×({n}+1)÷2。先算{n}×11={n * 11}，"
        f"再算{n * 11}÷2={whole}，所以和是{whole}，选C。",
        conclusion="C",
        answer="C",
        think=f"我看到求和号下面写着 k = 1，上面写着 {n}，所以 n = {n}。代入右边的 n(n+1)/2：{n} × ({n} + 1) ÷ 2 = {whole}，与选项 C 相同，选 C。",
    )
    return record("mathverse_102", picture, value)
