"""Forces on a lever and on a cart."""

# ruff: noqa: E501 - sentences

from __future__ import annotations

from drawing.page import Page
from drawing.physics import hatched
from drawing.rows import Record, Turn, record


def records() -> list[Record]:
    return [*lever(), cart()]


def lever() -> list[Record]:
    load, arm, far = 12, 2, 3
    page = Page(600, 300)
    unit, pivot, beam = 80, 250, 170
    page.box(pivot - arm * unit - 20, beam - 8, pivot + far * unit + 20, beam + 8, fill="#c9a36a", width=2)
    page.thing("beam", pivot - arm * unit - 20, beam - 8, pivot + far * unit + 20, beam + 8, "brown")
    page.polygon([(pivot, beam + 8), (pivot - 35, beam + 80), (pivot + 35, beam + 80)], fill="#888888")
    page.thing("fulcrum", pivot - 35, beam + 8, pivot + 35, beam + 80, "grey")
    x = pivot - arm * unit
    page.box(x - 32, beam - 78, x + 32, beam - 8, fill="#f9cb9c")
    page.thing("load", x - 32, beam - 78, x + 32, beam - 8, "orange")
    page.text(x, beam - 43, f"{load} N", 20)
    end = pivot + far * unit
    page.arrow((end, beam - 100), (end, beam - 12), fill="#cc0000")
    page.thing("force arrow", end - 8, beam - 100, end + 8, beam - 12, "red")
    page.text(end + 22, beam - 70, "F", 22)
    page.text(x + arm * unit / 2, beam + 32, f"{arm} m", 18)
    page.text(pivot + far * unit / 2 + 20, beam + 32, f"{far} m", 18)
    hatched(page, 60, 560, beam + 80)
    force = load * arm // far
    picture = page.done(
        "pics/000412.png",
        "physics_setup",
        caption=f"A beam on a grey fulcrum; an orange load of {load} N stands {arm} m left of it, and a red arrow F presses "
        f"down on the beam {far} m right of it.",
        description=f"The image shows a lever: a brown horizontal beam on a grey triangular fulcrum. On the left side an "
        f"orange load of {load} N stands on the beam at {arm} m from the fulcrum. On the right side a force F, drawn as a "
        f"red arrow, acts downwards on the beam at {far} m from the fulcrum.",
        code=f"supports(fulcrum, beam)\nload(W, {load} N)\ndistance(W, fulcrum, {arm} m)\nside(W, left)\nforce(F, down)\n"
        f"distance(F, fulcrum, {far} m)\nside(F, right)",
    )
    balance = Turn(
        ask="图中的杠杆保持水平平衡，力 F 的大小是多少？（杠杆自重不计）",
        summary="我要用杠杆的平衡条件求出 F。",
        caption=f"图上有一根杠杆，左边放着{load}N的重物，右边有一个向下的力F。",
        reasoning=f"根据杠杆原理，动力乘动力臂等于阻力乘阻力臂。图里左边重物的重力看上去是{load}N，它到支点的距离大约为{arm}m，"
        f"两者相乘得到{load}×{arm}={load * arm}。右边的力臂标着{far}m，于是F×{far}={load * arm}，"
        f"算出F={load * arm}÷{far}={force}，所以F应该是{force}N。",
        conclusion=f"F = {force} N",
        answer=f"{force} N",
        think=f"由图可知，支点左侧 {arm} m 处有 {load} N 的重物，右侧 {far} m 处作用着向下的力 F。杠杆水平平衡时两侧力矩相等："
        f"F × {far} m = {load} N × {arm} m = {load * arm} N·m，故 F = {load * arm} ÷ {far} = {force} N。",
    )
    grows = Turn(
        ask="If F were moved closer to the fulcrum, would a larger force be needed to keep the balance? Answer yes or no.",
        summary="I will think about how the arm of the force changes the moment.",
        caption="A lever with a load at the left and an arrow marked F at the right of the support.",
        reasoning="The lever is balanced when both moments have the same size. The moment on the left side does not change, since "
        "the load stays where it is. If F comes closer to the fulcrum, its arm becomes shorter, and so the force must "
        "probably be larger to give the same moment. It seems the answer would be yes.",
        conclusion="Yes",
        answer="yes",
        think=f"The image shows the load of {load} N fixed at {arm} m left of the fulcrum, so its moment stays the same. F acts at the "
        "right; moving it inwards shortens its arm, and a shorter arm with an equal moment demands a bigger force. Yes.",
    )
    return [record("phys_412_1", picture, balance), record("phys_412_2", picture, grows)]


