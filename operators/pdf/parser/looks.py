"""What wording and look tell of paragraphs: which are titles, of what level, and which options are set apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from operators.pdf.blocks import ContentItem
from operators.pdf.numbering import option_place
from operators.pdf.numbering.label_words import as_written, with_capitals, words
from operators.pdf.parser.text_lines import BLANK

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
_MAX_RANKED = 70


def _rank(text: str, *, strong: bool) -> int | None:
    """The rank that a title's own wording gives it, 1 for chapters to 6; None for a line that is none.

    ``strong`` tells that the line is larger or heavier than the text around it; a bare decimal needs that.

    >>> [_rank(text, strong=False) for text in ("第三章 有理数", "一、选择题", "一、1. A 2. B")]
    [1, 5, None]
    >>> _rank("3.1 平方根", strong=True)
    2
    """
    if len(text) > _MAX_RANKED or _OF_CHAPTER.match(text) or (_ENDS_AS_TEXT.search(text) and not text.endswith("）")):
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


def _is_named(text: str) -> bool:
    """Whether a line is one of the titles that textbooks use without a number.

    >>> [_is_named(text) for text in ("习题19.1", "Answers", "Answers vary.")]
    [True, True, False]
    """
    return _NAMED.match(text) is not None


#: Headings are larger than the text by this at least, where they are not heavy.
LARGER = 1.13
#: What leads to the number of a page at the end of an entry of a table of contents.
LEADERS = re.compile(r"(?:[.．·…]\s?){4,}\s*\S{1,6}$")
_MAX_TITLE = 90
_FORMULA = re.compile(r"\$[^$]*\$")


@dataclass(slots=True, frozen=True)
class Look:
    """What a paragraph looks like: words, size in points, weight, place, number of lines.

    ``aside`` says that it stands at the right end of its page, as badges and notes do.
    """

    text: str
    size: float
    bold: bool
    centred: bool
    lines: int
    aside: bool = False


@dataclass(slots=True, frozen=True)
class Title:
    """A title's rank by its wording (None if only its look tells), its size and its words."""

    rank: int | None
    size: float
    text: str = ""


def find_title(look: Look, body: float) -> Title | None:
    """The title that a paragraph is, or None; ``body`` is the size of the document's text.

    >>> find_title(Look("Chapter 3 Limits", 18, True, False, 1), 10.5)
    Title(rank=1, size=18, text='Chapter 3 Limits')
    >>> find_title(Look("1. Find the limit.", 10.5, True, False, 1), 10.5) is None
    True
    """
    text, size = look.text, round(look.size, 1)
    if not text or look.lines > 3 or len(text) > _MAX_TITLE:
        return None
    larger = look.size > LARGER * body
    strong = larger or look.bold or (look.centred and look.size > 1.05 * body)
    rank = _rank(text, strong=strong) if look.lines <= 2 else None
    if rank is not None:
        return Title(rank, size, text)
    if LEADERS.search(text) or (look.aside and not larger):
        return None
    if _is_named(text) and look.lines == 1 and (strong or look.centred):
        return Title(None, size, text)
    item = ITEM.match(text) is not None
    if larger and _has_words(text) and not text.endswith(tuple("。．；，.,;")) and BLANK not in text:
        # "1. Limits" in a large size heads a section; an example in a large size is still an example.
        return Title(None, size, text) if not item or _is_section(text, look, body) else None
    set_off = look.bold or (look.centred and strong and not larger)
    if set_off and not item and look.lines == 1 and len(text) <= 60 and _is_name(text):
        return Title(None, size, text)
    return None


def _is_section(text: str, look: Look, body: float) -> bool:
    return text[0].isdigit() and (look.bold or look.size > 1.25 * body) and not text.endswith(("?", "？", "."))


def _has_words(text: str) -> bool:
    """Whether there are letters outside formulas: "1.1 $5\\mathrm{g}$" is no title."""
    return any(map(str.isalpha, _FORMULA.sub("", text)))


def _is_name(text: str) -> bool:
    return _has_words(text) and not text.endswith(tuple("。；，,;.:：?？!！=)）"))


def levels(titles: Sequence[Title]) -> list[int]:
    """The level of each title, from 1: by rank where the wording gives one, by size for the rest.

    >>> levels([Title(1, 18), Title(2, 14), Title(None, 14), Title(5, 10.5), Title(2, 14)])
    [1, 2, 2, 3, 2]
    """
    sizes: dict[int, float] = {}
    for title in titles:
        if title.rank is not None:
            sizes[title.rank] = max(sizes.get(title.rank, 0.0), title.size)
    places = [_place(title, sizes) for title in titles]
    # The same words (an exercise, and its answers set smaller at the end) have one level.
    highest: dict[str, tuple[float, float]] = {}
    for title, place in zip(titles, places, strict=True):
        highest[title.text] = min(place, highest.get(title.text, place))
    places = [highest[title.text] if title.text else place for title, place in zip(titles, places, strict=True)]
    order = {place: level for level, place in enumerate(sorted(set(places)), start=1)}
    return [order[place] for place in places]


def _place(title: Title, sizes: dict[int, float]) -> tuple[float, float]:
    """A sort key: the rank, and for titles without one the rank of the nearest size."""
    if title.rank is not None:
        return (title.rank, 0.0)
    if not sizes:
        return (0.0, -title.size)
    if title.size > 1.06 * max(sizes.values()):
        return (0.0, -title.size)
    rank = min(sizes, key=lambda rank: (abs(sizes[rank] - title.size), rank))
    if title.size < 0.94 * min(sizes.values()):
        return (max(sizes) + 0.5, -title.size)
    return (rank, 0.0)


#: How a text is set: whether it is heavy, and its colour.
_Setting = tuple[bool, int]
#: Options of a question, and questions with one that is set apart, at least; their share of all that have options.
_OPTIONS, _FEWEST, _SHARE = 3, 3, 0.8


def mark_options(looks: Sequence[tuple[ContentItem, _Setting]]) -> None:
    """Mark the one option of each question that is set otherwise than all others of it, if most questions have one.

    Bold words may stand in any option; but not in one of each question, and in none of the others.

    >>> items = [ContentItem("text", f"{letter}) {n}") for n in range(3) for letter in "abc"]
    >>> mark_options([(item, (item.text in ("a) 0", "c) 1", "b) 2"), 0)) for item in items])
    >>> [item.text for item in items if item.marked]
    ['a) 0', 'c) 1', 'b) 2']
    """
    questions = list(_questions(looks))
    marked = [one for some in questions if (one := _set_apart(some)) is not None]
    if len(marked) >= max(_FEWEST, _SHARE * len(questions)):
        for item in marked:
            item.marked = True


def _questions(looks: Sequence[tuple[ContentItem, _Setting]]) -> Iterator[list[tuple[ContentItem, _Setting]]]:
    """The options that follow each other from A on."""
    found: list[tuple[ContentItem, _Setting]] = []
    places = [option_place(item.text) if item.type == "text" else 0 for item, _ in looks]
    for (before, place), one in zip(pairwise([0, *places]), looks, strict=True):
        if place != before + 1 or place == 1:
            if len(found) >= _OPTIONS:
                yield found
            found = []
        if place == len(found) + 1:
            found.append(one)
    if len(found) >= _OPTIONS:
        yield found


def _set_apart(options: Sequence[tuple[ContentItem, _Setting]]) -> ContentItem | None:
    """The one option that looks otherwise than all the others, None if none or more do."""
    looks = Counter(look for _, look in options)
    usual, count = looks.most_common(1)[0]
    if count != len(options) - 1:
        return None
    return next(item for item, look in options if look != usual)
