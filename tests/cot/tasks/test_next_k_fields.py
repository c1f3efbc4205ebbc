"""Tasks 33 and 34: fields that somebody else made, good ones and each damage of them."""

import pytest

from operators.cot.anchors import AnchorSteps
from operators.cot.evidence import Prefix
from operators.cot.tasks.next_k import NextKOrder, NextKSteps
from tests.cot.tasks.plans import TEA, TWICE, bare, codes

PICK, ORDER = NextKSteps(), NextKOrder()
GOALS = [step.step_goal for step in TEA.steps]

#: After step 2 of TEA, as somebody else may have made them.
PICKED = {
    "high_level_goal": TEA.high_level_goal,
    "prefix_end_step": 2,
    "K": 3,
    "options": [GOALS[0], GOALS[3], GOALS[2], GOALS[6], GOALS[4], GOALS[5]],
    "label_set": ["B", "C", "E"],
    "gold_next_k_step_goals": GOALS[2:5],
}
ORDERED = {
    "high_level_goal": TEA.high_level_goal,
    "prefix_end_step": 2,
    "K": 4,
    "presented_steps": [GOALS[4], GOALS[2], GOALS[5], GOALS[3]],
    "gold_next_k_step_goals": GOALS[2:6],
    "label": GOALS[2:6],
}
OPTIONS = PICKED["options"]


def test_questions_answers_evidence_and_anchors():
    assert PICK.question(PICKED) == "Select all steps that will occur in the next K steps (order not required)."
    assert PICK.answer(PICKED) == "B,C,E"
    assert ORDER.question(ORDERED) == "Reorder the shuffled candidate steps into the most plausible next-step sequence."
    assert ORDER.answer(ORDERED) == (
        "1) Measure green leaves into the teapot.\n2) Pour hot water over the leaves.\n"
        "3) Cover the teapot with its lid.\n4) Set a cup and a strainer on the tray."
    )
    for task, fields in [(PICK, PICKED), (ORDER, ORDERED)]:
        assert task.wanted(TEA, 2, fields) == Prefix(2)
        assert task.anchor_steps(TEA, 2, fields) == AnchorSteps.of(TEA.steps[2])


PREFIX_DAMAGES = [
    ({"high_level_goal": "Brew coffee."}, {"fields.plan"}),
    ({"prefix_end_step": 1}, {"fields.plan"}),
    ({"prefix_end_step": 99}, {"fields.plan"}),
    ({"prefix_end_step": "2"}, {"fields.type"}),
    ({"K": 2}, {"fields.k"}),
    ({"K": 5}, {"fields.k"}),
    ({"K": 7}, {"fields.k"}),
    ({"K": 0}, {"fields.k"}),
    ({"K": -3}, {"fields.k"}),
    ({"K": True}, {"fields.type"}),
    ({"K": 3.0}, {"fields.type"}),
    ({"gold_next_k_step_goals": "none"}, {"fields.type"}),
    ({"hint": 1}, {"fields.unknown"}),
]


