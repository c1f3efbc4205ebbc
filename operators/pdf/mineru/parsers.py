"""What a parser from outside is to a document reader: a PDF goes in, MinerU's content list comes out and is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from dataflow_ext import InputError
from operators.pdf.mineru.content_list import LoadedList, load_content_list

#: Hears, about once a second, a few words on how far a parser is.
OnProgress = Callable[[str], None]


class ParserError(InputError):
    """A parser gave no content list for a file; ``transient`` unless the file itself is to blame."""

    transient = True

    def __init__(self, message: str, *, transient: bool = True) -> None:
        super().__init__(message)
        self.transient = transient


class ParserMissing(ParserError):
    """The parser is not there at all, so no file of the run can be read with it."""


@runtime_checkable
class PDFParser(Protocol):
    """A program or a server that makes a content list of a PDF."""

    @property
    def name(self) -> str:
        """What people call it: ``mineru``, ``mineru-api``, ``magic-pdf``."""

    def identity(self) -> str:
        """Its kind, version and options, on which the result depends; :class:`ParserMissing` if it is not there."""

    def parse(self, pdf: Path, into: Path, *, pages: Sequence[int] | None, on_progress: OnProgress | None) -> Path:
        """The content list, in a folder of its own below ``into``; made once, found again after that.

        ``pages`` picks pages by index from 0; the list's own page numbers then count among them. Raises
        :class:`ParserError`.
        """


def read_with(
    parser: PDFParser,
    pdf: Path,
    into: Path,
    *,
    file: int = 0,
    pages: Sequence[int] | None = None,
    on_progress: OnProgress | None = None,
) -> LoadedList:
    """The items that the parser finds in a PDF, with the page numbers of the PDF."""
    loaded = load_content_list(parser.parse(pdf, into, pages=pages, on_progress=on_progress), file=file)
    if pages is not None:
        for item in loaded.items:
            item.page = pages[min(item.page, len(pages) - 1)]
    return loaded
