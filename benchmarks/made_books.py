"""Books made with LaTeX and LibreOffice through the pipeline, by rules alone: items, pairs, chapters, text left over.

    python benchmarks/made_books.py BOOK… [--errors N] [--json FILE] [--hybrid]

Each BOOK is a folder with `gold.json`, which names the PDFs in it, or a folder of such folders. `question` is F1 of
questions with their labels, `pair` of those whose answer and solution are right too; `chapter` and `figures` are
shares of matched items, `lost` is the share of the text layer's letters that stand in no row, heading, told matter or
reject, `unread` the share of what was read that a reject tells as unread text. Formulas are not judged. With `--hybrid`
a model without mistakes is asked, too: `model` and `m-pair` are what it comes to alone, below 1 where the gold is not
found among the blocks, `hybrid` and `h-pair` what both come to, `asked` is the share of the text that it was asked for.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.item_scores import score  # noqa: E402
from benchmarks.text_coverage import unaccounted  # noqa: E402

Row = dict[str, Any]
HYBRID = ("model", "m-pair", "hybrid", "h-pair", "asked")
COLUMNS = ("items", "rows", "question", "pair", "chapter", "figures", "lost", "unread", "seen", "needless")


def measure(book: Path, hybrid: bool = False) -> Row:
    """The counts and errors of one book's folder."""
    from dataflow_ext import run
    from operators.pdf.coverage import cover
    from pipelines.pdf_vqa import documents, pipeline

    gold = json.loads((book / "gold.json").read_text(encoding="utf-8"))
    files = [book / name for name in gold["files"]]
    with tempfile.TemporaryDirectory(prefix="made-books-") as pictures:
        result = run(pipeline(image_dir=Path(pictures), ocr="never"), documents(files[:1], *files[1:]))
        rows = result.table.to_pylist()
        kinds = {b["id"]: b["type"] for blocks in result.after("MinerU2LLMInput")["blocks"].to_pylist() for b in blocks}
        for row in rows:
            row["figures"] = figures_of(row, kinds)
        found = score(gold, rows)
        coverage = cover(result.after("MinerU2LLMInput"), result.after("LLMOutputParser"), result.table, result.rejects)
        lost, letters, told = unaccounted(result, files, coverage.records)
    unread = {"unread": coverage.letters["unread"], "signs": coverage.letters.total()}
    asked = with_model(gold, result.after("MinerU2LLMInput"), kinds) if hybrid else {}
    return {**found, **unread, **asked, "lost": lost, "letters": letters, "errors": found["errors"] + told}


def with_model(gold: Row, documents: Any, kinds: dict[int, str]) -> Row:
    """What a model without mistakes comes to alone and with ``--hybrid``, and the tokens that it was asked about."""
    from benchmarks.gold_model import GoldModel
    from dataflow_ext import run
    from dataflow_ext.models import ScriptedModel
    from operators import ChunkedPromptedGenerator, HybridGenerator, LLMOutputParser, QA_Merger
    from operators.pdf.doubts import hybrid_figures

    (blocks,) = documents["blocks"].to_pylist()
    counts: Row = {}
    for name, step in (("model", ChunkedPromptedGenerator), ("hybrid", HybridGenerator)):
        steps = [step(model=ScriptedModel(GoldModel(gold, blocks))), LLMOutputParser(), QA_Merger()]
        result = run(steps, documents)
        rows = result.table.to_pylist()
        for row in rows:
            row["figures"] = figures_of(row, kinds)
        found = score(gold, rows)
        counts |= {f"{name}_{key}": found[key] for key in ("items", "rows", "questions", "pairs") if key in found}
    figures = hybrid_figures(result.after("HybridGenerator"))
    return {**counts, "asked": figures.asked, "tokens": figures.tokens}


def figures_of(row: Row, kinds: dict[int, str]) -> tuple[int, int]:
    """How many figures question and solution have; pictures of formulas and tables are none."""
    drawn = [e for e in row["evidence"] if e["image"] and kinds.get(e["id"]) in ("image", "chart")]
    asked = sum(e["role"] == "question" for e in drawn)
    return asked, len(drawn) - asked


def figures(counts: Row) -> Row:
    """The printed figures of a book, or of the sum of several."""
    c = Counter({k: v for k, v in counts.items() if isinstance(v, int)})
    matched = c["matched"]
    sides = [("model", "model_", "questions"), ("m-pair", "model_", "pairs")]
    sides += [("hybrid", "hybrid_", "questions"), ("h-pair", "hybrid_", "pairs")]
    asked = {name: _f1(c, side, key) for name, side, key in sides} | {"asked": c["asked"] / (c["tokens"] or 1)}
    return {
        **(asked if c["tokens"] else {}),
        "items": c["items"],
        "rows": c["rows"],
        "question": _f1(c, "", "questions"),
        "pair": _f1(c, "", "pairs"),
        "chapter": c["chapters"] / matched if matched else 0.0,
        "figures": c["figures"] / c["drawn"] if c["drawn"] else None,
        "lost": c["lost"] / c["letters"] if c["letters"] else 0.0,
        "unread": c["unread"] / c["signs"] if c["signs"] else 0.0,
        "seen": c["seen"] / c["faults"] if c["faults"] else None,
        "needless": c["needless"] / c["right"] if c["right"] else None,
    }


def _f1(counts: Counter[str], side: str, key: str) -> float:
    both = counts[f"{side}items"] + counts[f"{side}rows"]
    return 2 * counts[f"{side}{key}"] / both if both else 1.0


def shown(name: str, found: Row) -> str:
    """One line of the table."""
    columns = COLUMNS + HYBRID if "asked" in found else COLUMNS
    cells = ("-" if v is None else f"{v:.3f}" if isinstance(v, float) else str(v) for v in map(found.get, columns))
    return f"{name:<28}" + "".join(f"{cell:>9}" for cell in cells)


def books_in(folders: Sequence[Path]) -> Iterator[Path]:
    """The folders that hold a gold, in order of their names."""
    for folder in folders:
        yield from [folder] if (folder / "gold.json").exists() else sorted(g.parent for g in folder.glob("*/gold.json"))


def main(argv: Sequence[str] | None = None) -> int:
    """Measure all books and print the table; 1 if there are none."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("books", nargs="+", type=Path, metavar="BOOK")
    parser.add_argument("--errors", type=int, default=0, metavar="N", help="list N errors of each book")
    parser.add_argument("--hybrid", action="store_true", help="ask a model without mistakes, too")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write counts, figures and all errors there")
    options = parser.parse_args(argv)
    books = list(books_in(options.books))
    if not books:
        print("No folder with a gold.json was given.", file=sys.stderr)
        return 1
    columns = COLUMNS + HYBRID if options.hybrid else COLUMNS
    print(f"{'book':<28}" + "".join(f"{column:>9}" for column in columns))
    total: Counter[str] = Counter()
    kept = {}
    for book in books:
        counts = measure(book, options.hybrid)
        total.update({k: v for k, v in counts.items() if type(v) is int})
        kept[book.name] = {**counts, **{f"{k}_figure": v for k, v in figures(counts).items()}}
        print(shown(book.name, figures(counts)), flush=True)
        for error in counts["errors"][: options.errors]:
            print(f"    {error[:400]}")
    print(shown("all", figures(total)))
    if options.json:
        kept["all"] = {**total, **{f"{k}_figure": v for k, v in figures(total).items()}}
        options.json.write_text(json.dumps(kept, ensure_ascii=False, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
