"""Parts on one line as a tree: their scripts, limits, accents and primes, and signs that are set from two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dataflow_ext.boxes import union
from operators.pdf.formulas.glyphs import AXIS, Doubt
from operators.pdf.formulas.tree import (
    LEAST,
    Atom,
    Decorated,
    Fraction,
    Leaf,
    Node,
    Row,
    Scripts,
    Stack,
    join_names,
    pair,
    prove_row,
)

#: No script stands so close, in ems, to the baseline of what it belongs to: what does stands on that line.
_ON_LINE = 0.01
#: Scripts of scripts are smaller.
_SCRIPT = 0.6
#: The least shift, in ems, of a script that a group with scripts has, against those.
_RAISED = 0.2
#: How far, in ems, the middles of two lines below a sign are apart, twice, and their ink.
_CENTRED, _LINES = 0.4, 0.6
#: Accents wider than this, in ems, stretch over several letters.
_WIDE = 0.52
#: The arrow over one letter has one width, up to this in some fonts; the one over several is longer.
_VEC, _ARROW = Leaf(r"\vec", "accent"), 0.7
#: How far, in ems, an accent may be from the middle of upright letters, and of italic ones, which lean to the right.
_UPRIGHT, _LEANING = 0.06, 0.27
#: What accents are called over several letters.
_LONG = {r"\hat": r"\widehat", r"\tilde": r"\widetilde", r"\bar": r"\overline", r"\vec": r"\overrightarrow"}


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
    large_signs = bool(centred) and centred[0].size > 0.9 * size
    if large_signs and all(abs(centre - (level - AXIS * size)) > 0.2 * size for centre in map(_middle, centred)):
        # Nothing but scripts stands beside the large signs.
        return centred[0].level, centred[0].size
    return level, size


def _middle(atom: Atom) -> float:
    return (atom.ink[1] + atom.ink[3]) / 2


#: Signs that are a row by themselves.
_ALONE = ("letter", "digit")


def lay_row(atoms: Sequence[Atom]) -> Node:
    """The tree of parts on one line, with their scripts, limits and accents."""
    if not atoms:
        raise Doubt("a part is empty")
    if len(atoms) == 1 and atoms[0].node_kind in _ALONE and not atoms[0].upright:
        return atoms[0].node
    atoms = join_names(_accented(_paired(atoms)))
    if all(atom.node_kind == "prime" for atom in atoms):
        return Row([atom.node for atom in atoms], [0.0] * len(atoms))
    level, size = main_level([atom for atom in atoms if atom.node_kind != "prime"])
    if not any(_is_main(atom, level, size) for atom in atoms):
        raise Doubt("it has no line that its parts stand on")
    hosts: list[Atom | None] = []
    groups: list[list[list[Atom]]] = []
    pending: list[Atom] = []
    for atom in atoms:
        if atom.node_kind == "prime" and not (hosts or pending) and abs(atom.level - level) < 0.1 * size:
            atom = replace(atom, node=Leaf(r"\prime", "ord"))  # before the other letters of a script
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
            if not hosts or (hosts[-1] is not None and _is_left(atom, atoms, hosts[-1], level, size)):
                hosts.append(None)
                groups.append([])
            _add_script(groups[-1], atom)
    if pending:
        if not hosts:
            raise Doubt("a script has no base")
        for atom in pending:
            _add_script(groups[-1], atom)
    return _assembled(hosts, groups, level, size)


#: Signs that have no scripts of their own.
_BARE = ("rel", "bin", "open", "punct")
#: The least space, in ems, before a script to the left of its base, and the most behind it.
_APART = 0.22
_CLOSE = 0.12
#: How much of the narrower of two a limit and its sign share: the letter behind a script may reach under that a little.
_OVER = 0.3
#: Scripts of one base begin beside each other, but for an italic letter's slant.
_JOINT = 0.03


def _is_left(atom: Atom, atoms: Sequence[Atom], last: Atom, level: float, size: float) -> bool:
    """Whether a small part is a script to the left of the large letter that it touches."""
    place = next(at for at, one in enumerate(atoms) if one is atom)
    if last.node_kind not in _BARE and atom.x0 - atoms[place - 1].x1 < _APART * size:
        return False
    end = next((at for at in range(place, len(atoms)) if _is_main(atoms[at], level, size)), None)
    return end is not None and _touches(atoms[place:end], atoms[end], size)


def _touches(scripts: Sequence[Atom], base: Atom, size: float) -> bool:
    return abs(base.x0 - max(one.x1 for one in scripts)) < _CLOSE * size and base.node_kind not in (
        *_BARE,
        "op",
        "close",
    )


#: How far, in ems, two signs that are one by this have to run into each other; a bar stands right before a relation in
#: scripts.
_JOINED = {"/": -0.3, "|": -0.08}
#: The ink of two signs that are one by this is at most so far apart, in ems.
_JOINED_INK = 0.06


def _paired(atoms: Sequence[Atom]) -> list[Atom]:
    """The parts with signs that TeX sets from two, one over or right behind the other, as one."""
    found: list[Atom] = []
    for atom in reversed(atoms):
        after = found[-1] if found else None
        if after is not None and isinstance(atom.node, Leaf) and isinstance(after.node, Leaf):
            joined = pair(atom.node.latex, after.node.latex)
            touching = (after.x0 - atom.x1) / atom.size < _JOINED.get(atom.node.latex, 0.03)
            touching = touching and after.ink[0] - atom.ink[2] < _JOINED_INK * atom.size
            if joined is not None and touching and abs(atom.level - after.level) < 0.1 * atom.size:
                ink = union([atom.ink, after.ink])
                found[-1] = Atom(Leaf(joined, "rel"), atom.x0, after.x1, ink, after.level, after.size)
                continue
        found.append(atom)
    return found[::-1]


def _is_main(atom: Atom, level: float, size: float) -> bool:
    if atom.axis is not None:
        # Office programs set large brackets less exactly on the axis than TeX.
        return abs(atom.axis - (level - AXIS * size)) < (0.2 if atom.size > 0.9 * size else 0.11) * size
    if atom.glyph is not None and atom.glyph.floating:
        return abs((atom.ink[1] + atom.ink[3]) / 2 - (level - AXIS * size)) < 0.2 * size
    if atom.node_kind == "prime":
        return False
    off = abs(atom.level - level)
    return (atom.size > 0.85 * size and off < 0.1 * size) or (atom.size > _SCRIPT * size and off < _ON_LINE * size)


def _waits(atom: Atom, atoms: Sequence[Atom], hosts: Sequence[Atom | None], level: float, size: float) -> bool:
    """Whether a raised part stands above the main letter that follows it, as the upper limit of a sum does."""
    place = next(at for at, one in enumerate(atoms) if one is atom)
    following = next((one for one in atoms[place + 1 :] if _is_main(one, level, size)), None)
    # TeX has large signs in one size of font for all sizes of text.
    if following is None or atom.node_kind == "prime" or atom.size > 0.85 * max(size, following.size):
        return False
    last = next((one for one in reversed(hosts) if one is not None), None)
    if atom.level > level:
        if last is not None and last.node_kind == "op" and _off(atom, last) < _off(atom, following):
            return False
        return following.node_kind == "op" and atom.ink[1] > following.ink[3] - 0.08 * size
    if last is not None and atom.x0 < last.ink[2] - 0.1 * size:
        return False
    end = next(at for at, one in enumerate(atoms) if one is following)
    limit = union(one.ink for one in atoms[place:end])
    over = min(limit[2], following.ink[2]) - max(limit[0], following.ink[0])
    narrow = min(limit[2] - limit[0], following.ink[2] - following.ink[0])
    return limit[3] < following.ink[1] + 0.08 * size and over > _OVER * narrow


def _off(limit: Atom, sign: Atom) -> float:
    """How far the middle of a limit is from that of a sign, across."""
    return abs(limit.ink[0] + limit.ink[2] - sign.ink[0] - sign.ink[2]) / 2


def _add_script(groups: list[list[Atom]], atom: Atom) -> None:
    """Put a small part to the group that it goes on with; one that goes back to the left begins another."""
    if not groups or atom.x0 < groups[-1][-1].x0 - 0.01 or _changes_side(groups[-1], atom):
        groups.append([atom])
    else:
        groups[-1].append(atom)


def _changes_side(group: Sequence[Atom], atom: Atom) -> bool:
    first = group[0]
    # What is as large as a script is no script of it, above the size that all scripts of scripts have.
    apart = _RAISED if first.size > LEAST and first.axis is None and atom.axis is None else 0.55
    return abs(atom.size - first.size) < 0.1 * first.size and abs(atom.level - first.level) > apart * first.size


def _assembled(
    hosts: Sequence[Atom | None], groups: Sequence[Sequence[Sequence[Atom]]], level: float, size: float
) -> Node:
    hosts, groups = _staggered(hosts, groups, size)
    prove_row(hosts, groups, size)
    row = Row()
    right: float | None = None
    for at, (host, own) in enumerate(zip(hosts, groups, strict=True)):
        after = hosts[at + 1] if at + 1 < len(hosts) else None
        if host is None and not (after and _touches([one for group in own for one in group], after, size)):
            raise Doubt("a script has no base")
        node: Node = host.node if host is not None else Leaf("{}", "ord")
        x0 = host.x0 if host is not None else own[0][0].x0
        if own:
            node = _scripted(host, node, own, level, size)
        if host is not None and host.node_kind == "op":
            x0 = min([x0, *(atom.x0 for group in own for atom in group)])  # limits reach over what is before them
        gap = (x0 - right) / size if right is not None else 0.0
        row.parts.append(node)
        row.gaps.append(gap)
        right = max([host.x1 if host is not None else x0, *(atom.x1 for group in own for atom in group)])
    _check_signs(row)
    return row.parts[0] if len(row.parts) == 1 else row


def _staggered(
    hosts: Sequence[Atom | None], groups: Sequence[Sequence[Sequence[Atom]]], size: float
) -> tuple[list[Atom | None], list[list[Sequence[Atom]]]]:
    """The parts of a row with scripts apart, on a base of nothing, that begin where those before them end."""
    bases: list[Atom | None] = []
    scripts: list[list[Sequence[Atom]]] = []
    for host, own in zip(hosts, groups, strict=True):
        bases.append(host)
        scripts.append([])
        for group in own:
            before = scripts[-1]
            if host is not None and before and group[0].x0 > max(atom.x1 for atom in before[-1]) - _JOINT * size:
                bases.append(Atom(Leaf("{}", "ord"), group[0].x0, group[0].x0, group[0].ink, host.level, size))
                scripts.append([])
            scripts[-1].append(group)
    return bases, scripts


#: What is a part of a sign, and what three points are.
_PIECES = frozenset({"overbrace", "piece", "radical", "accent", "slash_piece"})
_HALVES = frozenset({r"\mapstochar", r"\lhook", r"\rhook", r"\not"})
_DOTS = ((".", r"\ldots"), (r"\cdot", r"\cdots"))


def _check_signs(row: Row) -> None:
    for at, part in enumerate(row.parts):
        if isinstance(part, Scripts) and isinstance(part.base, Leaf) and part.base.kind == "open":
            after = row.parts[at + 1] if at + 1 < len(row.parts) else None
            if not (part.upper and part.lower and isinstance(after, Leaf) and after.latex == ")"):
                raise Doubt("a script has no base")
            row.parts[at], row.parts[at + 1] = Fraction(part.upper, part.lower, bar=False), Leaf("", "ord")
    for part in row.parts:
        leaf = part.base if isinstance(part, Scripts) else part
        if not isinstance(leaf, Leaf):
            continue
        if leaf.kind in _PIECES:
            raise Doubt("a piece of a sign stands alone")
        if isinstance(part, Scripts):
            if leaf.latex == "-" and part.over:
                raise Doubt("an arrow is stretched over words")
        elif leaf.latex in _HALVES:
            raise Doubt("a sign is put together in a way that is not known")
    signs = [part.latex if isinstance(part, Leaf) else "" for part in row.parts]
    for sign, dots in _DOTS:
        places = [at for at, latex in enumerate(signs) if latex == sign] if sign in signs else []
        for first in [at for at in places if at + 1 in places and at + 2 in places and at - 1 not in places]:
            row.parts[first] = Leaf(dots, "ord")
            row.parts[first + 1] = row.parts[first + 2] = Leaf("", "ord")


def _scripted(host: Atom | None, node: Node, groups: Sequence[Sequence[Atom]], level: float, size: float) -> Node:
    """A base with its scripts: of two, TeX writes the upper one first."""
    found = Scripts(node)
    for group in groups:
        where = _where(host, group, level, size)
        above, below = getattr(found, where), lay_row(group)
        if above is not None:
            if where == "upper" or not _is_below(groups[groups.index(group) - 1], group):
                raise Doubt("two scripts stand at one place")
            below = Stack([*(above.rows if isinstance(above, Stack) else [above]), below])
        setattr(found, where, below)
    return found


def _is_below(above: Sequence[Atom], group: Sequence[Atom]) -> bool:
    """Whether a line of small letters stands right below another one, centred."""
    one, two = union(atom.ink for atom in above), union(atom.ink for atom in group)
    size = max(atom.size for atom in group)
    centred = abs(one[0] + one[2] - two[0] - two[2]) < _CENTRED * size
    return centred and -_RAISED * size < two[1] - one[3] < _LINES * size


def _where(host: Atom | None, group: Sequence[Atom], level: float, size: float) -> str:
    x0, y0, x1, y1 = union(atom.ink for atom in group)
    if host is not None and host.x1 > host.x0:
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
        wide = atom.ink[2] - atom.ink[0] > (_ARROW if atom.node == _VEC else _WIDE) * atom.size
        end = _accent_end(atoms, at, wide)
        if atom is not atoms[-1] and atoms[at + 1].is_accent:
            return [*found, *_accented([atom, *_accented(atoms[at + 1 :])])]
        held = atoms[at + 1 : end]
        if not held or held[0].is_accent or not _under(held[0], atom):
            raise Doubt("an accent stands over nothing")
        inside = lay_row(held) if len(held) > 1 else held[0].node
        level, size = main_level(held)
        box = union([atom.ink, *(one.ink for one in held)])
        command = atom.node.latex if isinstance(atom.node, Leaf) else ""
        # Browsers set the circumflex of the text over one letter, or stretch theirs.
        own = atom.glyph is not None and atom.glyph.char != "^" and atom.glyph.family.font != "browser"
        if wide and (len(held) > 1 or (command in (r"\hat", r"\tilde") and own)):
            command = _LONG.get(command, command)
        if command == r"\overrightarrow" and len(held) == 1 and atom.glyph and atom.glyph.family.web:
            command = r"\vec"  # browsers stretch the arrow over one letter
        whole: Node = Decorated(command, inside)
        if command == r"\bar" and inside == Leaf("h", "letter") and atom.ink[3] > held[0].ink[1]:
            whole = Leaf(r"\hbar", "letter")  # the bar crosses the letter's stem
        found.append(Atom(whole, held[0].x0, held[-1].x1, box, level, size))
        at = end
    return found


def _accent_end(atoms: Sequence[Atom], at: int, wide: bool) -> int:
    """Where the parts under an accent end; of those under a wide one, the ends that centre it best."""
    end = at + 1
    while end < len(atoms) and (end == at + 1 or _stretches(atoms[at + 1 : end + 1], atoms[at], wide)):
        end += 1
    middle = (atoms[at].ink[0] + atoms[at].ink[2]) / 2
    ends = [last for last in range(at + 2, end + 1) if _is_whole(atoms[at + 1 : last])]
    if not wide or not ends:
        return end
    return min(ends, key=lambda last: abs(atoms[at + 1].x0 + atoms[last - 1].x1 - 2 * middle))


def _is_whole(atoms: Sequence[Atom]) -> bool:
    """Whether as many brackets open as close."""
    return sum((atom.node_kind == "open") - (atom.node_kind == "close") for atom in atoms) == 0


def _stretches(held: Sequence[Atom], accent: Atom, wide: bool) -> bool:
    """Whether an accent belongs to one more part: it lies over it, or is centred over all of them."""
    if wide:
        return _under(held[-1], accent)
    middle = (accent.ink[0] + accent.ink[2]) / 2
    lean = _UPRIGHT if all(atom.upright for atom in held) else _LEANING
    return (held[0].x0 + held[-2].x1) / 2 < middle - lean * accent.size and _is_main(
        held[-1], held[0].level, held[0].size
    )


def _under(atom: Atom, accent: Atom) -> bool:
    middle = (atom.ink[0] + atom.ink[2]) / 2
    slack = 0.3 * atom.size if atom.size > 0.9 * accent.size else 0.0
    over = accent.ink[0] - slack < middle < accent.ink[2] + slack
    return over and accent.ink[3] < (atom.ink[1] + atom.ink[3]) / 2 + 0.1 * atom.size
