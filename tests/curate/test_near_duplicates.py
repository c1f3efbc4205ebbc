"""Copies of a question go; the same words about another picture are another question."""

from operators.curate.near_duplicates import NearDuplicates

TEXT = "The figure shows a rectangle with its side lengths in centimetres, drawn to no scale at all. Find its area."


def kept(*rows):
    made = [
        {"question": TEXT, "answer": "", "solution": "", "question_images": [], "place": place, **row}
        for place, row in enumerate(rows)
    ]
    return NearDuplicates()(made)["place"].to_pylist()


def test_the_same_words_about_another_picture_are_another_question():
    assert kept({"question_images": ["a.png"]}, {"question_images": ["b.png"]}) == [0, 1]
    assert kept({"question_images": ["a.png"], "answer": "12"}, {"question_images": ["b.png"], "answer": "15"}) == [
        0,
        1,
    ]
    assert kept({"question_images": ["a.png"], "answer": "12"}, {"answer": "15"}) == [0, 1]


def test_an_answer_with_other_numbers_makes_the_same_words_another_question():
    assert kept({"answer": "12"}, {"answer": "15"}) == [0, 1]


def test_the_same_solution_makes_other_words_the_same_question():
    rows = [
        {"question": "8 litres are shared equally among 2 tanks. How many does each one get?", "solution": "8/2 = 4"},
        {"question": "8 litres are divided equally among 2 tanks. What does each one get?", "solution": "8 / 2 = 4"},
    ]
    assert kept(*rows) == [0]
    assert kept(rows[0], rows[1] | {"solution": "8 - 2 = 6"}) == [0, 1]


def test_part_labels_in_another_style_make_no_other_question():
    assert kept(
        {"question": "Let x = 2. (1) Find 3x. (2) Find x + 1."}, {"question": "Let x = 2. ① Find 3x. ② Find x + 1."}
    ) == [0]


def test_the_same_words_with_the_same_picture_or_the_same_answer_are_one():
    assert kept({"question_images": ["a.png"]}, {"question_images": ["a.png"]}) == [0]
    assert kept(
        {"question_images": ["a.png"], "answer": "12 cm²"}, {"question_images": ["b.png"], "answer": "12 cm²"}
    ) == [0]
    assert kept({}, {}) == [0]
