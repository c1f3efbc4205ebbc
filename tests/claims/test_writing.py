"""Phrases, false steps, closings and prompts of a small world."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataflow_ext.claims import check
from dataflow_ext.claims.closing import Closing
from dataflow_ext.claims.phrases import Phrase, read_phrases
from dataflow_ext.claims.steps import Step, falsify, labelled, problems_of, steps_of
from dataflow_ext.claims.vocabulary import page_text, prompt_text
from dataflow_ext.errors import DataflowError
from tests.claims.shelf import HERE, SHELF, Shelf

TABLE = """topic\tlanguage\ttext
gap\ten\tthe {a} leaves {gap(a, b)} to the {b}.
gap\ten\tfrom the {a} it is {gap(a, b)} [gap(a, b) > 0.3 m] to the {b}.
side\ten\tthe {a} stands to the left of the {b} [beside(a, b, left)].
side\ten\tthe {a} stands to the right of the {b} [beside(a, b, right)].
size\ten\tthe {a} is long, {length(a)}, [long(a)] and the {b} is {length(b) / length(a)} times as long.
size\tzh\t{a}长{length(a)}，占{filled()}。
"""


@pytest.fixture
def phrases(tmp_path):
    (tmp_path / "phrases.tsv").write_text(TABLE, encoding="utf-8")
    return read_phrases(tmp_path / "phrases.tsv")


def _shelves():
    lengths, gaps = st.floats(0.05, 0.9), st.floats(0.0, 1.5)

    def made(sizes):
        at, boxes = 0.0, {}
        for name, (length, gap) in zip(("crate", "tin 1", "tin 2"), sizes, strict=False):
            boxes[name] = (at + gap + length / 2, length)
            at += gap + length
        return Shelf(boxes, boxes)

    return st.lists(st.tuples(lengths, gaps), min_size=2, max_size=3).map(made)


ALL = [Phrase(*line.split("\t")) for line in TABLE.splitlines()[1:]]


@given(_shelves(), st.sampled_from(ALL), st.permutations(["crate", "tin 1", "tin 2"]))
def test_a_phrase_that_is_rendered_from_its_claims_is_never_false(shelf, phrase, names):
    if not {*names[:2]} <= shelf.names():
        return
    text = phrase.proven({"a": names[0], "b": names[1]}, shelf)
    if text is not None:
        assert {each.verdict for each in check(text, shelf).sentences} == {"proven"}


@given(_shelves(), st.sampled_from(ALL), st.integers(0, 99))
def test_a_falsified_step_is_always_false(shelf, phrase, seed):
    text = phrase.proven({"a": "crate", "b": "tin 1"}, shelf)
    for step in steps_of(text, shelf) if text else ():
        false = falsify(step, shelf, random.Random(seed))
        if false is not None:
            assert not false.label and "false" in {each.verdict for each in check(false.marked, shelf).sentences}


def test_phrases_are_said_about_things_and_only_where_their_claims_hold(phrases):
    values = {"a": "crate", "b": "tin 1"}
    assert [each.proven(values, HERE) for each in phrases["gap"]] == [
        "The crate leaves 0.20 m [gap(crate, tin 1)] to the tin 1.", None,
    ]  # fmt: skip
    assert [each.proven(values, HERE) for each in phrases["side"]] == [
        "The crate stands to the left of the tin 1 [beside(crate, tin 1, left)].", None,
    ]  # fmt: skip
    assert phrases["size"][1].proven({"a": "tin 2"}, HERE) == "Tin 2长0.60 m [length(tin 2)]，占65 % [filled()]。"
    assert phrases["gap"][0].slots == {"a", "b"}


def test_a_phrase_whose_mark_cannot_be_read_is_refused_with_its_line(tmp_path):
    (tmp_path / "bad.tsv").write_text("topic\tlanguage\ttext\nx\ten\tit is [gap(a,].\n", encoding="utf-8")
    with pytest.raises(DataflowError, match="line 2: "):
        read_phrases(tmp_path / "bad.tsv")


def test_false_steps_change_a_number_or_a_name_in_words_and_marks_and_are_proven_false():
    step = Step("The crate leaves 0.2 m [gap(crate, tin 1)] to the tin 1.", True)
    made = {falsify(step, HERE, random.Random(seed)).marked for seed in range(20)}
    assert all("false" in {each.verdict for each in check(text, HERE).sentences} for text in made)
    assert "The crate leaves 0.2 m [gap(crate, tin 2)] to the tin 2." in made
    assert "The crate leaves 0.4 m [gap(crate, tin 1)] to the tin 1." in made
    side = Step("The crate stands to the left of the tin 1 [beside(crate, tin 1, left)].", True)
    assert falsify(side, HERE, random.Random(0)) is not None
    assert falsify(Step("Nice.", True), HERE, random.Random(0)) is None


def test_labelled_rows_are_proven_again_from_themselves():
    text = "The crate leaves 0.2 m [gap(crate, tin 1)] to tin 1. Nice. Tin 2 is long [long(tin 2)]."
    rows = labelled("What stands where?", text, HERE, random.Random(3))
    assert next(row["labels"] for row in rows) == [True, True]
    assert rows[0]["completions"] == ["The crate leaves 0.2 m to tin 1.", "Tin 2 is long."]
    assert rows[1]["labels"][-1] is False and [list(problems_of(row, HERE)) for row in rows] == [[], []]
    rows[0]["labels"][0] = False
    assert list(problems_of(rows[0], HERE)) == [
        "'The crate leaves 0.2 m to tin 1.' is labelled false and is not disproved"
    ]


def test_a_closing_sentence_names_the_gold_and_no_rival():
    closing = Closing("So it is the red lamp.", ["B", "red lamp"], ["A", "green lamp"])
    assert closing.end_of("It is lit. So it is the red lamp.") == "So it is the red lamp."
    assert closing.end_of("It is lit. Hence the red lamp.") == ""
    assert closing.errors("Hence the red lamp.") == closing.warnings("Hence the red lamp.") == []
    assert closing.errors("Hence A.") == ["the last sentence names 'A', which is not the answer"]
    assert closing.errors("It is the green lamp.") == ["the last sentence names 'green lamp', which is not the answer"]
    assert closing.warnings("A lamp it is.") == ["the last sentence does not name 'B' word for word"]
    assert closing.names_gold("The Red Lamp it is.") and not closing.names_gold("A lamp it is.")
    assert Closing("所以是红灯。", ["红灯"]).end_of("看。所以是红灯。") == "所以是红灯。"


@pytest.mark.parametrize(
    "last",
    [
        "Hence B, not A.",
        "Of these B fits best, though A and C are cheaper.",
        "With the wire (A) cut and the plug (C) lost, B remains.",
        "So one takes the red lamp where others took the green lamp.",
    ],
)
def test_a_rival_beside_a_gold_that_is_named_is_left_open(last):
    closing = Closing("", ["B", "red lamp"], ["A", "C", "green lamp"])
    assert closing.errors(last) == []
    assert closing.warnings(last)[0].endswith(" beside the answer")


@pytest.mark.parametrize("last", ["It cannot be the green lamp.", "Neither A nor C, so what is left."])
def test_a_rival_in_a_clause_with_a_negation_is_not_concluded(last):
    closing = Closing("", ["B", "red lamp"], ["A", "C", "green lamp"])
    assert closing.errors(last) == []
    assert closing.warnings(last)[-1] == "the last sentence does not name 'B' word for word"


ORDER = Closing("", [("open it", "go in", "sit down")])
MIXED = "name the parts of the answer in another order"


def test_a_series_says_its_order_and_other_words_may_say_another():
    assert ORDER.errors('So "go in", then "open it", and finally "sit down".') == [
        f"the last sentence {MIXED.replace('name', 'names')}"
    ]
    told = 'Before one may "sit down", one has to "open it" and "go in".'
    assert (ORDER.errors(told), ORDER.warnings(told)) == ([], [f"the last sentence may {MIXED}"])
    assert ORDER.errors("First open it, go in and sit down.") == ORDER.warnings("Open it, go in, sit down.") == []


def test_what_the_gold_is_said_of_has_to_be_named_as_well():
    closing = Closing("", ["tool mismatch"], ["order violation"], ["open it"], about=["go in"])
    assert closing.errors("The flaw is an order violation in go in.") != []
    assert closing.errors("The flaw lies in open it.") != []
    assert closing.warnings("It is a tool mismatch.") == ["the last sentence does not name 'go in' word for word"]
    told = "What seems an order violation in go in is a tool mismatch."
    assert (closing.errors(told), closing.warnings(told)) == (
        [], ["the last sentence names 'order violation' beside the answer"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("A later step fits.", False),
        ("Hence A.", True),
        ("So it is A once more.", True),
        ("A and B fit.", True),
        ("It is a start.", False),
    ],
)
def test_a_letter_that_may_be_an_article_is_none(text, named):
    assert Closing("", ["A"]).names_gold(text) is named


def test_a_vocabulary_is_told_in_a_prompt_and_on_a_page():
    assert "gap(thing, thing) m" in prompt_text(SHELF) and "length(sofa" not in prompt_text(SHELF)
    page = page_text(SHELF)
    assert "| `filled()` | the share of two metres that boxes take | % |" in page
    assert "| `long(thing)` | longer than half a metre |" in page


REMEDY = Closing("", ["tighten the bolt"], ["loosen the bolt"], ["turn the wheel"])


@pytest.mark.parametrize(
    "text",
    [
        'So "tighten the bolt" is the one strategy that leaves this failure unresolved.',
        'In the end "tighten the bolt" is a strategy that would not help.',
        'So "tighten the bolt" is too late for this failure.',
        'Whatever comes, "tighten the bolt" can be ruled out.',
        'So "tighten the bolt" leaves the pedal as loose as it was.',
        'So before "tighten the bolt" comes "turn the wheel".',
        'So the steps are "tighten the bolt" and "turn the wheel".',
    ],
)
def test_a_closing_that_finds_the_gold_of_no_use_or_concludes_what_stands_beside_it_is_a_warning(text):
    assert REMEDY.errors(text) == [] and len(REMEDY.warnings(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        'What is still unsolved is met by "tighten the bolt".',
        'After "turn the wheel" comes "tighten the bolt", which leaves the wheel unable to slip.',
        'The failure is undone by "tighten the bolt", as the loose wheel is of no use.',
        'Once "turn the wheel" is over, nothing stands in the way of "tighten the bolt".',
        'So "tighten the bolt" is no longer blocked and is the next step.',
        '"Turn the wheel" prepares "tighten the bolt".',
    ],
)
def test_an_honest_closing_that_speaks_of_what_was_wrong_is_not_blamed(text):
    assert (REMEDY.errors(text), REMEDY.warnings(text)) == ([], [])


def test_signs_of_print_name_a_rival_as_well():
    closing = Closing("", ["Don't stop"], ["Don't go"])
    assert closing.errors("So it is “Don’t go”.") == ["the last sentence names 'Don't go', which is not the answer"]
