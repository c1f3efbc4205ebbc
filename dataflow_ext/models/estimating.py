"""A session that counts what would be asked of models, and asks nothing."""

from __future__ import annotations

from collections import Counter
from typing import Any

from dataflow_ext.models.cache.request_cache import RequestCache
from dataflow_ext.models.errors import NotAskedError
from dataflow_ext.models.ledger import Usage
from dataflow_ext.models.prices import Prices
from dataflow_ext.models.request import Model, Reply, Request
from dataflow_ext.models.session import Session


class EstimatingSession(Session):
    """A session whose ledger holds, in place of calls made, those that a real one would make.

    Replies that are remembered are given as ever. A call that would have to be made adds the tokens that it
    is expected to take, at their price, once for identical requests, and fails with
    :class:`~dataflow_ext.models.errors.NotAskedError`. Nothing is stored. ``not_asked`` counts these failures.
    """

    def __init__(self, cache: RequestCache | None = None, *, fresh: bool = False, prices: Prices | None = None) -> None:
        super().__init__(cache, fresh=fresh, prices=prices)
        self.not_asked = 0
        self._asked: set[str] = set()
        self._calls: Counter[tuple[str, str]] = Counter()

    def calls(self, step: str, model: str) -> int:
        """How many calls that step would make to that model, as the ledger names both."""
        return self._calls[step, model]

    async def _fetch(self, here: Any, model: Model, request: Request, key: str, usage: Usage) -> Reply:
        self.not_asked += 1
        if key not in self._asked:
            self._asked.add(key)
            expected = self.forecast.expected(model, request)
            usage.paid(expected, self._price(model, expected))
            entry = next(names for names, each in self.ledger.entries().items() if each is usage)
            self._calls[entry] += 1
        raise NotAskedError("An estimate counted this call and did not make it.")

    def _note(self) -> None:
        """Leave no trace in the cache's record of sessions, for this is none."""
