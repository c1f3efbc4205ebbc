"""Sentences of a reasoning as they are rewritten, and what they say about themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from operators.onevision.describing.sentences import sentences
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
        found += [sentence for sentence in _of_line(bare) if len(sentence) <= SENTENCE]
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


def _of_line(line: str) -> Iterator[str]:
    for piece in sentences(line):
        if any(sign.isalnum() for sign in piece):
            yield piece.strip()


def _between(before: str, behind: str) -> str:
    if not before.endswith(_ENDS):
        return "\n"
    return "" if _CHINESE_END.search(before) else " "


_TEXT = (
    r"(?:(?:provided|given|formal|image|picture|detailed|dense|visual|above)\s){0,3}"
    r"(?:captions?|summary|descriptions?|annotations?)"
    r"(?:\sof\sthe\s(?:image|picture|scene))?(?:\s(?:provided|given|above))?"
)
_THE = r"(?:the|this|its|that)\s"
_SAID = r"(?:says|states|mentions|notes|indicates|tells\sus|describes|shows|reveals|confirms|specifies|explains)"
_LOOKING = (
    r"(?:look|examine|analy[sz]e|start|begin|break|see|take|go\sthrough|think|focus|review|identify|check|observe|inspect|evaluate|"
    r"consider|proceed|turn|move|describe|outline|explain|recall|determine|compare|use|combine|interpret|assess|"
    r"understand|work|solve|answer|find|locate|read|count|verify|match|list|provide)\b"
)
#: The same, where it tells nothing of how the problem is solved.
_VIEWING = r"(?:look|examine|analy[sz]e|start|begin|review|inspect|observe|focus|think|understand|identify)\b"
_LEADS = (
    r"(?:(?:first|firstly|next|then|now|finally|okay|ok|so|alright|well|"
    r"second|secondly|after\sthat|to\s(?:begin|start)(?:\swith)?|step\s\d{1,2}),?:?\s){0,2}"
)

#: The speaker's plans, and talk about texts that nobody sees.
_DROPPED = re.compile(
    rf"""\A{_LEADS}(?:
    (?:let(?:'|’)?s|let\s(?:us|me))\s(?:now\s|first\s|carefully\s)?{_LOOKING}
    | i(?:\s(?:will|am\sgoing\sto|need\sto|must|have\sto|should|want\sto|would\slike\sto|shall|can\snow)
      |(?:'|’)ll|(?:'|’)m\sgoing\sto)\s
    | to\s[^,.:]{{1,80}},?\s(?:i|we)\s(?:(?:will|need\sto|must|should|have\sto|can)\s)?(?:first\s|now\s)?{_VIEWING}
    | we\s(?:will|should|need\sto|must|have\sto)\s(?:now\s|first\s|then\s|carefully\s)?
      (?:look|examine|analy[sz]e|review|inspect)\b
    | as\san\sai\b | i\shope\b | (?:here|below)\s(?:is|are)\s(?:my|the|a)\s(?:\w+\s)?
      (?:reasoning|steps|analysis|thought|breakdown)
    | {_THE}{_TEXT}\s(?:is|was|does|will|provides?|gives?|helps?|has|have|do)\b
    | (?:the|my)\s(?:reasoning|analysis|approach|plan|goal|task)\s(?:is|will|involves|here)\b
    | step[\s-]by[\s-]step\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_DROPPED_CHINESE = re.compile(
    r"\A(?:首先|然后|接着|接下来|现在|下面|好的|那么|其次|最后)?[，,]?(?:"
    r"(?:让|请让)?我们?(?:将|会|要|需要|先|首先|来|现在|可以先|打算){1,3}(?:仔细|逐步|一步步|先|来|去|再|开始)*(?:查看|看看|看|分析|观察|检查|审视|研究|解读|考察|思考|理解|说明|回答|解答|梳理|解决)"
    r"|让我们|作为(?:一个|一名)?(?:AI|人工智能|语言模型)|(?:来|仔细|逐步)?分析一下|(?:以下|下面)是(?:我的)?(?:推理|分析|步骤|思路))"
)
#: A frame whose clause stands without it.
_STRIPPED = re.compile(
    rf"""\A(?P<lead>{_LEADS})(?:
    (?:based\son|according\sto|from|given|per|as\sper|in|by|using|referring\sto|considering)\s{_THE}{_TEXT}(?:\sand\s{_THE}{_TEXT})?(?:,|\s(?:it\sis\s(?:clear|evident|stated)\sthat|we\s(?:know|see|learn|are\stold)\sthat|i\s(?:know|see)\sthat))\s
    | as\s(?:mentioned|stated|described|noted|indicated|shown|given|said|explained)\s(?:in|by)\s{_THE}{_TEXT},\s
    | {_THE}{_TEXT}\s(?:also\s|clearly\s|further\s)?{_SAID}\sthat\s
    )""",
    re.IGNORECASE | re.VERBOSE,
)
#: "Let's identify the values: …"; what follows stands by itself.
_ANNOUNCED = re.compile(rf"\A{_LEADS}(?:let(?:'|’)?s|let\s(?:us|me))\s\w+(?:\s\w+){{0,5}}:\s", re.IGNORECASE)
_NOUN = re.compile(
    rf"\A(?P<lead>{_LEADS}){_THE}{_TEXT}\s(?:also\s|clearly\s)?{_SAID}\s(?=(?:an?|the|two|three|four|several|some|many)\s)",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    rf",?\s(?:according\sto|based\son|as\s(?:mentioned|stated|described|noted|indicated|shown|given|said|per)(?:\s(?:in|by))?|as\sper)\s{_THE}{_TEXT}(?=[,.;!])",
    re.IGNORECASE,
)
_TEXT_CHINESE = (
    r"(?:图片|图像|图中)?的?(?:上述|给定的?|所给的?|正式)?(?:文字)?"
    r"(?:描述|摘要|标题|总结|概述|图注|题注)(?:信息)?(?:中|里)?"
)
_STRIPPED_CHINESE = re.compile(
    rf"(?:根据|依据|基于|按照|由|从){_TEXT_CHINESE}(?:可知|所述|可以看出|可以得知|我们知道|显示|来看|所示|可以知道)?[，,：]?"
    rf"|(?:如)?{_TEXT_CHINESE}(?:所述|说|指出|提到|显示|表明|写道|告诉我们)(?:了|，|,|：)?"
)
#: The text itself is spoken of, still.
_LEFT = re.compile(
    rf"\b{_THE}(?:{_TEXT})\b|(?:图片|图像|文字|上述|正式)(?:的)?(?:描述|摘要|标题)|\bas\san\sai\b|语言模型",
    re.IGNORECASE,
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
