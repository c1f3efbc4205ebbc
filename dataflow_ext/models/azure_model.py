"""Azure OpenAI: a deployment's own address, an API version, and a key or a token from Microsoft Entra."""

from __future__ import annotations

import asyncio
import importlib
import os
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote

from pydantic import Field, field_validator

from dataflow_ext.errors import ModelError, OptionError
from dataflow_ext.models.errors import AccessError, RetryableError
from dataflow_ext.models.http.transport import client_of, http_client, must_answer
from dataflow_ext.models.openai_model import OpenAIModel, plain_address, post_chat
from dataflow_ext.models.request import Reply, Request
from dataflow_ext.packages import install_hint

if TYPE_CHECKING:
    from openai import AsyncOpenAI

#: What a token must be good for.
SCOPE = "https://cognitiveservices.azure.com/.default"

#: Seconds before its end from which on a token is replaced.
_MARGIN = 300.0

#: Seconds until a failed renewal is tried again, as long as the token at hand is good for longer.
_LATER = 30.0


class AzureOpenAIModel(OpenAIModel):
    """A model deployed at Azure OpenAI; ``name`` is the deployment's.

    ``endpoint`` is the resource's address, for example ``https://NAME.openai.azure.com``. With ``auth="key"``
    the key is read from the environment variable ``api_key_env``; with ``auth="token"`` tokens come from
    ``credential``, any of ``azure.identity`` or an object of one's own with its method ``get_token``, which is called
    in a thread; or without one from ``DefaultAzureCredential`` of the package azure-identity (the extra ``azure``).
    They are replaced before they end. All else is as for :class:`OpenAIModel`. Prices go by the deployment's name, so
    name it like its model, or give a price table.

    Azure's newer address, ``https://NAME.openai.azure.com/openai/v1``, needs none of this:
    ``OpenAIModel(name=DEPLOYMENT, base_url=ADDRESS, api_key_env="AZURE_OPENAI_API_KEY")`` works there, the
    Batch API included.

    >>> AzureOpenAIModel(name="gpt-4o", endpoint="https://example.openai.azure.com").server
    'https://example.openai.azure.com/openai/deployments/gpt-4o'
    """

    base_url: None = None
    endpoint: str
    api_version: str = Field(default="2024-10-21", pattern=r"^[\w.-]+$")
    api_key_env: str = "AZURE_OPENAI_API_KEY"
    auth: Literal["key", "token"] = "key"
    credential: Any = Field(default=None, repr=False, exclude=True)

    @field_validator("endpoint")
    @classmethod
    def _endpoint_is_a_resource(cls, url: str) -> str:
        address = (plain_address(url) or "").rstrip("/")
        if "/openai/deployments" in address:
            raise OptionError("endpoint is the resource's address, without /openai/deployments and what follows.")
        if address.endswith("/openai/v1"):
            raise OptionError("An address that ends in /openai/v1 is for OpenAIModel(base_url=…), provider openai.")
        if not address:
            raise OptionError("endpoint is empty; it is the resource's address, https://NAME.openai.azure.com.")
        return address.removesuffix("/openai")

    def identity(self) -> Mapping[str, object]:
        """What decides a reply: time-outs, retries and the way to sign in do not."""
        return {**super().identity(), "model": "AzureOpenAIModel", "api_version": self.api_version}

    async def attempt(self, request: Request) -> Reply:
        """The server's reply to a single call."""
        body = await self._body(request)
        secret = await self._secret()
        try:
            return await self._post(body, secret)
        except AccessError:
            if self.auth == "key":
                raise
            # A token may have been revoked before its end, or this machine's clock be wrong.
            _tokens_of(self.credential).forget(secret)
        return await self._post(body, await self._secret())

    async def preflight(self) -> None:
        """As for :class:`OpenAIModel`; of a way to sign in, only that its package is there."""
        if self.auth == "key":
            await self._secret()
        elif self.credential is None:
            _default_credential()
        await must_answer(self.endpoint)

    async def _post(self, body: Mapping[str, Any], secret: str) -> Reply:
        # Older clients would send a stand-in for the key as a token, too.
        key = {"api-key": secret, "Authorization": ""}
        headers = key if self.auth == "key" else {"Authorization": f"Bearer {secret}"}
        return await post_chat(self._client(), body, self, secret, headers)

    def _client(self) -> AsyncOpenAI:
        """The running loop's client; the secret is none of its own, as tokens change."""
        wanted = ("azure", self.server, self.api_version, self.auth, self.timeout, self.connect_timeout)
        return client_of(wanted, self._new_client)

    def _new_client(self) -> AsyncOpenAI:
        import openai

        http = http_client(self.server, self.timeout, self.connect_timeout)
        return openai.AsyncAzureOpenAI(
            base_url=self._url(),
            api_version=self.api_version,
            api_key="none" if self.auth == "key" else None,
            azure_ad_token="none" if self.auth == "token" else None,
            timeout=http.timeout,
            max_retries=0,
            http_client=http,
        )

    def _url(self) -> str:
        return f"{self.endpoint}/openai/deployments/{quote(self.name, safe='')}"

    async def _secret(self) -> str:
        if self.auth == "token":
            return await _tokens_of(self.credential).get()
        key = os.environ.get(self.api_key_env, "").strip()
        if key:
            return key
        raise AccessError(
            f"Model {self.name} needs a key: set the environment variable {self.api_key_env}, or sign in with "
            'auth="token".'
        )


