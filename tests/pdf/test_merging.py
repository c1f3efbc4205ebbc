"""Questions and answers joined by chapter occurrence and label: nothing is lost, nothing overwritten."""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import dataclass, replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.pdf.merging import Entry, Merged, merge
from operators.pdf.merging.alignment import JUMP, LAYER, NEVER, Candidate, assign

NAMES = ("集合", "函数", "数列", "向量", "不等式", "立体几何", "复数", "概率", "导数", "圆锥曲线")


def question(at: int, label: str, title: int | None = None, text: str = "", **more: object) -> Entry:
    ids = () if title is None else (title,)
    return replace(Entry(at, label, ids, text, True, (at,), "", (), 0, 0), **more)  # type: ignore[arg-type]


def answer(at: int, label: str, said: str, title: int | None = None, text: str = "", **more: object) -> Entry:
    ids = () if title is None else (title,)
    return replace(Entry(at, label, ids, text, False, (), said, (), 0, 0), **more)  # type: ignore[arg-type]


def pairs(merged: Merged) -> dict[int, list[str]]:
    """Answers by the position of their question."""
    return {row.question.position: [a.answer for a in row.answers] for row in merged.rows}


@dataclass
class Book:
    """Entries of a made-up book and the right answer of each question by its position."""

    entries: list[Entry]
    answers: dict[int, str]
    end: int


def book(seed: int, chapters: int, *, titles: str = "numbered", unanswered: float = 0.0) -> Book:
    """A question part and an answer part; labels restart in each chapter, some exercises have a word."""
    rng = random.Random(seed)
    entries: list[Entry] = []
    answers: dict[int, str] = {}
    waiting: list[tuple[int, list[tuple[int, str]]]] = []
    at = 0
    for c in range(chapters):
        at += 1
        head, text = at, heading(titles, c, False)
        items = [str(n) for n in range(1, rng.randint(5, 14))] + [f"习题{n}" for n in range(1, rng.randint(2, 5))]
        here = []
        for label in items:
            at += rng.randint(1, 3)
            entries.append(question(at, label, head, text, order=at))
            here.append((at, label))
        waiting.append((c, here))
    for c, here in waiting:
        at += 2
        head, text = at, heading(titles, c, True)
        for position, label in here:
            if rng.random() < unanswered:
                continue
            at += rng.randint(0, 2)
            answers[position] = f"x{position}"
            entries.append(answer(at, label, f"x{position}", head, text, order=position))
    return Book(entries, answers, at + 1)


def heading(titles: str, c: int, key: bool) -> str:
    name = NAMES[c % len(NAMES)]
    if titles == "same":
        return "本章复习题" + "答案" * key
    if titles == "units":
        return f"单元测试（{c % 3 + 1}）{name}{c // len(NAMES) or ''}" + " 答案" * key
    if titles == "lessons":
        return f"{'习题' if key else ''}{c // 4 + 1}.{c % 4 + 1}{'' if key else ' ' + name}"
    return f"第{c + 1}章 参考答案" if key else f"第{c + 1}章 {name}"


def in_chunks(made: Book, size: int, overlap: int) -> list[Entry]:
    """What overlapping chunks say, each with the headings that it shows."""
    out = []
    for number, start in enumerate(range(0, made.end, size)):
        stop = start + size + overlap
        for entry in made.entries:
            if start <= entry.position < stop:
                seen = bool(entry.title) and start <= entry.title[0] < stop
                title, text = (entry.title, entry.title_text) if seen else ((), "")
                out.append(replace(entry, chunk=number, title=title, title_text=text))
    return out


def right(made: Book, merged: Merged) -> tuple[int, int]:
    """How many answers are right and how many wrong."""
    said = [(made.answers.get(at), a) for at, given_ in pairs(merged).items() for a in given_]
    return sum(a == b for a, b in said), sum(a != b for a, b in said)


def check_laws(entries: list[Entry], merged: Merged) -> None:
    given_out = sum(len(row.answers) for row in merged.rows)
    assert len(merged.rows) + given_out + len(merged.orphans) + len(merged.folded) == len(entries)
    assert [r.question.position for r in merged.rows] == sorted(r.question.position for r in merged.rows)
    assert all(0 <= row.confidence <= 1 for row in merged.rows)
    assert all((row.confidence == 0) == (row.how == "unanswered") for row in merged.rows)


