"""The local checks of a row, each in a module of its own, in the order of their codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from operators.onevision.checking.answers import answer_checks, ending_check, reached_check
from operators.onevision.checking.descriptions import description_checks, picture_check
from operators.onevision.checking.material import Material
from operators.onevision.checking.numbers import equation_check, number_check
from operators.onevision.checking.reasoning import (
    copying_check,
    gibberish_check,
    insufficient_check,
    language_check,
    length_check,
    phrase_checks,
)
from operators.onevision.model.records import CODES, Check
from operators.verify.arithmetic import equations_in

#: The codes of the checks that need no model.
LOCAL = tuple(code for code in CODES if not code.startswith(("blind.", "judge.")))


def checks_of(row: Mapping[str, Any]) -> list[Check]:
    """Every local check of a row (columns as in FINISHED, without its verdict), in the order of the codes.

    A check that has nothing to look at is "not run"; where there is no reasoning, that is all of ``rewrite.*`` but
    ``rewrite.insufficient``.
    """
    material = Material.of(row)
    made = [
        *description_checks(material),
        *answer_checks(material),
        picture_check(material),
        insufficient_check(material),
    ]
    if (thinking := material.thinking) is not None:
        equations = equations_in(thinking)
        made += [
            ending_check(material, thinking),
            reached_check("rewrite.reached", material, thinking),
            length_check(material, thinking),
            copying_check(material, thinking),
            gibberish_check(material, thinking),
            language_check(material, thinking),
            *phrase_checks(material, thinking),
            number_check(material, thinking, equations),
            equation_check(equations),
        ]
    by_code = {check.code: check for check in made}
    return [by_code.get(code) or Check(code, "not run", "there is no reasoning") for code in LOCAL]
