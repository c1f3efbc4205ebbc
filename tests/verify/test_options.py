"""Options as they stand in questions: many styles, and letters that are none."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.verify.answer import Option
from operators.verify.options import options_in, stem_of


def test_options_right_behind_their_letters_may_begin_with_any_sign():
    assert options_in("选（　）A．∠A B．5 C．√2 D．－3") == [
        Option("A", "∠A"), Option("B", "5"), Option("C", "√2"), Option("D", "－3")
    ]  # fmt: skip
    given = options_in("下列正确的是（　）A．x＝1 B．x＝2 C．△ABC≌△DEF D．|x|＝4")
    assert [option.text for option in given] == ["x＝1", "x＝2", "△ABC≌△DEF", "|x|＝4"]
    assert options_in("Plan A.) and plan B.) are both open.") == []


STYLES = {
    "lines with stops": "What is it?\nA. cat\nB. dog\nC. bird",
    "lines with brackets": "What is it?\n(A) cat\n(B) dog\n(C) bird",
    "lines with one bracket": "What is it?\nA) cat\nB) dog\nC) bird",
    "lines with colons": "What is it?\nA: cat\nB: dog\nC: bird",
    "bullets": "What is it?\n- A: cat\n- B: dog\n- C: bird",
    "stars": "What is it?\n* A. cat\n* B. dog\n* C. bird",
    "bold": "What is it?\n**A.** cat\n**B.** dog\n**C.** bird",
    "circled": "What is it? Ⓐ cat Ⓑ dog Ⓒ bird",
    "inline": "What is it? (A) cat (B) dog (C) bird",
    "inline with stops": "What is it? A. cat B. dog C. bird",
    "lower case": "What is it? a) cat b) dog c) bird",
    "lower case in brackets": "What is it?\n(a) cat\n(b) dog\n(c) bird",
    "announced": "What is it? Options: A. cat, B. dog, C. bird",
    "announced on a line": "What is it?\nChoices:\n(A) cat\n(B) dog\n(C) bird",
    "with a request": "What is it?\nA. cat\nB. dog\nC. bird\nAnswer with the option's letter.",
    "with a request behind": "What is it?\nA. cat\nB. dog\nC. bird Please answer with the letter.",
    "with an empty line": "What is it?\n\nA. cat\n\nB. dog\n\nC. bird\n\nThink step by step.",
    "square": "What is it? [A] cat [B] dog [C] bird",
    "full width": "What is it?（Ａ）cat（Ｂ）dog（Ｃ）bird",
    "Chinese comma": "What is it?\nA、cat\nB、dog\nC、bird",
    "full stop": "What is it? A．cat B．dog C．bird",
    "colons": "What is it? Options: A: cat, B: dog, C: bird",
    "semicolons": "What is it? (A) cat; (B) dog; (C) bird.",
    "or": "What is it: (A) cat, (B) dog, or (C) bird?",
    "windows": "What is it?\r\nA. cat\r\nB. dog\r\nC. bird\r\n",
}


@pytest.mark.parametrize("style", STYLES)
def test_options_are_found_in_many_styles(style: str) -> None:
    assert options_in(STYLES[style]) == [Option("A", "cat"), Option("B", "dog"), Option("C", "bird")]
    assert stem_of(STYLES[style]).rstrip("?:") == "What is it"


NONE = (
    "What is it?",
    "",
    "Choices: cat, dog, bird",
    "Is A. Smith taller than B. Jones?",
    "Which food has more vitamin A. Vitamin B. is not meant.",
    "Play the chord A, then B: what comes next?",
    "Are the points (A) and (B) on the line?",
    "Given triangle ABC with angle A: 30 and angle B: 60, find C.",
    "i. red ii. blue iii. green",
    "1. red\n2. blue",
    "A. only one",
    "B. cat\nC. dog",
    "A.\nB.\nC.",
    "He said: a. The cat",
    "Compute f(A) + f(B).",
)


@pytest.mark.parametrize("question", NONE)
def test_other_letters_are_no_options(question: str) -> None:
    assert options_in(question) == []
    assert stem_of(question) == question.strip()


def test_the_texts_keep_numbers_units_and_signs() -> None:
    question = "What is the tension? A. 58.8 N B. -60 N C. $\\frac{1}{2}$ N D. none of these"
    texts = [option.text for option in options_in(question)]
    assert texts == ["58.8 N", "-60 N", "$\\frac{1}{2}$ N", "none of these"]
    assert [option.text for option in options_in("图中张力为（ ）\nA．60N\nB．58.8N")] == ["60N", "58.8N"]


def test_a_later_run_of_options_is_the_one_that_counts() -> None:
    question = "Point (A) is red, (B) is blue. What is it?\n(A) a cat\n(B) a dog\n(C) a bird"
    assert [option.text for option in options_in(question)] == ["a cat", "a dog", "a bird"]


@pytest.mark.parametrize(
    "piece", ["A. ", "(A)", "A ", "\n", "A.B.", " ", "A) B) ", "Options: ", "-", "Ⓐ", "**A** ", "(A)(B)"]
)
def test_long_questions_are_read_quickly(piece: str) -> None:
    question = piece * (100_000 // len(piece))
    options_in(question)
    start = time.process_time()
    options_in(question)
    stem_of(question)
    assert time.process_time() - start < 0.2


texts = (
    st.text("abcdefghij klmnop0123456789", min_size=1, max_size=12).map(str.strip).filter(lambda text: len(text) > 2)
)


@settings(max_examples=40, deadline=None)
@given(st.lists(texts, min_size=2, max_size=8), st.sampled_from(["{}. {}", "({}) {}", "{}) {}", "{}、{}", "- {}: {}"]))
def test_options_that_are_written_are_read_again(texts: list[str], style: str) -> None:
    expected = [Option(chr(65 + number), " ".join(text.split())) for number, text in enumerate(texts)]
    question = "\n".join(["What is it?", *(style.format(option.letter, option.text) for option in expected)])
    assert options_in(question) == expected
