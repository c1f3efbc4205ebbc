"""Books under trees of headings drawn by chance, read by rules alone: which headings do the items stand under?

    python benchmarks/headed_books.py [--first 0] [--books 200] [--show N] [--failing]

Each number draws one to three levels of headings with their wording and whether they are set as such, where numbers
begin anew, groups inside them, what stands before and between, and how the answers at the end repeat the headings.
Paths leave out headings that only say that exercises begin; a group over which numbers run on may be there or not.
The rules were mended on these books, so their rates say nothing about others: they are for finding what no rule knows.
"""

from __future__ import annotations

import csv
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.dressed_books import ASKED, THINGS, WORDS, read, which_books  # noqa: E402
from benchmarks.item_scores import plain_title  # noqa: E402
from operators.pdf.blocks import ContentItem  # noqa: E402

#: What is drawn from, by kind and language, choices parted by |. In the wording of headings {n} counts in the heading
#: above, {a} is the number of that one, {t} a name, {T} the same in capitals, {r}, {l}, {z} are Roman numbers, letters
#: and Chinese numbers; a / parts two lines, or two groups.
with Path(__file__).with_suffix(".tsv").open(encoding="utf-8") as table:
    WORDED = {
        (row["kind"], row["language"]): row["choices"].split("|") for row in csv.DictReader(table, delimiter="\t")
    }
LABELS = ("{n}.", "{n})", "({n})", "{n}", "{n}:")
ROMAN, CHINESE = ("I", "II", "III", "IV", "V", "VI"), "一二三四五六"


@dataclass
class Item:
    """A question, the headings over it, and the group and the set of exercises it is in, if no count begins there."""

    path: list[str]
    group: str
    set: str
    number: int
    question: str
    answer: str


@dataclass
class Part:
    """A heading with its lines, its number, what it holds, and whether it is told in paths."""

    lines: list[str]
    depth: int
    number: int
    told: bool = True
    parts: list[Part] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    mirrored: list[str] = field(default_factory=list)


