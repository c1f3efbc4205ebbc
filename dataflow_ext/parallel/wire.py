"""What master and worker send each other: pickled messages over a pair of pipes, and the limits of a piece of work."""

from __future__ import annotations

import io
import pickle
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

from dataflow_ext.errors import ResultError
from dataflow_ext.tracebacks import carried

_LENGTH = struct.Struct("!Q")

#: What a worker says beside what became of a piece: its function is there, or cannot be had; a record for the log;
#: limits that begin (Limits) or are over (None).
Kind = Literal["loaded", "unloadable", "log", "limits"]


@dataclass(frozen=True, slots=True)
class Setup:
    """What a worker knows from its start on.

    ``main`` tells where the master's main module is found, ``sharers`` how many workers share the cores, ``memory``
    and ``fresh`` are those of the master's session, and ``level`` is that of its log.
    """

    main: dict[str, str]
    sharers: int
    memory: Path | None
    fresh: bool
    level: int


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of work for a function, both pickled; the ``number`` tells functions apart."""

    number: int
    function: bytes
    piece: bytes


class _Pickler(pickle.Pickler):
    """Pickles exceptions, raised or among the results, with the traceback that pickling would lose."""

    def reducer_override(self, obj: Any) -> Any:
        return carried(obj) if isinstance(obj, BaseException) and obj.__traceback__ is not None else NotImplemented


def pickled(value: Any) -> bytes:
    """A value's pickle, in which exceptions keep their tracebacks as texts; raises what pickling raises."""
    content = io.BytesIO()
    _Pickler(content, pickle.HIGHEST_PROTOCOL).dump(value)
    return content.getvalue()


def told(good: bool, value: Any) -> bytes:
    """What became of a call, on its way to another process: a value, or an error in its place."""
    try:
        return pickled((good, value))
    except Exception as error:
        return pickled((False, unsent(error, "" if good else f"{type(value).__name__}: {value}; ")))


def unsent(error: Exception, what: str = "") -> ResultError:
    """The error in place of what cannot be pickled, or unpickled."""
    why = f"{what}{type(error).__name__}: {error}"
    return ResultError(f"what became of it cannot pass between processes: {why}")


def called(function: Callable[..., Any], *values: Any) -> bytes:
    """What became of this call."""
    try:
        return told(True, function(*values))
    except Exception as error:
        return told(False, error)


def heard(data: bytes) -> Any:
    """The value that another process told; raised if it is an error."""
    good, value = pickle.loads(data)  # noqa: S301 - our own process's bytes
    if not good:
        raise value
    return value


class Wire:
    """Messages in and out, whole or not at all; several threads may send."""

    def __init__(self, source: BinaryIO, target: BinaryIO) -> None:
        self._source, self._target = source, target
        self._lock = threading.Lock()

    def send(self, data: bytes) -> None:
        """Send one message's bytes."""
        with self._lock:
            self._target.write(_LENGTH.pack(len(data)))
            self._target.write(data)
            self._target.flush()

    def tell(self, kind: Kind, value: Any) -> None:
        """Send one message of a worker; raises what pickling raises."""
        self.send(pickled((kind, value)))

    def receive(self) -> bytes | None:
        """The next message's bytes; None if the other side is gone."""
        head = self._source.read(_LENGTH.size)
        if len(head) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack(head)
        data = self._source.read(length)
        return data if len(data) == length else None


#: Bytes of a megabyte, as limits are told.
MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """The memory by which a process may grow over a piece of work, in bytes, and its time in seconds; None: no limit.

    Memory is watched where the system tells it (Linux).

    >>> Limits(memory=500 * MB, seconds=30)
    Limits(memory=500000000, seconds=30)
    """

    memory: int | None = None
    seconds: float | None = None
