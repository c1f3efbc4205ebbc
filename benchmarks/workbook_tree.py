"""Checks the chapter path of every item of a real workbook's content list against headings that a person read off.

    python benchmarks/workbook_tree.py [CONTENT_LIST.json] [--errors N]

Without an argument the list is looked for at $DATAFLOW_SHARED/data/pdf/workbook_content_list.json. The gold names
entries of the list, no text. A path is right if each of its headings is printed as the gold's node is, and if the
chapter begins where the node does, or where its parent does if numbers run on across it; a question is right if label
and blocks are. Rows that are wrong should be doubted, and no others. Leaves with code 1 below 0.98.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from check_workbook import workbook  # noqa: E402
from item_scores import doubt_counts  # noqa: E402

GOLD = HERE / "workbook_tree_gold.json"
WANTED = 0.98

Row = dict[str, Any]


def rows_of(path: Path) -> tuple[list[Row], dict[str, str], dict[int, str]]:
    """The final rows of the list, the words of its entries, and the entries behind its blocks."""
    from dataflow_ext import run
    from pipelines.pdf_vqa import documents, pipeline

    result = run(pipeline(), documents([path], None))
    blocks = [block for blocks in result.after("MinerU2LLMInput")["blocks"].to_pylist() for block in blocks]
    texts = {block["source_ref"]: block["text"].strip() for block in blocks}
    return result.table.to_pylist(), texts, {block["id"]: block["source_ref"] for block in blocks}


class Tree:
    """The gold's nodes: how each is printed, and which it stands under."""

    def __init__(self, nodes: list[Row], texts: dict[str, str]) -> None:
        self.nodes = {node["id"]: node for node in nodes}
        self.texts = texts

    def holds(self, row: Row, node: str, start: str) -> bool:
        """Whether a row's path leads to this node, and the chapter in which it is counted begins at this block."""
        path = []
        at: str | None = node
        while at is not None:
            path.append({self.texts[ref] for ref in self.nodes[at]["title_refs"] if ref in self.texts})
            at = self.nodes[at]["parent"]
        same = len(path) == len(row["chapter_path"])
        named = same and all(words in names for words, names in zip(row["chapter_path"], reversed(path), strict=True))
        chapter = self.nodes[node]["parent"] if self.nodes[node].get("runs_on") else node
        return named and start in self.nodes[chapter]["title_refs"]


def measure(gold: Row, rows: list[Row], texts: dict[str, str], refs: dict[int, str]) -> tuple[int, int, list[str], Row]:
    """Paths that are right, questions that are right, what is wrong, and how much of that is doubted."""
    tree = Tree(gold["nodes"], texts)
    found = {(row["label"], refs[row["question_ids"][0]]): row for row in rows if row["question_ids"]}
    paths = questions = 0
    wrong = []
    partners: list[tuple[Row | None, bool]] = []
    for item in gold["items"]:
        row = found.pop((item["label"], item["start"]), None)
        if row is None:
            wrong.append(f"no row for {item['label']} at {item['start']}")
            partners.append((None, False))
            continue
        free = set(item.get("captions", ()))
        right = {refs[i] for i in row["question_ids"]} - free == set(item["question"]) - free
        leads = tree.holds(row, item["node"], refs.get(row["chapter_block"], ""))
        partners.append((row, right and leads))
        questions += right
        paths += leads
        if not leads:
            wrong.append(f"path of {item['label']} at {item['start']} is {row['chapter_path']}")
        if not right:
            wrong.append(f"question {item['label']} at {item['start']} has other blocks")
    wrong += [f"no item for {label} at {start}" for label, start in found]
    return paths, questions, wrong, doubt_counts(partners, rows)


def main() -> int:
    """Run the check; the exit code says whether it held."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("content_list", nargs="?")
    parser.add_argument("--errors", type=int, default=0, metavar="N", help="list N of the errors")
    options = parser.parse_args()
    path = workbook(options.content_list)
    if path is None:
        print("SKIPPED: no workbook; give a content list, or set DATAFLOW_SHARED to the folder of data/pdf")
        return 0
    gold = json.loads(GOLD.read_text(encoding="utf-8"))
    rows, texts, refs = rows_of(path)
    paths, questions, wrong, doubts = measure(gold, rows, texts, refs)
    wanted = len(gold["items"])
    print("\n".join(wrong[: options.errors]))
    f1 = 2 * questions / (wanted + len(rows))
    print(f"{wanted} items, {len(rows)} rows: chapter path {paths / wanted:.4f}, question F1 {f1:.4f}")
    print(
        f"doubted: {doubts['seen']} of {doubts['faults']} faults, {doubts['needless']} of {doubts['right']} right rows"
    )
    return 1 if paths < WANTED * wanted or f1 < WANTED else 0


if __name__ == "__main__":
    sys.exit(main())
