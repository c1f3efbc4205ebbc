"""The local checks of a row, each in a module of its own, in the order of their codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from operators.onevision.checking.answers import answer_checks
from operators.onevision.checking.describing import description_checks, picture_check
from operators.onevision.checking.material import Material
from operators.onevision.checking.noise import copying_checks, gibberish_check, language_check
from operators.onevision.checking.numbers import equation_check, number_check
from operators.onevision.checking.phrases import phrase_checks
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
    equations = equations_in(material.thinking) if material.thinking else []
    made = [
        *description_checks(material),
        *answer_checks(material),
        picture_check(material),
        *copying_checks(material),
        gibberish_check(material),
        language_check(material),
        *phrase_checks(material),
        number_check(material, equations),
        equation_check(material, equations),
    ]
    by_code = {check.code: check for check in made}
    return [by_code[code] for code in LOCAL]
