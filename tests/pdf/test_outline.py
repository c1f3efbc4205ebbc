"""The tree of a book: which heading stands under which, and the path that each row has."""

from __future__ import annotations

import random
import time
from itertools import groupby

import pyarrow as pa
import pytest

from dataflow_ext.codec import encode
from operators import ChunkedPromptedGenerator, LLMOutputParser, MinerU2LLMInput, PDFRules, QA_Merger
from operators.pdf.blocks import Block, ContentItem
from operators.pdf.mineru_input import flatten
from operators.pdf.reply import ReplyChapter, ReplyPair, render
from operators.pdf.rules import find_headings, find_pairs
from operators.pdf.rules.contents import mark_contents
from operators.pdf.rules.lines import page_turns, read_lines
from tests.pdf.rules_book import book


def paths(*lines: str | Block) -> dict[str, list[str]]:
    """The paths of a book's headings by their words; the last one of those that stand in it twice."""
    blocks = book(*lines)
    return {blocks[i].text: path[:-1] for i, path in find_headings(blocks).items()}


def items(*lines: str | Block) -> list[tuple[str, list[str]]]:
    """For each item its label, and the words of its title's blocks."""
    blocks = book(*lines)
    return [(p.label, [blocks[i].text for i in c.title]) for c in find_pairs(blocks) for p in c.pairs]


def boxed(text: str, x0: float, y0: float, x1: float, y1: float, kind: str = "text", level: int | None = None) -> Block:
    return Block(0, kind, text, level=level, box=(x0, y0, x1, y1), shown=kind != "header")


def test_lessons_stand_under_their_chapter_and_exercises_beside_them() -> None:
    found = paths("第1章 集合", "1.1 交集(1)", "1.1 并集(2)", "习题1.1", "1.2 函数", "第2章 数列", "2.1 等差数列")
    assert found == {
        "第1章 集合": [],
        "1.1 交集(1)": ["第1章 集合"],
        "1.1 并集(2)": ["第1章 集合"],
        "习题1.1": ["第1章 集合"],
        "1.2 函数": ["第1章 集合"],
        "第2章 数列": [],
        "2.1 等差数列": ["第2章 数列"],
    }


def test_exercises_set_as_text_stand_under_their_section_if_that_is_set_larger() -> None:
    lines = ("# Chapter 1 Lines", "# 1.1 Slopes", "Exercises 1.1", "1. Why?", "2. How?", "# 1.2 Angles")
    # Their own words say nothing that those of the section do not, and are in no path.
    assert find_headings(book(*lines))[2] == ["Chapter 1 Lines", "1.1 Slopes"]
    assert paths(*(line.removeprefix("# ") for line in lines))["Exercises 1.1"] == ["Chapter 1 Lines"]


def test_headings_above_the_contents_are_the_books_own_title_whatever_their_words() -> None:
    cover = [Block(0, "text", "历史同步练习", level=1), Block(0, "text", "七年级 上册", level=3)]
    listed = [Block(0, "text", "目录", level=3), "第1课 人类……2", "第2课 夏商……3"]
    first, second = (Block(0, "text", text, level=3) for text in ("第1课 人类", "第2课 夏商"))
    found = paths(*cover, *listed, "---", first, "1. 谁最早？", "---", second, "1. 谁建立了夏？")
    assert (found["第1课 人类"], found["第2课 夏商"]) == ([], [])


def test_entries_without_pages_do_not_stand_under_each_other() -> None:
    found = paths("# 目录", "训练一 数", "训练二 形", "---", "# 训练一 数", "1. 求 a。", "# 训练二 形", "1. 求 b。")
    assert (found["训练一 数"], found["训练二 形"]) == ([], [])


def test_a_lesson_in_parts_is_not_under_the_lesson_before_it() -> None:
    assert paths("第1章 方程", "1.1 方程", "1.2 解法(1)")["1.2 解法(1)"] == ["第1章 方程"]


def test_a_chapters_own_exercises_and_review_stand_under_it() -> None:
    assert paths("Chapter 1 Lines", "1.1 Slopes", "Chapter 1 Exercises")["Chapter 1 Exercises"] == ["Chapter 1 Lines"]
    assert paths("第3章 圆", "3.1 弧", "第3章 复习(1)")["第3章 复习(1)"] == ["第3章 圆"]


def test_headings_that_count_up_are_titles_though_labels_run_on_across_them() -> None:
    lines = (
        "# Number Theory",
        "# 1 Sums",
        "1. Add x.",
        "2. Add y.",
        "# 2 Products",
        "3. Find z.",
        "# 3 Powers",
        "4. Find t.",
    )
    assert items(*lines) == [("1", ["1 Sums"]), ("2", ["1 Sums"]), ("3", ["2 Products"]), ("4", ["3 Powers"])]


def test_a_heading_that_only_says_exercises_stands_in_no_path_below_a_title() -> None:
    for group in ("# Exercises", "# Problems", "# 巩固练习"):
        assert chapters("Chapter 1 Sets", "Sets are collections.", group, "1. Why?") == [["Chapter 1 Sets"]]


