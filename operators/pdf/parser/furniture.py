"""Running heads, feet and page numbers: what stands at the same height on page after page."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise

from operators.pdf.numbering.label_words import as_written, words
from operators.pdf.parser.captions import Figure
from operators.pdf.parser.runs import Run, body_size
from operators.pdf.parser.text_lines import Line, make_lines

_ZONE = 0.16
#: A first row so many times as large as the second is a heading, and not smaller print above running heads.
_HEADING = 1.2
#: Lines of a page that is full.
_FULL = 20
#: Points between heights that no running line of a scanned book lies across.
_SCAN_GAP = 6.0
_PLAIN_NUMBER = re.compile(r"\W{0,3}(\d{1,4})\W{0,3}$")
_PAGE = (
    r"(?:[—–\-·•~～|]\s*\d{1,4}\s*[—–\-·•~～|]|第\s*\d{1,4}\s*页(?:\s*[，,(（/]?\s*共\s*\d{1,4}\s*页[)）]?)?"
    r"|[Pp](?:age|\.)?\s*\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?|\d{1,4}\s*/\s*\d{1,4})"
)
_PAGE_NUMBER = re.compile(rf"{_PAGE}$")
_OF_PAGES = r"第\s*\d{1,4}\s*页\s*[，,(（/]?\s*共\s*\d{1,4}\s*页[)）]?"
_WITH_PAGE = re.compile(rf"(?<=\S)\s+{_PAGE}$|(?<=\S){_OF_PAGES}$|^{_PAGE}\s+")
#: The head of a question on a slide or at the top of a page, which stands where running heads stand.
_ITEM = re.compile(
    rf"(?:Solution|{as_written(words('question', 'example'))})\s*\d|(?:例题?|习题|变式)\s*\d|第\s*\d{{1,3}}\s*题"
)
_CHAPTER = re.compile(r"\w\D*\s(\d{1,3})$")
_END_NUMBER = re.compile(r"^\d{1,4}(?![\d.．、)）])\s*|\s*(?<![\d.])\d{1,4}$")


@dataclass(slots=True)
class Furniture:
    """A page's furniture: pairs of a type of item and its line, and the runs they are made of."""

    items: list[tuple[str, Line]] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)


@dataclass(slots=True)
class _Piece:
    """A stretch of words near the upper or lower edge of a page."""

    page: int
    zone: str
    line: Line
    runs: list[Run]
    height: float
    scanned: bool = False

    #: Where on its page it stands, as other pages' pieces do.
    slot: tuple[str, int, int] = ("", 0, 0)

    @property
    def words(self) -> str:
        """What may recur: no page number, and no bracket that a blank to fill in parts from its line."""
        return _END_NUMBER.sub("", _WITH_PAGE.sub("", self.line.text)).strip("（）()")


def find_furniture(pages: Sequence[tuple[Sequence[Run], float, bool]]) -> list[Furniture]:
    """For each page (its runs, its height in points, if it is a scan) what is header, footer and page number."""
    edges = _edges(pages)
    pieces = [piece for number, page in enumerate(pages) for piece in _edge_pieces(number, edges, *page)]
    _find_slots(pieces)
    said = {(piece.page, piece.line.text) for piece in pieces}
    edge = Counter(piece.line.text for piece in pieces)
    inside = _inside(pages, edge)
    own = {id(p) for p in pieces if _is_item(p, said) or inside[p.line.text] > edge[p.line.text]}
    body = body_size(run for runs, _, _ in pages for run in runs)
    own |= _chapters(pieces, pages, body)
    slots: dict[tuple[str, int, int], list[_Piece]] = defaultdict(list)
    for piece in pieces:
        if id(piece) not in own:
            slots[piece.slot].append(piece)
    running = {slot for slot, held in slots.items() if _repeats(held, len(pages)) and not _are_titles(held, body)}
    counted = _counted(pieces)
    found = [Furniture() for _ in pages]
    for piece in pieces:
        kind = _kind(piece, piece.slot in running and id(piece) not in own, id(piece) in counted)
        if kind:
            found[piece.page].items.append((kind, piece.line))
            found[piece.page].gone.update(id(run) for run in piece.runs)
    return found


