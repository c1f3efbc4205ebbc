"""Draws the example booklets and writes their gold: ``python examples/booklets/make.py [--out DIR]``."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=HERE, help="folder to write to (default: this one)")
    out = parser.parse_args(argv).out
    try:
        from drawn import fonts
    except ImportError as error:
        sys.exit(f"The booklets are drawn with reportlab and pillow ({error}): pip install reportlab pillow")
    if sentence := fonts.missing():
        sys.exit(sentence)
    fonts.register()
    make(out)
    return 0


def make(out: Path) -> None:
    """Writes every booklet, its gold and a note of what they were made with into ``out``."""
    from drawn import algebra_en, fonts, geometry_zh, physics_zh, workbook_list

    (out / "gold").mkdir(parents=True, exist_ok=True)
    for book in (algebra_en, geometry_zh, physics_zh, workbook_list):
        gold = book.build(out)
        gold.write(out / "gold" / f"{book.NAME}.json")
    note = json.dumps(fonts.made_with(), indent=1) + "\n"
    (out / "made_with.json").write_text(note, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
