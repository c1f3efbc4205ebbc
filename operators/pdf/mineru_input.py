"""MinerU2LLMInput: the items of a document become numbered blocks, one line each for a model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext import Made, Operator
from dataflow_ext.codec import decode, encode
from dataflow_ext.columns import arrow_type, fields_of
from operators.pdf.blocks import FURNITURE, PICTURES, Block, ContentItem
from operators.pdf.chunks import own_column
from operators.pdf.numbering import letters_of
from operators.pdf.numbering.title_ranks import title_rank
from operators.pdf.rules import find_headings
from operators.pdf.rules.keys import key_headings
from operators.pdf.rules.tables import question_rows

_FIGURE_CAPTION = re.compile(r"^\s*(第\s*\d+\s*题\s*图|图\s*\d|Fig(ure|\.)\s*\d)")
_SPACE = re.compile(r"\s+")
_BLOCK = arrow_type(Block)
_RECORD = fields_of(Block)


#: A block without place: type, text, level, picture, caption, source, whether it is shown, whether it is marked.
_Entry = tuple[str, str, int | None, str | None, str, str, bool, bool]


class MinerU2LLMInput(Operator):
    """Numbered blocks for each document: every list item one of its own, ids running on from 0.

    Captions and footnotes stay with their picture, table or code. Page furniture gets ids too but is not shown
    to a model, unless it is really content: a figure's caption, or a lesson's title that was taken for a running
    head. Headings know their place in the book's tree.

    Reads:
        row_id: the document's identity.
        content: its items in reading order, as MinerU lists them; consumed.

    Writes:
        document: the identity, which all rows made of the document keep.
        blocks: id, type, text, level, page, box, picture and caption of each block.

    Rejects: none of its own.

    Example:
        >>> import pyarrow as pa
        >>> from dataflow_ext.codec import encode
        >>> from operators.pdf.blocks import ContentItem
        >>> items = [ContentItem("text", "1. Choose:", ref="0"), ContentItem("list", items=["A. 1", "B. 2"], ref="1")]
        >>> table = pa.table({"content": encode([items], list[ContentItem])})
        >>> [(b["id"], b["text"], b["source_ref"]) for b in MinerU2LLMInput()(table)["blocks"][0].as_py()]
        [(0, '1. Choose:', '0'), (1, 'A. 1', '1.0'), (2, 'B. 2', '1.1')]
    """

    rows: ClassVar[Any] = "explode"
    spread = "if it pays"
    inputs: ClassVar[Any] = {"row_id": str, "content": list[ContentItem]}
    outputs: ClassVar[Any] = {"document": str, "blocks": list[Block]}

    def batch(self, table: pa.Table) -> Made:
        """One row out for each document."""
        blocks = own_column([_blocks(document.values)[0] for document in table["content"]])
        return Made({"document": table["row_id"], "blocks": blocks}, range(table.num_rows))


def flatten(items: Sequence[ContentItem]) -> list[Block]:
    """The blocks of these items, in order, ids from 0."""
    blocks, records = _blocks(encode(items, ContentItem))
    for block, path in zip(records, blocks.field("path").to_pylist(), strict=True):
        block.path = path
    return records


def _blocks(items: pa.StructArray) -> tuple[pa.StructArray, list[Block]]:
    """The blocks of one document, column by column: a book has tens of thousands; and as the rules read them.

    Each that is a heading has its place in the book's tree in the column, not yet in its record.
    """
    arrays = dict(zip((f.name for f in items.type), items.flatten(), strict=True))
    columns = {n: arrays[n].to_pylist() for n in ("type", "text", "level", "image", "file", "ref", "marked")}
    lists, captions, footnotes = (_sparse(arrays[name]) for name in ("items", "captions", "footnotes"))
    content = _really_content(columns["type"], columns["text"])
    origin: list[int] = []  # the item behind each block
    made: list[_Entry] = []
    for place, (kind, text, level, image, file, ref, marked) in enumerate(zip(*columns.values(), strict=True)):
        ref = f"{file}:{ref}" if file else ref
        if kind == "list":
            filled = [(k, entry) for k, entry in enumerate(lists.get(place, ())) if entry]
            made += [("list_item", entry, None, None, "", f"{ref}.{k}", True, False) for k, entry in filled]
            origin += [place] * len(filled)
            kind = "image" if image and not text else "text"
        if kind == "table" and (rows := question_rows(text)):
            made += [("list_item", row, None, None, "", f"{ref}.{k}", True, False) for k, row in enumerate(rows)]
            origin += [place] * len(rows)
            kind, text = "image" if image else "text", ""
        caption = ""
        if place in captions or place in footnotes:
            caption = "\n".join([*captions.get(place, ()), *footnotes.get(place, ())])
        shown = kind not in FURNITURE or place in content
        if text or image or caption or kind != "text":
            made.append((kind, text, level, image, caption, ref, shown, marked))
            origin.append(place)
    made, origin = _apart(made, origin)
    kinds, texts, levels, images, notes, refs, seen, marks = zip(*made, strict=True) if made else ((),) * 8
    behind = pa.array(origin, pa.int32())
    taken = {name: arrays[name].take(behind) for name in ("page", "box", "file")}
    pages, boxes, files = (decode(taken[name], _RECORD[name]) for name in taken)
    held = (kinds, texts, levels, pages, boxes, images, notes, files, refs, seen, marks)
    records = list(map(Block, range(len(made)), *held))
    paths = find_headings(records)
    fields = {
        "id": pa.array(range(len(made)), pa.int64()),
        "type": pa.array(kinds, pa.string()),
        "text": pa.array(texts, pa.string()),
        "level": pa.array(levels, pa.int64()),
        "image": pa.array(images, pa.string()),
        "caption": pa.array(notes, pa.string()),
        "source_ref": pa.array(refs, pa.string()),
        "shown": pa.array(seen, pa.bool_()),
        "marked": pa.array(marks, pa.bool_()),
        "path": pa.array(map(paths.get, range(len(made))), _BLOCK.field("path").type),
        **taken,
    }
    return pa.StructArray.from_arrays([fields[f.name] for f in _BLOCK], fields=list(_BLOCK)), records


def _apart(made: list[_Entry], origin: list[int]) -> tuple[list[_Entry], list[int]]:
    """The blocks, with headings that open paragraphs of a key as blocks of their own."""
    found = key_headings([(text, level) if kind == "text" else None for kind, text, level, *_ in made])
    if not found:
        return made, origin
    parted: list[_Entry] = []
    places: list[int] = []
    for place, (entry, behind) in enumerate(zip(made, origin, strict=True)):
        if heading := found.get(place):
            kind, text, _, image, *rest = entry
            parted.append((kind, heading.text, heading.level, image, *rest))  # type: ignore[arg-type]
            entry, places = (kind, text[heading.end :], None, image, *rest), [*places, behind]  # type: ignore[assignment]
        parted.append(entry)
        places.append(behind)
    return parted, places


def _sparse(array: pa.ListArray) -> Mapping[int, list[str]]:
    """The lists that hold something, by place; most items have none."""
    filled = pc.indices_nonzero(pc.fill_null(pc.list_value_length(array), 0)).to_pylist()
    return dict(zip(filled, array.take(pa.array(filled, pa.int64())).to_pylist(), strict=True))


def line_of(block: Block) -> str:
    """What a model sees of a block: ``[id] text`` on one line, with a mark for headings and pictures.

    >>> line_of(Block(4, "text", "第三章  数列", level=1))
    '[4] # 第三章 数列'
    >>> line_of(Block(5, "image", "", caption="图 1"))
    '[5] <image> 图 1'
    """
    own = line(block.id, block.type, block.text, block.level, block.image, block.caption)
    return ticked(own) if block.marked else own


def ticked(own: str) -> str:
    """The line of an option that is set apart from the others.

    >>> ticked("[7] B. 16")
    '[7] ✓ B. 16'
    """
    return own.replace("] ", "] ✓ ", 1)


def line(number: int, kind: str, text: str, level: int | None, image: str | None, caption: str) -> str:
    """:func:`line_of` for a block that is spread over columns."""
    pictured = image is not None and not text and kind == "equation"
    if caption:
        text = f"{caption} {text}" if text else caption
    if "\n" in text or "  " in text or "\r" in text:
        text = _SPACE.sub(" ", text)
    if kind in PICTURES:
        return f"[{number}] <image> {text}".rstrip()
    if pictured:
        return f"[{number}] <equation> {text}".rstrip()
    if level is not None and kind == "text":
        return f"[{number}] # {text}"
    if not text and image is not None:
        return f"[{number}] <{kind}>"
    return f"[{number}] {text}"


def _really_content(kinds: Sequence[str], texts: Sequence[str]) -> set[int]:
    """Places of furniture that is content: captions, and titles that head one page only."""
    furniture = [(n, texts[n]) for n, kind in enumerate(kinds) if kind in FURNITURE and texts[n]]
    if not furniture:
        return set()
    counts = Counter(_SPACE.sub("", text) for _, text in furniture)
    found = {n for n, text in furniture if _FIGURE_CAPTION.match(text)}
    heads = {
        n: letters_of(text)
        for n, text in furniture
        if kinds[n] == "header" and counts[_SPACE.sub("", text)] == 1 and title_rank(text) is not None
    }
    if heads:
        # "CHAPTER 1. SETS" at the top repeats "Chapter 1" over "Sets".
        lines = [letters_of(t) if k == "text" and len(t) < 80 else "" for k, t in zip(kinds, texts, strict=True)]
        headings = {*lines, *(a + b for a, b in pairwise(lines) if a and b)}
        found.update(n for n, head in heads.items() if head not in headings)
    return found
