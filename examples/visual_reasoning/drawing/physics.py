"""Set-ups of mechanics: a pulley at a table's edge, an incline, a spring."""

# ruff: noqa: E501 - sentences

from __future__ import annotations

import math

from drawing.page import Page
from drawing.rows import Picture, Record, Turn, record


def records() -> list[Record]:
    return [*pulley(), incline(), spring()]


def hatched(page: Page, x0: int, x1: int, y: int) -> None:
    """A floor, hatched below."""
    page.line((x0, y), (x1, y), width=4)
    for x in range(x0, x1 - 10, 18):
        page.line((x + 12, y + 2), (x, y + 14), width=2)


def _pulley_picture(m: int, big: int) -> Picture:
    page = Page(560, 420)
    page.box(40, 190, 380, 214, fill="#d9b382")
    page.box(60, 214, 84, 390, fill="#d9b382")
    page.box(300, 214, 324, 390, fill="#d9b382")
    page.thing("table", 40, 190, 380, 390)
    page.box(130, 110, 230, 190, fill="#9fc5e8")
    page.thing("block M", 130, 110, 230, 190, "blue")
    page.text(180, 150, f"M={big}kg", 22)
    page.line((230, 150), (400, 128), width=3)
    page.line((380, 190), (405, 152), width=6)
    page.circle(405, 152, 24, fill="#dddddd")
    page.circle(405, 152, 4, fill="black")
    page.thing("pulley", 381, 128, 429, 176)
    page.line((429, 152), (429, 270), width=3)
    page.thing("string", 230, 128, 431, 270)
    page.box(389, 270, 469, 340, fill="#f4b183")
    page.thing("block m", 389, 270, 469, 340, "orange")
    page.text(429, 305, f"m={m}kg", 20)
    return page.done(
        "geoqa+/images/5031.png",
        "physics_setup",
        caption=f"A drawn mechanics set-up: a blue block marked M={big}kg rests on a brown table; a string runs from it "
        f"to the right over a grey pulley at the table's edge and down to a hanging orange block marked m={m}kg.",
        description=f"The image shows a pulley system with two masses, m={m}kg hanging and M={big}kg on a table. A "
        f"string connects them through a pulley at the table's right edge. The block M is blue and rests on the "
        f"horizontal table top; the block m is orange and hangs freely from the string. Nothing else touches m.",
        code=f"mass(m, {m} kg)\nmass(M, {big} kg)\nhangs(m)\non(M, table)\nconnected(m, M, string)\n"
        f"passes_over(string, pulley)\nat_edge(pulley, table)",
    )


