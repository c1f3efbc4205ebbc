"""Sentences of a reasoning as they are rewritten: without marks, without talk about themselves, and without guesses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from dataflow_ext.text import patterns
from operators.onevision.model.language import sentences
from operators.onevision.rewriting.replies import readable

#: Characters of a reasoning that are read, and of a sentence; a longer one is no sentence.
LONGEST, SENTENCE = 20_000, 1_500

#: Tags and the like; what stands in them stays.
_TAG = re.compile(r"</?[A-Za-z][A-Za-z_]{0,30}\s{0,4}/?>")
_BOLD = re.compile(r"(?<![\w)*])(\*\*|__)(?=\S)([^*_\n]{1,300}?)\1(?![\w*])")
_HEAD = re.compile(
    r"^\s{0,8}(?:#{1,6}\s+|>\s+)?(?:[-*+•·]\s+|\(?(?:\d{1,2}|[a-z])[.)、]\s+(?=\S)|[（(]?\d{1,2}[)）.、]\s*(?=[\u4e00-\u9fff]))?"
)
_HEADING = re.compile(r"^\s{0,8}#{1,6}\s|^[^.!?。！？=]{1,60}[:：]$")
#: "**Compare:** 2010 is less." A word on what follows; but that of the answer stays.
_TITLE = re.compile(r"^\*\*(?![^*\n]{0,60}(?:nswer|答案))[^*\n]{1,60}(?:[:：]\*\*|\*\*\s{0,2}[:：])\s{0,4}(?=\S)")
#: How a sentence begins that has lost its capital.
_SMALL = re.compile(r"[a-z](?:[a-z'’]|\s+[a-z]{2})")
_ENDS = tuple('.!?。！？…；;:："”’』」)）')
_CHINESE_END = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff01-\uff1f”’]\Z")


def sentences_of(text: str) -> list[str]:
    """The sentences of a reasoning in order, without headings, list marks, bold type and tags.

    A formula on a line of its own is a sentence. Abbreviations, decimals and "No. 3" end none.

    >>> sentences_of("**Step 1:**\\n1. The mass is 6.5 kg, i.e. No. 3. It rests.\\n- 因此加速度为 0。答案是 B。")
    ['The mass is 6.5 kg, i.e. No. 3.', 'It rests.', '因此加速度为 0。', '答案是 B。']
    """
    text = _TAG.sub(" ", readable(text[:LONGEST]))
    found: list[str] = []
    for line in text.splitlines():
        if _HEADING.match(_plain(line).strip()):
            continue
        bare = _plain(_TITLE.sub("", _HEAD.sub("", line, count=1).strip(), count=1))
        pieces = (piece for piece in sentences(bare) if any(map(str.isalnum, piece)))
        found += [piece for piece in pieces if len(piece) <= SENTENCE]
    return found


def _plain(line: str) -> str:
    return _BOLD.sub(r"\2", line) if "**" in line or "__" in line else line


def joined(pieces: Sequence[str]) -> str:
    """Sentences as one text: spaces between English ones, none between Chinese ones, lines where a stop is missing.

    >>> joined(["It is 5.", "x = 3", "So it is 3.", "图中有车。", "答案是 3。"])
    'It is 5. x = 3\\nSo it is 3. 图中有车。答案是 3。'
    """
    parts: list[str] = []
    for sentence in pieces:
        if parts:
            parts.append(_between(parts[-1]))
        parts.append(sentence)
    return "".join(parts)


def capital(sentence: str) -> str:
    """A sentence with a capital at its start, unless it begins with a symbol such as x or m/s.

    >>> capital("the car is red."), capital("x = 3.")
    ('The car is red.', 'x = 3.')
    """
    return sentence[:1].upper() + sentence[1:] if _SMALL.match(sentence) else sentence


def _between(before: str) -> str:
    """What stands between a sentence and the next one."""
    if not before.endswith(_ENDS):
        return "\n"
    return "" if _CHINESE_END.search(before) else " "


_PATTERNS = patterns(__package__, "talk.tsv")
#: The speaker's plans, and talk about texts that nobody sees.
_DROPPED = re.compile(rf"\A{_PATTERNS['LEADS']}(?:{_PATTERNS['dropped']})", re.IGNORECASE)
_DROPPED_CHINESE = re.compile(rf"{_PATTERNS['LEADS_CHINESE']}(?:{_PATTERNS['dropped, Chinese']})")
#: A frame whose clause stands without it.
_STRIPPED = re.compile(rf"\A(?P<lead>{_PATTERNS['LEADS']})(?:{_PATTERNS['stripped']})", re.IGNORECASE)
_STRIPPED_CHINESE = re.compile(_PATTERNS["stripped, Chinese"])
#: "Let's identify the values: …"; what follows stands by itself. Then what a text shows, what is said to come from
#: one, and where it is spoken of, still.
_ANNOUNCED, _NOUN, _BEHIND, _LEFT = (
    re.compile(_PATTERNS[name], re.IGNORECASE) for name in ("announced", "source", "behind", "left")
)
#: Whatever speaks of a text about the picture holds one of these.
_TEXTS = (
    *("caption", "summar", "description", "annotation", "an ai"),
    *("描述", "摘要", "标题", "总结", "概述", "图注", "题注", "语言模型"),
)
_QUOTES = "\"'”’ "
_COMPUTES = re.compile(r"[=≈<>]\s*\S|\d\s*[+×*/÷]\s*\d")


def without_talk(sentence: str) -> str | None:
    """A sentence without talk about itself or about texts that nobody sees; None where nothing else is in it.

    >>> without_talk("Based on the summary, the car is red."), without_talk("Let's look at the image.") is None
    ('The car is red.', True)
    >>> without_talk("Let's calculate: 6 × 9.8 = 58.8 N."), without_talk("根据图片描述，小车静止。")
    ('6 × 9.8 = 58.8 N.', '小车静止。')
    """
    text = _without_frame(sentence)
    idle = _DROPPED.match(text) or _DROPPED_CHINESE.match(text) or text.rstrip(_QUOTES).endswith(("?", "？"))
    if idle and not _COMPUTES.search(text):
        return None
    if _speaks(text) and _LEFT.search(text):
        return None
    text = text.strip().lstrip(",，、：: ")
    return capital(text) if any(map(str.isalnum, text)) else None


def _speaks(text: str) -> bool:
    return any(map(text.lower().__contains__, _TEXTS))


def _without_frame(text: str) -> str:
    """A sentence without what introduces it, or what says where it is from."""
    text = _ANNOUNCED.sub("", text, count=1)
    found = _STRIPPED.match(text)
    if found is not None:
        text = found["lead"] + text[found.end() :]
    if not _speaks(text):
        return text
    text = _NOUN.sub(lambda found: found["lead"] + "the image shows ", text, count=1)
    return _STRIPPED_CHINESE.sub("", _BEHIND.sub("", text))


_GUESSES = patterns(__package__, "guesses.tsv")
#: What comes before a whole clause: "It seems that the car is red."
_FRAME = re.compile(rf"\b(?=[ciotw])(?:{_GUESSES['frame']}),?\s+", re.IGNORECASE)
#: What is vague and has no plain form.
_VAGUE = re.compile(rf"\b(?=[aclghimnpst])(?:{_GUESSES['left']})\b", re.IGNORECASE)
_CHINESE = re.compile(_GUESSES["guess, Chinese"])
#: Comparisons and chances that are no guess; guesses in commas or brackets, at the beginning, and anywhere.
_NO_GUESS, _PARENTHESIS, _OPENS, _ADVERBS = (
    re.compile(_GUESSES[name], re.IGNORECASE) for name in ("no guess", "aside", "opening", "adverb")
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
    guessed = _VAGUE.search(bare) or _FRAME.search(bare) or (not bare.isascii() and _CHINESE.search(bare))
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
