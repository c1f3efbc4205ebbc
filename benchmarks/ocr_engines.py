"""RapidOCR as it comes, RapidOCR as the library drives it, and PaddleOCR, side by side on the same pages.

Run ``python benchmarks/ocr_engines.py [PDF OR PICTURE…] [--pages N] [--paddle-models DIR]``. PDFs are rendered
at 200 dpi. Each engine works in a process of its own; times are of pages read after a first one that loads the
models, and CPU seconds are those of all threads. DIR holds the folders ``det`` and ``rec``, see docs/ocr.md.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import unicodedata
from difflib import SequenceMatcher
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DPI = 200
NEEDS = {"rapidocr as it comes": "rapidocr", "rapidocr": "rapidocr", "paddleocr": "paddleocr"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path, default=[ROOT / "examples/booklets/geometry_zh.pdf"])
    parser.add_argument("--pages", type=int, default=3, help="pages of each PDF (3)")
    parser.add_argument("--detect-side", type=int, help="of the engines as the library drives them")
    parser.add_argument("--paddle-models", type=Path, help="folder with PaddleOCR's models in det and rec")
    parser.add_argument("--one", choices=list(NEEDS), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        measure(args)
        return
    with tempfile.TemporaryDirectory() as folder:
        pictures = rendered(args.files, args.pages, Path(folder))
        results = {}
        for name in NEEDS:
            if (found := measured(name, pictures, args)) is not None:
                results[name] = found
    show(results, len(pictures))


def rendered(files: list[Path], pages: int, folder: Path) -> list[Path]:
    """The pictures themselves, and the first pages of PDFs as PNG."""
    import pypdfium2

    pictures = []
    for path in files:
        if path.suffix.lower() != ".pdf":
            pictures.append(path.resolve())
            continue
        with pypdfium2.PdfDocument(path) as pdf:
            for number in range(min(pages, len(pdf))):
                pictures.append(folder / f"{len(pictures)}.png")
                pdf[number].render(scale=DPI / 72).to_pil().save(pictures[-1])
    return pictures


def measured(name: str, pictures: list[Path], args: argparse.Namespace) -> dict | None:
    """One engine's figures, from a process of its own; None, and a loud line, where it is not installed."""
    command = [sys.executable, "-P", __file__, "--one", name, *map(str, pictures)]
    if args.paddle_models:
        command += ["--paddle-models", str(args.paddle_models)]
    if args.detect_side:
        command += ["--detect-side", str(args.detect_side)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        print(f"!!! {name} was SKIPPED: {done.stderr.strip().splitlines()[-1]}", flush=True)
        return None
    return json.loads(done.stdout.splitlines()[-1])


def measure(args: argparse.Namespace) -> None:
    """Read all pictures with one engine and print what it took, as JSON."""
    read = reader(args)
    read(args.files[0])
    before, start = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    texts = [read(path) for path in args.files]
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(json.dumps({"wall": wall, "cpu": cpu, "peak": after.ru_maxrss / 1024, "texts": texts}))


def reader(args: argparse.Namespace):
    """A function from the path of a picture to the texts of its lines."""
    if args.one == "rapidocr as it comes":
        from rapidocr import RapidOCR

        as_it_comes = RapidOCR(params={"Global.log_level": "error"})
        return lambda path: list(as_it_comes(path, use_det=True, use_cls=True, use_rec=True).txts or ())
    from dataflow_ext.ocr import engine_of

    options: dict[str, object] = {}
    if args.one == "paddleocr" and args.paddle_models:
        options = {"runtime": "onnxruntime", "threads": os.cpu_count()}
        for kind, task in (("det", "detection"), ("rec", "recognition")):
            options[f"{task}_dir"] = args.paddle_models / kind
            options[f"{task}_model"] = f"PP-OCRv5_mobile_{kind}"
    if args.detect_side:
        options["detect_side"] = args.detect_side
    engine = engine_of(args.one, **options)
    return lambda path: [line.text for line in engine.read([path])[0]]


def show(results: dict[str, dict], pages: int) -> None:
    print(f"{pages} pages, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; a page:")
    print(f"{'':22}{'wall s':>8}{'CPU s':>8}{'lines':>8}{'letters':>9}{'peak MB':>9}")
    for name, found in results.items():
        lines, letters = sum(map(len, found["texts"])), sum(len(plain(texts)) for texts in found["texts"])
        print(
            f"{name:22}{found['wall'] / pages:8.1f}{found['cpu'] / pages:8.1f}{lines / pages:8.1f}"
            f"{letters / pages:9.0f}{found['peak']:9.0f}"
        )
    for (one, first), (other, second) in itertools.combinations(results.items(), 2):
        print(f"similarity of {one} to {other}: {similarity(first['texts'], second['texts']):.4f}")


def similarity(first: list[list[str]], second: list[list[str]]) -> float:
    """The mean over pages of the share of letters that two engines agree on, in order."""
    pairs = [(plain(one), plain(other)) for one, other in zip(first, second, strict=True)]
    return sum(SequenceMatcher(None, one, other, autojunk=False).ratio() for one, other in pairs) / len(pairs)


def plain(texts: list[str]) -> str:
    """Letters without blanks, wide ones made narrow: what is left is what was read, not how it is set."""
    return "".join(unicodedata.normalize("NFKC", "".join(texts)).split())


if __name__ == "__main__":
    main()
