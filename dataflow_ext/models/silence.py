"""Servers that give no good answer for a while, and what is told of that while calls wait for their next try."""

from __future__ import annotations

import time
from datetime import datetime

from dataflow_ext import progress
from dataflow_ext.models.errors import RetryableError
from dataflow_ext.well_formed import shortened

#: Seconds without a good answer from which on it is told, and the bytes of a reason.
_PATIENCE, _QUOTE = 3.0, 200


class Silences:
    """Since when each server has given no good answer; progress tells so, with the time of the next try."""

    def __init__(self) -> None:
        self._since: dict[str, tuple[float, str]] = {}

    def broken(self, server: str) -> None:
        """Note a good answer."""
        self._since.pop(server, None)

    def failed(self, server: str, error: RetryableError, wait: float) -> None:
        """Note a failed call that is made again after so many seconds."""
        began, at = self._since.setdefault(server, (time.monotonic(), f"{datetime.now():%H:%M:%S}"))
        if time.monotonic() - began >= _PATIENCE:
            why = shortened(str(error), _QUOTE).rstrip(".")
            progress.note(f"{server} has given no good answer since {at} ({why}); next try in {wait:.0f} s")
