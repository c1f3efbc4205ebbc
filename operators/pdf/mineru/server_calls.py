"""Requests to a MinerU server: sent again while it is busy, and each failure told in one sentence."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from operators.pdf.mineru.parsers import ParserError, ParserMissing
from operators.pdf.mineru.unpack import MAX_BYTES

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
        import httpx

        self.url = url
        self._key_env = key_env
        self._timeout = timeout
        self._times = times
        self._end = time.monotonic() + timeout
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        # Without TLS there are no certificates to load, which takes longer than all the rest.
        self._client = httpx.Client(base_url=url, headers=headers, verify=url.startswith("https:"))

    def __enter__(self) -> Calls:
        return self

    def __exit__(self, *error: object) -> None:
        self._client.close()

    def left(self) -> float:
        """Seconds that are left; :class:`ParserError` once there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise ParserError(
                f"The MinerU server at {self.url} was not done after {self._timeout:g} s; "
                "give it more with --parser-timeout, or fewer pages with --pages."
            )
        return left

    def wait(self, seconds: float) -> None:
        """Let so much time pass, of what is left."""
        time.sleep(min(seconds, self.left()))

    def get(self, path: str, **parameters: str) -> httpx.Response:
        """The answer to a question, whatever its status."""
        return self._again(lambda: self._client.get(path, params=parameters, timeout=self._patience()))

    def upload(self, path: str, pdf: Path, *, parameters: Any, data: Any, patience: float) -> httpx.Response:
        """The answer to a PDF that is sent piece by piece; ``patience`` is the seconds to wait for it."""

        def send() -> httpx.Response:
            with pdf.open("rb") as file:
                return self._client.post(
                    path,
                    params=parameters,
                    data=data,
                    files={"files": ("document.pdf", file, "application/pdf")},
                    timeout=self._patience(patience),
                )

        return self._again(send)

    def _patience(self, seconds: float = SILENCE) -> httpx.Timeout:
        import httpx

        left = self.left()
        return httpx.Timeout(min(SILENCE, left), connect=min(10.0, left), read=min(seconds, left))

    def forget(self, path: str) -> None:
        """Ask for the end of work that is no longer wanted; no answer is needed."""
        import httpx

        try:
            self._client.delete(path, timeout=2.0)
        except httpx.HTTPError:
            return

    def download(self, path: str, target: Path, **parameters: str) -> httpx.Response:
        """The answer with its body in a file."""

        def fetch() -> httpx.Response:
            with self._client.stream("GET", path, params=parameters, timeout=self._patience()) as answer:
                if answer.status_code != 200:
                    answer.read()
                    return answer
                with target.open("wb") as file:
                    for piece in answer.iter_bytes(1 << 20):
                        file.write(piece)
                        if file.tell() > MAX_BYTES:
                            raise ParserError(f"{self.url} sends more than {MAX_BYTES >> 30} GiB; it is not taken.")
                        self.left()
            return answer

        return self._again(fetch)

    def checked(self, answer: httpx.Response, what: str) -> httpx.Response:
        """The answer if it is a good one; otherwise :class:`ParserError` with the server's words."""
        if answer.is_success:
            return answer
        status, said = answer.status_code, words(answer)
        if status in (401, 403):
            raise ParserMissing(f"{what}: the server at {self.url} refuses ({status}: {said}); {self._about_key()}.")
        if status == 413:
            raise ParserError(
                f"{what}: too large for the server at {self.url} ({said}); raise its limit (200 MB is usual) "
                "or give fewer pages with --pages.",
                transient=False,
            )
        if status in (400, 409, 415, 422):
            raise ParserError(f"{what}: the server at {self.url} does not take it ({status}): {said}", transient=False)
        if status in _BUSY:
            raise ParserError(f"{what}: the server at {self.url} is busy ({status}, {self._times} times): {said}")
        if 300 <= status < 400:
            to = answer.headers.get("location", "elsewhere")
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
                asked = _retry_after(answer)
                self.wait(min(pause if asked is None else asked, LONGEST_WAIT))
                pause = min(2 * pause, LONGEST_WAIT)
                continue
            self.wait(pause)
            pause = min(2 * pause, LONGEST_WAIT)
        raise AssertionError("the last time either answers or raises")

    @contextmanager
    def _told_failures(self, *, last: bool) -> Iterator[None]:
        """Failures of the connection: passed over, or told if it was the last time."""
        import httpx

        try:
            yield
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise ParserMissing(f"{self.url} is not the address of a server ({error}).") from None
        except httpx.ConnectError as error:
            if last:
                raise ParserMissing(
                    f"No server answers at {self.url} ({error}); start it, such as with mineru-api --port 8000, "
                    "or check --parser-url."
                ) from None
        except httpx.ReadTimeout:
            self.left()
            if last:
                raise ParserError(f"The server at {self.url} took the request and is silent.") from None
        except httpx.HTTPError as error:
            if last:
                what = str(error) or type(error).__name__
                raise ParserError(f"The connection to the server at {self.url} broke ({what}).") from None


def words(answer: httpx.Response) -> str:
    """What a server of any version says of a failure, on one line."""
    data = json_of(answer)
    said: object = None
    if isinstance(data, dict):
        error = data.get("error")
        said = error.get("message") if isinstance(error, dict) else error
        said = said or data.get("detail") or data.get("message")
        if isinstance(said, list):  # as FastAPI lists what is wrong with a request
            said = "; ".join(str(part.get("msg", part)) if isinstance(part, dict) else str(part) for part in said)
    text = " ".join(str(said or answer.text or answer.reason_phrase).split())
    return text if len(text) <= 300 else text[:300] + "…"


def code_of(answer: httpx.Response) -> str:
    """The name that a version 4 server gives to a failure."""
    data = json_of(answer)
    error = data.get("error") if isinstance(data, dict) else None
    return str(error.get("code")) if isinstance(error, dict) else ""


def json_of(answer: httpx.Response) -> Any:
    """The JSON of an answer, None if it holds none."""
    try:
        return answer.json()
    except (ValueError, RecursionError):
        return None


def _retry_after(answer: httpx.Response) -> float | None:
    """The seconds that a server asks for, given as a number or as a date."""
    value = answer.headers.get("retry-after", "")
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
