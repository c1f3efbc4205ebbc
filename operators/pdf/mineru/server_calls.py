"""Requests to a MinerU server: sent again while it is busy, and each failure told in one sentence."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataflow_ext.background import run_async
from dataflow_ext.models.errors import GarbledReplyError
from dataflow_ext.models.http.body import TO_FILE, bounded, http_library
from dataflow_ext.models.untrusted import masked, read_json, wait_asked_for
from operators.pdf.mineru.parsers import ParserError, ParserMissing
from operators.pdf.mineru.results import MAX_BYTES

if TYPE_CHECKING:
    import httpx

#: Answers of a server that may answer otherwise in a moment.
_BUSY = frozenset({429, 502, 503, 504})
#: What a server can't do at all it may say with 503, too.
_FOR_GOOD = frozenset({"quality_tier_unavailable"})

#: How often a request is sent, and the first and the longest seconds between two times.
TIMES = 6
FIRST_WAIT = 1.0
LONGEST_WAIT = 60.0

#: How many seconds a server may be silent in the middle of an answer.
SILENCE = 60.0


class Calls:
    """A server's client for the work on one file, all of which is done within ``timeout`` seconds.

    ``times`` is how often a request is sent before a server that is busy or not there is given up.
    """

    def __init__(self, url: str, key: str | None, timeout: float, key_env: str | None, times: int = TIMES) -> None:
        self.url = url
        self._key, self._key_env = key, key_env
        self._timeout = timeout
        self._times = times
        self._end = time.monotonic() + timeout
        options = bounded(url, most_file=MAX_BYTES)
        if key:
            options["headers"]["Authorization"] = f"Bearer {key}"
        # Without TLS there are no certificates to load, which takes longer than all the rest.
        self._client = http_library().AsyncClient(base_url=url, verify=url.startswith("https:"), **options)

    def __enter__(self) -> Calls:
        return self

    def __exit__(self, *error: object) -> None:
        run_async(self._client.aclose())

    def left(self) -> float:
        """Seconds that are left; :class:`ParserError` once there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise self._too_late()
        return left

    def _too_late(self) -> ParserError:
        return ParserError(
            f"The MinerU server at {self.url} was not done after {self._timeout:g} s; "
            "give it more with --parser-timeout, or fewer pages with --pages."
        )

    def wait(self, seconds: float) -> None:
        """Let so much time pass, of what is left."""
        time.sleep(min(seconds, self.left()))

    def get(self, path: str, **parameters: str) -> httpx.Response:
        """The answer to a question, whatever its status."""
        return self._again(lambda: self._answer("GET", path, None, params=parameters, timeout=self._patience()))

    def upload(
        self, path: str, pdf: Path, *, parameters: Any, data: Any, patience: float, target: Path | None = None
    ) -> httpx.Response:
        """The answer to a PDF that is sent piece by piece; ``patience`` is the seconds to wait for it.

        With a ``target`` what is no JSON goes into that file.
        """

        def send() -> httpx.Response:
            with pdf.open("rb") as file:
                return self._answer(
                    "POST",
                    path,
                    target,
                    params=parameters,
                    data=data,
                    files={"files": ("document.pdf", file, "application/pdf")},
                    timeout=self._patience(patience),
                )

        return self._again(send)

    def _patience(self, seconds: float = SILENCE) -> httpx.Timeout:
        left = self.left()
        read, connect = min(seconds, left), min(10.0, left)
        limits: httpx.Timeout = http_library().Timeout(min(SILENCE, left), connect=connect, read=read)
        return limits

    def forget(self, path: str) -> None:
        """Ask for the end of work that is no longer wanted; no answer is needed."""
        with contextlib.suppress(http_library().HTTPError, GarbledReplyError, TimeoutError):
            run_async(self._asked("DELETE", path, None, 2.0, {"timeout": 2.0}))

    def download(self, path: str, target: Path, **parameters: str) -> httpx.Response:
        """The answer with its body in a file."""
        return self._again(lambda: self._answer("GET", path, target, params=parameters, timeout=self._patience()))

    def _answer(self, method: str, path: str, target: Path | None, **options: Any) -> httpx.Response:
        """The answer, read; with a ``target`` a good one that is no JSON goes into that file instead."""
        try:
            return run_async(self._asked(method, path, target, self.left(), options))
        except TimeoutError:
            raise self._too_late() from None

    async def _asked(
        self, method: str, path: str, target: Path | None, seconds: float, options: dict[str, Any]
    ) -> httpx.Response:
        # Asynchronous, as only so a head that drips can be left when the time is over.
        extensions = {TO_FILE: target is not None}
        answer: httpx.Response
        async with (
            asyncio.timeout(seconds),
            self._client.stream(method, path, extensions=extensions, **options) as answer,
        ):
            if target is None or answer.status_code != 200 or is_json(answer):
                await answer.aread()
                return answer
            with target.open("wb") as file:
                async for piece in answer.aiter_bytes(1 << 20):
                    file.write(piece)
        return answer

    def words(self, answer: httpx.Response, said: str = "") -> str:
        """What a server ``said`` of a failure, or else says of it in any version, on one line and without the key."""
        text = " ".join(masked(said or _words(answer), self._key).split())
        return text if len(text) <= 300 else text[:300] + "…"

    def checked(self, answer: httpx.Response, what: str) -> httpx.Response:
        """The answer if it is a good one; otherwise :class:`ParserError` with the server's words."""
        if answer.is_success:
            return answer
        status, said = answer.status_code, self.words(answer)
        if status in (401, 403):
            raise ParserMissing(f"{what}: the server at {self.url} refuses ({status}: {said}); {self._about_key()}.")
        if status == 413:
            raise ParserError(
                f"{what}: too large for the server at {self.url} ({said}); raise its limit (200 MB is usual) "
                "or give fewer pages with --pages.",
                transient=False,
            )
        # A proxy says 400, too, but on a page of its own.
        if status in (409, 415, 422) or (status == 400 and isinstance(json_of(answer), dict)):
            raise ParserError(f"{what}: the server at {self.url} does not take it ({status}): {said}", transient=False)
        if status in _BUSY:
            raise ParserError(f"{what}: the server at {self.url} is busy ({status}, {self._times} times): {said}")
        if 300 <= status < 400:
            to = masked(answer.headers.get("location", "elsewhere"), self._key)[:300]
            raise ParserMissing(f"{self.url} sends us on to {to}; give that address with --parser-url if it is right.")
        raise ParserError(f"{what}: the server at {self.url} failed ({status}): {said}")

    def _about_key(self) -> str:
        if self._key_env is None:
            return "put its key into a variable and name that with --parser-key-env"
        return f"check the key in the variable {self._key_env}"

    def _again(self, send: Callable[[], httpx.Response]) -> httpx.Response:
        """The answer, asked for again while the server is busy or its connection breaks."""
        pause = FIRST_WAIT
        for time_left in range(self._times - 1, -1, -1):
            with self._told_failures(last=not time_left):
                answer = send()
                if answer.status_code not in _BUSY or not time_left or code_of(answer) in _FOR_GOOD:
                    return answer
                asked = wait_asked_for(answer.headers)
                self.wait(min(pause if asked is None else asked, LONGEST_WAIT))
                pause = min(2 * pause, LONGEST_WAIT)
                continue
            self.wait(pause)
            pause = min(2 * pause, LONGEST_WAIT)
        raise AssertionError("the last time either answers or raises")

    @contextlib.contextmanager
    def _told_failures(self, *, last: bool) -> Iterator[None]:
        """Failures of the connection: passed over, or told if it was the last time."""
        http = http_library()
        try:
            yield
        except ParserError:
            raise
        except (http.InvalidURL, http.UnsupportedProtocol) as error:
            raise ParserMissing(f"{self.url} is not the address of a server ({error}).") from None
        except http.ConnectError as error:
            if last:
                raise ParserMissing(
                    f"No server answers at {self.url} ({error}); start it, such as with mineru-api --port 8000, "
                    "or check --parser-url."
                ) from None
        except http.ReadTimeout:
            self.left()
            if last:
                raise ParserError(f"The server at {self.url} took the request and is silent.") from None
        except http.HTTPError as error:
            if last:
                what = masked(str(error), self._key) or type(error).__name__
                raise ParserError(f"The connection to the server at {self.url} broke ({what}).") from None
        except GarbledReplyError as error:
            if last:
                raise ParserError(str(error)) from None


def _words(answer: httpx.Response) -> str:
    data = json_of(answer)
    said: object = None
    if isinstance(data, dict):
        error = data.get("error")
        said = error.get("message") if isinstance(error, dict) else error
        said = said or data.get("detail") or data.get("message")
        if isinstance(said, list):  # as FastAPI lists what is wrong with a request
            said = "; ".join(str(part.get("msg", part)) if isinstance(part, dict) else str(part) for part in said)
    return str(said or answer.text or answer.reason_phrase)


def is_json(answer: httpx.Response) -> bool:
    """Whether an answer says that it is JSON."""
    return bool(answer.headers.get("content-type", "").startswith("application/json"))


def code_of(answer: httpx.Response) -> str:
    """The name that a version 4 server gives to a failure."""
    data = json_of(answer)
    error = data.get("error") if isinstance(data, dict) else None
    return str(error.get("code")) if isinstance(error, dict) else ""


def json_of(answer: httpx.Response) -> Any:
    """The JSON of an answer, None if it holds none."""
    try:
        return read_json(answer.content)
    except ValueError:
        return None
