"""Synthetic rooms: nothing overlaps, things stand where they belong, and the same seed gives the same bytes."""

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

from dataflow_ext import OptionError
from examples.made_rooms import ROOMS, synthetic_room, write_rooms
from operators.scene.model.floor import floor_of
from operators.scene.model.geometry import box_of, nearest_wall
from operators.scene.model.kinds import kind_of
from operators.scene.model.scene import objects_of, rounded, to_ssr
from operators.scene.scene_filter import clashes

EXAMPLES = Path(__file__).parents[2] / "examples" / "rooms"
MAKE = EXAMPLES.parent / "made_rooms" / "make.py"


@pytest.fixture(scope="module")
def many():
    return [synthetic_room(11, number, room_type=kind) for kind in ROOMS for number in range(4)]


def of(room, *nouns):
    return [each for each in objects_of(room) if any(kind_of(each["desc"]).is_a(noun) for noun in nouns)]


def facing(one, other):
    """The degrees between an object's front and the way to another."""
    a, b = box_of(one), box_of(other)
    way = math.atan2(b.x - a.x, b.z - a.z) - math.atan2(*a.front)
    return abs(math.degrees((way + math.pi) % (2 * math.pi) - math.pi))


def test_nothing_overlaps_and_nothing_is_out_of_bounds(many):
    found = [clashes(room) for room in many]
    assert [(each.pairs, each.outside) for each in found] == [(0, 0)] * len(many)
    assert all(5 <= each.objects <= 35 for each in found)


def test_nothing_reaches_through_the_ceiling_or_the_floor(many):
    for room in many:
        height = floor_of(room).height
        assert all(box_of(each).low >= 0 and box_of(each).high <= height + 0.011 for each in objects_of(room))


def test_numbers_have_as_many_digits_as_those_of_real_rooms(many):
    for room in many:
        for each in objects_of(room):
            assert {key: each[key] for key in ("pos", "size", "rot")} == {
                key: rounded(each[key], key) for key in ("pos", "size", "rot")
            }


def test_large_furniture_has_its_back_to_a_wall(many):
    for room in many:
        floor = floor_of(room)
        for each in of(room, "bed", "wardrobe", "bookcase", "sideboard", "refrigerator", "tv stand", "fireplace"):
            box = box_of(each)
            behind = (box.x - box.front[0] * (box.deep + 0.1), box.z - box.front[1] * (box.deep + 0.1))
            seen = room["room_id"], each["desc"]
            assert not floor.contains(*behind), seen
            assert nearest_wall(box, floor).gap < 0.06, seen


def test_sofas_look_at_the_television(many):
    pairs = [
        (room, sofa, tv) for room in many for sofa in of(room, "loveseat", "sectional sofa") for tv in of(room, "tv")
    ]
    pairs += [(room, sofa, tv) for room in many for sofa in objects_of(room) for tv in of(room, "tv")
              if kind_of(sofa["desc"]).noun == "sofa"]  # fmt: skip
    assert pairs
    for room, sofa, tv in pairs:
        assert facing(sofa, tv) < 60, room["room_id"]


def test_nightstands_are_beside_the_bed(many):
    checked = 0
    for room in many:
        for bed in of(room, "bed"):
            for stand in of(room, "nightstand"):
                a, b = box_of(bed), box_of(stand)
                assert math.hypot(a.x - b.x, a.z - b.z) < 1.9, room["room_id"]
                assert round(a.front[0] * b.front[0] + a.front[1] * b.front[1], 3) == 1.0
                checked += 1
    assert checked > 4


def test_chairs_look_at_their_table(many):
    checked = 0
    for room in many:
        for table in of(room, "dining table"):
            for chair in of(room, "dining chair"):
                assert facing(chair, table) < 60, room["room_id"]
                checked += 1
    assert checked > 15


def test_lamps_hang_from_the_ceiling(many):
    hanging = [(room, each) for room in many for each in of(room, "ceiling lamp", "chandelier")]
    assert len(hanging) > 8
    for room, each in hanging:
        assert each["pos"][1] > 0
        assert box_of(each).high == pytest.approx(floor_of(room).height, abs=0.011)


def test_every_type_of_room_has_what_it_needs(many):
    needed = {
        "bedroom": "bed",
        "livingroom": "sofa",
        "diningroom": "dining table",
        "office": "desk",
        "kitchen": "stove",
    }
    for room in many:
        if room["room_type"] != "other":
            assert of(room, needed[room["room_type"]]), room["room_id"]


