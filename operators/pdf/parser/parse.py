"""The built-in parser for PDFs: pages in, content items in reading order out.

Formulas in the fonts of TeX and of mathematics come as LaTeX. Any other comes as the letters that stand on
the page, raised ones as ``x^2`` and lowered ones as ``a_1``; what letters cannot carry comes as its picture.
"""

from __future__ import annotations

import hashlib
import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pypdfium2 as pdfium

from dataflow_ext.files import atomic
from operators.pdf.blocks import ContentItem
from operators.pdf.parser.boxes import area
from operators.pdf.parser.captions import Figure
from operators.pdf.parser.files import PDFError, digest_of, open_pdf
from operators.pdf.parser.formula_pictures import doubtful_signs, with_formulas, with_pictures, without_signs
from operators.pdf.parser.furniture import Furniture, drop_ornaments, find_furniture
from operators.pdf.parser.ink import move_huge_pictures_away
from operators.pdf.parser.looks import Look, Title, find_title, levels, mark_options
from operators.pdf.parser.margins import margin_notes, part_footnotes, part_side_notes
from operators.pdf.parser.pages import PageDraft, PagesRead, ScannedPage, Survey, in_ranges
from operators.pdf.parser.paragraphs import Paragraph, page_parts
from operators.pdf.parser.runs import DOLLAR, Box, Run, body_size
from operators.pdf.parser.survey import survey
from operators.pdf.parser.text_lines import make_lines

__all__ = ["PDFError", "ParsedPDF", "assemble", "parse_pdf"]

logger = logging.getLogger(__name__)

#: Dots per inch of a crop.
DPI = 180
#: No crop has more pixels than this: a larger one is cut out more coarsely.
MAX_PIXELS = 6_000_000
_MARGIN = 3.0


@dataclass(slots=True)
class ParsedPDF:
    """A parsed file: its items in reading order, its scanned pages that were not read, and its number of pages.

    ``read`` tells how each page was read, and why so.
    """

    items: list[ContentItem] = field(default_factory=list)
    scanned: list[ScannedPage] = field(default_factory=list)
    pages: int = 0
    read: list[PagesRead] = field(default_factory=list)


def parse_pdf(path: Path, image_dir: Path, *, pages: Sequence[int] | None = None, file: int = 0) -> ParsedPDF:
    """The items of a PDF's text layer in reading order, its figures saved as PNG files in ``image_dir``.

    ``pages`` picks pages by index from 0 (all by default); ``file`` is written into every item. Boxes
    are in thousandths of the page, y downwards. Pages that are pictures, with a hidden text layer or
    without one, give no items and are listed in ``scanned``. The names of figure files depend on the
    content of the PDF only. Raises :class:`PDFError` for a file that cannot be read and for a page
    that is not there.
    """
    path = Path(path)
    return assemble(path, survey(path, pages), Path(image_dir), file=file)


def assemble(path: Path, found: Survey, image_dir: Path, *, file: int = 0) -> ParsedPDF:
    """The items of the drafts of a file's pages, as :func:`parse_pdf` gives them."""
    drafts = sorted(found.drafts, key=lambda draft: draft.number)
    scans = [draft.figures for draft in drafts if draft.scanned]
    if scans:
        from operators.pdf.scan.ink_pieces import same_prints

        same_prints(scans)
    for draft, figures in zip(drafts, drop_ornaments([draft.figures for draft in drafts], bool(scans)), strict=True):
        kept = {id(figure) for figure in figures}
        # Words in a drawing that is none, as in the bars above the frames of slides, are text.
        draft.runs += [run for figure in draft.figures if id(figure) not in kept for run in figure.labels]
        draft.figures = figures
    items = _items(drafts, file)
    _save_figures(path, drafts, items, image_dir)
    read = [(draft.number, draft.source, draft.why) for draft in drafts]
    return ParsedPDF(items, found.scans, found.pages, in_ranges(file, read))


def _items(drafts: Sequence[PageDraft], file: int) -> list[ContentItem]:
    furniture = find_furniture([(draft.runs, draft.height, draft.scanned) for draft in drafts])
    body = body_size(run for draft in drafts for run in draft.runs)
    kept = [
        [run for run in draft.runs if id(run) not in edge.gone] for draft, edge in zip(drafts, furniture, strict=True)
    ]
    items: list[ContentItem] = []
    titles: list[tuple[ContentItem, Title]] = []
    looks: list[tuple[ContentItem, tuple[bool, int]]] = []
    for draft, edge, (runs, notes) in zip(drafts, furniture, margin_notes(kept), strict=True):
        items += _page_items(draft, edge, runs, body, titles, looks)
        asides = [_item(draft, "aside_text", line.box, line.text) for note in notes for line in make_lines([note])]
        items += _with_pictures(draft, asides)
    for (item, _), level in zip(titles, levels([title for _, title in titles]), strict=True):
        item.level = level
    mark_options(looks)
    for index, item in enumerate(items):
        item.file, item.ref = file, str(index)
        item.text = _with_dollars(item.text)
        item.captions = [_with_dollars(caption) for caption in item.captions]
    return items


def _with_dollars(text: str) -> str:
    """A text with its own dollar signs, which are marked where others stand around formulas."""
    return text.replace(DOLLAR, r"\$" if "$" in text else "$")


