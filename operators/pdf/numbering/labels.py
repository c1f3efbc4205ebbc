"""The label that opens an item: a question, a worked example or an answer; and that of a sub-question."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dataflow_ext.text import Pattern
from operators.pdf.numbering.label_words import as_written, numbering, with_capitals, words
from operators.pdf.numbering.numerals import CHINESE, CIRCLED, narrow, number


@dataclass(slots=True)
class ItemLabel:
    """The label that opens an item: ``label`` normalised, ``end`` where the item's own words begin.

    ``number`` is the label's number, the last one of a compound such as ``例2-1``, None for a bare 例.
    ``prefix`` is the word before it, ``""`` for a plain number. ``start`` is 0 except in
    :func:`find_labels`.
    """

    label: str
    end: int
    number: int | None
    prefix: str
    start: int = 0


_CJK = re.compile(r"[\u4e00-\u9fff]")
#: Words of worked examples.
EXAMPLES = "|".join(word for word in words("example") if _CJK.match(word))
# These words with a compound number name a lesson (习题19.1), with a Chinese one a section (练习一).
TASKS = "|".join(words("task"))
_SPACED = with_capitals(word for word in words("example", "question") if not _CJK.match(word))
_KNOWN_WORDS = frozenset(with_capitals(words("example", "question", language="en")))
SPACE = r"[ \t\r\n\u3000\u00a0]*"
_PLAIN = re.compile(rf"(?:[*★☆※▲△◆●]+{SPACE})?(\d{{1,3}})[*∗★☆]?{SPACE}([.．、])(?![ºª] [a-z]){SPACE}")
_BRACKET = re.compile(rf"(\d{{1,3}}){SPACE}[)）]{SPACE}")
_DECIMAL = re.compile(r"\d+(?:[.．]\d+)*(\s*)(.?)")
_LISTED = re.compile(r"\d+\s*(?:[、,，和及与~～至]\s*\d|小?题)")
#: 一、 as OCR reads it.
DASHES = "-—–－−ー"
MISREAD_ONE = f"[{DASHES}]、"
_PART = re.compile(rf"(?:[{CHINESE}]{{1,3}}[、.．]|{MISREAD_ONE}){SPACE}(?=\d)")
_UNIT = re.compile(
    r"\s*(?:[%％°℃万亿元米秒克吨升度倍分斤]|厘米|毫米|千[米克瓦]|平方|立方|小时|公里|[kcmnMd]?[mgLsVAWJN]\b|cm|km|kg|Hz)"
)
#: A label in words, 第3题; 第3题图 is a caption.
ORDINAL = re.compile(rf"第{SPACE}(\d{{1,3}}|[{CHINESE}]{{1,3}}){SPACE}题(?![图的组型])[.．、：:]?{SPACE}")
_COMPOUND = r"\d{1,3}(?:[.．\-–—]\d{1,2}(?!\d))*"
_WORD = Pattern(
    rf"[\s【\[〖*]*(?P<word>{EXAMPLES}|{TASKS}){SPACE}"
    rf"(?P<n>{_COMPOUND}|[{CIRCLED}]|[{CHINESE}]{{1,3}}(?![般个些次定种类起样直切方条只元]))?"
    rf"{SPACE}[】\]〗*]*(?P<sep>[.．、：:,，]?){SPACE}"
)
_LATIN = Pattern(
    rf"[\s\[*]*(?P<word>{as_written(_SPACED)})(?![^\W\d_])\.?{SPACE}"
    rf"(?P<n>{_COMPOUND})?(?![A-Za-z0-9%&])[\])*]*(?P<sep>[.．:：]?)[\])*]*{SPACE}"
)
# Words after a label that make it a reference to an item told elsewhere, or a caption.
_REFERENCE = Pattern(
    r"[中的图后]|可[知得以见]|[和与至、]\s*(?:例|\d)|[章节课讲单组页]|"
    r"(?:shows?|illustrates?|asks?|is|and|we|demonstrates?|above|below|gives?|in|to|can|has|was)\b"
)

_TASK_SET = frozenset(TASKS.split("|"))
_BARE = frozenset(
    ("例", "典例", "例题", "变式", *(word for word in with_capitals(words("example")) if not _CJK.match(word)))
)
_DIGITS = frozenset("0123456789０１２３４５６７８９")
_WORDS = frozenset(w[0] for w in f"{EXAMPLES}|{TASKS}".split("|"))
_LETTERS = frozenset(word[0] for word in _SPACED)
_MARKS = frozenset("★☆※▲△◆●")
_OPENERS = frozenset("【[〖*")
#: What closes a label as a point does.
_CLOSES = frozenset("】]〗")
#: Signs that fonts of symbols put before labels, ▷ Exercise 2, some of which have the values of others there.
_ORNAMENTS = frozenset("▷▹▸►▶❯»›→⇒∎■□◦∘·.")
_STARTS = (
    _ORNAMENTS
    | _DIGITS
    | _WORDS
    | _LETTERS
    | _MARKS
    | _OPENERS
    | frozenset(CHINESE + DASHES)
    | frozenset(" \t\r\n\u3000\u00a0第")
)


def item_label(text: str, expected: int | None = None) -> ItemLabel | None:
    """The label that a block opens with, or None if it opens no item.

    ``expected`` is the number that should come next; it settles what the text leaves open, as in
    "2.3的平方根是", question 2 about 3 or no label at all.

    >>> item_label("例① 求值")
    ItemLabel(label='例1', end=3, number=1, prefix='例', start=0)
    >>> item_label("5.4 米/秒"), item_label("2.3的平方根"), item_label("第3题图"), item_label("(3) 求值")
    (None, None, None, None)
    >>> item_label("2.3的平方根", expected=2).end
    2
    """
    first = text[:1]
    if first not in _STARTS or not first:
        return None
    if first in _DIGITS:
        return _plain(text, 0, expected)
    at = 0
    if first in " \t\r\n\u3000\u00a0":
        at = len(text) - len(text.lstrip())
        first = text[at : at + 1]
    if first in _DIGITS or first in _MARKS:
        return _plain(text, at, expected)
    if first == "*":
        return _plain(text, at, expected) or _worded(text, at, expected)
    if first in _WORDS or first in _OPENERS or first in _LETTERS:
        return _worded(text, at, expected)
    if first in _ORNAMENTS:
        return _worded(text, at + 2, expected) if text[at + 1 : at + 2] in (" ", "\u00a0") else None
    if first == "第":
        return _ordinal(text, at)
    # 二、6. 20%: the part's number stands before the item's own.
    part = _PART.match(text, at)
    return _plain(text, part.end(), expected) if part else None


def _plain(text: str, at: int, expected: int | None) -> ItemLabel | None:
    found = _PLAIN.match(text, at)
    if found is None:
        if expected is None:
            return None
        found = _BRACKET.match(text, at)
        value = int(found[1]) if found else None
        return ItemLabel(narrow(found[1]), found.end(), value, "") if found and value == expected else None
    digits, end = found[1], found.end()
    value = int(digits)
    if value == 0 and expected != 0:
        return None
    if text[end : end + 1].isdecimal():
        if found[2] == "、":
            if _LISTED.match(text, end):
                return None
        elif end == found.end(2) and not _year(text, end) and (value != expected or not _own_number(text, end)):
            return None
    return ItemLabel(narrow(digits), end, value, "")


def _year(text: str, at: int) -> bool:
    """Whether four digits, as no decimal of a book has them before 年, stand here: 5．2024年真题."""
    return text[at : at + 4].isdecimal() and text[at + 4 : at + 5] == "年"


def _own_number(text: str, at: int) -> bool:
    """Whether the digits after "2." can open a question of their own: not a unit, a title or the end."""
    digits = _DECIMAL.match(text, at)
    if digits is None or not digits[2] or (digits[1] and digits[2] != "的"):
        return False
    return not _UNIT.match(text, digits.end(1))


def _ordinal(text: str, at: int) -> ItemLabel | None:
    found = ORDINAL.match(text, at)
    if found is None:
        return None
    value = number(narrow(found[1]))
    return ItemLabel(str(value), found.end(), value, "")


def _worded(text: str, at: int, expected: int | None) -> ItemLabel | None:
    found = _WORD.match(text, at) or _LATIN.match(text, at)
    if found is None:
        return None
    word, digits, end = found["word"], found["n"], found.end()
    if digits is None:
        return _bare(text, found)
    parts = re.split(r"([.．\-–—])", digits)
    if len(parts) > 1 and parts[1] in ".．" and expected is not None and number(parts[0]) == expected:
        # 例1.3的平方根: the point closes the label.
        end = found.start("n") + len(parts[0]) + 1
        parts = parts[:1]
    elif not found["sep"] and text[end - 1] not in _CLOSES and _refers(word, text, end):
        return None
    if word in _TASK_SET and (len(parts) > 1 or digits[0] in CHINESE):
        return None
    if len(parts) > 1 and word.lower() == "exercise" and end == len(text):
        return None
    tail = "".join(narrow(p) if i % 2 else str(number(p)) for i, p in enumerate(parts))
    if word.casefold() in numbering():
        return ItemLabel(tail, end, number(parts[-1]), word)
    gap = " " if not _CJK.match(word) and text[found.end("word")] in " .\t\u00a0\u3000" else ""
    return ItemLabel(f"{word}{gap}{tail}", end, number(parts[-1]), word)


def _refers(word: str, text: str, end: int) -> bool:
    """Whether the words behind a label tell something of an item elsewhere: in some languages, any in small letters."""
    foreign = not _CJK.match(word) and word not in _KNOWN_WORDS
    return _REFERENCE.match(text, end) is not None or (foreign and text[end : end + 1].islower())


def _bare(text: str, found: re.Match[str]) -> ItemLabel | None:
    """A worked example that has lost its number: 例：, 典例 …, Example."""
    word, sep, end = found["word"], found["sep"], found.end()
    if word not in _BARE or sep in (",", "，", "、"):
        return None
    if (
        sep
        or text[found.end("word") : found.end("word") + 1] == "."
        or (end > found.end("word") and not word.isascii())
        or (end == len(text) and not word.isascii())
    ):
        return ItemLabel(word, end, None, word)
    return None


_SUB = re.compile(
    rf"\$?\s*(?:[(（]\s*([0-9０-９]{{1,2}}|[ivx]{{1,4}}|[a-h])\s*[)）]|([{CIRCLED}])|([\u2474-\u2487])|(\d{{1,2}})\s*[)）])"
)


def sub_label(text: str) -> str | None:
    """The label of a sub-question that a text opens with, ``(3)``, ``(a)``, ``①``, or None.

    >>> [sub_label(t) for t in ("（３）求值", "① 求值", "⑵", "2) 求值", "(A) 3", "3. 求值")]
    ['(3)', '①', '(2)', '(2)', None, None]
    """
    found = _SUB.match(text.lstrip()) if text else None
    if found is None:
        return None
    if found[2]:
        return found[2]
    if found[3]:
        return f"({number(found[3])})"
    return f"({narrow(found[1] or found[4])})"
