"""Headings of chapters, lessons, exercises and their answers: read into a structure, and compared."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from dataflow_ext.text import Pattern
from operators.pdf.numbering.label_words import CHAPTERS, in_any_case, words
from operators.pdf.numbering.numerals import CHINESE, NUMBER_WORDS, narrow, number, roman

#: The similarity of two headings of which one does not say what it heads; 0.1 and less is a contradiction.
UNKNOWN = 0.4


@dataclass(slots=True, frozen=True)
class Title:
    """A heading taken apart.

    ``kind`` is ``chapter, section, lesson, exercise, unit, topic, part, test`` or ``""``. ``numbers``
    are its numbers from the widest on, with ``part``, the "(2)" or "（三）" at the end, as the last.
    ``name`` is what is left: no numbers, no words of an answer key. ``pairs`` are the name's pairs of
    neighbouring letters.
    """

    kind: str
    numbers: tuple[int, ...]
    name: str
    is_answers: bool
    part: int | None
    pairs: frozenset[str]


_N = rf"(?:\d{{1,3}}|[{CHINESE}零〇]{{1,5}})"
_KINDS = {
    "编": "part", "部分": "part", "册": "part", "章": "chapter", "单元": "unit", "节": "section",
    "讲": "lesson", "课": "lesson", "课时": "lesson", "回": "test", "套": "test",
    "专题": "topic", "模块": "unit", "主题": "topic", "考点": "lesson", "课题": "lesson", "微专题": "topic",
    "chapter": "chapter", "unit": "unit", "section": "section", "lesson": "lesson", "lecture": "lesson",
    "topic": "topic", "part": "part", "module": "unit", "test": "test", "appendix": "part",
}  # fmt: skip
_KINDS |= {word.casefold(): _KINDS[kind] for kind in CHAPTERS for word in words(kind)}
#: Words that head answers in other languages than English and Chinese, and what may join them to a chapter's name.
_ANSWERS_IN = in_any_case(set(words("answers")) - set(words("answers", language="zh")))
_TO = in_any_case(words("joins"))
_ANSWERS = Pattern(
    r"(?:参考|标准)?(?:答案(?:与|及|和|、)?(?:详细)?(?:解析|提示|解答|详解|评分标准|速查|速览|一览)?|"
    r"(?<![、，与])解答(?!题)|详解|解析(?!几何|式|法))|"
    # "Answer all questions" tells what to do.
    r"\b(?!answer (?:all|any|each|every|both|only|one|two|three|four|five|six|the (?:following|questions))\b)"
    r"(?:selected |odd-numbered )?(?:answers?|solutions?)(?: key| manual)?(?: (?:to|for|of))?\b(?: the\b)?"
    r"(?! sets?\b)|\bkey to\b|\banswer key\b"
    rf"|\b(?:{_ANSWERS_IN})(?:\s+(?:{_TO}))*\b",
    re.IGNORECASE,
)
#: Quick to look for, and in every word of an answer key: its first sign, behind which comes the rest.
_MAY_ANSWER = Pattern(
    r"[答解析aAsSſkK\u212a](?:(?<=[答解析])|(?<=[aA])(?i:nswer)|(?<=[sSſ])(?i:olution)|(?<=[kK\u212a])(?i:ey))"
    rf"|\b(?:{_ANSWERS_IN})"
)
_ORDINAL = re.compile(rf"第\s*({_N})\s*(编|部分|册|章|单元|节|讲|课时|课|回|套)")
_NUMBERED = re.compile(rf"(微专题|专题|单元|模块|主题|考点|课题|讲)\s*({_N})(?![{CHINESE}\d.])")
_LATIN = Pattern(
    rf"({in_any_case(words(*CHAPTERS))})\.?\s+"
    rf"(\d+(?:[.-]\d+)*|[IVXLC]+|{'|'.join(NUMBER_WORDS)})\b",
    re.IGNORECASE,
)
_EXERCISE = Pattern(
    r"(习题|练习题|练习|复习题|复习参考题|作业|挑战压轴题|压轴题|exercises?|problems?|practice"
    rf"|(?:{in_any_case(words('exercises'))})(?![^\W\d_]))\s*"
    r"(?:sets?\s+(?=\d))?(?:(?:for|to|on|of|from)\s+(?:chapter|section|unit|lesson)\s+)?"
    rf"((?:\d+(?:[.．\-]\d+)*)|{_N}|(?-i:[IVXLC]+)(?=\s*(?:[.:]|$)))?(?![\w])",
    re.IGNORECASE,
)
_TEST = Pattern(
    r"((?:综合|单元|期中|期末|阶段|章末|月考|达标|滚动|专项)?(?:测试|检测|自测|测评|评估|考试)(?:题|卷)?)"
    rf"\s*\(?\s*({_N})?\s*\)?"
)
DECIMAL = re.compile(r"(?:§\s*)?(\d+(?:[.．-]\d{1,3}(?!\d))*)(?![\d%])[.、．]?\s*(?=\(|$|[^\W\d])")
_PART = re.compile(rf"\(\s*(?:第\s*)?({_N}|[IVX]+)\s*(?:课时)?\s*\)\s*$|第\s*({_N})\s*课时\s*$")
_PART_ENDS = (")", "时")
PAGE = re.compile(r"\s*(?:[…⋯]+|[.·．_]{3,}|\s(?:[.·]\s){2,})[\s.…·]*\d{1,3}\s*$")
# Words that many headings share, and that say little of which one is meant.
_GENERIC = re.compile(r"(?:综合|单元|课后|巩固|阶段|章末)?(?:练习|测试|复习|检测|习题)[题卷]?$")
_WORDS_ONLY = frozenset(("习题", "练习", "课后习题", "课后练习", "试题", "练习题", "exercises", "problems"))
_NOISE = re.compile(r"[\s\W_]+")


#: What of a heading is read; a longer one is a page that was taken for a heading.
LONGEST = 200


@lru_cache(maxsize=1 << 15)
def read_title(text: str) -> Title:
    """The heading taken apart; text that is no heading gives its words as the name.

    >>> t = read_title("第五章 数列 参考答案")
    >>> t.kind, t.numbers, t.name, t.is_answers
    ('chapter', (5,), '数列', True)
    >>> [read_title(t).numbers for t in ("19.1 平方根(二)", "习题2.2", "Chapter V", "单元测试（一）数列")]
    [(19, 1, 2), (2, 2), (5,), (1,)]
    """
    rest = " ".join(narrow(text[:LONGEST]).strip(" #*").split())
    rest = PAGE.sub("", rest) if rest[-1:].isdecimal() else rest
    bare = _ANSWERS.sub(" ", rest) if _MAY_ANSWER.search(rest) else rest
    is_answers = bare != rest
    rest = bare.strip()
    part = None
    closing = _PART.search(rest) if rest.endswith(_PART_ENDS) else None
    if closing and closing.start() > 0 and not _ends_a_test(rest, closing.start()):
        part, rest = _value(closing[1] or closing[2]), rest[: closing.start()].strip()
    kind, numbers, name = _structure(rest)
    if part is not None:
        numbers = (*numbers, part)
    name = _NOISE.sub("", name).casefold()
    if is_answers and name in _WORDS_ONLY:
        name = ""
    core = _GENERIC.sub("", name) or name
    pairs = frozenset(map("".join, pairwise(core))) or frozenset((core,) if core else ())
    return Title(kind, numbers, name, is_answers, part, pairs)


def _ends_a_test(text: str, at: int) -> bool:
    """Whether the bracket at the end is a test's own number, 单元测试（一）, and no part of a lesson."""
    test = _TEST.match(text)
    return bool(test and test.start(2) > at)


