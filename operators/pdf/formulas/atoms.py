"""The parts of a row before it is a tree, with their places, and what these prove of the tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from dataflow_ext.boxes import union
from operators.pdf.formulas.glyphs import Box, Doubt, Glyph
from operators.pdf.formulas.signs import names, short_words
from operators.pdf.formulas.tree import Fraction, Leaf, Node


@dataclass(slots=True, eq=False)
class Atom:
    """A part of a row: its tree, its advance from ``x0`` to ``x1``, its ink, its baseline and its size.

    ``axis`` is the height of its bar or the middle of its brackets, which counts instead of the baseline.
    """

    node: Node
    x0: float
    x1: float
    ink: Box
    level: float
    size: float
    glyph: Glyph | None = None
    axis: float | None = None

    @property
    def node_kind(self) -> str:
        """The kind of its sign, empty for what is put together."""
        return self.node.kind if isinstance(self.node, Leaf) else ""

    @property
    def is_accent(self) -> bool:
        """Whether it stands over what follows it."""
        return self.node_kind == "accent"

    @property
    def upright(self) -> bool:
        """Whether it is a letter of the text's font."""
        glyph = self.glyph
        if glyph is None or glyph.family.encoding == "ITALIC":
            return False
        if glyph.family.encoding == "UNICODE":
            # The letters of formulas have places of their own in OpenType's fonts; the others are upright.
            return glyph.char.isascii() and glyph.char.isalpha()
        return not glyph.maths and glyph.char.isalpha()


def join_names(atoms: Sequence[Atom]) -> list[Atom]:
    """The parts with upright letters that go on from each other as one: names of functions and words."""
    found: list[Atom] = []
    words: list[tuple[Atom, list[Glyph]]] = []
    for atom in atoms:
        last = words[-1] if words and found and found[-1] is words[-1][0] else None
        if atom.upright and atom.glyph is not None:
            if last is not None and _goes_on(last[0], last[1], atom):
                whole, letters = last
                letters.append(atom.glyph)
                whole.x1, whole.ink = atom.x1, union([whole.ink, atom.ink])
                continue
            whole = Atom(atom.node, atom.x0, atom.x1, atom.ink, atom.level, atom.size, atom.glyph)
            words.append((whole, [atom.glyph]))
            found.append(whole)
        else:
            found.append(atom)
    for whole, letters in words:
        whole.node = _word(letters)
        whole.glyph = None
    return _compound(found)


#: Names of two words.
_COMPOUNDS = {(r"\lim", r"\inf"): r"\liminf", (r"\lim", r"\sup"): r"\limsup"}


def _compound(atoms: list[Atom]) -> list[Atom]:
    """The parts with names of two words as one."""
    found: list[Atom] = []
    for atom in atoms:
        last = found[-1] if found else None
        if last and isinstance(last.node, Leaf) and isinstance(atom.node, Leaf) and atom.x0 - last.x1 < 0.3 * atom.size:
            name = _COMPOUNDS.get((last.node.latex, atom.node.latex))
            if name:
                ink = union([last.ink, atom.ink])
                found[-1] = Atom(Leaf(name, "limits"), last.x0, atom.x1, ink, last.level, last.size)
                continue
        found.append(atom)
    return found


def _goes_on(whole: Atom, letters: Sequence[Glyph], atom: Atom) -> bool:
    if abs(atom.level - whole.level) > 0.02 * whole.size or abs(atom.size - whole.size) > 0.02 * whole.size:
        return False
    if atom.glyph is None or atom.glyph.family != letters[0].family:
        return False
    gap = (atom.x0 - whole.x1) / whole.size
    if gap < 0.1:
        return True
    # Words of a remark keep together; a thin space parts the names of functions.
    return gap < 0.6 and _spelled(letters) not in names() and len(letters) > 1


def _spelled(letters: Sequence[Glyph]) -> str:
    return "".join(glyph.char for glyph in letters)


def _word(letters: Sequence[Glyph]) -> Leaf:
    text = letters[0].char
    for one, two in pairwise(letters):
        text += (" " if two.x0 - one.x1 > 0.15 * one.size else "") + two.char
    style = letters[0].family.style
    if text in names() and not (style and names()[text][0].startswith(r"\operatorname")):
        latex, limits = names()[text]
        return Leaf(latex, "limits" if limits else "name")
    if style == "mathit" and (" " in text or text in short_words()):
        return Leaf(f"\\text{{{text}}}", "text")  # of a text in italics
    if style:
        return Leaf(f"\\{style}{{{text}}}", "name")
    if not text.isascii() or (len(text) > 1 and (" " in text or len(text) > 4)):
        return Leaf(f"\\text{{{text}}}", "text")
    return Leaf(f"\\mathrm{{{text}}}", "name")


#: Scripts have at most this share of their row's size; below the least size, in points, TeX sets all alike.
_SCRIPT = 0.92
LEAST = 6.7
#: In ems: how far a script stands behind its base, how far two parts of a row may lie over each other.
_BEHIND = 0.4
_OVERLAP = 0.45


def prove_row(hosts: Sequence[Atom | None], groups: Sequence[Sequence[Sequence[Atom]]], size: float) -> None:
    """Raise :class:`Doubt` where the scripts of a row are too large or too far off, or its parts in another order."""
    right: float | None = None
    for host, own in zip(hosts, groups, strict=True):
        if host and any(one.axis is not None and one.size > _SCRIPT * host.size for group in own for one in group):
            raise Doubt("a script of it is as large as its base")
        if own and size > LEAST:
            small = [atom for group in own for atom in group if atom.node_kind not in ("prime", "accent")]
            if any(atom.size > _SCRIPT * size and not _floats(atom) for atom in small):
                raise Doubt("a script of it is as large as its base")
        if host is None:
            continue
        if own and (host.node_kind == "punct" or (isinstance(host.node, Fraction) and host.node.bar)):
            raise Doubt("a script stands on what has none")
        if own and any(group[0].x0 - max(host.x1, host.ink[2]) > _BEHIND * size for group in own):
            raise Doubt("a script of it stands far from its base")
        if right is not None and host.x0 < right - _OVERLAP * size:
            raise Doubt("its parts stand over each other")
        right = host.x1


def _floats(atom: Atom) -> bool:
    return atom.glyph is not None and atom.glyph.floating
