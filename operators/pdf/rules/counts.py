"""Labels that were accepted, and the counts that they stand in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from operators.pdf.numbering import ItemLabel
from operators.pdf.rules.lines import Kind, Line


@dataclass(slots=True)
class Start:
    """A label that was accepted: where an item begins."""

    line: int
    label: ItemLabel
    run: int = -1
    #: The answer, where a table gives it.
    answer: str = ""
    #: Whether a heading of any kind stands between the item before and this one.
    headed: bool = False


@dataclass(slots=True)
class Run:
    """A count that is open, or was: the labels that were taken into it."""

    id: int
    last: int
    starts: list[Start] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)
    nested: bool = False
    dropped: bool = False
    #: The item that it stands in.
    within: Start | None = None

    def add(self, start: Start) -> None:
        """Take a label into the count."""
        number = start.label.number or 0
        start.run = self.id
        self.starts.append(start)
        self.seen.add(number)
        self.last = max(self.last, number)


def numbers_ahead(lines: Sequence[Line]) -> list[int | None]:
    """For every line the next plain number below it that opens a line, None where a title comes first."""
    found: list[int | None] = [None] * len(lines)
    following: int | None = None
    for index in range(len(lines) - 1, -1, -1):
        found[index] = following
        line = lines[index]
        if line.kind is Kind.TITLE and not line.running_head:
            following = None
        elif line.kind is Kind.TEXT and line.label is not None and not line.label.prefix:
            following = line.label.number
    return found
