"""PDF files opened, in worker processes alone as they may be hostile, and what is said of those that cannot be."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from dataflow_ext import InputError
from operators.pdf.parser.letters import PDFIUM_LOCK

#: A PDF that says it has more pages than this is none that anybody reads: a tree of pages may hold itself.
MOST_PAGES = 20_000


class PDFError(InputError):
    """A PDF that cannot be read: which file, what is wrong with it, and what to do."""

    def __init__(self, path: Path, what: str, remedy: str) -> None:
        super().__init__(f"{path}: {what}; {remedy}.")
        self.path = path
        self.what = what
        self.remedy = remedy

    def __reduce__(self) -> tuple[type[PDFError], tuple[Path, str, str]]:
        """Pickle by its parts, so that it can come back from another process."""
        return (type(self), (self.path, self.what, self.remedy))


@contextmanager
def open_pdf(path: Path) -> Iterator[pdfium.PdfDocument]:
    """An open document, under the pdfium lock; a file that is no readable PDF raises :class:`PDFError`."""
    if not path.is_file():
        raise PDFError(path, "no such file", "give the path of a PDF")
    if path.stat().st_size == 0:
        raise PDFError(path, "the file is empty", "copy or download it again")
    with PDFIUM_LOCK:
        try:
            document = pdfium.PdfDocument(path)
        except pdfium.PdfiumError as error:
            raise _why_closed(path) from error
        try:
            if (pages := len(document)) == 0:
                raise PDFError(path, "the PDF has no pages", "export it again from its source")
            if pages > MOST_PAGES:
                raise PDFError(path, f"the PDF says that it has {pages:,} pages", f"split it below {MOST_PAGES:,}")
            yield document
        finally:
            document.close()


def count_pages(path: Path) -> int:
    """The number of pages of a PDF, 1 for a file that cannot be read: what progress counts."""
    try:
        with open_pdf(path) as document:
            return len(document)
    except InputError:
        return 1


def digest_of(path: Path) -> str:
    """SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _why_closed(path: Path) -> PDFError:
    # PDFium keeps an earlier file's error where it has none of its own for this one: after nonsense it is known.
    raw.FPDF_LoadMemDocument(b"-", 1, None)
    with suppress(pdfium.PdfiumError):
        pdfium.PdfDocument(path).close()
    code = raw.FPDF_GetLastError()
    if code == raw.FPDF_ERR_PASSWORD:
        return PDFError(path, "the PDF is encrypted with a password", "save a copy without a password")
    if code == raw.FPDF_ERR_SECURITY:
        return PDFError(path, "the PDF's encryption is not supported", "save a copy without encryption")
    with path.open("rb") as file:
        is_pdf = b"%PDF-" in file.read(1024)
    if not is_pdf:
        return PDFError(path, "the file is not a PDF", "convert it to PDF first")
    return PDFError(
        path,
        "the PDF is damaged, cut off or without pages",
        "repair it (qpdf in.pdf out.pdf) or get it again",
    )
