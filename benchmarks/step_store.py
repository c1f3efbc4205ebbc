"""A step of 100,000 rows stored and read: the step memory against bare pyarrow, strings unchanged.

    python benchmarks/step_store.py [--rows 100000] [--repeat 7]

Bare pyarrow writes the same table to one file and reads every value of it back: as Arrow IPC with LZ4, which
is what the step memory writes, and as Parquet. Keys (hashing what goes in) are measured apart, with the
hashing at bare SHA-256's speed beside it. Leaves with code 1 beyond three times the IPC figure.
"""

import argparse
import hashlib
import random
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq

from dataflow_ext.fingerprint.content import table_hash
from dataflow_ext.identity import with_row_ids
from dataflow_ext.store import StepStore
from operators import MinerU2LLMInput

LIMIT = 3.0
TRICKY = ["001", "1e5", "0.50", "", " ", "null", "NaN", "True", "2024-01-01", "\x00", "第①题", "a\r\nb", "‑0", "😀"]


def made(rows):
    """A table as steps make them: ids, tricky and plain strings, integers, lists, records, nulls."""
    rng = random.Random(1)
    words = ["已知函数", "求其最小值", "the chain rule", "$x^2+1$", "因为", "所以", "(A)", "图 3"]
    texts = [" ".join(rng.choices(words, k=rng.randint(3, 30))) for _ in range(rows)]
    block = pa.struct([("id", pa.int64()), ("type", pa.string()), ("text", pa.string())])
    return with_row_ids(
        pa.table(
            {
                "label": pa.array([TRICKY[i % len(TRICKY)] for i in range(rows)]),
                "number": pa.array([None if i % 97 == 0 else i * 7_919 for i in range(rows)], pa.int64()),
                "text": pa.array(texts),
                "ids": pa.array([list(range(i % 9)) for i in range(rows)], pa.list_(pa.int64())),
                "links": pa.array([[f"vqa_images/{i:08d}.png"] * (i % 3) for i in range(rows)]),
                "blocks": pa.array(
                    [[{"id": i, "type": "text", "text": texts[i][:40]}] * (i % 4) for i in range(rows)], pa.list_(block)
                ),
            }
        )
    )


def best(work, repeat):
    """The least wall-clock seconds of several goes, and what the last one gave."""
    seconds, value = [], None
    for _ in range(repeat):
        began = time.perf_counter()
        value = work()
        seconds.append(time.perf_counter() - began)
    return min(seconds), value


def touched(table):
    """The table with each byte of it read, since a memory map reads nothing by itself."""
    for column in table.columns:
        for chunk in column.chunks:
            for buffer in chunk.buffers():
                if buffer is not None:
                    memoryview(buffer)[::512].tobytes()
    return table


def rounds(table, folder, repeat):
    """Seconds to write and to read, by name, and what was read."""
    ipc, parquet, store = folder / "bare.arrow", folder / "bare.parquet", StepStore(folder / "steps")
    ways = {
        "pyarrow, IPC with LZ4": (
            lambda: feather.write_feather(table, ipc, compression="lz4"),
            lambda: feather.read_table(ipc),
        ),
        "pyarrow, Parquet": (lambda: pq.write_table(table, parquet), lambda: pq.read_table(parquet)),
        "StepStore": (lambda: store.save("step", table), lambda: store.load("step")),
    }
    for name, (write, read) in ways.items():
        wrote, _ = best(write, repeat)
        took, back = best(lambda read=read: touched(read()), repeat)
        yield name, wrote, took, back


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--repeat", type=int, default=7)
    args = parser.parse_args()
    table = made(args.rows)
    size = table.nbytes
    print(f"{table.num_rows:,} rows, {table.num_columns} columns, {size / 1e6:.1f} MB in memory")
    figures = {}
    with tempfile.TemporaryDirectory(prefix="step-store-") as name:
        for way, wrote, read, back in rounds(table, Path(name), args.repeat):
            assert back.equals(table), f"{way}: what was read is not what was written"
            assert back["label"].to_pylist() == table["label"].to_pylist()
            assert back.schema.equals(table.schema)
            figures[way] = (wrote, read)
    for way, (wrote, read) in figures.items():
        print(f"{way:24} write {wrote * 1e3:7.1f} ms   read {read * 1e3:7.1f} ms")
    mine = figures.pop("StepStore")
    ratios = {way: sum(mine) / sum(bare) for way, bare in figures.items()}
    for way, ratio in ratios.items():
        print(f"StepStore, stored and read, against {way}: {ratio:.2f}")
    key, first = best(lambda: table_hash(table), args.repeat)
    again = table_hash(pa.concat_tables([table.slice(0, 11), table.slice(11)]))
    assert first == again, "the key depends on chunking"
    blank = bytes(size)
    sha, _ = best(lambda: hashlib.sha256(blank).digest(), 3)
    whole, _ = best(lambda: StepStore(Path()).key(MinerU2LLMInput(), 1, table), args.repeat)
    print(
        f"key: content hash {key * 1e3:.1f} ms ({size / key / 1e9:.2f} GB/s; bare SHA-256 "
        f"{size / sha / 1e9:.2f} GB/s), whole key {whole * 1e3:.1f} ms"
    )
    total = (sum(mine) + whole) / sum(figures["pyarrow, IPC with LZ4"])
    print(f"key, store and read together against IPC: {total:.2f}")
    return 1 if max(ratios.values()) > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
