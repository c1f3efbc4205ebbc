"""Makes scans of PDFs: pages as pictures, turned, noisy, squeezed, with a hidden text layer or without one.

python examples/booklets/scan.py BOOK.pdf SCAN.pdf --preset noisy [--pages 2,3] [--seed 1]
"""

from __future__ import annotations

import argparse
import io
import math
import random
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, TypedDict

import numpy as np
import pypdfium2 as pdfium
from PIL import Image, ImageFilter
from reportlab import rl_config
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from operators.pdf.parser.files import PDFIUM_LOCK, page_frame
from operators.pdf.parser.runs import Run
from operators.pdf.parser.survey import read_text

Layer = Literal["none", "right", "wrong"]
Gold = dict[str, Any]
#: A font that every PDF reader knows by name: no file is needed, since its letters are never drawn.
FONT = "STSong-Light"
#: How white paper looks at ``shade`` 1, as shares of red, green and blue.
PAPER = (0.92, 0.84, 0.66)


class Look(TypedDict, total=False):
    """What a scan looks like: the options of :func:`scan`."""

    dpi: int
    angle: float
    noise: float
    blur: float
    jpeg: int | None
    shade: float
    text_layer: Layer


PRESETS: dict[str, Look] = {
    "clean150": {"dpi": 150},
    "clean200": {"dpi": 200},
    "turned": {"dpi": 200, "angle": 1.2, "noise": 4, "jpeg": 75},
    "noisy": {"dpi": 200, "noise": 14, "blur": 0.6, "shade": 0.35, "jpeg": 40},
    "turned_back": {"dpi": 150, "angle": -0.8, "noise": 5, "jpeg": 60},
    "wrong_layer": {"dpi": 200, "noise": 4, "jpeg": 75, "text_layer": "wrong"},
    "right_layer": {"dpi": 200, "noise": 4, "jpeg": 75, "text_layer": "right"},
}


def scan(
    source: Path,
    target: Path,
    *,
    dpi: int = 200,
    angle: float = 0.0,
    noise: float = 0.0,
    blur: float = 0.0,
    jpeg: int | None = None,
    shade: float = 0.0,
    text_layer: Layer = "none",
    seed: int = 0,
    pages: Sequence[int] | None = None,
) -> None:
    """Writes ``target``, a PDF whose pages are pictures of those of ``source``; the same bytes for the same seed.

    ``angle`` turns the page about its centre, in degrees counter-clockwise; ``noise`` is the standard
    deviation of the grey noise, in levels of 255; ``blur`` a radius in pixels; ``jpeg`` the quality of the
    compression (None: without loss); ``shade`` how uneven the light and how yellow the paper is, 0 to 1.
    ``pages`` picks pages by index from 0.
    """
    if text_layer != "none":
        pdfmetrics.registerFont(UnicodeCIDFont(FONT))
    rl_config.useA85 = 0  # pictures as bytes; as text they take longer than all the rest
    canvas = Canvas(str(target), invariant=1)
    with PDFIUM_LOCK:
        document = pdfium.PdfDocument(source)
        try:
            for number in range(len(document)) if pages is None else pages:
                page = document[number]
                picture = page.render(scale=dpi / 72).to_pil().convert("RGB")
                picture = aged(picture, angle, noise, blur, shade, np.random.default_rng([seed, number]))
                width, height = page.get_size()
                canvas.setPageSize((width, height))
                canvas.drawImage(_packed(picture, jpeg), 0, 0, width, height)
                if text_layer != "none":
                    runs = read_text(page, page_frame(page)).runs
                    if text_layer == "wrong":
                        runs = damaged(runs, random.Random(f"{seed} {number}"))
                    _write_hidden(canvas, runs, width, height, angle)
                canvas.showPage()
        finally:
            document.close()
    canvas.save()


