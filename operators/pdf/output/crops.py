"""Page crops for evidence: the parts of the printed pages on which a row's question, or text in no row, stands."""

from __future__ import annotations

import hashlib
import logging
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pypdfium2 as pdfium
from PIL import Image

from dataflow_ext import parallel
from dataflow_ext.boxes import union
from dataflow_ext.errors import PieceError
from dataflow_ext.files import RUN_FOLDER, atomic
from dataflow_ext.fingerprint.content import file_hash
from dataflow_ext.identity import ROW_ID
from dataflow_ext.tables import records
from operators.pdf.output.checks import UNREAD, rows_to_check
from operators.pdf.parser.files import PDFIUM_LOCK
from operators.pdf.parser.ink import move_huge_pictures_away
from operators.pdf.parser.pages import pdf_limits
from operators.pdf.parser.runs import Box

logger = logging.getLogger(__name__)

#: Where the crops stand below a run's folder.
FOLDER = Path(RUN_FOLDER, "crops")
#: Rows that get crops, if not told otherwise: some 240 pages of a textbook, 5 s on a quiet core, 15 MB.
LIMIT = 1_000
#: Dots per inch of a page, and the most pixels that a page may have: larger ones are rendered coarser.
DPI = 110
MAX_PIXELS = 8_000_000

#: Space around the boxes, across and down, in thousandths of the page; below pictures more, for captions.
_MARGIN = (22.0, 10.0)
_CAPTION = 22.0
_QUALITY = 82
_COLUMNS = [ROW_ID, "document", "evidence"]
_OURS = re.compile(r"p\d{4,}-[0-9a-f]{20}\.jpg")
_LISTS = re.compile(r"[_\-. ]*(?:content_list(?:_v2)?|structured_content)$")


@dataclass(slots=True)
class Crop:
    """A part of a page: the file and page (from 0) it shows, its path below ``out``, its size in pixels.

    ``box`` is where it lies on the page, in thousandths.
    """

    file: int
    page: int
    path: str
    width: int
    height: int
    box: Box = (0.0, 0.0, 1000.0, 1000.0)


@dataclass(slots=True)
class Crops:
    """Crops by row id, and by the place of a block that is in no row; how many rows went without for the limit's sake.

    ``problems`` tells of files that could not be shown.
    """

    by_row: dict[str, list[Crop]] = field(default_factory=dict)
    outside: dict[int, list[Crop]] = field(default_factory=dict)
    limit: int = LIMIT
    left_out: int = 0
    problems: list[str] = field(default_factory=list)


def page_crops(
    table: pa.Table,
    inputs: Mapping[str, Sequence[Path]],
    out: Path,
    *,
    outside: Sequence[Mapping[str, Any]] = (),
    limit: int = LIMIT,
) -> Crops:
    """A JPEG below ``out`` for each page of a row's question, cut to its boxes, and for each unread block.

    ``inputs`` gives the input files of each document in the order in which ``evidence.file`` counts them.
    A content list is shown by the PDF beside it (:func:`page_file`); without one its rows have no crops. ``outside``
    are the blocks in no row: ``kind``, ``page``, ``box``, ``file`` and ``document``, of which the last two may be left
    out where there is but one. So many rows have crops as ``limit`` says, those to check before the others, and so many
    blocks. Every page is rendered once and let go. Names tell the content: a crop that is there is not made again, and
    crops of earlier runs that no row needs are removed.
    """
    crops = Crops(limit=limit)
    pdfs = {document: [page_file(Path(p)) for p in paths] for document, paths in inputs.items()}
    wanted: dict[Path, dict[int, list[_Want]]] = {}
    for want in (*_rows_wanted(table, pdfs, crops), *_blocks_wanted(outside, pdfs, limit)):
        wanted.setdefault(want.pdf, {}).setdefault(want.page, []).append(want)
    folder = Path(out) / FOLDER
    sheets = [_Sheet(pdf, file_hash(pdf), pages, folder) for pdf, pages in wanted.items()]
    names: set[str] = set()
    for sheet, cut in zip(sheets, _cut_out(sheets), strict=True):
        if isinstance(cut, PieceError):
            crops.problems.append(str(cut.about(sheet.pdf.name)))
            continue
        crops.problems += cut.problems
        names |= cut.names
        for owner, crop in cut.crops:
            if isinstance(owner, str):
                crops.by_row.setdefault(owner, []).append(crop)
            else:
                crops.outside.setdefault(owner, []).append(crop)
    _remove_others(folder, names)
    for found in crops.by_row.values():
        found.sort(key=lambda crop: (crop.file, crop.page))
    return crops


