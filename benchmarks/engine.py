"""What the engine itself costs: a row's bookkeeping, steps that do nothing, rows in parts beside rows in memory.

    python benchmarks/engine.py [--rows 1000000] [--streamed 300000] [--json FILE]

Bookkeeping is what RowOperator costs beside a plain Python loop that calls the same function; steps are compared with
pyarrow's `take`, and both with `map` of `datasets` where that is installed. Rows in parts and in memory are runs of the
same pipeline (a filter, an explode, two row-wise steps), each in a process of its own, which tells its processor time
and its largest memory. Leaves with code 1 if a row costs more than 1.5 µs, five steps over the rows more than 0.05 s,
or the two ways give other rows.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from dataflow_ext import Made, Operator, RowOperator, run
from dataflow_ext.identity import with_row_ids

#: What must hold: µs a row, seconds for five steps.
MOST_A_ROW, MOST_FIVE = 1.5, 0.05


class Nothing(Operator):
    """Each row as it was, by the column."""

    inputs, outputs = {"n": int}, {"n": int}

    def batch(self, table):
        return Made({"n": table["n"]})


class Same(RowOperator):
    """Each row as it was, one by one."""

    inputs, outputs = {"n": int}, {"n": int}

    def row(self, n: int):
        return {"n": n}


class Odd(RowOperator):
    """Half of the rows."""

    inputs, outputs, rows = {"n": int}, {}, "filter"

    def row(self, n: int):
        return n % 2 == 1 or "even"


class Twice(RowOperator):
    """Two rows of each."""

    inputs, outputs, rows = {"n": int}, {"half": int}, "explode"

    def row(self, n: int):
        return [{"half": n}, {"half": -n}]


class Square(RowOperator):
    """The square beside the number."""

    inputs, outputs = {"half": int}, {"square": int}

    def row(self, half: int):
        return {"square": half * half}


class Words(RowOperator):
    """The square in words."""

    inputs, outputs = {"square": int}, {"words": str}

    def row(self, square: int):
        return {"words": f"the square is {square}"}


PIPELINE = [Odd(), Twice(), Square(), Words()]


def cpu(function, repeat=3):
    """The least processor time of a few calls, in seconds."""
    times = []
    for _ in range(repeat):
        began = time.process_time()
        function()
        times.append(time.process_time() - began)
    return min(times)


def bookkeeping(rows):
    """What RowOperator costs a row beside the plain loop; decoding and encoding of the column are counted apart."""
    table = with_row_ids(pa.table({"n": range(rows)}))
    row, same = Same().row, Same()

    def plain():
        return [row(n=n) for n in table["n"].to_pylist()]

    def columns():
        return pa.array([made["n"] for made in made_rows], pa.int64())

    made_rows = plain()
    loop, arrow = cpu(plain), cpu(columns)
    whole = cpu(lambda: same.step(table, unique=True))
    found = {
        "rows": rows,
        "plain_loop_us": us(loop + arrow, rows),
        "operator_us": us(whole, rows),
        "bookkeeping_us": us(whole - loop - arrow, rows),
        "ratio_to_plain_loop": round(whole / (loop + arrow), 2),
    }
    if find_spec("datasets"):
        import datasets

        datasets.disable_progress_bars()
        data = datasets.Dataset(table.select(["n"]))
        part = data.select(range(min(rows, 100_000)))
        took = cpu(lambda: part.map(lambda one: {"n": one["n"]}, load_from_cache_file=False, keep_in_memory=True), 1)
        found["datasets_map_us"] = us(took, len(part))
        found["ratio_to_datasets_map"] = round(whole / rows / (took / len(part)), 3)
    return found


def nothing(rows):
    """Five steps that do nothing, beside five times `take` of all rows."""
    table = with_row_ids(pa.table({"n": range(rows)}))
    everything = pa.array(range(rows))

    def steps():
        done = table
        for number in range(5):
            done = Nothing().step(done, number, unique=True)

    def takes():
        done = table
        for _ in range(5):
            done = done.take(everything)

    five, taken = cpu(steps), cpu(takes)
    return {"rows": rows, "five_steps_s": round(five, 4), "ratio_to_take": round(five / taken, 4)}


def us(seconds, rows):
    return round(seconds * 1e6 / rows, 2)


def child(way, rows, folder):
    """One way of running the pipeline; prints what it took, and the sum and number of what it made."""
    began = time.process_time()
    if way == "in_memory":
        table = run(PIPELINE, pa.table({"n": range(rows)})).table
        made, total = table.num_rows, pc.sum(table["square"]).as_py()
    else:
        reader = pa.RecordBatchReader.from_batches(
            pa.schema({"n": pa.int64()}),
            (pa.record_batch({"n": range(at, min(rows, at + 8192))}) for at in range(0, rows, 8192)),
        )
        result = run(PIPELINE, reader, out=folder)
        made = total = 0
        for batch in pa.RecordBatchReader.from_stream(result):
            made += batch.num_rows
            total += pc.sum(batch["square"]).as_py() or 0
    took = time.process_time() - began
    print(json.dumps({"cpu_s": round(took, 2), "max_rss_mb": most_memory(), "made": made, "total": total}))


def most_memory():
    """The most memory that this process had, in MB; what the system counts for all may be that of its parent."""
    status = Path("/proc/self/status")
    if status.exists():
        [line] = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
        return round(int(line.split()[1]) / 1024)
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def streamed(rows):
    """Both ways, each in a process of its own."""
    found = {"rows": rows}
    for way in ("in_memory", "in_parts"):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, __file__, "--child", way, "--streamed", str(rows), "--folder", folder]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        found[way] = json.loads(done.stdout)
    found["same_rows"] = all(found["in_memory"][key] == found["in_parts"][key] for key in ("made", "total"))
    for key in ("cpu_s", "max_rss_mb"):
        found[f"{key}_ratio"] = round(found["in_parts"][key] / found["in_memory"][key], 2)
    return found


def measured(rows, parts):
    """All figures, and whether what must hold does."""
    found = {"row_operator": bookkeeping(rows), "nothing": nothing(rows), "streaming": streamed(parts)}
    found["holds"] = {
        f"RowOperator ≤ {MOST_A_ROW} µs a row": found["row_operator"]["bookkeeping_us"] <= MOST_A_ROW,
        f"five steps ≤ {MOST_FIVE} s": found["nothing"]["five_steps_s"] <= MOST_FIVE,
        "the same rows in parts": found["streaming"]["same_rows"],
    }
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--streamed", type=int, default=300_000)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        child(args.child, args.streamed, args.folder)
        return 0
    found = measured(args.rows, args.streamed)
    text = json.dumps(found, indent=2, ensure_ascii=False)
    print(text)
    if args.json:
        args.json.write_text(text, encoding="utf-8")
    return 0 if all(found["holds"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
