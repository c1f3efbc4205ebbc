"""DocumentReader: the files of a document become its items in reading order."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
from pydantic import field_validator
from pydantic_core import PydanticCustomError

from dataflow_ext import Failure, InputError, Made, Operator, OptionError, progress
from dataflow_ext.codec import decode, encode
from dataflow_ext.tables import atomic
from operators.pdf.blocks import ContentItem
from operators.pdf.mineru.content_list import find_content_lists, load_content_list
from operators.pdf.parser.parse import parse_pdf

#: A name that says what the picture is, as MinerU's do; a shorter run of digits may be a page's number.
_HASHED = re.compile(r"[0-9a-f]{32,128}")
#: Signs that would end a Markdown link.
_UNSAFE = re.compile(r"[^\w.-]+")


class ScannedPages(InputError):
    """Pages without a usable text layer."""


class DocumentReader(Operator):
    """The items of each document, from PDFs with a text layer or from MinerU's content lists.

    Reads ``input_pdf_paths`` (PDFs, content lists or folders that hold one; questions before answers) and
    writes ``content``. Pictures go to ``image_dir`` under names that their content decides. ``pages``
    ("12-40,55", counted from 1) bounds PDFs. A document that cannot be read is a reject; scanned pages of
    one that can are a reject beside it, and so is what was odd in a list.
    """

    inputs: ClassVar[Any] = {"input_pdf_paths": list[Path]}
    outputs: ClassVar[Any] = {"content": list[ContentItem]}
    spread: ClassVar[bool] = True

    image_dir: Path = Path("vqa_images")
    pages: str | None = None

    @field_validator("pages")
    @classmethod
    def _pages_are_a_range(cls, pages: str | None) -> str | None:
        """Refuse a page range that cannot be read at once, not in the middle of a run."""
        try:
            page_range(pages)
        except OptionError as error:
            raise PydanticCustomError("pages", "{why}", {"why": str(error).removesuffix(".")}) from None
        return pages

    def batch(self, table: pa.Table) -> Made:
        """Read one document after the other."""
        content, rows, failures = [], [], []
        for row, paths in enumerate(decode(table["input_pdf_paths"], list[Path])):
            try:
                items, odd = self.read(paths)
                content.append(items)
                rows.append(row)
                failures += [Failure(row, str(e), type(e).__name__, kind="dropped") for e in odd]
            except Exception as error:
                failures.append(Failure.of(row, error))
            progress.advance()
        return Made({"content": encode(content, list[ContentItem])}, rows, failures)

    def read(self, paths: Sequence[Path]) -> tuple[list[ContentItem], list[InputError]]:
        """The items of one document's files, and what could not be had from them."""
        if not paths:
            raise InputError("The document names no file.")
        items: list[ContentItem] = []
        odd: list[InputError] = []
        for number, path in enumerate(paths):
            found, problems = self._read_file(path, number)
            items += found
            odd += problems
        if not items:
            raise odd[0] if odd else InputError(f"{', '.join(map(str, paths))}: no text and no picture found.")
        return items, odd

    def _read_file(self, path: Path, number: int) -> tuple[list[ContentItem], list[InputError]]:
        if path.is_dir():
            lists = find_content_lists(path)
            if len(lists) != 1:
                raise InputError(f"{path}: expected one content list in this folder, found {len(lists)}.")
            path = lists[0]
        if not path.is_file():
            raise InputError(f"{path}: there is no such file.")
        if path.suffix.lower() == ".json":
            loaded = load_content_list(path, file=number)
            self._settle(loaded.items)
            return loaded.items, [InputError(f"{path}: {'; '.join(loaded.problems)}")] if loaded.problems else []
        if path.suffix.lower() != ".pdf":
            raise InputError(f"{path}: neither a PDF nor a content list (.json).")
        parsed = parse_pdf(path, self.image_dir, pages=page_range(self.pages), file=number)
        self._settle(parsed.items)
        return parsed.items, [_scanned(path, parsed.scanned)] if parsed.scanned else []

    def _settle(self, items: Sequence[ContentItem]) -> None:
        """Bring pictures into ``image_dir``, under names that no other picture has; missing ones are dropped."""
        for item in items:
            if item.image is None:
                continue
            source = Path(item.image)
            if not os.path.isfile(source):  # noqa: PTH113 - unlike Path's, it takes a name too long for the disk
                item.image = None
                continue
            if source.parent != self.image_dir:  # where the PDF parser puts its own, named by content
                item.image = str(_bring(source, self.image_dir))


def page_range(text: str | None) -> list[int] | None:
    """Page indexes from 0 for a range as people write it; :class:`OptionError` for anything else.

    >>> page_range("2-4, 7")
    [1, 2, 3, 6]
    """
    if text is None:
        return None
    pages: list[int] = []
    for part in text.split(","):
        found = re.fullmatch(r"\s*(\d{1,6})\s*(?:-\s*(\d{1,6}))?\s*", part)
        if found is None or int(found[1]) < 1 or int(found[2] or found[1]) < int(found[1]):
            raise OptionError(f"'{text}' is not a range of pages; write 12-40 or 3,5,8-10.")
        pages += range(int(found[1]) - 1, int(found[2] or found[1]))
    return sorted(set(pages))


def _scanned(path: Path, pages: Sequence[int]) -> ScannedPages:
    shown = ", ".join(str(p + 1) for p in pages[:12]) + (" …" if len(pages) > 12 else "")
    return ScannedPages(
        f"{path}: page{'s' if len(pages) > 1 else ''} {shown} "
        f"{'are' if len(pages) > 1 else 'is'} scanned or without a usable text layer, and this parser "
        "does no OCR; give MinerU's content list of the book instead."
    )


def _bring(source: Path, folder: Path) -> Path:
    """A copy of a picture in ``folder``: under its own name if that is a hash already, else with one."""
    data = source.read_bytes()
    target = folder / source.name
    if not _HASHED.fullmatch(source.stem):
        stem = _UNSAFE.sub("_", source.stem)[:60]  # with the hash, a name that every disk takes
        target = folder / f"{stem}-{hashlib.sha256(data).hexdigest()[:16]}{source.suffix.lower()}"
    if not target.exists():
        with atomic(target) as partial:
            partial.write_bytes(data)
    return target
