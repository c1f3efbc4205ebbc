"""Kinds, short answers, blanks, copies, benchmark items, and what cannot be asked as it stands."""

import json
from pathlib import Path

import pytest

from dataflow_ext import InputError
from operators import Decontaminate, NearDuplicates
from operators.curate.qa_filter import unfit
from operators.curate.question_typer import question_type
from operators.curate.rules.cues import before_unit, gaps_in, with_blanks
from operators.curate.short_answer_extractor import short_answer
from operators.verify.options import options_in
from tests.curate.test_texts import is_subsequence


@pytest.mark.parametrize(
    ("question", "answer", "kind"),
    [
        ("求证：∠A = ∠B", "", "proof"),
        ("Prove that n is even.", "", "proof"),
        ("画出函数 y = x 的图象", "", "drawing"),
        ("Sketch the curve.", "", "drawing"),
        ("为什么天空是蓝色的？", "", "explanation"),
        ("Explain what is meant by inertia.", "", "explanation"),
        ("Find x, and explain your answer.", "3", "calculation"),
        ("计算：3 + 5 × 2", "13", "calculation"),
        ("The capital of France is ____.", "Paris", "fill-in"),
        ("方程 x² = 4 的根是", "", "fill-in"),
        ("下列正确的是（ ）\nA. 1\nB. 2", "A", "choice"),
        ("谁写了《静夜思》？", "李白", "other"),
    ],
)
def test_kinds_by_what_is_asked(question: str, answer: str, kind: str) -> None:
    assert question_type(question, answer, "", options_in(question)) == kind


@pytest.mark.parametrize(
    ("question", "solution", "answer"),
    [
        ("解方程 2x+3=9", "解：2x=6，∴ x=3．", "3"),
        ("Find the area.", "$A=\\frac12\\cdot 6\\cdot 4=12$ cm$^2$.", "$12$ cm$^2$"),
        ("下列正确的是（ ）A. 1 B. 2 C. 3", "3. C【解析】因为……", "C"),
        ("下列正确的是（ ）A. 1 B. 2 C. 3", "因为……故选：B．", "B"),
        ("计算", "原式$=4-1+2=5$", "5"),
        ("这段路长多少？", "路程为 $65 \\times 8 = 520$（千米）。", "520 千米"),
        ("Find the median.", "In order: 5, 8, 11; the middle one is 8.", "8"),
        ("Find the length.", "The legs give $\\sqrt{9+16} = 5$ m.\n212", "5 m"),
        ("Find both roots.", "It factors as $(x-4)(x-8)$, so the roots are 4 and 8.", "4 and 8"),
        ("Find the dot product.", "$3 \\cdot 9 + 2 \\cdot 6 = 39$.", "39"),
        ("化简", "原式＝(a＋b－c)－(a＋c－b)＝2b－2c．", "2b－2c"),
        ("Simplify.", "The expression is 2x + 3x + 1 = 5x + 1.", "5x + 1"),
        ("Simplify.", "$2x + 3x + 1 = 5x + 1$.", "5x + 1"),
        ("求 S", "S＝ah＝6a", "6a"),
        ("Find the line.", "The line is y = 2x + 6.", "y = 2x + 6"),
        ("Find the function.", "It is f(x) = x² + 1.", "f(x) = x² + 1"),
        ("求双曲线的方程", "所以 x² - y² = a", "x² - y² = a"),
        ("Solve for x and y.", "x = 2a or y = 3a.", "x = 2a or y = 3a"),
        ("How many?", "That makes 7 apples.\n【点评】本题考查 9 的运用", "7 apples"),
    ],
)
def test_a_short_answer_is_a_piece_of_the_solution(question: str, solution: str, answer: str) -> None:
    kind = "choice" if "A." in question else "calculation"
    found = short_answer(question, "", solution, options_in(question), kind)
    assert found.text == answer
    assert found.place is not None
    assert is_subsequence(found.text.replace(" ", "").replace("$", ""), found.place.of(solution))


def test_a_printed_answer_that_the_solution_contradicts_goes_to_a_person() -> None:
    assert short_answer("Find x.", "4", "2x = 6, so x = 3.", (), "calculation").disagrees
    assert not short_answer("Find x.", "x = 3", "2x = 6, so x = 3.", (), "calculation").disagrees
    assert not short_answer("Find x.", "0.5", "So x = 1/2.", (), "calculation").disagrees
    assert short_answer("Find the speed.", "1185", "v = 470 × 2.5 = 1175 m/s.", (), "calculation").disagrees
    assert not short_answer("Find the speed.", "1175", "v = 470 × 2.5 = 1175 m/s.", (), "calculation").disagrees
    assert not short_answer("How much?", "14", "The table gives 14 g per 100 g of water.", (), "calculation").disagrees


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("则 x = ，y 是．", "则 x = ____，y 是____．"),
        ("The sum is .", "The sum is ____."),
        ("is the capital of France.", "____ is the capital of France."),
        ("若 $x=$，则成立", "若 $x=$____，则成立"),
        ("三角形的面积是\n![](a.png)", "三角形的面积是____\n![](a.png)"),
        ("The value is ____.", "The value is ____."),
        ("停车坐爱枫林晚，。", "停车坐爱枫林晚，____。"),
        ("Yesterday we  (visit) the museum.", "Yesterday we ____ (visit) the museum."),
        ("It is the value $\\underline{\\qquad}$.", "It is the value $\\underline{\\qquad}$."),
    ],
)
def test_blanks_are_put_where_a_sentence_breaks_off(text: str, whole: str) -> None:
    assert with_blanks(text, gaps_in(text)) == whole


