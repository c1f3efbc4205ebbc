"""What parsers were when they were last there, so that results that are kept can be used without them."""

from __future__ import annotations

import dataclasses
import json
import logging
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from dataflow_ext.files import write_text
from operators.pdf.mineru.parsers import ParserError

_log = logging.getLogger(__name__)

#: The file of a folder that says it.
_FILE = "parsers.json"

T = TypeVar("T")


def recalled(memory: Path | None, parser: str, kind: type[T]) -> T | None:
    """What was noted of a parser, None if that is nothing, or nothing that can be used."""
    with suppress(ValidationError):
        return TypeAdapter(kind).validate_python(_all(memory).get(parser))
    return None


def note(memory: Path | None, parser: str, found: Any) -> None:
    """Note what a parser is, a dataclass; a folder that cannot be written to is no reason to stop."""
    known, told = _all(memory), json.loads(json.dumps(dataclasses.asdict(found), default=str))
    if memory is None or known.get(parser) == told:
        return
    with suppress(OSError):
        text = json.dumps({**known, parser: told}, ensure_ascii=False, indent=1, sort_keys=True)
        write_text(memory / _FILE, text + "\n")


def warn(error: ParserError, version: str) -> None:
    """Say that a parser is not there and that what it made before is used."""
    _log.warning("%s Until then, the results that are kept of version %s are used.", error, version)


def _all(memory: Path | None) -> dict[str, Any]:
    if memory is None:
        return {}
    try:
        told = json.loads((memory / _FILE).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}
