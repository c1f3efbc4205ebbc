"""read_room: what a room is made as, and every way in which it may be none."""

import json
import logging
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataflow_ext import InputError, OptionError
from operators.scene.model.json_values import SceneError
from operators.scene.model.scene import objects_of, to_groups, to_ssr, written
from operators.scene.reading.room_file import ReadRoom, read_room, rooms
from tests.scene.rooms_on_disk import BOUNDS, a_room, in_groups, thing, wrote


def read(value: Any, **options: Any) -> ReadRoom:
    return read_room(value if isinstance(value, bytes) else json.dumps(value).encode(), **options)


def why(value: Any) -> str:
    with pytest.raises(SceneError) as caught:
        read(value)
    return str(caught.value)


def ids(room: ReadRoom) -> list[tuple[str, str | None]]:
    return [(each["jid"], each.get("asset_jid")) for each in objects_of(room.scene)]


def test_numbers_get_the_digits_of_their_kind_and_keys_the_formats_order():
    given_room = {
        "objects": [
            {"jid": "a", "rot": [0, 0.7071067811865476, -0.0, 0.7071067811865476], "pos": [1, -0.001, 2.345678],
             "size": [1, 0.001, 2.006], "type": "major", "desc": "椅子 A", "x": {"y": [1, 2.3456]}}
        ],
        "style": 1.23456, "room_id": "R", "room_type": "bedroom", **BOUNDS,
    }  # fmt: skip
    room = read(given_room).scene
    assert written(room["objects"]) == (
        '[{"desc":"椅子 A","size":[1.0,0.01,2.01],"pos":[1.0,0.0,2.35],"rot":[0.0,0.70711,0.0,0.70711],"jid":"a",'
        '"type":"major","x":{"y":[1,2.3456]}}]'
    )
    assert list(room) == ["bounds_top", "bounds_bottom", "room_type", "room_id", "objects", "style"]
    assert room["style"] == 1.23456


def test_the_form_is_kept_and_a_layout_makes_groups():
    grouped = in_groups(("bed", [thing("a")]), ("rest", [thing("b")]), style="plain")
    assert read(grouped).scene == grouped
    assert read(to_ssr(grouped)).scene == grouped
    plain = a_room(thing("a"))
    assert read({**plain, "groups_layout": [{"group_name": "objects", "group_type": "", "objects": 1}]}).scene == plain


def test_repeated_ids_become_instance_ids_that_are_not_there_yet():
    assert ids(read(a_room(*map(thing, ["a", "b", "a", "a__2", "a"])))) == [
        ("a", "a"), ("b", None), ("a__3", "a"), ("a__2", None), ("a__4", "a"),
    ]  # fmt: skip


def test_an_asset_that_is_told_already_stays():
    room = read(a_room(thing("a", asset_jid="x"), thing("a"), thing("b", asset_jid="y")))
    assert ids(room) == [("a", "x"), ("a__2", "a"), ("b", "y")]


def test_ids_are_unique_over_all_groups():
    room = read(in_groups(("bed", [thing("a")]), ("rest", [thing("a")])))
    assert ids(room) == [("a", "a"), ("a__2", "a")]


@pytest.mark.parametrize("missing", [None, "", " ", "<NEED_RETRIVEAL>", "<NEED_RETRIEVAL>"])
def test_an_object_without_an_id_gets_one_of_what_it_is(missing):
    room = read(a_room(thing(missing), thing(missing, x=2.0), thing(missing, desc="A desk")))
    (first, asset), (second, its), (desk, none) = ids(room)
    assert (asset, its, none) == (first, first, None)
    assert second == f"{first}__2" and first.startswith("object-") and desk.startswith("object-") and desk != first
    assert room.told[0] == "$.objects[0].jid: there is none; it is now made from what the object is"


def test_what_was_read_reads_the_same_again():
    room = read(a_room(thing("a"), thing("a"), thing(None), rot=1))
    again = read(room.scene)
    assert again == ReadRoom(room.scene, [], [])


