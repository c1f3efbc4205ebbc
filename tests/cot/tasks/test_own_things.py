"""What is said of one step, and whether it could be said of another one as well."""

import pytest

from operators.cot.plan import CausalChain, Failure, Spatial, Step
from operators.cot.tasks.options import fits_only, says_much_of, speech_of

LID = Step(
    1,
    "Close the jar.",
    causal_chain=CausalChain(
        "right_hand", "twist the lid", "jar_lid", [Spatial("holding", ["right_hand", "jar_lid"])], [], [Spatial("on", ["jar_lid", "glass_jar"])]
    ),
    failure_reflecting=Failure("The thread is dirty.", "Wipe the thread with a cloth."),
)  # fmt: skip
POT = Step(2, "Stir the soup.", causal_chain=CausalChain("hand", "stir", "soup", [Spatial("inside", ["spoon", "pot"])]))


def test_a_step_speaks_of_its_things_and_not_of_hands():
    assert speech_of(LID).things == {"lid", "jar"}
    assert speech_of(POT).things == {"soup", "spoon", "pot"}
    assert {"thread", "dirti", "twist", "jar", "glass"} <= speech_of(LID).words


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("Lower the flame under the pot.", True),
        ("Take another spoon.", True),
        ("Stop and try again.", False),
        ("Wipe it with a cloth.", False),
        ("Put the lid on.", False),
        ("", False),
    ],
)
def test_only_what_names_a_thing_of_its_own_fits_no_other_step(text, fits):
    assert fits_only(text, speech_of(POT), speech_of(LID)) is fits


def test_what_a_question_names_counts_as_its_own_where_it_is_given():
    assert not fits_only("The broth would burn.", speech_of(POT), speech_of(LID))
    assert fits_only("The broth would burn.", speech_of(POT), speech_of(LID), "What if the broth is thick?")
    assert not fits_only("It would take long.", speech_of(POT), speech_of(LID), "What if it would take long?")


def test_things_with_chinese_names_are_found_within_words():
    brew = Step(1, "泡茶。", causal_chain=CausalChain("人", "泡", "茶壶"))
    assert fits_only("把茶壶洗干净。", speech_of(brew), speech_of(LID))
    assert not fits_only("再试一次。", speech_of(brew), speech_of(LID))


def test_texts_that_share_much_may_both_be_right():
    assert says_much_of("Air would leak and the volume would be small.", "The pipette draws air, the volume is small.")
    assert not says_much_of("The soup would burn at the bottom.", "The lid would not turn.")
    assert says_much_of("", "The lid would not turn.")
