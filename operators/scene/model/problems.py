"""The problems of a conversation, by their codes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from operators.scene.data import rows

#: Each code and what it says; the number is the law of the format that it is about.
CODES: Mapping[str, str] = {row[0]: row[1] for row in rows("codes.tsv")}


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, under one of :data:`CODES`, in one sentence."""

    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"