def page_file(path: Path) -> Path | None:
    """The PDF that shows an input's pages: itself, or the one of a content list, or None.

    That is ``NAME_origin.pdf`` or ``NAME.pdf`` beside ``NAME_content_list.json``, or ``NAME.pdf`` one or two folders
    above it, as parsers put ``NAME/auto/NAME_content_list.json`` beside a book.

    >>> page_file(Path("book.pdf"))
    PosixPath('book.pdf')
    >>> page_file(Path("nowhere/book_content_list.json"))
    """
    if path.suffix.lower() == ".pdf":
        return path
    # A list without a name of its own has its folder's.
    name = _LISTS.sub("", path.stem) or path.parent.name
    beside = [path.with_name(f"{name}_origin.pdf")]
    candidates = beside + [folder / f"{name}.pdf" for folder in list(path.parents)[:3]] if name else []
    return next((c for c in candidates if c.is_file()), None)


@dataclass(slots=True)
class _Want:
    """A box of a page of a PDF, in thousandths, for a row by its id or for a block by its place."""

    owner: str | int
    pdf: Path
    file: int
    page: int
    box: Box


def _rows_wanted(table: pa.Table, pdfs: Mapping[str, Sequence[Path | None]], crops: Crops) -> Iterator[_Want]:
    """What to cut out for rows; rows beyond the limit are counted, not cut."""
    places = {row for rows in rows_to_check(table).values() for row in rows}
    found: dict[bool, list[list[_Want]]] = {True: [], False: []}
    for place, row in enumerate(records(table.select(_COLUMNS))):
        files = pdfs.get(row["document"], [])
        wants = [
            _Want(row[ROW_ID], pdf, file, page, box)
            for (file, page), box in _unions(row["evidence"] or ())
            if 0 <= file < len(files) and (pdf := files[file]) is not None
        ]
        if wants:
            found[place in places].append(wants)
    first = [*found[True], *found[False]]
    crops.left_out = max(0, len(first) - crops.limit)
    return chain.from_iterable(first[: crops.limit])


def _blocks_wanted(
    blocks: Sequence[Mapping[str, Any]], pdfs: Mapping[str, Sequence[Path | None]], limit: int
) -> Iterator[_Want]:
    """What to cut out for blocks that are in no row and were not read, so many as the limit says."""
    only = next(iter(pdfs)) if len(pdfs) == 1 else None
    wants = 0
    for place, block in enumerate(blocks):
        files, file = pdfs.get(block.get("document") or only or "", []), block.get("file") or 0
        pdf = files[file] if 0 <= file < len(files) else None
        if pdf is None or wants >= limit or block["kind"] != UNREAD or not block.get("box"):
            continue
        if not all(map(math.isfinite, block["box"])):
            continue
        box = _with_margin([tuple(block["box"])])
        if box is not None:
            wants += 1
            yield _Want(place, pdf, file, block["page"], box)


def _unions(evidence: Iterable[Mapping[str, Any]]) -> Iterator[tuple[tuple[int, int], Box]]:
    """For each page of the question the smallest box around its blocks, with a margin, inside the page."""
    pages: dict[tuple[int, int], list[Box]] = defaultdict(list)
    for e in evidence:
        if e["role"] == "question" and e["box"] is not None and all(map(math.isfinite, e["box"])):
            x0, y0, x1, y1 = e["box"]
            pages[e["file"], e["page"]].append((x0, y0, x1, y1 + (_CAPTION if e["image"] else 0.0)))
    for place, boxes in pages.items():
        if (box := _with_margin(boxes)) is not None:
            yield place, box


def _with_margin(boxes: Sequence[Box]) -> Box | None:
    """The smallest box around these with a margin, inside the page; None if nothing of it is there."""
    wide, high = _MARGIN
    x0, y0, x1, y1 = union(boxes)
    box = (max(x0 - wide, 0.0), max(y0 - high, 0.0), min(x1 + wide, 1000.0), min(y1 + high, 1000.0))
    return box if box[2] - box[0] >= 1 and box[3] - box[1] >= 1 else None


