"""How a label is dressed: the word before its number, the number's shape and the signs around it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from dataflow_ext.text import Pattern
from operators.pdf.numbering.label_words import in_any_case, roles, words
from operators.pdf.numbering.labels import ItemLabel
from operators.pdf.numbering.numerals import CHINESE, CIRCLED, narrow, number, roman


class Dress(NamedTuple):
    """What labels of one sequence have in common.

    ``word`` is "" for a bare number, ``role`` what the word numbers ("" if that is unknown), ``of`` the word
    of what a solution solves ("Solution to Q 3"), ``shape`` the number with 1 for each of its numerals,
    and ``signs`` what stands around it.
    """

    word: str
    role: str
    of: str
    shape: str
    signs: str

    @property
    def lettered(self) -> bool:
        """Whether the word is a letter alone, which is a part of the number: A1."""
        return len(self.word) == 1 and self.word.isascii()


#: A number with neither a word nor a sign.
BARE = Dress("", "", "", "1", "")


class Mark(NamedTuple):
    """A number at the start of a text that may be a label: its dress, its numerals, where its own words begin."""

    dress: Dress
    numbers: tuple[int, ...]
    name: str
    end: int


#: Roles of words whose numbers count no items, whatever follows these: Chapter Review 3.
_NO_ITEMS = ("told", "heading")
_ANSWER = in_any_case(words("answer", "hint"))
_ITEM = in_any_case(words("example", "question", "task"))
_TASK = "|".join(words("task"))
#: What joins a solution to what it solves: Solution to, Lösung zu, Corrigé de l'.
_TO = rf"(?:(?:(?i:de la)|{in_any_case(words('joins'))}) |(?i:(?:de l|dell)['’]))"
_N = r"\d{1,3}(?:[.．\-–]\d{1,3}){0,3}"
_SPACE = r"[ \t\r\n\u3000\u00a0]*"
#: Letters of the words that languages put before numbers: Lösung 3, Énoncé 3, Άσκηση 3, Задача 3, 문제 3.
_ACCENTED = "\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0386-\u03ce\u0400-\u045f\uac00-\ud7a3"
_CAPITAL = "[A-Z\u00c0-\u00d6\u00d8-\u00de\u0386-\u03ab\u0400-\u042f\uac00-\ud7a3]"
#: Chapitre I. La France, Parte II: a letter that is a number, and not the beginning of a sentence about I or V.
_ROMAN = r"(?<!\S)[IVX]{1,5}(?=\s*(?:[.:)–—-]|$)|\s+[A-Z\u00c0-\u00de])"
_WORDS = rf"{_CAPITAL}[A-Za-z{_ACCENTED}]{{0,13}}\.?(?: [A-Za-z{_ACCENTED}]{{1,12}}\.?)?"
#: Words before numbers in scripts without spaces: 問1, 例題2.
_CJK_WORDS = rf"(?!第)[\u3040-\u30ff\u4e00-\u9fff]{{1,3}}(?={_SPACE}\d{{1,3}}(?:[\s\u3000.．、:：]|$))"
_MARK = Pattern(
    rf"[\s*★☆※▲△◆●]*(?P<open>[(（\[【〔<〈#]|№|N[or]\.|N[º°]\.?)?{_SPACE}"
    rf"(?:(?:(?P<answer>{_ANSWER})(?![A-Za-z{_ACCENTED}])\.?{_SPACE}(?:{_TO})?"
    rf"(?P<of>(?:{_ITEM})(?![A-Za-z{_ACCENTED}])\.?(?: [A-Z](?=\d))?|[A-Z](?=\d))?"
    rf"|(?P<word>{_WORDS}|(?:{_ITEM})(?![A-Za-z{_ACCENTED}])|{_TASK}|{_CJK_WORDS})(?={_SPACE}(?:[(（\[]?\d|{_ROMAN}))){_SPACE})?"
    rf"(?P<open2>[(（\[])?(?P<n>(?:\d{{4}}|\d{{6}})(?=[ \u00a0][^\W\d_])|{_N}|[{CIRCLED}]|[{CHINESE}]{{1,3}}"
    r"|[IVX]{1,5}(?![A-Za-z])|(?<=[(（])[ivx]{1,5}(?=[)）]))"
    r"(?![\d%％]|(?<=\d)[A-Za-z](?![A-Za-z]))"
    rf"(?:\*?{_SPACE}(?P<close>[)）\]】〕>〉][.．、:：]?|[.．、:：][)）\]】〕>〉]?|\.?[º°][.)]?(?=\s)|-(?=\s)))?(?!{_SPACE}[?？])(?P<after>{_SPACE})",
)
#: 第3问: any sign but those that count pages, parts, steps and times; 第3题 is a label in any book.
_ORDINAL = re.compile(
    rf"第\s*(?P<n>\d{{1,3}}|[{CHINESE}]{{1,3}})\s*(?P<close>[问关招道例练则])(?![\u4e00-\u9fff]){_SPACE}[.．、：:]?{_SPACE}"
)
_OPTIONS = frozenset("ABCDEFGH")
#: The digits of numbers of which the first two count chapters and sections, as in 1203, and of those whose pairs count
#: contests and grades, then rounds and problems, as in 580711.
_CHAPTERED, _CONTEST = 4, 6
_PARTS = re.compile(r"[.．\-–]")
_BRACKETS = str.maketrans("（〔【〈", "([[<") | str.maketrans("）〕】〉．：", ")]]>.:")


#: A number and a point behind which the item's own words begin, as nearly all labels are: any other sign near it is
#: left to the patterns of labels and of marks.
_POINTED = re.compile(rf"([1-9][0-9]{{0,2}})([.．、])(?![\d)）\]】〕>〉]|[ºª] [a-z])({_SPACE})(?![\s\d?？])")
_POINTS = {sign: Dress("", "", "", "1", sign.translate(_BRACKETS)) for sign in ".．、"}


def read_pointed(text: str) -> tuple[ItemLabel, Mark] | None:
    """The label and the mark of a text that opens with a plain number and a point, None if it is not as plain.

    >>> read_pointed("12. Find x.")
    (ItemLabel(label='12', end=4, number=12, prefix='', start=0), \
Mark(dress=Dress(word='', role='', of='', shape='1', signs='.'), numbers=(12,), name='12', end=4))
    >>> read_pointed("12.5 kg"), read_pointed("Find x.")
    (None, None)
    """
    found = _POINTED.match(text)
    if found is None:
        return None
    digits, sign = found.group(1, 2)
    mark = _pointed(digits, sign, found.end())
    return ItemLabel(digits, mark.end, mark.numbers[0], ""), mark


@lru_cache(maxsize=1 << 12)
def _pointed(digits: str, sign: str, end: int) -> Mark:
    """The mark of a plain number and a point: a book has few."""
    return Mark(_POINTS[sign], (int(digits),), digits, end)


@lru_cache(maxsize=1 << 16)
def read_mark(text: str) -> Mark | None:
    """The number that a text opens with, in its dress, or None.

    It may be anything: whether labels are dressed like this is for the book to tell.

    >>> read_mark("Solution to Q 12. Let x = 1.").dress
    Dress(word='solution', role='answer', of='q', shape='1', signs='.')
    >>> read_mark("Answer B2.").dress.of
    'b'
    >>> [read_mark(text).numbers for text in ("(3) Find x.", "5.1*. Only", "Puzzle 7", "一、设 a", "IV. Let", "問2 図")]
    [(3,), (5, 1), (7,), (1,), (4,), (2,)]
    """
    found = None if _is_option(text) else _MARK.match(text) or _ORDINAL.match(text)
    if found is None:
        return None
    if found.re is _ORDINAL:
        value = number(narrow(found["n"]))
        signs = f"第{found['close']}"
        return Mark(Dress("", "", "", "1", signs), (value,), str(value), found.end()) if value else None
    answer, word, of, numeral, close, after = found.group("answer", "word", "of", "n", "close", "after")
    numbers, shape = _value(numeral)
    if not numbers or (shape == "1" and not (answer or word or "").rstrip(".") and not close and not after):
        return None
    signs = f"{found['open'] or ''}{found['open2'] or ''}{close or ''}"
    if shape == "I" and not (signs or word or answer) and text[found.end() :][:1].islower():
        return None  # I can read
    name = narrow(" ".join(text[found.start("word") : found.end("n")].split())) if word else narrow(numeral)
    return Mark(_dress(answer or "", word or "", of or "", shape, signs), numbers, name, found.end())


def _is_option(text: str) -> bool:
    """Whether a text opens with an option's letter between brackets, which is no number: (A)."""
    return text[1:2] in _OPTIONS and text[:1] in ("(", "（") and text[2:3] in (")", "）")


