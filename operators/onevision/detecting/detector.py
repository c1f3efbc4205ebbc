"""A detector behind HTTP, as a model: sessions limit, repeat, remember and count its calls."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from dataflow_ext.errors import DataflowError, OptionError
from dataflow_ext.models.chat import status_failure, unknown_failure
from dataflow_ext.models.errors import (
    AccessError,
    ConnectionFailedError,
    GarbledReplyError,
    RejectedRequestError,
    RetryableError,
    ServerFailedError,
    TimedOutError,
)
from dataflow_ext.models.gate.retry import with_retries
from dataflow_ext.models.http.body import bounded, http_library
from dataflow_ext.models.pictures import picture_urls
from dataflow_ext.models.request import Reply, Request
from dataflow_ext.models.untrusted import believed, masked, read_json
from dataflow_ext.operator import explain
from operators.onevision.detecting.found import Found, ShapeError, field, shown
from operators.onevision.detecting.profiles import PROFILES, Ask, ProfileName

#: Characters of a server's words that an error message repeats.
_QUOTE = 200


class Calls:
    """The calls for one picture, over one client that is closed after them.

    A client is made for each picture: that takes a millisecond, a picture hundreds, and no connection is left to
    an event loop that ends, or to a fork.
    """

    def __init__(self, client: Any, server: str, key: str | None) -> None:
        self._client, self._server, self._key = client, server, key

    async def post(self, url: str, body: Mapping[str, Any]) -> Any:
        """The JSON that a server answers to JSON; a ModelError if there is none."""
        # Not the client's own encoder, which fails on half of a surrogate pair.
        content = json.dumps(body, ensure_ascii=True, allow_nan=False).encode("ascii")
        return await self._answer("POST", url, content=content, headers={"Content-Type": "application/json"})

    async def get(self, url: str) -> Any:
        """The JSON at an address; a ModelError if there is none."""
        return await self._answer("GET", url)

    async def _answer(self, method: str, url: str, **options: Any) -> Any:
        # Raised outside the except block: the client's own error, which holds the key in its request, must not
        # travel along as the context of ours.
        try:
            return await self._asked(method, url, options)
        except Exception as error:
            failure = unknown_failure(error, self._server, self._key)
        raise failure

    async def _asked(self, method: str, url: str, options: Mapping[str, Any]) -> Any:
        http = http_library()
        try:
            answer = await self._client.request(method, url, **options)
        except http.ConnectTimeout:
            raise ConnectionFailedError(f"The connection to {self._server} did not stand in time.") from None
        except http.TimeoutException:
            raise TimedOutError(f"{self._server} did not go on with its reply in time.") from None
        except (http.InvalidURL, http.UnsupportedProtocol) as error:
            what = masked(str(error), self._key)
            raise AccessError(f"{self._server} is not the address of a server ({what}).") from None
        except http.HTTPError as error:
            what = masked(str(error), self._key) or type(error).__name__
            raise ConnectionFailedError(f"The connection to {self._server} failed: {what}.") from None
        # What a server repeats of its key must not get into memories and messages.
        content = masked(answer.content.decode("utf-8", "replace"), self._key)
        if not 200 <= answer.status_code < 300:
            raise self._failure(answer.status_code, content, answer.headers)
        try:
            value = read_json(content)
            # Escapes may hide the key from who looks for it in JSON.
            return read_json(masked(json.dumps(value), self._key)) if "\\" in content else value
        except ValueError:
            raise GarbledReplyError(
                f"The reply of {self._server} is no JSON, it begins: {content[:_QUOTE]!r}"
            ) from None

    def _failure(self, status: int, content: str, headers: Mapping[str, str]) -> DataflowError:
        """What an answer that is no success means."""
        if 300 <= status < 400:
            to = masked(headers.get("location", "elsewhere"), self._key)[:_QUOTE]
            return AccessError(f"{self._server} sends us on to {to}; give that address if it is right.")
        error = status_failure(status, content.encode(), headers, self._server, self._key)
        if status == 503 and isinstance(error, ServerFailedError) and error.retry_after is None:
            error.retry_after = _loading(content)
        if status in (401, 403) and isinstance(error, AccessError):
            return AccessError(
                f"{str(error).rstrip('.')}. Check the detector's key: the variable that is named for it has to hold it."
            )
        if status == 413 and isinstance(error, RejectedRequestError):
            what = f"The picture is too large for the detector: {error} Let ImageNormalizer make it smaller (max_side)."
            return RejectedRequestError(what, status=status, code=error.code)
        return error


@asynccontextmanager
async def calls_to(
    server: str, headers: Mapping[str, str], key: str | None, *, timeout: float, connect_timeout: float
) -> AsyncIterator[Calls]:
    """The calls for one picture, which have ``timeout`` seconds together; TimedOutError after that."""
    http = http_library()
    limits = http.Timeout(timeout, connect=min(connect_timeout, timeout))
    verify = _tls_context() if server.startswith("https:") else False
    options = bounded(server)
    client = http.AsyncClient(
        headers={**options["headers"], **headers},
        event_hooks=options["event_hooks"],
        timeout=limits,
        follow_redirects=False,
        verify=verify,
    )
    try:
        async with client, asyncio.timeout(timeout):
            yield Calls(client, server, key)
    except TimeoutError:
        raise TimedOutError(
            f"{server} was not done with the picture after {timeout:g} s (timeout); another try asks it anew."
        ) from None


@cache
def _tls_context() -> Any:
    # Loading the certificates takes longer than all the rest, so once a process.
    return http_library().create_ssl_context()


def _loading(content: str) -> float | None:
    """The seconds that a server says it needs to load its model."""
    try:
        return believed(float(read_json(content)["estimated_time"]))
    except (ValueError, LookupError, TypeError, OverflowError):
        return None


#: States of a DeepDataSpace task that is not done yet.
_UNDER_WAY = ("triggering", "waiting", "running")

#: How much longer each wait between two looks at a task is.
_GROWTH = 1.5


class Detector(BaseModel):
    """Finds objects by their names, with a server of the form that ``profile`` names at the address ``url``.

    A request's prompt is the labels, one a line, its only image the picture; the reply's text is what was found, see
    :class:`~operators.onevision.detecting.found.Found`. ``threshold`` is the least score. The key is read from the
    environment variable ``api_key_env`` when the first call is made; without that name none is sent. ``model`` is
    what a DeepDataSpace server is asked for by name. ``timeout`` bounds the seconds for a picture,
    all looks at its task included, which come after ``first_poll`` seconds and then ever later, up to ``longest_poll``
    seconds apart. A run that is killed while it waits for a task asks for the picture anew, in a new task.

    >>> Detector(url="http://localhost:9000", profile="simple").identity()["server"]
    'http://localhost:9000'
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    # Said here because pydantic takes long to find that a model lacks an attribute.
    local: ClassVar[bool] = False
    queued: ClassVar[bool] = False
    #: Its calls take no tokens, so that no price of them is asked for.
    tokenless: ClassVar[bool] = True

    url: str
    profile: ProfileName
    name: str = Field(default="grounding-dino", min_length=1)
    model: str = Field(default="GroundingDino-1.6-Pro", min_length=1)
    threshold: float = Field(default=0.3, ge=0.0, le=1.0)
    api_key_env: str | None = None
    timeout: float = Field(default=120.0, gt=0)
    connect_timeout: float = Field(default=10.0, gt=0)
    max_retries: int = Field(default=4, ge=0)
    first_poll: float = Field(default=0.5, gt=0)
    longest_poll: float = Field(default=5.0, gt=0)

    @field_validator("url")
    @classmethod
    def _url_is_plain(cls, url: str) -> str:
        return _address(url)

    @property
    def server(self) -> str:
        """The server's address, as errors show it; detectors of one server share its limit."""
        return self.url

    def identity(self) -> Mapping[str, object]:
        """What decides a reply and how records call it: time-outs, retries and the key do not."""
        model = {"asked_for": self.model} if PROFILES[self.profile].names_model else {}
        return model | {
            "model": "Detector",
            "name": self.name,
            "profile": self.profile,
            "server": self.server,
            "threshold": self.threshold,
        }

    async def complete(self, request: Request) -> Reply:
        """What the server found; failures that may pass are tried again ``max_retries`` times."""
        return await with_retries(lambda: self.attempt(request), self.max_retries)

    async def attempt(self, request: Request) -> Reply:
        """What the server found, asked a single time."""
        key, profile = self._key(), PROFILES[self.profile]
        [picture] = await picture_urls(request.images)
        if not picture.startswith("data:"):
            raise RejectedRequestError("A detector is given a picture's file or bytes, not a web address.")
        body = profile.body(Ask(picture, labels_in(request), self.threshold, self.model, key))
        headers = {} if key is None else profile.headers(key)
        async with calls_to(
            self.server, headers, key, timeout=self.timeout, connect_timeout=self.connect_timeout
        ) as calls:
            # The address may have been given whole.
            reply = await calls.post(self.url.removesuffix(profile.path) + profile.path, body)
            try:
                reply = await self._result(calls, reply) if profile.tasks else reply
                return Reply(profile.found(reply).text(), model=self.name)
            except ShapeError as error:
                raise GarbledReplyError(
                    f"{self.server} does not answer in the form of the profile {self.profile}: {error}; "
                    "is it the right one?"
                ) from None

    async def preflight(self) -> None:
        """Raise AccessError without the key that was named, and ServerDownError if the server does not answer."""
        self._key()
        from dataflow_ext.models.http.transport import must_answer

        await must_answer(self.url)

    async def _result(self, calls: Calls, created: Any) -> Any:
        """What became of a task, looked at until it is done."""
        task = field(self._data(created), "task_uuid", "the task")
        if not isinstance(task, str) or not task.replace("-", "").replace("_", "").isalnum():
            raise ShapeError(f"the task is called {shown(task)}")
        root = self.url.removesuffix(PROFILES[self.profile].path)
        wait = self.first_poll
        while True:
            await asyncio.sleep(wait)
            wait = min(wait * _GROWTH, max(self.longest_poll, self.first_poll))
            try:
                state = await calls.get(f"{root}/v2/task_status/{task}")
            except RetryableError as error:
                # A new task would cost again, so the old one is asked after as long as there is time.
                wait = max(wait, error.retry_after or 0.0)
                continue
            data = self._data(state)
            status = field(data, "status", "the task")
            if status == "success":
                return field(data, "result", "the task")
            if status == "failed":
                raise ServerFailedError(f"{self.server} failed at the picture: {shown(data.get('error'))}.")
            if status not in _UNDER_WAY:
                raise ShapeError(f"the task's status is {shown(status)}")

    def _data(self, reply: Any) -> Any:
        """The data of a reply of DeepDataSpace, whose code has to be 0."""
        if field(reply, "code", "the reply") != 0:
            raise ServerFailedError(
                f"{self.server} refuses with code {shown(reply['code'])}: {shown(reply.get('msg'))}; "
                "check key, picture and labels."
            )
        return field(reply, "data", "the reply")

    def _key(self) -> str | None:
        if self.api_key_env is None:
            return None
        key = os.environ.get(self.api_key_env, "").strip()
        # The name is not repeated: it may be the key itself, given by mistake.
        if not key:
            raise AccessError(f"The detector at {self.server} needs a key: the variable named for it is not set.")
        if not key.isascii() or not key.isprintable():
            raise AccessError(
                f"The key for {self.server} has characters that no key has, such as a line break or a letter with an "
                "accent."
            )
        return key