@dataclass(frozen=True, slots=True)
class _Sheet:
    """What to cut out of a file of this content, by page, and the folder for it."""

    pdf: Path
    content: str
    pages: Mapping[int, Sequence[_Want]]
    folder: Path


@dataclass(slots=True)
class _Cut:
    """The crops of a file by what they are for, all their names, and what could not be cut out."""

    crops: list[tuple[str | int, Crop]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)


def _cut_out(sheets: Sequence[_Sheet]) -> Iterator[_Cut | PieceError]:
    """The crops of each file; files are not opened in this process."""
    if not sheets:
        return iter(())
    return parallel.guarded(_crop_file, sheets, lambda sheet: pdf_limits(len(sheet.pages)))


def _crop_file(sheet: _Sheet) -> _Cut:
    """Cut out what is wanted of one file."""
    cut = _Cut()
    try:
        with PDFIUM_LOCK, pdfium.PdfDocument(sheet.pdf) as document:
            _crop_pages(document, sheet, cut)
    except (pdfium.PdfiumError, OSError) as error:
        cut.problems.append(f"{sheet.pdf.name}: {error}")
    return cut


def _crop_pages(document: pdfium.PdfDocument, sheet: _Sheet, cut: _Cut) -> None:
    count = len(document)
    for number in sorted(sheet.pages):
        if not 0 <= number < count:
            cut.problems.append(f"{sheet.pdf.name} has {count} pages, not a page {number + 1}")
            continue
        wants = sheet.pages[number]
        targets = {_name(sheet.content, number, want.box): want.box for want in wants}
        sizes = _crop_page(document, number, {sheet.folder / n: box for n, box in targets.items()})
        for want in wants:
            name = _name(sheet.content, number, want.box)
            path = (FOLDER / name).as_posix()
            cut.crops.append((want.owner, Crop(want.file, number, path, *sizes[sheet.folder / name], want.box)))
        cut.names |= targets.keys()


def _name(content: str, page: int, box: Box) -> str:
    key = hashlib.sha256(f"{content} {page} {box} {DPI} {MAX_PIXELS} {_QUALITY}".encode()).hexdigest()
    return f"p{page + 1:04d}-{key[:20]}.jpg"


def _crop_page(document: pdfium.PdfDocument, number: int, targets: Mapping[Path, Box]) -> dict[Path, tuple[int, int]]:
    """Save these parts of a page, given in thousandths; their sizes. Rendered only if one is not there."""
    sizes = {path: size for path in targets if (size := _size(path)) is not None}
    if len(sizes) == len(targets):
        return sizes
    picture = _render(document, number)
    wide, high = picture.size
    for path, (x0, y0, x1, y1) in targets.items():
        edges = (int(x0 * wide / 1000), int(y0 * high / 1000))
        ends = (max(math.ceil(x1 * wide / 1000), edges[0] + 1), max(math.ceil(y1 * high / 1000), edges[1] + 1))
        part = picture.crop((*edges, min(ends[0], wide), min(ends[1], high)))
        _save(part, path)
        sizes[path] = part.size
    return sizes


def _size(path: Path) -> tuple[int, int] | None:
    if not path.is_file():
        return None
    try:
        with Image.open(path, formats=["JPEG"]) as picture:
            return picture.size
    except OSError:  # not a picture any more: made again
        return None


def _render(document: pdfium.PdfDocument, number: int) -> Image.Image:
    page = document[number]
    try:
        move_huge_pictures_away(page)
        width, height = page.get_size()
        scale = min(DPI / 72, math.sqrt(MAX_PIXELS / max(width * height, 1.0)))
        bitmap = page.render(scale=scale)
        try:
            return Image.Image.convert(bitmap.to_pil(), "RGB")
        finally:
            bitmap.close()
    finally:
        page.close()


def _save(picture: Image.Image, path: Path) -> None:
    with atomic(path) as partial:
        picture.save(partial, "JPEG", quality=_QUALITY, optimize=True)


def _remove_others(folder: Path, names: set[str]) -> None:
    if folder.is_dir() and not folder.is_symlink():
        for path in folder.iterdir():
            if _OURS.fullmatch(path.name) and path.name not in names:
                path.unlink(missing_ok=True)
