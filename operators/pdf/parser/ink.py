"""The drawn things of one PDF page: vector paths and raster pictures, with their places."""

from __future__ import annotations

import ctypes
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from operators.pdf.parser.files import Frame
from operators.pdf.parser.runs import Box

#: A page with more objects than this is read up to here: a map with a million strokes must not stall a run.
MAX_OBJECTS = 8_000
#: Pictures with more pixels than this are left blank: decoding them could exhaust the memory.
MAX_SOURCE_PIXELS = 120_000_000
_MAX_SEGMENTS = 60_000
_MAX_DEPTH = 6
_WHITE = 250
#: Lines and filled bars thinner than this are rules.
_THIN = 2.6
_SLOPE = 0.6
#: So far, in points, a straight line rises and runs that is a diagram's.
_RISE = 12.0
_DIGEST_BYTES = 1 << 22

_Matrix = tuple[float, float, float, float, float, float]
_IDENTITY: _Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(slots=True)
class Drawing:
    """One path: its rectangle, its level and upright edges, and whether it has any other strokes."""

    box: Box
    edges: list[Box] = field(default_factory=list)
    slanted: bool = False
    filled: bool = False
    #: Whether one of its straight lines rises over more than a letter or two: no frame's does.
    oblique: bool = False

    @property
    def level_rule(self) -> bool:
        """A horizontal line, or a bar so thin that it serves as one."""
        x0, y0, x1, y1 = self.box
        return y1 - y0 <= _THIN and x1 - x0 > 2 * (y1 - y0)

    @property
    def bar(self) -> float | None:
        """Where the level edge at its top that reaches to its right end begins, as that of a drawn root does."""
        x0, y0, x1, _ = self.box
        starts = [edge[0] for edge in self.edges if abs(edge[1] - y0) < _SLOPE and edge[3] - edge[1] < _SLOPE]
        ends = [edge[2] for edge in self.edges if abs(edge[1] - y0) < _SLOPE and edge[3] - edge[1] < _SLOPE]
        return min(starts) if starts and x0 < min(starts) and max(ends) > x1 - 1 else None

    @property
    def upright_rule(self) -> bool:
        """A vertical line, or a bar so thin that it serves as one."""
        x0, y0, x1, y1 = self.box
        return x1 - x0 <= _THIN and y1 - y0 > 2 * (x1 - x0)


@dataclass(slots=True)
class Raster:
    """One raster picture: its rectangle, its number of pixels, a fingerprint, its index in drawing order."""

    box: Box
    pixels: int
    digest: int
    order: int


@dataclass(slots=True)
class Ink:
    """All drawings and rasters of a page, and the drawing order of its first and last text object."""

    drawings: list[Drawing]
    rasters: list[Raster]
    last_text: int = -1


def read_ink(page: pdfium.PdfPage, frame: Frame) -> Ink:
    """The drawn things of one open page; the caller holds the pdfium lock."""
    ink = Ink([], [])
    budget = _MAX_SEGMENTS
    for order, (obj, kind, matrix) in enumerate(page_objects(page)):
        if order >= MAX_OBJECTS:
            break
        if kind == raw.FPDF_PAGEOBJ_TEXT:
            ink.last_text = order
            continue
        box = _clipped(_bounds(obj, matrix, frame), frame)
        if box is None:
            continue
        if kind == raw.FPDF_PAGEOBJ_IMAGE:
            box = _clipped(box, frame, clip_box(obj, frame, matrix))
            if box is not None:
                ink.rasters.append(_raster(obj, box, order))
        elif (look := _look(obj)) is not None:
            if box[2] >= frame.width:  # browsers draw the bar of a root far beyond the page and cut it off
                box = _clipped(box, frame, clip_box(obj, frame, matrix)) or box
            drawing = Drawing(box, filled=look == "fill")
            budget -= _trace(obj, matrix, frame, drawing, budget)
            ink.drawings.append(drawing)
    return ink


