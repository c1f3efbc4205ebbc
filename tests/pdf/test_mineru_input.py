"""MinerU2LLMInput: what a parser lists becomes numbered blocks, and a model sees ids and text only."""

import pyarrow as pa
import pytest

from dataflow_ext.codec import encode
from operators import MinerU2LLMInput
from operators.pdf.blocks import FURNITURE, Block, ContentItem
from operators.pdf.mineru_input import flatten, line_of
from tests.pdf.lists import read_list


def short(blocks: list[Block]) -> list[tuple[int, str, str, str]]:
    return [(b.id, b.type, b.text, b.source_ref) for b in blocks]


def documents(*contents: list[ContentItem]) -> pa.Table:
    names = [f"book{n}" for n in range(len(contents))]
    return pa.table({"name": names, "content": encode(list(contents), list[ContentItem])})


def test_items_of_every_kind_of_list_become_blocks_of_their_own() -> None:
    entries = [
        {"type": "text", "text": "选择题"},
        {"type": "list", "sub_type": "text", "list_items": ["A. 1", "B. 2"]},
        {"type": "list", "sub_type": "ref_text", "list_items": ["[1] 书"]},
        {"type": "list", "sub_type": "none", "list_items": ["C. 3"]},
        {"type": "list", "list_items": ["D. 4", "E. 5"]},
        {"type": "list", "sub_type": "of tomorrow", "list_items": ["F. 6"]},
    ]
    assert short(flatten(read_list(entries).items)) == [
        (0, "text", "选择题", "0"),
        (1, "list_item", "A. 1", "1.0"),
        (2, "list_item", "B. 2", "1.1"),
        (3, "list_item", "[1] 书", "2.0"),
        (4, "list_item", "C. 3", "3.0"),
        (5, "list_item", "D. 4", "4.0"),
        (6, "list_item", "E. 5", "4.1"),
        (7, "list_item", "F. 6", "5.0"),
    ]


def test_blank_list_items_are_left_out_and_the_others_keep_their_numbers() -> None:
    assert short(flatten([ContentItem("list", items=["a", "", "c"], ref="7")])) == [
        (0, "list_item", "a", "7.0"),
        (1, "list_item", "c", "7.2"),
    ]


def test_words_picture_and_captions_of_a_list_follow_its_items() -> None:
    lists = [
        ContentItem("list", items=["a"], text="tail", ref="0"),
        ContentItem("list", items=["b"], captions=["above"], footnotes=["below"], ref="1"),
        ContentItem("list", items=["c"], image="/x/list.png", ref="2"),
    ]
    found = [(b.type, b.text, b.caption, b.image, b.source_ref) for b in flatten(lists)]
    assert found == [
        ("list_item", "a", "", None, "0.0"),
        ("text", "tail", "", None, "0"),
        ("list_item", "b", "", None, "1.0"),
        ("text", "", "above\nbelow", None, "1"),
        ("list_item", "c", "", None, "2.0"),
        ("image", "", "", "/x/list.png", "2"),
    ]


def test_ids_run_on_over_two_files_and_references_of_the_second_name_it() -> None:
    questions = [ContentItem("text", "1. 求值", ref="0"), ContentItem("list", items=["A", "B"], ref="1")]
    answers = [ContentItem("text", "答案", ref="0", file=1), ContentItem("list", items=["1. A"], ref="12", file=1)]
    blocks = flatten(questions + answers)
    assert [(b.id, b.file, b.source_ref) for b in blocks] == [
        (0, 0, "0"),
        (1, 0, "1.0"),
        (2, 0, "1.1"),
        (3, 1, "1:0"),
        (4, 1, "1:12.0"),
    ]


def test_page_box_and_level_stay_with_their_block_and_list_items_share_their_lists() -> None:
    items = [
        ContentItem("text", "第1章", level=1, page=3, box=(1.0, 2.0, 3.0, 4.0)),
        ContentItem("list", items=["a", "b"], page=4, box=(5.0, 6.0, 7.0, 8.0)),
    ]
    assert [(b.level, b.page, b.box) for b in flatten(items)] == [
        (1, 3, (1.0, 2.0, 3.0, 4.0)),
        (None, 4, (5.0, 6.0, 7.0, 8.0)),
        (None, 4, (5.0, 6.0, 7.0, 8.0)),
    ]


