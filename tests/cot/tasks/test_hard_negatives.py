"""Hard negatives: half right texts are whole sentences, and no guess by words finds the right option."""

from random import Random

import pytest

from operators.cot.tasks.options import Speech, crossed, hardest, with_crossed

LID = "Lift the lid, wipe the rim with a cloth, and press it down until it clicks."
DISHES = "Move the dishes to a rack and place the sieve in the sink."


@pytest.mark.parametrize(
    ("gold", "other", "clauses", "made"),
    [
        (
            "Lift the lid, then wipe the rim.",
            DISHES,
            "orders",
            ["Lift the lid and place the sieve in the sink.", "Move the dishes to a rack, then wipe the rim."],
        ),
        (
            "The lid would slip, leaving a gap.",
            "The pan would burn, as nobody stirs it.",
            "statements",
            ["The lid would slip, as nobody stirs it.", "The pan would burn, leaving a gap."],
        ),
        ("Lift the lid.", DISHES, "orders", []),
        ("Add salt, oil and warm water.", DISHES, "orders", []),
        ("If it slips, the lid would fall.", "The pan would burn, as nobody stirs it.", "statements", []),
        ("把锅盖拿起来，再擦一擦。", DISHES, "orders", []),
    ],
)
def test_clauses_are_exchanged_where_both_sides_are_whole(gold, other, clauses, made):
    assert list(crossed(gold, other, clauses)) == made


def test_a_clause_that_hangs_on_one_before_follows_no_other_such():
    """Reason behind reason would say nothing: "as the rim is bent, as nobody stirs it"."""
    made = list(
        crossed(
            "The lid would slip, as the rim is bent, leaving a gap.",
            "The pan would burn, as nobody stirs it.",
            "statements",
        )
    )
    assert made == [
        "The lid would slip, as nobody stirs it.",
        "The pan would burn, as the rim is bent, leaving a gap.",
        "The pan would burn, leaving a gap.",
    ]


def test_what_is_exchanged_leaves_out_a_fifth_and_names_a_thing_that_the_step_has_not():
    own = Speech(frozenset({"lid"}), frozenset({"lift", "lid", "wipe", "rim", "cloth", "press", "click"}))
    other = Speech(frozenset({"siev", "dish"}), frozenset({"move", "dish", "rack", "place", "siev", "sink"}))
    made = with_crossed(LID, [(DISHES, other)], own, "orders")
    assert made == [
        DISHES,
        "Lift the lid and place the sieve in the sink.",
        "Move the dishes to a rack, wipe the rim with a cloth, and press it down until it clicks.",
        "Lift the lid, wipe the rim with a cloth and place the sieve in the sink.",
        "Move the dishes to a rack, and press it down until it clicks.",
    ]
    nothing = Speech(frozenset(), frozenset())
    assert with_crossed(LID, [(DISHES, nothing)], own, "orders") == [DISHES]


def test_beside_the_chosen_ones_the_right_option_shares_no_more_than_another():
    question = "What helps if the lid slips off the jar?"
    wrong = ["Dry the jar.", "Cut wood.", "Oil the lid of the jar.", "Stop the pump.", "Cool the lid."]
    chosen = hardest(question, "Hold the lid.", wrong, Random(3))
    assert chosen is not None
    assert any("lid" in text for text in chosen)
    assert sorted(chosen) == sorted(hardest(question, "Hold the lid.", wrong[::-1], Random(3)))


def test_a_right_option_that_alone_speaks_of_the_question_is_given_away():
    wrong = ["Dry the cup.", "Cut wood.", "Oil the hinge.", "Stop the pump."]
    assert hardest("What helps if the lid slips?", "Hold the lid.", wrong, Random(1)) is None
