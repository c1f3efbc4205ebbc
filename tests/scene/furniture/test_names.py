"""Names of a room's objects."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from operators.scene.furniture.names import short_names


def room(*descs):
    return {"objects": [{"jid": f"j{i}", "desc": desc} for i, desc in enumerate(descs)]}


def names(*descs):
    return list(short_names(room(*descs)).values())


def test_one_of_a_kind_is_called_by_its_noun():
    assert names("A grey bed.", "Oak nightstand with a drawer.", "Black TV stand.") == ["bed", "nightstand", "TV stand"]


def test_equal_pieces_are_numbered():
    assert names("Oak nightstand.", "A bed.", "Oak nightstand.") == ["nightstand 1", "bed", "nightstand 2"]


def test_a_colour_or_a_material_tells_pieces_of_a_kind_apart():
    assert names("Grey sofa.", "Brown leather sofa.") == ["gray sofa", "brown sofa"]
    assert names("Modern grey fabric sofa.", "Modern grey leather sofa.") == ["fabric sofa", "leather sofa"]
    assert names("Red chair.", "Red chair.", "Blue chair.") == ["red chair 1", "red chair 2", "blue chair"]


def test_what_belongs_to_a_part_tells_nothing():
    assert names("Grey sofa with red pillows.", "Red sofa.") == ["gray sofa", "red sofa"]


def test_where_nothing_tells_all_apart_all_are_numbered():
    assert names("Nice chair.", "Fine chair.", "Red chair.") == ["chair 1", "chair 2", "chair 3"]


def test_chinese_and_unknown_descriptions_have_names_as_well():
    assert names("灰色布艺沙发，带红色抱枕", "白色木质沙发", "???", "") == [
        "gray sofa",
        "white sofa",
        "object 1",
        "object 2",
    ]


def test_groups_are_named_like_the_flat_form():
    flat = room("Red chair.", "Blue chair.")
    grouped = {"groups": [{"objects": flat["objects"][:1]}, {"objects": flat["objects"][1:]}]}
    assert short_names(grouped) == short_names(flat) == {"j0": "red chair", "j1": "blue chair"}


def test_nobody_can_spoil_the_names_that_are_remembered():
    one = room("A bed.")
    short_names(one).clear()
    assert short_names(one) == {"j0": "bed"}


WORDS = ["red", "blue", "oak", "chair", "table", "lamp", "with", "2", "灰色", "沙发", "object", "a", ","]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join), max_size=12))
def test_no_two_names_are_equal_and_every_object_has_one(descs):
    found = short_names(room(*descs))
    assert len(set(found.values())) == len(found) == len(descs)
    assert list(found) == [f"j{i}" for i in range(len(descs))]


def test_two_hundred_objects_have_two_hundred_names():
    rng = random.Random(1)
    descs = [f"A {rng.choice(['red', 'blue', 'green'])} {rng.choice(['chair', 'lamp', 'vase'])}." for _ in range(200)]
    assert len(set(names(*descs))) == 200
