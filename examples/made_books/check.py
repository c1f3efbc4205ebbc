"""Says which words of a gold its pages lack, and which words of the pages no gold holds: ``check.py BOOK …``."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.item_scores import HEADS, PRINTED, WORD, folded, words  # noqa: E402
from benchmarks.text_coverage import page_words  # noqa: E402


def main() -> int:
    """A line for each item that is not on its pages, then the words that nothing holds."""
    faults = 0
    for book in map(Path, sys.argv[1:]):
        gold = json.loads((book / "gold.json").read_text(encoding="utf-8"))
        pages = [
            Counter(w.replace("\n", "") for w, _ in page) for name in gold["files"] for page in page_words(book / name)
        ]
        for item in gold["items"]:
            for part, texts in (("question", [item["question"]]), ("solution", [item["answer"], item["solution"]])):
                on = sum((pages[n - 1] for n in item[f"{part}_pages"] if n <= len(pages)), Counter())
                if missing := words(" ".join(texts)) - on:
                    print(f"{book.name} {item['label']} {part} p.{item[f'{part}_pages']}: not there: {dict(missing)}")
                    faults += 1
                if any(texts) and not item[f"{part}_pages"]:
                    print(f"{book.name} {item['label']} {part}: no page")
                    faults += 1
        held = Counter(t for text in _texts(gold) for t in WORD.findall(folded(re.sub(r"\\[A-Za-z]+", " ", text))))
        free = {"mod", *HEADS, *PRINTED.split("|")}
        left = {word: n for word, n in sum(pages, Counter()).items() if word not in held and word not in free}
        print(f"{book.name}: {len(pages)} pages, {len(gold['items'])} items, told nowhere: {left}")
    return min(faults, 1)


def _texts(gold: dict) -> list[str]:
    items = [item.get(part, "") for item in gold["items"] for part in ("question", "answer", "solution", "shared")]
    titles = [title for item in gold["items"] for title in [*item["chapter"], item["section"], item["label"]]]
    return items + titles + [told["text"] for told in gold["told"]]


if __name__ == "__main__":
    sys.exit(main())