def test_labels_that_restart_in_each_chapter_never_collide() -> None:
    """The seed's P1: label 1 of twenty-one chapters is twenty-one questions."""
    entries = []
    for c in range(21):
        entries.append(question(10 * c + 1, "1", 10 * c, f"第{c + 1}章 {NAMES[c % 10]}"))
        entries.append(answer(1000 + 10 * c + 1, "1", f"a{c}", 1000 + 10 * c, f"第{c + 1}章 答案"))
    merged = merge(entries)
    assert pairs(merged) == {10 * c + 1: [f"a{c}"] for c in range(21)}
    assert merged.orphans == []


def test_titles_that_share_their_first_number_are_two_chapters() -> None:
    """The seed's P1: 19.1 平方根(2) and 19.1 立方根(3) both have a question 1."""
    entries = [
        *(question(2, "1", 1, "19.1 平方根(2)"), question(5, "1", 4, "19.1 立方根(3)")),
        *(answer(12, "1", "平方", 11, "19.1 平方根(2)"), answer(15, "1", "立方", 14, "19.1 立方根(3)")),
    ]
    assert pairs(merge(entries)) == {2: ["平方"], 5: ["立方"]}


def test_a_worked_example_and_an_exercise_with_the_same_number_stay_apart() -> None:
    """The seed's P2: 例1 is not 1 and not 习题1."""
    title = (1, "第1章 集合")
    entries = [
        *(
            question(2, "例①", *title, answer="e", solution=(3,)),
            question(4, "1", *title),
            question(5, "习题1", *title),
        ),
        *(answer(11, "习题1", "b", 10, "第一章 答案"), answer(12, "1", "a", 10, "第一章 答案")),
    ]
    assert pairs(merge(entries)) == {2: [], 4: ["a"], 5: ["b"]}


def test_a_question_and_its_solution_in_two_pieces_are_one_row() -> None:
    """The seed's P3: a chunk border parts an example from its solution."""
    parts = [
        question(5, "例1", 1, "1.1 集合"),
        answer(6, "例1", "", solution=(6, 7), chunk=1),
        question(8, "例2", 1),
    ]
    merged = merge(parts)
    assert [(r.question.position, [a.solution for a in r.answers], r.how) for r in merged.rows] == [
        (5, [(6, 7)], "beside"),
        (8, [], "unanswered"),
    ]


def test_an_unanswered_question_is_kept() -> None:
    merged = merge([question(2, "1", 1, "第1章"), question(3, "2", 1, "第1章"), answer(9, "2", "b", 8, "第1章 答案")])
    assert [(r.question.label, r.how) for r in merged.rows] == [("1", "unanswered"), ("2", "chapter+label")]


def test_an_answer_without_a_question_is_listed_with_the_reason() -> None:
    left = answer(9, "7", "b", 8, "第1章 答案")
    nothing = answer(10, "2", "", 8, "第1章 答案")
    unlabelled = answer(11, "", "c", 8, "第1章 答案")
    merged = merge([question(2, "1", 1, "第1章"), left, nothing, unlabelled])
    assert merged.orphans == [
        (left, "no question with this label waits in its chapter"),
        (nothing, "it holds neither an answer nor a solution"),
        (unlabelled, "it has no label"),
    ]


def test_no_document_gives_no_rows() -> None:
    assert merge([]) == Merged([], [], [])


def test_copies_from_overlapping_chunks_are_folded_into_the_fuller_one() -> None:
    whole = question(5, "1", 4, "第1章", question=(5, 6, 7), solution=(8,), chunk=0)
    cut = question(5, "1．", question=(5, 6), answer="B", chunk=1)
    merged = merge([cut, whole])
    assert [(r.question.question, r.question.solution, r.question.answer) for r in merged.rows] == [
        ((5, 6, 7), (8,), "B")
    ]
    assert merged.folded == [(merged.rows[0].question, cut)]


def test_answers_that_start_at_one_block_are_no_copies_of_each_other() -> None:
    entries = [question(2, "1", 1, "第1章"), question(3, "2", 1, "第1章")]
    for chunk in (0, 1):
        entries += [
            answer(9, "1", "A", 8, "第1章", chunk=chunk),
            answer(9, "2", "B", 8, "第1章", chunk=chunk, order=1),
        ]
    merged = merge(entries)
    assert (pairs(merged), len(merged.folded)) == ({2: ["A"], 3: ["B"]}, 2)


def test_groups_that_count_anew_inside_a_chapter_keep_their_order() -> None:
    labels = [*"12345678", *"12345"]
    entries = [question(2 + i, n, 1, "第1章 圆") for i, n in enumerate(labels)]
    entries += [answer(31 + i, n, f"a{i}", 30, "第一章 圆 答案") for i, n in enumerate(labels)]
    assert pairs(merge(entries)) == {2 + i: [f"a{i}"] for i in range(13)}


