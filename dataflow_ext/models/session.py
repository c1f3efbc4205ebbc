"""The one way in which operators call models: cached, counted, limited and never twice for the same thing."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import partial
from types import TracebackType
from typing import Self
from weakref import WeakKeyDictionary

from dataflow_ext.background import being_cancelled
from dataflow_ext.errors import DataflowError, OptionError
from dataflow_ext.models.budget import Budget, Cost, Ledger, Purse, Usage
from dataflow_ext.models.chat import refused
from dataflow_ext.models.errors import (
    BudgetError,
    CacheError,
    LeftOutError,
    PictureError,
    RefusedError,
    RejectedRequestError,
    RetryableError,
)
from dataflow_ext.models.gate import Gate
from dataflow_ext.models.gate.retry import Silences, UnderWay, with_retries
from dataflow_ext.models.pictures import is_file
from dataflow_ext.models.prices import Forecast, Prices, counted
from dataflow_ext.models.request import FullModel, Model, Reply, Request
from dataflow_ext.models.request_cache import RequestCache, request_key
from dataflow_ext.parallel.child import memory


@dataclass(slots=True)
class _OfLoop:
    gates: dict[tuple[str, str], Gate] = field(default_factory=dict)
    flights: dict[str, asyncio.Future[Reply]] = field(default_factory=dict)


class Session:
    """Everything that model calls of one run share; as a context manager it is the current one.

    ``cache`` is a :class:`RequestCache` or the path of its file; without one, replies are not kept.
    ``max_in_flight``, ``requests_per_minute`` and ``tokens_per_minute`` bound the calls to each server.
    ``fresh`` pays no heed to replies that were stored before this session began, and still stores its own.
    ``budget`` is what may be spent on calls, at ``prices``. ``ledger`` has the figures, ``usage`` their sums
    by model. When its block is left by an interrupt, calls under way get a few seconds, so that what is paid
    for is stored.

    >>> from dataflow_ext.background import run_async
    >>> from dataflow_ext.models import ScriptedModel
    >>> with Session() as session:
    ...     reply = run_async(complete(ScriptedModel(["Hello."]), Request("Hi.")))
    >>> reply.text, session.usage["scripted"].requests
    ('Hello.', 1)
    """

    def __init__(
        self,
        cache: RequestCache | str | os.PathLike[str] | None = None,
        *,
        max_in_flight: int = 64,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
        fresh: bool = False,
        budget: Budget | str | None = None,
        prices: Prices | None = None,
    ) -> None:
        if max_in_flight < 1:
            raise OptionError(f"max_in_flight is {max_in_flight}; with less than 1 no call is ever made.")
        self.cache = cache if isinstance(cache, RequestCache) or cache is None else RequestCache(cache)
        self.max_in_flight = max_in_flight
        self.requests_per_minute, self.tokens_per_minute = requests_per_minute, tokens_per_minute
        self.fresh = fresh
        self._asks_again = False
        budget = Budget.parse(budget) if isinstance(budget, str) else budget
        if not isinstance(budget, Budget | None):
            raise OptionError(f"budget is {budget!r}; it is a text such as '5usd' or '2Mtok', or a Budget.")
        self.purse = None if budget is None else Purse(budget)
        self.prices = prices or Prices()
        self.ledger = Ledger()
        self._stored: set[str] = set()
        self._of_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, _OfLoop] = WeakKeyDictionary()
        self._labels: dict[tuple[str, str], str] = {}
        self.forecast = Forecast()
        self._under_way = UnderWay()
        self._silences = Silences()
        self._noted = Usage()
        self._unstored = ""
        self._open = 0
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[partial[Session], tuple[RequestCache | None]]:
        """A session of the same settings, of which nothing was asked yet: figures and money do not travel."""
        settings = {
            name: getattr(self, name)
            for name in ("max_in_flight", "requests_per_minute", "tokens_per_minute", "fresh", "prices")
        }
        budget = None if self.purse is None else self.purse.budget
        return partial(Session, budget=budget, **settings), (self.cache,)

    @property
    def usage(self) -> dict[str, Usage]:
        """What each model was asked, over all steps."""
        return self.ledger.by_model()

    def line(self) -> str:
        """What the models were asked so far, in a few words; nothing if no server was."""
        total = self.ledger.total()
        if not total.requests:
            return ""
        money = f", {total.usd:.2f} USD" if total.usd else ""
        failed = f", {total.failures:,} failed" if total.failures else ""
        return f"{total.tokens:,} tokens{money}, {total.cached:,} replies remembered{failed}"

    def __enter__(self) -> Self:
        with self._lock:
            self._open += 1
        _sessions.set((*_sessions.get(), self))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _sessions.set(_sessions.get()[:-1])
        with self._lock:
            self._open -= 1
            last = not self._open
        if last and kind is not None and not issubclass(kind, Exception):
            self._under_way.land()
        if last and self.cache is not None:
            self._note()
            self.cache.close()

    def _note(self) -> None:
        """Record in the cache how often it helped since the last such record."""
        total = self.ledger.total()
        if self.cache is not None:
            self.cache.note_session(total.since(self._noted))
        self._noted = total

    @contextmanager
    def asking_again(self) -> Iterator[None]:
        """Send once more what servers would not accept, as a retry does."""
        self._asks_again = True
        try:
            yield
        finally:
            self._asks_again = False

    async def landed(self) -> None:
        """Give this event loop's calls under way a few seconds to end: they are paid for."""
        await self._under_way.landed()

    async def complete(self, model: Model, request: Request) -> Reply:
        """The model's reply: from the cache, from an identical call under way, or from the model itself.

        Raises a :class:`~dataflow_ext.errors.ModelError` when there is none. A refusal is kept like a reply, as is
        a server's word that it does not accept the request.
        """
        usage = self._usage(model)
        usage.requests += 1
        try:
            if FullModel(model).local:
                usage.local = True
                return await model.complete(request)
            if (played := FullModel(model).recall(request)) is not None:
                return self._remembered(model, played, usage)
            key = request_key(model.identity(), request)
            if self.cache is not None and (not self.fresh or key in self._stored):
                stored = self.cache.get(key)
                if stored is not None and not (self._asks_again and stored.finish_reason == _REJECTED):
                    return self._remembered(model, stored, usage)
            return await self._join(model, request, key, usage)
        except Exception as error:
            usage.failures += 1
            if not usage.local and not isinstance(error, DataflowError):
                error.transient = True  # type: ignore[attr-defined] # nobody knows that it would come again
            raise

    def _remembered(self, model: Model, reply: Reply, usage: Usage) -> Reply:
        """A reply that nothing has to be paid for, unless it was a refusal."""
        usage.spared(reply, self._price(model, reply))
        self.forecast.learn(model, reply)
        return _unless_refused(reply, model)

    def repaired(self, model: Model) -> None:
        """Count a request that was made because the reply before it could not be used."""
        self._usage(model).repairs += 1

    async def _join(self, model: Model, request: Request, key: str, usage: Usage) -> Reply:
        loop = asyncio.get_running_loop()
        here = self._of_loop.get(loop)
        if here is None:
            here = self._of_loop.setdefault(loop, _OfLoop())
        while (landing := here.flights.get(key)) is not None:
            try:
                reply = await asyncio.shield(landing)
            except asyncio.CancelledError:
                if not landing.cancelled() or being_cancelled():
                    raise
                continue  # whoever made the call was cancelled, so somebody else has to make it
            usage.shared += 1
            return replace(reply, from_cache=True)
        landing = here.flights[key] = loop.create_future()
        try:
            reply = await self._fetch(here, model, request, key, usage)
        except Exception as error:
            landing.set_exception(error)
            landing.exception()  # nobody else may be waiting, which is no reason for a warning
            raise
        except BaseException:
            landing.cancel()
            raise
        else:
            landing.set_result(reply)
            return reply
        finally:
            del here.flights[key]

    async def _fetch(self, here: _OfLoop, model: Model, request: Request, key: str, usage: Usage) -> Reply:
        """The model's reply to a call that has to be made, stored before anybody reads it."""
        if FullModel(model).queued:
            try:
                return await self._within_budget(model, request, key, usage, None)
            except LeftOutError as error:
                if error.direct is None:
                    raise
                model = error.direct
        tries = partial(self._within_budget, model, request, key, usage, self._gate(here, model))
        with self._silences.call(FullModel(model).server) as failed:

            def again(error: RetryableError, wait: float) -> None:
                usage.retried()
                failed(error, wait)

            return await with_retries(tries, FullModel(model).max_retries, again)

    async def _within_budget(self, model: Model, request: Request, key: str, usage: Usage, gate: Gate | None) -> Reply:
        """One call; what it is expected to cost is set aside before it queues at the gate."""
        expected = self.forecast.expected(model, request)
        bill: list[Cost] = []
        call = partial(self._paid, model, request, key, usage, bill)
        cost = Cost(expected.tokens)
        if self.purse is not None:
            cost = replace(cost, usd=self._known_price(model, expected, self.purse))
            await self.purse.take(cost, wait=gate is not None)
        try:
            if gate is None:
                return await call()
            return await gate.run(partial(self._under_way.run, call), expected.tokens)
        finally:
            if self.purse is not None:
                self.purse.pay(cost, bill[0] if bill else None)

    async def _paid(self, model: Model, request: Request, key: str, usage: Usage, bill: list[Cost]) -> Reply:
        """One call; its reply is counted and stored, a refusal too."""
        if self._unstored:
            raise CacheError(f"No further call was made: {self._unstored}")
        began = time.monotonic()
        try:
            reply = counted(model, await FullModel(model).attempt(request), request)
            if reply.origin == "remote" and not reply.batch:
                reply = replace(reply, seconds=round(time.monotonic() - began, 3))
        except RefusedError as error:
            if error.reply is not None:
                self._keep(model, request, key, counted(model, error.reply, request), usage, bill)
            raise
        except RejectedRequestError as error:
            # Other rows of its step may be done again, for which it is not sent once more.
            with suppress(CacheError):
                if self.cache is not None:
                    self.cache.put(key, Reply(str(error), finish_reason=_REJECTED))
            raise
        self._keep(model, request, key, reply, usage, bill)
        return reply

    def _known_price(self, model: Model, expected: Reply, purse: Purse) -> float:
        usd = self._price(model, expected)
        if usd is None and purse.budget.usd is not None:
            raise BudgetError(
                f"No price is known for {model.name} at {FullModel(model).server}, so a budget in dollars cannot be "
                "kept and the call was not made; give its price, or a budget in tokens."
            )
        return usd or 0.0

    def _keep(self, model: Model, request: Request, key: str, reply: Reply, usage: Usage, bill: list[Cost]) -> None:
        """Count a reply, then store it; when that fails the reply is used, and no further call is made."""
        usd = self._price(model, reply)
        usage.paid(reply, usd)
        self.forecast.learn(model, reply)
        self._silences.broken(FullModel(model).server)
        bill.append(Cost(reply.tokens, usd or 0.0))
        stored = False
        try:
            if self.cache is not None:
                if any(map(is_file, request.images)) and request_key(model.identity(), request) != key:
                    raise PictureError("A picture of the request was changed while the model was asked about it.")
                self.cache.put(key, reply)
                if self.fresh:
                    self._stored.add(key)
            stored = True
        except CacheError as error:
            if not self._unstored:
                _log.warning("Replies cannot be stored any more, so no further call is made. %s", error)
            self._unstored = str(error)
        finally:
            FullModel(model).kept(key, stored)

    def _price(self, model: Model, reply: Reply) -> float | None:
        return self.prices.cost(model.name, FullModel(model).server, reply) if reply.tokens else 0.0

    def _gate(self, here: _OfLoop, model: Model) -> Gate:
        """The server's gate; another key's account has limits, and troubles, of its own."""
        place = (FullModel(model).server, FullModel(model).api_key_env)
        gate = here.gates.get(place)
        if gate is None:
            gate = here.gates[place] = Gate(
                self.max_in_flight,
                server=place[0],
                requests_per_minute=self.requests_per_minute,
                tokens_per_minute=self.tokens_per_minute,
            )
        return gate

    def _usage(self, model: Model) -> Usage:
        return self.ledger.of(_step.get(), self._label(model.name, FullModel(model).server))

    def _label(self, name: str, server: str) -> str:
        """The model's name, with its server if another one's model of that name was there before."""
        label = self._labels.get((name, server))
        if label is None:
            label = f"{name} at {server}" if name in self._labels.values() else name
            self._labels[name, server] = label
        return label


