"""What the painter's pictures show, pixel by pixel."""

import io
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from dataflow_ext import OptionError
from operators.scene.painter import AZIMUTHS, BLUE, RED, VERSION, azimuth_of, picture
from operators.scene.painter.parts import AIR, FLOOR, colour_of, shaded

#: Pixels of a view's side in most tests; of them 30 at each side lie outside of the room.
SIDE = 256
SCALE = (SIDE - 60) / 4


def room(*objects: dict[str, Any], corners: Any = ((-2, -2), (2, -2), (2, 2), (-2, 2)), height: float = 2.6) -> Any:
    """A room with these objects."""
    floor, ceiling = ([[x, y, z] for x, z in corners] for y in (0.0, height))
    return {"bounds_bottom": floor, "bounds_top": ceiling, "room_type": "bedroom", "room_id": "R",
            "objects": list(objects)}  # fmt: skip


def thing(jid: str, desc: str, x: float, z: float, size: Any = (0.6, 0.6, 0.6), y: float = 0.0, **more: Any) -> Any:
    """An object that looks to the south."""
    made = {"desc": desc, "size": list(size), "pos": [x, y, z], "rot": [0.0, 0.0, 0.0, 1.0], "jid": jid}
    return {**made, **more}


def views(scene: Any, azimuth: int = 135, size: int = SIDE) -> tuple[np.ndarray, np.ndarray]:
    """The view from above and the diagonal view, as numbers that can be subtracted."""
    pixels = decoded(picture(scene, azimuth, size=size))
    return pixels[:, :size], pixels[:, size:]


def decoded(png: bytes) -> np.ndarray:
    """The pixels of a PNG."""
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def place(x: float, z: float) -> tuple[int, int]:
    """Row and column of a point of the floor in the view from above."""
    return round(SIDE / 2 + z * SCALE), round(SIDE / 2 + x * SCALE)


CRATE = thing("crate", "A wooden crate", 1.0, -1.0)
BED = thing("bed", "A double bed", -0.8, 0.6, (1.6, 0.9, 2.0))
LAMP = thing("lamp", "A pendant lamp", 1.0, 1.0, (0.5, 0.6, 0.5), 1.9)
FURNISHED = room(CRATE, BED, LAMP, thing("chair", "A dining chair", 1.0, 1.0, (0.5, 0.9, 0.5)))
#: Something of each sort, also tilted, overhead, sunken and out of bounds, on a floor with corners.
SAMPLE = room(
    *(thing(desc, desc, x, z, size, y, rot=[0.0, turn, 0.0, 1.0]) for desc, x, z, size, y, turn in (
        ("A gray sofa", -1.0, -1.5, (1.8, 0.8, 0.8), 0.0, 0.0),
        ("A round coffee table", -1.0, -0.4, (0.7, 0.4, 0.7), 0.0, 0.0),
        ("A desk", 1.4, -1.4, (1.0, 0.75, 0.5), 0.0, -1.0),
        ("A dining chair", 0.7, -1.4, (0.5, 0.9, 0.5), -0.1, 0.5),
        ("A double bed", -1.2, 1.2, (1.4, 1.0, 1.5), 0.0, 0.2),
        ("A bookcase", 1.9, -0.4, (0.8, 1.8, 0.3), 0.0, -1.0),
        ("A floor lamp", 0.4, -1.8, (0.3, 1.6, 0.3), 0.0, 0.0),
        ("A potted plant", -1.8, 0.1, (0.4, 1.0, 0.4), 0.0, 0.0),
        ("A pendant lamp", -1.0, -0.4, (0.5, 0.4, 0.5), 2.0, 0.0),
        ("A woolen rug", -0.6, -0.6, (2.0, 0.02, 1.4), 0.0, 0.0),
        ("花瓶", -1.0, -0.4, (0.15, 0.3, 0.15), 0.4, 0.0),
    )),
    thing("tilted", "A wardrobe", -0.2, 0.6, (0.5, 1.2, 0.4), rot=[0.3, 0.2, 0.1, 0.9]),
    corners=[(-2, -2), (2, -2), (2, 0), (0, 0), (0, 2), (-2, 2)],
)  # fmt: skip

