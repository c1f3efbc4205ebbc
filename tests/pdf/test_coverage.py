"""What became of every block of a document: in a row, a heading, told matter, or unread text."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest

from dataflow_ext import run
from dataflow_ext.codec import encode
from dataflow_ext.models import Reply, Request, ScriptedModel
from operators import ChunkedPromptedGenerator, LLMOutputParser, MinerU2LLMInput, PDFRules, QA_Merger
from operators.pdf.blocks import Block, ContentItem
from operators.pdf.coverage import Coverage, cover
from operators.pdf.rules import find_kinds
from tests.pdf.rules_book import book

BOOK = (
    "# 数学七年级",
    "张老师 编",
    "目录",
    "第1章 圆 …… 2",
    "1.1 弧 …… 2",
    "1.2 弦 …… 5",
    "第2章 数 …… 9",
    "---",
    "~ 数学七年级",
    "第1章 圆",
    "圆是平面上到一点距离相等的点的全体。",
    "定理1 直径所对的圆周角是直角。",
    "证明 由圆周角的性质可得。",
    "# 知识要点",
    "1. 圆有无数条直径。",
    "1.1 弧",
    "本大题共2小题，每小题5分",
    "1. 求弧长？",
    "(5分)",
    "2. 求半径？",
    "# 参考答案",
    "1. 6",
    "2. 7",
)


def kinds(*lines: str | Block, rows: tuple[str, ...] = ()) -> dict[str, str]:
    """The kinds of a book's lines by their words, if rows hold those that begin so."""
    blocks = book(*lines)
    used = {block.id for block in blocks if rows and block.text.startswith(rows)}
    return {blocks[i].text: kind for i, kind in find_kinds(blocks, used).items()}


def test_every_block_that_no_row_holds_has_the_kind_that_a_rule_gives_it() -> None:
    found = kinds(*BOOK, rows=("1. 求", "2. 求", "1. 6", "2. 7"))
    assert found == {
        "数学七年级": "furniture",
        "张老师 编": "front matter",
        "目录": "contents",
        "第1章 圆 …… 2": "contents",
        "1.1 弧 …… 2": "contents",
        "1.2 弦 …… 5": "contents",
        "第2章 数 …… 9": "contents",
        "第1章 圆": "heading",
        "圆是平面上到一点距离相等的点的全体。": "theory",
        "定理1 直径所对的圆周角是直角。": "theory",
        "证明 由圆周角的性质可得。": "theory",
        "知识要点": "heading",
        "1. 圆有无数条直径。": "summary",
        "1.1 弧": "heading",
        "本大题共2小题，每小题5分": "instructions",
        "(5分)": "furniture",
        "参考答案": "heading",
    }


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Answer all questions in the spaces provided.", "instructions"),
        ("Time allowed: two hours", "instructions"),
        ("Name: ____ Student number: ____", "instructions"),
        ("考试时间120分钟，满分150分", "instructions"),
        ("Definition 1.1. A set is a collection.", "theory"),
        ("© 2020 A. Teacher. All rights reserved.", "credits"),
        ("[5 marks]", "furniture"),
        ("3. Find x.", "unread"),
        ("Where does the line meet the circle?", "unread"),
        ("A. 3", "unread"),
        ("(2) Prove the converse.", "unread"),
        ("解：由题意得", "unread"),
        ("x = 3", "unread"),
    ],
)
def test_what_a_text_says_of_itself_behind_a_heading(text: str, kind: str) -> None:
    assert kinds("Chapter 1 Sets", text)[text] == kind


def test_prose_is_theory_behind_a_heading_only_and_never_where_a_solution_was_opened() -> None:
    prose = "Every bounded sequence has a limit point."
    assert kinds("Chapter 1 Sets", prose)[prose] == "theory"
    assert kinds("Chapter 1 Sets", "1. Find x.", prose, rows=("1.",))[prose] == "unread"
    assert kinds("Chapter 1 Sets", "# Proof", prose)[prose] == "unread"
    assert kinds("Chapter 1 Sets", "1. Find x.", "# Answers", "1. Six", prose, rows=("1.",))[prose] == "unread"


