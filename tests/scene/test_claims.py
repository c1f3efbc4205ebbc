"""Claims about rooms: measures and statements at their limits, what names mean in a turn, the page and the commands."""

import json
from pathlib import Path

import pytest

from dataflow_ext.claims import answers, check, holds, parse
from dataflow_ext.claims.proof import Quantity
from dataflow_ext.claims.vocabulary import page_text, prompt_text
from operators.scene.claims.terms import MEASURES, PREDICATES
from operators.scene.claims.world import ROOM, RoomWorld
from pipelines.scene_edit import main
from tests.scene.turns import put, room


def world(*objects, kind="bedroom", w=6, d=6, calls=()):
    return RoomWorld.of(room(kind, w, d, list(objects)), list(calls))


def bed(x=0.0, z=-1.99, yaw=0, size=(1.6, 1.0, 2.0)):
    return put("b", "A double bed.", list(size), [x, 0.0, z], yaw)


def desk(x, z, yaw=0, y=0.0, size=(1.2, 0.75, 0.6)):
    return put("d", "A writing desk.", list(size), [x, y, z], yaw)


def chair(x, z, yaw=0):
    return put("c", "A chair.", [0.5, 0.9, 0.5], [x, 0.0, z], yaw)


def cushion(y):
    return put("k", "A cushion.", [0.4, 0.2, 0.4], [0.0, y, 0.0])


SOFA = put("s", "A sofa.", [2.0, 0.8, 0.9], [0.0, 0.0, 0.0])
RUG = put("r", "A rug.", [2.0, 0.02, 2.0], [0.0, 0.0, 0.0])
MOVE = {"id": "tool_1", "name": "move_object", "arguments": {"jid": "b", "new_position": [0.3, 0.0, -1.59]}}
TURN = {"id": "tool_2", "name": "rotate_object",
        "arguments": {"jid": "b", "new_rotation": [0.0, 0.70711, 0.0, 0.70711]}}  # fmt: skip
SCALE = {"id": "tool_3", "name": "scale_object", "arguments": {"jid": "b", "new_size": [2.0, 1.25, 2.5]}}
ADD = {"id": "tool_4", "name": "add_object", "retrieval": {"jid": "n"}, "arguments": {
    "object_description": "A floor lamp.", "position": [2.0, 0.0, 2.0], "rotation": [0.0, 0.0, 0.0, 1.0],
    "size": [0.4, 1.6, 0.4]}}  # fmt: skip
REMOVE = {"id": "tool_5", "name": "remove_object", "arguments": {"jid": "b"}}
REPLACE = {"id": "tool_6", "name": "replace_object", "retrieval": {"jid": "n2", "desc": "A bunk bed.", "size": [1.0, 2.0, 2.0]},
           "arguments": {"jid_to_replace": "b", "new_object_description": "A bunk bed."}}  # fmt: skip
END = {"id": "tool_7", "name": "terminate", "arguments": {"reason": "Done."}}

