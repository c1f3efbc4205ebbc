"""Screens and documents: settings of a phone, a receipt, a form on the web."""

# ruff: noqa: E501 - sentences

from __future__ import annotations

from drawing.page import Page
from drawing.rows import Record, Turn, record


def records() -> list[Record]:
    return [receipt(), phone(), form(), notice()]


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
        code="<h1>CORNER CAFE</h1>\n<p>12 March 2024</p>\n<table>\n"
        + "\n".join(lines)
        + f"\n<tr><td>TOTAL</td><td>{total:.2f}</td></tr>\n</table>\n<p>Paid by card</p>\n<p>Thank you!</p>",
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


def _switch(page: Page, x: int, y: int, on: bool) -> None:
    page.draw.rounded_rectangle([x, y - 13, x + 52, y + 13], 13, fill="#34c759" if on else "#c8c8c8")
    page.draw.ellipse([x + (28 if on else 2), y - 11, x + (50 if on else 24), y + 11], fill="white")
    page.thing("switch", x, y - 13, x + 52, y + 13, "on" if on else "off")


def phone() -> Record:
    settings = [("无线局域网", True), ("蓝牙", False), ("飞行模式", False), ("深色模式", True)]
    page = Page(340, 520, "#f2f2f7")
    page.text(40, 24, "9:41", 18, anchor="lm")
    page.text(300, 24, "78%", 18, anchor="rm")
    page.text(170, 76, "设置", 30)
    for number, (name, on) in enumerate(settings):
        y = 140 + 72 * number
        page.draw.rounded_rectangle([16, y - 30, 324, y + 30], 12, fill="white")
        page.text(34, y, name, 22, anchor="lm")
        _switch(page, 256, y, on)
    page.text(170, 460, "存储空间：已用 48 GB / 64 GB", 18)
    listed = ", ".join(f"{name} is {'on' if on else 'off'}" for name, on in settings)
    lines = [f"<li>{name}: {'on' if on else 'off'}</li>" for name, on in settings]
    picture = page.done(
        "screenqa/train/55012.png",
        "document_ui",
        caption=f"A phone's settings screen in Chinese at 9:41 with 78% battery. {listed}; storage: 48 GB of 64 GB used.",
        description=f"The image shows the settings screen of a phone with the title 设置. At the top stand the time 9:41 and the battery level 78%. Four settings have switches: {listed}. At the bottom stands 存储空间：已用 48 GB / 64 GB (48 GB of 64 GB of storage are used).",
        code="<header>9:41 78%</header>\n<h1>设置</h1>\n<ul>\n"
        + "\n".join(lines)
        + "\n</ul>\n<p>存储空间：已用 48 GB / 64 GB</p>",
    )
    which = Turn(
        ask="哪些设置处于打开状态？",
        summary="我将查看每个开关的状态。",
        caption="这是一个手机的设置界面，列出了四个开关。",
        reasoning="界面上一共有四个开关，打开的开关应该是绿色的，关闭的是灰色的。第一个无线局域网的开关看上去是绿色，第二个蓝牙是灰色，第三个飞行模式也是灰色，"
        "最后一个深色模式好像是绿色。因此打开的是无线局域网和深色模式。",
        conclusion="无线局域网、深色模式",
        answer="无线局域网、深色模式",
        think="图中四个开关里，无线局域网和深色模式是绿色的打开状态，蓝牙和飞行模式是灰色的关闭状态。因此处于打开状态的是无线局域网、深色模式。",
    )
    left = Turn(
        ask="手机还剩多少存储空间？",
        summary="用总容量减去已用的空间。",
        caption="屏幕底部显示了存储空间的使用情况。",
        reasoning="屏幕最下面有一行字，写的似乎是存储空间已经用了48 GB，总共是64 GB。剩余的空间等于总容量减去已用的部分，64-48=16，所以大约还剩16 GB。",
        conclusion="还剩16 GB。",
        answer="16 GB",
        think="我看到屏幕底部写着已用 48 GB / 64 GB。剩余空间为 64 GB - 48 GB = 16 GB，即还剩 16 GB。",
    )
    battery = Turn(
        ask="What is the battery level of the phone?",
        summary="I will read the percentage at the top of the screen.",
        caption="A screenshot of a phone with Chinese text. The battery is at 78%.",
        reasoning="In screens like this one the status of the battery is usually found at the top right. There we can see a number with a percent sign, which appears to be 78%. The other number at the top left looks like the time. So the battery level is 78%.",
        conclusion="78%",
        answer="78%",
        think="At the top right of the screen in the image stands 78%, at the top left the time 9:41. The battery level is 78%.",
    )
    return record("screenqa_55012", picture, which, left, battery)


