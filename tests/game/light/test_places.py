"""The place that tells the light in all rounds of an episode, and what only looks like one."""

from collections.abc import Sequence

import pytest
from PIL import Image, ImageDraw

from operators.game.light.glow import glow_of, lights_by_place, lights_of
from tests.game.light.drawn import BLUE, GREEN, RED, SHADES, pixels, row_of, screen_of

LIGHTS = ["GREEN", "RED", "RED", "YELLOW", "GREEN"]
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
    images = hearts(LIGHTS)
    for image in images:
        ImageDraw.Draw(image).rectangle((20, 260, 160, 300), fill=RED)  # larger, and always red
    assert read(images) == LIGHTS


@pytest.mark.parametrize("strength", [0.2, 0.35])
def test_three_lamps_of_which_one_is_lit_are_one_light(strength):
    dim = {name: tuple(round(strength * level) for level in shade) for name, shade in SHADES.items()}
    rounds = [row_of([SHADES[name] if name == light else dim[name] for name in SHADES]) for light in LIGHTS]
    assert read([screen_of(*lamps, ground=(20, 20, 26)) for lamps in rounds]) == LIGHTS


def test_a_round_in_which_the_place_is_off_has_no_light():
    images = [*hearts(LIGHTS), screen_of((30, 40, 14, GREEN), cards=False)]
    assert read(images) == [*LIGHTS, None], "what glows elsewhere does not count"


def test_the_reason_tells_where_the_place_is():
    [found, *_] = lights_by_place([glow_of(pixels(image)) for image in hearts(LIGHTS)]) or []
    assert found.look.reason == "the place at (90, 104), whose colour changes like a light's in 5 rounds, is GREEN"


@pytest.mark.parametrize(
    "images",
    [hearts(["RED"] * 5), hearts(["RED", "GREEN"]), [screen_of((90, 100, 18, BLUE))] * 4],
    ids=["always one colour", "two rounds", "no light's colour"],
)
def test_what_does_not_change_like_a_light_tells_nothing(images):
    assert read(images) is None


def test_two_places_that_tell_different_colours_leave_it_unsure():
    images = hearts(LIGHTS)
    for image, light in zip(images, ["RED", "GREEN", "YELLOW", "GREEN", "RED"], strict=True):
        ImageDraw.Draw(image).rectangle((70, 200, 110, 240), fill=SHADES[light])
    assert read(images) == ["unsure"] * 5
    assert read(images, [(10, 190, 60, 250), (65, 190, 115, 250), (120, 190, 170, 250)]) == LIGHTS, "it is a card"


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
