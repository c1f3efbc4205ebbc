"""Times of day, dates and ratios: how they are read, and when two are the same."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from operators.verify.answer import Equivalence
from operators.verify.questions import Asked
from operators.verify.vocabulary import term_of
from operators.verify.written_numbers import same_value, value_of

_LONGEST = 80
_HALF_DAY = 12 * 3600
_AM = r"(?:\s*([ap])\.?\s?m\.?)?"
_CLOCK = re.compile(rf"(\d{{1,2}}):([0-5]\d)(?::([0-5]\d))?{_AM}", re.IGNORECASE)
_HOUR = re.compile(rf"(\d{{1,2}})\s*(?:o'?\s?clock){_AM}|(\d{{1,2}})\s*([ap])\.?\s?m\.?", re.IGNORECASE)
_SPOKEN = re.compile(r"(half|(?:a )?quarter|[a-z\d-]+(?: minutes)?) (past|after|to|before) ([a-z\d]+)", re.IGNORECASE)
_SPOKEN_HOUR = re.compile(r"([a-z]+) o'?\s?clock", re.IGNORECASE)
_CHINESE = re.compile(
    r"(凌晨|早上|上午|中午|下午|傍晚|晚上)?\s*(\d{1,2}|[一二两三四五六七八九十]{1,3})\s*(?:点钟?|时)\s*(?:(半|整)|(?:过)?(\d{1,2}|[零一二三四五六七八九十]{1,3})\s*分|([一三])刻)?"
)
_NOON = {"noon": 12, "midday": 12, "midnight": 0, "正午": 12, "午夜": 0}

_DIGIT = re.compile(r"\d")
_YEAR_FIRST = re.compile(r"(\d{4})\s*([-/.年])\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?号?")
_YEAR_LAST = re.compile(r"(\d{1,2})\s*[-/.]\s*(\d{1,2})\s*[-/.]\s*(\d{4})")
_MONTH_FIRST = re.compile(r"([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:\s*,?\s+(\d{4}))?", re.IGNORECASE)
_DAY_FIRST = re.compile(
    r"(?:the )?(\d{1,2})(?:st|nd|rd|th)?(?: of)?\s+([a-z]{3,9})\.?(?:\s*,?\s+(\d{4}))?", re.IGNORECASE
)
_CHINESE_DATE = re.compile(r"(\d{1,2})月(\d{1,2})[日号]")

_RATIO = re.compile(r"([^:]{1,20})((?:\s*:\s*[^:]{1,20}){1,4})")
_RATIO_WORDS = re.compile(r"(\S{1,20})\s*(?:to|比|∶)\s*(\S{1,20})")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)


@dataclass(frozen=True, slots=True)
class Time:
    """A time of day in seconds; ``exact`` unless it may be in either half of the day."""

    seconds: int
    exact: bool


#: Year (None: not said), month and day.
Date = tuple[int | None, int, int]


def time_of(text: str) -> Time | None:
    """The time of day that a bare text is.

    >>> time_of("3:30 pm") == time_of("15:30"), time_of("half past twelve")
    (True, Time(seconds=45000, exact=False))
    """
    if not text or len(text) > _LONGEST:
        return None
    if text.lower() in _NOON:
        return Time(_NOON[text.lower()] * 3600, True)
    clock = _CLOCK.fullmatch(text)
    if clock:
        return _time(int(clock[1]), int(clock[2]), int(clock[3] or 0), clock[4])
    hour = _HOUR.fullmatch(text)
    if hour:
        return _time(int(hour[1] or hour[3]), 0, 0, hour[2] or hour[4])
    return _spoken(text) or _chinese_time(text)


def dates_of(text: str) -> frozenset[Date]:
    """The dates that a bare text may be: two where day and month can change places.

    >>> sorted(dates_of("01/02/2020")), sorted(dates_of("Jan. 2, 2020"))
    ([(2020, 1, 2), (2020, 2, 1)], [(2020, 1, 2)])
    """
    if not text or len(text) > _LONGEST or not _DIGIT.search(text):
        return frozenset()
    found: list[Date] = []
    if match := _YEAR_FIRST.fullmatch(text):
        found = [(int(match[1]), int(match[3]), int(match[4]))]
    elif match := _YEAR_LAST.fullmatch(text):
        first, second, year = int(match[1]), int(match[2]), int(match[3])
        found = [(year, first, second), (year, second, first)]
    elif match := _MONTH_FIRST.fullmatch(text):
        found = [(int(match[3]) if match[3] else None, _month(match[1]), int(match[2]))]
    elif match := _DAY_FIRST.fullmatch(text):
        found = [(int(match[3]) if match[3] else None, _month(match[2]), int(match[1]))]
    elif match := _CHINESE_DATE.fullmatch(text):
        found = [(None, int(match[1]), int(match[2]))]
    return frozenset(each for each in found if 1 <= each[1] <= 12 and 1 <= each[2] <= 31)


def ratio_of(text: str) -> tuple[Fraction, ...]:
    """The parts of a ratio, the first of them as 1; empty if the text is none.

    >>> ratio_of("3:4") == ratio_of("6 : 8"), ratio_of("cat: dog")
    (True, ())
    """
    found = (_RATIO.fullmatch(text) or _RATIO_WORDS.fullmatch(text)) if len(text) <= _LONGEST else None
    if not found:
        return ()
    parts = [found[1], *found[2].strip().strip(":").split(":")]
    values = [value_of(part.strip()) for part in parts]
    amounts = [value.amount for value in values if value is not None and isinstance(value.amount, Fraction)]
    if len(amounts) != len(parts) or not all(amounts):
        return ()
    return tuple(amount / amounts[0] for amount in amounts)


def compare_times(one: str, other: str, about: Asked) -> Equivalence | None:
    """Whether two texts are the same time, date or ratio; None unless both are one of these."""
    dates = dates_of(one), dates_of(other)
    if all(dates):
        return _dates(*dates)
    if about.ratio:
        return _ratios(one, other, True) or _times(one, other)
    return _times(one, other) or _ratios(one, other, False)


def _times(one: str, other: str) -> Equivalence | None:
    first, second = time_of(one), time_of(other)
    if first is None or second is None:
        return None
    if first.seconds == second.seconds and first.exact == second.exact:
        return Equivalence("yes", "The times of day are the same.", "quantity")
    if (first.seconds - second.seconds) % _HALF_DAY == 0 and not (first.exact and second.exact):
        return Equivalence("unsure", "One of the times does not say which half of the day it means.", "quantity")
    return Equivalence("no", "The times of day are not the same.", "quantity")


def _dates(one: frozenset[Date], other: frozenset[Date]) -> Equivalence:
    if one == other and len(one) == 1:
        return Equivalence("yes", "The dates are the same.", "quantity")
    if one & other:
        return Equivalence("unsure", "Day and month of a date may have changed places.", "quantity")
    if any(a[1:] == b[1:] and None in (a[0], b[0]) for a in one for b in other):
        return Equivalence("unsure", "One of the dates has no year.", "quantity")
    return Equivalence("no", "The dates are not the same.", "quantity")


def _ratios(one: str, other: str, wanted: bool) -> Equivalence | None:
    first, second = ratio_of(one), ratio_of(other)
    if first and second:
        same = first == second
        if same and not wanted and (time_of(one) or time_of(other)):
            return Equivalence("unsure", "As ratios they are the same, but one of them may be a time.", "number")
        return Equivalence("yes" if same else "no", f"The ratios are {'' if same else 'not '}the same.", "number")
    if not first and not second:
        return None
    ratio, text = (first, other) if first else (second, one)
    value = value_of(text)
    if value is None or len(ratio) != 2:
        return None
    verdict = same_value(type(value)(1 / ratio[1]), value)
    if verdict == "yes" and not wanted:
        return Equivalence("unsure", "One of them is a ratio, and the other a number of the same value.", "number")
    if verdict == "no" and not wanted and (time_of(one) or time_of(other)):
        return Equivalence("unsure", "One of them may be a time or a duration, the other a number.", "number")
    return Equivalence(verdict, "Compared as ratio and fraction.", "number")


def _time(hour: int, minute: int, second: int, half: str | None) -> Time | None:
    if hour > 24 or (half and not 1 <= hour <= 12) or (hour == 24 and minute + second):
        return None
    if half:
        hour = hour % 12 + (12 if half.lower() == "p" else 0)
    return Time((hour % 24) * 3600 + minute * 60 + second, bool(half) or hour > 12 or hour == 0)


def _spoken(text: str) -> Time | None:
    hour = _SPOKEN_HOUR.fullmatch(text)
    if hour:
        return _from_words(hour[1], "zero", "past")
    found = _SPOKEN.fullmatch(text)
    return _from_words(found[3], found[1], found[2]) if found else None


def _from_words(hour: str, minutes: str, way: str) -> Time | None:
    minutes = minutes.lower().removesuffix(" minutes")
    named = {"half": 30, "quarter": 15, "a quarter": 15, "zero": 0}
    hours, count = _whole(hour), named[minutes] if minutes in named else _whole(minutes)
    if hours is None or count is None or not 1 <= hours <= 12 or not 0 <= count < 60:
        return None
    total = hours * 60 + (count if way.lower() in ("past", "after") else -count)
    return _time(total // 60 or 12, total % 60, 0, None)


def _chinese_time(text: str) -> Time | None:
    found = _CHINESE.fullmatch(text)
    hour = _whole(found[2]) if found else None
    if not found or hour is None or not (found[1] or "点" in text):
        return None
    minute = 30 if found[3] == "半" else 15 * (_whole(found[5]) or 0) if found[5] else _whole(found[4] or "0")
    if minute is None or not 0 <= minute < 60:
        return None
    late = found[1] in ("下午", "傍晚", "晚上", "中午")
    half = ("p" if late and (found[1] != "中午" or hour in (12, 1, 2)) else "a") if found[1] and hour <= 12 else None
    return _time(hour, minute, 0, half)


def _whole(text: str) -> int | None:
    value = value_of(text)
    return int(value.amount) if value is not None and value.amount == int(value.amount) else None


def _month(name: str) -> int:
    """The number of a month, by its name; 0 for another word."""
    term = term_of(name.lower())
    return _MONTHS.index(term.value) + 1 if term is not None and term.family == "month" else 0
