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


def test_the_same_words_with_the_same_picture_or_the_same_answer_are_one():
    assert kept({"question_images": ["a.png"]}, {"question_images": ["a.png"]}) == [0]
    assert kept(
        {"question_images": ["a.png"], "answer": "12 cm²"}, {"question_images": ["b.png"], "answer": "12 cm²"}
    ) == [0]
    assert kept({}, {}) == [0]
