"""The rules of a gate: how many calls at once, how many a minute, and whether any make sense, as answers show."""

from __future__ import annotations

import logging
from collections import deque

from dataflow_ext.errors import ModelError
from dataflow_ext.models.errors import (
    AccessError,
    ConnectionFailedError,
    QuotaError,
    RateLimitedError,
    RetryableError,
    ServerDownError,
)
from dataflow_ext.models.gate.retry import LONGEST_WAIT, MOST_PATIENCE

_log = logging.getLogger(__name__)

#: Failures in a row after which calls go one by one.
DOWN_AFTER = 8

#: Seconds that this may go on where no connection was ever made, and where one was, before calls fail at once.
DOWN_SECONDS, PATIENCE = 2.0, 60.0

#: Seconds between the calls that look whether a server that is down is well again.
_PROBE = 30.0

#: Seconds before the second of the calls that look whether a failing server is well again; doubled each time.
_FIRST_LOOK = 0.5

#: Seconds between the calls that look whether an account has credit again.
_QUOTA_PROBE = 300.0


class Circuit:
    """Closed while calls are answered; open, so that they fail at once, when all of them would fail.

    After eight failures in a row and no good answer, calls go one by one at growing intervals,
    until one is answered. If that does not happen the circuit opens: after two seconds if no connection
    was ever made, after a minute if the server was well before or answers with errors, and after
    ten minutes if it says that it is overloaded. It opens at once when the server asks for a longer wait than
    that, when the account's credit is used up, and when the first calls are refused for their key. Every half
    minute one call is let through (five minutes for credit, and not before the end of a wait
    that was asked for); its good answer closes the circuit.

    ``open`` says that calls fail at once, ``calm`` that a good answer would be no news, ``failing`` that
    calls go one by one, and ``look_at`` when the next of them may.
    """

    def __init__(self, server: str) -> None:
        self.server = server
        self.open = False
        self.calm = False
        self.failing = False
        self.look_at = 0.0
        self._known = False  # whether the server ever answered well
        self._failures = 0
        self._since = 0.0
        self._look = _FIRST_LOOK
        self._reason: ModelError | None = None
        self._opened = 0.0
        self._probe_at = 0.0

    def admitted(self, now: float) -> None:
        """Note that a call goes to a server that was failing: the next one waits."""
        self.look_at = now + self._look
        self._look = min(self._look * 2, LONGEST_WAIT)

    def is_probe(self, now: float) -> bool:
        """Whether it is time for a call to look whether an open circuit can be closed; if so it is the one."""
        if now < self._probe_at:
            return False
        self._probe_at = now + self._interval()
        return True

    def good(self, entered: float) -> None:
        """Note a good answer to a call that began at that time."""
        if self.open:
            if entered < self._opened:
                return  # let in before, so it tells nothing about now
            _log.warning("%s answers again.", self.server)
        self._known = self.calm = True
        self._reason = None
        self._failures = 0
        self.open = self.failing = False
        self.look_at = 0.0

    def failed(self, error: ModelError, now: float) -> bool:
        """Note a failed call; tells whether this opened the circuit."""
        if self._failures == 0:
            self._since = now
            self._look = _FIRST_LOOK
        self._failures += 1
        self.calm = False
        lasting = self._failures >= DOWN_AFTER
        if isinstance(error, QuotaError) or (isinstance(error, AccessError) and (lasting or not self._known)):
            return self._open(error, now)
        if not isinstance(error, RetryableError):
            return False
        if (error.retry_after or 0.0) > MOST_PATIENCE:
            return self._open(error, now)
        if lasting and not self.failing:
            self.failing = True
            self.admitted(now)
        return lasting and now - self._since >= self._patience_with(error) and self._open(error, now)

    def refusal(self) -> ModelError:
        """The error for a call that is not made because the circuit is open."""
        reason = self._reason
        if isinstance(reason, AccessError | QuotaError):
            return type(reason)(f"{reason} Every further call would fail like this, so this one was not made.")
        asked = reason.retry_after if isinstance(reason, RetryableError) else None
        if asked is not None and asked > MOST_PATIENCE:
            what = f"{self.server} asks for a wait of {asked / 60:.0f} minutes, so this call was not made"
            todo = "Run again after that"
        elif isinstance(reason, ConnectionFailedError):
            what = (
                f"{self.server} is down: the last {self._failures} connections failed and none succeeded, "
                "so this call was not tried"
            )
            todo = "Start the server or mend its address, then run again"
        else:
            what = (
                f"{self.server} does not work: the last {self._failures} calls failed and none was answered well, "
                "so this call was not tried"
            )
            todo = "See to the server, then run again"
        return ServerDownError(f"{what} (last failure: {reason}). {todo}; replies that were received are kept.")

    def _open(self, error: ModelError, now: float) -> bool:
        self._reason = error
        self._probe_at = now + self._interval()
        if self.open:
            return False
        self.open = True
        self._opened = now
        _log.warning("No more calls to %s for now: %s", self.server, error)
        return True

    def _interval(self) -> float:
        if isinstance(self._reason, QuotaError):
            return _QUOTA_PROBE
        asked = self._reason.retry_after if isinstance(self._reason, RetryableError) else None
        return max(asked or 0.0, _PROBE)

    def _patience_with(self, error: RetryableError) -> float:
        if isinstance(error, RateLimitedError) or error.overload:
            return MOST_PATIENCE
        if isinstance(error, ConnectionFailedError) and not self._known:
            return DOWN_SECONDS
        return PATIENCE


