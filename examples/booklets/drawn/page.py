"""The page flow: headings, paragraphs, options and figures one below the other, in one or two columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from PIL.Image import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from drawn.fonts import Face
from drawn.gold import Figure
from drawn.pen import Drawing, Pen

WIDTH, HEIGHT = 499.0, 709.0  # B5 in points
LEFT, TOP, BOTTOM = 52.0, 636.0, 62.0
GAP = 22.0
#: A word with its spaces (a formula or a number with its unit counts as one), or one Chinese character or
#: sign, each with the closing signs that must not start a line.
WORD = r"[A-Za-z0-9²³√°.,;:?!'′/()+\-−±=≤≥<>×÷△∠⊥∥≌]+"
GLUE = r"(?: [=+−·<>≤≥×] |(?<=\d) (?=(?:cm|m|km|kg|m²)\b))"
ATOM = re.compile(rf"(?:{WORD}(?:{GLUE}{WORD})*|（[^（）\n]{{0,6}}）|.)[，。．；：、？！）」”＝＋－＜＞]* *", re.DOTALL)
Run = tuple[str, bool]


class Flow:
    """Draws one PDF file from top to bottom; ``headings`` are what a contents page of it would list."""

    def __init__(self, path: Path, title: str, face: Face, size: float = 10, file: int = 0) -> None:
        self.canvas = Canvas(str(path), pagesize=(WIDTH, HEIGHT), invariant=1)
        self.canvas.setTitle(title)
        self.title, self.face, self.size, self.file = title, face, size, file
        self.page, self.columns, self.column = 0, 1, 0
        self.head = ""
        self.y = self.top = self.low = TOP
        self.headings: list[tuple[str, int, int]] = []  # text, level, printed page number

    # -- where we are
    @property
    def width(self) -> float:
        return (WIDTH - 2 * LEFT - GAP * (self.columns - 1)) / self.columns

    @property
    def x(self) -> float:
        return LEFT + self.column * (self.width + GAP)

    def set_columns(self, count: int) -> None:
        """Goes on in ``count`` columns below everything drawn so far on this page."""
        self.low = min(self.low, self.y)
        self.columns, self.column = count, 0
        self.y = self.top = self.low - (14 if count == 1 and self.low < TOP else 0)

    def next_column(self) -> None:
        self.low = min(self.low, self.y)
        if self.column + 1 < self.columns:
            self.column += 1
            self.y = self.top
        else:
            self.next_page()

    def next_page(self) -> None:
        self._furniture()
        self.canvas.showPage()
        self.page += 1
        self.column = 0
        self.y = self.top = self.low = TOP

    def need(self, height: float) -> None:
        if self.y - height < BOTTOM:
            self.next_column()

    def gap(self, height: float) -> None:
        if self.y < self.top:
            self.y -= height

    def save(self) -> None:
        self._furniture()
        self.canvas.save()

    def _furniture(self) -> None:
        """Running head and page number; the first page has the title instead of a head."""
        c = self.canvas
        c.setFont(self.face.plain, 8)
        if self.page:
            odd = self.page % 2
            c.drawString(LEFT, HEIGHT - 46, self.title if odd else self.head)
            c.drawRightString(WIDTH - LEFT, HEIGHT - 46, self.head if odd else self.title)
            c.setLineWidth(0.4)
            c.line(LEFT, HEIGHT - 51, WIDTH - LEFT, HEIGHT - 51)
        c.drawCentredString(WIDTH / 2, 34, str(self.page + 1))

    # -- text
    def _lines(self, runs: Sequence[Run], width: float, hang: float, size: float) -> list[list[Run]]:
        """The runs cut into lines; every line but the first is ``hang`` narrower."""
        lines: list[list[Run]] = [[]]
        room = width
        for text, bold in runs:
            font = self.face.bold if bold else self.face.plain
            for atom in ATOM.findall(text):
                wide = stringWidth(atom.rstrip(), font, size)
                if atom.startswith("\n") or (wide > room and lines[-1]):
                    lines.append([])
                    room = width - hang
                    atom = atom.lstrip("\n")
                lines[-1].append((atom, bold))
                room -= stringWidth(atom, font, size)
        return lines

    def _draw_line(self, line: Sequence[Run], x: float, y: float, size: float) -> None:
        for bold in (True, False):
            words = "".join(atom for atom, b in line if b is bold)
            self.canvas.setFont(self.face.bold if bold else self.face.plain, size)
            self.canvas.drawString(x, y, words)
            x += stringWidth(words, self.face.bold, size)

    def para(
        self,
        text: str,
        *,
        bold: str = "",
        indent: float = 0,
        hang: float = 0,
        size: float | None = None,
        after: float = 5,
        keep: bool = True,
    ) -> str:
        """Draws ``bold`` and ``text`` as one paragraph and returns both as printed.

        ``\\n`` forces a line break; with ``keep`` the paragraph is not cut by a page or column.
        """
        size = size or self.size
        lead = size * 1.52
        lines = self._lines([(bold, True), (text, False)], self.width - indent, hang, size)
        if keep:
            self.need(lead * len(lines))
        for number, line in enumerate(lines):
            self.need(lead)
            self._draw_line(line, self.x + indent + (hang if number else 0), self.y - size, size)
            self.y -= lead
        self.y -= after
        return bold + text

    def heading(self, text: str, level: int = 1, *, listed: bool = True, room: float = 90, indent: float = 0) -> str:
        """Draws a heading that stays with the ``room`` points below it; level 1 starts the running head."""
        size = {0: 22.0, 1: 16.0, 2: 12.5, 3: 10.5}[level]
        self.gap({0: 0, 1: 10, 2: 8, 3: 4}[level])
        self.need(size * 1.6 + room)
        if listed:
            self.headings.append((text, level, self.page + 1))
        if level == 1:
            self.head = text
        return self.para("", bold=text, size=size, indent=indent, after={0: 12, 1: 8, 2: 5, 3: 3}[level])

    def options(self, options: Sequence[str], *, per_line: int = 1, indent: float = 14) -> str:
        """Options, ``per_line`` beside each other; returns them as printed."""
        lead = self.size * 1.5
        step = (self.width - indent) / per_line
        self.need(lead * -(-len(options) // per_line))
        for k, option in enumerate(options):
            if k and k % per_line == 0:
                self.y -= lead
            self._draw_line([(option, False)], self.x + indent + step * (k % per_line), self.y - self.size, self.size)
        self.y -= lead + 4
        lines = [options[k : k + per_line] for k in range(0, len(options), per_line)]
        return "\n".join("  ".join(line) for line in lines)

    def leaders(self, text: str, number: int, indent: float) -> str:
        """A line of the contents page: text, dots, page number."""
        size = self.size
        end = self.width - stringWidth(str(number), self.face.plain, size)
        dots = int(
            (end - indent - stringWidth(text, self.face.plain, size) - 12) / stringWidth(".", self.face.plain, size)
        )
        self.canvas.setFont(self.face.plain, size)
        line = f"{text} {'.' * dots}"
        self.canvas.drawString(self.x + indent, self.y - size, line)
        self.canvas.drawRightString(self.x + self.width, self.y - size, str(number))
        self.y -= size * 1.9
        return f"{line} {number}"

    def badge(self, picture: Image, width: float) -> None:
        """An ornament at the left edge of the next heading; it belongs to no item."""
        self.need(90)
        self.gap(4)
        self.canvas.drawImage(ImageReader(picture), self.x, self.y - width - 1, width, width)

    # -- figures
    def _probe(self, drawing: Drawing) -> tuple[float, float, float, float]:
        pen = Pen(self.face.plain)
        drawing(pen)
        return pen.box or (0, 0, 0, 0)

    def height_of(self, drawings: Sequence[Drawing]) -> float:
        """The room that these figures need beside each other, captions included."""
        return max((y1 - y0 + 24 for _, y0, _, y1 in map(self._probe, drawings)), default=0)

    def figures(self, *drawings: Drawing, captions: Sequence[str] = (), after: float = 8) -> list[Figure]:
        """Figures beside each other across the column, each centred in its share, with their captions."""
        boxes = [self._probe(drawing) for drawing in drawings]
        height = max(y1 - y0 for _, y0, _, y1 in boxes)
        self.need(height + (24 if captions else 12))
        share = self.width / len(drawings)
        found = []
        for k, (drawing, (x0, y0, x1, _)) in enumerate(zip(drawings, boxes, strict=True)):
            middle = self.x + share * (k + 0.5)
            pen = Pen(self.face.plain, self.canvas, (middle - (x0 + x1) / 2, self.y - 4 - height - y0))
            drawing(pen)
            caption = captions[k] if captions else ""
            self.canvas.setFont(self.face.plain, self.size - 1.5)
            self.canvas.drawCentredString(middle, self.y - height - 17, caption)
            found.append(Figure(self.file, self.page, self._thousandths(pen), caption=caption))
        self.y -= height + (24 if captions else 8) + after
        return found

    def _thousandths(self, pen: Pen) -> tuple[int, int, int, int]:
        x0, y0, x1, y1 = pen.box or (0, 0, 0, 0)
        ox, oy = pen.origin
        return (
            round((x0 + ox) / WIDTH * 1000),
            round((HEIGHT - y1 - oy) / HEIGHT * 1000),
            round((x1 + ox) / WIDTH * 1000),
            round((HEIGHT - y0 - oy) / HEIGHT * 1000),
        )
