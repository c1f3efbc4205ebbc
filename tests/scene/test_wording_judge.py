"""WordingJudge: what a judge rejects is put from its claims by code, and unjudged is not judged."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cache, partial
from typing import Any

import pyarrow as pa
import pytest

from dataflow_ext.models import Request, ScriptedModel
from dataflow_ext.testing import check_operator
from operators.scene.claims.world import RoomWorld
from operators.scene.cot_generator import SceneCoTGenerator
from operators.scene.model.records import Claimed, TurnText
from operators.scene.reasoning.english import proven_again
from operators.scene.reasoning.turn import turns_of
from operators.scene.reasoning.voice import stated
from operators.scene.wording_judge import WordingJudge
from tests.scene.finished import CHAIN


@cache
def written() -> dict[str, Any]:
    """A row with texts, as if a model had written them."""
    row = {"row_id": "a", "id": "a", "chain": CHAIN.text(), "instruction": "I want a calm bedroom."}
    (made,) = SceneCoTGenerator()(pa.Table.from_pylist([row])).to_pylist()
    return {**made, "text_by": "writer", "wording": "not judged"}


def table(**changes: Any) -> pa.Table:
    return pa.Table.from_pylist([{**written(), **changes}])


def verdicts(request: Request, wrong: tuple[int, ...] = ()) -> str:
    many = len(request.prompt.splitlines())
    return json.dumps({"verdicts": [{"sentence": n, "agrees": n not in wrong} for n in range(1, many + 1)]})


def false_in(row: dict[str, Any]) -> list[str]:
    found = []
    for turn, text, told in zip(turns_of(row["chain"]), row["texts"], row["claims"], strict=True):
        world = RoomWorld.of(turn.before, turn.calls, turn.retrievals)
        for _, checked in proven_again(TurnText(**text), [Claimed(**each) for each in told["claims"]], world):
            found += checked.false
    return found


def test_a_judge_who_agrees_changes_nothing_and_is_named() -> None:
    model = ScriptedModel(verdicts, name="critic")
    made = check_operator(WordingJudge(model=model), table()).to_pylist()[0]
    assert (made["texts"], made["claims"]) == (written()["texts"], written()["claims"])
    assert made["wording"].startswith("judged by critic, 0 of ")


def test_the_judge_sees_text_and_marks_side_by_side_with_the_limits_of_words() -> None:
    model = ScriptedModel(verdicts)
    WordingJudge(model=model)(table())
    (asked,) = model.calls
    assert "1. " in asked.prompt and "[" in asked.prompt.splitlines()[0]
    assert "near(thing, thing) (their gap is at most 0.6 m)" in asked.system


def test_a_rejected_sentence_is_said_by_code_from_its_claims() -> None:
    model = ScriptedModel(lambda request: verdicts(request, (1,)))
    before, (made,) = written(), WordingJudge(model=model)(table()).to_pylist()
    asked = model.calls[0].prompt.splitlines()[0].removeprefix("1. ")
    assert asked.split(" [")[0] in before["texts"][0]["think"]
    assert asked.split(" [")[0] not in made["texts"][0]["think"]
    assert made["texts"][1:] == before["texts"][1:]
    assert (false_in(made), "1 of " in made["wording"]) == ([], True)


def test_texts_by_rules_are_passed_on_without_a_question() -> None:
    model = ScriptedModel([])
    (made,) = WordingJudge(model=model)(table(wording="by table")).to_pylist()
    assert (made["texts"], made["wording"], model.calls) == (written()["texts"], "by table", [])


@pytest.mark.parametrize("reply", ["All fine.", '{"verdicts": [{"sentence": 1, "agrees": true}]}'])
def test_a_reply_without_a_verdict_on_each_sentence_is_asked_for_again_then_the_row_is_a_reject(reply: str) -> None:
    model = ScriptedModel([reply, reply])
    made = WordingJudge(model=model).apply(table())
    assert (made.table.num_rows, made.rejects["error"].to_pylist()) == (0, ["UnreadableReplyError"])


def test_a_text_of_which_too_little_is_left_is_a_reject() -> None:
    world = RoomWorld.of(turns_of(CHAIN.text())[1].before, [])
    name = sorted(world.names())[0]
    head = f"The {name} is wider than a finger is, as anybody can see at once from here."
    rest = "There is a calm about it all that one likes to come home to, after a long day, with a book."
    claim = Claimed("think", f"width({name}) > 0.01 m", "true", "proven", "", len(head) - 1)
    texts, claims = [dict(each) for each in written()["texts"]], list(written()["claims"])
    texts[1]["think"], claims[1] = f"{head} {rest}", {"claims": [asdict(claim)], "proven": 0.5}
    shown = sum(each["verdict"] == "proven" for each in claims[0]["claims"])
    made = WordingJudge(model=ScriptedModel(partial(verdicts, wrong=tuple(range(1, shown + 2))))).apply(
        table(texts=texts, claims=claims)
    )
    (message,) = made.rejects["message"].to_pylist()
    assert message.startswith("Without the words that scripted rejected, the reasoning has ")


def test_claims_are_said_as_sentences_with_their_numbers_and_states() -> None:
    turn = turns_of(CHAIN.text())[1]
    world = RoomWorld.of(turn.before, turn.calls, turn.retrievals)
    names = sorted(world.names())
    said = stated(f"width({names[0]})", world)
    assert said is not None
    assert said.endswith(f" wide [width({names[0]})].") or f"[width({names[0]})]" in said
    assert stated("width(", world) is None
    assert stated(f"width({names[0]}) > 3", world) is None