def test_a_section_is_a_title_if_its_first_subsection_stands_behind_it() -> None:
    found = paths("# Homework", "# 1 Spaces", "1.1 Open Sets", "1. Why?", "1.2 Closed Sets", "1. How?")
    assert (found["1.1 Open Sets"], found["1.2 Closed Sets"]) == (["1 Spaces"], ["1 Spaces"])


def test_a_heading_like_others_is_not_the_books_own_title() -> None:
    def heading(text: str, level: int) -> Block:
        return Block(0, "text", text, level=level)

    papers = [heading("Practice Test: Paper A", 1), heading("Part I", 2), "1. Why?", "2. How?",
              heading("Practice Test: Paper B", 1), heading("Part I", 2), "1. When?", "2. Where?"]  # fmt: skip
    blocks = book(*papers)
    headings = find_headings(blocks)
    assert [headings[c.title[-1]] for c in find_pairs(blocks)] == [
        ["Practice Test: Paper A", "Part I"],
        ["Practice Test: Paper B", "Part I"],
    ]


def test_all_headings_before_the_first_item_that_head_all_items_are_the_books_title() -> None:
    def heading(text: str, level: int) -> Block:
        return Block(0, "text", text, level=level)

    front = (heading("Mixed problems for the summer", 3), "Time: two hours.", heading("Revision Sheet 7", 1))
    assert chapters(*front, "1. Why?", "2. How?", heading("Answers", 2), "1. A", "2. B") == [[]]
    papers = (heading("Revision", 1), heading("Monday", 3), "1. Why?", "2. How?", heading("Tuesday", 3))
    assert chapters(*papers, "1. When?", "2. Where?") == [["Monday"], ["Tuesday"]]


def test_the_largest_heading_is_the_books_title_though_it_has_a_word_of_exercises() -> None:
    def book_of(title: str, level: int) -> list[list[str]]:
        one = (sized("第一章 有理数", 2), "1. 求 a 的值？", "2. 求 b 的值？")
        two = (sized("第二章 整式", 2), "1. 求 c 的值？", "2. 求 d 的值？")
        return chapters(sized(title, level), *one, *two)

    assert book_of("初中数学暑假练习", 1) == [["第一章 有理数"], ["第二章 整式"]]
    assert book_of("第三单元 数学练习", 1)[0] == ["第三单元 数学练习", "第一章 有理数"]


def test_all_headings_are_in_paths_whether_numbers_run_on_across_them_or_begin_anew() -> None:
    one = ("Chapter 1 Sums", "1.1 Two numbers", "Exercises", "Exercise 1.1. Why?", "Exercise 1.2. How?")
    two = ("1.2 Three numbers", "Exercises", "Exercise 1.3. When?", "Exercise 1.4. Where?")
    anew = ("1.2 Three numbers", "Exercises", "Exercise 1.1. When?", "Exercise 1.2. Where?")
    for more in (two, anew):
        found = [["Chapter 1 Sums", "1.1 Two numbers"], ["Chapter 1 Sums", "1.2 Three numbers"]]
        assert chapters(*one, *more) == found


def test_exercises_at_the_end_of_chapters_of_several_sections_are_the_chapters() -> None:
    def chapter(n: int) -> tuple[str, ...]:
        return f"# Chapter {n} Sums", f"# {n}.1 Two", "1. Why?", f"# {n}.2 Three", "2. How?", "# Exercises", "3. When?"

    found = [[f"Chapter {n} Sums", *of] for n in (1, 2) for of in ([f"{n}.1 Two"], [f"{n}.2 Three"], [])]
    assert chapters(*chapter(1), *chapter(2)) == found
    of_one = ("# Chapter 1 Sums", "# 1.1 Two", "1. Why?", "# Exercises", "2. How?", "# 1.2 Three", "3. When?")
    assert chapters(*of_one)[0] == ["Chapter 1 Sums", "1.1 Two"]


def test_exercises_below_exercises_end_no_chapter() -> None:
    heads = [("A rule", 3), ("Practice", 1), ("Practice", 3), ("1. 求 A。", None), ("# Test B", 2)]
    blocks = [Block(i, "text", text, level, i) for i, (text, level) in enumerate(heads)]
    # Set as large as the rule or larger, they stand beside it.
    assert find_headings(blocks) == {0: ["A rule"], 1: [], 2: [], 4: ["# Test B"]}


