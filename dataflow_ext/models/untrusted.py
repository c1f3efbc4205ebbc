"""What servers say, which is not trusted: JSON is bounded, a key is masked, and a wait is believed within reason."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Any
from urllib.parse import quote, quote_plus

#: What stands in the key's place.
MASK = "…"

#: A key of so few characters is none, and may be part of any word.
_SHORT = 8


def masked(text: str, key: str | None) -> str:
    """The text without the key: neither plain, nor as in a URL or in JSON, nor in the base64 of ``user:key``.

    >>> masked("Incorrect key sk-0123/456, or sk-0123%2F456.", "sk-0123/456")
    'Incorrect key …, or ….'
    """
    if not key or len(key) <= _SHORT:
        return text
    for form in _forms(key):
        if form in text:
            text = text.replace(form, MASK)
    return text


def masked_bytes(content: bytes, key: str | None) -> bytes:
    """The same for a text in UTF-8 or in any other code that agrees with it on ASCII."""
    return masked(content.decode("utf-8", "surrogateescape"), key).encode("utf-8", "surrogateescape")


@lru_cache(maxsize=16)
def _forms(key: str) -> tuple[str, ...]:
    """All forms, the longest first, as one may be part of another."""
    quoted = {quote(key, safe=""), quote(key), quote_plus(key)}
    forms = {key, json.dumps(key)[1:-1], key.replace("/", "\\/"), *quoted, *map(_lower_escapes, quoted)}
    for before in range(3):
        forms |= _base64_inside(key, before)
    return tuple(sorted(forms, key=len, reverse=True))


def _lower_escapes(quoted: str) -> str:
    """``%2F`` as ``%2f``."""
    first, *rest = quoted.split("%")
    return "%".join([first, *(part[:2].lower() + part[2:] for part in rest)])


def _base64_inside(key: str, before: int) -> set[str]:
    """The characters that stand for the key alone in the base64 of a text with so many bytes, modulo 3, before it."""
    content = bytes(before) + key.encode("utf-8", "replace")
    text = base64.b64encode(content).decode()[-(-8 * before // 6) : 8 * len(content) // 6]
    return {text, text.replace("+", "-").replace("/", "_")}


#: Most values in one JSON text. Each takes some 60 to 200 bytes, so that a short text could fill the memory.
MOST_VALUES = 2_000_000

_MARKS = ",[{"


def read_json(content: bytes | str) -> Any:
    """The value that the text holds; ValueError if it holds none, nests too deeply or has too many values.

    >>> read_json(b'{"a": [1, 2]}')
    {'a': [1, 2]}
    """
    marks = map(str.encode, _MARKS) if isinstance(content, bytes) else _MARKS
    if len(content) > MOST_VALUES and sum(map(content.count, marks)) > MOST_VALUES:  # type: ignore[arg-type]
        raise ValueError(f"it holds more than {MOST_VALUES:,} values")
    try:
        return json.loads(content)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def text_or(value: object, other: str, most: int) -> str:
    """The value's first ``most`` characters if it is a text that says something, else the other text.

    >>> text_or("gpt-4o", "m", 100), text_or({"id": 1}, "m", 100), text_or("", "m", 100)
    ('gpt-4o', 'm', 'm')
    """
    return value[:most] if isinstance(value, str) and value else other


#: A server that asks for a longer wait than this, in seconds, is not believed: it is as if it had named none.
MOST_BELIEVED = 86_400.0

#: Longest header that is looked at, in characters.
_LONGEST = 100

_NUMBER = re.compile(r"[+-]?\d{1,12}(?:\.\d{1,12})?", re.ASCII)
_DURATION = re.compile(r"(\d{1,12}(?:\.\d{1,12})?)(ms|s|m|h|d)", re.ASCII)
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}


def wait_asked_for(headers: Mapping[str, str]) -> float | None:
    """Seconds that a server's headers ask to wait, from 0 to a day, or None.

    ``retry-after-ms`` and ``Retry-After`` (seconds or a date, of several the longest) come first; else the reset
    of whichever rate limit is used up, else the sooner of the two. What makes no sense counts as not said.

    >>> wait_asked_for({"x-ratelimit-reset-requests": "1m2.5s", "x-ratelimit-reset-tokens": "90ms"})
    0.09
    >>> wait_asked_for({"retry-after": "Fri, 31 Dec 9999 23:59:59 GMT"}), wait_asked_for({"retry-after": "1, 5"})
    (None, 5.0)
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        text = headers.get(name, "").strip()
        if text and len(text) <= _LONGEST and (wait := _wait(text, unit)) is not None:
            return wait
    resets = _resets(headers)
    return max(resets[True]) if resets[True] else min(resets[False], default=None)


def pause_after(headers: Mapping[str, str]) -> float:
    """Seconds until a rate limit that the server's headers call used up is filled again, 0 if none is.

    >>> pause_after({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "12ms"})
    0.012
    """
    return max(_resets(headers)[True], default=0.0)


def believed(seconds: float) -> float | None:
    """The wait if it is one to be believed: a number from 0 to a day; what lies in the past is 0.

    >>> believed(-3.0), believed(7.0), believed(1e30), believed(float("nan"))
    (0.0, 7.0, None, None)
    """
    return max(0.0, seconds) if seconds <= MOST_BELIEVED else None


def _wait(text: str, unit: float) -> float | None:
    parts = [part.strip() for part in text.split(",")]
    if all(map(_NUMBER.fullmatch, parts)):
        return believed(max(float(part) * unit for part in parts))
    try:
        moment = parsedate_to_datetime(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return believed((moment - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError, IndexError, OverflowError):  # no date, or one that no calendar has
        return None


def _resets(headers: Mapping[str, str]) -> dict[bool, list[float]]:
    """Seconds to the resets of rate limits, those that are used up and the others."""
    resets: dict[bool, list[float]] = {True: [], False: []}
    for kind in ("requests", "tokens"):
        text = headers.get(f"x-ratelimit-reset-{kind}", "")
        parts = _DURATION.findall(text) if len(text) <= _LONGEST else []
        wait = believed(sum(float(number) * _SECONDS[unit] for number, unit in parts))
        if parts and wait is not None:
            resets[headers.get(f"x-ratelimit-remaining-{kind}") == "0"].append(wait)
    return resets
