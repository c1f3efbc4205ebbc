"""Any server that speaks OpenAI's chat completions."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator

from dataflow_ext.errors import OptionError
from dataflow_ext.models.chat import call_failure, chat_body, read_reply
from dataflow_ext.models.errors import AccessError
from dataflow_ext.models.request import Reply, Request
from dataflow_ext.models.retry import with_retries
from dataflow_ext.models.transport import client_for, http_library

_OPENAI = "https://api.openai.com/v1"


class OpenAIModel(BaseModel):
    """A model behind a chat completions URL.

    ``base_url`` ends in ``/v1`` for most servers; without it the environment's ``OPENAI_BASE_URL`` is used,
    else OpenAI itself. The key is read from the environment variable ``api_key_env`` when the first call is
    made; a server of one's own needs none. ``temperature``, ``max_tokens`` and ``seed`` hold where a request
    says nothing, and are not sent when None. ``timeout`` and ``connect_timeout`` are in seconds.
    ``extra_body`` is added to each request's body as it is, and wins over everything else there.

    >>> OpenAIModel(name="small", base_url="http://localhost:8000/v1").identity()["server"]
    'http://localhost:8000/v1'
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    name: str = Field(min_length=1)
    base_url: str | None = None
    api_key_env: str = "OPENAI_API_KEY"
    temperature: float | None = 0.0
    max_tokens: int | None = Field(default=None, gt=0)
    seed: int | None = None
    timeout: float = Field(default=600.0, gt=0)
    connect_timeout: float = Field(default=5.0, gt=0)
    max_retries: int = Field(default=4, ge=0)
    extra_body: Mapping[str, Any] = Field(default_factory=dict)

    @field_validator("base_url")
    @classmethod
    def _base_url_is_plain(cls, url: str | None) -> str | None:
        return _plain_address(url)

    @property
    def server(self) -> str:
        """The server's address, as errors show it; models of one server share its limit."""
        return self._url().rstrip("/")

    def identity(self) -> Mapping[str, object]:
        """What decides a reply: time-outs, retries and the key do not."""
        return {
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
        import openai

        key = self._key()
        client = client_for(self._url(), key, self.timeout, self.connect_timeout)
        body = {**chat_body(self, request), **self.extra_body}
        # The error is made outside the except block: the client's own error, which holds the key in its
        # request's headers, must not travel along as the context of ours.
        try:
            response = await client.post("/chat/completions", cast_to=http_library().Response, body=body)
        except openai.OpenAIError as error:
            failure = call_failure(error, self.server, key)
        else:
            return read_reply(response.content, self.name)
        raise failure

    def _url(self) -> str:
        return self.base_url or _plain_address(os.environ.get("OPENAI_BASE_URL")) or _OPENAI

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


def _plain_address(url: str | None) -> str | None:
    if not url:
        return None
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise OptionError("A model server's address starts with http:// or https:// and names a host.")
    # The HTTP library logs addresses, so they must not hold secrets.
    if "@" in parts.netloc or parts.query:
        raise OptionError("A model server's address holds no user name, password or query; use api_key_env.")
    return url
