"""The tree of a formula from its letters and rules: every one of them is used exactly once, or there is a doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from operators.pdf.formulas.arrays import array_of
from operators.pdf.formulas.atoms import Atom, box_of, join_names
from operators.pdf.formulas.glyphs import AXIS, Doubt, Glyph
from operators.pdf.formulas.latex import pair
from operators.pdf.formulas.spans import Span
from operators.pdf.formulas.tree import Decorated, Fenced, Fraction, Leaf, Node, Root, Row, Scripts

_DEEPEST = 24
#: Accents wider than this, in ems, stretch over several letters.
_WIDE = 0.52
#: What accents are called over several letters.
_LONG = {r"\hat": r"\widehat", r"\tilde": r"\widetilde", r"\bar": r"\overline", r"\vec": r"\overrightarrow"}


@dataclass(slots=True)
class Layout:
    """Builds trees of stretches of a page's letters; ``letters`` and ``rules`` are the indices it has used."""

    glyphs: Sequence[Glyph]
    letters: list[int]
    rules: list[int]
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
        if glyph.sign is None:
            raise Doubt("it holds a sign without a name")
        self.letters += glyph.ids
        return Atom(Leaf(glyph.sign.latex, glyph.kind), glyph.x0, glyph.x1, glyph.ink, glyph.level, glyph.size, glyph)

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
        x0, y0, x1, y1 = box_of(glyph.ink for glyph in whole)
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
        """A root; its index stands before its sign."""
        index = self.row(span.first, span.middle - 1, span.inner) if span.middle > span.first else None
        if span.inside > span.middle + 1:
            index = self.row(span.middle + 1, span.inside - 1, span.inner)
        self.letters += self.glyphs[span.middle].ids
        atoms = self.atoms(span.inside, span.last, span.inner)
        level, size = main_level(atoms)
        return Atom(Root(lay_row(atoms), index), ink[0], ink[2], ink, level, size)

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
        box = box_of(one.ink for one in self.glyphs[span.first : span.last + 1])
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
        node: Node | None = array_of(atoms, names, (left, right if closed else None), lay_row)
        if node is None:
            if not closed:
                raise Doubt("a tall bracket has no partner")
            node = Fenced(names[0], names[1], lay_row(atoms))
        x0, y0, x1, y1 = box_of([left.ink, right.ink, *(atom.ink for atom in atoms)])
        edge = right.x1 if closed else max(atom.x1 for atom in atoms)
        atom = Atom(node, left.x0, edge, (x0, y0, x1, y1), left.level, left.size)
        atom.axis = left.level - AXIS * left.size
        return atom


def main_level(atoms: Sequence[Atom]) -> tuple[float, float]:
    """The baseline of a row, which most of its large letters share, and their size."""
    # TeX has large signs and brackets in one size of font for all sizes of text.
    own = [atom for atom in atoms if not (atom.glyph and atom.glyph.floating)]
    size = max(atom.size for atom in own or atoms)
    large = [atom for atom in own or atoms if atom.size > 0.9 * size]
    firm = [atom for atom in large if atom.axis is None and not (atom.glyph and atom.glyph.floating)]
    votes: dict[float, float] = {}
    for atom in firm or large:
        near = next((level for level in votes if abs(level - atom.level) < 0.1 * size), atom.level)
        votes[near] = votes.get(near, 0.0) + (1 if atom.is_accent else 10)
    level = max(votes, key=lambda level: votes[level])
    centred = [atom for atom in atoms if atom.glyph and atom.glyph.floating and atom.node_kind != "radical"]
    if centred and all(abs(centre - (level - AXIS * size)) > 0.2 * size for centre in map(_middle, centred)):
        # Nothing but scripts stands beside the large signs.
        return centred[0].level, centred[0].size
    return level, size


def _middle(atom: Atom) -> float:
    return (atom.ink[1] + atom.ink[3]) / 2


def lay_row(atoms: Sequence[Atom]) -> Node:
    """The tree of parts on one line, with their scripts, limits and accents."""
    if not atoms:
        raise Doubt("a part is empty")
    atoms = join_names(_accented(list(atoms)))
    if all(atom.node_kind == "prime" for atom in atoms):
        return Row([atom.node for atom in atoms], [0.0] * len(atoms))
    level, size = main_level([atom for atom in atoms if atom.node_kind != "prime"])
    if not any(_is_main(atom, level, size) for atom in atoms):
        raise Doubt("it has no line that its parts stand on")
    hosts: list[Atom | None] = []
    groups: list[list[list[Atom]]] = []
    pending: list[Atom] = []
    for atom in atoms:
        if _is_main(atom, level, size):
            hosts.append(atom)
            groups.append([])
            if pending:
                for one in pending:
                    _add_script(groups[-1], one)
                pending = []
        elif pending or _waits(atom, atoms, hosts, level, size):
            pending.append(atom)
        else:
            if not hosts:
                hosts.append(None)
                groups.append([])
            _add_script(groups[-1], atom)
    if pending:
        if not hosts:
            raise Doubt("a script has no base")
        for atom in pending:
            _add_script(groups[-1], atom)
    return _assembled(hosts, groups, level, size)


