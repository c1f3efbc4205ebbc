"""CoTGenerator: what a model is asked, what becomes of its replies, good and bad, and what rules write without one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from dataflow_ext import OptionError, run
from dataflow_ext.models import OpenAIModel, Reply, Request, ScriptedModel
from dataflow_ext.models.prices import prompt_tokens
from dataflow_ext.testing import check_operator
from operators.cot.generator import CoTGenerator
from operators.cot.items import load_plan
from operators.cot.mending import CLOSED, CUT, INSERTED, JOINED, REWORDED
from operators.cot.rules.response import response_problems
from operators.cot.rules.vocabulary import vocabulary_of
from prompts import CoTReasoningPrompt
from tests.cot.drafted import EXAMPLES, drafted
from tests.cot.replies import BAD, END, asked_for, good, once, replied
from tests.loopback import Body, Fault, Loopback
from tests.loopback.replies import limited

NEXT, CHOICE = "Task_29_Next_Action_Prediction", "Task_38_Counterfactual_Outcome_MCQ"


def samples(*tasks: str, count: int = 1) -> pa.Table:
    """The first samples of each of some tasks, of all if none is named."""
    taken: dict[str, list[Mapping[str, Any]]] = {}
    for row in _drafted():
        if not tasks or row["task_name"] in tasks:
            taken.setdefault(row["task_name"], []).append(row)
    return pa.Table.from_pylist([row for rows in taken.values() for row in rows[:count]])


@cache
def _drafted() -> list[Mapping[str, Any]]:
    return list(drafted())


def wrong(table: pa.Table) -> list[str]:
    """What is wrong with finished rows, by the rules for files."""
    found = []
    for row in table.to_pylist():
        known = vocabulary_of(load_plan(row["plan_file"]))
        said = row["response"], row["answer"], row["anchors"], known
        found += [str(each) for each in response_problems(*said)]
    return found


@pytest.fixture(autouse=True)
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dataflow_ext.models.gate.retry.FIRST_WAIT", 0.01)


def test_without_a_model_rules_write_every_turn_and_say_so() -> None:
    table = samples(NEXT, CHOICE, count=2)
    made = check_operator(CoTGenerator(), table)
    assert made.num_rows == table.num_rows
    assert wrong(made) == []
    offline = {
        "type": "offline_rules_v1",
        "api_base_url": "",
        "model_provider_id": "offline",
        "model_name": "offline",
    }
    assert made["assistant_generator"].to_pylist() == [offline] * table.num_rows
    assert made["mended"].to_pylist() == [[]] * table.num_rows


def test_a_row_that_cannot_be_done_costs_no_other_its_turn(tmp_path: Path) -> None:
    row = samples(NEXT).to_pylist()[0]
    bad = [
        {**row, "row_id": "task", "task_name": "Task_1_Unknown"},
        {**row, "row_id": "fields", "fields": "[]"},
        {**row, "row_id": "json", "fields": "{"},
        {**row, "row_id": "step", "step_index": 99},
        {**row, "row_id": "plan", "plan_file": str(tmp_path / "none.json")},
    ]
    table = pa.Table.from_pylist([row, *bad])
    for operator in (CoTGenerator(), CoTGenerator(model=ScriptedModel(good))):
        done = operator.apply(table)
        assert done.table["row_id"].to_pylist() == [row["row_id"]]
        assert done.rejects["row_id"].to_pylist() == [each["row_id"] for each in bad]
        messages = done.rejects["message"].to_pylist()
        assert messages[0] == "There is no task 'Task_1_Unknown'."
        assert messages[1] == "The column 'fields' holds no JSON object."


def test_the_model_is_told_the_rules_once_and_then_the_sample_alone() -> None:
    model = ScriptedModel(good)
    CoTGenerator(model=model, seed=7)(samples(NEXT, CHOICE))
    first, choice = sorted(model.calls, key=lambda call: call.prompt.count("Options"))
    assert {call.system for call in model.calls} == {CoTReasoningPrompt().text}
    assert (first.seed, first.images, first.json_schema is not None) == (7, (), True)
    assert (
        first.prompt == """Question: What is the next planned action?

Context
High-level goal: Replace the punctured inner tube of a bicycle wheel so that the tire holds air and the wheel is ready \
to ride.
Current step goal: Deflate the tire by pressing the valve core.
Step: Pry the tire bead over the rim with two levers.
Its rationale: Lifting one bead over the rim opens a gap through which the tube can be pulled out.
Its action: lever the bead over the rim edge
Why the tire bead is pliable: The bead bends away from the rim because the tire is empty.
Why the tire is open on one side: One whole edge of the tire hangs free of the rim.
"""
        f"""{NAMES}

