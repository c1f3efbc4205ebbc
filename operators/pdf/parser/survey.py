"""A first look at a PDF: the pages whose text layer is good, and those to be read from their pictures."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

import pypdfium2 as pdfium

from operators.pdf.formulas import Stroke
from operators.pdf.parser.figures import find_figures
from operators.pdf.parser.files import PDFError, open_pdf
from operators.pdf.parser.ink import Ink, read_ink
from operators.pdf.parser.names import GAP_IN_WORD
from operators.pdf.parser.page_frame import page_frame
from operators.pdf.parser.pages import OCRMode, PageDraft, ScannedPage, Survey
from operators.pdf.parser.textlayer import TextLayer, read_text

logger = logging.getLogger(__name__)

#: Above this share of the page, pictures are taken for the scan of the page.
_COVERED = 0.8
#: Drawings of a page may be signs of its formulas if they are no more; a page with more has pictures.
_MOST_STROKES = 400
#: A page with fewer visible letters over its picture than this is read from the picture.
_FEW = 60
_HIDDEN, _NAMELESS = "hidden text layer", "letters without names"
#: The share of the page at its upper and lower edge where stamps stand, and the lines inside that are text.
_EDGE = 0.08
_LINES = 3


def survey(path: Path, pages: Sequence[int] | None = None, mode: OCRMode = "auto") -> Survey:
    """The pages of a PDF (all, or those with these indices from 0), sorted by how they are to be read.

    Raises :class:`PDFError` for a file that cannot be read and for a page that is not there.
    """
    with open_pdf(path) as document:
        count = len(document)
        found = Survey(pages=count)
        for number in range(count) if pages is None else pages:
            if not 0 <= number < count:
                raise PDFError(path, f"there is no page {number + 1}", f"give pages from 1 to {count}")
            read = _read_page(document, number, mode)
            if isinstance(read, PageDraft):
                found.drafts.append(read)
            else:
                found.scans.append(read)
    return found


def _read_page(document: pdfium.PdfDocument, number: int, mode: OCRMode) -> PageDraft | ScannedPage:
    try:
        page = document[number]
    except pdfium.PdfiumError:
        logger.info("page %d cannot be loaded and is left out", number)
        return PageDraft(number, source="unread", why="the page cannot be loaded")
    try:
        frame = page_frame(page)
        ink = read_ink(page, frame)
        walls = [edge for one in ink.drawings for edge in one.edges if edge[2] - edge[0] < edge[3] - edge[1]]
        bars = [one for one in ink.drawings if one.level_rule]
        strokes = [one for one in ink.drawings if one.slanted]
        drawn = [Stroke(-1 - at, *one.box, one.bar) for at, one in enumerate(strokes) if len(strokes) <= _MOST_STROKES]
        text = read_text(page, frame, walls[:500], [one.box for one in bars], drawn)
        gone = {id(bars[at] if at >= 0 else strokes[-1 - at]) for at in text.used}
        ink.drawings = [one for one in ink.drawings if id(one) not in gone]
        if mode == "always" and (text.chars or ink.rasters or ink.drawings):
            return ScannedPage(number, "asked for")
        if why := _why_scanned(text, ink, frame.width, frame.height):
            return ScannedPage(
                number, why, layer=why == _HIDDEN and text.chars >= _FEW and text.unknown < 0.1 * text.chars
            )
        found = find_figures(text.runs, ink, frame.width, frame.height)
        boxes = (found.runs, found.rules, found.figures)
        draft = PageDraft(number, frame.width, frame.height, *boxes, signs=found.signs, formulas=text.formulas)
        draft.grids = found.grids
        if not any(GAP_IN_WORD.search(run.text) for run in draft.runs):
            return draft
        draft.why = _NAMELESS
        return ScannedPage(number, _NAMELESS, draft=draft)
    finally:
        page.close()


def _why_scanned(text: TextLayer, ink: Ink, width: float, height: float) -> str:
    """Why a page has to be read from its picture: no text layer, or none to be trusted. Empty if it has not."""
    if text.chars == 0:
        return "no text layer" if ink.rasters or ink.drawings else ""
    if text.unknown > 0.5 * text.chars:
        return _NAMELESS
    covered = sum((one.box[2] - one.box[0]) * (one.box[3] - one.box[1]) for one in ink.rasters)
    if covered < _COVERED * width * height:
        return _HIDDEN if text.hidden > 0.8 * text.chars else ""
    # Letters that are seen on top of the picture make it a background; hidden ones, or ones that it
    # covers, were guessed from it and are often wrong.
    largest = max(ink.rasters, key=lambda one: (one.box[2] - one.box[0]) * (one.box[3] - one.box[1]))
    visible = text.chars - text.hidden
    if visible < _FEW or text.hidden > visible or largest.order > ink.last_text:
        return _HIDDEN
    return "only a stamp in letters" if _is_stamp(text, height) else ""


def _is_stamp(text: TextLayer, height: float) -> bool:
    """Whether the letters over a picture are a few lines at the edge of the page, as libraries put them there."""
    edge = _EDGE * height
    inner = {round(run.base / 4) for run in text.runs if not run.turned and edge < run.base < height - edge}
    return len(inner) < _LINES
