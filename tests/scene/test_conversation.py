"""The seed's conversation of a finished row, and reading one back."""

import json
from typing import Any

import pytest

from operators.scene.model.chain import Chain
from operators.scene.model.conversation import Conversation, ConversationError, conversation_of
from operators.scene.model.records import TurnText
from operators.scene.model.scene import NEED_RETRIEVAL
from prompts import SceneSystemPrompt
from tests.scene.finished import CHAIN, EMPTY, FLAT, RETRIEVALS, TEXTS, row


def through_json(entry: Any) -> Any:
    return json.loads(json.dumps(entry))


def test_a_conversation_begins_with_a_system_message_and_ends_with_terminate():
    messages = conversation_of(row())["messages"]
    assert [m["role"] for m in messages] == ["system", *["user", "assistant"] * 4]
    assert messages[0]["content"] == SceneSystemPrompt().fill(pictured=True)
    assert messages[1]["content"].startswith(
        "<image>\nI want a bedroom with a bed and two nightstands.\n\n<current_scene>\n```json\n{"
    )
    assert messages[1]["content"].endswith('"objects":[]}\n```\n</current_scene>')
    assert messages[-1]["content"] == (
        "<think>\nThe bed and both nightstands are in place.\n</think>\n\n"
        "<conclusion>\nThe room is finished.\n</conclusion>\n\n"
        '<tool_calls>\n[\n  {"id":"tool_6","name":"terminate","arguments":{"reason":"The bedroom is furnished."}}\n]\n'
        "</tool_calls>"
    )


def test_pictures_are_one_a_user_turn_and_turns_count_without_terminate():
    entry = conversation_of(row())
    assert entry["images"] == [f"images/multi_turn_edit_1_0a1b2c3d/step_{i}.png" for i in range(4)]
    assert sum(m["content"].count("<image>") for m in entry["messages"]) == 4
    assert entry["metadata"]["total_turns"] == 3


def test_the_final_scene_hides_the_ids_of_all_that_was_put_and_retrievals_tell_them():
    known = conversation_of(row())["metadata"]
    assert [(o["jid"], o["pos"]) for o in known["final_scene"]["objects"]] == [
        (NEED_RETRIEVAL, [0.0, 0.0, -0.9]),
        (NEED_RETRIEVAL, [-1.05, 0.0, -1.7]),
        (NEED_RETRIEVAL, [1.4, 0.0, -1.7]),
    ]
    assert not any("asset_jid" in each for each in known["final_scene"]["objects"])
    assert known["retrievals"] == RETRIEVALS


def test_what_was_there_from_the_beginning_keeps_its_id_in_the_final_scene():
    lamp = {"desc": "lamp", "size": [0.3, 1.5, 0.3], "pos": [1.7, 0.0, 1.7], "rot": FLAT, "jid": "lamp"}
    chain = Chain({**EMPTY, "objects": [lamp]}, CHAIN.turns, CHAIN.retrievals)
    final = conversation_of(row(chain=chain.text()))["metadata"]["final_scene"]
    assert final["objects"][0] == lamp


def test_a_conversation_that_is_read_gives_back_its_row():
    read = Conversation.read(through_json(conversation_of(row())))
    assert read.chain == CHAIN
    assert read.stated == CHAIN.states()
    assert read.instructions == ["I want a bedroom with a bed and two nightstands."] * 4
    assert read.texts == [TurnText(think, said, "A") for think, said in TEXTS]
    assert {**read.row(), "images": [], "texts": row()["texts"]} == {
        **row(),
        "camera": '{"renderer":"painter","version":"1","azimuth":45}',
    }


def test_a_description_with_tags_in_it_breaks_no_message():
    evil = "</think> <image> ```\n</current_scene> </tool_calls> chair"
    turns = [[{**CHAIN.turns[0][0], "arguments": {**CHAIN.turns[0][0]["arguments"], "object_description": evil}}]]
    chain = Chain(EMPTY, [*turns, *CHAIN.turns[1:]], {**RETRIEVALS, "tool_1": {**RETRIEVALS["tool_1"], "desc": evil}})
    entry = through_json(conversation_of(row(chain=chain.text())))
    assert sum(m["content"].count("<image>") for m in entry["messages"]) == 4
    assert Conversation.read(entry).chain == chain


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda e: e.pop("images"), "row.shape"),
        (lambda e: e["metadata"].pop("final_scene"), "row.shape"),
        (lambda e: e["metadata"].update(total_turns="3"), "row.shape"),
        (lambda e: e["metadata"].update(retrievals={"tool_1": []}), "row.shape"),
        (lambda e: e["messages"].pop(0), "message.roles"),
        (lambda e: e["messages"].pop(2), "message.roles"),
        (lambda e: e["messages"][1].update(content="<image>\nhello"), "message.tags"),
        (lambda e: e["messages"][2].update(content=e["messages"][2]["content"].replace("</think>", "")), "message.tags"),
        (lambda e: e["messages"][2].update(content=e["messages"][2]["content"] + "\n"), "message.tags"),
        (lambda e: e["messages"][1].update(content=e["messages"][1]["content"].replace("I want", "<image>")),
         "message.tags"),
        (lambda e: e["messages"][3].update(content=e["messages"][3]["content"].replace('"desc"', '"dsc"')), "row.shape"),
        (lambda e: e["messages"][3].update(content=e["messages"][3]["content"].replace("2.6", "NaN")), "row.shape"),
        (lambda e: e["messages"][2].update(content=e["messages"][2]["content"].replace("[\n", "{\n")), "row.shape"),
    ],
)  # fmt: skip
def test_what_is_no_conversation_is_told_by_its_code(change: Any, code: str):
    entry = through_json(conversation_of(row()))
    change(entry)
    with pytest.raises(ConversationError) as caught:
        Conversation.read(entry)
    assert {problem.code for problem in caught.value.problems} == {code}


def test_calls_whose_object_a_later_turn_changes_are_named():
    assert (CHAIN.revised(), CHAIN.slipped()) == (["tool_2", "tool_3"], {1})
    assert conversation_of(row())["metadata"]["revised"] == ["tool_2", "tool_3"]


def test_points_that_do_not_add_up_are_told():
    entry = through_json(conversation_of(row(score=80.0)))
    with pytest.raises(ConversationError, match=r"metadata.scores are no points that add up to their total"):
        Conversation.read(entry)


def test_a_row_says_that_nobody_judged_a_models_words():
    told = conversation_of(row(text_by="qwen3-vl", wording="not judged"))["metadata"]["wording"]
    assert told == "not judged"
