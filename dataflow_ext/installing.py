"""What this library is called on the package index, and how an extra of it is installed."""

from __future__ import annotations

import shlex
import sys

#: The distribution; what is imported has names of its own.
DISTRIBUTION = "rowsmith"


def install_hint(extra: str, python: str | None = None) -> str:
    """The command that installs an extra into the environment that runs this.

    ``python`` stands for the interpreter in texts that are kept in data: a path of this machine has no place there.

    >>> install_hint("ocr", python="python")
    "python -m pip install 'rowsmith[ocr]'"
    """
    return f"{python or shlex.quote(sys.executable or 'python')} -m pip install '{DISTRIBUTION}[{extra}]'"
