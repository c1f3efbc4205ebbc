"""The equations that texts claim: true ones are never called false, wrong ones mostly are."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from operators.verify.expressions import equations_in


def _module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CLAIMS, UNSEEN = _module("claims"), _module("claims_unseen")
SETS = {"written first": CLAIMS.sentences(), "written later": CLAIMS.sentences(UNSEEN.PAIRS, UNSEEN.TRAPS)}


@pytest.mark.parametrize("name", SETS)
def test_no_honest_sentence_fails(name: str) -> None:
    honest, _ = SETS[name]
    assert [text for text in honest if any(equation.holds is False for equation in equations_in(text))] == []


@pytest.mark.parametrize("name", SETS)
def test_wrong_arithmetic_fails_nearly_always_and_never_holds_throughout(name: str) -> None:
    _, wrong = SETS[name]
    found = [[equation.holds for equation in equations_in(text)] for text in wrong]
    assert [text for text, holds in zip(wrong, found, strict=True) if holds and all(holds)] == []
    assert sum(False in holds for holds in found) >= 0.93 * len(wrong)


def test_a_chain_gives_its_pairs() -> None:
    found = equations_in("Weight: W = 6kg * 9.8 m/s² = 58.8 N ≈ 59 N.")
    assert [(e.left, e.relation, e.right, e.holds) for e in found] == [
        ("6kg * 9.8 m/s²", "=", "58.8 N", True),
        ("58.8 N", "≈", "59 N", True),
    ]


def test_names_with_one_value_in_the_text_are_replaced() -> None:
    given = "m = 6 kg and g = 9.8 m/s². "
    assert [e.holds for e in equations_in(given + "T = m*g = 58.8 N.")] == [True]
    assert [e.holds for e in equations_in(given + "T = m*g = 68.8 N.")] == [False]
    assert equations_in(given + "For the other m = 5 kg. T = m*g = 68.8 N.") == []


def test_names_alone_are_no_equations() -> None:
    assert equations_in("T = 58.8 N and 2x + 3 = 15, so AB = CD.") == []


def test_places_are_those_of_the_text_as_written() -> None:
    (found,) = equations_in("所以６×９＝５４。")
    assert (found.text, found.left, found.right, found.holds) == ("６×９＝５４", "６×９", "５４", True)
