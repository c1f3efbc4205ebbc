"""The light of one picture, what glows most; and the place that tells it in all rounds of an episode."""

import io
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from operators.game.light.glow import glow_of, lights_by_place, lights_of, look_at_light
from operators.game.rounds import Found, PictureDamaged, PictureMissing
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


def test_panels_buttons_coins_and_an_avatar_do_not_outshine_the_light():
    image = screen_of((14, 40, 12, ORANGE), (90, 120, 18, GREEN), *row_of([YELLOW, BLUE, RED], y=70, r=5, step=50))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 180, 22), fill=(255, 145, 40))
    draw.rounded_rectangle((30, 290, 150, 312), 11, fill=RED)
    draw.polygon([(150, 50), (158, 42), (166, 50), (150, 66), (134, 50), (142, 42)], fill=RED)
    assert look_at_light(pixels(image)).value == "GREEN"


def test_what_was_found_says_where_the_light_is_and_why():
    found = look_at_light(pixels(screen_of(*row_of([GREY, RED, GREY]))))
    assert (found.value, found.look.by, found.look.value, found.look.confidence) == ("RED", "colour", "RED", 0.99)
    assert found.look.reason == "the strongest glow, at (90, 100), is RED; nothing glows in another colour"


SHAPES = {
    "square": [(72, 82), (108, 82), (108, 118), (72, 118)],
    "triangle": [(90, 76), (114, 118), (66, 118)],
    "star": [
        (90, 70),
        (98, 92),
        (120, 92),
        (102, 105),
        (109, 127),
        (90, 114),
        (71, 127),
        (78, 105),
        (60, 92),
        (82, 92),
    ],
    "bar": [(20, 92), (160, 92), (160, 108), (20, 108)],
    "heart": [(90, 124), (66, 98), (72, 84), (84, 84), (90, 92), (96, 84), (108, 84), (114, 98)],
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("light", LIGHTS)
def test_a_light_may_have_any_shape(light, shape):
    image = screen_of()
    ImageDraw.Draw(image).polygon(shape, fill=SHADES[light])
    assert sure_of(image) == light


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
    assert found.look.reason == "nothing glows in a light's colour"


def test_noise_is_no_lamp():
    noise = np.random.default_rng(3).integers(0, 256, (320, 180, 3)).astype(np.uint8)
    assert sure_of(Image.fromarray(noise)) is None


@pytest.mark.parametrize(
    "discs",
    [
        [(50, 100, 16, GREEN), (130, 100, 16, RED)],
        row_of([RED, YELLOW, GREEN]),
        [(90, 8, 5, RED)],
        row_of([RED, BLUE, ORANGE], y=300),
        [(90, 100, 18, (255, 105, 20))],
    ],
    ids=["two lamps", "all lit", "in the status bar", "buttons below", "orange"],
)
def test_what_may_be_no_lamp_or_of_two_colours_is_unsure(discs):
    assert sure_of(screen_of(*discs)) is None


@settings(max_examples=25, deadline=None)
@given(
    light=st.sampled_from(LIGHTS),
    dx=st.floats(-50, 50),
    dy=st.floats(-35, 60),
    scale=st.sampled_from([1.0, 1.5, 2.625, 5.0]),
    place=st.integers(0, 2),
)
def test_place_and_scale_change_nothing(light, dx, dy, scale, place):
    colours = [GREY] * 3
    colours[place] = SHADES[light]
    assert sure_of(screen_of(*row_of(colours, r=9, step=22), scale=scale, at=(dx, dy))) == light


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_no_picture_is_too_small_or_too_strange_to_look_at(width, height, seed):
    noise = np.random.default_rng(seed).integers(0, 256, (height, width, 3)).astype(np.uint8)
    assert isinstance(look_at_light(noise), Found)


def test_pictures_that_cannot_be_looked_at_say_why(tmp_path):
    with pytest.raises(PictureMissing, match="is not there"):
        look_at_light(tmp_path / "none.png")
    broken = tmp_path / "broken.png"
    screen_of((90, 100, 18, RED)).save(broken)
    broken.write_bytes(broken.read_bytes()[:200])
    with pytest.raises(PictureDamaged):
        look_at_light(broken)


ROUNDS = ["GREEN", "RED", "RED", "YELLOW", "GREEN"]
HEART = [(90, 124), (66, 98), (72, 84), (84, 84), (90, 92), (96, 84), (108, 84), (114, 98)]


def hearts(lights: Sequence[str]) -> list[Image.Image]:
    """Screens with a light in the shape of a heart."""
    images = [screen_of(cards=False) for _ in lights]
    for image, light in zip(images, lights, strict=True):
        ImageDraw.Draw(image).polygon(HEART, fill=SHADES[light])
    return images


def read(images: Sequence[Image.Image], cards: Sequence[tuple[float, float, float, float]] | None = None):
    found = lights_by_place([glow_of(pixels(image)) for image in images], cards)
    return found and [each.value if each.look.confidence >= 0.8 or each.value is None else "unsure" for each in found]


def test_the_light_is_the_place_whose_colour_changes_whatever_its_shape():
    images = hearts(ROUNDS)
    for image in images:
        ImageDraw.Draw(image).rectangle((20, 260, 160, 300), fill=RED)  # larger, and always red
    assert read(images) == ROUNDS


@pytest.mark.parametrize("strength", [0.2, 0.35])
def test_three_lamps_of_which_one_is_lit_are_one_light(strength):
    dim = {name: tuple(round(strength * level) for level in shade) for name, shade in SHADES.items()}
    rounds = [row_of([SHADES[name] if name == light else dim[name] for name in SHADES]) for light in ROUNDS]
    assert read([screen_of(*lamps, ground=(20, 20, 26)) for lamps in rounds]) == ROUNDS


def test_a_round_in_which_the_place_is_off_has_no_light():
    images = [*hearts(ROUNDS), screen_of((30, 40, 14, GREEN), cards=False)]
    assert read(images) == [*ROUNDS, None], "what glows elsewhere does not count"


def test_the_reason_tells_where_the_place_is():
    [found, *_] = lights_by_place([glow_of(pixels(image)) for image in hearts(ROUNDS)]) or []
    assert found.look.reason == "the place at (90, 104), whose colour changes like a light's in 5 rounds, is GREEN"


@pytest.mark.parametrize(
    "images",
    [hearts(["RED"] * 5), hearts(["RED", "GREEN"]), [screen_of((90, 100, 18, BLUE))] * 4],
    ids=["always one colour", "two rounds", "no light's colour"],
)
def test_what_does_not_change_like_a_light_tells_nothing(images):
    assert read(images) is None


def test_two_places_that_tell_different_colours_leave_it_unsure():
    images = hearts(ROUNDS)
    for image, light in zip(images, ["RED", "GREEN", "YELLOW", "GREEN", "RED"], strict=True):
        ImageDraw.Draw(image).rectangle((70, 200, 110, 240), fill=SHADES[light])
    assert read(images) == ["unsure"] * 5
    assert read(images, [(10, 190, 60, 250), (65, 190, 115, 250), (120, 190, 170, 250)]) == ROUNDS, "it is a card"


def test_a_bar_that_grows_beside_a_lamp_that_moves_is_no_part_of_a_light():
    lamps = [(60, 120, 18, GREEN), (60, 120, 18, GREEN), (130, 120, 18, SHADES["YELLOW"]), (130, 120, 18, GREEN)]
    images = [screen_of(lamp, cards=False) for lamp in lamps]
    for number, image in enumerate(images):
        ImageDraw.Draw(image).rectangle((40, 60, 44 + 16 * number, 67), fill=RED)
    assert read(images) is None


def test_other_episodes_of_the_device_tell_where_the_light_is(tmp_path):
    paths = []
    for i, image in enumerate(hearts(["RED", "RED", "RED", "GREEN", "YELLOW"])):
        paths.append(tmp_path / f"{i}.png")
        image.save(paths[-1])
    assert lights_of(paths[:3], [], None) == [None] * 3
    assert [found and found.value for found in lights_of(paths[:3], paths[3:], None)] == ["RED"] * 3


def test_a_picture_that_is_not_there_or_of_another_size_costs_no_other_its_light(tmp_path):
    paths = [tmp_path / f"{i}.png" for i in range(4)]
    for path, image in zip(paths, hearts(["RED", "GREEN", "YELLOW"]), strict=False):
        image.save(path)
    screen_of((90, 40, 10, RED), scale=2).resize((320, 180)).save(tmp_path / "4.png")
    found = lights_of([*paths, tmp_path / "4.png"], [], None)
    assert [each and each.value for each in found] == ["RED", "GREEN", "YELLOW", None, None]
