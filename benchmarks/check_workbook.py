"""Checks the offline rules on a real workbook's content list: lessons, F1 against hand-made gold.

    python benchmarks/check_workbook.py [CONTENT_LIST.json] [--blocks]

Without an argument the list is looked for at $DATAFLOW_SHARED/data/pdf/workbook_content_list.json. Leaves
with code 1 if a lesson has no question 1, a heading or contents line is a question, or F1 is below 0.98.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from operators.pdf.blocks import Block
from operators.pdf.doubts.judge import judge
from operators.pdf.mineru.content_list import load_content_list
from operators.pdf.mineru_input import flatten
from operators.pdf.numbering.title_ranks import is_contents_line, title_rank
from operators.pdf.reply import ReplyChapter

GOLD = Path(__file__).with_name("workbook_gold.json")
WANTED_F1 = 0.98


def workbook(argument: str | None) -> Path | None:
    """The content list to check, None if there is none."""
    if argument:
        return Path(argument)
    shared = os.environ.get("DATAFLOW_SHARED")
    path = Path(shared) / "data" / "pdf" / "workbook_content_list.json" if shared else None
    return path if path and path.is_file() else None


def compare(chapters: list[ReplyChapter], blocks: list[Block], gold: dict) -> tuple[int, int, int, list[str]]:
    """Items right, items found, items in the gold, and what differs, over the lessons that the gold has."""
    ref = {block.id: block.source_ref for block in blocks}
    found = {tuple(ref[i] for i in c.title): c for c in chapters}
    right = total = wanted = 0
    wrong: list[str] = []
    for lesson in gold["lessons"]:
        title = tuple(lesson["title_refs"])
        pairs = {p.label: {ref[i] for i in p.question} for p in found[title].pairs} if title in found else {}
        total += len(pairs)
        wanted += len(lesson["items"])
        for item in lesson["items"]:
            got = pairs.pop(item["label"], None)
            free = set(item.get("captions", []))
            if got is not None and got - free == set(item["question"]) - free:
                right += 1
            else:
                wrong.append(f"{title} {item['label']}: want {item['question']}, got {sorted(got or ())}")
        wrong += [f"{title} {label}: not in the gold" for label in pairs]
    return right, total, wanted, wrong


def problems(chapters: list[ReplyChapter], blocks: list[Block]) -> list[str]:
    """Lessons without a question 1, and headings or contents lines taken for questions."""
    found = []
    for chapter in chapters:
        plain = [p.label for p in chapter.pairs if p.label.isdecimal()]
        if plain and plain[0] != "1":
            found.append(f"lesson {title_of(chapter, blocks)!r} begins with {plain[0]}")
        for pair in chapter.pairs:
            for i in pair.question:
                text = blocks[i].text
                rank = title_rank(text) if blocks[i].level is not None else None
                if is_contents_line(text) or (rank is not None and i != pair.question[0]):
                    found.append(f"question {pair.label} of {title_of(chapter, blocks)!r} holds {text!r}")
    return found


def title_of(chapter: ReplyChapter, blocks: list[Block]) -> str:
    """The words of a chapter's title."""
    return " ".join(blocks[i].text for i in chapter.title)


def report(chapters: list[ReplyChapter], blocks: list[Block], show_blocks: bool) -> None:
    """Print lessons and labels."""
    for chapter in chapters:
        print(f"{title_of(chapter, blocks) or '(no title)'}: {len(chapter.pairs)}")
        print("   ", " ".join(p.label for p in chapter.pairs))
        for pair in chapter.pairs if show_blocks else ():
            refs = [blocks[i].source_ref for i in pair.question]
            print(f"      {pair.label}: {refs} {pair.answer!r} {[blocks[i].source_ref for i in pair.solution]}")


def main() -> int:
    """Run the check; the exit code says whether it held."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("content_list", nargs="?")
    parser.add_argument("--blocks", action="store_true", help="print every item's block references")
    options = parser.parse_args()
    path = workbook(options.content_list)
    if path is None:
        print("SKIPPED: no workbook; give a content list, or set DATAFLOW_SHARED to the folder of data/pdf")
        return 0
    blocks = flatten(load_content_list(path).items)
    began = time.perf_counter()
    chapters = judge(blocks).reply()
    seconds = time.perf_counter() - began
    report(chapters, blocks, options.blocks)
    right, total, wanted, wrong = compare(chapters, blocks, json.loads(GOLD.read_text(encoding="utf-8")))
    f1 = 2 * right / (total + wanted)
    bad = problems(chapters, blocks)
    print("\n".join(wrong + [f"PROBLEM: {b}" for b in bad]))
    print(
        f"{len(blocks)} blocks in {seconds:.3f} s ({len(blocks) / seconds:,.0f} a second), "
        f"{len(chapters)} lessons, {sum(len(c.pairs) for c in chapters)} items; "
        f"gold: {right} of {wanted} items right, F1 {f1:.4f}"
    )
    return 1 if bad or f1 < WANTED_F1 else 0


if __name__ == "__main__":
    sys.exit(main())
