"""A streamed run here, the same on Ray, and its rows through bare Ray Data, on one machine: seconds, processor time.

    python benchmarks/ray_rows.py [--tiny 1000000] [--costly 10000] [--parts 20]

Tiny rows are a filter and an addition; costly ones take two milliseconds of plain Python each. Each way runs in a
process of its own, with a Ray of two processors that it starts and ends; told are seconds by the clock of the run alone
and of all with start and end, and the processor seconds of all processes together, Ray's own among them.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from dataflow_ext import RowOperator, run

ROOT = Path(__file__).resolve().parents[1]
WAYS = ("here", "ray", "ray_data")


def burnt(number):
    """The number after about two milliseconds of plain Python."""
    until = time.process_time() + 0.002
    while time.process_time() < until:
        pass
    return number


class Odd(RowOperator):
    """Keeps odd numbers."""

    inputs, outputs, rows = {"n": int}, {}, "filter"

    def row(self, n: int):
        return n % 2 == 1


class More(RowOperator):
    """Adds one."""

    inputs, outputs = {"n": int}, {"n": int}

    def row(self, n: int):
        return {"n": n + 1}


class Burn(RowOperator):
    """Takes two milliseconds."""

    inputs, outputs = {"n": int}, {"n": int}

    def row(self, n: int):
        return {"n": burnt(n)}


def of_ray(batch):
    """One more for each odd number: what :class:`Odd` and :class:`More` do."""
    return pa.table({"n": [n + 1 for n in batch["n"].to_pylist() if n % 2 == 1]})


def of_ray_costly(batch):
    """What :class:`Burn` does."""
    return pa.table({"n": [burnt(n) for n in batch["n"].to_pylist()]})


def do(way, kind, rows, parts, folder):
    """Run in this process; the rows that came out, and the seconds of the run alone."""
    table = pa.table({"n": pa.array(range(rows), pa.int64())})
    if way != "here":
        import ray

        ray.init(num_cpus=2, object_store_memory=500_000_000, include_dashboard=False, log_to_driver=False)
    began = time.perf_counter()
    if way == "ray_data":
        ray.data.DataContext.get_current().execution_options.preserve_order = True
        ray.data.DataContext.get_current().enable_progress_bars = False
        size = -(-rows // parts)
        source = ray.data.from_arrow([table.slice(start, size) for start in range(0, rows, size)])
        function = of_ray if kind == "tiny" else of_ray_costly
        source.map_batches(function, batch_format="pyarrow", batch_size=None).write_parquet(f"{folder}/out")
        count = pq.read_table(f"{folder}/out").num_rows
    else:
        steps = [Odd(), More()] if kind == "tiny" else [Burn()]
        engine = "local" if way == "here" else "ray"
        count = run(steps, table, out=folder, rows_per_part=-(-rows // parts), engine=engine).report.steps[-1].rows_out
    took = time.perf_counter() - began
    if way != "here":
        ray.shutdown()
    return count, took


def descendants(pid):
    """The processes that a process has started, and those that these have."""
    parents = {}
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError, IndexError):
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            parents[int(entry.name)] = int(fields[1]), (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    found = {pid}
    while more := {child for child, (parent, _) in parents.items() if parent in found} - found:
        found |= more
    return {each: parents[each][1] for each in found if each in parents}


def measured(way, kind, rows, parts):
    """The figures of a way in a process of its own, looked at every tenth of a second."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["--only", way, "--kind", kind, "--rows", str(rows), "--parts", str(parts), "--folder", folder]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "RAY_USAGE_STATS_ENABLED": "0"}
        began, used = time.perf_counter(), {}
        with subprocess.Popen(
            [sys.executable, __file__, *arguments], env=environment, stdout=subprocess.PIPE, text=True
        ) as process:
            while process.poll() is None:
                for pid, seconds in descendants(process.pid).items():
                    used[pid] = max(seconds, used.get(pid, 0))
                time.sleep(0.1)
            told = process.stdout.read()
        if process.returncode:
            sys.exit(f"{way}, {kind}: ended with {process.returncode}")
        made = json.loads(told.splitlines()[-1])
        return {
            "rows_out": made["rows"], "wall_s": round(made["seconds"], 2),
            "all_s": round(time.perf_counter() - began, 2), "cpu_s": round(sum(used.values()), 2),
        }  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tiny", type=int, default=1_000_000, help="tiny rows")
    parser.add_argument("--costly", type=int, default=10_000, help="rows of two milliseconds")
    parser.add_argument("--parts", type=int, default=20)
    for name in ("--only", "--kind", "--folder"):
        parser.add_argument(name, help=argparse.SUPPRESS)
    parser.add_argument("--rows", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.only:
        rows, seconds = do(args.only, args.kind, args.rows, args.parts, args.folder)
        print(json.dumps({"rows": rows, "seconds": seconds}))
        return
    found = {}
    for kind, rows in (("tiny", args.tiny), ("costly", args.costly)):
        found[kind] = {way: measured(way, kind, rows, args.parts) for way in WAYS}
        here = found[kind]["here"]["cpu_s"]
        for way in WAYS[1:]:
            found[kind][way]["cpu_beside_here"] = round(found[kind][way]["cpu_s"] / here, 2)
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
