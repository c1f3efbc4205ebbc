"""Samples a second, offline and validated, on one core: `python benchmarks/cot_samples.py [--items 60] [--root DIR]`.

Copies of the items of `examples/causal_plans` (or of --root) are made in a new folder, so that each has files of its
own; the whole pipeline runs with one worker and nothing remembered. CPU time is this process's own.
"""

import argparse
import shutil
import tempfile
import time
from pathlib import Path

from dataflow_ext import run
from operators import CoTWriter
from pipelines.cot_planning import items, pipeline


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=60, metavar="N")
    parser.add_argument("--root", type=Path, default=Path("examples/causal_plans"))
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sources = sorted(path.parent for path in args.root.rglob("causal_plan_with_keyframes.json"))
        for n in range(args.items):
            shutil.copytree(sources[n % len(sources)], Path(folder) / "items" / f"{n:05}")
        wall, cpu = time.perf_counter(), time.process_time()
        table = items(Path(folder) / "items")
        listed = time.process_time() - cpu
        result = run([*pipeline(), CoTWriter(out=Path(folder) / "out")], table)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        print(result.report)
    made = result.table.num_rows
    failed = sum(kind == "failed" for kind in result.rejects["kind"].to_pylist())
    print(f"{made} samples of {args.items} items, {failed} failed: {made / cpu:,.0f} a CPU second, "
          f"{made / wall:,.0f} a second; {1000 * cpu / made:.3f} ms a sample; listing the items took {listed:.2f} s")  # fmt: skip


if __name__ == "__main__":
    main()
