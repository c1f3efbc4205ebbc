"""Boxes, floors and walls: values worked out by hand, laws, and shapely as a second opinion."""

import math
import random
import sys

import pytest
import shapely
from hypothesis import example, given, settings
from hypothesis import strategies as st
from shapely.geometry import Polygon

from dataflow_ext import DataflowError
from operators.scene.model.floor import _floor, floor_of
from operators.scene.model.geometry import (
    box_of,
    nearest_wall,
    outside_share,
    overlap_depth,
    plan_gap,
    wall_gaps,
    yaw_of,
)

L_ROOM = [(-3.2, 1.7), (3.2, 1.7), (3.2, -0.1), (0.9, -0.1), (0.9, -1.7), (-3.2, -1.7)]
QUARTER = math.sqrt(0.5)


def put(x, z, w=1.0, d=1.0, h=1.0, y=0.0, turn=0.0):
    half = math.radians(turn) / 2
    return {"pos": [x, y, z], "size": [w, h, d], "rot": [0.0, math.sin(half), 0.0, math.cos(half)]}


def room(corners, height=2.6):
    return {"bounds_bottom": [[x, 0.0, z] for x, z in corners], "bounds_top": [[x, height, z] for x, z in corners]}


def near(value, places=9):
    return [round(each, places) + 0.0 for each in value]


def test_a_box_has_its_front_corners_first_and_turns_from_south_to_east():
    box = box_of(put(1.0, 2.0, w=2.0, d=1.0, h=0.5, y=0.25))
    assert box.corners == ((2.0, 2.5), (0.0, 2.5), (0.0, 1.5), (2.0, 1.5))
    assert (box.low, box.high, box.front, box.volume) == (0.25, 0.75, (0.0, 1.0), 1.0)
    east = box_of(put(1.0, 2.0, w=2.0, d=1.0, turn=90))
    assert near(east.front) == [1.0, 0.0]
    assert [near(corner) for corner in east.corners] == [[1.5, 1.0], [1.5, 3.0], [0.5, 3.0], [0.5, 1.0]]


@pytest.mark.parametrize(("turn", "yaw"), [(0, 0.0), (90, 90.0), (-90, 270.0), (180, 180.0), (-45, 315.0)])
def test_yaw_counts_degrees_from_south_over_east(turn, yaw):
    assert yaw_of(put(0, 0, turn=turn)) == yaw


def test_a_quaternion_of_length_zero_does_not_turn_and_one_of_another_length_does():
    assert box_of({"pos": [0, 0, 0], "size": [1, 1, 1], "rot": [0.0, 0.0, 0.0, 0.0]}).front == (0.0, 1.0)
    assert box_of({"pos": [0, 0, 0], "size": [1, 1, 1], "rot": [0.0, 2.0, 0.0, 2.0]}).front == (1.0, 0.0)


def test_an_object_on_its_back_looks_up_and_keeps_the_heading_of_its_sides():
    box = box_of({"pos": [0.0, 0.0, 0.0], "size": [1.0, 2.0, 0.5], "rot": [-QUARTER, 0.0, 0.0, QUARTER]})
    assert near((box.low, box.high)) == [-0.25, 0.25]
    assert near((*box.front, box.wide, box.deep)) == [0.0, 1.0, 0.5, 1.0]
    assert near((box.x, box.z)) == [0.0, -1.0]


def test_overlaps_are_as_deep_as_the_least_push_that_ends_them():
    sofa = box_of(put(0, 0, w=2.0, d=1.0, h=0.8))
    assert round(overlap_depth(sofa, box_of(put(0.0, 0.6, d=0.5))), 9) == 0.15
    assert round(overlap_depth(sofa, box_of(put(1.2, 0.0, w=0.5, d=0.5))), 9) == 0.05
    assert round(overlap_depth(sofa, box_of(put(0.0, 0.0, w=4.0, d=4.0, h=0.02))), 9) == 0.02
    assert overlap_depth(sofa, box_of(put(0.0, 0.0, y=0.8))) == 0.0
    assert overlap_depth(sofa, box_of(put(1.5, 0.0))) == 0.0
    # A square of 1 m turned by 45 degrees reaches sqrt(0.5) to the side.
    turned = box_of(put(1.6, 0.0, turn=45))
    assert round(overlap_depth(sofa, turned), 9) == round(1.0 + QUARTER - 1.6, 9)


def test_the_gap_between_footprints_is_measured_between_their_nearest_points():
    one = box_of(put(0, 0))
    assert plan_gap(one, box_of(put(3.0, 0.2))) == 2.0
    assert plan_gap(one, box_of(put(4.0, 5.0))) == 5.0
    assert plan_gap(one, box_of(put(0.5, 0.5, y=3.0))) == 0.0


