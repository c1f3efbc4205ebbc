"""The Batch API as a back end: the same requests for half the price, answered within a day."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Literal
from weakref import WeakKeyDictionary, ref

from pydantic import BaseModel, ConfigDict, Field

from dataflow_ext.models.batch.desk import BatchDesk
from dataflow_ext.models.cache.request_cache import request_key
from dataflow_ext.models.errors import LeftOutError, RefusedError
from dataflow_ext.models.openai_model import OpenAIModel
from dataflow_ext.models.request import Reply, Request


class BatchModel(BaseModel):
    """A model whose calls are gathered into batches, which the server makes when it has time.

    Calls are gathered until none has come for ``quiet`` seconds, or until a batch has ``max_lines`` requests
    or ``max_bytes`` bytes. A batch is looked at every ``poll`` seconds; after ``give_up_after`` seconds its
    calls fail with :class:`TimedOutError`, and another run waits on. What the server did not make (an
    expired batch, its own failures, missing lines) is made by ``fallback``: ``direct`` calls, within the
    session's limits and for the full price, another ``batch``, or none (``reject``).

    Requests and results are kept in ``folder`` until every reply was handed out, so that a run which is
    killed anywhere goes on where it was, without sending or paying anything again; several processes may use
    the folder. Replies have ``batch`` set. ``identity`` is the inner model's, so a request cache serves both.

    >>> model = BatchModel(model=OpenAIModel(name="small"), folder="batches")
    >>> model.name, model.identity() == model.model.identity()
    ('small', True)
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    queued: ClassVar[bool] = True

    model: OpenAIModel
    folder: Path
    max_lines: int = Field(default=50_000, gt=0)
    max_bytes: int = Field(default=200_000_000, gt=0)
    quiet: float = Field(default=2.0, gt=0)
    poll: float = Field(default=60.0, gt=0)
    give_up_after: float = Field(default=26 * 3600.0, gt=0)
    fallback: Literal["direct", "batch", "reject"] = "direct"

    @property
    def name(self) -> str:
        """The inner model's name."""
        return self.model.name

    @property
    def server(self) -> str:
        """The inner model's server."""
        return self.model.server

    @property
    def max_image_side(self) -> int | None:
        """The inner model's limit of a picture."""
        return self.model.max_image_side

    @property
    def max_tokens(self) -> int | None:
        """The inner model's limit of a reply."""
        return self.model.max_tokens

    def identity(self) -> Mapping[str, object]:
        """The inner model's: how a reply was sent for does not decide it."""
        return self.model.identity()

    async def preflight(self) -> None:
        """The inner model's."""
        await self.model.preflight()

    async def complete(self, request: Request) -> Reply:
        """The server's reply, when the batch that the request got into has ended."""
        key = request_key(self.identity(), request)
        try:
            reply = await self.attempt(request)
        except LeftOutError as error:
            if error.direct is None:
                raise
            return await error.direct.complete(request)
        except RefusedError:
            self.kept(key, True)
            raise
        self.kept(key, True)
        return reply

    async def attempt(self, request: Request) -> Reply:
        """The same, to be followed by :meth:`kept`; LeftOutError for what a direct call has to make."""
        return await self._desk().ask(request)

    def kept(self, key: str, stored: bool) -> None:
        """Say whether the reply to the request of that key was stored; until then its batch's files stay."""
        self._desk().kept(key, stored)

    def _desk(self) -> BatchDesk:
        here = _here.setdefault(asyncio.get_running_loop(), _OfLoop())
        known = here.of_model.get(id(self))
        if known is not None and known[0]() is self:
            return known[1]
        # Equal models gather together. The server is no part of the repr where the environment names it.
        key = (repr(self), self.server)
        if key not in here.desks:
            here.desks[key] = BatchDesk(self)
        here.of_model[id(self)] = ref(self), here.desks[key]
        return here.desks[key]


@dataclass(slots=True)
class _OfLoop:
    """The desks on one event loop, also by the identity of the models that used them: a repr takes long."""

    desks: dict[tuple[str, str], BatchDesk] = field(default_factory=dict)
    of_model: dict[int, tuple[ref[BatchModel], BatchDesk]] = field(default_factory=dict)


_here: WeakKeyDictionary[asyncio.AbstractEventLoop, _OfLoop] = WeakKeyDictionary()
