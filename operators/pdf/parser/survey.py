"""A first look at a PDF: pages whose text layer is good, as runs of characters, and those to be read as pictures."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pypdfium2 as pdfium

from operators.pdf.formulas import Formula, Stroke
from operators.pdf.parser.boxes import area
from operators.pdf.parser.figures import find_figures
from operators.pdf.parser.files import Frame, PDFError, open_pdf, page_frame
from operators.pdf.parser.formula_glyphs import place_formulas
from operators.pdf.parser.ink import Ink, read_ink
from operators.pdf.parser.letter_repairs import (
    GAP_IN_WORD,
    forget_codes,
    know_nameless,
    upright,
    with_accents,
    with_names,
)
from operators.pdf.parser.letters import Letter, read_letters
from operators.pdf.parser.pages import OCRMode, PageDraft, ScannedPage, Survey
from operators.pdf.parser.runs import DOLLAR, Box, Run, RunBuilder

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
    covered = sum(area(one.box) for one in ink.rasters)
    if covered < _COVERED * width * height:
        return _HIDDEN if text.hidden > 0.8 * text.chars else ""
    # Letters that are seen on top of the picture make it a background; hidden ones, or ones that it
    # covers, were guessed from it and are often wrong.
    largest = max(ink.rasters, key=lambda one: area(one.box))
    visible = text.chars - text.hidden
    if visible < _FEW or text.hidden > visible or largest.order > ink.last_text:
        return _HIDDEN
    return "only a stamp in letters" if _is_stamp(text, height) else ""


def _is_stamp(text: TextLayer, height: float) -> bool:
    """Whether the letters over a picture are a few lines at the edge of the page, as libraries put them there."""
    edge = _EDGE * height
    inner = {round(run.base / 4) for run in text.runs if not run.turned and edge < run.base < height - edge}
    return len(inner) < _LINES


#: From this many letters on, what most of a page is set in is not heavy.
_PAGEFUL = 200


@dataclass(slots=True)
class TextLayer:
    """The runs of a page in the order of its content stream, with what they say about its worth.

    ``hidden`` counts characters drawn invisibly (as OCR software does), ``unknown`` those without a
    Unicode value, ``chars`` all that are not blank. ``formulas`` were found among the characters, each is
    a run of its own; they hold the rules whose indices are ``used``.
    """

    runs: list[Run]
    chars: int
    hidden: int
    unknown: int
    formulas: list[Formula] = field(default_factory=list)
    used: set[int] = field(default_factory=set)


def read_text(
    page: pdfium.PdfPage,
    frame: Frame,
    walls: Sequence[Box] = (),
    rules: Sequence[Box] = (),
    strokes: Sequence[Stroke] = (),
) -> TextLayer:
    """The text layer of one open page; the caller holds :data:`PDFIUM_LOCK`.

    ``walls`` are upright rules, which part the characters on their two sides (cells of a table), ``rules``
    level ones, which may be bars of formulas, ``strokes`` other drawings, which may be roots and arrows of formulas.
    """
    textpage = page.get_textpage()
    try:
        letters = with_names(textpage.raw, list(read_letters(textpage, frame)))
        forget_codes(textpage.raw, letters)
        read = {letter.drawn for letter in letters}
        letters = upright(with_accents(letters))
        styles = {id(letter.style): letter.style for letter in letters if letter.style is not None}.values()
        know_nameless(textpage.raw, letters, styles)
        layer = TextLayer([], 0, 0, 0)
        taken: dict[int, Run] = {}
        if frame.a == 1 and any(style.family.encoding not in ("", "ITALIC") or not style.named for style in styles):
            layer.formulas, layer.used, taken = place_formulas(
                page, textpage, frame, letters, (rules, walls, strokes), read
            )
        _add_runs(layer, letters, taken, walls)
        return layer
    finally:
        textpage.close()


def _add_runs(layer: TextLayer, letters: Sequence[Letter], taken: Mapping[int, Run], walls: Sequence[Box]) -> None:
    """Put letters together to runs; those at the places ``taken`` have one already."""
    builder = RunBuilder(layer.runs, walls)
    for at, letter in enumerate(letters):
        if letter.style is None:
            builder.blank(typed=letter.typed)
            continue
        layer.chars += 1
        layer.hidden += letter.style.hidden
        if at in taken:
            builder.place(taken[at])
            continue
        if not " " < letter.char < "\ue000":
            layer.unknown += _is_unknown(letter.char)
        char = DOLLAR if taken and letter.char == "$" else letter.char
        builder.add(char, letter.style, letter.x0, letter.x1)
    builder.close()
    _weigh(layer.runs)


def _weigh(runs: Sequence[Run]) -> None:
    """Heavy is what stands out: on a page of heavy letters nothing does."""
    letters = sum(len(run.text) for run in runs)
    if letters >= _PAGEFUL and 2 * sum(len(run.text) for run in runs if run.bold) > letters:
        for run in runs:
            run.bold, run.lead = False, 0


def _is_unknown(char: str) -> bool:
    return char == "\ufffd" or "\ue000" <= char <= "\uf8ff" or char < " "
