"""Blocks as the rules read them: each one's kind, its caption and the label it opens with."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from operators.pdf.blocks import FURNITURE, PICTURES, Block
from operators.pdf.numbering import ItemLabel, item_label, option_letter, solution_marker, sub_label
from operators.pdf.rules.captions import Caption, read_caption
from operators.pdf.rules.words import ANSWERS, CONTENTS, FRONT, PART, SUMMARY
from operators.pdf.titles import is_contents_line, title_rank


class Kind(Enum):
    """What a line is before its neighbours are looked at."""

    HIDDEN = auto()  # page furniture
    TEXT = auto()
    PICTURE = auto()
    CAPTION = auto()
    TITLE = auto()  # a chapter or lesson by its wording
    PART = auto()  # 一、选择题, Part A
    HEADING = auto()  # set as a heading, wording unknown
    SUMMARY = auto()
    ANSWERS = auto()
    CONTENTS = auto()
    FRONT = auto()


class Zone(Enum):
    """What the stretch of the book is that a line stands in."""

    BODY = auto()
    FRONT = auto()
    SUMMARY = auto()
    ANSWERS = auto()


HEADINGS = frozenset(
    {Kind.TITLE, Kind.PART, Kind.HEADING, Kind.SUMMARY, Kind.ANSWERS, Kind.CONTENTS, Kind.FRONT}
)
#: No heading of a textbook is longer.
_LONGEST_HEADING = 60
_PAGE_NUMBER = re.compile(r"[\s·.\-—–~|]*\d{1,4}[\s·.\-—–~|]*")
_SENTENCE_END = tuple("。．；;？?！!，,=：")
_OWN_LINE = frozenset({"text", "list_item"} | FURNITURE)


@dataclass(slots=True)
class Line:
    """One block with what can be told of it alone."""

    block: Block
    text: str
    kind: Kind
    zone: Zone = Zone.BODY
    label: ItemLabel | None = None
    caption: Caption | None = None
    running_head: bool = False


def read_lines(blocks: Sequence[Block]) -> list[Line]:
    """A line for every block, in the same order, with kind, caption and opening label set."""
    heads = _running_heads(blocks)
    return [_read(block, heads) for block in blocks]


def _running_heads(blocks: Sequence[Block]) -> frozenset[str]:
    """Texts of page furniture, and short texts that stand at one height on three pages or more."""
    heads = {block.text.strip() for block in blocks if not block.shown}
    places: Counter[tuple[str, int]] = Counter()
    for block in blocks:
        if block.shown and block.box and len(block.text) <= 40 and (block.box[3] < 90 or block.box[1] > 925):
            places[block.text.strip(), round(block.box[1] / 20)] += 1
    heads.update(text for (text, _), count in places.items() if count >= 3)
    heads.discard("")
    return frozenset(heads)


def _read(block: Block, heads: frozenset[str]) -> Line:
    text = block.text.strip()
    if block.type in PICTURES:
        return Line(block, text, Kind.PICTURE, caption=_caption(block))
    if block.type not in _OWN_LINE:
        kind = Kind.PICTURE if block.caption and _caption(block) else Kind.TEXT
        return Line(block, text, kind, caption=_caption(block))
    if not block.shown:
        caption = read_caption(text) if len(text) < 30 else None
        return Line(block, text, Kind.CAPTION if caption and caption.low else Kind.HIDDEN, caption=caption)
    if len(text) > _LONGEST_HEADING:
        return Line(block, text, Kind.TEXT, label=item_label(text))
    return _short(block, text, heads)


def _caption(block: Block) -> Caption | None:
    return read_caption(block.caption) if block.caption else None


def _short(block: Block, text: str, heads: frozenset[str]) -> Line:
    label = item_label(text)
    if label is None and (caption := read_caption(text)):
        return Line(block, text, Kind.CAPTION, caption=caption)
    kind = _heading_kind(block, text, label)
    line = Line(block, text, kind, label=label)
    if text in heads:
        line.running_head = True
        if kind is Kind.HEADING or (kind is Kind.TEXT and label is None and not option_letter(text)):
            line.kind = Kind.HIDDEN
    elif kind is Kind.TEXT and block.box and _PAGE_NUMBER.fullmatch(text) and not 60 < block.box[1] < 930:
        line.kind = Kind.HIDDEN
    return line


def _heading_kind(block: Block, text: str, label: ItemLabel | None) -> Kind:
    if label is not None or option_letter(text) or sub_label(text):
        return Kind.TEXT
    for kind, pattern in ((Kind.CONTENTS, CONTENTS), (Kind.ANSWERS, ANSWERS), (Kind.SUMMARY, SUMMARY)):
        if pattern.match(text):
            return kind
    if FRONT.match(text) and len(text) <= 40:
        return Kind.FRONT
    rank = title_rank(text)
    if rank is not None and rank < 4:
        return Kind.TITLE
    if (rank == 4 or PART.match(text)) and not text.endswith(_SENTENCE_END):
        return Kind.PART
    if block.level is None or solution_marker(text) or text.endswith(_SENTENCE_END):
        return Kind.TEXT
    return Kind.HEADING


def contents_like(line: Line) -> bool:
    """Whether a line reads like an entry of a table of contents."""
    return bool(line.text) and is_contents_line(line.text)
