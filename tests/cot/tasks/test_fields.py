"""What all fields have in common: texts compared, types kept, the plan's word."""

from typing import Any, ClassVar, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typing_extensions import TypedDict

from operators.cot.problems import Problem
from operators.cot.tasks.task import (
    Task,
    common_problems,
    form_problems,
    numbered,
    plan_problems,
    position_of,
    same,
    shown,
    step_of,
    with_goal,
)
from operators.cot.texts import normalised, one_line
from tests.cot.tasks.plans import LAMP, TEA


class Place(TypedDict):
    step_id: int
    step_goal: str


class Made(Task):
    """A task with a field of every kind; only its types are asked for."""

    number = 99
    name = "Task_99_Made"
    types: ClassVar[dict[str, Any]] = {
        "count": int,
        "text": str,
        "texts": list[str],
        "either": list[Place] | list[str],
        "kind": Literal["a", "b"],
        "place": Place,
        "extra": int,
    }
    optional = frozenset({"extra"})
    drafts = question = answer = wanted = anchor_steps = conclusion = problems = None  # type: ignore[assignment]


GOOD = {
    "high_level_goal": "",
    "count": 3,
    "text": "a",
    "texts": ["a", "b"],
    "either": [{"step_id": 1, "step_goal": "a"}],
    "kind": "a",
    "place": {"step_id": 1, "step_goal": "a"},
}


def found(**changed: Any) -> list[tuple[str, str]]:
    """Code and message for good fields with some changed."""
    return [(problem.code, problem.message) for problem in form_problems(Made(), {**GOOD, **changed})]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Open the door.", "open  the\tdoor"),
        ("Open the door!?", " OPEN THE DOOR "),
        ("ＯＰＥＮ　the door．", "open the door"),
        ("打开门。", "打开门"),
        ("打开门！？", "打开门."),
        ("Straße", "STRASSE"),
        ("caf\u0065\u0301", "CAF\u00c9"),
        ("a\u2028b\x85c\x1dd", "a b c d"),
        ("wait…", "wait"),
    ],
)
def test_case_width_spaces_and_the_last_stop_make_no_difference(a, b):
    assert normalised(a) == normalised(b)


@pytest.mark.parametrize(
    ("a", "b"), [("Open the door.", " Open  the\tdoor."), ("a\u2028b", "a b"), (3, 3), (["a "], ["a"])]
)
def test_fields_are_the_same_word_for_word_spaces_apart(a, b):
    assert same(a, b)


@pytest.mark.parametrize(
    ("a", "b"), [("Open the door.", "Open the door"), ("Open", "open"), ("Ｏpen", "Open"), (3, "3")]
)
def test_another_case_width_or_stop_makes_another_field(a, b):
    assert not same(a, b)


@pytest.mark.parametrize(
    ("a", "b"), [("turn on", "turn off"), ("a.b", "ab"), ("cup 1", "cup 2"), ("(a)", "a"), ("水", "茶")]
)
def test_everything_else_does(a, b):
    assert normalised(a) != normalised(b)
    assert not same(a, b)


@given(st.text())
@settings(max_examples=200)
def test_what_is_normalised_stays_as_it_is_and_is_one_line(text):
    assert normalised(normalised(text)) == normalised(text)
    assert normalised(one_line(text)) == normalised(text)
    assert len(one_line(text).splitlines()) <= 1


@pytest.mark.parametrize(
    ("a", "b", "are"),
    [
        (["Stir.", "Go"], ["Stir.  ", "Go"], True),
        (["a", "b"], ["b", "a"], False),
        (["a"], ["a", "a"], False),
        (1, 1, True),
        (1, True, False),
        (1, "1", False),
        ("a", ["a"], False),
    ],
)
def test_lists_are_the_same_in_the_same_order_and_numbers_are_no_texts(a, b, are):
    assert same(a, b) is are


def test_a_numbered_list_has_a_line_a_step():
    assert numbered(["Open\nthe door.", "Go in."]) == "1) Open the door.\n2) Go in."
    assert numbered([]) == ""


def test_steps_are_found_by_their_id():
    assert position_of(LAMP, 20) == 1
    assert step_of(LAMP, 20) is LAMP.steps[1]
    with pytest.raises(LookupError, match=r"The plan has no step 1\."):
        position_of(LAMP, 1)