def pulley() -> list[Record]:
    m, big, g = 6, 14, 9.8
    picture = _pulley_picture(m, big)
    weight = round(m * g, 1)
    tension = Turn(
        ask=f"如图，小球 A 质量为 {m}kg，B 为 {big}kg，系统处于平衡状态，绳子的张力最接近多少？"
        f"\nA、40N\nB、60N\nC、80N\nD、140N",
        summary="我将分析图中的滑轮装置，利用平衡条件求出绳子的张力。",
        caption=f"图中是一个滑轮装置，桌上放着质量较大的物块，绳子绕过桌边的滑轮，另一端挂着质量为{m}kg的物块。",
        reasoning=f"这道题看起来是一个典型的平衡问题。图中似乎有一根绳子绕过滑轮，一端挂着较轻的物体。既然整个系统是静止的，"
        f"那么悬挂的物体所受合力应该为零，也就是绳子的拉力大概等于它的重力。重力可以由质量乘以重力加速度得到，"
        f"{m}×{g}={weight}，单位是牛顿。选项里没有{weight}N，不过最接近的可能就是60N，所以应该选B。",
        conclusion="B",
        answer="B",
        think=f"从图中可以看到，质量为 {m}kg 的物块 m 由绳子悬挂，质量为 {big}kg 的物块 M 放在桌面上，绳子绕过桌边的滑轮。"
        f"题目说系统平衡，因此悬挂物块受到的拉力与重力大小相等。取 g = {g} m/s²，T = {m} × {g} = {weight} N。"
        f"四个选项中 60N 与 {weight} N 最接近，所以选 B。",
    )
    which = Turn(
        ask="哪个物块放在桌面上，m 还是 M？",
        summary="我会观察两个物块的位置来回答。",
        caption="图里画着一张桌子，桌上有一个蓝色的物块，桌边的滑轮下面吊着一个橙色的物块。",
        reasoning="先看一下两个物块的标注。桌面上那个蓝色的方块，上面写的好像是 M，后面跟着质量。右边吊在空中的橙色方块标的则是小写的 m。"
        "由于绳子绕过了滑轮，吊着的显然不在桌上，所以可以推断放在桌面上的是大写的 M。",
        conclusion="放在桌面上的是 M。",
        answer="M",
        think="我看到图中的桌子上有一个蓝色物块，标注是 M；橙色物块 m 挂在滑轮下方的绳子上，没有接触桌面。因此放在桌面上的物块是 M。",
    )
    heavier = Turn(
        ask="How many kilograms heavier is the block on the table than the hanging block?",
        summary="I will read both masses and subtract the smaller from the larger one.",
        caption=f"The picture seems to show a table with a block of {big} kg, and a string over a pulley that holds another "
        f"block of {m} kg.",
        reasoning=f"To find the difference, we first need the two masses. The label on the block that rests on the table "
        f"appears to read M={big}kg. The one that is hanging is likely the lighter, and its label says m={m}kg. "
        f"Subtracting gives {big} - {m} = {big - m}. So it seems the block on the table is heavier by {big - m} kg.",
        conclusion=f"{big - m} kg",
        answer=f"{big - m} kg",
        think=f"As seen in the image, block M on the table is marked {big} kg, while block m at the lower end of the string "
        f"is marked {m} kg. Their difference is {big} kg - {m} kg = {big - m} kg, so M is {big - m} kg heavier.",
    )
    return [record("geoqa_zh_5031", picture, tension, which), record("sqa_5031_b", picture, heavier)]


def incline() -> Record:
    angle, mass, g = 30, 4, 10
    page = Page(520, 340)
    left, right, floor = 60, 440, 290
    top = floor - (right - left) * math.tan(math.radians(angle))
    page.polygon([(left, floor), (right, floor), (right, top)], fill="#eeeeee")
    page.thing("incline", left, top, right, floor, "grey")
    page.draw.arc([left - 70, floor - 70, left + 70, floor + 70], 360 - angle, 360, fill="black", width=2)
    page.text(left + 96, floor - 20, f"{angle}°", 20)
    a = math.radians(angle)
    along, up = (math.cos(a), -math.sin(a)), (-math.sin(a), -math.cos(a))
    x, y = left + 230 * along[0], floor + 230 * along[1]
    corners = [
        (x, y),
        (x + 90 * along[0], y + 90 * along[1]),
        (x + 90 * along[0] + 60 * up[0], y + 90 * along[1] + 60 * up[1]),
        (x + 60 * up[0], y + 60 * up[1]),
    ]
    page.polygon(corners, fill="#93c47d")
    xs, ys = [c[0] for c in corners], [c[1] for c in corners]
    page.thing("block", min(xs), min(ys), max(xs), max(ys), "green")
    page.text(sum(xs) / 4, sum(ys) / 4, f"{mass} kg", 20)
    hatched(page, 20, 500, floor)
    force = mass * g // 2
    picture = page.done(
        "sqa/train/1187/image.png",
        "physics_setup",
        caption=f"A green block marked {mass} kg lies on a grey slope that rises to the right at {angle}°.",
        description=f"The image shows a green block of mass {mass} kg on a grey inclined plane. The plane rises to the "
        f"right and makes an angle of {angle}° with the horizontal floor. No friction, rope or other force is drawn.",
        code=f"mass(block, {mass} kg)\non(block, incline)\nangle(incline, floor, {angle}°)\nrises(incline, right)",
    )
    pull = Turn(
        ask=f"The slope is smooth and g = {g} m/s². What force along the slope keeps the block at rest?\n"
        f"(A) {mass * g} N\n(B) {force} N\n(C) {mass} N\n(D) {force // 2} N",
        summary="I will resolve the weight of the block along the slope to find the force that is needed.",
        caption="The image shows an inclined plane with a block on it. The angle of the plane and the mass are marked.",
        reasoning=f"First, the weight of the block has to be found: {mass} × {g} = {mass * g} N. On a smooth incline only the "
        f"part of it that is parallel to the surface matters, which is the weight times the sine of the angle. The angle "
        f"in the picture seems to be {angle} degrees, and its sine is 0.5. That gives {mass * g} × 0.5 = {force} N. The block "
        f"would slide down unless it is held by a force of the same size, so we can infer that option B fits.",
        conclusion="The answer is (B).",
        answer="B",
        think=f"In the image a block of {mass} kg sits on a plane inclined at {angle}°. Its weight is {mass} kg × {g} m/s² = "
        f"{mass * g} N. Since the slope is smooth, only gravity's component along the plane must be balanced: sin {angle}° = "
        f"0.5, and {mass * g} N × 0.5 = {force} N. That is option B.",
    )
    side = Turn(
        ask="Does the plane rise to the left or to the right?",
        summary="I will look at which end of the plane is higher.",
        caption=f"A block on a ramp; the angle of {angle}° is marked at the left corner of the ramp.",
        reasoning=f"Looking at the ramp, the marked angle of {angle}° is at the lower left corner, where the ramp meets "
        "the floor. From there the surface probably goes up until it reaches the vertical side. This side is on the "
        "right of the picture, so the ramp appears to go up towards the right.",
        conclusion="It rises to the right.",
        answer="right",
        think="I can see in the image that the sharp corner with the angle mark lies at the left, on the floor, and the tall "
        "side of the incline stands at the opposite end. The surface therefore climbs towards the right.",
    )
    return record("sqa_1187", picture, pull, side)