def _is_main(atom: Atom, level: float, size: float) -> bool:
    if atom.axis is not None:
        return abs(atom.axis - (level - AXIS * size)) < 0.11 * size
    if atom.glyph is not None and atom.glyph.floating:
        return abs((atom.ink[1] + atom.ink[3]) / 2 - (level - AXIS * size)) < 0.2 * size
    if atom.node_kind == "prime":
        return False
    return atom.size > 0.85 * size and abs(atom.level - level) < 0.1 * size


def _waits(atom: Atom, atoms: Sequence[Atom], hosts: Sequence[Atom | None], level: float, size: float) -> bool:
    """Whether a raised part stands above the main letter that follows it, as the upper limit of a sum does."""
    place = next(at for at, one in enumerate(atoms) if one is atom)
    following = next((one for one in atoms[place + 1 :] if _is_main(one, level, size)), None)
    if following is None or atom.size > 0.85 * following.size:
        return False
    if atom.level > level:
        return following.node_kind == "op" and atom.ink[1] > following.ink[3] - 0.08 * size
    last = next((one for one in reversed(hosts) if one is not None), None)
    if last is not None and atom.x0 < last.ink[2] - 0.1 * size:
        return False
    end = next(at for at, one in enumerate(atoms) if one is following)
    limit = box_of(one.ink for one in atoms[place:end])
    over = min(limit[2], following.ink[2]) - max(limit[0], following.ink[0])
    return limit[3] < following.ink[1] + 0.08 * size and over > 0


def _add_script(groups: list[list[Atom]], atom: Atom) -> None:
    """Put a small part to the group that it goes on with; one that goes back to the left begins another."""
    if not groups or atom.x0 < groups[-1][-1].x0 - 0.01 or _changes_side(groups[-1], atom):
        groups.append([atom])
    else:
        groups[-1].append(atom)


def _changes_side(group: Sequence[Atom], atom: Atom) -> bool:
    first = group[0]
    return abs(atom.size - first.size) < 0.1 * first.size and abs(atom.level - first.level) > 0.55 * first.size


def _assembled(
    hosts: Sequence[Atom | None], groups: Sequence[Sequence[Sequence[Atom]]], level: float, size: float
) -> Node:
    row = Row()
    right: float | None = None
    left_sign: tuple[str, float] | None = None
    for host, own in zip(hosts, groups, strict=True):
        node: Node = host.node if host is not None else Leaf("{}", "ord")
        x0 = host.x0 if host is not None else own[0][0].x0
        if own:
            node = _scripted(host, node, own, level, size)
        gap = (x0 - right) / size if right is not None else 0.0
        joined = None
        if left_sign is not None and isinstance(node, Leaf) and gap < (-0.3 if left_sign[0] == "/" else 0.03):
            joined = pair(left_sign[0], node.latex)
        if joined is not None:
            node = row.parts[-1] = Leaf(joined, "rel")
        else:
            row.parts.append(node)
            row.gaps.append(gap)
        left_sign = (node.latex, x0) if isinstance(node, Leaf) else None
        right = max([host.x1 if host is not None else x0, *(atom.x1 for group in own for atom in group)])
    _check_signs(row)
    return row.parts[0] if len(row.parts) == 1 else row