def test_a_share_outside_a_rectangle_is_what_juts_out():
    floor = floor_of(room([(0, 0), (4, 0), (4, 3), (0, 3)]))
    assert [outside_share(box_of(put(x, z)), floor) for x, z in [(2, 1), (0.5, 0.5), (9, 9)]] == [0.0, 0.0, 1.0]
    assert round(outside_share(box_of(put(0.25, 1.0)), floor), 9) == 0.25
    assert round(outside_share(box_of(put(0.0, 3.0)), floor), 9) == 0.75


def test_the_notch_of_an_l_shaped_floor_is_outside():
    floor = floor_of(room(L_ROOM))
    assert round(floor.area, 9) == 18.08
    assert outside_share(box_of(put(2.0, -1.0, w=0.5, d=0.5)), floor) == 1.0
    assert round(outside_share(box_of(put(0.9, -1.0)), floor), 9) == 0.5
    assert round(outside_share(box_of(put(0.9, -0.1)), floor), 9) == 0.25
    assert outside_share(box_of(put(0.4, -1.2)), floor) == 0.0
    # A box that spans a U-shaped floor covers both arms and the gap between them.
    u_shape = floor_of(room([(0, 0), (3, 0), (3, 2), (2, 2), (2, 1), (1, 1), (1, 2), (0, 2)]))
    assert round(outside_share(box_of(put(1.5, 1.5, w=3.0)), u_shape), 9) == round(1 / 3, 9)


def test_what_has_no_footprint_is_outside_if_its_middle_is():
    floor = floor_of(room(L_ROOM))
    assert outside_share(box_of(put(0.9, 0.5, w=0.0, d=0.0)), floor) == 0.0
    assert outside_share(box_of(put(2.0, -1.0, w=0.0)), floor) == 1.0
    assert outside_share(box_of(put(0.0, 0.0)), floor_of(room([(0, 0), (1, 0)]))) == 1.0


def test_walls_are_named_by_the_side_they_close_and_lines_in_one_are_one_wall():
    floor = floor_of(room([*L_ROOM[:1], (0.0, 1.7), *L_ROOM[1:]]))
    assert [(w.name, round(w.length, 9)) for w in floor.walls] == [
        ("north", 4.1),
        ("east", 1.6),
        ("north", 2.3),
        ("east", 1.8),
        ("south", 6.4),
        ("west", 3.4),
    ]
    assert [wall.name for wall in floor_of(room(L_ROOM[::-1])).walls].count("east") == 2


def test_gaps_to_walls_are_along_their_normal_before_them_and_negative_through_them():
    floor = floor_of(room([(0, 0), (4, 0), (4, 3), (0, 3)]))
    gaps = {each.wall.name: each.gap for each in wall_gaps(box_of(put(0.75, 2.6)), floor)}
    assert gaps == {"north": 2.1, "east": 2.75, "south": -0.1, "west": 0.25}
    assert nearest_wall(box_of(put(0.75, 2.6)), floor).wall.name == "south"
    inner = [each for each in wall_gaps(box_of(put(-1.0, 1.0)), floor_of(room(L_ROOM))) if each.wall.name == "north"]
    # The long north wall is in front of it; the short one begins at x = 0.9, 1.4 m to the side and 0.6 m back.
    assert near(each.gap for each in inner) == near([2.2, math.hypot(1.4, 0.6)])


def test_a_floor_that_crosses_itself_is_what_its_outline_winds_around():
    floor = floor_of(room([(0, 0), (2, 2), (2, 0), (0, 2)]))
    assert (floor.area, len(floor.rings)) == (2.0, 2)
    assert floor.contains(0.3, 1.0) and not floor.contains(1.0, 0.2)
    ring = [(0, 0), (4, 0), (4, 4), (0, 4), (0, 0), (1, 1), (1, 3), (3, 3), (3, 1), (1, 1)]
    holed = floor_of(room(ring))
    assert holed.area == 12.0
    assert outside_share(box_of(put(2.0, 2.0, w=4.0)), holed) == 0.5


def test_without_shapely_a_tangled_floor_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "shapely", None)
    with pytest.raises(
        DataflowError, match=r"needs shapely; install it with: python -m pip install 'rowsmith\[scene\]'"
    ):
        _floor.__wrapped__(((0.0, 0.0), (2.0, 2.0), (2.0, 0.0), (0.0, 2.0)), 0.0, 2.6)


lengths = st.floats(0.05, 4.0)
places = st.floats(-4.0, 4.0)
turns = st.integers(0, 359)
objects = st.builds(put, places, places, lengths, lengths, lengths, st.floats(0.0, 2.0), turns)


