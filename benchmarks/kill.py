"""Kills the command at random moments and starts it again: same files, and no stored reply is asked for twice.

    python benchmarks/kill.py [--kills 20] [--seed 1] [--chapters 60] [--log FILE.jsonl]

A loopback model answers each request after a time of its own, so that a run takes some seconds. Half of the
kills (SIGKILL, to the command and all its children) come between two replies, a quarter at any moment of a
run, a quarter after the last reply, while files are written. Then the same command is started again. Data
files must be byte for byte those of a run that was left alone. A request whose reply stood in the request
cache at the kill must not be asked again; one whose reply was under way may be. Every kill goes into the log.
"""

import argparse
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
import tempfile
import threading
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.loopback import Loopback  # noqa: E402 - the tests are found by the line above
from tests.pipelines.numbered_book import brain, digest, write_book  # noqa: E402

DATA = ("vqa.jsonl", "vqa.parquet", "vqa.md", "rejects.jsonl")
KINDS = ("between", "between", "any", "late")
LINE = "{:>4} {:9} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7}  {}"


class Server(Loopback):
    """A model whose replies come after a time that their content decides; it remembers when each one went."""

    def __init__(self, slowest):
        super().__init__(self._reply)
        self.slowest = slowest
        self.asked: list[tuple[float, str]] = []
        self.sent: list[float] = []
        self.news = threading.Condition()

    def _reply(self, body):
        name = digest(body)
        self.asked.append((time.monotonic(), name))
        time.sleep(self.slowest * (0.1 + 0.9 * int(name[:4], 16) / 0xFFFF))
        text = brain(body)
        with self.news:
            self.sent.append(time.monotonic())
            self.news.notify_all()
        return text

    def wait_for(self, replies, process):
        """Wait until so many replies have gone out since the log was emptied, or the command has ended."""
        with self.news:
            while len(self.sent) < replies and process.poll() is None:
                self.news.wait(0.2)

    def forget(self):
        self.asked.clear()
        self.sent.clear()


@dataclass
class Kill:
    """One kill and what was found after it."""

    number: int
    kind: str
    seconds: float = 0.0
    sent: int = 0
    stored: int = 0
    asked_after: int = 0
    asked_again: int = 0
    stored_asked_again: int = 0
    between_replies: bool = False
    ended_before: bool = False
    problems: list[str] = field(default_factory=list)


