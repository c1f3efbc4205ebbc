"""How much of a PDF's text layer stands in what the pipeline gave: rows, headings, told matter, rejects."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.item_scores import COMMAND, WORD, folded

Row = dict[str, Any]
#: How pdfium tells a hyphen at the end of a line.
BROKEN = re.compile(
    r"([A-Za-z\u00c0-\u024f\ufb00-\ufb06]+)(?:[\x02\ufffe]\s*|[-\u00ad\u2010]\s*?[\r\n]\s*)([a-z\u00df-\u024f\ufb00-\ufb06]+)"
)
LINK = re.compile(r"\]\([^)]*\)")
#: A word with its ligatures, or a Chinese character in any of its forms, as the page has them.
PRINTED = re.compile(r"[A-Za-z\u00c0-\u024f\ufb00-\ufb06]+|[\u3400-\u4dbf\u4e00-\u9fff\u2e80-\u2fdf\uf900-\ufaff]")
#: The most words that a drawing is taken to hold; a picture with more is text that was cut out.
DRAWN = 12
#: Letters of a key of answers ("1-5 BCADA"), which rows have one by one.
KEY = re.compile(r"[A-E]+")


@dataclass
class Supply:
    """Words that a part of the output holds, each to be used once, and its Latin letters in a row."""

    words: Counter[str]
    letters: str = ""
    pages: int = 1

    def take(self, word: str) -> bool:
        """Whether the word is there, as a word left over or inside a formula's letters ("sinx" in ``\\sin x``)."""
        if self.words[word] > 0:
            self.words[word] -= 1
            return True
        return len(word) > 1 and word in self.letters


@dataclass
class Covered:
    """What is covered of one page: texts that touch it, and boxes of pictures in thousandths of it."""

    texts: list[Supply] = field(default_factory=list)
    pictures: list[Sequence[float]] = field(default_factory=list)


def supply_of(text: str) -> Supply:
    """The words of a text of the output, formulas included."""
    printed = folded(COMMAND.sub("", LINK.sub("] ", text)))
    formulas = re.findall(r"\$\$.+?\$\$|\$[^$]+\$", printed, re.DOTALL)
    return Supply(Counter(WORD.findall(printed)), re.sub(r"[^a-z]", "", " ".join(formulas)))


def told_words(result: Any, told: Sequence[Row]) -> Iterator[tuple[int | None, int | None, str]]:
    """File, page (from 0, or None) and text of all that the pipeline tells beside rows and rejects."""
    columns = [result.table[name].to_pylist() for name in ("question_chapter_title", "answer_chapter_title")]
    titles = dict.fromkeys(title for column in columns for title in column if title)
    yield from ((None, None, title) for title in titles)
    yield from ((record["file"], record["page"], record["text"]) for record in told)


def covered_pages(result: Any, told: Sequence[Row]) -> tuple[dict[tuple[int, int], Covered], list[Supply]]:
    """What is covered page by page, and what has no page."""
    pages: dict[tuple[int, int], Covered] = defaultdict(Covered)
    nowhere: list[Supply] = []
    for text, evidence in _given(result):
        own = supply_of(text)
        places = dict.fromkeys((e["file"], e["page"]) for e in evidence)
        own.pages = len(places)
        for place in places:
            pages[place].texts.append(own)
        for block in evidence:
            if block.get("image") and block.get("box"):
                pages[block["file"], block["page"]].pictures.append(block["box"])
        if not evidence:
            nowhere.append(own)
    for file, number, text in told_words(result, told):
        (nowhere if file is None or number is None else pages[file, number].texts).append(supply_of(text))
    for page in pages.values():
        # Words of a page are taken from what stands on it alone before what goes on elsewhere.
        page.texts.sort(key=lambda text: text.pages)
    return pages, nowhere


