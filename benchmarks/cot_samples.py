"""CPU time a sample, offline and validated, on one core: `python benchmarks/cot_samples.py [--items 60] [--root DIR]`.

Copies of the items of `examples/causal_plans` (or of --root) are made in a new folder. Each copy has files of its own,
and in its plan some words of its own, so that it is as new to all that remembers texts as another video's plan is;
with `--alike` the copies are left as they are. The whole pipeline runs step by step with one worker and nothing
remembered, in a process of its own, after one other item by which tables and modules are loaded: what that takes comes
once a run and is told apart. The last figures are of a run with ten times the items, for its memory (`--no-memory`
leaves it out). CPU time is that process's own. As other work on a machine makes CPU time dear, each step is also told
in rounds of a small loop, run before and after it: on an idle machine such a round takes 0.05 to 0.1 microseconds.
"""

import argparse
import json
import multiprocessing
import re
import resource
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from dataflow_ext import run
from operators import CoTWriter
from pipelines.cot_planning import items, pipeline

T = TypeVar("T")

PLAN = "causal_plan_with_keyframes.json"
#: Of a plan's words, every so manieth gets another ending in each copy; all the same word, wherever it stands.
EVERY = 6
#: The number of the item that is worked on before anything is measured.
FIRST = 999
#: Rounds of the loop that tells how fast the machine is.
ROUNDS = 400_000


@dataclass(frozen=True)
class Measured:
    """CPU seconds before the first item, and CPU seconds and rounds of the loop by step; samples, failures; MiB."""

    start: float
    steps: dict[str, tuple[float, float]]
    samples: int
    failed: int
    memory: float

    @property
    def whole(self) -> tuple[float, float]:
        """CPU seconds and rounds of all steps together."""
        seconds, rounds = zip(*self.steps.values(), strict=True)
        return sum(seconds), sum(rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=60, metavar="N")
    parser.add_argument("--root", type=Path, default=Path("examples/causal_plans"))
    parser.add_argument("--alike", action="store_true", help="copies with the same words")
    parser.add_argument("--no-memory", action="store_true", help="no second run with ten times the items")
    args = parser.parse_args()
    measured = in_own_process(args.root, args.items, args.alike)
    tell(measured, args.items)
    if not args.no_memory:
        more = in_own_process(args.root, 10 * args.items, args.alike)
        print(f"memory: {measured.memory:,.0f} MiB; for ten times the items {more.memory:,.0f} MiB, and then:")
        tell(more, 10 * args.items)


def tell(measured: Measured, count: int) -> None:
    """The figures of one run."""
    (whole, rounds), made = measured.whole, measured.samples
    for name, (seconds, in_rounds) in measured.steps.items():
        share = in_rounds / rounds
        print(f"{name:18} {1000 * seconds / made:7.3f} ms a sample {in_rounds / made:8,.0f} rounds {share:5.0%}")
    checked = measured.steps["AnchorValidator"][1]
    print(
        f"{made:,} samples of {count} items, {measured.failed} failed: {1000 * whole / made:.3f} ms of CPU a sample, "
        f"{made / whole:,.0f} samples a CPU second; "
        f"{rounds / made:,.0f} rounds a sample, of {1e6 * whole / rounds:.3f} microseconds; "
        f"validation takes {checked / (rounds - checked):.0%} of the time of the rest; "
        f"before that, once a run: {measured.start:.2f} s for modules, tables and the first item"
    )


def in_own_process(root: Path, count: int, alike: bool) -> Measured:
    """A run in a new process, whose memory is no other run's."""
    with tempfile.TemporaryDirectory() as folder:
        copied(root, Path(folder) / "items", range(count), alike)
        copied(root, Path(folder) / "first" / "items", range(FIRST, FIRST + 1), alike)
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            return pool.apply(measure, (Path(folder),))


def measure(folder: Path) -> Measured:
    """The whole pipeline over the items in a folder, one step after the other."""
    began = time.process_time()
    worked(folder / "first")
    start = time.process_time() - began
    steps, samples, failed = worked(folder)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Measured(start, steps, samples, failed, memory)


def worked(folder: Path) -> tuple[dict[str, tuple[float, float]], int, int]:
    """CPU seconds and rounds by step, samples made, and rows that failed."""
    steps: dict[str, tuple[float, float]] = {}
    table, steps["items"] = timed(lambda: items(folder / "items"))
    failed = 0
    for step in [*pipeline(), CoTWriter(out=folder / "out")]:
        result, steps[type(step).__name__] = timed(partial(run, [step], table))
        failed += sum(kind == "failed" for kind in result.rejects["kind"].to_pylist())
        table = result.table
    return steps, table.num_rows, failed


def timed(work: Callable[[], T]) -> tuple[T, tuple[float, float]]:
    """What some work makes, and its CPU seconds, also in rounds of the loop."""
    before, began = a_round(), time.process_time()
    made = work()
    seconds = time.process_time() - began
    return made, (seconds, seconds / ((before + a_round()) / 2))


def copied(root: Path, to: Path, numbers: range, alike: bool) -> None:
    """Copies of the root's items, in turn."""
    sources = sorted(path.parent for path in root.rglob(PLAN))
    for n in numbers:
        folder = to / f"{n:05}"
        shutil.copytree(sources[n % len(sources)], folder)
        if not alike:
            plan = json.loads((folder / PLAN).read_text(encoding="utf-8"))
            (folder / PLAN).write_text(json.dumps(renamed(plan, n), ensure_ascii=False), encoding="utf-8")


def renamed(plan: Any, number: int) -> Any:
    """The plan with other endings of many of its longer words: the same shape, and texts of its own."""
    ending = "".join("aeiou"[int(digit) % 5] + "bdfgklmnpr"[int(digit)] for digit in f"{number:03}")
    words = Counter(word for text in texts_of(plan) for word in re.findall(r"[a-z]{5,}", text))
    changed = {word: word + ending for word in sorted(words)[::EVERY]}

    def told(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: told(each) for key, each in value.items()}
        if isinstance(value, list):
            return [told(each) for each in value]
        if isinstance(value, str):
            return re.sub(r"[a-z]{5,}", lambda found: changed.get(found.group(), found.group()), value)
        return value

    return told(plan)


def texts_of(value: Any) -> Iterator[str]:
    """All texts of a plan."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from texts_of(each)
    elif isinstance(value, str):
        yield value


def a_round() -> float:
    """CPU seconds of a round of a loop that does nothing."""
    began = time.process_time()
    total = 0
    for i in range(ROUNDS):
        total += i * i % 7
    return (time.process_time() - began) / ROUNDS


if __name__ == "__main__":
    main()
