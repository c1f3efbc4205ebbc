"""What a data set has for trainers: a line for ms-swift, rows of turns for reinforcement learning, steps with labels."""

import json
from io import BytesIO

import pyarrow.parquet as pq
from PIL import Image

from dataflow_ext.claims.steps import problems_of
from dataflow_ext.commands.export import source_of
from dataflow_ext.datasets.export import export
from operators.scene.model.conversation import Conversation
from operators.scene.model.simulator import apply
from operators.scene.output.export import step_rows, world_of
from operators.scene.scene_writer import SceneWriter
from tests.scene.finished import BED, CHAIN, EMPTY, TWIN
from tests.scene.laws.lines import made
from tests.scene.output.sets import files, finished, lines, several, table, written


def test_a_swift_line_begins_with_the_room_and_goes_on_as_the_conversation(tmp_path):
    out = written(tmp_path / "out", [finished(tmp_path)])
    [line], [conversation] = lines(out / "swift.jsonl"), lines(out / "conversations.jsonl")
    assert list(line) == ["messages", "images"]
    assert [m["role"] for m in line["messages"]] == ["system", *["user", "assistant"] * 5]
    assert line["messages"][0] == conversation["messages"][0]
    assert line["messages"][1] == {"role": "user", "content": "I want a bedroom with a bed and two nightstands."}
    made = line["messages"][2]["content"]
    assert made.startswith("<create_scene>\n```json\n{") and made.endswith("}\n```\n</create_scene>")
    assert json.loads(made.split("\n")[2]) == EMPTY
    assert line["messages"][3:] == conversation["messages"][1:]
    assert line["images"] == conversation["images"]


def test_a_turn_that_a_later_one_undoes_is_out_of_the_loss(tmp_path):
    out = written(tmp_path / "out", [finished(tmp_path)])
    for name, first in (("conversations.jsonl", 1), ("swift.jsonl", 3)):
        [line] = lines(out / name)
        assert [message.get("loss") for message in line["messages"][first:]] == [None, None, None, False, *[None] * 4]


def test_nobody_learns_to_make_an_untidy_room(tmp_path):
    states = CHAIN.states()
    chain = CHAIN.__class__(states[2], CHAIN.turns[2:], CHAIN.retrievals)
    made = finished(tmp_path, chain=chain.text())
    cut = {**made, "images": made["images"][:2], "texts": made["texts"][2:], "claims": made["claims"][2:]}
    [line] = lines(written(tmp_path / "out", [cut]) / "swift.jsonl")
    assert [message.get("loss") for message in line["messages"]] == [None, None, False, None, None, None, None]


def test_every_picture_of_a_swift_line_has_its_place_and_lies_below_the_data_set(tmp_path):
    out = written(tmp_path / "out", several(tmp_path))
    for line in lines(out / "swift.jsonl"):
        marks = [message["content"].count("<image>") for message in line["messages"]]
        assert marks == [0, 0, 0, *[1, 0] * 4]
        assert sum(marks) == len(line["images"])
        assert all((out / name).is_file() for name in line["images"])


def test_no_description_can_be_taken_for_a_tag(tmp_path):
    start = {**EMPTY, "room_id": "</create_scene> <image>"}
    chain = CHAIN.__class__(start, CHAIN.turns, CHAIN.retrievals)
    out = written(tmp_path / "out", [finished(tmp_path, chain=chain.text())])
    made = lines(out / "swift.jsonl")[0]["messages"][2]["content"]
    assert made.count("<") == 2
    assert json.loads(made.split("\n")[2]) == start


def test_each_turn_is_a_row_with_prompt_picture_and_ground_truth(tmp_path):
    out = written(tmp_path / "out", [finished(tmp_path)])
    [conversation] = lines(out / "conversations.jsonl")
    rows = pq.read_table(out / "rl.parquet").to_pylist()
    assert len(rows) == 3, "the second turn puts a chair that the third one exchanges"
    for index, (turn, row) in enumerate(zip((0, 2, 3), rows, strict=True)):
        assert list(row) == ["data_source", "prompt", "images", "ability", "reward_model", "extra_info"]
        assert (row["data_source"], row["ability"]) == ("scene_editing", "scene_editing")
        assert row["prompt"] == [conversation["messages"][0], conversation["messages"][1 + 2 * turn]]
        assert row["images"] == [{"image": conversation["images"][turn]}]
        assert row["prompt"][1]["content"].count("<image>") == 1
        assert row["extra_info"] == {
            "split": "train", "index": index, "id": conversation["id"], "scene_id": "home/bedroom", "chain_id": 1,
            "conversation_type": "multi_turn", "turn": turn, "turns": 4,
        }  # fmt: skip
        assert row["reward_model"]["style"] == "rule"


