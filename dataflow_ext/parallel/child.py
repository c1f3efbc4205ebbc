"""The worker's side: a process that takes pieces of work from its master and gives back what became of them."""

from __future__ import annotations

import ctypes
import io
import logging
import os
import pickle
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import spawn
from pathlib import Path
from typing import Any

from dataflow_ext.errors import DataflowError
from dataflow_ext.garbage_collection import seldom_collecting
from dataflow_ext.parallel.wire import Job, Limits, Setup, Wire, told
from dataflow_ext.signals import FROM_TERMINALS

#: The wire to the master, if this process is a worker.
_wire: Wire | None = None
#: How many processes share this machine's cores with this one, itself counted.
_sharers = 1
#: The file of the request cache of the master's session, if it has one, and whether that is fresh.
_memory: tuple[Path | None, bool] = (None, False)
#: Whether the master's main module is being imported here.
_importing_main = False


def is_worker() -> bool:
    """Whether this process is a worker of another."""
    return _wire is not None


def not_again() -> None:
    """Raise if this is a worker that imports its master's script, which is about to run its pipeline once more."""
    if _importing_main:
        raise DataflowError(
            "The script calls run outside of `if __name__ == '__main__':`, so a worker process that needs something "
            "of it would do the same again; put the call below that line, or what is needed into a module"
        )


def sharers() -> int:
    """How many processes share this machine's cores with this one, itself counted."""
    return _sharers


def share(count: int) -> None:
    """Tell that so many processes share this machine's cores, this one counted."""
    global _sharers
    _sharers = count


def memory() -> tuple[Path | None, bool]:
    """In a worker, the file of the request cache of the master's session, if it has one, and whether that is fresh."""
    return _memory


@contextmanager
def limited(limits: Limits) -> Iterator[None]:
    """Have the master watch these limits over what this worker does inside, beside those of its piece of work."""
    assert _wire is not None  # noqa: S101 - only workers come here
    _wire.tell("limits", limits)
    yield
    _wire.tell("limits", None)


def main() -> None:
    """Serve until the master is gone."""
    global _wire, _sharers, _memory
    for number in FROM_TERMINALS:  # the master's to handle
        signal.signal(number, signal.SIG_IGN)
    _wire = wire = _private_wire()
    setup: Setup = pickle.loads(wire.receive() or b"")  # noqa: S301 - our own bytes
    _sharers, _memory = setup.sharers, (setup.memory, setup.fresh)
    _die_with_master()
    with suppress(OSError):  # if the machine's memory runs out, the kernel had better take this one than the master
        Path("/proc/self/oom_score_adj").write_text("500", encoding="ascii")
    logging.getLogger().addHandler(_ToMaster(wire))
    logging.getLogger().setLevel(setup.level)
    try:
        with seldom_collecting():
            _serve(wire, setup)
    except BrokenPipeError:  # the master was killed; an ordinary end would try to empty the pipe, and tell of it
        os._exit(0)


def _serve(wire: Wire, setup: Setup) -> None:
    number, function = -1, _nothing
    while (data := wire.receive()) is not None:
        job: Job = pickle.loads(data)  # noqa: S301 - our own bytes
        if job.number != number:
            try:
                function = _Unpickler(job.function, setup).load()
                number = job.number
            except Exception as error:
                wire.tell("unloadable", f"{type(error).__name__}: {error}")
                continue
            wire.tell("loaded", None)
        _work(wire, function, job.piece, setup)
        _give_back_memory()


def _work(wire: Wire, function: Callable[[Any], Any], piece: bytes, setup: Setup) -> None:
    try:
        made = told(True, function(_Unpickler(piece, setup).load()))
    except BaseException as error:
        error.add_note("In a worker process:\n" + "".join(traceback.format_tb(error.__traceback__)))
        made = told(False, error)
    wire.send(made)


class _Unpickler(pickle.Unpickler):
    """Imports the master's main module if something of it is needed, and only then."""

    def __init__(self, data: bytes, setup: Setup) -> None:
        super().__init__(io.BytesIO(data))
        self._setup = setup

    def find_class(self, module: str, name: str) -> Any:
        if module == "__main__" and self._setup.main:
            # Done only once; the module that it finds is this process's main module afterwards.
            _import_main(self._setup.main)
            self._setup.main.clear()
        return super().find_class(module, name)


def _import_main(main: dict[str, str]) -> None:
    global _importing_main
    _importing_main = True
    try:
        spawn.prepare(dict(main))
    finally:
        _importing_main = False


class _ToMaster(logging.Handler):
    """Sends what is logged to the master, whose handlers decide what becomes of it."""

    def __init__(self, wire: Wire) -> None:
        super().__init__()
        self._wire = wire

    def emit(self, record: logging.LogRecord) -> None:
        record.msg, record.args = record.getMessage(), None
        if record.exc_info:
            record.exc_text = record.exc_text or logging.Formatter().formatException(record.exc_info)
            record.exc_info = None
        with suppress(Exception):  # an attribute that cannot be pickled costs the record, not the work
            self._wire.tell("log", record)


def _private_wire() -> Wire:
    """The pipes that were standard input and output, which from now on are nothing and the errors' stream."""
    source, target = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return Wire(os.fdopen(source, "rb"), os.fdopen(target, "wb"))


def _die_with_master() -> None:
    master = os.getppid()

    def watch() -> None:
        while os.getppid() == master:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _give_back_memory() -> None:
    """Return freed memory to the system, so that the next piece of work is not held to account for it."""
    with suppress(OSError, AttributeError):  # no glibc
        ctypes.CDLL(None).malloc_trim(0)


def _nothing(piece: Any) -> Any:
    raise AssertionError("no function was sent")
