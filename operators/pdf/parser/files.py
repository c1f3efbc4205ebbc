"""PDF files opened, in worker processes alone as they may be hostile, and how places on their pages are told."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from dataflow_ext import InputError
from operators.pdf.parser.runs import Box

#: pdfium keeps global state and is not safe for threads: whoever calls it holds this lock.
PDFIUM_LOCK = threading.RLock()
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


@dataclass(slots=True, frozen=True)
class Frame:
    """How a page's own coordinates become shown ones: ``X = a·x + c·y + e``, ``Y = b·x + d·y + f``."""

    width: float
    height: float
    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point as shown."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        """A rectangle as shown, corners in order."""
        if self.a == 1:  # as most pages are: not turned
            x0, y0, x1, y1 = left + self.e, self.f - top, right + self.e, self.f - bottom
            return (x0, y0, x1, y1) if x0 <= x1 and y0 <= y1 else (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        x0, y0 = self.point(left, bottom)
        x1, y1 = self.point(right, top)
        return (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def page_frame(page: pdfium.PdfPage) -> Frame:
    """The frame of a page, from its crop box and its rotation."""
    left, bottom, right, top = page.get_bbox()
    wide, high = right - left, top - bottom
    turn = page.get_rotation() % 360
    if turn == 90:
        return Frame(high, wide, 0, 1, 1, 0, -bottom, -left)
    if turn == 180:
        return Frame(wide, high, -1, 0, 0, 1, right, -bottom)
    if turn == 270:
        return Frame(high, wide, 0, -1, -1, 0, top, right)
    return Frame(wide, high, 1, 0, 0, -1, -left, top)