#: Each measure in a room of 6 x 6 m, and its value by hand.
VALUES = [
    ("width(bed)", 1.6, world(bed())), ("height(bed)", 1.0, world(bed())), ("depth(bed)", 2.0, world(bed())),
    ("footprint(bed)", 3.2, world(bed(yaw=30))), ("volume(bed)", 3.2, world(bed())),
    ("x(bed)", 0.0, world(bed())), ("z(bed)", -1.99, world(bed())),
    ("lift(desk)", 0.4, world(desk(0, 0, y=0.4))), ("top(desk)", 1.15, world(desk(0, 0, y=0.4))),
    ("gap(bed, desk)", 0.3, world(bed(0, 0), desk(0, 1.6))), ("gap(bed, desk)", 0.0, world(bed(0, 0), desk(0, 1.0))),
    ("distance(bed, desk)", 1.6, world(bed(0, 0), desk(0, 1.6))),
    ("wall_gap(bed)", 0.01, world(bed())), ("wall_gap(bed, south)", 3.99, world(bed())),
    ("wall_gap(bed)", -0.11, world(bed(z=-2.11))),
    ("overlap(bed, desk)", 0.2, world(bed(0, 0), desk(0, 1.1))), ("overlap(bed, desk)", 0.0, world(bed(0, 0), desk(0, 2))),
    ("outside(bed)", 0.1, world(bed(z=-2.2))), ("outside(bed)", 0.0, world(bed())),
    ("ahead(bed)", 3.99, world(bed())), ("ahead(bed)", 0.3, world(bed(0, 0), desk(0, 1.6))),
    ("ahead(bed)", 2.0, world(bed(0, 0), desk(1.41, 1.6))),
    ("bearing(bed)", 180, world(bed())), ("bearing(bed)", 90, world(bed(yaw=90))),
    ("angle(bed, desk)", 0, world(bed(0, 0), desk(0, 2))), ("angle(bed, desk)", 180, world(bed(0, 0), desk(0, -2))),
    ("turned(bed)", 90, world(bed(), calls=[TURN])), ("turned(bed)", 0, world(bed())),
    ("moved(bed)", 0.5, world(bed(), calls=[MOVE])), ("moved(bed)", 0.0, world(bed())),
    ("scaled(bed)", 1.25, world(bed(), calls=[SCALE])),
    ("width(bed, after)", 2.0, world(bed(), calls=[SCALE])), ("width(bed, before)", 1.6, world(bed(), calls=[SCALE])),
    ("count()", 2, world(bed(), desk(0, 2))), ("count(bed)", 1, world(bed(), desk(0, 2))),
    ("count(sofas)", 0, world(bed())), ("count(after)", 2, world(bed(), calls=[ADD])),
    ("share(west)", 1.0, world(bed(x=-2))), ("share(north)", 0.5, world(bed(z=0))),
    ("room_width()", 6, world()), ("room_depth()", 4, world(d=4)), ("room_height()", 2.6, world()),
    ("room_area()", 24, world(d=4)),
    ("free_width()", 6, world()), ("free_depth()", 6, world()), ("free_area()", 36, world()),
    ("width(lamp)", 0.4, world(bed(), calls=[ADD])),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "value", "room"), VALUES, ids=[f"{i}-{v[0]}" for i, v in enumerate(VALUES)])
def test_a_measure_has_the_value_that_was_worked_out_by_hand(expression, value, room):
    (found,) = answers(parse(expression), room)
    assert isinstance(found, Quantity) and found.value == pytest.approx(value, abs=1e-3)


def test_every_measure_is_measured():
    assert {each[0].split("(")[0] for each in VALUES} == set(MEASURES)