def test_floors_are_rectangles_and_some_are_l_shaped():
    corners = [len(synthetic_room(4, number, room_type="other")["bounds_bottom"]) for number in range(16)]
    assert set(corners) == {4, 6}


def test_like_pieces_share_their_asset_id(many):
    repeated = sum(len({each["jid"] for each in objects_of(room)}) < len(objects_of(room)) for room in many)
    assert repeated > len(many) / 2
    for room in many:
        by_id = {}
        assert all(by_id.setdefault(each["jid"], each["desc"]) == each["desc"] for each in objects_of(room))


def test_a_room_rests_on_seed_and_number_alone():
    assert synthetic_room(1, 5) == synthetic_room(1, 5)
    assert len({json.dumps(synthetic_room(seed, number)) for seed in (1, 2) for number in (0, 1)}) == 4


def test_both_forms_tell_the_same_room():
    flat, grouped = synthetic_room(3, 0), synthetic_room(3, 0, form="groups")
    listed = sorted(({k: v for k, v in each.items() if k != "type"} for each in objects_of(grouped)), key=json.dumps)
    assert listed == sorted(flat["objects"], key=json.dumps)
    assert to_ssr(grouped)["bounds_bottom"] == flat["bounds_bottom"]
    assert all(each["type"] in ("major", "minor") for each in objects_of(grouped))


def test_chinese_rooms_are_the_same_rooms_in_other_words():
    plain = synthetic_room(2, 1, room_type="livingroom")
    chinese = synthetic_room(2, 1, room_type="livingroom", chinese=True)
    told = [each["desc"] for each in chinese["objects"]]
    assert 0 < sum(not desc.isascii() for desc in told) < len(told)
    assert [kind_of(desc).noun for desc in told] == [kind_of(each["desc"]).noun for each in plain["objects"]]
    assert [each["pos"] for each in chinese["objects"]] == [each["pos"] for each in plain["objects"]]


def test_unknown_types_and_forms_are_told():
    with pytest.raises(OptionError, match=r"room_type is to be one of bedroom, .*, not 'cave'"):
        synthetic_room(0, 0, room_type="cave")
    with pytest.raises(OptionError, match="form is to be one of ssr, groups, not 'list'"):
        synthetic_room(0, 0, form="list")


def test_files_are_the_same_bytes_for_the_same_seed(tmp_path):
    one = write_rooms(tmp_path / "one", 3, seed=8, form="mixed", dirty=True, chinese=True)
    other = write_rooms(tmp_path / "two", 3, seed=8, form="mixed", dirty=True, chinese=True)
    assert [path.name for path in one] == ["room_0000.json", "room_0001.json", "room_0002.json"]
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in other]
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == [path.name for path in one]
    assert ["groups" in json.loads(path.read_bytes()) for path in one] == [False, True, False]


def test_dirty_rooms_have_the_dirt_of_real_ones(tmp_path):
    rooms = [json.loads(path.read_bytes()) for path in write_rooms(tmp_path, 12, seed=0, dirty=True)]
    objects = [each for room in rooms for each in room["objects"]]
    assert any(each["rot"][0] for each in objects)
    assert any(each["pos"][1] < 0 for each in objects)
    assert any(0.0 in each["size"] for each in objects)
    assert any(not each["desc"] for each in objects)
    assert sum(clashes(room).outside > 0 for room in rooms) > 3
    assert all(len({each["jid"] for each in room["objects"]}) < len(room["objects"]) for room in rooms)


def test_the_example_rooms_are_what_the_generator_gives_today(tmp_path):
    made = write_rooms(tmp_path / "rooms", 5, seed=10, form="mixed")
    assert {path.name: path.read_text("utf-8") for path in made} == {
        path.name: path.read_text("utf-8") for path in EXAMPLES.glob("*.json")
    }


def test_the_program_writes_the_same_rooms_each_time_and_only_into_a_folder_that_is_empty(tmp_path):
    flags = ["--count", "2", "--seed", "5", "--form", "mixed", "--dirty", "--chinese"]
    one, other = (
        subprocess.run([sys.executable, str(MAKE), str(tmp_path / "rooms"), *flags], capture_output=True, text=True)
        for _ in range(2)
    )
    assert (one.returncode, one.stdout) == (0, f"2 rooms: {tmp_path / 'rooms'}\n")
    made = write_rooms(tmp_path / "more", 2, seed=5, form="mixed", dirty=True, chinese=True)
    assert [path.read_bytes() for path in made] == [(tmp_path / "rooms" / path.name).read_bytes() for path in made]
    assert (other.returncode, "is not empty; name a new folder" in other.stderr) == (2, True)
