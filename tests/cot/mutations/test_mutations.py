"""Each damage is caught by its own code, and no honest sample is blamed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from operators.cot.problems import CODES
from tests.cot.mutations import (
    of_anchors,
    of_choices,
    of_closings,
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
from tests.cot.mutations.damage import Bench, Damage, found
from tests.cot.mutations.good import EXAMPLES, make
from tests.cot.mutations.honest import HONEST, Honest, varied
from tests.cot.mutations.odd_plans import PLANS, write_items

SUITES = (
    of_lines, of_shapes, of_field_forms, of_fields, of_choices, of_closings, of_flaws, of_evidence, of_turns, of_anchors, of_leaks, of_words,
)  # fmt: skip
#: What any damage may come with: another answer, or another end, is not what the last sentence, or it alone, names.
FOLLOWING = {"closing.rival", "closing.gold", "closing.early"}
DAMAGES: list[Damage] = [damage for suite in SUITES for damage in suite.DAMAGES]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    base = tmp_path_factory.mktemp("mutations")
    shutil.copytree(EXAMPLES, base / "root")  # so that copies of it can be made of links
    good = make(base / "root", base / "good")
    return Bench(good, base)


def test_the_good_set_has_every_task_and_no_problem(bench: Bench):
    assert sorted(bench.good.samples) == list(range(28, 43))
    assert found(bench.good.root, bench.scratch / "good") == set()


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.name)
def test_a_damage_is_caught_by_its_own_code(damage: Damage, bench: Bench):
    for which in damage.of:
        codes = found(*bench.damaged(damage, which))
        assert codes & damage.codes, f"{which} was found to have {sorted(codes)}"
        assert codes - FOLLOWING <= damage.codes | damage.also, f"{which} was found to have {sorted(codes)}"


@pytest.mark.parametrize("honest", HONEST, ids=lambda honest: honest.name)
def test_an_honest_variation_is_not_blamed(honest: Honest, bench: Bench):
    for which in honest.of:
        assert found(*varied(honest, which, bench)) == set()


def test_no_plan_with_odd_names_is_blamed(tmp_path: Path):
    write_items(tmp_path / "root", list(PLANS))
    made = make(tmp_path / "root", tmp_path / "cot")
    items = {sample["meta"]["source_path"].partition("/")[0] for samples in made.samples.values() for sample in samples}
    assert items == set(PLANS)
    # All recoveries of these plans are of one build, so that one label is nearly always right.
    assert found(made.root, tmp_path / "cot") == {"set.labels"}


def test_the_damages_are_many_and_cover_every_code():
    names = [damage.name for damage in DAMAGES]
    assert len(set(names)) == len(names)
    assert len(names) >= 200
    of_many = {"set.letters", "set.labels", "set.shortcut", "set.boilerplate"}  # of twenty samples: dataset/test_whole
    assert set(CODES) - {code for damage in DAMAGES for code in damage.codes} == of_many
