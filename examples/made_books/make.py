"""Makes the books with their gold: ``make.py OUT [NAME …]``; needs TeX Live (with its Chinese part) and LibreOffice."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from styles import BOOKS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"all, if none is named: {', '.join(BOOKS)}")
    options = parser.parse_args()
    for name in options.names or BOOKS:
        BOOKS[name]().write(options.out)
        print(name, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
