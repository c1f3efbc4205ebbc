"""DocumentReader: the files of a document become its items in reading order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError

from dataflow_ext import Failure, InputError, Made, Operator, OptionError, OutputPath, parallel, progress
from dataflow_ext.codec import decode, encode
from dataflow_ext.errors import PieceError
from dataflow_ext.ocr import OCREngine, RapidOCREngine, must_be_usable
from dataflow_ext.packages import install_hint
from dataflow_ext.parallel import Limits, journal
from dataflow_ext.rejects import Kind
from operators.pdf.blocks import ContentItem
from operators.pdf.file_reading import FileJob, FileRead, Odd, read_file, settled, whole_pdf
from operators.pdf.mineru.parsers import PDFParser, read_with
from operators.pdf.parser.pages import (
    MEMORY_MB,
    PAGE_SECONDS,
    OCRMode,
    PageDraft,
    PagesRead,
    ScannedPage,
    Survey,
    in_ranges,
    pdf_limits,
)

_OFF = "the page is scanned, and OCR is switched off; allow it, or give MinerU's content list of the book"
_NO_OCR = f"the page is scanned, and OCR is not installed ({{}}); install it: {install_hint('ocr', python='python')}"


class DocumentReader(Operator):
    """The items of each document, from PDFs or from MinerU's content lists, and how their pages were read.

    Of a PDF, a content list that lies beside it is taken, else each page's text layer; ``engine`` reads the pages
    that are scanned: those covered by a picture, even if they have a text layer, unless a sample bears it out. PDFs
    are opened in worker processes alone. Pages that could not be read of a document that can are a reject beside
    it, and so is what was odd in a list.

    Reads:
        input_pdf_paths: PDFs, content lists of MinerU, or folders that hold one; questions before answers.

    Writes:
        content: the document's items in reading order.
        pages_read: how each page was read.

    Options:
        image_dir: where pictures go, under names that their content decides.
        pages: the pages of PDFs to read, ``12-40,55``, counted from 1.
        ocr: ``always`` reads all pages by ``engine``, ``never`` none.
        engine: what reads scanned pages.
        beside: whether a content list beside a PDF is taken.
        parser: MinerU's command or server, to read PDFs in place of the text layer.
        parser_dir: where what a parser made is kept.
        overlays: a folder for pictures of the scanned pages with what was found on them.
        memory_mb: by how many megabytes a process that opens a PDF may grow.
        page_seconds: the time for each page, beside two minutes for the file.

    Rejects:
        InputError: the document, or some pages of it, cannot be read.
        MemoryExceeded, RowTimeout, WorkerDied: the PDF took too much, or killed its process twice.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> books = [{"input_pdf_paths": ["examples/booklets/algebra_en.pdf"]}]
        >>> with TemporaryDirectory() as folder:
        ...     items = DocumentReader(ocr="never", image_dir=folder)(books)["content"][0].as_py()
        >>> items[0]["text"]
        'First Steps in Algebra'
    """

    inputs: ClassVar[Any] = {"input_pdf_paths": list[Path]}
    outputs: ClassVar[Any] = {"content": list[ContentItem], "pages_read": list[PagesRead]}
    record: ClassVar[tuple[str, ...]] = ("pages_read",)

    image_dir: OutputPath = Path("vqa_images")
    pages: str | None = None
    ocr: OCRMode = "auto"
    engine: OCREngine = Field(default_factory=RapidOCREngine)
    beside: bool = True
    parser: PDFParser | None = None
    parser_dir: Path = Field(default=Path("parsed"), json_schema_extra={"fingerprint": False})
    overlays: OutputPath | None = None
    memory_mb: int = Field(default=MEMORY_MB, ge=50)
    page_seconds: float = Field(default=PAGE_SECONDS, gt=0)

    @field_validator("pages")
    @classmethod
    def _pages_are_a_range(cls, pages: str | None) -> str | None:
        """Refuse a page range that cannot be read at once, not in the middle of a run."""
        try:
            page_range(pages)
        except OptionError as error:
            raise PydanticCustomError("pages", "{why}", {"why": str(error).removesuffix(".")}) from None
        return pages

    def preflight(self) -> None:
        """OptionError if every page is to be read by an engine whose package is not installed."""
        if self.ocr == "always" and self.parser is None:
            must_be_usable(self.engine)

    def batch(self, table: pa.Table) -> Made:
        """Read one document after the other; files and scanned pages are spread over the run's processes."""
        documents = decode(table["input_pdf_paths"], list[Path])
        jobs = [self._job(path, number) for paths in documents for number, path in enumerate(paths)]
        counts = self._counts(jobs)
        weights = [count if isinstance(count, int) else 1 for count in counts]
        progress.expect(sum(weights), "pages")
        reads = map(self._parsed, jobs) if self.parser is not None else self._reads(jobs, counts)
        files = zip(jobs, weights, reads, strict=True)
        made = _Documents()
        for row, paths in enumerate(documents):
            # All of a document's files are taken from the stream, also those behind one that failed.
            made.add(row, [self._whole(*next(files)) for _ in paths], paths)
        return made.made()

    def _job(self, path: Path, number: int) -> FileJob:
        wanted = page_range(self.pages)
        pages = None if wanted is None else tuple(wanted)
        return FileJob(path, number, self.image_dir, pages, self.ocr, self.beside)

    def _counts(self, jobs: Sequence[FileJob]) -> list[int | PieceError]:
        """The pages of each file that are to be read, 1 for a list; of a file that cannot be looked at, why."""
        from operators.pdf.parser.files import count_pages

        paths = list(dict.fromkeys(job.path for job in jobs if job.pages is None and job.opens_pdf))
        found = parallel.guarded(count_pages, paths, self._limits(1), final=journal.settled) if paths else ()
        counts = dict(zip(paths, found, strict=True))
        return [counts.get(job.path, 1) if job.pages is None else len(job.pages) for job in jobs]

    def _reads(self, jobs: Sequence[FileJob], counts: Sequence[int | PieceError]) -> Iterator[FileRead | Exception]:
        """What each file gave: PDFs are opened in worker processes alone; lists are spread, if there are any."""
        pages = {job: count for job, count in zip(jobs, counts, strict=True) if isinstance(count, int)}
        todo = [job for job in jobs if job in pages]
        if any(job.opens_pdf for job in todo):
            reads = parallel.guarded(read_file, todo, lambda job: self._limits(pages[job]), final=journal.settled)
        else:
            reads = parallel.outcomes(read_file, todo)
        for job, count in zip(jobs, counts, strict=True):
            read = next(reads) if isinstance(count, int) else count
            yield read.about(job.path) if isinstance(read, PieceError) else read

    def _limits(self, pages: int) -> Limits:
        return pdf_limits(pages, self.memory_mb, self.page_seconds)

    def _parsed(self, job: FileJob) -> FileRead | Exception:
        """The file as the parser from outside reads it, one after the other: such parsers take all there is."""
        if self.parser is None or job.path.suffix.lower() != ".pdf" or not job.path.is_file():
            return read_file(job)
        try:
            told = partial(_tell, f"{self.parser.name} reads {job.path.name}")
            loaded = read_with(self.parser, job.path, self.parser_dir, file=job.file, pages=job.pages, on_progress=told)
        except Exception as error:
            return error
        odd = [Odd(f"{job.path}: {'; '.join(loaded.problems)}")] if loaded.problems else []
        pages = in_ranges(job.file, [(n, "parser", self.parser.name) for n in {i.page for i in loaded.items}])
        return settled(job, loaded.items, odd, pages)

    def _whole(self, job: FileJob, weight: int, read: FileRead | Exception) -> FileRead | Exception:
        """The file with its scanned pages, if it has any."""
        if isinstance(read, Exception) or read.scanned is None:
            progress.advance(weight)
            return read
        progress.advance(len(read.scanned.drafts))
        try:
            return self._with_scans(job, read.scanned)
        except Exception as error:
            return error

    def _with_scans(self, job: FileJob, found: Survey) -> FileRead:
        drafts: list[PageDraft] = []
        for draft in self._scans(job, found):
            drafts.append(draft)
            progress.advance()
        whole = (job, replace(found, drafts=[*found.drafts, *drafts]))
        [read] = parallel.guarded(_whole_pdf, [whole], self._limits(found.pages))
        if isinstance(read, PieceError):
            raise read.about(job.path)
        return read

    def _scans(self, job: FileJob, found: Survey) -> Iterator[PageDraft]:
        if self.ocr == "never":
            return iter(_all_unread(found, _OFF))
        try:
            import cv2  # noqa: F401 - what OCR cannot do without, asked for before any page is

            from operators.pdf.scan.scanned_page import ScanJob, read_scan
        except ImportError as error:
            return iter(_all_unread(found, _NO_OCR.format(error)))

        limits = self._limits(1)
        jobs = (ScanJob(job.path, page, self.engine, limits, overlays=self.overlays) for page in found.scans)
        drafts = parallel.outcomes(read_scan, jobs, final=_final, total=len(found.scans), costly=True)
        return (_lost(page, d) if isinstance(d, PieceError) else d for page, d in zip(found.scans, drafts, strict=True))


