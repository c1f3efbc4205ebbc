"""The leak guard: sentences of a description that speak of the question, the options or an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import cache, lru_cache

from operators.onevision.describing.sentences import masked, sentences
from operators.verify.answer import AnswerType

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


@cache
def _leak() -> re.Pattern[str]:
    return re.compile("|".join((*_ASKED, *_ANSWER, *_OPTIONS, *_REASONED)))


@cache
def _chinese_leak() -> re.Pattern[str]:
    return re.compile("|".join(_CHINESE))


def leaking(text: str) -> bool:
    """Whether a sentence leaks: one in lower case, with single spaces, and blanks for what is in quotation marks.

    >>> leaking("therefore x is 5."), leaking("a red cube stands on the right.")
    (True, False)
    """
    return _leak().search(text) is not None or (not text.isascii() and _chinese_leak().search(text) is not None)


#: A number as it is written; thousands may be parted by commas.
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.,])(?:(?<![0-9)])[-−])?(?:\d{1,3}(?:,\d{3}){1,4}|\d{1,15})(?:\.\d{1,15})?(?!\d)")
#: A letter behind a word for an option.
_OPTION = re.compile(
    r"(?:\b(?i:option|choice|answer|alternative)|选项|答案为|答案是|选择?)\s?\(?([A-Ha-h])\)?(?![A-Za-z0-9'])"
)
#: Words that tell that a number was worked out, not seen or counted.
_COMPUTED = re.compile(
    r"\b(?:equals?|equal to|comes to|amounts to|total|sum|difference|average|mean|median|ratio|product|quotient"
    r"|probability|result|perimeter|area|volume|tension|force|acceleration|velocity|speed|current|resistance"
    r"|missing|unknown|must be|would be|should be)\b|等于|总[和共计数]|之和|[差积商]为|平均|比为|概率|周长|面积|体积"
    r"|张力|加速度|速度|应为|结果"
)
_UNIT = re.compile(r"\s*([A-Za-zµμΩ°%]{1,12}|[一-鿿]{1,2})")
#: Characters of a text in which an answer is looked for; a description has fewer.
_LONGEST = 20_000
_SPACES = re.compile(r"\s+")


def leaks_in(description: str) -> list[str]:
    """The sentences that speak of a question, of options to choose from or of an answer, or that conclude.

    What stands in quotation marks is text in the picture and tells nothing.

    >>> leaks_in("A mass m hangs from a pulley. Therefore the tension is 58.8 N. A label reads 'answer: 3'.")
    ['Therefore the tension is 58.8 N.']
    """
    return list(_leaks_of(description))


def without_leaks(description: str) -> tuple[str, list[str]]:
    """The description without its leaking sentences, and these.

    >>> without_leaks("图中有一个滑轮。所以答案是 B。绳子连接两个物体。")
    ('图中有一个滑轮。绳子连接两个物体。', ['所以答案是 B。'])
    """
    kept, leaking = [], []
    for piece in sentences(description):
        if _leaks(piece):
            leaking.append(piece.strip())
        else:
            kept.append(piece)
    return "".join(kept).strip(), leaking


def answers_question(
    description: str, question: str, answer: str, ocr_texts: Sequence[str] | None, answer_type: AnswerType
) -> str | None:
    """The sentence that gives the answer outright although it does not stand in the picture; None if there is none.

    That is a sentence that :func:`leaks_in` finds and that holds the answer; the letter of an option, where no other
    option is spoken of; a number or expression that was not read in the picture (``ocr_texts``; None: nothing was
    read at all) and is not in the question. What can be seen is no leak: a colour, a name, how many there are.

    >>> told = "A mass hangs from a string. The tension is 58.8 N."
    >>> answers_question(told, "What is the tension?", "58.8 N", ["m=6kg"], "quantity")
    'The tension is 58.8 N.'
    >>> answers_question("Two red cubes stand on a table.", "How many cubes are there?", "2", [], "number") is None
    True
    """
    answer, description = answer.strip(), description[:_LONGEST]
    if not answer or len(answer) > 200:
        return None
    for leak in leaks_in(description):
        if _holds(leak, answer, answer_type):
            return leak
    if answer_type == "letter":
        return _of_option(description, answer, ocr_texts)
    if answer_type in ("number", "quantity"):
        return _of_number(description, question, answer, ocr_texts, answer_type)
    if answer_type == "expression":
        return _of_expression(description, question, answer, ocr_texts)
    return None


@lru_cache(maxsize=512)
def _leaks_of(description: str) -> tuple[str, ...]:
    """The leaking sentences; remembered, as all rows that show a picture share its description."""
    return tuple(piece.strip() for piece in sentences(description) if _leaks(piece))


def _leaks(sentence: str) -> bool:
    text = _SPACES.sub(" ", masked(sentence)).strip().lower()
    return leaking(text)


def _holds(sentence: str, answer: str, kind: AnswerType) -> bool:
    if kind == "letter":
        return re.search(rf"(?<![A-Za-z]){re.escape(answer[:1].upper())}(?![A-Za-z'])", sentence) is not None
    if kind in ("number", "quantity"):
        return bool(set(_numbers(answer)) & set(_numbers(sentence)))
    return _packed(answer) in _packed(sentence)


def _of_option(description: str, answer: str, ocr_texts: Sequence[str] | None) -> str | None:
    """The sentence that names the answer's option, if it is the only one named and its letter was not read."""
    if {letter.upper() for letter in _OPTION.findall(masked(description))} != {answer[0].upper()}:
        return None
    label = re.compile(rf"\W{{0,2}}{re.escape(answer[0])}(?:\W|$)", re.IGNORECASE)
    if any(label.match(text.strip()) for text in ocr_texts or ()):
        return None
    return next((piece.strip() for piece in sentences(description) if _OPTION.search(masked(piece))), None)