def test_smaller_exercises_of_chapters_with_one_section_each_stand_below_the_section() -> None:
    def chapter(n: int, sections: int, level: int) -> list[str | Block]:
        heads = [[sized(f"{n}.{s} {name}", 2), "例1 求 x？", "解：x＝1。"] for s, name in ((1, "概念"), (2, "性质"))]
        title = sized(f"第{'一二三'[n - 1]}章 {('集合', '函数', '数列')[n - 1]}", 1)
        own = [line for head in heads[:sections] for line in head]
        return [title, *own, sized("课时作业", level), "1. 求 a？", "2. 求 b？"]

    def ends(sections: int, level: int) -> list[list[str]]:
        found = chapters(*(line for n in (1, 2, 3) for line in chapter(n, sections, level)))
        return found[sections :: sections + 1]

    names = ("第一章 集合", "第二章 函数", "第三章 数列")
    assert ends(1, 3) == [[name, f"{n}.1 概念", "课时作业"] for n, name in enumerate(names, 1)]
    for sections, level in ((1, 2), (2, 3)):
        assert ends(sections, level) == [[name, "课时作业"] for name in names]


def test_papers_that_each_stand_below_the_same_title_are_in_the_paths_of_their_items() -> None:
    paper = ("第2章 综合检测", "A卷", "1. 求 A？", "2. 求 B？", "第2章 综合检测", "B卷", "1. 求 C？", "2. 求 D？")
    assert chapters(*paper) == [["第2章 综合检测", "A卷"], ["第2章 综合检测", "B卷"]]


def test_a_line_that_says_how_many_questions_to_answer_is_no_title() -> None:
    for told in ("Answer all questions.", "Answer any five questions", "Answer both questions."):
        assert chapters("# Test on counting", told, "1. Why?", "2. How?") == [[]]


def test_exercises_with_a_roman_or_chinese_number_are_those_of_their_chapter() -> None:
    one = ("CHAPTER I", "# Limits", "A theory.", "EXERCISES I", "1. Why?", "2. How?")
    two = ("CHAPTER II", "# Sums", "EXERCISES II", "1. When?", "2. Where?")
    assert chapters(*one, *two) == [["CHAPTER I Limits", "EXERCISES I"], ["CHAPTER II Sums", "EXERCISES II"]]
    found = chapters(
        "# 第一章 极限", "例1 求 x？", "# 习题一", "1. 求 a？", "# 第二章 导数", "例1 求 y？", "# 习题二", "1. 求 b？"
    )
    assert found == [["第一章 极限"], ["第一章 极限", "习题一"], ["第二章 导数"], ["第二章 导数", "习题二"]]


def test_a_sentence_that_says_how_to_answer_heads_a_group_of_questions_and_no_answers() -> None:
    paper = ("# Practice Test", "Section I: Choose the best answer.", "1. Why?", "2. How?", "3. Where?")
    assert items(*paper, "Section II: Give short answers.", "4. When?") == [
        (label, ["Practice Test"]) for label in ("1", "2", "3", "4")
    ]


def test_the_exercises_of_a_book_without_other_headings_are_in_no_path() -> None:
    blocks = book("# Chance and Data", "# Problems", "1. Why?", "2. How?")
    assert find_headings(blocks) == {0: [], 1: []}


def chapters(*lines: str | Block) -> list[list[str]]:
    """The paths of items, once for those of one title."""
    blocks = book(*lines)
    for block, path in find_headings(blocks).items():
        blocks[block].path = path
    table = pa.table({"document": ["book"], "blocks": encode([blocks], list[Block])})
    for step in (ChunkedPromptedGenerator(model=PDFRules()), LLMOutputParser()):
        table = step(table)
    told = zip(table["title_ids"].to_pylist(), table["chapter_path"].to_pylist(), strict=True)
    return [path for (_, path), _ in groupby(told)]


def test_headings_of_one_series_are_chapters_and_none_is_the_books_title() -> None:
    assert chapters("# Quiz 1", "1. Why?", "2. How?", "# Quiz 2", "1. When?", "2. Where?") == [["Quiz 1"], ["Quiz 2"]]
    points = (
        "# 专题一 函数",
        "# 考点1 定义域",
        "1. 求值？",
        "# 考点2 值域",
        "1. 化简？",
        "# 专题二 数列",
        "# 考点1 通项",
        "1. 求解？",
    )
    assert chapters(*points) == [
        ["专题一 函数", "考点1 定义域"],
        ["专题一 函数", "考点2 值域"],
        ["专题二 数列", "考点1 通项"],
    ]


def test_exercises_for_a_section_stand_under_it() -> None:
    lines = ("# Chapter 1 Lines", "1.1 Slopes", "# Exercises for Section 1.1", "1. Why?", "2. How?")
    assert chapters(*lines) == [["Chapter 1 Lines", "1.1 Slopes"]]


def test_headings_of_unknown_wording_are_in_paths_though_numbers_run_on_across_them() -> None:
    lines = ("# Easy ones", "1. Why?", "2. How?", "# Hard ones", "3. When?", "4. Where?")
    assert chapters("# A Collection", *lines) == [["Easy ones"], ["Hard ones"]]
    deeper = ("# Chapter 2 Maps", sized("Lines", 2), "1. Why?", sized("Curves", 2), "2. Where?")
    assert chapters(
        "# Chapter 1 Sets", *(sized(line[2:], 2) if line[0] == "#" else line for line in lines), *deeper
    ) == [
        ["Chapter 1 Sets", "Easy ones"],
        ["Chapter 1 Sets", "Hard ones"],
        ["Chapter 2 Maps", "Lines"],
        ["Chapter 2 Maps", "Curves"],
    ]


