"""Boxes: always inside the picture, whatever a server sends; labels: those that were asked for."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataflow_ext.errors import RowError
from operators.onevision.detecting.found import (
    GENERAL,
    MOST,
    Found,
    FoundObject,
    ShapeError,
    as_asked,
    detections_of,
    labels_for,
)
from operators.onevision.model.records import DETECTED, Detection

NUMBERS = st.floats(width=64) | st.integers(-(10**6), 10**6).map(float) | st.sampled_from([0.0, -0.0, 1e308, math.inf])
OBJECTS = st.builds(
    FoundObject, st.sampled_from(["ball", "Box.", "a red ball", "", "##ox"]), NUMBERS, st.tuples(*[NUMBERS] * 4)
)
SIZES = st.none() | st.tuples(st.floats(1e-6, 1e6), st.floats(1e-6, 1e6))


@settings(max_examples=60)
@given(st.lists(OBJECTS, max_size=8), SIZES, st.integers(1, 5000), st.integers(1, 5000), st.floats(0, 1))
def test_boxes_are_inside_have_an_area_and_come_the_surest_first(objects, size, width, height, threshold) -> None:
    found = Found.read(Found(tuple(objects), size).text())
    made = detections_of(found, width, height, ["ball", "box"], threshold=threshold, most=5)
    assert len(made) <= 5
    for each in made:
        x0, y0, x1, y1 = each.box
        assert 0 <= x0 < x1 <= width and 0 <= y0 < y1 <= height
        assert each.label in ("ball", "box") and round(threshold, 4) <= each.score <= 1
    assert [each.score for each in made] == sorted((each.score for each in made), reverse=True)
    turned = Found(tuple(reversed(found.objects)), found.size)
    assert detections_of(turned, width, height, ["ball", "box"], threshold=threshold, most=5) == made


def found(*boxes: tuple[float, ...], score: float = 0.5, label: str = "ball") -> list[Detection]:
    objects = tuple(FoundObject(label, score, box) for box in boxes)
    return detections_of(Found(objects), 100, 50, ["ball"], threshold=0.3, most=9)


def test_what_reaches_out_is_cut_off_reversed_corners_are_put_in_order_and_nothing_is_left_out() -> None:
    assert [each.box for each in found((-5, -5, 200, 70))] == [(0.0, 0.0, 100.0, 50.0)]
    assert [each.box for each in found((30, 40, 10, 20))] == [(10.0, 20.0, 30.0, 40.0)]
    assert found((10, 10, 10, 20), (150, 0, 160, 20), (math.nan, 0, 1, 1), (0, 0, 0.001, 9)) == []
    assert len(found((1, 1, 9, 9), (1.001, 1, 9, 9))) == 1
    assert found((1, 1, 9, 9), score=math.nan) == found((1, 1, 9, 9), score=0.29) == []


def test_labels_are_those_that_were_asked_for() -> None:
    asked = ["ball", "inclined plane", "red ball"]
    given_back = ["BALL.", "a red ball ball", "plane", "##ball", "inclined", "dog", "", "plan b"]
    assert [as_asked(each, asked) for each in given_back] == [
        "ball", "red ball", "inclined plane", "ball", "inclined plane", None, None, None
    ]  # fmt: skip


def test_names_that_nobody_asked_for_are_left_out_but_if_there_are_no_others_that_is_told() -> None:
    box = (1.0, 1.0, 9.0, 9.0)
    both = Found((FoundObject("dog", 0.9, box), FoundObject("ball", 0.5, box)))
    assert detections_of(both, 100, 50, ["ball"], threshold=0.3, most=9) == [Detection("ball", 0.5, box)]
    with pytest.raises(RowError, match=r'things that were not asked for \("dog"\), and none of the 1 labels'):
        found(box, label="dog")
    assert found(box, label="") == found(box, label="dog", score=0.1) == []


def test_labels_to_look_for_are_short_each_once_in_order_and_not_more_than_twenty() -> None:
    names = ["Ball", " a  RED\nblock.", "ball.", "", "  ", "球", "x" * 61, "\ud800", "red.block", "y" * 100_000]
    assert labels_for(names, "geometry") == ["ball", "a red block", "球", "red block"]
    assert labels_for([f"thing {n}" for n in range(99)], "geometry") == [f"thing {n}" for n in range(MOST)]
    for image_type in DETECTED:
        general = labels_for(["."], image_type)
        assert general == list(GENERAL[image_type]) == list(dict.fromkeys(general)) and len(general) <= MOST


def test_a_text_that_is_no_finding_is_told() -> None:
    for text in ("", "[]", '{"objects": 7}', '{"objects": [[1]]}', '{"objects": [], "size": [1]}', "[" * 100_000):
        with pytest.raises(ShapeError):
            Found.read(text)
    huge = json.dumps({"size": None, "objects": [["ball", 1, 0, 0, 10**400, 9]]})
    assert detections_of(Found.read(huge), 9, 9, ["ball"], threshold=0, most=1) == []
