"""Blocks as the rules read them: each one's kind, its caption and the label it opens with."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from operator import ne, or_
from typing import Any, ClassVar

from dataflow_ext.text import Pattern
from operators.pdf.blocks import FURNITURE, PICTURES, Block
from operators.pdf.numbering import ItemLabel, item_label, option_letter, solution_marker, sub_label
from operators.pdf.numbering.dress import Mark, read_mark, read_pointed
from operators.pdf.numbering.label_words import in_any_case, words
from operators.pdf.numbering.title_ranks import is_contents_line, is_sentence, title_rank
from operators.pdf.numbering.titles import heading_key
from operators.pdf.rules.captions import Caption, read_caption
from operators.pdf.rules.words import (
    ANSWER_LEAD,
    ANSWER_PASS,
    ANSWER_WORDS,
    ANSWERS,
    ANSWERS_TO,
    ASKS,
    BLANK,
    CONTENTS,
    FRONT,
    PAPER,
    PART,
    POINTER,
    SUMMARY,
    WITH_ANSWERS,
)


class Constant(int):
    """One of a class's constants, which are those that it annotates.

    They are looked at some fifty times a block, and Python 3.11 takes four times as long to find an Enum's.
    """

    name: str

    def __init_subclass__(cls) -> None:
        """Make the constants, counted from 1."""
        for number, name in enumerate(cls.__annotations__, 1):
            made = cls(number)
            made.name = name
            setattr(cls, name, made)

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (type(self), self.name)

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


class Kind(Constant):
    """What a line is before its neighbours are looked at."""

    HIDDEN: ClassVar[Kind]  # page furniture
    TEXT: ClassVar[Kind]
    PICTURE: ClassVar[Kind]
    CAPTION: ClassVar[Kind]
    TITLE: ClassVar[Kind]  # a chapter or lesson by its wording
    PART: ClassVar[Kind]  # 一、选择题, Part A
    HEADING: ClassVar[Kind]  # set as a heading, wording unknown
    SUMMARY: ClassVar[Kind]
    ANSWERS: ClassVar[Kind]
    CONTENTS: ClassVar[Kind]
    FRONT: ClassVar[Kind]


class Zone(Constant):
    """What the stretch of the book is that a line stands in."""

    BODY: ClassVar[Zone]
    CONTENTS: ClassVar[Zone]
    FRONT: ClassVar[Zone]
    SUMMARY: ClassVar[Zone]
    ANSWERS: ClassVar[Zone]


HEADINGS = frozenset({Kind.TITLE, Kind.PART, Kind.HEADING, Kind.SUMMARY, Kind.ANSWERS, Kind.CONTENTS, Kind.FRONT})
#: Headings with page numbers in a row that make a table of contents without its heading.
LISTED = 4
#: No heading of a textbook is longer.
_LONGEST_HEADING = 60
_TITLES = frozenset({Kind.TITLE, Kind.HEADING})
_RECURS = 3
#: Where running heads end, in thousandths of the page.
_TOP = 90
#: Where feet begin.
_FOOT = 900
_PAGE_NUMBER = re.compile(r"[\s·.\-—–~|]*(?:\d{1,4}|[ivxl]{1,6})[\s·.\-—–~|]*")
_PAPER_ENDS = ("卷", "题", ")", "）")
#: A paper's number before its year, "1.2025 …".
_NUMBERED = re.compile(r"\d{1,3}[.．、](?=\d{4})")
#: The commonest sub-questions; the rest is asked of sub_label.
_SUB_START = re.compile(r"[(（]\s*\d{1,2}\s*[)）]\s*[^\s图]")
#: Quick to look for, and in every heading of answers.
_MAY_HEAD_ANSWERS = re.compile(r"[答解析]|nswer|olution|cheme|Key|KEY|ANS|SOL")
#: Set by itself above a solution, as often as a heading.
_SOLUTION_ALONE = re.compile(r"(?:解答|Solution|Answer)\s*[:.：]?$", re.IGNORECASE)
#: Heads some exercises of the lesson in force, whatever else it heads elsewhere.
BARE_PART = Pattern(
    r"(?:课[堂后]|随堂|巩固)?(?:练习|作业|习题)[题]?$|(?:Exercises|Problems|Practice|Questions)$"
    rf"|(?:{in_any_case(words('exercises'))})$",
    re.IGNORECASE,
)
#: The same between brackets, and headings of worked examples.
_EXAMPLES_ONLY = re.compile(r"(?:典型例题|典例|例题)(?:精[讲析]|讲解|[分解]析)?$|(?:Worked )?Examples$", re.IGNORECASE)
#: What stands by itself between such brackets heads something, whatever it says.
_BRACKETED = re.compile(r"【[^【】]{2,12}】|〖[^〖〗]{2,12}〗")
#: What a paper prints below a question on its marks: "(3) (Total for Question 5 is 3 marks)".
_TOTAL = Pattern(
    r"(?:[(（\[]\s*\d{1,3}\s*[)）\]]\s*)?[(（\[]\s*Total\b[^()\[\]]{0,40}\d\s*(?:marks?|points?)\s*[)）\]]",
    re.IGNORECASE,
)
#: What a paper prints where a question goes on over the page: "Q 5 continued over...", "Question 5 (cont.)".
_CONTINUED = re.compile(
    r"(?:[^\W\d_]{1,12}\.?\s*)?\d{1,3}[.)]?\s*[(\[]?(?:continued\b|cont(?:\.|['’]d)).{0,24}$", re.IGNORECASE
)
_OPENING, _CLOSING = "(（[", ")）]"
_BRACKETS = frozenset("（(【[")
#: An option's letter in brackets, and what ends no option: a paper's title, or the marks of a question.
OPTIONS = frozenset(f"{one}{letter}{two}" for one in "(（" for letter in "ABCDEFGH" for two in ")）")
_NO_OPTION = frozenset("卷题)）]")
#: A line that opens so is an option or a formula, whatever follows.
_BODY_STARTS = frozenset("$\\")
#: What no heading ends with.
SENTENCE_END = tuple("。．；;？?！!，,=：:{（(、")
_OWN_LINE = frozenset({"text", "list_item"} | FURNITURE)


class Role(Constant):
    """What is known of a line's label."""

    OPEN: ClassVar[Role]  # it is one if the count wants it
    ITEM: ClassVar[Role]  # it is dressed as this book dresses its labels
    ANSWER: ClassVar[Role]  # it names the question that is answered here


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
    role: Role = Role.OPEN
    #: Told beside the items before it, by its place or its number.
    aside: bool = False
    #: The number that it opens with, in whatever dress: nearly every rule asks for it.
    mark: Mark | None = None
    #: The answers that a table gives, by the labels of their questions.
    told: Sequence[tuple[ItemLabel, str]] = ()


