"""A scanned page becomes a draft, as a page with a text layer does: OCR, figures by residual ink, runs."""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from dataflow_ext import parallel
from dataflow_ext.errors import DataflowError, InputError, OptionError, PieceError
from dataflow_ext.ocr import OCREngine, OCRLine, read_pictures
from dataflow_ext.parallel import Limits
from operators.pdf.parser.captions import bind_captions
from operators.pdf.parser.drafts import PageDraft, ScannedPage
from operators.pdf.parser.figures import body_size
from operators.pdf.parser.files import open_pdf
from operators.pdf.parser.fractions import stack_fractions
from operators.pdf.parser.limits import pdf_limits
from operators.pdf.parser.runs import Run
from operators.pdf.parser.textlayer import page_frame, read_text
from operators.pdf.scan.cuts import straight
from operators.pdf.scan.layer import layer_agrees
from operators.pdf.scan.residue import Residue, find_residue
from operators.pdf.scan.words import runs_of

if TYPE_CHECKING:
    from operators.pdf.scan.picture import PagePicture

logger = logging.getLogger(__name__)

#: Dots per inch at which figures of scans are cut out: more than most scans have.
_CUT_DPI = 220.0


_SIDEWAYS = (
    "the page lies on its side; turn it upright (qpdf in.pdf out.pdf --rotate=+90:PAGE, or -90 if its text then stands "
    "on its head) and read it again"
)


@dataclass(frozen=True, slots=True)
class ScanJob:
    """One page to be read by OCR; ``overlays`` is a folder for pictures that show what was found on it.

    ``limits`` hold for opening the page.
    """

    path: Path
    page: ScannedPage
    engine: OCREngine
    limits: Limits = field(default_factory=pdf_limits)
    dpi: float = 200.0
    overlays: Path | None = None


def read_scan(job: ScanJob) -> PageDraft:
    """The page's words, rules and figures; a page that cannot be read is ``unread``, with the reason."""
    number = job.page.number
    try:
        [opened] = parallel.guarded(_open, [(job.path, job.page, job.dpi)], job.limits)
        if isinstance(opened, PieceError):
            raise opened
        picture, layer = opened
        if layer and layer_agrees(picture, layer, job.engine):
            lines = [OCRLine(r.text, 1.0, _pixels(r, picture.scale)) for r in layer]
            return _draft(job, picture, lines, layer)
        lines = read_pictures(job.engine, [picture.pixels])[0]
        if _lies_on_its_side(lines):
            return PageDraft(number, source="unread", why=_SIDEWAYS)
        return _draft(job, picture, lines, None)
    except Exception as error:  # whatever an engine raises: the other pages live
        why = str(error) if isinstance(error, DataflowError) else f"{type(error).__name__}: {error}".rstrip(": ")
        passing = error.transient if isinstance(error, PieceError) else not isinstance(error, (InputError, OptionError))
        return PageDraft(number, source="unread", why=why, passing=passing)


def _open(place: tuple[Path, ScannedPage, float]) -> tuple[PagePicture, list[Run]]:
    """The page's picture at so many dots an inch, and its hidden text layer on the straight page."""
    from operators.pdf.scan.picture import take_picture

    path, scanned, dpi = place
    with open_pdf(path) as document:
        page = document[scanned.number]
        try:
            frame = page_frame(page)
            layer = read_text(page, frame).runs if scanned.layer else []
            picture = take_picture(page, dpi)
        finally:
            page.close()
    if picture.angle:
        for run in layer:
            x0, _, x1, bottom = straight(run.box, frame.width, frame.height, picture.angle)
            run.x0, run.x1, run.base = x0, x1, bottom - 0.2 * run.size
    return picture, [run for run in layer if not run.turned and run.text.strip()]


def _draft(job: ScanJob, picture: PagePicture, lines: list[OCRLine], layer: list[Run] | None) -> PageDraft:
    residue = find_residue(picture, lines)
    if job.overlays is not None:
        _keep_overlay(picture, lines, residue, job)
    kept = [number for number in range(len(lines)) if number not in residue.inside]
    if layer is None:
        from operators.pdf.scan.rest import read_rest
        from operators.pdf.scan.stops import add_stops, find_stops

        missed = read_rest(picture, lines, residue.rules, [figure.box for figure in residue.figures], job.engine)
        words = [lines[number] for number in kept]
        runs = runs_of(picture, [*words, *missed], residue.rules)
        add_stops(runs, find_stops(picture, [*words, *missed], residue.rules))
    else:
        runs = [layer[number] for number in kept]
    body = body_size(runs)
    figures, runs = bind_captions(residue.figures, runs, body)
    runs, rules = stack_fractions(runs, residue.rules, body)
    high, wide = picture.pixels.shape[:2]
    return PageDraft(
        job.page.number,
        wide / picture.scale,
        high / picture.scale,
        runs,
        rules,
        figures,
        "ocr" if layer is None else "text_layer",
        job.page.why if layer is None else "hidden text layer, borne out by OCR",
        picture.angle,
        _CUT_DPI,
    )


def _keep_overlay(picture: PagePicture, lines: list[OCRLine], residue: Residue, job: ScanJob) -> None:
    """Write the overlay; one that cannot be written is no reason to lose the page."""
    from operators.pdf.scan.overlay import overlay

    # Two books may have files of one name, and names may be as long as a disk takes.
    place = hashlib.sha256(str(job.path.absolute()).encode("utf-8", "surrogatepass")).hexdigest()[:6]
    name = f"{job.path.stem[:50]}-{place}-p{job.page.number + 1:04d}.png"
    try:
        overlay(picture, lines, residue, Path(str(job.overlays), name))
    except OSError as error:
        logger.warning("No overlay of page %d of %s: %s.", job.page.number + 1, job.path, error.strerror or error)


def _lies_on_its_side(lines: list[OCRLine]) -> bool:
    """Whether most words run from top to bottom."""
    words = [line for line in lines if len(line.text) > 3]
    tall = sum(y1 - y0 > 2 * (x1 - x0) for x0, y0, x1, y1 in (line.box for line in words))
    return len(words) >= 5 and tall > 0.6 * len(words)


def _pixels(run: Run, scale: float) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = run.box
    return (x0 * scale, y0 * scale, x1 * scale, y1 * scale)
