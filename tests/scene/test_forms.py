"""SSR and Groups: each exactly out of the other, whatever else a room has."""

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.scene.model.scene import LAYOUT, FormError, default_layout, objects_of, to_groups, to_ssr, written
from tests.scene.rooms_on_disk import a_room, in_groups, thing

RESERVED = {"objects", "groups", "room_envelope", "bounds_top", "bounds_bottom", LAYOUT, "room_type", "room_id"}

values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=3,
)
extras = st.dictionaries(st.text(max_size=5).filter(lambda key: key not in RESERVED), values, max_size=2)
names = st.sampled_from(["objects", "bed", "", "椅子"])
objects = st.lists(
    st.builds(lambda jid, more: {**thing(jid), **more}, st.sampled_from("abc"), extras), max_size=3
)  # ids are repeated in sources


@st.composite
def groups_rooms(draw: st.DrawFn) -> dict[str, Any]:
    groups = [
        {"group_name": draw(names), "group_type": draw(names), "objects": draw(objects)} | draw(extras)
        for _ in range(draw(st.integers(0, 3)))
    ]
    room = {**in_groups(), "groups": groups, **draw(extras)}
    room["room_envelope"] = {**room["room_envelope"], **draw(extras)}
    order = draw(st.permutations(list(room)))
    return {key: room[key] for key in order}


@st.composite
def ssr_rooms(draw: st.DrawFn) -> dict[str, Any]:
    room = {**a_room(*draw(objects)), **draw(extras)}
    if draw(st.booleans()):
        left, layout = len(room["objects"]), []
        while left or draw(st.booleans()):
            count = draw(st.integers(0, left))
            layout.append({"group_name": draw(names), "objects": count} | draw(extras))
            left -= count
        room[LAYOUT] = layout
        if layout == default_layout(len(room["objects"])):
            del room[LAYOUT]
    return room


@settings(max_examples=60, deadline=None)
@given(groups_rooms())
def test_a_groups_room_comes_back_exactly_from_ssr(room):
    before = copy.deepcopy(room)
    ssr = to_ssr(room)
    assert to_groups(ssr) == room == before
    assert objects_of(ssr) == objects_of(room)
    assert "groups" not in ssr and "objects" in ssr


@settings(max_examples=60, deadline=None)
@given(ssr_rooms())
def test_an_ssr_room_comes_back_exactly_from_groups(room):
    before = copy.deepcopy(room)
    groups = to_groups(room)
    assert to_ssr(groups) == room == before
    assert objects_of(groups) == objects_of(room)
    assert "objects" not in groups and LAYOUT not in groups


def test_a_room_comes_back_to_the_byte_if_its_keys_are_in_the_formats_order():
    ssr = a_room(thing("a"), thing("b"), style="plain")
    groups = in_groups(("bed", [thing("a")]), ("bed", []), ("rest", [thing("b")]), style="plain")
    assert written(to_ssr(to_groups(ssr))) == written(ssr)
    assert written(to_groups(to_ssr(groups))) == written(groups)


def test_empty_groups_and_repeated_names_are_told_by_the_layout():
    room = in_groups(("bed", [thing("a"), thing("b")]), ("bed", []), ("", [thing("c")]))
    assert to_ssr(room)[LAYOUT] == [
        {"group_name": "bed", "group_type": "main", "objects": 2},
        {"group_name": "bed", "group_type": "main", "objects": 0},
        {"group_name": "", "group_type": "main", "objects": 1},
    ]


def test_a_room_without_groups_of_its_own_has_no_layout():
    default = {"group_name": "objects", "group_type": "", "objects": [thing("a")]}
    assert to_ssr({**in_groups(), "groups": [default]}) == a_room(thing("a"))
    assert to_ssr(in_groups()) == a_room()
    assert to_groups(a_room()) == in_groups()


def test_an_empty_default_group_is_no_empty_room():
    room = {**in_groups(), "groups": [{"group_name": "objects", "group_type": "", "objects": []}]}
    assert to_groups(to_ssr(room)) == room


def test_a_room_that_is_of_the_form_already_comes_out_as_it_is():
    assert to_ssr(a_room(thing())) == a_room(thing())
    assert to_groups(in_groups(("bed", [thing()]))) == in_groups(("bed", [thing()]))


def one(count: Any) -> list[dict[str, Any]]:
    return [{"group_name": "bed", "group_type": "", "objects": count}]


@pytest.mark.parametrize(
    ("room", "why"),
    [
        (a_room(thing(), groups_layout=one(2)), "groups_layout tells of 2 objects, but the room has 1"),
        (a_room(thing(), groups_layout=one(True)), r"groups_layout\[0\] is to be an object"),
        (a_room(thing(), groups_layout=one(-1)), r"groups_layout\[0\] is to be an object"),
        (a_room(thing(), groups_layout=["bed"]), r"groups_layout\[0\] is to be an object"),
        (a_room(thing(), groups_layout={}), "groups_layout is no list"),
        (a_room(thing(), groups_layout=default_layout(1)), "the groups that the room has without it"),
        (a_room(groups=[]), "both objects and groups"),
        ({"room_type": "bedroom"}, "neither objects nor groups"),
        (a_room(room_envelope={}), "its room_envelope holds no others"),
        (a_room(room_envelope={"bounds_top": []}), "its room_envelope holds no others"),
        ({"objects": [], "bounds_top": []}, "The SSR room has no bounds_bottom"),
        ({**a_room(), "objects": "chairs"}, "objects of the room is no list"),
    ],
)
def test_what_has_no_groups_form_is_a_clear_error(room, why):
    with pytest.raises(FormError, match=why):
        to_groups(room)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"groups_layout": []}, "a key groups_layout, which belongs to an SSR room"),
        ({"bounds_top": []}, "a key bounds_top, which belongs to an SSR room"),
        ({"room_envelope": {"bounds_top": []}}, "room_envelope is to be an object with bounds_top and bounds_bottom"),
        ({"groups": [{"objects": {}}]}, r"groups\[0\] is to be an object with a list of objects"),
        ({"groups": "bed"}, "groups of the room is no list"),
    ],
)
def test_what_has_no_ssr_form_is_a_clear_error(more, why):
    with pytest.raises(FormError, match=why):
        to_ssr(in_groups(**more))


def test_a_groups_room_without_an_envelope_is_a_clear_error():
    with pytest.raises(FormError, match="no room_envelope"):
        to_ssr({"groups": []})