def read_lines(blocks: Sequence[Block]) -> list[Line]:
    """A line for every block, in the same order, with kind, caption and opening label set."""
    texts = [block.text.strip() for block in blocks]
    furniture = _Furniture(blocks, texts)
    lines: list[Line] = []
    for block, text in zip(blocks, texts, strict=True):
        own = block.shown and block.type in _OWN_LINE
        # Most short lines are options, and most long ones begin with a number and a point.
        if own and text[:3] in OPTIONS and text[-1] not in _NO_OPTION and len(text) <= _LONGEST_HEADING:
            lines.append(Line(block, text, Kind.TEXT))
            continue
        label, mark = (read_pointed(text) if own else None) or (None, None)
        if mark is None:
            line = _read(block, text, furniture)
            line.mark = None if line.kind is Kind.ANSWERS and ANSWERS_TO.match(text) else read_mark(text)
        elif len(text) > _LONGEST_HEADING or (furniture.is_amid(block, text) and not _may_be_more(text)):
            line = Line(block, text, Kind.TEXT, label=label, mark=mark)
        else:
            line = _short(block, text, label, furniture)
            line.mark = mark
        lines.append(line)
    shown = [line for line in lines if line.kind is not Kind.HIDDEN]
    above = [(shown[n - 1], label) for n, line in enumerate(shown) if (label := line.label) is not None and n]
    for line, _ in above:
        # 证明 alone heads a proof, or else the questions that begin right below it.
        if line.kind is Kind.TEXT and _may_be_part(line.text) and PART.fullmatch(line.text):
            line.kind = Kind.PART
    _hide_announcing(above)
    return lines