def _structure(text: str) -> tuple[str, tuple[int, ...], str]:
    numbers: tuple[int, ...]
    found = _ORDINAL.match(text)
    if found:
        return _KINDS[found[2]], (_value(found[1]),), text[found.end() :]
    found = _LATIN.match(text)
    if found:
        return _KINDS[found[1].casefold()], _values(found[2]), text[found.end() :]
    found = _NUMBERED.match(text)
    if found:
        return _KINDS.get(found[1], "lesson"), (_value(found[2]),), text[found.end() :]
    found = _TEST.match(text)
    if found:
        numbers = (_value(found[2]),) if found[2] else ()
        return "test", numbers, text[found.end() :] if numbers else text
    found = _EXERCISE.match(text)
    if found and found[2]:
        return "exercise", _values(found[2]), text[found.end() :]
    found = DECIMAL.match(text)
    if found:
        numbers = _values(found[1])
        return ("section" if len(numbers) > 1 or text[0] == "§" else ""), numbers, text[found.end() :]
    return "", (), text


def _values(text: str) -> tuple[int, ...]:
    return tuple(_value(p) for p in re.split(r"[.．-]", text.replace(" ", "")) if p)


def _value(text: str) -> int:
    value = number(text)
    if value is None:
        value = NUMBER_WORDS.get(text.casefold(), roman(text))
    return -1 if value is None else value