#: Raise VERSION, and put the pixels' hash here, whenever pictures come to look different: what lies in a folder under
#: the name of the old version then stays as it is, and is told apart.
LOOKS = {"1": "59ca38595ccc9f97"}


def test_the_version_says_what_pictures_look_like():
    pixels = decoded(picture(SAMPLE, 240)).astype(np.uint8)
    assert {VERSION: sha256(pixels.tobytes()).hexdigest()[:16]} == LOOKS


def test_the_view_from_above_is_framed_blue_and_the_diagonal_view_red():
    above, aside = views(room())
    for view, colour in ((above, BLUE), (aside, RED)):
        rim = [
            view[:4].reshape(-1, 3),
            view[-4:].reshape(-1, 3),
            view[:, :4].reshape(-1, 3),
            view[:, -4:].reshape(-1, 3),
        ]
        assert (np.concatenate(rim) == colour).all()
        assert not (view[4:-4, 4:-4] == colour).all(axis=2).any()


def test_an_object_has_the_colour_of_its_id_where_it_stands():
    above, _ = views(room(CRATE))
    light = 0.66 + 0.4 * 0.75
    assert tuple(above[place(0.78, -0.78)]) == shaded(colour_of("crate"), light)
    assert tuple(above[place(0.4, -1.3)]) == FLOOR


def test_a_colour_stays_whatever_comes_and_goes():
    alone, _ = views(room(CRATE))
    among, _ = views(room(BED, LAMP, CRATE))
    assert tuple(alone[place(0.78, -0.78)]) == tuple(among[place(0.78, -0.78)])


def test_an_added_object_changes_only_its_surroundings():
    before, after = views(room(CRATE)), views(room(CRATE, thing("vase", "A vase", -1.2, 1.2, (0.3, 0.4, 0.3))))
    changed = np.argwhere((before[0] != after[0]).any(axis=2))
    row, column = place(-1.2, 1.2)
    assert len(changed) > 100
    assert (abs(changed - (row, column)) < (30, 60)).all()
    assert 100 < (before[1] != after[1]).any(axis=2).sum() < SIDE * SIDE / 30


def test_all_states_of_a_room_are_framed_alike_even_with_objects_far_outside():
    empty = picture(room(), 45, size=SIDE)
    assert picture(room(thing("far", "A sofa", 100.0, 0.0)), 45, size=SIDE) == empty
    # One that sticks out a little is seen, and moves nothing else.
    changed = np.argwhere((views(room())[0] != views(room(thing("out", "A crate", 2.0, 0.0)))[0]).any(axis=2))
    assert 100 < len(changed) < 4000
    assert changed[:, 1].min() > place(0.6, 0.0)[1]


