"""Captions without guesses: only what they state as seen is left."""

from __future__ import annotations

import re

from operators.onevision.describing.sentences import masked, sentences


def _third(found: re.Match[str]) -> str:
    return "has" if found[1] == "have" else f"{found[1]}s"


#: Habits of captions that guess nothing, and their plain form.
_PLAIN = (
    (re.compile(r"\b(?:appears|seems) to (show|depict|display|contain|represent|illustrate|include|have)\b"), _third),
    (re.compile(r"\b(?:appear|seem) to (show|depict|display|contain|represent|illustrate|include|have)\b"), r"\1"),
    (re.compile(r"\b(?:appears|seems) to be\b"), "is"),
    (re.compile(r"\b(?:appear|seem) to be\b"), "are"),
    (re.compile(r"\bIt (?:appears|seems)(?: that)? (\w)"), lambda found: found[1].upper()),
    (re.compile(r"看起来(?:像)?是|似乎是"), "是"),
)
#: A clause at a sentence's end that guesses, tells a mood or a purpose.
_CLAUSE = re.compile(
    r",\s?(?:and )?(?:possibly|probably|perhaps|maybe|likely|presumably|apparently|suggesting|indicating|implying"
    r"|hinting|which (?:suggests|indicates|implies|may|might|could|likely|seems|appears)|as if|as though|creating"
    r"|giving|adding|evoking|making it (?:look|seem|appear))\b[^.;!?。\n]*"
    r"|，(?:可能|也许|大概|似乎|好像|仿佛|给人|营造|暗示)[^。；！？，\n]*"
)
_GUESS = re.compile(
    r"\b(?:might|may be|may have|could be|could have|possibly|probably|perhaps|maybe|presumably|apparently|seemingly"
    r"|likely|seems?|appears?|suggest(?:s|ing)?|evokes?|atmosphere|overall mood)\b"
    r"|可能|也许|大概|似乎|好像|或许|仿佛|氛围",
    re.IGNORECASE,
)


def without_guesses(caption: str) -> str:
    """The caption without clauses and sentences that guess; if nothing else is in it, as it was.

    >>> without_guesses("It seems that a man is on a bench, possibly waiting. He may be tired. A dog lies there.")
    'A man is on a bench. A dog lies there.'
    """
    for pattern, plain in _PLAIN:
        caption = pattern.sub(plain, caption)
    kept = []
    for sentence in sentences(caption):
        shorter = _cut(sentence)
        if not _GUESS.search(masked(shorter)):
            kept.append(shorter)
    return "".join(kept).strip() or caption.strip()


def _cut(sentence: str) -> str:
    """The sentence without its guessing clauses; what stands in quotation marks is none."""
    parts = []
    start = 0
    for found in _CLAUSE.finditer(masked(sentence)):
        parts.append(sentence[start : found.start()])
        start = found.end()
    return "".join(parts) + sentence[start:]
