"""A reasoning is one paragraph of prose: no hidden characters, line breaks, lists, layout or announced answer."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from dataflow_ext.text import patterns
from operators.cot.problems import Problem
from operators.cot.rules.vocabulary import Vocabulary, folded

_BREAK_SIGNS = "⏎␊␍␤↵¶"
_WRITTEN_BREAK = re.compile(
    r"\\+(?:[nrvf](?![a-z])|n|u000[a-d]|u0085|u202[89]|x0[a-d]|x85)|<\s*/?\s*(?:br|p|div)\b[^>]*>|"
    rf"&(?:#(?:1[0-3]|133|x0*[a-d]|x85|x2028|x2029|823[23])|newline);|%0[ad]|[{_BREAK_SIGNS}]",
    re.IGNORECASE,
)

_PATTERNS = patterns(__package__, "paragraph.tsv")
_BULLET = re.compile(r"-+>?(?=\s|[^\W\d_])|=+>|[+>*•◦▪▫‣⁃∙·●○■□◆◇►▶➤➢✓✔–—](?=\s)|\\item\b")
_NUMBERED = re.compile(r"[(\[]?\s*#?\d{1,2}\s*(?:[.)\]}>/。]+:?|:|、|-\s)(?=\s*[^\W\d_])")
_BRACKETED = re.compile(r"\(\s*\d{1,2}\s*\)\s|(?<![\w(.,])\d{1,2}\)\s")
_LETTERED = re.compile(
    r"(?:(?:^|[;:,.])\s*\(|^|[\s;:,.])(?:a|i)[.)]\s[^\n]*?[\s;:,.]\(?(?:b|ii)[.)]\s|^\s*\(?[a-h1ivx]\)\s", re.MULTILINE
)
_HEADING = re.compile(_PATTERNS["heading"])
_EASTERN = re.compile(
    r"(?:^|(?<=[.!?;:。！？；：,，\s]))(?:\(?[一二三四五六七八九十]+\)?[、.)]|第[一二三四五六七八九十\d]+(?:步|点|条)?[:、])|首先:",
    re.MULTILINE,
)
_ENCLOSED = re.compile("[\u2460-\u249b\u24ea-\u24ff\u2776-\u2793\U0001f100-\U0001f10a]|\\d\ufe0f?\u20e3")
_LAYOUT = re.compile(_PATTERNS["layout"], re.MULTILINE)
#: Where an entry of a list may begin: a line, or what follows a stop.
_START = re.compile(r"[.!?;:,\n。！？；，](?:(?<=[\n。！？；])|[\"')\]]*\s)\s*")
_LAYOUT_SIGNS = "*`_~|#<"


def line_problems(reasoning: str, known: Vocabulary) -> list[Problem]:
    """``think.lines`` for a line break in any spelling: a real one, or one that a reader may turn into one."""
    if len(reasoning.splitlines()) > 1 or reasoning[-1:].splitlines() == [""]:
        return [Problem("think.lines", "the reasoning has line breaks")]
    if reasoning.isascii() and not any(sign in reasoning for sign in "\\<&%"):
        return []
    written = [found.group() for found in _WRITTEN_BREAK.finditer(reasoning)]
    told = [each for each in written if not any(each in text for text in known.texts)]
    return [Problem("think.lines", f"the reasoning has written line breaks: {told[0]!r}")] if told else []


def list_problems(outside: str, known: Vocabulary) -> list[Problem]:
    """``think.list`` for bullets, numbers before sentences, headings and marks of layout.

    ``outside`` is what is no required sentence; it has a line for each part between required sentences.
    """
    for found in _list_marks(outside):
        if len(found) > 1 or found == "-" or found not in known.characters:
            return [Problem("think.list", f"the reasoning is a list or has layout: {found!r}")]
    return []


def _list_marks(outside: str) -> Iterator[str]:
    text = "\n" + (outside if outside.isascii() else unicodedata.normalize("NFKC", outside)).lower()
    if not outside.isascii():
        yield from (match.group() for match in _EASTERN.finditer(text))
        yield from (match.group() for match in _ENCLOSED.finditer(outside))
    if not text.isascii() or any(map(text.__contains__, _LAYOUT_SIGNS)):
        yield from (match.group() for match in _LAYOUT.finditer(text))
    if ")" in text or " b. " in text or " ii. " in text:
        yield from (match.group() for match in _LETTERED.finditer(text))
        yield from (match.group() for match in _BRACKETED.finditer(text) if not _in_brackets(text, match.start()))
    for start in _START.finditer(text):
        comma = start.group().startswith(",")
        for pattern in (_NUMBERED,) if comma else (_NUMBERED, _BULLET, _HEADING):
            match = pattern.match(text, start.end())
            if match is not None:
                yield match.group()


def _in_brackets(text: str, place: int) -> bool:
    """Whether a bracket stands open before the place, on its line."""
    before = text[text.rfind("\n", 0, place) + 1 : place]
    return before.count("(") > before.count(")")


_ANNOUNCED = re.compile(_PATTERNS["announced"])
_MAY_ANNOUNCE = ("answer", "ans.", "ans:", "ans ", "=", ":", "boxed", "####", "->", "--", " - ")


def answer_problems(outside: str, answer: str) -> list[Problem]:
    """``think.answer`` for words that announce the answer instead of reasoning towards it."""
    plain = outside.lower()
    if outside.isascii() and not any(each in plain for each in _MAY_ANNOUNCE):
        return []
    quoted = f"answer is {folded(answer)}"
    for line in outside.split("\n"):
        bare = re.sub(r"[*#`]|__+", "", folded(line))
        match = _ANNOUNCED.search(bare)
        if match is not None or quoted in bare:
            told = match.group().strip() if match is not None else quoted
            return [Problem("think.answer", f"the reasoning announces the answer: {told!r}")]
    return []


#: What Python and readers of text files take for a line break.
LINE_BREAKS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")

#: Blank or hidden, though Unicode counts them among letters, marks and symbols; and what stands for a broken character.
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffc\ufffd\U000e0100-\U000e01ef]"
)

_SHOWN = 3


def control_problems(text: str, where: str, known: Vocabulary) -> list[Problem]:
    """``text.control`` if a text has hidden characters that the plan has not.

    Line breaks are the concern of other rules. Lone surrogates are never right: they cannot be written as UTF-8.
    """
    if text.replace("\n", " ").isprintable() and (text.isascii() or not _BLANK.search(text)):
        return []
    hidden = dict.fromkeys(each for each in text if not each.isprintable() or _BLANK.match(each))
    odd = [each for each in hidden if each not in LINE_BREAKS]
    odd = [each for each in odd if each not in known.characters or unicodedata.category(each) == "Cs"]
    if not odd:
        return []
    names = [f"U+{ord(each):04X} {unicodedata.name(each, '')}".rstrip() for each in odd]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return [Problem("text.control", f"{where} has hidden characters: {', '.join(names[:_SHOWN])}{more}")]
