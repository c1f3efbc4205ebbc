"""One run of a tool that has its own environment: its log, its time, how far it is, and its end."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from operators.pdf.mineru.options import says_secret
from operators.pdf.mineru.parsers import OnProgress

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


def last_words(log: Path, most: int = 600) -> str:
    """The last lines of a log on one line, without bars and escapes."""
    lines = [_ESCAPE.sub("", line).strip() for line in re.split(r"[\r\n]+", _tail(log))]
    lines = [line for line in lines if line and not _BAR.search(line)]
    words = " | ".join(lines[-5:])
    return words if len(words) <= most else "…" + words[-most:]


def _tail(log: Path, size: int = 8192) -> str:
    try:
        with log.open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - size))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""
