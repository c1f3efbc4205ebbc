"""The scorer of made books counts what a reader would count, on a book of three questions."""

import json
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pytest
from reportlab.pdfgen.canvas import Canvas

from benchmarks.gold_model import GoldModel
from benchmarks.item_scores import (
    book_title,
    doubt_counts,
    likeness,
    matches,
    path_is_right,
    plain_label,
    plain_title,
    score,
    words,
)
from benchmarks.made_books import figures, main, measure
from benchmarks.text_coverage import page_words, supply_of, unaccounted
from operators.pdf.reply import ReplyChapter, ReplyPair, render

GOLD = {
    "items": [
        {
            "label": "1.1",
            "section": "",
            "chapter": ["Chapter 1 Sets", "Exercises"],
            "question": "Show that $A \\cup B$ is finite whenever both sets are finite. [3 marks]",
            "answer": "",
            "solution": "Count the elements of both sets and add the numbers.",
            "question_figures": 1,
            "solution_figures": 0,
        },
        {
            "label": "1.2",
            "section": "",
            "chapter": ["Chapter 1 Sets", "Exercises"],
            "question": "How many subsets has a set of three elements?",
            "answer": "8",
            "solution": "",
            "question_figures": 0,
            "solution_figures": 0,
        },
        {
            "label": "2.1",
            "section": "",
            "chapter": ["Chapter 2 Maps", "Exercises"],
            "question": "Compute $\\sin x$ for $x = 2$.",
            "answer": "",
            "solution": "",
            "question_figures": 0,
            "solution_figures": 0,
        },
    ],
    "told": [{"kind": "title", "text": "A Book of Sets"}],
}


def rows(**changes):
    first = {
        "label": "Exercise 1.1",
        "question": "Exercise 1.1 Show that A ∪ B is finite whenever both sets are finite.\n![](vqa_images/a.png)",
        "answer": "",
        "solution": "Solution. Count the elements of both sets and add the numbers.",
        "question_chapter_title": "Exercises",
        "figures": (1, 0),
    }
    second = {
        "label": "1.2",
        "question": "1.2. How many subsets has a set of three elements?",
        "answer": "8",
        "solution": "",
        "question_chapter_title": "Exercises",
        "figures": (0, 0),
    }
    third = {
        "label": "2.1",
        "question": "2.1. Compute sin x for x = 2.",
        "answer": "",
        "solution": "",
        "question_chapter_title": "Exercises",
        "figures": (0, 0),
    }
    return [first | changes.get("first", {}), second | changes.get("second", {}), third | changes.get("third", {})]


def told(found):
    return {name: round(value, 3) if isinstance(value, float) else value for name, value in figures(found).items()}


def test_a_book_that_is_read_without_a_fault_has_full_marks():
    found = score(GOLD, rows())
    assert told(found) == {
        "items": 3, "rows": 3, "question": 1.0, "pair": 1.0, "chapter": 1.0, "figures": 1.0, "lost": 0.0,
        "unread": 0.0,
        "seen": None,
        "needless": 0.0,
    }  # fmt: skip
    assert found["errors"] == []


def test_a_wrong_label_a_wrong_answer_and_a_figure_too_many_are_counted_and_named():
    found = score(GOLD, rows(first={"label": "1"}, second={"answer": "9"}, third={"figures": (1, 0)}))
    assert (found["questions"], found["pairs"], found["drawn"], found["figures"]) == (2, 1, 2, 1)
    assert found["errors"] == [
        "label of Chapter 1 Sets / Exercises / 1.1 is '1'",
        "answer of Chapter 1 Sets / Exercises / 1.2 at 0.00: '8' is '9'",
        "figures of Chapter 2 Maps / Exercises / 2.1: (0, 0) wanted, (1, 0) found",
    ]


def test_rows_that_are_no_items_lower_the_measure_as_lost_items_do():
    theory = {"label": "7", "question": "A set is a collection of things.", "answer": "", "solution": "",
              "question_chapter_title": "", "figures": (0, 0)}  # fmt: skip
    found = score(GOLD, [*rows()[:2], theory])
    assert told(found)["question"] == 0.667
    assert found["errors"] == [
        "no row for Chapter 2 Maps / Exercises / 2.1: 'Compute $\\\\sin x$ for $x = 2$.'",
        "no item for row '7': 'A set is a collection of things.'",
    ]


def test_an_answer_where_the_book_has_none_is_wrong():
    found = score(GOLD, rows(third={"solution": "Count the elements of both sets."}))
    assert (found["questions"], found["pairs"]) == (3, 2)