def test_words_of_an_outline_that_are_part_of_others_are_no_entry() -> None:
    listed = ("# Contents", "1 Sums 1 2 Maps 3 Answers to Exercises 5", "---")
    for n, name in enumerate(("1 Sums", "2 Maps")):
        listed += (f"# {name}", sized("Exercises", 2), f"{2 * n + 1}. Why?", f"{2 * n + 2}. How?")
    assert chapters(*listed) == [["1 Sums"], ["2 Maps"]]


def test_sections_stand_inside_their_paper() -> None:
    run_on = ("Paper 1", "Section A", "1. Why?", "Section B", "2. How?", "Paper 2", "Section A", "1. When?", "2. Who?")
    assert chapters("# Practice", *run_on) == [
        ["Paper 1", "Section A"],
        ["Paper 1", "Section B"],
        ["Paper 2", "Section A"],
    ]
    anew = [f"{head}|1. Why?|2. How?" for head in ("Paper 1|Section A", "Section B", "Paper 2|Section A", "Section B")]
    assert chapters("# Practice", *"|".join(anew).split("|")) == [
        [paper, section] for paper in ("Paper 1", "Paper 2") for section in ("Section A", "Section B")
    ]


def test_chapters_may_be_numbered_in_words() -> None:
    lines = ("# Chapter One", "# Vectors", "# Exercise Set 1.1", "1. Why?", "# Chapter Two", "# Maps", "1. How?")
    assert chapters(*lines) == [["Chapter One Vectors", "Exercise Set 1.1"], ["Chapter Two Maps"]]


CONTENTS = ("目录", "第1章 集合", "1.1 交集 2", "1.2 并集 4", "名校考题精选", "名校考题精选(1) 6", "---")


def test_what_the_contents_list_without_a_page_heads_what_follows_whatever_its_words_are() -> None:
    pages = (
        "第1章 集合",
        "1.1 交集",
        "1. 求值。",
        "---",
        "1.2 并集",
        "1. 求值。",
        "---",
        "名校考题精选",
        "名校考题精选(1)",
    )
    assert paths(*CONTENTS, *pages)["名校考题精选(1)"] == ["名校考题精选"]


def test_a_heading_of_any_words_is_a_title_if_the_contents_list_it() -> None:
    contents = ("Contents", "Sets and Maps ..... 2", "Limits ..... 3", "Series ..... 4", "More ..... 5", "---")
    pages = (
        "# Sets and Maps",
        "1. Find x.",
        "2. Find y.",
        "---",
        "# Limits",
        "3. Find z.",
        "---",
        "# Series",
        "4. Find t.",
    )
    assert items(*contents, *pages) == [
        ("1", ["Sets and Maps"]),
        ("2", ["Sets and Maps"]),
        ("3", ["Limits"]),
        ("4", ["Series"]),
    ]


def test_a_group_that_the_contents_list_beside_the_sections_is_one_of_them() -> None:
    entries = (f"{name} ..... {page}" for page in (2, 4) for name in ("Main Ideas", "Exercises", "In Brief"))
    sections = ("# Main Ideas", "Much is told of them here.", "# Exercises", "1. Find x.", "2. Find y.", "# In Brief")
    book = ("Contents", "1 Sums", *entries, "---", "# 1 Sums", *sections, "---", "# 2 Sets", *sections)
    found = items(*book)
    assert [label for label, _ in found] == ["1", "2", "1", "2"]
    assert [title[-1] for _, title in found] == ["Exercises"] * 4


def test_entries_that_the_contents_set_in_stand_below_those_before_them_whatever_their_words_are() -> None:
    listed = (("1 Choice 1", 140), ("Main Ideas . . . . 1", 170), ("In Brief . . . . 2", 170), ("2 Prices 3", 140),
              ("Main Ideas . . . . 3", 170), ("In Brief . . . . 4", 170), ("Answers 5", 140),
              ("Chapter 1: Choice . . . . 5", 170), ("Chapter 2: Prices . . . . 5", 170))  # fmt: skip
    page = book("目录", *(boxed(text, x0, 100 + 16 * n, 875, 112 + 16 * n) for n, (text, x0) in enumerate(listed)))
    lines = read_lines(page)
    ranks = [entry.rank for entry in mark_contents(lines, page_turns(lines))]
    assert ranks == [1, 2, 2, 1, 2, 2, 0, 1, 1]  # "Answers" and "Chapter" tell their own


def test_headings_that_an_outline_without_pages_names_are_titles() -> None:
    slides = (
        "# Outline",
        "1 Sorting Lists 2 Walking Trees",
        "---",
        "# Sorting Lists",
        "1. Sort x.",
        "---",
        "# Walking Trees",
    )
    assert items(*slides, "2. Walk y.") == [("1", ["Sorting Lists"]), ("2", ["Walking Trees"])]


