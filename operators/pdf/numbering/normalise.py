"""Labels of questions and worked examples as books print them: found, normalised and compared.

A label opens a block: ``1.``, ``12、``, ``例①``, ``习题2``, ``Example 4``, ``Q5``, ``第3题``. Sub-questions,
``(3)`` or ``①``, decimals, dates and captions are no labels.
"""

from __future__ import annotations

import re
from functools import lru_cache

from operators.pdf.numbering.labels import DASHES, EXAMPLES, MISREAD_ONE, ORDINAL, SPACE, TASKS, ItemLabel, item_label
from operators.pdf.numbering.numerals import CHINESE, CIRCLED, narrow, number
from operators.pdf.numbering.ranges import answer_ranges, may_hold_range

_STRIP = " \t\r\n\u3000\u00a0*.．、：:,，。【】[]〖〗"
_CIRCLED_IN = re.compile(rf"[{CIRCLED}]")
_AFTER_WORD = re.compile(rf"((?:{EXAMPLES}|{TASKS})) *((?:\d|[{CIRCLED}{CHINESE}]).*)?$")
_CHINESE_RUN = re.compile(rf"(?<![{CHINESE}])[{CHINESE}]{{1,12}}(?![{CHINESE}])")


@lru_cache(maxsize=1 << 16)
def normalise_label(text: str) -> str:
    """The label as its column holds it: the word kept, numbers in ASCII digits, no closing sign.

    >>> [normalise_label(t) for t in ("例①", "例 一", "1．", "习题 2", "（３）", "Example 3:", "Ⅳ", "第3题")]
    ['例1', '例1', '1', '习题2', '(3)', 'Example 3', 'IV', '3']
    """
    label = " ".join(narrow(text.strip(_STRIP)).split()).strip(_STRIP)
    the = ORDINAL.fullmatch(label)
    if the:
        return str(number(the[1]))
    while label.endswith(")") and "(" not in label:
        label = label[:-1].strip(_STRIP)
    worded = _AFTER_WORD.match(label)
    if worded is None:
        return label
    rest = _CIRCLED_IN.sub(lambda m: str(number(m[0])), worded[2] or "")
    return worded[1] + _CHINESE_RUN.sub(lambda m: str(number(m[0])), rest)


_KEY_WORD = re.compile(r"(worked example|example|ex|例题|例)[ .]*(?=\d|$)|(question|q)[ .]*(?=\d)")
_ZEROS = re.compile(r"(?<![\d.])0+(?=\d)")


@lru_cache(maxsize=1 << 16)
def label_key(label: str) -> str:
    """The form in which labels are compared: case, spaces, numeral systems and synonyms taken away.

    >>> label_key("Ex. 3") == label_key("Example 3") == label_key("例③") == "例3"
    True
    >>> [label_key(t) for t in ("第3题", "Q3", "03", "③", "三", "习题3", "(3)", "A")]
    ['3', '3', '3', '3', '3', '习题3', '(3)', 'a']
    """
    key = normalise_label(label).casefold()
    if number(key) is not None:
        return str(number(key))
    word = _KEY_WORD.match(key)
    if word:
        key = ("例" if word[1] else "") + key[word.end() :]
    return _ZEROS.sub("", key.replace(" ", ""))


_MATH = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|\\\(.*?\\\)", re.DOTALL)
_MARK = re.compile(
    rf"(?:^|(?<=[\s。；;）)】．.，,]))(?P<part>(?:[{CHINESE}]{{1,3}}[、.．]|{MISREAD_ONE})[^\d。.．]{{0,12}})?"
    rf"(?:(?P<word>例题|例|变式|习题|练习){SPACE}(?P<m>\d{{1,2}}|[{CIRCLED}])(?![\d.．]\d)[.．、：:]?"
    rf"|(?<!\d[.．])(?P<n>\d{{1,3}}){SPACE}[.．、](?:(?!\d)|(?=\d{{4}})|(?<=、)(?!\d{{1,2}}[、题])))"
    rf"{SPACE}"
)
#: What is in every mark, quick to look for: most lines have one label at most.
_MAY_MARK = re.compile(rf"\d{SPACE}[.．、]|[例变习练]")
#: So many characters before a number tell whether it belongs to the sentence.
_LOOKED_AT = 40
# What goes on with a number: after these the next number belongs to the sentence.
_OPEN_END = re.compile(r"[=<>≤≥+\-×÷*/,，:：、为是与和第]\s*$")


def letters_of(text: str) -> str:
    """The letters and digits of a text in small letters, as two printings of one are compared.

    >>> letters_of("CHAPTER 1. Sets") == letters_of("Chapter 1 – Sets")
    True
    """
    return "".join(filter(str.isalnum, text)).casefold()


def find_labels(text: str) -> list[ItemLabel]:
    """The labels inside a block that holds several items, in order.

    An item's words run from ``end`` to the next one's ``start``. Only sure markers count: numbers that
    run on, outside formulas. Of a range, "1~5 CACCC", each letter is an item. A block that opens with
    one label gives that one; a block without any gives none.

    >>> text = "12. 求值　13. 化简"
    >>> [(m.label, text[m.start : m.end]) for m in find_labels(text)]
    [('12', '12. '), ('13', '13. ')]
    >>> text = "1~3 CAB"
    >>> [(m.label, m.start, text[m.end]) for m in find_labels(text)]
    [('1', 0, 'C'), ('2', 5, 'A'), ('3', 6, 'B')]
    """
    first = item_label(text)
    if _MAY_MARK.search(text, first.end if first else 0) is None and not may_hold_range(text):
        return [first] if first else []
    blank = _MATH.sub(lambda m: "□" * len(m[0]), text) if "$" in text or "\\(" in text else text
    ranges = answer_ranges(blank)
    if first and ranges and ranges[0][0].start <= first.start < first.end <= ranges[0][0].end:
        first = None  # 1．～5．CACCC
    found = [[first]] if first else []
    found += ranges
    found += [[_marked(m)] for m in _MARK.finditer(blank) if not first or m.start() >= first.end]
    found.sort(key=lambda items: items[0].start)
    chain: list[ItemLabel] = []
    for items in found:
        if not chain or _runs_on(chain[-1], items[0], blank):
            chain += items
    # A number in the middle of a block opens an item only if the next one follows.
    return chain if first or len(chain) > 1 else []


def _marked(found: re.Match[str]) -> ItemLabel:
    word, value = found["word"] or "", number(found["m"] or narrow(found["n"]))
    return ItemLabel(f"{word}{value}", found.end(), value, word, found.start())


def _runs_on(last: ItemLabel, mark: ItemLabel, text: str) -> bool:
    """Whether a number after ``last`` goes on with the count, or starts anew behind a part's number."""
    if mark.start < last.end or mark.number is None or last.number is None:
        return False
    # Only its end is looked at; a long stretch would be copied again for every number in it.
    between = text[max(last.end, mark.start - _LOOKED_AT) : mark.start]
    if mark.number == 1 and text[mark.start] in CHINESE + DASHES:
        return True
    if _OPEN_END.search(between):
        return False
    if mark.prefix != last.prefix:
        # 习题1 after 7, or 习题2 set off by a wide space where 习题1 is not there.
        return bool(mark.prefix) and between[-1:].isspace() and (mark.number == 1 or between[-1] == "\u3000")
    step = mark.number - last.number
    if step == 1:
        return True
    return 1 < step <= 4 and between[-1:].isspace()
