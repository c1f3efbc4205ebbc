"""What spares the rules a question: where it says no, the rule says no."""

from __future__ import annotations

import re
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from operators.pdf.blocks import Block
from operators.pdf.reply_reader import UnreadableReply, check_reply, read_reply
from operators.pdf.rules import instructions
from operators.pdf.rules.contents import _name, _pages_of_names, _place
from operators.pdf.rules.lines import _CLOSING, _OPENING, _TOTAL, Kind, Zone, read_lines
from operators.pdf.rules.runs import _ROW_OF_NUMBERS
from operators.pdf.rules.words import PAPER

NAMES = st.sampled_from(("1 Sets", "2 Maps", "3 Limits", "Sets", "Maps", "Limits", "7", "Why?"))
WORDS = st.sampled_from(("answer ", "sheet", "[2 marks]", "[3 marks]", "试", "卷", "（8分）", "x", "考(1)生"))
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
    assert list(_pages_of_names(lines)) == pages


@given(st.text("卷题真试模拟检测12 .．(（）)一Totalforis marks[]", max_size=24))
def test_a_paper_and_a_total_are_known_by_their_signs(text):
    if PAPER.match(text):
        assert "卷" in text or "题" in text
    if _TOTAL.fullmatch(text):
        assert text[0] in _OPENING and text[-1] in _CLOSING


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
