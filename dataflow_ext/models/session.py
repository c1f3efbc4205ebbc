"""The one way in which operators call models: cached, counted, limited and never twice for the same thing."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextvars import ContextVar, Token
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from types import TracebackType
from weakref import WeakKeyDictionary

from dataflow_ext.background import being_cancelled
from dataflow_ext.errors import OptionError
from dataflow_ext.models.chat import refused
from dataflow_ext.models.errors import RefusedError
from dataflow_ext.models.gate import Gate
from dataflow_ext.models.request import Model, Reply, Request
from dataflow_ext.models.request_cache import RequestCache, request_key
from dataflow_ext.models.retry import with_retries


@dataclass(slots=True)
class Usage:
    """What one model was asked and what that took.

    Of ``requests`` asked for, ``cached`` were answered by the request cache and ``shared`` by an identical
    call under way; ``failures`` ended in an error. ``retries`` are calls beyond the first. Tokens are those
    of the calls that were made, so they are what was paid; a ``local`` model has none.
    """

    requests: int = 0
    cached: int = 0
    shared: int = 0
    retries: int = 0
    failures: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    local: bool = False

    def retried(self) -> None:
        """Count one more try."""
        self.retries += 1

    def as_dict(self) -> dict[str, int | bool]:
        """The figures by name."""
        return asdict(self)


@dataclass(slots=True)
class _OfLoop:
    gates: dict[str, Gate] = field(default_factory=dict)
    flights: dict[str, asyncio.Future[Reply]] = field(default_factory=dict)


class Session:
    """Everything that model calls of one run share; as a context manager it is the current one.

    ``cache`` is a :class:`RequestCache` or the path of its file; without one, replies are not kept.
    ``max_in_flight`` bounds the calls under way to each server. ``fresh`` pays no heed to replies that were
    stored before this session began, and still stores its own.

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
        fresh: bool = False,
    ) -> None:
        if max_in_flight < 1:
            raise OptionError(f"max_in_flight is {max_in_flight}; with less than 1 no call is ever made.")
        self.cache = cache if isinstance(cache, RequestCache) or cache is None else RequestCache(cache)
        self.max_in_flight = max_in_flight
        self.fresh = fresh
        self.usage: dict[str, Usage] = {}
        self._stored: set[str] = set()
        self._of_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, _OfLoop] = WeakKeyDictionary()
        self._tokens: list[Token[Session | None]] = []

    def __enter__(self) -> Session:
        self._tokens.append(_current.set(self))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _current.reset(self._tokens.pop())
        if not self._tokens and self.cache is not None:
            self.cache.close()

    async def complete(self, model: Model, request: Request) -> Reply:
        """The model's reply: from the cache, from an identical call under way, or from the model itself.

        Raises a :class:`~dataflow_ext.errors.ModelError` when there is none. A refusal is kept like a reply.
        """
        usage = self._usage(model.name)
        usage.requests += 1
        try:
            if getattr(model, "local", False):
                usage.local = True
                return await model.complete(request)
            key = request_key(model.identity(), request)
            if self.cache is not None and (not self.fresh or key in self._stored):
                stored = self.cache.get(key)
                if stored is not None:
                    usage.cached += 1
                    return _unless_refused(stored, model)
            return await self._join(model, request, key, usage)
        except Exception:
            usage.failures += 1
            raise

    async def _join(self, model: Model, request: Request, key: str, usage: Usage) -> Reply:
        loop = asyncio.get_running_loop()
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
        server = str(getattr(model, "server", model.name))
        gate = here.gates.get(server)
        if gate is None:
            gate = here.gates[server] = Gate(self.max_in_flight, server=server)
        once: Callable[[Request], Awaitable[Reply]] = getattr(model, "attempt", model.complete)
        try:
            reply = await with_retries(
                partial(gate.run, partial(once, request)), getattr(model, "max_retries", 0), usage.retried
            )
        except RefusedError as error:
            if error.reply is not None:
                self._keep(key, error.reply, usage)
            raise
        self._keep(key, reply, usage)
        return reply

    def _keep(self, key: str, reply: Reply, usage: Usage) -> None:
        if self.cache is not None:
            self.cache.put(key, reply)
            if self.fresh:
                self._stored.add(key)
        usage.prompt_tokens += reply.prompt_tokens
        usage.cached_tokens += reply.cached_tokens
        usage.completion_tokens += reply.completion_tokens

    def _usage(self, name: str) -> Usage:
        usage = self.usage.get(name)
        return self.usage.setdefault(name, Usage()) if usage is None else usage


def _unless_refused(reply: Reply, model: Model) -> Reply:
    if reply.finish_reason == "refusal":
        raise refused(reply, model.name)
    return reply


_current: ContextVar[Session | None] = ContextVar("dataflow_ext_session", default=None)
_default = Session()


def current_session() -> Session:
    """The session whose ``with`` block this is, else one of the process's own that keeps no replies."""
    return _current.get() or _default


async def complete(model: Model, request: Request) -> Reply:
    """The model's reply by way of the current session; this is how an operator calls a model."""
    return await current_session().complete(model, request)
