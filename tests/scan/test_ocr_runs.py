"""Lines that OCR read become runs as a text layer has them."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.pdf.numbering.labels import item_label
from operators.pdf.parser.formula_pictures import stack_fractions
from operators.pdf.parser.paragraphs import Paragraph, page_parts
from operators.pdf.parser.runs import Run
from operators.pdf.scan.ocr_runs import runs_of
from tests.scan.words_sheet import EM, SCALE, Printed

BODY = EM / SCALE
LEFT = 100


def runs(page: Printed) -> list[Run]:
    return runs_of(page.picture, page.lines, page.rules)


def texts(page: Printed) -> list[str]:
    return [run.text for run in runs(page)]


def paragraphs(page: Printed) -> list[str]:
    """The page as the parser reads it, fractions put together."""
    stacked, rules = stack_fractions(runs(page), page.rules, BODY)
    return [part.text for part in page_parts(stacked, [], rules, BODY) if isinstance(part, Paragraph)]


def fill(page: Printed, top: float = 600, count: int = 4) -> None:
    """Lines of plain text, so that the page has a size of its own."""
    for number in range(count):
        page.write(LEFT, top + 50 * number, "这些句子告诉我们正文的大小是多少然后再继续写下去")


def test_sizes_and_bases_of_one_printed_line_are_the_same_whatever_its_letters() -> None:
    page = Printed()
    fill(page)
    for x, text in ((LEFT, "1."), (150, "小明有"), (260, "x"), (300, "A. 25"), (420, "只鸡和一头牛"), (700, "gy")):
        page.write(x, 200, text)
    row = [run for run in runs(page) if run.base < 300 / SCALE]
    assert [run.text for run in row] == ["1.", "小明有", "x", "A. 25", "只鸡和一头牛", "gy"]
    assert len({run.size for run in row}) == len({run.base for run in row}) == 1
    assert row[0].size == pytest.approx(BODY, rel=0.06)
    assert row[0].base == pytest.approx(200 / SCALE, abs=0.06 * BODY)
    assert row[0].x0 == pytest.approx(LEFT / SCALE, abs=0.25 * BODY)


def test_a_title_keeps_its_larger_size() -> None:
    page = Printed()
    fill(page)
    page.write(LEFT, 100, "第一章勾股定理", size=1.5 * EM)
    page.write(LEFT, 200, "练习", size=1.3 * EM)
    by_text = {run.text: run.size for run in runs(page)}
    assert by_text["第一章勾股定理"] == pytest.approx(1.5 * BODY, rel=0.06)
    assert by_text["练习"] == pytest.approx(1.3 * BODY, rel=0.06)


def test_heavy_words_are_bold_at_any_size() -> None:
    page = Printed()
    fill(page)
    page.write(LEFT, 100, "Multiple choice", stroke=1)
    page.write(LEFT, 200, "Chapter 3", size=2 * EM)
    page.write(LEFT, 300, "small words below a figure", size=0.7 * EM)
    assert {run.text: run.bold for run in runs(page) if run.text.isascii()} == {
        "Multiple choice": True,
        "Chapter 3": False,
        "small words below a figure": False,
    }


def test_a_raised_letter_read_apart_stays_small_and_is_marked() -> None:
    page = Printed()
    fill(page)
    end = page.write(LEFT, 200, "求代数式x")
    end = page.write(end + 2, 188, "2", size=0.6 * EM)
    page.write(end + 1, 200, "+3x的值")
    assert paragraphs(page)[0] == "求代数式x^2+3x的值"


@pytest.mark.parametrize(
    ("exponent", "up", "read", "wanted"),
    [("8", 12, "3×108", "3×10⁸"), ("-12", 12, "3×10-12", "3×10⁻¹²"), ("8", 0, "3×108", "3×108")],
)
def test_the_exponent_of_a_power_of_ten_is_raised_as_on_the_page(
    exponent: str, up: int, read: str, wanted: str
) -> None:
    page = Printed()
    fill(page)
    end = page.write(LEFT, 200, "光速是3×10")
    end = page.write(end, 200 - up, exponent, size=0.65 * EM if up else EM)
    last = page.write(end + 4, 200, "米每秒")
    page.lines = page.lines[:-3]
    page.see(LEFT, 200, last, f"光速是{read}米每秒")
    assert texts(page)[0] == f"光速是{wanted}米每秒"


def test_a_stacked_fraction_is_put_into_its_sentence() -> None:
    page = Printed()
    fill(page)
    page.write(LEFT, 200, "7.")
    page.rule(150, 189, 180)
    page.write(156, 180, "9")
    page.write(156, 217, "2")
    page.write(200, 200, "如图所示将正六边形分成面积相等的三角形")
    assert paragraphs(page)[0] == "7. 9/2 如图所示将正六边形分成面积相等的三角形"
    assert item_label(paragraphs(page)[0]).label == "7"


def test_a_bar_read_as_a_dash_is_left_to_the_fraction() -> None:
    page = Printed()
    fill(page)
    end = page.write(LEFT, 200, "夹角是30×")
    page.rule(end + 2, 189, end + 34)
    page.lines.pop()
    page.see(LEFT, 200, end + 12, "夹角是30×-")
    page.write(end + 10, 180, "5")
    page.write(end + 10, 217, "6")
    page.write(end + 40, 200, "度")
    assert paragraphs(page)[0] == "夹角是30×5/6 度"


def test_a_denominator_without_its_numerator_stays_in_its_line_and_says_so() -> None:
    page = Printed()
    fill(page)
    end = page.write(LEFT, 200, "则三的")
    page.rule(end + 2, 189, end + 34)
    page.write(end + 10, 217, "2")
    page.write(end + 40, 200, "倍是多少")
    assert paragraphs(page)[0] == "则三的 □/2 倍是多少"


def test_the_ideograph_one_is_no_bar_and_no_dash() -> None:
    page = Printed()
    fill(page)
    page.write(LEFT + EM, 200, "、选择题目")
    page.rule(LEFT + 2, 188, LEFT + 26)
    page.lines.pop()
    for read in ("一、选择题目", "-、选择题目", "—、选择题目"):
        page.lines = [line for line in page.lines if "选择" not in line.text]
        page.see(LEFT, 200, LEFT + 6 * EM, read)
        run = runs(page)[0]
        assert run.text == "一、选择题目"
        assert run.x0 == pytest.approx(LEFT / SCALE, abs=0.2 * BODY)


def test_a_blank_that_ocr_reads_over_is_seen_at_its_place() -> None:
    page = Printed()
    fill(page)
    end = page.write(LEFT, 200, "这个数是")
    page.rule(end + 1, 204, end + 100)
    last = page.write(end + 101, 200, "千米")
    page.lines = page.lines[:-2]
    page.see(LEFT, 200, last, "这个数是千米")
    assert paragraphs(page)[0] == "这个数是____千米"


def test_a_caption_read_with_the_line_beside_it_is_cut_off() -> None:
    page = Printed()
    fill(page)
    page.write(LEFT, 200, "阴影部分的面积为十二")
    last = page.write(LEFT + 10 * EM + 40, 200, "第7题图")
    page.lines = page.lines[:-2]
    page.see(LEFT, 200, last, "阴影部分的面积为十二第7题图")
    assert texts(page)[:2] == ["阴影部分的面积为十二", "第7题图"]


@pytest.mark.parametrize("read", ["o", "O", "0", "°", "。"])
def test_a_ring_at_the_foot_of_a_line_is_a_full_stop(read: str) -> None:
    page = Printed()
    fill(page)
    end = page.write(LEFT, 200, "面积是多少呢")
    page.rule(end + 1, 204, end + 100)
    page.ring(end + 102, 200)
    page.see(end + 102, 200, end + 114, read, 12, 0.7)
    assert paragraphs(page)[0] == "面积是多少呢____。"


def test_a_letter_o_as_high_as_its_line_is_no_full_stop() -> None:
    page = Printed()
    fill(page)
    page.write(LEFT, 200, "圆心是")
    page.write(LEFT + 200, 200, "O")
    assert texts(page)[:2] == ["圆心是", "O"]


def test_words_read_twice_come_once() -> None:
    page = Printed()
    fill(page)
    end = page.write(LEFT, 200, "小红乘船从这里出发")
    page.see(LEFT, 200, end, "小红乘船从这里出发", score=0.8)
    page.see(LEFT + 2 * EM, 200, LEFT + 6 * EM, "乘船从这")
    page.see(end - 2 * EM, 200, end + 3 * EM, "出发然后返")
    page.pen.rectangle((end, 176, end + 3 * EM, 202), outline=(35, 35, 35), width=2)
    assert texts(page)[:2] == ["小红乘船从这里出发", "然后返"]


def test_watermarks_and_lines_that_ocr_is_not_sure_of_are_left_out() -> None:
    page = Printed()
    page.write(LEFT, 300, "样书", size=5 * EM, ink=222)
    fill(page)
    page.write(LEFT, 200, "噪声", score=0.42)
    assert set(texts(page)) == {"这些句子告诉我们正文的大小是多少然后再继续写下去"}


def test_a_contents_line_is_one_line_though_its_dots_were_not_read() -> None:
    page = Printed()
    fill(page)
    for number, title in enumerate(["第一章 三角形", "第二章 勾股", "第三章 四边形"]):
        base = 150 + 50 * number
        end = page.write(LEFT, base, title)
        for x in range(int(end) + 10, 1200, 12):
            page.pen.rectangle((x, base - 3, x + 2, base - 1), fill=(35, 35, 35))
        if number:
            page.see(end + 60, base, 1000, "………")
        page.write(1220, base, str(2 + 5 * number))
    assert paragraphs(page)[:3] == ["第一章 三角形 ………… 2", "第二章 勾股 ………… 7", "第三章 四边形 ………… 12"]


def test_a_number_that_begins_a_measure_is_no_label() -> None:
    page = Printed()
    fill(page)
    page.write(LEFT, 200, "1.5米每秒，那么谁会先到达呢")
    page.write(LEFT, 260, "10.[定义]若定义新的运算")
    first, second = paragraphs(page)[:2]
    assert (item_label(first), item_label(second).label) == (None, "10")


def test_a_label_before_a_number_is_told_from_a_decimal_by_the_space_behind_its_point() -> None:
    page = Printed()
    fill(page)
    for row, (gap, rest) in enumerate([(0, "8"), (15, "8"), (0, "15"), (15, "15 km")]):
        end = page.write(LEFT, 150 + 60 * row, "1.")
        last = page.write(end + gap, 150 + 60 * row, rest)
        page.lines = page.lines[:-2]
        page.see(LEFT, 150 + 60 * row, last, f"1.{rest}")
    assert texts(page)[:4] == ["1.8", "1. 8", "1.15", "1. 15 km"]


@pytest.mark.parametrize(("blank", "wanted"), [(11, "几个呢？ 解 最多有两个"), (2, "几个呢？解最多有两个")])
def test_a_narrow_blank_behind_a_lead_word_within_a_line_parts_it(blank: int, wanted: str) -> None:
    page = Printed()
    fill(page)
    end = page.write(LEFT, 200, "几个呢？")
    end = page.write(end + EM // 2, 200, "解")
    last = page.write(end + blank, 200, "最多有两个")
    page.lines = page.lines[:-3]
    page.see(LEFT, 200, last, "几个呢？解最多有两个")
    assert texts(page)[0] == wanted


def test_an_empty_page_has_no_runs() -> None:
    assert runs(Printed()) == []


WORDS = ["1. 求面积", "A. 25", "小明", "(2)", "勾股定理是什么", "gap", "第三章", "x+y=5", "一", "二、填空"]


@settings(max_examples=25, deadline=None)
@given(
    words=st.lists(st.tuples(st.sampled_from(WORDS), st.integers(0, 3), st.integers(0, 9)), max_size=12, unique=True),
    order=st.randoms(use_true_random=False),
    seed=st.integers(0, 99),
)
def test_no_word_is_lost_and_the_order_of_lines_does_not_matter(words, order, seed) -> None:
    page = Printed(seed)
    taken = {(column, row): text for text, column, row in words}
    for (column, row), text in sorted(taken.items()):
        page.write(80 + 320 * column, 80 + 90 * row, text)
    found = runs(page)
    assert Counter(run.text for run in found) == Counter(taken.values())
    order.shuffle(page.lines)
    assert runs(page) == found
