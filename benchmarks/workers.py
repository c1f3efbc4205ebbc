"""`workers=2` beside `workers=1`: on 100 cheap parts of a row (half a millisecond), on rows of a tenth of a second.

    python benchmarks/workers.py [--seconds 12]
    python benchmarks/workers.py --pipeline pdf|game|scene [--rows 60]

The rows count in plain Python, so that two processes can take half the time at best, if two cores are free. Told are
seconds by the clock, processor seconds of all processes together, and their ratio: how many cores the run really had.
A machine on which others work gives no second core, and no speed-up then.

With ``--pipeline`` so many books (pages of the booklets, shuffled), rounds or rooms go through a pipeline by one worker
and by two. Told are seconds by the clock and their ratio, processor seconds of this process and of the workers, and how
much faster two quiet cores make it: at least, if the workers wait whenever this process works, and at most, if never.
"""

import argparse
import json
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from dataflow_ext import RowOperator, parallel, run  # noqa: E402 - found by the line above


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


def books(folder, rows):
    """So many PDFs of the booklets' pages, no two alike."""
    import pypdfium2

    rng = random.Random(1)
    booklets = [pypdfium2.PdfDocument(path) for path in sorted((ROOT / "examples" / "booklets").glob("*.pdf"))]
    booklets = [booklet for booklet in booklets if len(booklet) > 3]
    for n in range(rows):
        booklet, made = booklets[n % len(booklets)], pypdfium2.PdfDocument.new()
        made.import_pages(booklet, rng.sample(range(len(booklet)), len(booklet) * 2 // 3))
        made.save(folder / f"book{n:04}.pdf")
    return sorted(folder.glob("*.pdf"))


def steps_and_rows(pipeline, rows, source, out):
    """The steps of a pipeline, and what makes so many rows of it."""
    if pipeline == "pdf":
        from pipelines.pdf_vqa import documents
        from pipelines.pdf_vqa import pipeline as steps

        return steps(image_dir=out), documents(books(source, rows))
    if pipeline == "game":
        from examples.game_screens import make_rounds
        from pipelines.game_annotate import episodes
        from pipelines.game_annotate import pipeline as steps

        make_rounds(source, rounds=rows, seed=1)
        return steps(out=out), episodes(source)
    from examples.made_rooms import write_rooms
    from pipelines.scene_edit import pipeline as steps
    from pipelines.scene_edit import rooms

    write_rooms(source, rows, seed=1)
    return steps(out), rooms([source])


def spread_pipeline(pipeline, rows):
    """The processor seconds of a pipeline with one worker and with two, here and in the workers."""
    used = {}
    for workers in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            source, out = Path(folder, "in"), Path(folder, "out")
            source.mkdir()
            steps, table = steps_and_rows(pipeline, rows, source, out)
            began, here, all_of_it = time.perf_counter(), time.process_time(), cpu()
            made = run(steps, table, workers=workers)
            here, all_of_it, clock = time.process_time() - here, cpu() - all_of_it, time.perf_counter() - began
            assert made.table.num_rows
            used[workers] = {"here": round(here, 2), "workers": round(all_of_it - here, 2), "clock": round(clock, 2)}
    one, two = used[1]["here"] + used[1]["workers"], used[2]
    least, most = one / (two["here"] + two["workers"] / 2), one / (two["here"] + two["workers"]) * 2
    return {"rows": rows, "one": used[1], "two": two, "speed_up": round(used[1]["clock"] / two["clock"], 2),
            "speed_up_at_two_cores": [round(least, 2), round(most, 2)]}  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--seconds", type=float, default=12.0, help="about how long the costly rows take in one process"
    )
    parser.add_argument("--pipeline", choices=("pdf", "game", "scene"))
    parser.add_argument("--rows", type=int, default=60, help="books, rounds or rooms (default: %(default)s)")
    args = parser.parse_args()
    if args.pipeline:
        print(json.dumps({args.pipeline: spread_pipeline(args.pipeline, args.rows)}, indent=2))
        return
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
