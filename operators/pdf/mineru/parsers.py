"""What a parser from outside is to a document reader: a PDF goes in, MinerU's content list comes out and is kept.

What a user gives for a parser, options, addresses and names of variables, is written to the run's records, and messages
repeat it: none of it may hold a secret. What parsers were when they were last there is noted, so that results that are
kept can be used without them.
"""

from __future__ import annotations

import dataclasses
import json
import logging
import re
import shlex
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError

from dataflow_ext import InputError
from dataflow_ext.files import write_text
from operators.pdf.mineru.content_list import LoadedList, load_content_list

#: Words by which a name says that its value is a secret. Not among them: path, tokenizer, author, max_tokens.
_SECRET = re.compile(
    r"""(?ix)
    secret | credential | bearer | cookie | pwd | header
    | (?<!max[-_]) (?<!max[-_]new[-_]) token (?!i[sz])
    | keys? (?:id)? (?:$|[-_.\d])
    | auth (?:$|[-_.\d]|ori[sz]|ent)
    | pass (?:$|[-_.\d]|w|phrase|code|key)
    | (?:^|[-_.]) pat (?:$|[-_.\d])
    """
)
#: A user name before the host, with or without a password.
_USER = re.compile(r"://[^/\s]*@")
#: Names with values inside a word: an option's own, a header's, those of a query or of JSON.
_NAME = re.compile(r"""[\w.-]+(?=["']?\s*[=:])""")


def says_secret(name: str) -> bool:
    """Whether a variable or an option of this name holds a secret.

    >>> [name for name in ("HF_TOKEN", "apikey", "DB_PASSWD", "max_tokens", "PATH", "authors") if says_secret(name)]
    ['HF_TOKEN', 'apikey', 'DB_PASSWD']
    """
    return _SECRET.search(name) is not None


def split_options(options: Sequence[str]) -> tuple[str, ...]:
    """Options as a command takes them; a secret among them is refused, without being repeated.

    >>> split_options(["--tier=standard", "-b pipeline"])
    ('--tier=standard', '-b', 'pipeline')
    """
    words: list[str] = []
    for option in options:
        try:
            words += shlex.split(option)
        except ValueError:
            raise ValueError("one of the options has an opening quote without a closing one") from None
    for before, word in zip(["", *words], words, strict=False):
        names = [] if "/" in word else [word.partition("=")[0]]  # a file may lie in a folder of any name
        # -H is a header, as with curl.
        if any(map(says_secret, names + _NAME.findall(word))) or word.startswith("-H") or _USER.search(word):
            raise ValueError(
                f"{_told(word, before)} does not belong among the options, which are written to the run's records: "
                "it seems to hold a key or a password"
            )
    return tuple(words)


def _told(word: str, before: str) -> str:
    """The name of the option, and never what may be the secret itself: a word that stands alone, or a value."""
    name = re.match(r"--\w[\w-]*|-\w|[\w-]+(?=[=:](?!//))", word) or re.match(r"--\w[\w-]*$|-\w$", before)
    return name[0] if name else "such a value"


def plain_address(url: str) -> str:
    """A server's address; :class:`ValueError`, which does not repeat it, if it is none or may hold a secret."""
    if "@" in url or "?" in url or "#" in url:
        raise ValueError(
            "--parser-url takes an address without user name, password or query; "
            "put the server's key into a variable and name that with --parser-key-env"
        )
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is none
        sound = False
    if not sound or re.search(r"\s", url):
        raise ValueError("what --parser-url gives is not an address such as http://localhost:8000")
    return url


#: Hears, about once a second, a few words on how far a parser is.
OnProgress = Callable[[str], None]


class ParserError(InputError):
    """A parser gave no content list for a file; ``transient`` unless the file itself is to blame."""

    transient = True

    def __init__(self, message: str, *, transient: bool = True) -> None:
        super().__init__(message)
        self.transient = transient


class ParserMissing(ParserError):
    """The parser is not there at all, so no file of the run can be read with it."""


@runtime_checkable
class PDFParser(Protocol):
    """A program or a server that makes a content list of a PDF."""

    @property
    def name(self) -> str:
        """What people call it: ``mineru``, ``mineru-api``, ``magic-pdf``."""

    def identity(self) -> str:
        """Its kind, version and options, on which the result depends; :class:`ParserMissing` if it is not there."""

    def parse(self, pdf: Path, into: Path, *, pages: Sequence[int] | None, on_progress: OnProgress | None) -> Path:
        """The content list, in a folder of its own below ``into``; made once, found again after that.

        ``pages`` picks pages by index from 0; the list's own page numbers then count among them. Raises
        :class:`ParserError`.
        """


def read_with(
    parser: PDFParser,
    pdf: Path,
    into: Path,
    *,
    file: int = 0,
    pages: Sequence[int] | None = None,
    on_progress: OnProgress | None = None,
) -> LoadedList:
    """The items that the parser finds in a PDF, with the page numbers of the PDF."""
    loaded = load_content_list(parser.parse(pdf, into, pages=pages, on_progress=on_progress), file=file)
    if pages is not None:
        for item in loaded.items:
            item.page = pages[min(item.page, len(pages) - 1)]
    return loaded


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
