"""One made book: its source and its gold grow side by side, then TeX sets it and tells the pages."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bank import Item, pictures

#: Commands whose argument is printed as it stands.
_DRESS = re.compile(r"\\(?:emph|textbf|textit|textsc|text|mbox|underline|textsf|texttt)\{([^{}]*)\}")
_SIGNS = {"``": "“", "''": "”", "---": "—", "--": "–", r"\%": "%", r"\&": "&", r"\#": "#", r"\ldots": "…",
          r"\dots": "…", r"\,": "", r"\ ": " ", "~": " ", r"\quad": " ", r"\-": "", r"\_": "_", r"\S": "§"}  # fmt: skip
#: Marks where questions and solutions begin and end, with the number of the sheet, which TeX knows when it ships it.
MARKS = r"""\newwrite\spots \immediate\openout\spots=\jobname.spots
\newcommand\spot[1]{\write\spots{#1 \the\ReadonlyShipoutCounter}}
"""


def plain(text: str) -> str:
    """The printed text of a piece of LaTeX, formulas as ``$…$``.

    >>> plain(r"A \\emph{small} set, 5\\,kg: \\[x=1.\\] ``Yes''")
    'A small set, 5kg: $x=1.$ “Yes”'
    """
    pieces = re.split(
        r"(\$[^$]+\$|\\\[.+?\\\]|\\begin\{(?:align|gather)\*\}.+?\\end\{(?:align|gather)\*\})", text, flags=re.DOTALL
    )
    return re.sub(r"\s+", " ", "".join(_formula(p) if n % 2 else _words(p) for n, p in enumerate(pieces))).strip()


def _formula(piece: str) -> str:
    inner = piece[1:-1] if piece.startswith("$") else re.sub(r"^\\\[|\\\]$|\\(?:begin|end)\{\w+\*\}", "", piece)
    return "$" + inner.strip() + "$"


def _words(piece: str) -> str:
    while _DRESS.search(piece):
        piece = _DRESS.sub(r"\1", piece)
    for sign, printed in _SIGNS.items():
        piece = piece.replace(sign, printed)
    left = re.search(r"\\[A-Za-z]+", piece)
    assert left is None, f"{left and left[0]} in {piece!r}: write it as a formula, or tell plain() what it prints"
    return piece.replace("{", "").replace("}", "")


@dataclass
class Book:
    """A book in the making: lines of its source, and its gold."""

    name: str
    style: str
    made_with: str
    engine: str = "pdflatex"
    source: list[str] = field(default_factory=list)
    items: list[dict[str, Any]] = field(default_factory=list)
    told: list[dict[str, str]] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)

    def add(self, *lines: str) -> None:
        """Lines of the source."""
        self.source.extend(lines)

    def tell(self, kind: str, *texts: str) -> None:
        """Printed text that belongs to no item."""
        self.told.extend({"kind": kind, "text": plain(text)} for text in texts if text)

    def item(
        self,
        item: Item,
        label: str,
        chapter: Sequence[str],
        section: str = "",
        *,
        shared: str = "",
        answered: bool = True,
        question: str | None = None,
    ) -> str:
        """Records an item; the key of its marks."""
        text = question if question is not None else asked(item)
        figures = len(item.figures)
        self.items.append(
            {
                "label": label,
                "section": plain(section),
                "chapter": [plain(title) for title in chapter],
                "question": plain(text),
                "answer": plain(item.answer) if answered else "",
                "solution": plain(item.solution) if answered else "",
                "question_pages": [],
                "solution_pages": [],
                "question_figures": figures,
                "solution_figures": len(item.solution_figures) if answered else 0,
                **({"shared": plain(shared)} if shared else {}),
            }
        )
        return str(len(self.items) - 1)

    def write(self, folder: Path, files: Sequence[str] = ("book.pdf",)) -> None:
        """The book's folder with PDF, gold and source."""
        target = folder / self.name
        (target / "src").mkdir(parents=True, exist_ok=True)
        tex = target / "src" / "book.tex"
        tex.write_text("\n".join(self.source) + "\n", encoding="utf-8")
        typeset(tex, self.engine)
        shutil.move(tex.with_suffix(".pdf"), target / "book.pdf")
        self._pages(tex.with_suffix(".spots"))
        for left in tex.parent.iterdir():
            if left.is_file() and left.suffix != ".tex":
                left.unlink()
        self.write_gold(target, files)

    def write_gold(self, target: Path, files: Sequence[str]) -> None:
        """``gold.json`` in the book's folder."""
        gold = {"name": self.name, "style": self.style, "made_with": self.made_with, "files": list(files)}
        text = json.dumps({**gold, "items": self.items, "told": self.told}, ensure_ascii=False, indent=1)
        (target / "gold.json").write_text(text + "\n", encoding="utf-8")

    def _pages(self, spots: Path) -> None:
        ends: dict[tuple[str, str], list[int]] = {}
        for line in spots.read_text(encoding="utf-8", errors="replace").splitlines():
            mark, page = line.split()
            ends.setdefault((mark[0], mark[1:].rstrip("be")), []).append(int(page))
        for (part, key), pages in ends.items():
            name = "question_pages" if part == "q" else "solution_pages"
            self.items[int(key)][name] = list(range(min(pages), max(pages) + 1))


def asked(item: Item) -> str:
    """Question, parts and options as one text, with the letters in front that most books print."""
    parts = [f"({'abcdefgh'[n]}) {text}" for n, text in enumerate(item.parts)]
    return " ".join([item.question, *parts, *(f"{'ABCD'[n]}. {text}" for n, text in enumerate(item.options))])


def marked(part: str, key: str, text: str) -> str:
    """Text between the marks of a question (``q``) or solution (``s``)."""
    return rf"\spot{{{part}{key}b}}{text}\spot{{{part}{key}e}}"


def centred(names: Sequence[str]) -> str:
    """TikZ pictures by name, each in the middle of a line of its own."""
    return "".join(rf"\begin{{center}}{picture(name)}\end{{center}}" for name in names)


def picture(name: str) -> str:
    """The TikZ picture of a name."""
    return pictures()[name]


def typeset(tex: Path, engine: str) -> None:
    """Runs TeX until its pages stand; its last lines as the error if it fails."""
    environment = {
        **os.environ,
        "SOURCE_DATE_EPOCH": "1600000000",
        "FORCE_SOURCE_DATE": "1",
    }  # the same bytes each time
    for _ in range(3):
        command = [engine, "-interaction=nonstopmode", "-halt-on-error", tex.name]
        done = subprocess.run(
            command, cwd=tex.parent, env=environment, capture_output=True, text=True, errors="replace", check=False
        )
        if done.returncode:
            raise SystemExit(f"{tex}: {engine} failed\n" + done.stdout[-2500:])