def test_answers_may_follow_each_chapter_with_or_without_a_heading_of_their_own() -> None:
    entries, expected = [], {}
    for c in range(4):
        at = 100 * c
        for n in range(1, 6 + c):
            own = (at + 50, "答案") if c % 2 else (at, f"第{c + 1}章 {NAMES[c]}")
            entries += [
                question(at + n, str(n), at, f"第{c + 1}章 {NAMES[c]}"),
                answer(at + 60 + n, str(n), f"{c}.{n}", *own),
            ]
            expected[at + n] = [f"{c}.{n}"]
    assert pairs(merge(entries)) == expected


def test_a_short_key_and_the_worked_solutions_are_both_kept() -> None:
    entries = [question(10 * c + n, str(n), 10 * c, f"第{c}章 {NAMES[c]}") for c in (1, 2, 3) for n in (1, 2, 3)]
    for c in (1, 2, 3):
        for n in (1, 2, 3):
            entries.append(answer(100 + 10 * c + n, str(n), "AB"[n % 2], 100 + 10 * c, f"第{c}章 答案速查"))
            entries.append(
                answer(200 + 10 * c + n, str(n), "", 200 + 10 * c, f"第{c}章 详解", solution=(200 + 10 * c + n,))
            )
    merged = merge(entries)
    assert [[bool(a.solution) for a in row.answers] for row in merged.rows] == [[False, True]] * 9
    assert merged.orphans == []


def test_two_answers_that_disagree_under_one_heading_are_both_left_and_both_named() -> None:
    first, second = answer(9, "1", "A", 8, "第1章 答案"), answer(19, "1", "C", 18, "第1章 答案（B卷）")
    merged = merge([question(2, "1", 1, "第1章"), first, second])
    both = "“第1章 答案” and under “第1章 答案（B卷）”"
    assert (merged.rows[0].answers, merged.rows[0].doubts, merged.orphans) == (
        [],
        [f"answers under {both} fit it equally well"],
        [(entry, f"the answers under {both} fit the same questions equally well") for entry in (first, second)],
    )


def test_answers_that_fit_two_chapters_equally_well_name_both() -> None:
    entries = [question(10 * c + n, str(n), 10 * c, f"第{c}章 圆") for c in (1, 2) for n in (1, 2, 3)]
    entries += [answer(100 + n, str(n), "x", 100, "答案") for n in (1, 2, 3)]
    merged = merge(entries)
    assert [row.answers for row in merged.rows] == [[]] * 6
    assert {reason for _, reason in merged.orphans} == {
        "it fits the questions under “第1章 圆” and under “第2章 圆” equally well"
    }
    assert [row.doubts for row in merged.rows] == [["answers under “答案” fit it and others equally well"]] * 6


def test_answers_under_one_heading_belong_to_all_sections_over_which_numbers_run_on() -> None:
    entries = [question(10 + n, str(n), 10, "Questions for Review") for n in range(1, 6)]
    entries += [question(20 + n, str(n), 20, "Applications") for n in range(6, 10)]
    entries += [question(40 + n, str(n), 40, "Chapter 2 Trade") for n in range(1, 7)]
    entries += [answer(100 + n, str(n), f"a{n}", 100, "Chapter 1") for n in range(1, 10)]
    entries += [answer(200 + n, str(n), f"b{n}", 200, "Chapter 2") for n in range(1, 7)]
    said = {10 + n: [f"a{n}"] for n in range(1, 6)} | {20 + n: [f"a{n}"] for n in range(6, 10)}
    assert pairs(merge(entries)) == said | {40 + n: [f"b{n}"] for n in range(1, 7)}


def test_where_numbers_run_on_through_the_book_a_wrong_heading_takes_no_answer() -> None:
    asked = [question(10 * c + n, str(3 * c + n), 10 * c, f"{c + 1} {NAMES[c]}") for c in range(3) for n in (1, 2, 3)]
    told = [answer(100 + n, str(n), f"a{n}", 100, f"3 {NAMES[2]}") for n in range(1, 10)]
    told[4] = answer(105, "5", "a5", 104, "Answer to Exercise 5")
    assert pairs(merge([*asked, *told])) == {e.position: [f"a{e.label}"] for e in asked}
    anew = [replace(e, label=str((int(e.label) - 1) % 3 + 1)) for e in asked]
    told = [answer(100 + n, str(n), f"a{n}", 100, f"3 {NAMES[2]}") for n in (1, 2, 3)]
    assert pairs(merge([*anew, *told])) == {e.position: [f"a{e.label}"] * (e.position > 20) for e in anew}


