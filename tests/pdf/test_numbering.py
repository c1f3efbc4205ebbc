"""Labels, options, solution markers and headings as books print them."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from operators.pdf.numbering import (
    ItemLabel,
    find_labels,
    find_solution_start,
    item_label,
    label_key,
    normalise_label,
    option_letter,
    solution_marker,
    sub_label,
)
from operators.pdf.numbering.numerals import number, roman
from operators.pdf.numbering.title_ranks import is_contents_line, title_rank
from operators.pdf.numbering.titles import read_title, title_similarity


@pytest.mark.parametrize(
    ("text", "label", "value", "prefix"),
    [
        ("1. Find x", "1", 1, ""),
        ("1．求值", "1", 1, ""),
        ("12、20÷5", "12", 12, ""),
        ("1 ．求值", "1", 1, ""),
        ("３．求值", "3", 3, ""),
        (r"1.  $\frac{1}{4}$ 的算术平方根", "1", 1, ""),
        ("5．2024年真题", "5", 5, ""),
        ("★12．求值", "12", 12, ""),
        ("二、6. 20%", "6", 6, ""),
        ("第3题 求值", "3", 3, ""),
        ("例1", "例1", 1, "例"),
        ("例① 求值", "例1", 1, "例"),
        ("例一 求值", "例1", 1, "例"),
        ("【例12】求值", "例12", 12, "例"),
        ("例2-1 求值", "例2-1", 1, "例"),
        ("例题：求值", "例题", None, "例题"),
        ("典例", "典例", None, "典例"),
        ("变式1 求值", "变式1", 1, "变式"),
        ("习题2 求值", "习题2", 2, "习题"),
        ("练习 3", "练习3", 3, "练习"),
        ("思维与拓展 16", "思维与拓展16", 16, "思维与拓展"),
        ("Example 4 Find x", "Example 4", 4, "Example"),
        ("Exercise 2.3 Show that", "Exercise 2.3", 3, "Exercise"),
        ("Ex. 3 Find x", "Ex 3", 3, "Ex"),
        ("Problem 3.", "Problem 3", 3, "Problem"),
        ("Q5 What", "Q5", 5, "Q"),
    ],
)
def test_the_label_that_opens_an_item_is_found(text: str, label: str, value: int | None, prefix: str) -> None:
    found = item_label(text)
    assert found is not None
    assert (found.label, found.number, found.prefix) == (label, value, prefix)


@pytest.mark.parametrize(
    "text",
    [
        *("5.4 米/秒", "1.5 metres", "3.14", "0.5", "10 000", "12 cm", "3D打印", "3:2的比", "100 元"),
        *("(3) 求值", "① 求值", "A. 3", "解：设 x", "$x$", "", " "),
        *("2024年5月", "2024.5.1", "12时30分", "1、2、3都是质数"),
        *(
            "第3题图",
            "第3题的图",
            "第3章",
            "例如：x",
            "例外",
            "例1中的结论",
            "练习册",
            "Example 3 shows that",
        ),
        *("习题19.1", "习题一", "Exercise 2.3", "19.1 算术平方根(1)", "一、选择题", "第19章 实数", "Exam 3"),
        "2.3的平方根是（）",
    ],
)
def test_decimals_dates_captions_headings_and_sub_questions_are_no_items(text: str) -> None:
    assert item_label(text) is None


@pytest.mark.parametrize(
    ("text", "expected", "rest"),
    [
        ("2.3的平方根是（）", 2, "3的平方根是（）"),
        ("1.8的立方根", 1, "8的立方根"),
        ("1) 求值", 1, "求值"),
        ("例1.3的平方根", 1, "3的平方根"),
        ("2.3的平方根是（）", 7, None),
        ("5.4 米/秒", 5, None),
        ("19.1 平方根(2)", 19, None),
        ("3.14", 3, None),
    ],
)
def test_the_number_that_should_come_next_settles_what_the_text_leaves_open(
    text: str, expected: int, rest: str | None
) -> None:
    found = item_label(text, expected=expected)
    assert (text[found.end :] if found else None) == rest


def test_a_circled_worked_example_keeps_its_word_so_that_it_is_not_question_1() -> None:
    """The seed's P2: 例① must not become 1."""
    assert [normalise_label(t) for t in ("例①", "例一", "例 1", "①", "1.")] == ["例1", "例1", "例1", "①", "1"]
    assert len({label_key(t) for t in ("例①", "1", "习题1", "变式1", "A")}) == 5


