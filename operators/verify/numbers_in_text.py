"""Numbers in texts: digits in every common form, and number words in English and Chinese."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from operator import itemgetter

from dataflow_ext.text import patterns
from operators.verify.expressions.tokens import NUMBER, RAISED, VULGAR, narrow, number_value, raised
from operators.verify.number_words import (
    CHINESE_SIGNS,
    ONES,
    PARTS,
    SCALES,
    TENS,
    chinese,
    english,
    english_part,
    number_word,
    part_word,
)
from operators.verify.units_in_text import unit_after

#: No more of a text than this is looked at, and no more numbers are taken from it.
LONGEST_TEXT = 20_000
_MOST_NUMBERS = 5_000
_LARGEST_POWER = 300


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a text as written, its value, its place in the text, and the unit that follows ("" if none).

    A time of day is one number, in minutes, with the unit "time"; a percentage keeps its number, with the unit "%";
    "3rd" has the unit "ordinal".
    """

    text: str
    value: Fraction
    start: int
    end: int
    unit: str


_DIGITS = r"\d{1,3}(?:(?:,|\{,\}|\\,)\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_EXPONENT = r"[eE][+-]?\d{1,3}(?![\d.A-Za-z])"
_FRAC = r"\\[dtc]?frac\s*(?:\{\s*(?P<above>-?\d{1,12})\s*\}\s*\{\s*(?P<below>\d{1,12})\s*\}|(?P<a>\d)\s*(?P<b>\d))"
_POWER = (
    r"(?:\^\s*(?:\{\s*(?P<braced>[+-]?\d{1,4})\s*\}|(?P<power>-?\d{1,4}))"
    rf"|(?P<raised>[{re.escape(''.join(RAISED))}]{{1,5}}))"
)
_FOUND = re.compile(
    rf"(?=[\d.\\{''.join(VULGAR)}{CHINESE_SIGNS}半])(?:(?P<time>(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?(?![\d:]))"
    rf"|(?P<frac>{_FRAC})"
    rf"|(?P<number>(?:{_DIGITS})(?:{_EXPONENT})?)"
    rf"|(?P<vulgar>[{''.join(VULGAR)}])"
    rf"|(?P<chinese>[{CHINESE_SIGNS}半]+(?:分之[{CHINESE_SIGNS}]+|点[{CHINESE_SIGNS}]+)?))"
)
#: What every number that is no English word holds.
_SIGNS_OF = re.compile(rf"[\d{''.join(VULGAR)}{CHINESE_SIGNS}半]")
_AFTER_TEN = re.compile(rf"\s*(?:\*|\\times|\\cdot|x)\s*10\s*{_POWER}")
_TEN_POWER = re.compile(_POWER)
_SLASH = re.compile(r"\s?/\s?(\d{1,9})(?![\d.,/]\d|[\d/])")
_MIXED = re.compile(
    rf"[ ]?(?:(\d{{1,4}})\s?/\s?(\d{{1,4}})(?![\d/.])|([{''.join(VULGAR)}])"
    rf"|\\[dtc]?frac\s*\{{(\d{{1,4}})\}}\s*\{{(\d{{1,4}})\}})"
)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)(?![A-Za-z])")
_SCALE = re.compile(r"\s?(?:(thousand|million|billion|trillion)(?![A-Za-z])|([万亿]+))")
_SCALES = SCALES | {"万": 10**4, "亿": 10**8, "万亿": 10**12}
_SIGN_BEFORE = frozenset(" \t\n([{=<>≤≥≈,:;+*/|~$，。：；（、是为")
#: Words and measures in which a Chinese numeral counts nothing.
_CHINESE_NOISE = re.compile(patterns(__package__, "data/patterns.tsv")["Chinese word"])
_BEFORE_NOISE = frozenset("第统唯同单专万之星周另逐某")
_HALVES = frozenset(("half", "dozen", "hundred", "thousand", "million", "billion"))
_NUMBER_WORDS = frozenset((*ONES, *TENS, *SCALES, *PARTS, "dozen"))
#: Each byte of a word in small letters, and blanks for the others.
_WORDS_ALONE = bytes((each | 32 if chr(each).isalpha() else 32) if each < 128 else 32 for each in range(256))
_LOWER = {upper: upper + 32 for upper in range(65, 91)}


