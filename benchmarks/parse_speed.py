"""Speed and memory of the built-in PDF parser on a 300-page book that this program makes itself.

Run ``python benchmarks/parse_speed.py [PAGES]``.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from operators.pdf.parser.parse import parse_pdf

FONT = "STSong-Light"
LINES = 36


def draw_page(canvas: Canvas, page: int) -> None:
    """One page of questions, with a diagram every third page."""
    canvas.setFont(FONT, 9)
    canvas.drawString(72, 805, "算术与代数练习")
    canvas.drawCentredString(297, 30, str(page + 1))
    if page % 10 == 0:
        canvas.setFont(FONT, 18)
        canvas.drawString(72, 775, f"第{page // 10 + 1}章 练习")
    canvas.setFont(FONT, 10.5)
    for row in range(LINES):
        y = 745 - row * 18
        text = (
            f"{row // 2 + 1}. 甲车每小时行 {40 + row} 千米，乙车每小时行 {50 + page % 30} 千米，两车从两地开"
            if row % 2 == 0
            else "出，经过 2.5 小时相遇，求两地的距离。 A. 225 千米   B. 250 千米   C. 300 千米"
        )
        canvas.drawString(72, y, text)
    if page % 3 == 0:
        # No two alike: the same drawing at the same place on many pages would be an ornament.
        right = 278 + page % 89
        canvas.circle(300, 70, 22)
        canvas.line(278, 70, right, 86)
        canvas.drawString(right + 3, 88, "A")


def main() -> None:
    pages = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    pdfmetrics.registerFont(UnicodeCIDFont(FONT))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "book.pdf")
        canvas = Canvas(str(path))
        for page in range(pages):
            draw_page(canvas, page)
            canvas.showPage()
        canvas.save()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        start, busy = time.perf_counter(), time.process_time()
        parsed = parse_pdf(path, Path(folder, "images"))
        wall, busy = time.perf_counter() - start, time.process_time() - busy
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        letters = sum(len(item.text) for item in parsed.items)
        pictures = sum(item.image is not None for item in parsed.items)
    print(f"{pages} pages, {len(parsed.items)} items, {letters} letters, {pictures} pictures")
    print(f"{pages / wall:.1f} pages/s by the clock, {pages / busy:.1f} pages/s of processor time")
    print(f"peak memory {peak:.0f} MiB, {peak - before:.0f} MiB of it for the parse")


if __name__ == "__main__":
    main()
