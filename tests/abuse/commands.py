"""A command of the project, watched from outside: its words, its exit code, its time, and the memory of its tree."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.abuse.settings import ROOT

GB = 1 << 30
PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Ended:
    """A command that has ended: ``peak`` is the most memory that it and its children held at one time, in bytes."""

    code: int
    text: str
    seconds: float
    peak: int


def command(arguments: Sequence[str], folder: Path, limit: int = 4 * GB, seconds: float = 600, **more: object) -> Ended:
    """Run ``python -m`` with these arguments in a folder; end it when its tree holds more than ``limit``."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    log = folder / "words.txt"
    began = time.monotonic()
    with log.open("wb") as words:
        pipe = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=words)  # a limit on files concerns no pipe
        process = subprocess.Popen(
            [sys.executable, "-m", *arguments],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=pipe.stdin,
            stderr=pipe.stdin,
            start_new_session=True,
            **more,
        )
        watch = Watch(process.pid, limit)
        try:
            code = process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            code = -1
        finally:
            watch.stop()
            kill(process)
            pipe.stdin.close()
            pipe.wait(timeout=30)
    return Ended(code, log.read_text(encoding="utf-8", errors="replace"), time.monotonic() - began, watch.peak)


def kill(process: subprocess.Popen[bytes]) -> None:
    """End the command's own group of processes, if something of it is left."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=30)


class Watch:
    """The memory of a tree of processes, looked at 10 times a second."""

    def __init__(self, pid: int, limit: int) -> None:
        self.pid, self.limit, self.peak = pid, limit, 0
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._look, daemon=True)
        self.thread.start()

    def _look(self) -> None:
        while not self.over.wait(0.1):
            held = sum(map(memory, tree(self.pid)))
            self.peak = max(self.peak, held)
            if held > self.limit:
                os.killpg(self.pid, signal.SIGKILL)
                return

    def stop(self) -> None:
        self.over.set()
        self.thread.join()


def tree(root: int) -> list[int]:
    """A process and all below it."""
    found = [root]
    for pid in found:
        try:
            tasks = list(Path(f"/proc/{pid}/task").iterdir())
            for task in tasks:
                found += [int(child) for child in (task / "children").read_text().split()]
        except OSError:
            continue  # it has ended meanwhile
    return found


def memory(pid: int) -> int:
    """A process's own memory in bytes, without what it shares with others or has only mapped from files."""
    try:
        _, held, shared = map(int, Path(f"/proc/{pid}/statm").read_text().split()[:3])
    except (OSError, ValueError):
        return 0
    return (held - shared) * PAGE
