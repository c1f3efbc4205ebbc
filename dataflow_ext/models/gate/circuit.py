"""Whether calls to a server make sense at all, found out from failures in a row."""

from __future__ import annotations

import logging

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

#: Seconds before the second of the calls that look whether a failing server is well again; doubled each time.
_FIRST_LOOK = 0.5

#: Seconds between the calls that look whether an account has credit again.
_QUOTA_PROBE = 300.0


class Circuit:
    """Closed while calls are answered; open, so that they fail at once, when all of them would fail.

    After ``down_after`` failures in a row and no good answer, calls go one by one at growing intervals,
    until one is answered. If that does not happen the circuit opens: after ``down_seconds`` if no connection
    was ever made, after ``patience`` seconds if the server was well before or answers with errors, and after
    ten minutes if it says that it is overloaded. It opens at once when the server asks for a longer wait than
    that, when the account's credit is used up, and when the first calls are refused for their key. Each
    ``probe_seconds`` one call is let through (five minutes for credit, and not before the end of a wait
    that was asked for); its good answer closes the circuit.

    ``open`` says that calls fail at once, ``calm`` that a good answer would be no news, ``failing`` that
    calls go one by one, and ``look_at`` when the next of them may.
    """

    def __init__(
        self, server: str, down_after: int, down_seconds: float, patience: float, probe_seconds: float
    ) -> None:
        self.server = server
        self.down_after = down_after
        self.down_seconds = down_seconds
        self.patience = patience
        self.probe_seconds = probe_seconds
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
        lasting = self._failures >= self.down_after
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
            return max(_QUOTA_PROBE, self.probe_seconds)
        asked = self._reason.retry_after if isinstance(self._reason, RetryableError) else None
        return max(asked or 0.0, self.probe_seconds)

    def _patience_with(self, error: RetryableError) -> float:
        if isinstance(error, RateLimitedError) or error.overload:
            return MOST_PATIENCE
        if isinstance(error, ConnectionFailedError) and not self._known:
            return self.down_seconds
        return self.patience
