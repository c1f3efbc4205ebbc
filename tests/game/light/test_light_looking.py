"""The light by rules: lamps wherever they are, what only looks like one, and screens without any."""

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from operators.game.light import look_at_light
from operators.game.rounds import Found
from operators.game.screen import PictureDamaged, PictureMissing
from tests.game.light.drawn import BLUE, GREEN, GREY, ORANGE, RED, SHADES, YELLOW, pixels, row_of, screen_of, shaded

LIGHTS = list(SHADES)


def sure_of(image: Image.Image) -> str | None:
    """The colour if it is sure enough to be used, else None."""
    found = look_at_light(pixels(image))
    return found.value if found.look.confidence >= 0.8 else None


@pytest.mark.parametrize("light", LIGHTS)
def test_one_lamp_alone_gives_its_colour(light):
    assert sure_of(screen_of((90, 100, 18, SHADES[light]))) == light


@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_of_three_lamps_the_lit_one_counts_wherever_it_stands(light, place):
    colours = [GREY] * 3
    colours[place] = SHADES[light]
    assert sure_of(screen_of(*row_of(colours))) == light


@pytest.mark.parametrize("ground", [(245, 246, 250), (20, 20, 26)])
@pytest.mark.parametrize("light", LIGHTS)
def test_the_others_may_be_dim_in_their_own_colours(light, ground):
    dim = {
        name: tuple(round(0.25 * a + 0.75 * b) for a, b in zip(SHADES[name], ground, strict=True)) for name in LIGHTS
    }
    colours = [SHADES[name] if name == light else dim[name] for name in LIGHTS]
    assert sure_of(screen_of(*row_of(colours), ground=ground)) == light


@pytest.mark.parametrize("light", LIGHTS)
def test_lamps_may_stand_in_a_column(light):
    column = [(40, 60 + 28 * i, 11, SHADES[name] if name == light else GREY) for i, name in enumerate(LIGHTS)]
    assert sure_of(screen_of(*column)) == light


@pytest.mark.parametrize(
    ("light", "inner", "outer"),
    [
        ("GREEN", (56, 239, 125), (17, 153, 142)),
        ("RED", (244, 92, 67), (235, 51, 73)),
        ("YELLOW", (255, 210, 0), (247, 151, 30)),
        ("YELLOW", (255, 250, 220), (255, 193, 7)),
    ],
)
def test_a_lamp_may_shade_off_from_its_middle_to_its_edge(light, inner, outer):
    assert sure_of(shaded(screen_of(), 90, 100, 20, inner, outer)) == light


def test_a_border_a_shine_and_a_label_in_the_lamp_do_not_matter():
    image = screen_of((90, 100, 22, (30, 30, 34)), (90, 100, 20, GREEN), (83, 92, 4, (220, 255, 230)))
    ImageDraw.Draw(image).text((78, 98), "MAX", (255, 255, 255))
    assert sure_of(image) == "GREEN"


@pytest.mark.parametrize("light", LIGHTS)
def test_jpeg_noise_and_a_colour_cast_do_not_matter(light):
    image = screen_of(*row_of([GREY, SHADES[light], GREY]), scale=2)
    cast = (pixels(image) * np.array([1.0, 0.96, 0.9])).astype(np.uint8)
    noise = np.random.default_rng(1).normal(0, 8, cast.shape)
    file = io.BytesIO()
    Image.fromarray((cast + noise).clip(0, 255).astype(np.uint8)).save(file, "JPEG", quality=40)
    assert sure_of(Image.open(file)) == light


def test_panels_buttons_coins_and_an_avatar_are_no_lamps():
    image = screen_of((14, 40, 12, ORANGE), (90, 120, 18, GREEN), *row_of([YELLOW, BLUE, RED], y=70, r=5, step=50))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 180, 22), fill=(255, 145, 40))
    draw.rounded_rectangle((30, 290, 150, 312), 11, fill=RED)
    draw.polygon([(150, 50), (158, 42), (166, 50), (150, 66), (134, 50), (142, 42)], fill=RED)
    assert sure_of(image) == "GREEN"


def test_what_was_found_says_where_the_lamp_is_and_why():
    found = look_at_light(pixels(screen_of(*row_of([GREY, RED, GREY]))))
    assert (found.value, found.look.by, found.look.value, found.look.confidence) == ("RED", "colour", "RED", 0.99)
    assert found.look.reason == (
        "a round blob of hue 353 at (90, 100), diameter 24, beside two equal circles that are off; "
        "no other colour has a candidate"
    )
    assert found.columns["lamp"] == pytest.approx((79, 89, 101, 111), abs=1.0)


