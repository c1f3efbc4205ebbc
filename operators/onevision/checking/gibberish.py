"""Whether the reasoning is running text."""

from __future__ import annotations

from operators.onevision.checking.material import Material
from operators.onevision.checking.noise import noise_in
from operators.onevision.checking.words import folded
from operators.onevision.records import Check

_CODE = "rewrite.gibberish"


def gibberish_check(row: Material) -> Check:
    """The check for noise and for words without order."""
    if row.thinking is None:
        return Check(_CODE, "not run", "there is no reasoning")
    known = frozenset(word for text in row.sources for word in folded(text))
    if found := noise_in(row.thinking, known):
        return Check(_CODE, "failed", found)
    return Check(_CODE, "passed")
