"""Game rounds through the pipeline, without a model: how much of what is read is right, in what time and memory?

    python benchmarks/game_rounds.py [--rounds 200] [--seed 1] [--pages] [--sets DIR…] [--misses]
    python benchmarks/game_rounds.py --ocr paddleocr --ocr-option runtime=onnxruntime …

Makes rounds of the project's own (other seeds make other screens), with --pages also the kept web pages, and
runs the pipeline on all of them in one process, whose seconds and megabytes count everything. ``sets`` are folders
in the collector's layout with a labels.csv. Beside the readers stands the seed rule: digits with a score above
0.5, below y = 600, the three surest. Leaves with code 1 if numbers, light or card are right in less than 99 % of
the rounds, fewer than 95 % are emitted, less than 99.5 % of those are right, a round takes more than 2 CPU seconds,
or the process more than 1 GB.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
PAGES = ROOT / "examples" / "game_pages" / "rounds"
FIELDS, SURE = ("numbers", "light", "card"), 0.8
WANTED = {"read": 0.99, "emitted": 0.95, "right": 0.995, "cpu": 2.0, "mb": 1000.0}


def labels_of(folder: Path) -> dict[tuple[str, str, int], tuple[str, str, str]]:
    import csv

    with (folder / "labels.csv").open(encoding="utf-8", newline="") as file:
        return {
            (row["device"], row["episode"], int(row["round"])): (row["numbers"], row["light"], row["answer"])
            for row in csv.DictReader(file)
        }


def values(table: Any, column: str) -> dict[tuple[str, str, int], str]:
    from operators.game.rounds import told

    keys = zip(*(table[name].to_pylist() for name in ("device", "episode", "round")), strict=True)
    return dict(zip(keys, map(told, table[column].to_pylist()), strict=True))


def measured(folder: Path, ocr: str, options: dict[str, str], workers: int, absolute: bool) -> dict[str, Any]:
    """What a run on one set gives, counted against its labels."""
    from dataflow_ext import run
    from dataflow_ext.ocr import engine_of
    from operators import EpisodeReader, OCRNumberExtractor
    from pipelines.game_annotate import DETECT_SIDE, episodes, pipeline

    usual = {"detect_side": str(DETECT_SIDE)} if ocr == "rapidocr" else {}
    engine = engine_of(ocr, **{**usual, **options})
    labels = labels_of(folder)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as cache:
        result = run(pipeline(engine=engine), episodes(folder), cache_dir=cache, workers=workers)
        took = time.monotonic() - began
        spent = sum(
            usage.ru_utime + usage.ru_stime
            for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        )
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        seed = None
        if absolute:
            # With the engine's own resolution, not with that which the relative layout gets along with.
            theirs = engine_of(ocr, **{"detect_side": "960", **options})
            rule = OCRNumberExtractor(engine=theirs, layout="absolute", unsure="keep")
            seed = run([EpisodeReader(), rule], episodes(folder), cache_dir=cache)
    # What tells a light beside its colour is asked when all rounds of an episode are known.
    steps = dict(zip(FIELDS, ("OCRNumberExtractor", "EpisodeMemory", "CorrectCardFinder"), strict=True))
    read = {name: values(result.after(step), name) for name, step in steps.items()}
    sure = {name: sure_of(result.after(step), name) for name, step in steps.items()}
    emitted = {name: values(result.table, name) for name in FIELDS}
    wrong = [k for k in emitted["card"] if tuple(emitted[n][k] for n in FIELDS) != labels.get(k)]
    causes = zip(result.rejects["operator"].to_pylist(), result.rejects["error"].to_pylist(), strict=True)
    misses = [
        (*k, name, read[name].get(k, "-"), labels[k][i], "sure" if k in sure[name] else "unsure")
        for i, name in enumerate(FIELDS)
        for k in labels
        if read[name].get(k) != labels[k][i]
    ]
    return {
        "set": folder.name,
        "rounds": len(labels),
        **{n: sum(read[n].get(k) == labels[k][i] for k in labels) / len(labels) for i, n in enumerate(FIELDS)},
        "sure_wrong": dict(Counter(miss[3] for miss in misses if miss[-1] == "sure")),
        "seed_rule": None if seed is None else seed_share(seed.table, labels),
        "emitted": result.table.num_rows / len(labels),
        "right": 1 - len(wrong) / max(1, result.table.num_rows),
        "wrong": [[*k, *(emitted[n][k] for n in FIELDS), *labels.get(k, ())] for k in wrong],
        "rejects": {" ".join(cause): n for cause, n in Counter(causes).most_common()},
        "misses": misses,
        "cpu": spent / len(labels),
        "seconds": took,
        "mb": memory,
    }


def sure_of(table: Any, name: str) -> set[tuple[str, str, int]]:
    readings = table[f"{name}_read"].to_pylist()
    return {k for k, reading in zip(values(table, name), readings, strict=True) if reading["confidence"] >= SURE}


def seed_share(table: Any, labels: dict[tuple[str, str, int], tuple[str, str, str]]) -> float:
    return sum(v == labels[k][0] for k, v in values(table, "numbers").items()) / len(labels)


def child(folder: Path, args: argparse.Namespace) -> dict[str, Any]:
    """The figures of a set, measured in a process of its own."""
    command = [sys.executable, __file__, "--child", str(folder), "--ocr", args.ocr, "--workers", str(args.workers)]
    command += [word for option in args.ocr_option for word in ("--ocr-option", option)]
    command += ["--no-seed-rule"] * args.no_seed_rule
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def fails(figures: dict[str, Any]) -> list[str]:
    wanted = dict.fromkeys(FIELDS, WANTED["read"]) | {"emitted": WANTED["emitted"], "right": WANTED["right"]}
    low = [f"{name} {figures[name]:.3f} < {least}" for name, least in wanted.items() if figures[name] < least]
    return low + [
        f"{name} {figures[name]:.1f} > {WANTED[name]}" for name in ("cpu", "mb") if figures[name] > WANTED[name]
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pages", action="store_true", help="the kept web pages, too")
    parser.add_argument("--sets", nargs="+", type=Path, default=[], help="folders with labels.csv instead")
    parser.add_argument("--ocr", default="rapidocr")
    parser.add_argument("--ocr-option", action="append", default=[])
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--misses", action="store_true", help="tell each value that was read wrongly or not at all")
    parser.add_argument("--no-seed-rule", action="store_true", help="leave the seed rule out")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        from dataflow_ext.cli.flags import named

        options = named(args.ocr_option, "--ocr-option", "detect_side=960")
        sys.stdout.write(
            json.dumps(measured(args.child, args.ocr, options, args.workers, not args.no_seed_rule), default=str) + "\n"
        )
        return 0
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        sets = list(args.sets)
        if not sets:
            from examples.game_screens import make_rounds

            made = Path(folder) / f"seed_{args.seed}"
            make_rounds(made, rounds=args.rounds, seed=args.seed)
            sets = [made, *([PAGES] if args.pages else [])]
        for each in sets:
            figures = child(each, args)
            misses, wrong = figures.pop("misses"), figures.pop("wrong")
            print(
                json.dumps(
                    {k: round(v, 4) if isinstance(v, float) else v for k, v in figures.items()}, ensure_ascii=False
                )
            )
            for miss in misses if args.misses else []:
                print("  miss", *miss)
            for row in wrong:
                print("  WRONG", *row)
            bad += bool(problems := fails(figures))
            for problem in problems:
                print("  FAIL", problem)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
