"""What a command says to the person at the terminal, and the codes that it ends with."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from dataflow_ext.cli.flags import as_called

#: Exit code of a run that left rows undone for a reason that may pass.
STOPPED = 3

#: Exit code of a run whose budget is used up.
SPENT = 4

#: Exit code of a run that made rows, but could not read some of its inputs.
UNREAD = 5


#: Reasons of rejects that are told at a terminal; the page has all of them.
MOST_REASONS = 8


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