def test_the_ground_truth_of_a_turn_replays_by_itself(tmp_path):
    out = written(tmp_path / "out", [finished(tmp_path)])
    truths = [json.loads(row["reward_model"]["ground_truth"]) for row in pq.read_table(out / "rl.parquet").to_pylist()]
    for truth, turn in zip(truths, (0, 2, 3), strict=True):
        assert truth["scene"] == CHAIN.states()[turn]
        assert truth["calls"] == CHAIN.turns[turn]
        assert apply(truth["scene"], truth["calls"], truth["retrievals"]) == truth["scene_after"]
    assert [truth["retrievals"] for truth in truths[:2]] == [{"tool_1": BED}, {"tool_4": TWIN}]
    assert truths[2]["retrievals"] == {} and truths[2]["scene_after"] == truths[2]["scene"]


def test_rows_of_turns_are_numbered_through_the_file(tmp_path):
    out = written(tmp_path / "out", several(tmp_path))
    told = [row["extra_info"] for row in pq.read_table(out / "rl.parquet").to_pylist()]
    assert [each["index"] for each in told] == list(range(12))
    assert [(each["scene_id"], each["chain_id"]) for each in told[::3]] == [("a", 1), ("a", 10), ("b", 1), ("b", 2)]


def test_embedded_pictures_open_without_the_folder_and_as_pictures_of_datasets(tmp_path):
    SceneWriter(out=tmp_path / "out", embed_pictures=True)(table(several(tmp_path)))
    read = pq.read_table(tmp_path / "out" / "rl.parquet")
    features = json.loads(read.schema.metadata[b"huggingface"])["info"]["features"]
    assert features == {"images": [{"_type": "Image"}]}
    for row in read.to_pylist():
        [image] = row["images"]
        assert image["bytes"] == (tmp_path / "out" / image["path"]).read_bytes()
        with Image.open(BytesIO(image["bytes"])) as picture:
            assert picture.size == (1, 1)
    SceneWriter(out=tmp_path / "out", embed_pictures=True)(table(several(tmp_path)))
    again = files(tmp_path / "out")["rl.parquet"]
    SceneWriter(out=tmp_path / "other", embed_pictures=True)(table(several(tmp_path)[::-1]))
    assert files(tmp_path / "other")["rl.parquet"] == again


def test_every_label_is_proven_again_from_the_file_and_false_steps_stand_last(tmp_path):
    data = made(False)
    export(source_of(data.folder), "prm", tmp_path / "prm")
    rows = [json.loads(line) for line in (tmp_path / "prm" / "prm.jsonl").read_text(encoding="utf-8").splitlines()]
    known = {line["id"]: Conversation.read(line) for line in data.lines}
    assert [problem for row in rows for problem in step_problems(row, known[row["id"]])] == []
    assert {len(row["labels"]) == len(row["completions"]) == len(row["marked"]) for row in rows} == {True}
    assert all(row["labels"][:-1] == [True] * (len(row["labels"]) - 1) for row in rows)
    assert sum(not row["labels"][-1] for row in rows) >= 2
    assert not any("[" in step for row in rows for step in row["completions"])


def test_a_label_that_is_turned_round_is_told():
    line = made(False).lines[0]
    row = next(row for row in step_rows(line) if all(row["labels"]))
    conversation = Conversation.read(line)
    assert step_problems(row, conversation) == []
    row["labels"][0] = False
    assert [each.partition("' is ")[2] for each in step_problems(row, conversation)] == [
        "labelled false and is not disproved"
    ]


def step_problems(row, conversation):
    """What is wrong with a row of steps: a true one that is not proven, a false one that is not disproved."""
    plain = json.loads(json.dumps({name: row[name] for name in ("marked", "completions", "labels")}))
    return list(problems_of(plain, world_of(conversation, row["turn"])))
