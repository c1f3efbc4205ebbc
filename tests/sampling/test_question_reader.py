"""What a solver is shown of a row, and which rows it is not shown."""

import pytest
from PIL import Image

from operators import QuestionReader
from tests.sampling.question_sets import CHOICE, PLAIN, WORDED, read


def test_only_a_question_and_an_answer_are_needed():
    [row] = read(PLAIN).to_pylist()
    assert row["question_id"] == row["row_id"]
    assert (row["problem"], row["gold"], row["choices"], row["moves"]) == ("What is 2 + 2?", "4", [], False)


def test_options_of_the_text_are_taken_out_of_it_if_the_answer_is_one_of_them():
    first, second = read(CHOICE, {**CHOICE, "answer": "7 km"}).to_pylist()
    assert (first["problem"], first["moves"]) == ("How long is the rod?", True)
    assert [option["text"] for option in first["choices"]] == ["3 m", "4 m", "5 m", "6 m"]
    assert (second["problem"], second["choices"]) == (CHOICE["question"], [])


def test_options_of_the_row_win_and_lose_letters_that_only_tell_their_places():
    row = {"question": "How long?", "answer": "4 m", "options": ["A. 3 m", "B. 4 m"], "question_type": "choice"}
    assert read(row).to_pylist()[0]["choices"] == [{"letter": "A", "text": "3 m"}, {"letter": "B", "text": "4 m"}]


@pytest.mark.parametrize("last", ["all of the above", "A and B", "以上都对", "none of these"])
def test_options_that_speak_of_places_stay_in_theirs(last):
    row = {"question": "Which?", "answer": "A", "options": ["x", "y", last]}
    assert read(row).to_pylist()[0]["moves"] is False


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"question": "Why?", "answer": ""}, "there is no answer to compare with"),
        ({"question": "Why?", "answer": None}, "there is no answer to compare with"),
        (
            {"question": "Show it.", "answer": "QED", "question_type": "proof"},
            "a proof has no short answer to compare with",
        ),
        (
            {"question": "Draw it.", "answer": "![](a.png)"},
            "its answer (10 letters) is no short one: a few words, and no picture",
        ),
    ],
)
def test_a_row_with_nothing_short_to_compare_with_is_dropped(row, why):
    made = QuestionReader(has=sorted(set(row) - {"question", "answer"})).apply([row, {**PLAIN, "question_type": None}])
    [reject] = made.rejects.to_pylist()
    assert (reject["kind"], reject["error"], reject["message"]) == ("dropped", "NoShortAnswer", why)
    assert made.table["question"].to_pylist() == ["What is 2 + 2?"]


def test_a_part_gets_the_questions_of_the_parts_that_it_needs_in_their_order_and_no_answer():
    rows = [
        {"question": f"Part {part}?", "answer": f"gold {part}", "parent_id": "p", "part": part, "depends_on": needs}
        for part, needs in (("10", ["2"]), ("2", ["1"]), ("1", []), ("3", None))
    ]
    found = {row["part"]: row["earlier"] for row in read(*rows).to_pylist()}
    assert found == {"10": ["Part 1?", "Part 2?"], "2": ["Part 1?"], "1": [], "3": []}


def test_a_part_that_needs_one_that_is_gone_is_rejected():
    row = {"question": "And then?", "answer": "4", "parent_id": "p", "part": "b", "depends_on": ["a"]}
    made = QuestionReader(has=["parent_id", "part", "depends_on"]).apply([row])
    assert made.rejects["message"].to_pylist() == ["it depends on part a, which is not there"]


def test_a_part_that_was_split_off_has_all_that_it_needs_in_itself():
    row = {"question": "Let x = 2. (a) Find 3x. (b) And then?", "answer": "4", "parent_id": "p", "part": "b"}
    row |= {"depends_on": ["a"], "split_from": "p"}
    assert read(row).to_pylist()[0]["earlier"] == []


def test_values_of_other_types_are_read_as_far_as_they_can_be():
    row = {"question": "How long?", "answer": 4, "label": 3, "part": None, "depends_on": None}
    row |= {"options": [{"letter": "A", "text": "3"}, {"letter": "B", "text": "4"}], "question_images": None}
    [made] = read(row).to_pylist()
    assert (made["gold"], made["about"]["label"]) == ("4", "3")
    assert made["choices"] == [{"letter": "A", "text": "3"}, {"letter": "B", "text": "4"}]


def test_parts_of_another_book_are_no_siblings():
    part = {"question": "Part a?", "answer": "1", "parent_id": "p", "part": "a", "depends_on": [], "name": "one"}
    other = {"question": "Part b?", "answer": "2", "parent_id": "p", "part": "b", "depends_on": ["a"], "name": "two"}
    made = QuestionReader(has=["parent_id", "part", "depends_on", "name"]).apply([part, other])
    assert made.rejects["message"].to_pylist() == ["it depends on part a, which is not there"]


def test_links_become_numbers_in_the_order_in_which_they_stand(tmp_path):
    for name in ("图 3(a).png", "x.jpg"):
        Image.new("RGB", (9, 9), "white").save(tmp_path / name)
    row = {
        "question": "In ![Fig. 3](图 3(a).png) and ![](x.jpg), ![](x.jpg): how long?",
        "answer": "B",
        "options": ["![](x.jpg)", "3 m"],
    }
    [made] = read(row, root=tmp_path).to_pylist()
    assert made["problem"] == "In [picture 1] and [picture 2], [picture 2]: how long?"
    assert [option["text"] for option in made["choices"]] == ["[picture 2]", "3 m"]
    assert made["pictures"] == [str(tmp_path / "图 3(a).png"), str(tmp_path / "x.jpg")]


def test_pictures_of_rows_in_memory_are_where_their_evidence_says(tmp_path):
    Image.new("RGB", (9, 9), "white").save(tmp_path / "fig.png")
    evidence = [{"role": "question", "image": str(tmp_path / "fig.png")}, {"role": "question", "image": None}]
    row = {**WORDED, "question_images": ["vqa_images/fig.png"]}
    for files in ({"evidence": evidence}, {"picture_files": [str(tmp_path / "fig.png")]}):
        assert read(row | files).to_pylist()[0]["pictures"] == [str(tmp_path / "fig.png")]


@pytest.mark.parametrize(
    ("link", "why"),
    [
        ("gone.png", "its picture gone.png is not there"),
        ("../secret.png", "its picture ../secret.png lies outside of the folder of the rows"),
        ("/etc/x.png", "its picture /etc/x.png lies outside of the folder of the rows"),
        ("https://example.org/x.png", "its picture https://example.org/x.png is not there"),
    ],
)
def test_a_row_without_its_picture_is_rejected_and_no_file_outside_is_looked_at(tmp_path, link, why):
    Image.new("RGB", (9, 9), "white").save(tmp_path / "secret.png")
    (tmp_path / "rows").mkdir()
    made = QuestionReader(root=tmp_path / "rows").apply([{"question": f"See ![]({link})", "answer": "4"}])
    assert made.rejects["message"].to_pylist() == [why]


def test_a_base_folder_of_a_row_leads_nowhere_outside(tmp_path):
    Image.new("RGB", (9, 9), "white").save(tmp_path / "x.png")
    (tmp_path / "rows").mkdir()
    row = {"question": "See ![](x.png)", "answer": "4", "image_basedir": str(tmp_path)}
    made = QuestionReader(has=["image_basedir"], root=tmp_path / "rows").apply([row])
    assert made.rejects["message"].to_pylist() == ["its picture x.png lies outside of the folder of the rows"]
