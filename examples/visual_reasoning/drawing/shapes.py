"""Geometry: triangles, a circle, a parallelogram, a rectangle, with their lengths and angles."""

# ruff: noqa: E501 - sentences

from __future__ import annotations

import math

from drawing.page import Page
from drawing.rows import Record, Turn, record


def records() -> list[Record]:
    return [*right_triangle(), angles(), *ring(), slanted(), garden()]


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


def angles() -> Record:
    one, two = 50, 60
    page = Page(520, 360)
    base, width = 300, 380
    t1, t2 = (math.tan(math.radians(part)) for part in (one, two))
    x = width * t2 / (t1 + t2)
    top = (70 + x, base - x * t1)
    page.polygon([(70, base), (70 + width, base), top])
    page.thing("triangle", 70, top[1], 70 + width, base)
    page.draw.arc([30, base - 40, 110, base + 40], 360 - one, 360, fill="black", width=2)
    page.draw.arc([410, base - 40, 490, base + 40], 180, 180 + two, fill="black", width=2)
    page.text(136, base - 24, f"{one}°", 20)
    page.text(388, base - 24, f"{two}°", 20)
    page.text(top[0], top[1] + 62, "x", 24)
    for name, at in {"P": (50, base + 14), "Q": (472, base + 14), "R": (top[0], top[1] - 20)}.items():
        page.text(*at, name, 22)
    third = 180 - one - two
    picture = page.done(
        "geoqa+/images/2290.png",
        "geometry",
        caption=f"A triangle PQR with angles of {one}° at P and {two}° at Q; the angle at R is marked x.",
        description=f"The image shows a triangle PQR. The angle at P (lower left) is marked {one}°, the angle at Q (lower right) is marked {two}°, and the angle at R (top) is marked x.",
        code=f"triangle(P, Q, R)\nangle(P, {one}°)\nangle(Q, {two}°)\nangle(R, x)",
    )
    find = Turn(
        ask=f"Find the value of x in degrees. (A) 50 (B) 60 (C) {third} (D) 80",
        summary="I will use the sum of the angles of a triangle.",
        caption="A triangle with two given angles and an unknown angle x at the top.",
        reasoning=f"It is known that the three angles of any triangle make 180 degrees. In this triangle the lower angles seem to be {one} and {two} degrees. Their sum is {one} + {two} = {one + two}. What remains for the third one is 180 - {one + two} = "
        f"{third}. Thus x is likely {third} degrees, option C.",
        conclusion="The answer is C.",
        answer="C",
        think=f"In the image the triangle PQR carries {one}° at P and {two}° at Q, and x at R. Angles in a triangle sum to 180°, therefore x = 180° - {one}° - {two}° = {third}°. Option C has this value.",
    )
    kind = Turn(
        ask="三角形 PQR 是锐角三角形、直角三角形还是钝角三角形？",
        summary="我会根据三个角的大小来判断。",
        caption="三角形PQR的两个底角已经标出。",
        reasoning=f"判断三角形的种类要看它最大的角。图中已知两个角，看起来是{one}度和{two}度，第三个角是180-{one}-{two}={third}度。三个角都小于90度，"
        "没有直角也没有钝角，可以推断这是一个锐角三角形。",
        conclusion="锐角三角形",
        answer="锐角三角形",
        think=f"图上 P 处为 {one}°，Q 处为 {two}°，由内角和得 R 处为 180° - {one}° - {two}° = {third}°。最大的角 {third}° 也小于 90°，所以它是锐角三角形。",
    )
    return record("geoqa_2290", picture, find, kind)


def ring() -> list[Record]:
    r = 5
    page = Page(400, 380)
    page.circle(200, 190, 145)
    page.thing("circle", 55, 45, 345, 335)
    page.circle(200, 190, 4, fill="black")
    page.text(184, 206, "O", 22)
    page.line((200, 190), (345, 190), width=2)
    page.text(272, 170, f"r = {r} cm", 20)
    picture = page.done(
        "geoqa+/images/3307.png",
        "geometry",
        caption=f"A circle with the centre O and a radius that is marked r = {r} cm.",
        description=f"The image shows a circle with the centre O. A horizontal radius is drawn from O to the right; it is marked r = {r} cm.",
        code=f"circle(O)\nradius(O, {r} cm)",
    )
    area = Turn(
        ask="Express the area of the circle in terms of π.",
        summary="I will apply the formula for the area of a circle.",
        caption="The image contains a circle with its centre and a radius.",
        reasoning=f"The area of a circle is given by π times the square of its radius. In the figure the radius looks to be {r} cm. The square of it is {r} × {r} = {r * r}. Consequently the area must be {r * r}π square centimetres.",
        conclusion=f"{r * r}π cm²",
        answer=f"{r * r}π cm²",
        think=f"As seen in the image, the radius drawn from O has r = {r} cm. With A = πr² and {r} × {r} = {r * r}, the circle covers {r * r}π cm².",
    )
    across = Turn(
        ask="圆的直径是多少厘米？",
        summary="直径是半径的两倍，我据此计算。",
        caption=f"图中有一个圆，圆心为O，半径标为{r}厘米。",
        reasoning=f"直径等于半径的两倍，这是圆的基本性质。从图上可以看到从圆心O向右画了一条线段，旁边好像写着r = {r} cm，这应该就是半径。"
        f"因此直径为2×{r}={2 * r}，单位是厘米。",
        conclusion=f"{2 * r}厘米",
        answer=f"{2 * r}厘米",
        think=f"我看到圆心 O 处引出的半径标着 r = {r} cm。直径 d = 2 × {r} = {2 * r} cm，即直径是 {2 * r} 厘米。",
    )
    return [record("geoqa_3307", picture, area), record("geoqa_3307_zh", picture, across)]


