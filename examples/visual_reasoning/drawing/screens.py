"""Screens and documents: settings of a phone, a receipt, a form on the web."""

# ruff: noqa: E501 - sentences

from __future__ import annotations

from drawing.page import Page
from drawing.rows import Record, Turn, record


def records() -> list[Record]:
    return [receipt()]


def receipt() -> Record:
    items = [("Coffee", 3.5), ("Sandwich", 6.2), ("Juice", 2.8)]
    total = round(sum(price for _, price in items), 2)
    page = Page(360, 440, "#f7f5ee")
    page.text(180, 40, "CORNER CAFE", 26)
    page.text(180, 74, "12 March 2024", 17)
    page.line((30, 98), (330, 98), width=2)
    for number, (name, price) in enumerate(items):
        page.text(40, 130 + 44 * number, name, 20, anchor="lm")
        page.text(320, 130 + 44 * number, f"{price:.2f}", 20, anchor="rm")
    page.line((30, 252), (330, 252), width=2)
    page.text(40, 284, "TOTAL", 24, anchor="lm")
    page.text(320, 284, f"{total:.2f}", 24, anchor="rm")
    page.text(40, 330, "Paid by card", 18, anchor="lm")
    page.text(180, 400, "Thank you!", 20)
    page.thing("receipt", 0, 0, 360, 440)
    listed = ", ".join(f"{name} {price:.2f}" for name, price in items)
    lines = [f"<tr><td>{name}</td><td>{price:.2f}</td></tr>" for name, price in items]
    picture = page.done(
        "docvqa/documents/rzbj0037_9.png",
        "document_ui",
        caption=f"A receipt of CORNER CAFE from 12 March 2024 with {listed} and a TOTAL of {total:.2f}, paid by card.",
        description=f'The image shows a receipt with the head "CORNER CAFE" and the date 12 March 2024. It lists {listed}. Below a line stands TOTAL {total:.2f}, then "Paid by card" and "Thank you!".',
        code="<h1>CORNER CAFE</h1>\n<p>12 March 2024</p>\n<table>\n" + "\n".join(lines) + f"\n<tr><td>TOTAL</td><td>{total:.2f}</td></tr>\n</table>\n<p>Paid by card</p>\n<p>Thank you!</p>",
    )
    (_, coffee), (_, sandwich), _ = items
    date = Turn(
        ask="What is the date on the receipt?",
        summary="I will look for the date near the top of the receipt.",
        caption="A receipt of a cafe with three items and a total amount.",
        reasoning="The upper part of the receipt has the name of the shop, which seems to be a cafe. Directly below the name there is a line in smaller letters which looks like a date. It can be read as 12 March 2024.",
        conclusion="12 March 2024",
        answer="12 March 2024",
        think="In the image the second line of the receipt, right under CORNER CAFE, reads 12 March 2024. This is the date: 12 March 2024.",
    )
    dearer = round(sandwich - coffee, 2)
    more = Turn(
        ask="How much more does the sandwich cost than the coffee?",
        summary="I will subtract the two prices.",
        caption=f"The receipt lists coffee, a sandwich and juice; the sum is {total:.2f}.",
        reasoning=f"According to the receipt, the sandwich has a price of {sandwich:.2f}, and the coffee appears to cost {coffee:.2f}. The difference between these two amounts is {sandwich:.2f} - {coffee:.2f} = {dearer:.2f}. So "
        f"it is {dearer:.2f} more.",
        conclusion=f"{dearer:.2f}",
        answer=f"{dearer:.2f}",
        think=f"The lines of the receipt in the image say Sandwich {sandwich:.2f} and Coffee {coffee:.2f}. I subtract: {sandwich:.2f} - {coffee:.2f} = {dearer:.2f}. The sandwich costs {dearer:.2f} more.",
    )
    return record("docvqa_rzbj0037", picture, date, more)
