"""The argument parser of all commands, and how commands are called in what they say."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

from dataflow_ext.installing import DISTRIBUTION


class CommandParser(argparse.ArgumentParser):
    """A parser whose help keeps its lines, and names commands as this one was called; no flag is abbreviated."""

    def __init__(self, prog: str, *, epilog: str, **options: Any) -> None:
        plain = argparse.RawDescriptionHelpFormatter
        super().__init__(
            as_called(prog), epilog=as_called(epilog), formatter_class=plain, allow_abbrev=False, **options
        )


def as_called(text: str) -> str:
    """A text that names ``python -m`` commands, with ``rowsmith`` in their place if that is what was called.

    >>> as_called("python -m pipelines.pdf_vqa book.pdf")
    'python -m pipelines.pdf_vqa book.pdf'
    """
    if Path(sys.argv[0]).stem != DISTRIBUTION:
        return text
    return re.sub(r"python -m pipelines\.(\w+)", lambda found: f"{DISTRIBUTION} {found[1].replace('_', '-')}", text)
