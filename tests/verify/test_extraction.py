"""The bare answer that a conclusion or the end of a reasoning states."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.verify.answer import Option
from operators.verify.extraction import Found, answer_in
from operators.verify.options import options_in
from tests.verify.conclusions import CONCLUSIONS

OPTIONS = [Option("A", "58.8 N"), Option("B", "60 N"), Option("C", "70 N"), Option("D", "none of these")]

WITH_OPTIONS = {
    "B": "B",
    "B.": "B",
    "(B)": "B",
    "B. 60 N": "B",
    "So the answer is B.": "B",
    "The answer is (B) 60 N.": "B",
    "The correct answer is B: 60 N": "B",
    "The answer is B because 60 N balances the weight.": "B",
    "The answer is B, since m is 6 kg.": "B",
    "Option B is correct because it balances the weight.": "B",
    "Therefore, the correct option is B.": "B",
    "The answer is not A. It is B.": "B",
    "**Answer:** B": "B",
    "Answer:\n\n(B)": "B",
    "\\boxed{B}": "B",
    "<answer>B</answer>": "B",
    "故选B。": "B",
    "答案：B": "B",
    "因此答案是B。": "B",
    "We choose option B.": "B",
    "A would need 58.8 N. The answer is A. No, wait: it moves. The answer is B.": "B",
    "The tension is 60 N.": "60 N",
}


@pytest.mark.parametrize("text", WITH_OPTIONS)
def test_letters_are_found_where_there_are_options(text: str) -> None:
    found = answer_in(text, options=OPTIONS)
    assert found is not None and found.text == WITH_OPTIONS[text]
    assert found.type == ("letter" if found.text == "B" else "quantity")


VALUES: dict[str, tuple[str, str]] = {
    "因此张力为 60 N。": ("60 N", "quantity"),
    "所以答案是60 N。": ("60 N", "quantity"),
    "综上，小球的质量是6千克。": ("6千克", "quantity"),
    "Therefore, the tension is 60 N.": ("60 N", "quantity"),
    "Since m is 6 kg, the tension is 60 N.": ("60 N", "quantity"),
    "The tension is 60 N when m is 6 kg.": ("60 N", "quantity"),
    "T = 6 kg × 9.8 m/s² = 58.8 N": ("58.8 N", "quantity"),
    "\\boxed{60\\text{ N}}": ("60 N", "quantity"),
    "First 3, then 4.\n<answer>7</answer>": ("7", "number"),
    "The final answer is: 42": ("42", "number"),
    "The value of x is 3.5.": ("3.5", "number"),
    "x = 3": ("3", "number"),
    "Sales were higher in 2019. Thus, the answer is 2019.": ("2019", "number"),
    "The area of the triangle is 24 cm².": ("24 cm²", "quantity"),
    "The equation of the line is y = 2x + 1.": ("y = 2x + 1", "expression"),
    "The solution is {1, 2}.": ("{1, 2}", "list"),
    "It's 3:30 pm.": ("3:30 pm", "quantity"),
    "The answer is a cat.": ("a cat", "words"),
    "The cat sleeps on the mat.": ("The cat sleeps on the mat", "words"),
    "No.": ("No", "words"),
    "42": ("42", "number"),
}


@pytest.mark.parametrize("text", VALUES)
def test_values_are_found_and_a_sentence_without_one_is_itself(text: str) -> None:
    assert answer_in(text) == Found(*VALUES[text])


@pytest.mark.parametrize("row", CONCLUSIONS, ids=lambda row: row[0])
def test_a_conclusion_gives_its_answer_as_it_was_written(row: tuple[str, str, str, str]) -> None:
    conclusion, question, text, kind = row
    found = answer_in(conclusion, question=question, options=options_in(question))
    assert found is not None and (found.text, found.type) == (text, kind)


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Is the ball red?", "Yes, the ball is red.", "Yes"),
        ("Does it move?", "No, it does not move.", "No"),
        ("球是红色的吗？", "是的，球是红色的。", "是的"),
        ("What animal is on the mat?", "The animal on the mat is a cat.", "a cat"),
        ("How many apples are on the table?", "There are 7 apples on the table.", "7"),
        ("What color is the car?", "The color of the car is blue.", "blue"),
    ],
)
def test_the_question_tells_what_of_a_sentence_is_the_answer(question: str, text: str, answer: str) -> None:
    found = answer_in(text, question=question)
    assert found is not None and found.text == answer


def test_nothing_is_found_in_nothing() -> None:
    assert [answer_in(text) for text in ("", "  \n", ".", "**")] == [None, None, None, None]


@pytest.mark.parametrize(
    "text",
    [
        "the answer is " * 8000,
        "a" * 100_000,
        ". " * 50_000,
        "\\boxed{" * 14_000,
        "<answer>" * 12_000,
        " " * 100_000 + "x",
        "= 1 " * 25_000,
        "选B" * 30_000,
        "is " * 30_000,
        "，" * 90_000,
    ],
    ids=lambda text: text[:12].strip(),
)
def test_long_texts_are_read_quickly(text: str) -> None:
    answer_in(text, question=text, options=OPTIONS)
    start = time.process_time()
    answer_in(text, question=text, options=OPTIONS)
    assert time.process_time() - start < 0.2


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60), st.text(max_size=20))
def test_any_text_is_read(text: str, question: str) -> None:
    found = answer_in(text, question=question, options=OPTIONS)
    assert found is None or found.text.strip()


def test_a_letter_that_is_none_of_the_options_is_a_letter_all_the_same():
    options = [Option("A", "cat"), Option("B", "dog")]
    said = [answer_in(text, options=options) for text in ("(E)", "The answer is E.", "Option F", "选C")]
    assert [(each.text, each.type) for each in said] == [
        ("E", "letter"),
        ("E", "letter"),
        ("F", "letter"),
        ("C", "letter"),
    ]
    assert answer_in("E", options=[Option("A", "E"), Option("B", "F")]).text == "E"


def test_odd_line_breaks_do_not_cut_an_answer():
    assert answer_in("7 large\tred\rballs").text == "7 large red balls"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Add them. The answer is approx. 5 kg.", "approx. 5 kg"),
        ("The answer is No. 3.", "No. 3"),
        ("So the answer is Dr. Lee.", "Dr. Lee"),
        ("1. One\n2. Two", "Two"),
    ],
)
def test_the_point_of_an_abbreviation_cuts_no_answer(text, answer):
    assert answer_in(text).text == answer
