"""The one way in which operators call models: cached, counted, limited and never twice for the same thing."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from dataclasses import dataclass, field, replace
from functools import partial
from types import TracebackType
from typing import Self
from weakref import WeakKeyDictionary

from dataflow_ext.background import being_cancelled
from dataflow_ext.errors import OptionError
from dataflow_ext.models.budget import Budget, Cost, Purse
from dataflow_ext.models.cache.request_cache import RequestCache, request_key
from dataflow_ext.models.chat import refused
from dataflow_ext.models.errors import RefusedError
from dataflow_ext.models.gate.gate import Gate
from dataflow_ext.models.gate.retry import with_retries
from dataflow_ext.models.ledger import Ledger, Usage
from dataflow_ext.models.prices import Prices
from dataflow_ext.models.request import Model, Reply, Request
from dataflow_ext.models.tokens import prompt_tokens, text_tokens


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
    by model.

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
        budget = Budget.parse(budget) if isinstance(budget, str) else budget
        self.purse = None if budget is None else Purse(budget)
        self.prices = prices or Prices()
        self.ledger = Ledger()
        self._stored: set[str] = set()
        self._of_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, _OfLoop] = WeakKeyDictionary()
        self._labels: dict[tuple[str, str], str] = {}
        self._seen: dict[str, tuple[int, int]] = {}
        self._noted = Usage()
        self._tokens: list[Token[Session | None]] = []

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
        self._tokens.append(_current.set(self))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _current.reset(self._tokens.pop())
        if not self._tokens and self.cache is not None:
            self._note()
            self.cache.close()

    def _note(self) -> None:
        """Record in the cache how often it helped since the last such record."""
        total, before = self.ledger.total(), self._noted
        if self.cache is not None:
            self.cache.note_session(
                requests=total.requests - before.requests,
                cached=total.cached - before.cached,
                shared=total.shared - before.shared,
                paid=total.made - before.made,
                prompt_tokens=total.prompt_tokens - before.prompt_tokens,
                completion_tokens=total.completion_tokens - before.completion_tokens,
                usd=None if total.usd is None or before.usd is None else total.usd - before.usd,
            )
        self._noted = total

    async def complete(self, model: Model, request: Request) -> Reply:
        """The model's reply: from the cache, from an identical call under way, or from the model itself.

        Raises a :class:`~dataflow_ext.errors.ModelError` when there is none. A refusal is kept like a reply.
        """
        usage = self._usage(model)
        usage.requests += 1
        try:
            if getattr(model, "local", False):
                usage.local = True
                return await model.complete(request)
            recall = getattr(model, "recall", None)
            if recall is not None and (played := recall(request)) is not None:
                return self._remembered(model, played, usage)
            key = request_key(model.identity(), request)
            if self.cache is not None and (not self.fresh or key in self._stored):
                stored = self.cache.get(key)
                if stored is not None:
                    return self._remembered(model, stored, usage)
            return await self._join(model, request, key, usage)
        except Exception:
            usage.failures += 1
            raise

    def _remembered(self, model: Model, reply: Reply, usage: Usage) -> Reply:
        """A reply that nothing has to be paid for, unless it was a refusal."""
        usage.spared(reply, self._price(model, reply))
        self._learn(model, reply)
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
        expected = self.expected(model, request)
        pay = partial(self._paid, model, request, expected, key, usage)
        if getattr(model, "queued", False):
            return await pay()
        gate = self._gate(here, model)
        calls = partial(gate.run, pay, expected.prompt_tokens + expected.completion_tokens)
        return await with_retries(calls, getattr(model, "max_retries", 0), usage.retried)

    async def _paid(self, model: Model, request: Request, expected: Reply, key: str, usage: Usage) -> Reply:
        """One call, within the budget; its reply is stored, a refusal too."""
        once: Callable[[Request], Awaitable[Reply]] = getattr(model, "attempt", model.complete)
        cost = Cost(expected.tokens, self._price(model, expected))
        if self.purse is not None:
            await self.purse.take(cost)
        real: Cost | None = None
        try:
            try:
                reply = _counted(await once(request), request)
            except RefusedError as error:
                if error.reply is not None:
                    real = self._keep(model, key, _counted(error.reply, request), usage)
                raise
            real = self._keep(model, key, reply, usage)
            return reply
        finally:
            if self.purse is not None:
                self.purse.pay(cost, real)

    def expected(self, model: Model, request: Request) -> Reply:
        """A reply without text that has the tokens which the real one will about have."""
        replies, tokens = self._seen.get(model.name, (0, 0))
        expect = request.expect if request.expect is not None else tokens // replies if replies else _UNKNOWN
        most = request.max_tokens or getattr(model, "max_tokens", None) or expect
        return Reply(
            "",
            prompt_tokens=prompt_tokens(request, getattr(model, "max_image_side", None)),
            completion_tokens=min(expect, most),
            batch=bool(getattr(model, "queued", False)),
        )

    def _keep(self, model: Model, key: str, reply: Reply, usage: Usage) -> Cost:
        if self.cache is not None:
            self.cache.put(key, reply)
            if self.fresh:
                self._stored.add(key)
        usd = self._price(model, reply)
        usage.paid(reply, usd)
        self._learn(model, reply)
        return Cost(reply.tokens, usd)

    def _learn(self, model: Model, reply: Reply) -> None:
        replies, tokens = self._seen.get(model.name, (0, 0))
        self._seen[model.name] = (replies + 1, tokens + reply.completion_tokens)

    def _price(self, model: Model, reply: Reply) -> float | None:
        return self.prices.cost(model.name, _server(model), reply) if reply.tokens else 0.0

    def _gate(self, here: _OfLoop, model: Model) -> Gate:
        """The server's gate; another key's account has limits, and troubles, of its own."""
        place = (_server(model), str(getattr(model, "api_key_env", "")))
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
        return self.ledger.of(_step.get(), self._label(model.name, _server(model)))

    def _label(self, name: str, server: str) -> str:
        """The model's name, with its server if another one's model of that name was there before."""
        label = self._labels.get((name, server))
        if label is None:
            label = f"{name} at {server}" if name in self._labels.values() else name
            self._labels[name, server] = label
        return label


#: Tokens that a reply is taken to have before the first one is there.
_UNKNOWN = 256


def _server(model: Model) -> str:
    return str(getattr(model, "server", model.name))


def _counted(reply: Reply, request: Request) -> Reply:
    """The reply with estimated tokens if its server counts none."""
    if reply.tokens or reply.origin != "remote":
        return reply
    return replace(reply, prompt_tokens=prompt_tokens(request), completion_tokens=text_tokens(reply.text))


def _unless_refused(reply: Reply, model: Model) -> Reply:
    if reply.finish_reason == "refusal":
        raise refused(reply, model.name)
    return reply


_current: ContextVar[Session | None] = ContextVar("dataflow_ext_session", default=None)
_step: ContextVar[str] = ContextVar("dataflow_ext_step", default="")
_default = Session()


@contextmanager
def in_step(name: str) -> Iterator[None]:
    """Count the model calls made inside under a step of that name."""
    token = _step.set(name)
    try:
        yield
    finally:
        _step.reset(token)


def current_session() -> Session:
    """The session whose ``with`` block this is, else one of the process's own that keeps no replies."""
    return _current.get() or _default


async def complete(model: Model, request: Request) -> Reply:
    """The model's reply by way of the current session; this is how an operator calls a model."""
    return await current_session().complete(model, request)
