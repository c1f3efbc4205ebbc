"""QA_Merger: a row for each question, and an account for every pair that came in."""

import random
import time
from collections import Counter
from dataclasses import dataclass, field, fields

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from dataflow_ext.codec import encode
from dataflow_ext.operator import Applied
from operators import QA_Merger
from operators.pdf.pairs import Evidence

Row = dict[str, object]


@dataclass
class Pair:
    """A row as LLMOutputParser makes it."""

    at: int
    label: str
    question_ids: list[int] = field(default_factory=list)
    answer: str = ""
    solution_ids: list[int] = field(default_factory=list)
    title_ids: list[int] = field(default_factory=list)
    title: str = ""
    chapter_block: int = -1
    title_path: list[str] = field(default_factory=list)
    chapter_path: list[str] = field(default_factory=list)
    chunk: int = 0
    item: int = -1
    in_core: bool = True
    file: int = 0
    document: str = "doc"
    name: str = "book"
    question: str = ""
    solution: str = ""
    question_images: list[str] = field(default_factory=list)
    solution_images: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    extracted_by: str = "m"


TYPES = {name: QA_Merger.inputs[name] for name in (f.name for f in fields(Pair))}


def table(*pairs: Pair) -> pa.Table:
    """The pairs as a table; texts are made of the ids, items counted in each chunk, where they are not given."""
    counts: Counter[tuple[str, int]] = Counter()
    evidence = []
    for pair in pairs:
        if pair.item < 0:
            pair.item = counts[pair.document, pair.chunk]
            counts[pair.document, pair.chunk] += 1
        pair.question = pair.question or "\n".join(f"q{i}" for i in pair.question_ids)
        pair.solution = pair.solution or "\n".join(f"s{i}" for i in pair.solution_ids)
        asked = [Evidence("question", i, str(i), pair.file, 0) for i in pair.question_ids]
        evidence.append(asked + [Evidence("solution", i, str(i), pair.file, 0) for i in pair.solution_ids])
    columns = {name: encode([getattr(p, name) for p in pairs], kind) for name, kind in TYPES.items()}
    ids = pa.array([str(n) for n in range(len(pairs))], pa.string())
    return pa.table({"row_id": ids, **columns, "evidence": encode(evidence, list[Evidence])})


def merge(*pairs: Pair, **options: bool) -> Applied:
    return QA_Merger(**options).apply(table(*pairs))


def rows(done: Applied) -> list[tuple[object, ...]]:
    names = ("label", "question", "answer", "solution", "status")
    return [tuple(row[n] for n in names) for row in done.table.to_pylist()]


def rejects(done: Applied) -> list[tuple[str, str]]:
    return [(r["row_id"], r["message"]) for r in done.rejects.to_pylist()]


def question(at: int, label: str, title: int | None = None, name: str = "", **more: object) -> Pair:
    ids = [] if title is None else [title]
    return Pair(at, label, [at], title_ids=ids, title=name, **more)  # type: ignore[arg-type]


def answer(at: int, label: str, said: str, title: int | None = None, name: str = "", **more: object) -> Pair:
    ids = [] if title is None else [title]
    return Pair(at, label, answer=said, title_ids=ids, title=name, **more)  # type: ignore[arg-type]


def test_a_question_with_its_solution_is_one_row_as_it_came() -> None:
    named = {"title_ids": [1], "title": "第1章 集合", "chapter_block": 1, "chapter_path": ["第1章 集合"]}
    pair = Pair(2, "例1", [2, 3], "x = 1", [4], **named, question_images=["a.png"], notes=["odd"])
    (row,) = merge(pair).table.to_pylist()
    evidence = row.pop("evidence")
    assert row.pop("row_id")
    assert row == {
        "parents": ["0"],
        "document": "doc",
        "name": "book",
        "label": "例1",
        "question": "q2\nq3",
        "answer": "x = 1",
        "solution": "s4",
        "question_chapter_title": "第1章 集合",
        "answer_chapter_title": row["answer_chapter_title"],
        "chapter_path": ["第1章 集合"],
        "chapter_block": 1,
        "status": "answered",
        "question_images": ["a.png"],
        "solution_images": [],
        "question_ids": [2, 3],
        "solution_ids": [4],
        "match": "interleaved",
        "confidence": 1.0,
        "notes": ["odd"],
        "doubts": [],
        "extracted_by": "m",
    }
    assert [(e["role"], e["id"]) for e in evidence] == [("question", 2), ("question", 3), ("solution", 4)]


