"""A Blender program that is kept running and answers lines of JSON."""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from dataflow_ext import DataflowError, OptionError

#: Where the program is looked for if none is named.
VARIABLE = "BLENDER"
WORKER = Path(__file__).with_name("worker.py")
#: Seconds that the program has to end after it was asked to.
_GRACE = 2.0

MISSING = (
    "Blender is not there{what}. Install it (apt-get install blender; or https://www.blender.org/download) and put it "
    f"on the PATH, or name its program by the option 'program' or the environment variable {VARIABLE}; a Python with "
    "the package bpy (pip install bpy) does as well. The painter needs none of these."
)


class BlenderError(DataflowError):
    """Blender ended, took too long, or could not draw a room; the message has what it said last."""


class Died(Exception):
    """The program is no longer there."""


def program_of(program: str | None = None) -> str:
    """The Blender program: the one that is named, else that of the environment, else what is on the PATH.

    A Python with the package ``bpy`` counts too, this one last. OptionError, which says what to install, if there is
    none.
    """
    named = program or os.environ.get(VARIABLE)
    if named:
        if (found := shutil.which(named)) is None:
            where = "the option 'program' (--blender)" if program else f"the environment variable {VARIABLE}"
            raise OptionError(MISSING.format(what=f": {where} names {named!r}, which is no program"))
        return found
    if (found := shutil.which("blender")) is not None:
        return found
    if find_spec("bpy") is not None:
        return sys.executable
    raise OptionError(MISSING.format(what=""))


def command_of(program: str, threads: int) -> list[str]:
    """The command that runs the worker in Blender, or in a Python that has Blender as a module."""
    if Path(program).name.lower().startswith("python"):
        return [program, str(WORKER)]
    options = ["--background", "--factory-startup", "-noaudio", "--threads", str(threads), "--python-exit-code", "3"]
    return [program, *options, "--python", str(WORKER)]


class Process:
    """A running program, the lines that it says, and its end when it is no longer wanted.

    ``version`` is what it said when it was ready. It ends by itself if this process does, as its input then does.
    """

    def __init__(self, command: Sequence[str], timeout: float) -> None:
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the program
        try:
            self._child = subprocess.Popen(  # noqa: S603 - a program that the user has named
                list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, start_new_session=True
            )
        except OSError as error:
            raise BlenderError(f"{command[0]} cannot be started ({error.strerror or error}).") from None
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=_listen, args=(self._child.stdout, self._lines), daemon=True).start()
        self.end = weakref.finalize(self, _end, self._child, os.getpid())
        try:
            self.version = str(self._answer("ready", timeout)["ready"])
        except Died:
            raise BlenderError(f"{command[0]} ended before it was ready; {self.said()}") from None

    def ask(self, request: Mapping[str, Any], timeout: float) -> dict[str, Any]:
        """The reply with the ``id`` of the request; Died if there is none, BlenderError if it takes too long."""
        # Beside us, as a program that hangs does not read to the end of the line.
        line = json.dumps(request).encode() + b"\n"
        threading.Thread(target=_say, args=(self._child.stdin, line), daemon=True).start()
        while (reply := self._answer("id", timeout))["id"] != request["id"]:
            pass
        return reply

    def said(self) -> str:
        """The last that the program said beside its replies, for messages."""
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(1.0)
        size = self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, size - 2_000))
        lines = [line.strip() for line in self._log.read().decode("utf-8", "replace").splitlines() if line.strip()]
        last = " | ".join(lines[-3:])[-400:]
        code = self._child.poll()
        return f"its exit code was {code}, {f'the last it said: {last}' if last else 'it said nothing'}."

    def _answer(self, key: str, timeout: float) -> dict[str, Any]:
        """The next line that is JSON and has this key; Blender says other things as well."""
        until = time.monotonic() + timeout
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                self._child.kill()
                self.end()
                raise BlenderError(f"Blender gave no answer within {timeout:g} seconds, so it was ended.") from None
            if line is None:
                raise Died
            with suppress(ValueError):
                message = json.loads(line)
                if isinstance(message, dict) and key in message:
                    return message


def _say(pipe: IO[bytes], line: bytes) -> None:
    with suppress(OSError, ValueError):  # it is dead, which the one who listens is told
        pipe.write(line)
        pipe.flush()


def _listen(pipe: IO[bytes], lines: queue.SimpleQueue[bytes | None]) -> None:
    with suppress(OSError, ValueError):
        for line in pipe:
            lines.put(line)
    lines.put(None)


def _end(child: subprocess.Popen[bytes], owner: int) -> None:
    """End the program: by its input's end, else at once. In a process that did not start it, do nothing."""
    if os.getpid() != owner:
        return
    with suppress(OSError):
        if child.stdin is not None:
            child.stdin.close()
    try:
        child.wait(_GRACE)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