def _are_titles(held: Sequence[_Piece], body: float) -> bool:
    """Whether what stands at one height heads slides: larger than the text, and other words on most of the pages."""
    words = Counter(piece.words for piece in held)
    large = all(piece.line.size > _HEADING * body and not piece.scanned for piece in held)
    return large and 2 * max(words.values()) <= len(held)


def _inside(pages: Sequence[tuple[Sequence[Run], float, bool]], edge: Counter[str]) -> Counter[str]:
    """How often words that stand at an edge stand alone between the edges, as Solution does wherever a page ends."""
    return Counter(
        text
        for runs, height, _ in pages
        for run in runs
        if (text := run.text.strip()) in edge and not any(_in_zone(run, zone, height) for zone in ("header", "footer"))
    )


def _is_item(piece: _Piece, said: Set[tuple[int, str]]) -> bool:
    """Whether a piece is the head of a question, and not one that goes on from page to page."""
    again = any((piece.page + step, piece.line.text) in said for step in (-1, 1))
    return _ITEM.match(piece.line.text) is not None and not again


def _chapters(pieces: Sequence[_Piece], pages: Sequence[tuple[Sequence[Run], float, bool]], body: float) -> set[int]:
    """Words whose numbers count on, each right above a heading: Chapter 1, 2 and 3.

    Those that count with the pages are set larger than the text.
    """
    counts: dict[str, list[tuple[int, _Piece]]] = defaultdict(list)
    for piece in pieces:
        below = [run for run in pages[piece.page][0] if run.top > piece.line.base]
        following = min(below, key=lambda run: run.top, default=None)
        number = _CHAPTER.search(piece.line.text)
        if number and following is not None and following.size > _HEADING * piece.line.size:
            counts[piece.words].append((int(number[1]), piece))
    found: set[int] = set()
    for held in counts.values():
        on = all(two[0] - one[0] == 1 for one, two in pairwise(held))
        large = all(piece.line.size > _HEADING * body and not piece.scanned for _, piece in held)
        if on and (large or len({number - piece.page for number, piece in held}) > 1):
            found.update(id(piece) for _, piece in held)
    return found


def _find_slots(pieces: Sequence[_Piece]) -> None:
    """Give pieces their slots: by height and size, or on scans, which lie askew, by stretches between gaps."""
    stretch, last = 0, 0.0
    for piece in sorted(pieces, key=lambda piece: (piece.zone, piece.line.base)):
        if not piece.scanned:
            piece.slot = (piece.zone, round(piece.line.base / 3), round(piece.line.size))
            continue
        stretch += abs(piece.line.base - last) > _SCAN_GAP
        last = piece.line.base
        piece.slot = (piece.zone, -stretch, 0)


def _edges(pages: Sequence[tuple[Sequence[Run], float, bool]]) -> tuple[float, float]:
    """The heights between which the text of full pages stands, as some books have wide margins."""
    full = [some for some, _, scanned in pages if not scanned and len({round(run.base) for run in some}) >= _FULL]
    runs = [run for some in full for run in some if not run.turned]
    return min((run.top for run in runs), default=0.0), max((run.bottom for run in runs), default=math.inf)


def _edge_pieces(
    page: int, edges: tuple[float, float], runs: Sequence[Run], height: float, scanned: bool
) -> list[_Piece]:
    """The stretches of the two outermost rows in the upper and lower zone."""
    pieces = []
    for zone in ("header", "footer"):
        near = [run for run in runs if not run.turned and (_in_zone(run, zone, height) or _at_edge(run, zone, edges))]
        rows: list[list[Run]] = []
        for run in sorted(near, key=lambda run: run.base if zone == "header" else -run.base):
            if rows and abs(rows[-1][0].base - run.base) < 0.6 * run.size:
                rows[-1].append(run)
            else:
                rows.append([run])
        for number, row in enumerate(rows[:2]):
            if zone == "header" and number and rows[0][0].size > _HEADING * max(run.size for run in row):
                continue  # what stands below a heading is none of the page's furniture
            pieces += [_Piece(page, zone, make_lines(one)[0], one, height, scanned) for one in _stretches(row)]
    return pieces


def _in_zone(run: Run, zone: str, height: float) -> bool:
    return run.bottom < _ZONE * height if zone == "header" else run.top > (1 - _ZONE) * height


