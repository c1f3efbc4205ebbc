"""LightColorReader: rows to lights, and what replies of a model say."""

import pyarrow as pa
import pytest

from operators.game.light_reader import LightColorReader
from tests.game.light.drawn import BLUE, GREEN, GREY, RED, YELLOW, Reads, row_of, screen_of


def rounds(tmp_path, *images):
    paths = [tmp_path / f"{i}.png" for i in range(len(images))]
    for path, image in zip(paths, images, strict=True):
        image.save(path)
    return pa.table({"question": [str(path) for path in paths]})


def test_each_round_gets_the_colour_of_its_lamp_and_where_it_comes_from(tmp_path):
    table = rounds(tmp_path, *(screen_of(*row_of([GREY, colour, GREY])) for colour in (GREEN, RED, YELLOW)))
    done = LightColorReader()(table)
    assert done["light"].to_pylist() == ["GREEN", "RED", "YELLOW"]
    assert done["light_read"].to_pylist()[0] == {
        "by": "colour",
        "confidence": 0.99,
        "reason": "the strongest glow, at (90, 100), is GREEN; nothing glows in another colour",
        "looks": [
            {
                "by": "colour",
                "value": "GREEN",
                "confidence": 0.99,
                "reason": "the strongest glow, at (90, 100), is GREEN; nothing glows in another colour",
            }
        ],
    }


def test_a_round_without_a_lamp_or_a_picture_costs_no_other_its_light(tmp_path):
    table = rounds(tmp_path, screen_of((90, 100, 18, RED)), screen_of((90, 100, 18, BLUE)))
    gone = pa.table({"question": [str(tmp_path / "gone.png")]})
    done = LightColorReader(engine=Reads()).apply(pa.concat_tables([table, gone]))
    assert done.table["light"].to_pylist() == ["RED"]
    assert done.rejects["message"].to_pylist() == [
        "nothing glows in a light's colour; no three equal lamps are seen of which one is lit; "
        "words name no colour (confidence 0.00); no model was there to ask.",
        f"The picture {tmp_path / 'gone.png'} is not there; collect the round again, or take it out.",
    ]
    assert done.rejects["error"].to_pylist() == ["LightUnsure", "PictureMissing"]


@pytest.mark.parametrize(
    ("reply", "light"),
    [
        ("GREEN", "GREEN"),
        ("red", "RED"),
        (" Yellow.\n", "YELLOW"),
        ('"GREEN"', "GREEN"),
        ("**RED**.", "RED"),
        ("**RED.**", "RED"),
        ("'yellow'.", "YELLOW"),
        ("`GREEN`", "GREEN"),
    ],
)
def test_a_strict_reply_is_one_colour_word(reply, light):
    assert LightColorReader().read_reply(reply) == light


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "3",
        "RED or GREEN",
        "RED GREEN",
        "The light is red.",
        "ORANGE",
        "GREENISH",
        "not red",
        "RED!",
        "RED..",
        "绿",
        ".",
    ],
)
def test_any_other_reply_is_refused_with_what_is_wanted(reply):
    with pytest.raises(ValueError) as refused:
        LightColorReader().read_reply(reply)
    assert str(refused.value) == f"wanted one word, GREEN, RED or YELLOW; the reply is {reply!r}"


def test_a_long_reply_is_shown_by_its_beginning():
    with pytest.raises(ValueError) as refused:
        LightColorReader().read_reply("light " * 100)
    assert str(refused.value) == f"wanted one word, GREEN, RED or YELLOW; the reply is {('light ' * 100)[:59] + '…'!r}"


@pytest.mark.parametrize(
    ("reply", "light"),
    [
        ("The light is green.", "GREEN"),
        ("red or green", "GREEN"),
        ("Yellow, not red", "RED"),
        ("it is coloured", "RED"),
        ("YELLOW", "YELLOW"),
    ],
)
def test_the_seeds_parser_takes_the_first_of_its_words_anywhere(reply, light):
    assert LightColorReader(parser="seed").read_reply(reply) == light


def test_the_seeds_parser_refuses_a_reply_without_any_of_its_words():
    with pytest.raises(ValueError) as refused:
        LightColorReader(parser="seed").read_reply("3")
    assert str(refused.value) == "wanted a word, GREEN, RED or YELLOW; the reply is '3'"
