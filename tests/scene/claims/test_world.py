"""What names mean in a turn, the page about claims, and the commands."""

import json
from pathlib import Path

import pytest

from dataflow_ext.claims import check
from dataflow_ext.claims.vocabulary import page_text, prompt_text
from operators.scene.claims.world import ROOM, RoomWorld
from pipelines.scene_edit import main
from tests.scene.facts.turns import put, room

PAGE = Path(__file__).parents[3] / "docs" / "scene_claims.md"
HERE = room("livingroom", 5, 4, [
    put("s1", "A gray three-seat sofa with wooden legs.", [2.0, 0.8, 0.9], [0.0, 0.0, -1.5]),
    put("c1", "A red armchair.", [0.8, 0.9, 0.8], [-1.8, 0.0, 0.0], 90),
    put("c2", "A green armchair.", [0.8, 0.9, 0.8], [1.8, 0.0, 0.0], -90),
    put("t1", "一张圆形茶几", [0.8, 0.4, 0.8], [0.0, 0.0, 0.0]),
    put("l1", "A table lamp.", [0.3, 0.4, 0.3], [0.0, 0.4, 0.0]),
    put("l2", "A table lamp.", [0.3, 0.4, 0.3], [2.2, 0.0, 1.6]),
])  # fmt: skip


@pytest.mark.parametrize(("name", "jids"), [
    ("sofa", ["s1"]), ("the sofa", ["s1"]), ("couch", ["s1"]), ("沙发", ["s1"]), ("gray sofa", ["s1"]), ("s1", ["s1"]),
    ("red armchair", ["c1"]), ("red_armchair", ["c1"]), ("armchair", ["c1", "c2"]), ("chair", ["c1", "c2"]),
    ("armchair 1", []), ("coffee table", ["t1"]), ("茶几", ["t1"]), ("lamp", ["l1", "l2"]), ("table lamp 2", ["l2"]),
    ("blue sofa", []), ("piano", []), ("sofa bed", ["s1"]), ("", []),
])  # fmt: skip
def test_a_name_means_a_thing_by_its_name_kind_or_looks(name, jids):
    assert list(RoomWorld.of(HERE, []).find("thing", name, "before")) == jids


@pytest.mark.parametrize(("text", "verdict"), [
    ("The sofa is 2 m wide [width(sofa)] and stands at the north wall [at_wall(sofa, north)].", "proven"),
    ("The couch stands there [at_wall(sofa, south)].", "false"),
    ("沙发靠北墙 [at_wall(沙发, north)]，宽约2米 [width(sofa)]。", "proven"),
    ("The armchairs face each other [faces(red armchair, green armchair) and faces(green armchair, red armchair)].", "proven"),
    ("There are two lamps [count(lamp)], one of them on the table [on(table lamp 1, coffee table)].", "proven"),
    ("Table lamp 2 stands on the floor in the southeast corner [in_corner(table lamp 2, southeast)].", "proven"),
    ("There is no rug and no TV.", "unclaimed"), ("There is no rug [not exists(rug)].", "proven"),
    ("A bookcase of 1.2 m would fit.", "unclaimed"), ("It looks calm.", "unproven"),
    ("The lamps are 0.3 m wide [width(lamp)].", "proven"), ("The armchairs are red [is_a(armchair, chair)].", "proven"),
])  # fmt: skip
def test_sentences_about_a_room_have_their_verdicts(text, verdict):
    (found,) = check(text, RoomWorld.of(HERE, [])).sentences
    assert (found.verdict, found.text.count("[")) == (verdict, 0)


def test_what_a_turn_brings_is_looked_for_after_it_and_has_the_name_of_the_turn():
    add = {"id": "tool_1", "name": "add_object", "retrieval": {"jid": "c3"}, "arguments": {
        "object_description": "A blue armchair.", "position": [0.0, 0.0, 1.5], "rotation": [0.0, 1.0, 0.0, 0.0],
        "size": [0.8, 0.9, 0.8]}}  # fmt: skip
    world = RoomWorld.of(HERE, [add])
    text = (
        "The blue armchair [adds(blue armchair, tool_1)] comes 0.7 m [gap(blue armchair, coffee table)] off the table."
    )
    assert check(text, world).sentences[0].verdict == "proven"
    assert [each.verdict for each in check("It is there [exists(blue armchair, before)].", world).sentences] == [
        "false"
    ]


def test_the_page_lists_the_vocabulary_and_the_prompt_has_every_term():
    assert PAGE.read_text(encoding="utf-8").endswith("-->\n\n" + page_text(ROOM))
    assert [term.word for term in ROOM.terms if f"{term.form}" not in prompt_text(ROOM)] == []


def test_the_commands_tell_facts_and_verdicts(tmp_path, capsys):
    (tmp_path / "room.json").write_text(json.dumps(HERE), encoding="utf-8")
    move = {"name": "move_object", "arguments": {"jid": "s1", "new_position": [0.0, 0.0, -1.0]}}
    (tmp_path / "calls.json").write_text(json.dumps([move]), encoding="utf-8")
    assert main(["facts", str(tmp_path / "room.json"), "--calls", str(tmp_path / "calls.json")]) == 0
    told = capsys.readouterr().out
    assert "sofa: at (0.00, 0.00, -1.50)" in told and "After the calls" in told and "(0.00, 0.00, -1.00)" in told
    lines = [
        {"id": "a", "room": "room.json", "calls": [], "text": "The sofa is 2 m wide [width(sofa)]."},
        {"room": HERE, "calls": [move], "text": "It moves by 0.3 m [moved(sofa)]. Fine."},
    ]
    (tmp_path / "texts.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert main(["claims", str(tmp_path / "texts.jsonl"), "--json"]) == 1
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each["line"], each["id"], each["verdict"]) for each in found] == [
        (1, "a", "proven"), (2, None, "false"), (2, None, "unproven"),
    ]  # fmt: skip
    assert found[1]["reasons"] == ["[moved(sofa)] is 0.50 m, and not 0.3 m"]
    assert main(["claims", str(tmp_path / "room.json")]) == 2
