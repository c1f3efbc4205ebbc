"""The tree of a formula, what stands beside, over, under and inside of what, and how LaTeX writes it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeAlias


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
