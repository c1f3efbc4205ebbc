"""Checking a data set of samples: lines a second, and the memory that ten times the lines take.

    python benchmarks/cot_check.py [--lines 20000] [--rules form|all] [--twice 0.0]

The lines are samples of `examples/causal_plans`, written by rules, again and again under new ids, in the folders of
their tasks. Each size is checked in a process of its own, whose memory is measured. ``--rules form`` leaves out what
rules for single samples cost, beyond their shape; ``--twice`` is the share of lines whose id another one has, which
are read a second time. Leaves with code 1 if a thousand lines more take more than 200 kB, or the check is wrong.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

ITEMS = Path(__file__).parents[1] / "examples" / "causal_plans"
MOST_A_LINE = 200


def samples(folder):
    """The lines of the examples' data set by task, without their ids."""
    from operators import AnchorValidator, AnchorWriter, CoTGenerator, CoTPlanReader, CoTSampleBuilder, CoTWriter
    from operators.cot.items import items

    table = items(ITEMS)
    steps = [CoTPlanReader(), CoTSampleBuilder(seed=1), AnchorWriter(), CoTGenerator(), AnchorValidator()]
    for step in [*steps, CoTWriter(out=folder)]:
        table = step(table)
    found = {}
    for path in sorted(folder.glob("*/data.jsonl")):
        lines = path.read_text(encoding="utf-8").split("\n")[:-1]
        # Lines begin with {"id": "…", of which the id has 36 characters.
        found[path.parent.name] = [line[len('{"id": "') + 36 :] for line in lines]
    return found


def grown(found, folder, lines, twice):
    """Write a data set of so many lines."""
    rng = random.Random(1)
    share = lines // sum(map(len, found.values())) + 1
    ids, left = [], lines
    for task, rests in found.items():
        here = (rests * share)[:left]
        if not here:
            break
        left -= len(here)
        (folder / task).mkdir(parents=True)
        with (folder / task / "data.jsonl").open("w", encoding="utf-8") as file:
            for rest in here:
                if not ids or rng.random() >= twice:
                    ids.append(str(uuid.UUID(int=rng.getrandbits(128), version=4)))
                    file.write(f'{{"id": "{ids[-1]}{rest}\n')
                else:
                    file.write(f'{{"id": "{rng.choice(ids)}{rest}\n')
    return lines - len(ids)


def peak_memory():
    """The most memory that this process had at a time, in kB."""
    status = Path("/proc/self/status")
    if status.is_file():  # what resource tells there begins with that of the parent process
        return int(next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM:")))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def checked(folder, rules):
    """Check one data set in this process, and tell figures as JSON."""
    from operators.cot.dataset.check import check
    from operators.cot.rules.entry import entry_problems, form_of

    before = peak_memory()
    began = time.process_time()
    chosen = entry_problems if rules == "all" else lambda entry, root, exists: form_of(entry)
    summary = check(ITEMS, folder, rules=chosen, whole=False)
    seconds = time.process_time() - began
    told = {"lines": summary.lines, "by_code": summary.by_code, "seconds": seconds, "peak": peak_memory()}
    print(json.dumps({**told, "before": before}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=20_000, help="lines of the larger data set (default: %(default)s)")
    parser.add_argument("--rules", choices=("form", "all"), default="form")
    parser.add_argument("--twice", type=float, default=0.0, metavar="SHARE")
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.folder is not None:
        checked(args.folder, args.rules)
        return 0
    peaks, wrong = [], 0
    with tempfile.TemporaryDirectory(prefix="cot-check-") as name:
        found = samples(Path(name, "made"))
        for lines in (args.lines // 10, args.lines):
            folder = Path(name, str(lines))
            repeated = grown(found, folder, lines, args.twice)
            command = [sys.executable, __file__, "--folder", str(folder), "--rules", args.rules]
            done = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
            size = sum(path.stat().st_size for path in folder.rglob("*.jsonl"))
            wrong += done["by_code"] != ({"id.duplicate": repeated} if repeated else {}) or done["lines"] != lines
            peaks.append(done["peak"])
            print(
                f"{lines:>9,} lines, {size / 1e6:8.1f} MB: {lines / done['seconds']:8,.0f} lines a second of one core, "
                f"peak {done['peak'] / 1e3:6.1f} MB ({done['before'] / 1e3:.1f} before), {done['by_code'] or 'sound'}"
            )
    a_line = (peaks[1] - peaks[0]) * 1024 / (args.lines - args.lines // 10)
    print(f"ten times the lines: {peaks[1] / peaks[0]:.2f} times the memory, {a_line:.0f} bytes a line more")
    return 1 if wrong or a_line > MOST_A_LINE else 0


if __name__ == "__main__":
    sys.exit(main())
