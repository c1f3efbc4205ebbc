"""Whether the equations of the reasoning hold."""

from __future__ import annotations

from collections.abc import Sequence

from operators.onevision.checking.material import Material
from operators.onevision.checking.words import quoted
from operators.onevision.model.records import Check
from operators.verify.arithmetic import Equation

_CODE = "rewrite.equation"


def equation_check(row: Material, equations: Sequence[Equation]) -> Check:
    """The check of the numeric equations that the reasoning claims."""
    if row.thinking is None:
        return Check(_CODE, "not run", "there is no reasoning")
    for equation in equations:
        if equation.holds is False:
            return Check(_CODE, "failed", f"{quoted(equation.text)} does not hold")
    return Check(_CODE, "passed", f"{len(equations)} equations" if equations else "it has no equations")