@pytest.mark.parametrize(
    ("text", "label"),
    [
        *(("1.", "1"), ("５", "5"), ("0", "0"), ("5.4", "5.4"), ("IV", "IV"), ("Ⅳ", "IV"), ("A.", "A")),
        *(("(3)", "(3)"), ("（３）", "(3)"), ("3)", "3"), ("习题 2", "习题2"), ("例十二", "例12")),
        *(("Example 3:", "Example 3"), ("【例1】", "例1"), ("第3题", "3"), ("**3.**", "3"), ("", "")),
    ],
)
def test_a_label_is_kept_as_printed_but_for_its_signs_and_numerals(text: str, label: str) -> None:
    assert normalise_label(text) == label


@pytest.mark.parametrize(
    "same",
    [
        ("Ex. 3", "Example 3", "EXAMPLE 3:", "例3", "例③", "例题3", "例 三", "例３"),
        ("3", "03", "３.", "③", "三", "第3题", "Q3", "Question 3"),
        ("A", "a", "Ａ."),
        ("IV", "iv", "Ⅳ"),
        ("(2)", "（２）"),
    ],
)
def test_labels_that_name_the_same_item_have_one_key(same: tuple[str, ...]) -> None:
    assert len({label_key(label) for label in same}) == 1


@given(st.text(max_size=30))
@example("))")
def test_normalising_a_label_twice_changes_nothing_more(text: str) -> None:
    once = normalise_label(text)
    assert normalise_label(once) == once


@given(st.text(alphabet="0123456789.、．(（)） 例习题第章节Q解A①一\n$", max_size=20))
def test_what_a_label_takes_lies_inside_the_text(text: str) -> None:
    found = item_label(text)
    assert found is None or 0 < found.end <= len(text)
    spans = [(m.start, m.end) for m in find_labels(text)]
    assert all(0 <= a <= b <= len(text) for a, b in spans)
    assert spans == sorted(spans)


def pieces(text: str) -> list[tuple[str, str]]:
    marks = find_labels(text)
    ends = [*(m.start for m in marks[1:]), len(text)][: len(marks)]
    return [(m.label, text[m.end : end].strip()) for m, end in zip(marks, ends, strict=True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12. 求值。13. 化简", [("12", "求值。"), ("13", "化简")]),
        ("1. A　2. B", [("1", "A"), ("2", "B")]),
        ("5. A　7. B　8. 3.5", [("5", "A"), ("7", "B"), ("8", "3.5")]),
        ("习题1 12　习题2 $x=3$", [("习题1", "12"), ("习题2", "$x=3$")]),
        ("1~5 CACCC", [("1", "C"), ("2", "A"), ("3", "C"), ("4", "C"), ("5", "C")]),
        ("1-3: CAB 4. 7", [("1", "C"), ("2", "A"), ("3", "B"), ("4", "7")]),
        ("一、1. A 2. B 二、1. C 2. D", [("1", "A"), ("2", "B"), ("1", "C"), ("2", "D")]),
        ("1. 计算 $1. 2. 3$ 的和", [("1", "计算 $1. 2. 3$ 的和")]),
        ("1. 若 x=2. 5 则", [("1", "若 x=2. 5 则")]),
        ("1-5 CAB", []),
        ("求 1. 的值", []),
        ("没有题号", []),
    ],
)
def test_a_block_of_several_items_falls_into_its_items(text: str, expected: list[tuple[str, str]]) -> None:
    assert pieces(text) == expected