def test_a_blank_before_a_unit_is_known_by_the_solution() -> None:
    assert before_unit("压力的大小为N。", "F=pS=540 N。") == [6]
    assert before_unit("结果记为N。", "它是整数。") == []


def test_copies_are_found_and_other_numbers_signs_and_things_are_no_copies() -> None:
    first = "A train travels 120 km in 2 hours. Find its average speed."
    others = {
        "a train travels 120km in 2 hours.  Calculate its average speed": True,
        "A train travels 150 km in 2 hours. Find its average speed.": False,
        "A train travels 120 km in 2 hours. Find its average mass.": False,
        "A train does not travel 120 km in 2 hours. Find its average speed.": False,
    }
    for other, same in others.items():
        rows = [{"row_id": str(n), "question": text, "answer": "60", "solution": "", "question_images": [], "place": n}
                for n, text in enumerate((first, other))]  # fmt: skip
        assert NearDuplicates()(rows)["row_id"].to_pylist() == (["0"] if same else ["0", "1"]), other


def test_of_copies_the_first_one_with_a_solution_stays() -> None:
    rows = [{"row_id": str(n), "question": "Find 2 + 2 now.", "answer": "4", "solution": solution, "question_images": [],
             "place": n} for n, solution in enumerate(("", "2 + 2 = 4", "4"))]  # fmt: skip
    done = NearDuplicates().apply(rows)
    assert done.table["row_id"].to_pylist() == ["1"]
    assert done.rejects["message"].to_pylist() == ["100% the same as row 1"] * 2


def test_benchmarks_are_jsonl_or_text_and_their_items_are_found_with_other_spelling(tmp_path: Path) -> None:
    question = "A shop sells 12 boxes of pencils with 10 pencils in each box. How many pencils does it sell altogether?"
    (tmp_path / "a.jsonl").write_text(json.dumps({"Problem": question.upper(), "answer": 120}) + "\n")
    (tmp_path / "b.txt").write_text("小明买了3个苹果，又买了4个梨，一共买了多少个水果？\n")
    rows = [
        {"question": question.replace("altogether", "in all"), "answer": "120"},
        {"question": question.replace("12", "15").replace("10", "9"), "answer": "135"},
        {"question": question.replace("pencils", "apples"), "answer": "121"},
        {"question": question.replace("12", "1.5"), "answer": "120"},
        {"question": "小明买了3个苹果，又买了4个梨， 一共买了多少个水果?", "answer": "7"},
        {"question": "Why?", "answer": ""},
    ]
    done = Decontaminate(benchmarks=(tmp_path / "a.jsonl", tmp_path / "b.txt")).apply(rows)
    assert done.table["answer"].to_pylist() == ["135", "121", "120", ""]
    assert done.rejects["error"].to_pylist() == ["BenchmarkItem"] * 2
    (tmp_path / "empty.jsonl").write_text('{"other": 1}\n')
    with pytest.raises(InputError, match=r"has no questions; its records need one of the fields question, problem"):
        Decontaminate(benchmarks=(tmp_path / "empty.jsonl",)).preflight()


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({}, None),
        ({"answer": "", "solution": ""}, "NoAnswer"),
        ({"answer": "略", "solution": "见解析"}, "NoAnswer"),
        ({"question": "如图，求 AB"}, "LostPicture"),
        ({"question": "Use the result of Theorem 3.2 to find x."}, "NeedsOtherText"),
        ({"question": "Read the text. How old is he?"}, "NeedsOtherText"),
        ({"question": "Read the text. Omar planted 21 trees in spring, and a storm broke 2. How many are left?"}, None),
        ({"question": "Give an example of a prime.", "question_type": "other"}, "OpenEnded"),
        ({"question": "![](img/p1.png)", "question_type": "other"}, "NotAQuestion"),
        ({"question": "Account for the sky.", "question_type": "other"}, None),
        ({"question": "Sodium (Na) burns. Find its mass.", "answer": "Na"}, None),
        ({"answer": "E", "options": options_in("Which? A. 1 B. 2"), "question_type": "choice"}, "AnswerDoesNotFit"),
    ],
)
def test_what_cannot_be_asked_says_why(change: dict[str, object], error: str | None) -> None:
    row = {"question": "Find 2 + 2.", "answer": "4", "solution": "", "question_type": "calculation", "options": None}
    row |= {"question_images": [], "lost_pictures": []} | change
    found = unfit(**{"asked": row["question"], **row})
    assert (found and found.error) == error


def test_an_answer_of_nothing_but_separators_tells_no_kind_of_question():
    assert [question_type("What is x?", answer, "", ()) for answer in (";", "；", ",")] == ["other"] * 3
