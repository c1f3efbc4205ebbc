"""Whether the reasoning is a rewritten one: as long as it should be, and more than the source's own words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from operators.onevision.checking.material import Material
from operators.onevision.checking.words import folded, sentences, size
from operators.onevision.model.records import Check
from operators.onevision.rewriting.vague import is_vague

#: The shortest reasoning, in letters.
_SHORTEST = 30
#: How much shorter and longer than its source a reasoning may be, and the length that is never too long.
_LEAST, _MOST, _ALWAYS = 0.25, 4.0, 1200
#: A reasoning of which less is new is the source's, whatever it left out.
_NEW = 0.05
#: How many words in a row make a piece that was taken over.
_RUN = 3
#: So much of the source in a reasoning is the source, unless so many pairs of words come from the picture alone.
_KEPT, _FACTS = 0.82, 3


def copying_checks(row: Material) -> list[Check]:
    """The checks of length, of copying, and of what the rewriter said of its own work."""
    said = Check("rewrite.insufficient", "passed")
    if row.rewrite_state == "insufficient":
        note = "the description does not hold what the reasoning needs, or the source does not argue for its answer"
        said = Check("rewrite.insufficient", "failed", note)
    if row.thinking is None:
        none = [Check(code, "not run", "there is no reasoning") for code in ("rewrite.length", "rewrite.copied")]
        return [
            said if row.rewrite_state == "insufficient" else Check(said.code, "failed", "there is no reasoning"),
            *none,
        ]
    return [said, _length(row.thinking, row.reasoning), _copied(row.thinking, row)]


def _length(thinking: str, reasoning: str) -> Check:
    have, source = size(thinking), size(reasoning)
    if have < _SHORTEST:
        return Check("rewrite.length", "failed", f"it has {len(thinking)} characters")
    if source and have < _LEAST * source:
        return Check("rewrite.length", "failed", f"it has {have / source:.0%} of its source's length")
    if source and have > max(_MOST * source, _ALWAYS):
        return Check("rewrite.length", "failed", f"it has {have / source:.0%} of its source's length")
    return Check("rewrite.length", "passed")


def _copied(thinking: str, row: Material) -> Check:
    """Whether the source stands in a reasoning that adds no fact and takes no guess away, or hardly a word is new."""
    words, own = folded(thinking), folded(row.reasoning)
    if not own:
        return Check("rewrite.copied", "not run", "the source has no reasoning")
    if words == own:
        return Check("rewrite.copied", "failed", "it is the source's reasoning word for word")
    if sum(map(is_vague, sentences(thinking))) < sum(map(is_vague, sentences(row.reasoning))):
        return Check("rewrite.copied", "passed", "it guesses less than its source")
    fresh = _fresh(words, own, folded(row.conclusion))
    if fresh < max(_NEW * len(words), 2):
        return Check("rewrite.copied", "failed", f"only {fresh} of its {len(words)} words are not the source's")
    kept = len(own) - _fresh(own, words)
    if kept >= _KEPT * len(own) and _facts(words, row) < _FACTS:
        return Check("rewrite.copied", "failed", f"{kept} of the source's {len(own)} words stand in it in their runs")
    return Check("rewrite.copied", "passed", f"{fresh / max(len(words), 1):.0%} of it is new")


def _fresh(words: tuple[str, ...], *sources: tuple[str, ...]) -> int:
    """How many words stand in no run of three that a source has, too."""
    taken = {run for source in sources for run in _runs(source)}
    covered = [False] * len(words)
    for start, run in enumerate(_runs(words)):
        if run in taken:
            covered[start : start + _RUN] = [True] * _RUN
    return covered.count(False)


def _runs(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    return zip(*(words[n:] for n in range(_RUN)), strict=False)


def _facts(words: Sequence[str], row: Material) -> int:
    """How many pairs of neighbours among some words only the description or the picture's text holds."""
    seen = set(pairwise(folded(row.description))).union(*(pairwise(folded(text)) for text in row.read))
    return len(set(pairwise(words)).difference(pairwise(folded(row.reasoning))) & seen)
