"""Whether the reasoning is a rewritten one: as long as it should be, and more than the source's own words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from operators.onevision.checking.material import Material
from operators.onevision.checking.words import folded, sentences, size
from operators.onevision.records import Check

#: The shortest reasoning, in letters.
_SHORTEST = 30
#: How much shorter and longer than its source a reasoning may be, and the length that is never too long.
_LEAST, _MOST, _ALWAYS = 0.25, 4.0, 1200
#: A reasoning of which less is new is the source's, whatever it left out.
_NEW = 0.05
#: Sentences that may open a reasoning and tell nothing.
_OPENED = 2
#: How many words in a row make a piece that was taken over.
_RUN = 3
#: So much of the source in its order, with less than that which is new, is the source with a few words exchanged.
_KEPT, _EXCHANGED = 0.82, 0.17
#: So many pairs of neighbours that only the description holds are a fact that was added.
_FACT = 4

_PICTURE = r"(?:image|picture|photo(?:graph)?|figure|diagram|chart|graph|table|map|scene|screenshot|drawing)"
#: How a reasoning may begin and end whatever it says; neither counts as new.
_OPENING = re.compile(
    rf"""\A\s*(?:
    (?:首先|现在|好的)?[,，]?(?:(?:根据|观察|通过观察|仔细观察)(?:题目中?的?)?[图画][片像中面]?(?:中的?信息|内容)?|如图(?:所示)?|(?:从|在|由)?[图画][片像中面]{{0,2}}(?:可以|可|能|我们可以)?(?:清楚地?)?(?:看到|看出|看见|得知|知道|可知|可见))
      [,，:：]?(?:我们)?(?:可以|可|能)?(?:清楚地?)?(?:看到|看出|看见|得知|知道|可知|可见)?[,，:：]?
    | (?:(?:ok(?:ay)?|well|first|now|so|to\s+begin(?:\s+with)?|let(?:'s|’s|\s+us|\s+me)\s+
      (?:think|see|start|begin)[^,.:;]{{0,40}})[,.:;]\s*){{0,3}}
    (?:(?:as\s+)?(?:(?:can\s+be\s+)?(?:seen|shown|depicted|visible)\s+)?(?:looking\s+(?:closely\s+)?at|in|from|based\s+on|observing|given)\s+
    (?:the|this)\s+(?:\w+\s+)?{_PICTURE}\s*,\s*)?
    (?:(?:(?:i|we|one)\s+(?:can\s+)?(?:see|observe|notice|find)|it\s+(?:is\s+clear|can\s+be\s+seen))(?:\s+that\b|,))?
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_CLOSING = re.compile(
    r"""\A\W*(?:(?:so|thus|hence|therefore|in\s+conclusion|consequently)\b,?\s*)?
    (?:(?:the|my|our)\s+)?(?:(?:final|correct|right|best)\s+)?(?:answer|choice|option)\s*(?:is|:|should\s+be|must\s+be)\W.{1,120}\Z
    |\A\W*(?:因此|所以|综上(?:所述)?|故|由此可得|由此可知)?[,，]?(?:最终|正确|本题)?的?(?:答案|选项)(?:就|应)?(?:是|为|选|[:：]).{1,60}\Z
    |\A\W*(?:因此|所以|综上(?:所述)?|故)?[,，]?(?:应|故)?选(?:择|项)?\s*[:：]?\s*[A-H]\W{0,3}\Z""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
#: Words of a guess and of care, those that one may stand for another alike.
_HEDGE = re.compile(
    r"\b(?:seem(?:s|ed|ingly)?|appear(?:s|ed)?|looks?|likely|probably|possibly|presumably|supposedly|apparently|perhaps|"
    r"maybe|might|may|could|should|would|must|guess|suppose|presume|think|believe|suggests?|suspect|assume)\b"
    r"|应该|应当|应是|大概|大约|似乎|好像|可能|也许|或许|看起来|看上去|看来|估计|推测|恐怕|想必",
    re.IGNORECASE,
)


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
    """Compare with the source what is neither an opening nor a last sentence that only states the answer."""
    thinking = _without_opening(thinking, row)
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
    plainer = _guesses(thinking) < _guesses(row.reasoning)
    if words and not plainer and fresh < max(_NEW * len(words), 2):
        return Check("rewrite.copied", "failed", f"only {fresh} of its {len(words)} words are not the source's")
    if not plainer and (exchanged := _exchanged(thinking, row)) is not None:
        return Check("rewrite.copied", "failed", exchanged)
    return Check("rewrite.copied", "passed", f"{fresh / max(len(words), 1):.0%} of it is new")


def _exchanged(thinking: str, row: Material) -> str | None:
    """How the source stands in a reasoning with a few words exchanged and no fact added; None if it does not."""
    words, own = folded(_bare(thinking)), folded(_bare(row.reasoning))
    common = sum((Counter(words) & Counter(own)).values())
    if not words or not own or _is_other(common, len(words), len(own)):
        return None
    kept = in_order(own, words)
    if _is_other(kept, len(words), len(own)):
        return None
    if _facts(words, row) >= _FACT:
        return None
    return f"{kept} of the source's {len(own)} words stand in it in order, {len(words) - kept} are new"


def _facts(words: Sequence[str], row: Material) -> int:
    """How many pairs of neighbours among some words only the description or the picture's text holds."""
    seen = set(pairwise(folded(row.description))).union(*(pairwise(folded(text)) for text in row.read))
    return len(set(pairwise(words)).difference(pairwise(folded(row.reasoning))) & seen)


def _without_opening(thinking: str, row: Material) -> str:
    """A reasoning without first sentences of its own that tell nothing of the picture.

    What the source does not say and the description does not tell either is an opening, however long.
    """
    own = _runs(folded(row.reasoning))
    for sentence in sentences(thinking)[:_OPENED]:
        words = folded(sentence)
        if any(words[start : start + _RUN] in own for start in range(len(words))) or _facts(words, row) >= 2:
            break
        thinking = thinking[thinking.index(sentence) + len(sentence) :].lstrip()
    return thinking


def _is_other(kept: int, words: int, own: int) -> bool:
    return kept < _KEPT * own or words - kept >= max(_EXCHANGED * words, 2)


def _guesses(text: str) -> int:
    return len(_HEDGE.findall(text))


def _bare(text: str) -> str:
    """A text without its opening's formula and without a last sentence that only states an answer.

    >>> _bare("Looking at the image, we see that the mass is 6 kg. It hangs. So the answer is B.")
    'the mass is 6 kg. It hangs.'
    """
    text = text[_OPENING.match(text).end() :].strip()  # type: ignore[union-attr]
    said = list(sentences(text))
    if len(said) > 1 and _CLOSING.match(said[-1]):
        text = text[: text.rindex(said[-1])].rstrip()
    return text


def in_order(source: Sequence[str], words: Sequence[str]) -> int:
    """The length of the longest subsequence that two lists of words have in common.

    It works on the bits of whole numbers, a step for each word.

    >>> in_order("a b c d".split(), "a x c b d".split())
    3
    """
    places: dict[str, int] = {}
    for place, word in enumerate(source):
        places[word] = places.get(word, 0) | 1 << place
    every = (1 << len(source)) - 1
    left = every
    for word in words:
        met = left & places.get(word, 0)
        left = ((left + met) | (left - met)) & every
    return len(source) - left.bit_count()


def _runs(words: tuple[str, ...]) -> set[tuple[str, ...]]:
    return {words[start : start + _RUN] for start in range(len(words) - _RUN + 1)}
