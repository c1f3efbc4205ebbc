"""What a PDF may take in the process that opens it."""

from __future__ import annotations

from dataflow_ext.parallel.wire import MB, Limits

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
