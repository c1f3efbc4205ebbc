"""How long a server's headers ask to wait, as far as they are to be believed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

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