def test_repeated_group_names_are_told_apart_and_empty_groups_go():
    room = read(in_groups(("bed", [thing("a")]), ("bed", []), ("bed", [thing("b")]), ("bed__2", [thing("c")])))
    assert [group["group_name"] for group in room.scene["groups"]] == ["bed", "bed__3", "bed__2"]
    assert room.told == ["$.groups: names are repeated; their groups are now called bed__3"]


def test_a_rotation_that_is_none_is_put_right_and_told():
    room = read(a_room(thing("a", rot=[0, 0, 0, 0]), thing("b", rot=[0, 2, 0, 0]), thing("c", rot=[0, 0, 0, 1.001])))
    assert [each["rot"] for each in room.scene["objects"]] == [
        [0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.001],
    ]  # fmt: skip
    assert room.told == [
        "$.objects[0].rot: a quaternion of length 0 is no rotation; it is now [0, 0, 0, 1]",
        "$.objects[1].rot: a quaternion of length 2 is no rotation; it is now of length 1",
    ]


def test_an_object_without_a_description_is_called_object():
    room = read(a_room(thing("a", desc="  "), {**thing("b"), "desc": None}))
    assert [each["desc"] for each in room.scene["objects"]] == ["object", "object"]
    assert len(room.told) == 2


def test_bounds_the_wrong_way_up_are_exchanged_and_closed_outlines_opened():
    upside = {"bounds_top": BOUNDS["bounds_bottom"], "bounds_bottom": BOUNDS["bounds_top"]}
    assert read(a_room(thing(), **upside)).scene == a_room(thing())
    assert read(a_room(thing(), **upside)).told == ["$: bounds_top lies below bounds_bottom; they are exchanged"]
    closed = {key: [*corners, corners[0]] for key, corners in BOUNDS.items()}
    assert read(a_room(thing(), **closed)).scene == a_room(thing())


JUNK = {
    "far": (thing("far", x=5.2), "its middle is 1.20 m outside the room"),
    "low": (thing("low", pos=[1, -0.7, 1]), "it lies wholly below the floor, its top 0.20 m"),
    "high": (thing("high", pos=[1, 2.8, 1]), "it lies wholly above the ceiling, its bottom 0.20 m"),
    "wide": (thing("wide", size=[8.1, 1, 1]), "its size [8.1, 1.0, 1.0] is more than twice the room's"),
    "tall": (thing("tall", size=[1, 5.3, 1]), "its size [1.0, 5.3, 1.0] is more than twice the room's"),
}


@pytest.mark.parametrize("name", JUNK)
def test_junk_is_named_and_by_option_dropped_or_kept(name):
    junk, reason = JUNK[name]
    told = [f'$.objects[0] ({name}, "A chair"): {reason}']
    room = a_room(junk, thing("chair"))
    assert read(room) == ReadRoom(read(a_room(thing("chair"))).scene, told, [])
    kept = read(room, keep_junk=True)
    assert (kept.junk, [each["jid"] for each in kept.scene["objects"]]) == (told, [name, "chair"])


def test_what_sticks_out_of_the_room_but_little_is_no_junk():
    near = [thing("a", x=4.9), thing("b", pos=[1, -0.55, 1]), thing("c", pos=[1, 2.65, 1]), thing("d", size=[8, 5, 1])]
    assert read(a_room(*near)).junk == []
    assert read(a_room(*near), far=0.5).junk == ['$.objects[0] (a, "A chair"): its middle is 0.90 m outside the room']


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"size": [0.5, 0, 0.5]}, "its size is [0.5, 0.0, 0.5]"),
        ({"size": [0.5, -1, 0.5]}, "its size is [0.5, -1.0, 0.5]"),
        ({"size": [0.5, math.nan, 1e400]}, "its size is [0.5, no number, no number]"),
        ({"size": [0.5, None, 1e9]}, "its size is [0.5, no number, no number]"),
        ({"size": None}, "it has no size"),
        ({"pos": [1, math.inf, 1]}, "its position is [1.0, no number, 1.0]"),
        ({"pos": None}, "it has no position"),
    ],
)
def test_an_object_without_size_or_place_never_stays(more, reason):
    for keep in (True, False):
        room = read(a_room(thing("a", **more), thing("b")), keep_junk=keep)
        assert room == ReadRoom(a_room(thing("b")), [f'$.objects[0] (a, "A chair"): {reason}'], [])


