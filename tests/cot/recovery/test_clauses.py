"""Which clauses of a recovery are orders, and what the others say of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operators.cot.recovery.clauses import clauses_of
from operators.cot.recovery.verbs import base, is_anew, is_order, stem


def told(recovery, verbs=frozenset()):
    return [(clause.role, " ".join(clause.words)) for clause in clauses_of(recovery, verbs)]


@pytest.mark.parametrize(
    ("recovery", "clauses"),
    [
        ("Wipe the rim.", [("order", "wipe the rim")]),
        (
            "Lift the lid, wipe dirt and crumbs from the rim, and press it down.",
            [("order", "lift the lid"), ("order", "wipe dirt and crumbs from the rim"), ("order", "press it down")],
        ),
        (
            "Stir the soup until it thickens, then reduce the heat.",
            [("order", "stir the soup"), ("until", "it thickens"), ("order", "reduce the heat")],
        ),
        (
            "Use the knife to scrape the rest into the pan.",
            [("order", "use the knife"), ("order", "scrape the rest into the pan")],
        ),
        (
            "Turn the knob to the left to close the valve and stop the flow",
            [("order", "turn the knob to the left"), ("purpose", "close the valve"), ("purpose", "stop the flow")],
        ),
        (
            "Wipe it with a clean, dry cloth before using it to stir.",
            [("order", "wipe it with a clean dry cloth"), ("before", "using it to stir")],
        ),
        (
            "Press the lid, ensuring that it clicks; if it is bent, replace it.",
            [("order", "press the lid"), ("result", "that it clicks"), ("if", "it is bent"), ("order", "replace it")],
        ),
        ("Cool it; the part comes off by itself.", [("order", "cool it"), ("result", "the part comes off by itself")]),
        ("Hold the jar, otherwise use a vice.", [("order", "hold the jar"), ("if", "use a vice")]),
        ("Hold the jar or use a vice.", [("order", "hold the jar"), ("or", "use a vice")]),
        ("Use a lamp or a torch.", [("order", "use a lamp or a torch")]),
        ("Steady the plank while sawing.", [("order", "steady the plank"), ("while", "sawing")]),
        (
            "Stir the soup to ensure an even heat.",
            [("order", "stir the soup"), ("purpose", "an even heat")],
        ),
        (
            "Stir the soup, ensuring that it is hot.",
            [("order", "stir the soup"), ("result", "that it is hot")],
        ),
        ("Wipe the pan and clean the lid.", [("order", "wipe the pan"), ("order", "clean the lid")]),
        ("Go on to cut the cake.", [("order", "go on to cut the cake")]),
        ("The robot should regrasp the cup.", [("order", "regrasp the cup")]),
        ("Pull the rope once more.", [("order", "pull the rope once more")]),
        ("", []),
        ("重新倒一次。", [("order", "重新倒一次")]),
    ],
)
def test_a_recovery_has_these_clauses(recovery, clauses):
    assert told(recovery) == clauses


def test_a_word_that_the_step_knows_as_a_verb_begins_an_order():
    assert told("Lower the tip and aspirate the dye.") == [("order", "lower the tip"), ("order", "aspirate the dye")]
    assert told("Lower the tip and zumble dye.") == [("order", "lower the tip and zumble dye")]
    assert told("Lower the tip and zumble dye.", frozenset(["zumble"]))[1] == ("order", "zumble dye")


def test_a_word_before_a_determiner_is_a_verb_that_nobody_knows():
    assert told("Lower the tip and zumble the dye.") == [("order", "lower the tip"), ("order", "zumble the dye")]
    assert [clause.verb for clause in clauses_of("Lower the tip and zumble the dye.")] == ["lower", ""]


@given(st.text(max_size=80))
def test_no_word_is_lost_to_two_clauses(text):
    for clause in clauses_of(text):
        assert clause.words
        assert {*clause.rest} <= {*clause.words}


@pytest.mark.parametrize(
    ("word", "verb"),
    [
        ("stirring", "stir"),
        ("re-stir", "stir"),
        ("presses", "press"),
        ("closed", "close"),
        ("reopen", "open"),
        ("table", None),
        ("ring", None),
        ("red", None),
    ],
)
def test_forms_of_verbs_are_known(word, verb):
    assert base(word) == verb


def test_only_plain_forms_are_orders_and_only_work_is_done_anew():
    assert [is_order(word) for word in ("stir", "re-stir", "stirs", "stirring", "spoonful")] == [True, True, False, False, False]  # fmt: skip
    assert [is_anew(word) for word in ("re-scrub", "rewash", "repeat", "replace", "reposition", "remove")] == [True, True, True, False, False, False]  # fmt: skip
    assert stem("readable") == stem("reading")