def _at_edge(run: Run, zone: str, edges: tuple[float, float]) -> bool:
    """Whether a run stands where the text of the pages begins or ends, whatever their margins."""
    return run.top < edges[0] + 0.5 * run.size if zone == "header" else run.bottom > edges[1] - 0.5 * run.size


def _stretches(row: list[Run]) -> list[list[Run]]:
    row.sort(key=lambda run: run.x0)
    stretches = [[row[0]]]
    for run in row[1:]:
        if run.x0 - stretches[-1][-1].x1 < 2 * run.size:
            stretches[-1].append(run)
        else:
            stretches.append([run])
    return stretches


def _repeats(held: Sequence[_Piece], pages: int) -> bool:
    """Whether one height at the edge is taken by the same words on page after page.

    A heading that two papers of one book begin with stands pages apart; a running head on the next page, or
    on the next left or right one.
    """
    places: dict[str, list[int]] = defaultdict(list)
    for piece in held:
        if piece.words:
            places[piece.words].append(piece.page)
    often = 0
    for found in places.values():
        found.sort()
        near = [b - a <= 2 for a, b in pairwise(found)]
        often += sum(before or after for before, after in pairwise([False, *near, False]))
    return often >= min(3, max(pages, 2)) and often >= 0.5 * sum(map(len, places.values()))


def _counted(pieces: Sequence[_Piece]) -> set[int]:
    """Lone numbers that run on with the pages."""
    shifts: Counter[tuple[str, int]] = Counter()
    numbers: list[tuple[_Piece, tuple[str, int]]] = []
    for piece in pieces:
        found = _PLAIN_NUMBER.match(piece.line.text)
        if found:
            key = (piece.zone, int(found[1]) - piece.page)
            shifts[key] += 1
            numbers.append((piece, key))
    counted = [piece for piece, key in numbers if shifts[key] >= 2]
    return {id(piece) for piece in counted} | {id(piece) for piece in _beside(counted, pieces)}


def _beside(numbers: Sequence[_Piece], pieces: Sequence[_Piece]) -> Iterator[_Piece]:
    """What stands on one line with a page's number, as a running head does, at one height on most of these pages."""
    rows = {(piece.page, round(piece.line.base)) for piece in numbers if piece.zone == "header"}
    heights = Counter(base for _, base in rows)
    for piece in pieces:
        base = round(piece.line.base)
        if (piece.page, base) in rows and 2 * heights[base] > len(rows) and not _ITEM.match(piece.line.text):
            yield piece


def _kind(piece: _Piece, running: bool, counted: bool) -> str | None:
    text = piece.line.text
    at_edge = piece.line.base > 0.925 * piece.height or piece.line.base < 0.06 * piece.height
    if counted and not _PLAIN_NUMBER.match(text):
        return piece.zone
    if counted or (at_edge and (_PLAIN_NUMBER.match(text) or _PAGE_NUMBER.match(text))):
        return "page_number"
    if running:
        return "page_number" if _PAGE_NUMBER.match(text) or not piece.words else piece.zone
    return None


def drop_ornaments(pages: Sequence[list[Figure]], scanned: bool = False) -> list[list[Figure]]:
    """The figures of each page without those that many pages show: the same drawing at the same place,
    or a small one wherever it stands. The pages of scans lie a little askew."""
    alike: dict[int, list[tuple[int, Figure]]] = defaultdict(list)
    for number, figures in enumerate(pages):
        for figure in figures:
            alike[figure.digest].append((number, figure))
    needed = 3 if len(pages) > 4 else max(2, len(pages))
    off = 12.0 if scanned else 4.0

    def kept(figure: Figure) -> bool:
        if figure.kind == "table" or figure.captions:
            return True
        small = max(figure.box[2] - figure.box[0], figure.box[3] - figure.box[1]) < 45
        others = alike[figure.digest]
        fixed = {number for number, one in others if all(abs(one.box[n] - figure.box[n]) <= off for n in (0, 1))}
        return len(fixed) < needed and not (small and len(others) >= 6 and len({n for n, _ in others}) >= 3)

    return [[figure for figure in figures if kept(figure)] for figures in pages]