@lru_cache(maxsize=1 << 10)
def _dress(answer: str, word: str, of: str, shape: str, signs: str) -> Dress:
    """The dress of a number by what stands around it: a book has few."""
    own = (answer or word).rstrip(".")
    first, *_, last = [roles().get(word.casefold(), "") for word in own.split()] * 2 or ["", ""]
    # "Zu Abschnitt 3" names a section as "Abschnitt 3" does; of words that are known the first one tells.
    told = first if first in _NO_ITEMS else last if not first and last == "heading" else ""
    role = "answer" if answer else roles().get(own.casefold(), told)
    return Dress(own.casefold(), role, of.rstrip(".").casefold(), shape, signs.translate(_BRACKETS))


@lru_cache(maxsize=1 << 10)
def _value(numeral: str) -> tuple[tuple[int, ...], str]:
    """The numerals of a number, none if it is no number, and its shape."""
    if numeral.isdecimal() and len(numeral) == _CHAPTERED:
        return (int(numeral[:2]), int(numeral[2:])), "1111"
    if numeral.isdecimal() and len(numeral) == _CONTEST:
        return (int(numeral[:2]), int(numeral[2:4]), int(numeral[4]), int(numeral[5])), "1" * _CONTEST
    if numeral[0].isdecimal():
        parts = [int(narrow(part)) for part in _PARTS.split(numeral)]
        sign = "." if len(parts) > 1 else ""
        return tuple(parts), sign.join("1" * len(parts))
    if numeral[0] in CIRCLED:
        return ((number(numeral) or 0),), "①"
    if numeral[0] in CHINESE:
        value = number(numeral)
        return ((value,) if value else ()), "一"
    value = roman(numeral)
    return ((value,) if value else ()), "I" if numeral.isupper() else "i"


class Letter(NamedTuple):
    """A letter by which a text counts: the word before it, its number and the one before that, the sign behind it."""

    word: str
    numbers: tuple[int, ...]
    sign: str
    end: int


_LETTER = re.compile(r"(?P<word>[^\W\d_]{2,}\s+(?P<of>\d{1,2})?)?(?P<letter>[A-H])(?P<sign>[.．、):：]|(?=\s|$))")


def read_letter(text: str) -> Letter | None:
    """The letter from A to H by which a heading may count, behind a word or alone, or None.

    >>> read_letter("Topic B: Rivers")
    Letter(word='topic', numbers=(2,), sign=':', end=8)
    >>> [found and found.numbers for found in map(read_letter, ("Exercise 4A", "C. Maps", "Cells"))]
    [(4, 1), (3,), None]
    """
    found = _LETTER.match(text)
    if found is None:
        return None
    numbers = (*([int(found["of"])] if found["of"] else []), ord(found["letter"]) - ord("A") + 1)
    return Letter((found["word"] or "").strip(" 0123456789").casefold(), numbers, found["sign"], found.end())