class Maker:
    """The book that a number draws: ``content`` as a parser lists it, ``items`` with their paths."""

    def __init__(self, seed: int) -> None:
        chance = self.chance = random.Random(seed)
        self.language = chance.choice(["en", "en", "de", "fr", "es", "zh"])
        self.names = self.choices("name")
        chance.shuffle(self.names)
        self.levels = chance.random() < 0.7
        self.label = chance.choice(LABELS)
        self.depth = chance.choice([1, 1, 2, 2])
        self.outer = self._worded("outer", unnumbered=self.levels, decimals=True)
        self.inner = (
            self._worded("inner", unnumbered=self.levels, decimals="{n}" in self.outer) if self.depth > 1 else ""
        )
        self.inner = "" if self.inner.split(" ")[0] == self.outer.split(" ")[0] else self.inner
        self.set = self._worded("set", unnumbered=True, decimals=self.depth > 1 and "{n}" in self.outer)
        self.set = self.set if chance.random() < 0.5 else ""
        self.group = chance.choice(self.choices("groups")) if chance.random() < 0.25 else ""
        self.anew = chance.choice(["leaf", "leaf", "outer", "never"])
        self.grouped_anew = bool(self.group) and self.anew == "leaf" and chance.random() < 0.5
        self.answers = chance.choice(["with", "behind all", "behind all", "behind each", "none"])
        self.mirror = chance.choice(["whole", "whole", "short"])
        self.extras = {one for one in ("theory", "running", "opening", "contents") if chance.random() < 0.3}
        self.content: list[ContentItem] = []
        self.items: list[Item] = []
        self.make()

    def choices(self, kind: str) -> list[str]:
        """What of a kind may be drawn in the book's language."""
        return list(WORDED[kind, self.language])

    def _worded(self, kind: str, *, unnumbered: bool, decimals: bool) -> str:
        every = [
            one
            for one in self.choices(kind)
            if (unnumbered or any(sign in one for sign in ("{n}", "{r}", "{z}", "{l}")))
            and (decimals or "{a}" not in one)
        ]
        return self.chance.choice(every)

    def drawn(self) -> dict[str, Any]:
        """What was drawn, for a person to read."""
        names = "language levels label outer inner set group anew grouped_anew answers mirror extras"
        return {name: getattr(self, name) for name in names.split()}

    def add(self, text: str, level: int | None = None, kind: str = "text") -> None:
        """One entry of the list, at the next place on the page."""
        page, row = divmod(len(self.content), 20)
        if row == 0 and "running" in self.extras and self.running and page:
            self._place(self.running, None, "header")
            page, row = divmod(len(self.content), 20)
        self._place(text, level if self.levels else None, kind)

    def _place(self, text: str, level: int | None, kind: str) -> None:
        page, row = divmod(len(self.content), 20)
        top = 30.0 if kind == "header" else 90.0 + 40 * row
        box = (80.0, top, 900.0, top + 25)
        self.content.append(ContentItem(kind, text, level, page=page, box=box, ref=str(len(self.content))))

    def headed(self, wording: str, number: int, above: int) -> list[str]:
        """The lines of a heading."""
        name = self.names.pop()
        filled = wording.format(
            n=number,
            a=above,
            t=name,
            T=name.upper(),
            r=ROMAN[number - 1],
            l="ABCDEF"[number - 1],
            z=CHINESE[number - 1],
        )
        return filled.split("/")

    def make(self) -> None:
        """Draw the tree, then print it."""
        self.running = ""
        tree = [self._part(n) for n in range(1, self.chance.choice([2, 2, 3]) + 1)]
        self.add(self.choices("title")[0], 1)
        if "opening" in self.extras:
            for line in self.chance.sample(self.choices("opening"), 1):
                self.add(line)
        if "contents" in self.extras and self.levels:
            for at, part in enumerate(tree):
                self.add(f"{' '.join(part.lines)} ........ {2 * at + 1}")
        self.number = 0
        for part in tree:
            self.print_part(part, [])
            if self.answers == "behind each":
                self.add(WORDS[self.language]["answers"][0], 3)
                self.print_answers(part, 4, heading=False)
        if self.answers == "behind all":
            self.add(WORDS[self.language]["answers"][0], 2)
            for part in tree:
                self.print_answers(part, 3, heading=True)

    def _part(self, number: int) -> Part:
        part = Part(self.headed(self.outer, number, 0), 2, number)
        part.mirrored = part.lines if self.mirror == "whole" or "{n}" not in self.outer else part.lines[:1]
        for inner in range(1, self.chance.choice([2, 3]) + 1) if self.inner else ():
            below = Part(self.headed(self.inner, inner, number), 3, inner)
            below.mirrored = below.lines
            part.parts.append(below)
        leaves = part.parts or [part]
        for at, leaf in enumerate(leaves if self.set else (), 1):
            bare = "{" not in self.set
            numbers = (number, at) if part.parts else (number, number)
            text = self.set.format(a=numbers[0], n=numbers[1], l="ABCDEF"[at - 1])
            told = not bare and not ("{a}.{n}" in self.set and "{a}.{n}" in (self.inner or ""))
            inside = Part([text], leaf.depth + 1, at, told=told)
            inside.mirrored = inside.lines
            leaf.parts.append(inside)
        return part

    def print_part(self, part: Part, above: Sequence[str]) -> None:
        """A heading, what stands below it, its questions."""
        path = [*above, *([" ".join(part.lines)] if part.told else [])]
        if self.anew == "outer" and part.depth == 2:
            self.number = 0
        for line in part.lines:
            self.add(line, part.depth)
        self.running = part.lines[-1] if part.depth == 2 else self.running
        if "theory" in self.extras:
            self.add(self.choices("theory")[0].format(w=self.chance.choice(THINGS[self.language].split())))
        for below in part.parts:
            self.print_part(below, path)
        if not part.parts:
            self.print_items(part, path)

    def print_items(self, part: Part, path: list[str]) -> None:
        """The questions of a heading, in its groups."""
        if self.anew == "leaf":
            self.number = 0
        for group in self.group.split("/") if self.group else [""]:
            if group:
                self.add(group, part.depth + 1)
                self.number = 0 if self.grouped_anew else self.number
            for _ in range(self.chance.choice([3, 4, 5])):
                self.number += 1
                text = self.chance.choice(ASKED[self.language].split("\n"))
                factor, value = self.chance.randrange(2, 40), self.chance.randrange(2, 9)
                word = self.chance.choice(THINGS[self.language].split())
                question, answer = text.format(w=word, n=factor, m=factor * value, k=value).split("|")
                own = [*path, group] if self.grouped_anew else path
                runs_on = part.lines[0] if self.set and (self.anew != "leaf" or not part.told) else ""
                item = Item(own, "" if self.grouped_anew else group, runs_on, self.number, question, answer)
                self.items.append(item)
                part.items.append(item)
                self.add(f"{self.label.format(n=item.number)} {question}")
                if self.answers == "with":
                    self.add(f"{WORDS[self.language]['told'][0]}{'：' if self.language == 'zh' else ': '}{answer}")

    def print_answers(self, part: Part, level: int, *, heading: bool) -> None:
        """The answers below a heading, with the headings above them once more."""
        if heading and (self.anew != "never" or self.mirror == "whole"):
            for line in part.mirrored:
                self.add(line, level)
        for below in part.parts:
            self.print_answers(below, level + 1, heading=self.anew == "leaf" or self.mirror == "whole")
        group = ""
        for item in part.items:
            own = item.path[-1] if self.grouped_anew else ""
            if own != group:
                self.add(own, level + 1)
            group = own
            self.add(f"{self.label.format(n=item.number)} {item.answer}")