def test_contents_whose_page_numbers_are_not_sure_end_where_the_first_chapter_begins() -> None:
    contents = (
        "# Contents",
        "1 Sums 1",
        "2 Products 1",
        "# 1 Sums",
        "Sums are easy.",
        "1. Add.",
        "# 2 Products",
        "2. Multiply.",
    )
    assert items(*contents) == [("1", ["1 Sums"]), ("2", ["2 Products"])]


def test_nothing_stands_under_the_books_own_title() -> None:
    found = paths("# Algebra for All", "Chapter 1 Sums", "1. Add.")
    assert found == {"Algebra for All": [], "Chapter 1 Sums": []}


def test_answers_at_a_chapters_end_are_not_above_the_next_chapter() -> None:
    asked = ("第1章 集合", "1.1 交集", "1. 求值？", "2. 化简？")
    found = paths(*asked, "# 参考答案", "1. A", "2. B", "第2章 数列", "2.1 等差数列", "1. 求值？")
    assert (found["第2章 数列"], found["2.1 等差数列"]) == ([], ["第2章 数列"])


def test_a_banner_listed_last_on_its_page_heads_the_items_of_its_column() -> None:
    first = ["1.1 交集", "1. 求 A。", "2. 求 B。"]
    page = [
        boxed("1. 求 C。", 50, 150, 480, 180),
        boxed("2. 求 D。", 50, 200, 480, 230),
        boxed("3. 求 E。", 520, 60, 950, 90),
        boxed("1.2 并集", 50, 60, 480, 90, level=1),
    ]
    assert items(*first, "---", *page) == [
        ("1", ["1.1 交集"]),
        ("2", ["1.1 交集"]),
        ("1", ["1.2 并集"]),
        ("2", ["1.2 并集"]),
        ("3", ["1.2 并集"]),
    ]


def test_a_title_at_the_height_of_running_heads_that_repeat_it_later_is_one() -> None:
    lines: list[str | Block] = []
    for lesson in ("1.1 交集", "1.2 并集", "1.3 补集"):
        lines += [boxed(lesson, 50, 60, 480, 90, level=1), boxed("1. 求 A。", 50, 150, 480, 180), "---"]
        lines += [boxed(lesson, 50, 60, 480, 90, "header"), boxed("2. 求 B。", 50, 150, 480, 180), "---"]
    assert items(*lines) == [
        (label, [lesson]) for lesson in ("1.1 交集", "1.2 并集", "1.3 补集") for label in ("1", "2")
    ]


def test_a_title_that_heads_three_chapters_stands_under_each() -> None:
    lines: list[str | Block] = []
    for number in "123":
        lines += [boxed(f"第{number}章 圆", 50, 60, 480, 90, level=1), boxed("1. 求 A。", 50, 150, 480, 180), "---"]
        lines += [boxed("本章复习题", 50, 60, 480, 90, level=1), boxed("1. 求 B。", 50, 150, 480, 180), "---"]
    blocks = book(*lines)
    headings = find_headings(blocks)
    assert [headings[c.title[-1]] for c in find_pairs(blocks)] == [
        [f"第{number}章 圆", *review] for number in "123" for review in ([], ["本章复习题"])
    ]


def test_a_review_whose_title_is_only_a_running_head_is_a_chapter() -> None:
    lesson = ("1.1 交集", "1. 求 A。", "2. 求 B。", "3. 求 C。", "---")
    review = ("~ 第1章 复习", "1. 求 D。", "2. 求 E。", "---", "~ 第1章 复习", "3. 求 F。")
    assert items(*lesson, *review)[3:] == [(label, ["第1章 复习"]) for label in ("1", "2", "3")]


def test_a_running_head_on_the_page_that_the_contents_give_is_a_title() -> None:
    pages = ("第1章 集合", "1.1 交集", "1. 求 A。", "---", "~ 第1章 集合", "2. 求 B。", "---", "~ 1.2 并集", "1. 求 C。",
             "---", "~ 1.2 并集", "2. 求 D。", "---", "名校考题精选", "名校考题精选(1)", "1. 求 E。")  # fmt: skip
    assert items(*CONTENTS, *pages) == [
        ("1", ["1.1 交集"]),
        ("2", ["1.1 交集"]),
        ("1", ["1.2 并集"]),
        ("2", ["1.2 并集"]),
        ("1", ["名校考题精选(1)"]),
    ]


def test_the_last_entry_of_the_contents_opens_no_answers() -> None:
    contents = ("目录", "1.1 交集 2", "1.2 并集 4", "1.3 补集 6", "参考答案", "---")
    summary = ("# 知识要点", "1. 交集：公共部分", "2. 并集：全部", "---", "1.1 交集", "1. 求 A。", "2. 求 B。")
    assert items(*contents, *summary) == [("1", ["1.1 交集"]), ("2", ["1.1 交集"])]


