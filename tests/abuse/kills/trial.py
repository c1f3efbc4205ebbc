"""A job that is run undisturbed, killed and started again: the same files, and no stored reply is asked for again."""

import contextlib
import hashlib
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from tests.abuse.kills.jobs import Job, Server
from tests.abuse.settings import ROOT


class Trial:
    """A job on its inputs, with a model or without, in folders of its own."""

    def __init__(self, job: Job, folder: Path, asking: bool) -> None:
        self.job, self.folder, self.asking = job, folder, asking
        folder.mkdir(parents=True, exist_ok=True)
        self.arguments = job.make(folder)
        self.server = Server(job.brain(folder)) if asking else None

    def __enter__(self) -> "Trial":
        if self.server is not None:
            self.server.__enter__()
            self.arguments += ["--model", "m", "--base-url", self.server.url, *self.job.asking]
        began = time.monotonic()
        code, text = self.finish("undisturbed")
        assert code == 0, text
        self.seconds = time.monotonic() - began
        self.files = data_files(self.folder / "undisturbed")
        self.requests = len(self.server.said) if self.server is not None else 0
        assert self.files, text
        return self

    def __exit__(self, *error: object) -> None:
        if self.server is not None:
            self.server.__exit__(*error)

    def start(self, out: str) -> subprocess.Popen[bytes]:
        """The command with its results in ``out``, in a group of processes of its own."""
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
        with (self.folder / f"{out}.txt").open("ab") as words:
            return subprocess.Popen(
                [sys.executable, "-m", *self.arguments, "--out", out],
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=words,
                stderr=words,
                start_new_session=True,
            )

    def finish(self, out: str) -> tuple[int, str]:
        """The command to its end: its exit code and its words."""
        code = self.start(out).wait(timeout=600)
        return code, (self.folder / f"{out}.txt").read_text(encoding="utf-8", errors="replace")

    def kill(self, number: int, rng: random.Random) -> list[str]:
        """A run that is killed at a random moment, then finished: what is not as it has to be."""
        out = f"kill{number}"
        process = self.start(out)
        self.wait(process, rng)
        ended = process.poll() is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=60)
        stored = self.stored(out)
        if self.server is not None:
            time.sleep(self.server.slowest)  # what was under way is answered into the void
            self.server.asked.clear()
        code, text = self.finish(out)
        problems = [] if code == 0 else [f"exit code {code}"]
        if "Traceback" in text:
            problems.append("a traceback")
        again = stored & set(self.server.asked) if self.server is not None else set()
        if again:
            problems.append(f"{len(again)} stored replies were asked for again")
        problems += differences(self.files, data_files(self.folder / out))
        if not problems:
            shutil.rmtree(self.folder / out)
        print(f"{self.job.name} kill {number}: {'had ended' if ended else 'alive'}, {len(stored)} stored {problems}")
        return problems

    def wait(self, process: subprocess.Popen[bytes], rng: random.Random) -> None:
        """Until the moment of the kill: with a model after some of the replies, or at any time of a run."""
        if self.server is None or rng.random() < 0.3:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=self.seconds * rng.uniform(0.05, 0.8))
            return
        self.server.said.clear()
        wanted = rng.randint(1, self.requests)
        while len(self.server.said) < wanted and process.poll() is None:
            time.sleep(0.005)
        time.sleep(rng.uniform(0, 0.05))

    def stored(self, out: str) -> set[str]:
        """The questions whose replies stand in the request cache, read from a copy of it."""
        copy = self.folder / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        for file in (self.folder / out / ".run").glob("requests.sqlite*"):
            if not file.name.endswith("-shm"):
                shutil.copyfile(file, copy / file.name)
        if self.server is None or not (copy / "requests.sqlite").is_file():
            return set()
        with contextlib.closing(sqlite3.connect(copy / "requests.sqlite")) as database:
            try:
                rows = database.execute("SELECT reply FROM replies").fetchall()
            except sqlite3.OperationalError:  # killed before the table was there
                rows = []
        texts = {json.loads(row[0]).get("text") for row in rows}
        said = list(self.server.said.values())
        return {name for name, text in self.server.said.items() if text in texts and said.count(text) == 1}


def data_files(out: Path) -> dict[str, str]:
    """Names and hashes of all that a run leaves for its users, but for the page, which tells times."""
    paths = [path for path in sorted(out.rglob("*")) if path.is_file() and ".run" not in path.relative_to(out).parts]
    return {
        path.relative_to(out).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
        if path.name != "report.html"
    }


def differences(wanted: dict[str, str], got: dict[str, str]) -> list[str]:
    """What is missing, too much or different."""
    lines = [f"{name} is missing" for name in wanted if name not in got]
    lines += [f"{name} is too much" for name in got if name not in wanted]
    return lines + [f"{name} differs" for name in wanted if name in got and got[name] != wanted[name]]
