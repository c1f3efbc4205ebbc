"""A scanned page with what was found on it drawn over it, to look at."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from dataflow_ext.files import atomic
from dataflow_ext.ocr import OCRLine
from operators.pdf.scan.picture import PagePicture
from operators.pdf.scan.residue import Residue

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
        pen.rectangle([side * picture.scale for side in rule], outline=_RULE, width=thick)
    for figure in residue.figures:
        box = [side * picture.scale for side in figure.box]
        # Around the box, so that what it cuts off can be seen.
        around = (box[0] - thick, box[1] - thick, box[2] + thick, box[3] + thick)
        pen.rectangle(around, outline=_KINDS.get(figure.kind, _FIGURE), width=thick)
    with atomic(path) as partial:
        image.save(partial, "PNG")
