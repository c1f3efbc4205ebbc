"""The Batch API of a server on this machine, with switches for its failures."""

from typing import Any

from tests import loopback
from tests.support.batch_api.batches import BatchApi

__all__ = ["BatchApi", "Loopback"]


class Loopback(loopback.Loopback):
    """A loopback server that has files and batches, too: those of ``batch``."""

    def __init__(self, *args: Any, batch: BatchApi | None = None, **options: Any) -> None:
        self.batch = batch or BatchApi()
        super().__init__(*args, more=self.batch, **options)

    @property
    def batch_calls(self) -> list[loopback.Call]:
        """The calls about files and batches."""
        return self.more_calls
