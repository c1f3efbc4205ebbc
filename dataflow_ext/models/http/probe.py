"""Whether a server answers at all, asked without a key and for nothing."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

from dataflow_ext.models.errors import RetryableError, ServerDownError, TimedOutError
from dataflow_ext.models.http.bounded import http_library
from dataflow_ext.models.http.connection import Limits, connect
from dataflow_ext.models.http.transport import needs_proxy, tls_context

#: Seconds that a server has to answer.
PATIENCE = 5.0


async def must_answer(url: str, path: str = "") -> None:
    """Raise :class:`ServerDownError` unless a server answers a GET of ``url`` and ``path`` within five seconds.

    Any answer will do, also one that says that there is no such page, or that a key is wanted.
    """
    try:
        await (_by_proxy(url + path) if needs_proxy(url) else _get(url, path))
    except RetryableError as error:
        why = str(error).removeprefix(f"The connection to {url} failed: ").rstrip(".")
        why = why.removesuffix(" (connect_timeout)")
        if isinstance(error, TimedOutError):
            why = f"no reply began within {PATIENCE:g} s"
        raise ServerDownError(
            f"{url} does not answer: {why}. Start the server or mend its address; without the check "
            "(preflight=False, --no-preflight) what is remembered can be used without it."
        ) from None


async def _get(url: str, path: str) -> None:
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    limits = Limits(PATIENCE, PATIENCE, PATIENCE)
    tls = tls_context() if parts.scheme == "https" else None
    ends = asyncio.get_running_loop().time() + PATIENCE
    connection = await connect((parts.hostname or "", port), tls, url, limits)
    head = (
        f"GET {parts.path + path or '/'} HTTP/1.1\r\nHost: {parts.netloc}\r\nAccept: */*\r\nConnection: close\r\n\r\n"
    )
    try:
        await connection.ask(head.encode("ascii", "replace"), b"", limits, ends)
    except RetryableError:
        if not connection.answered:  # what it has begun to say is an answer, however it ends
            raise
    finally:
        connection.abort()


async def _by_proxy(address: str) -> None:
    http = http_library()
    failure: RetryableError
    try:
        async with http.AsyncClient(timeout=PATIENCE, follow_redirects=False) as client:
            await client.get(address)
    except http.TransportError as error:
        failure = RetryableError(f"{str(error) or type(error).__name__} (by the proxy that the environment names)")
    else:
        return
    raise failure
