"""LLaVA-CoT rows without models: rows a second and memory: `python benchmarks/onevision_rows.py [--rows 10000]`.

Copies of the records of `examples/visual_reasoning` (or of --records with --images) are made in a new file, with ids
and sentences of their own, until there are so many rows; the pictures stay the same few, so that OCR is remembered and
what is measured is all the rest. The whole command runs in a process of its own, with nothing remembered. Told are rows
a second by the clock and by CPU, seconds of each step, and the most memory; then, unless `--no-memory` is given, the
same for ten times the rows, and how many times the memory that took. What OCR takes of a picture is told apart.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

EXAMPLE = Path("examples/visual_reasoning")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000, metavar="N")
    parser.add_argument("--records", type=Path, default=EXAMPLE / "train.jsonl")
    parser.add_argument("--images", type=Path, default=EXAMPLE / "images")
    parser.add_argument("--workers", type=int, default=1, metavar="N")
    parser.add_argument("--ocr", default="always", help="as the command's (default: %(default)s)")
    parser.add_argument("--no-memory", action="store_true", help="no second run with ten times the rows")
    args = parser.parse_args()
    first = in_own_process(args, args.rows)
    tell(first)
    if args.no_memory:
        return 0
    more = in_own_process(args, 10 * args.rows)
    tell(more)
    print(f"memory: {more['memory'] / first['memory']:.2f} times for {more['rows'] / first['rows']:.1f} times the rows")
    return 0


def in_own_process(args: argparse.Namespace, rows: int) -> dict[str, Any]:
    """The figures of one run."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=measured, args=(args, rows, sender))
    process.start()
    figures = receiver.recv()
    process.join()
    return figures


def measured(args: argparse.Namespace, rows: int, sender: Any) -> None:
    from pipelines.onevision import main as command

    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder, "train.jsonl"), Path(folder, "out")
        turns = copies(args.records, source, rows)
        pictures = sum(1 for path in args.images.rglob("*") if path.is_file())
        began, cpu = time.perf_counter(), time.process_time()
        flags = ["--workers", str(args.workers), "--ocr", args.ocr, "--no-embed"]
        command([str(source), "--images", str(args.images), "--out", str(out), *flags])
        wall, used = time.perf_counter() - began, time.process_time() - cpu
        report = json.loads((out / ".run" / "report.json").read_text())
        stats = json.loads((out / "stats.json").read_text())
        size = source.stat().st_size
    used += resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    seconds = {step["operator"]: step["seconds"] for step in report["steps"]}
    sender.send(
        {
            "rows": turns,
            "pictures": pictures,
            "bytes": size,
            "wall": wall,
            "cpu": used,
            "seconds": seconds,
            "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            "counts": {name: stats[name] for name in ("turns", "kept", "review", "dropped", "errored")},
        }
    )


def copies(records: Path, target: Path, rows: int) -> int:
    """Write records until they have so many turns; how many they have."""
    source = []
    for line in records.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            record = json.loads(line)
            turns = len(record["conversations"]) // 2
        except (ValueError, TypeError, KeyError):
            continue
        source.append((record, turns))
    made = copy = 0
    with target.open("w", encoding="utf-8") as file:
        while made < rows:
            for record, turns in source:
                made_anew = {**record, "id": f"{record.get('id')}_{copy}"}
                if isinstance(record.get("conversations"), list):
                    made_anew["conversations"] = [reworded(entry, copy) for entry in record["conversations"]]
                file.write(json.dumps(made_anew, ensure_ascii=False) + "\n")
                made += turns
            copy += 1
    return made


def reworded(entry: Any, copy: int) -> Any:
    """An entry whose sentences stand in no other copy, so that nothing remembered of one serves another."""
    if not isinstance(entry, dict) or not isinstance(entry.get("value"), str):
        return entry
    name = "".join(chr(ord("a") + int(digit)) for digit in str(copy))
    return {**entry, "value": re.sub(r"\b(the|a) |(图中)", rf"\g<0>{name}q ", entry["value"])}


def tell(it: dict[str, Any]) -> None:
    ocr = it["seconds"].get("ImageTextReader", 0.0)
    print(f"{it['rows']:,} rows of {it['bytes'] / 1e6:,.1f} MB on {it['pictures']} pictures: {it['counts']}")
    speed = it["rows"] / (it["wall"] - ocr)
    print(f"  {it['wall']:.1f} s, of them OCR {ocr:.1f} s ({ocr / max(it['pictures'], 1):.2f} a picture)")
    print(f"  without OCR {speed:,.0f} rows a second; CPU {it['cpu']:.1f} s; memory {it['memory']:,.0f} MiB")
    print("  " + ", ".join(f"{name} {seconds:.2f}" for name, seconds in it["seconds"].items()))


if __name__ == "__main__":
    raise SystemExit(main())
