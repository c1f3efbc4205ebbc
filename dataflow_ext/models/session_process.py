"""A session in a process of its own, which makes the calls of all others: one gate, one budget, one request cache."""

from __future__ import annotations

import os
import pickle
from collections.abc import Awaitable
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from dataflow_ext.background import contained
from dataflow_ext.models.budget import Cost, Ledger
from dataflow_ext.models.request import FullModel, Model, Reply, Request
from dataflow_ext.models.request_cache import RequestCache
from dataflow_ext.models.session import Session, current_step, in_step
from dataflow_ext.parallel.wire import called, heard, told


class Desk:
    """Gate, budget, request cache, calls under way and figures of a run, in one process of the driver's machine.

    What was spent, and set aside for calls under way, is in a file before a call is made. A desk that takes a lost
    one's place counts both as spent, so that the budget holds.
    """

    def __init__(self, session: Session, state: Path, folder: str) -> None:
        os.chdir(folder)
        self._session, self._state = session, state
        self._models: dict[bytes, Model] = {}
        spent, aside, entries = pickle.loads(state.read_bytes())  # noqa: S301 - written by the run
        session.ledger.add(entries)
        if session.purse is not None:
            session.purse.spent = Cost(spent.tokens + aside.tokens, spent.usd + aside.usd)
            session.purse.noted = self._note

    async def complete(self, model: bytes, request: Request, expect: int | None, step: str) -> bytes:
        """The reply, or the error in its place."""
        try:
            with in_step(step):
                return told(True, await self._session.complete(self._model(model), replace(request, expect=expect)))
        except BaseException as error:
            return told(False, contained(error))
        finally:
            self._note()

    async def repaired(self, model: bytes, step: str) -> bytes:
        """Count a request that repairs a reply."""
        with in_step(step):
            return called(self._session.repaired, self._model(model))

    async def recall(self, key: str) -> bytes:
        """What the cache has under a key."""
        return called(self._cache.get, key)

    async def keep(self, key: str, reply: Reply) -> bytes:
        """Store something in the cache."""
        return called(self._cache.put, key, reply)

    async def figures(self) -> tuple[Cost, dict[tuple[str, str], Any]]:
        """What was spent, and what each model was asked in each step."""
        return self._spent(), self._session.ledger.entries()

    async def close(self, landing: bool) -> None:
        """Wait for calls under way if the run was stopped, and close the cache."""
        if landing:
            await self._session.landed()
        if self._session.cache is not None:
            self._session.cache.close()

    @property
    def _cache(self) -> RequestCache:
        assert self._session.cache is not None  # noqa: S101 - clients ask only if it is there
        return self._session.cache

    def _model(self, told: bytes) -> Model:
        """Always the same one for the same bytes: it has connections, or a batch that is being gathered."""
        if told not in self._models:
            self._models[told] = pickle.loads(told)  # noqa: S301 - from a worker of this run
        return self._models[told]

    def _spent(self) -> Cost:
        return Cost() if self._session.purse is None else self._session.purse.spent

    def _note(self) -> None:
        aside = Cost() if self._session.purse is None else self._session.purse.aside
        write_state(self._state, self._spent(), aside, self._session.ledger)


def write_state(path: Path, spent: Cost, aside: Cost, ledger: Ledger) -> None:
    """Note what a run has spent, and what it asked, for a desk that begins."""
    partial = path.with_name(f".{path.name}")
    partial.write_bytes(pickle.dumps((spent, aside, ledger.entries())))
    partial.replace(path)


class Line(Protocol):
    """How a process reaches the desk: calls its methods by name."""

    def later(self, method: str, *values: Any) -> Awaitable[bytes]:
        """What the method gave, for those who have other things to do meanwhile."""

    def now(self, method: str, *values: Any) -> bytes:
        """What the method gave, waited for."""


class DeskSession(Session):
    """The session of a worker, and of the driver's own steps: what costs is asked of the desk, local models here."""

    def __init__(self, line: Line, cached: bool, fresh: bool) -> None:
        super().__init__(_DeskCache(line) if cached else None, fresh=fresh)
        self._line = line
        self._models: dict[int, tuple[Model, bytes]] = {}

    async def complete(self, model: Model, request: Request) -> Reply:
        """The desk's reply; what the request was made from stays here."""
        if FullModel(model).local:
            return await super().complete(model, request)
        made = await self._line.later("complete", self._told(model), request, request.expect, current_step())
        reply: Reply = heard(made)
        return reply

    def repaired(self, model: Model) -> None:
        """Count a request that was made because the reply before it could not be used."""
        if FullModel(model).local:
            super().repaired(model)
        else:
            heard(self._line.now("repaired", self._told(model), current_step()))

    def _told(self, model: Model) -> bytes:
        known = self._models.get(id(model))
        if known is None:
            known = self._models[id(model)] = model, pickle.dumps(model, pickle.HIGHEST_PROTOCOL)
        return known[1]


class _DeskCache(RequestCache):
    """The desk's request cache, for what is no reply of a model: pages that OCR has read."""

    def __init__(self, line: Line) -> None:
        super().__init__()
        self._line = line

    def get(self, key: str) -> Reply | None:
        reply: Reply | None = heard(self._line.now("recall", key))
        return reply

    def put(self, key: str, reply: Reply) -> None:
        heard(self._line.now("keep", key, reply))
