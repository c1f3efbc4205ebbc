"""How high headings stand by their wording, and lines of a table of contents, which name headings."""

from __future__ import annotations

import re
from functools import lru_cache

from operators.pdf.numbering.dress import read_mark
from operators.pdf.numbering.label_words import CHAPTERS, words
from operators.pdf.numbering.numerals import CHINESE, narrow
from operators.pdf.numbering.titles import DECIMAL, LONGEST, PAGE, Title, read_title

_GROUP = re.compile(
    rf"[{CHINESE}]{{1,3}}[、.．]\s*\S|[\(]?[A-D][\)]?\s*[组卷级](?:\s|$|\W|\S{{0,8}}$)|第\s*[I1-9一二三]+\s*卷|"
    r"(?:section|part)\s+[A-D]\b|思维与拓展\s*\d+$",
    re.IGNORECASE,
)
_EXAM = re.compile(
    r"(?:综合|单元|期中|期末|阶段|章末|本章|全章|总|课后|巩固|专项)(?:复习|练习|测试|检测|训练|小结)|复习题|"
    r"压轴题\d|考题精选|(?:模拟|真题)(?:试)?卷|练习题?$|测试[题卷]?$|复习(?:\(\d+\))?$"
)
_OF_A_CHAPTER = re.compile(r"\b(?:chapter|section|unit|lesson)\s", re.IGNORECASE)
#: Exercises II and 习题二 are those of a chapter; items are one Exercise, and 习题2.
_SET = re.compile(
    rf"(?:(?:exercises|problems)\s+(?-i:[IVXLC]+)|(?:习题|[练复]习题?)[{CHINESE}]{{1,3}})\W*$", re.IGNORECASE
)
#: Also a blank to fill in is in no heading. It begins with its sign, which the engine looks for at once; then comes
#: what some of these must stand before.
_PROSE = re.compile(r"[。；;？?！!，:：,_](?:(?<![:：,_])|(?<=[:：])$|(?<=,)(?!\s?[A-Za-z])|(?<=_)__)")
#: A sentence of words, as what is to be done with some questions: Write your answers in full.
_SENTENCE = re.compile(r"[^\W\d_]+[,’']?(?: [^\W\d_]+[,’']?){2,}\.")
_UNIT = re.compile(r"(?:[米秒克元升吨度倍亿万%％]|厘米|千[米克]|(?:[kcm]?[mgLs]|km|cm|kg)(?:\b|/))")
_STARTS = re.compile(
    rf"[第§\d(A-Z\u00c0-\u00de\u0386-\u03ab\u0400-\u042f{CHINESE}专单模主考课讲微习练复作挑压期综阶章本全总巩思参答详名各测检附]|\S*(?:练习|复习|测试)"
)
#: What the wording of a title begins with, but for numbers, and one of the signs of each that may stand elsewhere.
_KIND_STARTS = frozenset("第§微专单模主考课讲综期阶章月达滚测检自评习练复作挑压CcUuSsſLlTtPpMmAaEe") | frozenset(
    letter for word in words(*CHAPTERS, "exercises", "answers") for letter in (word[0], word[0].lower())
)
_MAY_TELL = re.compile(r"[答解析习测训结题卷wWuUyY]")
#: A part of a question is no heading, whatever it says: (b) no solution.
_PART = re.compile(r"\s*[(（][a-h][)）]\s")
_RANKS = {"part": 0, "chapter": 1, "unit": 1, "topic": 1, "section": 2, "lesson": 3, "exercise": 3, "test": 2}


def title_rank(text: str) -> int | None:
    """How high a heading stands by its wording, 0 the highest, or None if it does not read like one.

    0 a part or the answer key, 1 a chapter, 2 a section or test, 3 a lesson or its exercises, 4 a group
    of questions.

    >>> [title_rank(t) for t in ("第三章 圆", "3.1 圆周角", "3.1 弧(2)", "习题3.1", "一、选择题")]
    [1, 2, 3, 3, 4]
    """
    return None if not text or len(text) > 60 else _rank_of_short(text)


