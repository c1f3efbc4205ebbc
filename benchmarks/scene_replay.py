"""Whether exported conversations replay, and their pictures come out again, over many chains and seeds.

    python benchmarks/scene_replay.py [ROOMS] [--chains 30] [--seeds 1 2 3 4 5] [--rooms 10] [--workers N]

ROOMS is a folder of rooms; without it rooms of our own are made. Each seed is a run of the whole pipeline without a
model, filter off, every chain kept; then its folder is read back from the files alone, replayed, and every picture is
drawn again and compared byte for byte. Prints counts by seed; leaves with code 1 if there is any problem, or if a
room or a chain is missing without a reason. With ``--no-pictures`` none are drawn.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from examples.made_rooms import write_rooms
from operators.scene.replaying import check
from pipelines.scene_edit import main


def one(rooms, folder, seed, args):
    """A run and its check; how many problems there are."""
    flags = ["--no-filter", "--chains", str(args.chains), "--keep", str(args.chains), "--seed", str(seed)]
    flags += ["--no-pictures"] if args.no_pictures else []
    began = time.perf_counter()
    code = main([str(rooms), "--out", str(folder), *flags, "--workers", str(args.workers)])
    made = time.perf_counter() - began
    found = check(folder, redraw=not args.no_pictures, processes=args.workers)
    lines = (folder / "rejects.jsonl").read_text(encoding="utf-8").splitlines()
    rejects = [json.loads(line) for line in lines]
    print(f"seed {seed}: exit {code}, {found.lines} conversations, {found.turns} editing turns, {found.pictures} "
          f"pictures, {len(found.problems)} problems {found.counts() or ''}, order {found.order or 0:+.2f}, "
          f"{len(rejects)} rejects; made in {made:.0f} s, checked in {time.perf_counter() - began - made:.0f} s",
          flush=True)  # fmt: skip
    for reject in rejects[:5]:
        print("  reject:", reject["operator"], reject["message"][:300])
    for each in found.problems[:5]:
        print("  problem:", each)
    return len(found.problems)


def run():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, nargs="?", metavar="ROOMS")
    parser.add_argument("--rooms", type=int, default=10, help="rooms of our own, without ROOMS")
    parser.add_argument("--chains", type=int, default=30)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--no-pictures", action="store_true")
    args = parser.parse_args()
    if args.source is not None and not args.source.is_dir():
        print(f"SKIPPED: there is no folder {args.source}.")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        rooms = args.source or Path(folder) / "rooms"
        if args.source is None:
            write_rooms(rooms, args.rooms, seed=1)
        return int(sum(one(rooms, Path(folder) / f"seed_{seed}", seed, args) for seed in args.seeds) > 0)


if __name__ == "__main__":
    sys.exit(run())
