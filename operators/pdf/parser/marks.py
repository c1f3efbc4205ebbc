"""How lines of textbooks begin: numbers of questions, options, worked examples, and titles by their rank."""

from __future__ import annotations

import re

from operators.pdf.numbering.label_words import as_written, with_capitals, words

#: Words of languages with spaces before the numbers of items and chapters, and those that open solutions.
_ITEMS = as_written(with_capitals(word for word in words("question", "example") if word[0].isupper() and len(word) > 2))
_SOLVING = as_written(
    with_capitals(
        word
        for word in set(words("answer", "hint")) - set(words("answer", language="en"))
        if word[0].isupper() and len(word) > 3
    )
)
_CHAPTERS = as_written(with_capitals(word for word in words("chapter", "unit", "part") if word[0].isupper()))
_SECTIONS = as_written(with_capitals(word for word in words("section", "lesson") if word[0].isupper()))
_LISTS = as_written(with_capitals(word for word in words("exercises", "answers") if word[0].isupper()))
_CHINESE = "一二三四五六七八九十百"

#: The start of a line that opens a block of its own. A decimal (``1.5 m/s``) is no number of a question,
#: a year behind a number (``5.2023年``) does not make it one.
START = re.compile(
    rf"""(?:
      \*?\d{{1,3}}\s?\.(?!\d) | \*?\d{{1,3}}\s?．(?!\d+(?:\s|[%％米元千克度倍秒分]))
    | \d{{1,3}}(?:\.\d{{1,3}}){{1,3}}[.)]\s(?=\S)
    | \d{{1,2}}[.．](?=(?:19|20)\d\d\s?年)
    | \d{{1,3}}\s?、(?!\d) | \d{{1,3}}\s?[)）](?![\^_])
    | \d{{1,3}}\s?[~～–—-]\s?\d{{1,3}}\s?[.．:：、]?\s*[A-H]{{2,}}
    | [（(]\s?(?:\d{{1,2}}|[{_CHINESE}]{{1,3}}|[A-Ha-h]|[ivx]{{1,4}})\s?[)）]
    | [①-⑳㉑-㉟❶-❿⓪Ⅰ-Ⅻ] | [A-H]\s?[.．、)）:：](?!\w*\.\w)
    | [a-h][)）.](?=\s) | [ivx]{{1,4}}[)）.](?=\s) | [IVX]{{1,5}}[)）.](?=\s)
    | [{_CHINESE}]{{1,3}}\s?[、.．] | [•·●○■□▪◆◇★☆►▶➢✓] (?=.) | [–—-]\s
    | 第\s?[\d{_CHINESE}]{{1,4}}\s?[章节课讲回单元部分篇编卷题]
    | (?:典例|例题|例|变式(?:训练)?|练习|习题|活动|探究|思考|跟踪训练|巩固练习)\s?[\d①-⑳{_CHINESE}.\-]+
    | (?:典例|例题|变式)(?=[\s：:]) | 【[^】]{{1,10}}】 | ［[^］]{{2,8}}］
    | (?:解|证明|答|分析|解析|答案|点评|点拨|解答|(?:方|证|解)法[一二三]|题目|已知|求证|求作|结论|说明|评注
        |注意|提示|参考答案)\s?(?:[：:]|\s(?=\S))
    | (?:证明|解)(?=[（(]\s?\d) | 知识点\s?[\d{_CHINESE}]
    | (?:Example|Problem|Question|Exercise|Exercises|Solution|Proof|Answer|Answers|Hint|Theorem|Definition
        |Lemma|Corollary|Proposition|Remark|Note|Chapter|CHAPTER|Unit|UNIT|Lesson|Section|Part|PART
        |EXAMPLE|SOLUTION|EXERCISES?|ANSWERS?|PROBLEMS?|Practice|Review|Step|Case)
        \s?(?:[\dIVX]+(?:\.\d+)*(?:\s?\([a-z\d]\))?)?\s?(?:[.:：)]|$|\s[A-Z(])
    | (?:Example|Problem|Question|Exercise|Chapter|Unit|Lesson|Section|Step)\s\d+
    | (?:Solution|Proof|Answer|Hint|SOLUTION)(?:\.|:|$|\s) | [QA]\s?\d{{1,3}}[.:：)]?\s
    )""",
    re.VERBOSE,
)

#: A numbered line as questions, options and steps have it: never a title by its look alone.
ITEM = re.compile(
    rf"""\*?\d{{1,3}}\s?[.．、)）](?!\d) | [（(]\s?(?:\d{{1,2}}|[A-Ha-hivx]{{1,4}})\s?[)）] | [①-⑳]
    | [A-H]\s?[.．、)）] | [B-H]\s | A\s(?![^\W\d_]{{2}}) | [a-h][)）.]\s | \d{{1,3}}\s?[~～–—-]\s?\d
    | (?:典例|例题|例|变式|解|证明(?!题)|答|分析|解析|点评|点拨|【|Example|Solution(?!s)|Proof
        |Answer(?!s)|Hint(?!s)|SOLUTION|EXAMPLE|Q\s?\d) | (?:{_ITEMS})\s\d | (?:{_SOLVING})\s?[\d.:：] | [=<>+×÷≤≥≈•·]
    """,
    re.VERBOSE,
)

