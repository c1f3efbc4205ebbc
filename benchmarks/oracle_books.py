"""Exact F1 with a model that makes no mistakes: what is lost here is lost by chunking, parsing and merging.

    python benchmarks/oracle_books.py [--tools DIR] [--presets hard …] [--sizes 200 2000 …] [--seeds 1 2 3] [--large]

Needs a book maker and an oracle server, which are no part of this project: the folder with ``bookgen.py`` and
``run_books.py``, by ``--tools`` or as $DATAFLOW_SHARED/tools. Leaves with code 1 if a book falls below what
must hold: F1 1.000 (0.998 for 10,000 blocks or more), no wrong merge, every unanswered question kept.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

HERE = Path(__file__).resolve().parent
CHUNKS = (2_000, 8_000, 32_000, 128_000)
COLUMNS = "{:6} {:>6} {:>4} {:>7} {:>6} {:>6} {:>6} {:>9} {:>9} {:>6} {:>6} {:>7}"
HEAD = ("preset", "blocks", "seed", "chunk", "pairs", "F1", "wrong", "kept", "spurious", "calls", "tokens", "seconds")


def tools_folder(given):
    """The folder of the tools, None if there is none."""
    shared = os.environ.get("DATAFLOW_SHARED")
    folder = given or (Path(shared) / "tools" if shared else None)
    return folder if folder and (folder / "run_books.py").is_file() else None


def make_book(tools, folder, preset, size, seed):
    """A book of our parameters with its gold, in a new folder."""
    book = folder / f"{preset}-{size}-{seed}"
    command = [sys.executable, str(tools / "bookgen.py"), "synth", "--blocks", str(size), "--preset", preset]
    subprocess.run([*command, "--seed", str(seed), "-o", str(book)], check=True, stdout=subprocess.DEVNULL)
    draw_pictures(book)
    return book


def draw_pictures(book):
    """Give a made book pictures that open, each another: the maker's are empty, and a run leaves such out."""
    for number, path in enumerate(sorted((book / "images").iterdir())):
        Image.new("RGB", (8, 8), (number >> 16 & 255, number >> 8 & 255, number & 255)).save(path, "JPEG")


def measure(tools, book, work, chunks):
    """One figure set a chunk size, as the runner prints them."""
    command = [sys.executable, str(tools / "run_books.py"), str(book), "--impl", str(HERE / "hooks.py")]
    command += ["--id-space", "work:idmap.json", "--reply", "xml+at", "--work", str(work)]
    command += ["--errors", "1000000", "--chunk", *map(str, chunks)]
    paths = os.pathsep.join(filter(None, (str(HERE.parent), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": paths}, cwd=work
    )
    if done.returncode:
        sys.exit(f"{book.name}: the runner failed:\n{done.stdout[-500:]}{done.stderr[-2000:]}")
    lines = [line for line in done.stdout.splitlines() if line]
    for line in lines:
        if not line.startswith("{"):
            print(f"    {line}")
    return [json.loads(line) for line in lines if line.startswith("{")]


def holds(size, figures):
    """Whether a book's figures are what they must be."""
    wanted = 0.998 if size >= 10_000 else 1.0
    return (
        figures["F1"] >= wanted
        and not figures["wrong_merge"]
        and figures["unanswered_kept"] == figures["gold_unanswered"]
    )


def misses(figures, most):
    """What went wrong in a book, in a few lines."""
    names = ("exact", "partial", "wrong_merge", "spurious", "duplicate", "lost")
    wrong = [e for e in figures["errors"] if e[0] != "unanswered"]
    told = [json.dumps(error, ensure_ascii=False)[:300] for error in wrong[:most]]
    return [f"    {line}" for line in (", ".join(f"{n} {figures[n]}" for n in names), *told)]


def row(preset, size, seed, f):
    """A line of the table."""
    kept = f"{f['unanswered_kept']}/{f['gold_unanswered']}"
    where = (preset, size, seed, f["chunk"], f["gold_pairs"])
    found = (f"{f['F1']:.4f}", f["wrong_merge"], kept, f["spurious"])
    return COLUMNS.format(*where, *found, f["calls"], f["tok_per_gold_pair"], f["seconds"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=Path)
    parser.add_argument("--presets", nargs="+", default=["easy", "mild", "hard"])
    parser.add_argument("--sizes", nargs="+", type=int, default=[200, 2_000])
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3])
    parser.add_argument("--chunks", nargs="+", type=int, default=CHUNKS)
    parser.add_argument("--large", action="store_true", help="books of 20,000 blocks too")
    parser.add_argument("--errors", type=int, default=3, help="how many misses to show of a book below 1.000")
    args = parser.parse_args()
    tools = tools_folder(args.tools)
    if tools is None:
        print("SKIPPED: no tools; give --tools DIR, or set DATAFLOW_SHARED to the folder above tools/")
        return 0
    tools = tools.resolve()
    began, failed, count = time.monotonic(), [], 0
    print(COLUMNS.format(*HEAD), flush=True)
    with tempfile.TemporaryDirectory(prefix="oracle-books-") as name:
        folder = Path(name)
        for size in [*args.sizes, *([20_000] if args.large else [])]:
            for preset in args.presets:
                for seed in args.seeds:
                    book = make_book(tools, folder, preset, size, seed)
                    for figures in measure(tools, book, folder, args.chunks):
                        line = row(preset, size, seed, figures)
                        count += 1
                        print(line, flush=True)
                        if figures["F1"] < 1 or not holds(size, figures):
                            print("\n".join(misses(figures, args.errors)), flush=True)
                        if not holds(size, figures):
                            failed.append(line)
    print(f"{count} runs in {time.monotonic() - began:.0f} s; {len(failed)} below what must hold")
    print("\n".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