def number_of(text: str) -> Fraction | None:
    """The value of a text that is one number and no more, in digits or words; None for anything else.

    >>> [str(number_of(t)) for t in ("1,234.5", "2 1/2", "12%", "seven", "三分之二", "½", "３", "3×10^8")]
    ['2469/2', '5/2', '3/25', '7', '2/3', '1/2', '3', '300000000']
    >>> number_of("7 apples") is None
    True
    """
    plain = narrow(text).strip().replace("，", ",")
    if not plain or len(plain) > 500:
        return None
    negative = plain[0] == "-" or plain.lower().startswith(("minus ", "negative ")) or plain[0] == "负"
    for sign in ("-", "+", "负", "minus ", "negative "):
        if plain.lower().startswith(sign):
            plain = plain[len(sign) :].strip()
            break
    percent = plain.endswith("%")
    plain = plain.rstrip("%").rstrip().removesuffix("\\").strip("$ ")
    if not plain:
        return None
    value = _worded(plain) if plain[:1].isalpha() or plain[:1] in CHINESE_SIGNS else _digits(plain)
    if value is None:
        return None
    return (-value if negative else value) / (100 if percent else 1)


def _worded(text: str) -> Fraction | None:
    if not text.isascii():
        return chinese(text)
    low = text.lower()
    if low in ("dozen", "a dozen"):
        return Fraction(12)
    if low.startswith(("a ", "an ")) and low.split()[-1] in _HALVES:
        low = low.split(" ", 1)[1]
    part = english_part(text)
    if part is not None:
        return part
    if low.endswith(" and a half"):
        whole = english(low.removesuffix(" and a half"))
        return None if whole is None else whole + Fraction(1, 2)
    return english(low) if len(low) < 120 else None


def _digits(text: str) -> Fraction | None:
    if re.fullmatch(NUMBER, text):
        value = number_value(text)
        return None if value is None else Fraction(value)
    found = numbers_in(text)
    return found[0].value if len(found) == 1 and found[0].text == text and found[0].unit in ("", "%") else None


def numbers_in(text: str) -> list[Number]:
    """The numbers of a text, in its order: digits and words, with the unit that follows each.

    Ranges are two numbers ("3-5"), a minus sign is one only after space or a sign; "one" alone and Chinese
    numerals inside words (一个, 统一, 三角形) are left out.

    >>> [(n.text, str(n.value), n.unit) for n in numbers_in("3-5 kg to -2.5e3 m/s at 12:30, 三分之二")]
    [('3', '3', ''), ('5', '5', 'kg'), ('-2.5e3', '-2500', 'm/s'), ('12:30', '750', 'time'), ('三分之二', '2/3', '')]
    """
    return list(_found_in(text[:LONGEST_TEXT]))


@lru_cache(maxsize=16384)
def _found_in(text: str) -> tuple[Number, ...]:
    plain = narrow(text)
    found: list[Number] = []
    place = 0
    for start, match in _candidates(plain):
        if start < place:
            continue
        if match is None:
            counted = bool(found) and plain[found[-1].end : start] in (" and ", ", ", ", and ")
            made = _word(plain, start, counted)
        elif match.lastgroup == "chinese":
            made = _chinese(plain, match)
        else:
            made = _number(plain, match)
        if made is None:
            continue
        value, start, end, unit = made
        if not unit:
            unit, place = unit_after(plain, end)
        else:
            place = end
        found.append(Number(text[start:end], value, start, end, unit))
        if len(found) == _MOST_NUMBERS:
            break
    return tuple(found)


_Made = tuple[Fraction, int, int, str]


def _number(text: str, match: re.Match[str]) -> _Made | None:
    start, end = match.span()
    if match.group("time"):
        hours, minutes, *seconds = (int(part) for part in match.group().split(":"))
        return hours * 60 + minutes + Fraction(seconds[0] if seconds else 0, 60), start, end, "time"
    before = text[start - 1] if start else " "
    if before.isascii() and (before.isalpha() or before == "_") and match.group()[0].isdigit():
        # The 2 of x2, H2O or v_2 counts nothing.
        return None
    value = _plain_value(match)
    if value is None:
        return None
    if match.group("number"):
        value, end = _continued(text, match.group(), value, end)
    if before in "-−" and (start < 2 or text[start - 2] in _SIGN_BEFORE):
        return -value, start - 1, end, ""
    if match.group("number") and (ordinal := _ORDINAL.match(text, end)):
        return value, start, ordinal.end(), "ordinal"
    return value, start, end, ""