def test_equal_questions_are_told_apart_by_label_chapter_and_order():
    def item(label, chapter, formula):
        return {"label": label, "section": "", "chapter": [chapter], "question": f"Compute ${formula}$.", "answer": ""}

    def row(label, chapter, formula):
        return {"label": label, "question": f"{label}. Compute {formula}.", "question_chapter_title": chapter}

    items = [item("1", "One", "a+7"), item("2", "One", "b+8"), item("1", "Two", "c+9")]
    lines = [row("1", "Two", "c+9"), row("2", "One", "b+8"), row("1", "One", "a+7")]
    found = matches(items, lines)
    assert [(match.item["question"], match.row["question"]) for match in found] == [
        ("Compute $a+7$.", "1. Compute a+7."),
        ("Compute $b+8$.", "2. Compute b+8."),
        ("Compute $c+9$.", "1. Compute c+9."),
    ]


@pytest.mark.parametrize(
    ("gold", "got", "expected"),
    [
        ("$x=3$", "x = 3", 1.0),
        ("$x=3$", "$x=3$", 1.0),
        ("$x=3$", "7 metres", 0.0),
        ("$x=3$", "", 0.0),
        ("Solve $5x\\equiv3\\pmod{11}$.", "Solve 5x ≡ 3 (mod 11).", 1.0),
        ("C", "C", 1.0),
        ("C", "D", 0.0),
        ("如图,证明三角形全等", "证明:如图,证明三角形全等", 1.0),
        ("如图,证明三角形全等", "如图", 4 / 9),
        ("The force acts along the ramp.", "Solution. The force acts along the ramp.", 1.0),
        ("The force acts along the ramp.", "The force acts along", 0.8),
    ],
)
def test_texts_are_compared_by_their_words_outside_formulas(gold, got, expected):
    assert likeness(gold, got) == pytest.approx(expected)


def test_what_questions_share_is_neither_asked_nor_punished():
    shared = "The figure shows a lever with two weights."
    assert likeness("Find the larger weight.", "Find the larger weight.", shared) == 1.0
    assert likeness("Find the larger weight.", f"{shared} Find the larger weight.", shared) == 1.0
    assert likeness("Find the larger weight.", f"{shared} Find the larger weight.") == pytest.approx(8 / 15)


def test_a_formula_alone_is_compared_without_what_is_printed_once_for_several():
    shared = "In Exercises 1-3, write the first four terms of the sequence."
    assert likeness("$a_n=4n+1$", f"{shared}\n1. $a_n=4n+1$", shared) == 1.0
    assert likeness("$a_n=4n+1$", "1. $a_n=4n+1$", shared) == 1.0
    assert likeness("$a_n=4n+1$", f"{shared}\n2. $b_k=k^2-9$", shared) == 0.0
    assert likeness("$a_n=4n+1$", f"{shared}\n1. $a_n=4n+1$") == 0.0


def test_the_one_word_before_a_label_or_a_stop_may_stand_in_the_text_in_any_language():
    assert likeness("Podaj prawa De Morgana.", "Zadanie 2.3. Podaj prawa De Morgana.", "", "2.3") == 1.0
    assert likeness("c) 1916", "Exercice 2. c) 1916", "", "2") == 1.0
    assert likeness("Podaj prawa De Morgana.", "Zadanie trudne 2.3. Podaj prawa De Morgana.", "", "2.3") < 0.9


def test_a_model_without_mistakes_finds_gold_in_tables_second_files_and_titles_of_two_blocks():
    def block(n, text, page=0, file=0, level=None, kind="text"):
        looks = {"type": kind, "level": level, "caption": "", "shown": True}
        return {"id": n, "text": text, "page": page, "file": file, **looks}

    asked = [("i", "Why did the herds wander?", "Nobody looked after them."), ("ii", "Who fixed wages?", "A king.")]
    asked.append(("iii", "Which villages fell empty?", "Those on poor land."))
    keys = {"section": "", "chapter": ["Topic 1 Plague"], "answer": "", "question_pages": [1], "solution_pages": [3]}
    items = [{"label": label, "question": text, "solution": told} | keys for label, text, told in asked]
    table = "".join(f"<tr><td>({label})</td><td>{told}</td></tr>" for label, _, told in asked)
    blocks = [block(0, "Topic 1", level=1), block(1, "Plague", level=2)]
    blocks += [block(n, f"({label}) {text}") for n, (label, text, _) in enumerate(asked, 2)]
    blocks += [block(5, "More is on no page.", page=1), block(6, "Marks", file=1, level=1)]
    blocks += [block(7, f"<table>{table}</table>", file=1, kind="table")]
    pairs = [ReplyPair("i", [2], at=2), ReplyPair("ii", [3], at=3)]  # nothing is asked between iii and its answer
    assert GoldModel({"items": items}, blocks).reply(range(8)) == render(
        [
            ReplyChapter([0, 1], [*pairs, ReplyPair("iii", [4], "Those on poor land.", at=4)]),
            ReplyChapter([6], [ReplyPair(label, [], told, [], 7) for label, _, told in asked[:2]]),
        ]
    )