class Trial:
    """The command on one book against one server, in folders of its own."""

    def __init__(self, folder, chapters, slowest, chunk_tokens=200):
        self.folder = folder
        self.book = write_book(folder / "book", chapters)
        self.server = Server(slowest)
        self.chunk_tokens = chunk_tokens

    def start(self, name):
        """The command in ``folder/name``, in a process group of its own."""
        place = self.folder / name
        place.mkdir(exist_ok=True)
        command = [sys.executable, "-m", "pipelines.pdf_vqa", str(self.book), "--out", "out", "--model", "m"]
        command += ["--base-url", self.server.url, "--chunk-tokens", str(self.chunk_tokens)]
        env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
        with (place / "stderr.txt").open("ab") as log:
            return subprocess.Popen(
                command, cwd=place, env=env, stderr=log, stdout=log, start_new_session=True, preexec_fn=hears_interrupts
            )

    def undisturbed(self):
        """Run to the end: the files, the seconds it took, and those from the last reply to the end."""
        self.server.forget()
        began = time.monotonic()
        process = self.start("undisturbed")
        code = process.wait(timeout=300)
        ended = time.monotonic()
        if code:
            sys.exit(f"the undisturbed run failed:\n{(self.folder / 'undisturbed' / 'stderr.txt').read_text()}")
        self.files = data_files(self.folder / "undisturbed" / "out")
        self.requests = len(self.server.asked)
        self.seconds, self.tail = ended - began, ended - self.server.sent[-1]

    def kill(self, number, kinds, rng):
        """A run that is killed once for each kind, each time started again, and the comparison at its end."""
        name, stored, kills = f"kill-{number}", set(), []
        for kind in kinds:
            kills.append(self._kill_once(number, kind, name, rng, stored))
            stored = stored_replies(self.folder / name / "out", self.folder / "copy")
            kills[-1].stored = len(stored)
            before = {what for _, what in self.server.asked}
            time.sleep(self.server.slowest)  # what was under way is answered into the void
        self.server.forget()
        code = self.start(name).wait(timeout=300)
        last, again = kills[-1], [what for _, what in self.server.asked]
        last.asked_after = len(again)
        last.asked_again = sum(what in before for what in again)
        last.stored_asked_again += sum(what in stored for what in again)
        text = (self.folder / name / "stderr.txt").read_text(encoding="utf-8")
        if code:
            last.problems.append(f"exit code {code}")
        if "Traceback" in text:
            last.problems.append("a traceback")
        if len(stored | set(again)) != self.requests:
            last.problems.append("not the requests of the undisturbed run")
        last.problems += differences(self.files, data_files(self.folder / name / "out"))
        if not last.problems:
            shutil.rmtree(self.folder / name)
        for kill in kills:
            if kill.stored_asked_again:
                kill.problems.append(f"{kill.stored_asked_again} stored replies were asked for again")
        return kills

    def _kill_once(self, number, kind, name, rng, stored):
        kill = Kill(number, kind)
        self.server.forget()
        began = time.monotonic()
        process = self.start(name)
        left = self.requests - len(stored)
        self._wait(kind, process, rng, began, left)
        kill.ended_before = process.poll() is not None
        stop(process)
        killed = time.monotonic()
        kill.seconds = round(killed - began, 3)
        kill.sent = sum(t <= killed for t in self.server.sent)
        kill.between_replies = 0 < kill.sent < left and not kill.ended_before
        kill.stored_asked_again = sum(what in stored for _, what in self.server.asked)
        return kill

    def _wait(self, kind, process, rng, began, left):
        """Wait for the moment: after some of the ``left`` replies, at any time, or while files are written."""
        if kind == "any":
            moment = rng.uniform(0, 0.7 * self.seconds)
            while time.monotonic() - began < moment and process.poll() is None:
                time.sleep(0.002)
        elif kind == "between":
            self.server.wait_for(rng.randint(1, max(1, left // 2)), process)
            time.sleep(rng.uniform(0, 0.02))
        else:
            self.server.wait_for(left, process)
            time.sleep(rng.uniform(0, self.tail * 0.6))


def hears_interrupts():
    """A shell starts background jobs deaf to Ctrl-C, and their children inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def stop(process):
    """SIGKILL to the whole process group, which is the command's own."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=30)


def data_files(out):
    """Names and hashes of the files that must not differ."""
    paths = [out / name for name in DATA] + sorted((out / "vqa_images").glob("*"))
    return {p.relative_to(out).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in paths if p.is_file()}


def differences(wanted, got):
    """What is missing, too much or different, in words."""
    lines = [f"{name} is missing" for name in wanted if name not in got]
    lines += [f"{name} is too much" for name in got if name not in wanted]
    return lines + [f"{name} differs" for name in wanted if name in got and got[name] != wanted[name]]


def stored_replies(out, copy):
    """Which requests have a reply in the request cache, read from a copy that leaves the original as it is."""
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    for file in (out / ".run").glob("requests.sqlite*"):
        if not file.name.endswith("-shm"):
            shutil.copyfile(file, copy / file.name)
    if not (copy / "requests.sqlite").is_file():
        return set()
    database = sqlite3.connect(copy / "requests.sqlite")
    try:
        rows = database.execute("SELECT reply FROM replies").fetchall()
    except sqlite3.OperationalError:  # killed before the table was there
        rows = []
    finally:
        database.close()
    return {json.loads(row[0])["text"].split(":", 1)[0].removeprefix("Part ") for row in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--chapters", type=int, default=60)
    parser.add_argument("--slowest", type=float, default=1.5, help="seconds of the slowest reply")
    parser.add_argument("--log", type=Path, default=Path("kill.jsonl"))
    args = parser.parse_args()
    rng = random.Random(args.seed)
    found = []
    with tempfile.TemporaryDirectory(prefix="kill-") as folder:
        trial = Trial(Path(folder), args.chapters, args.slowest)
        with trial.server, args.log.open("w", encoding="utf-8") as log:
            trial.undisturbed()
            print(f"undisturbed: {trial.seconds:.1f} s, {trial.requests} requests, {len(trial.files)} data files")
            print(LINE.format("kill", "kind", "at (s)", "sent", "stored", "asked", "again", "stored", "result"))
            for number in range(1, args.kills + 1):
                (kill,) = trial.kill(number, [KINDS[number % len(KINDS)]], rng)
                found.append(kill)
                log.write(json.dumps(asdict(kill)) + "\n")
                log.flush()
                result = "; ".join(kill.problems[:3]) or ("same (it had ended)" if kill.ended_before else "same")
                row = (kill.number, kill.kind, kill.seconds, kill.sent, kill.stored)
                row += (kill.asked_after, kill.asked_again, kill.stored_asked_again, result)
                print(LINE.format(*row), flush=True)
    bad = [k for k in found if k.problems]
    between = sum(k.between_replies for k in found)
    alive = sum(not k.ended_before for k in found)
    print(f"{len(found)} kills, {alive} of a living run, {between} between two replies: {len(bad)} with problems")
    return 1 if bad or between * 2 < len(found) else 0


if __name__ == "__main__":
    sys.exit(main())