def test_examples_between_exercises_do_not_break_off_their_count() -> None:
    asked: list[Entry] = []
    for at, chapter in enumerate(("1 Motion", "2 Waves", "3 Light")):
        asked += [question(20 * at + 1, f"Example {at + 1}", 20 * at, chapter, answer="So it is.")]
        asked += [question(20 * at + 2 + n, str(4 * at + n), 20 * at, chapter) for n in range(1, 5)]
    told = [answer(101 + n, str(n), f"the {n}th", 100, "4 Solutions to the problems") for n in range(1, 13)]
    explained = [replace(answer(140, "7", "", 130, "Explanations"), solution="For it is so.")]
    merged = merge([*asked, *told, *explained])
    found = {row.question.label: [e.answer or e.solution for e in row.answers] for row in merged.rows}
    assert [found[str(n)] for n in (1, 7, 12)] == [["the 1th"], ["the 7th", "For it is so."], ["the 12th"]]
    assert merged.orphans == []


def test_examples_in_sections_of_their_own_do_not_part_the_count_of_the_exercises() -> None:
    entries: list[Entry] = []
    for c in (1, 2):
        for s in (0, 1, 2):
            at = 100 * c + 10 * s
            entries += [question(at + 1, f"例{s + 1}", at, f"{c}.{s + 1} {NAMES[3 * c + s]}", answer="如上")]
            entries += [question(at + 4 + n, str(3 * s + n), at + 4, f"{c}.{s + 1} 习题") for n in (1, 2, 3)]
        entries += [answer(900 + 20 * c + n, str(n), f"{c}:{n}", 900 + 20 * c, f"第{c}章 答案") for n in range(1, 10)]
    merged = merge(entries)
    assert pairs(merged) == {
        100 * c + 10 * s + at: [f"{c}:{3 * s + at - 4}"] if at > 4 else []
        for c in (1, 2)
        for s in (0, 1, 2)
        for at in (1, 5, 6, 7)
    }
    assert merged.orphans == []


def test_a_stray_number_does_not_part_the_count_of_answers() -> None:
    """The 7 between 3 and 4 is no label: 4 goes on from 3 behind it."""
    entries = [question(10 * c + n, str(n), 10 * c, f"第{c}章 {NAMES[c]}") for c in (1, 2) for n in range(1, 7)]
    at = iter(range(101, 200))
    entries += [answer(next(at), str(n), f"1:{n}", 100, "参考答案") for n in (1, 2, 3, 7, 4, 5, 6)]
    entries += [answer(next(at), str(n), f"2:{n}", 100, "参考答案") for n in range(1, 7)]
    merged = merge(entries)
    assert pairs(merged) == {10 * c + n: [f"{c}:{n}"] for c in (1, 2) for n in range(1, 7)}
    assert [(entry.label, why) for entry, why in merged.orphans] == [
        ("7", "no question with this label waits in its chapter")
    ]


def test_a_single_chapter_is_answered_below_a_heading_that_counts_the_answers_as_the_next() -> None:
    asked = [question(n, str(n), 0, "1 List of exercises") for n in range(1, 6)]

    def told(heading: str, last: int = 5) -> list[Entry]:
        return [answer(100 + n, str(n), f"a{n}", 100, heading) for n in range(1, last + 1)]

    assert pairs(merge([*asked, *told("2 Solutions")])) == {n: [f"a{n}"] for n in range(1, 6)}
    for other in (told("2 Answers on trees"), told("2 Solutions", 4)):
        assert pairs(merge([*asked, *other])) == {n: [] for n in range(1, 6)}


def test_a_heading_that_names_no_chapter_of_questions_is_as_good_as_none() -> None:
    sizes = (6, 9, 4)
    entries = [
        question(20 * c + n, str(n), 20 * c, f"Section {'ABC'[c]}") for c in range(3) for n in range(1, sizes[c])
    ]
    names = ("Multiple choice", "Frontier", "Long questions")
    entries += [
        answer(100 + 20 * c + n, str(n), f"{c}.{n}", 100 + 20 * c, names[c])
        for c in range(3)
        for n in range(1, sizes[c])
    ]
    assert pairs(merge(entries)) == {20 * c + n: [f"{c}.{n}"] for c in range(3) for n in range(1, sizes[c])}


