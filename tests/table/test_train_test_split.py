"""TrainTestSplit: shares, episodes on one side, and what must make no difference."""

import hashlib
import json
import logging
from collections import Counter, defaultdict
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataflow_ext import OptionError, check
from dataflow_ext.testing import check_operator
from operators import TrainTestSplit

Key = tuple[str, str, int]

NAMES = st.text("ab\x1f|/é猫", max_size=3)
#: Rounds, no two alike; episodes of any size, down to one.
KEYS = st.lists(st.tuples(NAMES, NAMES, st.integers(-3, 30)), min_size=1, max_size=60, unique=True)
SHARES = st.floats(0.0, 1.0, exclude_max=True)


def splitter(**options: Any) -> TrainTestSplit:
    return TrainTestSplit(by=("device", "episode"), order=("round",), **options)


def rounds(keys: list[Key]) -> pa.Table:
    devices, episodes, numbers = zip(*keys, strict=True) if keys else ([], [], [])
    return pa.table(
        {
            "device": pa.array(devices, pa.string()),
            "episode": pa.array(episodes, pa.string()),
            "round": pa.array(numbers, pa.int64()),
        }
    )


def played(episodes: int, each: int = 3) -> list[Key]:
    return [(f"phone{e % 2}", f"episode_{e:03}", n) for e in range(episodes) for n in range(1, each + 1)]


def divided(operator: TrainTestSplit, keys: list[Key]) -> dict[Key, tuple[str, int]]:
    out = operator(rounds(keys))
    return dict(zip(keys, zip(out["split"].to_pylist(), out["place"].to_pylist(), strict=True), strict=True))


def files(done: dict[Key, tuple[str, int]]) -> dict[str, list[Key]]:
    """The rounds of each side in the order of its file."""
    sides: dict[str, list[tuple[int, Key]]] = defaultdict(list)
    for key, (side, place) in done.items():
        sides[side].append((place, key))
    assert all(sorted(place for place, _ in rows) == list(range(len(rows))) for rows in sides.values())
    return {side: [key for _, key in sorted(rows)] for side, rows in sides.items()}


@pytest.mark.parametrize("method", ["seeded", "hash"])
@pytest.mark.parametrize("episodes", [3, 12])
def test_the_operator_keeps_the_laws(method, episodes):
    keys = [*played(episodes), *played(2)]  # rounds that are there twice are told apart by what else is in the row
    table = rounds(keys).append_column("image", pa.array([f"{n}.png" for n in range(len(keys))]))
    table = pa.concat_tables(
        [table, pa.table({"device": [None], "episode": ["e"], "round": [1], "image": ["x"]}).cast(table.schema)]
    )
    operator = splitter(method=method, test_share=0.4)
    for seed in range(3):
        out = check_operator(operator, table, seed=seed)
        places = {
            side: sorted(out.filter(pa.compute.equal(out["split"], side))["place"].to_pylist())
            for side in ("train", "test")
        }
        assert places == {side: list(range(len(there))) for side, there in places.items()}
    assert operator.apply(table).rejects["message"].to_pylist() == ["column 'device' is null"]


def test_its_columns_are_all_that_it_needs():
    wiring = check([splitter()], {"device": str, "episode": str, "round": int})
    assert wiring.schema.names == ["row_id", "device", "episode", "round", "split", "place"]


def test_a_fifth_of_twenty_episodes_is_four_and_no_episode_is_on_both_sides():
    sides = files(divided(splitter(), played(20)))
    assert {side: len(rows) for side, rows in sides.items()} == {"train": 48, "test": 12}
    assert not {key[:2] for key in sides["train"]} & {key[:2] for key in sides["test"]}


def test_another_seed_gives_other_sides_and_orders_and_the_same_seed_the_same():
    by_seed = [divided(splitter(seed=seed), played(20)) for seed in (0, 0, 1)]
    assert by_seed[0] == by_seed[1] != by_seed[2]
    tests = [files(done)["test"] for done in by_seed]
    assert {key[:2] for key in tests[0]} != {key[:2] for key in tests[2]}


def test_the_order_is_shuffled_in_both_files():
    for method in ("seeded", "hash"):
        sides = files(divided(splitter(method=method, test_share=0.5), played(30)))
        assert all(rows != sorted(rows) for rows in sides.values())


@pytest.mark.parametrize(
    ("method", "train", "test"),
    [
        ("seeded", "5.1 0.1 1.2 1.1 3.1 0.2 3.2 5.2", "4.2 2.2 2.1 4.1"),
        ("hash", "1.1 3.1 1.2 0.1 0.2 3.2", "4.2 5.1 4.1 5.2 2.1 2.2"),
    ],
)
def test_data_sets_of_earlier_versions_can_be_made_again(method, train, test):
    """These orders, episode and round, are what was once written; they must not change."""
    sides = files(
        divided(splitter(method=method, test_share=0.4), [("p", f"e{e}", n) for e in range(6) for n in (1, 2)])
    )
    orders = {side: " ".join(f"{episode[1:]}.{number}" for _, episode, number in rows) for side, rows in sides.items()}
    assert orders == {"train": train, "test": test}


def test_the_hash_decides_by_seed_device_and_episode_as_the_documentation_says():
    done = divided(splitter(method="hash", seed=7, test_share=0.3), played(40, each=1))
    drawn = {key: hashlib.sha256(json.dumps([7, *key[:2]]).encode()).digest() for key in done}
    assert {key: side for key, (side, _) in done.items()} == {
        key: "test" if int.from_bytes(digest[:8]) / 2**64 < 0.3 else "train" for key, digest in drawn.items()
    }


