"""What the offline rules find in a textbook, one trap a test."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.pdf.blocks import Block
from operators.pdf.reply import ReplyChapter, ReplyPair
from operators.pdf.rules import find_kinds, find_pairs
from tests.pdf.rules_book import book, labels, pairs, picture, placed, questions, worked


def test_an_empty_document_has_no_pairs():
    assert find_pairs([]) == []


def test_numbering_restarts_in_each_lesson_and_runs_on_over_its_parts():
    assert questions(
        "# 第三章 圆",
        "# 3.1 圆周角(1)",
        "# 一、选择题",
        "1. 下列说法正确的是（）",
        "(A) 甲；",
        "(B) 乙.",
        "# 二、填空题",
        "2. 弧长是________.",
        "# 3.1 圆周角(2)",
        "# 一、选择题",
        "1. 半径是（）",
        "A. 1",
        "B. 2",
    ) == [([1], [("1", [3, 4, 5]), ("2", [7])]), ([8], [("1", [10, 11, 12])])]


def test_a_part_under_which_numbering_starts_anew_is_a_chapter_of_its_lesson():
    assert labels(
        "# 3.1 圆周角",
        "# A组 基础训练",
        "1. 求弧长.",
        "2. 求半径.",
        "# B组 能力提升",
        "1. 求面积.",
        "2. 证明结论.",
    ) == [([0, 1], ["1", "2"]), ([0, 4], ["1", "2"])]


def test_a_heading_without_a_lessons_wording_is_a_chapter_if_numbering_starts_anew_under_it():
    assert labels(
        "# 名校精选",
        "# 名校精选甲",
        "1. 求弧长.",
        "2. 求半径.",
        "# 名校精选乙",
        "1. 求面积.",
        "2. 求周长.",
    ) == [([1], ["1", "2"]), ([4], ["1", "2"])]


def test_a_title_in_two_blocks_is_named_by_both():
    assert labels("# Chapter 4", "# Circles and Arcs", "1. Find the area.") == [([0, 1], ["1"])]


def test_contents_pages_and_front_matter_hold_no_items():
    assert labels(
        "# 几何练习",
        "# 前言",
        "1. 本书分三章.",
        "2. 请先阅读例题.",
        "# 目录",
        "- 1.1 直线 …… 2",
        "- 1.2 射线 …… 4",
        "- 习题1.2 …… 6",
        "---",
        "# 第一章 线",
        "# 1.1 直线",
        "1. 画一条直线.",
        "2. 求交点.",
    ) == [([9], ["1", "2"])]


def test_numbered_lines_of_a_summary_are_no_questions():
    assert labels(
        "# 1.1 直线",
        "# 要点归纳",
        "1. 两点确定一条直线.",
        "2. 直线没有端点.",
        "# 练习",
        "1. 求交点.",
        "2. 求距离.",
    ) == [([0], ["1", "2"])]
    assert labels(
        "# 1.1 Lines",
        "# Key points",
        "1. Two points fix a line.",
        "2. A line has no ends.",
        "Example 1 Find the point.",
        "Solution. It is (0, 1).",
        "# Exercises",
        "1. Find the slope.",
    ) == [([0], ["Example 1", "1"])]


def test_hints_are_told_chapter_by_chapter_and_are_no_answers():
    assert worked(
        "# 小册",
        "# 目录",
        *("训练一 整数", "训练二 图形", "提示", "解答"),
        "---",
        *("# 训练一 整数", "1. 求 n 的值。", "2. 求 p 的值。"),
        *("# 训练二 图形", "1. 求角 A。", "2. 求角 B。"),
        *("# 提示", "训练一 整数", "2. 模3讨论。", "训练二 图形", "1. 旋转三角形。"),
        *("解答", "训练一 整数", "1. 157", "2. 3", "训练二 图形", "1. 36°", "2. 45°"),
    ) == [
        *((label, [place], "", []) for label, place in (("1", 7), ("2", 8), ("1", 10), ("2", 11))),
        *((label, [], told, []) for label, told in (("1", "157"), ("2", "3"), ("1", "36°"), ("2", "45°"))),
    ]


def test_a_proof_that_is_told_apart_is_asked_where_the_question_stands():
    asked = "1. 五个点落在正三角形内。证明：其中两个点的距离不超过1。"
    assert worked("# 1.1 点", asked, "2. 求距离。", "# 参考答案", "1. 见图", "2. 5") == [
        ("1", [1], "", []),
        ("2", [2], "", []),
        ("1", [], "见图", []),
        ("2", [], "5", []),
    ]
    assert worked("# 1.1 点", "1. 五个点落在正三角形内。证明：连接三边的中点。", "2. 求距离。")[0] == (
        "1",
        [1],
        "",
        [1],
    )


def test_what_tells_of_what_kind_some_questions_are_serves_none_of_them():
    assert questions("# 训练一", "第1、2题为选择题，其余为解答题。", "1. 求 a。", "2. 求 b。") == [
        ([0], [("1", [2]), ("2", [3])])
    ]


def test_worked_examples_keep_their_word_and_have_solutions():
    assert worked(
        "# 2.1 方程",
        "例① 解方程 x+1=2.",
        "分析 先移项.",
        "解：x=1.",
        "说明 检验即可.",
        "例二 求 y.",
        "解 由题意，y=2.",
        "变式1 求 z.",
        "答案：3",
    ) == [("例1", [1], "", [2, 3, 4]), ("例2", [5], "", [6]), ("变式1", [7], "3", [])]


def test_a_block_that_ends_a_question_and_starts_its_solution_is_named_in_both():
    assert worked("# 2.1 方程", "例3 求 x 的值. 解：移项.", "得 x=1.") == [("例3", [1], "", [1, 2])]


def test_a_worked_example_may_have_lost_its_word_of_solution():
    assert worked("# 2.1 方程", "例1 计算：3+4.", "原式=7.", "# 练习", "1. 求 x.") == [
        ("例1", [1], "", [2]),
        ("1", [4], "", []),
    ]


def test_interleaved_solutions_stay_with_their_questions():
    assert worked("# Sets", "1. Find A.", "Solution. A is empty.", "2. Find B.", "Proof. Trivial.", "So B = A.") == [
        ("1", [1], "", [2]),
        ("2", [3], "", [4, 5]),
    ]


def test_a_solution_printed_inside_what_is_asked_belongs_to_the_question():
    assert worked(
        "# 2.1 方程",
        "1. 先阅读，再仿照解答：",
        "例题：求 x+1=2 的解.",
        "解：移项，得 x=1.",
        "请你求 x+2=4 的解.",
        "2. 完成下面的过程：",
        "解：移项，得 x=____.",
    ) == [("1", [1, 2, 3, 4], "", []), ("2", [5, 6], "", [])]


def test_where_a_book_solves_its_exercises_a_reading_task_is_solved_as_well():
    assert worked(
        "# 2.1 方程",
        "1. 求 x.",
        "解：x=1.",
        "2. 观察下列各式，求 y.",
        "解：y=2.",
        "3. 阅读：若 z=1，则",
        "解：z+1=2.",
        "请仿照求 w.",
        "解：w=3.",
    ) == [("1", [1], "", [2]), ("2", [3], "", [4]), ("3", [5, 6, 7], "", [8])]


def test_a_decimal_at_the_start_of_a_line_is_no_label_unless_the_count_needs_it():
    assert questions(
        "# 2.1 平方根",
        "1. 一艘船的速度是",
        "1.5 米/秒，求路程.",
        "2.3的平方根是（）",
        "3. 求 x.",
    ) == [([0], [("1", [1, 2]), ("2", [3]), ("3", [4])])]


def test_a_decimal_is_no_label_where_its_number_comes_later():
    assert questions("# 2.1 速度", "1. 一人每小时走", "2.5 千步，求路程.", "2. 求 x.", "3. 求 y.") == [
        ([0], [("1", [1, 2]), ("2", [3]), ("3", [4])])
    ]


def test_one_block_may_hold_several_questions():
    assert questions("# 2.1 根", "11. 求 a.", "12. 求 b. 13. 求 c.", "14. 求 d.") == [
        ([0], [("11", [1]), ("12", [2]), ("13", [2]), ("14", [3])])
    ]


def test_a_list_may_end_one_item_and_begin_the_next():
    assert worked("# 2.1 根", "例1 求 a.", "- 解：a=1.", "- 检验：成立.", "- 例2 求 b.", "解：b=2.") == [
        ("例1", [1], "", [2, 3]),
        ("例2", [4], "", [5]),
    ]


def test_a_numbered_list_inside_a_question_or_a_solution_opens_no_items():
    assert questions(
        "# 2.1 根",
        "1. 求 a.",
        "2. 小明的步骤如下，指出错误：",
        "1. 移项",
        "2. 合并",
        "3. 系数化为一",
        "3. 求 c.",
        "4. 求 d.",
    ) == [([0], [("1", [1]), ("2", [2, 3, 4, 5]), ("3", [6]), ("4", [7])])]
    assert labels(
        "# 2.1 根",
        "例1 求 a.",
        "解：分两步.",
        "1. 移项",
        "2. 合并",
        "例2 求 b.",
        "解：b=2.",
    ) == [([0], ["例1", "例2"])]


def test_sub_questions_stay_inside_their_question_and_one_read_too_early_is_put_back():
    assert questions(
        "# 2.1 根",
        "9. 求 a.",
        "# 三、解答题",
        "(3) 求 z.",
        "10. 解方程：",
        "(1) 求 x.",
        "(2) 求 y.",
        "11. 求 b.",
    ) == [([0], [("9", [1]), ("10", [4, 5, 6, 3]), ("11", [7])])]


def test_an_exercise_with_a_heading_of_its_own_is_an_item_that_begins_with_the_heading():
    assert questions(
        "# 2.1 根", "1. 求 a.", "2. 求 b.", "# 思维与拓展1", "求 a+b 的最小值.", "# 2.2 幂", "1. 求 c."
    ) == [
        ([0], [("1", [1]), ("2", [2]), ("思维与拓展1", [3, 4])]),
        ([5], [("1", [6])]),
    ]


def test_a_title_listed_below_the_first_of_its_items_still_heads_them():
    assert labels(
        "# 2.1 根",
        "1. 求 a.",
        "2. 求 b.",
        "---",
        "1. 求 c.",
        "2. 求 d.",
        "# 2.2 幂",
        "3. 求 e.",
    ) == [([0], ["1", "2"]), ([5], ["1", "2", "3"])]


def test_a_title_at_the_foot_of_its_page_heads_that_page():
    assert labels(
        "# 2.1 根",
        "1. 求 a.",
        "2. 求 b.",
        "---",
        "1. 求 c.",
        "2. 求 d.",
        "# 2.2 幂",
        "---",
        "# 2.3 式",
        "1. 求 e.",
    ) == [([0], ["1", "2"]), ([5], ["1", "2"]), ([6], ["1"])]


def test_a_title_taken_for_a_running_head_is_found():
    assert labels(
        "~ 代数练习",
        "# 2.1 根",
        "1. 求 a.",
        "---",
        "~ 代数练习",
        "~ 2.2 幂",
        "1. 求 b.",
        "2. 求 c.",
        "---",
        "~ 代数练习",
        "3. 求 d.",
    ) == [([1], ["1"]), ([4], ["1", "2", "3"])]


def test_a_running_head_set_as_a_heading_is_no_chapter_and_no_part_of_a_question():
    assert questions(
        "~ 代数练习",
        "# 第二章 根",
        "1. 求 a.",
        "---",
        "~ 第二章 根",
        "2. 求 b，",
        "---",
        "# 第二章 根",
        "并求 c.",
        "3. 求 d.",
    ) == [([1], [("1", [2]), ("2", [4, 6]), ("3", [7])])]


def test_blocks_listed_in_the_wrong_order_are_read_by_their_places():
    assert questions(
        "# 2.1 根",
        "---",
        placed("1. 求 a.", (90, 100, 870, 120)),
        placed("绝对值是____.", (90, 190, 870, 210)),
        placed("3. 求 c.", (90, 220, 870, 240)),
        placed("2. 若 a 与 4 相反，则 a 的", (90, 160, 870, 180)),
    ) == [([0], [("1", [1]), ("2", [4, 2]), ("3", [3])])]


def test_the_same_title_may_head_several_lessons():
    assert labels("# 本章复习题", "1. 求 a.", "2. 求 b.", "# 本章复习题", "1. 求 c.", "# 本章复习题", "1. 求 d.") == [
        ([0], ["1", "2"]),
        ([3], ["1"]),
        ([5], ["1"]),
    ]


def test_a_lost_label_leaves_a_gap_that_is_told():
    chapters = find_pairs(book("# 2.1 根", "1. 求 a.", "2. 求 b.", "若 c=1，则 d=____.", "4. 求 e.", "5. 求 f."))
    assert chapters == [
        ReplyChapter(
            [0],
            [
                ReplyPair("1", [1], at=1),
                ReplyPair("2", [2, 3], at=2),
                ReplyPair("4", [4], at=4),
                ReplyPair("5", [5], at=5),
            ],
        )
    ]


def test_pictures_go_to_the_questions_that_their_captions_name():
    assert questions(
        "# 2.1 角",
        "3. 如图，求 a.",
        "! 第3题图",
        "! 第5题图",
        "4. 求 b.",
        "5. 如图，求 c.",
    ) == [([0], [("3", [1, 2]), ("4", [4]), ("5", [5, 3])])]


def test_a_caption_on_a_line_of_its_own_is_a_caption_whatever_it_was_listed_as():
    assert questions(
        "# 2.1 角",
        "1. 如图，求 a.",
        "! ",
        "# 第1题图",
        "2. 如图，求 b.",
        "! ",
        Block(0, "page_number", "第2题图", shown=False),
        "3. 求 c.",
    ) == [([0], [("1", [1, 2, 3]), ("2", [4, 5, 6]), ("3", [7])])]


def test_one_picture_serves_all_questions_that_its_caption_names():
    assert questions("# 2.1 角", "7. 如图，求 a.", "8. 如图，求 b.", "9. 如图，求 c.", "! 第7~9题图", "10. 求 d.") == [
        ([0], [("7", [1, 4]), ("8", [2, 4]), ("9", [3, 4]), ("10", [5])])
    ]


def test_a_common_lead_and_its_picture_belong_to_every_question_that_it_names():
    assert questions(
        "# Graphs",
        "1. Find a.",
        "Use the graph for questions 2 to 3.",
        "! ",
        "2. Find b.",
        "3. Find c.",
        "4. Find d.",
    ) == [([0], [("1", [1]), ("2", [2, 3, 4]), ("3", [2, 3, 5]), ("4", [6])])]


def test_a_picture_that_comes_after_the_next_question_goes_to_the_one_that_asks_for_it():
    assert questions("# 2.1 角", "1. 如图，求 a.", "2. 求 b.", "! ", "3. 求 c.") == [
        ([0], [("1", [1, 3]), ("2", [2]), ("3", [4])])
    ]


def test_a_picture_above_its_question_on_the_next_page_goes_to_it():
    assert questions("# 2.1 角", "1. 求 a.", "---", "! ", "2. 如图，求 b.", "3. 求 c.") == [
        ([0], [("1", [1]), ("2", [3, 2]), ("3", [4])])
    ]


def test_pictures_side_by_side_without_captions_go_to_the_questions_that_ask_for_them():
    assert questions(
        "# 2.1 角",
        "1. 如图，求 a.",
        "2. 求 b.",
        "3. 如图，求 c.",
        picture(box=(500, 300, 700, 400)),
        picture(box=(100, 300, 300, 400)),
        "4. 求 d.",
    ) == [([0], [("1", [1, 5]), ("2", [2]), ("3", [3, 4]), ("4", [6])])]


def test_a_picture_goes_to_the_text_that_calls_it_by_name():
    assert worked(
        "# 2.1 Areas",
        "Example 1 Find the area in Figure 2.",
        "Solution. Cut it.",
        "! Figure 2",
        "Example 2 Find x.",
        "Solution. Figure 3 shows the cut.",
        "! Figure 3",
    ) == [("Example 1", [1, 3], "", [2]), ("Example 2", [4], "", [5, 6])]


def test_ornaments_belong_to_nothing():
    star = (40.0, 600.0, 95.0, 640.0)
    assert questions(
        "# 2.1 根",
        "1. 求 a.",
        picture(box=star),
        "# 思维与拓展1",
        "求 b.",
        "# 2.2 幂",
        "1. 求 c.",
        picture(box=star),
        "# 思维与拓展2",
        "求 d.",
        "# 2.3 式",
        "1. 求 e.",
        picture(box=star),
        "# 思维与拓展3",
        "求 f.",
    ) == [
        ([0], [("1", [1]), ("思维与拓展1", [3, 4])]),
        ([5], [("1", [6]), ("思维与拓展2", [8, 9])]),
        ([10], [("1", [11]), ("思维与拓展3", [13, 14])]),
    ]


def test_answers_in_ranges_lines_and_tables_are_one_pair_each():
    assert worked(
        "# 2.1 根",
        "1. 求 a.",
        "# 参考答案",
        "1~3 CAB",
        "4. A　5. C",
        "二、6. 20%",
        "7．3或5",
        "| <table><tr><td>题号</td><td>8</td><td>9</td></tr><tr><td>答案</td><td>D</td><td>B</td></tr></table>",
    )[1:] == [
        ("1", [], "C", []),
        ("2", [], "A", []),
        ("3", [], "B", []),
        ("4", [], "A", []),
        ("5", [], "C", []),
        ("6", [], "20%", []),
        ("7", [], "3或5", []),
        ("8", [], "D", []),
        ("9", [], "B", []),
    ]


def test_an_explained_answer_keeps_its_short_form_and_its_blocks():
    assert worked(
        "# 2.1 根",
        "1. 求 a.",
        "# 答案与解析",
        "1. 12 解析：移项.",
        "得 a=12.",
        "2. 解：设 b=x.",
        "3. 因为 c 是 d 的两倍，又 d=4，故 c 的值是 8.",
    )[1:] == [("1", [], "12", [3, 4]), ("2", [], "", [5]), ("3", [], "", [6])]


def test_answers_at_the_end_of_a_chapter_stand_under_its_title_and_the_next_chapter_asks_again():
    assert questions(
        "# 第一章 线",
        "1. 求 a.",
        "2. 求 b.",
        "# 参考答案",
        "1. A",
        "2. B",
        "# 第二章 角",
        "1. 求 c 的值.",
        "2. 求 d 的值.",
    ) == [
        ([0], [("1", [1]), ("2", [2])]),
        ([0], [("1", []), ("2", [])]),
        ([6], [("1", [7]), ("2", [8])]),
    ]


def test_answers_at_the_end_of_a_book_have_the_titles_printed_there():
    assert questions(
        "# 第一章 线",
        "1. 求 a.",
        "# 习题2.1",
        "1. 求 b.",
        "# 参考答案",
        "# 第一章 线",
        "1. 5",
        "# 习题2.1",
        "1. 7",
    ) == [([0], [("1", [1])]), ([2], [("1", [3])]), ([5], [("1", [])]), ([7], [("1", [])])]


def test_a_second_file_of_answers_needs_no_heading():
    asked = book("# 第一章 线", "1. 求 a.", "2. 求 b.")
    told = [replace(b, id=b.id + 3, file=1) for b in book("# 第一章 线", "1. A", "2. 12")]
    assert [(c.title, [(p.question, p.answer) for p in c.pairs]) for c in find_pairs(asked + told)] == [
        ([0], [([1], ""), ([2], "")]),
        ([3], [([], "A"), ([], "12")]),
    ]


def test_a_second_file_of_questions_asks_on():
    asked = book("# 第一章 线", "1. 求 a.", "2. 求 b.")
    more = [replace(b, id=b.id + 3, file=1) for b in book("# 第二章 角", "1. 求 c.", "2. 求 d.")]
    assert [(c.title, [p.question for p in c.pairs]) for c in find_pairs(asked + more)] == [
        ([0], [[1], [2]]),
        ([3], [[4], [5]]),
    ]


def test_answers_of_several_chapters_under_one_heading_are_runs_of_their_own():
    assert questions(
        "# 第一章 线", "1. 求 a.", "2. 求 b.", "# 第二章 角", "1. 求 c.", "# 参考答案", "1. 3", "2. 4", "1. 9"
    ) == [
        ([0], [("1", [1]), ("2", [2])]),
        ([3], [("1", [4])]),
        ([5], [("1", []), ("2", [])]),
        ([], [("1", [])]),
    ]


def test_an_answer_in_brackets_is_short_and_what_follows_explains_it():
    assert worked(
        "# 专题一 函数", "1. 选出正确的（）", "A. 甲", "【答案】A", "【解析】略去.", "2. 求 x. 【答案】3 【解析】移项."
    ) == [("1", [1, 2], "A", [4]), ("2", [5], "3", [5])]


def test_answers_that_begin_late_or_with_a_gap_are_taken_as_they_are():
    assert worked("# 第一章 线", "1. 求 a.", "2. 求 b.", "# 第一章 线 答案", "2. 7", "5. 8")[2:] == [
        ("2", [], "7", []),
        ("5", [], "8", []),
    ]


def test_questions_sorted_under_topics_are_questions():
    assert labels("# 3.1 圆", "知识点1 弧", "1. 求弧长.", "2. 求半径.", "知识点2 弦", "3. 求弦长.") == [
        ([0], ["1", "2", "3"])
    ]


def test_what_stands_behind_the_end_of_a_proof_is_no_part_of_it():
    lines = ["# 第1章 数", "例1 求和。", "解 由定义得 1。 □", "这就是所谓的加法公式。", "例2 求积。"]
    assert worked(*lines) == [("例1", [1], "", [2]), ("例2", [4], "", [])]


def test_what_stands_alone_between_heavy_brackets_heads_what_follows():
    lines = [
        "# 课题1 溶液",
        "例1 求质量。",
        "【解析】用公式。",
        "【能力提升】",
        "1. 求溶质的质量。",
        "2. 求溶剂的质量。",
    ]
    assert worked(*lines) == [("例1", [1], "", [2]), ("1", [4], "", []), ("2", [5], "", [])]


def test_a_line_with_a_blank_is_no_heading():
    assert questions("# Chapter 1 Sets", "1. Why?", "Your answer ____", "2. How?", "Your answer ____") == [
        ([0], [("1", [1, 2]), ("2", [3, 4])])
    ]


def test_a_measure_that_reads_like_a_title_does_not_end_a_question():
    assert questions("# 1.1 数", "1. 求 a，已知", "1.2 函数图象", "并求 b.", "2. 求 c.") == [
        ([0], [("1", [1, 2, 3]), ("2", [4])])
    ]


@pytest.mark.parametrize("mark", ["# ", ""])
def test_a_papers_numbered_title_is_no_question_and_its_answers_may_be_told_twice(mark):
    title = f"{mark}2. 2023 某校入学真卷（二）"
    asked = book("超级练习", title, "答案见“详解”P3", "一、选择题", "1. 选甲（）", "A. 3 B. 4", "2. 求 x.")
    told = book(
        "扫码即享", "1. 电子版答案", title, "快速对答案", "一、选择题 1~2 AB", "二、填空题 3. 20% 4. 7", "解答题请看“详解”",
        "详解详析", "一、1. A 2. B 【解析】移项，", "得 x=1.", "! 第3题解图", "二、3. 20% 【解析】略去.",
    )  # fmt: skip
    told = [replace(b, id=b.id + 7, file=1) for b in told]
    assert find_pairs(asked + told) == [
        ReplyChapter([1], [ReplyPair("1", [4, 5], at=4), ReplyPair("2", [6], at=6)]),
        ReplyChapter(
            [9],
            [
                ReplyPair("1", [], "A", [], at=11),
                ReplyPair("2", [], "B", [15, 16], at=11),
                ReplyPair("3", [], "20%", [18, 17], at=12),
                ReplyPair("4", [], "7", [], at=12),
            ],
        ),
    ]


def test_an_answer_stated_at_the_end_of_a_solution_is_found():
    assert worked(
        "# 2.1 根", "例1 求 a.", "解：移项.", "故答案为 12．", "例2 选出正确的（）", "解：都不对，故选 D."
    ) == [
        ("例1", [1], "12", [2, 3]),
        ("例2", [4], "D", [5]),
    ]


def test_an_excerpt_may_begin_anywhere_in_a_lesson():
    assert questions("14. 求 a.", "15. 求 b.", "(1) 甲", "16. 求 c.") == [
        ([], [("14", [0]), ("15", [1, 2]), ("16", [3])])
    ]


def test_prices_and_imprints_are_no_items():
    assert (
        find_pairs(book("# 某某出版社", "定价 27.50元", "2024年5月第1版", "网址 http://www.example.com", "ISBN 1"))
        == []
    )


@pytest.mark.parametrize("text", ["", " ", "$", "1.", "例", "第", "(", "1~", "<table>", "答案", "\n", "1．", "No."])
def test_no_single_block_breaks_the_rules(text):
    for kind in ("text", "list_item", "image", "table", "equation", "header", "page_number"):
        block = Block(0, kind, text, level=1, caption=text, shown=kind != "header")
        assert all(p.at == 0 for p in pairs(find_pairs([block])))


LINES = st.sampled_from(
    [
        "# 第二章 数",
        "# 2.1 根(1)",
        "# 一、选择题",
        "# 要点归纳",
        "# 参考答案",
        "# 目录",
        "# 思维与拓展1",
        "~ 2.2 幂",
        "---",
        "1. 求 a.",
        "2. 如图，求 b.",
        "3.5的根是",
        "4. 求 c. 5. 求 d.",
        "- 6. 求 e.",
        "例① 求 f.",
        "变式 求 g.",
        "解：h=1.",
        "(1) 甲",
        "(A) 乙",
        "! ",
        "! 第2题图",
        "第3题图",
        "1~3 CAB",
        "1. A　2. B",
        "故选 C.",
        "= $x$",
        "| <table></table>",
        "2.1 根(1) …… 5",
        "Use the figure for questions 2-3.",
        "12",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(LINES, max_size=40), st.integers(0, 500))
def test_every_id_is_a_blocks_and_only_ids_change_when_ids_are_shifted(lines, shift):
    blocks = book(*lines)
    chapters = find_pairs(blocks)
    for pair in pairs(chapters):
        ids = [pair.at, *pair.question, *pair.solution]
        assert set(ids) <= {b.id for b in blocks}
        assert len(set(pair.question)) == len(pair.question)
        assert len(set(pair.solution)) == len(pair.solution)
        assert pair.label
        assert pair.question or pair.solution or pair.answer
    shifted = find_pairs([replace(b, id=b.id + shift) for b in blocks])
    assert shifted == [
        ReplyChapter(
            [i + shift for i in c.title],
            [
                ReplyPair(
                    p.label,
                    [i + shift for i in p.question],
                    p.answer,
                    [i + shift for i in p.solution],
                    p.at + shift,
                )
                for p in c.pairs
            ],
        )
        for c in chapters
    ]


def test_a_footnote_belongs_to_the_question_or_solution_that_has_its_mark():
    texts = ["§ 1. Sums, found by Gauss.^2", "1. Find the sum.^1", "2. Find 2^3.", "Solution. It is 8.†"]
    notes = ["^1The oldest question.", "^2At school.", "^3Of nothing.", "† Why?"]
    blocks = [Block(i, "text", text) for i, text in enumerate(texts)]
    blocks += [Block(i, "page_footnote", text, shown=False) for i, text in enumerate(notes, len(texts))]
    (chapter,) = find_pairs(blocks)
    assert [(pair.question, pair.solution) for pair in chapter.pairs] == [([1, 4], []), ([2], [3, 7])]


def test_headings_by_letter_that_count_up_above_labels_end_the_question_before_them():
    texts = ["A. Numbers", "1. Find x.", "B. Algebra", "2. Find y.", "C. Geometry", "3. Find z."]
    (chapter,) = find_pairs([Block(i, "text", text) for i, text in enumerate(texts)])
    assert [(pair.label, pair.question) for pair in chapter.pairs] == [("1", [1]), ("2", [3]), ("3", [5])]


def test_options_are_no_headings_by_letter():
    texts = [
        "1. Which is a number?",
        "A. a tree",
        "B. seven",
        "2. Which?",
        "A. a hat  B. a cat",
        "3. Find z.",
        "B. one",
    ]
    (chapter,) = find_pairs([Block(i, "text", text) for i, text in enumerate(texts)])
    assert [(pair.label, pair.question) for pair in chapter.pairs] == [("1", [0, 1, 2]), ("2", [3, 4]), ("3", [5, 6])]


def test_the_total_of_a_questions_marks_is_no_part_of_it():
    texts = ["Q1 Find x.", "(3) (Total for Question 1 is 3 marks)", "Q2 Find y.", "(Total for Question 2 is 2 marks)"]
    (chapter,) = find_pairs([Block(i, "text", text) for i, text in enumerate(texts)])
    assert [(pair.label, pair.question) for pair in chapter.pairs] == [("Q1", [0]), ("Q2", [2])]


def test_parts_that_are_each_followed_by_a_solution_are_asked_together():
    texts = [
        "1. A lift moves.",
        "(a) How fast?",
        "Solution: Two.",
        "(b) How far?",
        "It stops.",
        "Solution: Five.",
        "2. Why?",
    ]
    (chapter,) = find_pairs([Block(i, "text", text) for i, text in enumerate(texts)])
    assert [(pair.label, pair.question, pair.solution) for pair in chapter.pairs] == [
        ("1", [0, 1, 3, 4], [2, 5]),
        ("2", [6], []),
    ]


def test_a_solution_in_parts_stays_one():
    texts = ["1. A lift moves.", "(a) How fast?", "(b) How far?", "Solution: (a) Two.", "(b) Five.", "2. Why?"]
    (chapter,) = find_pairs([Block(i, "text", text) for i, text in enumerate(texts)])
    assert [(pair.label, pair.question, pair.solution) for pair in chapter.pairs] == [
        ("1", [0, 1, 2], [3, 4]),
        ("2", [5], []),
    ]


def test_a_heading_over_words_on_its_items_ends_the_solution_before_it_if_one_set_alike_heads_items():
    lines = [
        "# 第一章 概率",
        Block(0, "text", "习题精讲", level=2),
        "1. 求概率。",
        "解 由定义得 1。",
        "2. 求期望。",
        "解 由定义得 2。",
        Block(0, "text", "自测", level=2),
        "以下各题不附解答。",
        "3. 求方差。",
    ]
    assert worked(*lines) == [("1", [2], "", [3]), ("2", [4], "", [5]), ("3", [8], "", [])]


def test_exercises_and_their_solutions_under_one_heading_are_no_answers():
    chapters = [
        ["# 第一章 数", "习题与解答", "1.1 求和。", "解 得 1。", "1.2 求积。", "解 得 2。"],
        ["# 第二章 圆", "习题与解答", "2.1 设半径为 1。", "解 得 3。", "2.2 求弧长。", "解 得 4。"],
    ]
    assert worked(*chapters[0], *chapters[1]) == [
        ("1.1", [2], "", [3]),
        ("1.2", [4], "", [5]),
        ("2.1", [8], "", [9]),
        ("2.2", [10], "", [11]),
    ]


def test_a_formula_alone_behind_the_word_prove_is_asked_if_nothing_else_is():
    assert worked("# 第一章 数", "1. 设 $x>1$。", "证明 $x^2>1$。", "2. 求证 $x>0$。", "证明 $x>1>0$。") == [
        ("1", [1, 2], "", []),
        ("2", [3], "", [4]),
    ]


def test_a_figure_behind_the_common_lead_of_the_first_questions_belongs_to_all_of_them() -> None:
    lead = ("# Cells", "Questions 1 to 3 refer to the drawing of a cell.", picture())
    asked = ("1. Which letter marks the wall?", "2. What is its function?", "3. Which part is green?", "4. Why?")
    assert questions(*lead, *asked) == [([0], [("1", [1, 2, 3]), ("2", [1, 2, 4]), ("3", [1, 2, 5]), ("4", [6])])]


def test_instructions_that_count_up_between_the_questions_are_no_part_of_these() -> None:
    groups = [
        f"{c}、{kind}题：本题共2小题，每小题5分，共10分。" for c, kind in zip("一二", ("选择", "填空"), strict=True)
    ]
    lines = ("# 高一数学试题", groups[0], "1. 求 A？", "2. 求 B？", groups[1], "3. 求 C？", "4. 求 D？")
    assert questions(*lines) == [([0], [("1", [2]), ("2", [3]), ("3", [5]), ("4", [6])])]


def test_an_index_behind_the_answers_is_none_of_them() -> None:
    lines = ("# Sets", "1. Why?", "2. How?", "# Answers", "1. So.", "2. Thus.", "# Index", "answers, 3, 4", "sets, 1")
    assert worked(*lines) == [
        *(("1", [1], "", []), ("2", [2], "", [])),
        *(("1", [], "So", []), ("2", [], "Thus", [])),
    ]
    assert find_kinds(book(*lines), {1, 2, 4, 5})[7] == "front matter"


def test_examples_that_ask_nothing_and_have_no_solution_are_theory() -> None:
    lines = (
        "# Graphs",
        "Example 1. The complete graph has degree n.",
        "1. Find its size.",
        picture(),
        "2. Why is it so?",
    )
    assert questions(*lines) == [([0], [("1", [2, 3]), ("2", [4])])]
    assert find_kinds(book("# Paths", "1. Why?", *lines), {1, 4, 5, 6})[3] == "theory"
    solved = (*lines[:2], "Solution. Count the edges.", lines[2], lines[4])
    assert questions(*solved) == [([0], [("Example 1", [1]), ("1", [3]), ("2", [4])])]


@pytest.mark.parametrize(
    ("lead", "served"),
    [
        ("Die Aufgaben 2 bis 3 beziehen sich auf den Plan.", ["2", "3"]),
        ("Les exercices 2 et 3 portent sur le plan.", ["2", "3"]),
        ("Problems 2, 3 and 4 deal with a ladder of 5 metres.", ["2", "3", "4"]),
        ("Los dos problemas siguientes usan el plano.", ["2", "3"]),
        ("Ladders of 3 and 4 metres are cheap.", []),
        ("Name the next two kings.", []),
    ],
)
def test_a_lead_that_names_the_next_items_is_theirs_with_its_figure_in_any_language(lead, served):
    below = "(a) Give their names." if lead.startswith("Name") else picture()
    found = dict(
        questions("# 1 Plans", "1. What is a plan?", lead, below, "2. Why?", "3. Who?", "4. How?", "5. When?")[0][1]
    )
    assert [label for label, lines in found.items() if 2 in lines and label != "1"] == served
    assert (2 in found["1"]) is not bool(served)


def test_a_lead_of_the_first_items_tells_that_they_are_asked_below_an_example():
    text = ["# 1 Lines", "Example. Solve x - 1 = 2.", "In Exercises 1–3, solve the equation.", "1. 3x = 1", "2. 5x = 2"]
    assert labels(*text, "3. 7x = 3", "# 2 Circles", "1. x + x = 1", "2. x - x = 1")[0][1][-3:] == ["1", "2", "3"]


def test_headings_with_numbers_dressed_as_labels_are_titles_over_other_numbers():
    items = ["1. Add the halves.", "2. Add the thirds.", "3. Add the rest."]
    assert labels("# 1. Sums", *items, "# 2. Maps", *items) == [([0], ["1", "2", "3"]), ([4], ["1", "2", "3"])]
    assert labels("# 1. Add the halves.", "One by one.", "# 2. Add the rest.", "At once.") == [([], ["1", "2"])]


def test_another_word_with_the_number_of_the_item_above_opens_its_solution():
    asked = [f"({n}) Wie hoch ist Turm {n}?" for n in range(1, 5)]
    text = [line for n, question in enumerate(asked, 1) for line in (question, f"Lösung {n} Er misst {7 * n} m.")]
    assert worked(*text) == [(str(n), [2 * n - 2], "", [2 * n - 1]) for n in range(1, 5)]


def test_a_title_at_the_foot_of_a_page_is_no_text():
    foot = placed("Cahier de la table", (50, 940, 200, 950))
    assert questions("# Cahier de la table", "1. Why is it so?", "2. Who is it?", foot)[0][1] == [
        ("1", [1]),
        ("2", [2]),
    ]


def test_questions_behind_the_answers_of_a_chapter_are_told_in_a_dress_that_only_the_book_teaches():
    asked = ["1) What is a mill?", "2) What is a dam?", "3) What is a lock?"]
    told = ["1) It grinds corn.", "2) It holds water.", "3) It lifts boats."]
    ships = ["4) Which ship is old?", "5) Which ship is new?", "6) Which ship is fast?"]
    found = labels("# Chapter 1 Mills", *asked, "# Solutions", *told, "# Chapter 2 Ships", *ships)
    assert found == [([0], ["1", "2", "3"]), ([0], ["1", "2", "3"]), ([8], ["4", "5", "6"])]