def test_the_heading_right_over_answers_tells_more_than_those_that_are_thought_to_stand_above_it() -> None:
    entries = [question(10 * c + n, str(n), 10 * c, f"{c}.1 {NAMES[c]}") for c in (1, 2, 3) for n in range(1, 5)]
    entries += [
        answer(100 + 10 * c + n, str(n), f"{c}.{n}", 100 + 10 * c, f"习题{c}.1") for c in (1, 2, 3) for n in range(1, 5)
    ]
    wrong_above = [
        replace(e, heading=e.title[0], path=("3.1 向量", e.title_text)) for e in entries if not e.has_question
    ]
    right = {10 * c + n: [f"{c}.{n}"] for c in (1, 2, 3) for n in range(1, 5)}
    assert pairs(merge([e for e in entries if e.has_question] + wrong_above)) == right


def test_sections_of_one_name_are_told_apart_by_the_papers_above_them() -> None:
    entries = []
    for at, paper, said in ((0, "Paper 2 Waves", "w"), (100, "Paper 1 Forces", "f")):
        path = {"heading": at, "path": (paper, "Section I")}
        entries += [question(at + n, str(n), at, "Section I", **path) for n in (1, 2, 3)]
        back = 1000 + 100 * (at == 0)
        path = {"heading": back, "path": (f"{paper} answers", "Section I")}
        entries += [answer(back + n, str(n), f"{said}{n}", back, "Section I", **path) for n in (1, 2, 3)]
    assert pairs(merge(entries)) == {n: [f"w{n}"] for n in (1, 2, 3)} | {100 + n: [f"f{n}"] for n in (1, 2, 3)}


def test_selected_answers_of_untitled_chapters_keep_their_order() -> None:
    entries = [question(20 * c + n, str(n), 20 * c, f"Chapter {c + 1}") for c in range(3) for n in range(1, 13)]
    entries += [answer(100 + 20 * c + n, str(n), f"{c}.{n}") for c in range(3) for n in range(1, 13, 2)]
    right = {20 * c + n: [f"{c}.{n}"] if n % 2 else [] for c in range(3) for n in range(1, 13)}
    assert pairs(merge(entries)) == right


def test_the_headings_of_a_second_file_hold_for_that_file_alone() -> None:
    entries = [
        *(question(2, "1", 1, "第1章 圆"), question(5, "1", 4, "第2章 数列")),
        *(answer(9, "1", "a", file=1), answer(12, "1", "b", 11, "第2章 答案", file=1)),
    ]
    assert pairs(merge(entries)) == {2: ["a"], 5: ["b"]}


def test_strict_matching_pairs_only_titles_that_are_equal_in_structure() -> None:
    entries = [
        *(question(2, "1", 1, "第1章 圆"), question(5, "1", 4, "第2章 数列")),
        *(answer(9, "1", "a", 8, "第一章 圆 答案"), answer(12, "1", "b", 11, "数列答案")),
    ]
    assert pairs(merge(entries)) == {2: ["a"], 5: ["b"]}
    strict = merge(entries, strict_title_match=True)
    assert (pairs(strict), [reason for _, reason in strict.orphans]) == (
        {2: ["a"], 5: []},
        ["no chapter of questions fits"],
    )


def test_equal_chapters_of_which_one_has_no_answers_are_not_guessed() -> None:
    """Four chapters under one title with the same labels, three lists of answers: nobody can tell."""
    entries = [question(10 * c + n, str(n), 10 * c, "复习题") for c in range(4) for n in (1, 2, 3)]
    entries += [answer(100 + 10 * c + n, str(n), "x", 100 + 10 * c, "复习题答案") for c in range(3) for n in (1, 2, 3)]
    merged = merge(entries)
    assert [row.answers for row in merged.rows] == [[]] * 12
    assert len(merged.orphans) == 9


def test_the_heading_that_a_lesson_gives_wins_over_its_chapters() -> None:
    texts = {1: "第1章 圆", 2: "1.1 圆周角", 8: "1.2 弧长", 20: "1.1 答案", 30: "1.2 答案"}
    entries = [
        *(question(3, "1", title=None, text=""), question(9, "1", 8)),
        *(answer(21, "1", "a", 20), answer(31, "1", "b", 30)),
    ]
    entries[0] = replace(entries[0], title=(1, 2))
    merged = merge(entries, headings=texts)
    assert [(r.question_title, r.answer_title) for r in merged.rows] == [
        ("1.1 圆周角", "1.1 答案"),
        ("1.2 弧长", "1.2 答案"),
    ]