def page_objects(page: pdfium.PdfPage) -> Iterator[tuple[Any, int, _Matrix]]:
    """Paths, pictures and texts in drawing order, forms opened, each with its form's matrix."""
    handle = page.raw

    def children(holder: Any, count: int, get: Any, matrix: _Matrix, depth: int) -> Iterator[Any]:
        for index in range(count):
            obj = get(holder, index)
            if not obj:
                continue
            kind = raw.FPDFPageObj_GetType(obj)
            if kind == raw.FPDF_PAGEOBJ_FORM:
                if depth < _MAX_DEPTH:
                    inner = _multiply(_matrix(obj), matrix)
                    size = raw.FPDFFormObj_CountObjects(obj)
                    yield from children(obj, size, raw.FPDFFormObj_GetObject, inner, depth + 1)
            elif kind in (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_TEXT):
                yield obj, kind, matrix

    count = raw.FPDFPage_CountObjects(handle)
    yield from children(handle, count, raw.FPDFPage_GetObject, _IDENTITY, 0)


def _matrix(obj: Any) -> _Matrix:
    found = raw.FS_MATRIX()
    if not raw.FPDFPageObj_GetMatrix(obj, ctypes.byref(found)):
        return _IDENTITY
    return (found.a, found.b, found.c, found.d, found.e, found.f)


