"""Write furnished rooms of our own: python make.py DIR [--count 20] [--seed 0] [--form mixed] [--dirty]."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from examples.made_rooms import FORMS, ROOMS, write_rooms


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="where they go; a folder that is new or empty")
    parser.add_argument("--count", type=int, default=20, metavar="N", help="rooms (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="other seeds, other rooms")
    parser.add_argument("--form", choices=(*FORMS, "mixed"), default="ssr", help="their form (default: %(default)s)")
    parser.add_argument("--type", choices=ROOMS, help="only rooms of this type (default: all types)")
    parser.add_argument("--chinese", action="store_true", help="about half of the descriptions in Chinese")
    parser.add_argument("--dirty", action="store_true", help="with faults: objects tilted, sunk, flat or outside")
    args = parser.parse_args()
    if args.folder.exists() and (not args.folder.is_dir() or any(args.folder.iterdir())):
        parser.error(f"{args.folder} is not empty; name a new folder")
    made = write_rooms(
        args.folder,
        args.count,
        seed=args.seed,
        form=args.form,
        room_type=args.type,
        chinese=args.chinese,
        dirty=args.dirty,
    )
    print(f"{len(made)} rooms: {args.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
