"""The tree of a formula from its letters and rules: every one of them is used exactly once, or there is a doubt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from dataflow_ext.boxes import union
from operators.pdf.formulas.glyphs import AXIS, Doubt, Glyph
from operators.pdf.formulas.row_tree import lay_row, main_level
from operators.pdf.formulas.signs import Sign
from operators.pdf.formulas.spans import Span
from operators.pdf.formulas.tree import Array, Atom, Decorated, Fenced, Fraction, Leaf, Node, Root, Scripts

#: In ems: TeX's columns stand one apart, its rows 1.2; the lines of a large binomial stand 1.36 apart, those of office
#: programs 1.19, where the rows of a matrix stand 1.25 apart.
_COLUMN = 0.75
_ROW = 0.75
_MATRIX, _BINOMIAL = 1.198, 1.27
#: Browsers leave the height of an x between the ink of two rows, and more between the lines of a binomial.
_PADDED = (0.34, 0.52)
#: What is smaller against its brackets is set in the size of scripts; the columns of small matrices stand so far apart,
#: in ems, what is in them so near to their middle.
_SCRIPT, _SMALL, _BELOW = 0.82, 0.3, 0.15
#: The least height of a matrix's brackets against the distance of its rows (TeX: twice 0.901); the share of a line that
#: is below its baseline; by what share of a line the rows differ from it, at most, and where their ink adds to it: TeX
#: leaves some space over what it covers.
_COVERED, _DEEP, _EXACT, _ROUNDED, _ABOVE = 1.74, 0.3, 0.006, 0.015, 0.06
#: The distances of the lines of a large binomial, in ems, in Computer Modern and fonts made after it, Libertinus, STIX
#: (three versions of it), Math Design, Fourier, XCharter and Garamond, and by how much they are rounded.
_BINOMIALS, _NEARLY = (1.232, 1.363, 1.28, 1.407, 1.444, 1.47, 1.482, 1.537), 0.0075
_MOST = 400
#: Brackets of matrices of one row; bars and braces stand around one expression.
_ONE_ROW = {("(", ")"), ("[", "]")}


class Pitch(NamedTuple):
    """The distances in points that a page's lines may have, whether they show one, and whether no TeX set the page."""

    distances: tuple[float, ...]
    measured: bool = False
    office: bool = False


NO_PITCH = Pitch((), office=True)


def array_of(
    atoms: Sequence[Atom],
    names: tuple[str, str],
    brackets: tuple[Glyph, Glyph | None],
    lay: Callable[[Sequence[Atom]], Node],
    pitch: Pitch = NO_PITCH,
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
    gap = _SMALL if size < _SCRIPT * brackets[0].size else _COLUMN
    chunks = [_chunks(row, size, gap) for row in rows]
    if gap == _SMALL and not _fit(chunks, size):
        chunks = [_chunks(row, size) for row in rows]
    if all(len(row) == 1 for row in chunks) and _is_binomial(rows, levels, names, brackets, pitch):
        return Fraction(lay(rows[0]), lay(rows[1]), bar=False)
    columns = _columns(chunks)
    cells: list[list[Node | None]] = []
    for row in chunks:
        line: list[Node | None] = [None] * len(columns)
        for chunk in row:
            x0, _, x1, _ = union(atom.ink for atom in chunk)
            place = next(at for at, (left, right) in enumerate(columns) if left <= (x0 + x1) / 2 <= right)
            if line[place] is not None:
                raise Doubt("its rows and columns do not fit")
            line[place] = lay(chunk)
        cells.append(line)
    if sum(cell is None for line in cells for cell in line) > 0.6 * sum(len(line) for line in cells):
        raise Doubt("its rows and columns do not fit")
    return Array(*names, cells)


def _firm(atom: Atom, size: float) -> bool:
    floating = atom.glyph is not None and atom.glyph.floating
    return atom.size > 0.9 * size and not floating and atom.node_kind not in ("prime", "accent")


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
        if atom.is_accent or (row is None and not _firm(atom, size)):
            waiting.append(atom)  # an accent comes before what it stands on
            continue
        if row is None or _firm(atom, size) or _far(atom, levels[row], size):
            row = min(range(len(levels)), key=lambda at: abs(levels[at] - _level(atom)))
        rows[row] += [*waiting, atom]
        waiting = []
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
    pitch: Pitch,
) -> bool:
    """Whether two lines in brackets are a binomial's: TeX sets the rows of a matrix as far apart as lines of text.

    The brackets of a matrix cover nine tenths of its rows at least; its rows are further apart if what is in them is
    higher or deeper than a line of text.
    """
    if len(levels) != 2 or names != ("(", ")"):
        return False
    size = max(atom.size for row in rows for atom in row)
    apart, bracket = levels[1] - levels[0], brackets[0]
    if size < _SCRIPT * bracket.size:
        return True
    if bracket.family.font == "mathjax":
        raise Doubt("its two lines may be a matrix or a binomial")  # the lines of both are as far apart
    if bracket.ink[3] - bracket.ink[1] < _COVERED * apart:
        return True
    if brackets[0].family.font == "browser":
        between = apart - (max(atom.ink[3] for atom in rows[0]) - levels[0])
        between -= levels[1] - min(atom.ink[1] for atom in rows[1])
        return not _PADDED[0] * size < between < _PADDED[1] * size
    if pitch.office:
        _doubt_vector(rows)
        return not _MATRIX * size < apart < _BINOMIAL * size
    if any(_are_lines(rows, levels, line) for line in pitch.distances):
        return False
    if any(abs(apart - one * size) < _NEARLY * size for one in _BINOMIALS):
        return True
    if pitch.distances and apart < (1 - _ROUNDED) * min(pitch.distances):
        return True  # no matrix has its rows closer than lines
    if pitch.distances:
        raise Doubt("its two lines may be a matrix or a binomial")
    return False


