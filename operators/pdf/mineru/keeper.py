"""Runs one program, and ends it with all that it started once nobody holds the other end of standard input.

Started as a script, in a process of its own: however the process that wanted the program ends, the pipe
between them closes, and a parser that would go on for hours does not.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress


def main(arguments: Sequence[str]) -> int:
    """Seconds of grace, then the program with its arguments; the program's exit code, 128 + n after signal n."""
    command = list(arguments[1:])
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)  # noqa: S603 - the user's own
    threading.Thread(target=_watch, args=(child, float(arguments[0])), daemon=True).start()
    code = child.wait()
    _end(child, kill=True)  # what it left behind
    return code if code >= 0 else 128 - code


def _watch(child: subprocess.Popen[bytes], grace: float) -> None:
    while os.read(0, 4096):
        pass
    _end(child, kill=False)
    with suppress(subprocess.TimeoutExpired):
        child.wait(grace)
    _end(child, kill=True)


def _end(child: subprocess.Popen[bytes], *, kill: bool) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            child.kill() if kill else child.terminate()
        else:
            os.killpg(child.pid, signal.SIGKILL if kill else signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
