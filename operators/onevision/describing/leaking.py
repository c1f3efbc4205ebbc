"""Phrases by which a description speaks of a question, of options, or draws a conclusion of its own.

Texts are compared in lower case, with single spaces, and with blanks for what stands in quotation marks.
"""

from __future__ import annotations

import re

_TASK = r"(?:question|problem|prompt|query|task|exercise)"
_LETTER = r"\(?[a-h]\)?(?![a-z0-9'])"
_LAW = r"(?:law|theorem|rule|formula|principle|equation)s?"
_COUNT = r"(?:adding|subtracting|multiplying|dividing|summing|computing|calculating|substituting|solving|applying)"

#: The question.
_ASKED = (
    rf"\b(?:the|this|that|your|its) (?:[a-z]+ )?{_TASK} (?:asks?|asked|asking|wants?|states?|says|requires?|implies"
    r"|needs|concerns|seeks|is (?:to|about|asking)|can be|could be)\b",
    rf"\b(?:according to|as|asked in|relevant (?:to|for)|needed for|for|in|answer(?:s|ing)?|solv(?:e|es|ing)) "
    rf"(?:the|this|that) {_TASK}\b(?! (?:mark|field|page|box|number|column))",
    r"\bin question\b",
    r"\bthe user(?:'s)? (?:wants|asks|is asking|needs|question)\b",
    r"\bas (?:asked|requested)\b",
)
#: The answer.
_ANSWER = (
    r"\b(?:the|its|our|an?) (?:[a-z]+ )?answer (?:is|was|would|should|must|can|will|might|has to|comes|equals|=)",
    r"\b(?:final|correct|expected|best|right) (?:answer|choice)\b",
    r"\b(?:correct|best) option\b",
    r"\bis the (?:right|correct) (?:one|option|value)\b",
    r"^\W*(?:the |final )*answer ?[:：=]",
    r"\b(?:as|is|gives|be) the answer\b",
    r"\banswer(?:s|ing)? (?:to|for) (?:the|this) question\b",
    r"(?:^|order )to answer\b",
    r"</?(?:answer|think|conclusion|reasoning|summary)>",
    r"\bthe solution (?:is|=|:) ?(?:[a-z] ?=|-?\d)",
)
#: Options that are weighed.
_OPTIONS = (
    rf"\b(?:option|choice|alternative) {_LETTER}[^.]{{0,20}}\b(?:correct|right|true|holds|fits|matches|best|answer"
    r"|ruled out|wrong|false|excluded)\b",
    rf"\b(?:choose|chose|select|pick|makes?|corresponds? to|matches|supports|favou?rs|rules? out|eliminates?|so) "
    rf"(?:the )?(?:option|choice|answer) {_LETTER}",
    r"\b(?:among|from|of|given|with) the (?:(?:given|listed|available|provided|answer|other|remaining) )*"
    r"(?:options|choices)\b",
    r"\b(?:other|remaining) (?:options|choices) (?:do|does|can|cannot|are|is|agree|match|fit)\b",
    rf"\bonly (?:option |choice )?{_LETTER} (?:fits|matches|is|holds|agrees)\b",
)
#: Conclusions.
_REASONED = (
    r"(?:^|[,;:] ?|\band |\bso )(?:therefore|thus|hence|consequently|accordingly)\b(?! [a-z]{1,30}ing\b)",
    r"\bit follows that\b",
    r"^in conclusion\b",
    r"\b(?:we|one|i) (?:(?:can|could|may|must|should|then|now|would) )*(?:conclude|infer|deduce|calculate|compute"
    r"|determine|derive|solve|answer|get|obtain|find|choose|select|pick|need to|have to|want to)\b",
    r"\blet(?:'|’| u)s (?:calculate|compute|find|solve|look|determine|consider|see|denote)\b",
    r"(?:^|\border )to (?:solve|find|determine|calculate|compute|derive|work out)\b",
    rf"\b(?:using|by|applying|from) (?:[a-z]+['’]s|the)(?: [a-z]+){{0,3}} {_LAW}\b",
    r"\bsolving for\b",
    rf"(?:^|\bby ){_COUNT}\b[^.]{{0,80}}\b(?:gives?|yields?|is|equals|get|obtain|we)\b",
    r"\bobtain(?:ed|s)? by "
    rf"{_COUNT}\b",
    r"\bthis (?:suggests|implies|means|shows|indicates|tells us) that the (?:[a-z]+ )?(?:answer|option|choice)\b",
    r"\bcomes (?:out )?(?:as|to|at) -?\d",
    r"\bif we (?:add|subtract|multiply|divide|compare|count|take|use)\b",
)
_CHINESE = (
    r"(?:题目|问题)(?:要求|问|中|说|给出|需要|所问|考查|想知道)|题干|题意|题设|题中|本题|(?:这道|该|此)题",
    r"答案 ?(?:是|为|应|就|：|:|即|选|只能|显然|必)|(?:正确|最终|参考|最佳|标准)的?(?:答案|选项|选择)|作为答案",
    r"选项 ?[a-h] ?(?:是|为)?(?:正确|符合|成立|错误|不符|最)|(?:说明|表明|意味着|只有)选项|排除选项",
    r"[故应]选|(?:所以|因此|于是|因而|则)选|只有 ?[a-h] ?(?:符合|正确)|^选 ?[a-h](?![a-z])",
    r"^(?:因此|所以|因而|从而|于是|综上|由此|可见|故)|[，,；;] ?(?:所以|由此|故[^事]|从而|解得|可得|得出)",
    r"(?:由|根据|依据|利用|通过)[^，。,]{0,20}(?:定律|定理|公式|原理|可知|可得|推知)",
    r"可以?(?:得出|推断|推出|推知|求得|算出|得知|推得)|我们(?:需要|得到|要|可以(?:求|算|推|得))|解得|^可得",
    r"(?:为了?|要|来)(?:求|解|计算|回答|确定|得到)(?:出|解|这|该|本|此| ?[a-z](?![a-z]))",
)

#: All of them, as one expression; none has a repetition without a bound that another could fight over.
LEAKING = re.compile("|".join((*_ASKED, *_ANSWER, *_OPTIONS, *_REASONED, *_CHINESE)))
