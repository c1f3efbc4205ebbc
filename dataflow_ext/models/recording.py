"""The file behind a recorder: JSON Lines, one reply a line, shared by threads and processes."""

from __future__ import annotations

import fcntl
import hashlib
import json
import logging
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any, BinaryIO

from dataflow_ext.errors import InputError
from dataflow_ext.files import make_folder
from dataflow_ext.models.pictures import picture_bytes
from dataflow_ext.models.request import Reply, Request
from dataflow_ext.models.request_cache import request_key

#: The format's number, which a recording's first line begins with.
FORMAT = 1

_STARTS = (b'{"recording": ', b'{"key": ')
_SETTINGS = ("max_tokens", "temperature", "seed", "json_schema", "schema_name")
_PLAIN = Reply("").record()

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Entry:
    """A request as it stands in a recording: pictures as the SHA-256 of their content, settings that were made."""

    key: str
    system: str
    prompt: str
    images: list[str]
    follow_up: list[str]
    settings: dict[str, object]

    @classmethod
    def of(cls, request: Request) -> Entry:
        """The entry for a request; its key is that of the request alone, without the model."""
        settings = {name: getattr(request, name) for name in _SETTINGS if getattr(request, name) is not None}
        if request.json_schema is None:
            del settings["schema_name"]
        images = [hashlib.sha256(picture_bytes(image)).hexdigest() for image in request.images]
        return cls(request_key({}, request), request.system, request.prompt, images, [*request.follow_up], settings)


class Recording:
    """Replies by key, read from a file and appended to it.

    An append is one write behind a lock, so lines of several writers never mix. A last line that a kill cut
    off is passed over with a warning, and removed when the next line is written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.head: Mapping[str, object] | None = None
        self.lines: list[Mapping[str, object]] = []
        self._replies: dict[str, Reply] = {}
        self._read = 0
        self._warned = False
        self._lock = threading.RLock()
        self._pid = os.getpid()

    def header(self, mine: Mapping[str, object] | None) -> Mapping[str, object]:
        """What the first line says; ``mine`` is written there if the file is not there or empty."""
        with self._alone():
            if self.head is None and self.path.is_file():
                self._catch_up()
            if self.head is None:
                if mine is None:
                    raise InputError(f"The recording {self.path} is empty or missing, and there is no model to ask.")
                self._append(mine)
            assert self.head is not None  # noqa: S101 - tells the type checker
            return self.head

    def get(self, key: str) -> Reply | None:
        """The reply under the key, marked ``from_cache``, or None; what others appended meanwhile counts."""
        with self._alone():
            if key not in self._replies:
                self._catch_up()
            return self._replies.get(key)

    def add(self, entry: Entry, model: str, reply: Reply) -> Reply:
        """Append a reply; the one to go on with, which is another writer's if that was faster."""
        told = {name: value for name, value in reply.record().items() if value != _PLAIN[name] or name == "text"}
        request = asdict(entry)
        line = {"key": request.pop("key"), "model": model, **request, "reply": told}
        with self._alone():
            self._append(line)
            return replace(self._replies[entry.key], from_cache=False, pause=reply.pause)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if self._pid != os.getpid():  # a fork may have come while another thread held the lock
            self._lock, self._pid = threading.RLock(), os.getpid()
        with self._lock:
            yield

    def _catch_up(self) -> None:
        """Read what was appended since the last time."""
        size = self.path.stat().st_size if self.path.exists() else 0
        if size < self._read:
            raise InputError(f"The recording {self.path} was removed or replaced while it was in use.")
        if size > self._read:
            with self.path.open("rb") as file, _locked(file, shared=True):
                self._take_in(file)

    def _take_in(self, file: BinaryIO) -> None:
        """Read on; a last line that was cut off is left for the next time."""
        file.seek(self._read)
        *whole, last = file.read().split(b"\n")
        for line in whole:
            self._learn(line)
            self._read += len(line) + 1
        known = _json(last)
        if last and known is None and any(last.startswith(s) or s.startswith(last) for s in _STARTS):
            if not self._warned:
                _log.warning("%s: the last line was cut off and does not count.", self.path)
            self._warned = True
        elif last:  # whole, without a line's end, as an editor may leave it
            self._learn(last)
            self._read += len(last)

    def _learn(self, line: bytes) -> None:
        if not line:
            return
        known = _json(line)
        if self.head is None:
            if known is None or known.get("recording") != FORMAT:
                raise InputError(f"{self.path} is no recording, or one that a newer version of this library made.")
            self.head = known
            return
        try:
            if known is None:
                raise ValueError("not a JSON object")
            key, reply = known["key"], Reply.remembered(known["reply"])
        except (LookupError, TypeError, ValueError) as error:
            raise InputError(f"{self.path}, line {len(self.lines) + 2}, cannot be read ({error}).") from None
        self.lines.append(known)
        self._replies.setdefault(key, reply)

    def _append(self, line: Mapping[str, object]) -> None:
        """Write a line unless another writer's reply for its key is there by now; either way, know it."""
        make_folder(self.path.parent)
        with self.path.open("a+b") as file, _locked(file):
            self._take_in(file)
            if (self.head if "recording" in line else self._replies.get(str(line["key"]))) is not None:
                return
            file.truncate(self._read)
            file.seek(max(0, self._read - 1))
            start = "\n" if file.read(1) not in (b"", b"\n") else ""
            # Half of a surrogate pair, as broken PDFs give, becomes an escape, so that the file is UTF-8.
            file.write(f"{start}{json.dumps(line, ensure_ascii=False)}\n".encode("utf-8", "backslashreplace"))
            file.flush()
            self._take_in(file)


