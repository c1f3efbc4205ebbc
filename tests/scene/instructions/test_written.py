"""What rules write: true, in every style, for every room, varied, and as long as the style says."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from operators.scene.instructions.check import instruction_problems
from operators.scene.instructions.contents import changes_text, contents_of
from operators.scene.instructions.room_text import (
    BRIEF_WEIGHTS,
    DETAILED_WEIGHTS,
    WANTED,
    WORDS,
    drawn_style,
    layout_wishes,
    room_text,
)
from operators.scene.model.chain import Chain
from tests.scene.built_chains import BED, CHAIR, DESK, LAMP, Building, furnished
from tests.scene.instructions.rooms import ALL, BEDROOM, CHINESE, DINING, NAMELESS

STYLES = [style for style in WANTED if not style.startswith("edit")]


def texts(name: str, style: str, count: int = 30) -> list[str]:
    contents = contents_of(ALL[name])
    return [room_text(ALL[name], contents, style, random.Random(seed)) for seed in range(count)]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", ALL)
def test_every_style_is_true_of_every_room_and_of_its_length(name: str, style: str) -> None:
    least, most = WORDS[style.partition("/")[0]]
    for text in texts(name, style):
        assert instruction_problems(text, ALL[name]) == [], text
        assert least <= len(text.split()) <= most, text
        assert re.fullmatch(r"[A-Z0-9].*[.?]", text), text
        assert not re.search(r"[{}<>]|\ba [aeio]|\ban [^aeiou]|  |\.\.|\bNone\b", text), text


@pytest.mark.parametrize("style", STYLES)
def test_a_style_is_said_in_many_ways(style: str) -> None:
    assert len(set(texts("bedroom", style))) >= 8


def test_detailed_instructions_name_numbers_looks_and_places_of_the_room_itself() -> None:
    specific, layout = " ".join(texts("bedroom", "detailed/specific")), " ".join(texts("bedroom", "detailed/layout"))
    assert [part in specific for part in ("two gray nightstands", "a white bed", "a wooden wardrobe")] == [True] * 3
    assert "a nightstand on either side of the bed" in layout
    assert "the four dining chairs around the dining table" in " ".join(texts("dining", "detailed/layout"))


def test_layout_says_only_what_is_so() -> None:
    assert layout_wishes(BEDROOM, contents_of(BEDROOM)) == [
        "the bed against a wall",
        "the wardrobe against a wall",
        "a nightstand on either side of the bed",
        "the pendant lamp above the bed",
    ]
    assert layout_wishes(DINING, contents_of(DINING)) == ["the four dining chairs around the dining table"]
    assert layout_wishes(NAMELESS, contents_of(NAMELESS)) == []


def test_chinese_descriptions_give_english_sentences_with_their_kinds_and_colours() -> None:
    contents = contents_of(CHINESE)
    assert [piece.phrase(looks=True) for piece in contents.pieces] == [
        "a gray fabric double bed",
        "a white wooden nightstand",
        "a floor lamp",
    ]


def test_styles_are_drawn_by_their_shares() -> None:
    rng = random.Random(1)
    drawn = Counter(drawn_style(rng, False) for _ in range(4000))
    shares = {f"brief/{name}": weight / 200 for name, weight in BRIEF_WEIGHTS.items()}
    shares |= {f"detailed/{name}": weight / 200 for name, weight in DETAILED_WEIGHTS.items()}
    assert sum(shares.values()) == pytest.approx(1)
    assert {name: drawn[name] / 4000 for name in shares} == pytest.approx(shares, abs=0.025)
    edits = Counter(drawn_style(rng, True) for _ in range(1000))
    assert {name: count / 1000 for name, count in edits.items()} == pytest.approx(
        {"edit/brief": 0.5, "edit/detailed": 0.5}, abs=0.06
    )


def edited() -> Chain:
    """One call of each kind, and a lamp twice."""
    second = ("l2", LAMP[1], LAMP[2], [-2.2, 0.0, -2.2])
    chair = ("c2", CHAIR[1], CHAIR[2], [1.0, 0.0, 1.2])
    wide = ("x", "A small white cabinet", [0.8, 0.9, 0.4], [2.0, 0.0, 0.5])
    built = Building(furnished(BED, DESK, CHAIR, chair, wide))
    sofa = ("s", "A red sofa", [1.4, 0.8, 0.6], [0.0] * 3)
    scale = built._call("scale_object", jid="x", new_size=[1.0, 1.0, 0.5])
    return built.turn(
        built.remove(CHAIR), built.move(chair, [-1.0, 0.0, 0.7]), built.turned(BED, [0.0, 1.0, 0.0, 0.0]), scale,
        built.replace(DESK, sofa), built.add(LAMP), built.add(second),
    ).chain()  # fmt: skip


@pytest.mark.parametrize("style", ["edit/brief", "edit/detailed"])
def test_changes_are_asked_for_all_as_they_are(style: str) -> None:
    chain = edited()
    end = chain.states()[-1]
    said = {changes_text(chain, "bedroom", style, random.Random(seed)) for seed in range(30)}
    assert len(said) > 10
    for text in said:
        assert instruction_problems(text, end, chain.start) == [], text
        assert re.search(r"one of the two chairs.*another of the two chairs", text), text
        assert re.search(r"bed .*around|bed is turned.*around", text), text
        assert re.search(r"cabinet.* bigger|cabinet in a bigger", text), text
        assert re.search(r"desk.*(with|for) a (red )?sofa", text), text
        assert re.search(r"two (black )?floor lamps", text), text


def test_a_move_tells_where_it_goes_if_it_goes_towards_a_thing() -> None:
    built = Building(furnished(BED, DESK, CHAIR))
    closer = built.turn(built.move(CHAIR, [-1.8, 0.0, 0.9])).chain()
    assert "the chair closer to the desk" in changes_text(closer, "room", "edit/brief", random.Random(1))
    away = Building(furnished(DESK, CHAIR))
    away.turn(away.move(CHAIR, [-1.8, 0.0, 1.7]))
    assert "the chair further away from the desk" in changes_text(away.chain(), "room", "edit/brief", random.Random(1))
    aside = Building(furnished(DESK, CHAIR))
    aside.turn(aside.move(CHAIR, [-1.7, 0.0, 1.2]))
    assert "the chair a little" in changes_text(aside.chain(), "room", "edit/brief", random.Random(1))
