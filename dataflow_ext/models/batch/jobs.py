"""The Batch API's jobs on disk: which requests are in which, how far each has come, and who looks after it.

A job is a folder ``job-ID`` that appears by one rename, complete with ``requests.jsonl`` and ``keys``. After
that only ``job.json`` changes, each time by a rename: first it gets the id of the uploaded file, then the
batch's, then, when ``output.jsonl`` and ``errors.jsonl`` are there, the status in which the batch ended.
``taken`` lists the keys whose replies were handed out and stored. When that is all of them and no process
waits, the folder is removed; else it stays until somebody asks for the rest, or for 30 days.

``.lock`` of the whole folder is held while jobs are made and removed, and ``.arriving`` is shared by processes
with requests that are in no job yet. A job's ``lock`` is held by the process that talks to the server about it,
its ``waiting`` shared by all processes whose rows wait for it. A process that ends, however it ends, lets go of
its locks.
"""

from __future__ import annotations

import json
import shutil
import time
import uuid
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from dataflow_ext.errors import InputError
from dataflow_ext.files import Lock, atomic, make_folder, put

#: The status of a batch that the server did not take in, so that none of its requests was made.
FAILED = "failed"

#: Seconds after which a job whose replies nobody asked for is removed; servers keep theirs as long.
_KEPT = 30 * 86_400.0

#: Seconds after which a job whose replies were all taken is removed even though somebody may just ask for one.
_FORGOTTEN = 300.0


@dataclass(frozen=True, slots=True)
class State:
    """How far a job has come: each id is None until it is known, ``status`` until all is fetched."""

    server: str
    model: str
    created: float
    file_id: str | None = None
    batch_id: str | None = None
    status: str | None = None


class Job:
    """One batch: its folder and its state as last read or written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.id = path.name
        self.requests, self.output, self.errors = (path / f"{n}.jsonl" for n in ("requests", "output", "errors"))
        self.state = self._read()

    def reload(self) -> None:
        """Read the state again, which another process may have changed."""
        self.state = self._read()

    def save(self, **changes: str | None) -> None:
        """Change the state, on disk before anything else."""
        self.state = replace(self.state, **changes)  # type: ignore[arg-type]
        _write(self.path / "job.json", json.dumps(asdict(self.state), indent=1).encode())

    def keys(self) -> list[str]:
        """The requests' keys, in the order of their lines."""
        return (self.path / "keys").read_text("ascii").split()

    def take(self, keys: Sequence[str]) -> None:
        """Note that the replies to these were handed out and stored."""
        with (self.path / "taken").open("a", encoding="ascii") as file:
            file.write("".join(f"{key}\n" for key in keys))

    def useless(self, for_seconds: float = 0.0) -> bool:
        """Whether there are no replies, all were taken so long ago, or nobody asked for the rest in weeks."""
        if self.state.status in (None, FAILED):
            return self.state.status == FAILED
        taken = self.path / "taken"
        last = taken.stat().st_mtime if taken.exists() else self.state.created
        if last <= time.time() - for_seconds and self._all_taken():
            return True
        return self.state.created < time.time() - _KEPT

    def drive(self) -> Lock | None:
        """The right to talk to the server about this job, or None while another process has it."""
        return Lock.take(self.path / "lock")

    def wait(self) -> Lock:
        """Keeps the job from being removed."""
        return Lock.wait_for(self.path / "waiting", shared=True)

    def _all_taken(self) -> bool:
        taken = self.path / "taken"
        return taken.exists() and set(taken.read_text("ascii").split()) >= set(self.keys())

    def _read(self) -> State:
        path = self.path / "job.json"
        try:
            return State(**json.loads(path.read_bytes()))
        except (OSError, ValueError, TypeError) as error:
            raise InputError(
                f"The state of a batch, {path}, cannot be read ({error}). Removing its folder {self.path} "
                "lets the requests be sent, and paid, again."
            ) from None


@dataclass(slots=True)
class Claim:
    """Some of the requests that were asked for, their job, whether it is ``new``, and a lock that keeps it."""

    job: Job
    keys: list[str]
    lock: Lock
    new: bool = False


class JobFolder:
    """The jobs in a folder, which several processes may use."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def claim(self, lines: Mapping[str, bytes], server: str, model: str, not_in: Mapping[str, str]) -> list[Claim]:
        """Where each request is: in a job that was there, or in the one that is made for all the others.

        ``lines`` are the requests' lines by key. ``not_in`` names, for some keys, a job that has no reply
        for it.
        """
        with self._locked():
            newest: dict[str, Job] = {}
            for job in self._jobs():
                newest.update((key, job) for key in lines.keys() & set(job.keys()))
            for key, id in not_in.items():
                if key in newest and newest[key].id == id:
                    del newest[key]
            new = [key for key in lines if key not in newest]
            claims: dict[str, Claim] = {}
            for key, job in newest.items():
                if job.id not in claims:
                    claims[job.id] = Claim(job, [], job.wait())
                claims[job.id].keys.append(key)
            if new:
                job = self._make({key: lines[key] for key in new}, State(server, model, time.time()))
                claims[job.id] = Claim(job, new, job.wait(), new=True)
            return list(claims.values())

    def arriving(self) -> Lock:
        """Held from a request's arrival to its claim: its reply was not in the cache, so it must not go now."""
        make_folder(self.folder, private=True)
        return Lock.wait_for(self.folder / ".arriving", shared=True)

    def tidy(self) -> None:
        """Remove the jobs that are of no use any more, unless somebody may be about to ask for one."""
        with self._locked():
            nobody = Lock.take(self.folder / ".arriving")
            if nobody is not None:
                nobody.close()
                self._jobs(0.0)

    def _jobs(self, useless_for: float = _FORGOTTEN) -> list[Job]:
        """The jobs that have or will have replies, the oldest first; what was useless so long is removed."""
        jobs = []
        for path in sorted(self.folder.iterdir()):
            if path.name.startswith((".new-", ".old-")):
                shutil.rmtree(path)  # a kill's leavings: whoever has them under way has the folder's lock
            elif path.name.startswith("job-"):
                job = Job(path)
                if job.useless(useless_for):
                    self._remove(job)
                if job.state.status != FAILED and job.path.exists():
                    jobs.append(job)
        return sorted(jobs, key=lambda job: job.state.created)

    def _make(self, lines: Mapping[str, bytes], state: State) -> Job:
        id = uuid.uuid4().hex
        new = self.folder / f".new-{id}"
        make_folder(new, private=True)
        _write(new / "keys", "\n".join(lines).encode("ascii"))
        _write(new / "requests.jsonl", b"".join(lines.values()))
        _write(new / "job.json", json.dumps(asdict(state), indent=1).encode())
        return Job(put(new, self.folder / f"job-{id}"))

    def _remove(self, job: Job) -> None:
        alone = Lock.take(job.path / "waiting")
        if alone is not None:
            alone.close()
            shutil.rmtree(job.path.rename(self.folder / f".old-{job.id}"))

    def _locked(self) -> closing[Lock]:
        make_folder(self.folder, private=True)
        return closing(Lock.wait_for(self.folder / ".lock"))


def _write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, whatever happens meanwhile."""
    with atomic(path, private=True) as partial:
        partial.write_bytes(content)
