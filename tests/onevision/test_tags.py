"""The lenient scanner of the four tags."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.onevision.sources.tags import NAMES, tagged

CLEAN = "<SUMMARY>s</SUMMARY>\n\n<CAPTION>c</CAPTION>\n\n<REASONING>r</REASONING>\n\n<CONCLUSION>A</CONCLUSION>"
BLOCKS = {"SUMMARY": "s", "CAPTION": "c", "REASONING": "r", "CONCLUSION": "A"}


def test_a_clean_answer_gives_its_blocks_and_nothing_to_note() -> None:
    found = tagged(CLEAN)
    assert (found.blocks, found.outside, found.notes, found.tags) == (BLOCKS, "", (), 8)


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        (
            "<SUMMARY>s<CAPTION>c<REASONING>r<CONCLUSION>A",
            tuple(f"<{name}> was not closed" for name in NAMES),
        ),
        (
            "<SUMMARY>s<SUMMARY><CAPTION>c<CAPTION><REASONING>r<REASONING><CONCLUSION>A<CONCLUSION>",
            tuple(f"the end tag of <{name}> had no slash" for name in NAMES),
        ),
        (CLEAN.lower().replace(">a<", ">A<"), ("a tag was not in capitals",)),
        (CLEAN.replace("<CAPTION>", "< Caption >"), ("a tag was not in capitals", "a tag held spaces")),
        (CLEAN.replace("<", "＜").replace(">", "＞"), ()),
        (CLEAN.replace("</REASONING>", "<\\REASONING>"), ()),
        (CLEAN.replace("<REASONING>", "<REASONING><REASONING>"), ("<REASONING> was opened twice",)),
        (CLEAN.replace("<CONCLUSION>", "</CONCLUSION>"), ("the opening tag of <CONCLUSION> had a slash",)),
        (CLEAN.removeprefix("<SUMMARY>"), ("<SUMMARY> was not opened",)),
        (CLEAN.removesuffix(">"), ()),
        (CLEAN + "</CAPTION>", ("an end tag </CAPTION> had no block",)),
    ],
)
def test_a_careless_answer_gives_the_same_blocks_and_tells_what_was_mended(text: str, notes: tuple[str, ...]) -> None:
    found = tagged(text)
    assert (found.blocks, found.outside, found.notes) == (BLOCKS, "", notes)


def test_doubled_blocks_are_joined_but_the_last_conclusion_counts() -> None:
    found = tagged(
        "<REASONING>a</REASONING><REASONING>b</REASONING><REASONING>a</REASONING>"
        "<CONCLUSION>A</CONCLUSION><CONCLUSION>B</CONCLUSION><CONCLUSION> </CONCLUSION>"
    )
    assert found.blocks == {"SUMMARY": "", "CAPTION": "", "REASONING": "a\n\nb", "CONCLUSION": "B"}
    assert found.notes == ("<REASONING> was there 3 times", "<CONCLUSION> was there 3 times")


def test_text_outside_of_the_tags_is_kept_apart_and_noted() -> None:
    found = tagged(f"Well. {CLEAN} So it is A.")
    assert (found.blocks, found.outside) == (BLOCKS, "Well.\nSo it is A.")
    assert found.notes == ("17 characters stood outside of the tags",)


def test_a_block_within_another_is_taken_out_of_it() -> None:
    found = tagged("<SUMMARY>s <CAPTION>c</CAPTION> t</SUMMARY>")
    assert found.blocks == {"SUMMARY": "s t", "CAPTION": "c", "REASONING": "", "CONCLUSION": ""}
    assert found.notes == ("<CAPTION> stood within <SUMMARY>",)


def test_html_and_comparisons_are_left_alone() -> None:
    text = "x<y, y > z, <b>bold</b>, <table><caption>Sales</caption></table>"
    found = tagged(CLEAN.replace(">r<", f">{text}<"))
    assert (found.blocks, found.notes) == ({**BLOCKS, "REASONING": text}, ())


def test_a_text_without_tags_is_all_outside() -> None:
    found = tagged("In summary, x<y.")
    assert (found.outside, found.tags, found.notes) == ("In summary, x<y.", 0, ())
    assert tagged("").blocks == dict.fromkeys(NAMES, "")


@pytest.mark.parametrize(
    "text",
    ["<" * 1_000_000, "<SUMMARY" + " " * 1_000_000, "<SUMMARY>" * 100_000, "</CAPTION>" * 100_000, "<SUMMARY>a<CAPTION>" * 50_000],
    ids=["brackets", "spaces", "openings", "endings", "unclosed"],
)  # fmt: skip
def test_a_hostile_megabyte_takes_no_time(text: str) -> None:
    took = []
    for _ in range(3):  # of which a busy machine may slow down some
        start = time.process_time()
        tagged(text)
        took.append(time.process_time() - start)
    assert min(took) < 0.05


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(["<", ">", "/", " ", "a", "İ", "图", *NAMES, *(f"<{n}>" for n in NAMES), *(f"</{n}>" for n in NAMES)])).map("".join))  # fmt: skip
def test_whatever_the_text_no_word_of_it_is_lost_or_doubled(text: str) -> None:
    found = tagged(text)
    kept = found.outside + "".join(found.blocks.values())
    if not any("times" in note for note in found.notes):
        assert kept.count("a") == text.count("a")
        assert kept.count("图") == text.count("图")