#: Fewest answers that make a round: a share of one or two says nothing.
_SHORTEST_ROUND = 4

#: Largest share of overload answers that is taken for a server's habit.
_MOST_HABIT = 0.3


class Concurrency:
    """A limit that is cut in proportion to overload answers and grows back by 1, 2, 4 … a round.

    A round is as many answers as there were calls under way, of calls that began in it; so those which were
    under way when the limit was cut do not cut it again. Within a round, the place of a call that met
    overload stays empty, so that the share of such calls in the round is the share that was too much. At its
    end the limit is cut by that share.

    A server that answers so however few calls there are is not overloaded, and would starve its callers. So
    the share that remained after a cut is remembered as its habit, and only what is beyond it, and beyond
    chance, cuts the limit.

    ``limit`` is the present limit, ``places`` what is left of it in this round.
    """

    def __init__(self, cap: int) -> None:
        self.cap = cap
        self.limit = float(cap)
        self.places = cap
        self._habit = 0.0
        self._step = 1
        self._after_cut = False
        self._round = self._answers = self._overloads = self._peak = 0

    def entered(self, under_way: int) -> int:
        """The round that a call which begins now belongs to, with so many under way."""
        if under_way > self._peak:
            self._peak = under_way
        return self._round

    def answered(self, began: int, overload: bool) -> None:
        """Count the answer to a call of that round."""
        if began != self._round:
            return
        self._answers += 1
        if overload:
            self._overloads += 1
            self.places = max(1, int(self.limit) - self._overloads)
        if self._answers >= min(self._peak, int(self.limit)) and self._answers >= _SHORTEST_ROUND:
            self._end()

    def _end(self) -> None:
        share = self._overloads / self._answers
        usual = self._habit * self._answers
        cut = self._overloads > usual + 1.5 * usual**0.5
        if cut:
            # Few calls under way say little about many, so the limit falls at most to twice their number.
            self.limit = max(1.0, min(self.limit, 2.0 * self._peak) * (1 - (share - self._habit)))
            self._step = 1
        else:
            self.limit = min(self.limit + self._step, float(self.cap))
            self._step = min(self._step * 2, self.cap)
        if self._after_cut:
            self._habit = min(_MOST_HABIT, (self._habit + share) / 2)
        elif share < self._habit:
            self._habit += (share - self._habit) / 8
        self._after_cut = cut
        self._begin()

    def _begin(self) -> None:
        self._round += 1
        self._answers = self._overloads = self._peak = 0
        self.places = int(self.limit)


#: What may be taken at once after a pause, as a part of the whole period's amount (a minute: two seconds' worth).
_BURST = 1 / 30

#: By how much the period is stretched, because calls do not all take the same time to reach the server:
#: a twentieth of it, at most these seconds.
_JITTER = 0.5


class Rate:
    """At most ``limit`` in any ``period`` seconds, at an even pace after a small burst.

    Times are seconds of any clock that never goes back. Something larger than the whole limit passes when
    nothing else was taken for a period.

    >>> rate = Rate(60)
    >>> for _ in range(3):
    ...     taken = rate.take(1, now=0.0)
    >>> rate.earliest(1, now=0.0), rate.earliest(58, now=0.0)
    (1.025, 60.5)
    """

    def __init__(self, limit: float, period: float = 60.0) -> None:
        self.limit = limit
        self._window = period + min(_JITTER, period / 20)
        self._pace = self._window / limit
        self._burst = period * _BURST
        self._due = float("-inf")  # when all that was taken would have been taken at the even pace
        self._taken: deque[list[float]] = deque()  # time and amount, of the last period
        self._total = 0.0

    def earliest(self, amount: float, now: float) -> float:
        """The time from which on so much may be taken, as things stand."""
        while self._taken and self._taken[0][0] <= now - self._window:
            self._total -= self._taken.popleft()[1]
        at = self._due - self._burst
        free = self.limit - self._total
        if free < amount:
            for time, taken in self._taken:
                at = max(at, time + self._window)
                free += taken
                if free >= amount:
                    break
        return at

    def take(self, amount: float, now: float) -> list[float]:
        """Take so much; what comes back is for :meth:`correct`."""
        entry = [now, amount]
        self._taken.append(entry)
        self._total += amount
        self._due = max(self._due, now) + amount * self._pace
        return entry

    def correct(self, entry: list[float], amount: float) -> None:
        """Replace an amount that was taken by the real one; 0 gives all of it back."""
        more = amount - entry[1]
        self._due += more * self._pace
        if self._taken and entry[0] >= self._taken[0][0]:
            self._total += more
            entry[1] = amount
