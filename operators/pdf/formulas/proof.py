"""What a row's tree says of its places, against where its parts stand: TeX would have set another tree otherwise."""

from __future__ import annotations

from collections.abc import Sequence

from operators.pdf.formulas.atoms import Atom
from operators.pdf.formulas.glyphs import Doubt

#: Scripts have at most this share of their row's size; below the least size, in points, TeX sets all alike.
_SCRIPT = 0.92
_LEAST = 6.5
#: In ems: how far a script stands behind its base, how far two parts of a row may lie over each other.
_BEHIND = 0.4
_OVERLAP = 0.45


def prove_row(hosts: Sequence[Atom | None], groups: Sequence[Sequence[Sequence[Atom]]], size: float) -> None:
    """Raise :class:`Doubt` where the scripts of a row are too large or too far off, or its parts in another order."""
    right: float | None = None
    for host, own in zip(hosts, groups, strict=True):
        small = [atom for group in own for atom in group if atom.node_kind not in ("prime", "accent")]
        if size > _LEAST and any(atom.size > _SCRIPT * size and not _floats(atom) for atom in small):
            raise Doubt("a script of it is as large as its base")
        if host is None:
            continue
        if any(group[0].x0 - max(host.x1, host.ink[2]) > _BEHIND * size for group in own):
            raise Doubt("a script of it stands far from its base")
        if right is not None and host.x0 < right - _OVERLAP * size:
            raise Doubt("its parts stand over each other")
        right = host.x1


def _floats(atom: Atom) -> bool:
    return atom.glyph is not None and atom.glyph.floating