def found(book: Maker) -> Iterator[tuple[Item, dict[str, Any] | None]]:
    """Each item with its row, in the book's order."""
    left = read(book)
    for item in book.items:
        row = next((row for row in left if item.question in row["question"] and str(item.number) == row["label"]), None)
        if row is not None:
            left.remove(row)
        yield item, row


def path_is_right(item: Item, path: Sequence[str]) -> bool:
    """Whether these are the headings over an item; its group may follow."""
    got, wanted = [plain_title(one) for one in path], [plain_title(one) for one in item.path]
    own = plain_title(item.set)
    wanted, got = [[one for one in path if one != own] for path in (wanted, got)]
    return got == wanted or bool(item.group and got == [*wanted, plain_title(item.group)])


def main() -> int:
    """Read books and print what is right."""
    options = which_books(__doc__)
    if options.show is not None:
        show(Maker(options.show))
        return 0
    items = rows = paths = pairs = whole = 0
    for seed in range(options.first, options.first + options.books):
        book = Maker(seed)
        right = [0, 0, 0]
        for item, row in found(book):
            right[0] += row is not None
            right[1] += row is not None and path_is_right(item, row["chapter_path"])
            told = row is not None and f"{row['answer']}{row['solution']}"
            right[2] += told is not False and (not told if book.answers == "none" else item.answer.strip(".。") in told)
        items += len(book.items)
        rows, paths, pairs = rows + right[0], paths + right[1], pairs + right[2]
        whole += right == [len(book.items)] * 3
        if options.failing and right != [len(book.items)] * 3:
            print(seed, f"{right} of {len(book.items)}", book.drawn())
    print(f"{options.books} books, {whole} wholly right; {items} questions")
    print(
        f"{rows / items:.4f} are rows, {paths / items:.4f} under their headings, {pairs / items:.4f} with their answers"
    )
    return 0


def show(book: Maker) -> None:
    """Print a book's lines and what was found."""
    print(book.drawn())
    for entry in book.content:
        print(f"{entry.ref:>3} {entry.type:<8} {entry.level or '-'} {entry.text[:90]}")
    for item, row in found(book):
        got = row and [row["chapter_path"], row["answer"] or row["solution"], row["doubts"]]
        print("ok " if row and path_is_right(item, row["chapter_path"]) else "BAD", item.number, item.path, got)


if __name__ == "__main__":
    sys.exit(main())
