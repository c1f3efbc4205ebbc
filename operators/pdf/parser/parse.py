"""The built-in parser for PDFs with a text layer: pages in, content items in reading order out.

It needs no model. It gives no LaTeX: a formula comes as the letters that stand on the page, raised
ones as ``x^2`` and lowered ones as ``a_1``, and one set as a picture comes as that picture.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from dataflow_ext import InputError
from operators.pdf.blocks import ContentItem
from operators.pdf.parser.captions import Figure
from operators.pdf.parser.crop import move_huge_pictures_away, save_crop
from operators.pdf.parser.figures import body_size, find_figures
from operators.pdf.parser.furniture import Furniture, drop_ornaments, find_furniture
from operators.pdf.parser.ink import Ink, read_ink
from operators.pdf.parser.layout import Paragraph, page_parts
from operators.pdf.parser.lines import make_lines
from operators.pdf.parser.runs import Box, Run
from operators.pdf.parser.textlayer import PDFIUM_LOCK, TextLayer, page_frame, read_text
from operators.pdf.parser.titles import Look, Title, find_title, levels

logger = logging.getLogger(__name__)

#: Above this share of the page, pictures are taken for the scan of the page.
_COVERED = 0.8
#: A page with fewer visible letters over its picture than this is read from the picture.
_FEW = 60


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


@dataclass(slots=True)
class ParsedPDF:
    """A parsed file: its items in reading order, the pages (from 0) that need OCR, its number of pages."""

    items: list[ContentItem] = field(default_factory=list)
    scanned: list[int] = field(default_factory=list)
    pages: int = 0


@dataclass(slots=True)
class _Page:
    """What is kept of a page once it is closed: its words and where its figures stand."""

    number: int
    width: float
    height: float
    runs: list[Run]
    rules: list[Box]
    figures: list[Figure]


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
            if len(document) == 0:
                raise PDFError(path, "the PDF has no pages", "export it again from its source")
            yield document
        finally:
            document.close()


def _why_closed(path: Path) -> PDFError:
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


def parse_pdf(path: Path, image_dir: Path, *, pages: Sequence[int] | None = None, file: int = 0) -> ParsedPDF:
    """The items of a PDF's text layer in reading order, its figures saved as PNG files in ``image_dir``.

    ``pages`` picks pages by index from 0 (all by default); ``file`` is written into every item. Boxes
    are in thousandths of the page, y downwards. Pages that are pictures, with a hidden text layer or
    without one, give no items and are listed in ``scanned``. The names of figure files depend on the
    content of the PDF only. Raises :class:`PDFError` for a file that cannot be read and for a page
    that is not there.
    """
    path = Path(path)
    with open_pdf(path) as document:
        count = len(document)
        parsed = ParsedPDF(pages=count)
        drafts: list[_Page] = []
        for number in range(count) if pages is None else pages:
            if not 0 <= number < count:
                raise PDFError(path, f"there is no page {number + 1}", f"give pages from 1 to {count}")
            draft = _read_page(document, number)
            if draft is None:
                parsed.scanned.append(number)
            else:
                drafts.append(draft)
        for draft, figures in zip(drafts, drop_ornaments([draft.figures for draft in drafts]), strict=True):
            draft.figures = figures
        parsed.items = _items(drafts, file)
        _save_figures(document, drafts, parsed.items, Path(image_dir), _digest(path))
    return parsed


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _read_page(document: pdfium.PdfDocument, number: int) -> _Page | None:
    """A page's words and figures; None if it has to be read from its picture."""
    try:
        page = document[number]
    except pdfium.PdfiumError:
        logger.warning("page %d cannot be loaded and is left out", number)
        return _Page(number, 1.0, 1.0, [], [], [])
    try:
        frame = page_frame(page)
        ink = read_ink(page, frame)
        walls = [edge for one in ink.drawings for edge in one.edges if edge[2] - edge[0] < edge[3] - edge[1]]
        text = read_text(page, frame, walls[:500])
        if _is_scanned(text, ink, frame.width * frame.height):
            return None
        found = find_figures(text.runs, ink, frame.width, frame.height)
        return _Page(number, frame.width, frame.height, found.runs, found.rules, found.figures)
    finally:
        page.close()


