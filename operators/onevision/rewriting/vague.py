"""Sentences that guess, and what they say without the guess."""

from __future__ import annotations

import re
from functools import lru_cache

from operators.onevision.rewriting.sentences import capital

_ADVERB = r"(?:probably|possibly|presumably|perhaps|maybe|apparently|seemingly|supposedly)"
_MOST = r"(?:(?:most|very|quite|highly|rather)\s)?"
#: "could be seen" is an ability and no guess.
_COULD_BE = (
    r"could\s(?:well\s|also\s)?be(?!\s(?:\w{1,20}ed|taken|seen|written|found|read|drawn|shown|put|made|built)\b)"
)
_TO_US = r"(?:\s(?:to\s(?:me|us)|here))?"

#: What comes before a whole clause: "It seems that the car is red."
_FRAME = re.compile(
    rf"""\b(?=[ciotw])(?:
    it\s(?:also\s|really\s)?(?:seems|appears|looks){_TO_US}
      (?:\s(?:that|as\sif|as\sthough|like)|(?=\s(?:the|there|these|those|they|he|she|we|our|his|her|two|three)\b))
    | it\sis\s{_MOST}(?:also\s)?(?:likely|probable|possible|plausible|conceivable)\sthat
    | it\s(?:can|could|may|might)\sbe\s(?:reasonably\s|also\s)?(?:inferred|presumed|supposed|guessed|speculated)
      (?:\sfrom\s[^,.;]{{1,60}})?(?:\sthat|,)
    | (?:we|i|one)\s(?:can|could|may|might)\s(?:reasonably\s|also\s)?(?:infer|presume|guess|suppose|speculate)
      (?:\sfrom\s[^,.;]{{1,60}})?(?:\sthat|(?=\s[^.;]{{0,120}}\b(?:is|are|has|have|was|were|can|must|will)\b))
    | (?:i|we)\s(?:think|believe|guess|suppose|suspect)(?:\sthat)?
    | there\sis\sa\s(?:good\s|high\s|strong\s)?(?:chance|possibility|likelihood)\sthat
    | chances\sare(?:\sthat)?
    ),?\s+""",
    re.IGNORECASE | re.VERBOSE,
)
#: Comparisons and chances that are no guess.
_NO_GUESS = re.compile(
    r"\b(?:(?:equally|more|less|un|least|as|how|so|too)[\s-](?:un)?likely|likelihood|(?:im)?possibly\shave\sto|unlikely)\b|"
    r"不可能|可能性|尽可能|可能的|有没有可能|是否可能|最有可能的?是哪",
    re.IGNORECASE,
)
_PARENTHESIS = re.compile(
    rf"\s*[,(]\s*(?:{_ADVERB}|{_MOST}likely)\s[^,.;()]{{1,80}}(?:\)|,(?=\s)|(?=[.;]))", re.IGNORECASE
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
_OPENS = re.compile(rf"(?:\A|(?<=,\s)|(?<=so\s)|(?<=and\s))(?:{_ADVERB}|{_MOST}likely),?\s", re.IGNORECASE)
_ADVERBS = re.compile(rf"\s?\b(?:{_ADVERB}|{_MOST}likely)\b(?=\s)(?!\s(?:to|than|that)\b)", re.IGNORECASE)
#: What is vague and has no plain form.
_LEFT = re.compile(
    rf"\b(?=[aclghimnpst])(?:{_ADVERB}|likely|seems?|seemed|appeared\sto|appears?\sto|(?:may|might)\s(?:well\s)?be|{_COULD_BE}|might|may\s(?:have|indicate|suggest|mean|imply|represent|contain|need|want|feel|belong)|could\shave|"
    r"guess(?:ing)?|not\s(?:entirely\s)?sure|hard\sto\s(?:tell|say)|can(?:not)?\sbe\sinferred|(?:it\s)?looks?\s(?:like|to\sbe)|i\sthink|some\s(?:sort|kind)\sof)\b",
    re.IGNORECASE,
)

_CHINESE = re.compile(
    r"(?:可以|可|能)?(?:推测|猜测)(?:出|，)?|据推测，?|我(?:猜|认为|觉得)，?|想必|恐怕|估计(?=是|有|在)|"
    r"(?:看起来|看上去)(?:像是|像)|似乎像?|好像|看起来|看上去|(?:很|极|最|极有|很有|最有|也有|有)?可能(?!性|的)|大概(?!率)|也许|或许"
)
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
    return capital(text) if text and not is_vague(text) and _has_words(text) else None


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


def _has_words(text: str) -> bool:
    return sum(map(str.isalnum, text)) >= 3
