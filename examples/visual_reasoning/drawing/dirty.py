"""The dirty cases."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from drawing.rows import Record


def records(good: Mapping[str, Record]) -> list[Record]:
    return []


def files(images: Path) -> None:
    pass
