"""Which rows a model is asked about at all."""

from __future__ import annotations

from collections.abc import Iterable

from operators.onevision.codes import EFFECT
from operators.onevision.records import Check


def worth_asking(checks: Iterable[Check]) -> bool:
    """Whether a model's word could still matter: no check has dropped the row, and it has a reasoning.

    >>> worth_asking([Check("code.parses", "failed"), Check("answer.gold", "passed")])
    True
    >>> worth_asking([Check("answer.gold", "failed")]), worth_asking([Check("rewrite.insufficient", "failed")])
    (False, False)
    """
    failed = {check.code for check in checks if check.state == "failed"}
    return "rewrite.insufficient" not in failed and not any(EFFECT.get(code) == "drop" for code in failed)
