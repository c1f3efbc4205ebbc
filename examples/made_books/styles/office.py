"""Worksheets out of a word processor: lists that count by themselves, formulas as objects, answers in a second PDF."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from bank import Heading, Item, Theory, load
from book import Book
from word import Document, pdf_of

TITLE = "Science Worksheets"


@dataclass
class Worksheets(Book):
    """A book of two documents instead of a source for TeX."""

    documents: dict[str, Document] = field(default_factory=dict)

    def write(self, folder: Path, files: tuple[str, ...] = ("questions.pdf", "answers.pdf")) -> None:
        """The folder with both PDFs, gold and both documents."""
        target = folder / self.name
        (target / "src").mkdir(parents=True, exist_ok=True)
        first = 1
        for name in files:
            document = target / "src" / name.replace(".pdf", ".docx")
            self.documents[name].write(document)
            pdf_of(document, target / name)
            first = self._find(target / name, first, "question" if name == files[0] else "solution")
        self.write_gold(target, files)

    def _find(self, pdf: Path, first: int, part: str) -> int:
        """Notes the page on which each item's words stand; the number of the next file's first page."""
        texts = subprocess.run(["pdftotext", str(pdf), "-"], check=True, capture_output=True, text=True).stdout.split(
            "\f"
        )[:-1]
        pages = [set(re.findall(r"[A-Za-z]{3,}", text)) for text in texts]
        for item in self.items:
            text = item["question"] if part == "question" else item["answer"] + item["solution"]
            words = re.findall(r"[A-Za-z]{3,}", re.sub(r"\$[^$]+\$", "", text))
            best = max(range(len(pages)), key=lambda n: (sum(word in pages[n] for word in words), -n))
            item[f"{part}_pages"] = [first + best]
        return first + len(pages)


def worksheets() -> Book:
    """Numbers start anew in each worksheet; the first key is a table, the others are lists."""
    style = "Word by LibreOffice, automatic numbering, formula objects, answers in a second PDF"
    book = Worksheets("word-worksheets", style, "LibreOffice, Caladea and Carlito")
    asked, solved = Document(TITLE), Document(f"{TITLE} – Answers")
    book.documents = {"questions.pdf": asked, "answers.pdf": solved}
    asked.paragraph(TITLE, "Title")
    solved.paragraph("Answers", "Title")
    book.tell("title", TITLE)
    book.tell("heading", "Answers")
    book.tell("furniture", TITLE, f"{TITLE} – Answers", "Question Answer")
    path: list[str] = []
    number = 0
    for entry in load("worksheets"):
        if isinstance(entry, Heading):
            number, path = 0, [entry.title]
            for document in (asked, solved):
                document.paragraph(entry.title, "Heading1")
                document.lists += 1
            book.tell("heading", entry.title, entry.title)
            if asked.lists == 1:
                solved.table(_key())
        elif isinstance(entry, Theory):
            asked.paragraph(entry.text)
            book.tell("instructions", entry.text)
        elif isinstance(entry, Item):
            number += 1
            book.item(entry, str(number), path)
            asked.paragraph(entry.question, number=asked.lists)
            for name in entry.figures:
                asked.picture(name)
            if asked.lists > 1:
                solved.paragraph(entry.worked, number=solved.lists)
    return book


def _key() -> list[tuple[str, ...]]:
    """Question and answer side by side, for the first worksheet."""
    entries = load("worksheets")
    second = [n for n, entry in enumerate(entries) if isinstance(entry, Heading)][1]
    items = [entry for entry in entries[:second] if isinstance(entry, Item)]
    return [("Question", "Answer"), *((str(n), item.answer) for n, item in enumerate(items, start=1))]