def _of_number(
    description: str, question: str, answer: str, ocr_texts: Sequence[str] | None, kind: AnswerType
) -> str | None:
    numbers = _numbers(answer)
    if len(numbers) != 1:
        return None
    given = {number for text in (question, *(ocr_texts or ())) for number in _numbers(text)}
    if numbers[0] in given:
        return None
    unit = _units(answer)[0] if kind == "quantity" else ""
    for piece in sentences(description):
        # 3 Ω are not the 3 A that are asked for.
        places = [found for found in _NUMBER.finditer(piece[:_LONGEST]) if _value(found) == numbers[0]]
        if unit:
            places = [found for found in places if _unit_after(piece, found) == unit]
        # In an equation as it is printed, a number of it may be the answer by chance.
        equals = any(piece[: found.start()].rstrip().endswith(("=", "≈")) for found in places)
        # A value with a unit has to be read somewhere; a bare number may have been counted, or read off an axis.
        if places and (equals or _COMPUTED.search(piece.lower()) or (unit and ocr_texts is not None)):
            return piece.strip()
    return None


def _of_expression(description: str, question: str, answer: str, ocr_texts: Sequence[str] | None) -> str | None:
    wanted = _packed(answer)
    if len(wanted) < 3 or any(wanted in _packed(text) for text in (question, *(ocr_texts or ()))):
        return None
    return next((piece.strip() for piece in sentences(description) if wanted in _packed(piece)), None)


def _numbers(text: str) -> list[Decimal]:
    return [_value(found) for found in _NUMBER.finditer(text[:_LONGEST])]


def _value(found: re.Match[str]) -> Decimal:
    return Decimal(found[0].replace(",", "").replace("−", "-"))


def _units(text: str) -> list[str]:
    """What stands behind each number of a text, as far as it may be a unit."""
    return [_unit_after(text, found) for found in _NUMBER.finditer(text[:_LONGEST])]


def _unit_after(text: str, found: re.Match[str]) -> str:
    after = _UNIT.match(text, found.end())
    return after[1].lower() if after is not None else ""


def _packed(text: str) -> str:
    return _SPACES.sub("", text).replace("$", "").replace("−", "-").lower()
