"""The documents behind files and folders as people name them: PDFs, content lists, lists of documents."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext import InputError, OptionError
from dataflow_ext.codec import encode
from dataflow_ext.rejects import UnreadLine, with_unread
from dataflow_ext.tables import json_records
from dataflow_ext.well_formed import path_text
from operators.pdf.mineru.content_list import find_content_lists

#: How names of files end that hold the questions, or the answers, of a book in two files.
_QUESTIONS = re.compile(r"(?:[ _-](?:questions?|problems?|exercises?))$|(?:试题|习题|题目)$", re.IGNORECASE)
_ANSWERS = re.compile(
    r"(?:[ _-](?:answers?|answer[ _-]key|key|solutions?))$|(?:参考)?(?:答案|解析|解答)(?:与解析)?$", re.IGNORECASE
)


def documents(inputs: Sequence[Path | str], answers: Path | None = None) -> pa.Table:
    """A row a document, ``name`` and ``input_pdf_paths``, for files and folders as given to the command.

    Lines of a list of documents that cannot be read are rejects in the table.
    """
    unread: list[UnreadLine] = []
    rows = [row for path in inputs for row in _rows(Path(path), unread)]
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
    table = pa.table(
        {
            "name": encode([r["name"] for r in rows], str),
            "input_pdf_paths": encode([r["input_pdf_paths"] for r in rows], list[Path]),
        }
    )
    return with_unread(table, unread)


def answer_books(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Documents that are named as questions and answers of one book, for a note: they are read as two.

    >>> list(answer_books(["physics_questions", "physics_answers", "高一数学", "高一数学答案", "geometry"]))
    [('physics_questions', 'physics_answers'), ('高一数学', '高一数学答案')]
    """
    others = list(names)
    books = {_QUESTIONS.sub("", name): name for name in others if not _ANSWERS.search(name)}
    for name in others:
        stem = _ANSWERS.sub("", name)
        if stem != name and stem in books:
            yield books[stem], name


def _rows(path: Path, unread: list[UnreadLine]) -> Iterable[dict[str, Any]]:
    """The documents behind one input."""
    if path.suffix.lower() == ".jsonl":
        yield from _listed(path, unread)
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


def _listed(path: Path, unread: list[UnreadLine]) -> Iterable[dict[str, Any]]:
    """Rows of a document list; relative paths are looked for beside the list, then in the working folder."""
    found = False
    for number, row in enumerate(_records(path, unread), 1):
        given = row.get("input_pdf_paths")
        paths = [given] if isinstance(given, str) else given
        if not isinstance(paths, list) or not paths or not all(isinstance(p, str) and p for p in paths):
            told = f"{path}, document {number}: 'input_pdf_paths' must be a path or a list of paths."
            unread.append(UnreadLine(told, json.dumps(row, ensure_ascii=False)))
            continue
        found = True
        beside = [str(path.parent / p) if (path.parent / p).exists() else p for p in paths]
        yield {"name": str(row.get("name") or _name(Path(paths[0]))), "input_pdf_paths": beside}
    if unread and not found:
        raise InputError(unread[-1].message)


def _records(path: Path, unread: list[UnreadLine]) -> Iterator[dict[str, Any]]:
    try:
        yield from json_records(path, unread)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from None


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
