"""Any server that speaks OpenAI's chat completions."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator

from dataflow_ext.errors import OptionError
from dataflow_ext.models.chat import chat_body, client_failure, read_reply, status_failure, unknown_failure
from dataflow_ext.models.errors import AccessError
from dataflow_ext.models.gate.retry import with_retries
from dataflow_ext.models.http.body import http_library
from dataflow_ext.models.http.connection import Limits, too_late
from dataflow_ext.models.http.transport import Line, client_for, line_for, must_answer
from dataflow_ext.models.pictures import picture_urls
from dataflow_ext.models.request import Reply, Request
from dataflow_ext.models.untrusted import pause_after

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_OPENAI = "https://api.openai.com/v1"

_as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=dict).encode


class OpenAIModel(BaseModel):
    """A model behind a chat completions URL.

    ``base_url`` ends in ``/v1`` for most servers; without it the environment's ``OPENAI_BASE_URL`` is used,
    else OpenAI itself. The key is read from the environment variable ``api_key_env`` when the first call is
    made; a server of one's own needs none. ``temperature``, ``max_tokens`` and ``seed`` hold where a request
    says nothing, and are not sent when None. ``connect_timeout`` bounds the seconds until a connection
    stands, ``first_byte_timeout`` those until a reply begins (servers send it when the text is ready), and
    ``timeout`` those of the whole call. Pictures that are wider or higher than ``max_image_side`` pixels are
    made smaller. ``extra_body`` is added to each request's body as it is, and wins over everything else there.

    >>> OpenAIModel(name="small", base_url="http://localhost:8000/v1").identity()["server"]
    'http://localhost:8000/v1'
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    # Said here because pydantic takes long to find that a model lacks an attribute.
    local: ClassVar[bool] = False
    queued: ClassVar[bool] = False

    name: str = Field(min_length=1)
    base_url: str | None = None
    api_key_env: str = "OPENAI_API_KEY"
    temperature: float | None = 0.0
    max_tokens: int | None = Field(default=None, gt=0)
    seed: int | None = None
    timeout: float = Field(default=600.0, gt=0)
    connect_timeout: float = Field(default=5.0, gt=0)
    first_byte_timeout: float = Field(default=600.0, gt=0)
    max_retries: int = Field(default=8, ge=0)
    max_image_side: int | None = Field(default=None, gt=0)
    extra_body: Mapping[str, Any] = Field(default_factory=dict)

    @field_validator("base_url")
    @classmethod
    def _base_url_is_plain(cls, url: str | None) -> str | None:
        return plain_address(url)

    @field_validator("extra_body")
    @classmethod
    def _extra_body_is_extra(cls, body: Mapping[str, Any]) -> Mapping[str, Any]:
        if taken := sorted({"messages", "model", "stream", "n"} & set(body)):
            raise OptionError(f"extra_body holds {', '.join(taken)}, which are not extra but the request's own.")
        return body

    @property
    def server(self) -> str:
        """The server's address, as errors show it; models of one server share its limit."""
        return self._url().rstrip("/")

    def identity(self) -> Mapping[str, object]:
        """What decides a reply: time-outs, retries and the key do not."""
        pictures = {} if self.max_image_side is None else {"max_image_side": self.max_image_side}
        return pictures | {
            "model": "OpenAIModel",
            "name": self.name,
            "server": self.server,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "seed": self.seed,
            "extra_body": dict(self.extra_body),
        }

    async def complete(self, request: Request) -> Reply:
        """The server's reply; failures that may pass are tried again ``max_retries`` times."""
        return await with_retries(lambda: self.attempt(request), self.max_retries)

    async def attempt(self, request: Request) -> Reply:
        """The server's reply to a single call."""
        key = self._key()
        client = client_for(self._url(), key, self.timeout, self.connect_timeout)
        return await post_chat(client, await self._body(request), self, key)

    async def preflight(self) -> None:
        """Raise AccessError without a key, and ServerDownError if the server does not answer; costs nothing."""
        self._key()
        await must_answer(self.server, "/models")

    async def _body(self, request: Request) -> dict[str, Any]:
        pictures = await picture_urls(request.images, self.max_image_side)
        return {**chat_body(self, request, pictures), **self.extra_body}

    def _url(self) -> str:
        return self.base_url or plain_address(os.environ.get("OPENAI_BASE_URL")) or _OPENAI

    def _key(self) -> str:
        key = os.environ.get(self.api_key_env, "").strip()
        if key:
            return key
        if self._url() != _OPENAI:
            return "none"  # the client insists on one, a server of one's own does not
        raise AccessError(
            f"Model {self.name} needs a key: set the environment variable {self.api_key_env}, "
            "or give base_url for a server of your own."
        )


