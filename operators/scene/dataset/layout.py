"""Where the files of a data set lie."""

from __future__ import annotations

import re
from typing import Any

from dataflow_ext.datasets import files
from dataflow_ext.errors import RowError

#: The conversations, the same for ms-swift, and turn by turn for reinforcement learning.
CONVERSATIONS, SWIFT, RL = "conversations.jsonl", "swift.jsonl", "rl.parquet"
NAMES = (CONVERSATIONS, SWIFT, RL)

#: Ids that can name a folder on any system.
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,150}(?<!\.)")


def names_a_folder(id: str) -> bool:
    """Whether an id can be the name of a folder.

    >>> names_a_folder("multi_turn_edit_1_0a1b2c3d"), names_a_folder("../x"), names_a_folder("")
    (True, False, False)
    """
    return _ID.fullmatch(id) is not None


class Unwritable(RowError):
    """A row cannot stand in the data set; ``code`` is one of :data:`operators.scene.model.records.CODES`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code

    def __reduce__(self) -> tuple[type[Unwritable], tuple[str, str]]:
        return Unwritable, (self.code, str(self).removeprefix(f"{self.code}: "))


def line_of(entry: Any) -> str:
    """A value as one line of JSON; Unwritable for what no file could hold."""
    try:
        return files.line_of(entry)
    except files.UnwritableLine as error:
        raise Unwritable("row.shape", str(error)) from None