@contextmanager
def _locked(file: BinaryIO, *, shared: bool = False) -> Iterator[None]:
    """Alone with the file among processes."""
    fcntl.flock(file, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
    yield  # closing the file ends the lock


def _json(line: bytes) -> dict[str, Any] | None:
    try:
        known = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return known if isinstance(known, dict) else None


def nearest(entry: Entry, lines: Sequence[Mapping[str, object]]) -> str:
    """A sentence on the recorded request that comes nearest, and the first part in which it differs."""
    best: tuple[int, int] = (-1, 0)
    found: tuple[int, str, object, object] | None = None
    asked = asdict(entry)
    for number, line in enumerate(lines, 2):
        different = [part for part in _PARTS if line.get(part) != asked[part]]
        if not different:
            continue  # the key differs although nothing else does: somebody changed the line
        part = different[0]
        rank = (-len(different), _alike(line.get(part), asked[part]))
        if found is None or rank > best:
            best, found = rank, (number, part, line.get(part), asked[part])
    if found is None:
        return "It holds no reply at all." if not lines else "What it holds was changed by hand."
    number, part, theirs, mine = found
    return f"Nearest is line {number}; first difference, in {part}{_difference(theirs, mine)}"


#: A request's parts, those first that tell requests apart best.
_PARTS = ("prompt", "follow_up", "images", "system", "settings")


def _alike(theirs: object, mine: object) -> int:
    return _same_until(theirs, mine) if isinstance(theirs, str) and isinstance(mine, str) else 0


def _difference(theirs: object, mine: object) -> str:
    if isinstance(theirs, str) and isinstance(mine, str):
        at = _same_until(theirs, mine)
        start = max(0, at - 20)
        pieces = [f"{'…' if start else ''}{text[start : at + 60]}" for text in (theirs, mine)]
        return f" at character {at + 1}: recorded {pieces[0]!r}, asked {pieces[1]!r}."
    if isinstance(theirs, list) and isinstance(mine, list):
        if len(theirs) != len(mine):
            return f": recorded {len(theirs)}, asked {len(mine)}."
        at = next(n for n, (a, b) in enumerate(zip(theirs, mine, strict=True)) if a != b)
        return f" number {at + 1}{_difference(theirs[at], mine[at])}"
    return f": recorded {theirs}, asked {mine}."


def _same_until(one: str, other: str) -> int:
    """How many characters two texts have in common at their start."""
    return sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(one, other, strict=False)))
