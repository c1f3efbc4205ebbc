"""One file of a document read: a content list, or a PDF whose text layers are good; scanned pages are left for OCR."""

from __future__ import annotations

import hashlib
import os
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from dataflow_ext import InputError
from dataflow_ext.files import atomic
from dataflow_ext.pictures import UnfitPicture, checked_file
from operators.pdf.blocks import ContentItem
from operators.pdf.mineru.content_list import find_content_lists, load_content_list
from operators.pdf.parser.pages import OCRMode, PagesRead, Survey, in_ranges

#: A name that says what the picture is, as MinerU's do; a shorter run of digits may be a page's number.
_HASHED = re.compile(r"[0-9a-f]{32,128}")
#: Signs that would end a Markdown link.
_UNSAFE = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class FileJob:
    """A file to be read: ``file`` is its place in its document, ``pages`` picks pages of PDFs by index from 0.

    With ``beside`` a content list that lies beside a PDF is read in its place.
    """

    path: Path
    file: int
    image_dir: Path
    pages: tuple[int, ...] | None = None
    ocr: OCRMode = "auto"
    beside: bool = True

    @property
    def opens_pdf(self) -> bool:
        """Whether the file is a PDF that is there to be opened."""
        return self.path.suffix.lower() == ".pdf" and self.path.is_file()


@dataclass(frozen=True, slots=True)
class Odd:
    """What could not be had of a file that was read: ``passing`` if another try may have it."""

    message: str
    error: str = "InputError"
    passing: bool = False


@dataclass(slots=True)
class FileRead:
    """What a file gave: its items, what was odd, and how its pages were read.

    If pages of it are scanned, ``scanned`` holds what its other pages gave, and there are no items yet.
    """

    items: list[ContentItem] = field(default_factory=list)
    odd: list[Odd] = field(default_factory=list)
    pages: list[PagesRead] = field(default_factory=list)
    scanned: Survey | None = None


def read_file(job: FileJob) -> FileRead | Exception:
    """The file, or why it cannot be read: whatever is wrong with one, the other documents live."""
    try:
        return _read(job)
    except Exception as error:
        return error


def _read(job: FileJob) -> FileRead:
    path, why = job.path, ""
    if path.is_dir():
        path = only_list_in(path)
    elif path.suffix.lower() == ".pdf" and job.beside and (beside := list_beside(path)) is not None:
        path, why = beside, f"found beside {path.name}: {beside}"
    if not path.is_file():
        raise InputError(f"{path}: there is no such file.")
    if path.suffix.lower() == ".json":
        return _read_list(path, job, why)
    if path.suffix.lower() != ".pdf":
        raise InputError(f"{path}: neither a PDF nor a content list (.json).")
    from operators.pdf.parser.survey import survey  # in the process that reads, which is another one

    found = survey(path, job.pages, job.ocr)
    return FileRead(scanned=found) if found.scans else whole_pdf(job, found)


def whole_pdf(job: FileJob, found: Survey) -> FileRead:
    """The PDF by the drafts of all its pages; pages that were not read are told."""
    from operators.pdf.parser.parse import assemble

    unread = [draft for draft in found.drafts if draft.source == "unread"]
    good = [draft for draft in found.drafts if draft.source != "unread"]
    parsed = assemble(job.path, replace(found, drafts=good), job.image_dir, file=job.file)
    why: dict[tuple[str, bool], list[int]] = defaultdict(list)
    for draft in unread:
        why[draft.why, draft.passing].append(draft.number)
    odd = [Odd(_not_read(job.path, pages, text), "ScannedPages", passing) for (text, passing), pages in why.items()]
    ways = in_ranges(job.file, [(draft.number, draft.source, draft.why) for draft in unread])
    return settled(job, parsed.items, odd, sorted(parsed.read + ways, key=lambda way: way.first))


def _not_read(path: Path, pages: Sequence[int], why: str) -> str:
    shown = ", ".join(str(p + 1) for p in pages[:12]) + (" …" if len(pages) > 12 else "")
    was = f"pages {shown} were" if len(pages) > 1 else f"page {shown} was"
    return f"{path}: {was} not read: {why.rstrip('.')}."


def only_list_in(folder: Path) -> Path:
    """The one content list in a folder and below; :class:`InputError` if there is none, or several."""
    lists = find_content_lists(folder)
    if len(lists) != 1:
        raise InputError(f"{folder}: expected one content list in this folder, found {len(lists)}.")
    return lists[0]


def list_beside(path: Path) -> Path | None:
    """The content list of a PDF where MinerU leaves it: beside the PDF, or in a folder of the PDF's name."""
    endings = ("_content_list.json", "_content_list_v2.json", "_structured_content.json", ".structured_content.json")
    for ending in endings:
        found = path.with_name(path.stem + ending)
        if os.path.isfile(found):  # noqa: PTH113 - unlike Path's, it takes a name too long for the disk
            return found
    folder = path.with_suffix("")
    lists = find_content_lists(folder) if os.path.isdir(folder) else []  # noqa: PTH112 - as above
    return lists[0] if len(lists) == 1 else None


def _read_list(path: Path, job: FileJob, why: str) -> FileRead:
    with TemporaryDirectory() as folder:
        loaded = load_content_list(path, file=job.file, pictures=Path(folder))
        odd = [Odd(f"{path}: {'; '.join(loaded.problems)}")] if loaded.problems else []
        pages = in_ranges(job.file, [(n, "content_list", why) for n in {item.page for item in loaded.items}])
        return settled(job, loaded.items, odd, pages)


def settled(job: FileJob, items: Sequence[ContentItem], odd: Sequence[Odd], pages: list[PagesRead]) -> FileRead:
    """What a file gave, its pictures in the job's folder under names that no other picture has.

    Items go without pictures that are missing, and without those that the check refuses, which is told as odd.
    """
    brought: dict[Path, str | None] = {}
    refused: list[str] = []
    for item in items:
        source = None if item.image is None else Path(item.image)
        if source is None or source.parent == job.image_dir:  # where the PDF parser puts its own, named by content
            continue
        if source not in brought:
            try:
                brought[source] = _bring(source, job.image_dir)
            except UnfitPicture as error:
                brought[source] = None
                refused.append(f"{source.name} {error}")
        item.image = brought[source]
    told = [Odd(f"{job.path}: {_left_out(refused)}", "UnfitPicture")] if refused else []
    return FileRead(list(items), [*odd, *told], pages)


def _left_out(refused: Sequence[str]) -> str:
    pictures = "a picture was" if len(refused) == 1 else f"{len(refused)} pictures were"
    more = f"; and {len(refused) - 5} more" if len(refused) > 5 else ""
    return f"{pictures} left out: {'; '.join(refused[:5])}{more}."


def _bring(source: Path, folder: Path) -> str | None:
    """The path of a picture's copy in ``folder``, without metadata: under its own name if that is a hash already.

    None if there is no such file; UnfitPicture if it is no picture to pass on.
    """
    if not os.path.isfile(source):  # noqa: PTH113 - unlike Path's, it takes a name too long for the disk
        return None
    picture = checked_file(source)
    target = folder / picture.name(source.name)
    if not _HASHED.fullmatch(source.stem):
        stem = _UNSAFE.sub("_", source.stem)[:60]  # with the hash, a name that every disk takes
        ending = Path(picture.name(source.name)).suffix.lower()
        target = folder / f"{stem}-{hashlib.sha256(picture.data).hexdigest()[:16]}{ending}"
    if not target.exists() or target.stat().st_size != len(picture.data):
        with atomic(target) as partial:
            partial.write_bytes(picture.data)
    return str(target)
