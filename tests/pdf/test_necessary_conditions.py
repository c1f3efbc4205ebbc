"""What spares the rules a question: where it says no, the rule says no."""

from __future__ import annotations

import re
from contextlib import suppress
from operator import itemgetter

from hypothesis import given
from hypothesis import strategies as st
from pytest import MonkeyPatch

from operators.pdf.blocks import Block
from operators.pdf.numbering import dress, item_label, title_ranks, titles
from operators.pdf.numbering.label_words import in_any_case, words
from operators.pdf.reply import UnreadableReply, check_reply, read_reply
from operators.pdf.rules import captions, instructions, keys, lines
from operators.pdf.rules.accepted_labels import _ROW_OF_NUMBERS
from operators.pdf.rules.chapters import Chapter
from operators.pdf.rules.contents import _name, _pages_of_names, _place
from operators.pdf.rules.fit import _stood_before
from operators.pdf.rules.lines import _CLOSING, _OPENING, _TOTAL, Kind, Zone, _may_be_part, page_turns, read_lines
from operators.pdf.rules.words import PAPER, PART

POINTED = st.sampled_from(
    [
        *"1209１.．、:)）(（]】?？* \u3000\xa0AB-%xⅣ图卷题号为是第例",
        "12.",
        "3. ",
        "5、",
        "(A) ",
        "（B）",
        "2025",
        "Find",
        "（　）",
        "Total marks 3",
    ]
)
TYPES = st.sampled_from(("text", "text", "text", "list_item", "header", "page_number", "image", "table"))
TOPS = st.sampled_from((None, 20.0, 70.0, 400.0, 950.0))
HEADS = ("【注意事项】", "考生须知", "General instructions", "Important information", "Directions", "Advice", "Rubric:")
CASES = st.sampled_from((str.upper, str.lower, str))
PAPER_WORDS = ("marks", "exam", "booklet", "working", "answer", "sheet", "your", "answers", "black", "ink", "pen")
NAMES = st.sampled_from(("1 Sets", "2 Maps", "3 Limits", "Sets", "Maps", "Limits", "7", "Why?"))
WORDS = st.sampled_from(("answer ", "sheet", "[2 marks]", "[3 marks]", "试", "卷", "（8分）", "x", "考(1)生"))
PARTS = st.sampled_from(
    [*"（(【[]】)）AIVx1组一二、. 题", "选择", "填空", "基础", "训练", "练习", "Part ", "Exercises", "\n"]
)
TAGS = st.sampled_from(
    [
        "<chapter>",
        "<title>1</title>",
        "<title></title>",
        "<qa_pair>",
        "<label>1</label>",
        "<label>\n</label>",
        "<question>1,2</question>",
        "<question></question>",
        "<answer></answer>",
        "<solution></solution>",
        "</qa_pair>",
        "</chapter>",
        "<empty></empty>",
        "<!DOCTYPE",
        "words",
    ]
)


@given(st.lists(st.lists(WORDS, max_size=5).map("".join), max_size=6))
def test_lines_that_do_not_speak_of_the_paper_do_not_do_so_without_their_stamps(texts):
    assert not instructions._most_speak(instructions._unstamped(texts)) or instructions._most_speak(texts)


@given(st.lists(st.tuples(NAMES, st.sampled_from((None, None, 1)), st.integers(0, 3)), max_size=14))
def test_a_page_of_names_is_one_by_all_of_its_lines(drawn):
    blocks = [Block(i, "text", text, level, page) for i, (text, level, page) in enumerate(drawn)]
    lines = read_lines(sorted(blocks, key=lambda block: block.page))
    pages = []
    for page in sorted({block.page for block in blocks}):
        shown = [i for i, line in enumerate(lines) if line.block.page == page and line.kind is not Kind.HIDDEN]
        later = iter([_name(x) for x in lines if x.kind in (Kind.TITLE, Kind.HEADING) and _place(x) > (0, page)])
        names = [_name(lines[i]) for i in shown[1:]]
        zone = len(names) > 1 and lines[shown[1]].zone is Zone.BODY
        if zone and all(names) and all(name in later for name in names):
            pages.append((shown[1], shown[-1] + 1))
    assert list(_pages_of_names(lines, page_turns(lines))) == pages


