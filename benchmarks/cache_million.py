"""The request cache with a million replies: how fast it opens, answers and tells what it holds.

    python benchmarks/cache_million.py [REPLIES] [FOLDER]

Limits: opening under 0.5 s, a hit under 1 ms: half of them by the clock, 99 of 100 by this process's own time
(by the clock these hold the turns of whatever else the machine is doing). "cold" is after the system was told
to forget the file's pages.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from dataflow_ext.models import Reply, Request, RequestCache, request_key

WORDS = [
    "the",
    "of",
    "train",
    "station",
    "solve",
    "for",
    "x",
    "let",
    "已知",
    "函数",
    "求",
    "取值范围",
    "\\frac{1}{2}",
    "$y=x^2$",
]
IDENTITY = {"model": "OpenAIModel", "name": "m", "server": "https://api.example.org/v1", "temperature": 0.0}
HITS = 3000
OPEN_LIMIT, HIT_LIMIT = 0.5, 0.001

PROBE = """
import json, sys, time
from pathlib import Path
from dataflow_ext.models import Prices, RequestCache
from dataflow_ext.models.cache_files import held, opened as of_file
path, keys = sys.argv[1], json.load(sys.stdin)
cache = RequestCache(path)
began = time.perf_counter()
cache.get("00" * 32)
opened = time.perf_counter() - began
walls, owns = [], []
for key in keys:
    own, began = time.thread_time(), time.perf_counter()
    found = cache.get(key)
    walls.append(time.perf_counter() - began)
    owns.append(time.thread_time() - own)
    assert (found is not None) == (sys.argv[2] == "hit")
began = time.perf_counter()
if sys.argv[2] == "hit":
    with of_file(Path(path)) as database:
        held(database, Prices())
print(json.dumps([opened, sorted(walls), sorted(owns), time.perf_counter() - began]))
"""


def reply(number: int) -> Reply:
    """About 600 bytes of text, different for each number."""
    words = random.Random(number)
    text = json.dumps({"answer": number, "steps": " ".join(words.choices(WORDS, k=70))}, ensure_ascii=False)
    return Reply(text, "stop", words.randrange(900, 4000), 800, words.randrange(80, 200), f"m-{number % 3}")


def key(number: int) -> str:
    return request_key(IDENTITY, Request(f"Question {number}"))


def build(path: Path, replies: int) -> None:
    cache = RequestCache(path)
    began = time.perf_counter()
    for number in range(replies):
        cache.put(key(number), reply(number))
        if (number + 1) % 100_000 == 0:
            print(
                f"  {number + 1:>9,} stored, {(number + 1) / (time.perf_counter() - began):,.0f} a second", flush=True
            )
    cache.close()


def drop_from_page_cache(path: Path) -> None:
    """Let the system forget the file's pages, as far as it will."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def probe(path: Path, keys: list[str], kind: str) -> tuple[float, list[float], list[float], float]:
    """Seconds to open, for each lookup by the clock and of own time, and for statistics, in a fresh process."""
    done = subprocess.run([sys.executable, "-c", PROBE, str(path), kind], input=json.dumps(keys), text=True,
                          capture_output=True, check=True)  # fmt: skip
    opened, walls, owns, stats = json.loads(done.stdout)
    return opened, walls, owns, stats


def main() -> int:
    replies = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory(dir=sys.argv[2] if len(sys.argv) > 2 else None) as folder:
        path = Path(folder) / "requests.sqlite"
        print(f"building {replies:,} replies")
        build(path, replies)
        print(f"file: {path.stat().st_size / 1e6:,.0f} MB, {path.stat().st_size / replies:,.0f} bytes a reply")
        some = random.Random(1).sample(range(replies), min(HITS, replies))
        hits, misses = [key(number) for number in some], [key(-1 - number) for number in some]
        kept = True
        for state in ("cold", "warm"):
            for kind, keys in (("hit", hits), ("miss", misses)):
                if state == "cold":
                    drop_from_page_cache(path)
                opened, walls, owns, stats = probe(path, keys, kind)
                half, most = len(walls) // 2, len(walls) * 99 // 100
                told = f", statistics {stats:.2f} s" if kind == "hit" else ""
                print(
                    f"{state} {kind}: open {opened * 1e3:.1f} ms; p50 {walls[half] * 1e6:,.0f} µs, "
                    f"p99 {walls[most] * 1e6:,.0f} µs (own {owns[most] * 1e6:,.0f} µs){told}"
                )
                kept = kept and opened < OPEN_LIMIT and walls[half] < HIT_LIMIT and owns[most] < HIT_LIMIT
        print("within the limits" if kept else "NOT within the limits")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