def test_questions_that_name_their_heading_and_count_on_are_its_own_behind_the_next_heading() -> None:
    entries = [question(10 + n, str(n), 9, "Tenses") for n in (1, 2, 3)]
    entries += [question(20 + n, str(n), 9, "Tenses") for n in (4, 5, 6)]
    entries += [question(30 + n, str(n), 20, "Words") for n in (1, 2, 3, 4, 5)]
    entries += [answer(51, str(n), f"t{n}", 50, "Tenses") for n in range(1, 7)]
    entries += [answer(61, str(n), f"w{n}", 60, "Words") for n in range(1, 6)]
    merged = merge(replace(entry, order=n) for n, entry in enumerate(entries))
    assert [(row.question_title, row.answers[0].answer) for row in merged.rows] == [
        *(("Tenses", f"t{n}") for n in range(1, 7)),
        *(("Words", f"w{n}") for n in range(1, 6)),
    ]


def test_an_answer_out_of_order_goes_where_the_others_of_its_section_went() -> None:
    entries = [question(n, str(n), 0, "Costs") for n in range(1, 6)]
    entries += [answer(10 + place, label, f"a{label}", 10, "Solutions") for place, label in enumerate("31245", 1)]
    entries += [question(20 + n, str(n), 20, "Prices") for n in range(1, 4)]
    merged = merge(entries)
    answers = [[f"a{n}"] for n in range(1, 6)]
    assert list(pairs(merged).values()) == [*answers, [], [], []]
    twice = merge([*entries, answer(17, "3", "b3", 10, "Solutions")])
    assert [(entry.answer, reason) for entry, reason in twice.orphans] == [("a3", "no chapter of questions fits")]


def test_answers_that_stand_across_the_columns_of_a_key_are_one_count() -> None:
    entries = [question(n, str(n), 0, "Costs") for n in range(1, 10)]
    entries += [answer(20 + place, label, f"a{label}", 20, "Key") for place, label in enumerate("147258369", 1)]
    assert list(pairs(merge(entries)).values()) == [[f"a{n}"] for n in range(1, 10)]


@pytest.mark.parametrize("titles", ["numbered", "lessons", "units", "same"])
@pytest.mark.parametrize("seed", range(4))
def test_a_book_read_in_overlapping_chunks_is_joined_exactly(titles: str, seed: int) -> None:
    made = book(seed, 30, titles=titles, unanswered=0.1)
    entries = in_chunks(made, 60, 15)
    random.Random(seed).shuffle(entries)
    merged = merge(entries)
    check_laws(entries, merged)
    assert right(made, merged) == (len(made.answers), 0)
    assert merged.orphans == []


@pytest.mark.parametrize("seed", range(4))
def test_answers_whose_headings_are_all_out_of_sight_are_joined_by_their_run(seed: int) -> None:
    made = book(seed, 20)
    entries = [e if e.has_question else replace(e, title=(), title_text="") for e in made.entries]
    assert right(made, merge(entries)) == (len(made.answers), 0)


@pytest.mark.parametrize("seed", range(6))
def test_lost_answers_and_wrong_headings_make_no_wrong_pair(seed: int) -> None:
    rng = random.Random(seed)
    made = book(seed, 25, titles=("numbered", "lessons", "units")[seed % 3])
    heads = sorted({(e.title, e.title_text) for e in made.entries})
    entries = []
    for entry in made.entries:
        title, text = rng.choice(heads) if rng.random() < 0.03 else (entry.title, entry.title_text)
        if entry.has_question or rng.random() > 0.2:
            entries.append(replace(entry, title=title, title_text=text))
    merged = merge(entries)
    check_laws(entries, merged)
    kept = sum(not e.has_question for e in entries)
    good, wrong = right(made, merged)
    assert wrong == 0
    assert good >= 0.98 * kept


def parts(draw: st.DrawFn, names: list[str]) -> tuple[list[list[Entry]], list[list[Entry]]]:
    """A run of questions and one of answers for each chapter; answers say which question is theirs."""
    asked, told = [], []
    for c, name in enumerate(names):
        labels = range(1, 1 + draw(st.integers(2, 10)))
        asked.append([question(100 * c + n, str(n), 100 * c, name) for n in labels])
        at = 10_000 + 100 * c
        told.append([answer(at + n, str(n), f"x{100 * c + n}", at, f"{name} answers") for n in labels])
    return asked, told


CHAPTERS = st.integers(2, 6)


