"""A book of numbered lines as a content list, and a brain for the loopback server that reads such lines."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from PIL import Image

from operators.pdf.reply import ReplyChapter, ReplyPair, render
from tests.loopback import Body, prompt_of

_LINE = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)
_NUMBERED = re.compile(r"(\d+)\. (.*)")


def write_book(folder: Path, chapters: int, questions: int = 4, *, pictures: bool = True, name: str = "book") -> Path:
    """A content list with a picture at each chapter's second question, all answers at the end; its path."""
    folder.mkdir(parents=True, exist_ok=True)
    entries: list[dict[str, object]] = []

    def add(**values: object) -> None:
        n = len(entries)
        box = [90, 40 + n % 20 * 45, 900, 70 + n % 20 * 45]
        entries.append({"type": "text", **values, "bbox": box, "page_idx": n // 20})

    for chapter in range(1, chapters + 1):
        add(text=f"Chapter {chapter} Rates", text_level=1)
        for q in range(1, questions + 1):
            add(text=f"{q}. A tank holds {chapter * 7 + q} litres and loses {q} a minute. When is it empty?")
            if q == 2 and pictures:
                file = folder / "images" / f"tank_{chapter}.png"
                file.parent.mkdir(exist_ok=True)
                Image.new("RGB", (20, 12), (chapter * 5 % 256, chapter // 52, 90)).save(file)
                add(type="image", img_path=f"images/{file.name}", image_caption=[], image_footnote=[])
            add(text="Give the time in minutes, rounded up.")
    for chapter in range(1, chapters + 1):
        add(text=f"Answers to Chapter {chapter}", text_level=1)
        for q in range(1, questions + 1):
            add(text=f"{q}. {chapter * 100 + q} min")
    path = folder / f"{name}_content_list.json"
    path.write_text(json.dumps(entries), encoding="utf-8")
    return path


def brain(body: Body) -> str:
    """The pairs among the lines shown, in the XML of the prompt's contract, after a word of chatter.

    Headings open chapters, numbered lines open items, all other lines go with the item before them.
    """
    chapters: list[ReplyChapter] = []
    answers = False
    pair: ReplyPair | None = None
    for number, text in shown(body):
        if text.startswith("# "):
            chapters.append(ReplyChapter([number]))
            answers, pair = "Answers" in text, None
        elif (found := _NUMBERED.fullmatch(text)) is not None:
            pair = ReplyPair(found[1], at=number)
            if answers:
                pair.answer = found[2]
            else:
                pair.question.append(number)
            chapters = chapters or [ReplyChapter()]
            chapters[-1].pairs.append(pair)
        elif pair is not None:
            pair.question.append(number)
    return f"Part {digest(body)}:\n{render(chapters)}"


def shown(body: Body) -> list[tuple[int, str]]:
    """The block lines of a request, as ids and texts."""
    return [(int(number), text) for number, text in _LINE.findall(prompt_of(body))]


def digest(body: Body) -> str:
    """A name for what a request asks."""
    return hashlib.sha256(prompt_of(body).encode()).hexdigest()[:16]
