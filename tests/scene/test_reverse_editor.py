"""SceneReverseEditor: rooms to chains."""

from __future__ import annotations

import json
import pickle
import re

import pyarrow as pa
import pytest

from dataflow_ext import OptionError
from dataflow_ext.fingerprint import fingerprint
from dataflow_ext.testing import check_operator
from operators.scene.editing.catalogue import Asset, Catalogue
from operators.scene.model.chain import Chain
from operators.scene.model.scene import digest, objects_of, same_room
from operators.scene.model.simulator import apply
from operators.scene.reverse_editor import SceneReverseEditor
from tests.scene.editing.laws import broken
from tests.scene.editing.rooms import furnished, groups, ssr, text, thing


def table(**rooms):
    return pa.table({"scene_id": list(rooms), "scene": [text(room) for room in rooms.values()]})


BOTH = table(flat=furnished(5), grouped=groups(furnished(7), "a", "b"))


@pytest.mark.parametrize("slips", [False, True])
def test_it_keeps_the_laws_of_operators_and_each_chain_those_of_the_format(slips):
    source = pa.concat_tables([BOTH, pa.table({"scene_id": ["bad"], "scene": ["{"]})])
    rows = check_operator(SceneReverseEditor(chains=2, seed=5, slips=slips), source).to_pylist()
    assert [(row["scene_id"], row["chain_id"]) for row in rows] == [
        ("flat", 1), ("flat", 2), ("grouped", 1), ("grouped", 2)
    ]  # fmt: skip
    for row in rows:
        assert broken(row["chain"], json.loads(row["scene"]), multi=True) == []
        assert row["conversation_type"] == "multi_turn"


def test_ids_rest_on_seed_room_and_number():
    rows = SceneReverseEditor(chains=2, seed=7)(BOTH).to_pylist()
    assert [row["id"] for row in rows] == [
        f"multi_turn_edit_{number}_{digest(7, room, number) >> 32:08x}"
        for room in ("flat", "grouped")
        for number in (1, 2)
    ]
    assert rows[0]["chain_seed"] == digest(7, "flat", 1) >> 1
    [single] = SceneReverseEditor(chains=1, seed=7, single_turn=True)(BOTH.slice(0, 1)).to_pylist()
    assert (single["id"][:19], single["conversation_type"]) == ("single_turn_edit_1_", "single_turn")


def test_a_chain_is_the_same_however_many_chains_and_rooms_there_are():
    alone = SceneReverseEditor(chains=1)(BOTH.slice(1, 1)).to_pylist()
    [beside] = [row for row in SceneReverseEditor(chains=4)(BOTH).to_pylist()
                if (row["scene_id"], row["chain_id"]) == ("grouped", 1)]  # fmt: skip
    assert alone[0]["chain"] == beside["chain"]
    assert SceneReverseEditor(chains=1, seed=1)(BOTH.slice(1, 1))["chain"][0].as_py() != beside["chain"]


def test_the_counts_tell_drawn_calls_and_forced_adds():
    for row in SceneReverseEditor(chains=4)(BOTH).to_pylist():
        calls = [call["name"] for calls in json.loads(row["chain"])["turns"][:-1] for call in calls]
        free = dict(row["free"])
        assert row["forced"] + sum(free.values()) == len(calls)
        assert row["forced"] == calls.count("add_object") - free.get("add_object", 0)


@pytest.mark.parametrize(
    ("room", "message"),
    [
        ({"objects": []}, "this is no room: bounds or objects are missing"),
        (ssr([]), "there is nothing in the room"),
        (ssr([thing(0, "A chair.", [1.0] * 3)] * 2), "2 objects have the jid 'o0'"),
        (ssr([thing(0, "", [1.0] * 3)]), "the object 'o0' has no desc"),
        (ssr([{**thing(0, "A chair.", [1.0] * 3), "jid": ""}]), "an object has no jid"),
        (ssr([thing(0, "A chair.", [1.0, 1.0, 1e300])]), "this is no room"),
        (groups(furnished(2), "", "b"), "a group has no name"),
        ({**groups(furnished(2), "a"), "groups": groups(furnished(4), "a")["groups"] * 2}, "2 objects"),
    ],
)
def test_a_room_that_calls_cannot_build_is_one_reject_with_its_reason(room, message):
    done = SceneReverseEditor(chains=3).apply(table(good=furnished(4), bad=room))
    assert done.table["scene_id"].to_pylist() == ["good"] * 3
    [told] = done.rejects["message"].to_pylist()
    assert told.startswith(f"bad: {message}")


def test_groups_that_no_add_can_make_are_told():
    room = groups(furnished(4), "a", "b")
    room["groups"][0]["note"] = "by the window"
    done = SceneReverseEditor(chains=2).apply(table(bad=room))
    assert done.rejects["message"].to_pylist() == ["bad: the group 'a' has 'note', which no add_object brings"]


def test_a_chain_that_cannot_be_made_is_a_reject_of_its_own():
    tiny = ssr([thing(0, "?", [1.0, 1.0, 1.0])], [[0.0, 0.0], [0.2, 0.0], [0.2, 0.2], [0.0, 0.2]])
    done = SceneReverseEditor(chains=12, turns=(2, 2), max_attempts=4, slips=True).apply(table(tiny=tiny))
    assert done.table.num_rows + done.rejects.num_rows == 12
    assert done.table.num_rows > 0
    assert done.rejects["error"].to_pylist() == ["NoPlan"] * done.rejects.num_rows
    assert all("no chain in 4 attempts; the last one failed: " in told for told in done.rejects["message"].to_pylist())
    numbers = [json.loads(told)["chain_id"] for told in done.rejects["inputs"].to_pylist()]
    assert sorted([*numbers, *done.table["chain_id"].to_pylist()]) == list(range(1, 13))


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("single", [False, True])
def test_tiny_rooms_have_chains_too(count, single):
    done = SceneReverseEditor(chains=5, single_turn=single, slips=True).apply(table(tiny=furnished(count)))
    assert done.table.num_rows == 5
    for row in done.table.to_pylist():
        assert broken(row["chain"], furnished(count), multi=not single) == []


