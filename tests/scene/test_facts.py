"""What the fact sheet of a room says: values worked out by hand."""

import json

import pytest

from operators.scene.facts import fact_sheet
from tests.scene.turns import BEDROOM, DININGROOM, EMPTY, LIVINGROOM, put, room


def test_physical_problems_are_told_with_names_and_depths():
    assert [str(each) for each in fact_sheet(BEDROOM.before).physical] == ["double bed overlaps nightstand 2 by 0.10 m"]
    sheet = fact_sheet(LIVINGROOM.before)
    assert [str(each) for each in sheet.physical] == [
        "plant is 30 % outside the room, 0.15 m past the east wall",
        "bookcase floats 0.40 m above the floor",
    ]


def test_what_rightly_stands_on_hangs_over_or_is_pushed_under_another_is_no_problem():
    sheet = fact_sheet(DININGROOM.before)
    assert sheet.physical == []
    tucked = room("diningroom", 4, 4, [
        put("t", "A dining table.", [1.2, 0.75, 0.8], [0.0, 0.0, 0.0]),
        put("c", "A dining chair.", [0.45, 0.9, 0.45], [0.0, 0.0, 0.5], 180),
        put("r", "A wool rug.", [2.0, 0.02, 2.0], [0.0, 0.0, 0.0]),
        put("v", "A vase.", [0.2, 0.3, 0.2], [0.0, 0.75, 0.0]),
        put("p", "A pendant lamp.", [0.3, 0.5, 0.3], [0.0, 1.6, 0.0]),
        put("k", "A painting in a black frame.", [0.6, 0.8, 0.03], [0.0, 1.2, -1.98]),
    ])  # fmt: skip
    sheet = fact_sheet(tucked)
    assert sheet.physical == []


def test_what_sinks_below_the_floor_is_told():
    sunk = room("bedroom", 4, 4, [put("b", "A bed.", [1.6, 1.0, 2.0], [0.0, -0.3, 0.0])])
    assert [str(each) for each in fact_sheet(sunk).physical] == ["bed sinks 0.30 m below the floor"]


def test_layout_problems_are_core_furniture_off_the_wall_missing_or_turned_away():
    objects = [
        put("b", "A double bed.", [1.6, 1.0, 2.0], [0.0, 0.0, 0.0], 0),
        put("w", "A wardrobe.", [1.6, 2.2, 0.6], [0.0, 0.0, -2.65], 180),
        put("d", "A writing desk.", [1.2, 0.75, 0.6], [1.9, 0.0, 1.5], 0),
        put("c", "An office chair.", [0.6, 0.9, 0.6], [1.9, 0.0, 2.3], 0),
    ]
    sheet = fact_sheet(room("bedroom", 6, 6, objects))
    assert [(each.word, each.said) for each in sheet.layout] == [
        ("off_wall", "double bed stands 2.00 m off the nearest wall"),
        ("misturned", "wardrobe faces the north wall, 0.05 m before it"),
        ("misturned", "office chair faces away from desk"),
    ]


def test_a_nightstand_far_from_the_bed_is_astray():
    objects = [
        put("b", "A bed.", [1.6, 1.0, 2.0], [0.0, 0.0, -1.95]),
        put("n", "A nightstand.", [0.5, 0.5, 0.4], [2.5, 0.0, 0.0], 270),
    ]
    layout = fact_sheet(room("bedroom", 6, 6, objects)).layout
    assert [(each.word, each.said) for each in layout] == [("astray", "nightstand is 1.66 m away from bed")]


NEEDS = {
    "a bedroom without a bed": ("bedroom", "A wardrobe.", ["bed"]),
    "a bedroom with one": ("bedroom", "A double bed.", []),
    "a living room with an armchair alone": ("livingroom", "An armchair.", []),
    "an office without a seat": ("office", "A writing desk.", ["office chair"]),
    "a room of any other type": ("cellar", "A box.", []),
}


@pytest.mark.parametrize(("kind", "desc", "lacks"), NEEDS.values(), ids=NEEDS)
def test_what_a_room_cannot_be_used_without_is_missing_unless_something_else_does(kind, desc, lacks):
    layout = fact_sheet(room(kind, 6, 6, [put("a", desc, [0.5, 0.8, 0.5], [0.0, 0.0, -2.75])])).layout
    assert [each.said for each in layout if each.word == "missing"] == [f"there is no {noun}" for noun in lacks]