def test_a_model_without_mistakes_tells_equal_texts_apart_by_their_labels_and_names_no_numbering_as_a_title():
    texts = ["Exercise 1.", "Answer it.", "Exercise 2.", "Answer it.", "2", "Answers"]
    texts += ["Answer to Exercise 1.", "The rain makes it.", "Answer to Exercise 2.", "The rain does not."]
    looks = {"page": 0, "file": 0, "type": "text", "caption": "", "shown": True}
    blocks = [
        {"id": n, "text": text, "level": 1 if "Answer" in text[:7] else None} | looks for n, text in enumerate(texts)
    ]
    blocks[1]["level"] = blocks[3]["level"] = None
    keys = {"section": "", "chapter": [], "question": "Answer it.", "solution": ""}
    items = [
        {"label": "1", "answer": "The rain makes it."} | keys,
        {"label": "2", "answer": "The rain does not."} | keys,
    ]
    asked = [ReplyPair("1", [0, 1], at=0), ReplyPair("2", [2, 3], items[1]["answer"], at=2)]
    told = ReplyChapter([5], [ReplyPair("1", [], items[0]["answer"], [], 7)])
    assert GoldModel({"items": items}, blocks).reply(range(10)) == render([ReplyChapter([], asked), told])


def test_points_are_left_out_in_any_language():
    assert [words(text) for text in ("Somma. [3 punti]", "[1 P.] Somma.", "（本小题满分 10 分）Somma.")] == [
        words("Somma.")
    ] * 3


def test_a_label_that_is_a_word_may_stand_in_the_text():
    item = {"label": "一", "chapter": [], "question": "计算两数之和", "answer": "十", "solution": ""}
    row = {
        "label": "一、",
        "question": "一、计算两数之和",
        "answer": "一、十",
        "solution": "",
        "question_chapter_title": "",
    }
    (match,) = matches([item], [row])
    assert (match.right, match.question) == (True, 1.0)


def test_labels_and_titles_are_plain_without_their_dress():
    assert [plain_label(text) for text in ("（1）", "Problem 5.1", "第３题", "Q1.", "一、", "IV")] == [
        "1", "5.1", "3", "1", "一", "iv",
    ]  # fmt: skip
    assert plain_title("# Chapter 2:  Groups") == plain_title("chapter 2 groups") == "chapter2groups"
    assert words("ﬁnite sets [2 marks]") == Counter({"finite": 1, "sets": 1})


def test_a_path_may_begin_with_the_book_end_with_the_section_and_leave_out_what_only_says_that_exercises_begin():
    item = {"chapter": ["Chapter 1", "Exercises"], "section": "Part A"}
    right = [["Chapter 1", "Exercises"], ["My Book", "Chapter 1", "Exercises", "Part A"], ["Chapter 1"]]
    wrong = [["Exercises"], ["Chapter 1", "Exercises", "Part B"], [], None]
    assert [path_is_right(item, {"chapter_path": path}, "My Book") for path in right] == [True, True, True]
    assert not any(path_is_right(item, {"chapter_path": path}, "My Book") for path in wrong)
    assert book_title(GOLD) == "A Book of Sets"


@pytest.fixture
def page(tmp_path):
    canvas = Canvas(str(tmp_path / "book.pdf"), pagesize=(400, 400))
    for height, line in ((350, "Sets are collections of things."), (300, "1. Name a set that is empty. It is short-"),
                         (280, "ened here. 2. sinx"), (100, "axis")):  # fmt: skip
        canvas.drawString(40, height, line)
    canvas.save()
    return tmp_path / "book.pdf"


def result_of(question, title="", boxes=()):
    evidence = [{"role": "question", "file": 0, "page": 0, "image": None, "box": None}]
    evidence += [{"role": "question", "file": 0, "page": 0, "image": "a.png", "box": box} for box in boxes]
    row = {"question": question, "answer": "", "solution": "", "question_chapter_title": title,
           "answer_chapter_title": "", "evidence": evidence}  # fmt: skip
    return SimpleNamespace(table=pa.Table.from_pylist([row]), rejects=pa.table({"inputs": pa.array([], pa.string())}))


