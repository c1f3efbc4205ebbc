"""The log of a command's runs: its steps with their times, warnings, and the first traceback of each kind of error."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from dataflow_ext.models.masking import masked
from dataflow_ext.tracebacks import log
from dataflow_ext.well_formed import well_formed

#: The log's name in a run's folder, and the bytes from which on it begins anew; the one before is kept beside it.
NAME, _MOST = "run.log", 1_000_000

#: Variables of the environment whose values stand in no log.
_SECRET = re.compile(r"(?i)key|token|secret|passw|credential")


@contextmanager
def logged(folder: Path, secrets: tuple[str, ...] = ()) -> Iterator[None]:
    """Write what happens inside into the folder's log: the run's steps, and all warnings of this process.

    The values of variables that are called like secrets, and of those named in ``secrets``, are masked.
    """
    named = {value for name, value in os.environ.items() if _SECRET.search(name) or name in secrets}
    handler = _Log(folder / NAME, named)
    level, propagate = log.level, log.propagate
    root = logging.getLogger()
    log.setLevel(logging.INFO)
    log.propagate = False
    log.addHandler(handler)
    root.addHandler(handler)
    try:
        yield
    except BaseException:
        log.info("ended by an error", exc_info=True)
        raise
    finally:
        root.removeHandler(handler)
        log.removeHandler(handler)
        log.setLevel(level)
        log.propagate = propagate
        handler.close()


class _Log(RotatingFileHandler):
    """A file that is its owner's alone, without secrets; one that cannot be written is no reason to stop."""

    def __init__(self, path: Path, secrets: set[str]) -> None:
        super().__init__(path, maxBytes=_MOST, backupCount=1, encoding="utf-8", delay=True)
        self._secrets = secrets
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))

    def format(self, record: logging.LogRecord) -> str:
        text = well_formed(super().format(record))
        for secret in self._secrets:
            text = masked(text, secret)
        return text

    def handleError(self, record: logging.LogRecord) -> None:
        pass

    def _open(self) -> TextIOWrapper:
        file = os.open(self.baseFilename, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        return os.fdopen(file, "a", encoding="utf-8")