def form() -> Record:
    fields = [("Name", "Maria Lopez"), ("City", "Porto"), ("Age", "34")]
    page = Page(560, 420, "#fafafa")
    page.draw.rectangle([0, 0, 560, 48], fill="#dfe3e8")
    page.draw.rounded_rectangle([60, 10, 520, 38], 12, fill="white")
    page.text(80, 24, "https://club.example/join", 16, anchor="lm")
    page.text(40, 84, "Join our club", 28, anchor="lm")
    for number, (name, value) in enumerate(fields):
        y = 144 + 56 * number
        page.text(40, y, name, 20, anchor="lm")
        page.box(150, y - 20, 470, y + 20, fill="white", width=2)
        page.thing("text field", 150, y - 20, 470, y + 20)
        page.text(162, y, value, 20, anchor="lm")
    page.box(40, 304, 62, 326, fill="white", width=2)
    page.thing("checkbox", 40, 304, 62, 326, "not ticked")
    page.text(76, 315, "Send me the newsletter", 18, anchor="lm")
    page.draw.rounded_rectangle([40, 350, 180, 394], 8, fill="#1a73e8")
    page.thing("button", 40, 350, 180, 394, "blue")
    page.text(110, 372, "Submit", 20, fill="white")
    listed = ", ".join(f"{name}: {value}" for name, value in fields)
    rows = "\n".join(f'<label>{name} <input value="{value}"></label>' for name, value in fields)
    picture = page.done(
        "geoqa+/images/70001.png",
        "document_ui",
        caption=f'A web form "Join our club" at https://club.example/join with {listed}, an empty checkbox "Send me the newsletter" and a blue button Submit.',
        description=f'The image shows a web page at https://club.example/join with the heading "Join our club". A form has three filled text fields ({listed}), a checkbox "Send me the newsletter" that is not ticked, and a blue button "Submit".',
        code=f'<h1>Join our club</h1>\n<form>\n{rows}\n<label><input type="checkbox"> Send me the newsletter</label>\n<button>Submit</button>\n</form>',
    )
    city = Turn(
        ask="Which city was entered in the form?",
        summary="I will read the field that is called City.",
        caption="A browser window with a registration form.",
        reasoning="The form consists of several fields, one under the other. The second of them has the label City next to it. The text in this field looks like Porto, which is in fact a city in Portugal. So the city is Porto.",
        conclusion="Porto",
        answer="Porto",
        think="In the image the text field beside the label City holds the word Porto. The city that was entered is Porto.",
    )
    news = Turn(
        ask="Will the person receive the newsletter if the form is submitted as it is?\nA. Yes\nB. No",
        summary="I will check whether the checkbox is ticked.",
        caption="There is a checkbox for a newsletter below the fields.",
        reasoning="Whether the newsletter is sent depends on the checkbox below the fields. It seems to be just an empty square, and no tick can be seen in it. This suggests that the person has not asked for the newsletter, so the answer should be No, option B.",
        conclusion="Answer: B",
        answer="B",
        think='The checkbox "Send me the newsletter" in the image is not ticked. Submitted in this state, the form orders no newsletter, which corresponds to B.',
    )
    return record("geo_70001", picture, city, news)


def notice() -> Record:
    page = Page(520, 360, "#fffdf5")
    page.box(20, 20, 500, 340, width=4)
    page.thing("notice", 20, 20, 500, 340)
    page.text(260, 70, "图书馆通知", 34)
    page.text(60, 140, "开放时间：周二至周日 9:00-18:00", 22, anchor="lm")
    page.text(60, 190, "每人最多借 5 本书", 22, anchor="lm")
    page.text(60, 240, "借期：30 天", 22, anchor="lm")
    page.text(60, 290, "逾期每天罚款 0.5 元", 22, anchor="lm")
    picture = page.done(
        "textvqa/train/a8c1.png",
        "document_ui",
        caption="A framed notice in Chinese, 图书馆通知, with opening hours, the number of books, the loan period of 30 days and a fine of 0.5 yuan a day.",
        description="The image shows a framed notice in Chinese with the heading 图书馆通知. Four lines follow: 开放时间：周二至周日 9:00-18:00; 每人最多借 5 本书; 借期：30 天; 逾期每天罚款 0.5 元.",
        code="<h1>图书馆通知</h1>\n<p>开放时间：周二至周日 9:00-18:00</p>\n<p>每人最多借 5 本书</p>\n<p>借期：30 天</p>\n<p>逾期每天罚款 0.5 元</p>",
    )
    fine = Turn(
        ask="一本书借了36天才还，要罚款多少元？",
        summary="我要先求逾期的天数，再计算罚款。",
        caption="图中是一张图书馆的通知。",
        reasoning="通知上写着借期似乎是30天，超过的部分就算逾期。借了36天，逾期36-30=6天。每逾期一天罚款0.5元，所以一共罚款6×0.5=3元。",
        conclusion="3元",
        answer="3元",
        think="图中的通知写明借期 30 天，逾期每天罚款 0.5 元。36 天比 30 天多 36 - 30 = 6 天，罚款为 6 × 0.5 = 3 元。",
    )
    shut = Turn(
        ask="图书馆星期一开放吗？请回答是或否。",
        summary="我会查看通知上的开放时间。",
        caption="通知的第一行是开放时间，从周二到周日。",
        reasoning="开放时间写在标题下面的第一行，好像是周二至周日，从9:00到18:00。星期一不在周二至周日之内，因此可以推断图书馆星期一不开放。",
        conclusion="否",
        answer="否",
        think="我在通知上看到开放时间是周二至周日 9:00-18:00，其中没有星期一，说明星期一闭馆，所以回答：否。",
    )
    return record("textvqa_a8c1", picture, fine, shut)