def aged(
    picture: Image.Image, angle: float, noise: float, blur: float, shade: float, chance: np.random.Generator
) -> Image.Image:
    """The picture of a page as a scanner might give it: of the same size, RGB."""
    if angle:
        picture = picture.rotate(angle, Image.Resampling.BICUBIC, fillcolor="white")
    if blur:
        picture = picture.filter(ImageFilter.GaussianBlur(blur))
    if not noise and not shade:
        return picture
    pixels = np.asarray(picture, dtype=np.float32)
    height, width = pixels.shape[:2]
    if shade:
        y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
        side = chance.uniform(0, 2 * math.pi)
        # Darker towards one side, as from a lamp, and towards the corners, as through a lens.
        light = 1 - shade * (0.3 * (1 + x * math.cos(side) + y * math.sin(side)) / 2 + 0.15 * (x * x + y * y))
        paper = 1 - shade * (1 - np.array(PAPER, dtype=np.float32))
        pixels = pixels * light[..., None].astype(np.float32) * paper
    if noise:
        pixels = pixels + chance.normal(0, noise, (height, width, 1)).astype(np.float32)
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8))


def _packed(picture: Image.Image, jpeg: int | None) -> ImageReader:
    data = io.BytesIO()
    if jpeg is None:
        picture.save(data, "PNG")
    else:
        picture.save(data, "JPEG", quality=jpeg)
    data.seek(0)
    return ImageReader(data)


def _write_hidden(canvas: Canvas, runs: Sequence[Run], width: float, height: float, angle: float) -> None:
    """Writes runs as invisible text at their places, stretched to their widths as OCR software does."""
    canvas.saveState()
    canvas.translate(width / 2, height / 2)
    canvas.rotate(angle)
    for run in runs:
        if run.turned or not run.text.strip():
            continue
        text = canvas.beginText()
        text.setTextRenderMode(3)
        text.setFont(FONT, run.size)
        text.setHorizScale(100 * (run.x1 - run.x0) / pdfmetrics.stringWidth(run.text, FONT, run.size))
        text.setTextOrigin(run.x0 - width / 2, height / 2 - run.base)
        text.textOut(run.text)
        canvas.drawText(text)
    canvas.restoreState()


# -- a wrong text layer

LABEL = re.compile(r"^\s*(?:\d{1,2}[.．、]|例\s*[\d一二三①-⑨]|Example \d+|[A-D][.．])\s*")
LOST_LABELS = 1 / 3
WRONG_LETTERS = 0.1
WRONG_MARKS = 0.15
SPLIT_NUMBERS = 0.1
ALIKE = {
    **dict(zip("已未日土大人的是角面点形边度求面三二", "己末曰士太入旳昰甬而占彤辺庋救囬二三", strict=True)),
    **dict(zip("0156789lIOoaecnrtxyzSBD", "O|S689g1l0ooceuvf×v2580", strict=True)),
}
MARKS = dict(zip("，．。、：；（）？＝,.:;()?=", ",。.,；：()7=.,;:（）7-", strict=True))


def damaged(runs: Sequence[Run], chance: random.Random) -> list[Run]:
    """Runs as a poor OCR program left them: a third of the labels and about 8 % of the characters are wrong."""
    return [Run(_garbled(r.text, chance), r.x0, r.x1, r.base, r.size, r.bold, r.turned) for r in runs]


def _garbled(text: str, chance: random.Random) -> str:
    label = LABEL.match(text)
    if label and chance.random() < LOST_LABELS:
        text = text[label.end() :]
    out: list[str] = []
    for place, char in enumerate(text):
        if char in MARKS and chance.random() < WRONG_MARKS:
            out.append(MARKS[char])
        elif char.isalnum() and chance.random() < WRONG_LETTERS:
            out.append(_mistaken(char, chance))
        else:
            out.append(char)
        if char.isdigit() and text[place + 1 : place + 2].isdigit() and chance.random() < SPLIT_NUMBERS:
            out.append(" ")
    return "".join(out)


def _mistaken(char: str, chance: random.Random) -> str:
    """A letter that looks like this one; for an ideograph that has no twin here, a neighbour or nothing."""
    if char in ALIKE:
        return ALIKE[char]
    if "\u4e00" <= char <= "\u9f00":
        return chance.choice(["", chr(ord(char) + chance.randint(1, 9))])
    return chance.choice(["", char.swapcase()])


