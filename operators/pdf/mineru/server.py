"""MinerU as a server, its own ``mineru-api`` of version 2, 3 or 4 on this machine or another."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, field_validator

from operators.pdf.mineru.parsers import (
    OnProgress,
    ParserError,
    ParserMissing,
    note,
    plain_address,
    recalled,
    split_options,
    warn,
)
from operators.pdf.mineru.results import Work, find_kept, kept, unpack
from operators.pdf.mineru.server_calls import SILENCE, TIMES, Calls, is_json, json_of

#: Seconds between two questions how far a task is: the first ones, and the longest.
FIRST_ASK = 0.3
LONGEST_ASK = 5.0

#: What a version 2 or 3 server is asked for.
_WANTED = {"return_content_list": "true", "return_images": "true", "response_format_zip": "true", "return_md": "false"}


@dataclass(frozen=True, slots=True)
class Served:
    """What stands behind an address: the version, where its tasks are, if it has any, and its tiers."""

    version: str
    tasks: str | None
    tiers: tuple[str, ...] = ()

    @property
    def is_4(self) -> bool:
        """Whether it speaks the language of version 4."""
        return self.tasks == "/v1/tasks"


class MinerUServer(BaseModel):
    """Reads PDFs with a MinerU server: each is sent to ``url`` as a whole, and its archive fetched.

    ``options`` are the server's parameters, ``tier=standard`` for version 4, ``backend=vlm-engine`` or
    ``lang_list=en`` before; ``backend=pipeline`` and, of a version 4 server that has nothing better,
    ``tier=flash`` are the defaults. ``key_env`` names the variable that holds the server's key.
    ``timeout`` is in seconds a file. ``memory`` is a folder where it is noted what the server is, so that
    results that are kept can be used while it is down.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)
    name: ClassVar[str] = "mineru-api"

    url: str
    options: tuple[str, ...] = ()
    timeout: float = Field(default=3600.0, gt=0)
    key_env: str | None = None
    memory: Path | None = None

    @field_validator("url")
    @classmethod
    def _base(cls, url: str) -> str:
        return re.sub(r"/+(v1(/.*)?|file_parse|tasks|docs|health)?/*$", "", plain_address(url))

    @field_validator("options")
    @classmethod
    def _pairs(cls, options: tuple[str, ...]) -> tuple[str, ...]:
        words = [word.removeprefix("--") for word in split_options(options)]
        if odd := [word for word in words if not re.match(r"\w[\w-]*=", word)]:
            # A word that is no option's name is not repeated: it may be a key, given by mistake.
            told = repr(odd[0]) if odd[0].startswith("-") else "an option without a value"
            raise ValueError(f"{told} is not a parameter of a server; write it as tier=standard")
        return tuple(word.partition("=")[0].replace("-", "_") + "=" + word.partition("=")[2] for word in words)

    def identity(self) -> str:
        """Version and parameters, not the address; if no server answers, those noted, else :class:`ParserError`."""
        known = self._known()
        try:
            return self._identity(self._ask(TIMES if known is None else 1))
        except ParserError as error:
            if known is None:
                raise
            warn(error, known.version)
            return self._identity(known)

    def parse(
        self, pdf: Path, into: Path, *, pages: Sequence[int] | None = None, on_progress: OnProgress | None = None
    ) -> Path:
        """The content list that the server makes, or made before."""
        known = self._known()
        try:
            served = self._ask(TIMES if known is None else 1)
        except ParserError as error:
            if known is None:
                raise
            if found := find_kept(pdf, into, pages=pages, identity=self._identity(known)):
                return found
            if isinstance(error, ParserMissing):
                raise
            served = self._ask(TIMES)  # busy, but it is needed
        with self._calls() as calls:

            def make(work: Work) -> None:
                archive = work.log.with_name("result.zip")
                if served.tasks is None:
                    self._at_once(calls, work, archive, pdf)
                else:
                    self._as_task(calls, served, work, archive, pdf, on_progress)
                unpack(archive, work.result, f"{pdf}: the answer of {self.url}")
                archive.unlink()

            identity = self._identity(served)
            return kept(pdf, into, pages=pages, identity=identity, timeout=self.timeout, make=make)

    def parameters(self, served: Served) -> dict[str, list[str]]:
        """What goes with each file."""
        given: dict[str, list[str]] = {}
        for option in self.options:
            key, _, value = option.partition("=")
            given.setdefault(key, []).append(value)
        if not served.is_4:
            return {"backend": ["pipeline"], **given}
        if "tier" not in given and set(served.tiers) == {"flash"}:
            return {"tier": ["flash"], "ocr_mode": ["txt"], **given}
        return given

    def _identity(self, served: Served) -> str:
        given = self.parameters(served)
        return " ".join(["mineru-api", served.version, *(f"{key}={','.join(given[key])}" for key in sorted(given))])

    def _known(self) -> Served | None:
        return recalled(self.memory, f"{self.name} {self.url}", Served)

    def _ask(self, times: int) -> Served:
        """What the server is, asked ``times`` times, and noted."""
        with self._calls(times) as calls:
            served = self._served(calls)
        note(self.memory, f"{self.name} {self.url}", served)
        return served

    def _calls(self, times: int = TIMES) -> Calls:
        key = None
        if self.key_env is not None:
            key = os.environ.get(self.key_env, "").strip()
            if not key:
                # A name that no variable has is not repeated: it may be the key itself, given by mistake.
                there = (
                    f"the variable {self.key_env} is empty" if self.key_env in os.environ else "there is no such one"
                )
                raise ParserMissing(
                    f"--parser-key-env names the variable that holds the key of the MinerU server at {self.url}, "
                    f"and {there}."
                )
        return Calls(self.url, key, self.timeout, self.key_env, times)

    def _served(self, calls: Calls) -> Served:
        """What the server is, by its own words."""
        health = calls.get("/v1/health")
        about = json_of(health)
        if health.is_success and isinstance(about, dict) and "version" in about:
            listed = json_of(calls.get("/v1/tiers"))
            tiers = listed.get("data") if isinstance(listed, dict) else None
            names = [t.get("id") for t in tiers if isinstance(t, dict)] if isinstance(tiers, list) else []
            return Served(str(about["version"]), "/v1/tasks", tuple(str(name) for name in names))
        if health.status_code not in (404, 405):
            calls.checked(health, "MinerU")
        health = calls.get("/health")
        about = json_of(health)
        if health.is_success and isinstance(about, dict) and "protocol_version" in about:
            return Served(str(about.get("version", "3")), "/tasks")
        schema = json_of(calls.get("/openapi.json"))
        paths = schema.get("paths") if isinstance(schema, dict) else None
        if isinstance(paths, dict) and "/file_parse" in paths:
            return Served("2 or 3", "/tasks" if "/tasks/{task_id}/result" in paths else None)
        raise ParserMissing(
            f"The server at {self.url} is none of MinerU's: it knows neither /v1/health nor /file_parse; "
            "check --parser-url, and give the root of mineru-api."
        )

    def _at_once(self, calls: Calls, work: Work, archive: Path, pdf: Path) -> None:
        """One request that is answered when all is done: servers without tasks."""
        data = {**_WANTED, **self.parameters(Served("", None))}
        answer = calls.upload("/file_parse", work.pdf, parameters={}, data=data, patience=self.timeout, target=archive)
        calls.checked(answer, str(pdf))
        if is_json(answer):
            raise ParserError(
                f"{pdf}: the server at {self.url} answers without an archive, so it is an early version 2; update it."
            )

    def _as_task(
        self, calls: Calls, served: Served, work: Work, archive: Path, pdf: Path, on_progress: OnProgress | None
    ) -> None:
        given = self.parameters(served)
        parameters = {**given, "output_formats": ["zip"]} if served.is_4 else {}
        data = {} if served.is_4 else {**_WANTED, **given}
        answer = calls.upload(str(served.tasks), work.pdf, parameters=parameters, data=data, patience=SILENCE)
        submitted = json_of(calls.checked(answer, str(pdf)))
        task = submitted.get("task_id") if isinstance(submitted, dict) else None
        if not isinstance(task, str) or not re.fullmatch(r"[\w.-]+", task):
            raise ParserError(f"{pdf}: the server at {self.url} took it but named no task: {calls.words(answer)}")
        path = f"{served.tasks}/{task}"
        try:
            self._wait(calls, path, pdf, on_progress)
            form = {"response_format": "zip"} if served.is_4 else {}
            calls.checked(calls.download(f"{path}/result", archive, **form), str(pdf))
        except BaseException:
            calls.forget(path)
            raise

    def _wait(self, calls: Calls, path: str, pdf: Path, on_progress: OnProgress | None) -> None:
        """Ask until the task is done."""
        pause = FIRST_ASK
        while True:
            answer = calls.get(path)
            if answer.status_code == 404:
                raise ParserError(f"{pdf}: the server at {self.url} has forgotten the task; was it started anew?")
            state = json_of(calls.checked(answer, str(pdf)))
            status = state.get("status") if isinstance(state, dict) else None
            if status in ("completed", "partial"):
                return
            if status in ("failed", "canceled") or not isinstance(status, str):
                said = calls.words(answer, _why(state))
                raise ParserError(f"{pdf}: the server at {self.url} could not read it ({status}): {said}")
            if on_progress is not None:
                on_progress(f"{status}, {self.timeout - calls.left():.0f} s")
            calls.wait(pause)
            pause = min(1.5 * pause, LONGEST_ASK)


def _why(state: Any) -> str:
    """What a failed task says of the failure of its files, as version 4 does."""
    files = state.get("files") if isinstance(state, dict) else None
    for file in files if isinstance(files, list) else []:
        error = file.get("error") if isinstance(file, dict) else None
        if isinstance(error, dict) and error.get("message"):
            return str(error["message"])
    return ""
