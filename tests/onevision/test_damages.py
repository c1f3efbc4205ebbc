"""Damages: each changes what it says, and nothing else."""

import random

import pytest

from operators.onevision.damages import DAMAGES, changed_number, other_number
from tests.onevision.checking.example_rows import example_rows

ROWS = example_rows()
CHANGED = {
    "wrong conclusion": {"original_conclusion"},
    "wrong conclusion, told": {"original_conclusion", "original_reasoning"},
    "another picture": {"picture_key"},
    "invented, in both texts": {"original_caption", "original_reasoning"},
}


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damage_changes_its_columns_and_no_others(kind):
    made = 0
    for row in ROWS:
        before = dict(row)
        damaged = DAMAGES[kind](row, ROWS, random.Random(row["id"]))
        assert row == before
        if damaged is None:
            continue
        made += 1
        changed = {name for name in row if damaged[name] != row[name]}
        assert changed and changed <= CHANGED.get(kind, {"original_reasoning"})
    assert made >= 30


def test_a_false_step_does_not_hold_and_a_flipped_relation_is_the_opposite():
    row = ROWS[0] | {"original_reasoning": "The left bar has 60, the other 15, and 60 - 15 = 45."}
    false = DAMAGES["false step"](row, ROWS, random.Random(1))["original_reasoning"]
    assert false.startswith("The left bar has 60, the other 15, and 60 - 15 = ") and not false.endswith(" 45.")
    flipped = DAMAGES["flipped relation"](row, ROWS, random.Random(1))["original_reasoning"]
    assert flipped == row["original_reasoning"].replace("left", "right")


def test_a_changed_number_is_one_number():
    text = "Step 1: 6 kg and 14 kg hang on 2 ropes; 6 × 9.8 = 58.8."
    for seed in range(50):
        words = changed_number(text, random.Random(seed)).split()
        assert sum(one != two for one, two in zip(words, text.split(), strict=True)) == 1


def test_trivial_numbers_stay():
    assert changed_number("Step 4: the 3 sides and 180° of 100 %.", random.Random(1)) is None


def test_another_number_is_another_number():
    for seed in range(100):
        for written in ("6", "58.8", "2021", "0.5"):
            assert float(other_number(written, random.Random(seed))) not in (float(written), 0)