def _given(result: Any) -> Iterator[tuple[str, list[Row]]]:
    """Text and evidence of each row's question, of its answer and solution, and of each reject."""
    for row in result.table.to_pylist():
        evidence = row["evidence"] or []
        yield row["question"] or "", [block for block in evidence if block["role"] == "question"]
        again = any("prints the question once more" in note for note in row.get("notes") or ())
        solved = "\n".join(row[part] or "" for part in (*(["question"] if again else []), "answer", "solution"))
        yield solved, [block for block in evidence if block["role"] != "question"]
    for reject in result.rejects.to_pylist():
        inputs = json.loads(reject["inputs"] or "{}")
        if isinstance(inputs, dict):
            texts = (inputs.get(part) for part in ("question", "answer", "solution", "text"))
            evidence = inputs.get("evidence") or ([inputs] if "page" in inputs and "file" in inputs else [])
            yield "\n".join(text for text in texts if isinstance(text, str)), evidence


def unaccounted(result: Any, files: Sequence[Path], told: Sequence[Row] = ()) -> tuple[int, int, list[str]]:
    """Letters of the text layer that stand nowhere in the output, all its letters, and the words, page by page.

    ``told`` are the records of blocks in no row: headings, told matter, unread text.
    """
    pages, nowhere = covered_pages(result, told)
    lost = every = 0
    sentences = []
    for number, path in enumerate(files):
        for page, read in enumerate(page_words(path)):
            here = pages.get((number, page), Covered())
            drawn = [box for box in here.pictures if sum(_inside(place, box) for _, place in read) <= DRAWN]
            missing = [
                w for w, at in read if not (any(_inside(at, box) for box in drawn) or _covered(w, here, nowhere))
            ]
            every += sum(len(w.replace("\n", "")) for w, _ in read)
            lost += sum(len(w.replace("\n", "")) for w in missing)
            if missing:
                sentences.append(f"page {page + 1} of {path.name} unaccounted: {' '.join(missing)}".replace("\n", "-"))
    return lost, every, sentences


def _inside(place: tuple[float, float], box: Sequence[float]) -> bool:
    return box[0] - 2 <= place[0] <= box[2] + 2 and box[1] - 2 <= place[1] <= box[3] + 2


def _covered(word: str, here: Covered, nowhere: Sequence[Supply]) -> bool:
    supplies = [*here.texts, *nowhere]
    if any(supply.take(word.replace("\n", "")) for supply in supplies):
        return True
    # Broken at a line's end: the output may keep the hyphen, or parts too short to count.
    parts = [part for part in word.split("\n") if len(part) > 2] if "\n" in word else []
    return bool(parts) and all(any(supply.take(part) for supply in supplies) for part in parts)


def page_words(path: Path) -> Iterator[list[tuple[str, tuple[float, float]]]]:
    """For each page its words with their middle in thousandths of the page; a line's end inside a word is kept."""
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    for page in document:
        textpage = page.get_textpage()
        width, height = page.get_size()
        signs = [chr(pypdfium2.raw.FPDFText_GetUnicode(textpage, n)) for n in range(textpage.count_chars())]
        text = "".join(signs)
        found = []
        for start, end, word in _words(text):
            left, bottom, _, top = textpage.get_charbox(start)
            _, _, right, _ = textpage.get_charbox(end - 1) if "\n" not in word else textpage.get_charbox(start)
            middle = ((left + right) / 2 / width * 1000, (1 - (bottom + top) / 2 / height) * 1000)
            found.append((word, middle))
        textpage.close()
        page.close()
        yield found
    document.close()


def _words(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and folded form of each word; one that is broken at a line's end has a line's end in it."""
    at = 0
    for match in BROKEN.finditer(text):
        yield from _whole(text, at, match.start())
        if len(match[1]) + len(match[2]) > 2:
            yield match.start(), match.end(), folded(f"{match[1]}\n{match[2]}")
        at = match.end()
    yield from _whole(text, at, len(text))


def _whole(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    # Ligatures are one sign here and several letters there, so words are found before they are folded.
    for match in PRINTED.finditer(text, start, end):
        word = folded(match[0])
        if WORD.fullmatch(word) and not KEY.fullmatch(match[0]):
            yield match.start(), match.end(), word
