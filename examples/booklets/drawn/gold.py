"""Gold: what a careful reader finds in a booklet, recorded while it is being drawn."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(slots=True)
class Figure:
    """Where a figure stands: a box in thousandths of its page, or the name of a picture file.

    ``instead`` is what a parser wrongly wrote in its place: the text of a number line that it took for
    an equation, the cells of a figure that it took for a table.
    """

    file: int = 0
    page: int = 0
    box: tuple[int, int, int, int] | None = None
    image: str | None = None
    caption: str = ""
    instead: str = ""

    def as_json(self) -> dict[str, object]:
        place: dict[str, object] = {"image": self.image} if self.image else {"box": list(self.box or ())}
        return {"file": self.file, "page": self.page, **place, "caption": self.caption} | (
            {"instead": self.instead} if self.instead else {}
        )


@dataclass(slots=True)
class Item:
    """One question or worked example; the lists grow while its parts are drawn.

    ``nth`` tells sections of the same title apart: 0 for the first one in the book.
    """

    label: str
    chapter: str
    question: list[str] = field(default_factory=list)
    answer: str = ""
    solution: list[str] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    solution_figures: list[Figure] = field(default_factory=list)
    nth: int = 0

    def as_json(self) -> dict[str, object]:
        return {
            "label": self.label,
            "chapter": self.chapter,
            "question": "\n".join(self.question),
            "answer": self.answer,
            "solution": "\n".join(self.solution),
            "status": "answered" if self.answer or self.solution else "unanswered",
            "figures": [f.as_json() for f in self.figures],
            "solution_figures": [f.as_json() for f in self.solution_figures],
        }


@dataclass(slots=True)
class Gold:
    """All items of one input set in book order, answers that have no question, and texts that are no item."""

    inputs: list[str]
    items: list[Item] = field(default_factory=list)
    orphans: list[dict[str, str]] = field(default_factory=list)
    not_items: list[str] = field(default_factory=list)

    def find(self, label: str, chapter: str, nth: int = 0) -> Item | None:
        """The item with this label in the ``nth`` section of this title."""
        found = (i for i in self.items if (i.label, i.chapter, i.nth) == (label, chapter, nth))
        return next(found, None)

    def give(self, title: str, answer: str, label: str, chapter: str, nth: int = 0) -> None:
        """Records an answer that is printed under ``title``; without an item it is an orphan."""
        if item := self.find(label, chapter, nth):
            item.answer = answer
        else:
            self.orphans.append({"label": label, "chapter": title, "answer": answer})

    def write(self, path: Path) -> None:
        content = {
            "inputs": self.inputs,
            "items": [i.as_json() for i in self.items],
            "orphans": self.orphans,
            "not_items": list(dict.fromkeys(self.not_items)),
        }
        path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
