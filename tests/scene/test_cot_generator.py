"""SceneCoTGenerator: what rules write, what a model is asked, and what becomes of its replies, good and bad."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from dataflow_ext import OptionError, run
from dataflow_ext.claims.marks import Mark, marked
from dataflow_ext.claims.vocabulary import prompt_text
from dataflow_ext.models import OpenAIModel, Reply, Request, ScriptedModel
from dataflow_ext.testing import check_operator
from operators.scene.claims.world import ROOM, RoomWorld
from operators.scene.cot_generator import TEMPLATES, SceneCoTGenerator, template_of
from operators.scene.model.records import Claimed, TurnText
from operators.scene.reasoning.english import proven_again
from operators.scene.reasoning.turn import turns_of
from prompts import SceneCoTPrompt
from tests.loopback import Body, Fault, Loopback
from tests.loopback.replies import limited
from tests.scene.finished import CHAIN

PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d4944415478da63646060f80f0001"
                    "050101c8d1d9d60000000049454e44ae426082")  # fmt: skip
#: What makes a good text bad, and what the model is told of it.
BAD = {
    "nothing": (lambda think: " ", "the reply is empty"),
    "a tag": (lambda think: f"{think}</conclusion>", "the reasoning holds a tag"),
    "a call": (lambda think: f"{think} See tool_1.", "a part of a tool call"),
    "a placeholder": (lambda think: f"{think} […]", "a placeholder"),
    "too short": (lambda think: "It fits.", "the reasoning has 2 words"),
    "an invention": (lambda think: f"{think} The piano is large [large(piano)].", "there is no 'piano'"),
    "no mark": (lambda think: f"{think} The piano stays where it is.", "there is no 'piano', and no mark says so"),
    "a number in words": (lambda think: f"{think} It is half a metre wide [room_width()].", "no number in digits stands"),
    "a wrong number": (lambda think: f"{think} It is 4.44 m wide [room_width()].", ", and not 4.44 m"),
    "a wrong act": (lambda think: f"{think} I take the room's bed out [removes(bed)].", "[removes(bed)] is false"),
}  # fmt: skip


def table(*ids: str, images: list[str] | None = None, **changes: Any) -> pa.Table:
    """Rows with the same chain, by their ids."""
    row = {"chain": CHAIN.text(), "instruction": "I want a calm bedroom.", **changes}
    shown = {} if images is None else {"images": images}
    return pa.Table.from_pylist([{"row_id": id, "id": id, **row, **shown} for id in ids or ("a",)])


@cache
def good_texts() -> list[str]:
    """A good text, with marks, of each turn of the chain."""
    (row,) = SceneCoTGenerator()(table()).to_pylist()
    return [
        marked(text["think"], [Mark(c["expression"], c["place"]) for c in claims["claims"] if c["part"] == "think"])
        for text, claims in zip(row["texts"], row["claims"], strict=True)
    ]


def number_in(prompt: str) -> int:
    found = re.search(r"Turn (\d+) of 4", prompt)
    assert found is not None
    return int(found[1])


def good(request: Request) -> str:
    return good_texts()[number_in(request.prompt) - 1]


def spoilt(request: Request, kind: str) -> str:
    return BAD[kind][0](good(request))


def wrong(made: pa.Table) -> list[str]:
    """What is false in all texts of all rows, or other than the row states it."""
    found = []
    for row in made.to_pylist():
        turns = turns_of(row["chain"])
        assert len(row["texts"]) == len(row["claims"]) == len(turns)
        for turn, text, stated in zip(turns, row["texts"], row["claims"], strict=True):
            world = RoomWorld.of(turn.before, turn.calls, turn.retrievals)
            claims = [Claimed(**each) for each in stated["claims"]]
            for part, checked in proven_again(TurnText(**text), claims, world):
                found += checked.false
                own = [(each.expression, each.value, each.said) for each in claims if each.part == part]
                assert own == [(each.expression, each.value, each.said) for each in checked.claims]
    return found


@pytest.fixture(autouse=True)
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dataflow_ext.models.gate.retry.FIRST_WAIT", 0.01)


def test_without_a_model_rules_write_every_turn_and_keep_the_laws() -> None:
    rows = [*table("a").to_pylist(), {"row_id": "c", "id": "c", "chain": "{", "instruction": ""}]
    made = check_operator(SceneCoTGenerator(seed=3), pa.Table.from_pylist(rows))
    assert made["row_id"].to_pylist() == ["a"]
    assert (made["text_by"].to_pylist(), made["text_attempts"].to_pylist()) == (["rules"], [[0] * 4])
    assert wrong(made) == []


def test_another_chain_and_another_seed_have_other_texts() -> None:
    one, other = SceneCoTGenerator(seed=3)(table("a", "b"))["texts"].to_pylist()
    (again,) = SceneCoTGenerator(seed=4)(table("a"))["texts"].to_pylist()
    assert all(len({x["think"], y["think"], z["think"]}) == 3 for x, y, z in zip(one, other, again, strict=True))


def test_styles_are_drawn_evenly_and_by_the_turn() -> None:
    drawn = Counter(template_of(1, f"chain-{i}", number) for i in range(400) for number in range(1, 6))
    assert set(drawn) == set(TEMPLATES)
    assert all(340 <= count <= 460 for count in drawn.values())
    (row,) = SceneCoTGenerator(seed=1)(table("x")).to_pylist()
    assert [text["template"] for text in row["texts"]] == [template_of(1, "x", number) for number in (1, 2, 3, 4)]


def test_a_chain_that_cannot_be_used_costs_no_other_its_texts() -> None:
    rows = [
        *table("good").to_pylist(),
        *table("no json", chain="{").to_pylist(),
        *table("no turns", chain='{"start": {}, "turns": []}').to_pylist(),
        *table("gone", chain=CHAIN.text().replace('"own-chair","new', '"gone","new')).to_pylist(),
    ]
    for operator in (SceneCoTGenerator(), SceneCoTGenerator(model=ScriptedModel(good), with_images=False)):
        done = operator.apply(pa.Table.from_pylist(rows))
        assert done.table["row_id"].to_pylist() == ["good"]
        messages = dict(zip(done.rejects["row_id"].to_pylist(), done.rejects["message"].to_pylist(), strict=True))
        assert messages["no turns"] == "The chain has no turns."
        assert messages["no json"].startswith("The column 'chain' holds no chain of edits")
        assert messages["gone"].startswith("The chain cannot be replayed: tool_4 (replace_object)")


def test_the_model_is_told_the_rules_once_and_of_each_turn_what_is_its_own(tmp_path: Path) -> None:
    images = [str(tmp_path / f"{i}.png") for i in range(4)]
    for image in images:
        Path(image).write_bytes(PNG)
    model = ScriptedModel(good)
    made = SceneCoTGenerator(model=model)(table(images=images))
    assert (wrong(made), made["text_by"].to_pylist()) == ([], ["scripted"])
    assert made["text_attempts"].to_pylist() == [[1, 1, 1, 1]]
    calls = sorted(model.calls, key=lambda call: number_in(call.prompt))
    assert {call.system for call in calls} == {SceneCoTPrompt().fill(claims=prompt_text(ROOM))}
    assert [call.images for call in calls] == [(image,) for image in images]
    assert all(call.json_schema is None and "I want a calm bedroom." in call.prompt for call in calls)
    templates = [template_of(0, "a", number) for number in (1, 2, 3, 4)]
    assert [re.findall(r"Template: (\w)", call.prompt) for call in calls] == [[each] for each in templates]
    done = ["(nothing)", "Turn 1: add ", "Turn 2: add ", "Turn 3: replace "]
    assert [words in call.prompt for words, call in zip(done, calls, strict=True)] == [True] * 4


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_reply_is_asked_for_again_with_what_is_wrong(bad: str) -> None:
    model = ScriptedModel(lambda request: good(request) if request.follow_up else spoilt(request, bad))
    made = SceneCoTGenerator(model=model, with_images=False)(table())
    assert wrong(made) == []
    again = [call.follow_up[-1] for call in model.calls if call.follow_up]
    expected = 3 if bad == "a wrong act" else 4  # there is no bed yet in the first room
    assert sum(BAD[bad][1] in told for told in again) >= expected
    assert made["text_attempts"].to_pylist() == [[2, 2, 2, 2]]


def test_what_stays_false_or_without_a_proof_is_cut() -> None:
    def brain(request: Request) -> str:
        return f"{good(request)} It is 4.44 m wide [room_width()]. A piano would be 2 m long. It is half a metre off."

    made = SceneCoTGenerator(model=ScriptedModel(brain), with_images=False)(table())
    assert (wrong(made), made["text_attempts"].to_pylist()) == ([], [[2, 2, 2, 2]])
    texts = [text["think"] for text in made["texts"].to_pylist()[0]]
    assert [[words in text for words in ("4.44", "piano", "half a metre")] for text in texts] == [[False] * 3] * 4


@pytest.mark.parametrize("attempts", [1, 3])
def test_a_turn_without_a_good_text_rejects_its_chain_with_the_last_reply(attempts: int) -> None:
    def brain(request: Request) -> str:
        return "It fits." if number_in(request.prompt) == 2 else good(request)

    model = ScriptedModel(brain)
    operator = SceneCoTGenerator(model=model, with_images=False, max_attempts=attempts)
    (reject,) = operator.apply(table()).rejects.to_pylist()
    assert (reject["error"], reject["attempts"]) == ("UnreadableReplyError", attempts)
    assert reject["message"].startswith("Turn 2: The reply of scripted cannot be used")
    assert json.loads(reject["inputs"])["reply"] == "It fits."
    # The other turns were asked about all the same, each reply of turn 2 under its own number.
    assert Counter(number_in(call.prompt) for call in model.calls) == {1: 1, 2: attempts, 3: 1, 4: 1}
    told = [call.follow_up[-1] for call in model.calls if call.follow_up]
    assert [f"(That was reply {n} of {attempts}.)" in told[n - 1] for n in range(1, attempts)] == [True] * (
        attempts - 1
    )


def test_a_reply_that_was_cut_off_is_asked_for_with_more_room() -> None:
    limits: list[int | None] = []

    def brain(request: Request) -> Reply:
        if number_in(request.prompt) != 3:
            return Reply(good(request))
        limits.append(request.max_tokens)
        return Reply(good(request), "length" if len(limits) < 3 else "stop")

    model = ScriptedModel(brain)
    model.max_tokens = 100  # type: ignore[attr-defined]
    made = SceneCoTGenerator(model=model, with_images=False)(table())
    assert (limits, made["text_attempts"].to_pylist()) == ([None, 200, 400], [[1, 1, 3, 1]])
    limits.clear()
    (reject,) = SceneCoTGenerator(model=model, with_images=False, max_attempts=2).apply(table()).rejects.to_pylist()
    assert (len(limits), reject["attempts"], reject["error"]) == (2, 2, "TruncatedReplyError")


def test_pictures_are_wanted_where_a_model_looks_at_them_and_one_a_turn(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="needs column 'images'"):
        SceneCoTGenerator(model=ScriptedModel(good))(table())
    model = ScriptedModel(good)
    (reject,) = SceneCoTGenerator(model=model).apply(table(images=["1.png"])).rejects.to_pylist()
    assert reject["message"] == "The chain has 4 turns, but 1 pictures; draw them with SceneRenderer."
    assert model.calls == []
    assert SceneCoTGenerator(model=model, with_images=False)(table(images=["1.png"])).num_rows == 1


def test_options_are_checked() -> None:
    for options in ({"max_attempts": 0}, {"templates": "AB"}):
        with pytest.raises(OptionError):
            SceneCoTGenerator(**options)


def test_a_server_that_answers_badly_leaves_chains_that_are_good_or_rejects_and_is_paid_once(tmp_path: Path) -> None:
    """Three of ten replies are bad, in each way in turn; one chain gets none for its third turn but bad ones."""
    kinds, count = list(BAD), 0

    def brain(body: Body) -> str:
        nonlocal count
        count += 1
        request = Request(body["messages"][1]["content"])
        if "hopeless" in request.prompt and number_in(request.prompt) == 3:
            return "no"
        return spoilt(request, kinds[count // 3 % len(kinds)]) if count % 10 in (1, 4, 7) else good(request)

    def fault(number: int, body: Body) -> Fault | None:
        return {3: limited(0.01), 11: Fault("garbage"), 17: Fault("reset")}.get(number % 23)

    rows = [*table("a", "b").to_pylist(), *table("d", instruction="a hopeless one").to_pylist()]
    source = pa.Table.from_pylist([{**row, "instruction": f"{row['instruction']} {row['id']}"} for row in rows])
    with Loopback(brain, fault=fault, threads=0) as server:
        operator = SceneCoTGenerator(
            model=OpenAIModel(name="m", base_url=server.url), with_images=False, max_attempts=4
        )
        first = run([operator], source, cache_dir=tmp_path)
        paid = server.received
        again = run([operator], source, cache_dir=tmp_path)
        assert server.received == paid
    assert wrong(first.table) == []
    assert first.table.num_rows + first.rejects.num_rows == 3
    assert "d" in first.rejects["row_id"].to_pylist()
    assert first.table.num_rows >= 1
    assert again.table.equals(first.table)
    assert again.rejects.equals(first.rejects)
