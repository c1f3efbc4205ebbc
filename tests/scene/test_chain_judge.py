"""ChainJudge: worse chains get less, whoever judges gives points in range, and unjudged is not judged."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataflow_ext import run
from dataflow_ext.models import OpenAIModel, ScriptedModel
from dataflow_ext.testing import check_operator
from operators.scene.chain_judge import ChainJudge
from operators.scene.model.chain import Chain
from prompts import SceneJudgePrompt
from tests.loopback import Body, Loopback
from tests.scene.built_chains import BED, CHAIR, DESK, LAMP, WARDROBE, Building, furnished, good

PNG = bytes.fromhex("89504e470d0a1a0a")
VERDICT = {"comment": "Large things first.", "coherence": 35, "naturalness": 30.5, "instruction": 15, "visual": 8}


def row(chain: Chain, instruction: str = "I want a bedroom with a bed and a desk.", **more: Any) -> dict[str, Any]:
    return {"chain": chain.text(), "instruction": instruction, **more}


def judged(*rows: dict[str, Any]) -> list[dict[str, Any]]:
    return ChainJudge()(pa.Table.from_pylist(list(rows))).to_pylist()


def points(chain: Chain, instruction: str = "I want a bedroom.") -> float:
    return float(judged(row(chain, instruction))[0]["score"])


def pictures(folder: Path, count: int) -> list[str]:
    for number in range(count):
        (folder / f"{number}.png").write_bytes(PNG + bytes([number]))
    return [str(folder / f"{number}.png") for number in range(count)]


def test_a_chain_without_a_fault_has_all_points_and_its_measures_beside_them() -> None:
    (found,) = judged(row(good()))
    assert (found["score"], found["judged_by"]) == (100.0, "geometry")
    assert found["scores"] == {"coherence": 40.0, "naturalness": 35.0, "instruction": 15.0, "visual": 10.0}
    assert json.loads(found["judge_note"]) == {
        "overlap": 0.0, "outside": 0.0, "unclear": 0.0, "order": 1.0, "idle": 0.0, "travel": 0.0, "uneven": 0.0,
        "asked": 2, "missing": 0,
    }  # fmt: skip


def reversed_sizes() -> Chain:
    built = Building()
    for piece in (LAMP, CHAIR, DESK, BED, WARDROBE):
        built.turn(built.add(piece))
    return built.chain()


def with_calls(*calls: Callable[[Building], Any]) -> Chain:
    """The good chain with further turns before its last object."""
    built = Building()
    for piece in (WARDROBE, BED, DESK, CHAIR):
        built.turn(built.add(piece))
    for call in calls:
        built.turn(call(built))
    return built.turn(built.add(LAMP)).chain()


WORSE: dict[str, Callable[[], Chain]] = {
    "sizes in reverse order": reversed_sizes,
    "there and back": lambda: with_calls(
        lambda b: b.move(CHAIR, [1.0, 0.0, 1.0]), lambda b: b.move(CHAIR)
    ),
    "into another object for a turn": lambda: with_calls(
        lambda b: b.move(CHAIR, [-1.8, 0.0, 0.6]), lambda b: b.move(CHAIR)
    ),
    "out of the room for a turn": lambda: with_calls(
        lambda b: b.move(CHAIR, [-2.6, 0.0, 1.2]), lambda b: b.move(CHAIR)
    ),
    "put in vain": lambda: with_calls(
        lambda b: b.add(("x", "A small stool", [0.4, 0.4, 0.4], [1.0, 0.0, 1.0])),
        lambda b: b.remove(("x", "", [], [])),
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", WORSE)
def test_a_chain_that_is_made_worse_on_purpose_has_fewer_points(fault: str) -> None:
    assert points(WORSE[fault]()) < points(good())


def test_a_fault_that_is_greater_costs_more() -> None:
    def into_the_desk(*depths: float) -> Chain:
        moves = [lambda b, d=d: b.move(CHAIR, [-1.8, 0.0, 1.05 - d]) for d in depths]
        return with_calls(*moves, lambda b: b.move(CHAIR))

    got = [points(into_the_desk(0.1)), points(into_the_desk(0.3)), points(into_the_desk(0.3, 0.29))]
    assert got == sorted(got, reverse=True)
    assert len(set(got)) == 3


@settings(max_examples=25, deadline=None)
@given(
    st.permutations([WARDROBE, BED, DESK, CHAIR, LAMP]),
    st.lists(st.tuples(st.integers(0, 4), st.floats(-4, 4), st.floats(-4, 4)), max_size=4),
)
def test_all_points_are_in_range_and_the_same_chain_always_gets_the_same(
    pieces: list[Any], moves: list[tuple[int, float, float]]
) -> None:
    built = Building()
    for piece in pieces:
        built.turn(built.add(piece))
    for which, x, z in moves:
        built.turn(built.move(pieces[which % len(pieces)], [round(x, 2), 0.0, round(z, 2)]))
    first, again = judged(row(built.chain()), row(built.chain()))
    assert (first["scores"], first["score"]) == (again["scores"], again["score"])
    scores = first["scores"]
    assert [0 <= scores[name] <= most for name, most in MOST.items()] == [True] * 4
    assert first["score"] == round(sum(scores.values()), 2)


MOST = {"coherence": 40, "naturalness": 35, "instruction": 15, "visual": 10}


def test_what_is_asked_for_and_not_there_costs_points() -> None:
    wanted = "I need a bed, a desk, a sofa and a bathtub."
    assert points(good(), wanted) == points(good()) - 7.5


def test_a_chain_from_a_furnished_room_is_judged_too() -> None:
    built = Building(furnished(BED, CHAIR))
    built.turn(built.remove(CHAIR))
    assert points(built.chain(), "Please take the chair out.") == 100.0


def test_it_keeps_the_laws_and_what_is_no_chain_is_a_reject() -> None:
    add = Building().add(BED)
    broken = Chain(Building().start, [[add], []], {})
    table = pa.Table.from_pylist(
        [row(good()), row(reversed_sizes()), row(broken), row(good()) | {"chain": "{"}, row(good()) | {"chain": "[]"}]
    )
    assert check_operator(ChainJudge(), table).num_rows == 2
    messages = ChainJudge().apply(table).rejects["message"].to_pylist()
    assert messages[0].startswith("The chain cannot be replayed: ")
    assert [each.startswith("The column 'chain' holds no chain of edits (") for each in messages[1:]] == [True, True]


def test_the_model_is_told_the_rubric_first_and_then_every_call_and_picture(tmp_path: Path) -> None:
    model = ScriptedModel([json.dumps(VERDICT)])
    files = pictures(tmp_path, 6)
    (found,) = ChainJudge(model=model, seed=3)(pa.Table.from_pylist([row(good(), images=files)])).to_pylist()
    (call,) = model.calls
    assert (call.system, call.images, call.seed) == (SceneJudgePrompt().text, tuple(files), 3)
    assert call.json_schema is not None
    assert list(call.json_schema["properties"]) == ["comment", *MOST]  # type: ignore[call-overload]
    for turn in good().turns:
        for each in turn:
            assert json.dumps(each, separators=(",", ":")) in call.prompt
    assert "I want a bedroom with a bed and a desk." in call.prompt
    assert "6 pictures: picture 0 is the room at the start, picture 5 the finished room" in call.prompt
    assert found["scores"] == {"coherence": 35.0, "naturalness": 30.5, "instruction": 15.0, "visual": 8.0}
    assert (found["score"], found["judged_by"], found["judge_note"]) == (88.5, "scripted", "Large things first.")


def test_a_furnished_start_is_shown_in_full(tmp_path: Path) -> None:
    model = ScriptedModel([json.dumps(VERDICT)])
    built = Building(furnished(BED, CHAIR))
    built.turn(built.remove(CHAIR))
    ChainJudge(model=model)(pa.Table.from_pylist([row(built.chain(), images=pictures(tmp_path, 2))]))
    assert '{"jid":"c","desc":"A black metal chair","pos":[-1.8,0.0,1.2],"size":[0.5,0.9,0.5]' in model.calls[0].prompt


BAD = {
    "out of range": (json.dumps({**VERDICT, "coherence": 41}), "less than or equal to 40"),
    "below 0": (json.dumps({**VERDICT, "visual": -1}), "greater than or equal to 0"),
    "a dimension missing": (json.dumps({k: v for k, v in VERDICT.items() if k != "visual"}), "at visual"),
    "points as words": (json.dumps({**VERDICT, "visual": "eight"}), "at visual"),
    "yes for points": (json.dumps({**VERDICT, "visual": True}), "at visual"),
    "no number": ('{"comment": "", "coherence": NaN, "naturalness": 1, "instruction": 1, "visual": 1}', "coherence"),
    "prose": ("A fine chain, 90 points.", "JSON"),
}  # fmt: skip


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_reply_is_asked_for_once_more_with_what_is_wrong(bad: str, tmp_path: Path) -> None:
    text, told = BAD[bad]
    model = ScriptedModel([text, json.dumps(VERDICT)])
    made = ChainJudge(model=model)(pa.Table.from_pylist([row(good(), images=pictures(tmp_path, 6))]))
    assert made["score"].to_pylist() == [88.5]
    assert told in model.calls[1].follow_up[1]


@pytest.mark.parametrize("bad", BAD)
def test_a_chain_whose_replies_stay_bad_is_a_reject_and_has_no_score(bad: str, tmp_path: Path) -> None:
    model = ScriptedModel([BAD[bad][0]] * 3)
    done = ChainJudge(model=model).apply(pa.Table.from_pylist([row(good(), images=pictures(tmp_path, 6))]))
    (reject,) = done.rejects.to_pylist()
    assert (done.table.num_rows, len(model.calls), reject["error"]) == (0, 2, "UnreadableReplyError")
    assert json.loads(reject["inputs"])["reply"] == BAD[bad][0]


def test_a_models_own_sum_is_not_taken(tmp_path: Path) -> None:
    model = ScriptedModel([json.dumps({**VERDICT, "total": 100, "score": 99})])
    made = ChainJudge(model=model)(pa.Table.from_pylist([row(good(), images=pictures(tmp_path, 6))]))
    assert made["score"].to_pylist() == [88.5]


def test_a_chain_with_too_few_pictures_is_not_shown(tmp_path: Path) -> None:
    model = ScriptedModel([json.dumps(VERDICT)])
    rows = [row(good(), images=pictures(tmp_path, 5)), row(good(), images=pictures(tmp_path, 6))]
    done = ChainJudge(model=model).apply(pa.Table.from_pylist(rows))
    assert done.rejects["message"].to_pylist() == ["The chain has 5 pictures, not 6: one before each turn."]
    assert (done.table.num_rows, len(model.calls)) == (1, 1)


def test_pictures_are_read_only_if_a_model_looks_at_them(tmp_path: Path) -> None:
    assert list(ChainJudge().needed_inputs()) == ["chain", "instruction"]
    assert list(ChainJudge(model=ScriptedModel([])).needed_inputs()) == ["chain", "instruction", "images"]
    files = pictures(tmp_path, 6)
    table = pa.Table.from_pylist(
        [row(good(), images=files), row(reversed_sizes(), images=files), row(good(), images=[])]
    )
    assert check_operator(ChainJudge(model=ScriptedModel({"Turn 1": json.dumps(VERDICT)})), table).num_rows == 2


def test_by_a_server_a_chain_is_paid_for_once_and_its_pictures_are_sent(tmp_path: Path) -> None:
    def brain(body: Body) -> str:
        parts = body["messages"][1]["content"]
        shown = [part for part in parts if part["type"] == "image_url"]
        return json.dumps({**VERDICT, "visual": len(shown)})

    table = pa.Table.from_pylist([row(good(), images=pictures(tmp_path, 6))])
    with Loopback(brain) as server:
        operator = ChainJudge(model=OpenAIModel(name="judge", base_url=server.url))
        first = run([operator], table, cache_dir=tmp_path / "cache")
        again = run([operator], table, cache_dir=tmp_path / "cache")
        assert server.received == 1
    assert first.table.select(["score", "judged_by"]).to_pylist() == [{"score": 86.5, "judged_by": "judge"}]
    assert again.table.equals(first.table)