def cart() -> Record:
    right, left, mass = 35, 15, 5
    page = Page(600, 260)
    page.box(210, 90, 390, 170, fill="#ffd966")
    page.thing("cart", 210, 90, 390, 200, "yellow")
    page.text(300, 130, f"{mass} kg", 22)
    for x in (250, 350):
        page.circle(x, 184, 16, fill="#444444")
        page.thing("wheel", x - 16, 168, x + 16, 200, "black")
    page.arrow((390, 130), (540, 130), fill="#cc0000", width=4)
    page.thing("arrow to the right", 390, 122, 540, 138, "red")
    page.text(470, 105, f"{right} N", 20)
    page.arrow((210, 130), (120, 130), fill="#0b5394", width=4)
    page.thing("arrow to the left", 120, 122, 210, 138, "blue")
    page.text(160, 105, f"{left} N", 20)
    hatched(page, 30, 570, 200)
    net = right - left
    picture = page.done(
        "geoqa+/images/6120.png",
        "physics_setup",
        caption=f"A yellow cart marked {mass} kg on the ground, with a red arrow of {right} N to the right and a blue arrow of "
        f"{left} N to the left.",
        description=f"The image shows a yellow cart of mass {mass} kg with two black wheels on level ground. Two horizontal forces act "
        f"on it: {right} N to the right (red arrow) and {left} N to the left (blue arrow).",
        code=f"mass(cart, {mass} kg)\non(cart, ground)\nforce(right, {right} N)\nforce(left, {left} N)\nwheels(cart, 2)",
    )
    total = Turn(
        ask="小车受到的合力是多少？",
        summary="我会把两个方向相反的力合成。",
        caption=f"图中一辆黄色小车，向右的箭头标着{right}N，向左的箭头标着{left}N。",
        reasoning=f"小车在水平方向上好像受到两个力。向右的力比较大，是{right}N；向左的力是{left}N，可能是阻力。方向相反的两个力合成时要相减，"
        f"{right}-{left}={net}。方向应当与较大的力一致，也就是向右。",
        conclusion=f"合力为{net}N，方向向右。",
        answer=f"{net} N",
        think=f"图中红色箭头表示向右的 {right} N，蓝色箭头表示向左的 {left} N，两力在同一直线上且方向相反。合力大小等于两者之差："
        f"{right} N - {left} N = {net} N，方向向右。",
    )
    speeds = Turn(
        ask="那么小车的加速度是多少？",
        summary="我会用牛顿第二定律来计算加速度。",
        caption=f"一辆质量为{mass}kg的小车，两边各有一个力。",
        reasoning=f"前面已经得到合力大约是{net}N。车身上写着{mass}kg，这应该就是小车的质量。根据牛顿第二定律，加速度等于合力除以质量，"
        f"即{net}÷{mass}={net // mass}，单位为米每二次方秒。",
        conclusion=f"{net // mass} m/s²",
        answer=f"{net // mass} m/s²",
        think=f"我看到小车质量标为 {mass} kg，向右的力 {right} N，向左的力 {left} N。先求合力：{right} - {left} = {net} N。再由牛顿第二定律 "
        f"a = {net} ÷ {mass} = {net // mass} m/s²，所以加速度是 {net // mass} m/s²，方向向右。",
    )
    return record("geoqa_zh_6120", picture, total, speeds)
