"""What can be wrong with a sample: one code a rule, the same for generating and for checking files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dataflow_ext.text import rows

#: Every code and the rule that it stands for. Codes are public: scripts count by them.
CODES = {row[0]: row[1] for row in rows(__package__, "codes.tsv")}


@dataclass(frozen=True, slots=True)
class Problem:
    """One rule that a sample breaks: its code, and where and what in one sentence.

    A ``warning`` counts as an error under ``--strict`` only.
    """

    code: str
    message: str
    level: Literal["error", "warning"] = "error"

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"There is no code {self.code}.")

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"