#: Each predicate with a room where it is just so, and one where it is just not so (None: always so).
LIMITS = [
    ("exists(bed)", world(bed()), world(desk(0, 0))), ("exists(lamp, after)", world(calls=[ADD]), world(bed())),
    ("needed(bed)", world(), world(kind="kitchen")), ("missing(bed)", world(), world(bed())),
    ("is_a(bed, bed)", world(bed()), None), ("not is_a(bed, sofa)", world(bed()), None),
    ("at_wall(bed)", world(bed(z=-1.85)), world(bed(z=-1.84))), ("at_wall(bed, north)", world(bed()), world(bed(z=1.99))),
    ("back_to_wall(bed, north)", world(bed(z=-1.85)), world(bed(z=-1.84))),
    ("back_to_wall(bed)", world(bed()), world(bed(yaw=180))),
    ("off_wall(bed)", world(bed(z=-1.69)), world(bed(z=-1.7))),
    ("in_corner(bed, northwest)", world(bed(x=-1.1, z=-1.1)), world(bed(x=-0.9, z=-1.1))),
    ("on_side(bed, north)", world(bed(x=-0.9, z=-1.1)), world(bed(x=-1.1, z=-1.1))),
    ("in_centre(bed)", world(bed(x=-0.9, z=-0.9)), world(bed(x=-0.9, z=-1.1))),
    ("in_part(bed, northwest)", world(bed(x=-0.1, z=-0.1)), world(bed(x=0.1, z=-0.1))),
    ("near(bed, desk)", world(bed(0, 0), desk(0, 1.9)), world(bed(0, 0), desk(0, 1.91))),
    ("far(bed, desk)", world(bed(0, -1.9), desk(0, 1.4)), world(bed(0, -1.9), desk(0, 1.39))),
    ("side_of(desk, bed, south)", world(bed(0, 0), desk(1.9, 1.9)), world(bed(0, 0), desk(1.95, 1.9))),
    ("on(desk, bed)", world(bed(0, 0), desk(0, 0, y=1.05)), world(bed(0, 0), desk(0, 0, y=1.06))),
    ("on(cushion, sofa)", world(SOFA, cushion(0.8)), world(SOFA, cushion(0.86))),
    ("on(cushion, rug)", world(RUG, cushion(0.07)), world(RUG, cushion(2.0))),
    ("under(chair, desk)", world(desk(0, 0), chair(0, 0.3)), world(desk(0, 0), chair(0, 0.6))),
    ("not under(desk, chair)", world(desk(0, 0), chair(0, 0.3)), None),
    ("between(desk, bed, chair)", world(bed(-2, 0), desk(0, 0.5), chair(2, 0)), world(bed(-2, 0), desk(0, 2), chair(2, 0))),
    ("faces(bed, desk)", world(bed(0, 0), desk(1.15, 2)), world(bed(0, 0), desk(1.17, 2))),
    ("faces(bed, south)", world(bed(yaw=30)), world(bed(yaw=31))),
    ("faces_away(bed, desk)", world(bed(0, 0), desk(2, -0.74)), world(bed(0, 0), desk(2, -0.7))),
    ("blocked(bed)", world(bed(0, 0), desk(0, 1.69)), world(bed(0, 0), desk(0, 1.7))),
    ("blocks(desk, bed)", world(bed(0, 0), desk(0, 1.69)), world(bed(0, 0), desk(0, 1.7))),
    ("overlaps(bed, desk)", world(bed(0, 0), desk(0, 1.25)), world(bed(0, 0), desk(0, 1.26))),
    ("overlaps(desk)", world(bed(0, 0), desk(0, 1.25)), world(desk(0, 0), chair(0, 0.3))),
    ("leaves_room(bed)", world(bed(z=-2.1)), world(bed(z=-2.09))), ("leaves_room()", world(bed(z=-2.1)), world(bed())),
    ("floats(desk)", world(desk(0, 0, y=0.06)), world(desk(0, 0, y=0.05))), ("floats()", world(desk(0, 0, y=0.3)), world(bed())),
    ("sound(bed)", world(bed(z=-2.09)), world(bed(z=-2.1))),
    ("sound()", world(bed(0, 0), desk(0, 1.26)), world(bed(0, 0), desk(0, 1.25))),
    ("small(bed)", world(bed(size=(1.0, 0.49, 1.0))), world(bed(size=(1.0, 0.5, 1.0)))),
    ("large(bed)", world(bed(size=(1.0, 1.0, 2.0))), world(bed(size=(1.0, 0.99, 2.0)))),
    ("largest(desk)", world(desk(0, 0), chair(2, 2)), world(bed(), desk(0, 0))),
    ("misplaced(bed)", world(bed(z=-1.69)), world(bed(z=-1.7))),
    ("misplaced()", world(desk(0, 0), kind="bedroom"), world(bed())),
    ("one_sided(west)", world(bed(-2, 0), desk(-2, 2.5), chair(1, 1)),
     world(bed(2, 0), desk(-2, 2.5), chair(1, 1))),
    ("adds(lamp)", world(calls=[ADD]), world(put("x", "A floor lamp.", [0.4, 1.6, 0.4], [0, 0, 0]))),
    ("adds(lamp, tool_4)", world(calls=[ADD]), world(put("x", "A floor lamp.", [0.4, 1.6, 0.4], [0, 0, 0]), calls=[])),
    ("removes(bed)", world(bed(), calls=[REMOVE]), world(bed(), calls=[MOVE])),
    ("moves(bed)", world(bed(), calls=[MOVE]), world(bed(), calls=[TURN])),
    ("turns(bed, tool_2)", world(bed(), calls=[TURN]), world(bed(), calls=[MOVE])),
    ("resizes(bed)", world(bed(), calls=[SCALE]), world(bed())),
    ("replaces(double bed)", world(bed(), calls=[REPLACE]), world(bed())),
    ("replaces(bunk bed)", world(bed(), calls=[REPLACE]), world(put("x", "A bunk bed.", [1.0, 2.0, 2.0], [0, 0, 0]))),
    ("ends()", world(bed(), calls=[END]), world(bed())),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "so", "not_so"), LIMITS, ids=[f"{i}-{v[0]}" for i, v in enumerate(LIMITS)])
def test_a_predicate_changes_at_its_limit(statement, so, not_so):
    assert holds(parse(statement), so)
    if not_so is not None:
        try:
            assert not holds(parse(statement), not_so)
        except ValueError as error:
            assert "there is no" in str(error)


def test_every_predicate_is_tested_at_its_limit():
    words = {each[0].removeprefix("not ").split("(")[0] for each in LIMITS}
    assert words == set(PREDICATES)


PAGE = Path(__file__).parents[2] / "docs" / "scene_claims.md"
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
