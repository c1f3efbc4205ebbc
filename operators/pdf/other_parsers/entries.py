"""Entries of a list in the making, with the pictures that came inside it."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Entries:
    """Entries as MinerU's flat list has them, and by their place the bytes of pictures that came with them."""

    listed: list[dict[str, Any]] = field(default_factory=list)
    pictures: dict[int, bytes] = field(default_factory=dict)

    def add(
        self, kind: str, text: str, page: int, box: Sequence[float] | None, size: Sequence[float], **more: Any
    ) -> None:
        """Add an entry; ``box`` is x0, y0, x1, y1 on a page of that width and height, y downwards."""
        entry = {"type": kind, "text": text, "page_idx": page, **more}
        if box is not None and len(size) == 2 and min(size) > 0:
            scaled = [1000 * value / size[n % 2] for n, value in enumerate(box)]
            entry["bbox"] = [round(min(1000, max(0, value))) for value in scaled]
        self.listed.append({name: value for name, value in entry.items() if value not in (None, "", [])})

    def picture(self, encoded: object) -> None:
        """Give the last entry a picture in base64, as data or a data URL; what is none of these is left out."""
        try:
            body = str(encoded).rpartition(",")[2] if str(encoded).startswith("data:") else str(encoded)
            self.pictures[len(self.listed) - 1] = base64.b64decode(body, validate=True)
        except (binascii.Error, ValueError):
            return

    def kept_in(self, folder: Path) -> dict[int, str]:
        """The pictures as files, by the places of their entries."""
        paths = {}
        for place, data in self.pictures.items():
            path = folder / f"picture-{place}"
            path.write_bytes(data)
            paths[place] = str(path)
        return paths