Required sentences, in this order:
Spatially, the hands must be holding the tire lever.
Functionally, the tire bead must be pliable.
After the action, spatially, the tire bead will be outside of the wheel rim.
After the action, functionally, the tire will be open on one side.
A likely failure is that The bead snaps back under the rim after the first lever is released.
If that happens, Hook the first lever to a spoke and slide the second lever along the rim.

Gold answer:
Pry the tire bead over the rim with two levers."""
    )
    options = "Options: A: (.*); B: (.*); C: (.*); D: (.*)"
    assert len(set(re.search(options, choice.prompt).groups())) == 4  # type: ignore[union-attr]


#: How the facts of the step in question are named in marks.
NAMES = (
    "Names for marks: condition_2_1 holding(hands, tire_lever) => True; condition_2_2 pressed_against(tir"
    "e_bead, wheel_rim) => False; condition_2_3 tire_bead: pliable; condition_2_4 tire_lever: rigid; effe"
    "ct_2_1 outside_of(tire_bead, wheel_rim) => True; effect_2_2 tire: open_on_one_side"
)


def test_a_request_is_compact() -> None:
    model = ScriptedModel(good)
    CoTGenerator(model=model)(samples(count=4))
    sizes = [prompt_tokens(call) for call in model.calls]
    assert (min(sizes) > 500, max(sizes) < 1200) == (True, True)


def test_a_turn_by_a_model_tells_who_wrote_it_without_secrets() -> None:
    with Loopback(lambda body: "") as server:
        server.brain = lambda body: good(Request(body["messages"][1]["content"]))
        table = samples(NEXT)
        model = OpenAIModel(name="m", base_url=f"{server.url}/")
        for provider, told in ((None, "127.0.0.1"), ("mine", "mine")):
            made = CoTGenerator(model=model, provider_id=provider)(table)
            assert made["assistant_generator"].to_pylist() == [
                {
                    "type": "api_generate_v1",
                    "api_base_url": server.url,
                    "model_provider_id": told,
                    "model_name": "m",
                }
            ]
        (body, *_) = [call.body for call in server.calls]
        assert [message["role"] for message in body["messages"]] == ["system", "user"]


def test_a_model_without_an_address_is_named_by_its_class() -> None:
    made = CoTGenerator(model=ScriptedModel(good))(samples(NEXT))
    (generator,) = made["assistant_generator"].to_pylist()
    assert (generator["api_base_url"], generator["model_provider_id"]) == ("", "ScriptedModel")


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_reply_is_asked_for_again_with_what_is_wrong(bad: str) -> None:
    model = ScriptedModel(once(bad))
    table = samples(NEXT, CHOICE)
    made = CoTGenerator(model=model)(table)
    assert made.num_rows == table.num_rows
    assert wrong(made) == []
    assert [BAD[bad][1] in call.follow_up[-1] for call in model.calls if call.follow_up] == [True] * table.num_rows


def test_what_is_safe_to_mend_costs_no_second_call() -> None:
    def brain(request: Request) -> str:
        anchors, answer = asked_for(request.prompt)
        return replied([anchors[0].lower(), *anchors[2:], f"\n{END}"], answer)

    model = ScriptedModel(brain)
    made = CoTGenerator(model=model)(samples(NEXT))
    assert wrong(made) == []
    assert made["mended"].to_pylist() == [[JOINED, REWORDED, INSERTED, CUT, CLOSED]]
    assert len(model.calls) == 1


@pytest.mark.parametrize("attempts", [1, 2, 3])
def test_a_model_is_asked_no_more_often_than_allowed(attempts: int) -> None:
    model = ScriptedModel(lambda request: "I cannot say.")
    done = CoTGenerator(model=model, max_attempts=attempts).apply(samples(NEXT))
    (reject,) = done.rejects.to_pylist()
    assert (len(model.calls), reject["attempts"], reject["error"]) == (attempts, attempts, "UnreadableReplyError")
    assert json.loads(reject["inputs"])["reply"] == "I cannot say."
    # Each reply's number is for the model, not for the person who reads of the last one.
    told = [f"(That was reply {number} of {attempts}.)" for number in range(1, attempts)]
    assert [call.follow_up[-1].count(f"{told[i]}") for i, call in enumerate(model.calls[1:])] == [1] * (attempts - 1)
    assert "That was reply" not in reject["message"]


def test_a_reply_that_was_cut_off_is_asked_for_with_more_room_within_the_limit() -> None:
    limits: list[int | None] = []

    def brain(request: Request) -> Reply:
        limits.append(request.max_tokens)
        return Reply(good(request), "length" if len(limits) < 3 else "stop")

    model = ScriptedModel(brain)
    model.max_tokens = 100  # type: ignore[attr-defined]
    assert wrong(CoTGenerator(model=model)(samples(NEXT))) == []
    assert limits == [None, 200, 400]
    limits.clear()
    (reject,) = CoTGenerator(model=model, max_attempts=2).apply(samples(NEXT)).rejects.to_pylist()
    assert (len(limits), reject["attempts"], reject["error"]) == (2, 2, "TruncatedReplyError")


def test_replies_that_are_cut_off_and_replies_that_are_bad_count_together() -> None:
    replies = [Reply("{", "length"), *["I cannot say."] * 5]
    model = ScriptedModel(replies)
    model.max_tokens = 100  # type: ignore[attr-defined]
    (reject,) = CoTGenerator(model=model, max_attempts=3).apply(samples(NEXT)).rejects.to_pylist()
    assert (len(model.calls), reject["attempts"], reject["error"]) == (3, 3, "UnreadableReplyError")


def test_no_call_is_made_where_no_reply_can_be_good() -> None:
    row = samples(NEXT).to_pylist()[0]
    leaking = {**row, "row_id": "x", "anchors": [*row["anchors"], "If that happens, open cup_03.png."]}
    answered = {**row, "row_id": "y", "answer": "Open /home/me/cup_03.png."}
    model = ScriptedModel(good)
    done = CoTGenerator(model=model).apply(pa.Table.from_pylist([leaking, answered]))
    assert model.calls == []
    assert ["leak.file" in message for message in done.rejects["message"].to_pylist()] == [True, True]


def test_a_sample_whose_pictures_are_wanted_sends_them_or_is_a_reject(tmp_path: Path) -> None:
    row = samples(NEXT).to_pylist()[0]
    (tmp_path / "out.jpg").write_bytes(b"")
    places = ["../out.jpg", "/etc/hostname", "gone.jpg", "a\0.jpg", "."]
    rows = [row, *({**row, "row_id": str(i), "image": [place]} for i, place in enumerate(places))]
    model = ScriptedModel(good)
    done = CoTGenerator(model=model, with_images=True).apply(pa.Table.from_pylist(rows))
    assert [call.images for call in model.calls] == [tuple(str(EXAMPLES / image) for image in row["image"])]
    assert done.rejects["message"].to_pylist() == [
        "The picture '../out.jpg' lies outside of the root.",
        "The picture '/etc/hostname' is no path relative to the root.",
        "There is no picture 'gone.jpg' below the root.",
        "The picture 'a\\x00.jpg' is no path relative to the root.",
        "There is no picture '.' below the root.",
    ]


def test_options_are_checked() -> None:
    for options in ({"max_attempts": 0}, {"provider_id": ""}, {"attempts": 3}):
        with pytest.raises(OptionError):
            CoTGenerator(**options)


def test_a_server_that_answers_badly_leaves_rows_that_are_good_or_rejects_and_is_paid_once(tmp_path: Path) -> None:
    """Three of ten replies are bad, in turn in each way; some questions get bad replies alone."""
    kinds, count = list(BAD), 0

    def brain(body: Body) -> str:
        nonlocal count
        count += 1
        prompt = body["messages"][1]["content"]
        if count % 10 in (1, 4, 7) or "Inflate the tire" in asked_for(prompt)[1]:
            return BAD[kinds[count // 3 % len(kinds)]][0](*asked_for(prompt))
        return good(Request(prompt))

    def fault(number: int, body: Body) -> Fault | None:
        return {3: limited(0.01), 11: Fault("cut"), 17: Fault("garbage"), 23: Fault("reset")}.get(number % 29)

    table = samples(count=4)
    with Loopback(brain, fault=fault, threads=0) as server:
        operator = CoTGenerator(model=OpenAIModel(name="m", base_url=server.url), max_attempts=3)
        first = run([operator], table, cache_dir=tmp_path)
        paid = server.received
        again = run([operator], table, cache_dir=tmp_path)
        assert server.received == paid
    assert first.table.num_rows + first.rejects.num_rows == table.num_rows
    assert wrong(first.table) == []
    assert set(first.rejects["error"].to_pylist()) == {"UnreadableReplyError"}
    assert set(first.rejects["attempts"].to_pylist()) == {3}
    assert first.rejects.num_rows < table.num_rows / 3
    assert again.table.equals(first.table)
    assert again.rejects.equals(first.rejects)