@lru_cache(maxsize=1 << 16)
def _rank_of_short(text: str) -> int | None:
    if _PROSE.search(text) or _PART.match(text):
        return None
    line = narrow(text).strip(" #*\u3000")
    if not _STARTS.match(line) or (line != text and _PROSE.search(line)):
        return None
    if _GROUP.match(line):
        return 4
    return _rank(line) if _may_rank(line) else None


def _may_rank(line: str) -> bool:
    """Whether anything of a title's wording may be in a line: nothing is in most options."""
    return line[0] in _KIND_STARTS or line[0].isdecimal() or _MAY_TELL.search(line) is not None


def _rank(line: str) -> int | None:
    title = read_title(line)
    if title.kind in ("chapter", "unit", "topic") and title.part is None:
        return 2 if re.search(r"复习|测试|小结|检测", title.name[:6]) else 1
    if title.kind == "section":
        return _section_rank(line, title)
    if title.kind == "exercise":
        # 习题2 is an item, 习题2.1 a lesson.
        named = len(title.numbers) > 1 or title.is_answers or _EXAM.search(line) or _OF_A_CHAPTER.search(line)
        named = named or _SET.match(line)
        return 3 if named else None
    if title.kind:
        return _RANKS[title.kind] if title.part is None else 3
    if title.is_answers and not title.name:
        return 0
    if not title.numbers or title.part is not None:
        if _EXAM.search(line):
            return 2 if title.part is None else 3
        return 2 if title.is_answers and len(line) < 30 and not is_sentence(line) else None
    return None


def _section_rank(line: str, title: Title) -> int | None:
    """The rank of 3.1 …; decimals and measures look like it and have none."""
    after = DECIMAL.match(line)
    if after is None:
        return 2
    tail = line[after.end() :]
    sure = line[0] == "§" or title.part is not None
    if max(title.numbers) > 99 or (not sure and (not tail or tail[0].islower() or title.numbers[0] == 0)):
        return None
    if _UNIT.match(tail) or tail[:1] == "的":
        return None
    return 3 if title.part is not None or len(title.numbers) > 2 else 2


def is_sentence(text: str) -> bool:
    """Whether a text is one sentence of words alone, as what is to be done with some questions.

    >>> [is_sentence(text) for text in ("Write your answers in full.", "Answers.", "1.1. Sets of two.")]
    [True, False, False]
    """
    return _SENTENCE.fullmatch(text) is not None


_PAGED = re.compile(r"(?<=\S)\s+\d{1,3}$")


def is_contents_line(text: str) -> bool:
    """Whether a line stands in a table of contents: a heading and a page number.

    >>> [is_contents_line(t) for t in ("1.1 集合 …… 2", "1.2 函数(1) 14", "1.2 函数(1)", "Chapter 5")]
    [True, True, False, False]
    """
    if not text or not text[-1].isdecimal() or len(text) > LONGEST:
        return False
    line = text.strip()
    if PAGE.search(line):
        return True
    page = _PAGED.search(line)
    mark = read_mark(line)
    if page is None or (mark is not None and mark.dress.role == "answer" and mark.end < len(line)):
        return False  # "Solution 3. 12" tells an answer, "Answers 5" a page
    rank = title_rank(line[: page.start()])
    return rank is not None and rank < 4


def printed_page(text: str) -> tuple[str, int | None]:
    """The heading that an entry of a table of contents names, and the page number at its end.

    >>> printed_page("1.1 集合 …… 2"), printed_page("集合")
    (('1.1 集合', 2), ('集合', None))
    """
    line = text.strip()
    page = PAGE.search(line) or _PAGED.search(line)
    if page is None:
        return line, None
    return line[: page.start()].rstrip(), int(re.findall(r"\d+", page[0])[-1])
