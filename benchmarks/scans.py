"""Scans of the booklets through the pipeline: what is found, how fast, in how much memory.

    python benchmarks/scans.py [--presets noisy turned] [--books algebra_en] [--pages 2,3] [--misses]

Each line is one booklet in one look (examples/booklets/scan.py), read in a process of its own: its seconds and
megabytes count everything, the start of Python and the loading of models too. Leaves with code 1 if F1 of
question, label and chapter together is below 0.93, or that of figures at IoU 0.5 below 0.9. With --source the
PDFs themselves are read, not scans of them.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
BOOKLETS = ROOT / "examples" / "booklets"
BOOKS = ("geometry_zh", "algebra_en", "physics_zh")
SIMILAR, WANTED_QUESTIONS, WANTED_FIGURES = 0.9, 0.93, 0.9
Row = dict[str, Any]


def booklets(name: str) -> ModuleType:
    """A script of the folder of booklets."""
    spec = importlib.util.spec_from_file_location(f"booklets_{name}", BOOKLETS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def scans_of(book: str, preset: str | None, pages: list[int] | None, folder: Path) -> list[Path]:
    """The input files of a booklet in one look, made unless they are there; None for the booklet itself."""
    gold = json.loads((BOOKLETS / "gold" / f"{book}.json").read_text(encoding="utf-8"))
    maker = booklets("scan")
    code = (BOOKLETS / "scan.py").read_bytes()
    made = []
    for number, name in enumerate(gold["inputs"]):
        source = BOOKLETS / name
        shown = pages if number == 0 else None
        key = hashlib.sha256(source.read_bytes() + code + repr((preset, shown)).encode()).hexdigest()[:12]
        target = folder / f"{source.stem}-{preset}-{key}.pdf"
        if not preset:
            target = source
        elif not target.exists():
            partial = target.with_suffix(".part")
            maker.scan(source, partial, pages=shown, **maker.PRESETS[preset])
            partial.replace(target)
        made.append(target)
    return made


def measure(book: str, preset: str | None, pages: list[int] | None, folder: Path, memory: Path | None) -> Row:
    """The scores of one booklet in one look, with its number of pages; ``memory`` keeps what OCR read."""
    import pypdfium2

    from dataflow_ext import run
    from pipelines.pdf_vqa import documents, pipeline

    first, *answers = scans_of(book, preset, pages, folder)
    result = run(pipeline(image_dir=folder / "pictures"), documents([first], *answers), cache_dir=memory)
    rows = result.table.to_pylist()
    maker, score = booklets("scan"), booklets("score")
    gold = json.loads((BOOKLETS / "gold" / f"{book}.json").read_text(encoding="utf-8"))
    angle = maker.PRESETS[preset].get("angle", 0.0) if preset else 0.0
    gold = maker.scanned_gold(gold, BOOKLETS, angle=angle, pages=pages)
    orphans = [json.loads(r["inputs"]) for r in result.rejects.to_pylist() if r["error"] == "AnswerWithoutQuestion"]
    found: Row = score.score(gold, rows, orphans, similar=SIMILAR)
    found["figure"] = score.figure_rates(gold["items"], rows)
    found["text"] = text_likeness(gold["items"], rows, score)
    found["pages"] = sum(len(pypdfium2.PdfDocument(path)) for path in (first, *answers))
    ways = [way for ways in result.after("DocumentReader")["pages_read"].to_pylist() for way in ways]
    found["read"] = sum(way["last"] - way["first"] + 1 for way in ways if way["source"] == "ocr")
    found["rejects"] = [f"{r['error']}: {r['message']}" for r in result.rejects.to_pylist()]
    return found


def text_likeness(items: list[Row], rows: list[Row], score: ModuleType) -> float:
    """How alike the questions' texts are on average; 0 for a question that no row of its label resembles."""
    best = []
    for item in items:
        same = [row for row in rows if score.plain(row["label"]) == score.plain(item["label"])]
        words = (score.words_only(item, row["question"]) for row in same)
        best.append(max((score.likeness(item["question"], text) for text in words), default=0.0))
    return sum(best) / len(best) if best else 1.0