def _hide_announcing(above: Sequence[tuple[Line, ItemLabel]]) -> None:
    """Hide lines that only say which questions follow: Question 8, and below it 8., or Questions 14 to 16 above 14.

    If a word stands alone over another number, those below it count its parts: Exercise 2, and below it 1.
    """
    alone: dict[str, list[tuple[Line, bool]]] = defaultdict(list)
    for line, two in above:
        one, said = line.label, line.caption
        if two.prefix:
            continue
        if line.kind is Kind.CAPTION and said is not None and not said.name:
            if two.number == said.low < said.high:
                line.kind, line.caption = Kind.HIDDEN, None
        elif one is not None and one.prefix and not line.text[one.end :].strip(" .:"):
            alone[one.prefix].append((line, one.number == two.number))
    for found in alone.values():
        if all(same for _, same in found) and any(line.label and line.label.number != 1 for line, _ in found):
            for line, _ in found:
                line.kind, line.label, line.mark = Kind.HIDDEN, None, None


def _may_be_more(text: str) -> bool:
    """Whether what opens with a number and a point may be a paper's title, or say that a question goes on."""
    return text[-1] in _NO_OPTION and ("卷" in text or "题" in text or "cont" in text.lower())


def _may_be_part(text: str) -> bool:
    """Whether a text can name a part: none begins with a number, or with one or a letter in brackets, as options do."""
    first = text[:1]
    return not first.isdecimal() and (first not in _BRACKETS or not text[1:2].isascii())


class _Furniture:
    """The running heads of a book, and the heights that they stand at."""

    def __init__(self, blocks: Sequence[Block], texts: Sequence[str]) -> None:
        self.heights: dict[str, list[float]] = {}
        self.shown: dict[str, list[Block]] = {}
        self.seen: set[str] = set()
        self.bands: Counter[int] = Counter()
        places: Counter[tuple[str, int]] = Counter()
        #: Of the texts that may be running heads, where each stands first, contents pages left out.
        self.first: dict[tuple[int, str], int] = {}
        self.headings: set[str] = set()
        for block, text in zip(blocks, texts, strict=True):
            box, size = block.box, len(text)
            if block.level is not None and size <= _LONGEST_HEADING:
                self.headings.add(heading_key(text))
            if not block.shown:
                self.heights.setdefault(text, []).append(box[1] if box else -1.0)
                self.bands[round(box[1] / 25) if box else -1] += 1
            elif box and size <= 40 and (box[3] < _TOP or box[1] > 925):
                places[text, round(box[1] / 20)] += 1
        self.furniture = frozenset(self.heights)
        for (text, band), count in places.items():
            if count >= _RECURS:
                self.heights.setdefault(text, []).append(band * 20.0)
        self.heights.pop("", None)
        self.places = {text: set(heights) for text, heights in self.heights.items()}
        listing = _listing_pages(blocks) if self.heights else ()
        for block, text in zip(blocks, texts, strict=True) if self.heights else ():
            if text in self.heights:
                if block.shown:
                    self.shown.setdefault(text, []).append(block)
                if (block.file, block.page) not in listing:
                    self.first.setdefault((block.file, text), block.id)

    def repeats_heading(self, block: Block, text: str) -> bool:
        """Whether a line at the top or foot of a page, set as text, has the words of a heading."""
        if block.level is not None or block.box is None or len(text) > _LONGEST_HEADING:
            return False
        if block.box[3] >= _TOP and block.box[1] <= _FOOT:
            return False
        return heading_key(text) in self.headings

    def is_amid(self, block: Block, text: str) -> bool:
        """Whether a text is surely neither a running head nor a page's number: no other is so, and it stands amid."""
        return text not in self.places and block.box is not None and 60 < block.box[1] < 930

    def is_running_head(self, block: Block, text: str) -> bool:
        """Whether a shown text is a running head: at its height on the page, or the same words once more."""
        if text not in self.places:
            return False
        if block.box is not None and self.heights[text][0] >= 0:
            # The first page has its foot where its text ends, as "Turn over".
            foot = len(self.heights[text]) >= _RECURS and block.box[1] > _FOOT
            return foot or any(abs(block.box[1] - height) <= 20 for height in self.places[text])
        again = text in self.seen
        self.seen.add(text)
        return again

    def is_sure(self, block: Block, text: str) -> bool:
        """Whether the same words are listed as furniture at this height on another page."""
        return block.box is not None and text in self.furniture

    def is_first(self, block: Block, text: str) -> bool:
        """Whether its words stand nowhere before: running heads repeat the title that they are of, feet none."""
        at_foot = block.box is not None and block.box[1] > _FOOT
        return not at_foot and self.first.get((block.file, text)) == block.id

    def is_title(self, block: Block, text: str) -> bool:
        """Whether a text listed as furniture is a lesson's title: printed once, off the heads' height."""
        if len(self.heights.get(text, ())) != 1 or len(text) > _LONGEST_HEADING:
            return False
        rank = title_rank(text)
        if rank is None or rank >= 4:
            return False
        near = self.shown.get(text, ())
        if any(other.file == block.file and -1 <= other.page - block.page <= 3 for other in near):
            return False
        if any(other.file == block.file and other.page < block.page for other in near):
            return False
        return block.box is None or self.bands[round(block.box[1] / 25)] <= 2