def title_similarity(a: Title, b: Title) -> float:
    """How likely two headings name the same chapter, 0 to 1: by their numbers first, then by their names.

    0.7 and more is sure, 0.1 and less a contradiction, :data:`UNKNOWN` says nothing.

    >>> def near(a, b): return round(title_similarity(read_title(a), read_title(b)), 2)
    >>> near("第5章 数列", "第五章 数列 答案"), near("19.1 平方根(2)", "19.1 立方根(3)")
    (1.0, 0.05)
    >>> near("2.2 函数", "习题2.2"), near("单元测试（一）数列", "单元测试（一）圆 答案")
    (0.75, 0.1)
    """
    both = bool(a.numbers) and bool(b.numbers)
    if both and a.numbers != b.numbers and len(a.numbers) == len(b.numbers) and not _differ_by_part(a, b):
        return 0.05  # whatever the names are, as of nearly all headings of a book
    names = _names(a, b)
    if both:
        if a.numbers != b.numbers and not _digits_agree(a.numbers, b.numbers, names):
            if _differ_by_part(a, b):
                return 0.5 if names is None else 0.15 + 0.5 * names
            return 0.05
        if names is None:
            near = 0.85
        elif names < 0.2:
            # Units are counted anew in each book part: the same number over another name is another unit.
            return 0.1
        else:
            near = 0.75 + 0.25 * names
        return near - _kind_gap(a.kind, b.kind)
    if a.numbers or b.numbers:
        return UNKNOWN if names is None else max(0.15, 0.75 * names)
    if names is None:
        return UNKNOWN
    return names if names >= 0.2 else 0.1


def _kind_gap(a: str, b: str) -> float:
    """What a difference in kind costs: chapter 3 may be "3", its exercises 习题3, hardly topic 3."""
    if a == b:
        return 0.0
    if not (a and b):
        return 0.05
    return 0.1 if "exercise" in (a, b) else 0.2


def _digits_agree(a: tuple[int, ...], b: tuple[int, ...], names: float | None) -> bool:
    """Whether a recogniser has lost points of one: 5216 for 5.2.1.6, or 21 for 2.1 over the same name."""
    if len(a) == len(b) or "".join(map(str, a)) != "".join(map(str, b)):
        return False
    return max(len(a), len(b)) > 3 or names == 1.0


def _differ_by_part(a: Title, b: Title) -> bool:
    """Whether only one of them has a part's number: 19.1(1) and 19.1."""
    if (a.part is None) == (b.part is None):
        return False
    return (a.numbers[:-1] if a.part is not None else a.numbers) == (
        b.numbers[:-1] if b.part is not None else b.numbers
    )


def _names(a: Title, b: Title) -> float | None:
    """How near the names are; None if there is nothing to compare: one is empty, or in another script."""
    if not a.name or not b.name or a.name.isascii() != b.name.isascii():
        return None
    if a.name == b.name:
        return 1.0
    common = len(a.pairs & b.pairs)
    shorter = min(len(a.pairs), len(b.pairs)) or 1
    return max(1.9 * common / (len(a.pairs) + len(b.pairs)), 0.9 * common / shorter)


def begins_title(title: str, other: str) -> bool:
    """Whether a title is another one, or its beginning: a key heads its answers with "Chapter 1" alone.

    >>> begins_title("unit 1", "unit 1 lines"), begins_title("unit 1", "unit 12")
    (True, False)
    """
    follows = other[len(title) : len(title) + 1]
    return bool(title) and other.startswith(title) and not follows.isdecimal()


@lru_cache(maxsize=1 << 15)
def heading_key(text: str) -> str:
    """The form in which headings are looked up: width, case, blanks and signs taken away.

    >>> heading_key("第19章　复习（1）") == heading_key("第19章 复习(1)")
    True
    """
    return _NOISE.sub("", narrow(text)).casefold()