def spring() -> Record:
    k, stretch = 200, 3
    page = Page(420, 460)
    page.line((110, 50), (310, 50), width=5)
    for x in range(116, 310, 18):
        page.line((x, 48), (x + 12, 36), width=2)
    page.thing("ceiling", 110, 36, 310, 52)
    steps = [(210.0, 50.0), *((210 + (26 if n % 2 else -26), 75 + 16 * n) for n in range(11)), (210, 262), (210, 290)]
    page.line(*steps, width=3)
    page.thing("spring", 184, 50, 236, 290)
    page.box(165, 290, 255, 360, fill="#b4a7d6")
    page.thing("weight", 165, 290, 255, 360, "purple")
    page.text(300, 160, f"k = {k} N/m", 19)
    page.text(320, 270, f"x = {stretch} cm", 19)
    force = k * stretch / 100
    picture = page.done(
        "sqa/train/2305/image.png",
        "physics_setup",
        caption=f"A purple weight hangs on a spring from the ceiling; beside it stand k = {k} N/m and x = {stretch} cm.",
        description=f"The image shows a spring that is fixed to the ceiling, with a purple weight hanging at its lower end. The "
        f"spring constant is given as k = {k} N/m and the extension of the spring as x = {stretch} cm. The weight is at rest.",
        code=f"fixed(spring, ceiling)\nhangs(weight, spring)\nspring_constant(spring, {k} N/m)\n"
        f"extension(spring, {stretch} cm)",
    )
    turn = Turn(
        ask="What is the weight of the hanging body in newtons?",
        summary="I will use Hooke's law with the values that are given in the picture.",
        caption=f"A body on a spring. The spring constant is {k} N/m.",
        reasoning=f"The spring pulls the body upwards with a force that follows Hooke's law, F = kx. From the figure, k is {k} N/m, and the "
        f"extension appears to be {stretch} cm. This has to be changed to metres: {stretch} / 100 = {stretch / 100}. Now we multiply, "
        f"{k} × {stretch / 100} = {force:g}. As the body is likely at rest, its weight must be the same as the force of the spring, "
        f"so it weighs {force:g} N.",
        conclusion=f"The weight of the body is {force:g} N.",
        answer=f"{force:g} N",
        think=f"As seen in the image, the spring has k = {k} N/m and is extended by {stretch} cm = {stretch / 100} m. The resting weight is "
        f"held by the spring alone, hence its weight equals k·x: {k} × {stretch / 100} = {force:g} N.",
    )
    return record("sqa_2305", picture, turn)