class _Documents:
    """The rows and failures of a batch, document by document."""

    def __init__(self) -> None:
        self.content: list[list[ContentItem]] = []
        self.pages: list[list[PagesRead]] = []
        self.rows: list[int] = []
        self.failures: list[Failure] = []

    def add(self, row: int, files: Sequence[FileRead | Exception], paths: Sequence[Path]) -> None:
        """A document by its files; one that cannot be read, or none with anything in it, fails it."""
        reads = [read for read in files if isinstance(read, FileRead)]
        items = [item for read in reads for item in read.items]
        odd = [what for read in reads for what in read.odd]
        error = next((read for read in files if isinstance(read, Exception)), None)
        if not paths:
            error = InputError("The document names no file.")
        if error is not None:
            self.failures.append(Failure.of(row, error))
            return
        if not items:
            first = odd[0] if odd else Odd(f"{', '.join(map(str, paths))}: no text and no figure found.")
            passing = any(what.passing for what in odd)
            self.failures.append(Failure(row, first.message, first.error, transient=passing))
            return
        self.content.append(items)
        self.pages.append([way for read in reads for way in read.pages])
        self.rows.append(row)
        for what in odd:
            kind: Kind = "failed" if what.passing else "dropped"
            self.failures.append(Failure(row, what.message, what.error, kind=kind, transient=what.passing))

    def made(self) -> Made:
        """All of it, as columns."""
        columns = {
            "content": encode(self.content, list[ContentItem]),
            "pages_read": encode(self.pages, list[PagesRead]),
        }
        return Made(columns, self.rows, self.failures)


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


def _tell(what: str, how_far: str) -> None:
    progress.note(f"{what}: {how_far}")


def _whole_pdf(whole: tuple[FileJob, Survey]) -> FileRead:
    return whole_pdf(*whole)


def _final(draft: PageDraft | PieceError) -> bool:
    return isinstance(draft, PageDraft) and not draft.passing


def _lost(page: ScannedPage, error: PieceError) -> PageDraft:
    lost = PageDraft(page.number, source="unread", why=str(error), passing=error.transient)
    return lost if lost.passing else page.draft or lost


def _all_unread(found: Survey, why: str) -> list[PageDraft]:
    return [page.draft or PageDraft(page.number, source="unread", why=why) for page in found.scans]