@given(st.text("卷题真试模拟检测12 .．(（）)一Totalforis marks[]", max_size=24))
def test_a_paper_and_a_total_are_known_by_their_signs(text):
    if PAPER.match(text):
        assert "卷" in text or "题" in text
    if _TOTAL.fullmatch(text):
        assert text[0] in _OPENING and text[-1] in _CLOSING


@given(st.sampled_from("(（"), st.sampled_from("ABCDEFGH"), st.sampled_from(")）"), st.text("1 .)（IVXA题", max_size=8))
def test_the_letter_of_an_option_is_no_number(opening, letter, closing, rest):
    text = f"{opening}{letter}{closing}{rest}"
    assert dress._is_option(text)
    assert not dress._MARK.match(text) and not dress._ORDINAL.match(text)


@given(
    st.lists(
        st.sampled_from([*"第图题()（）甲①3 -", "例", "Figure ", "for ", "question", "to ", "习题"]), max_size=6
    ).map("".join)
)
def test_a_caption_has_a_number(text):
    named = captions._FOR_ITEMS, captions._FOR_ITEMS_EN
    told = any(form.fullmatch(text) for form in named) or captions._NAMED.match(text)
    assert captions._COUNTED.search(text) or not told


@given(st.lists(PARTS, max_size=4).map("".join))
def test_no_part_has_a_letter_behind_its_bracket(text):
    assert _may_be_part(text) or not PART.fullmatch(text)


@given(st.text("。；:：,，_ aA?\n1", max_size=8))
def test_prose_is_told_by_the_first_of_its_signs(text):
    found = re.search(r"[。；;？?！!，]|[:：]$|,(?!\s?[A-Za-z])|_{3,}", text)
    assert (found and found.start()) == ((prose := title_ranks._PROSE.search(text)) and prose.start())


@given(st.lists(st.sampled_from(["1 B", "2. C", "3 D", "12 A", "３ Ｂ", "4) x", ", ", " "]), max_size=8).map("".join))
def test_a_key_of_the_numbers_above_it_holds_the_first_and_the_last_of_them(text):
    numbers = [label.number for label in keys.key_labels(text, ".)")]
    assert len(numbers) < 3 or keys._answers_all(text, numbers, ".)")


@given(st.text("12 34.、x\n", max_size=14))
def test_rows_of_numbers_begin_behind_no_digit(text):
    found = re.search(r"(?<!\d)\d{1,3}[.．、]?\s+\d{1,3}(?!\d)", text)
    assert (found and found.span()) == ((row := _ROW_OF_NUMBERS.search(text)) and row.span())


@given(st.lists(TAGS, max_size=12).map("".join))
def test_a_reply_is_checked_as_it_is_read(text):
    told = []
    for read in (check_reply, lambda reply: read_reply(reply, frozenset({1, 2}))):
        with suppress(UnreadableReply):
            read(text)
            told.append(read)
    assert len(told) != 1


WORDED = words("answer", "example", "question", "task", "told", "heading")
ALL_FORMS = re.compile(f"(?i:{'|'.join(WORDED)})")
BY_INITIALS = re.compile(in_any_case(WORDED))
SIGNS = "第三章单元测试专题一期中综合复习练课习题作业压轴卷目答案解析详()（）１２3.4 -§IVX…"
TITLED = st.sampled_from(
    ["Chapter ", "section ", "Test", "answers", "ANSWER KEY", "\u212aey to ", "ſolutions", "problems", *SIGNS, *WORDED]
) | st.sampled_from(["课时", "第2课时", "考题精选", "x", "A", "wavy", "解答", ". . . 12"])