def wrong(merged: Merged) -> list[tuple[int, str]]:
    """Answers that are not those of their question."""
    said = pairs(merged)
    return [(at, a) for at, given_ in said.items() for a in given_ if a != f"x{at}"]


def without(runs: list[list[Entry]], gone: set[int]) -> list[Entry]:
    return [entry for c, run in enumerate(runs) if c not in gone for entry in run]


GONE = st.sets(st.integers(0, 5), max_size=3)


@given(st.data(), CHAPTERS, GONE, GONE)
def test_titles_that_agree_join_what_is_there_whatever_is_lost_on_either_side(
    data: st.DataObject, count: int, fewer: set[int], less: set[int]
) -> None:
    asked, told = data.draw(st.composite(parts)([f"Chapter {c + 1}" for c in range(count)]))
    merged = merge([*without(asked, fewer), *without(told, less)])
    both = [entry for c, run in enumerate(asked) if c not in fewer | less for entry in run]
    assert wrong(merged) == []
    assert sum(len(row.answers) for row in merged.rows) == len(both)


@given(st.data(), CHAPTERS, st.randoms(use_true_random=False))
def test_labels_in_any_order_find_the_questions_of_their_title(
    data: st.DataObject, count: int, rng: random.Random
) -> None:
    asked, told = data.draw(st.composite(parts)([f"Chapter {c + 1}" for c in range(count)]))
    shuffled = []
    for run in told:
        labels = [(entry.label, entry.answer) for entry in run]
        rng.shuffle(labels)
        shuffled += [replace(e, label=label, answer=said) for e, (label, said) in zip(run, labels, strict=True)]
    merged = merge([*without(asked, set()), *shuffled])
    assert wrong(merged) == []
    assert merged.orphans == []


@given(st.data(), CHAPTERS, GONE, st.booleans())
def test_untitled_answers_are_never_given_to_another_chapter_if_runs_are_lost_on_one_side(
    data: st.DataObject, count: int, gone: set[int], of_answers: bool
) -> None:
    asked, told = data.draw(st.composite(parts)([f"Chapter {c + 1}" for c in range(count)]))
    bare = [[replace(e, title=(9_999,), title_text="Answers") for e in run] for run in told]
    there, left = (set(), gone) if of_answers else (gone, set())
    assert wrong(merge([*without(asked, there), *without(bare, left)])) == []


@given(st.data(), CHAPTERS, GONE, st.booleans())
def test_papers_of_one_title_are_never_mixed_if_runs_are_lost_on_one_side(
    data: st.DataObject, count: int, gone: set[int], of_answers: bool
) -> None:
    asked, told = data.draw(st.composite(parts)(["Mock examination"] * count))
    there, left = (set(), gone) if of_answers else (gone, set())
    assert wrong(merge([*without(asked, there), *without(told, left)])) == []


@given(st.data(), CHAPTERS, st.integers(0, 5), st.integers(0, 5))
def test_a_run_of_answers_under_the_heading_of_another_chapter_is_given_to_neither_or_its_own(
    data: st.DataObject, count: int, one: int, other: int
) -> None:
    asked, told = data.draw(st.composite(parts)([f"Chapter {c + 1}" for c in range(count)]))
    one, other = one % count, other % count
    told[one] = [replace(e, title_text=told[other][0].title_text) for e in told[one]]
    merged = merge([*without(asked, set()), *without(told, set())])
    assert wrong(merged) == []
    kept = [e for c, run in enumerate(told) if c not in (one, other) for e in run]
    assert {e.answer for row in merged.rows for e in row.answers} >= {e.answer for e in kept}


LABELS = ("1", "2", "3", "例1", "例①", "习题1", "", "A", "①")
TITLES = ("第1章 圆", "第一章 答案", "第2章 数列", "2.1 数列", "习题2.1", "答案", "")


@st.composite
def loose_entries(draw: st.DrawFn) -> Entry:
    at = draw(st.integers(0, 40))
    asked = draw(st.booleans())
    title = draw(st.one_of(st.none(), st.integers(0, 40)))
    return Entry(
        position=at,
        label=draw(st.sampled_from(LABELS)),
        title=() if title is None else (title,),
        title_text="" if title is None else TITLES[title % len(TITLES)],
        has_question=asked,
        question=tuple(range(at, at + draw(st.integers(1, 3)))) if asked else (),
        answer=draw(st.sampled_from(("", "A", "B"))),
        solution=draw(st.sampled_from(((), (41, 42)))),
        chunk=draw(st.integers(0, 2)),
        file=0 if at < 30 else 1,
        order=draw(st.integers(0, 3)),
    )


