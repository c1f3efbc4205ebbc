"""How a run was asked to go, in memory or by parts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from dataflow_ext.errors import NotReadyError
from dataflow_ext.preflight import Preflight
from dataflow_ext.progress import Listener
from dataflow_ext.tracebacks import log


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What all steps of a run are done with; ``ahead`` is what is looked at before the first of them that is."""

    workers: int
    limit: int | None
    fresh: bool
    listener: Listener | None
    ahead: Preflight | None

    @contextmanager
    def telling(self, name: str, rows: int) -> Iterator[list[str]]:
        """Tell listener and log of what is done inside, at its end with the last note in the list."""
        if self.listener is not None:
            self.listener.start(name, rows)
        notes = ["stopped"]
        try:
            yield notes
        except NotReadyError:  # what is missing is told with the step that misses it
            notes.append("not begun")
            raise
        finally:
            log.info("%s: %s", name, notes[-1])
            if self.listener is not None:
                with suppress(OSError):  # a terminal that is gone is no reason to lose the work
                    self.listener.finish(notes[-1])

    def before(self, step: int) -> None:
        """Look at what a step needs that has to be done."""
        if self.ahead is not None:
            self.ahead.before(step)
