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
#: The names in an address's query.
_QUERY = re.compile(r"[?&;]([\w.-]+)=")


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
        name = re.split("[=:]", word, maxsplit=1)[0]
        if says_secret(name) or name.startswith("-H"):  # -H as curl has it, for a header
            # A word that stands alone may be the secret itself.
            told = name if name != word or word.startswith("-") else "such a value"
            raise ValueError(f"{told} does not belong among the options, which are written to the run's records")
        if _USER.search(word) or any(says_secret(key) for key in _QUERY.findall(word)):
            told = next((one for one in (word.partition("=")[0], before) if "://" not in one and one), "an option")
            raise ValueError(
                f"{told} has an address with a user name, a password or a key, "
                "which does not belong among the options: they are written to the run's records"
            )
    return tuple(words)


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
