"""LLMOutputParser: a reply's ids become texts and pictures, and what is odd about them is told."""

import pyarrow as pa
import pytest

from dataflow_ext.codec import encode
from operators import LLMOutputParser
from operators.pdf.blocks import Block
from operators.pdf.reply import ReplyChapter, ReplyPair, render

Row = dict[str, object]


def text(*lines: str) -> list[Block]:
    return [Block(n, "text", line, source_ref=str(n)) for n, line in enumerate(lines)]


def chunks(*parts: tuple[list[Block], str], core: tuple[int, int] | None = None) -> pa.Table:
    cores = [core or (blocks[0].id, blocks[-1].id) for blocks, _ in parts]
    return pa.table(
        {
            "row_id": [f"doc.{n}" for n in range(len(parts))],
            "document": ["doc"] * len(parts),
            "chunk": list(range(len(parts))),
            "core": encode(cores, tuple[int, int]),
            "blocks": encode([blocks for blocks, _ in parts], list[Block]),
            "reply": [reply for _, reply in parts],
        }
    )


def parse(blocks: list[Block], *pairs: ReplyPair, title: list[int] | None = None, **more: tuple[int, int]) -> list[Row]:
    reply = render([ReplyChapter(title or [], list(pairs))])
    return LLMOutputParser()(chunks((blocks, reply), **more)).to_pylist()  # type: ignore[arg-type]


def some(row: Row, *names: str) -> tuple[object, ...]:
    return tuple(row[name] for name in names)


def test_a_pair_is_filled_from_the_blocks_that_it_names() -> None:
    blocks = text("第1章 集合", "1. 求值", "A. 1 B. 2", "解：由题意得", "x = 1")
    blocks[1].page, blocks[1].box = 3, (1.0, 2.0, 3.0, 4.0)
    (row,) = parse(blocks, ReplyPair("1", [1, 2], "A", [3, 4], at=1), title=[0])
    place = {"file": 0, "page": 0, "box": None, "image": None}
    assert row == {
        "row_id": "doc.0.0",
        "document": "doc",
        "chunk": 0,
        "item": 0,
        "at": 1,
        "in_core": True,
        "label": "1",
        "file": 0,
        "title_ids": [0],
        "title": "第1章 集合",
        "chapter_block": 0,
        "title_path": ["第1章 集合"],
        "chapter_path": ["第1章 集合"],
        "question_ids": [1, 2],
        "solution_ids": [3, 4],
        "question": "1. 求值\nA. 1 B. 2",
        "answer": "A",
        "solution": "解：由题意得\nx = 1",
        "question_images": [],
        "solution_images": [],
        "evidence": [
            {"role": "question", "id": 1, "source_ref": "1", **place, "page": 3, "box": [1.0, 2.0, 3.0, 4.0]},
            {"role": "question", "id": 2, "source_ref": "2", **place},
            {"role": "solution", "id": 3, "source_ref": "3", **place},
            {"role": "solution", "id": 4, "source_ref": "4", **place},
        ],
        "notes": [],
        "doubts": [],
    }


def test_pictures_stand_in_the_text_as_links_of_names_only_and_in_lists() -> None:
    blocks = [
        Block(0, "text", "1. 如图"),
        Block(1, "image", "", image="/home/me/images/fig.png", caption="第[1]题\n图"),
        Block(2, "table", "", image="C:\\books\\t 1.png"),
        Block(3, "equation", "$x$", image="/home/me/images/e.png"),
        Block(4, "chart", "up", image="c.png"),
        Block(5, "image", "", caption="lost"),
        Block(6, "table", "<table></table>", image="/x/t.png", caption="表 1"),
    ]
    (row,) = parse(blocks, ReplyPair("1", [0, 1, 2, 3], "", [4, 5, 6], at=0))
    assert some(row, "question", "question_images", "solution", "solution_images") == (
        "1. 如图\n![第(1)题 图](vqa_images/fig.png)\n![](vqa_images/t 1.png)\n$x$",
        ["vqa_images/fig.png", "vqa_images/t 1.png"],
        "![](vqa_images/c.png)\nup\nlost\n表 1\n<table></table>",
        ["vqa_images/c.png"],
    )


