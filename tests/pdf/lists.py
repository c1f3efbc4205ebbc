"""Content lists given as values: written to a file, and loaded from there as all lists are."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from operators.pdf.mineru.content_list import LoadedList, load_content_list


def read_list(data: object, root: Path | None = None, file: int = 0) -> LoadedList:
    """What is loaded of a list in the folder ``root``, or in one of its own."""
    with TemporaryDirectory() as own:
        path = Path(root or own, "list_content_list.json")
        path.write_text(json.dumps(data), encoding="utf-8")
        return load_content_list(path, file=file)
