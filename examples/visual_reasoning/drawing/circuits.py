"""Circuits of a battery, resistors, a lamp and a meter, in series and in parallel."""

# ruff: noqa: E501 - sentences

from __future__ import annotations

from drawing.page import Page, Point
from drawing.rows import Record, Turn, record


def records() -> list[Record]:
    return [*series()]


def battery(page: Page, x: float, y: float, words: str) -> None:
    """A battery in an upright wire, its label at the left."""
    page.draw.rectangle([x - 20, y - 10, x + 20, y + 10], fill="white")
    page.line((x - 22, y - 9), (x + 22, y - 9), width=3)
    page.line((x - 11, y + 9), (x + 11, y + 9), width=6)
    page.thing("battery", x - 22, y - 11, x + 22, y + 12)
    page.text(x - 32, y, words, 20, anchor="rm")


def across(page: Page, x: float, y: float, words: str) -> None:
    """A resistor in a level wire, its label above."""
    page.box(x - 45, y - 14, x + 45, y + 14, fill="white")
    page.thing("resistor", x - 45, y - 14, x + 45, y + 14)
    page.text(x, y - 30, words, 19)


def upright(page: Page, x: float, y: float, words: str) -> None:
    """A resistor in an upright wire, its label at the right."""
    page.box(x - 14, y - 40, x + 14, y + 40, fill="white")
    page.thing("resistor", x - 14, y - 40, x + 14, y + 40)
    page.text(x + 24, y, words, 19, anchor="lm")


def round_sign(page: Page, x: float, y: float, letter: str, label: str, words: str = "") -> None:
    """A meter or lamp: a circle with a letter, or a cross in it."""
    page.circle(x, y, 20, fill="white")
    page.thing(label, x - 20, y - 20, x + 20, y + 20)
    if letter == "x":
        page.line((x - 14, y - 14), (x + 14, y + 14), width=2)
        page.line((x - 14, y + 14), (x + 14, y - 14), width=2)
    else:
        page.text(x, y, letter, 20)
    if words:
        page.text(x, y - 36, words, 19)


def wire(page: Page, *points: Point) -> None:
    page.line(*points, width=3)


def series() -> list[Record]:
    volts, r1, r2 = 12, 4, 2
    page = Page(560, 360)
    wire(page, (120, 80), (460, 80), (460, 290), (120, 290), (120, 80))
    battery(page, 120, 185, f"{volts} V")
    across(page, 290, 80, f"R1 = {r1} Ω")
    upright(page, 460, 185, f"R2={r2}Ω")
    picture = page.done(
        "geoqa+/images/7713.png",
        "circuit",
        caption=f"A circuit diagram: a {volts} V battery at the left, a resistor R1 = {r1} Ω at the top and a resistor R2 = {r2} Ω at the right, all in one loop.",
        description=f"A circuit diagram with one closed loop. A battery of {volts} V is on the left side, the resistor R1 = {r1} Ω in the top wire, the resistor R2 = {r2} Ω on the right "
        "side. Battery, R1 and R2 are connected in series; there are no branches.",
        code=f"* series circuit\nV1 1 0 DC {volts}\nR1 1 2 {r1}\nR2 2 0 {r2}\n.end",
    )
    whole = r1 + r2
    amps = volts // whole
    resist = Turn(
        ask="What is the total resistance of the circuit?",
        summary="I will identify how the resistors are connected and add them accordingly.",
        caption="A simple electric circuit with a battery and two resistors is shown.",
        reasoning=f"There appear to be two resistors in the circuit, R1 with {r1} ohms and R2 with {r2} ohms. The wire makes a single loop without any branch, so they are likely in series. "
        f"In a series circuit the resistances are added: {r1} + {r2} = {whole}. We can infer a total resistance of {whole} ohms.",
        conclusion=f"The total resistance is {whole} Ω.",
        answer=f"{whole} Ω",
        think=f"The image shows a single loop in which R1 = {r1} Ω and R2 = {r2} Ω follow each other, a series connection. Series resistances add: {r1} Ω + {r2} Ω = {whole} Ω.",
    )
    current = Turn(
        ask=f"What current flows?  A. 1 A  B. {amps} A  C. 3 A  D. 6 A",
        summary="I will apply Ohm's law to the whole circuit.",
        caption=f"The circuit has a battery of {volts} V and two resistors in series.",
        reasoning=f"With Ohm's law, the current is the voltage divided by the resistance. The voltage of the battery is given as {volts} V. The whole resistance is the sum of both resistors, "
        f"{r1} + {r2} = {whole} ohms. Then the current should be {volts} / {whole} = {amps} A, which seems to be option B.",
        conclusion="The correct option is B.",
        answer="B",
        think=f"I see a {volts} V battery in series with {r1} Ω and {r2} Ω. All of it makes {r1} + {r2} = {whole} Ω, and Ohm's law gives I = {volts} V / {whole} Ω = {amps} A. That matches "
        "option B.",
    )
    drop = Turn(
        ask="电阻 R1 两端的电压是多少伏？",
        summary="我先求电流，再求R1上的电压。",
        caption="图中是一个由电池和两个电阻组成的串联电路。",
        reasoning=f"这个电路看起来是串联的，所以各处电流相等。总电阻为{r1}+{r2}={whole}欧姆，电池电压好像是{volts}伏，因此电流为{volts}÷{whole}={amps}安。"
        f"R1的阻值是{r1}欧姆，于是它两端的电压为{amps}×{r1}={amps * r1}伏。",
        conclusion=f"{amps * r1}V",
        answer=f"{amps * r1} V",
        think=f"由图可见 {volts} V 的电池与 R1 = {r1} Ω、R2 = {r2} Ω 串联。总电阻 {r1} + {r2} = {whole} Ω，电流 I = {volts} ÷ {whole} = {amps} A，"
        f"R1 的电压 U = {amps} × {r1} = {amps * r1} V。",
    )
    return [record("circuit_7713", picture, resist, current), record("circuit_7713_zh", picture, drop)]