@pytest.mark.parametrize(("changed", "told"), PREFIX_DAMAGES)
@pytest.mark.parametrize(("task", "fields"), [(PICK, PICKED), (ORDER, ORDERED)])
def test_each_damage_of_prefix_and_k_is_told(task, fields, changed, told):
    assert set(codes(task, TEA, 2, {**fields, **changed})) == told


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        # Gold steps that are others, fewer, more, or in another order than the plan has them.
        ({"gold_next_k_step_goals": [GOALS[2], GOALS[4], GOALS[3]]}, {"fields.plan"}),
        ({"gold_next_k_step_goals": [GOALS[2], GOALS[3], GOALS[6]]}, {"fields.plan", "fields.label"}),
        ({"gold_next_k_step_goals": [*GOALS[2:4], "Drink."]}, {"fields.plan", "fields.options", "fields.label"}),
        ({"gold_next_k_step_goals": GOALS[2:4]}, {"fields.k", "fields.label"}),
        ({"gold_next_k_step_goals": GOALS[2:6]}, {"fields.k", "fields.label"}),
        ({"gold_next_k_step_goals": []}, {"fields.k", "fields.label"}),
        # Options.
        ({"options": [GOALS[0], GOALS[3], GOALS[2], GOALS[0], GOALS[4], GOALS[5]]}, {"fields.options"}),
        ({"options": [GOALS[0], GOALS[3], GOALS[2], GOALS[3].upper(), GOALS[4], GOALS[5]]}, {"fields.options", "fields.label"}),
        ({"options": [GOALS[0], GOALS[3], GOALS[2], "Pour the hot water over leaves", GOALS[4]]}, {"fields.options"}),
        ({"options": [GOALS[0], "Drink.", GOALS[2], GOALS[6], GOALS[4], GOALS[5]]}, {"fields.options", "fields.label"}),
        ({"options": OPTIONS[1:5], "label_set": ["A", "B", "D"]}, {"fields.options"}),
        ({"options": [*OPTIONS, "Drink.", "Smile.", "Talk."]}, {"fields.options"}),
        ({"options": GOALS[2:5], "label_set": ["A", "B", "C"]}, {"fields.options"}),
        ({"options": []}, {"fields.options", "fields.label"}),
        ({"options": OPTIONS[::-1]}, {"fields.label"}),
        ({"options": [*OPTIONS[:5], ""]}, {"fields.type"}),
        ({"options": dict(zip("ABCDEF", OPTIONS, strict=True))}, {"fields.type"}),
        # Letters.
        ({"label_set": ["A", "C", "E"]}, {"fields.label"}),
        ({"label_set": ["B", "C"]}, {"fields.label"}),
        ({"label_set": ["B", "C", "E", "F"]}, {"fields.label"}),
        ({"label_set": ["B", "C", "E", "E"]}, {"fields.label"}),
        ({"label_set": ["E", "C", "B"]}, {"fields.label"}),
        ({"label_set": ["b", "c", "e"]}, {"fields.label"}),
        ({"label_set": ["B", "C", "Z"]}, {"fields.label"}),
        ({"label_set": []}, {"fields.label"}),
        ({"label_set": "B,C,E"}, set()),
        ({"label_set": "B,C"}, {"fields.label"}),
        ({"label_set": "B, C, E"}, {"fields.label"}),
        ({"label_set": 3}, {"fields.type"}),
        ({"label_set": [1, 2, 4]}, {"fields.type"}),
    ],
)  # fmt: skip
def test_each_damage_of_what_is_to_be_picked_is_told(changed, told):
    assert set(codes(PICK, TEA, 2, {**PICKED, **changed})) == told


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"gold_next_k_step_goals": GOALS[5:1:-1]}, {"fields.plan", "fields.label"}),
        ({"gold_next_k_step_goals": GOALS[2:5]}, {"fields.k", "fields.order", "fields.label"}),
        ({"gold_next_k_step_goals": [*GOALS[2:5], GOALS[0]]}, {"fields.plan", "fields.order", "fields.label"}),
        ({"presented_steps": GOALS[2:6]}, {"fields.order"}),
        ({"presented_steps": [goal.lower() for goal in GOALS[2:6]]}, {"fields.order"}),
        ({"presented_steps": [GOALS[4], GOALS[2], GOALS[5]]}, {"fields.order"}),
        ({"presented_steps": [GOALS[4], GOALS[2], GOALS[5], GOALS[3], GOALS[6]]}, {"fields.order"}),
        ({"presented_steps": [GOALS[4], GOALS[2], GOALS[5], GOALS[5]]}, {"fields.order"}),
        ({"presented_steps": [GOALS[4], GOALS[2], GOALS[5], "Drink."]}, {"fields.order"}),
        ({"presented_steps": []}, {"fields.order"}),
        ({"presented_steps": [1, 2, 3, 4]}, {"fields.type"}),
        ({"label": ORDERED["presented_steps"]}, {"fields.label"}),
        ({"label": GOALS[2:5]}, {"fields.label"}),
        ({"label": [*GOALS[2:5], "Drink."]}, {"fields.label"}),
        ({"label": []}, {"fields.label"}),
        ({"label": [goal.rstrip(".") for goal in GOALS[2:6]]}, {"fields.label"}),
        ({"label": "1) Measure"}, {"fields.type"}),
        ({"label": [1, 2, 3, 4]}, {"fields.type"}),
    ],
)
def test_each_damage_of_what_is_to_be_put_in_order_is_told(changed, told):
    assert set(codes(ORDER, TEA, 2, {**ORDERED, **changed})) == told