NO_LAMP = [
    screen_of(),
    screen_of(*row_of([GREY, GREY, GREY])),
    screen_of((90, 100, 18, BLUE)),
    Image.new("RGB", (180, 320), RED),
    Image.new("RGB", (1, 1), RED),
    Image.new("RGB", (3000, 2), GREEN),
]


@pytest.mark.parametrize("image", NO_LAMP, ids=["cards", "all off", "blue", "plain", "a pixel", "a line"])
def test_a_screen_without_a_lamp_has_no_colour_and_says_so(image):
    found = look_at_light(pixels(image))
    assert (found.value, found.look.confidence) == (None, 0.0)
    assert found.look.reason == "no round blob in a lamp's colour was found"


def test_a_square_is_no_lamp():
    image = screen_of()
    ImageDraw.Draw(image).rectangle((70, 80, 110, 120), fill=RED)
    assert look_at_light(pixels(image)).value is None


def test_noise_is_no_lamp():
    noise = np.random.default_rng(3).integers(0, 256, (320, 180, 3)).astype(np.uint8)
    assert sure_of(Image.fromarray(noise)) is None


@pytest.mark.parametrize(
    "discs",
    [
        [(50, 100, 16, GREEN), (130, 100, 16, RED)],
        row_of([RED, YELLOW, GREEN]),
        row_of([RED, RED, RED]),
        row_of([GREY, GREY, RED, GREY, GREY]),
        [(90, 8, 5, RED)],
        row_of([RED, BLUE, ORANGE], y=300),
        [(90, 100, 18, (255, 105, 20))],
    ],
    ids=["two lamps", "all lit", "all red", "levels", "in the status bar", "buttons below", "orange"],
)
def test_what_may_be_no_lamp_or_of_two_colours_is_unsure(discs):
    assert sure_of(screen_of(*discs)) is None


def test_a_hue_between_two_colours_is_said_to_be():
    found = look_at_light(pixels(screen_of((90, 100, 18, (255, 105, 20)))))
    assert "its hue between two colours" in found.look.reason


@settings(max_examples=25, deadline=None)
@given(
    light=st.sampled_from(LIGHTS),
    dx=st.floats(-50, 50),
    dy=st.floats(-35, 60),
    scale=st.sampled_from([1.0, 1.5, 2.625, 5.0]),
    place=st.integers(0, 2),
)
def test_place_and_scale_change_nothing_but_the_box(light, dx, dy, scale, place):
    colours = [GREY] * 3
    colours[place] = SHADES[light]
    discs = row_of(colours, r=9, step=22)
    found = look_at_light(pixels(screen_of(*discs, scale=scale, at=(dx, dy))))
    x, y, r, _ = discs[place]
    box = [scale * v for v in (x + dx - r, y + dy - r, x + dx + r, y + dy + r)]
    assert found.value == light
    assert found.look.confidence >= 0.8
    assert found.columns["lamp"] == pytest.approx(box, abs=1.2 * max(1, scale))


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_no_picture_is_too_small_or_too_strange_to_look_at(width, height, seed):
    noise = np.random.default_rng(seed).integers(0, 256, (height, width, 3)).astype(np.uint8)
    assert isinstance(look_at_light(noise), Found)


def test_a_closer_look_sees_only_what_is_at_its_place():
    image = pixels(screen_of((50, 100, 16, GREEN), (130, 100, 16, RED), scale=3))
    assert look_at_light(image, (100, 250, 200, 350)).value == "GREEN"
    red = look_at_light(image, (340, 250, 440, 350))
    assert (red.value, red.look.confidence >= 0.8) == ("RED", True)
    assert red.columns["lamp"] == pytest.approx((342, 252, 438, 348), abs=3)


def test_a_closer_look_at_an_empty_place_finds_nothing():
    image = pixels(screen_of((50, 100, 16, GREEN)))
    found = look_at_light(image, (120, 90, 140, 110))
    assert (found.value, found.look.reason) == (None, "no round blob in a lamp's colour was found there")


@pytest.mark.parametrize("near", [(500, 500, 600, 600), (-90, -90, -80, -80), (50, 50, 50, 50)])
def test_a_place_outside_the_picture_holds_nothing(near):
    found = look_at_light(pixels(screen_of((50, 100, 16, GREEN))), near)
    assert (found.value, found.look.reason) == (None, "the place to look at is outside the picture")


def test_pictures_that_cannot_be_looked_at_say_why(tmp_path):
    with pytest.raises(PictureMissing, match="is not there"):
        look_at_light(tmp_path / "none.png")
    broken = tmp_path / "broken.png"
    screen_of((90, 100, 18, RED)).save(broken)
    broken.write_bytes(broken.read_bytes()[:200])
    with pytest.raises(PictureDamaged):
        look_at_light(broken)