def _check_signs(row: Row) -> None:
    for at, part in enumerate(row.parts):
        if isinstance(part, Scripts) and isinstance(part.base, Leaf) and part.base.kind == "open":
            after = row.parts[at + 1] if at + 1 < len(row.parts) else None
            if not (part.upper and part.lower and isinstance(after, Leaf) and after.latex == ")"):
                raise Doubt("a script has no base")
            row.parts[at], row.parts[at + 1] = Fraction(part.upper, part.lower, bar=False), Leaf("", "ord")
    for part in row.parts:
        if isinstance(part, Leaf) and part.kind in ("overbrace", "piece", "radical", "accent", "slash_piece"):
            raise Doubt("a piece of a sign stands alone")
        if isinstance(part, Scripts) and isinstance(part.base, Leaf) and part.base.latex == "-" and part.over:
            raise Doubt("an arrow is stretched over words")
        if isinstance(part, Leaf) and part.latex in (r"\mapstochar", r"\lhook", r"\rhook", r"\not"):
            raise Doubt("a sign is put together in a way that is not known")
    dots = [at for at, part in enumerate(row.parts) if isinstance(part, Leaf) and part.latex == "."]
    for first in [at for at in dots if at + 1 in dots and at + 2 in dots and at - 1 not in dots]:
        row.parts[first] = Leaf(r"\ldots", "ord")
        row.parts[first + 1] = row.parts[first + 2] = Leaf("", "ord")
    points = [at for at, part in enumerate(row.parts) if isinstance(part, Leaf) and part.latex == r"\cdot"]
    for first in [at for at in points if at + 1 in points and at + 2 in points and at - 1 not in points]:
        row.parts[first] = Leaf(r"\cdots", "ord")
        row.parts[first + 1] = row.parts[first + 2] = Leaf("", "ord")


def _scripted(host: Atom | None, node: Node, groups: Sequence[Sequence[Atom]], level: float, size: float) -> Node:
    """A base with its scripts: of two, TeX writes the upper one first."""
    found = Scripts(node)
    for group in groups:
        where = _where(host, group, level, size)
        if getattr(found, where) is not None:
            raise Doubt("two scripts stand at one place")
        setattr(found, where, lay_row(group))
    return found


def _where(host: Atom | None, group: Sequence[Atom], level: float, size: float) -> str:
    x0, y0, x1, y1 = box_of(atom.ink for atom in group)
    if host is not None:
        wide = max(x1 - x0, host.ink[2] - host.ink[0])
        centred = abs((x0 + x1) / 2 - (host.ink[0] + host.ink[2]) / 2) < 0.15 * wide + 0.12 * size
        if y1 < host.ink[1] + 0.05 * size and centred and x0 < host.ink[2] - 0.2 * (host.ink[2] - host.ink[0]):
            return "over"
        if y0 > host.ink[3] - 0.05 * size and centred and x0 < host.ink[2] - 0.2 * (host.ink[2] - host.ink[0]):
            return "under"
    first = group[0]
    middle = host.level if host is not None and host.axis is None else level
    if first.axis is not None:
        return "upper" if first.axis < middle - AXIS * size else "lower"
    return "upper" if first.level < middle - 0.02 * size or first.node_kind == "prime" else "lower"


def _accented(atoms: list[Atom]) -> list[Atom]:
    """Parts with the accents over them: TeX writes an accent right before what it stands on."""
    found: list[Atom] = []
    at = 0
    while at < len(atoms):
        atom = atoms[at]
        if not atom.is_accent:
            found.append(atom)
            at += 1
            continue
        end = at + 1
        wide = atom.ink[2] - atom.ink[0] > _WIDE * atom.size
        while end < len(atoms) and (end == at + 1 or _stretches(atoms[at + 1 : end + 1], atom, wide)):
            end += 1
        held = atoms[at + 1 : end]
        if not held or not _under(held[0], atom):
            raise Doubt("an accent stands over nothing")
        inside = lay_row(held) if len(held) > 1 else held[0].node
        level, size = main_level(held)
        box = box_of([atom.ink, *(one.ink for one in held)])
        command = atom.node.latex if isinstance(atom.node, Leaf) else ""
        if len(held) > 1 and wide:
            command = _LONG.get(command, command)
        found.append(Atom(Decorated(command, inside), held[0].x0, held[-1].x1, box, level, size))
        at = end
    return found


def _stretches(held: Sequence[Atom], accent: Atom, wide: bool) -> bool:
    """Whether an accent belongs to one more part: it lies over it, or is centred over all of them."""
    if wide:
        return _under(held[-1], accent)
    middle = (accent.ink[0] + accent.ink[2]) / 2
    return (held[0].x0 + held[-2].x1) / 2 < middle - 0.27 * accent.size and _is_main(
        held[-1], held[0].level, held[0].size
    )


def _under(atom: Atom, accent: Atom) -> bool:
    middle = (atom.ink[0] + atom.ink[2]) / 2
    slack = 0.3 * atom.size if atom.size > 0.9 * accent.size else 0.0
    over = accent.ink[0] - slack < middle < accent.ink[2] + slack
    return over and accent.ink[3] < (atom.ink[1] + atom.ink[3]) / 2 + 0.1 * atom.size
