"""One HTTP/1.1 reply, read by h11 from its bytes in whatever pieces they come."""

from __future__ import annotations

import contextlib

import h11

from dataflow_ext.models.http.body import MOST_BODY, Body, BodyError, too_much

#: Most bytes of a reply's head, and of a line between its chunks.
_MOST_HEAD = 65_536

#: Most interim replies (1xx) before a reply.
_MOST_INTERIM = 100

#: What h11 has to know of a request to read its reply.
_ASKED = (h11.Request(method="POST", target="/", headers=[("Host", "-"), ("Content-Length", "0")]), h11.EndOfMessage())


class NotHttpError(ValueError):
    """The bytes are no HTTP/1.1 reply."""


class HttpReply:
    """A reply that ``feed`` fills: ``status``, ``headers`` (names in lower case) and ``content``.

    ``begun`` is true from the first byte on, ``complete`` once nothing more can follow; ``end`` tells that
    the server has closed the connection. ``keep`` tells whether the connection may carry another call.
    Interim replies (1xx) are skipped, and contents are inflated, though nobody asks for compressed ones.

    >>> reply = HttpReply()
    >>> reply.feed(b"HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\n\\r\\nhel")
    >>> reply.feed(b"lo")
    >>> reply.status, reply.headers, reply.content, reply.complete, reply.keep
    (200, {'content-length': '5'}, b'hello', True, True)
    """

    __slots__ = (
        "_body",
        "_first",
        "_interim",
        "_parts",
        "_wire",
        "begun",
        "complete",
        "content",
        "headers",
        "keep",
        "status",
    )

    def __init__(self) -> None:
        self.begun = self.complete = self.keep = False
        self.status = 0
        self.headers: dict[str, str] = {}
        self.content = b""
        self._first = b""
        self._parts: list[bytes] = []
        self._body = Body()
        self._interim = 0
        self._wire = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MOST_HEAD)
        for event in _ASKED:
            self._wire.send(event)

    def feed(self, data: bytes) -> None:
        """Take the next bytes; :class:`NotHttpError` or BodyError if they cannot belong to a reply that we take."""
        if not data:  # which would be the end, for h11
            return
        self.begun = True
        if len(self._first) < 5:
            # h11 waits for an empty line, which what is no HTTP may never have.
            self._first = (self._first + data)[:5]
            if not b"HTTP/".startswith(self._first):
                raise NotHttpError("it does not begin with HTTP")
        if self.complete:
            self.keep = False  # more than one reply for one request
        else:
            self._take(data)

    def end(self) -> None:
        """Take it that the server has closed the connection, which is the end of some replies."""
        if not self.complete:
            with contextlib.suppress(NotHttpError, BodyError):  # it is not complete, which says it all
                self._take(b"")
            self.keep = False

    def _take(self, data: bytes) -> None:
        try:
            self._wire.receive_data(data)
            while not self.complete:
                event = self._wire.next_event()
                if type(event) is h11.Data:
                    self._parts.append(self._body.take(bytes(event.data)))
                elif type(event) is h11.Response:
                    self._head(event)
                elif type(event) is h11.EndOfMessage:
                    self._finish()
                elif event is h11.PAUSED:
                    raise NotHttpError("it changes to another protocol")
                elif type(event) is h11.InformationalResponse:
                    self._count_interim()
                else:
                    return
        except h11.ProtocolError as error:
            raise NotHttpError(str(error)) from None

    def _count_interim(self) -> None:
        self._interim += 1
        if self._interim > _MOST_INTERIM:
            raise NotHttpError(f"more than {_MOST_INTERIM} interim replies come before it")

    def _head(self, event: h11.Response) -> None:
        if sum(len(name) + len(value) for name, value in event.headers) > _MOST_HEAD:  # h11 takes one that came at once
            raise NotHttpError("its head is too long")
        self.status = event.status_code
        for name, value in event.headers:
            key, text = name.decode("latin-1"), value.decode("latin-1")
            self.headers[key] = f"{self.headers[key]}, {text}" if key in self.headers else text
        self._body = Body(self.headers.get("content-encoding"))
        if int(self.headers.get("content-length", "0")) > MOST_BODY:
            raise BodyError(too_much(MOST_BODY))

    def _finish(self) -> None:
        self._body.end()
        self.content = b"".join(self._parts)
        self._parts.clear()
        self.complete = True
        ready = self._wire.our_state is h11.DONE and self._wire.their_state is h11.DONE
        # A reply with both may be read as another one by somebody on the way.
        framed_twice = "content-length" in self.headers and "transfer-encoding" in self.headers
        self.keep = ready and not framed_twice and not self._wire.trailing_data[0]
