"""The letters that open options and the words that open a solution, an answer or a proof."""

from __future__ import annotations

import re

from dataflow_ext.text import Pattern
from operators.pdf.numbering.label_words import as_written, with_capitals, words
from operators.pdf.numbering.numerals import narrow

_OPTION = Pattern(
    r"\s*(?:[$\\({\[（【](?:[\s$({\[（【]|\\left|\\mathrm|\\text(?:bf|rm)?|\\\()*([A-HＡ-Ｈ])[\s}]*"
    r"(?:\\right)?\s*[)）\]】]|([A-HＡ-Ｈ])\s*(?:[.．、：:]|[)）](?![（(])))"
)
_OPTION_STARTS = frozenset("$\\({[（【ABCDEFGHＡＢＣＤＥＦＧＨ \t\u3000")


def option_letter(text: str) -> str | None:
    """The letter of the option that a text opens with, A to H, or None.

    >>> [option_letter(t) for t in ("(A) 3", "Ｂ．3", r"$(\\mathrm{C})\\sqrt{4}$", "AB=3", "(a) 3")]
    ['A', 'B', 'C', None, None]
    """
    if text[:1] not in _OPTION_STARTS:
        return None
    found = _OPTION.match(text)
    return narrow(found[1] or found[2]) if found else None


_SMALL = re.compile(r"[(（]?([a-h])[.)）]\s")


def option_place(text: str) -> int:
    """The place of an option among those of its question, from 1 on, also of those in small letters; 0 if it is none.

    >>> [option_place(t) for t in ("(A) 3", "b) 4", "(c) 5", "d. 6", "5. e)")]
    [1, 2, 3, 4, 0]
    """
    small = _SMALL.match(text)
    letter = small[1].upper() if small else option_letter(text)
    return ord(letter) - ord("A") + 1 if letter else 0


_OPEN = r"[\s【\[〖*(（]*"
# 解 alone is a verb as well: without a sign behind it, only what a solution goes on with is sure.
_GOES_ON = r"[由因∵∴设当令把将作过连取在若易记①②(（$a-zA-Z\d]|原式|根据|依题|如图|假设|显然|方?法"
_QUESTION = r"方程|不等式|下列|以下|关于|三角形|直角三角形|集|[题决释放析式开码剖读]"
_CHINESE = Pattern(
    rf"{_OPEN}(?:(?P<sure>详解|解答|解析|分析|思路分析|思路点拨|点拨|证明|答案|参考解答|参考答案|正确答案|解|证|答|简解|略解)\s*"
    rf"(?:[：:】\]〗]|[.．](?!\d))"
    r"|(?P<way>解法|证法|方法)\s*[0-9一二三四五六①②③④⑤⑥]\s*(?:[：:】\].．、\s]|$)"
    rf"|(?P<verb>解)\s*(?!{_QUESTION})(?:(?={_GOES_ON})|(?<=\s)|$)"
    r"|(?P<word>解析|分析|解答|证明|答案|证)(?:\s*$|\s+(?=∵|∴|因|由|设|在|如图|连|作|过|取))"
    r"|(?P<short>答案|答)\s+(?=[A-H\d$\\(-])"
    r"|(?P<so>故选(?!择)|故答案为|所以答案))"
)
_LATIN = Pattern(
    rf"{_OPEN}(?P<word>(?i:(?:correct|right|model|sample|suggested|full|worked) (?:answer|solution))"
    r"|Solution|SOLUTION|Sol|Proof|PROOF|Answer|ANSWER|Ans|Explanation|Analysis|Rationale)\b"
    r"(?:\s*\d{1,2}\b)?(?:\s*\([^()]{1,30}\))?\*{0,2}"
    r"(?:\s*[.:：\]】]|\s*$"
    r"|(?<=[nN])\s+(?!(?i:Sets?|Manuals?|Keys?|Methods?)\b|of\b|to\b|OF\b|TO\b)(?=[A-Z$\\(]|[a-z] ?=))"
)
#: Words of other languages than English and Chinese: Lösung, Corrigé, Решение.
_OTHERS = sorted(set(words("answer")) - {*words("answer", language="en"), *words("answer", language="zh")})
_OTHER = Pattern(
    rf"{_OPEN}(?P<word>{as_written(with_capitals(_OTHERS))})(?![^\W\d_])"
    r"(?:\s*\d{1,3}(?:[.-]\d{1,3})*)?(?:\s*\([^()]{1,30}\))?\*{0,2}(?:\s*[.:：\]】–—]|\s*$)"
)
_MARKER_STARTS = frozenset("【[〖*(（ \t\u3000详解分思点证答正参简略方故所SPAECMFWRcmsfwr") | {
    word[0] for word in _OTHERS
}


def solution_marker(text: str) -> str | None:
    """The word with which a text opens a solution, an analysis, an answer or a proof, or None.

    >>> [solution_marker(t) for t in ("解：设 x", "解 由题意", "【解析】略", "故选 A", "Proof.")]
    ['解', '解', '解析', '故选', 'Proof']
    >>> [solution_marker(t) for t in ("解方程：x=1", "Solution set", "答题要求", "解析式为", "证明 AB=CD")]
    [None, None, None, None, None]
    """
    if text[:1] not in _MARKER_STARTS:
        return None
    found = _CHINESE.match(text) or _LATIN.match(text) or _OTHER.match(text)
    return found[found.lastgroup or 0] if found else None


_MATH = re.compile(r"\$\$.*?\$\$|\$[^$]*\$", re.DOTALL)
_INSIDE = Pattern(
    r"【(?:详解|解答|解析|分析|解|(?:参考|正确)?答案|证明|证|答)】"
    r"|(?<![求再了下理见题的正])(?:解析|分析|解答|解)\s*[：:](?!\s*$)"
    # "…, prove:" is asked; the proof begins with a sentence of its own.
    r"|(?<=[。．.；;？?！!\s])(?<![，,、：:]\s)证明\s*[：:](?!\s*$)"
    r"|(?<=[\s。．.；;?？）)])(?:解|证明)\s+(?=由|因|∵|设|原式|当|令|把|将|根据|依题|如图|□)"
    r"|(?:(?<=[。．？?！])|(?<=[。．？?！]\s))(?:解|证明)[ \u3000]+(?!方程|不等式|下列|关于)(?=\S)"
    rf"|(?<=\s)(?:(?:Solution|SOLUTION|Proof|PROOF)\s*[.:：]|(?:{as_written(with_capitals(_OTHERS))})\s*:)"
)


_PARTS_OF_MARKERS = ("解", "证", "分析", "答", "ol", "Proof", "SOLUTION", "PROOF")


def find_solution_start(text: str) -> int | None:
    """Where a solution begins inside a block, by a sure marker outside formulas; None if there is none.

    >>> find_solution_start("例3 求 $x$ 的值。解：设 $y=1$")
    12
    >>> find_solution_start("3. 解方程：$x=1$") is None
    True
    """
    if solution_marker(text):
        return len(text) - len(text.lstrip())
    if ":" not in text and not any(part in text for part in _PARTS_OF_MARKERS):
        return None
    blank = _MATH.sub(lambda m: "□" * len(m[0]), text) if "$" in text else text
    found = _INSIDE.search(blank)
    return found.start() if found else None