def test_a_lamp_on_the_ceiling_does_not_hide_the_chair_below_it():
    chair = thing("chair", "A stool", 0.0, 0.0, (0.5, 0.5, 0.5))
    lamp = thing("lamp", "A wide pendant lamp", 0.0, 0.0, (1.2, 0.5, 1.2), 2.0)
    without, with_lamp = views(room(chair)), views(room(chair, lamp))
    patch = place(0.18, 0.2)
    assert (abs(without[0][patch] - with_lamp[0][patch]) <= 255 // 8 + 1).all()
    assert (without[1] != with_lamp[1]).any(axis=2).sum() > 500
    # As low as a table it does hide what is below.
    table = thing("lamp", "A wide table", 0.0, 0.0, (1.2, 0.8, 1.2))
    light = 0.66 + 0.4 * 0.75
    assert tuple(views(room(chair, table))[0][patch]) == shaded(colour_of("lamp"), light)


def test_what_is_not_seen_has_no_name_either():
    wardrobe = thing("wardrobe", "A wardrobe", 0.0, 0.0, (1.5, 2.0, 1.0))
    hidden = thing("vase", "A vase", 0.0, 0.0, (0.3, 0.3, 0.3), 0.5)
    assert picture(room(wardrobe, hidden), 135, size=SIDE) == picture(room(wardrobe), 135, size=SIDE)


def test_the_azimuth_turns_the_diagonal_view_alone():
    (above, aside), (same, turned) = views(FURNISHED, 45), views(FURNISHED, 225)
    assert (above == same).all()
    assert (aside != turned).any()


def test_an_arrow_tells_where_the_front_is():
    cupboard = thing("cupboard", "A wardrobe", 0.0, 0.0, (1.6, 0.8, 1.2))
    turned = {**cupboard, "rot": [0.0, 1.0, 0.0, 0.0]}
    south, north = views(room(cupboard))[0], views(room(turned))[0]
    at_south, at_north = (tuple(south[place(0.0, z)]) for z in (0.5, -0.5))
    assert at_south != at_north
    assert (tuple(north[place(0.0, -0.5)]), tuple(north[place(0.0, 0.5)])) == (at_south, at_north)


def test_an_object_that_leans_is_drawn_as_it_leans():
    board = thing("board", "A board", 0.0, -0.5, (0.4, 1.2, 0.1))
    fallen = {**board, "rot": [0.70711, 0.0, 0.0, 0.70711]}
    assert tuple(views(room(board))[0][place(0.1, 0.6)]) == FLOOR
    light = 0.66 + 0.4 * 0.75
    got = views(room(fallen))[0][place(0.1, 0.6)]
    assert (abs(got - np.array(shaded(colour_of("board"), light))) <= 1).all()


def test_the_floor_has_the_rooms_form():
    corners = [(-2, -2), (2, -2), (2, 0), (0, 0), (0, 2), (-2, 2)]
    above, _ = views(room(corners=corners))
    assert [tuple(above[place(x, z)]) for x, z in ((1.4, -1.4), (-1.4, 1.4), (1.4, 1.4))] == [FLOOR, FLOOR, AIR]


def test_a_floor_whose_walls_cross_is_drawn_by_the_even_odd_rule():
    above, _ = views(room(corners=[(-2, -2), (2, 2), (2, -2), (-2, 2)]))
    assert [tuple(above[place(x, z)]) for x, z in ((1.4, 0.4), (-1.4, 0.4), (0.3, 1.4))] == [FLOOR, FLOOR, AIR]


def test_the_viewer_stands_where_most_is_seen():
    screen = thing("screen", "A wide wardrobe", 1.0, 1.0, (1.6, 2.5, 0.1), rot=[0.0, 0.38268, 0.0, 0.92388])
    behind = [thing(f"pot{i}", "A vase", 0.45 + 0.3 * i, 0.7 - 0.3 * i, (0.2, 0.2, 0.2)) for i in (-1, 0, 1)]
    assert azimuth_of(room()) == AZIMUTHS[0] == 135
    chosen = azimuth_of(room(screen, *behind))
    assert chosen not in (135, 150)
    assert azimuth_of(room(*reversed(behind), screen)) == chosen


def test_a_picture_has_the_same_bytes_in_another_process():
    code = (
        "from hashlib import sha256; from operators.scene.painter import picture;"
        "from tests.scene.test_painter import FURNISHED;"
        "print(sha256(picture(FURNISHED, 225, size=128)).hexdigest())"
    )
    env = {**os.environ, "PYTHONHASHSEED": "77"}
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == sha256(picture(FURNISHED, 225, size=128)).hexdigest()


number = st.one_of(st.floats(), st.floats(-3, 3), st.sampled_from([0.0, -1.0, 1e308, 1e-300, float("nan")]))
objects = st.builds(
    lambda jid, desc, pos, size, rot: {"jid": jid, "desc": desc, "pos": pos, "size": size, "rot": rot},
    st.text(max_size=3),
    st.sampled_from(["A round table", "sofa", "bed", "椅子", "", "floor lamp", "🙂 plant", "bookcase", "wardrobe"]),
    *(st.lists(number, min_size=n, max_size=n) for n in (3, 3, 4)),
)


@settings(max_examples=15)
@given(st.lists(objects, max_size=8), st.lists(st.tuples(number, number), max_size=6), number)
def test_any_room_gives_a_picture(objects, corners, height):
    scene = room(*objects, corners=corners, height=height)
    assert decoded(picture(scene, azimuth_of(scene), size=128)).shape == (128, 256, 3)


def test_a_size_that_cannot_be_drawn_is_refused():
    with pytest.raises(OptionError, match=r"^A view has 128 to 4096 pixels a side, not 12\.$"):
        picture(room(), 45, size=12)