def _doubt_vector(rows: Sequence[Sequence[Atom]]) -> None:
    """Doubt two numbers below each other: office programs set a vector as they set a binomial."""
    if all(atom.node_kind in ("digit", "bin") for row in rows for atom in row):
        raise Doubt("its two lines may be a matrix or a binomial")


def _are_lines(rows: Sequence[Sequence[Atom]], levels: Sequence[float], line: float) -> bool:
    """Whether two rows are as far apart as lines of text with this distance."""
    apart = levels[1] - levels[0]
    deep = max(0.0, max(atom.ink[3] for atom in rows[0]) - levels[0] - _DEEP * line)
    high = max(0.0, levels[1] - min(atom.ink[1] for atom in rows[1]) - (1 - _DEEP) * line)
    more = apart - line - deep - high
    # What seems to be too high for a line may have a little less of height than of ink.
    exact = abs(apart - line) < _EXACT * line
    return exact or (deep + high > 0 and -_ROUNDED * line < more < _ABOVE * line)


def _fit(rows: Sequence[Sequence[Sequence[Atom]]], size: float) -> bool:
    """Whether the parts of small rows stand right below each other, as those of a small matrix do."""
    middles = [[(part[0].x0 + part[-1].x1) / 2 for part in row] for row in rows]
    if len({len(row) for row in rows}) != 1 or len(rows[0]) < 2:
        return False
    return all(max(column) - min(column) < _BELOW * size for column in zip(*middles, strict=True))


def _is_wide(atoms: Sequence[Atom], size: float) -> bool:
    """Whether one row has gaps as between columns, and no commas that would make it a list."""
    return len(_chunks(atoms, size)) > 1 and not any(atom.node_kind == "punct" for atom in atoms)


def _chunks(row: Sequence[Atom], size: float, gap: float = _COLUMN) -> list[list[Atom]]:
    chunks: list[list[Atom]] = []
    right = 0.0
    # What stands below a large sign may begin far to its left.
    lefts = [*accumulate((atom.x0 for atom in reversed(row)), min)][::-1]
    for atom, left in zip(row, lefts, strict=True):
        if not chunks or left - right > gap * size:
            chunks.append([])
            right = atom.x1
        chunks[-1].append(atom)
        right = max(right, atom.x1)
    return chunks


def _columns(rows: Sequence[Sequence[Sequence[Atom]]]) -> list[tuple[float, float]]:
    """The columns that all rows together show."""
    spans = sorted((union(atom.ink for atom in chunk) for row in rows for chunk in row), key=lambda box: box[0])
    columns: list[tuple[float, float]] = []
    for x0, _, x1, _ in spans:
        if columns and x0 < columns[-1][1]:
            columns[-1] = (columns[-1][0], max(columns[-1][1], x1))
        else:
            columns.append((x0, x1))
    return columns


_DEEPEST = 24
#: What the text's font has in formulas: the dash of a charge and the hyphen of a name.
_DASHES = {"\u2013": Sign("-", "ord"), "-": Sign(r"\text{-}", "ord")}