def covered(texts: tuple[str, ...], model: object, max_chunk_tokens: int = 1_000_000) -> Coverage:
    content = [ContentItem("text", text, page=n // 4, box=(1.0, 2.0, 3.0, 4.0)) for n, text in enumerate(texts)]
    table = pa.table({"name": ["book"], "content": encode([content], list[ContentItem])})
    generator = ChunkedPromptedGenerator(model=model, max_chunk_tokens=max_chunk_tokens)  # type: ignore[arg-type]
    result = run([MinerU2LLMInput(), generator, LLMOutputParser(), QA_Merger()], table)
    return cover(result.after(1), result.after(3), result.table, result.rejects)


TEXTS = ("Chapter 1 Sets", "1. Why?", "2. How?", "See the appendix.", "x = 3")


def test_the_share_that_is_unread_is_told_and_unread_texts_are_rejects_with_page_and_box(tmp_path: Path) -> None:
    def ask(_: Request) -> Reply:
        return Reply(
            text="<chapter><title>0</title><qa_pair><label>1</label><question>1</question></qa_pair></chapter>"
        )

    found = covered(TEXTS, ScriptedModel(ask))
    assert found.to_dict() == {
        "letters": 36,
        "unread": 0.5556,
        "shares": {"unread": 0.5556, "heading": 0.3333, "rows": 0.1111},
    }
    assert str(found) == "33.3% headings, 11.1% in rows, 55.6% unread (3 places, see the rejects)"
    rejects = found.rejects().to_pylist()
    assert [(r["error"], r["message"]) for r in rejects] == [
        ("UnreadText", "unread text on page 1: 2. How?"),
        ("UnreadText", "unread text on page 1: See the appendix."),
        ("UnreadText", "unread text on page 2: x = 3"),
    ]
    assert json.loads(rejects[2]["inputs"]) == {
        "name": "book",
        "document": found.records[0]["document"],
        "kind": "unread",
        "file": 0,
        "page": 1,
        "box": [1.0, 2.0, 3.0, 4.0],
        "text": "x = 3",
        "id": 4,
        "source_ref": "",
    }
    lines = found.write(tmp_path).read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == found.records


def test_chunks_that_failed_are_rejects_already_and_are_not_told_twice() -> None:
    def fail(_: Request) -> Reply:
        raise ValueError("no")

    found = covered(TEXTS, ScriptedModel(fail))
    assert (found.letters["unread"] > 0, found.rejects().num_rows) == (True, 0)


def test_rules_that_read_everything_leave_nothing_unread() -> None:
    found = covered(("Chapter 1 Sets", "Sets are collections of things.", "1. Why?", "2. How?"), PDFRules())
    assert (found.to_dict()["unread"], found.rejects().num_rows) == (0.0, 0)
    assert str(found) == "56.5% theory, 26.1% headings, 17.4% in rows, 0.0% unread"


def test_a_run_without_documents_covers_nothing() -> None:
    assert Coverage().to_dict() == {"letters": 0, "unread": 0.0, "shares": {}}


def test_words_of_a_block_that_no_pair_kept_are_unread() -> None:
    def ask(_: Request) -> Reply:
        pairs = "".join(f"<qa_pair><label>{n}</label><question>1</question></qa_pair>" for n in (2, 3))
        return Reply(text=f"<chapter><title>0</title>{pairs}</chapter>")

    found = covered(("Chapter 1 Sets", "Recall what was said of roots. 2. Why? 3. How?"), ScriptedModel(ask))
    assert [(r["kind"], r["text"]) for r in found.records] == [
        ("heading", "Chapter 1 Sets"),
        ("unread", "Recall what was said of roots"),
    ]


def test_a_line_that_states_the_answer_of_the_row_above_is_in_that_row_but_for_the_word_that_says_so() -> None:
    found = covered(("第1章 圆", "变式1 边长为奇数，求边长。", "答案 3，5，7"), PDFRules())
    assert [(r["kind"], r["text"]) for r in found.records] == [("heading", "第1章 圆"), ("furniture", "答案")]
    assert found.letters["unread"] == 0


def test_pairs_that_came_into_no_row_are_told_apart() -> None:
    found = covered(("Chapter 1 Sets", "1. Why?", "2. How?", "# Answers", "3. Ten."), PDFRules())
    assert found.letters == {"heading": 19, "rows": 8, "rejects": 4}