def _listing_pages(blocks: Sequence[Block]) -> set[tuple[int, int]]:
    """The pages, by file and number, that list headings as contents pages do."""
    counts = Counter((b.file, b.page) for b in blocks if b.text[-1:].isdecimal() and is_contents_line(b.text.strip()))
    return {page for page, count in counts.items() if count >= LISTED}


def _read(block: Block, text: str, furniture: _Furniture) -> Line:
    if block.type not in _OWN_LINE:
        if block.type in PICTURES:
            return Line(block, text, Kind.PICTURE, caption=_caption(block))
        kind = Kind.PICTURE if block.caption and _caption(block) else Kind.TEXT
        return Line(block, text, kind, caption=_caption(block))
    if not block.shown:
        caption = read_caption(text) if len(text) < 30 else None
        if caption and caption.low:
            return Line(block, text, Kind.CAPTION, caption=caption)
        return Line(block, text, Kind.TITLE if text and furniture.is_title(block, text) else Kind.HIDDEN)
    if len(text) > _LONGEST_HEADING:
        return Line(block, text, Kind.TEXT, label=item_label(text))
    return _short(block, text, item_label(text), furniture)


def _caption(block: Block) -> Caption | None:
    return read_caption(block.caption) if block.caption else None


def _short(block: Block, text: str, label: ItemLabel | None, furniture: _Furniture) -> Line:
    if text.endswith(_PAPER_ENDS) and is_paper(text, label):
        return Line(block, text, Kind.TITLE)
    if text[:1] in _OPENING and text[-1:] in _CLOSING and _TOTAL.fullmatch(text):
        return Line(block, text, Kind.HIDDEN)
    if "cont" in text.lower() and _CONTINUED.match(text):
        return Line(block, text, Kind.HIDDEN)
    if label is not None and furniture.is_amid(block, text):
        return Line(block, text, Kind.TEXT, label=label)  # neither a running head nor a page's number
    # Most short lines are options, which one sign tells.
    opens_option = label is None and (option_letter(text) or _SUB_START.match(text))
    if text[:1] in _BODY_STARTS or opens_option or BLANK.search(text):
        return Line(block, text, Kind.TEXT, label=label)
    if label is None and (caption := read_caption(text)):
        return Line(block, text, Kind.CAPTION, caption=caption)
    kind = _heading_kind(block, text, label)
    line = Line(block, text, kind, label=label)
    if label is None and furniture.repeats_heading(block, text):
        line.kind, line.running_head = Kind.HIDDEN, True
    elif furniture.is_running_head(block, text) and not (kind in _TITLES and furniture.is_first(block, text)):
        line.running_head = True
        plain = kind is Kind.TEXT and label is None and not option_letter(text)
        if plain or kind is Kind.HEADING or (kind is Kind.TITLE and furniture.is_sure(block, text)):
            line.kind = Kind.HIDDEN
    elif kind is Kind.TEXT and block.box and not 60 < block.box[1] < 930 and _PAGE_NUMBER.fullmatch(text):
        line.kind = Kind.HIDDEN
    return line


