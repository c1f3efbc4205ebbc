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
    r"\basked (?:for|about)\b|\bwho asked\b|\bthe (?:response|reply) (?:should|must|is)\b",
    r"\bsolution (?:of|to|for) the (?:exercise|problem|question|task)\b",
)
#: The answer.
_ANSWER = (
    r"\b(?:the|its|our|an?) (?:[a-z]+ ){0,3}answer (?:is|was|would|should|must|can|will|might|has to|comes|equals|=)",
    r"\b(?:final|correct|expected|best|right) (?:answer|choice)\b(?! (?:key|sheet|box)s?\b)",
    r"\b(?:correct|best) option\b",
    r"\bis the (?:right|correct) (?:one|option|value)\b",
    r"\bcorrect (?:statement|one|conclusion|result|value)\b",
    r"\b(?:statement|conclusion|claim) (?:[a-z0-9]+ )?is (?:true|correct|false|wrong|right)\b",
    r"(?:^|[,;:] ?|\band |\bso )[a-h] is (?:the )?(?:correct|right|true|best|answer|wrong|false)\b",
    r"^\W*(?:which|what|how|who|where|when|why) [^?]*[?]",
    r"^\W*(?:the |final )*answer ?[:：=]",
    r"(?<!writes )(?<!writing )(?<!enters )(?<!with )\bthe answer\b"
    r"(?! (?:key|sheet|box|field|column|line|button|area|space)s?\b)",
    r"\banswer(?:s|ing)? (?:to|for) (?:the|this) question\b",
    r"(?:^|order )to answer\b",
    r"</?(?:answer|think|conclusion|reasoning|summary)>",
    r"\bthe solution (?:is|=|:) ?(?:[a-z] ?=|-?\d)",
)
#: Options that are weighed.
_OPTIONS = (
    r"\b(?:you|we|one|i) (?:should|would|must|can) (?:choose|select|pick|go with)\b",
    r"\b(?:leaves|rules? out|eliminates?|select|choose|pick) (?:option |choice )?"
    r"(?:[b-h](?![\w'])|a(?:[.,;]|$| and [b-h]\b))",
    r"\b(?:looking at|comparing|considering) the (?:[a-z]+ )?(?:options|choices)\b",
    rf"\b(?:option|choice|alternative) {_LETTER}[^.]{{0,20}}\b(?:correct|right|true|holds|fits|matches|best|answer"
    r"|ruled out|wrong|false|excluded|consistent|describes|agrees|plausible|likely|follows)\b",
    r"\b(?:first|second|third|fourth|last) (?:option|choice) (?:describes|matches|fits|holds|agrees)\b",
    rf"\b(?:supports?|confirms?|contradicts?|consistent with)[^.]{{0,20}}\b(?:option|choice) {_LETTER}",
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
    r"\b(?:therefore|hence|consequently)\b",
    r"\bcan (?:then |now )?be (?:computed|calculated|inferred|concluded|deduced|derived|solved)\b",
    r"\b(?:desired|sought|required|wanted) (?:angle|value|length|mass|area|quantity|number|ratio|result|total|force)\b",
    r"\bso the (?:result|total|sum|value|answer|difference|missing|unknown)\b",
    r"\b(?:is|are|equals?) then (?:[a-z]+ ?= ?)?-?\d",
    r"\b(?:we|one|i) (?:see|know|have|note|can see) that [a-z]+ (?:is|equals|=)",
    r"\bit follows that\b",
    r"^as a result\b|^given (?:this|that|these)\b|^knowing (?:that|this)\b|\b(?:imply|implies|proves?) that\b",
    r"\bit is (?:evident|clear|obvious) that\b",
    r"\b(?:must|has to|have to) (?:be|equal) -?\d",
    r"\bis found (?:by|from|with|to be)\b|\bby (?:subtraction|addition|multiplication|division|calculation)\b",
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
    r"所求|计算可?得|不难(?:看出|发现|得)|(?:该|此|这个)问题|[a-h] ?(?:项|选项)?(?:正确|错误)|应该?填|^解[：:]",
    r"可知|代入|(?:的|这个?|该)答案|答案在|因为[^。]{0,40}所以|与图[^。]{0,4}(?:一致|相符)|综合[以上述]",
    r"最终结果|结果[为是] ?-?\d|选择? ?[a-h] ?(?:选项|项)",
    r"^(?:因此|所以|因而|从而|于是|综上|由此|可见|据此|故(?![宫事障乡意居]))"
    r"|[，,；;] ?(?:所以|由此|故[^事]|从而|解得|可得|得出)",
    r"(?:由|根据|依据|利用|通过)[^，。,]{0,20}(?:定律|定理|公式|原理|可知|可得|推知)",
    r"可以?(?:得出|推断|推出|推知|求得|算出|得知|推得)|我们(?:需要|得到|要|可以(?:求|算|推|得))|解得|^可得",
    r"(?:为了?|要|来)(?:求|解|计算|回答|确定|得到)(?:出|解|这|该|本|此| ?[a-z](?![a-z]))",
)

