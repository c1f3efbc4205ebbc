"""MinerU as an installed command, in an environment of its own: versions 2, 3 and 4, and magic-pdf before them.

A run of it has its log, its time, a word on how far it is, and its end.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field, field_validator

from operators.pdf.mineru.parsers import (
    OnProgress,
    ParserError,
    ParserMissing,
    note,
    recalled,
    says_secret,
    split_options,
    warn,
)
from operators.pdf.mineru.results import Work, find_kept, kept, unpack

#: Seconds that a tool has to end by itself after it was asked to.
GRACE = 5.0

_KEEPER = Path(__file__).with_name("keeper.py")

#: The variables that a tool may need, in capitals.
_NEEDED = re.compile(
    r"""(?x)
    PATH | HOME | USER | LOGNAME | LANG | LANGUAGE | LC_.* | TZ | TMPDIR | TEMP | TMP | XDG_.*
    | LD_LIBRARY_PATH | DYLD_LIBRARY_PATH | (CUDA|NVIDIA|HIP|ROCR).* | (PYTORCH|OMP|MKL|OPENBLAS)_.*
    | MINERU_.* | MODELSCOPE_CACHE | HF_HOME | HF_ENDPOINT | HF_HUB_.*
    | (HTTP|HTTPS|ALL|NO)_PROXY | SSL_CERT_.* | REQUESTS_CA_BUNDLE | CURL_CA_BUNDLE
    | SYSTEMROOT | SYSTEMDRIVE | WINDIR | COMSPEC | PATHEXT | USERPROFILE | USERNAME | HOMEDRIVE | HOMEPATH
    | APPDATA | LOCALAPPDATA | PROGRAMDATA | PROGRAMFILES | NUMBER_OF_PROCESSORS | PROCESSOR_ARCHITECTURE
    """
)

#: So many bytes at the end of a log are looked at, and so many letters of them are told.
_TAIL, _MOST_SAID = 8192, 600

#: A bar as tqdm draws it: "Layout Predict:  43%|####      | 3/7 [00:02<00:03]".
_BAR = re.compile(r"([^\W\d][\w /-]{1,40}):\s*\d+%\|[^|]*\|\s*(\d+)/(\d+)")
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]")


class TimeOver(Exception):
    """The tool was ended because its time was over."""


def run_tool(command: Sequence[str], *, log: Path, timeout: float, on_progress: OnProgress | None = None) -> int:
    """Run a command to its end, what it prints going to ``log``; its exit code.

    It runs in the log's folder. Raises :class:`TimeOver`. Whatever ends the wait, an interrupt too, ends
    the command and the processes that it started.
    """
    arguments = [sys.executable, "-I", "-S", str(_KEEPER), str(GRACE), *command]
    environment = tool_environment(os.environ, Path(command[0]).parent)
    with log.open("wb") as out:
        keeper = subprocess.Popen(  # noqa: S603 - a command that the user has named
            arguments,
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=out,
            env=environment,
            cwd=log.parent,
            start_new_session=True,  # so that Ctrl-C comes to us alone, and the tool is ended by us
        )
        try:
            return _wait(keeper, log, timeout, on_progress)
        finally:
            if keeper.stdin is not None:
                keeper.stdin.close()
            keeper.wait()


def _wait(keeper: subprocess.Popen[bytes], log: Path, timeout: float, on_progress: OnProgress | None) -> int:
    began = time.monotonic()
    while True:
        passed = time.monotonic() - began
        if passed >= timeout:
            raise TimeOver
        try:
            return keeper.wait(min(1.0, timeout - passed))
        except subprocess.TimeoutExpired:
            if on_progress is not None:
                on_progress(how_far(_tail(log), time.monotonic() - began))


def tool_environment(ours: Mapping[str, str], folder: Path) -> dict[str, str]:
    """The variables that a tool gets: those it may need, and none whose name says that it holds a secret.

    ``folder`` is where the tool lies; the programs beside it are found first.
    """
    kept = {name: value for name, value in ours.items() if _NEEDED.fullmatch(name.upper()) and not says_secret(name)}
    kept["PATH"] = os.pathsep.join(filter(None, [str(folder), ours.get("PATH", os.defpath)]))
    return kept | {"PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8", "HF_HUB_DISABLE_TELEMETRY": "1"}


def how_far(printed: str, seconds: float) -> str:
    """The last bar among what was printed, and the seconds that passed.

    >>> how_far("Layout Predict:  43%|####      | 3/7 [00:02<00:03]", 12.3)
    'Layout Predict 3/7, 12 s'
    """
    bars = _BAR.findall(printed)
    return (f"{bars[-1][0].strip()} {bars[-1][1]}/{bars[-1][2]}, " if bars else "") + f"{seconds:.0f} s"


def last_words(log: Path) -> str:
    """The last lines of a log on one line, without bars and escapes."""
    lines = [_ESCAPE.sub("", line).strip() for line in re.split(r"[\r\n]+", _tail(log))]
    lines = [line for line in lines if line and not _BAR.search(line)]
    words = " | ".join(lines[-5:])
    return words if len(words) <= _MOST_SAID else "…" + words[-_MOST_SAID:]


def _tail(log: Path) -> str:
    try:
        with log.open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - _TAIL))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""


#: Seconds for a tool to tell its version; version 2 loads torch for that.
_VERSION_TIME = 180.0

_VERSION = re.compile(r"(?i)version:?\s+v?(\d+(?:\.\w+)+)")


@dataclass(frozen=True, slots=True)
class Tool:
    """A command that was found: its path and its version."""

    path: Path
    version: str

    @property
    def major(self) -> int:
        """The first number of the version, which decides how the command is called."""
        return int(self.version.partition(".")[0])


class MinerUCommand(BaseModel):
    """Reads PDFs with the ``mineru`` command of MinerU 2, 3 or 4, which lives in its own environment.

    ``command`` is a name on the PATH or the path of the command. ``options`` go to it as they are, such as
    ``--tier=standard``, and take the place of the defaults: ``-b pipeline`` for versions 2 and 3,
    ``--tier flash --ocr-mode txt`` for version 4, which needs no models. ``timeout`` is in seconds a file.
    ``memory`` is a folder where the command's version is noted, so that results that are kept can be used
    when the command is not there any more.

    >>> MinerUCommand(options=("--tier=standard",)).arguments(Tool(Path("mineru-kit"), "4.0.12"))
    ['--tier=standard', '-f', 'zip']
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)
    name: ClassVar[str] = "mineru"
    get_it: ClassVar[str] = (
        "python -m venv mineru-env && mineru-env/bin/pip install mineru, then --parser-command mineru-env/bin/mineru"
    )

    command: str = "mineru"
    options: tuple[str, ...] = ()
    timeout: float = Field(default=3600.0, gt=0)
    memory: Path | None = None

    @field_validator("options")
    @classmethod
    def _words(cls, options: tuple[str, ...]) -> tuple[str, ...]:
        return split_options(options)

    def identity(self) -> str:
        """Version and arguments; if the command is not there, those noted, else :class:`ParserMissing`."""
        try:
            return self._identity(self._noted())
        except ParserMissing as error:
            if (known := self._known()) is None:
                raise
            warn(error, known.version)
            return self._identity(known)

    def tool(self) -> Tool:
        """The command that is called: of MinerU 4 that is ``mineru-kit``, which lies beside ``mineru``."""
        found = shutil.which(os.path.expanduser(self.command))  # noqa: PTH111 - a Path would turn "./x" into "x"
        if found is None:
            raise ParserMissing(
                f"There is no command {self.command} for the parser {self.name}; get it: {self.get_it}."
            )
        path = Path(os.path.abspath(found))  # noqa: PTH100 - resolving would lead out of an environment's bin
        tool = Tool(path, _version(path, path.stat().st_mtime_ns))
        if tool.major < 4 or path.stem == "mineru-kit":
            return tool
        for folder in (path.parent, path.resolve().parent):
            if kit := shutil.which("mineru-kit", path=str(folder)):
                return Tool(Path(kit), tool.version)
        raise ParserMissing(f"{path} is MinerU {tool.version}, but mineru-kit is not beside it; get it: {self.get_it}.")

    def parse(
        self, pdf: Path, into: Path, *, pages: Sequence[int] | None = None, on_progress: OnProgress | None = None
    ) -> Path:
        """The content list that the command makes, or made before; its log lies beside it."""
        try:
            tool = self._noted()
        except ParserMissing:
            known = self._known()
            found = None if known is None else find_kept(pdf, into, pages=pages, identity=self._identity(known))
            if found is None:
                raise
            return found

        def make(work: Work) -> None:
            self._run(tool, work, pdf, on_progress)

        return kept(pdf, into, pages=pages, identity=self._identity(tool), timeout=self.timeout, make=make)

    def arguments(self, tool: Tool) -> list[str]:
        """What the command gets beside the paths."""
        if tool.major >= 4:
            defaults = [] if self._asks("--tier") else ["--tier", "flash"]
            # Other tiers have models for pages without a text layer, and find out which these are.
            defaults += ["--ocr-mode", "txt"] if defaults and not self._asks("--ocr-mode") else []
            return [*defaults, *self.options, "-f", "zip"]
        if tool.major >= 2:
            return [*([] if self._asks("-b", "--backend") else ["-b", "pipeline"]), *self.options]
        return [*([] if self._asks("-m", "--method") else ["-m", "auto"]), *self.options]

    def _identity(self, tool: Tool) -> str:
        return " ".join([tool.path.stem, tool.version, *self.arguments(tool)])

    def _noted(self) -> Tool:
        tool = self.tool()
        note(self.memory, f"{self.name} {self.command}", tool)
        return tool

    def _known(self) -> Tool | None:
        return recalled(self.memory, f"{self.name} {self.command}", Tool)

    def _asks(self, *names: str) -> bool:
        return any(word.partition("=")[0] in names for word in self.options)

    def _run(self, tool: Tool, work: Work, pdf: Path, on_progress: OnProgress | None) -> None:
        source = ["parse", str(work.pdf)] if tool.major >= 4 else ["-p", str(work.pdf)]
        command = [str(tool.path), *source, "-o", str(work.result), *self.arguments(tool)]
        try:
            code = run_tool(command, log=work.log, timeout=self.timeout, on_progress=on_progress)
        except TimeOver:
            raise ParserError(
                f"{pdf}: {tool.path.name} {tool.version} was stopped after {self.timeout:g} s; "
                f"give it more with --parser-timeout, or fewer pages with --pages. Its log: {work.failed_log}."
            ) from None
        if code:
            said = last_words(work.log) or "nothing"
            raise ParserError(
                f"{pdf}: {tool.path.name} {tool.version} ended with code {code}; it said: {said}. "
                f"Its log: {work.failed_log}."
            )
        for archive in sorted(work.result.rglob("*.zip")):
            unpack(archive, archive.with_suffix(""), f"{pdf}: the result {archive.name} of {tool.path.name}")
            archive.unlink()