def test_a_group_of_junk_goes_with_it():
    room = read(in_groups(("far", [thing("a", x=99)]), ("bed", [thing("b")])))
    assert room.scene == in_groups(("bed", [thing("b")]))
    assert room.junk[0].startswith('$.groups[0].objects[0] (a, "A chair")')


def test_an_empty_room_and_one_left_empty_are_told():
    assert why(a_room()) == "The room is empty: it has no objects."
    assert why(a_room(thing("a", x=99))) == (
        'The room is empty: all its objects are junk: $.objects[0] (a, "A chair"): its middle is 95.00 m outside the '
        "room."
    )


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in a_room(thing()).items() if name != key}


BOUNDS_PLACE = "it is missing; it stands beside objects, or, in a room with groups, in room_envelope"

BAD: list[tuple[Any, str]] = [
    (b"", "It is no JSON (Expecting value: line 1 column 1 (char 0)); write it again."),
    (b"\xff{", "It is not UTF-8 (byte 0); save it as UTF-8."),
    (b"[" * 100_000, "It is no JSON that can be read: it is nested too deep."),
    ([1, 2], "$: a room is a JSON object, this is a list of 2."),
    ({}, "$: it has neither objects nor groups; a room is an object that has the one or the other."),
    (without("room_type"), "$.room_type: it is missing; give it a text."),
    (a_room(thing(), room_id=7), "$.room_id: a text is wanted, this is 7."),
    (a_room(thing(), room_type=" "), "$.room_type: it is empty; give it a text."),
    (without("bounds_top"), f"$.bounds_top: {BOUNDS_PLACE}."),
    ({**in_groups(), **BOUNDS, "room_envelope": {}}, f"$.room_envelope.bounds_top: {BOUNDS_PLACE}; "
     f"$.room_envelope.bounds_bottom: {BOUNDS_PLACE}."),
    ({**in_groups(), "room_envelope": 5}, "$.room_envelope: an object with the bounds is wanted, this is 5."),
    (a_room(thing(), bounds_top=[[0, 0]]), "$.bounds_top: a list of 3 to 100 corners is wanted, this is a list of 1."),
    (a_room(thing(), bounds_top=[[0, 1, True]] * 3),
     "$.bounds_top[0]: three numbers in metres are wanted, this is [0, 1, true]."),
    (a_room(thing(), bounds_top=[[0, 1, 1e7]] * 3),
     "$.bounds_top[0]: three numbers in metres are wanted, this is [0, 1, 10000000.0]."),
    (a_room(thing(), bounds_top=BOUNDS["bounds_bottom"]),
     "$.bounds_top: it is as low as bounds_bottom; a room has a height."),
    (a_room(thing(), bounds_bottom=[[0, 0, 0], [1, 0, 0], [2, 0, 0]]),
     "$.bounds_bottom: its corners enclose no floor; give them in the order of the walls."),
    ({**a_room(), "objects": {}}, "$.objects: a list of objects is wanted, this is an object."),
    (a_room("chair"), '$.objects[0]: an object is wanted, this is "chair".'),
    (a_room(thing(desc=[])), "$.objects[0].desc: a text is wanted, this is a list of 0."),
    (a_room(thing(12)), "$.objects[0].jid: a text is wanted, this is 12."),
    (a_room(thing(asset_jid=1)), "$.objects[0].asset_jid: a text is wanted, this is 1."),
    (a_room(thing(group_type="x")),
     "$.objects[0].group_type: it is a key of groups, not of objects; call it otherwise."),
    (a_room(thing(size=[1, 2])), "$.objects[0].size: three numbers in metres are wanted, this is [1, 2]."),
    (a_room(thing(pos=[1, "2", 3])), '$.objects[0].pos: three numbers in metres are wanted, this is [1, "2", 3].'),
    (a_room(thing(rot=None)), "$.objects[0].rot: a quaternion of four numbers is wanted, this is missing."),
    (a_room(thing(rot=[0, 90, 0])), "$.objects[0].rot: a quaternion of four numbers is wanted, this is [0, 90, 0]."),
    (a_room(thing(style=math.nan)), "$.objects[0].style: a number is wanted, this is NaN."),
    (a_room(thing(), **{"a b": 1e999}), "$['a b']: a number is wanted, this is Infinity."),
    (b'{"objects": [], "objects": []}',
     f"$: the key 'objects' is there twice; keep one; $.bounds_top: {BOUNDS_PLACE}; $.bounds_bottom: {BOUNDS_PLACE}; "
     "$.room_type: it is missing; give it a text; $.room_id: it is missing; give it a text."),
    (a_room(thing(desc="<image>")),
     "$.objects[0].desc: it holds <image>, which marks parts of conversations; take it out."),
    (a_room(thing(desc="a <NEED_RETRIVEAL>")), "$.objects[0].desc: it holds <NEED_RETRIVEAL>, which is a placeholder; take it out."),
    (a_room(thing(desc="\ud800")),
     "$.objects[0].desc: it holds half of a surrogate pair, which is no character."),
    (a_room(thing(), groups=[]), "$: it has both objects and groups; a room is an object that has the one or the "
     "other."),
    (a_room(thing(), groups_layout=[]), "$: groups_layout tells of 0 objects, but the room has 1; correct the counts, "
     "or leave groups_layout out."),
    ({**in_groups(), "groups": ["bed"]}, '$.groups[0]: an object is wanted, this is "bed".'),
    (in_groups((None, [thing()])), "$.groups[0].group_name: it is missing; give it a text."),
    ({**in_groups(), "groups": [{"group_name": "bed", "group_type": 1, "objects": 2}]},
     "$.groups[0].group_type: a text is wanted, this is 1; $.groups[0].objects: a list of objects is wanted, this is "
     "2."),
    (a_room(*[thing()] * 1001), "$: 1,001 objects are no room; the most is 1,000."),
    (a_room(*[5] * 9), "; ".join(f"$.objects[{i}]: an object is wanted, this is 5" for i in range(5))
     + "; and 4 more."),
]  # fmt: skip


