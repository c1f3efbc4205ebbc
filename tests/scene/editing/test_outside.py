"""The quick share of a footprint outside a floor is the exact one."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.scene.editing.outside import share_outside, sides_of
from operators.scene.model.geometry import box_of, floor_of, outside_share
from tests.scene.editing.rooms import L_SHAPE, RECTANGLE, ssr

BAY = [[-3.0, -3.0], [3.0, -3.0], [4.0, 0.0], [3.0, 3.0], [1.0, 3.0], [1.0, 1.0], [0.0, 1.0], [0.0, 3.0], [-3.0, 3.0]]
FLOORS = [floor_of(ssr([], outline)) for outline in (RECTANGLE, L_SHAPE, BAY, BAY[:2])]

metres = st.integers(-400, 400).map(lambda number: number / 100)
sides = st.integers(0, 300).map(lambda number: number / 100)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(FLOORS), metres, metres, sides, sides, st.sampled_from((0, 15, 45, 90, 101, 180, 250)))
def test_the_share_outside_is_that_of_geometry(floor, x, z, width, depth, degrees):
    half = math.radians(degrees) / 2
    rot = [0.0, math.sin(half), 0.0, math.cos(half)]
    box = box_of({"pos": [x, 0.0, z], "size": [width, 1.0, depth], "rot": rot})
    quick = share_outside(box, math.hypot(box.wide, box.deep), floor, sides_of(floor))
    assert quick == pytest.approx(outside_share(box, floor), abs=1e-6)