#: Words without one of which none of the English phrases can be in a sentence; most sentences have none.
_ASKING = frozenset(
    ("question", "problem", "prompt", "query", "task", "exercise", "user", "asked", "requested", "response", "reply")
)
_ANSWERING = frozenset(
    (
        "answer",
        "answers",
        "answering",
        "choice",
        "option",
        "correct",
        "right",
        "solution",
        "think",
        "statement",
        "claim",
        "true",
        "which",
        "what",
        "how",
        "who",
        "where",
        "when",
        "why",
        "best",
        "wrong",
        "false",
    )
)
_CHOOSING = frozenset(
    (
        "option",
        "options",
        "choice",
        "choices",
        "alternative",
        "only",
        "answer",
        "should",
        "would",
        "must",
        "can",
        "leaves",
        "rule",
        "rules",
        "eliminate",
        "eliminates",
        "select",
        "choose",
        "pick",
    )
)
_CONCLUDING = frozenset(
    (
        *("therefore", "thus", "hence", "consequently", "accordingly", "follows", "conclusion", "let", "lets"),
        *("conclude", "infer", "deduce", "calculate", "compute", "determine", "derive", "solve", "answer", "get"),
        *(
            "obtain",
            "find",
            "choose",
            "select",
            "pick",
            "need",
            "have",
            "want",
            "work",
            "solving",
            "obtained",
            "obtains",
        ),
        *("law", "laws", "theorem", "theorems", "rule", "rules", "formula", "formulas", "principle", "principles"),
        *("equation", "equations", "adding", "subtracting", "multiplying", "dividing", "summing", "computing"),
        *(
            "calculating",
            "substituting",
            "applying",
            "option",
            "choice",
            "comes",
            "if",
            "can",
            "desired",
            "sought",
            "required",
        ),
        *("wanted", "so", "then", "see", "know", "note", "reasoning", "result", "given"),
        *("knowing", "imply", "implies", "prove"),
        *("proves", "evident", "clear", "obvious", "must", "has", "found", "subtraction", "addition", "division"),
        *("multiplication", "calculation"),
    )
)
_GROUPS = (
    (_ASKING, re.compile("|".join(_ASKED))),
    (_ANSWERING | {"conclusion", "reasoning", "summary"}, re.compile("|".join(_ANSWER))),
    (_CHOOSING, re.compile("|".join(_OPTIONS))),
    (_CONCLUDING, re.compile("|".join(_REASONED))),
)
_CHINESE_LEAK = re.compile("|".join(_CHINESE))
_WORD = re.compile(r"[a-z]+")


def leaking(text: str) -> bool:
    """Whether a sentence leaks: one in lower case, with single spaces, and blanks for what is in quotation marks.

    >>> leaking("therefore x is 5."), leaking("a red cube stands on the right.")
    (True, False)
    """
    words = set(_WORD.findall(text))
    if any(not triggers.isdisjoint(words) and pattern.search(text) for triggers, pattern in _GROUPS):
        return True
    return not text.isascii() and _CHINESE_LEAK.search(text) is not None
