"""The sentences of a reasoning, English or Chinese, and a text made of sentences again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from operators.onevision.rewriting.requests import readable

#: Characters of a reasoning that are read, and of a sentence; a longer one is no sentence.
LONGEST, SENTENCE = 20_000, 1_500

#: Tags and the like; what stands in them stays.
_TAG = re.compile(r"</?[A-Za-z][A-Za-z_]{0,30}\s{0,4}/?>")
_BOLD = re.compile(r"(?<![\w)*])(\*\*|__)(?=\S)([^*_\n]{1,300}?)\1(?![\w*])")
_HEAD = re.compile(
    r"^\s{0,8}(?:#{1,6}\s+|>\s+)?(?:[-*+•·]\s+|\(?(?:\d{1,2}|[a-z])[.)、]\s+(?=\S)|[（(]?\d{1,2}[)）.、]\s*(?=[\u4e00-\u9fff]))?"
)
_HEADING = re.compile(r"^\s{0,8}#{1,6}\s|^[^.!?。！？=]{1,60}[:：]$")
_STOP = re.compile(r"[.!?。！？…]+[\"'”’)\]』」）]*")
#: "**Compare:** 2010 is less." A word on what follows; but that of the answer stays.
_TITLE = re.compile(r"^\*\*(?![^*\n]{0,60}(?:nswer|答案))[^*\n]{1,60}(?:[:：]\*\*|\*\*\s{0,2}[:：])\s{0,4}(?=\S)")
#: What may begin a sentence behind a stop and a space.
_BEGINS = re.compile(r"[A-Z0-9\"'“‘(\[$\\△∠∵∴\u4e00-\u9fff]")
_LAST_WORD = re.compile(r"[^\s(（\[“\"'$]{1,30}\Z")
_ABBREVIATION = re.compile(
    r"(?:e\.g|i\.e|cf|vs|mr|mrs|ms|dr|prof|st|figs?|eqs?|sec|approx|ca|dept|inc|ltd|jr|sr|mt|al|resp|ex)\Z"
)
#: Abbreviations only if a number follows: "No. 3", but "No. The car is red."
_NUMBERED = re.compile(r"(?:nos?|vol|pp?|ch|art|figs?|eqs?|sec|min|max|st)\Z")
#: Words before a capital that make it the name of an option or a point, which may end a sentence.
_NAMED = re.compile(
    r"(?:is|option|answer|choice|and|or|to|point|at|of|by|be|are|letter|label|case|type|figure|block|object|ball|mass)\Z"
)
_ENDS = tuple('.!?。！？…；;:："”’』」)）')
#: What goes on behind a quoted text: "“密码正确？”，然后…".
_GOES_ON = frozenset("，、；：,;")
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
        if _HEADING.match(_BOLD.sub(r"\2", line).strip()):
            continue
        bare = _BOLD.sub(r"\2", _TITLE.sub("", _HEAD.sub("", line, count=1).strip(), count=1))
        found += [sentence for sentence in _of_line(bare) if len(sentence) <= SENTENCE]
    return found


def joined(sentences: Sequence[str]) -> str:
    """Sentences as one text: spaces between English ones, none between Chinese ones, lines where a stop is missing.

    >>> joined(["It is 5.", "x = 3", "So it is 3.", "图中有车。", "答案是 3。"])
    'It is 5. x = 3\\nSo it is 3. 图中有车。答案是 3。'
    """
    parts: list[str] = []
    for sentence in sentences:
        if parts:
            parts.append(_between(parts[-1], sentence))
        parts.append(sentence)
    return "".join(parts)


def capital(sentence: str) -> str:
    """A sentence with a capital at its start, unless it begins with a symbol such as x or m/s.

    >>> capital("the car is red."), capital("x = 3.")
    ('The car is red.', 'x = 3.')
    """
    return sentence[:1].upper() + sentence[1:] if re.match(r"[a-z](?:[a-z'’]|\s+[a-z]{2})", sentence) else sentence


def _of_line(line: str) -> Iterator[str]:
    start = 0
    for stop in _STOP.finditer(line):
        if _ends(line, start, stop):
            piece = line[start : stop.end()].strip()
            if any(sign.isalnum() for sign in piece):
                yield piece
            start = stop.end()
    rest = line[start:].strip()
    if any(sign.isalnum() for sign in rest):
        yield rest


def _ends(line: str, start: int, stop: re.Match[str]) -> bool:
    """Whether a stop ends a sentence."""
    behind = line[stop.end() : stop.end() + 40]
    if any(sign in "。！？" for sign in stop[0]):
        return not (stop[0][-1] in "”』」" and behind[:1] in _GOES_ON)
    if not behind:
        return True
    if behind[0] > "\u4dff" and stop[0][0] in "!?":
        return True
    following = behind.lstrip()
    if behind[0] not in " \t\u3000" or not _BEGINS.match(following):
        return False
    return stop[0][0] != "." or len(stop[0]) > 1 or not _abbreviates(line[start : stop.start()], following)


def _abbreviates(before: str, following: str) -> bool:
    """Whether the stop behind ``before`` belongs to an abbreviation, a list's number or the initial of a name."""
    found = _LAST_WORD.search(before[-31:])
    if found is None:
        return False
    word = found[0].lower()
    ahead = before[: len(before) - len(found[0])].rstrip()
    if _ABBREVIATION.match(word) or (_NUMBERED.match(word) and following[0].isdigit()):
        return True
    if not ahead:  # "1. The", "A. Reduce": the mark of an item
        return len(word) == 1 or word.isdigit()
    if len(word) == 1 and found[0].isupper():
        last = _LAST_WORD.search(ahead[-31:])
        return last is not None and last[0][0].isupper() and last[0].isalpha() and _NAMED.match(last[0].lower()) is None
    return False


def _between(before: str, behind: str) -> str:
    if not before.endswith(_ENDS):
        return "\n"
    return "" if _CHINESE_END.search(before) else " "
