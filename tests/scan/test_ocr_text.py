"""What OCR read is put as a book prints it."""

import pytest

from operators.pdf.scan.ocr_text import clean_text


@pytest.mark.parametrize(
    ("read", "printed"),
    [
        ("化简la+b-cl-Ib-a-cl.", "化简|a+b-c|-|b-a-c|."),
        ("2lx - 3l = Ix+1|", "2|x - 3| = |x+1|"),
        ("I1+I2=I", "I1+I2=I"),
        ("all-round, Il-l", "all-round, Il-l"),
        ("直线l与l1的夹角", "直线l与l1的夹角"),
    ],
)
def test_letters_that_hold_a_sum_between_them_are_bars(read: str, printed: str) -> None:
    assert clean_text(read) == printed


@pytest.mark.parametrize(
    ("read", "printed"),
    [
        ("Example 4A ribbon is cut", "Example 4 A ribbon is cut"),
        ("Exercise12Find all x", "Exercise 12 Find all x"),
        ("Example 4A", "Example 4A"),
        ("Question 4A is hard", "Question 4A is hard"),
        ("SolutionLet the width be w", "Solution Let the width be w"),
        ("Solutions to Chapter 1", "Solutions to Chapter 1"),
    ],
)
def test_a_label_or_a_lead_word_is_parted_from_the_sentence_glued_to_it(read: str, printed: str) -> None:
    assert clean_text(read) == printed


@pytest.mark.parametrize(
    ("read", "printed"),
    [
        ("点D,C分别落在点D',C’的位置", "点D,C分别落在点D′,C′的位置"),
        ("选项'A'是对的", "选项'A'是对的"),
        ("Take the point D' of ABCD", "Take the point D' of ABCD"),
    ],
)
def test_an_apostrophe_behind_a_point_of_a_chinese_text_is_a_prime(read: str, printed: str) -> None:
    assert clean_text(read) == printed


def test_a_sign_of_degrees_celsius_that_was_read_in_pieces_is_one_sign() -> None:
    read = ["A. 18 °℃C", "22 °℃", "-3 ℃C", "18℃C.28 ℃", "50°"]
    assert [clean_text(text) for text in read] == ["A. 18 ℃", "22 ℃", "-3 ℃", "18℃C.28 ℃", "50°"]
