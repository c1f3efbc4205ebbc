"""`workers=2` beside `workers=1`: on 100 cheap parts of a row (half a millisecond), on rows of a tenth of a second.

    python benchmarks/workers.py [--seconds 12]

The rows count in plain Python, so that two processes can take half the time at best, if two cores are free. Told are
seconds by the clock, processor seconds of all processes together, and their ratio: how many cores the run really had.
A machine on which others work gives no second core, and no speed-up then.
"""

import argparse
import json
import resource
import sys
import time

import pyarrow as pa

from dataflow_ext import RowOperator, parallel, run


def count(n):
    """The sum of the first ``n`` numbers, one by one."""
    total = 0
    for i in range(n):
        total += i
    return total


class Rows(RowOperator):
    """Rows that go to the processes at once."""

    inputs, outputs, spread = {"n": list[int]}, {"sum": int}, True

    def row(self, n: list[int]):
        return {"sum": sum(map(count, n))}


class Parts(RowOperator):
    """Parts of a row, which go there if the first ones tell that it pays."""

    inputs, outputs = {"n": list[int]}, {"sum": int}

    def row(self, n: list[int]):
        return {"sum": sum(parallel.each(count, n))}


def cpu():
    """The processor seconds of this process and of those that it has ended."""
    uses = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in uses)


def timed(operator, rows, workers):
    table = pa.table({"n": rows})
    began, used = time.perf_counter(), cpu()
    made = run([operator], table, workers=workers).table["sum"].to_pylist()
    wall, took = time.perf_counter() - began, cpu() - used
    return {"wall_s": round(wall, 3), "cpu_s": round(took, 3), "cores_had": round(took / wall, 2)}, made


def compared(operator, rows, repeat):
    """Both ways, the best of a few turns by the clock."""
    best = {}
    for _ in range(repeat):
        for workers in (1, 2):
            told, made = timed(operator, rows, workers)
            if workers not in best or told["wall_s"] < best[workers][0]["wall_s"]:
                best[workers] = told, made
    assert best[1][1] == best[2][1]
    speed = best[1][0]["wall_s"] / best[2][0]["wall_s"]
    return {"rows": len(rows), "parts": len(rows[0]), "one": best[1][0], "two": best[2][0], "speed_up": round(speed, 2)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--seconds", type=float, default=12.0, help="about how long the costly rows take in one process"
    )
    args = parser.parse_args()
    began = time.process_time()
    count(1_000_000)
    tenth = int(1_000_000 * 0.1 / (time.process_time() - began))
    many = range(round(args.seconds * 10))
    found = {
        "cheap_parts": compared(Parts(), [[tenth // 200 + i for i in range(100)]], 9),
        "costly_parts": compared(Parts(), [[tenth + i for i in many]], 1),
        "costly_rows": compared(Rows(), [[tenth + i] for i in many], 1),
    }
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    sys.exit(main())