@pytest.mark.parametrize(("value", "message"), BAD, ids=[message[:60] for _, message in BAD])
def test_what_is_no_room_is_told_by_its_path(value, message):
    assert why(value) == message


def test_a_room_in_a_room_in_a_room_is_nested_too_deep():
    deep: Any = 1
    for _ in range(60):
        deep = [deep]
    assert "it is nested deeper than 50 times; leave it out" in why(a_room(thing(), deep=deep))


odd = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.lists(st.floats(), max_size=4)


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_hostile_rooms_are_read_or_refused_in_a_sentence(data):
    room = data.draw(st.sampled_from([a_room(thing("a"), thing("a")), in_groups(("bed", [thing("a"), thing("b")]))]))
    room = json.loads(json.dumps(room))
    for _ in range(data.draw(st.integers(1, 3))):
        holder: Any = room
        while True:
            keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            if not keys:
                break
            key = data.draw(st.sampled_from(keys))
            if isinstance(holder[key], dict | list) and data.draw(st.booleans()):
                holder = holder[key]
                continue
            holder[key] = data.draw(odd)
            break
    try:
        made = read(json.dumps(room).encode())
    except SceneError as error:
        assert str(error).endswith(".") and "\n" not in str(error)
        return
    scene = json.loads(written(made.scene))
    assert to_groups(to_ssr(scene)) == to_groups(scene)
    assert to_ssr(to_groups(scene)) == to_ssr(scene)
    assert len({each["jid"] for each in objects_of(scene)}) == len(objects_of(scene)) > 0
    assert read(scene, keep_junk=True).scene == scene


