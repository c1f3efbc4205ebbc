"""Content of the made books: chapters, theory and items as they are written in ``content/NAME.txt``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent / "content"
#: What a line's first sign says; a line without one goes on with the field before it.
FIELDS = {"? ": "question", "+ ": "options", "- ": "parts", "= ": "answer", "! ": "solution", ": ": "hint"}


@dataclass
class Heading:
    """A heading of the book; the outermost have depth 1."""

    depth: int
    title: str


@dataclass
class Theory:
    """A paragraph that is no item; ``kind`` names its dress, such as theorem, proof, text, instructions."""

    kind: str
    text: str


@dataclass
class Item:
    """A question or worked example with all that the book prints of it, in LaTeX."""

    question: str = ""
    kind: str = ""
    options: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    answer: str = ""
    solution: str = ""
    hint: str = ""
    points: int = 0
    figures: list[str] = field(default_factory=list)
    solution_figures: list[str] = field(default_factory=list)
    group: str = ""

    @property
    def worked(self) -> str:
        """The solution, or the short answer where there is none."""
        return self.solution or self.answer


@dataclass
class Group:
    """Text and figures that the next ``size`` items share."""

    name: str
    size: int
    text: str
    figures: list[str] = field(default_factory=list)


Entry = Heading | Theory | Item | Group


def load(name: str) -> list[Entry]:
    """The entries of a content file, in order."""
    return list(_entries((FOLDER / f"{name}.txt").read_text(encoding="utf-8")))


def _entries(text: str) -> Iterator[Entry]:
    item: Item | None = None
    for chunk in re.split(r"\n(?=#|>|[?+=!:-] |\?\w+\||@)", "\n" + text):
        line = chunk.strip("\n")
        if not line.strip():
            continue
        if made := _outside(line):
            item = None
            yield made
        elif new := re.match(r"\?(\w+)\|(.*)|\? (.*)", line, re.DOTALL):
            item = Item(kind=new[1] or "", question=(new[2] or new[3]).strip())
            yield item
        else:
            assert item is not None, f"no item before {line[:60]!r}"
            _fill(item, line)


def _outside(line: str) -> Entry | None:
    if heading := re.match(r"(#+) (.*)", line):
        return Heading(len(heading[1]), heading[2].strip())
    if theory := re.match(r">(\w*)\|(.*)", line, re.DOTALL):
        return Theory(theory[1] or "text", theory[2].strip())
    if group := re.match(r"@group (\w+) (\d+)((?: fig=\w+)*)\|(.*)", line, re.DOTALL):
        return Group(group[1], int(group[2]), group[4].strip(), re.findall(r"fig=(\w+)", group[3]))
    return None


def _fill(item: Item, line: str) -> None:
    if drawn := re.match(r"@(fig|solfig|points) (\S+)", line):
        if drawn[1] == "points":
            item.points = int(drawn[2])
        else:
            (item.figures if drawn[1] == "fig" else item.solution_figures).append(drawn[2])
        return
    name, text = FIELDS[line[:2]], line[2:].strip()
    if name in ("options", "parts"):
        getattr(item, name).append(text)
    else:
        setattr(item, name, text)


def pictures() -> dict[str, str]:
    """The TikZ pictures by name, from ``content/figures.txt``."""
    text = (FOLDER / "figures.txt").read_text(encoding="utf-8")
    return {
        name: body.strip() for name, body in re.findall(r"^@ (\w+)\n(.*?)(?=^@ |\Z)", text, re.DOTALL | re.MULTILINE)
    }
