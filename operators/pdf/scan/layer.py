"""Whether a hidden text layer says what stands on the page: compared with OCR of a few strips of it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher

from dataflow_ext.ocr import OCREngine, OCRLine, read_pictures
from operators.pdf.numbering.labels import item_label
from operators.pdf.parser.runs import Run
from operators.pdf.scan.picture import PagePicture

#: How much of the sample the layer has to say in the same letters.
_ALIKE = 0.94
#: Strips of the page that are read, and the lines of text in each.
_STRIPS = 3
_LINES = 4
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
    if len(rows) <= _STRIPS * _LINES:
        groups = [rows] if rows else []
    else:
        starts = [round(n * (len(rows) - _LINES) / (_STRIPS - 1)) for n in range(_STRIPS)]
        groups = [rows[start : start + _LINES] for start in starts]
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
