"""The stretches of a book that a model should see, each with enough around it, packed into requests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from operators.pdf.document_text import DocumentText
from operators.pdf.doubts.units import Book


@dataclass(frozen=True, slots=True)
class Core:
    """Blocks ``first`` to ``end`` - 1 that the model is to settle, and blocks outside that it is shown with them.

    ``around`` are ids of headings in force, of the opening of the item before, and of the one behind.
    """

    first: int
    end: int
    around: tuple[int, ...] = ()


def stretches(book: Book, text: DocumentText, wanted: Set[int], max_tokens: int) -> list[Core]:
    """The stretches of neighbouring units at the ``wanted`` places, none longer than ``max_tokens``."""
    cores: list[Core] = []
    place = 0
    while place < len(book.units):
        end = place
        tokens = 0
        while end < len(book.units) and end in wanted:
            cost = text.cost(text.shown(book.units[end].first, book.units[end].end))
            if end > place and tokens + cost > max_tokens:
                break
            tokens += cost
            end += 1
        if end == place:
            place += 1
            continue
        cores += _pieces(book, text, place, end, max_tokens)
        place = end
    return [core for core in cores if text.shown(core.first, core.end)]


def pack(cores: Sequence[Core], text: DocumentText, max_tokens: int) -> list[list[Core]]:
    """The stretches in requests of at most ``max_tokens`` each, in order; one larger than that goes alone."""
    packs: list[list[Core]] = []
    for core in cores:
        if packs and text.cost(visible([*packs[-1], core], text)) <= max_tokens:
            packs[-1].append(core)
        else:
            packs.append([core])
    return packs


def visible(cores: Iterable[Core], text: DocumentText) -> list[int]:
    """The ids of all blocks that a model sees with these stretches, in order."""
    ids: set[int] = set()
    for core in cores:
        ids.update(text.shown(core.first, core.end), core.around)
    return sorted(ids)


def halves(cores: Sequence[Core], text: DocumentText) -> list[list[Core]]:
    """The stretches in two lots, a single one cut in the middle; none if it is one block."""
    if len(cores) > 1:
        return [list(cores[: len(cores) // 2]), list(cores[len(cores) // 2 :])]
    (core,) = cores
    shown = text.shown(core.first, core.end)
    if len(shown) < 2:
        return []
    middle = text.cut(shown[1], shown[len(shown) // 2])
    return [[Core(core.first, middle, (*core.around, middle))], [Core(middle, core.end, core.around)]]


def _pieces(book: Book, text: DocumentText, place: int, end: int, max_tokens: int) -> list[Core]:
    """One stretch, or several if a single unit is larger than a request."""
    first, last = book.units[place].first, book.units[end - 1].end
    around = _around(book, text, place, end)
    shown = text.shown(first, last)
    pieces: list[Core] = []
    while shown and text.cost(shown) > max_tokens and len(shown) > 1:
        size, tokens = 0, 0
        while size < len(shown) - 1 and (not size or tokens + text.cost(shown[size : size + 1]) <= max_tokens):
            tokens += text.cost(shown[size : size + 1])
            size += 1
        at = text.cut(shown[max(1, size // 2)], shown[size])
        pieces.append(Core(first, at, (*around, at)))
        first, shown = at, text.shown(at, last)
    return [*pieces, Core(first, last, around)]


def _around(book: Book, text: DocumentText, place: int, end: int) -> tuple[int, ...]:
    """Headings that the rules see in force, and the first shown block of the units before and behind."""
    ids: list[int] = []
    for unit in book.units[max(0, place - 1) : end]:
        for n in unit.items:
            ids += [book.lines[i].block.id for i in book.items[n].chapter.title]
    if not ids:
        ids += text.above(book.units[place].first)
    if place:
        ids += text.shown(book.units[place - 1].first, book.units[place - 1].end)[:1]
    if end < len(book.units):
        ids += text.shown(book.units[end].first, book.units[end].end)[:1]
    return tuple(sorted({i for i in ids if text.is_shown(i)}))