def request_for(picture: str, labels: Sequence[str]) -> Request:
    """The request for the things of these names in a picture's file.

    >>> labels_in(request_for("a.png", ["ball", "inclined plane"]))
    ['ball', 'inclined plane']
    """
    return Request("\n".join(labels), images=(picture,), expect=0)


def labels_in(request: Request) -> list[str]:
    """The labels that a request asks for."""
    return [label for label in request.prompt.split("\n") if label]


def read_reply(reply: Reply) -> Found:
    """What a detector's reply says was found."""
    return Found.read(reply.text)


def detector_of(url: str, profile: str, api_key_env: str | None = None, **options: Any) -> Detector:
    """The detector at that address, for command lines; nothing is asked yet.

    ``api_key_env`` names the environment variable that holds its key. Without a ``name``, records call a Hugging Face
    model by its own. Raises OptionError for what it cannot use, without repeating what may be a secret.

    >>> detector_of("http://localhost:8000/models/IDEA-Research/grounding-dino-base", "hf", threshold=0.4).name
    'IDEA-Research/grounding-dino-base'
    """
    url = _address(url)
    if profile not in PROFILES:
        raise OptionError(f"There is no detector profile {profile!r}; there are {', '.join(PROFILES)}.")
    if api_key_env is not None and not os.environ.get(api_key_env, "").strip():
        raise OptionError(
            "There is no environment variable of the name that is given for the detector's key, or it is empty; "
            "give the name of the variable that holds the key, not the key."
        )
    known = url.partition("/models/")[2]
    if profile == "hf" and known:
        options.setdefault("name", known)
    try:
        return Detector.model_validate({"url": url, "profile": profile, "api_key_env": api_key_env, **options})
    except ValidationError as error:
        raise OptionError(explain(Detector, error)) from None


def _address(url: str) -> str:
    try:
        from dataflow_ext.models.openai_model import plain_address

        address = plain_address(url)
    except OptionError as error:
        raise OptionError(str(error).replace("A model server's", "A detector's")) from None
    if address is None or "#" in address:
        raise OptionError("A detector's address starts with http:// or https:// and names a host.")
    return address.rstrip("/")
