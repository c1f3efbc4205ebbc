"""What the blocks are that no row holds: a kind for each, by a rule that says so, or unread."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import cache
from pathlib import Path
from typing import Literal

from operators.pdf.blocks import PICTURES
from operators.pdf.numbering import find_solution_start, option_letter, solution_marker, sub_label
from operators.pdf.rules.lines import HEADINGS, Kind, Line, Zone
from operators.pdf.rules.tables import worded_answers
from operators.pdf.rules.words import BLANK, QED, SURELY_ASKS

BlockKind = Literal[
    "contents",
    "heading",
    "front matter",
    "instructions",
    "theory",
    "summary",
    "credits",
    "furniture",
    "picture",
    "unread",
]

_ZONES: dict[Zone, BlockKind] = {Zone.CONTENTS: "contents", Zone.FRONT: "front matter", Zone.SUMMARY: "summary"}
#: A heading that opens a solution: what stands below it is no theory.
_SOLVES = re.compile(r"\W*(?:证明?|解答?|分析|解析|提示|点评|proofs?|solutions?|answers?|hints?)\b", re.IGNORECASE)
#: Definitions suppose things, as questions do.
_DEFINES = re.compile(
    r"称[其它之]?[为作是]|[则就]称|叫做|\b(?:is|are) (?:called|said to be|defined)\b|\bwe (?:call|say)\b"
)
#: Letters of the shortest paragraph that tells something; a shorter one may be what is left of anything.
_PARAGRAPH = 12


def kinds_of(lines: Sequence[Line], used: Set[int], titles: Set[int] = frozenset()) -> dict[int, BlockKind]:
    """The kind of each block with an id that is not ``used``; ``titles`` are headings that rows name.

    ``unread`` is what no rule knows, and what looks like part of a question or an answer. The lines must have their
    kinds and zones.
    """
    reader = _Reader(used, titles, next((n for n, line in enumerate(lines) if line.zone is Zone.CONTENTS), 0))
    kinds = ((line.block.id, reader.read(index, line)) for index, line in enumerate(lines))
    found = {block: kind for block, kind in kinds if kind is not None}
    for over, line, first in zip(lines, lines[1:], lines[2:], strict=False):
        # "C. Por o para", "Choose the right one.", 1: what is to be done with a group of questions.
        led = over.kind in HEADINGS and first.label is not None and first.label.number == 1 and first.zone is Zone.BODY
        if (
            led
            and line.label is None
            and found.get(line.block.id) == "unread"
            and found.get(over.block.id) == "heading"
        ):
            found[line.block.id] = "instructions"
    return found


class _Reader:
    """Reads lines in order; ``telling`` is whether a heading has been passed and no item since.

    ``stating`` is whether a definition or theorem is the last thing that was told; ``front`` is the first line of
    the contents pages, 0 if there are none.
    """

    def __init__(self, used: Set[int], titles: Set[int], front: int) -> None:
        self.used, self.titles, self.front = used, titles, front
        self.begun = self.telling = self.stating = False
        self.row = ""

    def read(self, index: int, line: Line) -> BlockKind | None:
        """The kind of the next line, None if a row has it."""
        if line.block.id in self.used:
            # What stands behind the end of a proof tells something new.
            self.begun, self.telling, self.row = True, line.text.endswith(QED), line.text
            self.stating = False
            return None
        above, self.row = self.row, ""
        if above and worded_answers(f"{above}\n{line.text}")[0]:
            return None  # the second line of a table of answers, whose numbers name rows
        if line.block.id in self.titles or (line.kind in HEADINGS and line.zone is not Zone.CONTENTS):
            self.begun = self.begun or line.kind is not Kind.HEADING
            self.telling = line.kind is not Kind.ANSWERS and not _SOLVES.match(line.text)
            self.stating = False
            return "contents" if line.kind is Kind.CONTENTS else "heading"
        if line.kind is Kind.HIDDEN:
            return "furniture"
        if line.kind is Kind.CAPTION or (line.block.type in PICTURES and not line.text):
            return "picture"
        return _ZONES.get(line.zone) or self._of_text(index, line)

    def _of_text(self, index: int, line: Line) -> BlockKind:
        if not any(map(str.isalnum, line.text)):
            return "furniture"  # signs alone, as roots that were set apart from their formula
        if index < self.front:
            return "front matter"
        self.telling = self.telling or line.aside
        said = _said(line.text)
        if said is not None:
            self.stating = said == "theory"
            self.telling = self.telling or self.stating
            return said
        if self.stating and _SOLVES.match(line.text):
            return "theory"  # the proof of a theorem
        if self.telling and line.label is None and _DEFINES.search(line.text):
            return "theory"
        if line.zone is Zone.ANSWERS or _is_item(line):
            self.telling = False
            return "unread"
        if not self.begun and line.block.page == 0:
            return "front matter"
        if self.telling and (line.block.type == "equation" or sum(map(str.isalpha, line.text)) >= _PARAGRAPH):
            return "theory"
        return "unread"


def _is_item(line: Line) -> bool:
    """Whether a line looks like a question, an option, a part of a question, or an answer."""
    text = line.text
    if line.label is not None or option_letter(text) or sub_label(text) or BLANK.search(text):
        return True
    return bool(SURELY_ASKS.search(text)) or solution_marker(text) is not None or find_solution_start(text) is not None


def _said(text: str) -> BlockKind | None:
    """What a phrase of the table says that a text is."""
    for kind, where, pattern in _phrases():
        found = pattern.search(text) if where == "anywhere" else pattern.match(text)
        if found and (where != "whole" or found.end() == len(text)):
            return kind
    return None


@cache
def _phrases() -> list[tuple[BlockKind, str, re.Pattern[str]]]:
    """The table of phrases: a kind, where in a text its pattern must be found, and the pattern."""
    lines = (Path(__file__).parent / "phrases.tsv").read_text(encoding="utf-8").splitlines()[1:]
    table = [line.split("\t") for line in lines]
    return [(kind, where, re.compile(pattern, re.IGNORECASE)) for kind, where, pattern in table]  # type: ignore[misc]
