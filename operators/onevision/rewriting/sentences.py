"""Sentences of a reasoning as they are rewritten, and what they say about themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dataflow_ext.text import patterns
from operators.onevision.model.sentences import sentences
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
            parts.append(_between(parts[-1], sentence))
        parts.append(sentence)
    return "".join(parts)


def capital(sentence: str) -> str:
    """A sentence with a capital at its start, unless it begins with a symbol such as x or m/s.

    >>> capital("the car is red."), capital("x = 3.")
    ('The car is red.', 'x = 3.')
    """
    return sentence[:1].upper() + sentence[1:] if _SMALL.match(sentence) else sentence


def _between(before: str, behind: str) -> str:
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
