"""What a command says to the person at the terminal, in its help too, and the codes that it ends with."""

from __future__ import annotations

import argparse
import logging
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from dataflow_ext.packages import DISTRIBUTION

#: Exit code of a run that left rows undone for a reason that may pass.
STOPPED = 3

#: Exit code of a run whose budget is used up.
SPENT = 4

#: Exit code of a run that made rows, but could not read some of its inputs.
UNREAD = 5

#: Reasons of rejects that are told at a terminal; the page has all of them.
MOST_REASONS = 8


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


def tell_rejects(reasons: Sequence[Mapping[str, Any]]) -> None:
    """Say why rows are rejected, the most frequent reasons first, each with an example.

    ``reasons`` are those of :func:`dataflow_ext.report.rejects.by_reason`.
    """
    for each in reasons[:MOST_REASONS]:
        what = "left out" if each["kind"] == "dropped" else "rejected"
        say(f"{what}: {each['count']} {each['error']} ({each['operator']}), such as: {each['example']}")


def say(text: str) -> None:
    """One line for the person at the terminal, and in the run's log if there is one."""
    logging.getLogger("dataflow_ext.run").info("%s", text)
    with suppress(OSError, ValueError):  # a terminal that is gone is no reason to lose the work
        sys.stderr.write(as_called(text) + "\n")
        sys.stderr.flush()