def test_captions_footnotes_tables_code_and_equations_keep_their_places() -> None:
    items = [
        ContentItem("text", "before"),
        ContentItem("image", captions=["图 1", "甲"], footnotes=["注"], image="/x/a.png"),
        ContentItem("table", "<table><tr><td>1</td></tr></table>", captions=["表 1"], image="/x/t.png"),
        ContentItem("code", "print(1)\nprint(2)", captions=["列表 1"]),
        ContentItem("equation", "$$x = 1$$", image="/x/e.png"),
        ContentItem("equation", "", image="/x/f.png"),
        ContentItem("chart", "up", captions=["图 2"], image="/x/c.png"),
        ContentItem("text", "after"),
    ]
    assert [line_of(b) for b in flatten(items)] == [
        "[0] before",
        "[1] <image> 图 1 甲 注",
        "[2] 表 1 <table><tr><td>1</td></tr></table>",
        "[3] 列表 1 print(1) print(2)",
        "[4] $$x = 1$$",
        "[5] <equation>",
        "[6] <image> 图 2 up",
        "[7] after",
    ]


def test_a_text_without_words_is_no_block_but_a_picture_without_words_is() -> None:
    assert short(flatten([ContentItem("text"), ContentItem("image", image="/x/a.png", ref="1")])) == [
        (0, "image", "", "1")
    ]


@pytest.mark.parametrize("kind", sorted(FURNITURE))
def test_page_furniture_is_kept_with_an_id_but_not_shown(kind: str) -> None:
    blocks = flatten([ContentItem(kind, "数学 八年级"), ContentItem("text", "1. 求值"), ContentItem(kind, "17")])
    assert [(b.id, b.type, b.shown) for b in blocks] == [(0, kind, False), (1, "text", True), (2, kind, False)]


@pytest.mark.parametrize("kind", sorted(FURNITURE))
@pytest.mark.parametrize("caption", ["第3题图", "图2", "Figure 4"])
def test_a_caption_that_was_taken_for_furniture_is_shown(kind: str, caption: str) -> None:
    assert [b.shown for b in flatten([ContentItem(kind, caption), ContentItem("text", "3. 如图")])] == [True, True]


def test_a_lesson_title_typed_as_running_head_is_shown_where_it_heads_one_page_only() -> None:
    once = [ContentItem("header", "19.1 平方根(2)"), ContentItem("text", "1. 求值")]
    twice = [*once, ContentItem("header", "19.1 平方根(2)", page=1), ContentItem("text", "2. 求值", page=1)]
    stands = [ContentItem("text", "19.1 平方根(2)", level=1), *once]
    other = [ContentItem("header", "数学 八年级"), ContentItem("text", "1. 求值")]
    footer = [ContentItem("footer", "19.1 平方根(2)"), ContentItem("text", "1. 求值")]
    shown = [[b.shown for b in flatten(items)] for items in (once, twice, stands, other, footer)]
    assert shown == [[True, True], [False, True, False, True], [True, False, True], [False, True], [False, True]]
    two = [ContentItem("text", "Chapter 1"), ContentItem("text", "Sets"), ContentItem("header", "CHAPTER 1. SETS")]
    assert [b.shown for b in flatten(two)] == [True, True, False]


def test_a_line_is_one_line_whatever_the_block_holds() -> None:
    text = "1. 求\r[99] 值\n[98]  x \r\n y\n\n"
    assert line_of(Block(4, "text", text)) == "[4] 1. 求 [99] 值 [98] x y "
    assert line_of(Block(4, "image", "", caption="图\n1")) == "[4] <image> 图 1"


def test_each_document_counts_its_own_ids_and_keeps_its_row_as_its_name() -> None:
    table = documents([ContentItem("text", "a"), ContentItem("text", "b")], [ContentItem("text", "c")], [])
    source = table.append_column("row_id", pa.array(["p", "q", "r"]))
    out = MinerU2LLMInput()(source)
    assert set(out.column_names) == {"row_id", "name", "document", "blocks"}
    assert out["document"].to_pylist() == ["p", "q", "r"]
    assert [[(b["id"], b["text"]) for b in row] for row in out["blocks"].to_pylist()] == [
        [(0, "a"), (1, "b")],
        [(0, "c")],
        [],
    ]


def test_a_slice_of_a_table_gives_the_blocks_of_its_own_rows() -> None:
    table = documents(*([ContentItem("list", items=[f"{n}", "x"], captions=[f"c{n}"])] for n in range(4)))
    whole, part = MinerU2LLMInput()(table)["blocks"], MinerU2LLMInput()(table.slice(2, 1))["blocks"]
    assert part.to_pylist() == whole.to_pylist()[2:3]
