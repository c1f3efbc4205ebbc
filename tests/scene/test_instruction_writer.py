"""InstructionWriter: by rules for any room, by a model whose replies are checked and asked for again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from dataflow_ext import OptionError, run
from dataflow_ext.models import OpenAIModel, Request, ScriptedModel
from dataflow_ext.testing import check_operator
from operators.scene.instruction_writer import InstructionWriter, read_instruction
from operators.scene.instructions.check import instruction_problems
from operators.scene.model.chain import Chain
from operators.scene.model.scene import emptied, written
from tests.loopback import Body, Loopback
from tests.scene.built_chains import BED, CHAIR, DESK, Building, furnished
from tests.scene.instructions.rooms import ALL, BEDROOM, DINING, NAMELESS

GOOD = "I'm looking for a calm modern bedroom with a white bed, two nightstands and a wooden wardrobe for my things."
EDIT = "Please take the chair out and turn the bed around."


def row(room: Mapping[str, Any] = BEDROOM, number: int = 1, **more: Any) -> dict[str, Any]:
    """A room with a chain that furnishes it; only chains that begin furnished are read."""
    chain = Chain(emptied(room), [], {}).text()
    return {"scene_id": "R", "scene": written(room), "chain_id": number, "conversation_type": "multi_turn",
            "chain": chain, **more}  # fmt: skip


def edit(number: int = 1) -> dict[str, Any]:
    """A furnished room whose chair goes and whose bed turns."""
    built = Building(furnished(BED, DESK, CHAIR))
    chain = built.turn(built.remove(CHAIR), built.turned(BED, [0.0, 1.0, 0.0, 0.0])).chain()
    return row(chain.states()[-1], number, conversation_type="single_turn", chain=chain.text())


def table(*rows: dict[str, Any]) -> pa.Table:
    return pa.Table.from_pylist(list(rows))


def asked(model: ScriptedModel, *rows: dict[str, Any], **options: Any) -> Any:
    return InstructionWriter(model=model, **options).apply(table(*rows))


def test_rules_write_a_true_instruction_for_every_room_and_chain() -> None:
    rows = [row(scene, number, scene_id=name) for name, scene in ALL.items() for number in range(20)]
    made = InstructionWriter()(table(*rows)).to_pylist()
    assert [each["instruction_by"] for each in made] == ["rules"] * len(rows)
    assert [instruction_problems(each["instruction"], json.loads(each["scene"])) for each in made] == [[]] * len(rows)
    assert len({each["instruction_style"] for each in made}) == 9


def test_the_same_seed_room_and_chain_give_the_same_words_and_others_give_others() -> None:
    rows = table(*(row(number=number) for number in range(12)))
    first, again, other = (InstructionWriter(seed=seed)(rows)["instruction"].to_pylist() for seed in (1, 1, 2))
    assert first == again
    assert sum(one != two for one, two in zip(first, other, strict=True)) >= 10
    assert len(set(first)) >= 10


def test_a_chain_that_begins_furnished_asks_for_its_changes() -> None:
    made = InstructionWriter()(table(*(edit(number) for number in range(8)))).to_pylist()
    assert {each["instruction_style"] for each in made} == {"edit/brief", "edit/detailed"}
    for each in made:
        assert "chair" in each["instruction"]
        assert "bed" in each["instruction"]
        assert "desk" not in each["instruction"]


def test_it_keeps_the_laws_and_what_cannot_be_used_is_a_reject() -> None:
    bad = [row(number=9, scene="{"), row(number=8, scene="[]"), {**edit(7), "chain": "{}"}]
    broken = Building(furnished(BED))
    lost = {**edit(6), "chain": broken.turn(broken.remove(CHAIR)).chain().text()}
    rows = table(row(), row(DINING, 2), edit(3), *bad, lost)
    assert check_operator(InstructionWriter(), rows).num_rows == 3
    assert check_operator(InstructionWriter(model=ScriptedModel({"": GOOD}), max_attempts=1), rows).num_rows == 1
    messages = InstructionWriter().apply(rows).rejects["message"].to_pylist()
    starts = ["The column 'scene' holds no room ("] * 2
    starts += ["The column 'chain' holds no chain of edits (", "The chain cannot be replayed: "]
    assert [message.startswith(start) for message, start in zip(messages, starts, strict=True)] == [True] * 4


def test_the_model_is_told_rules_style_and_the_rooms_furniture_with_counts() -> None:
    model = ScriptedModel(lambda request: GOOD)
    done = asked(model, *(row(number=number) for number in range(24)), seed=5)
    prompts = [call.prompt for call in model.calls if not call.follow_up]
    assert len({prompt.partition("The style:")[0] for prompt in prompts}) == 1, "the constant part comes first"
    assert "- 2 nightstands (gray); the first: A modern grey nightstand with a drawer" in prompts[0]
    assert "The room: bedroom" in prompts[0]
    assert len({call.seed for call in model.calls}) == 24, "chains of one style do not share a remembered reply"
    assert len(set(prompts)) > 16
    layouts = [prompt for prompt in prompts if "Notes on the layout: the bed against a wall" in prompt]
    assert 0 < len(layouts) < 12
    assert set(done.table["instruction"].to_pylist()) == {GOOD}
    assert set(done.table["instruction_by"].to_pylist()) == {"scripted"}


def test_a_models_changes_are_listed_and_its_words_checked_against_them() -> None:
    model = ScriptedModel([EDIT])
    done = asked(model, edit())
    assert (
        "The changes, all of them to be asked for:\n- take the black metal chair out\n- turn the white bed around"
        in (model.calls[0].prompt)
    )
    assert done.table["instruction"].to_pylist() == [EDIT]


BAD = {
    "Create a bedroom with a desk and a white bed for me to rest in at the end of a long day.": "'desk' is asked for",
    "I want three nightstands next to the white bed, and a wardrobe for all that I own, please.": "asked for 3 times",
    "I want a purple wardrobe and a bed, so that the bedroom looks a bit more like me than before.": "purple wardrobe",
    "A bed that is 1.8 m wide and two nightstands would be what I wish for in my new bedroom.": "'1.8' is a measure",
    "Furnish the final scene with a bed, two nightstands and a wardrobe, as the user would like it.": "'final scene'",
    "I want <bed> and two nightstands in the bedroom, with a wardrobe along one of the walls.": "'<bed>' is left",
    "Put 7b3c-1 into the bedroom, with two nightstands and a wardrobe along one of the walls.": "the id '7b3c-1'",
    "A bed.": "has about 2 words",
    "": "the instruction is empty",
    " ".join(["I want a bed."] * 60): "has about 240 words",
}


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_reply_is_asked_for_again_with_what_is_wrong(bad: str) -> None:
    model = ScriptedModel(lambda request: GOOD if request.follow_up else bad)
    assert asked(model, row()).table["instruction"].to_pylist() == [GOOD]
    assert BAD[bad] in model.calls[1].follow_up[1]
    assert "(That was reply 1 of 3.)" in model.calls[1].follow_up[1]


@pytest.mark.parametrize("attempts", [1, 2, 4])
def test_a_chain_whose_replies_stay_bad_is_a_reject_with_the_last_one(attempts: int) -> None:
    model = ScriptedModel(lambda request: "I want a bed and a desk in there.")
    (reject,) = asked(model, row(), max_attempts=attempts).rejects.to_pylist()
    assert (len(model.calls), reject["attempts"], reject["error"]) == (attempts, attempts, "UnreadableReplyError")
    assert json.loads(reject["inputs"])["reply"] == "I want a bed and a desk in there."
    assert "'desk' is asked for, the finished room has none" in reject["message"]


WRONG_EDITS = {
    "Please take the chair out.": "the bed of a change (rotate_object) is not named",
    "Please take the chair out and leave the bed.": "nothing asks for rotate_object",
    "Please take the chair out, turn the bed around and move the desk.": "'move' asks for a change that is not listed",
    "Please take the chair out, turn the bed around and make it bigger.": "'bigger' asks for a change",
    "Please turn the chair and the bed around.": "nothing asks for remove_object",
    "Please take the chair out, turn the bed around and add a sofa.": "'sofa' is asked for",
}


@pytest.mark.parametrize("wrong", WRONG_EDITS)
def test_a_request_for_other_changes_than_the_calls_make_is_not_taken(wrong: str) -> None:
    model = ScriptedModel(lambda request: EDIT if request.follow_up else wrong)
    assert asked(model, edit()).table["instruction"].to_pylist() == [EDIT]
    assert WRONG_EDITS[wrong] in model.calls[1].follow_up[1]


RIGHT_EDITS = (
    "The chair can go away, please remove it; and rotate the bed.",
    "I don't need the black chair any more. The white bed should face the other way.",
    "Get rid of the chair, then spin the bed around so that I like it better.",
)


@pytest.mark.parametrize("right", RIGHT_EDITS)
def test_a_request_may_use_its_own_words(right: str) -> None:
    model = ScriptedModel([right])
    assert asked(model, edit()).table["instruction"].to_pylist() == [right]


def test_what_stands_around_an_instruction_is_taken_off() -> None:
    plain = "I want a bed."
    for text in ('"I want a bed."', "User: I want a bed.", "```\nI want a bed.\n```", " “I want\n a bed.” "):
        assert read_instruction(text) == plain


def test_a_room_without_anything_that_has_a_name_is_asked_about_all_the_same() -> None:
    said = "I want a calm room where everything has its place and where I can breathe at the end of the day."
    model = ScriptedModel([said])
    assert asked(model, row(NAMELESS)).table["instruction"].to_pylist() == [said]
    assert "- nothing that has a name" in model.calls[0].prompt


def test_options_are_checked() -> None:
    for options in ({"max_attempts": 0}, {"style": "brief"}):
        with pytest.raises(OptionError):
            InstructionWriter(**options)


def test_a_server_that_lies_now_and_then_leaves_true_instructions_and_is_paid_once(tmp_path: Path) -> None:
    lies, count = list(BAD), 0

    def brain(body: Body) -> str:
        nonlocal count
        count += 1
        return lies[count % len(lies)] if count % 3 else GOOD

    rows = table(*(row(number=number) for number in range(12)))
    with Loopback(brain, threads=0) as server:
        operator = InstructionWriter(model=OpenAIModel(name="m", base_url=server.url), max_attempts=4)
        first = run([operator], rows, cache_dir=tmp_path)
        paid = server.received
        again = run([operator], rows, cache_dir=tmp_path)
        assert server.received == paid > 12
    assert first.table.num_rows + first.rejects.num_rows == 12
    assert set(first.table["instruction"].to_pylist()) == {GOOD}
    assert again.table.equals(first.table)


def test_requests_for_one_chain_differ_from_attempt_to_attempt() -> None:
    seen: list[Request] = []

    def brain(request: Request) -> str:
        seen.append(request)
        return "A desk for me, please, in the bedroom."

    asked(ScriptedModel(brain), row(), max_attempts=4)
    assert len(set(seen)) == 4
