"""Whether an instruction is true: what is not so is found, and what a person may say is not complained of."""

from __future__ import annotations

import pytest

from operators.scene.instructions.check import asked_and_missing, instruction_problems
from tests.scene.instructions.rooms import BEDROOM, CHINESE, DINING, NAMELESS, room

TRUE = [
    "I want a cozy bedroom.",
    "Give me a bed, two nightstands and a wardrobe.",
    "I need a bedside table on each side of the bed, and a closet for my clothes.",
    "We'd love a pair of gray nightstands and one white bed.",
    "There should be a chair to read in, in soft beige fabric.",
    "A beige armchair with its ottoman, please, and a black metal pendant lamp above the bed.",
    "I go to bed late and like good lighting; some greenery would be nice.",
    "I want two matching nightstands, each with a drawer.",
    "A wooden wardrobe and a plant are a must.",
    "Drinking a cup of tea in my armchair is what I look forward to.",
    "Both nightstands should be grey.",
    "I dream of a space with a bed, a wardrobe, nightstands and a lamp.",
    "我想要一张床和两个床头柜。",
]
FALSE = {
    "a desk that is not there": ("I want a bed and a desk.", "'desk' is asked for, the finished room has none"),
    "a synonym of what is not there": ("I need a couch.", "'couch' is asked for, the finished room has none"),
    "a kind of lamp": ("A table lamp, please.", "'table lamp' is asked for, the finished room has none"),
    "a kind of table": ("I want a coffee table by the bed.", "'coffee table' is asked for, the finished room has none"),
    "too many": ("Three nightstands, please.", "'nightstands' is asked for 3 times, the finished room has 2"),
    "too few, by number": ("Just one nightstand.", "'nightstand' is asked for 1 times, the finished room has 2"),
    "in digits": ("I want 4 nightstands.", "'nightstands' is asked for 4 times, the finished room has 2"),
    "a plural for one": ("I need wardrobes.", "'wardrobes' is asked for, the finished room has 1"),
    "several for one": ("I'd like several armchairs.", "'armchairs' is asked for, the finished room has 1"),
    "another colour": ("A red bed.", "'red bed' is asked for, no such object is described so"),
    "another material": ("A glass wardrobe.", "'glass wardrobe' is asked for, no such object is described so"),
    "one of two looks": ("A white leather bed.", "'white leather bed' is asked for, no such object is described so"),
    "in Chinese": ("我想要三个床头柜。", "'床头柜' is asked for 3 times, the finished room has 2"),
    "in Chinese, none": ("我想要一张书桌。", "'书桌' is asked for, the finished room has none"),
}


@pytest.mark.parametrize("text", TRUE)
def test_what_is_true_is_not_complained_of(text: str) -> None:
    assert instruction_problems(text, BEDROOM) == []


@pytest.mark.parametrize("lie", FALSE)
def test_what_is_not_so_is_found(lie: str) -> None:
    text, told = FALSE[lie]
    assert [(each.code, each.message) for each in instruction_problems(text, BEDROOM)] == [("instruction.object", told)]


def test_groups_of_furniture_need_one_of_their_kind() -> None:
    wanted = "I need seating, lighting and greenery."
    assert [each.message for each in instruction_problems(wanted, DINING)] == [
        "greenery is asked for, the finished room has none"
    ]
    assert len(instruction_problems(wanted, NAMELESS)) == 3


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "the instruction is empty"),
        ("  \n", "the instruction is empty"),
        ("Put a <NEED_RETRIVEAL> in.", "'<NEED_RETRIVEAL>' is left in the instruction"),
        ("Put a <NEED_RETRIEVAL> in.", "'<NEED_RETRIEVAL>' is left in the instruction"),
        ("I want a {room_type}.", "'{room_type}' is left in the instruction"),
        ("I want {{ pieces }}.", "'{{' is left in the instruction"),
        ("I want a [insert style] room.", "'[insert style]' is left in the instruction"),
        ("<image> I want a bed.", "'<image>' is left in the instruction"),
        ("Do tool_3 first.", "'tool_3' is left in the instruction"),
        ("The bed, TBD.", "'TBD' is left in the instruction"),
        ("Move 7b3c-1 to the wall.", "the id '7b3c-1' stands in the instruction"),
    ],
)
def test_what_a_template_left_behind_is_found(text: str, told: str) -> None:
    found = instruction_problems(text, BEDROOM)
    assert ("text.placeholder", told) in [(each.code, each.message) for each in found]


def test_words_of_users_are_no_placeholders() -> None:
    assert instruction_problems("I want it to cost < 500 and > 100 & be nice (really) [a bed].", BEDROOM) == []


def test_for_changes_what_was_there_at_the_start_may_be_named_and_fewer_of_it() -> None:
    text = "Please take out one of the four dining chairs and swap the floor lamp."
    assert [each.message for each in instruction_problems(text, BEDROOM)] != []
    assert instruction_problems(text, BEDROOM, DINING) == []
    assert instruction_problems("Move two of the dining chairs and add a sofa.", DINING, DINING)[0].message == (
        "'sofa' is asked for, the finished room has none"
    )


def test_a_number_may_be_that_of_one_sort_and_a_set_may_be_counted_by_its_parts() -> None:
    scene = room(
        *[("A wooden dining chair", [0.5] * 3, [0.0] * 3)] * 4,
        *[("A beige armchair", [0.8] * 3, [0.0] * 3)] * 2,
        ("Industrial pendant lamp trio with metal shades", [0.8] * 3, [0.0] * 3),
    )
    for text in ("Four chairs.", "Two armchairs.", "Six chairs.", "Two beige chairs.", "Three pendant lamps."):
        assert instruction_problems(text, scene) == [], text
    assert [each.message for each in instruction_problems("Three chairs.", scene)] == [
        "'chairs' is asked for 3 times, the finished room has 6"
    ]


def test_what_is_asked_for_and_what_of_it_is_missing_is_counted() -> None:
    assert asked_and_missing("A bed, a desk, three nightstands and good lighting.", BEDROOM) == (4, 2)
    assert asked_and_missing("I want a comfortable room.", BEDROOM) == (0, 0)
    assert asked_and_missing("A double bed and a nightstand.", CHINESE) == (2, 0)
