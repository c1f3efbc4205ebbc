"""The equations that texts claim: true ones are never called false, wrong ones mostly are."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from operators.verify.arithmetic import equations_in


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
def test_wrong_arithmetic_never_holds_throughout_and_mostly_fails_where_it_stands_in_signs(name: str) -> None:
    _, wrong = SETS[name]
    found = {text: [equation.holds for equation in equations_in(text)] for text in wrong}
    assert [text for text, holds in found.items() if holds and all(holds)] == []
    signs = [holds for text, holds in found.items() if any(sign in text for sign in "=≈\\")]
    assert sum(False in holds for holds in signs) >= 0.84 * len(signs)


def test_a_chain_gives_its_pairs() -> None:
    found = equations_in("Weight: W = 6kg * 9.8 m/s² = 58.8 N ≈ 59 N.")
    assert [(e.left, e.relation, e.right, e.holds) for e in found] == [
        ("6kg * 9.8 m/s²", "=", "58.8 N", True),
        ("58.8 N", "≈", "59 N", True),
    ]


def test_names_and_words_are_not_read() -> None:
    assert equations_in("m = 6 kg and g = 9.8 m/s². T = m*g = 68.8 N. Three plus four equals nine.") == []


def test_names_alone_are_no_equations() -> None:
    assert equations_in("T = 58.8 N and 2x + 3 = 15, so AB = CD.") == []


def test_places_are_those_of_the_text_as_written() -> None:
    (found,) = equations_in("所以６×９＝５４。")
    assert (found.text, found.left, found.right, found.holds) == ("６×９＝５４", "６×９", "５４", True)
