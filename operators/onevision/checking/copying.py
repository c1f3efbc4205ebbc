"""Whether the reasoning is a rewritten one: as long as it should be, and more than the source's own words."""

from __future__ import annotations

from operators.onevision.checking.material import Material
from operators.onevision.checking.words import folded, size
from operators.onevision.records import Check

#: The shortest reasoning, in letters.
_SHORTEST = 30
#: How much shorter and longer than its source a reasoning may be, and the length that is never too long.
_LEAST, _MOST, _ALWAYS = 0.25, 4.0, 1200
#: A reasoning of which less is new is the source's.
_NEW = 0.05
#: How many words in a row make a piece that was taken over.
_RUN = 3


def copying_checks(row: Material) -> list[Check]:
    """The checks of length, of copying, and of what the rewriter said of its own work."""
    said = Check("rewrite.insufficient", "passed")
    if row.rewrite_state == "insufficient":
        note = "the rewriter found that the description does not hold what the reasoning needs"
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
    """Compare the runs of words with the source's; a last sentence that only states the answer is not new."""
    words = folded(thinking)
    own = folded(row.reasoning)
    if not own:
        return Check("rewrite.copied", "not run", "the source has no reasoning")
    if words == own:
        return Check("rewrite.copied", "failed", "it is the source's reasoning word for word")
    taken = _runs(own) | _runs(folded(row.conclusion))
    covered = [False] * len(words)
    for start in range(len(words) - _RUN + 1):
        if words[start : start + _RUN] in taken:
            covered[start : start + _RUN] = [True] * _RUN
    fresh = covered.count(False)
    if words and fresh < max(_NEW * len(words), 2):
        return Check("rewrite.copied", "failed", f"only {fresh} of its {len(words)} words are not the source's")
    return Check("rewrite.copied", "passed", f"{fresh / max(len(words), 1):.0%} of it is new")


def _runs(words: tuple[str, ...]) -> set[tuple[str, ...]]:
    return {words[start : start + _RUN] for start in range(len(words) - _RUN + 1)}
