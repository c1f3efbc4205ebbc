"""The row of one question, example or answer as a chunk's reply names it, filled from the block table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import PureWindowsPath
from typing import Annotated, Any, Literal

from operators.pdf.blocks import PICTURES
from operators.pdf.numbering import ItemLabel, find_labels, label_key
from operators.pdf.numbering.markers import find_solution_start
from operators.pdf.numbering.numerals import CIRCLED

#: The folder in which a run's output keeps its pictures; texts link to them there.
PICTURE_FOLDER = "vqa_images"

#: Words before a number that opens a block.
_NUMBER = r"\d{1,3}(?:\.\d{1,3})*"
_WORDED = re.compile(rf"(?P<words>[^\W\d_][^\d\n]{{0,30}}?)\s*(?P<n>{_NUMBER})(?!\d)")
_COMPOUND = re.compile(r"\d{1,3}(?:\.\d{1,3})+")

Role = Literal["question", "solution", "answer"]


@dataclass(slots=True)
class Evidence:
    """One block behind a row: where it stands in the source, and which part of the row it makes."""

    role: Role
    id: int
    source_ref: str
    file: int
    page: int
    box: tuple[float, float, float, float] | None = None
    image: str | None = None


#: The columns of a pair on its way from a chunk's reply to the merged row.
PAIR_COLUMNS: Mapping[str, Any] = {
    "item": Annotated[int, "its place among the chunk's items"],
    "at": Annotated[int, "the block it begins at"],
    "in_core": Annotated[bool, "false for an item of the look-ahead, which the next chunk settles"],
    "label": Annotated[str, "the label as printed, such as 3(a)"],
    "file": Annotated[int, "the file it stands in, counted from 0"],
    "title_ids": Annotated[list[int], "the blocks of the title over it"],
    "title": Annotated[str, "that title"],
    "chapter_block": Annotated[int, "the block of the innermost heading over it, -1 if there is none"],
    "title_path": Annotated[list[str], "that heading and those it stands under, the outermost first"],
    "chapter_path": Annotated[list[str], "all printed headings over it, the outermost first, without the book's title"],
    "question_ids": Annotated[list[int], "the question's blocks"],
    "solution_ids": Annotated[list[int], "the solution's blocks"],
    "question": Annotated[str, "the question, Markdown with LaTeX and links to pictures"],
    "answer": Annotated[str, "the short answer, where one is printed"],
    "solution": Annotated[str, "the solution, Markdown"],
    "question_images": Annotated[list[str], "the question's pictures"],
    "solution_images": Annotated[list[str], "the solution's pictures"],
    "evidence": Annotated[list[Evidence], "every block behind it: role, source, page, box in thousandths of the page"],
    "notes": Annotated[list[str], "what was mended or odd"],
    "doubts": Annotated[list[str], "why it may be wrong"],
}


def text_of(kind: str, text: str, image: str | None = None, caption: str = "") -> str:
    """A block as Markdown: its words, or a link to its picture with the caption as its name.

    >>> text_of("image", "", "/x/fig3.png", "图 3")
    '![图 3](vqa_images/fig3.png)'
    """
    if image is not None and (link := picture_link(kind, text, image)) is not None:
        name = " ".join(caption.split()).replace("]", ")").replace("[", "(")
        return f"![{name}]({link})\n{text}" if text else f"![{name}]({link})"
    return f"{caption}\n{text}" if caption and text else caption or text


def picture_link(kind: str, text: str, image: str) -> str | None:
    """How texts link to a block's picture; None where words stand for it, as LaTeX does for a formula's.

    >>> picture_link("equation", "x = 1", "/x/eq.png") is None
    True
    """
    if text and kind not in PICTURES:
        return None
    return f"{PICTURE_FOLDER}/{picture_name(image)}"


def picture_name(path: str) -> str:
    """The file name of a picture's path."""
    return PureWindowsPath(path).name if "\\" in path else path.rpartition("/")[2]


def part_of(text: str, label: str, others: Sequence[str]) -> str | None:
    """A block's part that belongs to ``label``, if other items with labels ``others`` share the block.

    None unless the markers are sure: the label is printed in the block, once.

    >>> part_of("12. 求值。 13. 化简。", "13", ["12"])
    '13. 化简。'
    >>> part_of("Es. 3 1. va 2. vuole Es. 4 Risposta libera.", "4", ["3"])
    'Es. 4 Risposta libera.'
    """
    wanted = {label_key(label), *map(label_key, others)}
    marks = _printed(text, wanted) or find_labels(text)
    mine = [n for n, m in enumerate(marks) if label_key(m.label) == label_key(label)]
    if len(mine) != 1:
        # The item that began in an earlier block owns what stands before the first label of another.
        if not mine and marks and marks[0].start > 0 and label_key(marks[0].label) in wanted:
            return text[: marks[0].start].rstrip()
        return None
    later = (m.start for m in marks[mine[0] + 1 :] if label_key(m.label) in wanted)
    return text[marks[mine[0]].start : next(later, len(text))].strip()


def _printed(text: str, wanted: Set[str]) -> list[ItemLabel]:
    """The labels of a text in a form of their own, behind the words that it opens with, circled, or as 1.2; or none."""
    fewest = len(wanted)
    opening = _WORDED.match(text)
    if opening is not None and opening["n"] in wanted:
        words = r"\s*".join(map(re.escape, opening["words"].split()))
        form = rf"(?<!\S){words}\s*({_NUMBER})(?!\d)"
    elif all(map(_COMPOUND.fullmatch, wanted)):
        fewest -= 1  # the first may have begun in an earlier block
        form = rf"(?<![^\s;；。，,])({_NUMBER})[*∗]?[.．、:：)）]?(?=\s)"
    else:
        form = rf"(?<![^\s;；。，,])([{CIRCLED}])"
    found = ((label_key(mark[1]), mark) for mark in re.finditer(form, text))
    marks = [ItemLabel(name, mark.end(), None, "", mark.start()) for name, mark in found if name in wanted]
    return marks if 0 < fewest <= len(marks) == len({mark.label for mark in marks}) else []


def split_solution(text: str) -> tuple[str, str] | None:
    """A block that holds the end of a question and the start of its solution, cut at a sure marker.

    >>> split_solution("例3 求 x 的值. 解：x = 2")
    ('例3 求 x 的值.', '解：x = 2')
    """
    place = find_solution_start(text)
    if place is None or place <= 0:
        return None
    return text[:place].rstrip(), text[place:]