class MagicPDF(MinerUCommand):
    """Reads PDFs with ``magic-pdf``, the command of MinerU 1; it is AGPL and lives in its own environment.

    The default option is ``-m auto``.
    """

    name: ClassVar[str] = "magic-pdf"
    get_it: ClassVar[str] = (
        "python3.10 -m venv magic-env && magic-env/bin/pip install 'magic-pdf[full]', then "
        "--parser-command magic-env/bin/magic-pdf; its licence is the AGPL"
    )

    command: str = "magic-pdf"


@lru_cache(maxsize=64)
def _version(path: Path, changed: int) -> str:
    """What the command says of its version; ``changed`` is when the file was, so that an update is seen."""
    environment = tool_environment(os.environ, path.parent)
    try:
        asked = subprocess.run(  # noqa: S603 - a command that the user has named
            [str(path), "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment,
            timeout=_VERSION_TIME,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ParserMissing(f"{path} --version did not answer within {_VERSION_TIME:g} s; run it by hand.") from None
    except OSError as error:
        raise ParserMissing(f"{path} cannot be run ({error.strerror or error}); is it a command of MinerU?") from None
    printed = (asked.stdout + asked.stderr).decode("utf-8", "replace")
    found = None if asked.returncode else _VERSION.search(printed)
    if found is None:
        last = (printed.strip().splitlines() or ["nothing"])[-1][:300]
        raise ParserMissing(f"{path} --version ended with code {asked.returncode} and told no version, but: {last}")
    return found[1]
