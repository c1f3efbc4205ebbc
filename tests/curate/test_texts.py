"""What happens to texts: nothing is added but blanks, nothing is changed, and what is cut is furniture."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators import BlankRestorer, SubQuestionSplitter, TextCleaner
from operators.curate.model import text_of
from operators.curate.rules.cues import BLANK_SIGN
from operators.curate.rules.furniture import cleaned, furniture_of_answer, furniture_of_question
from operators.curate.rules.question_parts import dependencies, split_question

#: Pieces that texts of exercises are made of, in any order.
PIECES = (
    *(
        "1. ",
        "例3 ",
        "(1) ",
        "(2)",
        "(a) ",
        "(b) ",
        "① ",
        "②",
        "第 12 页 共 90 页",
        "\nPage 3 of 9\n",
        "(5分)",
        "[4 marks]",
    ),
    *(
        "求 x 的值",
        "Find ",
        "$\\frac{1}{2}x = 3$",
        "则 x = ",
        "，",
        "。",
        ".",
        " ",
        "\n",
        "____",
        "（ ）",
        "2014.5",
        "the sum is ",
    ),
    *(
        "![](vqa_images/a.png)",
        "如图，",
        "A. 1 B. 2",
        "Hence ",
        "using (a), ",
        "求证：",
        "；",
        "解：",
        "www.a.com",
        "的",
        "\u3000",
    ),
)
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=14).map("".join)


def is_subsequence(part: str, whole: str) -> bool:
    letters = iter(whole)
    return all(letter in letters for letter in part)


def row(question: str, answer: str = "", solution: str = "") -> dict[str, Any]:
    return {
        "parent_id": "a", "question": question, "answer": answer, "solution": solution, "label": "1", "name": "b",
        "question_chapter_title": "", "question_images": [], "solution_images": [], "review": None,
    }  # fmt: skip


@given(texts, texts, texts)
def test_what_is_kept_is_a_subsequence_of_its_source(question: str, answer: str, solution: str) -> None:
    source = {"question": question, "answer": answer, "solution": solution}
    clean = TextCleaner()([row(**source)]).to_pylist()[0]
    for side, text in source.items():
        assert is_subsequence(clean[side], text)
    for part in SubQuestionSplitter()([row(clean["question"], clean["answer"], clean["solution"])]).to_pylist():
        for side in source:
            assert is_subsequence(part[side], clean[side])
        assert part["question"].endswith(part["asked"])


@given(texts, texts, texts, st.sampled_from(["fill-in", "calculation"]))
def test_a_restored_question_without_its_blanks_is_what_it_was(
    question: str, answer: str, solution: str, kind: str
) -> None:
    given_row = row(question, answer, solution) | {"asked": question, "question_type": kind}
    made = BlankRestorer()([given_row]).to_pylist()[0]
    left, place = [], 0
    for letter in made["question"]:  # blanks and the spaces around them are all that was put in
        if place < len(question) and letter == question[place]:
            place += 1
        else:
            left.append(letter)
    assert place == len(question)
    assert set(left) <= {"_", " "}
    assert left.count("_") <= len(BLANK_SIGN) * made["blanks"]


@pytest.mark.parametrize(
    ("text", "label", "kept"),
    [
        ("4. 2014.5 加 4. 是多少？", "4", "2014.5 加 4. 是多少？"),
        ("2014.5 + 1 = ?", "20", "2014.5 + 1 = ?"),
        ("例3（10分，北京大学，2003）求 x。", "3", "求 x。"),
        ("例① 求 x。", "例1", "求 x。"),
        ("例②设 y = 2，求 x。", "例2", "设 y = 2，求 x。"),
        ("例一 求 x。", "例1", "求 x。"),
        ("变式②：求 x。", "变式2", "求 x。"),
        ("典例十一、求 x。", "典例11", "求 x。"),
        ("练习一下再说：x 是多少？", "3", "练习一下再说：x 是多少？"),
        ("(1) Find x. (2) Find y.", "1", "(1) Find x. (2) Find y."),
        ("3. The speed (in m/s) is 5 m/s.\n- 17 -\nFind it.", "3", "The speed (in m/s) is 5 m/s.\nFind it."),
        ("![第3题图](vqa_images/3. a.png) 3. 求 x", "3", "![第3题图](vqa_images/3. a.png) 3. 求 x"),
        ("7. [长度单位]课桌长60( )。", "7", "课桌长60( )。"),
        ("1. 水温升高了 3 分，共 5 分钟。", "1", "水温升高了 3 分，共 5 分钟。"),
        ("Put the verb in \n245\nbrackets.", "3", "Put the verb in \nbrackets."),
        ("Add the numbers:\n12\n15\n18", "3", "Add the numbers:\n12\n15\n18"),
        ("318\n火车的速度是多少？\n322", "7", "火车的速度是多少？"),
        ("【题5】求质量。\n【下页继续】", "5", "求质量。"),
        ("Find x. (Answer: 5)", "5", "Find x."),
        ("Find x.\nAnswer: ____", "5", "Find x.\nAnswer: ____"),
        ("下列正确的是（　B）\nA. 1\nB. 2", "5", "下列正确的是（　）\nA. 1\nB. 2"),
    ],
)
def test_furniture_goes_and_numbers_of_the_question_stay(text: str, label: str, kept: str) -> None:
    assert text_of(text, cleaned(text, furniture_of_question(text, label))) == kept


def test_the_words_before_an_answer_are_none_of_it() -> None:
    answers = {
        "答案：3 cm": "3 cm",
        "Answer: B": "B",
        "【答案】C": "C",
        "解：x=2": "x=2",
        "3.5": "3.5",
        "(1) 3 (2) 4": "(1) 3 (2) 4",
    }
    for text, kept in answers.items():
        assert text_of(text, cleaned(text, furniture_of_answer(text, "1"))) == kept


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("已知 x=3. (1) 求 y; (2) 求 z.", ["1", "2"]),
        ("解下列方程：\n①$2x=4$\n②$x+1=3$", ["1", "2"]),
        ("A car starts. a) How far does it go? b) When does it stop?", ["a", "b"]),
        ("Solve the system x + y = 3 (1) and x - y = 1 (2).", None),
        ("Which of these is prime?\n(a) 4 (b) 6 (c) 7 (d) 9", None),
        ("下列说法：①对顶角相等；②内错角相等；③两直线平行。其中正确的有（ ）\nA. ①② B. ①③ C. ②③ D. ③", None),
        ("由(1)和(2)可知，求 x 的值。", None),
        ("Find f(1) and f(2).", None),
    ],
)
def test_parts_are_told_from_options_statements_and_equations(question: str, labels: list[str] | None) -> None:
    found = split_question(question, "", "")
    assert (None if found is None else found.labels) == labels


@pytest.mark.parametrize(
    ("question", "needs"),
    [
        ("(1) 求 a. (2) 在(1)的条件下，求 b. (3) 求 c.", [[], [0], []]),
        ("(a) Find x. (b) Hence find y. (c) Using your answer to part (b), find z.", [[], [0], [0, 1]]),
        ("(a) Let M be the midpoint of AB. Find M. (b) Find the distance from M to C.", [[], [0]]),
        ("A line is drawn. (a) Find its slope. (b) Find its length.", [[], []]),
    ],
)
def test_a_part_rests_on_those_that_it_names_or_goes_on_from(question: str, needs: list[list[int]]) -> None:
    found = split_question(question, "", "")
    assert found is not None
    assert dependencies(found) == needs


def test_a_part_has_the_stem_its_chain_and_its_own_pictures() -> None:
    question = "如图 ![](p/0.png) 已知圆。(1) 求半径 ![](p/1.png)；(2) 由(1)求面积；(3) 求周长 ![](p/3.png)"
    links = [f"p/{n}.png" for n in (0, 1, 3, 9)]
    parts = SubQuestionSplitter()([row(question, "(1) 2 (2) 4π (3) 4π") | {"question_images": links}]).to_pylist()
    assert [part["question_images"] for part in parts] == [
        ["p/0.png", "p/1.png", "p/9.png"],
        ["p/0.png", "p/1.png", "p/9.png"],
        ["p/0.png", "p/3.png", "p/9.png"],
    ]
    assert [part["answer"] for part in parts] == ["2", "4π", "4π"]
    assert [part["asked"] for part in parts] == ["求半径 ![](p/1.png)；", "由(1)求面积；", "求周长 ![](p/3.png)"]
    assert parts[1]["question"] == "如图 ![](p/0.png) 已知圆。(1) 求半径 ![](p/1.png)；(2) 由(1)求面积；"
    assert {part["split_from"] for part in parts} == {"a"}
