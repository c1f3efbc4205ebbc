"""The built-in parser: figures, tables, captions, ornaments, and the files that figures are saved to."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from PIL import Image

from operators.pdf.parser import ink, parse
from operators.pdf.parser.parse import parse_pdf
from tests.pdf.sheets import Sheet


def parsed(sheet: Sheet):
    path = sheet.save()
    return parse_pdf(path, path.parent / "images").items


def brief(items) -> list[tuple[str, str]]:
    return [(item.type, item.text or " / ".join(item.captions)) for item in items]


@pytest.fixture
def sheet(tmp_path: Path) -> Sheet:
    return Sheet(tmp_path / "book.pdf")


def test_a_diagram_takes_its_labels_and_its_caption(sheet):
    sheet.lines(72, 100, ["1. 如图，求三角形 ABC 的面积。"])
    sheet.triangle(250, 130, 90, 60)
    sheet.text(275, 215, "第1题图", 9)
    sheet.lines(72, 250, ["2. 计算。"])
    items = parsed(sheet)
    assert brief(items) == [
        ("text", "1. 如图，求三角形 ABC 的面积。"),
        ("image", "第1题图"),
        ("text", "2. 计算。"),
    ]
    left, top, right, bottom = items[1].box
    assert left < 1000 * 245 / 595 and right > 1000 * 344 / 595
    assert top < 1000 * 122 / 842 and 1000 * 190 / 842 < bottom < 1000 * 205 / 842
    with Image.open(items[1].image) as picture:
        assert picture.width == pytest.approx((right - left) * 0.595 * 2.5 + 15, abs=4)
        assert picture.convert("L").getextrema()[0] < 100


def test_a_diagram_beside_its_question_stands_behind_the_question(sheet):
    sheet.lines(72, 100, ["1. The first question asks", "for nothing much."])
    sheet.lines(72, 140, ["2. Find the area of ABC in", "the figure on the right,", "to the nearest integer."])
    sheet.triangle(330, 145, 90, 60)
    sheet.lines(72, 196, ["A. 4", "B. 5"])
    sheet.lines(72, 240, ["3. The last question is a long one and goes over the whole width of the page."])
    assert brief(parsed(sheet)) == [
        ("text", "1. The first question asks for nothing much."),
        ("text", "2. Find the area of ABC in the figure on the right, to the nearest integer."),
        ("image", ""),
        ("text", "A. 4"),
        ("text", "B. 5"),
        ("text", "3. The last question is a long one and goes over the whole width of the page."),
    ]


def test_figures_side_by_side_come_from_left_to_right_with_their_own_captions(sheet):
    sheet.lines(72, 90, ["3. 求周长。", "4. 求面积。"])
    sheet.triangle(330, 138, 80, 62)
    sheet.triangle(110, 145, 80, 55)
    sheet.text(130, 225, "第3题图", 9)
    sheet.text(350, 225, "第4题图", 9)
    assert brief(parsed(sheet))[2:] == [("image", "第3题图"), ("image", "第4题图")]


def test_lettered_pictures_keep_their_letters_as_text(sheet):
    sheet.lines(72, 90, ["5. 下列图形中，是轴对称图形的是（ ）"])
    for number, letter in enumerate("AB"):
        sheet.text(90 + 150 * number, 140, f"{letter}.")
        sheet.circle(140 + 150 * number, 135, 22)
    found = brief(parsed(sheet))
    assert [kind for kind, _ in found].count("image") == 2
    assert " ".join(text for kind, text in found if kind == "text").endswith("A. B.")


def test_a_raster_picture_is_a_figure_and_its_english_caption_is_bound(sheet):
    sheet.lines(72, 90, ["Figure 2 shows a pond."])
    sheet.picture(200, 120, 320, 200)
    sheet.text(225, 216, "Figure 2. The pond", 9)
    assert brief(parsed(sheet)) == [("text", "Figure 2 shows a pond."), ("image", "Figure 2. The pond")]


def test_rules_underlines_badges_and_boxes_round_words_are_no_figures(sheet):
    sheet.line(60, 60, 540, 60)
    sheet.text(72, 100, "1. Underlined words")
    sheet.line(85, 102, 165, 102)
    sheet.rect(60, 120, 540, 180)
    sheet.lines(72, 140, ["A theorem stands in a box that is as wide as the page and has", "two lines."])
    sheet.rect(70, 200, 150, 218, fill=0.85)
    sheet.text(80, 213, "Summary")
    sheet.text(72, 250, "2. Tick")
    sheet.circle(118, 247, 5)
    sheet.text(128, 250, "the right answer.")
    for y in (280, 300, 320):
        sheet.line(72, y, 400, y)
    assert [kind for kind, _ in brief(parsed(sheet))] == ["text"] * 4


def test_a_number_line_and_bars_are_figures(sheet):
    sheet.lines(72, 90, ["1. Mark 3 on the line."])
    sheet.line(100, 130, 300, 130)
    for tick in range(9):
        sheet.line(110 + 20 * tick, 127, 110 + 20 * tick, 130)
        sheet.text(107 + 20 * tick, 141, str(tick), 8)
    sheet.lines(72, 190, ["2. Read the chart."])
    for bar, high in enumerate((20, 45, 30, 60)):
        sheet.rect(120 + 30 * bar, 300 - high, 140 + 30 * bar, 300, fill=0.6)
    sheet.line(110, 300, 260, 300)
    sheet.line(110, 220, 110, 300)
    assert brief(parsed(sheet)) == [
        ("text", "1. Mark 3 on the line."),
        ("image", ""),
        ("text", "2. Read the chart."),
        ("image", ""),
    ]


def test_a_ruled_table_becomes_html_with_its_spans_and_caption(sheet):
    sheet.text(180, 92, "Table 1. Marks", 9)
    for y in (100, 120, 140, 160):
        sheet.line(100, y, 340, y)
    for x in (100, 180, 340):
        sheet.line(x, 100, x, 160)
    sheet.line(260, 120, 260, 160)
    cells = {(105, 114): "name", (185, 114): "marks", (105, 134): "Li", (185, 134): "3 < 4", (265, 134): "5"}
    for (x, y), text in cells.items():
        sheet.text(x, y, text)
    sheet.text(105, 154, "Wu")
    (table,) = parsed(sheet)
    assert (table.type, table.captions) == ("table", ["Table 1. Marks"])
    assert table.text == (
        '<table><tr><td>name</td><td colspan="2">marks</td></tr>'
        "<tr><td>Li</td><td>3 &lt; 4</td><td>5</td></tr><tr><td>Wu</td><td></td><td></td></tr></table>"
    )
    assert Path(table.image).is_file()


@pytest.mark.parametrize(
    ("left", "rows"),
    [
        ((118, 131, 144), [("one", "two"), ("a b c", "x y"), ("d", "z")]),
        ((120, 140), [("one", "two"), ("a", "x"), ("b", "y"), ("d", "z")]),
    ],
)
def test_upright_rules_of_a_row_each_part_columns_and_level_ones_or_lines_on_one_height_rows(sheet, left, rows):
    for y in (80, 105, 147, 170):
        sheet.line(100, y, 340, y)
    for x, (y0, y1) in product((100, 220, 340), ((80, 105), (104.8, 126), (125.8, 147), (146.8, 170))):
        sheet.line(x, y0, x, y1)
    for y, text in ((96, "two"), (120, "x"), (140, "y"), (162, "z")):
        sheet.text(225, y, text)
    for y, text in [(96, "one"), *zip(left, "abc", strict=False), (162, "d")]:
        sheet.text(105, y, text)
    (table,) = parsed(sheet)
    assert table.text == f"<table>{''.join(f'<tr><td>{one}</td><td>{two}</td></tr>' for one, two in rows)}</table>"


def test_a_table_with_level_rules_only_becomes_html(sheet):
    for y in (100, 120, 160):
        sheet.line(100, y, 340, y)
    for row, texts in enumerate((("x", "1", "2"), ("y", "3.5", "7"), ("z", "4", "8"))):
        for column, text in enumerate(texts):
            sheet.text(105 + 80 * column, 114 + 20 * row, text)
    sheet.lines(72, 220, ["1. Read the table."])
    assert brief(parsed(sheet)) == [
        (
            "table",
            "<table><tr><td>x</td><td>1</td><td>2</td></tr><tr><td>y</td><td>3.5</td><td>7</td></tr>"
            "<tr><td>z</td><td>4</td><td>8</td></tr></table>",
        ),
        ("text", "1. Read the table."),
    ]


def test_cells_of_several_lines_in_a_table_with_level_rules_are_one_row_each(sheet):
    long = "A line of working that fills its cell from its one end to the other, and"
    for y in (100, 120, 175, 215):
        sheet.line(72, y, 520, y)
    for y, cells in ((114, ["Question", "Scheme", "Marks"]), (136, ["1", long, "M1 A1"]), (152, ["", "goes on.", ""]),
                     (168, ["2(a)", "Seven.", "B1"]), (191, ["2(b)", long, "M1"]), (207, ["", "goes on.", "A1"])):  # fmt: skip
        for x, cell in zip((80, 140, 480), cells, strict=True):
            sheet.text(x, y, cell)
    sheet.lines(72, 260, ["The end of the mark scheme."])
    assert brief(parsed(sheet)) == [
        (
            "table",
            "<table><tr><td>Question</td><td>Scheme</td><td>Marks</td></tr>"
            f"<tr><td>1</td><td>{long} goes on.</td><td>M1 A1</td></tr>"
            "<tr><td>2(a)</td><td>Seven.</td><td>B1</td></tr>"
            f"<tr><td>2(b)</td><td>{long} goes on.</td><td>M1 A1</td></tr></table>",
        ),
        ("text", "The end of the mark scheme."),
    ]


def test_a_frame_around_a_squared_drawing_is_no_table(sheet):
    for box in ((72, 100, 520, 100.5), (72, 100, 72.5, 300), (519.5, 100, 520, 300), (72, 299.5, 520, 300)):
        sheet.line(*box)
    sheet.rect(250, 120, 330, 200)
    for name, x, y in (("A", 240, 118), ("D", 333, 118), ("B", 240, 212), ("C", 333, 212)):
        sheet.text(x, y, name)
    sheet.lines(80, 240, ["The square is shown with its corners, and it is large.", "Find the length of its diagonal."])
    assert "table" not in {item.type for item in parsed(sheet)}


def test_paragraphs_between_rules_are_no_table(sheet):
    for y in (100, 160, 220):
        sheet.line(72, y, 520, y)
    for y in (120, 136, 180, 196):
        sheet.text(80, y, "1." if y in (120, 180) else "")
        sheet.text(110, y, "A line of a theorem that is set between two rules over the whole width")
    assert {item.type for item in parsed(sheet)} == {"text"}


def test_squared_paper_is_a_figure_and_no_table(sheet):
    for step in range(7):
        sheet.line(100, 100 + 15 * step, 190, 100 + 15 * step)
        sheet.line(100 + 15 * step, 100, 100 + 15 * step, 190)
    sheet.line(115, 175, 160, 115, 1.5)
    sheet.lines(72, 230, ["1. Find the length."])
    assert [kind for kind, _ in brief(parsed(sheet))] == ["image", "text"]


def test_ornaments_that_pages_share_are_no_figures(sheet):
    for page in range(6):
        sheet.picture(500, 40, 560, 80, seed=7)
        sheet.picture(40, 150 + 40 * page, 60, 170 + 40 * page, seed=8)
        sheet.lines(72, 120, [f"{page + 1}. A question."])
        sheet.picture(200, 300, 300, 380, seed=100 + page)
        sheet.next_page()
    assert [kind for kind, _ in brief(parsed(sheet))] == ["text", "image"] * 6


def test_words_in_an_ornament_are_text(sheet):
    for page in range(6):
        sheet.circle(300, 300, 40)
        sheet.text(285, 303, f"Part {page + 1}")
        sheet.lines(72, 400, [f"{page + 1}. A question."])
        sheet.next_page()
    assert brief(parsed(sheet)) == [("text", t) for n in range(6) for t in (f"Part {n + 1}", f"{n + 1}. A question.")]


def test_a_second_parse_writes_no_file_again_and_leaves_nothing_else(sheet):
    sheet.lines(72, 90, ["1. Look."])
    sheet.triangle(250, 130, 90, 60)
    first = parsed(sheet)
    picture = Path(first[1].image)
    picture.write_bytes(b"kept")
    second = parse_pdf(sheet.path, sheet.path.parent / "images").items
    assert (second, picture.read_bytes()) == (first, b"kept")
    assert list(picture.parent.iterdir()) == [picture]


def test_crops_and_sources_with_too_many_pixels_are_cut_down(sheet, monkeypatch):
    monkeypatch.setattr(parse, "MAX_PIXELS", 10_000)
    monkeypatch.setattr(ink, "MAX_SOURCE_PIXELS", 100 * 100)
    sheet.lines(72, 90, ["1. Look."])
    sheet.picture(100, 120, 300, 320, seed=1, side=50)
    sheet.picture(100, 400, 300, 600, seed=2, side=120)
    _, small, huge = parsed(sheet)
    with Image.open(small.image) as picture:
        assert picture.width * picture.height <= 10_500
        assert len(picture.getcolors(20_000)) > 1_000
    with Image.open(huge.image) as picture:
        assert picture.getcolors() == [(picture.width * picture.height, (255, 255, 255))]


def test_two_drawings_above_one_caption_are_one_figure(sheet):
    sheet.lines(72, 90, ["2. 如图，求金属块受到的浮力。"])
    sheet.circle(220, 150, 30)
    sheet.triangle(300, 135, 60, 60)
    sheet.text(258, 220, "第2题图", 9)
    found = parsed(sheet)
    assert brief(found) == [("text", "2. 如图，求金属块受到的浮力。"), ("image", "第2题图")]
    assert found[1].box[0] == pytest.approx(1000 * 190 / 595, abs=2)


def test_drawings_side_by_side_over_one_caption_are_one_figure(sheet):
    sheet.lines(72, 100, ["三块砖按甲、乙、丙三种方式放置，回答第3～4题。"])
    for x in (120, 250, 380):
        sheet.triangle(x, 140, 80, 50)
    sheet.text(265, 215, "第3～4题图", 9)
    sheet.lines(72, 250, ["3. 哪一种方式最稳？"])
    assert brief(parsed(sheet)) == [
        ("text", "三块砖按甲、乙、丙三种方式放置，回答第3～4题。"),
        ("image", "第3～4题图"),
        ("text", "3. 哪一种方式最稳？"),
    ]


def framed(sheet: Sheet, top: float, bottom: float, left: float = 90, right: float = 510) -> None:
    """Four rules around a rectangle, as LaTeX draws frames."""
    for y in (top, bottom):
        sheet.line(left, y, right, y)
    for x in (left, right):
        sheet.line(x, top, x, bottom)


def test_a_frame_of_rules_around_text_is_no_figure_and_one_inside_it_is(sheet):
    sheet.text(72, 100, "1. A stone is dropped from a bridge. How high is the bridge?")
    framed(sheet, 115, 135)
    sheet.text(100, 129, "Solution: From the time of the fall we obtain that it is twenty-eight metres high.")
    sheet.text(72, 160, "2. Sketch how the energy changes during a full period of the swing.")
    framed(sheet, 175, 290)
    sheet.text(100, 190, "Solution: The energy is zero at both ends of the motion and largest in the middle.")
    sheet.circle(300, 240, 30)
    assert brief(parsed(sheet)) == [
        ("text", "1. A stone is dropped from a bridge. How high is the bridge?"),
        ("text", "Solution: From the time of the fall we obtain that it is twenty-eight metres high."),
        ("text", "2. Sketch how the energy changes during a full period of the swing."),
        ("text", "Solution: The energy is zero at both ends of the motion and largest in the middle."),
        ("image", ""),
    ]


def test_rules_that_part_what_stands_in_a_frame_are_no_figure_and_take_no_numbers(sheet):
    told = ["The pond is nine metres long and six metres wide.", "Its water comes from a spring that never runs dry.",
            "Ducks live on it, and two swans that come back.", "In a cold winter its ice is as thick as a hand."]  # fmt: skip
    sheet.text(72, 70, "7. Read what the box says of the pond, and tell which line is wrong.")
    framed(sheet, 90, 190, 72, 520)
    sheet.line(180, 90, 180, 190)
    sheet.circle(126, 140, 28)
    for number, words in enumerate(told, 1):
        y = 65 + 25 * number
        if number > 1:
            sheet.line(180, y, 520, y)
        sheet.text(186, y + 16, str(number))
        sheet.text(224, y + 16, words)
    sheet.text(72, 215, "8. How long is the pond?")
    lines = [("text", f"{number} {words}") for number, words in enumerate(told, 1)]
    assert brief(parsed(sheet)) == [
        ("text", "7. Read what the box says of the pond, and tell which line is wrong."),
        *lines[:2],
        ("image", ""),
        *lines[2:],
        ("text", "8. How long is the pond?"),
    ]


def test_the_unit_above_the_numbers_of_an_axis_is_part_of_the_figure(sheet):
    sheet.text(72, 100, "1. In which month does the most rain fall, and how much is it?")
    sheet.line(120, 150, 120, 240)
    sheet.line(120, 240, 300, 240)
    sheet.line(120, 230, 300, 160)
    sheet.text(100, 154, "300", 8)
    sheet.text(100, 141, "mm", 8)
    sheet.text(72, 280, "2. Which month is the driest?")
    assert brief(parsed(sheet)) == [
        ("text", "1. In which month does the most rain fall, and how much is it?"),
        ("image", ""),
        ("text", "2. Which month is the driest?"),
    ]


def test_squared_paper_in_a_frame_below_its_text_is_a_figure(sheet):
    framed(sheet, 90, 300, 72, 520)
    sheet.text(80, 106, "7. Draw the square of side three on the paper, and mark the middle of each side.")
    sheet.text(80, 122, "Colour the four triangles that lie between these middles and the corners.")
    for y in range(180, 300, 20):
        sheet.line(72, y, 520, y)
    for x in range(92, 520, 20):
        sheet.line(x, 180, x, 300)
    assert [kind for kind, _ in brief(parsed(sheet))].count("image") == 1


def test_frames_around_numbers_and_a_chapters_title_are_no_figures(sheet):
    framed(sheet, 60, 110)
    sheet.text(250, 80, "Chapter IV", 10)
    sheet.text(260, 100, "Vectors", 16)
    for n, y in enumerate((150, 171, 192), 19):
        framed(sheet, y - 10, y + 4, 70, 88)
        sheet.text(73, y, str(n))
        sheet.text(102, y, f"Find the angle between the first vector and vector number {n + 10}.")
    framed(sheet, 290, 304, 200, 218)
    sheet.text(203, 300, "25")
    framed(sheet, 290, 304, 221, 239)
    assert brief(parsed(sheet)) == [
        ("text", "Chapter IV"),
        ("text", "Vectors"),
        *(("text", f"{n} Find the angle between the first vector and vector number {n + 10}.") for n in (19, 20, 21)),
        ("image", ""),
    ]


def test_a_coloured_band_behind_a_heading_is_no_figure(sheet):
    sheet.rect(0, 34, 595, 60, fill=0.8)
    sheet.text(40, 52, "Question 7", 14)
    sheet.text(72, 100, "Explain in two sentences what the halting problem is.")
    assert brief(parsed(sheet)) == [
        ("text", "Question 7"),
        ("text", "Explain in two sentences what the halting problem is."),
    ]


#: What six cells hold, line by line.
CELLS = [
    ["Q1. A train leaves at", "nine and runs for two", "hours. When does it", "arrive?"],
    ["Q2. A bus has forty", "seats in ten rows. How", "many has a row?"],
    ["Q3. A boat needs ten", "litres an hour. How long", "do ninety last?"],
    ["Q4. A plane flies at", "five heights. Which is", "the lowest of them?"],
    ["Q5. A lorry carries", "nine boxes of twelve.", "How many are there?"],
    ["Q6. How many wheels", "have seven bikes?"],
]
QUESTIONS = [("text", " ".join(lines)) for lines in CELLS]


def ruled(sheet: Sheet, cells: list[list[str]], columns: int, high: float = 90) -> None:
    """Cells between rules, row by row, from 100 points below the page's top on."""
    wide, rows = 450 / columns, len(cells) // columns
    for row in range(rows + 1):
        sheet.line(72, 100 + high * row, 522, 100 + high * row)
    for column in range(columns + 1):
        sheet.line(72 + wide * column, 100, 72 + wide * column, 100 + high * rows)
    for at, lines in enumerate(cells):
        sheet.lines(80 + wide * (at % columns), 118 + high * (at // columns), lines)


@pytest.mark.parametrize("columns", [2, 3])
def test_questions_in_ruled_cells_are_read_whole_and_as_they_count(sheet, columns):
    """In three columns they count from cell to cell of a row, in two down each column."""
    sheet.text(72, 70, "Answer all six questions in your exercise book.")
    ruled(sheet, CELLS if columns == 3 else [CELLS[at] for at in (0, 3, 1, 4, 2, 5)], columns)
    sheet.text(72, 400, "Check your answers with a friend.")
    assert brief(parsed(sheet)) == [
        ("text", "Answer all six questions in your exercise book."),
        *QUESTIONS,
        ("text", "Check your answers with a friend."),
    ]


@pytest.mark.parametrize("rounded", [False, True])
def test_questions_on_cards_are_read_whole(sheet, rounded):
    for at, lines in enumerate(CELLS):
        x, y = 72 + 155 * (at % 3), 100 + 100 * (at // 3)
        if rounded:
            sheet.canvas.roundRect(x, sheet.height - y - 85, 140, 85, 8)
        else:
            sheet.rect(x, y, x + 140, y + 85)
        sheet.lines(x + 6, y + 18, lines)
    sheet.text(72, 320, "Check your answers with a friend.")
    assert brief(parsed(sheet)) == [*QUESTIONS, ("text", "Check your answers with a friend.")]


def test_a_framed_picture_on_a_card_or_beside_the_cards_stays_a_figure(sheet):
    for at, lines in enumerate(CELLS):
        x, y = 72 + 155 * (at % 3), 100 + 130 * (at // 3)
        sheet.rect(x, y, x + 140, y + 120)
        sheet.lines(x + 6, y + 18, lines)
    for x, y in ((82, 181), (200, 420)):  # on the first card, and below all cards
        sheet.rect(x, y, x + 110, y + 34)
        sheet.line(x + 5, y + 30, x + 100, y + 8)
    figure, (first, *others) = ("image", ""), QUESTIONS
    assert brief(parsed(sheet)) == [first, figure, *others, figure]


def in_table(rows: list[list[str]]) -> tuple[str, str]:
    cells = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return "table", f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def test_short_answers_in_ruled_cells_are_a_table(sheet):
    key = [f"{n}. {said}" for n, said in enumerate(("11 o'clock", "4 seats", "9 hours", "the first", "108", "14"), 1)]
    sheet.text(72, 70, "Answers")
    ruled(sheet, [[line] for line in key], 3, high=30)
    assert brief(parsed(sheet)) == [("text", "Answers"), in_table([key[:3], key[3:]])]


def test_ruled_cells_without_numbers_are_a_table(sheet):
    sheet.text(72, 70, "What the class does in a year")
    cells = [[name, "is when we go", "out to the pond."] for name in ("May", "June", "July", "Autumn", "Lent", "Snow")]
    ruled(sheet, cells, 3)
    words = [" ".join(lines) for lines in cells]
    assert brief(parsed(sheet)) == [("text", "What the class does in a year"), in_table([words[:3], words[3:]])]
