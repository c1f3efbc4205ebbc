"""What a user gives for a parser: options, addresses and names of variables, none of which may hold a secret.

All of it is written to the run's records, and messages repeat it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from urllib.parse import urlsplit

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