def _page_items(
    draft: PageDraft,
    edge: Furniture,
    runs: Sequence[Run],
    body: float,
    titles: list[tuple[ContentItem, Title]],
    looks: list[tuple[ContentItem, tuple[bool, int]]],
) -> list[ContentItem]:
    edges = [_item(draft, kind, line.box, line.text) for kind, line in edge.items]
    above = [item for item in edges if item.box is not None and item.box[1] < 500]
    items = sorted(above, key=lambda item: item.box or ())
    runs, notes = part_footnotes(runs, draft.rules, draft.height, body)
    size = body_size(runs)
    runs, asides = part_side_notes(runs, size)
    parts = page_parts(runs, draft.figures, draft.rules, size, draft.grids)
    parts = with_pictures(with_formulas(parts, runs, draft.rules, draft.signs, size), draft.formulas)
    for part in parts:
        if isinstance(part, Figure):
            items.append(_figure_item(draft, part))
            continue
        if part.text.startswith("$$"):
            items.append(_item(draft, "equation", part.box, part.text))
            continue
        item = _item(draft, "text", part.box, part.text)
        looks.append((item, (part.bold, part.lines[0].colour)))
        title = find_title(_look(part, draft.width), body)
        if title is not None:
            titles.append((item, title))
        items.append(item)
    turned = [line for run in runs if run.turned for line in make_lines([run])]
    items += [_item(draft, "aside_text", line.box, line.text) for line in turned]
    items += [_item(draft, "aside_text", box, text) for box, text in asides]
    items += [_item(draft, "page_footnote", box, text) for box, text in notes]
    return _with_pictures(draft, items + [item for item in edges if item not in above])


def _with_pictures(draft: PageDraft, items: Sequence[ContentItem]) -> list[ContentItem]:
    """The items, those that are no paragraphs with pictures of formulas that were not read behind them."""
    doubtful = doubtful_signs(draft.formulas)
    found: list[ContentItem] = []
    for item in items:
        item.text, pictures = without_signs(item.text, doubtful)
        found += [item, *(_figure_item(draft, picture) for picture in pictures)]
    return found


def _look(part: Paragraph, width: float) -> Look:
    aside = part.box[0] > 0.62 * width and not part.centred
    return Look(part.text, part.size, part.bold, part.centred, len(part.lines), aside)


def _item(draft: PageDraft, kind: str, box: Box, text: str) -> ContentItem:
    across, down = 1000 / draft.width, 1000 / draft.height
    x0, y0, x1, y1 = (
        round(min(max(value, 0.0), 1000.0), 1)
        for value in (box[0] * across, box[1] * down, box[2] * across, box[3] * down)
    )
    return ContentItem(kind, text, page=draft.number, box=(x0, y0, x1, y1))


def _figure_item(draft: PageDraft, figure: Figure) -> ContentItem:
    item = _item(draft, figure.kind, figure.box, figure.html)
    item.captions = list(figure.captions)
    return item


def _save_figures(path: Path, drafts: Sequence[PageDraft], items: Sequence[ContentItem], image_dir: Path) -> None:
    """Cut the figures out and write the files' paths into the items; places become those of the page as it is."""
    by_page: dict[int, list[ContentItem]] = {}
    for item in items:
        by_page.setdefault(item.page, []).append(item)
    digest = digest_of(path)
    with open_pdf(path) as document:
        for draft in drafts:
            own = by_page.get(draft.number, [])
            figures = [item for item in own if item.type in ("image", "equation", "table") and item.text[:2] != "$$"]
            for index, item in enumerate(figures, start=1):
                place = hashlib.sha256(f"{digest} {draft.number} {item.box}".encode()).hexdigest()[:16]
                item.image = str(image_dir / f"p{draft.number + 1:04d}_f{index}_{place}.png")
            if figures:
                _cut_out(document, draft, [(_points(draft, item), Path(str(item.image))) for item in figures])
            if draft.angle:
                _turn_back(draft, own)


def _cut_out(document: pdfium.PdfDocument, draft: PageDraft, cuts: Sequence[tuple[Box, Path]]) -> None:
    page = document[draft.number]
    try:
        if draft.scanned:
            from operators.pdf.scan.picture import save_cuts

            save_cuts(page, draft.dpi, draft.angle, cuts)
            return
        if huge := move_huge_pictures_away(page):
            logger.warning("page %d: %d pictures are too large to decode and stay blank", draft.number, huge)
        for box, target in cuts:
            _save_crop(page, box, target)
    finally:
        page.close()


def _save_crop(page: pdfium.PdfPage, box: Box, path: Path) -> None:
    """Write the part of a page in ``box`` (points, y down, as shown) to ``path`` as PNG.

    The file appears whole or not at all; one that exists is left as it is. The caller holds the
    pdfium lock.
    """
    if path.exists():
        return
    width, height = page.get_size()
    x0, y0 = max(box[0] - _MARGIN, 0.0), max(box[1] - _MARGIN, 0.0)
    x1, y1 = min(box[2] + _MARGIN, width), min(box[3] + _MARGIN, height)
    scale = min(DPI / 72, math.sqrt(MAX_PIXELS / max(area((x0, y0, x1, y1)), 1.0)))
    bitmap = page.render(scale=scale, crop=(x0, height - y1, width - x1, y0))
    try:
        picture = bitmap.to_pil().convert("RGB")
    finally:
        bitmap.close()
    with atomic(path) as partial:
        picture.save(partial, "PNG")


def _turn_back(draft: PageDraft, items: Sequence[ContentItem]) -> None:
    from operators.pdf.scan.picture import turned_back

    for item in items:
        if item.box is not None:
            box = turned_back(_points(draft, item), draft.width, draft.height, draft.angle)
            item.box = _item(draft, "", box, "").box


def _points(draft: PageDraft, item: ContentItem) -> Box:
    x0, y0, x1, y1 = item.box or (0.0, 0.0, 1000.0, 1000.0)
    across, down = draft.width / 1000, draft.height / 1000
    return (x0 * across, y0 * down, x1 * across, y1 * down)