def test_a_chair_is_turned_to_a_table_of_a_height_that_one_sits_at_and_to_one_of_several():
    chair = put("c", "A dining chair.", [0.45, 0.9, 0.45], [0.0, 0.0, 0.0], 0)
    behind = put("t", "A dining table.", [1.2, 0.75, 0.8], [0.0, 0.0, -0.7])
    low = put("s", "A side table.", [0.5, 0.5, 0.5], [0.0, 0.0, -0.6])
    before = put("d", "A writing desk.", [1.2, 0.75, 0.6], [0.0, 0.0, 0.7])
    turned = [[e.said for e in fact_sheet(room("", 6, 6, [chair, *others])).layout]
              for others in ([behind], [low], [behind, before])]  # fmt: skip
    assert turned == [["dining chair faces away from dining table"], [], []]


def test_space_is_the_largest_empty_area_and_the_half_with_nearly_all_furniture():
    boxes = [put(f"c{i}", "A dining chair.", [0.5, 0.9, 0.5], [-2.7 + 0.55 * i, 0.0, -2.7]) for i in range(4)]
    sheet = fact_sheet(
        room("diningroom", 6, 6, [*boxes, put("s", "A sideboard.", [1.5, 0.8, 0.5], [-2.2, 0.0, 2.75], 180)])
    )
    assert sheet.empty.width * sheet.empty.depth > 26
    assert sheet.imbalance[0] == "west" and round(sheet.imbalance[1], 2) == 1.0


def test_the_lines_of_a_small_room_are_these():
    objects = [
        put("b", "A double bed.", [1.6, 1.0, 2.0], [0.0, 0.0, -0.95]),
        put("n", "A nightstand.", [0.5, 0.5, 0.4], [-1.2, 0.0, -1.78]),
    ]
    assert fact_sheet(room("bedroom", 4, 4, objects)).lines() == [
        "Room: bedroom, 4.00 x 4.00 m (rectangular, 16.00 m2), ceiling 2.60 m; x from -2.00 (west) to 2.00 (east), "
        "z from -2.00 (north) to 2.00 (south)",
        "Objects: 2: 1 double bed, 1 nightstand",
        "double bed: at (0.00, 0.00, -0.95), size 1.60 x 1.00 x 2.00 m; 0.05 m from the north wall; north side; faces south; "
        "nearest: nightstand 0.15 m",
        "nightstand: at (-1.20, 0.00, -1.78), size 0.50 x 0.50 x 0.40 m; 0.02 m from the north wall; northwest corner; "
        "faces south; nearest: double bed 0.15 m",
        "Physical problems: none",
        "Layout problems: none",
        "Space: largest empty area 4.00 x 1.83 m (7.33 m2) in the south side",
    ]


def test_both_forms_of_a_room_have_the_same_facts_and_equal_rooms_share_one_sheet():
    ssr = BEDROOM.before
    bounds = {key: ssr[key] for key in ("bounds_top", "bounds_bottom")}
    groups = {
        "room_envelope": bounds,
        "room_type": "bedroom",
        "room_id": "bedroom",
        "groups": [{"group_name": "all", "group_type": "", "objects": ssr["objects"]}],
    }
    assert fact_sheet(groups).lines() == fact_sheet(ssr).lines()
    assert fact_sheet(json.loads(json.dumps(ssr))) is fact_sheet(ssr)


@pytest.mark.parametrize(
    "scene",
    [
        EMPTY.before,
        {**EMPTY.before, "bounds_bottom": [[0.0, 0.0, 0.0]], "bounds_top": []},
        room("", 3, 3, [put("a", "", [0.0, 0.0, 0.0], [0.0, 0.0, 0.0])]),
        room("客厅", 3, 3, [put("a", "现代灰色沙发", [2.0, 0.8, 0.9], [0.0, 0.0, 0.0]), put("b", "🛋\u202e", [1e5, 1.0, 1e5], [1e5, 0.0, 0.0])]),
        room("bedroom", 3, 3, [{**put("a", "A bed.", [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]), "rot": [0.0, 0.0, 0.0, 0.0]}]),
        room("bedroom", 3, 3, [{**put("a", "A bed.", [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]), "rot": [0.3, 0.4, 0.5, 0.7]}]),
    ],
)  # fmt: skip
def test_hostile_rooms_have_a_sheet_as_well(scene):
    lines = fact_sheet(scene).lines()
    assert lines[1].startswith(f"Objects: {len(scene['objects'])}")