def test_papers_in_one_lesson_are_two_chapters_with_paths_of_their_own() -> None:
    blocks = book(
        "第1章 集合",
        "期末测试",
        "A卷",
        "一、选择题",
        "1. 求 A。",
        "2. 求 B。",
        "B卷",
        "一、选择题",
        "1. 求 C。",
        "2. 求 D。",
    )
    headings = find_headings(blocks)
    chapters = find_pairs(blocks)
    assert [headings[c.title[-1]] for c in chapters] == [
        ["第1章 集合", "期末测试", "A卷"],
        ["第1章 集合", "期末测试", "B卷"],
    ]


def test_a_group_that_is_a_chapter_keeps_its_items_apart_from_those_of_its_lesson() -> None:
    texts = ("第1章 集合", "一、选择题", "1. 求 A？", "2. 求 B？", "二、填空题", "1. 求 C？", "2. 求 D？")
    table = pa.table(
        {"name": ["book"], "content": encode([[ContentItem("text", t) for t in texts]], list[ContentItem])}
    )
    for step in (MinerU2LLMInput(), ChunkedPromptedGenerator(model=PDFRules()), LLMOutputParser(), QA_Merger()):
        table = step(table)
    rows = table.select(["label", "question", "chapter_path", "chapter_block"]).to_pylist()
    assert [tuple(row.values()) for row in rows] == [
        ("1", "1. 求 A？", ["第1章 集合", "一、选择题"], 1),
        ("2", "2. 求 B？", ["第1章 集合", "一、选择题"], 1),
        ("1", "1. 求 C？", ["第1章 集合", "二、填空题"], 4),
        ("2", "2. 求 D？", ["第1章 集合", "二、填空题"], 4),
    ]


def test_a_title_in_two_blocks_is_one_heading_whichever_of_them_a_model_names() -> None:
    path = ["Chapter 1 Sets"]
    blocks = [
        Block(0, "text", "Chapter 1", path=path),
        Block(1, "text", "Sets", path=path),
        Block(2, "text", "1. Why?"),
    ]
    for title in ([0], [1], [0, 1]):
        reply = render([ReplyChapter(title, [ReplyPair("1", [2])])])
        columns = {"reply": [reply], "blocks": encode([blocks], list[Block]), "core": encode([(0, 2)], tuple[int, int])}
        (row,) = LLMOutputParser()(pa.table(columns)).to_pylist()
        assert (row["chapter_block"], row["chapter_path"]) == (0, path)


def test_blocks_know_their_path_if_they_are_headings() -> None:
    content = [
        ContentItem("text", "第1章 集合", level=1),
        ContentItem("text", "1.1 交集"),
        ContentItem("text", "1. 求值"),
    ]
    assert [block.path for block in flatten(content)] == [["第1章 集合"], ["第1章 集合", "1.1 交集"], None]


def test_thousands_of_headings_are_read_in_time() -> None:
    lines = [
        line
        for n in range(4000)
        for line in ("Contents", "# 目录", f"第{n}章 圆", "1. 求 A。", f"~ 第{n}章 复习", "1. 求 B。")
    ]
    began = time.process_time()
    assert len(find_headings(book(*lines))) > 4000
    find_pairs(book(*lines))
    assert time.process_time() - began < 30


def _set(text: str, level: int) -> Block:
    return Block(0, "text", text, level=level)


def test_an_unnumbered_heading_larger_than_sections_ends_them_and_stands_under_their_chapter() -> None:
    lines = (
        *(_set("Chapter 1 Scarcity", 1), _set("1.1 Choice", 3), "Choice is made.", _set("1.2 The Frontier", 3)),
        *("A curve.", _set("Review", 2), "1. Why is it?", "2. What is it?"),
        *(_set("Applications and Cases", 2), "1. Who is it?", "2. When is it?"),
    )
    assert paths(*lines)["Applications and Cases"] == ["Chapter 1 Scarcity"]
    assert [title for _, title in items(*lines)] == [["Review"]] * 2 + [["Applications and Cases"]] * 2


def test_problems_behind_examples_count_under_the_chapter_of_both() -> None:
    lines = (
        "# 1 Divisibility",
        "Example 1.1. Find x.",
        "Solution. It is 3.",
        "Example 1.2. Find y.",
        "Solution. It is 4.",
    )
    lines += (
        "# Problems",
        "1.1. Find a.",
        "1.2. Find b.",
        "# 2 Congruences",
        "Example 2.1. Find c.",
        "Solution. It is 3.",
    )
    found = items(*lines, "# Problems", "2.1. Find d.")
    assert found == [
        *((f"Example 1.{n}", ["1 Divisibility"]) for n in (1, 2)),
        *((f"1.{n}", ["1 Divisibility"]) for n in (1, 2)),
        ("Example 2.1", ["2 Congruences"]),
        ("2.1", ["2 Congruences"]),
    ]


def test_sections_at_which_exercises_begin_anew_are_in_paths_though_examples_run_on_across_them() -> None:
    found = chapters(
        *("# 第一章 方程", "# 1.1 解法", "例1 求 x？", "# 练习", "1. 求 a？", "2. 求 b？"),
        *("# 1.2 应用", "例2 求 y？", "# 练习", "1. 求 c？", "2. 求 d？"),
    )
    assert found == [["第一章 方程", "1.1 解法"], ["第一章 方程", "1.2 应用"]]


