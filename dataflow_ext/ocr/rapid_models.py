"""RapidOCR's two models, fed so that they take little time; imported when they are loaded."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import onnxruntime
import rapidocr
from rapidocr.utils.process_img import get_rotate_crop_image

from dataflow_ext.ocr.engine import OCRLine

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dataflow_ext.ocr.engine import Pixels

#: A picture whose shorter side is smaller is enlarged to it for the detector, as RapidOCR itself does.
_SHORTER_SIDE = 736

#: The network wants sides that are multiples of this.
_STEP = 32

#: The detector's bars for a pixel and for a box. RapidOCR has 0.3 and 0.5, which loses the digits of stacked
#: fractions in a picture made smaller; what is no text falls to ``min_score`` when it is read.
_PIXEL_BAR = 0.2
_BOX_BAR = 0.35

#: How far a box grows beyond what the detector marks. RapidOCR has 1.6 with its own bars; lower bars mark more.
_GROWTH = 1.4

#: What differs from the ground by fewer of 256 steps of grey is no ink.
_FAINT = 32

#: What is kept around the ink, as a share of the picture's longer side; letters at an edge are found less well.
_MARGIN = 0.02

#: The recogniser reads pieces 48 pixels high, filled up to a width; RapidOCR fills up to 320, which is mostly
#: blank for lone digits, and below 160 letters come out wrong.
_HEIGHT = 48
_LEAST_WIDTH = 160

#: Pieces are filled up to the next width of a row of widths that grow by this. It depends on nothing but the
#: piece: what is read must not depend on the pieces, or pictures, that it is read with.
_WIDER = 1.12

#: Columns of 48 pixels read at once; more take more memory.
_MOST_COLUMNS = 8192

#: A piece this much higher than wide is turned by RapidOCR; a lone 1 looks like that, too.
_TALL = 1.5


class RapidModels:
    """A detector and a recogniser in this process's memory."""

    def __init__(self, threads: int, detect_side: int, batch: int, min_score: float) -> None:
        self._detect_side, self._batch, self._min_score = detect_side, batch, min_score
        self._ocr = _rapidocr(batch)
        self._detector, self._recogniser = self._ocr._load_det_model(), self._ocr._load_rec_model()
        for part in (self._detector, self._recogniser):
            part.session.session = _session(part.session.session._model_path, threads)

    def read(self, pictures: Sequence[Pixels]) -> list[list[OCRLine]]:
        """The lines of each picture; the pieces of all pictures go to the recogniser together."""
        quads: list[list[Any]] = []
        crops: list[Pixels] = []
        for pixels in pictures:
            bgr = np.ascontiguousarray(pixels[:, :, ::-1])
            quads.append(self._detect(bgr))
            crops += [get_rotate_crop_image(bgr, quad.copy()) for quad in quads[-1]]
        texts = iter(self._recognise(crops, [_is_tall(quad) for each in quads for quad in each]))
        return [self._lines(each, texts) for each in quads]

    def _detect(self, bgr: Pixels) -> list[Any]:
        """The corners of each piece of text, clockwise from the top left, as arrays of 4 x 2."""
        left, top, right, bottom = _inked(bgr)
        part = bgr[top:bottom, left:right]
        if not part.size:
            return []
        height, width = bgr.shape[:2]
        scale = min(self._detect_side / max(height, width), max(1.0, _SHORTER_SIDE / min(height, width)))
        size = [max(_STEP, round(side * scale / _STEP) * _STEP) for side in (right - left, bottom - top)]
        found = self._detector(cv2.resize(part, size))
        if found.boxes is None:
            return []
        back = np.array([(right - left) / size[0], (bottom - top) / size[1]], np.float32)
        return list(found.boxes.astype(np.float32) * back + np.array([left, top], np.float32))

    def _recognise(self, crops: list[Pixels], tall: list[bool]) -> list[tuple[str, float]]:
        """Text and score of each piece; one that is tall is read both turned and as it stands."""
        again = [index for index, is_tall in enumerate(tall) if is_tall]
        crops = crops + [np.ascontiguousarray(np.rot90(crops[index], -1)) for index in again]
        found: list[tuple[str, float]] = [("", 0.0)] * len(crops)
        for width, group in _groups([_filled(crop) for crop in crops], self._batch):
            self._recogniser.rec_image_shape = [3, _HEIGHT, width]
            read = self._ocr.recognize_txt([crops[index] for index in group])
            for index, text, score in zip(group, read.txts, read.scores, strict=True):
                found[index] = (text, float(score))
        for index, other in zip(again, found[len(tall) :], strict=True):
            found[index] = max(found[index], other, key=lambda each: each[1])
        return found[: len(tall)]

    def _lines(self, quads: list[Any], texts: Iterator[tuple[str, float]]) -> list[OCRLine]:
        lines = []
        for quad, (text, score) in zip(quads, texts, strict=False):
            if text.strip() and score >= self._min_score:
                x0, y0 = map(float, quad.min(axis=0))
                x1, y1 = map(float, quad.max(axis=0))
                box = (round(x0, 1), round(y0, 1), round(x1, 1), round(y1, 1))
                lines.append(OCRLine(text, round(score, 4), box))
        return lines


def _inked(bgr: Pixels) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of what stands on a picture's plain ground, with a margin; all 0 if nothing does."""
    height, width = bgr.shape[:2]
    grey = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    ground = int(np.argmax(np.bincount(grey.ravel())))
    ink = (grey > ground + _FAINT) | (grey < ground - _FAINT)
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not rows.size:
        return 0, 0, 0, 0
    margin = max(_STEP, round(_MARGIN * max(height, width)))
    left, top = max(0, int(columns[0]) - margin), max(0, int(rows[0]) - margin)
    return left, top, min(width, int(columns[-1]) + 1 + margin), min(height, int(rows[-1]) + 1 + margin)


def _is_tall(quad: NDArray[np.float32]) -> bool:
    across, down = np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[3] - quad[0])
    return bool(down >= _TALL * across)


def _filled(crop: Pixels) -> int:
    """The width in pixels that a piece is filled up to when it is 48 pixels high."""
    width = _HEIGHT * crop.shape[1] / crop.shape[0]
    steps = math.ceil(math.log(max(1.0, width / _LEAST_WIDTH), _WIDER))
    return math.ceil(_LEAST_WIDTH * _WIDER**steps)


def _groups(widths: Sequence[int], batch: int) -> Iterator[tuple[int, list[int]]]:
    """Widths, each with the indices of pieces of this width that are read at once."""
    order = sorted(range(len(widths)), key=widths.__getitem__)
    for width, same in groupby(order, key=widths.__getitem__):
        together, size = list(same), min(batch, max(1, _MOST_COLUMNS // width))
        for start in range(0, len(together), size):
            yield width, together[start : start + size]


def _rapidocr(batch: int) -> Any:
    """RapidOCR with the settings of this module, its models not loaded yet."""
    params = {
        "Global.log_level": "error",
        "Det.limit_type": "max",
        "Det.limit_side_len": 1_000_000,
        "Det.thresh": _PIXEL_BAR,
        "Det.box_thresh": _BOX_BAR,
        "Det.unclip_ratio": _GROWTH,
        "Rec.rec_batch_num": batch,
    }
    return rapidocr.RapidOCR(params=params)


def _session(path: str | Path, threads: int) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 4
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
