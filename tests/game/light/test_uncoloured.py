"""The light of screens without colour: which of three lamps is lit, what their labels say, and words that name it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from PIL import Image, ImageDraw

from dataflow_ext.models import ScriptedModel
from dataflow_ext.ocr import OCRLine
from operators.game.episode_memory import EpisodeMemory
from operators.game.light.uncoloured import look_at_words, look_without_colour, trio_in, words_in
from operators.game.light_reader import LightColorReader
from operators.game.rounds import Found, Look, Reading
from operators.game.second_look import Remembered, look_again
from tests.game.light.drawn import HEIGHT, RED, WIDTH, Colour, Reads, row_of, screen_of

BLACK, OFF, PAPER = (20, 20, 20), (150, 150, 150), (235, 235, 235)
#: Places below the lamps of a row, in the part of the picture that is read for labels.
BELOW_LAMPS = ((43.0, 58.0), (75.0, 58.0), (107.0, 58.0))
NOTHING = Found(None, Look("colour", "", 0.0, "no round blob in a lamp's colour was found"))


def grey_row(lit: int, colour: Colour = BLACK) -> np.ndarray:
    return np.asarray(screen_of(*row_of([colour if i == lit else OFF for i in range(3)], step=32), ground=PAPER))


def grey_column(lit: int) -> np.ndarray:
    discs = [(90.0, 60.0 + 32 * i, 11.0, BLACK if i == lit else OFF) for i in range(3)]
    return np.asarray(screen_of(*discs, ground=PAPER))


def bars(lit: int, *, turned: bool = False) -> np.ndarray:
    image = Image.new("RGB", (WIDTH * 4, HEIGHT * 4), PAPER)
    draw = ImageDraw.Draw(image)
    for i in range(3):
        x, y = (160 + 140 * i, 200) if turned else (300, 120 + 70 * i)
        draw.rounded_rectangle((x, y, x + 100, y + 44), 8, fill=(250, 250, 250) if i == lit else (90, 90, 90))
    return np.asarray(image)


def told(pixels: np.ndarray, words: Mapping[str, tuple[float, float]] | None = None, coloured: Found = NOTHING):
    found = look_without_colour(pixels, coloured, Reads(words))
    return found.value, found.look.confidence


@pytest.mark.parametrize("lit", range(3))
def test_the_lamp_is_lit_that_is_unlike_the_two_others(lit: int) -> None:
    for pixels, down in ((grey_row(lit), False), (grey_column(lit), True), (bars(lit), True)):
        trio = trio_in(pixels)
        assert trio is not None
        assert (trio.lit, trio.down) == (lit, down)
    across = trio_in(bars(lit, turned=True))
    assert across is not None
    assert (across.lit, across.down) == (lit, False)


@pytest.mark.parametrize(
    "discs",
    [
        row_of([OFF, OFF, OFF], step=32),
        row_of([BLACK, OFF, (250, 250, 250)], step=32),
        row_of([BLACK, OFF, OFF, OFF], step=32),
        row_of([BLACK, OFF], step=32),
    ],
    ids=["none lit", "all different", "four", "two"],
)
def test_other_rows_have_no_lit_lamp(discs) -> None:
    assert trio_in(np.asarray(screen_of(*discs, ground=PAPER))) is None


def test_a_place_without_labels_goes_by_the_order_of_traffic_lights_and_is_unsure() -> None:
    assert [told(grey_column(lit)) for lit in range(3)] == [("RED", 0.6), ("YELLOW", 0.6), ("GREEN", 0.6)]
    assert [told(grey_row(lit)) for lit in range(3)] == [("RED", 0.5), ("YELLOW", 0.5), ("GREEN", 0.5)]


def test_labels_at_the_lamps_outweigh_the_usual_order() -> None:
    labels = dict(zip(("GRÜN", "ROT", "GELB"), BELOW_LAMPS, strict=True))
    assert [told(grey_row(lit), labels)[0] for lit in range(3)] == ["GREEN", "RED", "YELLOW"]
    assert told(grey_row(0), {"GRÜN": BELOW_LAMPS[0], "GELB": BELOW_LAMPS[2]}) == ("GREEN", 0.8)
    assert told(grey_row(1), {"GRÜN": BELOW_LAMPS[0], "GELB": BELOW_LAMPS[2]}) == ("RED", 0.8), "what the others leave"


def test_witnesses_that_agree_are_surer_together_and_those_that_differ_less() -> None:
    pale = Found("RED", Look("colour", "RED", 0.6, "pale"))
    assert told(grey_column(0), coloured=pale) == ("RED", 0.84)
    assert told(grey_column(2), coloured=pale) == ("RED", 0.24)


@pytest.mark.parametrize(
    ("text", "colours", "labelled"),
    [
        ("Light: GREEN", ["GREEN"], True),
        ("semáforo rojo", ["RED"], True),
        ("信号灯：黄灯", ["YELLOW"], True),
        ("Жёлтый", ["YELLOW"], False),
        ("KIRMIZI", ["RED"], False),
        ("GRUN", ["GREEN"], False),
        ("red or green", ["RED", "GREEN"], False),
        ("Tap the largest card if it is green", [], False),
        ("Redmi", [], False),
    ],
)
def test_colours_are_read_in_many_languages(text: str, colours: list[str], labelled: bool) -> None:
    words = list(words_in(OCRLine(text, 0.9, (0, 0, 80, 20))))
    assert [word.colour for word in words] == colours
    assert all(word.labelled == labelled for word in words)


def labels_of(*lines: str, out: int | None = None) -> tuple[np.ndarray, list]:
    """Lines of text below one another, one of them white on black, and the words in them."""
    image = Image.new("RGB", (200, 40 * len(lines)), PAPER)
    draw = ImageDraw.Draw(image)
    words = []
    for i, line in enumerate(lines):
        x0, y0, x1, y1 = draw.textbbox((20, 40 * i + 8), line, font_size=18)
        box = (x0 - 2, y0 - 2, x1 + 2, y1 + 2)
        if i == out:
            draw.rectangle(box, BLACK)
        draw.text((20, 40 * i + 8), line, fill=PAPER if i == out else BLACK, font_size=18)
        words += words_in(OCRLine(line, 0.9, box))
    return np.asarray(image), words


def test_words_tell_the_light_if_they_name_one_colour_or_one_stands_out() -> None:
    assert look_at_words(*labels_of("Score 12", "YELLOW")).look.confidence == 0.7
    assert look_at_words(*labels_of("Ampel: Gelb", "Punkte")).look.confidence == 0.85
    out = look_at_words(*labels_of("RED", "YELLOW", "GREEN", out=1))
    assert (out.value, out.look.confidence) == ("YELLOW", 0.75)
    assert look_at_words(*labels_of("RED", "YELLOW", "GREEN")).value is None
    assert look_at_words(*labels_of("RED", "GREEN")).value is None
    assert look_at_words(*labels_of("Light: RED", "red", "green")).value == "RED"


def test_a_lone_word_at_one_of_three_lamps_does_not_name_the_lit_one() -> None:
    assert told(grey_row(2), {"RED": BELOW_LAMPS[0]}) == ("GREEN", 0.5)


def test_a_screen_without_evidence_says_what_was_looked_for() -> None:
    found = look_without_colour(np.asarray(screen_of(ground=PAPER)), NOTHING, Reads({"Score": (20, 20)}))
    assert found.value is None
    assert found.look.reason == (
        "no round blob in a lamp's colour was found; no three equal lamps are seen of which one is lit; "
        "words name no colour"
    )


def test_a_coloured_lamp_is_not_read_again(tmp_path) -> None:
    screen_of(*row_of([RED, OFF, OFF])).save(tmp_path / "question.png")
    found = LightColorReader(engine=Reads({"GREEN": (90, 100)})).look({"question": tmp_path / "question.png"})
    assert (found.value, found.look.by) == ("RED", "colour")


def test_other_witnesses_wait_for_the_other_rounds_where_nobody_wants_the_light_at_once(tmp_path) -> None:
    screen_of(ground=PAPER).save(tmp_path / "question.png")
    engine = Reads({"GREEN": (90, 100)})
    assert LightColorReader(engine=engine).look({"question": tmp_path / "question.png"}).value == "GREEN"
    assert LightColorReader(engine=engine, unsure="keep").look({"question": tmp_path / "question.png"}).value is None
    asked = LightColorReader(engine=engine, unsure="keep", model=ScriptedModel({"": "RED"}))
    assert asked.look({"question": tmp_path / "question.png"}).value == "GREEN", "no model is asked what words tell"


def test_where_no_place_tells_the_light_its_other_witnesses_do(tmp_path) -> None:
    screen_of(ground=PAPER).save(tmp_path / "question.png")
    pale = Reading("colour", 0.6, "pale", [Look("colour", "RED", 0.6, "pale")])
    nothing = Reading("none", 0.0, "", [])
    row = {"question": tmp_path / "question.png", "result": tmp_path / "question.png", "cards": None, "marks": None,
           "selected": None, "numbers": None, "light": "RED", "card": None,
           "numbers_read": nothing, "light_read": pale, "card_read": nothing}  # fmt: skip
    memory = EpisodeMemory(engine=Reads(), light_reader=LightColorReader(engine=Reads({"RED": (90, 100)})))
    witnesses = memory._witnesses(row)
    assert witnesses is not None
    made = look_again(row, Remembered(None, witnesses=witnesses), Reads(), 0.8).made
    assert (made.values["light"], made.readings["light"].confidence) == ("RED", 0.88)
    place = Found("GREEN", Look("colour", "GREEN", 0.97, "the place that changes"))
    told_by_place = look_again(row, Remembered(None, place), Reads(), 0.8).made
    assert (told_by_place.values["light"], told_by_place.readings["light"].confidence) == ("GREEN", 0.97)


def test_a_word_that_is_another_in_other_rounds_names_the_light(tmp_path) -> None:
    screen_of(ground=PAPER).save(tmp_path / "question.png")
    word, nothing = Reading("words", 0.7, "a word", [Look("words", "RED", 0.7, "a word")]), Reading("none", 0.0, "", [])
    row = {"question": tmp_path / "question.png", "result": tmp_path / "question.png", "cards": None, "marks": None,
           "selected": None, "numbers": None, "light": "RED", "card": None,
           "numbers_read": nothing, "light_read": word, "card_read": nothing}  # fmt: skip
    surely = [look_again(row, Remembered(None, words=words), Reads(), 0.8).made.readings["light"].confidence
              for words in ({"RED"}, {"RED", "GREEN"})]  # fmt: skip
    assert surely == [0.7, 0.9]
