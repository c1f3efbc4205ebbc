"""Equations that interrupt a sentence go back into it; those that stand by themselves stay so."""

from pathlib import Path

import pytest

from operators.pdf.blocks import ContentItem
from operators.pdf.mineru.entry import joined
from tests.pdf.lists import read_list


def text(words, **more):
    return ContentItem("text", words, **more)


def formula(latex="x^2", **more):
    return ContentItem("equation", latex, **more)


def entries(*items, **more):
    return ContentItem("list", items=list(items), **more)


def texts(*items):
    return [item.items or item.text for item in joined(items)]


def test_an_equation_between_two_parts_of_a_sentence_is_joined_to_it():
    assert texts(text("If the side is"), formula("$$\na^2\n$$"), text("then double it.")) == [
        "If the side is $a^2$ then double it."
    ]


def test_no_blank_stands_before_a_comma_and_the_items_around_stay():
    parts = text("前文。"), text("已知"), formula("x>0"), text("，求最小值。"), text("后文。")
    assert texts(*parts) == ["前文。", "已知 $x>0$，求最小值。", "后文。"]


def test_two_equations_of_one_sentence_are_joined_one_after_the_other():
    parts = text("Both"), formula("a"), text("and of course"), formula("b"), text("are odd.")
    assert texts(*parts) == ["Both $a$ and of course $b$ are odd."]


def test_an_equation_goes_to_the_last_entry_of_a_list_and_takes_the_next_words_along():
    assert texts(entries("1. Add.", "2. Find"), formula(), text("if it is odd.")) == [
        ["1. Add.", "2. Find $x^2$ if it is odd."]
    ]


def test_the_rest_of_the_next_list_keeps_its_positions():
    parts = entries("1. Find"), formula(), entries("when it is odd.", "2. Add.", ref="5")
    assert texts(*parts) == [["1. Find $x^2$ when it is odd."], ["", "2. Add."]]


@pytest.mark.parametrize(
    ("before", "equation", "after"),
    [
        (text("A sentence."), formula(), text("and so on")),
        (text("It follows:"), formula(), text("where it is odd")),
        (text("Solve"), formula(), text("The next one")),
        (text("Solve"), formula(), text("a) the first")),
        (text("Solve"), formula(), text("b. the second")),
        (text("解方程"), formula(), text("解：两边平方")),
        (text("Heading", level=1), formula(), text("and so on")),
        (text("Solve"), formula(), text("and so on", level=2)),
        (text("Solve"), formula(), text("and so on", page=1)),
        (text("Solve"), formula("a \\\\ b"), text("and so on")),
        (text("Solve"), formula("\\begin{cases} a \\end{cases}"), text("and so on")),
        (text("Solve"), formula("a \\tag{1}"), text("and so on")),
        (text("Solve"), formula("", image="p.jpg"), text("and so on")),
        (text("Solve"), formula("$$"), text("and so on")),
        (ContentItem("image", image="p.jpg"), formula(), text("and so on")),
        (text("Solve"), formula(), ContentItem("table", "<table/>")),
        (text("Solve"), formula(captions=["(1)"]), text("and so on")),
    ],
)
def test_an_equation_that_may_stand_by_itself_is_left_alone(before, equation, after):
    assert joined([before, equation, after]) == [before, equation, after]


def test_an_equation_at_the_beginning_or_the_end_is_left_alone():
    assert texts(formula(), text("and so on")) == ["x^2", "and so on"]
    assert texts(text("Solve"), formula()) == ["Solve", "x^2"]


def test_spans_inside_a_list_of_version_3_are_part_of_their_entry():
    spans = [
        {"type": "text", "content": "1. If "},
        {"type": "equation_inline", "content": "x<3"},
        {"type": "text", "content": " then"},
    ]
    page = [{"type": "list", "content": {"list_items": [{"item_content": spans}]}}]
    assert read_list([page]).items[0].items == ["1. If $x<3$ then"]


def test_a_formula_of_version_4_that_is_only_a_picture_keeps_it(tmp_path: Path):
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "e.jpg").write_bytes(b"x")
    block = {"type": "equation", "content": "", "image_source": "images/e.jpg"}
    items = read_list({"pages": [{"page_idx": 0, "blocks": [block]}]}, root=tmp_path).items
    assert [(item.type, item.text, item.image) for item in items] == [("equation", "", str(tmp_path / "images/e.jpg"))]


def test_texts_of_version_4_lose_their_markdown_and_formulas_keep_theirs():
    blocks = [
        {"type": "text", "content": r"**Example 1** 3 \* 4 \_ \$5, *so* <u>x</u> &lt; `a*b`"},
        {"type": "text", "content": r"let $a\_1*b*c$ be ____ of R<sup>2</sup>"},
        {"type": "list", "content": "**1.** one\n\\- two"},
        {
            "type": "image",
            "content": "*",
            "captions": [{"content": r"**Fig.** 1\*"}],
            "footnotes": [{"content": "~~n~~"}],
        },
        {"type": "equation", "content": r"a*b*c\_"},
        {"type": "code", "content": "````txt\na ** b\n```\n````"},
        {"type": "text", "content": "see [the page](https://example.org/a_b) and f[1](2)"},
    ]
    items = read_list({"pages": [{"blocks": blocks}]}).items
    assert [(item.text, item.items, item.captions, item.footnotes) for item in items] == [
        ("Example 1 3 * 4 _ $5, so x < a*b", [], [], []),
        (r"let $a\_1*b*c$ be ____ of R<sup>2</sup>", [], [], []),
        ("", ["1. one", "- two"], [], []),
        ("*", [], ["Fig. 1*"], ["n"]),
        (r"a*b*c\_", [], [], []),
        ("a ** b\n```", [], [], []),
        ("see the page and f[1](2)", [], [], []),
    ]
