"""Sentences that guess, and what they say without the guess."""

from __future__ import annotations

import re
from functools import lru_cache

from dataflow_ext.text import patterns
from operators.onevision.rewriting.sentences import capital

_PATTERNS = patterns(__package__, "guesses.tsv")
#: What comes before a whole clause: "It seems that the car is red."
_FRAME = re.compile(rf"\b(?=[ciotw])(?:{_PATTERNS['frame']}),?\s+", re.IGNORECASE)
#: What is vague and has no plain form.
_LEFT = re.compile(rf"\b(?=[aclghimnpst])(?:{_PATTERNS['left']})\b", re.IGNORECASE)
_CHINESE = re.compile(_PATTERNS["guess, Chinese"])
#: Comparisons and chances that are no guess; guesses in commas or brackets, at the beginning, and anywhere.
_NO_GUESS, _PARENTHESIS, _OPENS, _ADVERBS = (
    re.compile(_PATTERNS[name], re.IGNORECASE) for name in ("no guess", "aside", "opening", "adverb")
)
_SEEMS_TO = re.compile(
    r"\b(?P<seem>seems|appears|seem|appear)\s(?:also\s)?to\s(?:also\s)?(?P<verb>[a-z]{2,14})\b", re.IGNORECASE
)
_SEEMS = re.compile(
    r"\b(?P<seem>seems|seem)\s(?:like\s)?(?=[a-z])|\b(?P<look>appears|appear)\s(?=(?:very|quite|rather|more)\s)",
    re.IGNORECASE,
)
#: "The text looks like Porto."
_LOOKS = re.compile(r"\b(?:(?P<seem>$^)|(?P<look>looks|look))\s(?:like|to\sbe)\s(?=\w)", re.IGNORECASE)
_LIKELY_TO = re.compile(r"\b(?P<is>is|are)\slikely\sto\sbe\b", re.IGNORECASE)
_SEEMS_LIKE = re.compile(r"看[起上][来去]像是?|似乎像是?")
_IRREGULAR = {"be": "is", "have": "has", "do": "does", "go": "goes"}
_ES = re.compile(r"(?:s|sh|ch|x|z|o)\Z")
_DOUBLED = re.compile(r"是是|在在|有有")


#: English guesses hold one of these.
_HINTS = (
    *("probab", "possib", "presum", "perhaps", "may", "apparent", "seem", "suppos", "likel", "appear", "might"),
    *("could", "guess", "sure", "hard", "infer", "look", "think", "sort", "kind", "plausib", "conceivab", "speculat"),
    *("believe", "suspect", "chance"),
)


@lru_cache(maxsize=4096)
def is_vague(sentence: str) -> bool:
    """Whether a sentence guesses; likelihoods and comparisons ("equally likely") are no guesses.

    >>> is_vague("The dog is likely running."), is_vague("Both are equally likely."), is_vague("这不可能。")
    (True, False, False)
    """
    if sentence.isascii() and not any(map(sentence.lower().__contains__, _HINTS)):
        return False
    bare = _NO_GUESS.sub(" ", sentence)
    guessed = _LEFT.search(bare) or _FRAME.search(bare) or (not bare.isascii() and _CHINESE.search(bare))
    return bool(guessed)


@lru_cache(maxsize=4096)
def plain(sentence: str) -> str | None:
    """What a vague sentence says without its guess; None where no sentence would be left.

    Whether that is true is for the caller to find out.

    >>> plain("It seems that the car is red."), plain("The two dogs appear to be running.")
    ('The car is red.', 'The two dogs are running.')
    >>> plain("这辆车看起来像是红色的。"), plain("There might.") is None
    ('这辆车是红色的。', True)
    """
    if _NO_GUESS.search(sentence):
        return None
    text = sentence
    if not text.isascii():
        text = _DOUBLED.sub(lambda found: found[0][0], _CHINESE.sub("", _SEEMS_LIKE.sub("是", text)))
    text = _FRAME.sub("", text)
    text = _LIKELY_TO.sub(lambda found: found["is"], text)
    text = _ADVERBS.sub("", _OPENS.sub("", text))
    text = _verbs(text)
    text = re.sub(r"\s+([,.;])", r"\1", " ".join(text.split())).lstrip(",，、 ")
    return capital(text) if text and not is_vague(text) and sum(map(str.isalnum, text)) >= 3 else None


def without_asides(sentence: str) -> str:
    """A sentence without guesses in commas or brackets.

    >>> without_asides("A dog, possibly a retriever, is running.")
    'A dog is running.'
    """
    return _PARENTHESIS.sub("", sentence)


def _verbs(text: str) -> str:
    """Seeming verbs made plain; they show the number of their subject."""

    def seems_to(found: re.Match[str]) -> str:
        return _conjugated(found["verb"].lower(), plural=not found["seem"].lower().endswith("s"))

    def is_or_are(found: re.Match[str]) -> str:
        return "is " if (found["seem"] or found["look"]).lower().endswith("s") else "are "

    return _SEEMS.sub(is_or_are, _SEEMS_TO.sub(seems_to, _LOOKS.sub(is_or_are, text)))


def _conjugated(verb: str, *, plural: bool) -> str:
    """A verb's form in the present, third person.

    >>> _conjugated("carry", plural=False), _conjugated("watch", plural=False), _conjugated("be", plural=True)
    ('carries', 'watches', 'are')
    """
    if plural:
        return "are" if verb == "be" else verb
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("y") and verb[-2:-1] not in ("a", "e", "o", "u", ""):
        return verb[:-1] + "ies"
    return verb + ("es" if _ES.search(verb) else "s")