def test_an_answer_section_is_joined_by_chapter_and_label_with_the_evidence_of_both() -> None:
    done = merge(
        question(1, "1", 0, "第1章 集合"),
        question(11, "1", 10, "第2章 函数"),
        answer(21, "1", "A", 20, "第一章 答案", solution_ids=[22]),
        answer(31, "1", "B", 30, "第二章 答案"),
    )
    assert rows(done) == [("1", "q1", "A", "s22", "answered"), ("1", "q11", "B", "", "answered")]
    first = done.table.to_pylist()[0]
    assert (first["answer_chapter_title"], first["match"], first["parents"]) == (
        "第一章 答案",
        "chapter+label",
        ["0", "2"],
    )
    assert [(e["role"], e["id"]) for e in first["evidence"]] == [("question", 1), ("solution", 22)]
    assert rejects(done) == []


def test_doubts_of_an_answer_printed_apart_stand_in_the_row_of_its_question() -> None:
    asked = question(2, "1", 1, "1 Sets", doubts=["two solutions begin in it"])
    told = answer(9, "1", "B", 8, "1 Sets", doubts=["label out of order: 1 stands beside 4"])
    (row,) = merge(asked, told).table.to_pylist()
    assert row["doubts"] == ["two solutions begin in it", "its answer: label out of order: 1 stands beside 4"]


def test_answers_that_print_their_question_once_more_begin_behind_it() -> None:
    texts = ["Find the area of a square of side 3.", "Draw a circle and its chord.", "Name an even prime number."]
    asked = [Pair(n, str(n + 1), [n], question=f"{n + 1}. {text}") for n, text in enumerate(texts)]
    told = [f"1. {texts[0]}\nSolution: it is 9.", f"{texts[1]}", "Name an even number: 2."]
    answers = [
        Pair(n + 5, str(n + 1), [], solution_ids=[n + 5], solution=text, title_ids=[4], title="Answers", file=1)
        for n, text in enumerate(told)
    ]
    rows = QA_Merger()(table(*asked, *answers)).to_pylist()
    assert [(row["solution"], row["status"]) for row in rows] == [
        ("Solution: it is 9.", "answered"),
        ("", "unanswered"),
        ("Name an even number: 2.", "answered"),
    ]
    note = "its answer prints the question once more, which was left out"
    assert [note in row["notes"] for row in rows] == [True, True, False]


def test_answers_that_fit_two_chapters_are_a_reject_that_names_both_and_a_doubt_in_each_row() -> None:
    done = merge(
        *(question(n, str(n), 0, "Paper A") for n in (1, 2)),
        *(question(10 + n, str(n), 10, "Paper B") for n in (1, 2)),
        *(answer(20 + n, str(n), "x", 20, "Answers") for n in (1, 2)),
    )
    assert [(row["answer"], row["doubts"]) for row in done.table.to_pylist()] == [
        ("", ["answers under “Answers” fit it and others equally well"])
    ] * 4
    assert rejects(done) == [
        (str(n + 3), f"answer '{n}': it fits the questions under “Paper A” and under “Paper B” equally well")
        for n in (1, 2)
    ]


def test_questions_without_answer_are_rows_and_answers_without_question_are_rejects() -> None:
    done = merge(
        question(1, "1", 0, "第1章 集合"),
        question(2, "2", 0, "第1章 集合"),
        answer(21, "2", "B", 20, "第1章 答案"),
        answer(22, "3", "C", 20, "第1章 答案"),
    )
    assert rows(done) == [("1", "q1", "", "", "unanswered"), ("2", "q2", "B", "", "answered")]
    assert rejects(done) == [("3", "answer '3': no question with this label waits in its chapter")]
    assert done.rejects["kind"].to_pylist() == ["dropped"]


def test_a_worked_example_is_never_the_exercise_of_its_number() -> None:
    done = merge(
        question(1, "例1", 0, "第1章 集合"), question(2, "1", 0, "第1章 集合"), answer(21, "1", "B", 20, "第1章 答案")
    )
    assert rows(done) == [("例1", "q1", "", "", "unanswered"), ("1", "q2", "B", "", "answered")]