def _multiply(first: _Matrix, then: _Matrix) -> _Matrix:
    a, b, c, d, e, f = first
    g, h, i, j, k, m = then
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def _apply(matrix: _Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _bounds(obj: Any, matrix: _Matrix, frame: Frame) -> Box | None:
    sides = [ctypes.c_float() for _ in range(4)]
    if not raw.FPDFPageObj_GetBounds(obj, *(ctypes.byref(side) for side in sides)):
        return None
    left, bottom, right, top = (side.value for side in sides)
    if matrix is _IDENTITY:
        return frame.box(left, bottom, right, top)
    corners = [_apply(matrix, x, y) for x in (left, right) for y in (bottom, top)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return frame.box(min(xs), min(ys), max(xs), max(ys))


def _clipped(box: Box | None, frame: Frame, clip: Box | None = None) -> Box | None:
    """The part of a rectangle on the page (and in the clip); None if there is none."""
    if box is None:
        return None
    left, top, right, bottom = clip or (0.0, 0.0, frame.width, frame.height)
    x0, y0 = max(box[0], left, 0.0), max(box[1], top, 0.0)
    x1, y1 = min(box[2], right, frame.width), min(box[3], bottom, frame.height)
    return (x0, y0, x1, y1) if x0 <= x1 and y0 <= y1 else None


def clip_box(obj: Any, frame: Frame, matrix: _Matrix = _IDENTITY) -> Box | None:
    """The rectangle that all of an object's clip paths leave open; None without a clip."""
    clip = raw.FPDFPageObj_GetClipPath(obj)
    paths = raw.FPDFClipPath_CountPaths(clip) if clip else 0
    found: Box | None = None
    for path in range(max(paths, 0)):
        points = []
        for index in range(min(raw.FPDFClipPath_CountPathSegments(clip, path), 200)):
            segment = raw.FPDFClipPath_GetPathSegment(clip, path, index)
            points.append(frame.point(*_apply(matrix, *_segment_point(segment))))
        if len(points) < 3:
            continue
        xs, ys = [x for x, _ in points], [y for _, y in points]
        box = (min(xs), min(ys), max(xs), max(ys))
        found = box if found is None else overlap(found, box)
    return found


def overlap(one: Box, two: Box) -> Box:
    """What two rectangles share; its sides are crossed if that is nothing."""
    return (max(one[0], two[0]), max(one[1], two[1]), min(one[2], two[2]), min(one[3], two[3]))


def _segment_point(segment: Any) -> tuple[float, float]:
    x, y = ctypes.c_float(), ctypes.c_float()
    raw.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
    return x.value, y.value


def pixel_count(obj: Any) -> int:
    """The number of pixels of a raster picture, as its file states them."""
    wide, high = ctypes.c_uint(), ctypes.c_uint()
    raw.FPDFImageObj_GetImagePixelSize(obj, ctypes.byref(wide), ctypes.byref(high))
    return wide.value * high.value


def _raster(obj: Any, box: Box, order: int) -> Raster:
    pixels = pixel_count(obj)
    length = raw.FPDFImageObj_GetImageDataRaw(obj, None, 0)
    digest = zlib.crc32(b"%d %d" % (pixels, length))
    if 0 < length <= _DIGEST_BYTES:
        buffer = (ctypes.c_ubyte * length)()
        raw.FPDFImageObj_GetImageDataRaw(obj, buffer, length)
        digest = zlib.crc32(bytes(buffer), digest)
    return Raster(box, pixels, digest, order)


def _look(obj: Any) -> str | None:
    """``fill`` or ``stroke``, or None for a path that leaves no mark on white paper."""
    mode, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(obj, ctypes.byref(mode), ctypes.byref(stroke))
    if mode.value and _visible(obj, raw.FPDFPageObj_GetFillColor):
        return "fill"
    return "stroke" if stroke.value and _visible(obj, raw.FPDFPageObj_GetStrokeColor) else None


def _visible(obj: Any, get_color: Any) -> bool:
    parts = [ctypes.c_uint() for _ in range(4)]
    if not get_color(obj, *(ctypes.byref(part) for part in parts)):
        return True
    red, green, blue, alpha = (part.value for part in parts)
    return alpha > 8 and min(red, green, blue) < _WHITE


def _trace(obj: Any, matrix: _Matrix, frame: Frame, drawing: Drawing, budget: int) -> int:
    """Fill in a path's edges and slant; the number of segments that were read."""
    if drawing.level_rule or drawing.upright_rule:
        drawing.edges.append(drawing.box)
        return 1
    count = raw.FPDFPath_CountSegments(obj)
    if count > min(budget, 2_000):
        drawing.slanted = True
        return 0
    whole = _multiply(_matrix(obj), matrix)
    start = here = (0.0, 0.0)
    for index in range(count):
        segment = raw.FPDFPath_GetPathSegment(obj, index)
        kind = raw.FPDFPathSegment_GetType(segment)
        there = frame.point(*_apply(whole, *_segment_point(segment)))
        if kind == raw.FPDF_SEGMENT_MOVETO:
            start = there
        elif kind == raw.FPDF_SEGMENT_BEZIERTO:
            drawing.slanted = True
        else:
            _edge(drawing, here, there)
        here = there
        if raw.FPDFPathSegment_GetClose(segment):
            _edge(drawing, here, start)
            here = start
    return max(int(count), 0)


def _edge(drawing: Drawing, one: tuple[float, float], two: tuple[float, float]) -> None:
    wide, high = abs(one[0] - two[0]), abs(one[1] - two[1])
    if wide < _SLOPE and high < _SLOPE:
        return
    if wide > _SLOPE and high > _SLOPE:
        drawing.slanted = True
        drawing.oblique = drawing.oblique or min(wide, high) > _RISE
    else:
        drawing.edges.append((min(one[0], two[0]), min(one[1], two[1]), max(one[0], two[0]), max(one[1], two[1])))


def move_huge_pictures_away(page: pdfium.PdfPage) -> int:
    """Make pdfium pass over pictures with more than :data:`MAX_SOURCE_PIXELS`; how many there were."""
    found = 0
    for obj, kind, _ in page_objects(page):
        if kind == raw.FPDF_PAGEOBJ_IMAGE and pixel_count(obj) > MAX_SOURCE_PIXELS:
            # Off the page: what lies outside the crop is never decoded. The file itself stays as it is.
            raw.FPDFPageObj_Transform(obj, 1, 0, 0, 1, 1e6, 1e6)
            found += 1
    return found