# -- the gold of a scan


def scanned_gold(gold: Gold, folder: Path, *, angle: float = 0.0, pages: Sequence[int] | None = None) -> Gold:
    """A booklet's gold for a scan of it: boxes of figures turned with the page, pages counted in the scan.

    ``pages`` are those of the first input that the scan holds (the other inputs are scanned whole); then
    only items remain whose whole question and whose chapter's title stand on these pages.
    """
    sizes, texts = [], []
    for number, name in enumerate(gold["inputs"]):
        shown = pages if number == 0 else None
        size, text = _pages_of(folder / name, shown)
        sizes.append(size)
        texts.append(text)
    there = {page: index for index, page in enumerate(pages)} if pages is not None else None
    items = []
    for item in gold["items"]:
        if there is not None and not _stands_in(item, texts[0]):
            continue
        item = dict(item)
        for part in ("figures", "solution_figures"):
            kept = [f for f in item[part] if there is None or f["file"] or f["page"] in there]
            item[part] = [_turned_figure(f, sizes[f["file"]], angle, there) for f in kept]
        items.append(item)
    return {**gold, "items": items}


def _pages_of(path: Path, pages: Sequence[int] | None) -> tuple[tuple[float, float], str]:
    """The size of a PDF's pages in points, and the letters of some of them without spaces."""
    with PDFIUM_LOCK:
        document = pdfium.PdfDocument(path)
        try:
            numbers = range(len(document)) if pages is None else pages
            texts = [document[n].get_textpage().get_text_range() for n in numbers]
            return document[0].get_size(), re.sub(r"\s", "", "".join(texts))
        finally:
            document.close()


def _stands_in(item: Gold, text: str) -> bool:
    question = re.sub(r"\s", "", item["question"])
    title = re.sub(r"\s", "", item["chapter"])
    return title in text and question[:15] in text and question[-15:] in text


def _turned_figure(figure: Gold, size: tuple[float, float], angle: float, there: dict[int, int] | None) -> Gold:
    page = figure["page"] if there is None or figure["file"] else there[figure["page"]]
    return {**figure, "page": page, "box": turned_box(figure["box"], size, angle)}


def turned_box(box: Sequence[float], size: tuple[float, float], angle: float) -> list[float]:
    """The box around a box that was turned with its page, in thousandths of the page; ``size`` in points.

    >>> turned_box((400, 400, 600, 600), (500, 500), 90)
    [400.0, 400.0, 600.0, 600.0]
    """
    width, height = size
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    corners = [((x / 1000 - 0.5) * width, (y / 1000 - 0.5) * height) for x in box[::2] for y in box[1::2]]
    xs = [500 + 1000 * (x * cos + y * sin) / width for x, y in corners]
    ys = [500 + 1000 * (y * cos - x * sin) / height for x, y in corners]
    return [round(edge, 1) for edge in (min(xs), min(ys), max(xs), max(ys))]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--preset", choices=PRESETS, help="a look to begin with; the options below change it")
    parser.add_argument("--dpi", type=int, help="points an inch (default: 200)")
    parser.add_argument("--angle", type=float, help="degrees, counter-clockwise")
    parser.add_argument("--noise", type=float, help="standard deviation of the noise, in levels of 255")
    parser.add_argument("--blur", type=float, help="radius in pixels")
    parser.add_argument("--shade", type=float, help="uneven light and paper, 0 to 1")
    parser.add_argument("--jpeg", type=int, metavar="QUALITY", help="compress with loss, quality 1 to 95")
    parser.add_argument("--text-layer", choices=("none", "right", "wrong"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pages", help="page numbers from 1, with commas: 2,3")
    given = vars(parser.parse_args(argv))
    source, target, preset, seed, pages = (given.pop(name) for name in ("source", "target", "preset", "seed", "pages"))
    look: Any = {**PRESETS.get(preset, {}), **{name: value for name, value in given.items() if value is not None}}
    scan(source, target, seed=seed, pages=[int(n) - 1 for n in pages.split(",")] if pages else None, **look)
    return 0


if __name__ == "__main__":
    sys.exit(main())
