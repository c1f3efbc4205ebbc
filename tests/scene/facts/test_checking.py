"""Texts about turns: what is true passes, and lies of eight kinds are caught, whatever their words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scene.facts import corpus, phrasings, turns

NAMES = ("BEDROOM", "LIVINGROOM", "DININGROOM", "EMPTY")
KINDS = ("object", "distance", "size", "overlap", "wall", "facing", "count", "action")


def told(name):
    return getattr(turns, name)


@pytest.mark.parametrize("name", NAMES)
def test_true_sentences_and_conclusions_are_not_blamed(name):
    turn = told(name)
    blamed = {line: turn.problems(think=line) for line in corpus.lines(corpus.HONEST[name])}
    blamed |= {line: turn.problems(conclusion=line) for line in corpus.lines(corpus.HONEST_CONCLUSIONS[name])}
    assert {line: problems for line, problems in blamed.items() if problems} == {}


@pytest.mark.parametrize("kind", KINDS)
def test_lies_of_each_kind_are_caught(kind):
    lies = [(name, line.partition(": ")) for name in NAMES for line in corpus.lines(corpus.LIES[name])]
    passed = [lie for name, (of, _, lie) in lies if of == kind and not told(name).problems(think=lie)]
    assert passed == []


@pytest.mark.parametrize("name", NAMES)
def test_conclusions_that_pass_over_a_call_or_tell_another_are_caught(name):
    passed = [line for line in corpus.lines(corpus.LYING_CONCLUSIONS[name]) if not told(name).problems(conclusion=line)]
    assert passed == []


@pytest.mark.parametrize("name", NAMES)
def test_other_phrasings_of_truths_and_lies_are_told_apart(name):
    turn = told(name)
    blamed = {line: turn.problems(think=line) for line in corpus.lines(phrasings.HONEST.get(name, ""))}
    assert {line: problems for line, problems in blamed.items() if problems} == {}
    assert [line for line in corpus.lines(phrasings.LIES[name]) if not turn.problems(think=line)] == []


@pytest.mark.parametrize("text", phrasings.BEDROOM_TEXTS)
def test_whole_texts_in_several_styles_pass_and_fail_with_one_number_changed(text):
    assert turns.BEDROOM.problems(think=text) == []
    assert turns.BEDROOM.problems(think=text.replace("0.10 m", "0.35 m")) != []


def test_a_lie_is_caught_among_true_sentences_wherever_it_stands():
    truths = [line for line in corpus.lines(corpus.HONEST["BEDROOM"]) if not line.endswith("?")][:12]
    lie = "The wardrobe stands 0.35 m off the west wall."
    for place in (0, 5, 12):
        text = " ".join([*truths[:place], lie, *truths[place:]])
        assert [problem.code for problem in turns.BEDROOM.problems(think=text)] == ["text.number"]
    assert turns.BEDROOM.problems(think=" ".join(truths)) == []


@pytest.mark.parametrize(
    ("think", "code"),
    [
        ("", "text.empty"),
        (" \n ", "text.empty"),
        ("The piano stands by the bed.", "text.object"),
        ("The wardrobe is 1.9 m wide.", "text.number"),
        ("The bed faces north.", "text.relation"),
        ("There are three nightstands.", "text.count"),
        ("I remove the floor lamp.", "text.action"),
    ],
)
def test_each_problem_has_its_code(think, code):
    assert [problem.code for problem in turns.BEDROOM.problems(think=think)] == [code]


def test_a_conclusion_has_its_own_code_and_may_not_be_empty():
    assert {problem.code for problem in turns.BEDROOM.problems(conclusion="Adds a writing desk.")} == {
        "text.conclusion"
    }
    assert [problem.code for problem in turns.BEDROOM.problems(conclusion="")] == ["text.empty"]


def test_a_number_that_is_true_of_another_pair_is_a_lie():
    assert turns.BEDROOM.problems(think="Nightstand 1 is 0.10 m from the bed.") == []
    assert turns.BEDROOM.problems(think="The wardrobe is 0.10 m from the bed.") != []


def test_what_is_only_wished_for_is_not_told_to_be_there_but_what_is_there_cannot_be_missing():
    for text in (
        "The room still needs a rug.",
        "There is no mirror yet.",
        "A bookcase could follow later.",
        "Where would a sofa go?",
    ):
        assert turns.BEDROOM.problems(think=text) == []
    assert turns.BEDROOM.problems(think="There is no wardrobe in the room.") != []


def test_ids_of_objects_are_read_as_their_names():
    assert turns.BEDROOM.problems(think="The object ns-1__2 overlaps the bed by 0.10 m.") == []
    assert turns.BEDROOM.problems(think="The object ns-1__2 overlaps the bed by 0.30 m.") != []


@pytest.mark.parametrize(
    "text",
    ["?!", "…" * 50, "床靠着北墙。", "\x00\ud800", "((((0.3", "1.2.3.4 m", "x" * 20_000, "the " * 5_000, "- \n- \n1. "],
)
def test_texts_that_say_nothing_do_no_harm(text):
    assert all(problem.code == "text.empty" for problem in turns.BEDROOM.problems(think=text)) or "4" in text


words = st.sampled_from(
    [
        "the",
        "a",
        "no",
        "two",
        "three",
        "bed",
        "desk",
        "nightstand",
        "wardrobe",
        "sofa",
        "chair",
        "1",
        "2",
        "0.30",
        "m",
        "1.8",
        "90",
        "degrees",
        "%",
        "(",
        ")",
        "[",
        ",",
        ".",
        ";",
        ":",
        "is",
        "are",
        "overlaps",
        "faces",
        "north",
        "west",
        "wall",
        "corner",
        "side",
        "of",
        "from",
        "to",
        "against",
        "back",
        "its",
        "it",
        "left",
        "right",
        "on",
        "top",
        "above",
        "moves",
        "add",
        "removes",
        "rotates",
        "replaces",
        "with",
        "by",
        "x",
        "=",
        "z",
        "scaled",
        "larger",
        "not",
        "without",
        "between",
        "and",
        "which",
        "each",
        "other",
        "only",
        "there",
        "missing",
        "needs",
        "more",
        "than",
        "m²",
        "×",
        "-",
    ]
)


@settings(max_examples=120, deadline=None)
@given(st.lists(words, max_size=14))
def test_no_sequence_of_words_breaks_the_checker(sequence):
    problems = turns.LIVINGROOM.problems(think="It is. " + " ".join(sequence), conclusion=" ".join(sequence))
    assert {problem.code.partition(".")[0] for problem in problems} <= {"text"}