def test_a_room_of_two_hundred_objects_has_chains():
    objects = [thing(i, "A wooden chair.", [0.4, 0.9, 0.4], 0.6 * (i % 20), 0.6 * (i // 20)) for i in range(200)]
    room = ssr(objects, [[-1.0, -1.0], [13.0, -1.0], [13.0, 7.0], [-1.0, 7.0]])
    [row] = SceneReverseEditor(chains=1)(table(hall=room)).to_pylist()
    assert same_room(Chain.read(row["chain"]).states()[-1], room)


@pytest.mark.parametrize("favor_add", [False, True])
@pytest.mark.parametrize("room", [furnished(10), groups(furnished(10), "a", "b")], ids=["ssr", "groups"])
def test_random_variations_are_undone_by_their_calls(room, favor_add):
    editor = SceneReverseEditor(seed=3)
    for name in ("one", "two", "three"):
        before, calls = editor.add_random_variations(room, name, num_operations=4, favor_add=favor_add)
        assert len(calls) == 4
        assert [call["id"] for call in calls] == ["tool_1", "tool_2", "tool_3", "tool_4"]
        assert same_room(apply(before, calls), room)
        assert not same_room(before, room)
        assert editor.add_random_variations(room, name, num_operations=4, favor_add=favor_add) == (before, calls)


def test_random_variations_heed_progress_number_and_favor():
    editor, room = SceneReverseEditor(), furnished(12)
    drawn = [editor.add_random_variations(room, str(i), 4, favor_add=True)[1] for i in range(30)]
    names = [call["name"] for calls in drawn for call in calls]
    assert names.count("add_object") > 0.7 * len(names)

    def volume(progress):
        calls = [call for i in range(30) for call in editor.add_random_variations(room, str(i), 2, True, progress)[1]]
        sizes = [call["arguments"]["size"] for call in calls if call["name"] == "add_object"]
        return sum(w * h * d for w, h, d in sizes) / len(sizes)

    assert volume(0.0) < volume(1.0)
    assert all(1 <= len(editor.add_random_variations(room, str(i))[1]) <= 8 for i in range(20))


def test_random_variations_can_go_back_to_the_empty_room():
    state, room = furnished(5), furnished(5)
    editor = SceneReverseEditor(odds={"add_object": 1.0})
    calls = []
    for step in range(5):
        state, told = editor.add_random_variations(state, "", 1, favor_add=False, step_progress=step / 4)
        calls = [*told, *calls]
    assert objects_of(state) == []
    assert same_room(apply(state, calls), room)


def test_replacements_can_come_from_a_file(tmp_path):
    file = tmp_path / "assets.jsonl"
    file.write_text('{"jid": "mine", "desc": "A green sofa of mine.", "size": [2.0, 0.8, 0.9]}\n', encoding="utf-8")
    room = ssr([thing(0, "A grey sofa.", [2.0, 0.8, 0.9]), thing(1, "A chair.", [0.4, 0.9, 0.4], 1.5)])
    editor = SceneReverseEditor(chains=1, single_turn=True, odds={"replace_object": 1.0}, assets=file)
    [row] = editor(table(r=room)).to_pylist()
    [call] = Chain.read(row["chain"]).turns[0]
    assert call["arguments"] == {"jid_to_replace": "mine", "new_object_description": "A grey sofa."}


def test_a_file_of_assets_is_read_once_and_its_contents_decide_whether_a_step_is_done_again(tmp_path):
    file, line = tmp_path / "assets.jsonl", '{"jid": "mine", "desc": "A %s sofa.", "size": [2.0, 0.8, 0.9]}\n'
    file.write_text(line % "green", encoding="utf-8")
    green, same = SceneReverseEditor(assets=file), SceneReverseEditor(assets=str(file))
    file.write_text(line % "red", encoding="utf-8")
    red = SceneReverseEditor(assets=file)
    assert fingerprint(green) == fingerprint(same) != fingerprint(red)
    assert fingerprint(pickle.loads(pickle.dumps(green))) == fingerprint(green) != fingerprint(SceneReverseEditor())
    assert fingerprint(SceneReverseEditor(assets=Catalogue([Asset("mine", "A red sofa.", (2.0, 0.8, 0.9))]))) == (
        fingerprint(red)
    )
    file.unlink()
    assert green(BOTH).num_rows == 20


def test_a_file_of_assets_that_cannot_be_used_is_told_in_one_sentence(tmp_path):
    file = tmp_path / "assets.jsonl"
    told = f"option 'assets': There is no file {file}"
    with pytest.raises(OptionError, match=re.escape(told)):
        SceneReverseEditor(assets=file)
    with pytest.raises(OptionError, match="option 'assets': a catalogue, or the path of its file"):
        SceneReverseEditor(assets=3)


@pytest.mark.parametrize(
    "options",
    [{"turns": (5, 4)}, {"turns": (0, 4)}, {"odds": {"fly": 1.0}}, {"odds": {"add_object": 0.0}}, {"chains": 0}],
)
def test_options_without_sense_are_refused(options):
    with pytest.raises(OptionError):
        SceneReverseEditor(**options)
