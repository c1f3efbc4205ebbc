"""RapidOCR's two models, fed so that they take little time; imported when they are loaded."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import onnxruntime

from dataflow_ext.ocr.engine import OCRLine

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dataflow_ext.ocr.engine import Pixels

    Quad = NDArray[np.float32]
    Rectangle = tuple[Sequence[float], Sequence[float], float]

#: The models in RapidOCR's wheel. They are fed here: its own settings and classes take longer to load than they do.
_DETECTOR, _RECOGNISER = "PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx"

#: A picture whose shorter side is smaller is enlarged to it for the detector, as RapidOCR itself does.
_SHORTER_SIDE = 736

#: The network wants sides that are multiples of this.
_STEP = 32

#: What differs from the ground by fewer of 256 steps of grey is no ink.
_FAINT = 32

#: What is kept around the ink, as a share of the picture's longer side; letters at an edge are found less well.
_MARGIN = 0.02

#: The recogniser reads pieces 48 pixels high, filled up to a width; RapidOCR fills up to 320, which is mostly
#: blank for lone digits, and below 160 letters come out wrong.
_HEIGHT = 48
_LEAST_WIDTH = 160

#: Digits alone are read as well with less around them, in two thirds of the time: of 63 pieces one that was unsure
#: came out otherwise.
_LEAST_OF_DIGITS = 96

#: Pieces are filled up to the next width of a row of widths that grow by this. It depends on nothing but the
#: piece: what is read must not depend on the pieces, or pictures, that it is read with.
_WIDER = 1.12

#: Columns of 48 pixels read at once: the likelihood of 18,710 signs at each eighth of them takes 20 MB.
_MOST_COLUMNS = 2048

#: A piece this much higher than wide is turned by RapidOCR; a lone 1 looks like that, too.
_TALL = 1.5

#: The bars for a pixel and for a box. RapidOCR has 0.3 and 0.5, which loses the digits of stacked fractions in a
#: picture made smaller; what is no text falls to ``min_score`` when it is read.
_PIXEL_BAR = 0.2
_BOX_BAR = 0.35

#: How far a box grows beyond what the detector marks. RapidOCR has 1.6 with its own bars; lower bars mark more.
_GROWTH = 1.4

#: Boxes looked at, their least side before and after they grew, and in the picture.
_MOST, _LEAST, _LEAST_GROWN, _LEAST_SIDE = 1000, 3.0, 5.0, 3

#: Boxes whose upper corners differ by less, in pixels, are of one row.
_ROW = 10


class RapidModels:
    """A detector and a recogniser in this process's memory."""

    def __init__(self, threads: int) -> None:
        spec = find_spec("rapidocr")
        assert spec is not None and spec.origin is not None  # noqa: S101 - the engine looked for it
        models = Path(spec.origin).parent / "models"
        self._detector, self._recogniser = (_session(models / name, threads) for name in (_DETECTOR, _RECOGNISER))
        known = self._recogniser.get_modelmeta().custom_metadata_map["character"].splitlines()
        self._signs = ["", *known, " "]
        values = [unicodedata.decimal(sign, None) if len(sign) == 1 else None for sign in self._signs]
        self._digits = [[place for place, value in enumerate(values) if value == digit] for digit in range(10)]

    def read(
        self, pictures: Sequence[Pixels], detect_side: int, batch: int, min_score: float, least: float
    ) -> list[list[OCRLine]]:
        """The lines of each picture; the pieces of all pictures go to the recogniser together.

        Boxes that are lower than the share ``least`` of the highest one in their picture are not read.
        """
        quads: list[list[Quad]] = []
        crops: list[Pixels] = []
        for pixels in pictures:
            bgr = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), np.uint8)
            quads.append(_high_enough(self._detect(bgr, detect_side), least))
            crops += [_cut_out(bgr, quad) for quad in quads[-1]]
        texts = iter(self._recognise(crops, [_is_tall(quad) for each in quads for quad in each], batch))
        return [_lines(each, texts, min_score) for each in quads]

    def _detect(self, bgr: Pixels, detect_side: int) -> list[Quad]:
        """The corners of each piece of text, clockwise from the top left."""
        left, top, right, bottom = _inked(bgr)
        part = bgr[top:bottom, left:right]
        if not part.size:
            return []
        height, width = bgr.shape[:2]
        scale = min(detect_side / max(height, width), max(1.0, _SHORTER_SIDE / min(height, width)))
        size = [max(_STEP, round(side * scale / _STEP) * _STEP) for side in (right - left, bottom - top)]
        found = self._run(self._detector, _network(part, size)[None])
        back = np.array([(right - left) / size[0], (bottom - top) / size[1]], np.float32)
        return [quad * back + np.array([left, top], np.float32) for quad in text_boxes(found[0, 0], (size[1], size[0]))]

    def _recognise(self, crops: list[Pixels], tall: list[bool], batch: int) -> list[tuple[str, float]]:
        """Text and score of each piece; one that is tall is read both turned and as it stands."""
        again = [index for index, is_tall in enumerate(tall) if is_tall]
        crops = crops + [np.ascontiguousarray(np.rot90(crops[index], -1)) for index in again]
        found: list[tuple[str, float]] = [("", 0.0)] * len(crops)
        for index, text in self._read(crops, batch, _LEAST_WIDTH, self._text):
            found[index] = text
        for index, other in zip(again, found[len(tall) :], strict=True):
            found[index] = max(found[index], other, key=lambda each: each[1])
        return found[: len(tall)]

    def digits(self, pieces: Sequence[Pixels], batch: int) -> list[tuple[str, float]]:
        """The digits of each piece (RGB), as if there were no other signs, and how likely the least likely one is."""
        crops = [np.ascontiguousarray(piece[:, :, ::-1]) for piece in pieces]
        found = dict(self._read(crops, batch, _LEAST_OF_DIGITS, self._number))
        return [found[index] for index in range(len(pieces))]

    def _read(
        self,
        crops: Sequence[Pixels],
        batch: int,
        least: int,
        told: Callable[[NDArray[np.float32]], tuple[str, float]],
    ) -> Iterator[tuple[int, tuple[str, float]]]:
        """What ``told`` makes of each piece's likelihoods, places x signs, with the piece's index."""
        for width, group in _groups([_filled(crop, least) for crop in crops], batch):
            pieces = np.zeros((len(group), 3, _HEIGHT, width), np.float32)
            for place, index in enumerate(group):
                crop = crops[index]
                wide = min(width, math.ceil(_HEIGHT * crop.shape[1] / crop.shape[0]))
                pieces[place, :, :, :wide] = _network(crop, (wide, _HEIGHT))
            # Likelihoods have no name here, as one would keep them in memory while the next ones are made.
            yield from zip(group, map(told, self._run(self._recogniser, pieces)), strict=True)

    @staticmethod
    def _run(model: onnxruntime.InferenceSession, pictures: NDArray[np.float32]) -> NDArray[np.float32]:
        [made] = model.run(None, {model.get_inputs()[0].name: pictures})
        return np.asarray(made, np.float32)

    def _number(self, likely: NDArray[np.float32]) -> tuple[str, float]:
        """The digits of a piece as if there were no other signs, and how likely the least likely one is."""
        chances = np.stack([likely[:, places].sum(axis=1) for places in ([0], *self._digits)], axis=1)
        signs, new = _signs(chances)
        if not new.size:
            return "", 0.0
        return "".join(str(sign - 1) for sign in signs), round(float(chances[new, signs].min()), 4)

    def _text(self, likely: NDArray[np.float32]) -> tuple[str, float]:
        """The text of a piece, places x signs, and its score: the likeliest signs without blanks and repeats."""
        signs, new = _signs(likely)
        if not new.size:
            return "", 0.0
        return "".join(self._signs[sign] for sign in signs), float(likely[new, signs].round(5).mean())


