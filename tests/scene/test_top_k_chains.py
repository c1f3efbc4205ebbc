"""TopKChains: the best chains of each room stay, with all they have; the others say what they had."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pytest

from dataflow_ext import OptionError
from dataflow_ext.testing import check_operator
from operators.scene.top_k_chains import TopKChains


def judged(room: str, number: int, points: float, **more: Any) -> dict[str, Any]:
    scores = {"coherence": points - 30, "naturalness": 15.0, "instruction": 10.0, "visual": 5.0}
    return {
        "scene_id": room,
        "id": f"{room}_{number}",
        "chain_id": number,
        "chain": "{}",
        "instruction": "I want a bed.",
        "scores": scores,
        "score": points,
        "judged_by": "geometry",
        "judge_note": "{}",
        **more,
    }


def test_the_best_chains_of_each_room_stay_in_their_order_and_ties_go_by_number() -> None:
    points = {1: 60.0, 2: 70.0, 3: 71.5, 4: 70.0, 5: 69.0}
    rows = [judged(room, number, score) for number, score in points.items() for room in ("R", "S")]
    done = TopKChains(best=2).apply(pa.Table.from_pylist([*rows, judged("T", 9, 40.0)]))
    assert done.table["id"].to_pylist() == ["R_2", "S_2", "R_3", "S_3", "T_9"]
    assert done.rejects["kind"].to_pylist() == ["dropped"] * 6


def test_a_dropped_chain_tells_its_rank_and_scores_and_can_be_looked_at() -> None:
    rows = [judged("R", number, 60.0 + number) for number in range(1, 11)]
    done = TopKChains().apply(pa.Table.from_pylist(rows))
    reject = done.rejects.to_pylist()[5]
    assert reject["message"] == (
        "rank 5 of 10: 66.0 points (coherence 36.0, naturalness 15.0, instruction 10.0, visual 5.0), "
        "the best 3 are kept"
    )
    kept = json.loads(reject["inputs"])
    assert (kept["id"], kept["chain"], kept["score"], kept["judged_by"]) == ("R_6", "{}", 66.0, "geometry")
    (first,) = TopKChains(best=1).apply(pa.Table.from_pylist(rows[:2])).rejects.to_pylist()
    assert first["message"].endswith("the best one is kept")


def test_all_other_columns_of_what_stays_pass_through() -> None:
    rows = [judged("R", number, 60.0 + number, scene=f"room {number}", images=["a.png"]) for number in (1, 2)]
    kept = TopKChains(best=1)(pa.Table.from_pylist(rows)).to_pylist()
    assert [(row["scene"], row["images"], row["scores"]["coherence"]) for row in kept] == [("room 2", ["a.png"], 32.0)]


def test_it_keeps_the_laws_and_a_chain_without_a_score_is_rejected() -> None:
    rows = [*(judged(room, n, 60.0 + n % 3) for room in "RS" for n in range(1, 6)), judged("R", 9, 1.0, score=None)]
    operator, table = TopKChains(best=2), pa.Table.from_pylist(rows)
    assert check_operator(operator, table).num_rows == 4
    assert "column 'score' is null" in operator.apply(table).rejects["message"].to_pylist()


def test_a_score_that_is_no_number_is_no_score() -> None:
    rows = [judged("R", 1, 60.0), judged("R", 2, float("nan")), judged("R", 3, float("inf"))]
    done = TopKChains().apply(pa.Table.from_pylist(rows))
    assert done.table["id"].to_pylist() == ["R_1"]
    assert done.rejects.select(["kind", "message"]).to_pylist() == [
        {"kind": "failed", "message": "The score nan is no number; ChainJudge gives one."},
        {"kind": "failed", "message": "The score inf is no number; ChainJudge gives one."},
    ]


def test_options_are_checked() -> None:
    for options in ({"best": 0}, {"best": "many"}, {"top": 3}):
        with pytest.raises(OptionError):
            TopKChains(**options)
