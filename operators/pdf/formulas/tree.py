"""The tree of a formula, what stands beside, over, under and inside of what, and how LaTeX writes it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

from dataflow_ext.boxes import union
from operators.pdf.formulas.glyphs import Box, Doubt, Glyph
from operators.pdf.formulas.signs import names, short_words


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


@dataclass(slots=True)
class Leaf:
    """One sign or word as LaTeX writes it."""

    latex: str
    kind: str


@dataclass(slots=True)
class Row:
    """Parts beside each other; ``gaps`` are the spaces before them, in ems."""

    parts: list[Node] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)


@dataclass(slots=True)
class Fraction:
    """A quotient; without a bar, two lines in brackets as a binomial has them."""

    above: Node
    below: Node
    bar: bool = True


@dataclass(slots=True)
class Root:
    """A root of what its bar covers."""

    inside: Node
    index: Node | None = None


@dataclass(slots=True)
class Scripts:
    """A base with what stands at its upper and lower right, or above and below it."""

    base: Node
    upper: Node | None = None
    lower: Node | None = None
    over: Node | None = None
    under: Node | None = None


@dataclass(slots=True)
class Decorated:
    """Something under an accent, a line or a brace."""

    command: str
    inside: Node


@dataclass(slots=True)
class Fenced:
    """Something between brackets that are as tall as it is."""

    left: str
    right: str
    inside: Node


@dataclass(slots=True)
class Array:
    """Rows of cells between brackets; empty cells are None."""

    left: str
    right: str
    rows: list[list[Node | None]]


@dataclass(slots=True)
class Stack:
    """Lines below each other under or over a sign."""

    rows: list[Node]


Node: TypeAlias = Leaf | Row | Fraction | Root | Scripts | Decorated | Fenced | Array | Stack


_MATRICES = {
    ("(", ")"): "pmatrix",
    ("[", "]"): "bmatrix",
    (r"\{", r"\}"): "Bmatrix",
    ("|", "|"): "vmatrix",
    (r"\|", r"\|"): "Vmatrix",
    (r"\{", ""): "cases",
    ("", ""): "matrix",
}
_BREAK = r"\\"
_COMMAND_END = re.compile(r"\\[A-Za-z]+$")
#: An upright word, of which a limit stands below.
_WORD = re.compile(r"\\mathrm\{([A-Za-z]+)\}")
#: From this gap on, in ems, a space is told; it is what ``\quad`` sets.
_QUAD = 0.95
#: Signs that TeX sets from two: what they are together.
_PAIRS = {
    (r"\not", "="): r"\ne",
    ("=", r"\not"): r"\ne",
    (r"\not", r"\in"): r"\notin",
    ("/", r"\in"): r"\notin",
    (r"\in", "/"): r"\notin",
    (r"\mapstochar", r"\to"): r"\mapsto",
    (r"\lhook", r"\to"): r"\hookrightarrow",
    (r"\leftarrow", r"\rhook"): r"\hookleftarrow",
    ("=", r"\Rightarrow"): r"\Longrightarrow",
    (r"\Leftarrow", "="): r"\Longleftarrow",
    ("-", r"\to"): r"\longrightarrow",
    ("-", r"\longrightarrow"): r"\longrightarrow",
    (r"\leftarrow", "-"): r"\longleftarrow",
    (r"\leftarrow", r"\to"): r"\longleftrightarrow",
    (r"\Leftarrow", r"\Rightarrow"): r"\iff",
    ("|", "="): r"\models",
    (r"\mapstochar", r"\longrightarrow"): r"\longmapsto",
}


def latex(node: Node) -> str:
    """The LaTeX of a tree.

    >>> print(latex(Fraction(Leaf("1", "digit"), Row([Leaf(r"\\alpha", "letter"), Leaf("x", "letter")], [0, 0]))))
    \\frac{1}{\\alpha x}
    """
    if isinstance(node, Leaf):
        return node.latex
    if isinstance(node, Row):
        return _row(node)
    if isinstance(node, Fraction):
        return f"\\{'frac' if node.bar else 'binom'}{{{latex(node.above)}}}{{{latex(node.below)}}}"
    if isinstance(node, Root):
        index = f"[{latex(node.index)}]" if node.index is not None else ""
        return f"\\sqrt{index}{{{latex(node.inside)}}}"
    if isinstance(node, Decorated):
        return f"{node.command}{{{latex(node.inside)}}}"
    if isinstance(node, Fenced):
        return _joined([f"\\left{node.left or '.'}", latex(node.inside), f"\\right{node.right or '.'}"])
    if isinstance(node, Array):
        return _array(node)
    if isinstance(node, Stack):
        return f"\\substack{{{_BREAK.join(latex(row) for row in node.rows)}}}"
    return _scripts(node)


def _row(row: Row) -> str:
    pieces: list[str] = []
    for at, part in enumerate(row.parts):
        text = latex(part)
        gap = row.gaps[at] if at < len(row.gaps) else 0.0
        if at and gap >= _QUAD and not _is_relation(part) and not _is_relation(row.parts[at - 1]):
            pieces.append(r"\quad")
        pieces.append(text)
    return _joined(pieces)


def _is_relation(node: Node) -> bool:
    return isinstance(node, Leaf) and node.kind == "rel"


def _joined(pieces: list[str]) -> str:
    """Pieces side by side, with a blank only where a command would run into a letter."""
    text = ""
    for piece in pieces:
        if piece and text and _COMMAND_END.search(text) and piece[0].isalpha():
            text += " "
        text += piece
    return text


def _scripts(node: Scripts) -> str:
    base = latex(node.base)
    limits = isinstance(node.base, Leaf) and node.base.kind in ("op", "limits")
    if node.over is not None or node.under is not None:
        if isinstance(node.base, Decorated) and "brace" in node.base.command:
            limits = True
        named = _WORD.fullmatch(base)
        if named and node.over is None:
            base, limits = f"\\operatorname*{{{named[1]}}}", True
        if not limits:
            if node.over is not None:
                base = f"\\overset{{{latex(node.over)}}}{{{base}}}"
            if node.under is not None:
                base = f"\\underset{{{latex(node.under)}}}{{{base}}}"
            return base + _marks(node.upper, node.lower)
        if isinstance(node.base, Leaf) and node.base.latex in (r"\int", r"\oint", r"\iint", r"\iiint"):
            base += r"\limits"
        return base + _marks(node.over, node.under) + _marks(node.upper, node.lower)
    if isinstance(node.base, (Scripts, Fraction)) or (isinstance(node.base, Row) and len(node.base.parts) > 1):
        base = f"{{{base}}}"
    return base + _marks(node.upper, node.lower)


def _marks(upper: Node | None, lower: Node | None) -> str:
    text = f"_{_argument(latex(lower))}" if lower is not None else ""
    if upper is None:
        return text
    primes = latex(upper)
    if re.fullmatch(r"(?:'|\\prime(?![a-zA-Z]))+", primes):
        return "'" * len(re.findall(r"'|\\prime", primes)) + text
    return f"{text}^{_argument(primes)}"


def _argument(text: str) -> str:
    return text if len(text) == 1 else f"{{{text}}}"


def _array(node: Array) -> str:
    rows = _BREAK.join("&".join("" if cell is None else latex(cell) for cell in row) for row in node.rows)
    name = _MATRICES.get((node.left, node.right))
    if name is not None:
        return f"\\begin{{{name}}}{rows}\\end{{{name}}}"
    return f"\\left{node.left or '.'}\\begin{{matrix}}{rows}\\end{{matrix}}\\right{node.right or '.'}"


def pair(one: str, two: str) -> str | None:
    """What two signs are together, None if they are two.

    >>> pair("=", r"\\Rightarrow") is None, pair("", "")
    (False, None)
    """
    if one == r"\not" and two.startswith("\\") and (one, two) not in _PAIRS:
        return f"\\not{two}"
    return _PAIRS.get((one, two))
