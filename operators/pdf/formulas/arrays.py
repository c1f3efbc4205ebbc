"""Rows and columns between tall brackets: matrices, cases and binomials."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from operators.pdf.formulas.atoms import Atom, box_of
from operators.pdf.formulas.glyphs import AXIS, Doubt, Glyph
from operators.pdf.formulas.tree import Array, Fraction, Node

#: In ems: TeX's columns stand one apart, its rows 1.2; the lines of a large binomial stand 1.36 apart.
_COLUMN = 0.75
_ROW = 0.75
_BINOMIAL = 1.27
_MOST = 400
#: Brackets of matrices of one row; bars and braces stand around one expression.
_ONE_ROW = {("(", ")"), ("[", "]")}


def array_of(
    atoms: Sequence[Atom],
    names: tuple[str, str],
    brackets: tuple[Glyph, Glyph | None],
    lay: Callable[[Sequence[Atom]], Node],
) -> Node | None:
    """The matrix, cases or binomial between brackets; None if there is only one row without columns."""
    size = max(atom.size for atom in atoms)
    levels = _levels(atoms, size)
    if len(atoms) > _MOST:
        raise Doubt("it has too many parts")
    if len(levels) < 2:
        if _is_wide(atoms, size) and names in _ONE_ROW:
            return Array(*names, [[lay(cell) for cell in _chunks(atoms, size)]])
        return None
    rows = _rows(atoms, levels, size)
    if _is_binomial(rows, levels, names, brackets, size):
        return Fraction(lay(rows[0]), lay(rows[1]), bar=False)
    chunks = [_chunks(row, size) for row in rows]
    columns = _columns(chunks)
    cells: list[list[Node | None]] = []
    for row in chunks:
        line: list[Node | None] = [None] * len(columns)
        for chunk in row:
            x0, _, x1, _ = box_of(atom.ink for atom in chunk)
            place = next(at for at, (left, right) in enumerate(columns) if left <= (x0 + x1) / 2 <= right)
            if line[place] is not None:
                raise Doubt("its rows and columns do not fit")
            line[place] = lay(chunk)
        cells.append(line)
    if sum(cell is None for line in cells for cell in line) > 0.6 * sum(len(line) for line in cells):
        raise Doubt("its rows and columns do not fit")
    return Array(*names, cells)


def _firm(atom: Atom, size: float) -> bool:
    return atom.size > 0.9 * size and not (atom.glyph is not None and atom.glyph.floating) and atom.node_kind != "prime"


def _level(atom: Atom) -> float:
    return atom.level if atom.axis is None else atom.axis + AXIS * atom.size


def _levels(atoms: Sequence[Atom], size: float) -> list[float]:
    """The baselines of rows, from top to bottom."""
    levels: list[float] = []
    for atom in atoms:
        if _firm(atom, size) and not any(abs(level - _level(atom)) < _ROW * size for level in levels):
            levels.append(_level(atom))
    return sorted(levels)


def _rows(atoms: Sequence[Atom], levels: Sequence[float], size: float) -> list[list[Atom]]:
    """The parts by rows: a small part stays with the large one before it in the stream, or goes with the next."""
    rows: list[list[Atom]] = [[] for _ in levels]
    waiting: list[Atom] = []
    row: int | None = None
    for atom in atoms:
        if _firm(atom, size) or row is None or _far(atom, levels[row], size):
            near = min(range(len(levels)), key=lambda at: abs(levels[at] - _level(atom)))
            if not _firm(atom, size) and row is None:
                waiting.append(atom)
                continue
            row = near
            rows[row] += waiting
            waiting = []
        rows[row].append(atom)
    if waiting or not all(rows):
        raise Doubt("its rows differ")
    return rows


def _far(atom: Atom, level: float, size: float) -> bool:
    middle = (atom.ink[1] + atom.ink[3]) / 2
    return not level - 1.1 * size < middle < level + 0.6 * size


def _is_binomial(
    rows: Sequence[Sequence[Atom]],
    levels: Sequence[float],
    names: tuple[str, str],
    brackets: tuple[Glyph, Glyph | None],
    size: float,
) -> bool:
    if len(rows) != 2 or names != ("(", ")") or any(len(_chunks(row, size)) > 1 for row in rows):
        return False
    return size < 0.82 * brackets[0].size or levels[1] - levels[0] > _BINOMIAL * size


def _is_wide(atoms: Sequence[Atom], size: float) -> bool:
    """Whether one row has gaps as between columns, and no commas that would make it a list."""
    return len(_chunks(atoms, size)) > 1 and not any(atom.node_kind == "punct" for atom in atoms)


def _chunks(row: Sequence[Atom], size: float) -> list[list[Atom]]:
    chunks: list[list[Atom]] = []
    right = 0.0
    for atom in row:
        if not chunks or atom.x0 - right > _COLUMN * size:
            chunks.append([])
            right = atom.x1
        chunks[-1].append(atom)
        right = max(right, atom.x1)
    return chunks


def _columns(rows: Sequence[Sequence[Sequence[Atom]]]) -> list[tuple[float, float]]:
    """The columns that all rows together show."""
    spans = sorted((box_of(atom.ink for atom in chunk) for row in rows for chunk in row), key=lambda box: box[0])
    columns: list[tuple[float, float]] = []
    for x0, _, x1, _ in spans:
        if columns and x0 < columns[-1][1]:
            columns[-1] = (columns[-1][0], max(columns[-1][1], x1))
        else:
            columns.append((x0, x1))
    return columns