def _may_head_answers(text: str) -> bool:
    """Whether a text has any word with which answers are headed."""
    if _MAY_HEAD_ANSWERS.search(text):
        return True
    return any(word.strip("():.,–—-").casefold() in ANSWER_WORDS for word in text.split())


def _heading_kind(block: Block, text: str, label: ItemLabel | None) -> Kind:
    if label is not None or not text or ANSWER_LEAD.match(text):
        return Kind.TEXT
    if CONTENTS.match(text):
        return Kind.CONTENTS
    if _may_head_answers(text) and not sub_label(text) and not WITH_ANSWERS.match(text):
        if POINTER.match(text):
            return Kind.HIDDEN
        if ANSWER_PASS.match(text) or ANSWERS_TO.match(text):
            return Kind.ANSWERS
        if ANSWERS.match(text) and not _SOLUTION_ALONE.match(text):
            return Kind.ANSWERS
    if solution_marker(text):
        return Kind.TEXT
    if SUMMARY.match(text):
        return Kind.SUMMARY
    if FRONT.match(text) and len(text) <= 40:
        return Kind.FRONT
    rank = title_rank(text)
    # "Section I: Answer all questions." tells what to do with a group of questions.
    bare = BARE_PART.match(text) or (text.endswith(".") and PART.match(text))
    # "1.2. It is round." is no section's title, if nothing but its number tells.
    sentence = block.level is None and text.endswith(".") and text[0].isdecimal()
    if rank is not None and rank < 4 and not bare and not sentence:
        return Kind.TITLE
    if (rank == 4 or bare or PART.match(text) or _BRACKETED.fullmatch(text)) and not text.endswith(SENTENCE_END):
        return Kind.PART
    if block.level is None or solution_marker(text) or sub_label(text) or text.endswith(SENTENCE_END):
        return Kind.TEXT
    if is_sentence(text):
        return Kind.TEXT
    return Kind.HEADING


def is_bare_part(text: str) -> bool:
    """Whether a heading only says that exercises or examples begin.

    >>> [is_bare_part(text) for text in ("Exercises", "【课堂练习】", "典例精析", "Exercises on sets")]
    [True, True, True, False]
    """
    bare = text.strip("【】〖〗 ")
    return BARE_PART.match(bare) is not None or _EXAMPLES_ONLY.match(bare) is not None


def is_paper(text: str, label: ItemLabel | None = None) -> bool:
    """Whether a text is a number and a test paper's title.

    >>> is_paper("3.2024 年入学真卷(二)")
    True
    """
    if label is not None and label.prefix:
        return False
    if not text.endswith(_PAPER_ENDS) or not ("卷" in text or "题" in text):
        return False
    words = text[label.end :] if label else _NUMBERED.sub("", text)
    return words not in ("", text) and bool(PAPER.match(words)) and not ASKS.search(words)


def page_turns(lines: Sequence[Line]) -> list[int]:
    """Where each page begins, from 0 on, and the end of the last one.

    Column by column: a tuple for each line would be most of the memory that is taken here.
    """
    blocks = [line.block for line in lines]
    pages, files = [block.page for block in blocks], [block.file for block in blocks]
    turned = map(or_, map(ne, pages, pages[1:]), map(ne, files, files[1:]))
    return [0, *compress(range(1, len(lines)), turned), len(lines)]


def contents_like(line: Line) -> bool:
    """Whether a line reads like an entry of a table of contents."""
    return is_contents_line(line.text)