def test_words_of_a_page_are_read_without_the_pipeline(page):
    (found,) = page_words(page)
    assert [word.replace("\n", "-") for word, _ in found] == [
        "sets", "are", "collections", "things", "name", "set", "that", "empty", "short-ened", "here", "sinx", "axis",
    ]  # fmt: skip
    assert found[-1][1] == pytest.approx((130, 744), abs=12)


def test_text_that_stands_nowhere_in_the_output_is_counted_by_letters(page):
    said = "1. Name a set that is empty. It is shortened here. 2. $\\sin x$"
    lost, every, told = unaccounted(result_of(said), [page])
    assert (lost, every) == (len("setsarecollectionsthingsaxis"), 61)
    assert told == ["page 1 of book.pdf unaccounted: sets are collections things axis"]


def test_faults_are_seen_where_a_row_beside_them_is_doubted_and_right_rows_are_doubted_in_vain():
    doubted, plain, lost, bare = ({"doubts": d, "status": s} for d, s in (
        (["its options stand twice"], "answered"), ([], "answered"), (["nothing stands behind its label"], "answered"),
        ([], "unanswered")))  # fmt: skip
    partners = [(doubted, True), (plain, True), (None, False), (lost, True), (bare, None), (None, False)]
    counts = doubt_counts(partners, [doubted, plain, lost, bare, {"confidence": 0.6, "status": "answered"}])
    assert counts == {"faults": 3, "seen": 2, "right": 3, "needless": 1}


def test_headings_and_words_in_pictures_are_accounted_for(page):
    said = "1. Name a set that is empty. It is short-ened here. 2. sinx"
    lost, _, told = unaccounted(result_of(said, "Sets are collections of things", [(90, 700, 200, 800)]), [page])
    assert (lost, told) == (0, [])


def test_told_matter_is_accounted_for_on_its_page(page):
    said = "1. Name a set that is empty. It is shortened here. 2. $\\sin x$"
    told = [{"file": 0, "page": number, "text": text} for number, text in ((0, "Sets are things"), (1, "axis"))]
    lost, _, sentences = unaccounted(result_of(said), [page], told)
    assert (lost, sentences) == (len("collectionsofaxis") - 2, ["page 1 of book.pdf unaccounted: collections axis"])


def test_a_page_is_covered_by_what_stands_on_it_alone_before_what_goes_on_elsewhere(tmp_path):
    canvas = Canvas(str(tmp_path / "book.pdf"), pagesize=(400, 400))
    for line in ("A set theory.", "The set solved."):
        canvas.drawString(40, 300, line)
        canvas.showPage()
    canvas.save()
    result = result_of("")
    row = result.table.to_pylist()[0] | {"solution": "The set solved.", "question": "theory"}
    row["evidence"] = [{"role": "solution", "file": 0, "page": n, "image": None, "box": None} for n in (0, 1)]
    result.table = pa.Table.from_pylist([row])
    lost, _, told = unaccounted(result, [tmp_path / "book.pdf"], [{"file": 0, "page": 0, "text": "A set theory."}])
    assert (lost, told) == (0, [])


def test_each_word_of_the_output_covers_one_word_of_the_page():
    supply = supply_of("a set of a $\\sin x + dy$ set")
    assert [supply.take(word) for word in ("set", "set", "set", "sinx", "other")] == [True, True, False, True, False]


def test_without_a_book_the_command_says_so(tmp_path, capsys):
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().err == "No folder with a gold.json was given.\n"


BOOKS = Path(__file__).parent / "books"


@pytest.mark.parametrize("book", sorted(path.parent.name for path in BOOKS.glob("*/gold.json")))
def test_what_a_books_gold_says_stands_on_the_pages_that_it_names(book):
    gold = json.loads((BOOKS / book / "gold.json").read_text(encoding="utf-8"))
    pages = [page for name in gold["files"] for page in page_words(BOOKS / book / name)]
    counted = [Counter(word.replace("\n", "") for word, _ in page) for page in pages]
    for item in gold["items"]:
        for part, text in (("question", item["question"]), ("solution", f"{item['answer']} {item['solution']}")):
            there = sum((counted[number - 1] for number in item[f"{part}_pages"]), Counter())
            assert words(text) - there == Counter(), (item["label"], part)


def test_a_book_with_solutions_in_boxes_is_read_without_a_fault():
    assert told(measure(BOOKS / "tcolorbox-solutions")) == {
        "items": 20, "rows": 20, "question": 1.0, "pair": 1.0, "chapter": 1.0, "figures": 1.0, "lost": 0.0, "unread": 0.0,
        "seen": None, "needless": 0.0,
    }  # fmt: skip