def apart(arguments: list[str], told: Path) -> Row | None:
    """Runs this script once more for one line of the table; its scores and what it took, None if it failed."""
    began = time.perf_counter()
    # A session of its own, so that all processes that it starts can be told.
    child = subprocess.Popen([sys.executable, __file__, *arguments, "--to", str(told)], start_new_session=True)
    peak = 0
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            break
        peak = max(peak, memory_of(child.pid))
        time.sleep(0.1)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        return None
    found: Row = json.loads(told.read_text(encoding="utf-8"))
    found["cpu"] = usage.ru_utime + usage.ru_stime
    found["wall"] = time.perf_counter() - began
    found["megabytes"] = max(peak, usage.ru_maxrss * 1024) / 1e6
    return found


def memory_of(session: int) -> int:
    """Bytes in memory of all processes of a session; 0 where the system doesn't tell."""
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        if int(fields[3]) == session:
            total += int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
    return total


def table(presets: list[str | None], options: argparse.Namespace) -> bool:
    """Prints a line for each look and booklet; whether all of them hold."""
    folder, pages = options.folder, options.pages
    print(f"{'look':<12}{'book':<12} pages  ocr question  picture   figure   text  answer cpu s/page  s/page    MB")
    holds = True
    for preset in presets:
        for book in options.books:
            arguments = ["--books", book, "--folder", str(folder), *(["--pages", pages] if pages else [])]
            arguments += ["--presets", preset] if preset else ["--source"]
            arguments += ["--remember"] if options.remember else []
            if preset:  # before the clock starts
                scans_of(book, preset, numbers(pages), folder)
            found = apart(arguments, folder / f"{book}-{preset}.json")
            name = f"{preset or 'source':<12}{book:<12}"
            if found is None:
                print(f"{name}FAILED")
                holds = False
                continue
            print(name + shown(found), flush=True)
            holds &= found["question"]["f1"] >= WANTED_QUESTIONS and found["figure"]["f1"] >= WANTED_FIGURES
            if options.misses:
                print("\n".join(f"    {line}" for line in found["misses"] + found["rejects"]))
    return holds


def shown(found: Row) -> str:
    """The figures of one line of the table."""
    pages = found["pages"]
    f1 = "".join(f"{found[part]['f1']:>9.3f}" for part in ("question", "picture", "figure"))
    seconds = f"{found['cpu'] / pages:>11.2f}{found['wall'] / pages:>8.2f}"
    shares = f"{f1}{found['text']:>7.3f}{found['answer']:>8.2f}"
    return f"{pages:>6}{found['read']:>5}{shares}{seconds}{found['megabytes']:>6.0f}"


def numbers(pages: str | None) -> list[int] | None:
    """Page indexes from 0 for numbers from 1 with commas."""
    return [int(page) - 1 for page in pages.split(",")] if pages else None


def main() -> int:
    """Run the benchmark; the exit code says whether it held."""
    looks = list(booklets("scan").PRESETS)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--presets", nargs="+", choices=looks, default=looks, metavar="LOOK", help=", ".join(looks))
    parser.add_argument("--books", nargs="+", choices=BOOKS, default=list(BOOKS), metavar="BOOK", help=", ".join(BOOKS))
    parser.add_argument("--pages", help="only these pages of the first file, from 1: 2,3; the gold is cut to them")
    parser.add_argument("--source", action="store_true", help="read the PDFs themselves, with their text layers")
    parser.add_argument("--misses", action="store_true", help="list what was missed and rejected")
    parser.add_argument("--remember", action="store_true",
                        help="keep what OCR read, for scoring again: times and memory then mean nothing")  # fmt: skip
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "dataflow_scans",
                        help="where scans are kept (default: %(default)s)")  # fmt: skip
    parser.add_argument("--to", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.source and options.pages:
        parser.error("--pages is for scans, not for --source")
    options.folder.mkdir(parents=True, exist_ok=True)
    presets = [None] if options.source else options.presets
    if options.to:
        memory = options.folder / "memory" if options.remember else None
        found = measure(options.books[0], presets[0], numbers(options.pages), options.folder, memory)
        options.to.write_text(json.dumps(found, ensure_ascii=False, indent=1), encoding="utf-8")
        return 0
    return 0 if table(presets, options) else 1


if __name__ == "__main__":
    sys.exit(main())