def test_one_label_gives_one_mark_where_it_stands() -> None:
    assert find_labels("3. 求值") == [ItemLabel("3", 3, 3, "")]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("(3) 求", "(3)"),
        ("（３）求", "(3)"),
        ("⑵求", "(2)"),
        ("① 求", "①"),
        ("(a) x", "(a)"),
        ("(A) x", None),
        ("3. x", None),
    ],
)
def test_sub_questions_have_labels_of_their_own(text: str, label: str | None) -> None:
    assert sub_label(text) == label


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        *(("(A) 3", "A"), ("B. 3", "B"), ("C、3", "C"), ("（Ｄ）3", "D"), ("A：3", "A"), ("C)4", "C")),
        *((r"$(\mathrm{B})\sqrt{4}$", "B"), (r"$\left(\mathrm{C}\right)\frac{2}{9}$", "C")),
        *(("AB=3", None), ("A is", None), ("A点", None), ("Answer", None), ("(a) 3", None), ("", None)),
    ],
)
def test_options_are_told_by_their_letter(text: str, letter: str | None) -> None:
    assert option_letter(text) == letter


@pytest.mark.parametrize(
    ("text", "marker"),
    [
        *(("解：设 x", "解"), ("解 由题意", "解"), ("解", "解"), ("解(1) 由", "解"), ("【解析】略", "解析")),
        *(
            ("解法一：", "解法"),
            ("分析：", "分析"),
            ("证明：因为", "证明"),
            ("答：3", "答"),
            ("答案：A", "答案"),
        ),
        *(("故选 A", "故选"), ("Solution. Let", "Solution"), ("Proof.", "Proof"), ("Answer: 3", "Answer")),
        ("SOLUTION Substitute 1 in turn", "SOLUTION"),
    ],
)
def test_a_solution_is_told_by_the_word_it_opens_with(text: str, marker: str) -> None:
    assert solution_marker(text) == marker
    assert find_solution_start(text) == 0


@pytest.mark.parametrize(
    "text",
    [
        *(
            "解方程：x=1",
            "解不等式",
            "解下列方程",
            "解得 x=3",
            "解集为",
            "解答题",
            "解三角形",
            "解析式为",
            "解决问题",
        ),
        *(
            "证明 AB=CD",
            "答题要求",
            "答案与解析",
            "故选择",
            "三、解答题",
            "Solution set",
            "SOLUTION SET A",
            "SOLUTION TO PAPER B",
            "Solutions",
            "Answers to",
        ),
        "Answer the following",
    ],
)
def test_tasks_and_headings_with_the_same_words_open_no_solution(text: str) -> None:
    assert solution_marker(text) is None


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("例3 求 $x$ 的值。解：设 $y=1$", 12),
        ("3. A 解析：由题意", 5),
        ("Find x. Solution: 3", 8),
        ("例题【解】x", 2),
        ("1. 解方程：x", None),
        ("求解：x", None),
        ("3. 求 $解：x$", None),
        ("先化简，再求值", None),
    ],
)
def test_a_solution_inside_a_block_starts_only_at_a_sure_marker(text: str, at: int | None) -> None:
    assert find_solution_start(text) == at


@given(st.integers(min_value=1, max_value=99))
def test_numerals_of_all_systems_have_one_value(value: int) -> None:
    tens, ones = divmod(value, 10)
    chinese = (
        ("" if tens < 2 else "一二三四五六七八九"[tens - 1])
        + ("十" if tens else "")
        + " 一二三四五六七八九"[ones].strip()
    )
    full = "".join(chr(ord(c) + 0xFEE0) for c in str(value))
    assert (number(chinese), number(full), number(str(value))) == (value, value, value)


def test_roman_numerals_are_read_and_words_are_not() -> None:
    assert [roman(t) for t in ("I", "IV", "ix", "XIV", "XL", "Ⅻ", "IIX", "MIX", "")] == [
        *(1, 4, 9, 14, 40, 12),
        *(None, None, None),
    ]


