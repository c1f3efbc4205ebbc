"""What a command says to the person at the terminal, and the codes that it ends with."""

from __future__ import annotations

import logging
import sys
from contextlib import suppress

from dataflow_ext.cli.flags import as_called

#: Exit code of a run that left rows undone for a reason that may pass.
STOPPED = 3

#: Exit code of a run whose budget is used up.
SPENT = 4

#: Exit code of a run that made rows, but could not read some of its inputs.
UNREAD = 5


def say(text: str) -> None:
    """One line for the person at the terminal, and in the run's log if there is one."""
    logging.getLogger("dataflow_ext.run").info("%s", text)
    with suppress(OSError, ValueError):  # a terminal that is gone is no reason to lose the work
        sys.stderr.write(as_called(text) + "\n")
        sys.stderr.flush()