_log = logging.getLogger(__name__)

#: In the cache, of a request that the server would not accept; the text is what it said.
_REJECTED = "rejected"


def _unless_refused(reply: Reply, model: Model) -> Reply:
    if reply.finish_reason == "refusal":
        raise refused(reply, model.name)
    if reply.finish_reason == _REJECTED:
        raise RejectedRequestError(reply.text)
    return reply


#: The sessions whose ``with`` blocks these are, the innermost last.
_sessions: ContextVar[tuple[Session, ...]] = ContextVar("dataflow_ext_sessions", default=())
_step: ContextVar[str] = ContextVar("dataflow_ext_step", default="")
#: In a worker process the memory is the master's.
_default = Session(memory()[0], fresh=memory()[1])


@contextmanager
def in_step(name: str) -> Iterator[None]:
    """Count the model calls made inside under a step of that name."""
    token = _step.set(name)
    try:
        yield
    finally:
        _step.reset(token)


def current_step() -> str:
    """The step under which model calls are counted here."""
    return _step.get()


def current_session() -> Session:
    """The session whose ``with`` block this is, else one of the process's own that keeps no replies."""
    open_ones = _sessions.get()
    return open_ones[-1] if open_ones else _default


async def complete(model: Model, request: Request) -> Reply:
    """The model's reply by way of the current session; this is how an operator calls a model."""
    return await current_session().complete(model, request)
