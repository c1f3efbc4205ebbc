"""The documents behind files and folders as people name them: PDFs, content lists, lists of documents."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext import InputError, OptionError
from dataflow_ext.codec import encode
from dataflow_ext.well_formed import path_text
from operators.pdf.mineru.content_list import find_content_lists


def documents(inputs: Sequence[Path | str], answers: Path | None = None) -> pa.Table:
    """A row a document, ``name`` and ``input_pdf_paths``, for files and folders as given to the command."""
    rows = [row for path in inputs for row in _rows(Path(path))]
    if not rows:
        raise InputError(f"No PDF and no content list in {', '.join(map(str, inputs))}.")
    if answers is not None:
        if len(rows) != 1:
            raise OptionError(f"--answers goes with one document, and there are {len(rows)}; use a .jsonl file.")
        if not answers.exists():
            raise InputError(f"--answers: there is no file {answers}.")
        rows[0]["input_pdf_paths"].append(str(answers))
    for row in rows:
        row["name"] = path_text(row["name"])
    own = {row["name"] for row in rows}
    taken: set[str] = set()
    for row in rows:
        if row["name"] in taken:
            free = (f"{row['name']}-{n}" for n in count(2))
            row["name"] = next(name for name in free if name not in own | taken)
        taken.add(row["name"])
    return pa.table(
        {
            "name": encode([r["name"] for r in rows], str),
            "input_pdf_paths": encode([r["input_pdf_paths"] for r in rows], list[Path]),
        }
    )


def _rows(path: Path) -> Iterable[dict[str, Any]]:
    """The documents behind one input."""
    if path.suffix.lower() == ".jsonl":
        yield from _listed(path)
    elif path.is_dir():
        yield from _found(path)
    elif path.suffix.lower() in (".pdf", ".json"):
        if not path.is_file():
            raise InputError(f"{path}: there is no such file.")
        yield {"name": _name(path), "input_pdf_paths": [str(path)]}
    elif not path.exists():
        raise InputError(f"{path}: there is no such file or folder.")
    else:
        raise InputError(f"{path}: not a PDF, a folder, a content list (.json) or a list of documents (.jsonl).")


def _listed(path: Path) -> Iterable[dict[str, Any]]:
    """Rows of a document list; relative paths are looked for beside the list, then in the working folder."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error}).") from None
    # Read by hand: a column of a table cannot hold paths in one row and lists of paths in another.
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}, line {number}: not JSON ({error}).") from None
        given = row.get("input_pdf_paths") if isinstance(row, dict) else None
        paths = [given] if isinstance(given, str) else given
        if not isinstance(paths, list) or not paths or not all(isinstance(p, str) and p for p in paths):
            raise InputError(f"{path}, line {number}: 'input_pdf_paths' must be a path or a list of paths.")
        found = [str(path.parent / p) if (path.parent / p).exists() else p for p in paths]
        yield {"name": str(row.get("name") or _name(Path(paths[0]))), "input_pdf_paths": found}


def _found(folder: Path) -> Iterable[dict[str, Any]]:
    """The books in a folder and below: content lists, and PDFs that are not MinerU's own copies of a book."""
    lists = find_content_lists(folder)
    for path in lists:
        yield {"name": _name(path), "input_pdf_paths": [str(path)]}
    parsed = {_name(path) for path in lists}
    for path in sorted(p for p in folder.rglob("*") if p.suffix.lower() == ".pdf"):
        copy = path.stem.endswith(("_origin", "_layout", "_span")) and any(p.parent == path.parent for p in lists)
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if not copy and not hidden and path.stem not in parsed:
            yield {"name": path.stem, "input_pdf_paths": [str(path)]}


def _name(path: Path) -> str:
    stem = path.stem
    for ending in ("_content_list_v2", "_content_list", "_structured_content", "content_list", "structured_content"):
        stem = stem.removesuffix(ending)
    return stem or path.resolve().parent.name or "document"
