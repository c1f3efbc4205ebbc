"""MinerU2LLMInput: the items of a document become numbered blocks, one line each for a model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from dataflow_ext import RowOperator
from operators.pdf.blocks import FURNITURE, PICTURES, Block, ContentItem
from operators.pdf.titles import title_rank

_FIGURE_CAPTION = re.compile(r"^\s*(第\s*\d+\s*题\s*图|图\s*\d|Fig(ure|\.)\s*\d)")
_SPACE = re.compile(r"\s+")


class MinerU2LLMInput(RowOperator):
    """Numbered blocks for each document: every list item one of its own, ids running on from 0.

    Reads ``content`` (items in reading order) and the row's identity; writes ``blocks`` and ``document``,
    and consumes ``content``. Captions and footnotes stay with their picture, table or code. Page furniture
    gets ids too but is not shown to a model, unless it is really content: a figure's caption, or a
    lesson's title that was taken for a running head.

    >>> from dataflow_ext.codec import encode
    >>> import pyarrow as pa
    >>> items = [ContentItem("text", "1. Choose:", ref="0"), ContentItem("list", items=["A. 1", "B. 2"], ref="1")]
    >>> table = pa.table({"content": encode([items], list[ContentItem])})
    >>> [(b["id"], b["text"], b["source_ref"]) for b in MinerU2LLMInput()(table)["blocks"][0].as_py()]
    [(0, '1. Choose:', '0'), (1, 'A. 1', '1.0'), (2, 'B. 2', '1.1')]
    """

    rows: ClassVar[Any] = "explode"
    inputs: ClassVar[Any] = {"row_id": str, "content": list[ContentItem]}
    outputs: ClassVar[Any] = {"document": str, "blocks": list[Block]}

    def row(self, row_id: str, content: list[ContentItem]) -> Iterable[Mapping[str, Any]]:
        """One row out for each document."""
        yield {"document": row_id, "blocks": flatten(content)}


def flatten(items: Sequence[ContentItem]) -> list[Block]:
    """The blocks of these items, in order, ids from 0."""
    content = _really_content(items)
    blocks: list[Block] = []
    for place, item in enumerate(items):
        kind = item.type
        ref = item.ref if not item.file else f"{item.file}:{item.ref}"
        if kind == "list":
            for k, text in enumerate(item.items):
                blocks.append(Block(len(blocks), "list_item", text, None, item.page, item.box, None, "", item.file,
                                    f"{ref}.{k}"))  # fmt: skip
            if not item.text:
                continue
            kind = "text"
        caption = ""
        if item.captions or item.footnotes:
            caption = "\n".join([*item.captions, *item.footnotes])
        shown = kind not in FURNITURE or place in content
        if not shown or item.text or item.image or caption:
            blocks.append(Block(len(blocks), kind, item.text, item.level, item.page, item.box, item.image, caption,
                                item.file, ref, shown))  # fmt: skip
    return blocks


def line_of(block: Block) -> str:
    """What a model sees of a block: ``[id] text`` on one line, with a mark for headings and pictures.

    >>> line_of(Block(4, "text", "第三章  数列", level=1))
    '[4] # 第三章 数列'
    >>> line_of(Block(5, "image", "", caption="图 1"))
    '[5] <image> 图 1'
    """
    text = block.text
    if block.caption:
        text = f"{block.caption} {text}" if text else block.caption
    if "\n" in text or "  " in text:
        text = _SPACE.sub(" ", text)
    if block.level is not None and block.type == "text":
        return f"[{block.id}] # {text}"
    if block.type in PICTURES:
        return f"[{block.id}] <image> {text}".rstrip()
    if not text and block.image is not None:
        return f"[{block.id}] <{block.type}>"
    return f"[{block.id}] {text}"


def _really_content(items: Sequence[ContentItem]) -> set[int]:
    """Places of furniture that is content: captions, and titles that head one page only."""
    furniture = [(n, i) for n, i in enumerate(items) if i.type in FURNITURE and i.text]
    if not furniture:
        return set()
    counts = Counter(_SPACE.sub("", i.text) for _, i in furniture)
    headings = {_SPACE.sub("", i.text) for i in items if i.type == "text" and len(i.text) < 80}
    found = set()
    for n, item in furniture:
        bare = _SPACE.sub("", item.text)
        if _FIGURE_CAPTION.match(item.text):
            found.add(n)
        elif item.type == "header" and counts[bare] == 1 and bare not in headings and title_rank(item.text) is not None:
            found.add(n)
    return found