@given(st.lists(loose_entries(), max_size=40), st.booleans())
def test_nothing_is_lost_and_nothing_told_twice_whatever_the_model_says(entries: list[Entry], strict: bool) -> None:
    merged = merge(entries, strict_title_match=strict)
    check_laws(entries, merged)


@given(st.lists(loose_entries(), max_size=30), st.randoms(use_true_random=False))
def test_the_order_of_the_entries_makes_no_difference(entries: list[Entry], rng: random.Random) -> None:
    shuffled = entries.copy()
    rng.shuffle(shuffled)
    there, back = merge(entries), merge(shuffled)
    assert (there.rows, there.orphans) == (back.rows, back.orphans)
    key = repr
    assert Counter(map(key, there.folded)) == Counter(map(key, back.folded))


@given(st.lists(loose_entries(), max_size=30))
def test_copies_of_everything_from_another_chunk_change_nothing(entries: list[Entry]) -> None:
    single = [replace(e, chunk=0) for e in entries]
    once = merge(single)
    twice = merge([*single, *(replace(e, chunk=1) for e in single)])
    assert (once.rows, once.orphans) == (twice.rows, twice.orphans)


def heaviest(answers: list[Candidate], without: tuple[int, int] | None = None) -> float:
    """The best total of all assignments, or of those that do not give one run to certain questions."""
    best = 0.0
    for chosen in product(*([None, *candidate.worth] for candidate in answers)):
        if without is not None and chosen[without[0]] == without[1]:
            continue
        total, last = 0.0, -1
        for a, q in enumerate(chosen):
            if q is None:
                continue
            costs = [0.0] if q > last else [JUMP] if q in answers[a].back else [NEVER]
            if a > 0 and chosen[a - 1] == q:
                costs.append(answers[a].again)
            total += answers[a].worth[q] - min(costs)
            last = q
        best = max(best, total)
    return best


CANDIDATES = st.builds(
    Candidate,
    st.dictionaries(st.integers(0, 3), st.sampled_from((0.25, 0.5, 1.0))),
    st.frozensets(st.integers(0, 3)),
    st.sampled_from((0.0, LAYER, NEVER)),
)


@given(st.lists(CANDIDATES, max_size=5))
def test_an_assignment_is_the_heaviest_and_its_margin_is_what_it_would_lose(answers: list[Candidate]) -> None:
    best = heaviest(answers)
    for a, choice in enumerate(assign(answers, 4)):
        if choice is None:
            assert all(heaviest(answers, (a, q)) == pytest.approx(best) for q in answers[a].worth)
        else:
            assert choice.margin == pytest.approx(best - heaviest(answers, (a, choice.question)))


@pytest.mark.parametrize("titles", ["numbered", "same"])
def test_a_thousand_chapters_are_joined_in_time(titles: str) -> None:
    made = book(5, 1_000, titles=titles)
    start = time.process_time()
    merged = merge(made.entries)
    assert time.process_time() - start < 20
    assert right(made, merged) == (len(made.answers), 0)


def test_four_hundred_chapters_under_one_title_take_no_time_worth_mentioning() -> None:
    made = book(3, 400, titles="same")
    start = time.process_time()
    merged = merge(made.entries)
    assert time.process_time() - start < 10
    assert right(made, merged) == (len(made.answers), 0)


def test_answers_whose_labels_no_other_questions_have_are_sure_without_a_heading() -> None:
    sections = [
        question(at, str(at), 100 * at, name) for at, name in enumerate(["I Markets"] * 6 + ["II Trade"] * 6, 1)
    ]
    key = [answer(2000 + n, str(n), "B", 1999, "Mark scheme") for n in (1, 2, 3, 7, 8)]
    for row in merge([*sections, *key]).rows:
        assert (row.confidence >= 0.8) is (row.question.label in {"1", "2", "3", "7", "8"})


def test_explanations_of_the_letters_of_a_key_stand_beside_them() -> None:
    letters = {1: "b", 2: "a", 3: "c"}
    entries = [question(n, str(n), 0, "Unit 1") for n in letters]
    entries += [answer(10 + n, str(n), letter, 10, "Answer key") for n, letter in letters.items()]
    entries += [answer(20 + n, str(n), f"({letter}) It grows.", 20, "Explanations") for n, letter in letters.items()]
    merged = merge(entries)
    assert pairs(merged) == {n: [letter, f"({letter}) It grows."] for n, letter in letters.items()}
    assert merged.orphans == []