@pytest.mark.parametrize(
    ("text", "kind", "numbers", "name", "is_answers"),
    [
        ("第三章 圆", "chapter", (3,), "圆", False),
        ("第五章 数列 参考答案", "chapter", (5,), "数列", True),
        ("19.1 平方根(二)", "section", (19, 1, 2), "平方根", False),
        ("习题2.2", "exercise", (2, 2), "", False),
        ("Chapter V", "chapter", (5,), "", False),
        ("Answers to Chapter 2", "chapter", (2,), "", True),
        ("单元测试（一）数列 答案", "test", (1,), "数列", True),
        ("专题四 答案与解析", "topic", (4,), "", True),
        ("解析几何", "", (), "解析几何", False),
    ],
)
def test_a_heading_is_taken_apart(text: str, kind: str, numbers: tuple[int, ...], name: str, is_answers: bool) -> None:
    title = read_title(text)
    assert (title.kind, title.numbers, title.name, title.is_answers) == (kind, numbers, name, is_answers)


SAME = [
    ("第5章 数列", "第五章 数列 答案"),
    ("第5章 数列", "5 数列"),
    ("第5章 数列", "Chapter V"),
    ("2.2 函数", "习题2.2"),
    ("单元测试（一）数列", "单元测试（一）数列 答案"),
    ("专题四 2024年真题 圆", "专题四 答案与解析"),
    ("5.2.1.6 定理", "5216 定理"),
    ("数列综合练习", "数列综合练习参考答案"),
]
OTHER = [
    ("19.1 平方根(2)", "19.1 立方根(3)"),
    ("第19章 复习(1)", "第19章 复习(2)"),
    ("单元测试（一）数列", "单元测试（一）圆 答案"),
    ("数列综合练习", "向量综合练习参考答案"),
    ("专题四 2024年真题", "专题五 答案"),
]


@pytest.mark.parametrize(("a", "b"), SAME)
def test_headings_of_one_chapter_are_sure(a: str, b: str) -> None:
    assert title_similarity(read_title(a), read_title(b)) >= 0.65


@pytest.mark.parametrize(("a", "b"), OTHER)
def test_headings_of_two_chapters_contradict_each_other(a: str, b: str) -> None:
    assert title_similarity(read_title(a), read_title(b)) <= 0.1


@given(st.sampled_from([t for pair in SAME + OTHER for t in pair]), st.sampled_from([t for p in SAME for t in p]))
def test_similarity_has_no_direction_and_stays_within_its_bounds(a: str, b: str) -> None:
    there, back = (
        title_similarity(read_title(a), read_title(b)),
        title_similarity(read_title(b), read_title(a)),
    )
    assert there == pytest.approx(back)
    assert 0 <= there <= 1


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        *(
            ("参考答案与解析", 0),
            ("第一部分 选择题", 0),
            ("第三章 圆", 1),
            ("专题四 圆", 1),
            ("Chapter 3 Limits", 1),
        ),
        *(("19.1 平方根", 2), ("§1.2 函数", 2), ("单元测试（一）圆", 2), ("本章小结", 2), ("习题19.1", 3)),
        *(
            ("19.1 平方根(2)", 3),
            ("1.2.3 集合", 3),
            ("挑战压轴题19", 3),
            ("一、选择题", 4),
            ("A组 基础训练", 4),
        ),
        *(
            ("1. 求值", None),
            ("5.4 米/秒", None),
            ("习题2", None),
            ("例1", None),
            ("第3章我们学习了圆，", None),
        ),
        *(("2.3的平方根是（）", None), ("3.14", None), ("第3题图", None), ("(A) 3", None), ("", None)),
    ],
)
def test_headings_are_ranked_by_their_wording(text: str, rank: int | None) -> None:
    assert title_rank(text) == rank


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        *(
            ("19.1 算术平方根(1) …… 2", True),
            ("19.1 平方根(2) 4", True),
            ("习题20.1 34", True),
            ("前言......1", True),
        ),
        *(
            ("Chapter 5", False),
            ("挑战压轴题19", False),
            ("第5章 2024", False),
            ("1. 求 3 5", False),
            ("", False),
        ),
    ],
)
def test_lines_of_the_contents_page_are_known(text: str, contents: bool) -> None:
    assert is_contents_line(text) is contents


def test_chinese_digits_with_a_zero_spell_a_number() -> None:
    assert [number(text) for text in ("一〇", "二〇", "一〇一", "二〇二四", "一百零三")] == [10, 20, 101, 2024, 103]
    assert [read_title(text).numbers for text in ("第一〇章 圆", "第二〇章 弧")] == [(10,), (20,)]
