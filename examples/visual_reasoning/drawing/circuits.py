"""Circuits of a battery, resistors, a lamp and a meter, in series and in parallel."""

# ruff: noqa: E501 - sentences

from __future__ import annotations

from drawing.page import Page, Point
from drawing.rows import Record, Turn, record


def records() -> list[Record]:
    return [*series(), parallel(), lamps(), meter()]


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


def parallel() -> Record:
    volts, r1, r2 = 6, 3, 6
    page = Page(560, 340)
    wire(page, (110, 60), (440, 60), (440, 280), (110, 280), (110, 60))
    wire(page, (280, 60), (280, 280))
    battery(page, 110, 170, f"{volts} V")
    upright(page, 280, 170, f"R1 = {r1} Ω")
    upright(page, 440, 170, f"R2 = {r2} Ω")
    for y in (60, 280):
        page.circle(280, y, 5, fill="black")
    picture = page.done(
        "pics/el_0520.png",
        "circuit",
        caption=f"A circuit diagram with a {volts} V battery at the left and two upright branches, R1 = {r1} Ω in the middle and R2 = {r2} Ω at the right.",
        description=f"A circuit diagram. A battery of {volts} V is on the left side. Two branches lie in parallel to it: the resistor R1 = {r1} Ω in the middle and the resistor R2 = {r2} Ω on the right side. Two dots mark the junctions of the middle branch.",
        code=f"* parallel circuit\nV1 1 0 DC {volts}\nR1 1 0 {r1}\nR2 1 0 {r2}\n.end",
    )
    i1, i2 = volts // r1, volts // r2
    total = Turn(
        ask="两条支路的总电流是多少安培？",
        summary="我要分别求出两条支路的电流，再相加。",
        caption="电路图左侧是一个电池，中间和右侧各有一个电阻。",
        reasoning=f"从图上看，R1和R2似乎是并联的，两端的电压都等于电池的电压{volts}V。R1支路的电流是{volts}÷{r1}={i1}A，R2支路的电流是{volts}÷{r2}={i2}A。"
        f"并联电路的总电流等于各支路电流之和，所以总电流大约是{i1}+{i2}={i1 + i2}A。",
        conclusion=f"总电流是{i1 + i2}A。",
        answer=f"{i1 + i2} A",
        think=f"图中 R1 = {r1} Ω 与 R2 = {r2} Ω 并联在 {volts} V 的电池两端，因此每个电阻上的电压都是 {volts} V。由欧姆定律得 I1 = {volts} ÷ {r1} = {i1} A，I2 = {volts} ÷ {r2} = {i2} A，"
        f"干路电流 I = {i1} + {i2} = {i1 + i2} A。",
    )
    kind = Turn(
        ask="R1 和 R2 是怎样连接的？ (A) 串联 (B) 并联 (C) 没有连接",
        summary="我会观察两个电阻的连接方式。",
        caption="这是一个有两条支路的电路图。",
        reasoning="判断连接方式，要看电流有没有分叉。图里上面的导线在中间的黑点处分成两路，一路向下经过R1，另一路继续向右经过R2，然后在下面的黑点处好像又汇合在一起。"
        "电流有分支，说明两个电阻应该是并联，对应的选项是B。",
        conclusion="B",
        answer="B",
        think="我看到图中的两个黑点是分叉的结点：电流在上面的结点分成两路，分别通过 R1 和 R2，又在下面的结点汇合。这样的连接是并联，所以选 B。",
    )
    return record("el_520", picture, total, kind)


