"""Documents that Debian's packages hold, with a gold that was read off them (``read/NAME.json``)."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "read"


@dataclass
class Found:
    """A document of a package, by the name of its gold."""

    name: str

    def write(self, folder: Path) -> None:
        """The document with its gold in a folder of its own."""
        text = (FOLDER / f"{self.name}.json").read_text(encoding="utf-8")
        gold = json.loads(text)
        path = re.search(r"/\S+\.pdf", gold["made_with"])
        if path is None or not Path(path[0]).exists():
            raise SystemExit(f"{gold['name']}: {gold['made_with']}: it is not there; install the package.")
        target = folder / gold["name"]
        target.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path[0], target / "book.pdf")
        (target / "gold.json").write_text(text, encoding="utf-8")


def topology() -> Found:
    """A homework in two columns."""
    return Found("topology")


def mathexam() -> Found:
    """An examination without answers."""
    return Found("mathexam")


def probsoln() -> Found:
    """Problems by chapter, solutions in an appendix."""
    return Found("probsoln")