def slanted() -> Record:
    base, high, side = 10, 4, 5
    page = Page(560, 300)
    corners = [(70, 240), (400, 240), (490, 90), (160, 90)]
    page.polygon(corners, fill="#eef4fb")
    page.thing("parallelogram", 70, 90, 490, 240)
    page.dashes((160, 90), (160, 240))
    page.line((160, 224), (176, 224), (176, 240), width=2)
    page.text(180, 165, str(high), 22)
    page.text(250, 264, str(base), 22)
    page.text(96, 152, str(side), 22)
    for name, at in {"A": (54, 252), "B": (414, 254), "C": (506, 76), "D": (146, 74)}.items():
        page.text(*at, name, 22)
    picture = page.done(
        "geoqa+/images/4418.png",
        "geometry",
        caption=f"A parallelogram ABCD with the base AB = {base}, the slanted side AD = {side} and a dashed height of {high}.",
        description=f"The image shows a parallelogram ABCD. Its base AB has the length {base}, the slanted side AD has the length {side}. A dashed line from D down to the base is the height; it is marked {high} and has a right angle at the base.",
        code=f"parallelogram(A, B, C, D)\nlength(AB, {base})\nlength(AD, {side})\nheight(D, AB, {high})",
    )
    area = Turn(
        ask=f"平行四边形 ABCD 的面积是（　）\nA、20\nB、{base * high}\nC、{base * side}\nD、30",
        summary="我将用底乘高来计算面积。",
        caption="图中是一个平行四边形，画有一条虚线表示高。",
        reasoning=f"平行四边形的面积等于底乘以高，而不是底乘以斜边。图中底边AB似乎是{base}，虚线表示的高为{high}，斜边的{side}在这里用不到。"
        f"计算得到{base}×{high}={base * high}，所以答案大概是B。",
        conclusion="答案：B",
        answer="B",
        think=f"如图，平行四边形 ABCD 的底 AB = {base}，由 D 向底边作的虚线是高，标着 {high}，并带有直角记号。面积 S = {base} × {high} = {base * high}，选 B。",
    )
    around = Turn(
        ask="它的周长呢？",
        summary="周长等于相邻两边之和的两倍。",
        caption=f"平行四边形的底为{base}，斜边为{side}。",
        reasoning=f"平行四边形的对边相等，所以周长是相邻两边之和的两倍。底边是{base}，左边的斜边看来是{side}，两者之和为{base}+{side}={base + side}，"
        f"乘以2得到2×{base + side}={2 * (base + side)}。",
        conclusion=f"周长是{2 * (base + side)}。",
        answer=f"{2 * (base + side)}",
        think=f"图里 AB = {base}，AD = {side}，对边分别相等。先求邻边之和 {base} + {side} = {base + side}，周长就是 2 × {base + side} = {2 * (base + side)}。",
    )
    return record("geoqa_4418", picture, area, around)


def garden() -> Record:
    long, wide = 12, 7
    page = Page(540, 340)
    page.box(80, 60, 460, 270, fill="#e2f0d9")
    page.thing("rectangle", 80, 60, 460, 270)
    page.text(270, 296, f"{long} m", 22)
    page.text(40, 165, f"{wide} m", 22)
    page.line((80, 60), (460, 270), width=2)
    page.thing("diagonal", 80, 60, 460, 270)
    picture = page.done(
        "mathverse/images/image_310.png",
        "geometry",
        caption=f"A light green rectangle of {long} m by {wide} m with one diagonal.",
        description=f"The image shows a rectangle. Its horizontal side is marked {long} m and its vertical side {wide} m. One diagonal runs from the upper left corner to the lower right corner.",
        code=f"rectangle(R)\nlength(horizontal, {long} m)\nlength(vertical, {wide} m)\ndiagonal(R, upper_left, lower_right)",
    )
    half = long * wide // 2
    part = Turn(
        ask="What is the area of each of the two triangles that the diagonal makes?",
        summary="I will compute the area of the rectangle and halve it.",
        caption="A rectangle is cut into two equal parts by a diagonal.",
        reasoning=f"The diagonal appears to cut the figure into two triangles of equal size. The area of the full rectangle would be {long} × {wide} = {long * wide} square metres. Half of it is {long * wide} / 2 = {half}. So each of the triangles should have "
        f"{half} square metres.",
        conclusion=f"{half} m²",
        answer=f"{half} m²",
        think=f"The rectangle in the image measures {long} m by {wide} m, and its diagonal halves it. {long} m × {wide} m = {long * wide} m², and {long * wide} / 2 = {half}. Each triangle has {half} m².",
    )
    return record("mathverse_310", picture, part)
