"""Draws the pictures of the example set, writes its rows and the truth: ``python make.py [--out DIR]``."""

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
        from drawing import fonts
    except ImportError as error:
        sys.exit(f"The pictures are drawn with pillow ({error}): pip install pillow")
    if sentence := fonts.missing():
        sys.exit(sentence)
    make(out)
    return 0


def make(out: Path) -> None:
    """Write pictures, rows, truth, and a note of what they were made with into ``out``."""
    from drawing import everything, files, fonts

    whole = everything.build()
    for picture in whole.pictures:
        files.save(picture, out / "images" / picture.path)
    files.broken(out / "images", out / "images" / "docvqa/documents/rzbj0037_9.png")
    (out / "train.jsonl").write_text("".join(line + "\n" for line in whole.lines), encoding="utf-8")
    _write(out / "truth.json", whole.truth)
    _write(out / "made_with.json", fonts.made_with())


def _write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