#: Where chat completions are asked for, below a server's address.
_CHAT = "/chat/completions"


async def post_chat(
    client: AsyncOpenAI,
    body: Mapping[str, Any],
    model: OpenAIModel,
    key: str,
    headers: Mapping[str, str] | None = None,
) -> Reply:
    """The reply to one chat completion, sent to the client's address with the client's headers and ``headers``.

    ``key`` is what neither the reply nor an error may repeat. Failures are
    :class:`~dataflow_ext.errors.ModelError`s; one that is not known to be final may pass.
    """
    content = _as_json(body).encode("utf-8", "replace")
    line, limits = line_for(client), Limits(model.connect_timeout, model.first_byte_timeout, model.timeout)
    # The error is raised outside the except block, see unknown_failure.
    try:
        if line is None:
            return await _post_by_client(client, body, model, key, limits, headers)
        return await _post_by_line(line, content, model, key, limits, headers)
    except Exception as error:
        failure = unknown_failure(error, model.server, key)
    del body, content  # errors are kept for a while, and with them all that their frames hold
    raise failure


async def _post_by_line(
    line: Line, content: bytes, model: OpenAIModel, key: str, limits: Limits, headers: Mapping[str, str] | None
) -> Reply:
    answer = await line.post(_CHAT, content, limits, headers)
    if answer.status >= 300:
        raise status_failure(answer.status, answer.content, answer.headers, model.server, key)
    return read_reply(answer.content, model.name, pause_after(answer.headers), key)


async def _post_by_client(
    client: AsyncOpenAI,
    body: Mapping[str, Any],
    model: OpenAIModel,
    key: str,
    limits: Limits,
    headers: Mapping[str, str] | None,
) -> Reply:
    """The same in the client's own way, which costs more and knows proxies."""
    import openai
    from openai._types import Omit  # the public name is missing in older versions

    waits = openai.Timeout(limits.whole, connect=limits.connect, read=limits.first_byte)
    given = {name: value or Omit() for name, value in (headers or {}).items()}
    options: Any = {"timeout": waits, "headers": given}
    try:
        async with asyncio.timeout(limits.whole):
            response = await client.post(_CHAT, cast_to=http_library().Response, body=dict(body), options=options)
    except TimeoutError:
        raise too_late(model.server, "complete", limits.whole, "timeout") from None
    except openai.APITimeoutError as error:
        if "Connect" in type(error.__cause__).__name__:
            raise client_failure(error, model.server, key) from None
        raise too_late(model.server, "go on with", limits.first_byte, "first_byte_timeout") from None
    except openai.OpenAIError as error:
        raise client_failure(error, model.server, key) from None
    return read_reply(response.content, model.name, pause_after(response.headers), key)


def plain_address(url: str | None) -> str | None:
    """A server's address, None for an empty one; :class:`OptionError` if it may hold a secret."""
    if not url:
        return None
    parts = urlsplit(url)
    try:
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is none
        sound = False
    if not sound:
        raise OptionError("A model server's address starts with http:// or https:// and names a host.")
    # The HTTP library logs addresses, so they must not hold secrets.
    if "@" in parts.netloc or parts.query:
        raise OptionError("A model server's address holds no user name, password or query; use api_key_env.")
    return url