PAIRS = st.lists(
    st.builds(
        Pair,
        at=st.integers(0, 30),
        label=st.sampled_from(["", "1", "2", "例1", "A", "01"]),
        question_ids=st.lists(st.integers(0, 30), unique=True, max_size=3),
        answer=st.sampled_from(["", "A", "B"]),
        solution_ids=st.lists(st.integers(0, 30), unique=True, max_size=2),
        title_ids=st.lists(st.integers(0, 30), max_size=1),
        title=st.sampled_from(["", "第1章 集合", "第一章 答案", "第2章"]),
        chunk=st.integers(0, 3),
        in_core=st.booleans(),
        file=st.integers(0, 1),
        document=st.sampled_from(["p", "q"]),
    ),
    max_size=25,
)


@settings(max_examples=60)
@given(PAIRS, st.booleans())
def test_whatever_comes_in_is_in_a_row_or_a_reject_and_nothing_is_in_both(pairs: list[Pair], strict: bool) -> None:
    done = merge(*pairs, strict_title_match=strict)
    parents = [i for row in done.table["parents"].to_pylist() for i in row]
    left = done.rejects["row_id"].to_pylist()
    assert sorted([*parents, *left]) == sorted(map(str, range(len(pairs))))
    assert "Empty" not in done.rejects["error"].to_pylist() and "failed" not in done.rejects["kind"].to_pylist()
    by_id = {str(n): p for n, p in enumerate(pairs)}
    for row in done.table.to_pylist():
        members = [by_id[i] for i in row["parents"]]
        assert {m.document for m in members} == {row["document"]}
        assert set(row["question_ids"]) <= {i for m in members for i in m.question_ids}
        assert (row["status"] == "answered") == bool(row["answer"] or row["solution"])


@settings(max_examples=60)
@given(PAIRS, st.randoms(use_true_random=False))
def test_the_order_in_which_pairs_come_makes_no_difference(pairs: list[Pair], shuffle: random.Random) -> None:
    whole = table(*pairs)
    order = list(range(len(pairs)))
    shuffle.shuffle(order)
    one, two = QA_Merger().apply(whole).table, QA_Merger().apply(whole.take(pa.array(order, pa.int64()))).table
    assert sorted(map(str, one.to_pylist())) == sorted(map(str, two.to_pylist()))


def test_a_copy_from_a_look_ahead_is_part_of_the_row_of_the_chunk_that_the_item_begins_in() -> None:
    copy = question(5, "2", chunk=0, in_core=False)
    done = merge(question(1, "1"), copy, Pair(5, "2", [5, 6], "A", chunk=1))
    assert rows(done) == [("1", "q1", "", "", "unanswered"), ("2", "q5\nq6", "A", "", "answered")]
    assert done.table["parents"].to_pylist() == [["0"], ["2", "1"]]


def test_a_copy_from_a_look_ahead_counts_if_the_next_chunk_is_missing() -> None:
    done = merge(question(1, "1"), question(5, "2", in_core=False), question(20, "9", chunk=2))
    assert [row[:2] for row in rows(done)] == [("1", "q1"), ("2", "q5"), ("9", "q20")]


def test_a_copy_that_the_next_chunk_does_not_know_is_a_reject_with_its_reason() -> None:
    done = merge(question(1, "1"), question(5, "2", in_core=False), question(6, "3", chunk=1))
    assert [row[0] for row in rows(done)] == ["1", "3"]
    assert rejects(done) == [("1", "seen in a look-ahead, not listed by the chunk it begins in")]


def test_a_piece_without_a_label_goes_on_with_the_last_item_of_the_chunk_before() -> None:
    done = merge(
        question(1, "1"),
        Pair(5, "2", [5, 6], solution_ids=[7], question_images=["a.png"]),
        Pair(8, "", [], "x = 1", [8, 9], chunk=1, solution_images=["b.png"], notes=["odd"]),
        question(10, "3", chunk=1),
    )
    assert rows(done)[1] == ("2", "q5\nq6", "x = 1", "s7\ns8\ns9", "answered")
    row = done.table.to_pylist()[1]
    assert (row["question_images"], row["solution_images"]) == (["a.png"], ["b.png"])
    assert (row["notes"], row["parents"]) == (["odd", "continued in chunk 1"], ["1", "2"])
    assert [(e["role"], e["id"]) for e in row["evidence"]] == [
        ("question", 5), ("question", 6), ("solution", 7), ("solution", 8), ("solution", 9)]  # fmt: skip


def test_blocks_that_the_look_ahead_saw_are_not_in_the_item_twice_and_the_rest_is_not_lost() -> None:
    done = merge(
        Pair(5, "2", [5, 6], solution_ids=[7, 8, 9]),
        Pair(8, "", solution_ids=[8, 9, 10, 11], chunk=1),
        question(12, "3", chunk=1),
    )
    assert rows(done)[0] == ("2", "q5\nq6", "", "s7\ns8\ns9\ns10\ns11", "answered")
    assert done.table["solution_ids"].to_pylist()[0] == [7, 8, 9, 10, 11]


