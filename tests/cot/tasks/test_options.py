"""Options: even letters, nothing twice, one right answer."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.cot.problems import Problem
from operators.cot.sample import stream_of
from operators.cot.tasks.options import (
    LETTERS,
    TOO_SIMILAR,
    distinct,
    drawn,
    is_rival,
    label_problems,
    similarity,
)
from operators.cot.texts import normalised


def test_letters_and_distractors_are_drawn_evenly_from_the_streams_of_samples():
    """Chi-square: with three degrees of freedom 16.27 is passed once in a thousand, with four 18.47."""
    letters, wrong = Counter(), Counter()
    for i in range(2000):
        random = stream_of(
            1, f"v{i // 20}/causal_plan_with_keyframes.json", "Task_38_Counterfactual_Outcome_MCQ", i % 20, ""
        )
        options, letter = drawn("gold", list("vwxyz"), 4, random)
        assert options[LETTERS.index(letter)] == "gold"
        letters[letter] += 1
        wrong.update(set(options) - {"gold"})
    assert sum((n - 500) ** 2 / 500 for n in letters.values()) < 16.27
    assert sum((n - 1200) ** 2 / 1200 for n in wrong.values()) < 18.47
    assert (set(letters), set(wrong)) == (set("ABCD"), set("vwxyz"))


@given(st.lists(st.text(), min_size=4, max_size=9), st.integers(2, 4), st.integers())
@settings(max_examples=50)
def test_options_are_the_gold_text_and_some_of_the_distractors_each_once(texts, count, seed):
    gold, *distractors = texts
    options, letter = drawn(gold, distractors, count, Random(seed))
    place = LETTERS.index(letter)
    assert (len(options), options[place]) == (count, gold)
    assert not Counter(options[:place] + options[place + 1 :]) - Counter(distractors)
    assert drawn(gold, distractors, count, Random(seed)) == (options, letter)


def test_too_few_distractors_are_refused():
    with pytest.raises(ValueError, match=r"4 options need 3 distractors, but there are 2\."):
        drawn("a", ["b", "c"], 4, Random(1))


def test_of_texts_that_are_the_same_the_first_stays():
    assert distinct(["Go in.", "stay", "GO  in", "Stay!", "leave"]) == ["Go in.", "stay", "leave"]


@given(st.lists(st.text(max_size=3)))
@settings(max_examples=50)
def test_distinct_texts_are_those_given_in_their_order(texts):
    left = distinct(texts)
    assert list(map(normalised, left)) == list(dict.fromkeys(map(normalised, texts)))
    assert distinct(left) == left


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Insert the new tube into the tire.", "insert a new tube in the tires"),
        ("Pouring the water", "Pour water"),
        ("把USB线插入电脑。", "USB线插入电脑"),
        ("?!", "!"),
        ("", ""),
    ],
)
def test_the_same_in_nearly_the_same_words_is_wholly_similar(a, b):
    assert similarity(a, b) == 1.0


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Wash the cup", "Wash the plate"),
        ("Turn the light on", "Turn the light off"),
        ("Tighten bolt 1", "Tighten bolt 2"),
        ("Put the left screw in", "Put the right screw in"),
        ("Stir the pot", "Do not stir the pot"),
        ("打开盖子", "关上盖子"),
        ("Transfer the diced zucchini from the board to the pan.", "Transfer the chopped celery into the pan."),
        ("Scrub and rinse metal box grater", "Rinse and scrub metal strainer"),
        ("?!", "a"),
        ("的", "了"),
    ],
)
def test_one_thing_different_is_a_difference(a, b):
    assert similarity(a, b) < TOO_SIMILAR
    assert not is_rival(a, [b])


def test_in_another_order_is_not_wholly_similar_but_too_similar_to_be_drawn():
    there, back = "Pour water from the kettle into the pot", "Pour water from the pot into the kettle"
    assert similarity(there, back) < 1.0
    assert is_rival(there, ["Boil an egg", back])


@given(st.text(), st.text())
@settings(max_examples=50)
def test_similarity_is_between_0_and_1_the_same_both_ways_and_1_for_what_is_normalised_the_same(a, b):
    assert 0 <= similarity(a, b) == similarity(b, a) <= 1
    assert similarity(a, a.upper() if normalised(a.upper()) == normalised(a) else a) == 1.0


OPTIONS = ["The cup breaks.", "The tea cools.", "Nothing happens.", "The guest leaves."]


def test_options_with_one_right_answer_have_no_problem():
    assert list(label_problems(OPTIONS, "B", "the tea cools")) == []
    assert list(label_problems([*OPTIONS, "It rains."], "E", "It rains.", count=5)) == []


def test_a_long_option_that_differs_in_one_word_may_be_wrong():
    slides = "The clamp of the {} upper arm slides down the steel post until the spring under the base plate stops it"
    words = slides + " and the whole frame rests on two wooden blocks."
    left, right = words.format("left"), words.format("right")
    assert similarity(left, right) > 0.9
    assert list(label_problems([left, "It rains.", right, "It holds."], "C", right)) == []


@pytest.mark.parametrize(
    ("options", "label", "told"),
    [
        (OPTIONS[:3], "B", [("fields.options", "there are 3 options, but there should be 4")]),
        ([*OPTIONS, "It rains."], "B", [("fields.options", "there are 5 options, but there should be 4")]),
        (OPTIONS, "A", [("fields.label", "label is 'A', but the right option is B")]),
        (OPTIONS, "b", [("fields.label", "label is 'b', but the right option is B")]),
        (OPTIONS, "E", [("fields.label", "label is 'E', but the right option is B")]),
        (OPTIONS, "", [("fields.label", "label is '', but the right option is B")]),
        (
            ["The cup breaks.", "The tea cools.", "the cup BREAKS", "Nothing happens."],
            "B",
            [("fields.options", "options A and C are the same: 'the cup BREAKS'")],
        ),
        (
            ["The cup breaks.", "The tea cools.", "the tea cools", "Nothing happens."],
            "B",
            [("fields.options", "options B and C are the same: 'the tea cools'")],
        ),
        (
            ["The cup breaks.", "The tea cools.", "A tea cooled", "Nothing happens."],
            "B",
            [("fields.options", "'A tea cooled' is as right as 'The tea cools.'")],
        ),
        (
            ["The cup breaks.", "It rains.", "The guest leaves.", "Nothing happens."],
            "B",
            [("fields.options", "no option is the right answer 'The tea cools.'")],
        ),
        (
            ["The cup breaks.", "It rains.", "The guest leaves.", "Nothing happens."],
            "F",
            [
                ("fields.options", "no option is the right answer 'The tea cools.'"),
                ("fields.label", "label is 'F', but there is no such option"),
            ],
        ),
        (
            [],
            "A",
            [
                ("fields.options", "there are 0 options, but there should be 4"),
                ("fields.options", "no option is the right answer 'The tea cools.'"),
                ("fields.label", "label is 'A', but there is no such option"),
            ],
        ),
    ],
)
def test_each_damage_is_told(options, label, told):
    assert list(label_problems(options, label, "The tea cools.")) == [Problem(*each) for each in told]


def test_a_repeat_after_the_last_letter_of_the_alphabet_is_told_as_well():
    many = [*(f"option {i}" for i in range(30)), "option 3"]
    assert [problem.code for problem in label_problems(many, "A", "option 0", count=31)] == ["fields.options"]
