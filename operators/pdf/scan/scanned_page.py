"""A scanned page becomes a draft, as a page with a text layer does: OCR, figures by residual ink, runs.

A hidden text layer is taken if OCR of a few strips of the page bears it out.
"""

from __future__ import annotations

import hashlib
import logging
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from dataflow_ext import parallel
from dataflow_ext.errors import DataflowError, InputError, OptionError, PieceError
from dataflow_ext.files import atomic
from dataflow_ext.ocr import OCREngine, OCRLine, read_pictures
from dataflow_ext.parallel import Limits
from operators.pdf.numbering.labels import item_label
from operators.pdf.parser.boxes import scaled, widened
from operators.pdf.parser.captions import bind_captions
from operators.pdf.parser.files import open_pdf, page_frame
from operators.pdf.parser.formula_pictures import stack_fractions
from operators.pdf.parser.letter_repairs import GAP_IN_WORD, name_letters
from operators.pdf.parser.pages import PageDraft, ScannedPage, pdf_limits
from operators.pdf.parser.runs import Run, body_size
from operators.pdf.parser.survey import read_text
from operators.pdf.scan.ocr_runs import runs_of
from operators.pdf.scan.picture import PagePicture, straight, take_picture
from operators.pdf.scan.residue import Residue, find_residue
from operators.pdf.scan.rest import read_rest
from operators.pdf.scan.strokes import add_stops, find_stops

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
            lines = [OCRLine(r.text, 1.0, scaled(r.box, picture.scale)) for r in layer]
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
        x0, y0, x1, y1 = scaled(run.box, picture.scale)
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
    x0, y0, x1, y1 = map(round, scaled(run.box, picture.scale))
    cut = picture.pixels[max(y0 - margin // 2, 0) : y1 + margin // 2, max(x0, 0) : x1]
    return np.asarray(cv2.copyMakeBorder(cut, margin, margin, margin, margin, cv2.BORDER_REPLICATE), np.uint8)


def _draft(job: ScanJob, picture: PagePicture, lines: list[OCRLine], layer: list[Run] | None) -> PageDraft:
    residue = find_residue(picture, lines)
    if job.overlays is not None:
        _keep_overlay(picture, lines, residue, job)
    kept = [number for number in range(len(lines)) if number not in residue.inside]
    if layer is None:
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


#: How much of the sample the layer has to say in the same letters.
_ALIKE = 0.94
#: Strips of the page that are read, and the lines of text in each.
_STRIPS = 3
_ROWS = 4
#: Fewer letters than this prove nothing.
_ENOUGH = 40
_POINT = re.compile(r"^(\d{1,3})\s*[.、]\s*")


def layer_agrees(picture: PagePicture, runs: Sequence[Run], engine: OCREngine) -> bool:
    """Whether a sample of OCR lines bears out a text layer; ``runs`` are the layer's, in points of the picture.

    Nearly all letters of the sample have to be the same, and the label of every item in it.
    """
    scale = picture.scale
    strips = _strips([run for run in runs if run.top >= 0 and run.bottom * scale <= picture.pixels.shape[0]])
    cuts = [picture.pixels[int(top * scale) : int(bottom * scale) + 1] for top, bottom in strips]
    if not cuts:
        return False
    same = letters = 0.0
    for (top, _), lines in zip(strips, read_pictures(engine, cuts), strict=True):
        for line in lines:
            seen = _plain(line.text)
            said = _words_at(runs, line, top, scale)
            told = _plain(said)
            letters += max(len(seen), len(told))
            same += SequenceMatcher(None, seen, told, autojunk=False).ratio() * max(len(seen), len(told))
            if not _labels_agree(line.text, said, _words_at(runs, line, top, scale, onwards=True)):
                return False
    return letters >= _ENOUGH and same >= _ALIKE * letters


def _strips(runs: Sequence[Run]) -> list[tuple[float, float]]:
    """Upper and lower edges, in points, of a few stretches of whole lines spread over the page."""
    rows: list[tuple[float, float]] = []
    for run in sorted(runs, key=lambda run: run.top):
        if rows and run.top < rows[-1][1]:
            rows[-1] = (rows[-1][0], max(rows[-1][1], run.bottom))
        else:
            rows.append((run.top, run.bottom))
    if len(rows) <= _STRIPS * _ROWS:
        groups = [rows] if rows else []
    else:
        starts = [round(n * (len(rows) - _ROWS) / (_STRIPS - 1)) for n in range(_STRIPS)]
        groups = [rows[start : start + _ROWS] for start in starts]
    edge = 2.0
    return [(max(0.0, group[0][0] - edge), group[-1][1] + edge) for group in groups]


def _words_at(runs: Sequence[Run], line: OCRLine, top: float, scale: float, onwards: bool = False) -> str:
    """What the layer says where OCR saw a line, or from there ``onwards``; letters stand evenly in their run."""
    x0, y0, x1, y1 = (side / scale for side in line.box)
    if onwards:
        x1 = float("inf")
    middle = (top + y0 + top + y1) / 2
    words = []
    for run in sorted((run for run in runs if run.top <= middle <= run.bottom), key=lambda run: run.x0):
        step = (run.x1 - run.x0) / max(len(run.text), 1)
        words.append("".join(c for n, c in enumerate(run.text) if x0 - 1 <= run.x0 + (n + 0.5) * step <= x1 + 1))
    return "".join(words)


def _plain(text: str) -> str:
    """Letters and digits only: signs are what text layers and OCR write in many ways."""
    return "".join(char for char in unicodedata.normalize("NFKC", text) if char.isalnum())


def _labels_agree(seen: str, said: str, onwards: str) -> bool:
    """Whether OCR and layer open the same item, or neither opens one; ``onwards`` goes on behind the line.

    A line that OCR ends behind a label may lack the label's point in the layer's letters, which do not stand
    quite evenly: then what follows tells.
    """
    label = _label(seen)
    return _label(said) == label or (label is not None and _label(onwards) == label)


def _label(text: str) -> str | None:
    # Whether a blank stands behind the point, "4. 3" or "4.3", is a matter of measure: neither has lost its number.
    plain = _POINT.sub(r"\1. ", unicodedata.normalize("NFKC", text).strip())
    found = item_label(plain)
    return None if found is None else found.label


_TEXT = (70, 130, 220)
_INSIDE = (150, 90, 200)
_RULE = (0, 160, 160)
_KINDS = {"table": (20, 150, 40)}
_FIGURE = (220, 40, 40)


def overlay(picture: PagePicture, lines: Sequence[OCRLine], residue: Residue, path: Path) -> None:
    """Write a PNG of the page: lines of text blue, lines inside figures violet, figures red, tables green,
    rules turquoise."""
    image = Image.fromarray(picture.pixels)
    pen = ImageDraw.Draw(image)
    thick = max(round(picture.scale), 1)
    for index, line in enumerate(lines):
        pen.rectangle(line.box, outline=_INSIDE if index in residue.inside else _TEXT, width=thick)
    for rule in residue.rules:
        pen.rectangle(scaled(rule, picture.scale), outline=_RULE, width=thick)
    for figure in residue.figures:
        # Around the box, so that what it cuts off can be seen.
        around = widened(scaled(figure.box, picture.scale), thick)
        pen.rectangle(around, outline=_KINDS.get(figure.kind, _FIGURE), width=thick)
    with atomic(path) as partial:
        image.save(partial, "PNG")