def test_a_group_stands_in_no_path_if_it_has_the_name_of_one_behind_examples() -> None:
    one = ("# Chapter 1 Sets", "Example 1. Find x.", "# Problems", "1. Why?", "2. How?")
    assert chapters(*one, "# Chapter 2 Maps", "# Problems", "1. When?", "2. Where?") == [
        ["Chapter 1 Sets"],
        ["Chapter 2 Maps"],
    ]


def test_a_blank_to_fill_in_is_no_heading() -> None:
    assert paths("# Paper 1", "1. Find x.", "Your answer ____ [1]", "2. Find y.", "Your answer ____ [1]") == {
        "Paper 1": []
    }


def test_headings_of_front_matter_head_no_items() -> None:
    lines = ("# Physics", "# Preface", "Write in ink.", "# Turn over", "# Section A", "1. Find x.", "2. Find y.")
    assert [title for _, title in items(*lines)] == [["Physics"], ["Physics"]]


def sized(text: str, level: int) -> Block:
    return Block(0, "text", text, level=level)


def test_headings_of_which_no_word_is_known_stand_under_those_that_are_set_larger() -> None:
    def chapter(n: int, name: str) -> list[str | Block]:
        return [
            sized(f"Capitolo {name}", 2),
            sized("Esercizi", 3),
            *(f"{k}. Quanto fa {k} + {n}?" for k in range(1, 5)),
        ]

    book = [sized("Numeri", 1), *chapter(1, "Somme"), *chapter(2, "Prodotti")]
    assert [title for label, title in items(*book) if label == "2"] == [["Capitolo Somme"], ["Capitolo Prodotti"]]


def test_exercises_that_begin_anew_stand_under_the_section_whose_examples_count_through_the_chapter() -> None:
    found = paths(
        *("# 第一章 极限", "# 第一节 数列", "例 1 求极限。", "习题 1-1", "1. 求极限。", "2. 求极限。"),
        *("# 第二节 函数", "例 2 求导数。", "习题 1-2", "1. 求导数。", "2. 求导数。"),
    )
    assert found["习题 1-1"] == ["第一章 极限", "第一节 数列"]
    assert found["习题 1-2"] == ["第一章 极限", "第二节 函数"]


def test_a_chapter_set_larger_than_solutions_ends_them() -> None:
    chapters: list[str | Block] = []
    for n, name in enumerate(("1 Sums", "2 Products"), 1):
        chapters += [sized(name, 2), sized("Problems", 5), *(f"{k}. Why is {n + k} so?" for k in (1, 2, 3))]
        chapters += [sized("Solutions", 5), *(f"{k}. Since {n}." for k in (1, 2, 3))]
    found = find_pairs(book(sized("Arithmetic", 1), *chapters))
    asked = [(bool(pair.question), pair.label) for chapter in found for pair in chapter.pairs]
    assert asked == [(asks, str(k)) for _ in (1, 2) for asks in (True, False) for k in (1, 2, 3)]
    assert paths(sized("Arithmetic", 1), *chapters)["Solutions"] == []


def test_numbers_right_above_headings_and_as_high_as_these_are_theirs() -> None:
    pages = [
        (boxed(str(n), 100, 100, 120, 125), boxed(name, 100, 130, 400, 155, level=2), "1. Why?", "2. How?", "---")
        for n, name in enumerate(("Sums", "Products"), 1)
    ]
    found = find_headings(book(*(line for page in pages for line in page)))
    assert [path[-1] for path in found.values()] == ["1 Sums", "1 Sums", "2 Products", "2 Products"]


def test_a_heading_that_sounds_like_a_sentence_counts_on_from_those_in_its_dress() -> None:
    parts = ("# 一、填空题", "1. 求和。", "2. 求积。", "# 二、判断题", "1. 和是奇数吗？", "2. 积是奇数吗？")
    found = items(*parts, "三、解决问题。", "1. 小红买了几支笔？", "2. 小明买了几支笔？")
    assert found[-2:] == [("1", ["三、解决问题。"]), ("2", ["三、解决问题。"])]
    units = (sized("Unit 1 – Past or Present?", 2), "1. Why?", "2. How?", sized("Unit 2 – Things", 2), "1. Who?")
    assert items(*units)[0] == ("1", ["Unit 1 – Past or Present?"])


def test_short_lines_below_all_titles_that_are_numbers_alone_are_their_names() -> None:
    def drills(*names: str) -> list[list[str]]:
        return chapters(
            *(line for n, name in enumerate(names, 1) for line in (f"# Drill {n}", name, "1. Why?", "2. How?"))
        )

    assert drills("Lines", "Curves and their tangents") == [["Drill 1 Lines"], ["Drill 2 Curves and their tangents"]]
    assert drills("Lines", "A curve has tangents.") == [["Drill 1"], ["Drill 2"]]