def lamps() -> Record:
    page = Page(600, 330)
    wire(page, (100, 60), (500, 60), (500, 270), (100, 270), (100, 60))
    battery(page, 100, 165, "9 V")
    for number, x in enumerate((200, 300), 1):
        round_sign(page, x, 60, "x", "lamp", f"L{number}")
    page.draw.rectangle([385, 45, 445, 75], fill="white")
    page.line((385, 60), (440, 30), width=3)
    for x in (385, 445):
        page.circle(x, 60, 5, fill="black")
    page.thing("switch", 380, 26, 450, 66, "open")
    page.text(415, 100, "S", 20)
    round_sign(page, 500, 165, "x", "lamp")
    page.text(536, 165, "L3", 19)
    picture = page.done(
        "ai2d/images/3870.png",
        "circuit",
        caption="A circuit diagram with a 9 V battery, three lamps L1, L2 and L3, and an open switch S, all in one loop.",
        description="A circuit diagram with one loop. A battery of 9 V is on the left side; two lamps, L1 and L2, and a switch S are in the top wire, a third lamp L3 is on the right side. All of them are in series. The switch S is drawn open.",
        code="* three lamps and an open switch in series\nV1 1 0 DC 9\nR1 1 2 1\nR2 2 3 1\nRS 3 4 1G\nR3 4 0 1\n.end",
    )
    count = Turn(
        ask="How many lamps does the circuit have?",
        summary="I will count the lamp symbols.",
        caption="A loop with a battery, some lamps and a switch.",
        reasoning="A lamp is normally drawn as a circle with a cross. Starting at the battery and going along the top wire, there seems to be one lamp called L1, followed by another one called L2. After the switch the wire turns down, and on the "
        "right there is one more with the label L3. This makes three lamps altogether.",
        conclusion="3",
        answer="3",
        think="In the image circles with a cross stand for lamps: L1 and L2 in the top wire and L3 on the right side. That is 2 + 1 = 3 lamps.",
    )
    lit = Turn(
        ask="Do the lamps light up in the state shown? Answer yes or no.",
        summary="I will check if the loop is closed.",
        caption="The diagram of a circuit in which the switch S is open.",
        reasoning="For the lamps to light, there must be a current, and a current needs a closed path. All parts appear to be connected one after another. The lever of the switch S does not touch the second contact, so it seems to be open. "
        "Because of this gap no current can flow, and the lamps probably remain dark.",
        conclusion="No, the lamps stay dark.",
        answer="no",
        think="I see the switch S drawn open in the image, and everything is in one series loop. An open switch interrupts the only path, there is no current, and none of L1, L2, L3 lights. So no.",
    )
    return record("ai2d_3870", picture, count, lit)


def meter() -> Record:
    volts, milli = 3, 20
    page = Page(520, 360)
    wire(page, (130, 70), (420, 70), (420, 300), (130, 300), (130, 70))
    battery(page, 130, 185, f"{volts} V")
    across(page, 275, 70, "R")
    round_sign(page, 420, 185, "A", "ammeter")
    page.text(450, 185, f"{milli}mA", 18, anchor="lm")
    ohms = volts * 1000 // milli
    picture = page.done(
        "sqa/train/4410/image.png",
        "circuit",
        caption=f"A circuit diagram with a {volts} V battery, a resistor R and an ammeter A beside which {milli}mA is written.",
        description=f"A circuit diagram with one loop. A battery of {volts} V is on the left side, a resistor R without a value in the top wire, an ammeter A on the right side. Beside the ammeter stands its reading, {milli} mA.",
        code=f"* current {milli} mA\nV1 1 0 DC {volts}\nR1 1 2 {ohms}\nVA 2 0 DC 0\n.end",
    )
    find = Turn(
        ask=f"What is the value of R?\nChoices:\n(A) {ohms // 10} Ω\n(B) 60 Ω\n(C) {ohms} Ω\n(D) {ohms * 10} Ω",
        summary="I will use the voltage and the current to get the resistance.",
        caption="An ammeter in a simple circuit shows the current through a resistor.",
        reasoning=f"The resistance follows from Ohm's law as the voltage divided by the current. It seems the voltage is {volts} V. The ammeter shows {milli} mA, which has to be converted: {milli} / 1000 = {milli / 1000} A. Dividing gives {volts} / {milli / 1000} = "
        f"{ohms} ohms. We can infer that choice C is the correct one.",
        conclusion="C",
        answer="C",
        think=f"The image gives a {volts} V battery and an ammeter reading of {milli} mA = {milli / 1000} A in a single loop, so this current flows through R. R = {volts} V / {milli / 1000} A = {ohms} Ω, which is choice C.",
    )
    return record("sqa_4410", picture, find)