_RANKS: tuple[tuple[int, re.Pattern[str]], ...] = tuple(
    (rank, re.compile(pattern))
    for rank, pattern in (
        (1, rf"第\s?[\d{_CHINESE}]{{1,4}}\s?(?:章|单元|部分|篇|编|卷)(?=\s|[^\s，。的中]|$)"),
        (1, rf"(?:{_CHAPTERS})\s+(?:\d+|[IVX]+)\b"),
        (2, rf"第\s?[\d{_CHINESE}]{{1,4}}\s?(?:节|课时?|讲|回)(?=\s|[^\s，。的中]|$)"),
        (2, rf"(?:{_SECTIONS})\s+\d+(?:\.\d+)*\b"),
        (2, r"§\s?\d"),
        (4, r"\d{1,2}[.．]\d{1,2}[.．]\d{1,2}[.．]\d{1,2}(?!\d)\s*(?=[^\W\d_]{2})"),
        (3, r"\d{1,2}[.．]\d{1,2}[.．]\d{1,2}(?!\d)\s*(?=[^\W\d_]{2})"),
        (2, r"\d{1,2}[.．]\d{1,2}(?!\d)\s*(?=[\u4e00-\u9fff]{2}|[（(]?[A-Z][^\W\d_]{2})"),
        (5, rf"[{_CHINESE}]{{1,3}}\s?[、.．]"),
        (6, rf"[（(]\s?[{_CHINESE}]{{1,3}}\s?[)）]"),
    )
)

_NAMED = re.compile(
    r"(?:本章|单元|全章)?(?:复习题|习题|练习题?|测试题?|参考答案|答案与解析|答案|附录|目录|前言)"
    r"\s?[\dA-Z.\-一二三四五六七八九十]*$"
    r"|(?:Exercises?|EXERCISES?|Problems?|PROBLEMS?|Answers?|ANSWERS?|Solutions|SOLUTIONS"
    r"|Review|Practice|Answer Key)"
    r"(?:\s(?:Set\s)?(?:\d+(?:\.\d+)*|[IVXLC]+)|\sto\s.{3,40}|\s(?:Exercises|Problems|Questions|Set|Key|Test))?$"
    rf"|(?:{_LISTS})(?:\s\d+(?:\.\d+)*)?$"
)
_SECTION_WORDS = re.compile(r"题|计算|选择|填空|判断|解答|应用|练习|答案|知识|要点|归纳|作图|证明|阅读|探究")
_INNER_LABEL = re.compile(r"\d{1,3}\s?[.．、~～–—-]\s?\S")
_OF_CHAPTER = re.compile(
    rf"(?:第\s?[\d{_CHINESE}]+\s?[章单]元?|(?:Chapter|Unit)\s+\d+)\s*"
    r"(?:复习题?|习题|练习|测试|检测|小结|总结|答案|Exercises?|Problems?|Review|Test|Practice|Summary|Answers?|Quiz)"
)
_ENDS_AS_TEXT = re.compile(r"[。；，,;？?!！=:：]$|\.{3,}|…{2,}|(?:[·.．]\s?){4,}\s*\S{1,6}$")
_MAX_TITLE = 70


def title_rank(text: str, *, strong: bool) -> int | None:
    """The rank that a title's own wording gives it, 1 for chapters to 6; None for a line that is none.

    ``strong`` tells that the line is larger or heavier than the text around it; a bare decimal needs that.

    >>> [title_rank(text, strong=False) for text in ("第三章 有理数", "一、选择题", "一、1. A 2. B")]
    [1, 5, None]
    >>> title_rank("3.1 平方根", strong=True)
    2
    """
    if len(text) > _MAX_TITLE or _OF_CHAPTER.match(text) or (_ENDS_AS_TEXT.search(text) and not text.endswith("）")):
        return None
    for rank, pattern in _RANKS:
        found = pattern.match(text)
        if found is None:
            continue
        rest = text[found.end() :]
        if rank in (1, 2) and not text[:1].isdigit():
            return rank if strong or len(text) <= 30 else None
        if rank == 5 and _INNER_LABEL.match(rest.strip()):
            return None
        if strong:
            return rank
        return rank if rank == 5 and (_SECTION_WORDS.search(rest) or 2 <= len(rest) <= 12) else None
    return None


def is_named_title(text: str) -> bool:
    """Whether a line is one of the titles that textbooks use without a number.

    >>> [is_named_title(text) for text in ("习题19.1", "Answers", "Answers vary.")]
    [True, True, False]
    """
    return _NAMED.match(text) is not None
