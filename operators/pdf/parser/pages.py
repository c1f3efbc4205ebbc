"""What is known of a PDF's pages, and what they may take; by itself, for the process that has others read them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from dataflow_ext.parallel.wire import MB, Limits

if TYPE_CHECKING:
    from operators.pdf.formulas import Formula
    from operators.pdf.parser.captions import Figure
    from operators.pdf.parser.runs import Box, Run

#: Which pages are read by OCR: scanned ones, all, or none.
OCRMode = Literal["auto", "always", "never"]
#: Where a page's words come from; ``unread`` pages gave none.
Source = Literal["text_layer", "ocr", "content_list", "parser", "unread"]


@dataclass(slots=True)
class PageDraft:
    """A page's words and where its figures stand, in points; ``number`` counts from 0.

    Of a page that was turned straight by ``angle`` degrees, places are those of the straight page; its
    figures are cut out at ``dpi``. ``why`` tells the reason for the source; ``passing`` says that a page
    that was not read may be read another time.
    """

    number: int
    width: float = 1.0
    height: float = 1.0
    runs: list[Run] = field(default_factory=list)
    rules: list[Box] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    source: Source = "text_layer"
    why: str = ""
    angle: float = 0.0
    dpi: float = 0.0
    passing: bool = False

    @property
    def scanned(self) -> bool:
        """Whether places come from a picture of the page, and are a little different on each."""
        return self.dpi > 0

    #: Drawn roots and braces, which belong to formulas.
    signs: list[Box] = field(default_factory=list)
    #: The cells of questions that stand side by side between walls, grid by grid, in reading order.
    grids: list[list[Box]] = field(default_factory=list)
    #: The formulas that were read from the text layer; those with a reason stay pictures.
    formulas: list[Formula] = field(default_factory=list)


@dataclass(slots=True, frozen=True)
class ScannedPage:
    """A page that has to be read from its picture, why, and whether it has a text layer that may be right.

    ``draft`` is what is known of a page of which only some letters have to be read so.
    """

    number: int
    why: str
    layer: bool = False
    draft: PageDraft | None = None


@dataclass(slots=True)
class PagesRead:
    """Pages of one file, ``first`` to ``last``, counted from 0, that were read in one way, and why so."""

    file: int
    first: int
    last: int
    source: str
    why: str = ""


def in_ranges(file: int, pages: Iterable[tuple[int, Source, str]]) -> list[PagesRead]:
    """Pages, given as number, source and reason, put together where they follow each other.

    >>> [(r.first, r.last, r.source) for r in in_ranges(0, [(0, "ocr", ""), (1, "ocr", ""), (3, "ocr", "")])]
    [(0, 1, 'ocr'), (3, 3, 'ocr')]
    """
    ranges: list[PagesRead] = []
    for number, source, why in sorted(pages):
        last = ranges[-1] if ranges else None
        if last is not None and (last.last, last.source, last.why) == (number - 1, source, why):
            last.last = number
        else:
            ranges.append(PagesRead(file, number, number, source, why))
    return ranges


@dataclass(slots=True)
class Survey:
    """What a file's text layers gave, the pages that need OCR, and the number of all its pages."""

    drafts: list[PageDraft] = field(default_factory=list)
    scans: list[ScannedPage] = field(default_factory=list)
    pages: int = 0


#: The megabytes that a PDF may take: a page of A4 at 600 dots an inch as JPEG 2000, the worst kind, takes some 450.
MEMORY_MB = 750
#: The time for a file whatever its size, and for each of its pages, in seconds.
FILE_SECONDS = 120.0
PAGE_SECONDS = 5.0


def pdf_limits(pages: int = 1, memory_mb: int = MEMORY_MB, page_seconds: float = PAGE_SECONDS) -> Limits:
    """What so many pages of a PDF may take in the process that opens it.

    >>> pdf_limits(300)
    Limits(memory=750000000, seconds=1620.0)
    """
    return Limits(memory_mb * MB, FILE_SECONDS + page_seconds * pages)