@dataclass(slots=True)
class Layout:
    """Builds trees of stretches of a page's letters; ``letters`` and ``rules`` are the indices it has used.

    ``pitch`` is the distance of the page's lines.
    """

    glyphs: Sequence[Glyph]
    letters: list[int]
    rules: list[int]
    pitch: Pitch = NO_PITCH
    depth: int = 0

    def atoms(self, first: int, last: int, spans: Sequence[Span]) -> list[Atom]:
        """The parts of a stretch: its letters, and as one part each what a span holds."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise Doubt("its parts are nested too deeply")
        found: list[Atom] = []
        inner = {span.first: span for span in spans if first <= span.first and span.last <= last}
        at = first
        while at <= last:
            span = inner.get(at)
            if span is None:
                found.append(self.letter(at))
                at += 1
            else:
                found.append(self.part(span))
                at = span.last + 1
        self.depth -= 1
        return found

    def letter(self, at: int) -> Atom:
        """One letter."""
        glyph = self.glyphs[at]
        sign = glyph.sign or _DASHES.get(glyph.char)
        if sign is None:
            raise Doubt("it holds a sign without a name")
        self.letters += glyph.ids
        return Atom(Leaf(sign.latex, sign.kind), glyph.x0, glyph.x1, glyph.ink, glyph.level, glyph.size, glyph)

    def row(self, first: int, last: int, spans: Sequence[Span]) -> Node:
        """The tree of a stretch."""
        return lay_row(self.atoms(first, last, spans))

    def part(self, span: Span) -> Atom:
        """The tree of a span."""
        if span.kind == "fence":
            return self.fence(span)
        if span.kind == "brace":
            return self.brace(span)
        if span.rule is None:
            raise Doubt("a part of it has no rule")
        self.rules.append(span.rule.at)
        whole = self.glyphs[span.first : span.last + 1]
        x0, y0, x1, y1 = union(glyph.ink for glyph in whole)
        x0, y0, x1, y1 = min(x0, span.rule.x0), min(y0, span.rule.y0), max(x1, span.rule.x1), max(y1, span.rule.y1)
        size = max(glyph.size for glyph in whole)
        if span.kind == "frac":
            above = self.row(span.first, span.middle - 1, span.inner)
            below = self.row(span.middle, span.last, span.inner)
            atom = Atom(Fraction(above, below), x0, x1, (x0, y0, x1, y1), span.rule.y + AXIS * size, size)
            atom.axis = span.rule.y
            return atom
        if span.kind == "root":
            return self.root(span, (x0, y0, x1, y1))
        command = r"\overline" if span.kind == "over" else r"\underline"
        atoms = self.atoms(span.first, span.last, span.inner)
        level, size = main_level(atoms)
        return Atom(Decorated(command, lay_row(atoms)), span.rule.x0, span.rule.x1, (x0, y0, x1, y1), level, size)

    def root(self, span: Span, ink: tuple[float, float, float, float]) -> Atom:
        """A root; its index stands before its sign, right behind it or behind what its bar covers."""
        last = span.last - span.behind
        index = self.row(span.first, span.middle - 1, span.inner) if span.middle > span.first else None
        if span.inside > span.middle + 1:
            index = self.row(span.middle + 1, span.inside - 1, span.inner)
        if span.behind:
            index = self.row(last + 1, span.last, span.inner)
        self.letters += self.glyphs[span.middle].ids
        atoms = self.atoms(span.inside, last, span.inner)
        level, size = main_level(atoms)
        found = Atom(Root(lay_row(atoms), index), ink[0], ink[2], ink, level, size)
        if all(atom.axis is not None for atom in atoms):
            found.axis, found.size = atoms[0].axis, self.glyphs[span.middle].size
        return found

    def brace(self, span: Span) -> Atom:
        """A horizontal brace with what it embraces and its note."""
        glyph = self.glyphs[span.middle]
        if span.rule is None or glyph.sign is None:
            raise Doubt("its brace is not known")
        self.letters += glyph.ids
        self.rules += [rule.at for rule in span.own]
        over = glyph.sign.latex == r"\braceld"
        parts = [(span.first, span.middle - 1), (span.middle + 1, span.last)]
        parts = [(first, last) for first, last in parts if first <= last]
        below = [self.glyphs[first].ink[1] > span.rule.y for first, _ in parts]
        inside = [part for part, low in zip(parts, below, strict=True) if low == over]
        notes = [part for part, low in zip(parts, below, strict=True) if low != over]
        if len(inside) != 1 or len(notes) > 1:
            raise Doubt("its brace stands alone")
        atoms = self.atoms(*inside[0], span.inner)
        level, size = main_level(atoms)
        node: Node = Decorated(r"\overbrace" if over else r"\underbrace", lay_row(atoms))
        if notes:
            note = self.row(*notes[0], span.inner)
            node = Scripts(node, over=note) if over else Scripts(node, under=note)
        box = union(one.ink for one in self.glyphs[span.first : span.last + 1])
        return Atom(node, glyph.x0, glyph.x1, box, level, size)

    def fence(self, span: Span) -> Atom:
        """What stands between tall brackets: rows of cells, a binomial, or one row."""
        closed = span.middle == 0
        left, right = self.glyphs[span.first], self.glyphs[span.last]
        self.letters += left.ids + (right.ids if closed else [])
        last = span.last - 1 if closed else span.last
        if last < span.first + 1:
            raise Doubt("its brackets are empty")
        atoms = self.atoms(span.first + 1, last, span.inner)
        names = (left.sign.latex if left.sign else "", right.sign.latex if right.sign and closed else "")
        node: Node | None = array_of(atoms, names, (left, right if closed else None), lay_row, self.pitch)
        if node is None:
            if not closed:
                raise Doubt("a tall bracket has no partner")
            node = Fenced(names[0], names[1], lay_row(atoms))
        x0, y0, x1, y1 = union([left.ink, right.ink, *(atom.ink for atom in atoms)])
        edge = right.x1 if closed else max(atom.x1 for atom in atoms)
        atom = Atom(node, left.x0, edge, (x0, y0, x1, y1), left.level, left.size)
        atom.axis = left.level - AXIS * left.size
        return atom