def test_a_block_of_two_items_is_split_at_their_labels() -> None:
    blocks = text("12. 求值。 13. 化简。", "A. 1", "14. 证明 15. 计算")
    rows = parse(
        blocks,
        ReplyPair("12", [0], at=0),
        ReplyPair("13", [0, 1], at=0),
        ReplyPair("14", [2], at=2),
        ReplyPair("15", [2], at=2),
    )
    assert [r["question"] for r in rows] == ["12. 求值。", "13. 化简。\nA. 1", "14. 证明", "15. 计算"]
    note = "block {} is shared with other items and was split at their labels"
    assert [r["notes"] for r in rows] == [[note.format(i)] for i in (0, 0, 2, 2)]


def test_a_block_whose_labels_are_not_sure_goes_whole_to_each_of_its_items() -> None:
    rows = parse(text("根据下图回答问题"), ReplyPair("1", [0], at=0), ReplyPair("2", [0], at=0))
    assert [some(r, "question", "notes") for r in rows] == [("根据下图回答问题", [])] * 2


def test_a_picture_of_several_items_is_in_each_of_them() -> None:
    blocks = [*text("1. 如图", "2. 如图"), Block(2, "image", "", image="/x/f.png")]
    rows = parse(blocks, ReplyPair("1", [0, 2], at=0), ReplyPair("2", [1, 2], at=1))
    assert [r["question_images"] for r in rows] == [["vqa_images/f.png"]] * 2


def test_a_block_that_ends_the_question_and_starts_the_solution_is_split_at_its_marker() -> None:
    (row,) = parse(
        text("例3 求 x 的值.", "其中 x > 0. 解：由题意得", "x = 2"), ReplyPair("例3", [0, 1], "", [1, 2], at=0)
    )
    assert some(row, "question", "solution", "notes") == (
        "例3 求 x 的值.\n其中 x > 0.",
        "解：由题意得\nx = 2",
        ["block 1 holds question and solution and was split at the solution's marker"],
    )


def test_without_a_sure_marker_question_and_solution_both_keep_the_block() -> None:
    (row,) = parse(text("1. 解方程：x + 1 = 2"), ReplyPair("1", [0], "", [0], at=0))
    assert some(row, "question", "solution", "notes") == ("1. 解方程：x + 1 = 2", "1. 解方程：x + 1 = 2", [])


def test_ids_that_run_backwards_or_leave_blocks_out_are_told_and_not_mended() -> None:
    blocks = text(*"abcdefgh")
    rows = parse(blocks, ReplyPair("1", [2, 1], at=1), ReplyPair("2", [3, 6], "", [4, 6], at=3))
    assert [some(r, "question", "notes") for r in rows] == [
        ("c\nb", ["question ids run backwards: 2, 1"]),
        ("d\ng", ["question ids leave out 4 to 5", "solution ids leave out 5"]),
    ]


def test_page_furniture_between_two_blocks_is_no_gap_and_no_part_of_a_range() -> None:
    blocks = text("1. 求值", "17", "A. 1")
    blocks[1].type, blocks[1].shown = "page_number", False
    reply = "<qa_pair><label>1</label><question>{}</question></qa_pair>"
    for ids in ("0,2", "0-2"):
        (row,) = LLMOutputParser()(chunks((blocks, reply.format(ids)))).to_pylist()
        assert some(row, "question_ids", "question", "notes") == ([0, 2], "1. 求值\nA. 1", [])


def test_unknown_ids_are_left_out_and_noted() -> None:
    (row,) = parse(text("1. 求值"), ReplyPair("1", [0, 7], "", [-1], at=0))
    assert some(row, "question_ids", "solution_ids", "notes") == (
        [0],
        [],
        ["question names block 7, which does not exist", "solution names block -1, which does not exist"],
    )


