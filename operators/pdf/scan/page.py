"""A scanned page becomes a draft, as a page with a text layer does: OCR, figures by residual ink, runs."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from dataflow_ext import parallel
from dataflow_ext.errors import DataflowError, InputError, OptionError, PieceError
from dataflow_ext.ocr import OCREngine, OCRLine, read_pictures
from dataflow_ext.parallel import Limits
from operators.pdf.parser.captions import bind_captions
from operators.pdf.parser.figures import body_size
from operators.pdf.parser.files import open_pdf
from operators.pdf.parser.formulas import stack_fractions
from operators.pdf.parser.limits import pdf_limits
from operators.pdf.parser.names import GAP_IN_WORD, name_letters
from operators.pdf.parser.page_frame import page_frame
from operators.pdf.parser.pages import PageDraft, ScannedPage
from operators.pdf.parser.runs import Run
from operators.pdf.parser.textlayer import read_text
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
        if job.page.draft is not None:
            return _named(job.page.draft, picture, job.engine)
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
        lost = PageDraft(number, source="unread", why=why, passing=passing)
        return lost if passing else job.page.draft or lost


def _open(place: tuple[Path, ScannedPage, float]) -> tuple[PagePicture, list[Run]]:
    """The page's picture at so many dots an inch, and its hidden text layer on the straight page."""
    from operators.pdf.scan.picture import take_picture

    path, scanned, dpi = place
    with open_pdf(path) as document:
        page = document[scanned.number]
        try:
            frame = page_frame(page)
            layer = read_text(page, frame).runs if scanned.layer else []
            picture = take_picture(page, dpi, angle=None if scanned.draft is None else 0.0)
        finally:
            page.close()
    if picture.angle:
        for run in layer:
            x0, _, x1, bottom = straight(run.box, frame.width, frame.height, picture.angle)
            run.x0, run.x1, run.base = x0, x1, bottom - 0.2 * run.size
    return picture, [run for run in layer if not run.turned and run.text.strip()]


def _named(draft: PageDraft, picture: PagePicture, engine: OCREngine) -> PageDraft:
    """The page with the letters that have no names as they are read from its picture, line by line or on the whole."""
    gaps = [run for run in draft.runs if GAP_IN_WORD.search(run.text)]
    for run, lines in zip(gaps, read_pictures(engine, [_line(picture, run) for run in gaps]), strict=True):
        run.text = name_letters(run.text, _in_order(lines))
    gaps = [run for run in gaps if GAP_IN_WORD.search(run.text)]
    whole = read_pictures(engine, [picture.pixels])[0] if gaps else []
    for run in gaps:
        x0, y0, x1, y1 = _pixels(run, picture.scale)
        edge = 0.5 * (y1 - y0)
        inside = [
            line for line in whole if y0 < line.middle < y1 and x0 - edge < line.box[0] and line.box[2] < x1 + edge
        ]
        run.text = name_letters(run.text, _in_order(inside))
    if not any(GAP_IN_WORD.search(run.text) for run in gaps):
        draft.why += ", read by OCR"
    return draft


def _in_order(lines: Sequence[OCRLine]) -> str:
    return " ".join(line.text for line in sorted(lines, key=lambda line: line.box[0]))


def _line(picture: PagePicture, run: Run) -> NDArray[np.uint8]:
    """The picture of a run, with paper around it."""
    margin = int(0.4 * run.size * picture.scale)
    x0, y0, x1, y1 = map(round, _pixels(run, picture.scale))
    cut = picture.pixels[max(y0 - margin // 2, 0) : y1 + margin // 2, max(x0, 0) : x1]
    return np.asarray(cv2.copyMakeBorder(cut, margin, margin, margin, margin, cv2.BORDER_REPLICATE), np.uint8)


def _draft(job: ScanJob, picture: PagePicture, lines: list[OCRLine], layer: list[Run] | None) -> PageDraft:
    residue = find_residue(picture, lines)
    if job.overlays is not None:
        _keep_overlay(picture, lines, residue, job)
    kept = [number for number in range(len(lines)) if number not in residue.inside]
    if layer is None:
        from operators.pdf.scan.rest import read_rest
        from operators.pdf.scan.strokes import add_stops, find_stops

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


#: No page is taken to be tilted by more than this, in degrees.
MAX_ANGLE = 5.0

#: The width or height, whichever is smaller, of the reduced picture that is looked at.
_REDUCED = 850
_COARSE = 0.25
#: Fewer marks of the size of letters than this are no lines of text.
_MIN_MARKS = 30
#: How much sharper than at other angles the lines of a page of text stand out.
_SHARPER = 1.5
_KERNEL = np.convolve(np.ones(4), np.ones(3)) / 12


def find_skew(pixels: NDArray[np.uint8]) -> float:
    """The angle in degrees by which a page (height x width x 3) must be turned counter-clockwise to be straight.

    Between -5 and 5, right to about 0.05; 0 if the page shows no lines of text.
    """
    ys, xs = _letters(_reduced(pixels))
    if not len(ys):
        return 0.0
    angles = np.arange(-MAX_ANGLE, MAX_ANGLE + _COARSE / 2, _COARSE)
    scores = np.array([_sharpness(ys, xs, angle) for angle in angles])
    best = int(scores.argmax())
    if scores[best] < _SHARPER * float(np.median(scores)):
        return 0.0
    angle, step = float(angles[best]), _COARSE
    while step > 0.03:
        step /= 2
        angle = max((angle - step, angle, angle + step), key=lambda one: _sharpness(ys, xs, one))
    return angle


def _reduced(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    factor = min(1.0, _REDUCED / min(grey.shape))
    if factor == 1.0:
        return np.asarray(grey, np.uint8)
    return np.asarray(cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)


def _letters(grey: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The places (y, x) of the dark pixels that belong to marks as large as letters; none if these are few."""
    # Against the paper around it, so that shadows and grey boxes are no ink.
    ink = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 31, 25)
    count, marks, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    largest = 0.045 * max(grey.shape)
    wide, high = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
    kept = (high >= 4) & (high <= largest) & (wide <= 8 * largest) & (stats[:, cv2.CC_STAT_AREA] >= 8)
    kept[0] = False
    nothing = np.zeros(0, np.float32)
    if int(kept[:count].sum()) < _MIN_MARKS:
        return nothing, nothing
    ys, xs = np.nonzero(kept[marks])
    return ys.astype(np.float32), xs.astype(np.float32)


def _sharpness(ys: NDArray[np.float32], xs: NDArray[np.float32], angle: float) -> float:
    """How sharply rows of ink are parted from white ones once the page is turned by this angle."""
    # Turned counter-clockwise, what lies to the right comes up.
    rows = ys - xs * np.float32(np.tan(np.radians(angle)))
    profile = np.bincount(((rows - rows.min()) * 3).astype(np.int32)).astype(np.float64)
    # In thirds of a pixel, and smoothed: whole rows of pixels would make 0 sharper than the angle next to it.
    profile = np.convolve(profile, _KERNEL)
    return float(np.square(np.diff(profile)).sum())