@pytest.mark.parametrize("k", [1, 2, 7])
def test_fewer_than_three_or_more_than_six_steps_are_told(k):
    plan = bare(*(f"Do thing {i}." for i in range(12)))
    gold = [step.step_goal for step in plan.steps[1 : 1 + k]]
    fields = {"high_level_goal": "Do it all.", "prefix_end_step": 1, "K": k}
    ordered = {**fields, "presented_steps": gold[::-1], "gold_next_k_step_goals": gold, "label": gold}
    told = codes(ORDER, plan, 1, ordered)
    assert told == (["fields.k", "fields.order"] if k == 1 else ["fields.k"])


@pytest.mark.parametrize(("task", "fields"), [(PICK, PICKED), (ORDER, ORDERED)])
def test_each_missing_field_is_told(task, fields):
    for name in fields:
        left = {other: value for other, value in fields.items() if other != name}
        assert codes(task, TEA, 2, left) == ["fields.missing"]


@pytest.mark.parametrize(
    ("step_index", "told"),
    [(3, {"fields.plan"}), (1, {"fields.plan"}), (5, {"step.unknown"}), (7, {"step.unknown"}), (9, {"step.unknown"})],
)
@pytest.mark.parametrize(("task", "fields"), [(PICK, PICKED), (ORDER, {**ORDERED, "K": 4})])
def test_another_step_than_the_fields_tell_of_is_told(task, fields, step_index, told):
    found = set(codes(task, TEA, step_index, fields))
    assert told <= found <= {*told, "fields.k"}


@pytest.mark.parametrize(
    "changed",
    [
        {"options": [*OPTIONS, GOALS[1]]},
        {"options": [*OPTIONS, "Drink.", "Boil an egg."]},
        {"options": [OPTIONS[5], *OPTIONS[1:5], OPTIONS[0]]},
        {"options": OPTIONS[:5]},
        {"options": [goal.upper() for goal in OPTIONS]},
        {"K": 5, "options": GOALS, "label_set": list("CDEFG"), "gold_next_k_step_goals": GOALS[2:7]},
    ],
)
def test_other_choices_of_steps_to_pick_are_no_damage(changed):
    assert codes(PICK, TEA, 2, {**PICKED, **changed}) == []


@pytest.mark.parametrize(
    "changed",
    [
        {"presented_steps": GOALS[5:1:-1]},
        {
            "K": 3,
            **dict.fromkeys(["gold_next_k_step_goals", "label"], GOALS[2:5]),
            "presented_steps": GOALS[4:1:-1],
        },
    ],
)
def test_other_choices_of_steps_to_order_are_no_damage(changed):
    assert codes(ORDER, TEA, 2, {**ORDERED, **changed}) == []


def test_files_made_elsewhere_may_ask_for_steps_that_come_twice():
    gold = [step.step_goal for step in TWICE.steps[1:4]]
    fields = {"high_level_goal": "Do it all.", "prefix_end_step": 1, "K": 3}
    options = [gold[1], "Open the box.", gold[0], "Close the box."]
    picked = {**fields, "options": options, "label_set": ["A", "C"], "gold_next_k_step_goals": gold}
    ordered = {**fields, "presented_steps": gold[::-1], "gold_next_k_step_goals": gold, "label": gold}
    assert codes(PICK, TWICE, 1, picked) == []
    assert codes(ORDER, TWICE, 1, ordered) == []
    assert codes(ORDER, TWICE, 1, {**ordered, "presented_steps": [gold[0], gold[2], gold[1]]}) == ["fields.order"]


@pytest.mark.parametrize(("task", "fields"), [(PICK, PICKED), (ORDER, ORDERED)])
def test_of_a_step_that_is_not_there_nothing_can_be_shown(task, fields):
    with pytest.raises(LookupError):
        task.wanted(TEA, 8, fields)
    with pytest.raises(LookupError):
        task.anchor_steps(TEA, 7, fields)