def _signs(likely: NDArray[np.float32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The likeliest signs of a piece without blanks (sign 0) and repeats, and the places where each begins."""
    signs = likely.argmax(axis=1)
    new = np.flatnonzero(np.append(True, signs[1:] != signs[:-1]) & (signs > 0))
    return signs[new], new


def _network(bgr: Pixels, size: Sequence[int]) -> NDArray[np.float32]:
    """A picture of that width and height as the networks take it: channels first, -1 to 1."""
    channels = cv2.resize(bgr, tuple(size)).transpose(2, 0, 1)
    return np.asarray((channels.astype(np.float32) / 255 - 0.5) / 0.5, np.float32)


def _high_enough(quads: list[Quad], least: float) -> list[Quad]:
    """The boxes that are at least so high as a share of the highest, by their shorter side."""
    if not least:
        return quads
    sides = [min(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[3] - quad[0])) for quad in quads]
    bar = least * max(sides, default=0.0)
    return [quad for quad, side in zip(quads, sides, strict=True) if side >= bar]


def _cut_out(bgr: Pixels, quad: Quad) -> Pixels:
    """What is in a box, made upright; text that stands is turned."""
    wide = max(1, int(max(np.linalg.norm(quad[0] - quad[1]), np.linalg.norm(quad[2] - quad[3]))))
    high = max(1, int(max(np.linalg.norm(quad[0] - quad[3]), np.linalg.norm(quad[1] - quad[2]))))
    upright = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    way = cv2.getPerspectiveTransform(quad, upright)
    part = cv2.warpPerspective(bgr, way, (wide, high), borderMode=cv2.BORDER_REPLICATE, flags=cv2.INTER_CUBIC)
    return np.asarray(np.rot90(part) if high >= _TALL * wide else part, np.uint8)


def _lines(quads: list[Quad], texts: Iterator[tuple[str, float]], min_score: float) -> list[OCRLine]:
    lines = []
    for quad, (text, score) in zip(quads, texts, strict=False):
        if text.strip() and score >= min_score:
            x0, y0 = map(float, quad.min(axis=0))
            x1, y1 = map(float, quad.max(axis=0))
            box = (round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1))
            lines.append(OCRLine(text, round(score, 4), box))
    return lines


def _inked(bgr: Pixels) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of what stands on a picture's plain ground, with a margin; all 0 if nothing does."""
    height, width = bgr.shape[:2]
    grey = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    ground = int(np.argmax(cv2.calcHist([grey], [0], None, [256], [0, 256])))
    plain = cv2.inRange(grey, max(0, ground - _FAINT), min(255, ground + _FAINT))
    rows, columns = np.flatnonzero(plain.min(axis=1) == 0), np.flatnonzero(plain.min(axis=0) == 0)
    if not rows.size:
        return 0, 0, 0, 0
    margin = max(_STEP, round(_MARGIN * max(height, width)))
    left, top = max(0, int(columns[0]) - margin), max(0, int(rows[0]) - margin)
    return left, top, min(width, int(columns[-1]) + 1 + margin), min(height, int(rows[-1]) + 1 + margin)


def _is_tall(quad: NDArray[np.float32]) -> bool:
    across, down = np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[3] - quad[0])
    return bool(down >= _TALL * across)


def _filled(crop: Pixels, least: int) -> int:
    """The width in pixels that a piece is filled up to when it is 48 pixels high."""
    width = _HEIGHT * crop.shape[1] / crop.shape[0]
    steps = math.ceil(math.log(max(1.0, width / least), _WIDER))
    return math.ceil(least * _WIDER**steps)


def _groups(widths: Sequence[int], batch: int) -> Iterator[tuple[int, list[int]]]:
    """Widths, each with the indices of pieces of this width that are read at once."""
    order = sorted(range(len(widths)), key=widths.__getitem__)
    for width, same in groupby(order, key=widths.__getitem__):
        together, size = list(same), min(batch, max(1, _MOST_COLUMNS // width))
        for start in range(0, len(together), size):
            yield width, together[start : start + size]


def _session(path: Path, threads: int) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Pictures have all sizes: a plan of memory for each of them would be kept, and without an arena each layer of each
    # picture asks the system for its memory anew, which takes a tenth of the time.
    options.enable_mem_pattern = False
    options.log_severity_level = 4
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def text_boxes(likely: NDArray[np.float32], size: tuple[int, int]) -> list[Quad]:
    """The boxes of text in a picture of that height and width, row by row; ``likely`` is the detector's map of it."""
    height, width = likely.shape
    mask = cv2.dilate((likely > _PIXEL_BAR).astype(np.uint8), np.ones((2, 2), np.uint8))
    contours, _ = cv2.findContours(mask * 255, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    quads: list[Quad] = []
    for contour in contours[:_MOST]:
        points, side = _corners(cv2.minAreaRect(contour))
        if side < _LEAST or _score(likely, points) < _BOX_BAR:
            continue
        grown, side = _corners(_grown(points))
        if side < _LEAST_GROWN:
            continue
        placed = np.round(grown / (width, height) * (size[1], size[0]))
        quad = _clockwise(np.clip(placed, 0, (size[1] - 1, size[0] - 1)).astype(np.float32))
        if min(int(np.linalg.norm(quad[0] - quad[1])), int(np.linalg.norm(quad[0] - quad[3]))) > _LEAST_SIDE:
            quads.append(quad)
    return _row_by_row(quads)


def _corners(rectangle: Rectangle) -> tuple[Quad, float]:
    """The corners of a turned rectangle, clockwise from the top left, and its shorter side."""
    left, other, third, right = sorted(cv2.boxPoints(rectangle), key=lambda point: point[0])
    top, low = (left, other) if other[1] > left[1] else (other, left)
    top_right, low_right = (third, right) if right[1] > third[1] else (right, third)
    return np.array([top, top_right, low_right, low], np.float32), min(rectangle[1])


def _grown(points: Quad) -> Rectangle:
    """The rectangle that is larger by a share of its area by its circumference on each side."""
    area = cv2.contourArea(points)
    length = float(np.linalg.norm(points - np.roll(points, 1, axis=0), axis=1).sum())
    middle, (wide, high), angle = cv2.minAreaRect(points.astype(np.int32))
    more = 2 * area * _GROWTH / max(length, 1e-6)
    return (middle[0], middle[1]), (wide + more, high + more), angle


def _score(likely: NDArray[np.float32], points: Quad) -> float:
    """How likely the pixels in a box are text, on average."""
    height, width = likely.shape
    x0, y0 = np.clip(np.floor(points.min(axis=0)).astype(int), 0, (width - 1, height - 1))
    x1, y1 = np.clip(np.ceil(points.max(axis=0)).astype(int), 0, (width - 1, height - 1))
    mask = np.zeros((y1 - y0 + 1, x1 - x0 + 1), np.uint8)
    cv2.fillPoly(mask, [(points - (x0, y0)).astype(np.int32)], 1)
    return float(cv2.mean(likely[y0 : y1 + 1, x0 : x1 + 1], mask)[0])


def _clockwise(points: Quad) -> Quad:
    """The corners from the top left on, by which two are left."""
    by_x = points[np.argsort(points[:, 0])]
    left, right = by_x[:2], by_x[2:]
    top_left, low_left = left[np.argsort(left[:, 1])]
    top_right, low_right = right[np.argsort(right[:, 1])]
    return np.array([top_left, top_right, low_right, low_left], np.float32)


def _row_by_row(quads: list[Quad]) -> list[Quad]:
    """From top to bottom, and in a row from left to right."""
    if not quads:
        return []
    quads = sorted(quads, key=lambda quad: float(quad[0, 1]))
    steps = np.diff([quad[0, 1] for quad in quads]) >= _ROW
    rows = np.concatenate([[0], np.cumsum(steps)])
    order = sorted(range(len(quads)), key=lambda i: (rows[i], float(quads[i][0, 0])))
    return [quads[i] for i in order]