def test_where_no_choice_of_episodes_comes_near_the_share_rounds_are_split_and_the_log_says_so_and_why(caplog):
    with caplog.at_level(logging.WARNING):
        sides = files(divided(splitter(), played(3, each=5)))
    assert {side: len(rows) for side, rows in sides.items()} == {"train": 12, "test": 3}
    assert [record.getMessage() for record in caplog.records] == [
        "TrainTestSplit: no choice of whole groups (there are 3 of equal device and episode) gives a test share near 0.2; "
        "rows are split one by one, so that near copies may stand on both sides and the test may look better than it is. "
        "Collect more groups."
    ]


def test_episodes_of_different_lengths_are_chosen_so_that_the_share_is_close():
    rounds = [("p", f"e{e}", n) for e, many in enumerate((10, 10, 10, 10, 8, 6)) for n in range(many)]
    for seed in range(20):
        sides = files(divided(splitter(seed=seed), rounds))
        assert {side: len(rows) for side, rows in sides.items()} == {"train": 44, "test": 10}
        assert len({key[:2] for key in sides["test"]}) == 1


def test_five_episodes_are_split_by_episode_without_a_word(caplog):
    with caplog.at_level(logging.WARNING):
        sides = files(divided(splitter(), played(5)))
    assert (len({key[:2] for key in sides["test"]}), len(sides["test"]), caplog.records) == (1, 3, [])


def test_one_round_alone_is_for_training_and_the_log_says_that_the_other_side_is_empty(caplog):
    with caplog.at_level(logging.WARNING):
        assert divided(splitter(test_share=0.9), played(1, each=1)) == {("phone0", "episode_000", 1): ("train", 0)}
    assert [record.getMessage() for record in caplog.records][1] == (
        "TrainTestSplit: no row is for test, as there are so few (1) to split with a test share of 0.9; "
        "collect more, or take another seed or share."
    )


def test_a_side_that_the_hash_leaves_empty_is_told_in_the_log(caplog):
    with caplog.at_level(logging.WARNING):
        sides = files(divided(splitter(method="hash", test_share=0.0001), played(3)))
    assert list(sides) == ["train"]
    assert [record.getMessage() for record in caplog.records] == [
        "TrainTestSplit: no row is for test, as there are so few (3) to split with a test share of 0.0001; "
        "collect more, or take another seed or share."
    ]


@pytest.mark.parametrize("method", ["seeded", "hash"])
def test_without_a_share_all_is_for_training_and_nothing_is_told(method, caplog):
    with caplog.at_level(logging.WARNING):
        assert list(files(divided(splitter(test_share=0, method=method), played(3)))) == ["train"]
    assert caplog.records == []


@pytest.mark.parametrize(
    "options", [{"test_share": 1}, {"test_share": -0.1}, {"test_share": float("nan")}, {"method": "random"}]
)
def test_options_out_of_range_are_refused(options):
    with pytest.raises(OptionError, match=f"option '{next(iter(options))}'"):
        splitter(**options)


@given(KEYS, SHARES, st.integers(0, 99))
def test_seeded_each_side_is_there_and_the_share_is_as_close_as_the_episodes_allow(keys, share, seed):
    done = divided(splitter(test_share=share, seed=seed), keys)
    sides = files(done)
    tests = len(sides.get("test", []))
    if share == 0 or len(keys) == 1:
        assert tests == 0
        return
    totals, wanted = {0}, share * len(keys)
    for size in Counter(key[:2] for key in keys).values():
        totals |= {total + size for total in totals}
    off = min((abs(total - wanted) for total in totals - {0, len(keys)}), default=len(keys))
    if off <= 0.1 * len(keys):
        assert not {key[:2] for key in sides["train"]} & {key[:2] for key in sides["test"]}
        assert abs(tests - wanted) == off
    else:
        assert 0 < tests < len(keys) and abs(tests - wanted) <= 1


@given(KEYS, SHARES, st.integers(0, 99), st.sampled_from(["seeded", "hash"]), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_makes_no_difference(keys, share, seed, method, random):
    operator = splitter(test_share=share, seed=seed, method=method)
    mixed = random.sample(keys, len(keys))
    assert divided(operator, keys) == divided(operator, mixed)


@given(KEYS, KEYS, SHARES, st.integers(0, 99))
def test_with_the_hash_rounds_that_come_later_move_no_earlier_one(old, new, share, seed):
    operator = splitter(test_share=share, seed=seed, method="hash")
    before, after = files(divided(operator, old)), files(divided(operator, list(dict.fromkeys([*old, *new]))))
    known = set(old)
    assert before == {side: kept for side, rows in after.items() if (kept := [key for key in rows if key in known])}


@given(KEYS, SHARES, SHARES)
def test_with_the_hash_a_larger_share_takes_the_same_episodes_and_more(keys, one, other):
    small, large = (
        {key[:2] for key in files(divided(splitter(test_share=share, method="hash"), keys)).get("test", [])}
        for share in sorted((one, other))
    )
    assert small <= large


def test_with_the_hash_the_share_is_right_on_average():
    tests = len(files(divided(splitter(method="hash"), played(3000, each=1)))["test"])
    assert 0.17 * 3000 < tests < 0.23 * 3000


def test_names_that_only_differ_in_where_the_device_ends_are_two_episodes():
    sides = [
        divided(splitter(method="hash", seed=s, test_share=0.5), [("a", "bc", 1), ("ab", "c", 1)]) for s in range(20)
    ]
    assert any(len({side for side, _ in done.values()}) == 2 for done in sides)


def test_a_small_share_of_a_single_group_is_taken_row_by_row():
    done = divided(splitter(test_share=0.0625), [("", "", 0), ("", "", 1)])
    assert {side: len(rows) for side, rows in files(done).items()} == {"train": 1, "test": 1}