def found(*inputs: Path) -> dict[str, str]:
    table = rooms(inputs)
    return dict(zip(table["scene_id"].to_pylist(), table["scene_file"].to_pylist(), strict=True))


def test_folders_are_walked_and_files_named_by_their_place_below_them(tmp_path):
    for name in ("b/c/two.json", "one.JSON", "many.jsonl", "notes.txt", ".hidden/x.json", ".y.json", "old/z.json"):
        wrote(tmp_path / name, b"")
    (tmp_path / "old" / ".run").mkdir()
    assert found(tmp_path) == {
        "b/c/two": str(tmp_path / "b/c/two.json"),
        "many": str(tmp_path / "many.jsonl"),
        "one": str(tmp_path / "one.JSON"),
    }


def test_a_file_given_by_itself_is_called_by_its_name(tmp_path):
    assert found(wrote(tmp_path / "a/room.json", b"")) == {"room": str(tmp_path / "a/room.json")}


def test_the_order_of_the_inputs_makes_no_difference(tmp_path):
    one, two = wrote(tmp_path / "a/x.json", b"").parent, wrote(tmp_path / "b/y.json", b"").parent
    assert rooms([one, two]).equals(rooms([two, one]))
    assert rooms([one, tmp_path]).equals(rooms([tmp_path, one]))


def test_a_file_that_is_found_twice_counts_once(tmp_path):
    file = wrote(tmp_path / "a/x.json", b"")
    assert found(tmp_path, file, tmp_path / "a") == {"a/x": str(file)}


def test_two_rooms_with_one_id_are_refused_and_both_named(tmp_path):
    one, two = wrote(tmp_path / "a/x.json", b""), wrote(tmp_path / "b/x.json", b"")
    with pytest.raises(OptionError) as caught:
        rooms([one.parent, two.parent])
    assert str(caught.value) == (
        f"Two rooms would both be called 'x': {one} and {two}; rename one, or give the folder above both."
    )


def test_a_file_that_is_called_like_a_line_of_another_is_refused(tmp_path):
    wrote(tmp_path / "x.jsonl", b"")
    wrote(tmp_path / "x#2.json", b"")
    with pytest.raises(OptionError, match="Two rooms would both be called 'x#2'"):
        rooms([tmp_path])


@pytest.mark.parametrize(
    ("name", "why"),
    [("empty", "there is no room in it"), ("gone", "no such file or folder"), ("a.txt", "a room is a file .json")],
)
def test_nothing_to_be_found_is_one_clear_error(tmp_path, name, why):
    (tmp_path / "empty").mkdir()
    wrote(tmp_path / "a.txt", b"")
    with pytest.raises(InputError, match=why):
        rooms([tmp_path / name])


def test_no_input_is_an_error():
    with pytest.raises(InputError, match="no file and no folder was given"):
        rooms([])


def test_links_that_leave_the_folder_are_refused_and_told_of(tmp_path, caplog):
    outside = wrote(tmp_path / "outside/secret.json", b"")
    inside = wrote(tmp_path / "in/x.json", b"")
    (tmp_path / "in/leaving.json").symlink_to(outside)
    (tmp_path / "in/folder").symlink_to(outside.parent)
    (tmp_path / "in/nowhere.json").symlink_to(tmp_path / "gone")
    with caplog.at_level(logging.WARNING):
        assert found(tmp_path / "in") == {"x": str(inside)}
    assert [record.getMessage().partition(";")[0] for record in caplog.records] == [
        "2 file(s) or folder(s) are links to folders, or lead out of the folder, and are not followed",
        "1 file(s) or folder(s) cannot be read or have names that are not UTF-8",
    ]


def test_a_link_within_the_folder_counts_once(tmp_path):
    file = wrote(tmp_path / "b.json", b"")
    (tmp_path / "c.json").symlink_to(file)
    assert found(tmp_path) == {"b": str(file)}
