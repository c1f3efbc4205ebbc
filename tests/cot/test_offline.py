"""Reasonings by rules: fluent, in order, within every rule, and the same for the same sample."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataflow_ext import RowError
from operators.cot.anchors import anchors_of
from operators.cot.conclusions import state_of
from operators.cot.load import load_plan
from operators.cot.offline import reasoning_of
from operators.cot.phrasings import CONCLUSIONS, FLAWS, OTHER_CHANGES, PLAIN_STARTS, PURPOSES, RISKS, STARTS
from operators.cot.plan import Affordance, CausalChain, Failure, Plan, Spatial, Step
from operators.cot.rules.response import response_problems
from operators.cot.rules.vocabulary import Vocabulary, vocabulary_of
from operators.cot.sample import PLAN_FILE
from operators.cot.support.facts import Fact
from operators.cot.tasks import TASKS
from tests.cot.drafted import EXAMPLES, drafted

NEXT = TASKS["Task_29_Next_Action_Prediction"]

WASH = Step(
    1,
    "Wash the cup.",
    "Clean cups taste of nothing else",
    CausalChain(
        causal_precondition_on_spatial=[Spatial("inside", ["cup", "sink"])],
        causal_precondition_on_affordance=[Affordance("cup", ["washable"], "The cup is of glass")],
        causal_effect_on_spatial=[Spatial("wet", ["cup"])],
        causal_effect_on_affordance=[Affordance("cup", ["clean"], "No tea is left in it.")],
    ),
    failure_reflecting=Failure("The cup slips.", "Hold the cup with both hands."),
)
FILL = replace(WASH, step_id=2, step_goal="Fill the cup.", rationale="To drink hot tea", failure_reflecting=Failure())


def said(row: Mapping[str, Any], **changed: Any) -> str:
    """The reasoning of a drafted row."""
    row = {**row, **changed}
    plan, fields = load_plan(row["plan_file"]), json.loads(row["fields"])
    where = plan, row["step_index"], fields, row["anchors"], row["answer"]
    return reasoning_of(TASKS[row["task_name"]], *where, row["id"])


def problems(plan: Plan, reasoning: str, answer: str, anchors: list[str]) -> list[str]:
    turn = f"<think>{reasoning}</think>\n{answer}\n"
    return [str(each) for each in response_problems(turn, answer, anchors, vocabulary_of(plan))]


def next_of(plan: Plan, key: str = "a") -> str:
    """The reasoning about what follows the first step, which is within the rules."""
    fields = {"current_step_goal": plan.steps[0].step_goal, "next_step_goal": plan.steps[1].step_goal}
    anchors, answer = anchors_of(NEXT.anchor_steps(plan, 1, fields)), NEXT.answer(fields)
    reasoning = reasoning_of(NEXT, plan, 1, fields, anchors, answer, key)
    assert problems(plan, reasoning, answer, anchors) == []
    return reasoning


def test_a_reasoning_reads_like_one() -> None:
    plan = Plan("Have tea.", [WASH, replace(WASH, step_id=2, step_goal="Fill the cup.")])
    assert next_of(plan, "an id") == (
        'Before "Fill the cup" can be carried out, some conditions have to hold. '
        "Spatially, the cup must be inside the sink. Functionally, the cup must be washable. The cup is of glass. "
        "With this in place, the action can do its work. "
        "After the action, spatially, the cup will be wet. After the action, functionally, the cup will be clean. "
        "No tea is left in it. The plan also has to allow for a failure. "
        "A likely failure is that The cup slips. If that happens, Hold the cup with both hands. "
        "The purpose of the step explains the rest. Clean cups taste of nothing else. "
        'With "Wash the cup" done, the plan turns to "Fill the cup".'
    )


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_sample_of_the_examples_is_within_every_rule(seed: int) -> None:
    rows = list(drafted(seed=seed))
    assert {row["task_name"] for row in rows} == set(TASKS)
    for row in rows:
        assert problems(load_plan(row["plan_file"]), said(row), row["answer"], row["anchors"]) == []


def test_the_same_sample_has_the_same_text_and_others_have_other_phrasings() -> None:
    row = next(iter(drafted()))
    texts = [said(row, id=str(key)) for key in range(60)]
    assert texts == [said(row, id=str(key)) for key in range(60)]
    assert len(set(texts)) > 40


def test_no_phrasing_has_words_that_a_plan_would_have_to_bring() -> None:
    known = Vocabulary([])
    conclusions = [text for each in CONCLUSIONS.values() for text in (*each.told, *each.plain)]
    texts = [*STARTS, *PLAIN_STARTS, *OTHER_CHANGES, *RISKS, *PURPOSES, *FLAWS.values(), *conclusions]
    assert {text: found for text in texts if (found := known.unknown(re.sub(r"\{\w+\}", "it", text)))} == {}


def test_every_task_has_its_conclusions() -> None:
    assert {int(kind[:2]) for kind in CONCLUSIONS} == {task.number for task in TASKS.values()}


@pytest.mark.parametrize(
    ("rationale", "becomes"),
    [
        ("to keep the tea hot", "The point is to keep the tea hot."),
        ("Removes the tea", "This removes the tea."),
        ("the tea is hot:", "The tea is hot."),
        ("The tea\n is  hot!", "The tea is hot!"),
        ('They call it "tea."', 'They call it "tea."'),
    ],
)
def test_fragments_become_sentences(rationale: str, becomes: str) -> None:
    assert f" {becomes} " in next_of(Plan("Have tea.", [WASH, replace(FILL, rationale=rationale)]))


def test_how_long_something_takes_is_no_leak() -> None:
    reasoning = next_of(Plan("Have tea.", [WASH, replace(FILL, rationale="The tea has to stand for 10 minutes.")]))
    assert "The tea has to stand for 10 minutes." in reasoning


def test_pieces_that_break_a_rule_only_together_are_left_out() -> None:
    chain = CausalChain(causal_precondition_on_affordance=[Affordance("cup", ["washable"], "It is so (a) by its form")])
    alone = Plan("Have tea.", [WASH, replace(FILL, causal_chain=chain, rationale="The tea is hot")])
    both = Plan("Have tea.", [WASH, replace(FILL, causal_chain=chain, rationale="It is so (b) by its size")])
    assert "It is so (a) by its form." in next_of(alone)
    assert "It is so" not in next_of(both)


@pytest.mark.parametrize(
    "dirt",
    [
        "See frame 12 for the cup.",
        "The cup in cup_03.png is full.",
        "At 00:12 the cup is full.",
        "- the cup\n- the sink",
        "1. Take the cup. 2. Fill it.",
        "The cup" + " and the cup" * 60,
    ],
)
def test_texts_of_the_plan_that_break_a_rule_are_left_out(dirt: str) -> None:
    dirty = CausalChain(causal_precondition_on_affordance=[Affordance("cup", ["washable"], dirt)])
    goal = "Fill the cup of frame 3."
    plan = Plan("Have tea.", [WASH, replace(FILL, rationale=dirt, causal_chain=dirty)])
    assert dirt[:20] not in next_of(plan)
    fields = {"current_step_goal": goal, "next_step_goal": "Fill the cup."}
    reasoning = reasoning_of(NEXT, replace(plan, steps=[replace(WASH, step_goal=goal), FILL]), 1, fields, [], "A", "a")
    assert "frame" not in reasoning


def test_a_required_sentence_that_breaks_a_rule_is_a_clear_error() -> None:
    failing = replace(FILL, failure_reflecting=Failure("the cup is gone, as cup_03.png shows"))
    with pytest.raises(RowError) as error:
        next_of(Plan("Have tea.", [WASH, failing]))
    assert str(error.value).startswith(
        "The plan's own text cannot be used: the required sentence 'A likely failure is that the cup is gone, as "
        "cup_03.png shows.' breaks a rule: leak.file: "
    )


def test_a_plan_in_another_script_is_told_in_its_own_words() -> None:
    chain = CausalChain(causal_precondition_on_spatial=[Spatial("放在", ["茶杯", "桌子"])])
    plan = Plan("喝茶。", [Step(1, "洗茶杯。"), Step(2, "倒茶。", "热茶在茶杯里。", chain)])
    assert "Spatially, the 茶杯 must be 放在 the 桌子." in next_of(plan)
    assert "热茶在茶杯里。" in next_of(plan)
    assert '"倒茶"' in next_of(plan)


def test_a_step_without_annotations_still_has_a_conclusion() -> None:
    bare = Plan("", [Step(1, "Wash the cup."), Step(2, "Fill the cup.")])
    assert '"Fill the cup"' in next_of(bare)


def test_a_state_is_told_with_its_objects() -> None:
    assert state_of(Fact("affordance", "open_on_one_side", ("tire",))) == "the tire open on one side"
    assert state_of(Fact("spatial", "inside", ("new_tube", "tire"))) == "the new tube inside the tire"
    assert state_of(Fact("spatial", "inside", ("tube", "tire"), False)) == "the tube not inside the tire"
    assert state_of(Fact("spatial", "mixed", ("dye", "buffer", "flask"))) == "the dye, the buffer and the flask mixed"


words = st.text(st.characters(exclude_categories=("Cs",)), max_size=40) | st.sampled_from(
    ["frame 3", "img_2.png", "{goal}", "{0}", "a\nb", "1) a 2) b", '"', "<think>", "Answer: B", "t=3.2s", "\u2028", "…"]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(words, min_size=6, max_size=6))
def test_whatever_a_plan_says_the_reasoning_is_within_the_rules_or_there_is_none(texts: list[str]) -> None:
    goal, rationale, name, kind, reason, failure = texts
    chain = CausalChain(
        causal_precondition_on_affordance=[Affordance(name, [kind], reason)],
        causal_effect_on_affordance=[Affordance(kind, [name], rationale)],
    )
    step = Step(2, goal or "Go.", rationale, chain, failure_reflecting=Failure(failure, reason))
    plan = Plan(goal, [replace(step, step_id=1), step])
    fields = {"current_step_goal": goal, "next_step_goal": goal}
    anchors = anchors_of(NEXT.anchor_steps(plan, 1, fields))
    try:
        reasoning = reasoning_of(NEXT, plan, 1, fields, anchors, "A", "a")
    except RowError:
        return
    assert problems(plan, reasoning, "A", anchors) == []


def test_an_item_elsewhere_has_the_same_texts(tmp_path: Path) -> None:
    for plan_file in EXAMPLES.glob(f"*/{PLAN_FILE}"):
        (tmp_path / plan_file.parent.name).mkdir()
        shutil.copy(plan_file, tmp_path / plan_file.parent.name)
    assert [said(row) for row in drafted(tmp_path)] == [said(row) for row in drafted()]