def test_exercises_set_as_sections_are_those_of_the_chapter_unless_most_sections_have_their_own() -> None:
    def chapter(n: int, *below: str) -> list[str | Block]:
        heads = [sized(name.replace("#", str(n)), 2) if name[:1] in "#E" else name for name in below]
        return [sized(f"Chapter {n} Sets", 1), *heads]

    asked = ("Exercises", "1. Why?", "2. How?")
    once = ("#.1 Unions", "They join.", "#.2 Meets", "They part.", *asked)
    assert chapters(*chapter(1, *once), *chapter(2, *once)) == [["Chapter 1 Sets"], ["Chapter 2 Sets"]]
    twice = ("#.1 Unions", *asked, "#.2 Meets", "They part.", *asked)
    assert chapters(*chapter(1, *twice), *chapter(2, *twice)) == [
        [f"Chapter {n} Sets", f"{n}.{k} {name}"] for n in (1, 2) for k, name in ((1, "Unions"), (2, "Meets"))
    ]


def test_a_page_that_only_names_headings_of_later_pages_in_order_is_the_contents() -> None:
    def slides(*listed: str) -> list[list[str]]:
        asked = ("1. Why?", "2. How?", "---", "# Supply", "3. When?", "4. Where?")
        return chapters("# Economics", "---", "# Today", *listed, "---", sized("Demand", 2), *asked)

    assert slides("# 1 Demand", "# 2 Supply") == [["Demand"], ["Supply"]]
    assert slides("# 1 Supply", "# 2 Demand")[0] == ["2 Demand", "Demand"]


@pytest.mark.parametrize("seed", range(40))
def test_whatever_the_outline_each_item_has_its_headings_and_its_answer(seed: int) -> None:
    lines, wanted = outlined(random.Random(seed))
    blocks = book(*lines)
    for block, path in find_headings(blocks).items():
        blocks[block].path = path
    table = pa.table({"document": ["b"], "name": ["b"], "blocks": encode([blocks], list[Block])})
    for step in (ChunkedPromptedGenerator(model=PDFRules(), max_chunk_tokens=100_000), LLMOutputParser(), QA_Merger()):
        table = step(table)
    found = [
        (row["label"], row["chapter_path"], row["answer"] or row["solution"].removeprefix("Solution. ").rstrip("."))
        for row in table.to_pylist()
    ]
    assert found == wanted


def outlined(draw: random.Random) -> tuple[list[str | Block], list[tuple[str, list[str], str]]]:
    """A book of parts or chapters and what its rows are: label, headings and answer.

    Chapters may have sections and exercises of their own; numbers run on or begin anew; answers stand with their
    questions or at the end of the book, under the headings of these.
    """
    head = draw.choice(("Chapter {} {}", "Unit {}: {}", "Part {}: {}", "{} {}"))
    sections, anew, apart = (draw.random() < 0.5 for _ in range(3))
    word = draw.choice(("", "Exercises", "Problems"))
    names = draw.sample(
        ["Sums", "Curves", "Maps", "Trees", "Waves", "Forests", "Rivers", "Cells", "Motion", "Rings"], 10
    )
    lines: list[str | Block] = [sized("A Course in Science", 1)]
    told: list[str | Block] = [sized("Answers", 2)]
    wanted = []
    number = 0
    for chapter in range(1, draw.randint(3, 4)):
        title = head.format("ABC"[chapter - 1] if head[:4] == "Part" else chapter, names.pop())
        lines.append(sized(title, 2))
        told.append(sized(title, 3))
        number = 0 if anew else number
        for section in [f"{chapter}.{n} {names.pop()}" for n in (1, 2)] if sections else [""]:
            lines += [sized(text, level) for text, level in ((section, 3), (word, 4)) if text]
            told += [sized(section, 4)] if section else []
            for _ in range(draw.randint(3, 6)):
                number += 1
                answer = f"It is {draw.randint(100, 999)}, since the sum stays below"
                lines.append(
                    f"{number}. {draw.choice(('What is', 'Find', 'Compute'))} the sum of {answer[6:9]} {word}."
                )
                lines += [] if apart else [f"Solution. {answer}."]
                told.append(f"{number}. {answer}.")
                wanted.append((str(number), [title, section] if section else [title], answer))
    return lines + (told if apart else []), wanted


def test_a_word_with_a_number_in_any_language_above_a_heading_is_its_beginning():
    lines = [
        line
        for n, name in enumerate(("Warmte", "Licht", "Stroom"), 1)
        for line in (f"HOOFDSTUK {n}", f"# {name}", "1. Waarom is dat zo?", "2. Hoeveel is het?")
    ]
    found = find_headings(book("# Natuurkunde", *lines))
    assert [path[-1] for path in found.values()][1:] == [
        f"HOOFDSTUK {n} {name}" for n, name in enumerate(("Warmte", "Licht", "Stroom"), 1)
        for _ in range(2)
    ]  # fmt: skip