def test_the_goal_stands_first():
    assert list(with_goal(TEA, b=1, a=2).items()) == [("high_level_goal", TEA.high_level_goal), ("b", 1), ("a", 2)]


def test_fields_of_the_right_types_have_no_problem():
    assert found() == []
    assert found(either=["a"]) == []
    assert found(extra=1) == []


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"count": True}, "count should be a valid integer, but is True"),
        ({"count": "3"}, "count should be a valid integer, but is '3'"),
        ({"count": 3.0}, "count should be a valid integer, but is 3.0"),
        ({"count": None}, "count should be a valid integer, but is None"),
        ({"extra": None}, "extra should be a valid integer, but is None"),
        ({"text": 1}, "text should be a valid string, but is 1"),
        ({"text": " \u2028"}, "text is blank"),
        ({"high_level_goal": ["a"]}, "high_level_goal should be a valid string, but is ['a']"),
        ({"texts": "ab"}, "texts should be a valid list, but is 'ab'"),
        ({"texts": ["a", ""]}, "texts[1] is blank"),
        ({"texts": ["a", 1, 2]}, "texts[1] should be a valid string, but is 1"),
        ({"texts": {"0": "a"}}, "texts should be a valid list, but is {'0': 'a'}"),
        ({"either": [{"step_id": True, "step_goal": "a"}]}, "either[0].step_id should be a valid integer, but is True"),
        ({"either": 1}, "either should be a valid list, but is 1"),
        ({"kind": "c"}, "kind should be 'a' or 'b', but is 'c'"),
        ({"kind": ["a"]}, "kind should be 'a' or 'b', but is ['a']"),
        ({"place": {"step_id": 1, "step_goal": 2}}, "place.step_goal should be a valid string, but is 2"),
        ({"place": []}, "place should be a valid dictionary, but is []"),
    ],
)
def test_a_wrong_type_is_named_once_with_its_field(changed, message):
    assert found(**changed) == [("fields.type", message)]


def test_what_is_missing_is_named():
    fields = {name: value for name, value in GOOD.items() if name != "count"}
    assert list(form_problems(Made(), fields)) == [Problem("fields.missing", "count is missing")]
    assert found(place={"step_id": 1}) == [("fields.missing", "place.step_goal is missing")]
    assert [problem.code for problem in form_problems(Made(), {})] == ["fields.missing"] * 7


def test_what_is_unknown_is_a_warning():
    assert list(form_problems(Made(), {**GOOD, "more": 1})) == [
        Problem("fields.unknown", "the task has no field 'more'", "warning")
    ]
    assert found(place={"step_id": 1, "step_goal": "a", "more": 1}) == [
        ("fields.unknown", "the task has no field 'place.more'")
    ]


@given(
    st.dictionaries(
        st.sampled_from([*GOOD, "more", "", "\ud800"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None)),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
            max_leaves=5,
        ),
    )
)
@settings(max_examples=50, deadline=None)
def test_no_json_is_too_strange_to_be_told_of(fields):
    for problem in form_problems(Made(), fields):
        assert problem.message.isprintable()
        assert len(problem.message) < 200


def test_the_goal_has_to_be_that_of_the_plan():
    assert list(common_problems(TEA, {"high_level_goal": "Brew a pot of  green tea and serve it in a cup."})) == []
    assert list(common_problems(LAMP, {"high_level_goal": "Sleep."})) == [
        Problem("fields.plan", "high_level_goal is 'Sleep.', but the plan says 'Read in the evening.'")
    ]


def test_each_field_that_the_plan_contradicts_is_told_and_one_that_is_not_there_is_not():
    fields = {"goal": "a.", "steps": ["a", "B"], "end": 3}
    assert list(plan_problems(fields, {"goal": "a. ", "steps": ["a", "B"], "end": 3, "other": "c"})) == []
    told = plan_problems(fields, {"goal": "b", "steps": ["b", "a"], "end": 4})
    assert [problem.message for problem in told] == [
        "goal is 'a.', but the plan says 'b'",
        "steps is ['a', 'B'], but the plan says ['b', 'a']",
        "end is 3, but the plan says 4",
    ]


def test_a_value_is_quoted_on_one_line_and_not_at_length():
    assert shown("a\u2028b\n") == r"'a\u2028b\n'"
    assert len(shown("x" * 1000)) <= 60
    assert len(shown(10**4000)) <= 60
    assert len(shown([["x" * 100] * 9] * 9)) <= 60