class _Tokens:
    """The current token of one credential; a thread of its own fetches the next, once for all who wait."""

    def __init__(self, credential: Any) -> None:
        self._credential = credential
        self._token = ""
        self._ends = self._renew_at = 0.0
        self._thread = ThreadPoolExecutor(1, "azure-token")

    async def get(self) -> str:
        if time.time() < self._renew_at:
            return self._token
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._fetch)
        except ModelError:
            raise
        except Exception as error:
            failure = _sign_in_failure(error)
        # Raised here, as what a credential raises may hold more than an error of ours shall say.
        raise failure

    def forget(self, token: str) -> None:
        """Drop a token that the server did not accept."""
        if token == self._token:
            self._ends = self._renew_at = 0.0

    def _fetch(self) -> str:
        if time.time() < self._renew_at:
            return self._token  # somebody before us in the queue has fetched it
        if self._credential is None:
            self._credential = _default_credential()
        try:
            fetched = self._credential.get_token(SCOPE)
        except Exception:
            self._renew_at = min(time.time() + _LATER, self._ends - _LATER)
            if time.time() < self._renew_at:
                return self._token
            raise
        self._token, self._ends = fetched.token, float(fetched.expires_on)
        self._renew_at = self._ends - _MARGIN
        return self._token


def _default_credential() -> Any:
    try:
        library = importlib.import_module("azure.identity")
    except ImportError:
        raise AccessError(
            f'Signing in at Azure with auth="token" needs the package azure-identity: {install_hint("azure")}.'
        ) from None
    return library.DefaultAzureCredential()


def _sign_in_failure(error: Exception) -> ModelError:
    said = " ".join(str(error).split())[:500] or type(error).__name__
    cause: BaseException | None = error
    while cause is not None:
        if _NO_NETWORK & {each.__name__ for each in type(cause).__mro__}:
            return RetryableError(f"No token from Azure, as it could not be asked: {said}")
        cause = cause.__cause__ or cause.__context__
    return AccessError(f"No token from Azure: {said}")


#: Errors of azure-core, and Python's own, that stand for a network which may be back in a moment.
_NO_NETWORK = {"ServiceRequestError", "ServiceResponseError", "ConnectionError", "TimeoutError"}

#: By the credential's identity; a credential stays referenced, so that its number is not given to another.
_sources: dict[int, _Tokens] = {}


def _tokens_of(credential: Any) -> _Tokens:
    source = _sources.get(id(credential))
    if source is None:
        source = _sources.setdefault(id(credential), _Tokens(credential))
    return source


os.register_at_fork(after_in_child=_sources.clear)  # their threads do not exist in the child