def _plain_value(match: re.Match[str]) -> Fraction | None:
    if match.group("frac"):
        above = int(match.group("above") or match.group("a"))
        below = int(match.group("below") or match.group("b"))
        return Fraction(above, below) if below else None
    if match.group("vulgar"):
        return Fraction(*VULGAR[match.group()])
    value = number_value(match.group())
    return None if value is None else Fraction(value)


def _continued(text: str, written: str, value: Fraction, end: int) -> tuple[Fraction, int]:
    """The value with what belongs to it and follows: a fraction, a power of ten, a scale."""
    following = text[end : end + 1]
    if following and (following in " /\\" or following in VULGAR) and written.isdecimal():
        if (mixed := _MIXED.match(text, end)) and (part := _part(mixed)) is not None:
            return value + part, mixed.end()
        if (slash := _SLASH.match(text, end)) and int(slash.group(1)):
            return value / int(slash.group(1)), slash.end()
    if written == "10" and (ten := _TEN_POWER.match(text, end)):
        return _ten_to(ten), ten.end()
    if following and following in " *\\x" and (ten := _AFTER_TEN.match(text, end)):
        return value * _ten_to(ten), ten.end()
    if (scale := _SCALE.match(text, end)) is not None:
        return value * _SCALES.get(scale.group(1) or scale.group(2), 1), scale.end()
    return value, end


def _part(mixed: re.Match[str]) -> Fraction | None:
    above, below, vulgar, latex_above, latex_below = mixed.groups()
    if vulgar:
        return Fraction(*VULGAR[vulgar])
    top, bottom = int(above or latex_above), int(below or latex_below)
    if above and not mixed.group().startswith(" "):
        return None
    return Fraction(top, bottom) if 0 < top < bottom else None


def _ten_to(match: re.Match[str]) -> Fraction:
    power = int(match.group("braced") or match.group("power") or _raised(match.group("raised")))
    return Fraction(10) ** max(-_LARGEST_POWER, min(_LARGEST_POWER, power))


def _raised(text: str) -> str:
    plain = raised(text)
    return plain if re.fullmatch(r"[+-]?\d+", plain) else "1"


def _candidates(text: str) -> list[tuple[int, re.Match[str] | None]]:
    """Where numbers may begin, in order: with what was found of digits and Chinese signs, None for English words."""
    found: list[tuple[int, re.Match[str] | None]] = []
    if _SIGNS_OF.search(text):
        found += [(match.start(), match) for match in _FOUND.finditer(text)]
    words = _NUMBER_WORDS.intersection(text.encode("utf-8", "replace").translate(_WORDS_ALONE).decode().split())
    if words:
        low = text.translate(_LOWER)
        for word in sorted(words):
            start = low.find(word)
            while start >= 0:
                end = start + len(word)
                before, after = low[start - 1 : start], low[end : end + 1]
                if not ("a" <= before <= "z" or (before in ("\\", "_") and before)) and not "a" <= after <= "z":
                    article = 2 if low[max(start - 3, 0) : start] in (" a ", "a ") else 0
                    found.append((start - article, None))
                start = low.find(word, end)
        found.sort(key=itemgetter(0))
    return found


def _word(text: str, start: int, counted: bool) -> _Made | None:
    part = part_word(text, start)
    found = number_word(text, start)
    if part is not None and (found is None or part[1] >= found[1]):
        return part[0], start, part[1], ""
    alone = found is not None and found[0] == 1 and found[1] == start + 3 and not counted
    if found is None or (alone and not unit_after(text, found[1])[0]):
        # "one" alone is a pronoun as often as a number, but in "three, two and one".
        return None
    return found[0], start, found[1], ""


def _chinese(text: str, match: re.Match[str]) -> _Made | None:
    start, end = match.span()
    if _CHINESE_NOISE.match(text, start) or (start and text[start - 1] in _BEFORE_NOISE):
        return None
    written = match.group()
    # 千克 and 千米 begin with a sign that also counts: 三千克 is three kilograms.
    if written.endswith("千") and text[end : end + 1] in "克米瓦" and len(written) > 1:
        written, end = written[:-1], end - 1
    if len(written) > 1 and written.endswith("半"):
        written, end = written[:-1], end - 1
    value = chinese(written)
    if value is None or (written in "十百千万亿" and written != "十"):
        return None
    if start and text[start - 1] == "负":
        return -value, start - 1, end, ""
    return value, start, end, ""
