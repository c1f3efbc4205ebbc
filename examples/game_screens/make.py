"""Draw game rounds in the collector's layout, with labels.csv: python make.py DIR [--rounds 60] [--seed 0]."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from examples.game_screens import make_rounds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="where they go; a folder that is new or empty")
    parser.add_argument("--rounds", type=int, default=60, metavar="N", help="rounds (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="other seeds, other rounds")
    args = parser.parse_args()
    if args.folder.exists() and (not args.folder.is_dir() or any(args.folder.iterdir())):
        parser.error(f"{args.folder} is not empty; name a new folder")
    made = make_rounds(args.folder, rounds=args.rounds, seed=args.seed)
    print(f"{len(made)} rounds and labels.csv: {args.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