def test_a_pair_without_a_start_starts_at_its_first_block_or_where_the_one_before_did() -> None:
    rows = parse(
        text(*"abcdef"),
        ReplyPair("0", answer="A"),
        ReplyPair("1", [3, 2]),
        ReplyPair("2", answer="B"),
        ReplyPair("3", [], "", [5]),
        ReplyPair("4", [5], at=4),
        ReplyPair("5", [3], at=99),
    )
    assert [r["at"] for r in rows] == [0, 3, 3, 5, 4, 3]


def test_short_answers_have_the_block_where_they_stand_as_evidence() -> None:
    rows = parse(text("答案", "1~2 CA"), ReplyPair("1", answer="C", at=1), ReplyPair("2", answer="A", at=1))
    assert [[(e["role"], e["id"]) for e in r["evidence"]] for r in rows] == [[("answer", 1)]] * 2  # type: ignore[attr-defined]


def test_items_that_start_outside_the_core_are_marked() -> None:
    pairs = [ReplyPair(str(n), [n], at=n) for n in range(6)]
    assert [r["in_core"] for r in parse(text(*"abcdef"), *pairs, core=(2, 4))] == [
        False,
        False,
        True,
        True,
        True,
        False,
    ]


def test_an_items_file_is_that_of_the_block_where_it_starts() -> None:
    blocks = text("1. 求值", "1. A")
    blocks[1].file = 1
    rows = parse(blocks, ReplyPair("1", [0], at=0), ReplyPair("1", answer="A", at=1))
    assert [r["file"] for r in rows] == [0, 1]


def test_a_title_of_two_blocks_is_one_line() -> None:
    (row,) = parse(text(" 第1章 ", "集合 ", "1. a"), ReplyPair("1", [2], at=2), title=[0, 1])
    assert some(row, "title_ids", "title") == ([0, 1], "第1章 集合")


def test_a_reply_that_cannot_be_read_rejects_its_chunk_alone_and_keeps_the_reply() -> None:
    good = render([ReplyChapter([], [ReplyPair("1", [0], at=0)])])
    done = LLMOutputParser().apply(chunks((text("1. a"), "I am sorry."), (text("1. b"), good), (text("c"), "<empty/>")))
    assert [(r["row_id"], r["question"]) for r in done.table.to_pylist()] == [("doc.1.0", "1. b")]
    rejects = [some(r, "row_id", "kind", "error", "message") for r in done.rejects.to_pylist()]
    assert rejects == [
        ("doc.0", "failed", "UnreadableReply", "the reply has none of the tags that were asked for"),
        ("doc.2", "empty", "Empty", "blocks 0 to 0: no question, example or answer among them"),
    ]
    assert "I am sorry." in done.rejects["inputs"][0].as_py()


def test_a_chunk_knows_its_own_blocks_only() -> None:
    one = render([ReplyChapter([], [ReplyPair("1", [0, 5], at=0)])])
    five = [Block(5, "text", "2. b")]
    two = render([ReplyChapter([], [ReplyPair("2", [5, 0], at=5)])])
    rows = LLMOutputParser()(chunks((text("1. a"), one), (five, two))).to_pylist()
    assert [some(r, "question", "notes") for r in rows] == [
        ("1. a", ["question names block 5, which does not exist"]),
        ("2. b", ["question names block 0, which does not exist"]),
    ]


@pytest.mark.parametrize("answer", ["x < 3 && y > 4", r"$\frac{1}{2}$", '"A" & <b>', "第一行\n第二行"])
def test_a_short_answer_comes_through_as_it_was(answer: str) -> None:
    (row,) = parse(text("1. a"), ReplyPair("1", [0], answer, at=0))
    assert row["answer"] == answer


def test_a_formula_that_is_there_as_a_picture_only_makes_its_row_one_to_check() -> None:
    blocks = text("1. Solve [formula] for x.", "", "2. Add.")
    blocks[1].type, blocks[1].image = "equation", "/x/eq.png"
    blocks[1].caption = "Kept as a picture: it ends in a relation."
    one, two = parse(blocks, ReplyPair("1", [0, 1], "", []), ReplyPair("2", [2], "", []))
    assert one["doubts"] == ["a formula of it is a picture: it ends in a relation"]
    assert two["doubts"] == []