def _is_scanned(text: TextLayer, ink: Ink, sheet: float) -> bool:
    """Whether a page's words are in a picture: nothing else tells, or the text layer is not to be trusted."""
    if text.chars == 0:
        return bool(ink.rasters or ink.drawings)
    if text.unknown > 0.5 * text.chars:
        return True
    covered = sum((one.box[2] - one.box[0]) * (one.box[3] - one.box[1]) for one in ink.rasters)
    if covered < _COVERED * sheet:
        return text.hidden > 0.8 * text.chars
    # Letters that are seen on top of the picture make it a background; hidden ones, or ones that it
    # covers, were guessed from it and are often wrong.
    largest = max(ink.rasters, key=lambda one: (one.box[2] - one.box[0]) * (one.box[3] - one.box[1]))
    return text.chars - text.hidden < _FEW or largest.order > ink.last_text


def _items(drafts: Sequence[_Page], file: int) -> list[ContentItem]:
    furniture = find_furniture([(draft.runs, draft.height) for draft in drafts])
    body = body_size([run for draft in drafts for run in draft.runs])
    items: list[ContentItem] = []
    titles: list[tuple[ContentItem, Title]] = []
    for draft, edge in zip(drafts, furniture, strict=True):
        items += _page_items(draft, edge, body, titles)
    for (item, _), level in zip(titles, levels([title for _, title in titles]), strict=True):
        item.level = level
    for index, item in enumerate(items):
        item.file, item.ref = file, str(index)
    return items


def _page_items(
    draft: _Page, edge: Furniture, body: float, titles: list[tuple[ContentItem, Title]]
) -> list[ContentItem]:
    runs = [run for run in draft.runs if id(run) not in edge.gone]
    edges = [_item(draft, kind, line.box, line.text) for kind, line in edge.items]
    above = [item for item in edges if item.box is not None and item.box[1] < 500]
    items = sorted(above, key=lambda item: item.box or ())
    for part in page_parts(runs, draft.figures, draft.rules, body_size(runs)):
        if isinstance(part, Figure):
            items.append(_figure_item(draft, part))
            continue
        item = _item(draft, "text", part.box, part.text)
        title = find_title(_look(part), body)
        if title is not None:
            titles.append((item, title))
        items.append(item)
    turned = [line for run in runs if run.turned for line in make_lines([run])]
    items += [_item(draft, "aside_text", line.box, line.text) for line in turned]
    return items + [item for item in edges if item not in above]


def _look(part: Paragraph) -> Look:
    return Look(part.text, part.size, part.bold, part.centred, len(part.lines))


def _item(draft: _Page, kind: str, box: Box, text: str) -> ContentItem:
    across, down = 1000 / draft.width, 1000 / draft.height
    x0, y0, x1, y1 = (
        round(min(max(value, 0.0), 1000.0), 1)
        for value in (box[0] * across, box[1] * down, box[2] * across, box[3] * down)
    )
    return ContentItem(kind, text, page=draft.number, box=(x0, y0, x1, y1))


def _figure_item(draft: _Page, figure: Figure) -> ContentItem:
    item = _item(draft, figure.kind, figure.box, figure.html)
    item.captions = list(figure.captions)
    return item


def _save_figures(
    document: pdfium.PdfDocument,
    drafts: Sequence[_Page],
    items: Sequence[ContentItem],
    image_dir: Path,
    digest: str,
) -> None:
    """Cut the figures out and write the files' paths into the items."""
    by_page: dict[int, list[ContentItem]] = {}
    for item in items:
        if item.type in ("image", "equation", "table"):
            by_page.setdefault(item.page, []).append(item)
    for draft in drafts:
        own = by_page.get(draft.number)
        if not own:
            continue
        page = document[draft.number]
        try:
            if huge := move_huge_pictures_away(page):
                logger.warning("page %d: %d pictures are too large to decode and stay blank", draft.number, huge)
            for index, item in enumerate(own, start=1):
                box = _points(draft, item)
                place = hashlib.sha256(f"{digest} {draft.number} {item.box}".encode()).hexdigest()[:16]
                target = image_dir / f"p{draft.number + 1:04d}_f{index}_{place}.png"
                save_crop(page, box, target)
                item.image = str(target)
        finally:
            page.close()


def _points(draft: _Page, item: ContentItem) -> Box:
    x0, y0, x1, y1 = item.box or (0.0, 0.0, 1000.0, 1000.0)
    across, down = draft.width / 1000, draft.height / 1000
    return (x0 * across, y0 * down, x1 * across, y1 * down)
