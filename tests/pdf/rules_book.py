"""Small books for the tests of the rules, written as lines of text."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from dataflow_ext.codec import encode
from operators import ChunkedPromptedGenerator, LLMOutputParser, PDFRules, QA_Merger
from operators.pdf.blocks import Block
from operators.pdf.reply import ReplyChapter
from operators.pdf.rules import find_headings, find_pairs

Box = tuple[float, float, float, float]


def book(*lines: str | Block) -> list[Block]:
    """Blocks with running ids.

    A line is a text block; ``# `` opens a heading, ``- `` an entry of a list, ``~ `` a running head, ``! `` a
    picture with its caption, ``| `` a table, ``= `` an equation, and a line of dashes turns the page. A block
    given as such keeps all but its id and page.
    """
    kinds = {"# ": "text", "- ": "list_item", "~ ": "header", "! ": "image", "| ": "table", "= ": "equation"}
    blocks: list[Block] = []
    page = 0
    for line in lines:
        at = len(blocks)
        if isinstance(line, Block):
            line.id, line.page = at, page
            blocks.append(line)
            continue
        if line.startswith("---"):
            page += 1
            continue
        mark, text = (line[:2], line[2:]) if line[:2] in kinds else ("", line)
        block = Block(at, kinds.get(mark, "text"), text, level=1 if mark == "# " else None, page=page)
        if mark == "! ":
            block.text, block.caption, block.image = "", text, f"picture{at}.png"
        block.shown = mark != "~ "
        blocks.append(block)
    return blocks


def picture(caption: str = "", box: Box | None = None, image: str = "") -> Block:
    """A picture for :func:`book`."""
    return Block(0, "image", "", caption=caption, box=box, image=image or None)


def placed(text: str, box: Box, kind: str = "text") -> Block:
    """A text with its place on the page, for :func:`book`."""
    return Block(0, kind, text, box=box, shown=kind in ("text", "list_item"))


def questions(*lines: str | Block) -> list[tuple[list[int], list[tuple[str, list[int]]]]]:
    """Title ids, and label with question ids of every pair."""
    return [(c.title, [(p.label, p.question) for p in c.pairs]) for c in find_pairs(book(*lines))]


def labels(*lines: str | Block) -> list[tuple[list[int], list[str]]]:
    """Title ids and labels."""
    return [(c.title, [p.label for p in c.pairs]) for c in find_pairs(book(*lines))]


def worked(*lines: str | Block) -> list[tuple[str, list[int], str, list[int]]]:
    """Label, question ids, answer and solution ids of every pair."""
    return [(p.label, p.question, p.answer, p.solution) for p in pairs(find_pairs(book(*lines)))]


def pairs(chapters: list[ReplyChapter]) -> list:
    """All pairs of all chapters."""
    return [pair for chapter in chapters for pair in chapter.pairs]


def read_rows(*lines: str | Block) -> list[dict[str, Any]]:
    """The rows that rules and merger make of a book."""
    blocks = book(*lines)
    for block, path in find_headings(blocks).items():
        blocks[block].path = path
    table = pa.table({"document": ["book"], "name": ["book"], "blocks": encode([blocks], list[Block])})
    for step in (ChunkedPromptedGenerator(model=PDFRules()), LLMOutputParser(), QA_Merger()):
        table = step(table)
    return table.to_pylist()
