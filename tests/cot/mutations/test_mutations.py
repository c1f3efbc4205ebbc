"""Each damage is caught by its own code, and no honest sample is blamed."""

from __future__ import annotations

from pathlib import Path

import pytest

from operators.cot.problems import CODES
from tests.cot.mutations import (
    of_choices,
    of_evidence,
    of_field_forms,
    of_fields,
    of_flaws,
    of_leaks,
    of_lines,
    of_shapes,
    of_turns,
    of_words,
)
from tests.cot.mutations.damage import Damage, damaged, found
from tests.cot.mutations.good import EXAMPLES, GoodSet, linked_examples, make

SUITES = (
    of_lines, of_shapes, of_field_forms, of_fields, of_choices, of_flaws, of_evidence, of_turns, of_leaks, of_words,
)  # fmt: skip
DAMAGES: list[Damage] = [damage for suite in SUITES for damage in suite.DAMAGES]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> GoodSet:
    base = tmp_path_factory.mktemp("mutations")
    return make(linked_examples(EXAMPLES, base / "root"), base / "good")


def test_the_good_set_has_every_task_and_no_problem(good: GoodSet):
    assert sorted(good.samples) == list(range(28, 43))
    assert found(good.root, good.root.parent / "good") == set()


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.name)
def test_a_damage_is_caught_by_its_own_code(damage: Damage, good: GoodSet, tmp_path: Path):
    for n, which in enumerate(damage.of):
        codes = found(*damaged(damage, which, good, tmp_path / str(n)))
        assert codes & damage.codes, f"{which} was found to have {sorted(codes)}"
        assert codes <= damage.codes | damage.also, f"{which} was found to have {sorted(codes)}"


def test_the_damages_are_many_and_cover_every_code():
    names = [damage.name for damage in DAMAGES]
    assert len(set(names)) == len(names)
    assert len(names) >= 200
    assert set(CODES) - {code for damage in DAMAGES for code in damage.codes} == set()