@st.composite
def floors(draw):
    """Simple outlines: points around the origin at rising angles, which are seldom convex; or stairs."""
    rng = random.Random(draw(st.integers(0, 10_000)))
    n = rng.randint(3, 12)
    angles = sorted(rng.uniform(0, 2 * math.pi) for _ in range(n))
    corners = [(round(r * math.cos(a), 2), round(r * math.sin(a), 2)) for a in angles for r in [rng.uniform(1, 5)]]
    return corners if Polygon(corners).is_valid and Polygon(corners).area > 0.1 else L_ROOM


def quarter(obj, times):
    for _ in range(times):
        (x, y, z), (a, b, c, d) = obj["pos"], obj["rot"]
        # (x, z) -> (z, -x) on the plan is a quarter turn about the vertical.
        obj = {
            **obj,
            "pos": [z, y, -x],
            "rot": [QUARTER * (a + c), QUARTER * (b + d), QUARTER * (c - a), QUARTER * (d - b)],
        }
    return obj


@settings(max_examples=60, deadline=None)
@given(objects, objects)
def test_overlap_is_the_same_both_ways_and_agrees_with_shapely(one, other):
    a, b = box_of(one), box_of(other)
    assert math.isclose(overlap_depth(a, b), overlap_depth(b, a), abs_tol=1e-9)
    p, q = Polygon(a.corners), Polygon(b.corners)
    heights = min(a.high, b.high) - max(a.low, b.low)
    if p.intersection(q).area > 1e-6 and heights > 1e-6:
        assert overlap_depth(a, b) > 0.0
    if p.distance(q) > 1e-6 or heights < 0.0:
        assert overlap_depth(a, b) == 0.0
    assert math.isclose(plan_gap(a, b), p.distance(q), abs_tol=1e-6)


@settings(max_examples=40, deadline=None)
@given(objects, objects)
def test_a_push_as_deep_as_the_overlap_ends_it_and_a_smaller_one_does_not(one, other):
    a, b = box_of(one), box_of(other)
    depth = overlap_depth(a, b)
    pushes = [
        (0.0, b.front[0] * s, b.front[1] * s) for s in (1, -1)
    ] + [(0.0, b.front[1] * s, -b.front[0] * s) for s in (1, -1)] + [
        (0.0, a.front[0] * s, a.front[1] * s) for s in (1, -1)
    ] + [(0.0, a.front[1] * s, -a.front[0] * s) for s in (1, -1)] + [(1, 0.0, 0.0), (-1, 0.0, 0.0)]  # fmt: skip

    def left(by):
        x, y, z = other["pos"]
        return [
            overlap_depth(a, box_of({**other, "pos": [x + p * by, y + up * by, z + r * by]})) for up, p, r in pushes
        ]

    assert min(left(depth + 1e-6)) == 0.0
    if depth > 1e-3:
        assert min(left(depth * 0.99)) > 0.0


@settings(max_examples=40, deadline=None)
@given(objects, objects, st.integers(1, 3))
def test_turning_the_whole_plan_by_quarters_changes_no_measure(one, other, times):
    a, b, c, d = (box_of(each) for each in (one, other, quarter(one, times), quarter(other, times)))
    assert math.isclose(overlap_depth(a, b), overlap_depth(c, d), abs_tol=1e-6)
    assert math.isclose(plan_gap(a, b), plan_gap(c, d), abs_tol=1e-6)


@settings(max_examples=80, deadline=None)
@given(objects, floors())
def test_shares_outside_and_gaps_to_walls_agree_with_shapely_on_any_floor(obj, corners):
    floor, box, polygon = floor_of(room(corners)), box_of(obj), Polygon(corners)
    footprint = Polygon(box.corners)
    assert math.isclose(outside_share(box, floor), footprint.difference(polygon).area / footprint.area, abs_tol=1e-5)
    assert math.isclose(floor.area, polygon.area, rel_tol=1e-9)
    for wall, gap in wall_gaps(box, floor):
        line = shapely.LineString([wall.start, wall.end])
        assert gap <= line.distance(footprint) + 1e-6
        if gap < -1e-6:
            assert footprint.intersection(line).length > 0.0


#: A box before the end of a wall is nearer to it along its normal than to its end.
STAR = [(-0.26, 4.63), (-0.99, 2.85), (-1.76, 1.2), (-3.53, 1.93), (-3.44, 0.51), (-2.0, -0.14), (-4.02, -2.32),
        (0.25, -4.92), (0.89, -4.15)]  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(objects, floors())
@example(put(-1.2, 0.2, w=1.3, d=1.5), STAR)
@example(put(-0.8, -0.2, w=1.5, d=0.9, turn=150), STAR)
def test_the_nearest_wall_is_the_one_with_the_least_gap(obj, corners):
    floor, box = floor_of(room(corners)), box_of(obj)
    nearest, least_gap = nearest_wall(box, floor), min(each.gap for each in wall_gaps(box, floor))
    assert math.isclose(nearest.gap, least_gap, abs_tol=2e-4)