@given(st.lists(TITLED, max_size=3).map("".join), st.sampled_from((str, str.upper, str.lower, str.title)))
def test_words_by_their_initials_are_the_words_in_any_case(text, case):
    found, same = BY_INITIALS.match(case(text)), ALL_FORMS.match(case(text))
    assert (found and found.span()) == (same and same.span())


def test_each_form_of_an_initial_is_known():
    for word in {word[0] for word in WORDED}:
        either, own = re.compile(f"(?i:{word})"), re.compile(in_any_case([word]))
        assert [sign for sign in map(chr, range(0x3000)) if bool(either.match(sign)) is not bool(own.match(sign))] == []


@given(st.lists(TITLED, max_size=5).map("".join))
def test_what_reads_like_no_title_has_no_rank(text):
    line = " ".join(text.split()).strip(" #*")
    assert not line or title_ranks._may_rank(line) or title_ranks._rank(line) is None


@given(st.lists(TITLED, max_size=6).map("".join))
def test_answers_parts_and_pages_are_looked_for_where_they_can_be(text):
    line = " ".join(text.split())
    assert titles._MAY_ANSWER.search(line) or not titles._ANSWERS.search(line)
    assert line.endswith(titles._PART_ENDS) or not titles._PART.search(line)
    assert line[-1:].isdecimal() or not titles.PAGE.search(line)


@given(st.lists(st.tuples(st.text("a1 ", max_size=4), st.integers(0, 2)), max_size=12), st.text("a1 ", max_size=3))
def test_a_title_stood_before_if_it_begins_any_of_another_chapter(drawn, title):
    chapters = [Chapter([n]) for n in range(3)]
    before = sorted(((words, chapters[n]) for words, n in drawn if words), key=itemgetter(0))
    stood = any(chapter is not chapters[0] and titles.begins_title(title, words) for words, chapter in before)
    assert _stood_before(title, chapters[0], before) is stood


@given(st.lists(POINTED, max_size=5).map("".join))
def test_a_number_and_a_point_are_read_as_the_patterns_of_labels_and_marks_read_them(text):
    pointed = dress.read_pointed(text)
    assert pointed is None or pointed == (item_label(text), dress.read_mark(text))


@given(st.lists(st.tuples(st.lists(POINTED, max_size=5).map("".join), TYPES, st.booleans(), TOPS), max_size=12))
def test_options_and_pointed_numbers_make_the_lines_that_all_rules_make(drawn):
    blocks = [
        Block(i, kind, text, page=i // 4, box=top and (60.0, top, 900.0, top + 20), shown=shown)
        for i, (text, kind, shown, top) in enumerate(drawn)
    ]
    read = read_lines(blocks)
    with MonkeyPatch.context() as patch:
        patch.setattr(lines, "OPTIONS", frozenset())
        patch.setattr(lines, "read_pointed", lambda text: None)
        assert read == read_lines(blocks)


@given(st.sampled_from(HEADS), CASES)
def test_the_first_sign_of_a_heading_of_instructions_is_known(head, case):
    assert instructions._HEAD.match(case(head))
    assert case(head).lstrip("【[(（")[:1] in instructions._HEAD_STARTS


@given(st.lists(st.sampled_from([*PAPER_WORDS, "(1)", "x", "3", "，"]), max_size=4), st.sampled_from(" \n$"), CASES)
def test_what_speaks_of_a_paper_has_four_letters_in_a_row(said, sign, case):
    text = case(sign.join(said))
    assert not instructions._OF_A_PAPER.search(text) or instructions._FOUR_LETTERS.search(text)
    text = text.translate({ord("k"): "\u212a", ord("s"): "ſ", ord("i"): "ı"})
    assert not instructions._OF_A_PAPER.search(text) or instructions._FOUR_LETTERS.search(text)