def test_a_piece_that_begins_with_blocks_of_the_solution_is_solution_whatever_its_chunk_took_it_for() -> None:
    item = Pair(5, "2", [5], solution_ids=[6, 7], solution="six\nseven")
    done = merge(item, Pair(7, "", [7, 8], question="seven\neight", chunk=1), question(12, "3", chunk=1))
    assert rows(done)[0] == ("2", "q5", "", "six\nseven\neight", "answered")
    assert done.table["solution_ids"].to_pylist()[0] == [6, 7, 8]


def test_a_piece_that_names_the_start_of_its_item_goes_on_with_it_too() -> None:
    done = merge(
        Pair(5, "例2", [5, 6]), Pair(5, "例2", [5], "", [9], chunk=1, in_core=False), question(12, "3", chunk=1)
    )
    assert rows(done)[0] == ("例2", "q5\nq6", "", "s9", "answered")
    assert rejects(done) == []


def test_an_item_without_a_label_inside_a_chunk_is_an_item() -> None:
    done = merge(
        question(1, "1"), question(3, ""), question(5, "2"), question(9, "3", chunk=1), question(11, "", chunk=1)
    )
    assert [row[:2] for row in rows(done)] == [("1", "q1"), ("", "q3"), ("2", "q5"), ("3", "q9"), ("", "q11")]


def test_the_first_item_of_a_book_may_lack_its_label() -> None:
    assert [row[:2] for row in rows(merge(question(1, ""), question(3, "2")))] == [("", "q1"), ("2", "q3")]


def test_a_piece_is_not_given_to_an_item_across_a_chunk_that_is_missing() -> None:
    done = merge(question(1, "1"), Pair(20, "", [20], chunk=2), question(22, "7", chunk=2))
    assert [row[:2] for row in rows(done)] == [("1", "q1"), ("7", "q22")]
    assert rejects(done) == [("1", "a piece without a label that continues no item in sight")]


def test_two_documents_never_mix_even_with_equal_names_titles_and_labels() -> None:
    title = (0, "第1章 集合")
    done = merge(
        question(1, "1", *title, document="p"),
        question(1, "1", *title, document="q"),
        answer(5, "1", "of q", 4, "第1章 答案", document="q"),
    )
    assert [(r["document"], r["answer"]) for r in done.table.to_pylist()] == [("p", ""), ("q", "of q")]


def test_answers_stand_in_a_second_file() -> None:
    done = merge(
        question(1, "1", 0, "第1章 集合"),
        question(3, "1", 2, "第2章 函数"),
        answer(11, "1", "A", 10, "第1章", file=1),
        answer(13, "1", "B", 12, "第2章", file=1),
    )
    assert [row[:3] for row in rows(done)] == [("1", "q1", "A"), ("1", "q3", "B")]


def test_strict_title_match_joins_chapters_of_equal_titles_only() -> None:
    pairs = [question(1, "1", 0, "第1章 集合"), answer(21, "1", "A", 20, "第一章 函数")]
    assert [row[2] for row in rows(merge(*pairs, strict_title_match=True))] == [""]
    equal = [question(1, "1", 0, "第1章 集合"), answer(21, "1", "A", 20, "第一章 集合")]
    assert [row[2] for row in rows(merge(*equal, strict_title_match=True))] == ["A"]


def test_copies_that_start_at_two_blocks_fold_and_keep_what_only_one_has() -> None:
    done = merge(
        Pair(1, "1", [2, 3], answer="A"),
        Pair(2, "1", [2, 3], solution_ids=[9], chunk=1),
        question(5, "2", chunk=1),
    )
    assert rows(done) == [("1", "q2\nq3", "A", "s9", "answered"), ("2", "q5", "", "", "unanswered")]
    assert rejects(done) == []


def test_thousands_of_pieces_without_labels_are_joined_in_time() -> None:
    pairs = [p for n in range(2_000) for p in (question(2 * n + 1, "1", chunk=n), Pair(2 * n, "", [2 * n], chunk=n))]
    pairs.sort(key=lambda p: p.at)
    source = table(*pairs)
    began = time.process_time()
    done = QA_Merger().apply(source)
    assert done.table.num_rows == 2_001  # what the first chunk begins with continues nothing
    assert time.process_time() - began < 5
